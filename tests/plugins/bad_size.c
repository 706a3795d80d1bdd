/* SPDX-License-Identifier: MIT */
/* bad_size: its struct ends before what must be in it. */
#include "counting.h"

const struct pz_plugin pz_plugin = {
	.abi = PZ_ABI,
	.size = 16,
	COUNTING_TEXTS("bad-size"),
	.open = counting_open,
	.check = counting_check,
	.solve = counting_solve,
	.replay = counting_replay,
};
