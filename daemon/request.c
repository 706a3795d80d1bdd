/* SPDX-License-Identifier: MIT */
#include "daemon/request.h"
#include "daemon/pool.h"
#include "daemon/print.h"
#include "daemon/server.h"
#include "daemon/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void on_deadline(void *arg)
{
	struct request *request = arg;
	request_stop(request, ERR_TIMEOUT, "no answer within %lld ms",
		     (long long)request->timeout_ms);
}

struct request *request_new(struct session *session, struct rpc_call *call)
{
	struct request *request = calloc(1, sizeof(*request));
	if (!request)
		return NULL;
	request->server = session->server;
	request->session = session;
	request->id = rpc_take_id(call);
	request->op = WIRE_SOLVE;
	request->received_us = call->received_us;
	TAILQ_INIT(&request->parts);
	deadline_init(&request->deadline, &session->server->deadlines, on_deadline, request);
	session_add(session, request);
	return request;
}

void request_arm(struct request *request, int64_t timeout_ms)
{
	/* What it waited until there was room for it counts. */
	request->timeout_ms = timeout_ms;
	deadline_set(&request->deadline, request->received_us + timeout_ms * 1000);
}

void request_add(struct request *request, struct job *job)
{
	TAILQ_INSERT_TAIL(&request->parts, job, part);
	request->open++;
}

void errand_free(struct errand *errand)
{
	if (errand)
		buf_free(&errand->goal);
	free(errand);
}

void request_free(struct request *request)
{
	struct job *job;
	while ((job = TAILQ_FIRST(&request->parts))) {
		TAILQ_REMOVE(&request->parts, job, part);
		job->request = NULL;
		/* An abandoned one is freed when its worker lets go. */
		if (!job->worker)
			job_free(job);
	}
	deadline_clear(&request->deadline);
	if (request->known)
		TAILQ_REMOVE(&request->server->waiting, request, wait);
	session_remove(request->session, request);
	rpc_free_id(&request->id);
	errand_free(request->errand);
	free(request);
}

static void put_answers(const struct request *request, struct buf *out)
{
	const struct job *job;
	rpc_begin_reply(out, &request->id);
	if (request->many)
		buf_put_string(out, "\"result\":[");
	TAILQ_FOREACH (job, &request->parts, part)
		buf_put_text(out, buf_text(&job->answer));
	if (request->many)
		print_end(out, ']');
	else
		buf_drop_last(out); /* the comma */
	rpc_end_reply(out);
}

/* The reply is put together in the session's buffer; if there is no room, an error takes its
 * place. */
static void put_reply(struct request *request, struct buf *out)
{
	bool failed = false;
	size_t len = 0, before = buf_len(out);
	struct job *job;
	TAILQ_FOREACH (job, &request->parts, part) {
		failed |= job->answer.failed;
		len += buf_len(&job->answer);
	}
	/* Megabytes of answers would be moved each time that the buffer doubles. */
	if (!failed && buf_reserve(out, len))
		put_answers(request, out);
	if (failed || out->failed) {
		struct error error;
		error_set(&error, ERR_INTERNAL, "out of memory");
		buf_undo(out, before);
		rpc_put_error_reply(out, &request->id, &error);
	}
}

void request_job_done(struct request *request)
{
	if (--request->open > 0)
		return;
	tally_time(request->pool->tally, (uint64_t)(loop_now_us() - request->received_us));
	struct buf *out = session_reply(request->session);
	if (out)
		put_reply(request, out);
	request_free(request);
}

void request_stop(struct request *request, enum error_kind kind, const char *format, ...)
{
	char reason[256];
	va_list args;
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	if (request->why.kind == ERR_NONE)
		error_set(&request->why, kind, "%s", reason);
	deadline_clear(&request->deadline);
	if (request->known) {
		struct buf *out = session_reply(request->session);
		if (out)
			rpc_put_error_reply(out, &request->id, &request->why);
		request_free(request);
		return;
	}
	/* With its last open job the request is freed: hold it open until the walk is over. */
	struct error why = request->why;
	struct pool *pool = request->pool;
	struct job *job;
	request->open++;
	TAILQ_FOREACH (job, &request->parts, part)
		if (job->state != JOB_ANSWERED && job->state != JOB_ABANDONED)
			pool_job_event(pool, job, JOB_STOP, &why);
	request_job_done(request);
}
