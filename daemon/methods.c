/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "daemon/methods.h"
#include "common/limits.h"
#include "daemon/params.h"
#include "daemon/pool.h"
#include "daemon/print.h"
#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/session.h"

#include <unistd.h>

struct pool *methods_pool(struct server *server, struct text name, struct error *ret_error)
{
	struct pool *pool;
	if (!name.data) {
		error_set(ret_error, ERR_INVALID_PARAMS, "\"puzzle\" is missing");
		return NULL;
	}
	TAILQ_FOREACH (pool, &server->pools, link)
		if (text_is(name, pool->config->name))
			return pool;
	struct buf list = {0};
	TAILQ_FOREACH (pool, &server->pools, link)
		buf_printf(&list, "%s%s", buf_len(&list) ? ", " : "", pool->config->name);
	error_set(ret_error, ERR_UNKNOWN_PUZZLE, "no puzzle is named \"%.*s\"; there are: %.*s",
		  (int)(name.len < 64 ? name.len : 64), name.data, (int)buf_len(&list),
		  buf_text(&list).data);
	buf_free(&list);
	return NULL;
}

/* ---- what waits until puzzles are known ---- */

/* A puzzle's first start is over, well or not. */
static bool is_settled(const struct pool *pool)
{
	return pool->puzzle || pool->state == POOL_UNAVAILABLE;
}

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
		if (!is_settled(pool))
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
	if (!is_settled(pool))
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

void methods_known(struct server *server)
{
	struct request *request, *next;
	for (request = TAILQ_FIRST(&server->waiting); request; request = next) {
		next = TAILQ_NEXT(request, wait);
		if (request->known(request))
			request_free(request);
	}
}

/* Answers when `known` says that it can be, which may be now. */
static enum method_code wait_known(struct session *session, struct rpc_call *call,
				   struct pool *pool, bool (*known)(struct request *request),
				   struct error *ret_error)
{
	struct server *server = session->server;
	if (!session_has_room(session, 0))
		return METHOD_FULL;
	struct request *request = request_new(session, call);
	if (!request) {
		error_set(ret_error, ERR_INTERNAL, "out of memory");
		return METHOD_ERROR;
	}
	request->pool = pool;
	request->known = known;
	TAILQ_INSERT_TAIL(&server->waiting, request, wait);
	request_arm(request, server->config->job.timeout);
	if (known(request))
		request_free(request);
	return METHOD_LATER;
}

/* ---- methods ---- */

static enum method_code method_list(struct session *session, struct rpc_call *call, struct buf *out,
				    struct error *ret_error)
{
	struct params params;
	(void)out;
	if (params_read(call->params, 0, &params, ret_error) < 0)
		return METHOD_ERROR;
	return wait_known(session, call, NULL, list_known, ret_error);
}

static enum method_code method_describe(struct session *session, struct rpc_call *call,
					struct buf *out, struct error *ret_error)
{
	struct params params;
	(void)out;
	if (params_read(call->params, FOR_DESCRIBE, &params, ret_error) < 0)
		return METHOD_ERROR;
	struct pool *pool = methods_pool(session->server, params.puzzle, ret_error);
	return pool ? wait_known(session, call, pool, describe_known, ret_error) : METHOD_ERROR;
}

static enum method_code method_ping(struct session *session, struct rpc_call *call, struct buf *out,
				    struct error *ret_error)
{
	struct params params;
	(void)session;
	if (params_read(call->params, 0, &params, ret_error) < 0)
		return METHOD_ERROR;
	begin_result(out);
	print_bool_member(out, "pong", true);
	print_text_member(out, "version", text_of(PACKAGE_VERSION));
	print_end(out, '}');
	return METHOD_REPLIED;
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
	print_uint_member(out, "workers", pool->worker_count);
	print_uint_member(out, "busy", busy);
	print_uint_member(out, "max_workers", pool->config->job.workers);
	print_uint_member(out, "queue", pool->queue.boards);
	print_uint_member(out, "answered", pool->answered);
	print_name(out, "failed");
	buf_put(out, "{", 1);
	for (unsigned kind = 0; kind < ERR_KINDS; kind++)
		if (pool->failed[kind])
			print_uint_member(out, error_info((enum error_kind)kind)->name,
					  pool->failed[kind]);
	print_end(out, '}');
	buf_put(out, ",", 1);
	print_uint_member(out, "restarts", pool->restarts);
	print_name(out, "pids");
	buf_put(out, "[", 1);
	TAILQ_FOREACH (worker, &pool->workers, link)
		buf_printf(out, "%d,", (int)worker->pid);
	print_end(out, ']');
	print_end(out, '}');
	buf_put(out, ",", 1);
}

static enum method_code method_status(struct session *session, struct rpc_call *call,
				      struct buf *out, struct error *ret_error)
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
	print_name(out, "puzzles");
	buf_put(out, "[", 1);
	TAILQ_FOREACH (pool, &server->pools, link)
		put_pool(out, pool);
	print_end(out, ']');
	print_end(out, '}');
	return METHOD_REPLIED;
}

/* The id is compared as it was written: the number 1 is not the string "1". */
static enum method_code method_cancel(struct session *session, struct rpc_call *call,
				      struct buf *out, struct error *ret_error)
{
	struct params params;
	struct rpc_id id = {0};
	if (params_read(call->params, FOR_CANCEL, &params, ret_error) < 0)
		return METHOD_ERROR;
	if (!params.id) {
		error_set(ret_error, ERR_INVALID_PARAMS,
			  "\"id\" is missing: that of the request to cancel");
		return METHOD_ERROR;
	}
	if (rpc_read_id(params.id, &id, ret_error) < 0) {
		rpc_free_id(&id);
		return METHOD_ERROR;
	}
	struct request *request = session_find(session, &id);
	rpc_free_id(&id);
	/* The cancelled request's own reply comes after this one, or never before it. */
	begin_result(out);
	print_bool_member(out, "cancelled", request != NULL);
	print_end(out, '}');
	if (request)
		session->cancelled = request;
	return METHOD_REPLIED;
}

static const struct method {
	const char *name;
	enum method_code (*run)(struct session *session, struct rpc_call *call, struct buf *out,
				struct error *ret_error);
	bool notification; /* is run without an id too */
} methods[] = {
	{"solve", method_solve, false},       {"verify", method_verify, false},
	{"generate", method_generate, false}, {"list", method_list, false},
	{"describe", method_describe, false}, {"status", method_status, false},
	{"ping", method_ping, false},         {"cancel", method_cancel, true},
};

enum { METHODS = sizeof(methods) / sizeof(methods[0]) };

static const struct method *find(const char *name, struct error *ret_error)
{
	for (size_t i = 0; i < METHODS; i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	struct buf list = {0};
	for (size_t i = 0; i < METHODS; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", methods[i].name);
	error_set(ret_error, ERR_METHOD_NOT_FOUND, "there is no method \"%.64s\"; there are: %.*s",
		  name, (int)buf_len(&list), buf_text(&list).data);
	buf_free(&list);
	return NULL;
}

static enum method_code call_method(struct session *session, struct rpc_call *call,
				    struct buf *result, struct error *ret_error)
{
	const struct method *method = find(call->method, ret_error);
	if (!method)
		return METHOD_ERROR;
	if (!call->id.json.data)
		return method->notification ? method->run(session, call, result, ret_error)
					    : METHOD_LATER;
	if (session_find(session, &call->id)) {
		error_set(ret_error, ERR_INVALID_REQUEST,
			  "the id %.*s is that of a request still in flight on this connection",
			  (int)call->id.json.len, rpc_id_text(&call->id).data);
		return METHOD_ERROR;
	}
	return method->run(session, call, result, ret_error);
}

bool methods_run(struct session *session, struct rpc_call *call)
{
	struct error error;
	struct buf result = {0};
	bool wants_reply = call->id.json.data != NULL;
	enum method_code code = call_method(session, call, &result, &error);
	struct buf *out = code != METHOD_LATER && code != METHOD_FULL && wants_reply
				  ? session_reply(session)
				  : NULL;
	if (out && (code == METHOD_ERROR || result.failed)) {
		if (code != METHOD_ERROR)
			error_set(&error, ERR_INTERNAL, "out of memory");
		rpc_put_error_reply(out, &call->id, &error);
	} else if (out) {
		rpc_begin_reply(out, &call->id);
		buf_put_text(out, buf_text(&result));
		rpc_end_reply(out);
	}
	buf_free(&result);
	/* cancel's own reply comes first */
	struct request *cancelled = session->cancelled;
	session->cancelled = NULL;
	if (cancelled)
		request_stop(cancelled, ERR_CANCELLED, "it was cancelled");
	return code != METHOD_FULL;
}
