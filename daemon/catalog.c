/* SPDX-License-Identifier: MIT */
/* catalog: the methods that tell of puzzles and of the daemon: list, describe, status. */
#include <config.h>

#include "daemon/methods.h"
#include "daemon/params.h"
#include "daemon/pool.h"
#include "daemon/print.h"
#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/session.h"

#include <unistd.h>

static void begin_result(struct buf *out)
{
	buf_put_string(out, "\"result\":{");
}

static void put_list(const struct server *server, struct buf *out)
{
	const struct pool *pool;
	begin_result(out);
	buf_put_string(out, "\"puzzles\":[");
	TAILQ_FOREACH (pool, &server->pools, link) {
		buf_put(out, "{", 1);
		print_text_member(out, "name", text_of(pool->config->name));
		print_text_member(out, "state", text_of(pool_state_name(pool)));
		if (pool->puzzle) {
			print_text_member(out, "plugin", pool->puzzle->hello.plugin_name);
			print_text_member(out, "version", pool->puzzle->hello.plugin_version);
			print_text_member(out, "summary", pool->puzzle->hello.summary);
			print_text_member(out, "example", pool->puzzle->hello.example);
			if (pool->puzzle->hello.goal.data)
				print_text_member(out, "goal", pool->puzzle->hello.goal);
		} else {
			print_text_member(out, "reason", text_of(pool->reason));
		}
		print_end(out, '}');
		buf_put(out, ",", 1);
	}
	print_end(out, ']');
	print_end(out, '}');
}

static bool list_known(struct request *request)
{
	const struct pool *pool;
	TAILQ_FOREACH (pool, &request->server->pools, link)
		if (!methods_settled(pool))
			return false;
	struct buf *out = session_reply(request->session);
	if (out) {
		rpc_begin_reply(out, &request->id);
		put_list(request->server, out);
		rpc_end_reply(out);
	}
	return true;
}

static bool describe_known(struct request *request)
{
	const struct pool *pool = request->pool;
	if (!methods_settled(pool))
		return false;
	struct buf *out = session_reply(request->session);
	if (!out)
		return true;
	if (!pool->puzzle) {
		struct error error;
		error_set(&error, ERR_PUZZLE_UNAVAILABLE, "%s cannot be served: %s",
			  pool->config->name, pool->reason);
		rpc_put_error_reply(out, &request->id, &error);
		return true;
	}
	rpc_begin_reply(out, &request->id);
	begin_result(out);
	print_text_member(out, "name", text_of(pool->config->name));
	print_text_member(out, "state", text_of(pool_state_name(pool)));
	puzzle_print(pool->puzzle, out);
	print_end(out, '}');
	rpc_end_reply(out);
	return true;
}

enum method_code method_list(struct session *session, struct rpc_call *call, struct buf *out,
			     struct error *ret_error)
{
	struct params params;
	(void)out;
	if (params_read(call->params, 0, &params, ret_error) < 0)
		return METHOD_ERROR;
	return methods_wait(session, call, NULL, list_known, NULL, ret_error);
}

enum method_code method_describe(struct session *session, struct rpc_call *call, struct buf *out,
				 struct error *ret_error)
{
	struct params params;
	(void)out;
	if (params_read(call->params, FOR_DESCRIBE, &params, ret_error) < 0)
		return METHOD_ERROR;
	struct pool *pool = methods_pool(session->server, params.puzzle, ret_error);
	return pool ? methods_wait(session, call, pool, describe_known, NULL, ret_error)
		    : METHOD_ERROR;
}

/* How far the puzzle's workers are confined; NULL: none of them has said so yet. */
static const char *sandbox_name(const struct pool *pool)
{
	static const char *const names[] = {
		[0] = "bounds only",
		[WIRE_FILES_CONFINED] = "files only",
		[WIRE_CALLS_CONFINED] = "calls only",
		[WIRE_FILES_CONFINED | WIRE_CALLS_CONFINED] = "on",
	};
	if (!pool->config->job.sandbox)
		return "off";
	return pool->puzzle ? names[pool->puzzle->hello.confined % 4] : NULL;
}

static void put_pool(struct buf *out, const struct pool *pool)
{
	const struct worker *worker;
	unsigned busy = 0;
	TAILQ_FOREACH (worker, &pool->workers, link)
		busy += worker->held_count > 0;
	buf_put(out, "{", 1);
	print_text_member(out, "name", text_of(pool->config->name));
	print_text_member(out, "state", text_of(pool_state_name(pool)));
	if (pool->reason[0])
		print_text_member(out, "reason", text_of(pool->reason));
	if (sandbox_name(pool))
		print_text_member(out, "sandbox", text_of(sandbox_name(pool)));
	print_uint_member(out, "workers", pool->worker_count);
	print_uint_member(out, "busy", busy);
	print_uint_member(out, "max_workers", pool->config->job.workers);
	print_uint_member(out, "queue", pool->queue.boards);
	print_uint_member(out, "answered", tally_answered(pool->tally));
	print_name(out, "failed");
	buf_put(out, "{", 1);
	for (unsigned kind = 0; kind < ERR_KINDS; kind++)
		if (pool->tally->failed[kind])
			print_uint_member(out, error_info((enum error_kind)kind)->name,
					  pool->tally->failed[kind]);
	print_end(out, '}');
	buf_put(out, ",", 1);
	print_uint_member(out, "restarts", pool->tally->deaths);
	if (pool->tally->requests) {
		print_name(out, "latency_us");
		buf_put(out, "{", 1);
		print_uint_member(out, "p50", tally_quantile(pool->tally, 0.50));
		print_uint_member(out, "p95", tally_quantile(pool->tally, 0.95));
		print_uint_member(out, "p99", tally_quantile(pool->tally, 0.99));
		print_end(out, '}');
		buf_put(out, ",", 1);
	}
	if (pool->puzzle && pool->puzzle->hello.table_count)
		tables_put(out, pool);
	print_name(out, "pids");
	buf_put(out, "[", 1);
	TAILQ_FOREACH (worker, &pool->workers, link)
		buf_printf(out, "%d,", (int)worker->pid);
	print_end(out, ']');
	print_end(out, '}');
	buf_put(out, ",", 1);
}

static void put_users(struct buf *out, const struct server *server)
{
	const struct user *user;
	print_name(out, "users");
	buf_put(out, "[", 1);
	LIST_FOREACH (user, &server->users, link) {
		buf_put(out, "{", 1);
		print_uint_member(out, "uid", user->uid);
		print_uint_member(out, "sessions", user->sessions);
		print_uint_member(out, "in_flight", user->in_flight);
		print_uint_member(out, "crashes", user->crashes);
		print_end(out, '}');
		buf_put(out, ",", 1);
	}
	print_end(out, ']');
	buf_put(out, ",", 1);
}

enum method_code method_status(struct session *session, struct rpc_call *call, struct buf *out,
			       struct error *ret_error)
{
	struct server *server = session->server;
	const struct pool *pool;
	struct params params;
	if (params_read(call->params, 0, &params, ret_error) < 0)
		return METHOD_ERROR;
	begin_result(out);
	print_text_member(out, "version", text_of(PACKAGE_VERSION));
	print_int_member(out, "pid", getpid());
	print_int_member(out, "uptime_ms", (loop_now_us() - server->started_us) / 1000);
	print_text_member(out, "state", text_of(server->draining ? "draining" : "serving"));
	print_uint_member(out, "sessions", server->sessions_open);
	put_users(out, server);
	print_name(out, "puzzles");
	buf_put(out, "[", 1);
	TAILQ_FOREACH (pool, &server->pools, link)
		put_pool(out, pool);
	print_end(out, ']');
	print_end(out, '}');
	return METHOD_REPLIED;
}
