/* SPDX-License-Identifier: MIT */
/*
 * A table of the distance of every state to the nearest goal, modulo 3 (after Cooperman and
 * Finkelstein 1992): two neighbours' distances differ by at most one, so that is enough to walk
 * down.  For puzzles whose moves cost 1 and can be undone, with `rank` and `unrank`.
 *
 * Content.  For each 64 states two 64-bit words in the machine's byte order: the low and the high
 * bits of their values, state number 64 * i + j at bit j. 3: no goal can be reached.  So a value
 * costs one cache line, and the builder writes a whole level with a few words' operations.
 *
 * Building goes level by level over bitmaps: `seen` gets the bits of all neighbours of the level,
 * with no test; a sweep then takes those that are not in `closed` as the next level.  States are
 * taken in the order of their numbers, so a rank that keeps neighbours near each other keeps the
 * building in the caches.
 */
#ifndef PUZZLED_SEARCH_TABLE_H
#define PUZZLED_SEARCH_TABLE_H

#include <stdlib.h>

#include <puzzled/search/run.h>

enum {
	PZ_TABLE_FORMAT = 1,          /* part of the version of every table */
	PZ_TABLE_POLL_WORDS = 1 << 10 /* of a level's bitmap, between two polls */
};

/* pz_table_space: how many states there are in context c. */
PZ_INLINE uint64_t pz_table_space(const struct pz_domain *d, const void *c)
{
	return d->space_in != NULL ? d->space_in(c) : d->space;
}

/* pz_table_words: in one bitmap over `space` states. */
static inline size_t pz_table_words(uint64_t space)
{
	return (size_t)((space + 63) / 64);
}

/* pz_table_bytes: of a table's content. */
static inline size_t pz_table_bytes(uint64_t space)
{
	return pz_table_words(space) * 2 * sizeof(uint64_t);
}

/* pz_table_build_bytes: of memory that building takes, the content included. */
static inline size_t pz_table_build_bytes(uint64_t space)
{
	return pz_table_bytes(space) + 3 * pz_table_words(space) * sizeof(uint64_t);
}

/* pz_table_get: distance modulo 3 of a state's number, or 3. */
PZ_INLINE unsigned pz_table_get(const void *content, uint64_t number)
{
	const uint64_t *pair = (const uint64_t *)content + number / 64 * 2;
	unsigned bit = number % 64;

	return (unsigned)(pair[0] >> bit & 1) | (unsigned)(pair[1] >> bit & 1) << 1;
}

/* What building works on. */
struct pz_table_work {
	uint64_t *content;
	uint64_t *closed, *level, *seen; /* bitmaps */
	size_t words;
	uint64_t found; /* states */
};

/* pz_table_mark: sets the bits of the neighbours of the states in one word of the level. */
PZ_INLINE void pz_table_mark(const struct pz_domain *d, const void *c,
			     const struct pz_table_work *work, uint64_t first, uint64_t bits,
			     unsigned char *s, unsigned char *child)
{
	for (; bits != 0; bits &= bits - 1) {
		uint64_t moves, number;

		d->unrank(c, s, first + PZ_LOWEST_BIT(bits));
		for (moves = d->moves(c, s); moves != 0; moves &= moves - 1) {
			d->apply(c, child, s, PZ_LOWEST_BIT(moves));
			number = d->rank(c, child);
			work->seen[number / 64] |= UINT64_C(1) << number % 64;
		}
	}
}

/* pz_table_take: what was newly seen becomes the level at `depth`.  False: there is none. */
static inline bool pz_table_take(struct pz_table_work *work, int depth)
{
	uint64_t low = depth % 3 == 1 ? UINT64_MAX : 0, high = depth % 3 == 2 ? UINT64_MAX : 0;
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < work->words; i++) {
		uint64_t fresh = work->seen[i] & ~work->closed[i];

		work->level[i] = fresh;
		if (fresh == 0)
			continue;
		work->closed[i] |= fresh;
		work->content[2 * i] &= ~fresh | low;
		work->content[2 * i + 1] &= ~fresh | high;
		count += PZ_POPCOUNT(fresh);
	}
	work->found += count;
	return count > 0;
}

/* pz_table_roots: sees the goals. -1: no memory. */
PZ_INLINE int pz_table_roots(const struct pz_domain *d, const void *c, struct pz_table_work *work)
{
	size_t count = d->goals(c, NULL, 0), i;
	unsigned char *goals = calloc(count + 1, d->state_size);

	if (goals == NULL)
		return -1;
	d->goals(c, goals, count);
	for (i = 0; i < count; i++) {
		uint64_t number = d->rank(c, goals + i * d->state_size);

		work->seen[number / 64] |= UINT64_C(1) << number % 64;
	}
	free(goals);
	return 0;
}

/*
 * pz_table_build: fills `content` (pz_table_bytes; whatever was in it) for the goals of context
 * `c`.  `pair` is room for two states.  Polls with the states found and in all.  Returns 0, or -1
 * with an error.
 */
PZ_INLINE int pz_table_build(const struct pz_domain *d, const void *c, void *content,
			     unsigned char *pair, const struct pz_host *host,
			     struct pz_error *error)
{
	uint64_t space = pz_table_space(d, c);
	struct pz_table_work work = {.content = content, .words = pz_table_words(space)};
	uint64_t *bitmaps;
	int depth = 0, ret = -1;
	size_t i;

	if (d->rank == NULL || d->unrank == NULL || d->goals == NULL)
		return pz_fail(error, 0, "this domain has no table");
	bitmaps = calloc(3 * work.words, sizeof(uint64_t));
	if (bitmaps == NULL)
		return pz_fail(error, 0, "no memory to build the table in");
	work.closed = bitmaps;
	work.level = bitmaps + work.words;
	work.seen = bitmaps + 2 * work.words;
	memset(content, 0xff, pz_table_bytes(space));
	if (pz_table_roots(d, c, &work) != 0) {
		pz_fail(error, 0, "no memory to build the table in");
		goto out;
	}
	while (pz_table_take(&work, depth)) {
		for (i = 0; i < work.words; i++) {
			if (work.level[i] != 0)
				pz_table_mark(d, c, &work, i * 64, work.level[i], pair,
					      pair + d->state_size);
			if (PZ_UNLIKELY(i % PZ_TABLE_POLL_WORDS == 0) &&
			    pz_told(host, work.found, space)) {
				pz_fail(error, 0, "stopped while building the table");
				goto out;
			}
		}
		depth++;
	}
	ret = 0;
out:
	free(bitmaps);
	return ret;
}

/* pz_table_step: a move to a neighbour of value `want`; false: there is none. */
PZ_INLINE bool pz_table_step(const struct pz_domain *d, const void *c, const void *content,
			     const unsigned char *s, unsigned char *child, uint64_t moves,
			     unsigned want, unsigned *ret_move)
{
	for (; moves != 0; moves &= moves - 1) {
		unsigned m = PZ_LOWEST_BIT(moves);

		d->apply(c, child, s, m);
		if (pz_table_get(content, d->rank(c, child)) == want) {
			*ret_move = m;
			return true;
		}
	}
	return false;
}

/* pz_table_path: walks from `start` down to a goal, by the content of a table; see run.h. */
PZ_INLINE void pz_table_path(const struct pz_domain *d, const void *c, const void *content,
			     const void *start, struct pz_run *run)
{
	unsigned char *s = run->states, *child = s + d->state_size;
	struct pz_result *ret = run->ret;
	unsigned value, m;
	uint64_t back = 0;
	int length = 0;

	if (d->rank == NULL || d->inverse == NULL || d->goal == NULL)
		return; /* the domain has no table; the glue never asks for it */
	memcpy(s, start, d->state_size);
	value = pz_table_get(content, d->rank(c, s));
	if (value == 3) {
		pz_end(run, PZ_UNSOLVABLE, 0);
		return;
	}
	while (!d->goal(c, s)) {
		value = value == 0 ? 2 : value - 1;
		if (length == (int)run->path_max ||
		    !pz_table_step(d, c, content, s, child, d->moves(c, s) & ~back, value, &m)) {
			ret->status = PZ_FAILED;
			pz_fail(&ret->error, 0, "the table leads nowhere; it must be built again");
			return;
		}
		ret->path[length++] = pz_id(run, c, s, m);
		back = UINT64_C(1) << d->inverse(m);
		memcpy(s, child, d->state_size);
	}
	pz_end_known(run, length);
}

#endif
