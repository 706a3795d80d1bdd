/* SPDX-License-Identifier: MIT */
/*
 * pool: one configured puzzle: what is known of it, the jobs that wait for it, and its workers.
 *
 * One worker is there from the start, further ones come when jobs wait that no worker has room for.
 * What fails is tried again after a pause that doubles, and only while somebody asks: an idle
 * daemon does nothing.
 */
#ifndef DAEMON_POOL_H
#define DAEMON_POOL_H

#include "common/errors.h"
#include "daemon/builder.h"
#include "daemon/config.h"
#include "daemon/puzzle.h"
#include "daemon/queue.h"
#include "daemon/tally.h"
#include "daemon/worker.h"

#include <event2/event_struct.h>
#include <stdbool.h>
#include <stdint.h>

struct server;
struct settings;

enum pool_state {
	POOL_STARTING,    /* no worker has said HELLO yet */
	POOL_READY,       /* a worker serves */
	POOL_RECOVERING,  /* workers died; the next one is waited for */
	POOL_UNAVAILABLE, /* the plugin does not start: jobs are refused, `reason` says why */
};

struct pool {
	struct server *server;
	struct settings *settings; /* those it was made from, kept */
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
	struct tally *tally;     /* what became of its boards, also before the last reload */
	bool serving_requests;   /* on trial: not yet; retired: no more */
	bool retired;            /* no more jobs come */
	struct grave grave;
	TAILQ_ENTRY(pool) link; /* among the serving, in a trial, or among the retired */
	TAILQ_ENTRY(pool) all;
};

/* Makes the pool and starts its first worker.  NULL: no memory. */
struct pool *pool_new(struct server *server, struct settings *settings,
		      const struct config_puzzle *config);

/* It gets requests from now on. */
void pool_begin(struct pool *pool);

/* Takes over the counts of a pool of the same name, which it replaces. */
void pool_succeed(struct pool *pool, struct pool *old);

/* It gets no more jobs; its workers leave when the last is answered. */
void pool_retire(struct pool *pool);

/* Frees it; no worker and no job may be left. */
void pool_free(struct pool *pool);

/* The line of the configuration where the fault of a pool is: the option that was refused, or the
 * section. */
unsigned pool_fault_line(const struct pool *pool);

const char *pool_state_name(const struct pool *pool);

/* Takes a new job in. */
int pool_submit(struct pool *pool, struct job *job);

/* Gives waiting jobs to workers with room, and starts a worker if that is not enough. */
void pool_dispatch(struct pool *pool);

/*
 * Moves a job on by an event that has happened, and does all that its new state asks for.  `why` is
 * what boards that are not answered get when the job ends; NULL where it ends with all answered.
 * Returns what job_event does.
 */
int pool_job_event(struct pool *pool, struct job *job, enum job_event event,
		   const struct error *why);

/*
 * Replaces the workers: new ones are started beside the old, which serve until the first new one is
 * ready and then leave when they hold nothing more.
 */
void pool_renew(struct pool *pool);

/* Lets parked jobs wait again like others. */
void pool_unpark(struct pool *pool);

/* Told when a worker holds nothing more: one of an old generation may leave. */
void pool_worker_idle(struct pool *pool, struct worker *worker);

/* ---- between pool.c and dispatch.c ---- */

/* Workers of the generation that is started now and that are not leaving. */
unsigned pool_current_workers(const struct pool *pool);

/* Starts a worker if there may be one more, now or after the pause that failures cost. */
void pool_start_worker(struct pool *pool);

/* A worker failed: the next one has to wait, twice as long each time. */
void pool_back_off(struct pool *pool);

/* Answers all that wait with puzzle_unavailable. */
void pool_refuse_waiting(struct pool *pool);

/* A retired pool whose last job is answered sends its workers away. */
void pool_leave_if_empty(struct pool *pool);

/* The pause is over. */
void pool_on_retry(evutil_socket_t fd, short what, void *arg);

/* ---- told by worker.c ---- */

int pool_worker_hello(struct pool *pool, struct worker *worker, struct text payload);
int pool_worker_refused(struct pool *pool, struct worker *worker, struct text payload);
void pool_worker_dead(struct pool *pool, struct worker *worker);

/* Ends all workers: they are asked to leave, or (`now`) killed. */
void pool_stop(struct pool *pool, bool now);

#endif
