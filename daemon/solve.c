/* SPDX-License-Identifier: MIT */
/* solve: the methods that make jobs: admission, and the cutting of many boards into slices. */
#include "common/limits.h"
#include "daemon/methods.h"
#include "daemon/params.h"
#include "daemon/pool.h"
#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/session.h"

#include <stdlib.h>

/* A user may be owed as much as this many sessions at their limit. */
enum { USER_REPLIES = 4 };

/* A request in the making, and the slice that is being filled. */
struct draft {
	struct request *request;
	struct wire_job spec; /* what its jobs have in common */
	struct job_head *head;
	struct buf boards; /* of the slice */
	uint32_t first;    /* index of its first board */
	uint32_t count;    /* boards in it */
	struct job_list jobs;
};

/* Adds a job of the next `count` boards; `head` NULL: one that no worker gets to see. */
static struct job *add_job(struct draft *draft, struct job_head *head, uint32_t count)
{
	struct job *job = draft->boards.failed ? NULL
					       : job_new(draft->request, head, draft->first, count,
							 buf_text(&draft->boards));
	if (job)
		TAILQ_INSERT_TAIL(&draft->jobs, job, part);
	return job;
}

static int close_slice(struct draft *draft)
{
	if (draft->count == 0)
		return 0;
	if (!draft->head && !(draft->head = job_head_new(&draft->spec)))
		return -1;
	if (!add_job(draft, draft->head, draft->count))
		return -1;
	draft->first += draft->count;
	draft->count = 0;
	buf_clear(&draft->boards);
	return 0;
}

static int add_board(struct draft *draft, struct text board)
{
	wire_put_board(&draft->boards, board);
	return ++draft->count == LIMIT_SLICE ? close_slice(draft) : 0;
}

/* Boards that are wrong before any plugin sees them: a part of their own, which is answered
 * already. */
static int add_wrong_board(struct draft *draft, const struct error *error)
{
	if (close_slice(draft) < 0)
		return -1;
	struct job *job = TAILQ_LAST(&draft->jobs, job_list);
	if (!job || job->state != JOB_ANSWERED) {
		job = add_job(draft, NULL, 0);
		if (!job)
			return -1;
		job_event(job, JOB_STOP);
	}
	answer_put_error(job, error);
	job->done = ++job->count;
	draft->first++;
	return 0;
}

static int add_boards(struct draft *draft, const struct params *params, struct error *ret_error)
{
	struct buf store = {0};
	struct text board;
	int code = 0;
	if (draft->spec.op == WIRE_GENERATE) {
		code = add_board(draft, text_of(""));
	} else if (!params->boards) {
		code = params_board(params->board, "\"board\"", &store, &board, ret_error);
		if (code < 0) {
			buf_free(&store);
			return -1;
		}
		code = add_board(draft, board);
	} else {
		size_t i;
		json_t *json;
		json_array_foreach (params->boards, i, json) {
			struct error error;
			if (params_board(json, "the board", &store, &board, &error) == 0)
				code = add_board(draft, board);
			else
				code = add_wrong_board(draft, &error);
			if (code < 0)
				break;
		}
	}
	if (code == 0)
		code = close_slice(draft);
	buf_free(&store);
	if (code < 0)
		error_set(ret_error, ERR_INTERNAL, "out of memory");
	return code;
}

static void fill_spec(struct wire_job *spec, const struct params *params, enum wire_op op)
{
	*spec = (struct wire_job){
		.op = op,
		.flags = (params->trace ? WIRE_TRACE : 0u) | (params->render ? WIRE_RENDER : 0u) |
			 (params->progress ? WIRE_REPORT : 0u) |
			 (params->iterations ? WIRE_ITERATIONS : 0u),
		.algorithm = params->algorithm,
		.heuristic = params->heuristic,
		.notation = params->notation,
		.max_length = params->max_length,
		.max_cost = params->max_cost,
		.length = params->length,
		.option_count = params->option_count,
	};
	memcpy(spec->options, params->options, params->option_count * sizeof(params->options[0]));
}

/* What is wrong with the call as a whole, beyond single parameters' types. */
static int check(const struct params *params, enum wire_op op, const struct config *config,
		 struct error *ret_error)
{
	if (op == WIRE_GENERATE)
		return 0;
	if (!params->board == !params->boards)
		return error_set(ret_error, ERR_INVALID_PARAMS,
				 op == WIRE_SOLVE ? "give either \"board\" or \"boards\""
						  : "\"board\" is missing");
	if (params->boards && !json_is_array(params->boards))
		return error_set(ret_error, ERR_INVALID_PARAMS,
				 "\"boards\" must be an array of boards");
	if (params->boards && json_array_size(params->boards) > config->max_boards)
		return error_set(ret_error, ERR_INVALID_PARAMS,
				 "\"boards\" are %zu; at most %u may be in one request",
				 json_array_size(params->boards), config->max_boards);
	if (op == WIRE_VERIFY && !params->moves)
		return error_set(ret_error, ERR_INVALID_PARAMS, "\"moves\" is missing");
	return 0;
}

/*
 * Whether there is room for it now.  The answer's bytes are reserved by the most that they can be;
 * one request alone is always admitted, unless it alone is too much.
 */
static enum method_code admit(struct session *session, const struct pool *pool, uint32_t boards,
			      uint32_t flags, uint64_t *ret_bytes, struct error *ret_error)
{
	const struct config *config = session->server->config;
	uint64_t each = puzzle_answer_max(pool->puzzle, flags);
	*ret_bytes = each * boards;
	if (session->server->stopping_now) {
		error_set(ret_error, ERR_SHUTTING_DOWN, "the daemon is stopping");
		return METHOD_ERROR;
	}
	/* How much an answer takes is known once a worker has told; until then only what is surely
	 * small is let in. */
	if (!methods_settled(pool) && *ret_bytes > config->max_reply)
		return METHOD_FULL;
	if (boards > 1 && pool->puzzle && *ret_bytes > config->max_reply) {
		error_set(ret_error, ERR_INVALID_PARAMS,
			  "the answer could take %llu bytes; send at most %llu boards in one such "
			  "request",
			  (unsigned long long)*ret_bytes,
			  (unsigned long long)(config->max_reply / each));
		return METHOD_ERROR;
	}
	if (!session_has_room(session, *ret_bytes))
		return METHOD_FULL;
	const struct user *user = session_user(session);
	if (user->in_flight >= config->max_user_jobs) {
		error_set(ret_error, ERR_QUOTA, "user %u has %u requests in flight already",
			  (unsigned)user->uid, user->in_flight);
		return METHOD_ERROR;
	}
	if (user->in_flight && user->reserved + *ret_bytes > USER_REPLIES * config->max_reply) {
		error_set(ret_error, ERR_QUOTA,
			  "the answers that user %u waits for could take %llu bytes already",
			  (unsigned)user->uid, (unsigned long long)user->reserved);
		return METHOD_ERROR;
	}
	if (server_waiting_boards(session->server) + boards > config->max_queue) {
		error_set(ret_error, ERR_BUSY, "%u boards are waiting already; try again later",
			  config->max_queue);
		return METHOD_ERROR;
	}
	return METHOD_REPLIED;
}

static void drop_jobs(struct job_list *jobs)
{
	struct job *job;
	while ((job = TAILQ_FIRST(jobs))) {
		TAILQ_REMOVE(jobs, job, part);
		job_free(job);
	}
}

/* Hands all parts over.  From here on the request answers by itself. */
static void submit(struct draft *draft, struct pool *pool, int64_t timeout_ms)
{
	struct request *request = draft->request;
	struct job *job;
	request->open++; /* until all parts are in */
	while ((job = TAILQ_FIRST(&draft->jobs))) {
		TAILQ_REMOVE(&draft->jobs, job, part);
		request_add(request, job);
	}
	request_arm(request, timeout_ms);
	TAILQ_FOREACH (job, &request->parts, part) {
		if (job->state == JOB_ANSWERED) {
			request->open--;
		} else if (pool_submit(pool, job) < 0) {
			struct error error;
			error_set(&error, ERR_INTERNAL, "out of memory");
			pool_job_event(pool, job, JOB_STOP, &error);
		}
	}
	request_job_done(request);
	pool_dispatch(pool);
}

static enum method_code make(struct session *session, struct rpc_call *call, enum wire_op op,
			     unsigned methods, struct error *ret_error)
{
	struct server *server = session->server;
	struct params params;
	struct draft draft = {0};
	struct buf goal = {0}, moves = {0};
	uint64_t bytes = 0;
	enum method_code code = METHOD_ERROR;
	TAILQ_INIT(&draft.jobs);
	if (params_read(call->params, methods, &params, ret_error) < 0)
		return METHOD_ERROR;
	struct pool *pool = methods_pool(server, params.puzzle, ret_error);
	if (!pool || check(&params, op, server->config, ret_error) < 0)
		return METHOD_ERROR;
	uint32_t boards = params.boards ? (uint32_t)json_array_size(params.boards) : 1;
	fill_spec(&draft.spec, &params, op);
	code = admit(session, pool, boards, draft.spec.flags, &bytes, ret_error);
	if (code != METHOD_REPLIED)
		return code;
	code = METHOD_ERROR;
	draft.request = request_new(session, call);
	if (!draft.request) {
		error_set(ret_error, ERR_INTERNAL, "out of memory");
		return METHOD_ERROR;
	}
	draft.request->pool = pool;
	draft.request->op = op;
	draft.request->flags = draft.spec.flags;
	draft.request->many = params.boards != NULL;
	draft.request->report = params.progress;
	draft.request->boards = boards;
	draft.request->reserved = bytes;
	session->reserved += bytes;
	session_user(session)->reserved += bytes;
	draft.request->seed = draft.spec.seed =
		params.seed >= 0 ? (uint64_t)params.seed : server_random(server);
	if (params.goal &&
	    params_board(params.goal, "\"goal\"", &goal, &draft.spec.goal, ret_error) < 0)
		goto out;
	if (params.moves && params_moves(params.moves, &moves, ret_error) < 0)
		goto out;
	draft.spec.moves = params.moves ? buf_text(&moves) : (struct text){NULL, 0};
	if (add_boards(&draft, &params, ret_error) < 0)
		goto out;
	int64_t timeout = pool->config->job.timeout;
	submit(&draft, pool,
	       params.timeout_ms >= 0 && params.timeout_ms < timeout ? params.timeout_ms : timeout);
	draft.request = NULL;
	code = METHOD_LATER;
out:
	buf_free(&goal);
	buf_free(&moves);
	buf_free(&draft.boards);
	job_head_drop(draft.head);
	drop_jobs(&draft.jobs);
	if (draft.request) {
		/* The reply is an error, and needs the id. */
		call->id = draft.request->id;
		draft.request->id = (struct rpc_id){0};
		request_free(draft.request);
	}
	return code;
}

enum method_code method_solve(struct session *session, struct rpc_call *call, struct buf *out,
			      struct error *ret_error)
{
	(void)out;
	return make(session, call, WIRE_SOLVE, FOR_SOLVE, ret_error);
}

enum method_code method_verify(struct session *session, struct rpc_call *call, struct buf *out,
			       struct error *ret_error)
{
	(void)out;
	return make(session, call, WIRE_VERIFY, FOR_VERIFY, ret_error);
}

enum method_code method_generate(struct session *session, struct rpc_call *call, struct buf *out,
				 struct error *ret_error)
{
	(void)out;
	return make(session, call, WIRE_GENERATE, FOR_GENERATE, ret_error);
}
