/* SPDX-License-Identifier: MIT */
/* What a HELLO says, kept and described; and HELLOs that are cut, stretched and scribbled on. */
#include "tests/cmocka_first.h"

#include "daemon/puzzle.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The names of two notations of three moves, whose last is not in use. */
static struct text move_names(struct buf *names)
{
	static const char *const texts[] = {"u", "d\"", NULL, "up", "down", NULL};
	for (size_t i = 0; i < 6; i++)
		put_text(names, text_of(texts[i]));
	return buf_text(names);
}

static struct wire_hello a_hello(struct buf *names)
{
	return (struct wire_hello){
		.version = WIRE_VERSION,
		.plugin_name = text_of("counting"),
		.plugin_version = text_of("1.0"),
		.summary = text_of("count"),
		.syntax = text_of("a \"number\"\n"),
		.example = text_of("3"),
		.goal = text_of("0"),
		.path_max = 100,
		.board_max = 9,
		.unit_cost = true,
		.can_render = true,
		.algorithm_count = 2,
		.algorithms = {text_of("auto"), text_of("walk")},
		.heuristic_count = 1,
		.heuristics = {text_of("distance")},
		.notation_count = 2,
		.notations = {text_of(""), text_of("word")},
		.option_count = 2,
		.options = {{.name = text_of("step"),
			     .type = text_of("int"),
			     .fallback = text_of("1"),
			     .help = text_of("by how much"),
			     .scope = WIRE_OPTION_CONFIG | WIRE_OPTION_JOB,
			     .min = -5,
			     .max = 9},
			    {.name = text_of("mode"),
			     .type = text_of("choice"),
			     .fallback = text_of("fast"),
			     .help = text_of("how"),
			     .scope = WIRE_OPTION_JOB,
			     .choice_count = 2,
			     .choices = {text_of("fast"), text_of("slow")}}},
		.table_count = 1,
		.tables = {{text_of("space"), text_of("all of it"), 1 << 20, true}},
		.move_count = 3,
		.names = move_names(names),
	};
}

/* The payload of its frame, for free(). */
static struct text encode(const struct wire_hello *hello)
{
	struct buf out = {0};
	wire_put_hello(&out, hello);
	assert_false(out.failed);
	size_t len = buf_len(&out) - FRAME_HEADER;
	char *payload = malloc(len);
	assert_non_null(payload);
	memcpy(payload, buf_data(&out) + FRAME_HEADER, len);
	buf_free(&out);
	return (struct text){payload, len};
}

static struct puzzle *keep(const struct wire_hello *hello)
{
	struct text payload = encode(hello);
	struct puzzle *puzzle = puzzle_new(payload);
	/* What is kept is a copy. */
	memset((char *)(uintptr_t)payload.data, 0xAA, payload.len);
	free((char *)(uintptr_t)payload.data);
	return puzzle;
}

/* `any_number`: past 63 bits too. */
static json_t *describe(const struct puzzle *puzzle, bool any_number)
{
	struct buf out = {0};
	json_error_t fault;
	buf_put(&out, "{", 1);
	puzzle_print(puzzle, &out);
	buf_drop_last(&out);
	buf_put(&out, "}", 1);
	json_t *json = json_loadb(buf_data(&out), buf_len(&out),
				  JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL |
					  (any_number ? JSON_DECODE_INT_AS_REAL : 0),
				  &fault);
	if (!json)
		fail_msg("the description is no JSON: %s", fault.text);
	buf_free(&out);
	return json;
}

static void test_a_hello_is_described(void **state)
{
	(void)state;
	struct buf names = {0};
	struct wire_hello hello = a_hello(&names);
	struct puzzle *puzzle = keep(&hello);
	assert_non_null(puzzle);
	json_t *json = describe(puzzle, false);
	json_t *want = json_pack(
		"{s:s, s:s, s:s, s:s, s:s, s:s, s:[ss], s:[s], s:[ss], s:{s:[ss], s:[ss]}, s:i, "
		"s:b, s:b,"
		" s:b, s:[{s:s, s:s, s:s, s:i, s:i, s:[ss], s:s}, {s:s, s:s, s:s, s:[ss], s:[s], "
		"s:s}],"
		" s:[{s:s, s:i, s:b, s:s}]}",
		"plugin", "counting", "version", "1.0", "summary", "count", "syntax",
		"a \"number\"\n", "example", "3", "goal", "0", "algorithms", "auto", "walk",
		"heuristics", "distance", "notations", "", "word", "moves", "default", "u", "d\"",
		"word", "up", "down", "path_max", 100, "unit_cost", 1, "can_generate", 0,
		"can_render", 1, "options", "name", "step", "type", "int", "default", "1", "min",
		-5, "max", 9, "scope", "configuration", "request", "help", "by how much", "name",
		"mode", "type", "choice", "default", "fast", "choices", "fast", "slow", "scope",
		"request", "help", "how", "tables", "name", "space", "bytes", 1 << 20, "ready", 1,
		"help", "all of it");
	assert_non_null(want);
	if (!json_equal(json, want))
		fail_msg("%s", json_dumps(json, 0));
	json_decref(json);
	json_decref(want);
	puzzle_free(puzzle);
	buf_free(&names);
}

static void test_names_of_moves_are_printed_once_and_for_all(void **state)
{
	(void)state;
	struct buf names = {0};
	struct wire_hello hello = a_hello(&names);
	struct puzzle *puzzle = keep(&hello);
	static const char *const want[] = {"\"u\",",  "\"d\\\"\",", NULL,
					   "\"up\",", "\"down\",",  NULL};
	for (size_t i = 0; i < 6; i++) {
		if (want[i])
			assert_true(text_is(puzzle->moves[i], want[i]));
		else
			assert_null(puzzle->moves[i].data);
	}
	assert_int_equal(puzzle->longest_move, strlen("\"down\","));
	puzzle_free(puzzle);
	buf_free(&names);
}

static void test_without_goal_and_lists(void **state)
{
	(void)state;
	struct wire_hello hello = {
		.version = WIRE_VERSION,
		.algorithm_count = 1,
		.algorithms = {text_of("auto")},
		.notation_count = 1,
		.notations = {text_of("")},
		.names = text_of(""),
	};
	struct puzzle *puzzle = keep(&hello);
	assert_non_null(puzzle);
	json_t *json = describe(puzzle, false);
	assert_null(json_object_get(json, "goal"));
	assert_int_equal(json_array_size(json_object_get(json, "options")), 0);
	assert_int_equal(
		json_array_size(json_object_get(json_object_get(json, "moves"), "default")), 0);
	json_decref(json);
	puzzle_free(puzzle);
}

static void test_the_most_an_answer_takes(void **state)
{
	(void)state;
	struct buf names = {0};
	struct wire_hello hello = a_hello(&names);
	struct puzzle *puzzle = keep(&hello);
	uint64_t plain = puzzle_answer_max(puzzle, 0);
	uint64_t path = (uint64_t)hello.path_max * puzzle->longest_move;
	assert_true(plain >= path + hello.board_max);
	/* Every board on the way, with quotes and comma; and none of it may wrap for what is
	 * largest. */
	assert_true(puzzle_answer_max(puzzle, WIRE_TRACE) >=
		    plain + (hello.path_max + 1) * (hello.board_max + 3));
	assert_true(puzzle_answer_max(puzzle, WIRE_RENDER) > plain);
	assert_true(puzzle_answer_max(puzzle, WIRE_ITERATIONS) > plain);
	assert_true(puzzle_answer_max(NULL, 0) >= LIMIT_PATH);
	puzzle_free(puzzle);
	hello.path_max = LIMIT_PATH;
	hello.board_max = LIMIT_BOARD;
	puzzle = keep(&hello);
	assert_true(puzzle_answer_max(puzzle, WIRE_TRACE) > (uint64_t)LIMIT_PATH * LIMIT_BOARD);
	puzzle_free(puzzle);
	buf_free(&names);
}

static void refuse(struct wire_hello hello)
{
	assert_null(keep(&hello));
}

static void test_hellos_that_make_no_sense(void **state)
{
	(void)state;
	struct buf names = {0};
	const struct wire_hello good = a_hello(&names);
	struct wire_hello hello = good;
	struct puzzle *puzzle = keep(&hello);
	assert_non_null(puzzle);
	puzzle_free(puzzle);
	puzzle_free(NULL);

	hello.version = WIRE_VERSION + 1;
	refuse(hello);
	hello = good;
	hello.algorithm_count = 0;
	refuse(hello);
	hello = good;
	hello.notation_count = 0;
	refuse(hello);
	hello = good;
	hello.path_max = LIMIT_PATH + 1;
	refuse(hello);
	hello = good;
	hello.board_max = LIMIT_BOARD + 1;
	refuse(hello);
	/* More names are promised than there are, and fewer. */
	hello = good;
	hello.move_count = 4;
	refuse(hello);
	hello.move_count = 2;
	refuse(hello);
	hello.move_count = WIRE_MOVES_MAX + 1;
	refuse(hello);
	hello = good;
	hello.names.len--;
	refuse(hello);
	/* Notations are members of one object. */
	hello = good;
	hello.notations[0] = text_of("word");
	refuse(hello);
	hello.notations[0] = text_of("");
	hello.notations[1] = text_of("default");
	refuse(hello);
	hello.notations[1] = (struct text){"wo\0d", 4};
	refuse(hello);
	/* Notations are members of one object. */
	hello = good;
	hello.notations[0] = text_of("word");
	refuse(hello);
	hello.notations[0] = text_of("");
	hello.notations[1] = text_of("default");
	refuse(hello);
	hello.notations[1] = (struct text){"wo\0d", 4};
	refuse(hello);
	hello = good;
	hello.plugin_name = text_of("a name of more bytes than a name may have");
	refuse(hello);
	buf_free(&names);
}

static void test_a_hello_cut_anywhere_or_too_long_is_refused(void **state)
{
	(void)state;
	struct buf names = {0};
	struct wire_hello hello = a_hello(&names);
	struct text payload = encode(&hello);
	for (size_t len = 0; len < payload.len; len++) {
		/* Just as large as it is, so that reading on is seen. */
		char *cut = malloc(len + 1);
		memcpy(cut, payload.data, len);
		assert_null(puzzle_new((struct text){cut, len}));
		free(cut);
	}
	char *more = calloc(1, payload.len + 1);
	memcpy(more, payload.data, payload.len);
	assert_null(puzzle_new((struct text){more, payload.len + 1}));
	free(more);
	free((char *)(uintptr_t)payload.data);
	buf_free(&names);
}

/* Whatever a byte is changed to, the HELLO is refused or its description is JSON; nothing
 * breaks. */
static void test_a_hello_with_any_byte_changed(void **state)
{
	(void)state;
	struct buf names = {0};
	struct wire_hello hello = a_hello(&names);
	struct text payload = encode(&hello);
	static const unsigned char values[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
	size_t kept = 0, refused = 0;
	for (size_t at = 0; at < payload.len; at++) {
		for (size_t v = 0; v < sizeof(values); v++) {
			char *changed = malloc(payload.len);
			memcpy(changed, payload.data, payload.len);
			changed[at] = (char)values[v];
			struct puzzle *puzzle = puzzle_new((struct text){changed, payload.len});
			free(changed);
			refused += !puzzle;
			if (!puzzle)
				continue;
			kept++;
			json_decref(describe(puzzle, true));
			puzzle_free(puzzle);
		}
	}
	assert_true(kept > 0 && refused > 0);
	free((char *)(uintptr_t)payload.data);
	buf_free(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_hello_is_described),
		cmocka_unit_test(test_names_of_moves_are_printed_once_and_for_all),
		cmocka_unit_test(test_without_goal_and_lists),
		cmocka_unit_test(test_the_most_an_answer_takes),
		cmocka_unit_test(test_hellos_that_make_no_sense),
		cmocka_unit_test(test_a_hello_cut_anywhere_or_too_long_is_refused),
		cmocka_unit_test(test_a_hello_with_any_byte_changed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
