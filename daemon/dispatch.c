/* SPDX-License-Identifier: MIT */
/* dispatch: which waiting job goes to which worker, and when there is to be one more worker. */
#include "common/limits.h"
#include "common/log.h"
#include "daemon/pool.h"
#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/session.h"

#include <stdio.h>

#include <event2/event.h>

static unsigned room(const struct worker *worker)
{
	unsigned credit = worker_credit(worker);
	return credit > worker->held_count ? credit - worker->held_count : 0;
}

static bool holds(const struct worker *worker, const struct user *user)
{
	const struct job *job;
	TAILQ_FOREACH (job, &worker->held, held)
		if (job->request && session_user(job->request->session) == user)
			return true;
	return false;
}

struct choice {
	struct pool *pool;
	struct worker *worker; /* with room, which holds the fewest frames; NULL: none */
};

/*
 * Finds a worker for the user's next job.  Where there is one more worker than configured, it is so
 * that one user cannot have them all (needs_relief): then nobody gets more than the configured
 * number.
 */
static bool find_worker(void *arg, const struct user *user)
{
	struct choice *choice = arg;
	const struct pool *pool = choice->pool;
	unsigned taken = 0, most = pool->config->job.workers;
	bool scarce = pool->worker_count > most;
	struct worker *worker;
	if (scarce)
		TAILQ_FOREACH (worker, &pool->workers, link)
			taken += holds(worker, user);
	choice->worker = NULL;
	TAILQ_FOREACH (worker, &pool->workers, link) {
		if (!room(worker) || (scarce && taken >= most && !holds(worker, user)))
			continue;
		if (!choice->worker || worker->held_count < choice->worker->held_count)
			choice->worker = worker;
	}
	return choice->worker != NULL;
}

/* Whether all workers are at long jobs of others than this user, who has none running. */
static bool needs_relief(void *arg, const struct user *user)
{
	const struct pool *pool = arg;
	const struct worker *worker;
	TAILQ_FOREACH (worker, &pool->workers, link)
		if (worker->state != WORKER_READY || worker->mean_us <= SHORT_JOB_US ||
		    holds(worker, user))
			return false;
	return true;
}

void pool_refuse_waiting(struct pool *pool)
{
	struct error why;
	struct job *job;
	error_set(&why, ERR_PUZZLE_UNAVAILABLE, "%s cannot be served: %s", pool->config->name,
		  pool->reason);
	while ((job = queue_pop(&pool->queue, NULL, NULL))) {
		pool_job_event(pool, job, JOB_STOP, &why);
	}
}

/* A worker failed: the next one has to wait, twice as long each time. */
void pool_back_off(struct pool *pool)
{
	int64_t pause = BACKOFF_FIRST_MS;
	for (unsigned i = 1; i < pool->failures && pause < BACKOFF_LAST_MS; i++)
		pause *= 2;
	if (pause > BACKOFF_LAST_MS)
		pause = BACKOFF_LAST_MS;
	pool->failures++;
	/* The first death in a row is taken for bad luck. */
	pool->retry_us = loop_now_us() + (pool->failures > 1 || !pool->puzzle ? pause * 1000 : 0);
}

static bool is_starting(const struct pool *pool)
{
	const struct worker *worker;
	TAILQ_FOREACH (worker, &pool->workers, link)
		if (worker->state == WORKER_STARTING && worker->generation == pool->generation)
			return true;
	return false;
}

/* Workers of the generation that is started now; old ones are on their way out and do not count. */
unsigned pool_current_workers(const struct pool *pool)
{
	const struct worker *worker;
	unsigned count = 0;
	TAILQ_FOREACH (worker, &pool->workers, link)
		count += worker->generation == pool->generation && worker->state != WORKER_LEAVING;
	return count;
}

void pool_start_worker(struct pool *pool)
{
	int64_t now = loop_now_us();
	unsigned count = pool_current_workers(pool), most = pool->config->job.workers;
	if (count == most && queue_any(&pool->queue, needs_relief, pool))
		most++;
	if (pool->server->stopping_now || count >= most || is_starting(pool))
		return;
	if (now < pool->retry_us) {
		if (!evtimer_pending(&pool->retry, NULL)) {
			int64_t us = pool->retry_us - now;
			struct timeval after = {.tv_sec = us / 1000000, .tv_usec = us % 1000000};
			evtimer_add(&pool->retry, &after);
		}
		return;
	}
	struct worker *worker = worker_start(pool, NULL, pool->reason, sizeof(pool->reason));
	if (worker) {
		TAILQ_INSERT_TAIL(&pool->workers, worker, link);
		pool->worker_count++;
		return;
	}
	log_warning("worker_not_started", KV("puzzle", pool->config->name),
		    KV("reason", (const char *)pool->reason));
	pool_back_off(pool);
	if (pool->worker_count == 0) {
		pool->state = POOL_UNAVAILABLE;
		pool_refuse_waiting(pool);
	}
}

void pool_on_retry(evutil_socket_t fd, short what, void *arg)
{
	struct pool *pool = arg;
	(void)fd, (void)what;
	pool_dispatch(pool);
	loop_settle(&pool->server->loop);
}

/* A user whose boards kill workers again and again gets no more of them for a while. */
static bool refuse_barred(struct pool *pool, struct job *job)
{
	const struct user *user = session_user(job->request->session);
	struct error why;
	if (!user->crashes ||
	    !user_is_barred(user, pool->server->config->max_user_crashes, loop_now_us()))
		return false;
	error_set(&why, ERR_QUOTA,
		  "boards of user %u have crashed %u workers; try again in a minute",
		  (unsigned)user->uid, user->crashes);
	pool_job_event(pool, job, JOB_STOP, &why);
	return true;
}

/* Whoever waits for a table that is built needs a worker that has it, even where no job is in the
 * queue. */
static bool is_renewal_due(const struct pool *pool)
{
	return pool->builder.state == BUILDER_RENEWING &&
	       !(pool->retired && TAILQ_EMPTY(&pool->parked));
}

void pool_dispatch(struct pool *pool)
{
	struct choice choice = {.pool = pool};
	struct job *job;
	while (pool->queue.jobs && (job = queue_pop(&pool->queue, find_worker, &choice)))
		if (!refuse_barred(pool, job))
			worker_send(choice.worker, job);
	if (!pool->queue.jobs) {
		pool_leave_if_empty(pool);
		if (is_renewal_due(pool))
			pool_start_worker(pool);
		return;
	}
	/* Where the plugin did not start lately, nobody is kept waiting for another try. */
	if (pool->state == POOL_UNAVAILABLE && loop_now_us() < pool->retry_us)
		pool_refuse_waiting(pool);
	else
		pool_start_worker(pool);
}
