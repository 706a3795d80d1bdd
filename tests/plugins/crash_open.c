/* SPDX-License-Identifier: MIT */
/* crash_open: dies in open. */
#include "counting.h"

#include <signal.h>

static int open_crash(const struct pz_setup *setup, void **ret_self, struct pz_error *error)
{
	(void)ret_self;
	(void)error;
	setup->host->log(setup->host, PZ_ERROR, "about to die");
	raise(SIGSEGV);
	return 0;
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("crash-open"), .open = open_crash,        .check = counting_check,
	.solve = counting_solve,       .replay = counting_replay,
};
