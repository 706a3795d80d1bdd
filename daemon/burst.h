/* SPDX-License-Identifier: MIT */
/* burst: how much of something there has been in a window of CHATTER_MS.  All zero: nothing yet. */
#ifndef DAEMON_BURST_H
#define DAEMON_BURST_H

#include "common/limits.h"

#include <stddef.h>
#include <stdint.h>

struct burst {
	int64_t since_us; /* when the window began */
	size_t amount;
};

/* Microseconds until the window is over; 0 or less: it is. */
static inline int64_t burst_left(const struct burst *burst, int64_t now_us)
{
	return burst->since_us + CHATTER_MS * 1000 - now_us;
}

/* Adds to what there is, or to a new window if the last one is over. */
static inline void burst_add(struct burst *burst, int64_t now_us, size_t amount)
{
	if (burst_left(burst, now_us) <= 0)
		*burst = (struct burst){.since_us = now_us};
	burst->amount += amount;
}

#endif
