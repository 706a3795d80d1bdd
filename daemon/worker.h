/* SPDX-License-Identifier: MIT */
/*
 * worker: one worker process as the daemon sees it: its channel, the frames it holds, its clocks,
 * its death.
 *
 *	            hello                retire
 *	STARTING ----------> READY -----------------> LEAVING
 *	   |                   |                         |
 *	   +-- refused, late --+-- died, nonsense -------+----> DEAD
 *
 * It is DEAD, and its pool is told, when both its exit status is there and its channel is read to
 * the end: what it wrote before it died counts.  A channel that ends a moment before the process
 * does is answered with SIGKILL.
 */
#ifndef DAEMON_WORKER_H
#define DAEMON_WORKER_H

#include "common/wire.h"
#include "daemon/burst.h"
#include "daemon/job.h"
#include "daemon/loop.h"
#include "daemon/puzzle.h"
#include "daemon/stream.h"

#include <event2/event_struct.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct pool;

/* WORKER_TASK: it does not serve but builds or checks a table, builder.h. */
enum worker_state { WORKER_STARTING, WORKER_READY, WORKER_TASK, WORKER_LEAVING, WORKER_DEAD };

/* What a worker that does not serve is for. */
struct worker_task {
	enum wire_task task; /* WIRE_BUILD or WIRE_CHECK */
	struct text table;
	struct text goal; /* not given: the configured one */
};

struct worker {
	enum worker_state state;
	struct pool *pool;
	struct puzzle *puzzle; /* what it said in HELLO; NULL: nothing yet */
	uint64_t generation;   /* pool's, when it was started */
	pid_t pid;
	bool was_ready; /* has said HELLO */
	bool left;      /* was asked to leave */
	bool refused;   /* has said REFUSED: `verdict` is why */
	bool lied;      /* has said what makes no sense */
	bool hung_up;   /* its channel has ended before its process */
	bool exited;    /* `status` holds */
	int status;
	struct stream stream;
	struct wire_page *page;
	struct job_list held; /* frames it has, the oldest first */
	unsigned held_count;
	uint64_t last_answered; /* id of the job that it answered last */
	uint64_t mean_us;       /* of a job's time, lately */
	struct burst chatter;   /* frames that it sent unasked */
	uint64_t alarm_job;     /* whose grace the alarm is; 0: the alarm is the worker's own */
	struct event alarm;     /* open timeout, grace, time to leave or to exit: then SIGKILL */
	struct event recall;    /* RECALL_MS after the oldest frame became that */
	struct output *output;  /* what it prints, output.h */
	char verdict[300];      /* why it was killed, or refused to serve; else empty */
	struct grave grave;
	TAILQ_ENTRY(worker) link; /* in its pool */
};

/* Starts a process and sends it its SETUP frame.  `task` NULL: to serve.  NULL with a sentence in
 * `reason`. */
struct worker *worker_start(struct pool *pool, const struct worker_task *task, char *reason,
			    size_t cap);

/* How many frames it may hold now. */
unsigned worker_credit(const struct worker *worker);

/* Hands over the frame of a job, which becomes SENT, or RUNNING if it is the only one. */
void worker_send(struct worker *worker, struct job *job);

/* Takes a job off the list of those it holds; the next is then the oldest. */
void worker_release(struct worker *worker, struct job *job);

/* Tells it to stop a job.  The grace for this begins when the job is the oldest one. */
void worker_cancel(struct worker *worker, struct job *job);

/* Asks it to end, now that it holds nothing: closes our side of the channel. */
void worker_retire(struct worker *worker);

/* Ends it with SIGKILL.  The verdict, a sentence, is what is said of its death. */
void worker_kill(struct worker *worker, const char *verdict);

/* Tells the worker with this pid, if it is this one, that its process has ended. */
void worker_ended(struct worker *worker, int status);

/*
 * Whether it has said so much unasked, lately, that others come first: then its stream is pumped
 * again when it is read on.  What it wrote before its death is read all the same.
 */
bool worker_is_too_loud(struct worker *worker);

/* A sentence on how it died. */
void worker_cause(const struct worker *worker, char *cause, size_t cap);

/* Called by worker.c with each frame of a READY worker; worker_frame.c.  -EPROTO: it makes no
 * sense. */
int worker_frame(struct worker *worker, const struct frame *frame);

#endif
