/* SPDX-License-Identifier: MIT */
/* crash_ctor: dies while it is being loaded, before any of its functions is called. */
#include "counting.h"

__attribute__((constructor)) static void crash(void)
{
	abort();
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("crash-ctor"), .open = counting_open,     .check = counting_check,
	.solve = counting_solve,       .replay = counting_replay,
};
