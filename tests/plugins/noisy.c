/* SPDX-License-Identifier: MIT */
/* noisy: prints on standard output and error, and on the board "flood" a megabyte of it; on "print"
 * and on "talk" it does not end: it prints, or tells the daemon of a job that nobody asked for. */
#define COUNTING_WORDS "flood", "print", "talk",
#include "counting.h"

#include <unistd.h>

enum { CHANNEL = 3, PROGRESS = 20, FRAMES = 1000 };

/* Writes the bytes as often as it can. */
static void pour(int fd, const void *bytes, size_t size)
{
	size_t at = 0;
	for (;;) {
		ssize_t put = write(fd, (const char *)bytes + at, size - at);
		if (put < 0)
			return;
		at = (at + (size_t)put) % size;
	}
}

static void solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	static uint32_t frames[FRAMES][11];
	for (int i = 0; i < FRAMES; i++) {
		frames[i][0] = sizeof(frames[i]) - 2 * sizeof(uint32_t);
		frames[i][1] = PROGRESS;
		frames[i][2] = 1000 * 1000;
	}
	if (counting_is(job->board, "talk"))
		pour(CHANNEL, frames, sizeof(frames));
	if (counting_is(job->board, "print"))
		pour(STDERR_FILENO, frames, sizeof(frames));
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
