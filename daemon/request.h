/* SPDX-License-Identifier: MIT */
/*
 * request: a call that is not answered yet: whose it is, when it must be answered, and its jobs.
 *
 * It belongs to its session's list and to itself until its one reply is written.  Its jobs are its
 * parts, in the order of the boards; a part that is answered for the client stays until the reply
 * is put together of them all.
 */
#ifndef DAEMON_REQUEST_H
#define DAEMON_REQUEST_H

#include "common/errors.h"
#include "common/wire.h"
#include "daemon/deadline.h"
#include "daemon/job.h"
#include "daemon/rpc.h"

#include <stdbool.h>
#include <stdint.h>

struct pool;
struct server;
struct session;

/* What a call for a table wants done.  Owned by its request. */
struct errand {
	enum wire_task task;
	bool started;
	char table[LIMIT_NAME]; /* "": the one that is missing, or else the first */
	struct buf goal;        /* empty: the configured one */
};

void errand_free(struct errand *errand);

struct request {
	struct server *server;
	struct session *session;
	struct pool *pool; /* NULL: about all puzzles */
	struct rpc_id id;
	enum wire_op op;
	uint32_t flags;  /* enum wire_flag: what it asked for */
	bool many;       /* `boards`: the answer is an array */
	bool report;     /* wants progress notifications */
	uint32_t boards; /* how many */
	uint32_t open;   /* jobs not yet answered for the client */
	struct job_list parts;
	uint64_t seed;       /* GENERATE: to be told */
	uint64_t reserved;   /* bytes that the reply may have */
	int64_t received_us; /* monotonic */
	int64_t reported_us; /* of the last progress notification */
	int64_t timeout_ms;
	struct error why; /* if it was stopped: the reason; else kind ERR_NONE */
	struct deadline deadline;
	/* A call that waits until puzzles are known: asked when one more is; puts the reply or
	 * returns false. */
	bool (*known)(struct request *request);
	struct errand *errand;        /* of such a call, or NULL */
	uint64_t round;               /* the reload that began after the call came */
	TAILQ_ENTRY(request) sibling; /* in its session */
	TAILQ_ENTRY(request) wait;    /* in the server's list of those with `known` */
};

TAILQ_HEAD(request_list, request);

/* A new request of the session, with the call's id, which it takes over.  NULL: no memory. */
struct request *request_new(struct session *session, struct rpc_call *call);

/* Starts its deadline, counted from when it was received. */
void request_arm(struct request *request, int64_t timeout_ms);

/* Adds a part at the end. */
void request_add(struct request *request, struct job *job);

/* One more job is answered for the client; with the last the reply is written and the request
 * freed. */
void request_job_done(struct request *request);

/*
 * Ends it early: what is not answered yet gets the error (timeout, cancelled, ...).  The reply may
 * be written within, so that the request is no more, or later, when workers have let go.
 */
void request_stop(struct request *request, enum error_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Frees it without a reply, when no part is open. */
void request_free(struct request *request);

/* ---- answers ---- */

/*
 * Puts what a worker said of one board at the end of the job's answer.  -EPROTO: it makes no sense.
 * A board that was stopped gets the request's `why`.
 */
int answer_put(struct job *job, const struct wire_result *result);

/* Puts an error for one board. */
void answer_put_error(struct job *job, const struct error *error);

#endif
