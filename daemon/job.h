/* SPDX-License-Identifier: MIT */
/*
 * job: up to LIMIT_SLICE boards of one request, which a worker is given in one frame.
 *
 * Its life is a table of state and event, job.c; doc/architecture.md draws it.  Whoever learns of
 * an event (a timer, a frame, a death) calls job_event and does what the new state asks for;
 * nothing else sets a state.
 *
 *	              +------------- waits ------------+
 *	              v                                |
 *	WAITING --dispatch--> SENT --oldest--> RUNNING-+-- result --> ANSWERED
 *	   ^                   | \                |
 *	   |                   |  +--recall--> RECALLED (ack dropped: WAITING; ack began: RUNNING)
 *	   +---- bystander ----+-----------------'
 *
 *	stop (deadline, cancel, gone, drain) answers a WAITING or PARKED job at once, makes a RUNNING one STOPPING
 *	until its worker has given it up or has died, and leaves a SENT or RECALLED one ABANDONED: its client
 *	has its reply, but its frame is still with a worker.
 */
#ifndef DAEMON_JOB_H
#define DAEMON_JOB_H

#include "common/buf.h"
#include "common/errors.h"
#include "common/wire.h"

#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

struct request;
struct worker;
struct queue_flow;

enum job_state {
	JOB_WAITING,   /* in its puzzle's queue */
	JOB_PARKED,    /* until the puzzle's table is there */
	JOB_SENT,      /* its frame is with a worker, behind others */
	JOB_RUNNING,   /* its frame is the oldest unanswered one of a worker */
	JOB_RECALLED,  /* like SENT, and asked back */
	JOB_STOPPING,  /* like RUNNING, and told to stop; the grace timer is its own */
	JOB_ABANDONED, /* its request is answered; a worker still holds the frame */
	JOB_ANSWERED,  /* over; to be freed */
	JOB_STATES
};

enum job_event {
	JOB_DISPATCH,  /* its frame was put into a worker's buffer */
	JOB_OLDEST,    /* the frame before it was answered */
	JOB_RESULT,    /* the last of its boards was answered by the worker */
	JOB_WAITS,     /* the worker gave it back until there is a table */
	JOB_TABLE,     /* the table is there */
	JOB_RECALL,    /* the frame before it takes long */
	JOB_DROPPED,   /* the worker says: not begun, forgotten */
	JOB_BEGAN,     /* the worker says: begun */
	JOB_STOP,      /* deadline, cancel, client gone, drain's limit */
	JOB_CULPRIT,   /* its worker died on it */
	JOB_BYSTANDER, /* its worker died on another */
	JOB_EVENTS
};

/* What the jobs of one request have alike, kept once for all of them: a goal and options can be
 * longer than the boards. */
struct job_head {
	uint32_t users;
	bool automatic;   /* wants the best algorithm, and so a table that is being built */
	struct buf bytes; /* as wire_put_job_head makes them */
};

struct job {
	enum job_state state;
	uint64_t id;             /* on the wire; never 0, never used again */
	struct request *request; /* NULL once ABANDONED */
	struct worker *worker;   /* who holds the frame; NULL: nobody */
	struct queue_flow *flow; /* where it waits; NULL: nowhere */
	uint32_t first;          /* index in the request of its first board */
	uint32_t count;          /* boards it has */
	uint32_t done;           /* of them answered by the worker so far */
	uid_t uid;               /* whose it is, also when its client has gone */
	bool may_wait;           /* was sent with leave to be given back until there is a table */
	uint64_t lower_bound;    /* proved of its next board before it was parked */
	uint32_t requeues;       /* times it came back because its worker died on another */
	int64_t sent_us;         /* when its frame was put into the worker's buffer */
	struct job_head *head;   /* NULL: one that no worker gets to see */
	struct buf boards;       /* of the frame */
	struct buf answer; /* what is printed of its boards' answers, each with a comma behind it */
	TAILQ_ENTRY(job) waiting; /* in a flow, or in the pool's parked list */
	TAILQ_ENTRY(job) held;    /* in its worker's list */
	TAILQ_ENTRY(job) part;    /* in its request's list, in the order of boards */
};

TAILQ_HEAD(job_list, job);

/* The head of the spec's jobs, with one user; NULL: no memory. */
struct job_head *job_head_new(const struct wire_job *spec);
void job_head_drop(struct job_head *head);

/*
 * A new job, WAITING and nowhere listed, of `count` boards, the request's from `first` on; it
 * becomes a user of the head, which may be NULL where it is to be answered at once.  NULL: no
 * memory.
 */
struct job *job_new(struct request *request, struct job_head *head, uint32_t first, uint32_t count,
		    struct text boards);

/* Appends its frame. */
void job_put_frame(const struct job *job, uint32_t search_ms, struct buf *out);

/* To be called when no list holds it. */
void job_free(struct job *job);

/*
 * Moves the job on and returns 0, or -EPROTO where this cannot happen in its state: then nothing
 * changes, and whoever said it happened (a worker's frame) is not to be believed.
 */
int job_event(struct job *job, enum job_event event);

/* What job_event would make of it: a state, or JOB_STATES where it cannot happen. */
enum job_state job_next(enum job_state state, enum job_event event);

const char *job_state_name(enum job_state state);

/*
 * Makes the job one of those boards only that are not answered, so that it can be given to another
 * worker; its answer goes on where it is.
 */
void job_shrink(struct job *job);

/* A new job with the boards [from, to) of this one (counted in the job), of the same request; NULL:
 * no memory. */
struct job *job_cut(const struct job *job, uint32_t from, uint32_t to);

#endif
