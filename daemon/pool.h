/* SPDX-License-Identifier: MIT */
/*
 * pool: one configured puzzle: what is known of it, the jobs that wait for it, and its workers.
 *
 * One worker is there from the start, further ones come when jobs wait that no worker has room for.  What fails is
 * tried again after a pause that doubles, and only while somebody asks: an idle daemon does nothing.
 */
#ifndef DAEMON_POOL_H
#define DAEMON_POOL_H

#include "common/errors.h"
#include "daemon/builder.h"
#include "daemon/config.h"
#include "daemon/puzzle.h"
#include "daemon/queue.h"
#include "daemon/worker.h"

#include <event2/event_struct.h>
#include <stdbool.h>
#include <stdint.h>

struct server;

enum pool_state {
	POOL_STARTING,    /* no worker has said HELLO yet */
	POOL_READY,       /* a worker serves */
	POOL_RECOVERING,  /* workers died; the next one is waited for */
	POOL_UNAVAILABLE, /* the plugin does not start: jobs are refused, `reason` says why */
};

struct pool {
	struct server *server;
	const struct config_puzzle *config;
	enum pool_state state;
	struct puzzle *puzzle; /* what HELLO said; NULL: none has come yet */
	struct queue queue;
	struct job_list parked; /* until there is a table */
	TAILQ_HEAD(, worker) workers;
	unsigned worker_count; /* of all generations */
	uint64_t generation;   /* of workers that are started now */
	uint64_t serving;      /* of those that get jobs: the last whose HELLO has come */
	struct builder builder;
	unsigned failures; /* workers that failed in a row, without a job answered between */
	int64_t retry_us;  /* not before then is the next one started */
	struct event retry;
	char reason[512];        /* of the last failure */
	char refused_option[64]; /* the configured option that the last REFUSED blamed */
	uint64_t answered;       /* boards with a result */
	uint64_t failed[ERR_KINDS];
	uint64_t restarts; /* workers that died without being asked to */
	TAILQ_ENTRY(pool) link;
};

/* Makes the pool and starts its first worker.  NULL: no memory. */
struct pool *pool_new(struct server *server, const struct config_puzzle *config);

/* Frees it; no worker and no job may be left. */
void pool_free(struct pool *pool);

const char *pool_state_name(const struct pool *pool);

/* Takes a new job in. */
int pool_submit(struct pool *pool, struct job *job);

/* Gives waiting jobs to workers with room, and starts a worker if that is not enough. */
void pool_dispatch(struct pool *pool);

/*
 * Moves a job on by an event that has happened, and does all that its new state asks for.  `why` is what boards
 * that are not answered get when the job ends; NULL where it ends with all answered.
 * Returns what job_event does.
 */
int pool_job_event(struct pool *pool, struct job *job, enum job_event event,
		   const struct error *why);

/*
 * Replaces the workers: new ones are started beside the old, which serve until the first new one is ready and then leave
 * when they hold nothing more.
 */
void pool_renew(struct pool *pool);

/* Lets parked jobs wait again like others. */
void pool_unpark(struct pool *pool);

/* Told when a worker holds nothing more: one of an old generation may leave. */
void pool_worker_idle(struct pool *pool, struct worker *worker);

/* ---- told by worker.c ---- */

int pool_worker_hello(struct pool *pool, struct worker *worker, struct text payload);
int pool_worker_refused(struct pool *pool, struct worker *worker, struct text payload);
void pool_worker_dead(struct pool *pool, struct worker *worker);

/* Ends all workers: they are asked to leave, or (`now`) killed. */
void pool_stop(struct pool *pool, bool now);

#endif
