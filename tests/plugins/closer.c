/* SPDX-License-Identifier: MIT */
/* closer: meddles with descriptors: on "close" it closes them all, on "scribble" it writes to the
 * channel. */
#define COUNTING_WORDS "close", "scribble",
#include "counting.h"

#include <unistd.h>

static void solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	if (counting_is(job->board, "close"))
		for (int fd = 0; fd < 64; fd++)
			close(fd);
	if (counting_is(job->board, "scribble")) {
		char junk[512];
		memset(junk, 0xff, sizeof(junk));
		ssize_t written = write(3, junk, sizeof(junk));
		(void)written;
	}
	counting_solve(self, job, ret);
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("closer"), .open = counting_open, .check = counting_check, .solve = solve,
	.replay = counting_replay,
};
