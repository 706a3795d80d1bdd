/* SPDX-License-Identifier: MIT */
#include "daemon/queue.h"

#include <errno.h>
#include <stdlib.h>

void queue_init(struct queue *queue)
{
	TAILQ_INIT(&queue->ring);
	queue->jobs = 0;
	queue->boards = 0;
}

static struct queue_side *side_of(struct queue *queue, const struct user *user)
{
	struct queue_side *side;
	TAILQ_FOREACH (side, &queue->ring, turn)
		if (side->user == user)
			return side;
	side = malloc(sizeof(*side));
	if (!side)
		return NULL;
	side->user = user;
	TAILQ_INIT(&side->ring);
	TAILQ_INSERT_TAIL(&queue->ring, side, turn);
	return side;
}

static void drop_if_empty(struct queue *queue, struct queue_side *side)
{
	if (TAILQ_EMPTY(&side->ring)) {
		TAILQ_REMOVE(&queue->ring, side, turn);
		free(side);
	}
}

static struct queue_flow *flow_of(struct queue *queue, struct queue_source *source)
{
	struct queue_flow *flow;
	LIST_FOREACH (flow, &source->flows, sibling)
		if (flow->queue == queue)
			return flow;
	struct queue_side *side = side_of(queue, source->user);
	if (!side)
		return NULL;
	flow = malloc(sizeof(*flow));
	if (!flow) {
		drop_if_empty(queue, side);
		return NULL;
	}
	flow->queue = queue;
	flow->side = side;
	TAILQ_INIT(&flow->jobs);
	TAILQ_INSERT_TAIL(&side->ring, flow, turn);
	LIST_INSERT_HEAD(&source->flows, flow, sibling);
	return flow;
}

int queue_push(struct queue *queue, struct queue_source *source, struct job *job, bool again)
{
	struct queue_flow *flow = flow_of(queue, source);
	if (!flow)
		return -ENOMEM;
	if (again)
		TAILQ_INSERT_HEAD(&flow->jobs, job, waiting);
	else
		TAILQ_INSERT_TAIL(&flow->jobs, job, waiting);
	job->flow = flow;
	queue->jobs++;
	queue->boards += job->count;
	return 0;
}

void queue_remove(struct job *job)
{
	struct queue_flow *flow = job->flow;
	struct queue *queue = flow->queue;
	TAILQ_REMOVE(&flow->jobs, job, waiting);
	job->flow = NULL;
	queue->jobs--;
	queue->boards -= job->count;
	if (TAILQ_EMPTY(&flow->jobs)) {
		TAILQ_REMOVE(&flow->side->ring, flow, turn);
		LIST_REMOVE(flow, sibling);
		drop_if_empty(queue, flow->side);
		free(flow);
	}
}

struct job *queue_pop(struct queue *queue, bool (*may)(void *arg, const struct user *user),
		      void *arg)
{
	struct queue_side *side;
	TAILQ_FOREACH (side, &queue->ring, turn)
		if (!may || may(arg, side->user))
			break;
	if (!side)
		return NULL;
	/* Whose turn it was goes to the back, the session among the user's as the user among
	 * all. */
	struct queue_flow *flow = TAILQ_FIRST(&side->ring);
	struct job *job = TAILQ_FIRST(&flow->jobs);
	TAILQ_REMOVE(&queue->ring, side, turn);
	TAILQ_INSERT_TAIL(&queue->ring, side, turn);
	TAILQ_REMOVE(&side->ring, flow, turn);
	TAILQ_INSERT_TAIL(&side->ring, flow, turn);
	queue_remove(job);
	return job;
}

bool queue_any(const struct queue *queue, bool (*is)(void *arg, const struct user *user), void *arg)
{
	const struct queue_side *side;
	TAILQ_FOREACH (side, &queue->ring, turn)
		if (is(arg, side->user))
			return true;
	return false;
}
