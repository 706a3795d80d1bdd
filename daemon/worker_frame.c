/* SPDX-License-Identifier: MIT */
/* worker_frame: what a worker says, believed only as far as it fits what it was asked. */
#include "common/limits.h"
#include "common/log.h"
#include "daemon/pool.h"
#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/session.h"
#include "daemon/worker.h"

#include <errno.h>

#include <event2/event.h>

/* Counts a frame that nobody asked for. */
static void chatters(struct worker *worker)
{
	burst_add(&worker->chatter, loop_now_us(), 1);
}

bool worker_is_too_loud(struct worker *worker)
{
	if (worker->chatter.amount < LIMIT_CHATTER || worker->exited)
		return false;
	int64_t left = burst_left(&worker->chatter, loop_now_us());
	if (left <= 0) {
		worker->chatter.amount = 0;
		return false;
	}
	stream_later(&worker->stream, left);
	return true;
}

static struct job *find(struct worker *worker, uint64_t id)
{
	struct job *job;
	TAILQ_FOREACH (job, &worker->held, held)
		if (job->id == id)
			return job;
	return NULL;
}

static void log_failure(const struct worker *worker, const struct job *job,
			const struct wire_result *result)
{
	const char *kind = error_info((enum error_kind)result->error)->name;
	/* A board that somebody mistyped is no news; that a plugin is wrong is. */
	if (result->error == ERR_WRONG_ANSWER || result->error == ERR_PLUGIN_FAILED)
		log_warning("job_failed", KV("puzzle", worker->pool->config->name),
			    KV("kind", kind), KV("reason", result->reason), KV("job", job->id));
	else
		log_debug("job_failed", KV("puzzle", worker->pool->config->name), KV("kind", kind),
			  KV("reason", result->reason), KV("job", job->id));
}

/*
 * Results are of the oldest job, and of its boards in order.  Where one is to wait for the table,
 * so are those after it.
 */
static int on_result(struct worker *worker, struct text payload)
{
	struct pool *pool = worker->pool;
	struct wire_results results;
	struct job *job = TAILQ_FIRST(&worker->held);
	uint64_t elapsed_ns = 0;
	if (wire_get_results(payload, &results) < 0 || !job || results.job != job->id ||
	    results.first != job->done || results.count > job->count - job->done)
		return -EPROTO;
	for (uint32_t i = 0; i < results.count; i++) {
		struct wire_result result;
		if (wire_next_result(&results, &result) < 0)
			return -EPROTO;
		elapsed_ns += result.elapsed_ns;
		if (result.status == WIRE_WAITS) {
			if (!job->may_wait)
				return -EPROTO;
			job->lower_bound = result.lower_bound;
			return pool_job_event(pool, job, JOB_WAITS, NULL);
		}
		if (result.status == WIRE_FAILED)
			log_failure(worker, job, &result);
		size_t before = buf_len(&job->answer);
		if (job->state != JOB_ABANDONED && answer_put(job, &result) < 0) {
			buf_truncate(&job->answer, before);
			return -EPROTO;
		}
		job->done++;
	}
	if (!cursor_done(&results.rest))
		return -EPROTO;
	if (job->done < job->count)
		return 0;
	worker->mean_us += (elapsed_ns / 1000) / 8;
	worker->mean_us -= worker->mean_us / 8;
	worker->last_answered = job->id;
	pool->failures = 0;
	return pool_job_event(pool, job, JOB_RESULT, NULL);
}

static int on_ack(struct worker *worker, struct text payload)
{
	uint64_t id;
	bool began;
	if (wire_get_ack(payload, &id, &began) < 0)
		return -EPROTO;
	struct job *job = find(worker, id);
	if (!job) {
		chatters(worker);
		return 0;
	}
	/* A job may be recalled and then told to stop: two acknowledgements. */
	if (job_next(job->state, began ? JOB_BEGAN : JOB_DROPPED) == JOB_STATES) {
		chatters(worker);
		return job->state == JOB_RUNNING && began ? 0 : -EPROTO;
	}
	struct error why = job->request ? job->request->why : (struct error){0};
	return pool_job_event(worker->pool, job, began ? JOB_BEGAN : JOB_DROPPED, &why);
}

static int on_progress(struct worker *worker, struct text payload)
{
	struct wire_progress progress;
	struct job *job = TAILQ_FIRST(&worker->held);
	if (wire_get_progress(payload, &progress) < 0)
		return -EPROTO;
	chatters(worker);
	/* One of a job that is over may still have been on its way. */
	if (job && job->id == progress.job && job->request && job->request->report &&
	    progress.board < job->count)
		session_report(job->request, job->first + progress.board, &progress);
	return 0;
}

static int on_log(struct worker *worker, struct text payload)
{
	static struct log_bucket bucket = LOG_BUCKET("plugin_log", LIMIT_STDERR_LINES);
	uint32_t level;
	struct text line;
	if (wire_get_log(payload, &level, &line) < 0)
		return -EPROTO;
	chatters(worker);
	if (level < LEVEL_ERROR || level > LEVEL_DEBUG)
		level = LEVEL_INFO;
	if (log_wants((enum log_level)level) && log_allow(&bucket))
		LOG_AT((enum log_level)level, "plugin_log",
		       KV("puzzle", worker->pool->config->name), KV("pid", worker->pid),
		       KV("line", line));
	return 0;
}

static int on_hello(struct worker *worker, struct text payload)
{
	if (pool_worker_hello(worker->pool, worker, payload) < 0)
		return -EPROTO;
	worker->state = WORKER_READY;
	worker->was_ready = true;
	event_del(&worker->alarm);
	/* It may have come too late to be of use. */
	pool_worker_idle(worker->pool, worker);
	return 0;
}

int worker_frame(struct worker *worker, const struct frame *frame)
{
	if (worker->state == WORKER_STARTING) {
		if (frame->type == WIRE_HELLO)
			return on_hello(worker, frame->payload);
		if (frame->type == WIRE_REFUSED)
			return pool_worker_refused(worker->pool, worker, frame->payload);
		return frame->type == WIRE_LOG ? on_log(worker, frame->payload) : -EPROTO;
	}
	if (worker->state == WORKER_TASK) {
		if (frame->type == WIRE_LOG)
			return on_log(worker, frame->payload);
		chatters(worker);
		return builder_frame(worker->pool, frame);
	}
	switch (frame->type) {
	case WIRE_RESULT:
		return on_result(worker, frame->payload);
	case WIRE_ACK:
		return on_ack(worker, frame->payload);
	case WIRE_PROGRESS:
		return on_progress(worker, frame->payload);
	case WIRE_LOG:
		return on_log(worker, frame->payload);
	default:
		return -EPROTO;
	}
}
