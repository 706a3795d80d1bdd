/* SPDX-License-Identifier: MIT */
/* bad_meta: two moves with one name: no solution could be read back. */
#include "counting.h"

static int move_name(unsigned notation, unsigned id, char *name, size_t cap)
{
	(void)notation;
	(void)id;
	snprintf(name, cap, "move");
	return 0;
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("bad-meta"), .move_name = move_name,  .open = counting_open,
	.check = counting_check,     .solve = counting_solve, .replay = counting_replay,
};
