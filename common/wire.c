/* SPDX-License-Identifier: MIT */
#include "common/wire.h"

#include <errno.h>

enum {
	MAX_PATH_TEXT = 4096,      /* a file's path */
	MAX_SENTENCE = 4096,       /* a summary, a syntax, a reason, a log line */
	MAX_NAMES = 1024 * 1024,   /* the names of all moves in all notations */
	MAX_DRAWN = LIMIT_FRAME_UP /* the boards on the way of one solution */
};

static int verdict(const struct cursor *cursor)
{
	return cursor_done(cursor) ? 0 : -EPROTO;
}

/* ---- lists ---- */

static void put_texts(struct buf *out, const struct text *texts, uint32_t count)
{
	put_u32(out, count);
	for (uint32_t i = 0; i < count; i++)
		put_text(out, texts[i]);
}

static uint32_t get_texts(struct cursor *in, struct text *ret_texts)
{
	uint32_t count = get_count(in, WIRE_LIST_MAX);
	for (uint32_t i = 0; i < count; i++)
		ret_texts[i] = get_text(in, MAX_SENTENCE);
	return count;
}

static void put_options(struct buf *out, const struct wire_option *options, uint32_t count)
{
	put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		put_text(out, options[i].name);
		put_text(out, options[i].value);
		put_u8(out, options[i].form);
	}
}

static uint32_t get_options(struct cursor *in, struct wire_option *ret_options, uint32_t max)
{
	uint32_t count = get_count(in, max);
	for (uint32_t i = 0; i < count; i++) {
		ret_options[i].name = get_text(in, LIMIT_OPTION);
		ret_options[i].value = get_text(in, LIMIT_BOARD);
		ret_options[i].form = get_u8(in);
	}
	return count;
}

/* Takes one text off the front of a run of them; past the end, or where it is broken, one not
 * given. */
static struct text next_text(struct text *run)
{
	struct cursor in = cursor_of(*run);
	struct text text = get_text(&in, run->len);
	if (in.bad)
		*run = (struct text){NULL, 0};
	else
		*run = (struct text){in.at, (size_t)(in.end - in.at)};
	return text;
}

/* Whether `run` is just `count` texts of at most `max` bytes, none (where `given`) left out. */
static bool is_run(struct text run, uint64_t count, size_t max, bool given)
{
	struct cursor in = cursor_of(run);
	for (uint64_t i = 0; i < count && !in.bad; i++)
		if (!get_text(&in, max).data && given)
			return false;
	return cursor_done(&in);
}

/* ---- SETUP ---- */

void wire_put_setup(struct buf *out, const struct wire_setup *setup)
{
	size_t start = frame_begin(out, WIRE_SETUP);
	put_u32(out, setup->version);
	put_text(out, setup->puzzle);
	put_text(out, setup->plugin);
	put_text(out, setup->table_dir);
	put_text(out, setup->goal);
	put_u64(out, setup->memory);
	put_u8(out, setup->sandbox);
	put_u32(out, setup->task);
	put_text(out, setup->table);
	put_options(out, setup->options, setup->option_count);
	frame_end(out, start);
}

int wire_get_setup(struct text payload, struct wire_setup *ret)
{
	struct cursor in = cursor_of(payload);
	ret->version = get_u32(&in);
	ret->puzzle = get_text(&in, LIMIT_NAME);
	ret->plugin = get_text(&in, MAX_PATH_TEXT);
	ret->table_dir = get_text(&in, MAX_PATH_TEXT);
	ret->goal = get_text(&in, LIMIT_BOARD);
	ret->memory = get_u64(&in);
	ret->sandbox = get_u8(&in) != 0;
	ret->task = get_u32(&in);
	ret->table = get_text(&in, LIMIT_NAME);
	ret->option_count = get_options(&in, ret->options, WIRE_LIST_MAX);
	return verdict(&in);
}

/* ---- HELLO ---- */

static void put_schema(struct buf *out, const struct wire_schema *schema)
{
	put_text(out, schema->name);
	put_text(out, schema->type);
	put_text(out, schema->fallback);
	put_text(out, schema->help);
	put_u32(out, schema->scope);
	put_u64(out, (uint64_t)schema->min);
	put_u64(out, (uint64_t)schema->max);
	put_texts(out, schema->choices, schema->choice_count);
}

static void get_schema(struct cursor *in, struct wire_schema *ret)
{
	ret->name = get_text(in, LIMIT_NAME);
	ret->type = get_text(in, LIMIT_NAME);
	ret->fallback = get_text(in, MAX_SENTENCE);
	ret->help = get_text(in, MAX_SENTENCE);
	ret->scope = get_u32(in);
	ret->min = (int64_t)get_u64(in);
	ret->max = (int64_t)get_u64(in);
	ret->choice_count = get_texts(in, ret->choices);
}

void wire_put_hello(struct buf *out, const struct wire_hello *hello)
{
	size_t start = frame_begin(out, WIRE_HELLO);
	put_u32(out, hello->version);
	put_text(out, hello->plugin_name);
	put_text(out, hello->plugin_version);
	put_text(out, hello->summary);
	put_text(out, hello->syntax);
	put_text(out, hello->example);
	put_text(out, hello->goal);
	put_u32(out, hello->path_max);
	put_u32(out, hello->board_max);
	put_u32(out, hello->confined);
	put_u8(out, hello->unit_cost);
	put_u8(out, hello->can_generate);
	put_u8(out, hello->can_render);
	put_texts(out, hello->algorithms, hello->algorithm_count);
	put_texts(out, hello->heuristics, hello->heuristic_count);
	put_texts(out, hello->notations, hello->notation_count);
	put_u32(out, hello->option_count);
	for (uint32_t i = 0; i < hello->option_count; i++)
		put_schema(out, &hello->options[i]);
	put_u32(out, hello->table_count);
	for (uint32_t i = 0; i < hello->table_count; i++) {
		put_text(out, hello->tables[i].name);
		put_text(out, hello->tables[i].help);
		put_u64(out, hello->tables[i].bytes);
		put_u8(out, hello->tables[i].ready);
	}
	put_u32(out, hello->move_count);
	put_text(out, hello->names);
	frame_end(out, start);
}

int wire_get_hello(struct text payload, struct wire_hello *ret)
{
	struct cursor in = cursor_of(payload);
	ret->version = get_u32(&in);
	ret->plugin_name = get_text(&in, LIMIT_NAME);
	ret->plugin_version = get_text(&in, LIMIT_NAME);
	ret->summary = get_text(&in, MAX_SENTENCE);
	ret->syntax = get_text(&in, MAX_SENTENCE);
	ret->example = get_text(&in, LIMIT_BOARD);
	ret->goal = get_text(&in, LIMIT_BOARD);
	ret->path_max = get_count(&in, LIMIT_PATH);
	ret->board_max = get_count(&in, LIMIT_BOARD);
	ret->confined = get_u32(&in);
	ret->unit_cost = get_u8(&in) != 0;
	ret->can_generate = get_u8(&in) != 0;
	ret->can_render = get_u8(&in) != 0;
	ret->algorithm_count = get_texts(&in, ret->algorithms);
	ret->heuristic_count = get_texts(&in, ret->heuristics);
	ret->notation_count = get_texts(&in, ret->notations);
	ret->option_count = get_count(&in, WIRE_LIST_MAX);
	for (uint32_t i = 0; i < ret->option_count; i++)
		get_schema(&in, &ret->options[i]);
	ret->table_count = get_count(&in, WIRE_LIST_MAX);
	for (uint32_t i = 0; i < ret->table_count; i++) {
		ret->tables[i].name = get_text(&in, LIMIT_NAME);
		ret->tables[i].help = get_text(&in, MAX_SENTENCE);
		ret->tables[i].bytes = get_u64(&in);
		ret->tables[i].ready = get_u8(&in) != 0;
	}
	ret->move_count = get_count(&in, WIRE_MOVES_MAX);
	ret->names = get_text(&in, MAX_NAMES);
	if (verdict(&in) < 0 || ret->algorithm_count == 0 || ret->notation_count == 0 ||
	    !is_run(ret->names, (uint64_t)ret->move_count * ret->notation_count, LIMIT_NAME, false))
		return -EPROTO;
	return 0;
}

struct text wire_name_next(struct text *names)
{
	return next_text(names);
}

/* ---- REFUSED ---- */

void wire_put_refused(struct buf *out, const struct wire_refused *refused)
{
	size_t start = frame_begin(out, WIRE_REFUSED);
	put_text(out, refused->option);
	put_text(out, refused->reason);
	frame_end(out, start);
}

int wire_get_refused(struct text payload, struct wire_refused *ret)
{
	struct cursor in = cursor_of(payload);
	ret->option = get_text(&in, LIMIT_OPTION);
	ret->reason = get_text(&in, MAX_SENTENCE);
	return verdict(&in);
}

/* ---- JOB ---- */

void wire_put_job_head(struct buf *out, const struct wire_job *job)
{
	put_u32(out, job->op);
	put_u32(out, job->flags);
	put_text(out, job->algorithm);
	put_text(out, job->heuristic);
	put_text(out, job->notation);
	put_text(out, job->goal);
	put_u64(out, (uint64_t)job->max_length);
	put_u64(out, (uint64_t)job->max_cost);
	put_u64(out, job->seed);
	put_u64(out, (uint64_t)job->length);
	put_options(out, job->options, job->option_count);
	put_text(out, job->moves);
}

static size_t begin_job(struct buf *out, uint64_t id, uint32_t search_ms)
{
	size_t start = frame_begin(out, WIRE_JOB);
	put_u64(out, id);
	put_u32(out, search_ms);
	return start;
}

static void end_job(struct buf *out, size_t start, uint32_t board_count, struct text boards)
{
	put_u32(out, board_count);
	put_text(out, boards);
	frame_end(out, start);
}

void wire_put_job_of(struct buf *out, struct text head, uint64_t id, uint32_t search_ms,
		     uint32_t board_count, struct text boards)
{
	size_t start = begin_job(out, id, search_ms);
	buf_put_text(out, head);
	end_job(out, start, board_count, boards);
}

void wire_put_job(struct buf *out, const struct wire_job *job)
{
	size_t start = begin_job(out, job->id, job->search_ms);
	wire_put_job_head(out, job);
	end_job(out, start, job->board_count, job->boards);
}

int wire_get_job(struct text payload, struct wire_job *ret)
{
	struct cursor in = cursor_of(payload);
	ret->id = get_u64(&in);
	ret->search_ms = get_u32(&in);
	ret->op = get_u32(&in);
	ret->flags = get_u32(&in);
	ret->algorithm = get_text(&in, LIMIT_OPTION);
	ret->heuristic = get_text(&in, LIMIT_OPTION);
	ret->notation = get_text(&in, LIMIT_OPTION);
	ret->goal = get_text(&in, LIMIT_BOARD);
	ret->max_length = (int64_t)get_u64(&in);
	ret->max_cost = (int64_t)get_u64(&in);
	ret->seed = get_u64(&in);
	ret->length = (int64_t)get_u64(&in);
	ret->option_count = get_options(&in, ret->options, LIMIT_JOB_OPTIONS);
	ret->moves = get_text(&in, LIMIT_FRAME_DOWN);
	ret->board_count = get_count(&in, LIMIT_SLICE);
	ret->boards = get_text(&in, LIMIT_FRAME_DOWN);
	if (verdict(&in) < 0 || ret->id == 0 || ret->op < WIRE_SOLVE || ret->op > WIRE_GENERATE ||
	    ret->board_count == 0 || !is_run(ret->boards, ret->board_count, LIMIT_BOARD, true))
		return -EPROTO;
	return 0;
}

void wire_put_board(struct buf *boards, struct text board)
{
	put_text(boards, board);
}

struct text wire_board_next(struct text *boards)
{
	return next_text(boards);
}

/* ---- CANCEL, RECALL and ACK ---- */

static void put_number(struct buf *out, enum wire_type type, uint64_t job)
{
	size_t start = frame_begin(out, type);
	put_u64(out, job);
	frame_end(out, start);
}

void wire_put_cancel(struct buf *out, uint64_t job)
{
	put_number(out, WIRE_CANCEL, job);
}

void wire_put_recall(struct buf *out, uint64_t job)
{
	put_number(out, WIRE_RECALL, job);
}

int wire_get_cancel(struct text payload, uint64_t *ret_job)
{
	struct cursor in = cursor_of(payload);
	*ret_job = get_u64(&in);
	return verdict(&in);
}

void wire_put_ack(struct buf *out, uint64_t job, bool began)
{
	size_t start = frame_begin(out, WIRE_ACK);
	put_u64(out, job);
	put_u8(out, began);
	frame_end(out, start);
}

int wire_get_ack(struct text payload, uint64_t *ret_job, bool *ret_began)
{
	struct cursor in = cursor_of(payload);
	*ret_job = get_u64(&in);
	*ret_began = get_u8(&in) != 0;
	return verdict(&in);
}

/* ---- PROGRESS ---- */

void wire_put_progress(struct buf *out, const struct wire_progress *progress)
{
	size_t start = frame_begin(out, WIRE_PROGRESS);
	put_u64(out, progress->job);
	put_u64(out, progress->nodes);
	put_u64(out, progress->bound);
	put_u64(out, progress->elapsed_us);
	put_u32(out, progress->board);
	frame_end(out, start);
}

int wire_get_progress(struct text payload, struct wire_progress *ret)
{
	struct cursor in = cursor_of(payload);
	ret->job = get_u64(&in);
	ret->nodes = get_u64(&in);
	ret->bound = get_u64(&in);
	ret->elapsed_us = get_u64(&in);
	ret->board = get_u32(&in);
	return verdict(&in);
}

/* ---- RESULT ---- */

/* The numbers of a result, in one piece: a board's result is one copy and five short texts. */
struct result_head {
	uint32_t status, error, length, notation, algorithm, heuristic, valid, iteration_count;
	uint64_t cost, lower_bound, expanded, generated, memory, elapsed_ns, position;
};

size_t wire_begin_results(struct buf *out, uint64_t job, uint32_t first)
{
	size_t start = frame_begin(out, WIRE_RESULT);
	put_u64(out, job);
	put_u32(out, first);
	put_u32(out, 0); /* the count: wire_end_results */
	return start;
}

void wire_put_result(struct buf *out, const struct wire_result *result)
{
	struct result_head head = {
		.status = result->status,
		.error = result->error,
		.length = result->length,
		.notation = result->notation,
		.algorithm = result->algorithm,
		.heuristic = result->heuristic,
		.valid = result->valid,
		.iteration_count = result->iteration_count,
		.cost = result->cost,
		.lower_bound = result->lower_bound,
		.expanded = result->expanded,
		.generated = result->generated,
		.memory = result->memory,
		.elapsed_ns = result->elapsed_ns,
		.position = result->position,
	};
	buf_put(out, &head, sizeof(head));
	buf_put(out, result->path, result->path ? result->length * sizeof(uint16_t) : 0);
	buf_put(out, result->iterations, result->iteration_count * sizeof(struct wire_iteration));
	put_text(out, result->final);
	put_text(out, result->trace);
	put_text(out, result->render);
	put_text(out, result->reason);
}

void wire_end_results(struct buf *out, size_t start, uint32_t count)
{
	if (out->failed)
		return;
	size_t at = start + FRAME_HEADER + sizeof(uint64_t) + sizeof(uint32_t);
	memcpy(out->block + out->start + at, &count, sizeof(count));
	frame_end(out, start);
}

int wire_get_results(struct text payload, struct wire_results *ret)
{
	ret->rest = cursor_of(payload);
	ret->job = get_u64(&ret->rest);
	ret->first = get_u32(&ret->rest);
	ret->count = get_count(&ret->rest, LIMIT_SLICE);
	return ret->rest.bad || ret->count == 0 ? -EPROTO : 0;
}

int wire_next_result(struct wire_results *results, struct wire_result *ret)
{
	struct cursor *in = &results->rest;
	struct result_head head;
	const char *bytes = get_bytes(in, sizeof(head));
	if (!bytes)
		return -EPROTO;
	memcpy(&head, bytes, sizeof(head));
	*ret = (struct wire_result){
		.status = head.status,
		.error = head.error,
		.length = head.length,
		.notation = head.notation,
		.algorithm = head.algorithm,
		.heuristic = head.heuristic,
		.valid = head.valid,
		.iteration_count = head.iteration_count,
		.cost = head.cost,
		.lower_bound = head.lower_bound,
		.expanded = head.expanded,
		.generated = head.generated,
		.memory = head.memory,
		.elapsed_ns = head.elapsed_ns,
		.position = head.position,
	};
	if (ret->status >= WIRE_STATUSES || ret->length > LIMIT_PATH ||
	    ret->iteration_count > WIRE_ITERATIONS_MAX)
		return -EPROTO;
	if (ret->status == WIRE_FAILED && (ret->error == ERR_NONE || ret->error >= ERR_KINDS))
		return -EPROTO;
	ret->path = get_bytes(in, ret->length * sizeof(uint16_t));
	ret->iterations = get_bytes(in, ret->iteration_count * sizeof(struct wire_iteration));
	ret->final = get_text(in, LIMIT_BOARD);
	ret->trace = get_text(in, MAX_DRAWN);
	ret->render = get_text(in, MAX_DRAWN);
	ret->reason = get_text(in, MAX_SENTENCE);
	return in->bad ? -EPROTO : 0;
}

/* ---- BUILT ---- */

void wire_put_built(struct buf *out, struct text table)
{
	size_t start = frame_begin(out, WIRE_BUILT);
	put_text(out, table);
	frame_end(out, start);
}

int wire_get_built(struct text payload, struct text *ret_table)
{
	struct cursor in = cursor_of(payload);
	*ret_table = get_text(&in, LIMIT_NAME);
	return verdict(&in);
}

/* ---- LOG ---- */

void wire_put_log(struct buf *out, uint32_t level, struct text line)
{
	size_t start = frame_begin(out, WIRE_LOG);
	put_u32(out, level);
	put_text(out, line);
	frame_end(out, start);
}

int wire_get_log(struct text payload, uint32_t *ret_level, struct text *ret_line)
{
	struct cursor in = cursor_of(payload);
	*ret_level = get_u32(&in);
	*ret_line = get_text(&in, MAX_SENTENCE);
	return verdict(&in);
}
