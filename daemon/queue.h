/* SPDX-License-Identifier: MIT */
/*
 * queue: the jobs that wait for one puzzle, taken in turns between users, then between their
 * sessions.
 *
 *	queue --ring--> side (a user's) --ring--> flow (a session's) --list--> job
 *
 * So a session with ten thousand boards delays another's one board by one job, not by all of them,
 * and a user gains nothing by opening more sessions.  Sides and flows are there as long as they
 * have jobs.  The bound on how much may wait is the admission's, solve.c.
 */
#ifndef DAEMON_QUEUE_H
#define DAEMON_QUEUE_H

#include "daemon/job.h"

#include <stdbool.h>
#include <stdint.h>

struct queue;
struct queue_flow;
struct user;

/* Where a session's waiting jobs are, in all queues.  Kept in the session, with `user` set and
 * `flows` empty. */
struct queue_source {
	struct user *user;
	LIST_HEAD(, queue_flow) flows;
};

struct queue_side {
	const struct user *user;
	TAILQ_HEAD(, queue_flow) ring;
	TAILQ_ENTRY(queue_side) turn;
};

struct queue_flow {
	struct queue *queue;
	struct queue_side *side;
	struct job_list jobs;
	TAILQ_ENTRY(queue_flow) turn;
	LIST_ENTRY(queue_flow) sibling;
};

struct queue {
	TAILQ_HEAD(, queue_side) ring;
	uint32_t jobs;   /* waiting */
	uint64_t boards; /* in them */
};

void queue_init(struct queue *queue);

/*
 * Puts a WAITING job in: at the end of its session's flow, or at its front (`again`: it had its
 * turn already).  0 or -ENOMEM.
 */
int queue_push(struct queue *queue, struct queue_source *source, struct job *job, bool again);

/*
 * Takes the next job whose turn it is and whose user `may` have it taken (NULL: all may).  Each
 * user is asked about at most once.  NULL: there is none.
 */
struct job *queue_pop(struct queue *queue, bool (*may)(void *arg, const struct user *user),
		      void *arg);

/* Whether there is a user with waiting jobs of whom `is` says so. */
bool queue_any(const struct queue *queue, bool (*is)(void *arg, const struct user *user),
	       void *arg);

/* Takes this job out. */
void queue_remove(struct job *job);

#endif
