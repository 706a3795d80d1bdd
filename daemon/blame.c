/* SPDX-License-Identifier: MIT */
#include "daemon/blame.h"
#include "common/limits.h"
#include "common/log.h"
#include "daemon/pool.h"
#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/session.h"

/* The job on which a dead worker died, or NULL: it had begun none. */
static struct job *find_culprit(struct worker *worker, uint32_t *ret_board)
{
	struct job *job = TAILQ_FIRST(&worker->held);
	uint64_t began = atomic_load_explicit(&worker->page->job, memory_order_acquire);
	uint32_t board = atomic_load_explicit(&worker->page->board, memory_order_relaxed);
	if (!job || began == 0 || began == worker->last_answered)
		return NULL;
	/* It may have gone on since: what it lied about is the first board that it has not told of
	 * rightly. */
	if (worker->lied) {
		*ret_board = job->done;
		return job;
	}
	/* The page is the plugin's to scribble on: what it says must fit, else it was the
	 * oldest. */
	struct job *named;
	TAILQ_FOREACH (named, &worker->held, held)
		if (named->id == began)
			job = named;
	*ret_board =
		job->id == began && board >= job->done && board < job->count ? board : job->done;
	return job;
}

/*
 * The board that killed the worker fails alone: the other boards of its job go on as jobs of their
 * own.  Returns the part that is to fail, or the job itself with all its boards if there is no
 * memory for this.
 */
static struct job *isolate(struct pool *pool, struct job *job, uint32_t board)
{
	struct request *request = job->request;
	if (job->count == 1)
		return job;
	struct job *before = board > job->done ? job_cut(job, job->done, board) : NULL;
	struct job *bad = job_cut(job, board, board + 1);
	struct job *after = board + 1 < job->count ? job_cut(job, board + 1, job->count) : NULL;
	struct job *parts[] = {before, bad, after}, *last = job;
	if (!bad || (!before && board > job->done) || (!after && board + 1 < job->count)) {
		for (int i = 0; i < 3; i++)
			if (parts[i])
				job_free(parts[i]);
		return job;
	}
	job->count = job->done;
	for (int i = 0; i < 3; i++) {
		if (!parts[i])
			continue;
		TAILQ_INSERT_AFTER(&request->parts, last, parts[i], part);
		request->open++;
		last = parts[i];
	}
	struct error none;
	error_set(&none, ERR_INTERNAL, "out of memory");
	for (int i = 2; i >= 0; i--) {
		struct job *part = parts[i];
		if (part && part != bad &&
		    queue_push(&pool->queue, &request->session->source, part, true) < 0)
			pool_job_event(pool, part, JOB_STOP, &none);
	}
	return bad;
}

bool blame(struct pool *pool, struct worker *worker, const char *cause)
{
	struct error why;
	uint32_t board = 0;
	struct job *culprit = find_culprit(worker, &board);
	error_set(&why, ERR_WORKER_CRASHED, "the worker died on this board: %s", cause);
	if (culprit && (culprit->state == JOB_RUNNING || culprit->state == JOB_SENT ||
			culprit->state == JOB_RECALLED)) {
		struct job *bad = isolate(pool, culprit, board);
		log_warning("job_failed", KV("puzzle", pool->config->name),
			    KV("kind", "worker_crashed"), KV("cause", cause),
			    KV("job", culprit->id));
		if (bad != culprit)
			pool_job_event(pool, bad, JOB_STOP, &why);
	}
	bool found = culprit != NULL;
	/* One that was told to stop and did not is the plugin's fault, not the board's. */
	if (culprit && culprit->state != JOB_STOPPING)
		user_crashed(&pool->server->users, culprit->uid, loop_now_us());
	if (culprit) {
		const struct request *request = culprit->request;
		pool_job_event(pool, culprit, JOB_CULPRIT,
			       culprit->state == JOB_STOPPING && request ? &request->why : &why);
	}
	struct job *job;
	while ((job = TAILQ_LAST(&worker->held, job_list))) {
		struct error copy = why;
		enum job_event event = JOB_BYSTANDER;
		if (job->state == JOB_STOPPING)
			copy = job->request->why;
		else if (job->state != JOB_ABANDONED && ++job->requeues > LIMIT_REQUEUES)
			event = JOB_CULPRIT;
		pool_job_event(pool, job, event, &copy);
	}
	return found;
}
