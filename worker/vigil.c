/* SPDX-License-Identifier: MIT */
#include "worker/vigil.h"

bool vigil_begin(struct vigil *vigil, uint64_t now)
{
	if (vigil->rest) {
		vigil->rest--;
		return false;
	}
	vigil->began = now;
	vigil->looked = false;
	return true;
}

enum vigil_step vigil_step(struct vigil *vigil, uint64_t now)
{
	uint64_t us = (now - vigil->began) / NS_PER_US;
	bool first = !vigil->looked;
	vigil->looked = true;
	if (us >= VIGIL_US)
		return VIGIL_SLEEP;
	return first || us >= VIGIL_YIELD_US ? VIGIL_YIELD : VIGIL_LOOK;
}

void vigil_end(struct vigil *vigil, bool found, uint64_t now)
{
	if (!vigil->looked)
		return;
	/* Found, but late: somebody else has had the core, who would have been kept from it less by
	 * a sleeper. */
	vigil->met += found && now - vigil->began < VIGIL_US * NS_PER_US;
	if (++vigil->kept < VIGIL_TRIAL)
		return;
	if (vigil->met > VIGIL_TRIAL / 2)
		vigil->pause = 0;
	else if (vigil->pause < VIGIL_PAUSE_MAX)
		vigil->pause = vigil->pause ? 2 * vigil->pause : VIGIL_TRIAL;
	vigil->rest = vigil->pause;
	vigil->kept = vigil->met = 0;
}
