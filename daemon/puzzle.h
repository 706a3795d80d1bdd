/* SPDX-License-Identifier: MIT */
/* puzzle: what a worker's HELLO tells of a puzzle, kept, and printed for users. */
#ifndef DAEMON_PUZZLE_H
#define DAEMON_PUZZLE_H

#include "common/buf.h"
#include "common/wire.h"

#include <stdbool.h>
#include <stdint.h>

struct puzzle {
	unsigned users;          /* workers and pools that keep it */
	struct wire_hello hello; /* views into `payload` */
	char *payload;
	struct text *
		moves; /* [notation * move_count + id]: the name as a JSON string with a comma behind it; not
	                     * given where the id is not in use.  Views into `printed` */
	struct buf printed;
	uint32_t longest_move; /* bytes of the longest of them */
};

/* Decodes and keeps a HELLO.  NULL: it makes no sense, or there is no memory. */
struct puzzle *puzzle_new(struct text payload);

/* One more user, who will call puzzle_free. */
struct puzzle *puzzle_keep(struct puzzle *puzzle);

/* One user less; with the last it goes.  May be NULL. */
void puzzle_free(struct puzzle *puzzle);

/* The members of a puzzle's description, without the brackets around them. */
void puzzle_print(const struct puzzle *puzzle, struct buf *out);

/* The most bytes that the answer for one board can have. */
uint64_t puzzle_answer_max(const struct puzzle *puzzle, uint32_t flags);

#endif
