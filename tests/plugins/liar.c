/* SPDX-License-Identifier: MIT */
/* liar: gives wrong answers, in a different way for each of its words. */
#define COUNTING_WORDS                                                                             \
	"illegal", "short", "cheap", "long", "stopped", "wait", "status", "fail", "final",         \
		"visits", "limit", "dear",
#include "counting.h"

static void solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	struct pz_job blind = *job;
	blind.max_length = blind.max_cost = -1;
	counting_solve(self, counting_is(job->board, "limit") ? &blind : job, ret);
	if (counting_is(job->board, "illegal"))
		ret->path[1] = 77;
	if (counting_is(job->board, "short"))
		ret->cost = ret->length = 2;
	if (counting_is(job->board, "cheap"))
		ret->cost = 2;
	if (counting_is(job->board, "long"))
		ret->cost = ret->length = UINT32_MAX;
	if (counting_is(job->board, "stopped"))
		ret->status = PZ_STOPPED;
	if (counting_is(job->board, "wait"))
		ret->status = PZ_WAIT;
	if (counting_is(job->board, "status"))
		ret->status = (enum pz_status)99;
	if (counting_is(job->board, "fail")) {
		ret->status = PZ_FAILED;
		/* No NUL at its end, and nothing that may be printed. */
		memset(ret->error.reason, 0x9b, sizeof(ret->error.reason));
		ret->error.position = SIZE_MAX;
	}
	ret->stats.algorithm = 1000;
	ret->stats.heuristic = 1000;
	ret->iteration_count = 1000 * 1000;
}

static void replay(void *self, const struct pz_job *job, const uint16_t *moves, size_t count,
		   struct pz_replay *ret)
{
	counting_replay(self, job, moves, count, ret);
	if (counting_is(job->board, "final"))
		ret->final.len = SIZE_MAX;
	if (counting_is(job->board, "dear"))
		ret->cost = 5;
	if (counting_is(job->board, "visits"))
		for (int i = 0; i < 100000; i++)
			counting_visit(ret, i);
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("liar"), .open = counting_open, .check = counting_check,
	.solve = solve,          .replay = replay,
};
