/* SPDX-License-Identifier: MIT */
/* hang: never comes back from the board "hang", takes 100 ms for "slow", and never polls. */
#define COUNTING_WORDS "hang", "slow",
#include "counting.h"

#include <time.h>

static void solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	volatile bool hanging = counting_is(job->board, "hang");
	while (hanging)
		continue;
	if (counting_is(job->board, "slow"))
		nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
	counting_solve(self, job, ret);
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("hang"), .open = counting_open,     .check = counting_check,
	.solve = solve,          .replay = counting_replay,
};
