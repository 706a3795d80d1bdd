/* SPDX-License-Identifier: MIT */
/* tables: the methods that tell of tables and have them built or checked. */
#include "daemon/methods.h"
#include "daemon/params.h"
#include "daemon/pool.h"
#include "daemon/print.h"
#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/session.h"

#include <stdio.h>
#include <stdlib.h>

static const char *table_state(const struct pool *pool, const struct wire_table *table)
{
	const struct builder *builder = &pool->builder;
	bool its = text_is(table->name, builder->table);
	if (its && builder_is_busy(builder))
		return builder->task == WIRE_BUILD ? "building" : "checking";
	if (its && builder->state == BUILDER_FAILED)
		return "failed";
	return table->ready ? "ready" : "absent";
}

static void put_table(struct buf *out, const struct pool *pool, const struct wire_table *table)
{
	const struct builder *builder = &pool->builder;
	bool its = text_is(table->name, builder->table);
	buf_put(out, "{", 1);
	print_text_member(out, "puzzle", text_of(pool->config->name));
	print_text_member(out, "name", table->name);
	print_uint_member(out, "bytes", table->bytes);
	print_text_member(out, "state", text_of(table_state(pool, table)));
	if (its && builder_is_busy(builder) && builder->total) {
		print_uint_member(out, "done", builder->done);
		print_uint_member(out, "total", builder->total);
	}
	if (its && builder->state == BUILDER_FAILED)
		print_text_member(out, "reason", text_of(builder->reason));
	print_text_member(out, "help", table->help);
	print_end(out, '}');
	buf_put(out, ",", 1);
}

void tables_put(struct buf *out, const struct pool *pool)
{
	print_name(out, "tables");
	buf_put(out, "[", 1);
	for (uint32_t i = 0; pool->puzzle && i < pool->puzzle->hello.table_count; i++)
		put_table(out, pool, &pool->puzzle->hello.tables[i]);
	print_end(out, ']');
	buf_put(out, ",", 1);
}

static bool tables_known(struct request *request)
{
	const struct pool *pool;
	TAILQ_FOREACH (pool, &request->server->pools, link)
		if (!methods_settled(pool))
			return false;
	struct buf *out = session_reply(request->session);
	if (!out)
		return true;
	rpc_begin_reply(out, &request->id);
	buf_put_string(out, "\"result\":{\"tables\":[");
	TAILQ_FOREACH (pool, &request->server->pools, link)
		for (uint32_t i = 0; pool->puzzle && i < pool->puzzle->hello.table_count; i++)
			if (!request->pool || request->pool == pool)
				put_table(out, pool, &pool->puzzle->hello.tables[i]);
	print_end(out, ']');
	print_end(out, '}');
	rpc_end_reply(out);
	return true;
}

enum method_code method_tables(struct session *session, struct rpc_call *call, struct buf *out,
			       struct error *ret_error)
{
	struct params params;
	struct pool *pool = NULL;
	(void)out;
	if (params_read(call->params, FOR_DESCRIBE, &params, ret_error) < 0)
		return METHOD_ERROR;
	if (params.puzzle.data && !(pool = methods_pool(session->server, params.puzzle, ret_error)))
		return METHOD_ERROR;
	return methods_wait(session, call, pool, tables_known, NULL, ret_error);
}

/* ---- build_table, verify_table ---- */

static bool put_failure(struct request *request, enum error_kind kind, const char *what,
			const char *reason)
{
	struct error error;
	struct buf *out = session_reply(request->session);
	error_set(&error, kind, "%s%s", what, reason);
	if (out)
		rpc_put_error_reply(out, &request->id, &error);
	return true;
}

/* The table that the errand is about: the named one, the one that lacks, or the first; NULL: there
 * is none such. */
static const struct wire_table *find_table(const struct pool *pool, const struct errand *errand)
{
	const struct wire_hello *hello = &pool->puzzle->hello;
	for (uint32_t i = 0; i < hello->table_count; i++) {
		const struct wire_table *table = &hello->tables[i];
		if (errand->table[0] ? text_is(table->name, errand->table)
				     : errand->task == WIRE_CHECK || !table->ready)
			return table;
	}
	return hello->table_count && !errand->table[0] ? &hello->tables[0] : NULL;
}

/* True: the reply is put already. */
static bool start(struct request *request)
{
	struct pool *pool = request->pool;
	struct errand *errand = request->errand;
	bool other_goal = buf_len(&errand->goal) > 0;
	const struct wire_table *table = find_table(pool, errand);
	if (!table && !other_goal)
		return put_failure(request, ERR_INVALID_PARAMS,
				   errand->table[0] ? "the puzzle has no table of this name: "
						    : "the puzzle has no table",
				   errand->table);
	errand->started = true;
	if (!errand->table[0] && !other_goal)
		snprintf(errand->table, sizeof(errand->table), "%.*s", (int)table->name.len,
			 table->name.data);
	/* What is there already need not be made again. */
	if (errand->task == WIRE_BUILD && !other_goal && table->ready)
		return false;
	builder_start(pool, errand->task, text_of(errand->table),
		      other_goal ? buf_text(&errand->goal) : (struct text){NULL, 0});
	return false;
}

static bool errand_known(struct request *request)
{
	struct pool *pool = request->pool;
	struct errand *errand = request->errand;
	if (!methods_settled(pool) || builder_is_busy(&pool->builder))
		return false;
	if (!pool->puzzle)
		return put_failure(request, ERR_PUZZLE_UNAVAILABLE,
				   "it cannot be served: ", pool->reason);
	if (!errand->started && start(request))
		return true;
	if (builder_is_busy(&pool->builder))
		return false;
	if (pool->builder.state == BUILDER_FAILED)
		return put_failure(request, ERR_PLUGIN_FAILED, "the table: ", pool->builder.reason);
	struct buf *out = session_reply(request->session);
	if (!out)
		return true;
	rpc_begin_reply(out, &request->id);
	buf_put_string(out, "\"result\":{");
	print_text_member(out, "puzzle", text_of(pool->config->name));
	print_text_member(out, "table",
			  text_of(errand->table[0] ? errand->table : pool->builder.table));
	print_text_member(out, "state", text_of(errand->task == WIRE_BUILD ? "ready" : "good"));
	print_end(out, '}');
	rpc_end_reply(out);
	return true;
}

static enum method_code run_errand(struct session *session, struct rpc_call *call,
				   enum wire_task task, struct error *ret_error)
{
	struct params params;
	struct text goal;
	if (params_read(call->params, FOR_TABLE, &params, ret_error) < 0)
		return METHOD_ERROR;
	struct pool *pool = methods_pool(session->server, params.puzzle, ret_error);
	if (!pool)
		return METHOD_ERROR;
	struct errand *errand = calloc(1, sizeof(*errand));
	if (!errand) {
		error_set(ret_error, ERR_INTERNAL, "out of memory");
		return METHOD_ERROR;
	}
	errand->task = task;
	if (params.table.len >= sizeof(errand->table)) {
		errand_free(errand);
		error_set(ret_error, ERR_INVALID_PARAMS, "\"table\" is too long for a name");
		return METHOD_ERROR;
	}
	snprintf(errand->table, sizeof(errand->table), "%.*s", (int)params.table.len,
		 params.table.data ? params.table.data : "");
	if (params.goal) {
		struct buf store = {0};
		int code = params_board(params.goal, "\"goal\"", &store, &goal, ret_error);
		if (code == 0)
			buf_put_text(&errand->goal, goal);
		buf_free(&store);
		if (code < 0) {
			errand_free(errand);
			return METHOD_ERROR;
		}
	}
	return methods_wait(session, call, pool, errand_known, errand, ret_error);
}

enum method_code method_build_table(struct session *session, struct rpc_call *call, struct buf *out,
				    struct error *ret_error)
{
	(void)out;
	return run_errand(session, call, WIRE_BUILD, ret_error);
}

enum method_code method_verify_table(struct session *session, struct rpc_call *call,
				     struct buf *out, struct error *ret_error)
{
	(void)out;
	return run_errand(session, call, WIRE_CHECK, ret_error);
}
