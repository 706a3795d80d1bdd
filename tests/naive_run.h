/* SPDX-License-Identifier: MIT */
/* Runs one kernel over a test's own domain, whose states are an int or two. */
#ifndef NAIVE_RUN_H
#define NAIVE_RUN_H

#include <puzzled/search/run.h>

enum { NAIVE_DEPTH = 64 };

static uint16_t path[NAIVE_DEPTH];
static int states[2 * (NAIVE_DEPTH + 2)];
static int polls_left = -1; /* polls until the host says stop; negative: never */

static bool naive_poll(const struct pz_host *host, uint64_t nodes, uint64_t bound)
{
	(void)host;
	(void)nodes;
	(void)bound;
	return polls_left >= 0 && polls_left-- == 0;
}

static const struct pz_host naive_poller = {.size = sizeof(naive_poller), .poll = naive_poll};

/* any_job: without limits, in a megabyte. */
static inline struct pz_job any_job(void)
{
	return (struct pz_job){.size = sizeof(struct pz_job),
			       .host = &naive_poller,
			       .max_length = -1,
			       .max_cost = -1,
			       .memory = 1 << 20};
}

/* search_from: from a state; a solution's moves are in `path`. */
static inline void search_from(pz_search *with, const void *c, const void *start,
			       const struct pz_job *job, struct pz_result *ret)
{
	static struct pz_frame frames[NAIVE_DEPTH + 1];
	struct pz_run run = {.job = job,
			     .ret = ret,
			     .path_max = NAIVE_DEPTH,
			     .frames = frames,
			     .states = (unsigned char *)states,
			     .wait_ms = job->search_ms};

	*ret = (struct pz_result){.size = sizeof(*ret), .path = path};
	with(c, start, &run);
}

/* search: from the state that is `node`. */
static inline void search(pz_search *with, const void *c, int node, const struct pz_job *job,
			  struct pz_result *ret)
{
	search_from(with, c, &node, job, ret);
}

#endif
