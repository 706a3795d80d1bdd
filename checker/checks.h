/* SPDX-License-Identifier: MIT */
/* checks: what is examined.  Each adds its outcome, or outcomes, to the page. */
#ifndef CHECKER_CHECKS_H
#define CHECKER_CHECKS_H

#include "checker/subject.h"

/* The file (exports.c). */
void check_exports(struct subject *s);

/* Text (check_text.c). */
void check_check(struct subject *s);
void check_print(struct subject *s);
void check_render(struct subject *s);

/* Moves (check_rules.c). */
void check_rules(struct subject *s);
void check_generate(struct subject *s);

/* Answers (check_search.c). */
void check_solve(struct subject *s);
void check_path_max(struct subject *s);
void check_agree(struct subject *s);
void check_limits(struct subject *s);
void check_deterministic(struct subject *s);
void check_again(struct subject *s);

/* Against the checker's own search (check_bounds.c). */
void check_admissible(struct subject *s);
void check_goal_estimate(struct subject *s);
void check_optimal(struct subject *s);
void check_unsolvable(struct subject *s);

/* The plugin's own laws (check_domain.c). */
void check_domain(struct subject *s);

/* As a guest of its host (check_guest.c). */
void check_poll(struct subject *s);
void check_memory(struct subject *s);
void check_descriptors(struct subject *s);
void check_close(struct subject *s);

/* Notes what there is before the plugin is loaded, for check_descriptors and check_memory. */
void guest_note(void);

#endif
