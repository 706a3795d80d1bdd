/* SPDX-License-Identifier: MIT */
/* Random boards: the generate callback of a plugin that is made from a `struct pz_puzzle`. */
#ifndef PUZZLED_SEARCH_GENERATE_H
#define PUZZLED_SEARCH_GENERATE_H

#include <puzzled/search/glue.h>

enum {
	PZ_WALK_MOVES = 2000, /* a random walk from the goal of so many moves has forgotten where it
				 began */
	PZ_EXACT_TRIES = 2000 /* walks in search of a board with an exact distance */
};

/* pz_random: the next of a sequence of 64-bit numbers (splitmix64, Steele et al. 2014). */
static inline uint64_t pz_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

/* pz_walk: makes `count` random moves from `s`, none that undoes the one before if there is
 * another. */
static inline void pz_walk(const struct pz_domain *d, const void *c, union pz_any_state *s,
			   unsigned count, uint64_t *seed)
{
	uint64_t back = 0;

	while (count-- > 0) {
		uint64_t moves = d->moves(c, s->bytes), pick;
		union pz_any_state child;
		unsigned m;

		if ((moves & ~back) != 0)
			moves &= ~back;
		if (moves == 0)
			return;
		for (pick = pz_random(seed) % PZ_POPCOUNT(moves); pick > 0; pick--)
			moves &= moves - 1;
		m = PZ_LOWEST_BIT(moves);
		d->apply(c, child.bytes, s->bytes, m);
		*s = child;
		back = d->inverse != NULL ? UINT64_C(1) << d->inverse(m) : 0;
	}
}

/* pz_distance: the fewest moves from `s`, if that is at most `length`; else something else, or -1.
 */
static inline int64_t pz_distance(struct pz_kit *kit, const struct pz_job *job, const void *c,
				  const union pz_any_state *s, int64_t length)
{
	struct pz_job limited = *job;
	uint16_t path[PZ_PATH_MAX];
	struct pz_result ret = {.size = sizeof(ret), .path = path};

	limited.max_length = length;
	limited.max_cost = -1;
	pz_kit_search(kit, &limited, c, s, &ret);
	return ret.status == PZ_SOLVED ? (int64_t)ret.length : -1;
}

static inline int pz_kit_generate(void *self, const struct pz_job *job, uint64_t seed,
				  int64_t length, struct pz_buffer *out, struct pz_error *error)
{
	struct pz_kit *kit = self;
	const struct pz_puzzle *puzzle = kit->puzzle;
	const struct pz_domain *d = puzzle->solvers[0]->domain;
	union pz_any_state s, goal;
	const void *c = pz_kit_context(kit, job, error);
	unsigned tries;

	if (c == NULL)
		return -1;
	if (d->goals == NULL || d->inverse == NULL || d->goals(c, goal.bytes, 1) == 0)
		return pz_fail(error, 0, "this puzzle cannot go backward from its goal");
	if (length > (int64_t)puzzle->path_max)
		return pz_fail(error, 0, "no board needs so many moves; the most is %u",
			       puzzle->path_max);
	if (d->derive != NULL)
		d->derive(c, goal.bytes);
	for (tries = 0; tries < PZ_EXACT_TRIES; tries++) {
		s = goal;
		pz_walk(d, c, &s,
			length < 0 ? PZ_WALK_MOVES + (unsigned)(pz_random(&seed) & 1)
				   : (unsigned)length,
			&seed);
		if (length < 0 || pz_distance(kit, job, c, &s, length) == length)
			return puzzle->print(c, s.bytes, out) == 0
				       ? 0
				       : pz_fail(error, 0, "no room for the board");
	}
	return pz_fail(error, 0, "found no board that needs exactly %lld moves", (long long)length);
}

#endif
