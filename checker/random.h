/* SPDX-License-Identifier: MIT */
/* random: the same numbers for the same seed, everywhere (xorshift64*, Vigna 2016). */
#ifndef CHECKER_RANDOM_H
#define CHECKER_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
	uint64_t x = *state ? *state : 1;
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * UINT64_C(2685821657736338717) >> 11;
}

#endif
