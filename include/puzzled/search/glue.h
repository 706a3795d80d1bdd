/* SPDX-License-Identifier: MIT */
/*
 * The callbacks of a plugin that is made from a `struct pz_puzzle`.  `self` is a struct pz_kit.
 * What each answers is said in plugin.h; PZ_PLUGIN in domain.h points to them.
 */
#ifndef PUZZLED_SEARCH_GLUE_H
#define PUZZLED_SEARCH_GLUE_H

#include <stdalign.h>
#include <stdlib.h>

#include <puzzled/search/run.h>

enum { PZ_GOAL_KEPT = 256 }; /* a job's goal up to so long is kept for the next job */

/* One state, of any puzzle. */
union pz_any_state {
	unsigned char bytes[PZ_STATE_MAX];
	max_align_t aligned;
};

struct pz_kit {
	const struct pz_puzzle *puzzle;
	void *own;  /* what the puzzle's own `open` gave */
	void *home; /* context of the configured goal */
	void *away; /* context of a job's own goal: that of away_text, while away_set */
	bool away_set;
	size_t away_len;
	char away_text[PZ_GOAL_KEPT];
	struct pz_frame *frames;
	unsigned char *states;
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
	free(kit->states);
	free(kit->frames);
	free(kit->away);
	free(kit->home);
	free(kit);
}

/* pz_kit_alloc: everything whose size is known from the start.  -1: no memory. */
static inline int pz_kit_alloc(struct pz_kit *kit)
{
	const struct pz_puzzle *puzzle = kit->puzzle;
	size_t depth = puzzle->path_max, state = 0;
	const struct pz_solver *const *solver;

	for (solver = puzzle->solvers; *solver != NULL; solver++)
		if ((*solver)->domain->state_size > state)
			state = (*solver)->domain->state_size;
	kit->home = calloc(1, puzzle->context_size);
	kit->away = calloc(1, puzzle->context_size);
	kit->frames = calloc(depth + 1, sizeof(*kit->frames));
	kit->states = calloc(depth + 2, state);
	return kit->home && kit->away && kit->frames && kit->states ? 0 : -1;
}

/* pz_kit_goal: set_goal, with the fault laid at the goal's door. */
static inline int pz_kit_goal(struct pz_kit *kit, void *c, struct pz_text goal,
			      struct pz_error *error)
{
	struct pz_error cause = {0};

	if (kit->puzzle->set_goal(c, kit->own, goal, &cause) == 0)
		return 0;
	return pz_fail(error, cause.position, "goal: %.*s", PZ_REASON_MAX - 8, cause.reason);
}

static inline int pz_kit_open(const struct pz_puzzle *puzzle, const char *goal,
			      const struct pz_setup *setup, void **ret_self, struct pz_error *error)
{
	struct pz_kit *kit = calloc(1, sizeof(*kit));
	struct pz_text text = setup->goal;

	if (kit == NULL)
		return pz_fail(error, 0, "no memory");
	kit->puzzle = puzzle;
	if (text.data == NULL && goal != NULL)
		text = (struct pz_text){goal, strlen(goal)};
	if (pz_kit_alloc(kit) != 0) {
		pz_fail(error, 0, "no memory");
		goto fail;
	}
	if (puzzle->open != NULL && puzzle->open(setup, &kit->own, error) != 0)
		goto fail;
	if (pz_kit_goal(kit, kit->home, text, error) != 0)
		goto fail;
	*ret_self = kit;
	return 0;
fail:
	pz_kit_close(kit);
	return -1;
}

/*
 * pz_kit_context: the context of a job's goal, or NULL with an error.  Judges send one goal over
 * and over, so the last one is kept.
 */
static inline const void *pz_kit_context(struct pz_kit *kit, const struct pz_job *job,
					 struct pz_error *error)
{
	const struct pz_puzzle *puzzle = kit->puzzle;
	struct pz_text goal = job->goal;

	if (goal.data == NULL)
		return kit->home;
	if (kit->away_set && goal.len == kit->away_len &&
	    memcmp(goal.data, kit->away_text, goal.len) == 0)
		return kit->away;
	kit->away_set = false;
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
 * pz_kit_take: the context and the start state of a job; NULL with an error.  `d` says which
 * derived part the state needs, NULL: none.
 */
static inline const void *pz_kit_take(struct pz_kit *kit, const struct pz_job *job,
				      const struct pz_domain *d, union pz_any_state *ret_state,
				      struct pz_error *error)
{
	const void *c = pz_kit_context(kit, job, error);

	if (c == NULL || kit->puzzle->parse(c, ret_state->bytes, job->board, error) != 0)
		return NULL;
	if (d != NULL && d->derive != NULL)
		d->derive(c, ret_state->bytes);
	return c;
}

static inline const struct pz_solver *pz_kit_solver(const struct pz_kit *kit,
						    const struct pz_job *job)
{
	return kit->puzzle->solvers[job->heuristic];
}

static inline int pz_kit_check(void *self, const struct pz_job *job, struct pz_error *error)
{
	union pz_any_state s;

	return pz_kit_take(self, job, NULL, &s, error) != NULL ? 0 : -1;
}

enum pz_algorithm { PZ_AUTO, PZ_IDA };

/* pz_kit_search: finds the best path from `s`, which has everything derived for the job's
 * heuristic. */
static inline void pz_kit_search(struct pz_kit *kit, const struct pz_job *job, const void *c,
				 const union pz_any_state *s, struct pz_result *ret)
{
	const struct pz_puzzle *puzzle = kit->puzzle;
	struct pz_run run = {.job = job,
			     .ret = ret,
			     .path_max = puzzle->path_max,
			     .frames = kit->frames,
			     .states = kit->states,
			     .id = puzzle->id};

	ret->stats.algorithm = PZ_IDA;
	ret->stats.heuristic = job->heuristic;
	if (puzzle->unsolvable != NULL && puzzle->unsolvable(c, s->bytes)) {
		ret->status = PZ_UNSOLVABLE;
		return;
	}
	pz_kit_solver(kit, job)->ida(c, s->bytes, &run);
}

static inline void pz_kit_solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	struct pz_kit *kit = self;
	union pz_any_state s;
	const void *c = pz_kit_take(kit, job, pz_kit_solver(kit, job)->domain, &s, &ret->error);

	if (c == NULL)
		ret->status = PZ_FAILED;
	else
		pz_kit_search(kit, job, c, &s, ret);
}

/* pz_kit_apply: makes the move `id` by the domain's own functions: its cost, or -1. */
static inline int pz_kit_apply(const struct pz_kit *kit, const void *c, union pz_any_state *s,
			       unsigned id)
{
	const struct pz_puzzle *puzzle = kit->puzzle;
	const struct pz_domain *d = puzzle->solvers[0]->domain;
	union pz_any_state child;
	uint64_t moves;

	if (d->derive != NULL)
		d->derive(c, s->bytes);
	for (moves = d->moves(c, s->bytes); moves != 0; moves &= moves - 1) {
		unsigned m = PZ_LOWEST_BIT(moves);
		int cost;

		if ((puzzle->id != NULL ? puzzle->id(c, s->bytes, m) : m) != id)
			continue;
		cost = d->cost != NULL ? d->cost(c, s->bytes, m) : 1;
		d->apply(c, child.bytes, s->bytes, m);
		memcpy(s->bytes, child.bytes, d->state_size);
		return cost;
	}
	return -1;
}

/* pz_kit_solved: is the key in `s` a goal? */
static inline bool pz_kit_solved(const struct pz_kit *kit, const void *c, union pz_any_state *s)
{
	const struct pz_domain *d = kit->puzzle->solvers[0]->domain;

	if (d->goal != NULL)
		return d->goal(c, s->bytes);
	if (d->derive != NULL)
		d->derive(c, s->bytes);
	return d->h(c, s->bytes) == 0;
}

static inline void pz_kit_visit(const struct pz_kit *kit, const void *c,
				const union pz_any_state *s, struct pz_replay *ret)
{
	char text[PZ_BOARD_MAX];
	struct pz_buffer out = {text, sizeof(text), 0};

	if (ret->visit != NULL && kit->puzzle->print(c, s->bytes, &out) == 0)
		ret->visit(ret->arg, (struct pz_text){text, out.len});
}

static inline void pz_kit_replay(void *self, const struct pz_job *job, const uint16_t *moves,
				 size_t count, struct pz_replay *ret)
{
	struct pz_kit *kit = self;
	const struct pz_puzzle *puzzle = kit->puzzle;
	struct pz_error error;
	union pz_any_state s;
	const void *c = pz_kit_take(kit, job, NULL, &s, &error);

	ret->done = 0;
	ret->cost = 0;
	ret->legal = false;
	ret->solved = false;
	if (c == NULL)
		return;
	pz_kit_visit(kit, c, &s, ret);
	for (; ret->done < count; ret->done++) {
		int cost = puzzle->step != NULL ? puzzle->step(c, s.bytes, moves[ret->done])
						: pz_kit_apply(kit, c, &s, moves[ret->done]);

		if (cost < 0)
			break;
		ret->cost += (uint64_t)cost;
		pz_kit_visit(kit, c, &s, ret);
	}
	ret->legal = ret->done == count;
	ret->solved = pz_kit_solved(kit, c, &s);
	puzzle->print(c, s.bytes, &ret->final);
}

static inline void pz_kit_neighbours(void *self, const struct pz_job *job,
				     void (*visit)(void *arg, const struct pz_neighbour *neighbour),
				     void *arg)
{
	struct pz_kit *kit = self;
	const struct pz_puzzle *puzzle = kit->puzzle;
	const struct pz_domain *d = puzzle->solvers[0]->domain;
	union pz_any_state s, child;
	char text[PZ_BOARD_MAX];
	struct pz_error error;
	const void *c = pz_kit_take(kit, job, d, &s, &error);
	uint64_t moves;

	for (moves = c != NULL ? d->moves(c, s.bytes) : 0; moves != 0; moves &= moves - 1) {
		unsigned m = PZ_LOWEST_BIT(moves);
		struct pz_buffer out = {text, sizeof(text), 0};
		struct pz_neighbour neighbour = {
			.move = (uint16_t)(puzzle->id != NULL ? puzzle->id(c, s.bytes, m) : m),
			.cost = d->cost != NULL ? (uint64_t)d->cost(c, s.bytes, m) : 1};

		d->apply(c, child.bytes, s.bytes, m);
		puzzle->print(c, child.bytes, &out);
		neighbour.board = (struct pz_text){text, out.len};
		visit(arg, &neighbour);
	}
}

static inline uint64_t pz_kit_estimate(void *self, const struct pz_job *job)
{
	struct pz_kit *kit = self;
	const struct pz_domain *d = pz_kit_solver(kit, job)->domain;
	struct pz_error error;
	union pz_any_state s;
	const void *c = pz_kit_take(kit, job, d, &s, &error);

	return c != NULL ? (uint64_t)d->h(c, s.bytes) : 0;
}

static inline int pz_kit_render(void *self, const struct pz_job *job, struct pz_buffer *out)
{
	struct pz_kit *kit = self;
	const struct pz_puzzle *puzzle = kit->puzzle;
	struct pz_error error;
	union pz_any_state s;
	const void *c = pz_kit_take(kit, job, NULL, &s, &error);

	if (c == NULL)
		return -1;
	if (puzzle->render != NULL)
		return puzzle->render(c, s.bytes, out);
	return puzzle->print(c, s.bytes, out);
}

#endif
