/* SPDX-License-Identifier: MIT */
/* Parameters: every one of every method by its type and name, what is left for the plugin, and
 * boards in JSON. */
#include "tests/cmocka_first.h"

#include "daemon/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOR_JOBS = FOR_SOLVE | FOR_VERIFY | FOR_GENERATE, LIST = 0 };

static json_t *parse(const char *text)
{
	json_error_t fault;
	json_t *json = json_loads(text, JSON_DECODE_ANY, &fault);
	if (!json)
		fail_msg("%s: %s", text, fault.text);
	return json;
}

/* Reads parameters that must be right.  The JSON is to be freed after them. */
static json_t *read_good(const char *text, unsigned methods, struct params *ret)
{
	struct error error;
	json_t *json = parse(text);
	if (params_read(json, methods, ret, &error) < 0)
		fail_msg("%s: %s", text, error.reason);
	return json;
}

static void assert_refused(const char *text, unsigned methods, const char *reason)
{
	struct params params;
	struct error error = {0};
	json_t *json = parse(text);
	if (params_read(json, methods, &params, &error) == 0)
		fail_msg("%s is accepted", text);
	assert_int_equal(error.kind, ERR_INVALID_PARAMS);
	if (!strstr(error.reason, reason))
		fail_msg("%s: %s", text, error.reason);
	json_decref(json);
}

static void test_nothing_given(void **state)
{
	(void)state;
	for (unsigned methods = 0; methods < 32; methods++) {
		struct params params;
		struct error error;
		assert_int_equal(params_read(NULL, methods, &params, &error), 0);
		json_decref(read_good("{}", methods, &params));
		assert_null(params.puzzle.data);
		assert_null(params.algorithm.data);
		assert_null(params.board);
		assert_null(params.id);
		assert_int_equal(params.max_length, -1);
		assert_int_equal(params.max_cost, -1);
		assert_int_equal(params.length, -1);
		assert_int_equal(params.timeout_ms, -1);
		assert_int_equal(params.seed, -1);
		assert_false(params.trace || params.render || params.iterations || params.progress);
		assert_int_equal(params.option_count, 0);
	}
}

static void test_all_of_solve(void **state)
{
	(void)state;
	struct params params;
	json_t *json = read_good("{\"puzzle\":\"8puzzle\",\"board\":[1],\"boards\":[2],\"goal\":"
				 "\"g\",\"algorithm\":\"ida\","
				 "\"heuristic\":\"manhattan\",\"notation\":\"tile\",\"max_length\":"
				 "15,\"max_cost\":0,"
				 "\"timeout_ms\":1,\"trace\":true,\"render\":true,\"iterations\":"
				 "true,\"progress\":true}",
				 FOR_SOLVE, &params);
	assert_true(text_is(params.puzzle, "8puzzle"));
	assert_ptr_equal(params.board, json_object_get(json, "board"));
	assert_ptr_equal(params.boards, json_object_get(json, "boards"));
	assert_ptr_equal(params.goal, json_object_get(json, "goal"));
	assert_true(text_is(params.algorithm, "ida"));
	assert_true(text_is(params.heuristic, "manhattan"));
	assert_true(text_is(params.notation, "tile"));
	assert_int_equal(params.max_length, 15);
	assert_int_equal(params.max_cost, 0);
	assert_int_equal(params.timeout_ms, 1);
	assert_true(params.trace && params.render && params.iterations && params.progress);
	json_decref(json);
	json = read_good("{\"trace\":false,\"max_length\":9223372036854775807}", FOR_SOLVE,
			 &params);
	assert_false(params.trace);
	assert_int_equal(params.max_length, INT64_MAX);
	json_decref(json);
}

/* Who takes what; a type's wrong values follow from it. */
static const struct {
	const char *name;
	char type; /* n: name, c: count, p: positive, b: boolean, j: any */
	unsigned methods;
} known[] = {
	{"puzzle", 'n', FOR_JOBS | FOR_DESCRIBE},
	{"board", 'j', FOR_SOLVE | FOR_VERIFY},
	{"boards", 'j', FOR_SOLVE},
	{"goal", 'j', FOR_JOBS},
	{"moves", 'j', FOR_VERIFY},
	{"algorithm", 'n', FOR_SOLVE},
	{"heuristic", 'n', FOR_SOLVE},
	{"notation", 'n', FOR_SOLVE | FOR_VERIFY},
	{"max_length", 'c', FOR_SOLVE},
	{"max_cost", 'c', FOR_SOLVE},
	{"timeout_ms", 'p', FOR_JOBS},
	{"trace", 'b', FOR_SOLVE | FOR_VERIFY},
	{"render", 'b', FOR_JOBS},
	{"iterations", 'b', FOR_SOLVE},
	{"progress", 'b', FOR_SOLVE},
	{"seed", 'c', FOR_GENERATE},
	{"length", 'c', FOR_GENERATE},
	{"id", 'j', FOR_CANCEL},
};

static void test_each_method_takes_its_own_and_names_them(void **state)
{
	(void)state;
	static const unsigned methods[] = {LIST,         FOR_SOLVE,    FOR_VERIFY,
					   FOR_GENERATE, FOR_DESCRIBE, FOR_CANCEL};
	for (size_t m = 0; m < 6; m++) {
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			struct params params;
			char text[64], reason[128];
			snprintf(text, sizeof(text), "{\"%s\":%s}", known[i].name,
				 known[i].type == 'b'                           ? "true"
				 : known[i].type == 'c' || known[i].type == 'p' ? "1"
										: "\"x\"");
			if (known[i].methods & methods[m]) {
				json_decref(read_good(text, methods[m], &params));
				assert_int_equal(params.option_count, 0);
				continue;
			}
			snprintf(reason, sizeof(reason),
				 "\"%s\" is no parameter of this method, "
				 "which takes%s",
				 known[i].name, methods[m] ? ": " : " none");
			assert_refused(text, methods[m], reason);
		}
	}
	assert_refused("{\"goal\":1}", FOR_DESCRIBE, "which takes: puzzle");
	assert_refused("{\"step\":1}", FOR_DESCRIBE, "which takes: puzzle");
	assert_refused("{\"step\":1}", LIST, "which takes none");
}

static void test_every_type_refuses_the_others(void **state)
{
	(void)state;
	static const struct {
		const char *json, *kind, *types; /* which types take it */
	} values[] = {
		{"{}", "an object", "j"},      {"[]", "an array", "j"},
		{"\"x\"", "a string", "nj"},   {"1", "an integer", "cpj"},
		{"1.5", "a real number", "j"}, {"true", "true", "bj"},
		{"false", "false", "bj"},      {"null", "null", "j"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
			struct params params;
			char text[64], reason[64];
			unsigned method = known[i].methods & -known[i].methods;
			snprintf(text, sizeof(text), "{\"%s\":%s}", known[i].name, values[v].json);
			if (strchr(values[v].types, known[i].type)) {
				json_decref(read_good(text, method, &params));
				continue;
			}
			snprintf(reason, sizeof(reason), "\"%s\" must be ", known[i].name);
			assert_refused(text, method, reason);
			snprintf(reason, sizeof(reason), ", not %s", values[v].kind);
			assert_refused(text, method, reason);
		}
	}
}

static void test_numbers_have_a_least(void **state)
{
	(void)state;
	assert_refused("{\"max_length\":-1}", FOR_SOLVE,
		       "\"max_length\" is -1; it must be at least 0");
	assert_refused("{\"seed\":-9223372036854775808}", FOR_GENERATE, "must be at least 0");
	assert_refused("{\"timeout_ms\":0}", FOR_SOLVE,
		       "\"timeout_ms\" is 0; it must be at least 1");
}

static void test_what_is_unknown_is_the_plugins(void **state)
{
	(void)state;
	struct params params;
	json_t *json = read_good("{\"depth\":7,\"deep\":-9223372036854775808,\"mode\":\"fast\","
				 "\"quiet\":false,\"loud\":true}",
				 FOR_SOLVE, &params);
	static const struct {
		const char *name, *value;
		enum wire_option_form form;
	} want[] = {{"depth", "7", WIRE_NUMBER},
		    {"deep", "-9223372036854775808", WIRE_NUMBER},
		    {"mode", "fast", WIRE_TEXT},
		    {"quiet", "false", WIRE_BOOLEAN},
		    {"loud", "true", WIRE_BOOLEAN}};
	assert_int_equal(params.option_count, 5);
	for (size_t i = 0; i < 5; i++) {
		/* An object is in no order. */
		size_t at = 0;
		while (at < 5 && !text_is(params.options[at].name, want[i].name))
			at++;
		assert_true(at < 5);
		assert_true(text_is(params.options[at].value, want[i].value));
		assert_int_equal(params.options[at].form, want[i].form);
	}
	json_decref(json);
}

static void test_what_can_be_no_option_is_refused(void **state)
{
	(void)state;
	char text[1024];
	assert_refused("{\"depth\":1.5}", FOR_SOLVE, "no option of a puzzle is a real number");
	assert_refused("{\"depth\":null}", FOR_SOLVE, "no option of a puzzle is null");
	assert_refused("{\"bord\":[1,2]}", FOR_SOLVE, "\"bord\" is no parameter");
	assert_refused("{\"depth\":{}}", FOR_VERIFY, "no option of a puzzle is an object");
	snprintf(text, sizeof(text), "{\"%032d\":1}", 0);
	assert_refused(text, FOR_SOLVE, "too long for a puzzle's option");
	snprintf(text, sizeof(text), "{\"mode\":\"%0257d\"}", 0);
	assert_refused(text, FOR_SOLVE, "too long for a puzzle's option");
	snprintf(text, sizeof(text), "{\"puzzle\":\"%0256d\"}", 0);
	assert_refused(text, FOR_SOLVE, "\"puzzle\" is too long for a name");
}

static void test_the_number_of_options_is_bounded(void **state)
{
	(void)state;
	struct params params;
	char text[1024] = "{";
	for (int i = 0; i < LIMIT_JOB_OPTIONS; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "\"o%d\":%d,", i, i);
	text[strlen(text) - 1] = '}';
	json_t *json = read_good(text, FOR_SOLVE, &params);
	assert_int_equal(params.option_count, LIMIT_JOB_OPTIONS);
	/* Numbers have been given room each. */
	for (uint32_t i = 0; i < params.option_count; i++)
		assert_string_equal(params.options[i].name.data + 1, params.options[i].value.data);
	json_decref(json);
	text[strlen(text) - 1] = ',';
	strcat(text, "\"more\":1}");
	assert_refused(text, FOR_SOLVE, "more than 16 options");
}

/* ---- boards -------------------------------------------------------------------------------- */

static void assert_board(const char *text, const char *want)
{
	struct buf store = {0};
	struct text board;
	struct error error;
	json_t *json = parse(text);
	/* What an earlier board has left behind does not show. */
	buf_put_string(&store, "left over");
	if (params_board(json, "\"board\"", &store, &board, &error) < 0)
		fail_msg("%s: %s", text, error.reason);
	assert_int_equal(board.len, strlen(want));
	assert_memory_equal(board.data, want, strlen(want));
	json_decref(json);
	buf_free(&store);
}

static void refuse_board(const char *text, enum error_kind kind, const char *reason)
{
	struct buf store = {0};
	struct text board;
	struct error error = {0};
	json_t *json = parse(text);
	assert_int_equal(params_board(json, "the goal", &store, &board, &error), -1);
	if (error.kind != kind || !strstr(error.reason, reason))
		fail_msg("%s: %s", text, error.reason);
	json_decref(json);
	buf_free(&store);
}

static void test_boards_are_strings_cells_or_rows(void **state)
{
	(void)state;
	assert_board("\"283104765\"", "283104765");
	assert_board("\"\"", "");
	assert_board("\"a\\nb\"", "a\nb");
	assert_board("[]", "");
	assert_board("[2,8,3]", "2 8 3");
	assert_board("[-1,\"x\",15]", "-1 x 15");
	assert_board("[[2,8,3],[1,0,4],[7,6,5]]", "2 8 3\n1 0 4\n7 6 5");
	assert_board("[[1],[],[\"x\"]]", "1\n\nx");
	assert_board("[\"283\",\"104\",\"765\"]", "283 104 765");
}

static void test_what_is_no_board_is_said_with_its_place(void **state)
{
	(void)state;
	refuse_board("283104765", ERR_INVALID_PARAMS,
		     "the goal is an integer; it must be a string");
	refuse_board("null", ERR_INVALID_PARAMS, "the goal is null");
	refuse_board("{}", ERR_INVALID_PARAMS, "the goal is an object");
	refuse_board("[1,2.5]", ERR_INVALID_PARAMS, "a cell of the goal is a real number");
	refuse_board("[1,[2]]", ERR_INVALID_PARAMS, "a cell of the goal is an array");
	refuse_board("[[1],2]", ERR_INVALID_PARAMS, "row 2 of the goal is an integer");
	refuse_board("[[1],[[2]]]", ERR_INVALID_PARAMS, "a cell of the goal is an array");
}

static void test_boards_are_bounded(void **state)
{
	(void)state;
	static char text[3 * LIMIT_BOARD];
	snprintf(text, sizeof(text), "\"%0*d\"", LIMIT_BOARD, 0);
	char *want = strndup(text + 1, LIMIT_BOARD);
	assert_board(text, want);
	free(want);
	snprintf(text, sizeof(text), "\"%0*d\"", LIMIT_BOARD + 1, 0);
	refuse_board(text, ERR_INVALID_BOARD, "longer than 4096 bytes");
	/* As many cells as fit with the spaces between them, and one more. */
	for (int more = 0; more < 2; more++) {
		strcpy(text, "[1");
		for (int i = 1; i < LIMIT_BOARD / 2 + more; i++)
			strcat(text, ",1");
		strcat(text, "]");
		if (more)
			refuse_board(text, ERR_INVALID_BOARD, "longer than 4096 bytes");
	}
}

/* A buffer that once was too small for a board takes the next one. */
static void test_a_board_after_one_that_was_too_long(void **state)
{
	(void)state;
	struct buf store = {0};
	struct text board;
	struct error error;
	static char text[3 * LIMIT_BOARD] = "[1";
	for (int i = 0; i < LIMIT_BOARD; i++)
		strcat(text, ",1");
	strcat(text, "]");
	json_t *long_one = parse(text), *short_one = parse("[1,2]");
	assert_int_equal(params_board(long_one, "it", &store, &board, &error), -1);
	assert_int_equal(params_board(short_one, "it", &store, &board, &error), 0);
	assert_true(text_is(board, "1 2"));
	json_decref(long_one);
	json_decref(short_one);
	buf_free(&store);
}

/* ---- moves --------------------------------------------------------------------------------- */

static void assert_moves(const char *text, const char *want)
{
	struct buf out = {0};
	struct error error;
	json_t *json = parse(text);
	int code = params_moves(json, &out, &error);
	assert_int_equal(code, want ? 0 : -1);
	if (want) {
		assert_int_equal(buf_len(&out), strlen(want));
		assert_memory_equal(buf_text(&out).data, want, strlen(want));
	} else {
		assert_int_equal(error.kind, ERR_INVALID_PARAMS);
	}
	json_decref(json);
	buf_free(&out);
}

static void test_moves_are_a_list_or_a_string_of_names(void **state)
{
	(void)state;
	assert_moves("[]", "");
	assert_moves("\"\"", "");
	assert_moves("[\"u\",\"l\"]", "u\nl\n");
	assert_moves("\"u l d\"", "u\nl\nd\n");
	assert_moves("\" \\t u,,\\r\\nl \"", "u\nl\n");
	assert_moves("[\"\"]", "\n"); /* which the worker will not know */
	assert_moves("[\"u\\nl\"]", NULL);
	assert_moves("[1]", NULL);
	assert_moves("7", NULL);
	assert_moves("null", NULL);
	assert_moves("{}", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_given),
		cmocka_unit_test(test_all_of_solve),
		cmocka_unit_test(test_each_method_takes_its_own_and_names_them),
		cmocka_unit_test(test_every_type_refuses_the_others),
		cmocka_unit_test(test_numbers_have_a_least),
		cmocka_unit_test(test_what_is_unknown_is_the_plugins),
		cmocka_unit_test(test_what_can_be_no_option_is_refused),
		cmocka_unit_test(test_the_number_of_options_is_bounded),
		cmocka_unit_test(test_boards_are_strings_cells_or_rows),
		cmocka_unit_test(test_what_is_no_board_is_said_with_its_place),
		cmocka_unit_test(test_boards_are_bounded),
		cmocka_unit_test(test_a_board_after_one_that_was_too_long),
		cmocka_unit_test(test_moves_are_a_list_or_a_string_of_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
