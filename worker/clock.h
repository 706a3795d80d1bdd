/* SPDX-License-Identifier: MIT */
/* clock: monotonic time in nanoseconds. */
#ifndef WORKER_CLOCK_H
#define WORKER_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { NS_PER_US = 1000, NS_PER_MS = 1000 * 1000 };

static inline uint64_t clock_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * NS_PER_MS + (uint64_t)now.tv_nsec;
}

#endif
