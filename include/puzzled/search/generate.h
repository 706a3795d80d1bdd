/* SPDX-License-Identifier: MIT */
/* Random boards: the generate callback of a plugin that is made from a `struct pz_puzzle`. */
#ifndef PUZZLED_SEARCH_GENERATE_H
#define PUZZLED_SEARCH_GENERATE_H

#include <puzzled/search/glue.h>

enum {
	PZ_WALK_MOVES = 2000,   /* after so many random moves it is forgotten where they began */
	PZ_WANDER_MOVES = 64,   /* where a search must find the way back */
	PZ_CLIMB_MOVES = 40000, /* in search of a board with an exact distance */
	PZ_ASIDE_MOVES = 8      /* fewer than so many lead away from a dead end of that search */
};

/*
 * pz_walk: makes `count` random moves from `s`, none that undoes the one before if there is
 * another.
 */
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

/* pz_distance: of `s` from the goal, by the table that serves c. -1: there is no way. */
static inline int64_t pz_distance(struct pz_kit *kit, const struct pz_job *job, void *c,
				  const union pz_any_state *s)
{
	struct pz_job free_job = *job;
	uint16_t path[PZ_PATH_MAX];
	struct pz_result ret = {.size = sizeof(ret), .path = path};

	free_job.algorithm = pz_kit_index(kit, PZ_TABLE);
	free_job.max_length = -1;
	free_job.max_cost = -1;
	pz_kit_search(kit, &free_job, c, s, &ret);
	return ret.status == PZ_SOLVED ? (int64_t)ret.length : -1;
}

/*
 * pz_climb: goes from the goal `s` to a board at exactly `length`: upward where it can, and some
 * way at random where it can't, since one move would only lead back to where it was.  False: not
 * found, or told to stop.
 */
static inline bool pz_climb(struct pz_kit *kit, const struct pz_job *job, void *c,
			    union pz_any_state *s, int64_t length, uint64_t *seed)
{
	const struct pz_domain *d = pz_kit_plain(kit)->domain;
	int64_t at = 0;
	unsigned moves, tries;

	for (moves = 0; at != length && moves < PZ_CLIMB_MOVES && !pz_told(job->host, moves, 0);
	     moves++) {
		union pz_any_state next;
		int64_t to = -1;

		for (tries = 0; tries < 2 * d->max_moves && to <= at; tries++) {
			next = *s;
			pz_walk(d, c, &next, 1, seed);
			to = pz_distance(kit, job, c, &next);
		}
		if (to <= at) {
			pz_walk(d, c, &next, (unsigned)(pz_random(seed) % PZ_ASIDE_MOVES), seed);
			to = pz_distance(kit, job, c, &next);
		}
		if (to > length)
			continue;
		*s = next;
		at = to;
	}
	return at == length;
}

/*
 * pz_start: where a walk may begin: a goal; or, of a puzzle that cannot name its goals, the
 * example, which can be solved.  Whole, with what is derived. -1 with an error.
 */
static inline int pz_start(struct pz_kit *kit, void *c, union pz_any_state *s,
			   struct pz_error *error)
{
	const struct pz_domain *d = pz_kit_plain(kit)->domain;
	struct pz_text example = {kit->plugin->example, strlen(kit->plugin->example)};

	if (d->goals == NULL || d->goals(c, s->bytes, 1) == 0) {
		struct pz_error why = {0};

		if (kit->puzzle->parse(c, s->bytes, example, &why) != 0)
			return pz_fail(error, 0, "there is nowhere to begin: the example: %.150s",
				       why.reason);
	}
	return pz_kit_derive(d, c, s) == 0 ? 0 : pz_fail(error, 0, "no memory");
}

/* pz_solvable: is there a way from `s`, by search? */
static inline bool pz_solvable(struct pz_kit *kit, const struct pz_job *job, void *c,
			       const union pz_any_state *s)
{
	struct pz_job free_job = *job;
	uint16_t path[PZ_PATH_MAX];
	struct pz_result ret = {.size = sizeof(ret), .path = path};

	free_job.algorithm = pz_kit_index(kit, PZ_ASTAR);
	free_job.max_length = -1;
	free_job.max_cost = -1;
	pz_kit_search(kit, &free_job, c, s, &ret);
	return ret.status == PZ_SOLVED;
}

/*
 * pz_wander: a board some way off, of a puzzle whose moves cannot all be taken back: there may be
 * no way from where a walk leads, so a search has to find one, and nearer and nearer boards are
 * tried.
 */
static inline bool pz_wander(struct pz_kit *kit, const struct pz_job *job, void *c,
			     union pz_any_state *s, uint64_t *seed)
{
	union pz_any_state start = *s;
	unsigned most;

	for (most = PZ_WANDER_MOVES; most > 0 && !pz_told(job->host, 0, 0); most /= 2) {
		*s = start;
		pz_walk(pz_kit_plain(kit)->domain, c, s, (unsigned)(pz_random(seed) % most) + 1,
			seed);
		if (pz_solvable(kit, job, c, s))
			return true;
	}
	*s = start;
	return pz_solvable(kit, job, c, s);
}

static inline int pz_kit_generate(void *self, const struct pz_job *job, uint64_t seed,
				  int64_t length, struct pz_buffer *out, struct pz_error *error)
{
	struct pz_kit *kit = self;
	const struct pz_puzzle *puzzle = kit->puzzle;
	const struct pz_domain *d = pz_kit_plain(kit)->domain;
	union pz_any_state s = {{0}};
	void *c = pz_kit_context(kit, job, error);

	if (c == NULL)
		return -1;
	if (length > (int64_t)puzzle->path_max)
		return pz_fail(error, 0, "no board needs so many moves; the most is %u",
			       puzzle->path_max);
	if (length >= 0 && (d->goals == NULL || d->inverse == NULL))
		return pz_fail(
			error, 0,
			"this puzzle cannot go backward from its goal, so it makes no board of "
			"an exact length");
	if (length > 0 && !pz_kit_serves(kit, c))
		return pz_fail(
			error, 0,
			"only a table can give an exact length, and none serves this goal%s%s",
			kit->table_name[0] != '\0' ? "; the configured goal's is " : "",
			kit->table_name);
	if (length < 0 && puzzle->random != NULL)
		puzzle->random(c, s.bytes, &seed);
	else if (pz_start(kit, c, &s, error) != 0)
		return -1;
	else if (length < 0 && d->inverse != NULL)
		pz_walk(d, c, &s, PZ_WALK_MOVES + (unsigned)(pz_random(&seed) & 1), &seed);
	else if (length < 0 && !pz_wander(kit, job, c, &s, &seed))
		return pz_fail(error, 0, "found no board that can be solved");
	else if (length >= 0 && !pz_climb(kit, job, c, &s, length, &seed))
		return pz_fail(error, 0, "found no board that needs exactly %lld moves",
			       (long long)length);
	return puzzle->print(c, s.bytes, out) == 0 ? 0 : pz_fail(error, 0, "no room for the board");
}

#endif
