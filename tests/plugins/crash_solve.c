/* SPDX-License-Identifier: MIT */
/* crash_solve: dies in solve, on the boards "crash", "abort" and "exit", each in its way. */
#define COUNTING_WORDS "crash", "abort", "exit",
#include "counting.h"

#include <signal.h>

static void solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	if (counting_is(job->board, "crash"))
		raise(SIGSEGV);
	if (counting_is(job->board, "abort"))
		abort();
	if (counting_is(job->board, "exit"))
		exit(7);
	counting_solve(self, job, ret);
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("crash-solve"), .open = counting_open,
	.check = counting_check,        .solve = solve,
	.replay = counting_replay,
};
