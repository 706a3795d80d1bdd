/* SPDX-License-Identifier: MIT */
/* tally: what has become of a puzzle's boards and how long its requests took; it outlives
 * reloads. */
#ifndef DAEMON_TALLY_H
#define DAEMON_TALLY_H

#include "common/errors.h"
#include "common/wire.h"

#include <stdint.h>

/*
 * Times fall into buckets of which each octave has TALLY_PARTS: up to an eighth wrong, for 4 KiB a
 * puzzle and a few instructions a request.
 */
enum { TALLY_PARTS = 8, TALLY_OCTAVES = 40, TALLY_BUCKETS = TALLY_PARTS * TALLY_OCTAVES };

struct tally {
	unsigned users;
	uint64_t boards
		[WIRE_STATUSES]; /* with a result, by status; verified and generated ones are WIRE_SOLVED */
	uint64_t failed[ERR_KINDS];    /* with an error */
	uint64_t deaths;               /* of workers that were not asked to leave */
	uint64_t requests;             /* answered */
	uint64_t total_us;             /* from their receipt to their answer, together */
	uint64_t times[TALLY_BUCKETS]; /* how many took so long */
};

/* An empty one with one user; NULL: no memory. */
struct tally *tally_new(void);
struct tally *tally_keep(struct tally *tally);
void tally_drop(struct tally *tally);

/* One more request that took `us`. */
void tally_time(struct tally *tally, uint64_t us);

/* The time in which this part (0.5: half) of the requests were answered, in microseconds; 0: there
 * were none. */
uint64_t tally_quantile(const struct tally *tally, double part);

/* How many took less than 2^`octave` microseconds. */
uint64_t tally_below(const struct tally *tally, unsigned octave);

/* Boards with a result. */
uint64_t tally_answered(const struct tally *tally);

#endif
