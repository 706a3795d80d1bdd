/* SPDX-License-Identifier: MIT */
/* slow_open: takes its time to open. */
#include "counting.h"

#include <time.h>

static const struct pz_option options[] = {{.name = "open_ms",
					    .type = PZ_INT,
					    .scope = PZ_CONFIG,
					    .fallback = "60000",
					    .min = 0,
					    .max = 600000,
					    .help = "milliseconds that open takes"}};

static int open_slowly(const struct pz_setup *setup, void **ret_self, struct pz_error *error)
{
	int64_t ms = setup->options[0].number;
	struct timespec rest = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	while (nanosleep(&rest, &rest) < 0)
		continue;
	return counting_open(setup, ret_self, error);
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("slow-open"), .options = options,      .option_count = 1,
	.open = open_slowly,          .check = counting_check, .solve = counting_solve,
	.replay = counting_replay,
};
