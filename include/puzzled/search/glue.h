/* SPDX-License-Identifier: MIT */
/*
 * The callbacks of a plugin that is made from a `struct pz_puzzle`.  `self` is a struct pz_kit.
 * What each answers is said in plugin.h; PZ_PLUGIN in domain.h points to them.
 */
#ifndef PUZZLED_SEARCH_GLUE_H
#define PUZZLED_SEARCH_GLUE_H

#include <puzzled/search/solve.h>

static inline int pz_kit_check(void *self, const struct pz_job *job, struct pz_error *error)
{
	union pz_any_state s;

	return pz_kit_take(self, job, &s, error) != NULL ? 0 : -1;
}

/* pz_kit_apply: makes the move `id` by the domain's own functions: its cost, or -1. */
static inline int pz_kit_apply(const struct pz_kit *kit, const void *c, union pz_any_state *s,
			       unsigned id)
{
	const struct pz_puzzle *puzzle = kit->puzzle;
	const struct pz_domain *d = pz_kit_plain(kit)->domain;
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
	const struct pz_domain *d = pz_kit_plain(kit)->domain;

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
	const struct pz_domain *d = pz_kit_plain(kit)->domain;
	struct pz_error error;
	union pz_any_state s;
	void *c = pz_kit_take(kit, job, &s, &error);

	ret->done = 0;
	ret->cost = 0;
	ret->legal = false;
	ret->solved = false;
	/* Where there is no `step`, or no `goal`, the domain's own functions are asked. */
	if (c == NULL || (d->prepare != NULL && d->prepare(c) != 0))
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
	const struct pz_domain *d = pz_kit_plain(kit)->domain;
	union pz_any_state s, child;
	char text[PZ_BOARD_MAX];
	struct pz_error error;
	void *c = pz_kit_take(kit, job, &s, &error);
	uint64_t moves;

	if (c == NULL || pz_kit_derive(d, c, &s) != 0)
		return;
	for (moves = d->moves(c, s.bytes); moves != 0; moves &= moves - 1) {
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
	unsigned heuristic = job->heuristic;
	const struct pz_domain *d;
	struct pz_error error;
	union pz_any_state s;
	void *c = pz_kit_take(kit, job, &s, &error);
	bool wait;

	if (c == NULL)
		return 0;
	d = pz_kit_solver(kit, c, &heuristic, &wait)->domain;
	return pz_kit_derive(d, c, &s) == 0 ? (uint64_t)d->h(c, s.bytes) : 0;
}

static inline int pz_kit_render(void *self, const struct pz_job *job, struct pz_buffer *out)
{
	struct pz_kit *kit = self;
	const struct pz_puzzle *puzzle = kit->puzzle;
	struct pz_error error;
	union pz_any_state s;
	void *c = pz_kit_take(kit, job, &s, &error);

	if (c == NULL)
		return -1;
	if (puzzle->render != NULL)
		return puzzle->render(c, s.bytes, out);
	return puzzle->print(c, s.bytes, out);
}

#endif
