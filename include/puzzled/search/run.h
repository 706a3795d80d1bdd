/* SPDX-License-Identifier: MIT */
/* What every search kernel shares: its limits, its working space, polling, and how it ends. */
#ifndef PUZZLED_SEARCH_RUN_H
#define PUZZLED_SEARCH_RUN_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <puzzled/search/puzzle.h>

enum {
	PZ_POLL_NODES =
		1 << 10,      /* nodes expanded between two polls: less than a ms mostly, and a few
				    where each has 64 children that miss the cache, or a slow h */
	PZ_COST_MAX = 1 << 30 /* costs and bounds stay below it, so that sums fit an int */
};

/*
 * A state on the way of a depth-first search: the move that is being tried, and those not yet
 * tried.
 */
struct pz_frame {
	uint64_t moves;
	int g; /* cost to get here */
	unsigned move;
	unsigned seen; /* state of the automaton */
};

/* One search.  The glue fills the first group; pz_begin the second. */
struct pz_run {
	const struct pz_job *job;
	struct pz_result *ret;   /* as the host hands it in: zeroed, with its arrays */
	unsigned path_max;       /* of the puzzle */
	struct pz_frame *frames; /* path_max + 1 */
	unsigned char *states;   /* path_max + 2 states, aligned for any type */
	unsigned (*id)(const void *c, const void *s, unsigned m); /* of the puzzle */
	uint32_t wait_ms; /* search so long, then answer PZ_WAIT; 0: there is nothing to wait for */

	int max_cost;       /* of a solution that counts */
	unsigned max_depth; /* moves that it may have */
	clock_t began;
	int proved;          /* no solution costs less: what pz_poll tells the host */
	bool stopped;        /* pz_poll said stop */
	enum pz_status stop; /* why */
};

/* pz_fail: sets an error's position and sentence and returns -1. */
PZ_OUTLINE PZ_PRINTF(3, 4) int pz_fail(struct pz_error *error, size_t position, const char *format,
				       ...)
{
	va_list args;

	va_start(args, format);
	error->position = position;
	vsnprintf(error->reason, sizeof(error->reason), format, args);
	va_end(args);
	return -1;
}

/* pz_random: the next of a sequence of 64-bit numbers (splitmix64, Steele et al. 2014). */
static inline uint64_t pz_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

/* pz_begin: works out the limits of a search over `d`. */
static inline void pz_begin(struct pz_run *run, const struct pz_domain *d)
{
	const struct pz_job *job = run->job;

	run->max_cost = PZ_COST_MAX - 1;
	if (job->max_cost >= 0 && job->max_cost < run->max_cost)
		run->max_cost = (int)job->max_cost;
	run->max_depth = run->path_max;
	if (job->max_length >= 0 && job->max_length < (int64_t)run->max_depth)
		run->max_depth = (unsigned)job->max_length;
	if (d->cost == NULL && run->max_cost > (int)run->max_depth)
		run->max_cost = (int)run->max_depth;
	run->proved = 0;
	run->stopped = false;
	run->began = run->wait_ms != 0 ? clock() : 0;
}

/* pz_told: does the host say stop? `done` and `bound` are what it may show of progress. */
PZ_OUTLINE bool pz_told(const struct pz_host *host, uint64_t done, uint64_t bound)
{
	return host != NULL && host->poll != NULL && host->poll(host, done, bound);
}

/*
 * pz_poll: must this search stop? Once it has said so, it stays so.  The time that a search may
 * take before it waits for a table is processor time: a busy machine gives a search its full share,
 * and C11 has no other clock that cannot jump.
 */
PZ_OUTLINE bool pz_poll(struct pz_run *run, uint64_t nodes)
{
	if (run->stopped)
		return true;
	run->stop = PZ_STOPPED;
	run->stopped = pz_told(run->job->host, nodes, (uint64_t)run->proved);
	if (!run->stopped && run->wait_ms != 0) {
		run->stop = PZ_WAIT;
		run->stopped = (double)(clock() - run->began) * 1e3 / (double)CLOCKS_PER_SEC >=
			       run->wait_ms;
	}
	return run->stopped;
}

/* pz_end: ends a search without a solution; none costs less than `bound`. */
static inline void pz_end(struct pz_run *run, enum pz_status status, int bound)
{
	run->ret->status = status;
	run->ret->lower_bound = status == PZ_UNSOLVABLE ? 0 : (uint64_t)bound;
}

/* pz_end_early: ends a search that was stopped or, if not that, has no memory left. */
static inline void pz_end_early(struct pz_run *run)
{
	pz_end(run, run->stopped ? run->stop : PZ_MEMORY, run->proved);
}

/*
 * pz_end_limit: ends a search that has proved `bound` by leaving out only what passes max_cost or
 * max_depth.  If the caller's own limits would allow more, it is the plugin's that was met.
 */
PZ_OUTLINE void pz_end_limit(struct pz_run *run, const struct pz_domain *d, int bound)
{
	const struct pz_job *job = run->job;
	bool cost_allows = job->max_cost < 0 || bound <= job->max_cost;
	bool length_allows = job->max_length < 0 || (int64_t)run->path_max < job->max_length;

	if (d->cost == NULL)
		length_allows = job->max_length < 0 || bound <= job->max_length;
	pz_end(run, cost_allows && length_allows ? PZ_FAILED : PZ_LIMIT, bound);
	if (run->ret->status == PZ_FAILED)
		pz_fail(&run->ret->error, 0,
			"no solution has at most %u moves, and longer ones are not looked for",
			run->path_max);
}

/*
 * pz_end_known: ends with a shortest path of `length` moves of cost 1 that is already written, or,
 * where the caller's limits refuse it, with its length as the bound.
 */
static inline void pz_end_known(struct pz_run *run, int length)
{
	const struct pz_job *job = run->job;

	if ((job->max_length >= 0 && length > job->max_length) ||
	    (job->max_cost >= 0 && length > job->max_cost)) {
		pz_end(run, PZ_LIMIT, length);
		return;
	}
	run->ret->status = PZ_SOLVED;
	run->ret->length = (uint32_t)length;
	run->ret->cost = (uint64_t)length;
}

/* pz_is_goal: h is 0 at every goal, so the cheap question comes first. */
PZ_INLINE bool pz_is_goal(const struct pz_domain *d, const void *c, const void *s)
{
	return d->h(c, s) == 0 && (d->goal == NULL || d->goal(c, s));
}

/* pz_id: the move id of move number m in s.  For paths only: it may call through a pointer. */
PZ_OUTLINE uint16_t pz_id(const struct pz_run *run, const void *c, const void *s, unsigned m)
{
	return (uint16_t)(run->id != NULL ? run->id(c, s, m) : m);
}

#endif
