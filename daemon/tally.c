/* SPDX-License-Identifier: MIT */
#include "daemon/tally.h"

#include <stdlib.h>

struct tally *tally_new(void)
{
	struct tally *tally = calloc(1, sizeof(*tally));
	if (tally)
		tally->users = 1;
	return tally;
}

struct tally *tally_keep(struct tally *tally)
{
	tally->users++;
	return tally;
}

void tally_drop(struct tally *tally)
{
	if (tally && --tally->users == 0)
		free(tally);
}

/* The octave is that of the highest bit; the part of it, the three bits below. */
static unsigned bucket_of(uint64_t us)
{
	unsigned octave = 0;
	while (octave + 1 < TALLY_OCTAVES && us >> (octave + 1))
		octave++;
	uint64_t part = octave >= 3 ? us >> (octave - 3) : us << (3 - octave);
	return octave * TALLY_PARTS +
	       (part >= 2 * TALLY_PARTS ? TALLY_PARTS - 1 : (unsigned)part % TALLY_PARTS);
}

/* The first microsecond that is not in it. */
static uint64_t bucket_end(unsigned bucket)
{
	unsigned octave = bucket / TALLY_PARTS;
	uint64_t end = TALLY_PARTS + bucket % TALLY_PARTS + 1;
	return octave >= 3 ? end << (octave - 3) : (end + (1u << (3 - octave)) - 1) >> (3 - octave);
}

void tally_time(struct tally *tally, uint64_t us)
{
	tally->requests++;
	tally->total_us += us;
	tally->times[bucket_of(us ? us : 1)]++;
}

uint64_t tally_quantile(const struct tally *tally, double part)
{
	uint64_t rank = (uint64_t)(part * (double)tally->requests), seen = 0;
	for (unsigned i = 0; i < TALLY_BUCKETS; i++) {
		seen += tally->times[i];
		if (seen > rank || (seen && seen == tally->requests))
			return bucket_end(i);
	}
	return 0;
}

uint64_t tally_below(const struct tally *tally, unsigned octave)
{
	uint64_t seen = 0;
	for (unsigned i = 0; i < octave * TALLY_PARTS && i < TALLY_BUCKETS; i++)
		seen += tally->times[i];
	return seen;
}

uint64_t tally_answered(const struct tally *tally)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < WIRE_STATUSES; i++)
		sum += tally->boards[i];
	return sum;
}
