/* SPDX-License-Identifier: MIT */
#include "daemon/builder.h"
#include "common/log.h"
#include "daemon/methods.h"
#include "daemon/pool.h"
#include "daemon/server.h"
#include "daemon/session.h"
#include "daemon/settings.h"

#include <errno.h>
#include <stdio.h>

/* Nothing is built any more: parked jobs go on, with the table or without. */
static void settle(struct pool *pool, enum builder_state state)
{
	pool->builder.state = state;
	pool_unpark(pool);
	methods_known(pool->server);
	pool_dispatch(pool);
}

static void log_failure(const struct pool *pool)
{
	log_warning("table_failed", KV("puzzle", pool->config->name),
		    KV("table", (const char *)pool->builder.table),
		    KV("reason", (const char *)pool->builder.reason));
}

static void fail(struct pool *pool)
{
	log_failure(pool);
	settle(pool, BUILDER_FAILED);
}

int builder_start(struct pool *pool, enum wire_task task, struct text table, struct text goal)
{
	struct builder *builder = &pool->builder;
	struct worker_task what = {.task = task, .goal = goal};
	builder->task = task;
	builder->built = false;
	builder->done = builder->total = 0;
	builder->reason[0] = '\0';
	snprintf(builder->table, sizeof(builder->table), "%.*s", (int)table.len,
		 table.data ? table.data : "");
	what.table = text_of(builder->table);
	builder->worker = worker_start(pool, &what, builder->reason, sizeof(builder->reason));
	if (!builder->worker) {
		/* Nobody was made to wait for it yet, so there is nobody to be told. */
		builder->state = BUILDER_FAILED;
		log_failure(pool);
		return -1;
	}
	builder->state = BUILDER_RUNNING;
	log_notice(task == WIRE_BUILD ? "table_started" : "table_check_started",
		   KV("puzzle", pool->config->name), KV("table", (const char *)builder->table),
		   KV("pid", builder->worker->pid));
	return 0;
}

void builder_start_missing(struct pool *pool)
{
	const struct wire_hello *hello = &pool->puzzle->hello;
	/* After a failure somebody has to look and say `tables build`. */
	if (pool->builder.state != BUILDER_IDLE || !pool->settings->builds_tables ||
	    !pool->serving_requests || pool->server->draining)
		return;
	for (uint32_t i = 0; i < hello->table_count; i++)
		if (!hello->tables[i].ready) {
			builder_start(pool, WIRE_BUILD, hello->tables[i].name,
				      (struct text){NULL, 0});
			return;
		}
}

static void tell_waiting(struct pool *pool, const struct wire_progress *progress)
{
	struct request *request;
	TAILQ_FOREACH (request, &pool->server->waiting, wait)
		if (request->pool == pool && request->report)
			session_report(request, 0, progress);
}

int builder_frame(struct pool *pool, const struct frame *frame)
{
	struct builder *builder = &pool->builder;
	struct wire_progress progress;
	struct wire_refused refused;
	struct text table;
	switch (frame->type) {
	case WIRE_PROGRESS:
		if (wire_get_progress(frame->payload, &progress) < 0)
			return -EPROTO;
		builder->done = progress.nodes;
		builder->total = progress.bound;
		tell_waiting(pool, &progress);
		return 0;
	case WIRE_BUILT:
		if (wire_get_built(frame->payload, &table) < 0)
			return -EPROTO;
		builder->built = true;
		return 0;
	case WIRE_REFUSED:
		if (wire_get_refused(frame->payload, &refused) < 0)
			return -EPROTO;
		snprintf(builder->reason, sizeof(builder->reason), "%.*s", (int)refused.reason.len,
			 refused.reason.data ? refused.reason.data : "");
		return 0;
	default:
		return -EPROTO;
	}
}

void builder_dead(struct pool *pool, struct worker *worker)
{
	struct builder *builder = &pool->builder;
	builder->worker = NULL;
	if (!builder->built && !builder->reason[0])
		worker_cause(worker, builder->reason, sizeof(builder->reason));
	if (pool->server->stopping_now || pool->server->draining) {
		settle(pool, BUILDER_IDLE);
	} else if (!builder->built) {
		fail(pool);
		/* A table that was found bad is gone: who has it mapped must not go on with it, and
		 * a new one is made. */
		if (builder->task == WIRE_CHECK) {
			builder->state = BUILDER_RENEWING;
			pool_renew(pool);
		}
	} else if (builder->task == WIRE_CHECK) {
		log_notice("table_good", KV("puzzle", pool->config->name),
			   KV("table", (const char *)builder->table));
		settle(pool, BUILDER_IDLE);
	} else {
		log_notice("table_built", KV("puzzle", pool->config->name),
			   KV("table", (const char *)builder->table));
		builder->state = BUILDER_RENEWING;
		pool_renew(pool);
	}
	server_worker_gone(pool->server);
}

void builder_renewed(struct pool *pool)
{
	struct builder *builder = &pool->builder;
	if (builder->state != BUILDER_RENEWING)
		return;
	if (builder->task == WIRE_CHECK) {
		settle(pool, BUILDER_IDLE);
		return;
	}
	/* The next one, if there is a next one; a table that was built and still is not taken must
	 * not be built for ever. */
	const struct wire_hello *hello = &pool->puzzle->hello;
	for (uint32_t i = 0; i < hello->table_count; i++)
		if (text_is(hello->tables[i].name, builder->table) && !hello->tables[i].ready) {
			snprintf(builder->reason, sizeof(builder->reason),
				 "it was built, but the plugin does not take it");
			fail(pool);
			return;
		}
	settle(pool, BUILDER_IDLE);
	builder_start_missing(pool);
}

void builder_renewal_failed(struct pool *pool)
{
	struct builder *builder = &pool->builder;
	if (builder->state != BUILDER_RENEWING)
		return;
	snprintf(builder->reason, sizeof(builder->reason),
		 "it was built, but a new worker does not start: %.400s", pool->reason);
	fail(pool);
}
