/* SPDX-License-Identifier: MIT */
#include "daemon/pool.h"
#include "common/limits.h"
#include "common/log.h"
#include "daemon/blame.h"
#include "daemon/methods.h"
#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/session.h"
#include "daemon/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <event2/event.h>

/* ---- jobs ---- */

/* What ends with boards unanswered: each gets the error.  `done` stays: it counts what the worker
 * has said. */
static void fill(struct job *job, const struct error *why)
{
	struct error error;
	if (why)
		error = *why;
	else if (job->request->why.kind != ERR_NONE)
		error = job->request
				->why; /* it was told to stop, and wanted to wait for the table */
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
		job_shrink(job);
		if (queue_push(&pool->queue, &job->request->session->source, job, true) < 0)
			give_up(job);
		break;
	case JOB_PARKED:
		detach(job, before);
		job_shrink(job);
		TAILQ_INSERT_TAIL(&pool->parked, job, waiting);
		/* The builder may have come to its end while this was on its way. */
		if (!builder_is_busy(&pool->builder))
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
	bool spare = pool_current_workers(pool) > pool->config->job.workers && !pool->queue.jobs;
	if ((worker->generation < pool->serving || spare) && worker->state == WORKER_READY)
		worker_retire(worker);
}

/* Once for each pool: what the administrator takes for granted is not so. */
static void log_confinement(const struct pool *pool)
{
	uint32_t confined = pool->puzzle->hello.confined;
	if (!pool->config->job.sandbox || confined == (WIRE_FILES_CONFINED | WIRE_CALLS_CONFINED))
		return;
	log_warning("sandbox_incomplete", KV("puzzle", pool->config->name),
		    KV("files", confined & WIRE_FILES_CONFINED ? "confined" : "open (no Landlock)"),
		    KV("calls", confined & WIRE_CALLS_CONFINED ? "confined" : "open (no seccomp)"));
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
		bool first = !pool->puzzle;
		puzzle_free(pool->puzzle);
		pool->puzzle = puzzle_keep(worker->puzzle);
		if (first)
			log_confinement(pool);
		pool->serving = worker->generation;
		retire_old(pool);
	}
	if (worker->generation == pool->generation) {
		builder_renewed(pool);
		builder_start_missing(pool);
	}
	server_news(pool->server);
	return 0;
}

void pool_renew(struct pool *pool)
{
	pool->generation++;
	pool->retry_us = 0;
	pool_start_worker(pool);
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

/* A plugin that has served does not cease to start because one worker was killed while it did. */
static bool is_bad_luck(const struct pool *pool, bool refused)
{
	return pool->puzzle && !refused && pool->failures <= 2;
}

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
		pool->tally->deaths++;
		snprintf(pool->reason, sizeof(pool->reason), "%s%s",
			 worker->was_ready || refused ? "" : "the worker did not start: ", cause);
	}
	/* Who sent a board that kills workers is held to account, user.h; what dies without one is
	 * backed off. */
	if (!blame(pool, worker, cause) && !asked)
		pool_back_off(pool);
	if (!worker->was_ready && worker->generation == pool->generation)
		builder_renewal_failed(pool);
	if (!asked && pool->worker_count == 0) {
		pool->state = worker->was_ready || is_bad_luck(pool, refused) ? POOL_RECOVERING
									      : POOL_UNAVAILABLE;
		if (pool->state == POOL_UNAVAILABLE)
			pool_refuse_waiting(pool);
		else if (pool->failures <= 2)
			pool_start_worker(pool); /* one is kept ready, unless they die like flies */
		server_news(pool->server);
	}
	pool_dispatch(pool);
	server_worker_gone(pool->server);
}

/* ---- life ---- */

struct pool *pool_new(struct server *server, struct settings *settings,
		      const struct config_puzzle *config)
{
	struct pool *pool = calloc(1, sizeof(*pool));
	struct tally *tally = tally_new();
	if (!pool || !tally) {
		free(pool);
		tally_drop(tally);
		return NULL;
	}
	pool->tally = tally;
	pool->server = server;
	pool->settings = settings_keep(settings);
	pool->config = config;
	queue_init(&pool->queue);
	TAILQ_INIT(&pool->parked);
	TAILQ_INIT(&pool->workers);
	evtimer_assign(&pool->retry, server->loop.base, pool_on_retry, pool);
	TAILQ_INSERT_TAIL(&server->all, pool, all);
	if (!config->job.sandbox)
		log_warning("sandbox_off", KV("puzzle", config->name),
			    KV("plugin", config->plugin));
	pool_start_worker(pool);
	return pool;
}

void pool_begin(struct pool *pool)
{
	pool->serving_requests = true;
	if (pool->puzzle)
		builder_start_missing(pool);
}

void pool_succeed(struct pool *pool, struct pool *old)
{
	tally_drop(pool->tally);
	pool->tally = tally_keep(old->tally);
	/* Calls that wait to know of the puzzle now wait to know of the new one. */
	struct request *request;
	TAILQ_FOREACH (request, &pool->server->waiting, wait)
		if (request->pool == old)
			request->pool = pool;
}

/* A retired pool whose last job is answered sends its workers away. */
void pool_leave_if_empty(struct pool *pool)
{
	const struct worker *worker;
	if (!pool->retired || pool->queue.jobs || !TAILQ_EMPTY(&pool->parked))
		return;
	TAILQ_FOREACH (worker, &pool->workers, link)
		if (worker->held_count)
			return;
	pool_stop(pool, false);
}

void pool_retire(struct pool *pool)
{
	struct request *request, *next;
	pool->serving_requests = false;
	pool->retired = true;
	/* Calls about a puzzle that is there no more. */
	for (request = TAILQ_FIRST(&pool->server->waiting); request; request = next) {
		next = TAILQ_NEXT(request, wait);
		if (request->pool == pool)
			request_stop(request, ERR_UNKNOWN_PUZZLE, "%s is no longer configured",
				     pool->config->name);
	}
	pool_leave_if_empty(pool);
}

void pool_free(struct pool *pool)
{
	event_del(&pool->retry);
	TAILQ_REMOVE(&pool->server->all, pool, all);
	tally_drop(pool->tally);
	settings_drop(pool->settings);
	puzzle_free(pool->puzzle);
	free(pool);
}

unsigned pool_fault_line(const struct pool *pool)
{
	const struct config_puzzle *puzzle = pool->config;
	for (size_t i = 0; i < puzzle->option_count; i++)
		if (strcmp(puzzle->options[i].name, pool->refused_option) == 0)
			return puzzle->options[i].line;
	return puzzle->line;
}

const char *pool_state_name(const struct pool *pool)
{
	static const char *const names[] = {"starting", "ready", "recovering", "unavailable"};
	return names[pool->state];
}

void pool_stop(struct pool *pool, bool now)
{
	struct worker *worker;
	/* A table that is not whole yet is nobody's loss: it is built under another name. */
	if (pool->builder.worker)
		worker_kill(pool->builder.worker, "was no longer needed");
	TAILQ_FOREACH (worker, &pool->workers, link) {
		if (now)
			worker_kill(worker, "was no longer needed");
		worker_retire(worker);
	}
}
