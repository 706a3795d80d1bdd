/* SPDX-License-Identifier: MIT */
/*
 * queue: the jobs that wait for one puzzle, taken in turns.
 *
 * Each session that has jobs waiting here has a flow; the flows form a ring, from which one job is taken at a
 * time.  So a session with ten thousand boards delays another's one board by one job, not by all of them.
 * A flow is there as long as it has jobs.  The bound on how much may wait is the admission's, methods.c.
 */
#ifndef DAEMON_QUEUE_H
#define DAEMON_QUEUE_H

#include "daemon/job.h"

#include <stdbool.h>
#include <stdint.h>

struct queue;

struct queue_flow {
	struct queue *queue;
	struct job_list jobs;
	TAILQ_ENTRY(queue_flow) turn;
	LIST_ENTRY(queue_flow) sibling;
};

/* The flows of one owner, in all queues; zeroed: none. */
LIST_HEAD(queue_flows, queue_flow);

struct queue {
	TAILQ_HEAD(, queue_flow) ring;
	uint32_t jobs;   /* waiting */
	uint64_t boards; /* in them */
};

void queue_init(struct queue *queue);

/*
 * Puts a WAITING job in: at the end of its owner's flow, or at its front (`again`: it had its turn already).
 * `flows` is the owner's list.  0 or -ENOMEM.
 */
int queue_push(struct queue *queue, struct queue_flows *flows, struct job *job, bool again);

/* Takes the next job whose turn it is, or NULL. */
struct job *queue_pop(struct queue *queue);

/* Takes this job out. */
void queue_remove(struct job *job);

#endif
