/* SPDX-License-Identifier: MIT */
/*
 * builder: the tables of one puzzle: built, or checked, by a worker process of its own that serves
 * no job.
 *
 *	IDLE --start--> RUNNING --built--> RENEWING --new workers have it--> IDLE
 *	                   |                   |
 *	                   +------ failed -----+--> FAILED (until somebody starts it again)
 *
 * While it is RUNNING or RENEWING, jobs that want the best algorithm search for a moment and are
 * then parked by their worker's word, until one of the other two states is reached.
 */
#ifndef DAEMON_BUILDER_H
#define DAEMON_BUILDER_H

#include "common/limits.h"
#include "common/text.h"
#include "common/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pool;
struct worker;

enum builder_state { BUILDER_IDLE, BUILDER_RUNNING, BUILDER_RENEWING, BUILDER_FAILED };

struct builder {
	enum builder_state state;
	enum wire_task task;
	struct worker *worker; /* NULL: none */
	char table[LIMIT_NAME];
	bool built;           /* BUILT has come */
	uint64_t done, total; /* units, as the plugin counts them */
	char reason[512];     /* FAILED: why */
};

/*
 * Builds or checks (`task`) the table of this name.  `goal`: not given: the configured one.  Only
 * in IDLE and FAILED.  0, or -1: then it is FAILED.
 */
int builder_start(struct pool *pool, enum wire_task task, struct text table, struct text goal);

/* Starts building what the puzzle lacks, if it lacks a table and may have it; otherwise does
 * nothing. */
void builder_start_missing(struct pool *pool);

/* Whether jobs had better wait. */
static inline bool builder_is_busy(const struct builder *builder)
{
	return builder->state == BUILDER_RUNNING || builder->state == BUILDER_RENEWING;
}

/* Told by pool.c: workers that know of the table serve. */
void builder_renewed(struct pool *pool);

/* Told by pool.c: a new worker did not become ready. */
void builder_renewal_failed(struct pool *pool);

/* Told by worker.c: a frame of the process; -EPROTO: it makes no sense. */
int builder_frame(struct pool *pool, const struct frame *frame);

/* Told by worker.c: the process is dead. */
void builder_dead(struct pool *pool, struct worker *worker);

#endif
