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

static struct queue_flow *flow_of(struct queue *queue, struct queue_flows *flows)
{
	struct queue_flow *flow;
	LIST_FOREACH (flow, flows, sibling)
		if (flow->queue == queue)
			return flow;
	flow = malloc(sizeof(*flow));
	if (!flow)
		return NULL;
	flow->queue = queue;
	TAILQ_INIT(&flow->jobs);
	TAILQ_INSERT_TAIL(&queue->ring, flow, turn);
	LIST_INSERT_HEAD(flows, flow, sibling);
	return flow;
}

int queue_push(struct queue *queue, struct queue_flows *flows, struct job *job, bool again)
{
	struct queue_flow *flow = flow_of(queue, flows);
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
		TAILQ_REMOVE(&queue->ring, flow, turn);
		LIST_REMOVE(flow, sibling);
		free(flow);
	}
}

struct job *queue_pop(struct queue *queue)
{
	struct queue_flow *flow = TAILQ_FIRST(&queue->ring);
	if (!flow)
		return NULL;
	struct job *job = TAILQ_FIRST(&flow->jobs);
	TAILQ_REMOVE(&queue->ring, flow, turn);
	TAILQ_INSERT_TAIL(&queue->ring, flow, turn);
	queue_remove(job);
	return job;
}
