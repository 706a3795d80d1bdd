/* SPDX-License-Identifier: MIT */
/*
 * tabled: a counting puzzle with a table of squares.  The board's solution is the same with it and
 * without: the algorithm in the answer tells whether it was there, and that its content was right.
 */
#include "counting.h"

#include <time.h>

enum { SQUARES = 5000, BYTES = SQUARES * sizeof(uint32_t) };
enum { OPTION_BUILD, OPTION_OPEN_MS, OPTION_WAIT_MS, OPTIONS };
enum { BUILD_PLAIN, BUILD_FAIL, BUILD_FOREVER, BUILD_CRASH };
enum { ALGORITHM_AUTO, ALGORITHM_TABLE, ALGORITHM_WALK };

static const char *const algorithms[] = {"auto", "table", "walk", NULL};
static const char *const builds[] = {"plain", "fail", "forever", "crash", NULL};
static const struct pz_option options[OPTIONS] = {
	[OPTION_BUILD] = {.name = "build",
			  .type = PZ_CHOICE,
			  .scope = PZ_CONFIG,
			  .fallback = "plain",
			  .choices = builds,
			  .help = "how building the table goes"},
	[OPTION_OPEN_MS] = {.name = "open_ms",
			    .type = PZ_INT,
			    .scope = PZ_CONFIG,
			    .fallback = "0",
			    .min = 0,
			    .max = 60000,
			    .help = "milliseconds that open takes"},
	[OPTION_WAIT_MS] =
		{.name = "wait_ms",
		 .type = PZ_INT,
		 .scope = PZ_JOB,
		 .fallback = "0",
		 .min = 0,
		 .max = 60000,
		 .help = "milliseconds, whatever is polled, before waiting for the table"},
};

static const uint32_t *squares;
static int64_t how;

static void rest(int64_t ms)
{
	struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	while (nanosleep(&left, &left) < 0)
		continue;
}

static int open_tabled(const struct pz_setup *setup, void **ret_self, struct pz_error *error)
{
	how = setup->options[OPTION_BUILD].number;
	rest(setup->options[OPTION_OPEN_MS].number);
	squares = setup->host->table(setup->host, "squares", 1, BYTES);
	return counting_open(setup, ret_self, error);
}

static void solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	int64_t wait_ms = job->options[OPTION_WAIT_MS].number;
	if (wait_ms && job->search_ms && !squares) {
		rest(wait_ms);
		ret->status = PZ_WAIT;
		ret->lower_bound = 1;
		return;
	}
	counting_solve(self, job, ret);
	ret->stats.algorithm = ALGORITHM_WALK;
	if (!squares)
		return;
	for (uint32_t i = 0; i < SQUARES; i++)
		if (squares[i] != i * i)
			return;
	ret->stats.algorithm = ALGORITHM_TABLE;
}

static size_t tables(void *self, struct pz_table *ret, bool *ready, size_t cap)
{
	(void)self;
	if (cap) {
		ret[0] = (struct pz_table){"squares", 1, BYTES, BYTES, "the squares of numbers"};
		ready[0] = squares != NULL;
	}
	return 1;
}

static int build_table(void *self, const struct pz_table *table, void *content,
		       const struct pz_host *host, struct pz_error *error)
{
	const struct timespec tick = {.tv_nsec = 1000 * 1000};
	uint32_t *to = content;
	(void)self;
	(void)table;
	if (how == BUILD_CRASH)
		abort();
	for (uint64_t i = 0; how == BUILD_FOREVER && !host->poll(host, i, 1000000); i++)
		nanosleep(&tick, NULL);
	if (how != BUILD_PLAIN) {
		snprintf(error->reason, sizeof(error->reason), "there are no squares today");
		return -1;
	}
	for (uint32_t i = 0; i < SQUARES; i++)
		to[i] = i * i;
	return 0;
}

const struct pz_plugin pz_plugin = {
	.abi = PZ_ABI,
	.size = sizeof(struct pz_plugin),
	.name = "tabled",
	.version = "1.0",
	.summary = "count to a number",
	.syntax = "A whole number.",
	.example = "3",
	.goal = "0",
	.moves = COUNTING_MOVES,
	.path_max = PZ_PATH_MAX,
	.move_names = counting_move_names,
	.algorithms = algorithms,
	.options = options,
	.option_count = OPTIONS,
	.unit_cost = true,
	.open = open_tabled,
	.check = counting_check,
	.solve = solve,
	.replay = counting_replay,
	.tables = tables,
	.build_table = build_table,
	.board_max = 24,
};
