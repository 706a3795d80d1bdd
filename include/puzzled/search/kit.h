/* SPDX-License-Identifier: MIT */
/*
 * What a plugin that is made from a `struct pz_puzzle` keeps between its callbacks: the contexts of
 * the goals, room to search in, and its table.  It is the `self` of plugin.h.
 */
#ifndef PUZZLED_SEARCH_KIT_H
#define PUZZLED_SEARCH_KIT_H

#include <stdalign.h>
#include <stdlib.h>

#include <puzzled/search/table.h>

enum { PZ_GOAL_KEPT = 256 }; /* a job's goal up to so long is kept for the next job */

/* One state, of any puzzle. */
union pz_any_state {
	unsigned char bytes[PZ_STATE_MAX];
	max_align_t aligned;
};

/* Every algorithm there is. */
enum pz_algorithm { PZ_AUTO, PZ_TABLE, PZ_IDA, PZ_ASTAR, PZ_BFS, PZ_BIDIRECTIONAL, PZ_ALGORITHMS };

/* What pz_plugin.algorithms can be, from least to most that the domain offers. */
static const char *const pz_any_cost[] = {"auto", "ida", "astar", NULL};
static const char *const pz_unit_cost[] = {"auto", "ida", "astar", "bfs", NULL};
static const char *const pz_both_ways[] = {"auto", "ida", "astar", "bfs", "bidirectional", NULL};
static const char *const pz_full_space[] = {"auto", "table",         "ida", "astar",
					    "bfs",  "bidirectional", NULL};

struct pz_kit {
	const struct pz_puzzle *puzzle;
	const struct pz_plugin *plugin;
	unsigned char
		algorithm[PZ_ALGORITHMS]; /* enum pz_algorithm of each of plugin->algorithms */
	void *own;                        /* what the puzzle's own `open` gave */
	void *home;                       /* context of the configured goal */
	void *away; /* context of a job's own goal: that of away_text, while away_set */
	bool away_set;
	size_t away_len;
	char away_text[PZ_GOAL_KEPT];
	struct pz_frame *frames;
	unsigned char *states;
	struct pz_table table; /* of the configured goal; bytes 0: the puzzle has none */
	char table_name[PZ_NAME_MAX];
	const void *content; /* NULL: it is not built */
	void *content_own;   /* the same, where it was built by `open` */
	const struct pz_host *host;
	bool away_asked;          /* for a table of the goal of `away` */
	const void *away_content; /* NULL: there is none */
};

static inline void pz_kit_close(void *self)
{
	struct pz_kit *kit = self;
	const struct pz_puzzle *puzzle;

	if (kit == NULL)
		return;
	puzzle = kit->puzzle;
	if (puzzle->drop_goal != NULL && kit->away != NULL)
		puzzle->drop_goal(kit->away);
	if (puzzle->drop_goal != NULL && kit->home != NULL)
		puzzle->drop_goal(kit->home);
	if (puzzle->close != NULL && kit->own != NULL)
		puzzle->close(kit->own);
	free(kit->content_own);
	free(kit->states);
	free(kit->frames);
	free(kit->away);
	free(kit->home);
	free(kit);
}

/* pz_kit_alloc: everything whose size is known from the start. -1: no memory. */
static inline int pz_kit_alloc(struct pz_kit *kit)
{
	const struct pz_puzzle *puzzle = kit->puzzle;
	size_t depth = puzzle->path_max, state = 0;
	const struct pz_solver *const *solver;

	for (solver = puzzle->solvers; *solver != NULL; solver++)
		if ((*solver)->domain->state_size > state)
			state = (*solver)->domain->state_size;
	kit->home = calloc(1, puzzle->context_size + 1);
	kit->away = calloc(1, puzzle->context_size + 1);
	kit->frames = calloc(depth + 1, sizeof(*kit->frames));
	kit->states = calloc(depth + 2, state);
	return kit->home && kit->away && kit->frames && kit->states ? 0 : -1;
}

/* pz_kit_plain: the solver for what needs no heuristic. */
static inline const struct pz_solver *pz_kit_plain(const struct pz_kit *kit)
{
	const struct pz_puzzle *puzzle = kit->puzzle;

	return puzzle->solvers[puzzle->plain];
}

/* pz_kit_goal: set_goal, with the fault laid at the goal's door. */
static inline int pz_kit_goal(struct pz_kit *kit, void *c, struct pz_text goal,
			      struct pz_error *error)
{
	struct pz_error cause = {0};

	if (kit->puzzle->set_goal == NULL || kit->puzzle->set_goal(c, kit->own, goal, &cause) == 0)
		return 0;
	return pz_fail(error, cause.position, "goal: %.*s", PZ_REASON_MAX - 8, cause.reason);
}

/* pz_kit_solver: the searches for a heuristic in context c; see pz_puzzle.solver. */
static inline const struct pz_solver *pz_kit_solver(const struct pz_kit *kit, const void *c,
						    unsigned *heuristic, bool *ret_wait)
{
	const struct pz_puzzle *puzzle = kit->puzzle;

	return puzzle->solver != NULL ? puzzle->solver(c, heuristic, ret_wait)
				      : puzzle->solvers[*heuristic];
}

/*
 * pz_kit_context: the context of a job's goal, or NULL with an error.  Judges send one goal over
 * and over, so the last one is kept.
 */
static inline void *pz_kit_context(struct pz_kit *kit, const struct pz_job *job,
				   struct pz_error *error)
{
	const struct pz_puzzle *puzzle = kit->puzzle;
	char usual[PZ_BOARD_MAX];
	struct pz_buffer out = {usual, sizeof(usual), 0};
	struct pz_text goal = job->goal;

	if (goal.data == NULL && puzzle->usual_goal != NULL &&
	    puzzle->usual_goal(kit->own, job->board, &out))
		goal = (struct pz_text){usual, out.len};
	if (goal.data == NULL)
		return kit->home;
	if (kit->plugin->goal == NULL) {
		pz_fail(error, 0, "goal: the goal of this puzzle is in its rules");
		return NULL;
	}
	if (kit->away_set && goal.len == kit->away_len &&
	    memcmp(goal.data, kit->away_text, goal.len) == 0)
		return kit->away;
	kit->away_set = kit->away_asked = false;
	if (puzzle->drop_goal != NULL)
		puzzle->drop_goal(kit->away);
	memset(kit->away, 0, puzzle->context_size);
	if (pz_kit_goal(kit, kit->away, goal, error) != 0)
		return NULL;
	if (goal.len <= sizeof(kit->away_text)) {
		memcpy(kit->away_text, goal.data, goal.len);
		kit->away_len = goal.len;
		kit->away_set = true;
	}
	return kit->away;
}

/*
 * pz_kit_take: the context of a job and the key of its board; NULL with an error.  What parse does
 * not write is zero: a key's padding, above all.
 */
static inline void *pz_kit_take(struct pz_kit *kit, const struct pz_job *job,
				union pz_any_state *ret_state, struct pz_error *error)
{
	void *c = pz_kit_context(kit, job, error);

	memset(ret_state->bytes, 0, pz_kit_plain(kit)->domain->state_size);
	return c != NULL && kit->puzzle->parse(c, ret_state->bytes, job->board, error) == 0 ? c
											    : NULL;
}

/* pz_kit_derive: fills in what `d` needs besides the key. -1: no memory. */
static inline int pz_kit_derive(const struct pz_domain *d, void *c, union pz_any_state *s)
{
	if (d->prepare != NULL && d->prepare(c) != 0)
		return -1;
	if (d->derive != NULL)
		d->derive(c, s->bytes);
	return 0;
}

#endif
