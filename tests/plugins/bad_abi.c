/* SPDX-License-Identifier: MIT */
/* bad_abi: built for an interface that is not there yet. */
#include "counting.h"

const struct pz_plugin pz_plugin = {
	.abi = PZ_ABI + 1,
	.size = sizeof(struct pz_plugin),
	COUNTING_TEXTS("bad-abi"),
	.open = counting_open,
	.check = counting_check,
	.solve = counting_solve,
	.replay = counting_replay,
};
