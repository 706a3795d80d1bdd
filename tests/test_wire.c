/* SPDX-License-Identifier: MIT */
/*
 * wire: every message comes out as it went in; one that is cut, lengthened or spoiled is refused or
 * at least read within its bytes.  Payloads are decoded from blocks of exactly their size, so that
 * a build with AddressSanitizer sees a byte read beyond.
 */
#include "tests/cmocka_first.h"

#include "common/wire.h"

#include <errno.h>
#include <stdlib.h>

static struct text text(const char *string)
{
	return text_of(string);
}

/* ---- one sample of each message, and what decodes it and puts it again --------------------- */

static void sample_options(struct wire_option *options, uint32_t *ret_count)
{
	options[0] = (struct wire_option){text("walls"), text("3"), WIRE_NUMBER};
	options[1] = (struct wire_option){text("name"), text(""), WIRE_TEXT};
	options[2] = (struct wire_option){text("quick"), text("true"), WIRE_BOOLEAN};
	*ret_count = 3;
}

static void put_setup(struct buf *out)
{
	struct wire_setup setup = {.version = WIRE_VERSION,
				   .puzzle = text("8puzzle"),
				   .plugin = text("/lib/8puzzle.so"),
				   .goal = text("123456780"),
				   .memory = UINT64_MAX,
				   .sandbox = true,
				   .task = WIRE_BUILD,
				   .table = text("distances")};
	sample_options(setup.options, &setup.option_count);
	wire_put_setup(out, &setup);
}

static int again_setup(struct text payload, struct buf *out)
{
	struct wire_setup setup;
	if (wire_get_setup(payload, &setup) < 0)
		return -1;
	wire_put_setup(out, &setup);
	return 0;
}

static void put_hello(struct buf *out)
{
	static struct wire_hello hello;
	struct buf names = {0};
	put_text(&names, text("u"));
	put_text(&names, (struct text){NULL, 0});
	put_text(&names, text("up"));
	put_text(&names, text("down"));
	hello = (struct wire_hello){
		.version = WIRE_VERSION,
		.plugin_name = text("8puzzle"),
		.plugin_version = text("1.0"),
		.summary = text("slide"),
		.syntax = text("nine\ncells"),
		.example = text("1"),
		.path_max = LIMIT_PATH,
		.board_max = LIMIT_BOARD,
		.confined = WIRE_CALLS_CONFINED,
		.unit_cost = true,
		.can_render = true,
		.algorithm_count = 2,
		.algorithms = {text("auto"), text("ida")},
		.notation_count = 2,
		.notations = {text("short"), text("long")},
		.option_count = 1,
		.options = {{.name = text("walls"),
			     .type = text("choice"),
			     .fallback = text("no"),
			     .help = text("whether"),
			     .scope = WIRE_OPTION_CONFIG | WIRE_OPTION_JOB,
			     .min = INT64_MIN,
			     .max = INT64_MAX,
			     .choice_count = 2,
			     .choices = {text("no"), text("yes")}}},
		.table_count = 1,
		.tables = {{text("all"), text("all boards"), 17 << 20, true}},
		.move_count = 2,
		.names = buf_text(&names),
	};
	wire_put_hello(out, &hello);
	buf_free(&names);
}

static int again_hello(struct text payload, struct buf *out)
{
	static struct wire_hello hello;
	if (wire_get_hello(payload, &hello) < 0)
		return -1;
	struct text rest = hello.names;
	for (uint32_t i = 0; i < hello.move_count * hello.notation_count; i++)
		wire_name_next(&rest);
	assert_int_equal(rest.len, 0);
	wire_put_hello(out, &hello);
	return 0;
}

static void put_refused(struct buf *out)
{
	wire_put_refused(out, &(struct wire_refused){text("goal"), text("it is none")});
}

static int again_refused(struct text payload, struct buf *out)
{
	struct wire_refused refused;
	if (wire_get_refused(payload, &refused) < 0)
		return -1;
	wire_put_refused(out, &refused);
	return 0;
}

static void put_job(struct buf *out)
{
	struct buf boards = {0};
	wire_put_board(&boards, text("283104765"));
	wire_put_board(&boards, text(""));
	struct wire_job job = {.id = UINT64_MAX,
			       .op = WIRE_VERIFY,
			       .flags = WIRE_TRACE | WIRE_REPORT,
			       .algorithm = text("ida"),
			       .notation = text("tile"),
			       .goal = text("123804765"),
			       .max_length = 15,
			       .max_cost = -1,
			       .seed = 42,
			       .length = -1,
			       .search_ms = 100,
			       .moves = text("u\nd\n"),
			       .board_count = 2,
			       .boards = buf_text(&boards)};
	sample_options(job.options, &job.option_count);
	wire_put_job(out, &job);
	buf_free(&boards);
}

static int again_job(struct text payload, struct buf *out)
{
	struct wire_job job;
	if (wire_get_job(payload, &job) < 0)
		return -1;
	struct text rest = job.boards;
	for (uint32_t i = 0; i < job.board_count; i++)
		assert_non_null(wire_board_next(&rest).data);
	assert_int_equal(rest.len, 0);
	wire_put_job(out, &job);
	return 0;
}

static void put_cancel(struct buf *out)
{
	wire_put_cancel(out, 0x0102030405060708);
}

static int again_cancel(struct text payload, struct buf *out)
{
	uint64_t job;
	if (wire_get_cancel(payload, &job) < 0)
		return -1;
	wire_put_cancel(out, job);
	return 0;
}

static void put_recall(struct buf *out)
{
	wire_put_recall(out, 1);
}

static int again_recall(struct text payload, struct buf *out)
{
	uint64_t job;
	if (wire_get_cancel(payload, &job) < 0)
		return -1;
	wire_put_recall(out, job);
	return 0;
}

static void put_ack(struct buf *out)
{
	wire_put_ack(out, 77, true);
}

static int again_ack(struct text payload, struct buf *out)
{
	uint64_t job;
	bool began;
	if (wire_get_ack(payload, &job, &began) < 0)
		return -1;
	wire_put_ack(out, job, began);
	return 0;
}

static void put_progress(struct buf *out)
{
	wire_put_progress(out, &(struct wire_progress){1, UINT64_MAX, 3, 4, 63});
}

static int again_progress(struct text payload, struct buf *out)
{
	struct wire_progress progress;
	if (wire_get_progress(payload, &progress) < 0)
		return -1;
	wire_put_progress(out, &progress);
	return 0;
}

static void put_log(struct buf *out)
{
	wire_put_log(out, 6, text("a line"));
}

static int again_log(struct text payload, struct buf *out)
{
	uint32_t level;
	struct text line;
	if (wire_get_log(payload, &level, &line) < 0)
		return -1;
	wire_put_log(out, level, line);
	return 0;
}

static void put_built(struct buf *out)
{
	wire_put_built(out, text("distances"));
}

static int again_built(struct text payload, struct buf *out)
{
	struct text table;
	if (wire_get_built(payload, &table) < 0)
		return -1;
	wire_put_built(out, table);
	return 0;
}

static void put_results(struct buf *out)
{
	static const uint16_t path[] = {0, 3, 65535};
	static const struct wire_iteration iterations[] = {{1, 2}, {3, UINT64_MAX}};
	struct buf trace = {0};
	wire_put_board(&trace, text("a"));
	wire_put_board(&trace, text("bc"));
	size_t start = wire_begin_results(out, 9, 60);
	wire_put_result(out, &(struct wire_result){
				     .status = WIRE_SOLVED,
				     .length = 3,
				     .notation = 1,
				     .algorithm = 2,
				     .heuristic = UINT32_MAX,
				     .valid = 3,
				     .iteration_count = 2,
				     .cost = 3,
				     .lower_bound = 4,
				     .expanded = 5,
				     .generated = 6,
				     .memory = 7,
				     .elapsed_ns = 8,
				     .path = (const char *)path,
				     .iterations = (const char *)iterations,
				     .final = text("123456780"),
				     .trace = buf_text(&trace),
				     .render = text(""),
			     });
	wire_put_result(out, &(struct wire_result){.status = WIRE_FAILED,
						   .error = ERR_INVALID_BOARD,
						   .position = 4,
						   .reason = text("no")});
	wire_end_results(out, start, 2);
	buf_free(&trace);
}

static int again_results(struct text payload, struct buf *out)
{
	struct wire_results results;
	if (wire_get_results(payload, &results) < 0)
		return -1;
	size_t start = wire_begin_results(out, results.job, results.first);
	for (uint32_t i = 0; i < results.count; i++) {
		struct wire_result result;
		if (wire_next_result(&results, &result) < 0)
			return -1;
		struct text rest = result.trace;
		while (rest.len)
			wire_board_next(&rest);
		wire_put_result(out, &result);
	}
	if (!cursor_done(&results.rest))
		return -1;
	wire_end_results(out, start, results.count);
	return 0;
}

static const struct message {
	const char *name;
	uint32_t type;
	void (*put)(struct buf *out);
	int (*again)(struct text payload, struct buf *out); /* -1: refused */
} messages[] = {
	{"SETUP", WIRE_SETUP, put_setup, again_setup},
	{"JOB", WIRE_JOB, put_job, again_job},
	{"CANCEL", WIRE_CANCEL, put_cancel, again_cancel},
	{"RECALL", WIRE_RECALL, put_recall, again_recall},
	{"HELLO", WIRE_HELLO, put_hello, again_hello},
	{"REFUSED", WIRE_REFUSED, put_refused, again_refused},
	{"RESULT", WIRE_RESULT, put_results, again_results},
	{"ACK", WIRE_ACK, put_ack, again_ack},
	{"PROGRESS", WIRE_PROGRESS, put_progress, again_progress},
	{"BUILT", WIRE_BUILT, put_built, again_built},
	{"LOG", WIRE_LOG, put_log, again_log},
};
enum { MESSAGES = sizeof(messages) / sizeof(messages[0]) };

/* The message's frame, in *ret_bytes, and its payload, a view into that. */
static struct text payload_of(const struct message *message, struct buf *ret_bytes)
{
	struct frame frame;
	size_t used;
	message->put(ret_bytes);
	assert_false(ret_bytes->failed);
	assert_int_equal(frame_next(buf_text(ret_bytes), LIMIT_FRAME_UP, &frame, &used), 1);
	assert_int_equal(used, buf_len(ret_bytes));
	assert_int_equal(frame.type, message->type);
	return frame.payload;
}

/* Decodes a copy in a block of just its size. */
static int decode_copy(const struct message *message, struct text payload, struct buf *out)
{
	char *block = malloc(payload.len ? payload.len : 1);
	assert_non_null(block);
	memcpy(block, payload.data, payload.len);
	int rc = message->again((struct text){block, payload.len}, out);
	free(block);
	return rc;
}

static void every_message_comes_out_as_it_went_in(void **state)
{
	(void)state;
	for (size_t i = 0; i < MESSAGES; i++) {
		struct buf bytes = {0}, again = {0};
		struct text payload = payload_of(&messages[i], &bytes);
		assert_int_equal(decode_copy(&messages[i], payload, &again), 0);
		assert_int_equal(buf_len(&again), buf_len(&bytes));
		assert_memory_equal(buf_data(&again), buf_data(&bytes), buf_len(&bytes));
		buf_free(&bytes);
		buf_free(&again);
	}
}

static void a_message_that_is_cut_anywhere_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < MESSAGES; i++) {
		struct buf bytes = {0};
		struct text payload = payload_of(&messages[i], &bytes);
		for (size_t len = 0; len < payload.len; len++) {
			struct buf again = {0};
			if (decode_copy(&messages[i], (struct text){payload.data, len}, &again) !=
			    -1)
				fail_msg("%s is taken with %zu of its %zu bytes", messages[i].name,
					 len, payload.len);
			buf_free(&again);
		}
		buf_free(&bytes);
	}
}

static void a_message_with_bytes_after_it_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < MESSAGES; i++) {
		struct buf bytes = {0}, again = {0};
		size_t len = payload_of(&messages[i], &bytes).len;
		buf_put(&bytes, "", 1);
		struct text longer = {buf_data(&bytes) + FRAME_HEADER, len + 1};
		assert_int_equal(decode_copy(&messages[i], longer, &again), -1);
		buf_free(&bytes);
		buf_free(&again);
	}
}

/* A spoiled message is refused, or is another message: then putting that again gives one that
 * decodes. */
static void a_spoiled_message_is_read_within_its_bytes(void **state)
{
	enum { ROUNDS = 20000 };
	static const unsigned char favourites[] = {0, 1, 0x7f, 0x80, 0xff};
	(void)state;
	srand(1);
	for (size_t i = 0; i < MESSAGES; i++) {
		struct buf bytes = {0};
		struct text payload = payload_of(&messages[i], &bytes);
		char *spoiled = malloc(payload.len);
		assert_non_null(spoiled);
		for (int round = 0; round < ROUNDS; round++) {
			struct buf again = {0}, third = {0};
			memcpy(spoiled, payload.data, payload.len);
			for (int hits = rand() % 4; hits >= 0; hits--)
				spoiled[(size_t)rand() % payload.len] =
					(char)(rand() % 2 ? rand() : favourites[rand() % 5]);
			if (messages[i].again((struct text){spoiled, payload.len}, &again) == 0) {
				struct text second = {buf_data(&again) + FRAME_HEADER,
						      buf_len(&again) - FRAME_HEADER};
				assert_int_equal(messages[i].again(second, &third), 0);
			}
			buf_free(&again);
			buf_free(&third);
		}
		free(spoiled);
		buf_free(&bytes);
	}
}

/* ---- bounds -------------------------------------------------------------------------------- */

static void a_job_has_boards_an_operation_and_a_number(void **state)
{
	struct buf boards = {0};
	(void)state;
	wire_put_board(&boards, text("1"));
	const struct wire_job good = {
		.id = 1, .op = WIRE_SOLVE, .board_count = 1, .boards = buf_text(&boards)};
	for (int fault = 0; fault < 7; fault++) {
		struct wire_job job = good, got;
		struct buf out = {0};
		job.id = fault == 1 ? 0 : 1;
		job.op = fault == 2 ? 0 : fault == 3 ? WIRE_GENERATE + 1 : WIRE_SOLVE;
		job.board_count = fault == 4 ? 0 : fault == 5 ? 2 : fault == 6 ? UINT32_MAX : 1;
		wire_put_job(&out, &job);
		struct text payload = {buf_data(&out) + FRAME_HEADER, buf_len(&out) - FRAME_HEADER};
		assert_int_equal(wire_get_job(payload, &got), fault ? -EPROTO : 0);
		buf_free(&out);
	}
	buf_free(&boards);
}

static void a_slice_has_at_most_so_many_boards_of_at_most_so_many_bytes(void **state)
{
	static char cells[LIMIT_BOARD + 1];
	(void)state;
	for (uint32_t extra = 0; extra < 3; extra++) {
		struct buf boards = {0}, out = {0};
		struct wire_job got;
		uint32_t count = LIMIT_SLICE + (extra == 1);
		for (uint32_t i = 0; i < count; i++)
			wire_put_board(&boards, (struct text){cells, LIMIT_BOARD + (extra == 2)});
		wire_put_job(&out, &(struct wire_job){.id = 1,
						      .op = WIRE_SOLVE,
						      .board_count = count,
						      .boards = buf_text(&boards)});
		struct text payload = {buf_data(&out) + FRAME_HEADER, buf_len(&out) - FRAME_HEADER};
		assert_int_equal(wire_get_job(payload, &got), extra ? -EPROTO : 0);
		assert_true(payload.len <= LIMIT_FRAME_DOWN);
		buf_free(&boards);
		buf_free(&out);
	}
}

static void a_result_has_a_status_and_a_failure_a_kind(void **state)
{
	static const struct {
		uint32_t status, error;
		int rc;
	} cases[] = {
		{WIRE_SOLVED, ERR_NONE, 0},        {WIRE_STATUSES, ERR_NONE, -EPROTO},
		{UINT32_MAX, ERR_NONE, -EPROTO},   {WIRE_FAILED, ERR_NONE, -EPROTO},
		{WIRE_FAILED, ERR_KINDS, -EPROTO}, {WIRE_FAILED, ERR_KINDS - 1, 0},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf out = {0};
		struct wire_results results;
		struct wire_result got;
		size_t start = wire_begin_results(&out, 1, 0);
		wire_put_result(&out, &(struct wire_result){.status = cases[i].status,
							    .error = cases[i].error});
		wire_end_results(&out, start, 1);
		struct text payload = {buf_data(&out) + FRAME_HEADER, buf_len(&out) - FRAME_HEADER};
		assert_int_equal(wire_get_results(payload, &results), 0);
		assert_int_equal(wire_next_result(&results, &got), cases[i].rc);
		buf_free(&out);
	}
}

static void a_hello_has_an_algorithm_a_notation_and_as_many_names_as_moves(void **state)
{
	(void)state;
	for (int fault = 0; fault < 5; fault++) {
		static struct wire_hello hello, got;
		struct buf names = {0}, out = {0};
		for (int i = 0; i < 4; i++)
			put_text(&names,
				 text(fault == 4 && i == 2 ? "a name of more than 32 bytes....."
							   : "n"));
		hello = (struct wire_hello){.algorithm_count = fault == 1 ? 0 : 1,
					    .algorithms = {text("a")},
					    .notation_count = fault == 2 ? 0 : 2,
					    .notations = {text("b"), text("c")},
					    .move_count = fault == 3 ? 3 : 2,
					    .names = buf_text(&names)};
		wire_put_hello(&out, &hello);
		struct text payload = {buf_data(&out) + FRAME_HEADER, buf_len(&out) - FRAME_HEADER};
		assert_int_equal(wire_get_hello(payload, &got), fault ? -EPROTO : 0);
		buf_free(&names);
		buf_free(&out);
	}
}

/* ---- frames -------------------------------------------------------------------------------- */

static void frames_are_found_when_they_are_whole(void **state)
{
	struct buf out = {0};
	struct frame frame;
	size_t used;
	(void)state;
	size_t start = frame_begin(&out, 5);
	buf_put_string(&out, "abc");
	frame_end(&out, start);
	size_t first = buf_len(&out);
	frame_end(&out, frame_begin(&out, 6));
	for (size_t len = 0; len < first; len++)
		assert_int_equal(frame_next((struct text){buf_data(&out), len}, 3, &frame, &used),
				 0);
	assert_int_equal(frame_next(buf_text(&out), 3, &frame, &used), 1);
	assert_int_equal(frame.type, 5);
	assert_int_equal(used, first);
	assert_true(text_is(frame.payload, "abc"));
	buf_drop(&out, used);
	assert_int_equal(frame_next(buf_text(&out), 0, &frame, &used), 1);
	assert_int_equal(frame.type, 6);
	assert_int_equal(frame.payload.len, 0);
	buf_free(&out);
}

static void a_frame_that_is_too_large_is_refused_by_its_head(void **state)
{
	struct buf out = {0};
	struct frame frame;
	size_t used;
	(void)state;
	put_u32(&out, 101);
	put_u32(&out, 1);
	assert_int_equal(frame_next(buf_text(&out), 100, &frame, &used), -EMSGSIZE);
	assert_int_equal(frame_next(buf_text(&out), 101, &frame, &used), 0);
	buf_clear(&out);
	put_u32(&out, UINT32_MAX);
	put_u32(&out, 1);
	assert_int_equal(frame_next(buf_text(&out), LIMIT_FRAME_UP, &frame, &used), -EMSGSIZE);
	buf_free(&out);
}

static void a_cursor_past_its_end_gives_zeros_and_stays_bad(void **state)
{
	struct cursor in = cursor_of((struct text){"\1\2\3\4\5", 5});
	(void)state;
	assert_int_equal(get_u32(&in), 0x04030201);
	assert_int_equal(get_u16(&in), 0);
	assert_true(in.bad);
	assert_int_equal(get_u8(&in), 0);
	assert_null(get_text(&in, 10).data);
	assert_int_equal(get_count(&in, 10), 0);
	assert_false(cursor_done(&in));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_message_comes_out_as_it_went_in),
		cmocka_unit_test(a_message_that_is_cut_anywhere_is_refused),
		cmocka_unit_test(a_message_with_bytes_after_it_is_refused),
		cmocka_unit_test(a_spoiled_message_is_read_within_its_bytes),
		cmocka_unit_test(a_job_has_boards_an_operation_and_a_number),
		cmocka_unit_test(a_slice_has_at_most_so_many_boards_of_at_most_so_many_bytes),
		cmocka_unit_test(a_result_has_a_status_and_a_failure_a_kind),
		cmocka_unit_test(a_hello_has_an_algorithm_a_notation_and_as_many_names_as_moves),
		cmocka_unit_test(frames_are_found_when_they_are_whole),
		cmocka_unit_test(a_frame_that_is_too_large_is_refused_by_its_head),
		cmocka_unit_test(a_cursor_past_its_end_gives_zeros_and_stays_bad),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
