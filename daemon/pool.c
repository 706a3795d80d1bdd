/* SPDX-License-Identifier: MIT */
#include "daemon/pool.h"
#include "common/limits.h"
#include "common/log.h"
#include "daemon/blame.h"
#include "daemon/methods.h"
#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <event2/event.h>

/* ---- jobs ---- */

/* What ends with boards unanswered: each gets the error.  `done` stays: it counts what the worker has said. */
static void fill(struct job *job, const struct error *why)
{
	struct error error;
	if (why)
		error = *why;
	else
		error_set(&error, ERR_INTERNAL, "the worker gave no answer");
	for (uint32_t i = job->done; i < job->count; i++) {
		struct error one = error;
		if (one.kind == ERR_TIMEOUT && job->lower_bound)
			error_set_bound(&one, job->lower_bound);
		job->lower_bound = 0;
		answer_put_error(job, &one);
	}
}

/* Takes the job off every list that is not its request's. */
static void detach(struct job *job, enum job_state before)
{
	if (job->worker)
		worker_release(job->worker, job);
	if (job->flow)
		queue_remove(job);
	if (before == JOB_PARKED)
		TAILQ_REMOVE(&job->request->pool->parked, job, waiting);
}

static void answered(struct job *job, enum job_state before, const struct error *why)
{
	detach(job, before);
	if (before == JOB_ABANDONED) {
		if (!job->request)
			job_free(job);
		return;
	}
	fill(job, why);
	request_job_done(job->request);
}

/* There is no memory to let the job wait, on no list yet. */
static void give_up(struct job *job)
{
	struct error error;
	error_set(&error, ERR_INTERNAL, "out of memory");
	job_event(job, JOB_STOP);
	answered(job, JOB_WAITING, &error);
}

int pool_job_event(struct pool *pool, struct job *job, enum job_event event,
		   const struct error *why)
{
	enum job_state before = job->state;
	if (job_event(job, event) < 0)
		return -EPROTO;
	if (job->state == before)
		return 0;
	switch (job->state) {
	case JOB_WAITING:
		detach(job, before);
		if ((job->done && job_shrink(job) < 0) ||
		    queue_push(&pool->queue, &job->request->session->source, job, true) < 0)
			give_up(job);
		break;
	case JOB_PARKED:
		detach(job, before);
		if (job->done && job_shrink(job) < 0)
			give_up(job);
		else
			TAILQ_INSERT_TAIL(&pool->parked, job, waiting);
		/* The builder may have come to its end while this was on its way. */
		if (job->state == JOB_PARKED && !builder_is_busy(&pool->builder))
			pool_job_event(pool, job, JOB_TABLE, NULL);
		break;
	case JOB_STOPPING:
		worker_cancel(job->worker, job);
		break;
	case JOB_ABANDONED:
		worker_cancel(job->worker, job);
		fill(job, why);
		request_job_done(job->request);
		break;
	case JOB_ANSWERED:
		answered(job, before, why);
		break;
	default:
		break;
	}
	return 0;
}

int pool_submit(struct pool *pool, struct job *job)
{
	job->uid = session_user(job->request->session)->uid;
	return queue_push(&pool->queue, &job->request->session->source, job, false);
}

/* ---- workers ---- */

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
 * Finds a worker for the user's next job.  Where there is one more worker than configured, it is so that one user cannot
 * have them all (needs_relief): then nobody gets more than the configured number.
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

static void refuse_waiting(struct pool *pool)
{
	struct error why;
	struct job *job;
	error_set(&why, ERR_PUZZLE_UNAVAILABLE, "%s cannot be served: %s", pool->config->name,
		  pool->reason);
	while ((job = queue_pop(&pool->queue, NULL, NULL))) {
		job_event(job, JOB_STOP);
		answered(job, JOB_WAITING, &why);
	}
}

/* A worker failed: the next one has to wait, twice as long each time. */
static void back_off(struct pool *pool)
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
		if (worker->state == WORKER_STARTING)
			return true;
	return false;
}

/* Workers of the generation that is started now; old ones are on their way out and do not count. */
static unsigned current_workers(const struct pool *pool)
{
	const struct worker *worker;
	unsigned count = 0;
	TAILQ_FOREACH (worker, &pool->workers, link)
		count += worker->generation == pool->generation && worker->state != WORKER_LEAVING;
	return count;
}

static void start_worker(struct pool *pool)
{
	int64_t now = loop_now_us();
	unsigned count = current_workers(pool), most = pool->config->job.workers;
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
	back_off(pool);
	if (pool->worker_count == 0) {
		pool->state = POOL_UNAVAILABLE;
		refuse_waiting(pool);
	}
}

static void on_retry(evutil_socket_t fd, short what, void *arg)
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

void pool_dispatch(struct pool *pool)
{
	struct choice choice = {.pool = pool};
	struct job *job;
	while (pool->queue.jobs && (job = queue_pop(&pool->queue, find_worker, &choice)))
		if (!refuse_barred(pool, job))
			worker_send(choice.worker, job);
	if (!pool->queue.jobs)
		return;
	/* Where the plugin did not start lately, nobody is kept waiting for another try. */
	if (pool->state == POOL_UNAVAILABLE && loop_now_us() < pool->retry_us)
		refuse_waiting(pool);
	else
		start_worker(pool);
}

/* Workers of before leave as soon as they hold nothing. */
static void retire_old(struct pool *pool)
{
	struct worker *worker;
	TAILQ_FOREACH (worker, &pool->workers, link)
		if (worker->generation < pool->serving && worker->held_count == 0)
			worker_retire(worker);
}

void pool_worker_idle(struct pool *pool, struct worker *worker)
{
	bool spare = current_workers(pool) > pool->config->job.workers && !pool->queue.jobs;
	if ((worker->generation < pool->serving || spare) && worker->state == WORKER_READY)
		worker_retire(worker);
}

int pool_worker_hello(struct pool *pool, struct worker *worker, struct text payload)
{
	worker->puzzle = puzzle_new(payload);
	if (!worker->puzzle)
		return -EPROTO;
	if (pool->state != POOL_READY)
		log_info("puzzle_ready", KV("puzzle", pool->config->name), KV("pid", worker->pid));
	pool->state = POOL_READY;
	pool->reason[0] = '\0';
	pool->refused_option[0] = '\0';
	if (worker->generation >= pool->serving) {
		puzzle_free(pool->puzzle);
		pool->puzzle = puzzle_keep(worker->puzzle);
		pool->serving = worker->generation;
		retire_old(pool);
	}
	if (worker->generation == pool->generation) {
		builder_renewed(pool);
		builder_start_missing(pool);
	}
	methods_known(pool->server);
	return 0;
}

void pool_renew(struct pool *pool)
{
	pool->generation++;
	pool->retry_us = 0;
	start_worker(pool);
}

void pool_unpark(struct pool *pool)
{
	struct job *job;
	/* The last first, since each goes to the front of its flow. */
	while ((job = TAILQ_LAST(&pool->parked, job_list)))
		pool_job_event(pool, job, JOB_TABLE, NULL);
}

int pool_worker_refused(struct pool *pool, struct worker *worker, struct text payload)
{
	struct wire_refused refused;
	if (wire_get_refused(payload, &refused) < 0)
		return -EPROTO;
	snprintf(pool->refused_option, sizeof(pool->refused_option), "%.*s",
		 (int)refused.option.len, refused.option.data ? refused.option.data : "");
	snprintf(worker->verdict, sizeof(worker->verdict), "%.*s", (int)refused.reason.len,
		 refused.reason.data ? refused.reason.data : "");
	worker->refused = true;
	worker_retire(worker);
	return 0;
}

/* ---- death ---- */

void pool_worker_dead(struct pool *pool, struct worker *worker)
{
	char cause[sizeof(worker->verdict) + 32];
	bool refused = worker->refused && !pool->server->stopping_now;
	bool asked = worker->left && !refused;
	TAILQ_REMOVE(&pool->workers, worker, link);
	pool->worker_count--;
	if (refused)
		snprintf(cause, sizeof(cause), "%s", worker->verdict);
	else
		worker_cause(worker, cause, sizeof(cause));
	if (asked) {
		log_debug("worker_left", KV("puzzle", pool->config->name), KV("pid", worker->pid));
	} else {
		log_warning("worker_died", KV("puzzle", pool->config->name), KV("pid", worker->pid),
			    KV("cause", (const char *)cause), KV("held", worker->held_count));
		pool->restarts++;
		snprintf(pool->reason, sizeof(pool->reason), "%s%s",
			 worker->was_ready || refused ? "" : "the worker did not start: ", cause);
	}
	/* Who sent a board that kills workers is held to account, user.h; what dies without one is backed off. */
	if (!blame(pool, worker, cause) && !asked)
		back_off(pool);
	if (!worker->was_ready && worker->generation == pool->generation)
		builder_renewal_failed(pool);
	if (!asked && pool->worker_count == 0) {
		pool->state = worker->was_ready ? POOL_RECOVERING : POOL_UNAVAILABLE;
		if (pool->state == POOL_UNAVAILABLE)
			refuse_waiting(pool);
		else if (pool->failures <= 2)
			start_worker(pool); /* one is kept ready, unless they die like flies */
		methods_known(pool->server);
	}
	pool_dispatch(pool);
	server_worker_gone(pool->server);
}

/* ---- life ---- */

struct pool *pool_new(struct server *server, const struct config_puzzle *config)
{
	struct pool *pool = calloc(1, sizeof(*pool));
	if (!pool)
		return NULL;
	pool->server = server;
	pool->config = config;
	queue_init(&pool->queue);
	TAILQ_INIT(&pool->parked);
	TAILQ_INIT(&pool->workers);
	evtimer_assign(&pool->retry, server->loop.base, on_retry, pool);
	start_worker(pool);
	return pool;
}

void pool_free(struct pool *pool)
{
	event_del(&pool->retry);
	puzzle_free(pool->puzzle);
	free(pool);
}

const char *pool_state_name(const struct pool *pool)
{
	static const char *const names[] = {"starting", "ready", "recovering", "unavailable"};
	return names[pool->state];
}

void pool_stop(struct pool *pool, bool now)
{
	struct worker *worker;
	TAILQ_FOREACH (worker, &pool->workers, link) {
		if (now)
			worker_kill(worker, "was no longer needed");
		worker_retire(worker);
	}
}
