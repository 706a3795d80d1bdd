/* SPDX-License-Identifier: MIT */
/* noisy: prints on standard output and error, and on the board "flood" a megabyte of it. */
#define COUNTING_WORDS "flood",
#include "counting.h"

static void solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	int lines = counting_is(job->board, "flood") ? 10000 : 1;
	for (int i = 0; i < lines; i++) {
		printf("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"this is not the answer you "
		       "want\"}\n");
		fprintf(stderr, "noise %d\nlevel=error event=forged\n", i);
	}
	fflush(stdout);
	counting_solve(self, job, ret);
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("noisy"), .open = counting_open,     .check = counting_check,
	.solve = solve,           .replay = counting_replay,
};
