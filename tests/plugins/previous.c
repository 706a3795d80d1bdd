/* SPDX-License-Identifier: MIT */
/*
 * previous: built with the header as it was before struct pz_plugin got its last members (abi1/),
 * and with junk behind its struct: a host that reads more than `size` says takes that for a member.
 */
#include "counting.h"

static const struct {
	struct pz_plugin plugin;
	uintptr_t junk[16];
} whole = {
	.plugin = {COUNTING_PLUGIN("previous"), .open = counting_open, .check = counting_check,
		   .solve = counting_solve, .replay = counting_replay},
	.junk = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
};

extern const struct pz_plugin pz_plugin __attribute__((alias("whole")));
