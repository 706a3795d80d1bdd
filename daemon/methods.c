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

void methods_known(struct server *server)
{
	struct request *request, *next;
	struct session *session;
	for (request = TAILQ_FIRST(&server->waiting); request; request = next) {
		next = TAILQ_NEXT(request, wait);
		if (request->known(request))
			request_free(request);
	}
	TAILQ_FOREACH (session, &server->sessions, link)
		if (session->held.root)
			stream_again(&session->stream);
}

bool methods_settled(const struct pool *pool)
{
	return pool->puzzle || pool->state == POOL_UNAVAILABLE;
}

enum method_code methods_wait(struct session *session, struct rpc_call *call, struct pool *pool,
			      bool (*known)(struct request *request), struct errand *errand,
			      struct error *ret_error)
{
	struct server *server = session->server;
	struct request *request = NULL;
	if (session_has_room(session, 0))
		request = request_new(session, call);
	if (!request) {
		errand_free(errand);
		if (!session_has_room(session, 0))
			return METHOD_FULL;
		error_set(ret_error, ERR_INTERNAL, "out of memory");
		return METHOD_ERROR;
	}
	request->pool = pool;
	request->known = known;
	request->errand = errand;
	request->round = server->reload.begun + 1;
	TAILQ_INSERT_TAIL(&server->waiting, request, wait);
	if (!errand)
		request_arm(request, server->config->job.timeout);
	if (known(request))
		request_free(request);
	return METHOD_LATER;
}

/* ---- methods ---- */

static enum method_code method_ping(struct session *session, struct rpc_call *call, struct buf *out,
				    struct error *ret_error)
{
	struct params params;
	(void)session;
	if (params_read(call->params, 0, &params, ret_error) < 0)
		return METHOD_ERROR;
	buf_put_string(out, "\"result\":{");
	print_bool_member(out, "pong", true);
	print_text_member(out, "version", text_of(PACKAGE_VERSION));
	print_end(out, '}');
	return METHOD_REPLIED;
}

/* A reload that was begun before this call may have read the file too early: then it waits for one
 * more. */
static bool reload_known(struct request *request)
{
	struct server *server = request->server;
	struct reload *reload = &server->reload;
	if (reload->ended < request->round && reload->begun == reload->ended)
		reload_start(server);
	if (reload->ended < request->round)
		return false;
	struct buf *out = session_reply(request->session);
	if (!out)
		return true;
	if (reload->reason[0]) {
		struct error error;
		error_set(&error, ERR_RELOAD_FAILED, "nothing was changed: %s", reload->reason);
		rpc_put_error_reply(out, &request->id, &error);
	} else {
		rpc_begin_reply(out, &request->id);
		buf_put_string(out, "\"result\":{");
		print_bool_member(out, "reloaded", true);
		print_uint_member(out, "puzzles", server->config->puzzle_count);
		print_end(out, '}');
		rpc_end_reply(out);
	}
	return true;
}

static enum method_code method_reload(struct session *session, struct rpc_call *call,
				      struct buf *out, struct error *ret_error)
{
	struct params params;
	(void)out;
	if (params_read(call->params, 0, &params, ret_error) < 0)
		return METHOD_ERROR;
	return methods_wait(session, call, NULL, reload_known, NULL, ret_error);
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
	buf_put_string(out, "\"result\":{");
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
	bool admin;        /* only for root and the daemon's own user */
} methods[] = {
	{.name = "solve", .run = method_solve},
	{.name = "verify", .run = method_verify},
	{.name = "generate", .run = method_generate},
	{.name = "list", .run = method_list},
	{.name = "describe", .run = method_describe},
	{.name = "status", .run = method_status},
	{.name = "metrics", .run = method_metrics},
	{.name = "tables", .run = method_tables},
	{.name = "build_table", .run = method_build_table, .admin = true},
	{.name = "verify_table", .run = method_verify_table, .admin = true},
	{.name = "ping", .run = method_ping},
	{.name = "reload", .run = method_reload, .admin = true},
	{.name = "cancel", .run = method_cancel, .notification = true},
};

enum { METHODS = sizeof(methods) / sizeof(methods[0]) };

void methods_print(FILE *out)
{
	for (size_t i = 0; i < METHODS; i++)
		fprintf(out, "%s\t%s\n", methods[i].name, methods[i].admin ? "admin" : "all");
}

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
	if (method->admin && !session->admin) {
		error_set(ret_error, ERR_FORBIDDEN,
			  "\"%s\" is for root and for the daemon's own user", method->name);
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
