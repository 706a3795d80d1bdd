/* SPDX-License-Identifier: MIT */
/* answer: one board's result, from the wire's form to JSON. */
#include "common/limits.h"
#include "daemon/pool.h"
#include "daemon/print.h"
#include "daemon/request.h"
#include "daemon/rpc.h"

#include <errno.h>

/* A single board's answer is a member of the reply, one of several an element of an array. */
static void begin(struct buf *out, const struct request *request)
{
	if (!request->many)
		print_name(out, "result");
	buf_put(out, "{", 1);
	if (!request->many)
		print_text_member(out, "puzzle", text_of(request->pool->config->name));
}

static void end(struct buf *out)
{
	print_end(out, '}');
	buf_put(out, ",", 1);
}

void answer_put_error(struct job *job, const struct error *error)
{
	struct buf *out = &job->answer;
	if (job->request->many)
		buf_put(out, "{", 1);
	print_name(out, "error");
	rpc_put_error(out, error);
	if (job->request->many)
		buf_put(out, "}", 1);
	buf_put(out, ",", 1);
	job->request->pool->tally->failed[error->kind]++;
}

static int print_path(struct buf *out, const struct puzzle *puzzle,
		      const struct wire_result *result)
{
	const struct wire_hello *hello = &puzzle->hello;
	const struct text *names = puzzle->moves + (size_t)result->notation * hello->move_count;
	print_name(out, "moves");
	buf_put(out, "[", 1);
	for (uint32_t i = 0; i < result->length; i++) {
		uint16_t id;
		memcpy(&id, result->path + i * sizeof(id), sizeof(id));
		if (id >= hello->move_count || !names[id].data)
			return -EPROTO;
		buf_put_text(out, names[id]);
	}
	print_end(out, ']');
	buf_put(out, ",", 1);
	return 0;
}

static void print_boards(struct buf *out, const char *name, struct text boards)
{
	if (!boards.data)
		return;
	print_name(out, name);
	buf_put(out, "[", 1);
	while (boards.len) {
		print_string(out, wire_board_next(&boards));
		buf_put(out, ",", 1);
	}
	print_end(out, ']');
	buf_put(out, ",", 1);
}

static void print_stats(struct buf *out, const struct wire_hello *hello,
			const struct wire_result *result)
{
	print_name(out, "stats");
	buf_put(out, "{", 1);
	print_text_member(out, "algorithm", hello->algorithms[result->algorithm]);
	if (result->heuristic < hello->heuristic_count)
		print_text_member(out, "heuristic", hello->heuristics[result->heuristic]);
	print_uint_member(out, "expanded", result->expanded);
	print_uint_member(out, "generated", result->generated);
	if (result->memory)
		print_uint_member(out, "memory", result->memory);
	print_uint_member(out, "elapsed_us", result->elapsed_ns / 1000);
	if (result->iteration_count) {
		print_name(out, "iterations");
		buf_put(out, "[", 1);
		for (uint32_t i = 0; i < result->iteration_count; i++) {
			struct wire_iteration one;
			memcpy(&one, result->iterations + i * sizeof(one), sizeof(one));
			buf_put(out, "{", 1);
			print_uint_member(out, "bound", one.bound);
			print_uint_member(out, "expanded", one.expanded);
			print_end(out, '}');
			buf_put(out, ",", 1);
		}
		print_end(out, ']');
		buf_put(out, ",", 1);
	}
	print_end(out, '}');
	buf_put(out, ",", 1);
}

static int put_solved(struct job *job, const struct puzzle *puzzle,
		      const struct wire_result *result)
{
	static const char *const status[] = {[WIRE_SOLVED] = "solved",
					     [WIRE_UNSOLVABLE] = "unsolvable",
					     [WIRE_LIMITED] = "limit"};
	struct buf *out = &job->answer;
	begin(out, job->request);
	print_text_member(out, "status", text_of(status[result->status]));
	if (result->status == WIRE_SOLVED) {
		print_uint_member(out, "length", result->length);
		print_uint_member(out, "cost", result->cost);
		if (print_path(out, puzzle, result) < 0)
			return -EPROTO;
		print_text_member(out, "final", result->final);
	} else if (result->status == WIRE_LIMITED) {
		print_uint_member(out, "lower_bound", result->lower_bound);
	}
	print_boards(out, "trace", result->trace);
	print_boards(out, "render", result->render);
	print_stats(out, &puzzle->hello, result);
	end(out);
	return 0;
}

static void put_verified(struct job *job, const struct wire_result *result)
{
	struct buf *out = &job->answer;
	begin(out, job->request);
	print_bool_member(out, "valid", result->valid & 1);
	print_bool_member(out, "solved", (result->valid & 3) == 3);
	print_uint_member(out, "length", result->length);
	print_uint_member(out, "cost", result->cost);
	print_text_member(out, "final", result->final);
	if (result->reason.len)
		print_text_member(out, "reason", result->reason);
	print_boards(out, "trace", result->trace);
	print_boards(out, "render", result->render);
	end(out);
}

static void put_generated(struct job *job, const struct wire_result *result)
{
	struct buf *out = &job->answer;
	begin(out, job->request);
	print_text_member(out, "board", result->final);
	print_uint_member(out, "seed", job->request->seed);
	print_boards(out, "render", result->render);
	end(out);
}

static void put_stopped(struct job *job, const struct wire_result *result)
{
	struct error error = job->request->why;
	if (error.kind == ERR_NONE)
		error_set(&error, ERR_PLUGIN_FAILED, "the plugin stopped without being told to");
	if (error.kind == ERR_TIMEOUT && result->lower_bound > 0)
		error_set_bound(&error, result->lower_bound);
	answer_put_error(job, &error);
}

static void put_failed(struct job *job, const struct wire_result *result)
{
	struct error error;
	error_set(&error, (enum error_kind)result->error, "%.*s", (int)result->reason.len,
		  result->reason.data ? result->reason.data : "");
	error.position = (int64_t)result->position;
	if (error.kind == ERR_MEMORY_LIMIT && result->lower_bound)
		error_set_bound(&error, result->lower_bound);
	answer_put_error(job, &error);
}

/*
 * Whether the result holds nothing but what was asked for, and no more of it than the puzzle can
 * have: room for that was set aside when the request was let in.
 */
static bool is_within_request(const struct job *job, const struct wire_hello *hello,
			      const struct wire_result *result)
{
	const struct request *request = job->request;
	uint64_t boards = (uint64_t)result->length + 1;
	if ((result->trace.data && !(request->flags & WIRE_TRACE)) ||
	    (result->render.data && !(request->flags & WIRE_RENDER)) ||
	    (result->iteration_count && !(request->flags & WIRE_ITERATIONS)))
		return false;
	if (request->op == WIRE_SOLVE && result->length > hello->path_max)
		return false;
	return result->final.len <= hello->board_max &&
	       result->trace.len <= boards * (hello->board_max + sizeof(uint32_t));
}

int answer_put(struct job *job, const struct wire_result *result)
{
	struct pool *pool = job->request->pool;
	const struct puzzle *puzzle = job->worker->puzzle;
	if (result->notation >= puzzle->hello.notation_count ||
	    result->algorithm >= puzzle->hello.algorithm_count ||
	    !is_within_request(job, &puzzle->hello, result))
		return -EPROTO;
	switch (result->status) {
	case WIRE_STOPPED:
		put_stopped(job, result);
		return 0;
	case WIRE_FAILED:
		put_failed(job, result);
		return 0;
	default:
		break;
	}
	switch (job->request->op) {
	case WIRE_VERIFY:
		put_verified(job, result);
		break;
	case WIRE_GENERATE:
		put_generated(job, result);
		break;
	default:
		if (put_solved(job, puzzle, result) < 0)
			return -EPROTO;
		break;
	}
	pool->tally->boards[result->status]++;
	return 0;
}
