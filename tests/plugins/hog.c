/* SPDX-License-Identifier: MIT */
/* hog: takes all the memory it can get: on "hog" it owns up, on "glutton" it keeps all it got. */
#define COUNTING_WORDS "hog", "glutton",
#include "counting.h"

enum { BITE = 1024 * 1024 };

/* A chunk of memory that leads to the one before. */
struct bite {
	struct bite *before;
	char bytes[BITE - sizeof(struct bite *)];
};

/* Allocates until nothing is left; or, where no bound holds, eight times what it may, and then
 * dies. */
static struct bite *eat(size_t allowed)
{
	struct bite *last = NULL;
	for (size_t i = 0; i < allowed / BITE * 8; i++) {
		struct bite *bite = malloc(sizeof(*bite));
		if (!bite)
			return last;
		memset(bite->bytes, 1, sizeof(bite->bytes));
		bite->before = last;
		last = bite;
	}
	abort();
}

static void solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	bool hog = counting_is(job->board, "hog");
	if (!hog && !counting_is(job->board, "glutton")) {
		counting_solve(self, job, ret);
		return;
	}
	struct bite *last = eat(job->memory);
	while (hog && last) {
		struct bite *before = last->before;
		free(last);
		last = before;
	}
	ret->status = PZ_MEMORY;
	ret->lower_bound = 1;
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("hog"), .open = counting_open,     .check = counting_check,
	.solve = solve,         .replay = counting_replay,
};
