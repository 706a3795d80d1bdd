/* SPDX-License-Identifier: MIT */
/*
 * Lines that are requests and lines that are none: a folder of them, what is expected of each, and
 * those too large to be stored.  The files hold the bytes of one line and nothing else, so that a
 * fuzzer may begin with them.
 */
#include "tests/cmocka_first.h"

#include "common/limits.h"
#include "daemon/rpc.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 1000, FILE_MAX = 64 * 1024 };

/* clang-format off */
static const struct row {
	const char *file;     /* y_...: accepted; n_...: refused */
	const char *id;       /* as it is echoed; NULL: null, or a notification where accepted */
	enum error_kind kind; /* of a refusal */
	const char *reason;   /* part of it; of one accepted: its method */
} rows[] = {
	{"y_least", "1", ERR_NONE, "ping"},
	{"y_notification", NULL, ERR_NONE, "cancel"},
	{"y_empty_params", "1", ERR_NONE, "ping"},
	{"y_params", "1", ERR_NONE, "solve"},
	{"y_members_in_any_order", "\"x\"", ERR_NONE, "describe"},
	{"y_white_space", "1", ERR_NONE, "ping"},
	{"y_id_zero", "0", ERR_NONE, "ping"},
	{"y_id_negative", "-7", ERR_NONE, "ping"},
	{"y_id_past_doubles", "9007199254740993", ERR_NONE, "ping"},
	{"y_id_largest", "9223372036854775807", ERR_NONE, "ping"},
	{"y_id_least", "-9223372036854775808", ERR_NONE, "ping"},
	{"y_id_string", "\"one\"", ERR_NONE, "ping"},
	{"y_id_empty_string", "\"\"", ERR_NONE, "ping"},
	{"y_id_digits_in_string", "\"1\"", ERR_NONE, "ping"},
	{"y_id_escapes", "\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\\u001b\"", ERR_NONE, "ping"},
	{"y_id_unicode_escapes", "\"\xC3\xA9\xF0\x9F\xA7\xA9\"", ERR_NONE, "ping"},
	{"y_id_utf8", "\"\xC3\xA9\xF0\x9F\xA7\xA9\"", ERR_NONE, "ping"},
	{"y_id_24_bytes", "\"xxxxxxxxxxxxxxxxxxxxxx\"", ERR_NONE, "ping"},
	{"y_id_25_bytes", "\"xxxxxxxxxxxxxxxxxxxxxxx\"", ERR_NONE, "ping"},
	{"y_id_128_bytes",
	 "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"", ERR_NONE, "ping"},
	{"y_unknown_method", "1", ERR_NONE, "no_such"}, /* a request all the same */
	{"y_empty_method", "1", ERR_NONE, ""},
	{"y_method_escaped", "1", ERR_NONE, "ping"},
	{"y_member_escaped", "1", ERR_NONE, "ping"},
	{"y_depth_32", "1", ERR_NONE, "ping"},
	{"y_brackets_in_strings", "1", ERR_NONE, "ping"},

	{"n_depth_33", NULL, ERR_PARSE, "at most 32 may nest"},
	{"n_blank", NULL, ERR_PARSE, "byte "},
	{"n_word", NULL, ERR_PARSE, "byte "},
	{"n_half", NULL, ERR_PARSE, "byte "},
	{"n_two_on_a_line", NULL, ERR_PARSE, "end of file expected"},
	{"n_trailing_comma", NULL, ERR_PARSE, "byte "},
	{"n_single_quotes", NULL, ERR_PARSE, "byte "},
	{"n_unquoted_name", NULL, ERR_PARSE, "byte "},
	{"n_comment", NULL, ERR_PARSE, "byte "},
	{"n_wrong_bracket", NULL, ERR_PARSE, "byte "},
	{"n_unended_string", NULL, ERR_PARSE, "byte "},
	{"n_bad_escape", NULL, ERR_PARSE, "invalid escape"},
	{"n_short_escape", NULL, ERR_PARSE, "invalid escape"},
	{"n_lone_high_surrogate", NULL, ERR_PARSE, "invalid Unicode"},
	{"n_lone_low_surrogate", NULL, ERR_PARSE, "invalid Unicode"},
	{"n_escaped_nul", NULL, ERR_PARSE, "\\u0000"},
	{"n_escaped_nul_in_name", NULL, ERR_PARSE, "byte "},
	{"n_nul_in_string", NULL, ERR_PARSE, "byte "},
	{"n_nul_after", NULL, ERR_PARSE, "end of file expected"},
	{"n_nul_first", NULL, ERR_PARSE, "byte "},
	{"n_tab_in_string", NULL, ERR_PARSE, "control character"},
	{"n_cut_utf8", NULL, ERR_PARSE, "unable to decode byte"},
	{"n_overlong_utf8", NULL, ERR_PARSE, "unable to decode byte"},
	{"n_latin1", NULL, ERR_PARSE, "unable to decode byte"},
	{"n_utf8_surrogate", NULL, ERR_PARSE, "unable to decode byte"},
	{"n_byte_order_mark", NULL, ERR_PARSE, "byte "},
	{"n_utf16", NULL, ERR_PARSE, "byte "},
	{"n_duplicate_id", NULL, ERR_PARSE, "duplicate"},
	{"n_duplicate_param", NULL, ERR_PARSE, "duplicate"},
	{"n_duplicate_by_escape", NULL, ERR_PARSE, "duplicate"},
	{"n_leading_zero", NULL, ERR_PARSE, "byte "},
	{"n_plus_sign", NULL, ERR_PARSE, "byte "},
	{"n_hexadecimal", NULL, ERR_PARSE, "byte "},
	{"n_not_a_number", NULL, ERR_PARSE, "byte "},
	{"n_id_past_64_bits", NULL, ERR_PARSE, "too big integer"},
	{"n_id_below_64_bits", NULL, ERR_PARSE, "too big negative integer"},
	{"n_id_1e400", NULL, ERR_PARSE, "real number overflow"},
	{"n_id_real", NULL, ERR_INVALID_REQUEST, "the id must be"},
	{"n_id_exponent", NULL, ERR_INVALID_REQUEST, "the id must be"},
	{"n_id_null", NULL, ERR_INVALID_REQUEST, "the id must be"},
	{"n_id_true", NULL, ERR_INVALID_REQUEST, "the id must be"},
	{"n_id_array", NULL, ERR_INVALID_REQUEST, "the id must be"},
	{"n_id_object", NULL, ERR_INVALID_REQUEST, "the id must be"},
	{"n_id_129_bytes", NULL, ERR_INVALID_REQUEST, "129 bytes; at most 128"},
	{"n_batch", NULL, ERR_INVALID_REQUEST, "pipelining"},
	{"n_empty_batch", NULL, ERR_INVALID_REQUEST, "\"boards\""},
	{"n_empty_object", NULL, ERR_INVALID_REQUEST, "\"jsonrpc\""},
	{"n_string", NULL, ERR_INVALID_REQUEST, "object"},
	{"n_number", NULL, ERR_INVALID_REQUEST, "object"},
	{"n_null", NULL, ERR_INVALID_REQUEST, "object"},
	{"n_no_version", "1", ERR_INVALID_REQUEST, "\"jsonrpc\" must be \"2.0\""},
	{"n_version_1", "1", ERR_INVALID_REQUEST, "\"jsonrpc\" must be \"2.0\""},
	{"n_version_number", "1", ERR_INVALID_REQUEST, "\"jsonrpc\" must be \"2.0\""},
	{"n_version_longer", "1", ERR_INVALID_REQUEST, "\"jsonrpc\" must be \"2.0\""},
	{"n_no_method", "1", ERR_INVALID_REQUEST, "\"method\" must be a string"},
	{"n_method_number", "1", ERR_INVALID_REQUEST, "\"method\" must be a string"},
	{"n_method_null", "1", ERR_INVALID_REQUEST, "\"method\" must be a string"},
	{"n_params_array", "1", ERR_INVALID_PARAMS, "must be an object"},
	{"n_params_string", "\"x\"", ERR_INVALID_PARAMS, "must be an object"},
	{"n_params_null", "1", ERR_INVALID_PARAMS, "must be an object"},
	{"n_unknown_member", "1", ERR_INVALID_REQUEST, "\"parms\" is no member"},
	{"n_reply", "1", ERR_INVALID_REQUEST, "\"method\" must be a string"},
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* That the id is echoed as `want`, NULL meaning null, in a reply that jansson reads. */
static void assert_echo(const struct rpc_id *id, const char *want)
{
	struct buf out = {0};
	char head[256];
	snprintf(head, sizeof(head), "{\"jsonrpc\":\"2.0\",\"id\":%s,", want ? want : "null");
	rpc_begin_reply(&out, id);
	assert_int_equal(buf_len(&out), strlen(head));
	assert_memory_equal(buf_data(&out), head, strlen(head));
	buf_free(&out);
}

static void assert_refused(struct text line, enum error_kind kind, const char *id,
			   const char *reason)
{
	struct rpc_call call;
	struct error error = {0};
	struct buf out = {0};
	assert_int_equal(rpc_parse(line, MAX_VALUES, &call, &error), -1);
	if (error.kind != kind || !strstr(error.reason, reason))
		fail_msg("refused as %s: %s", error_info(error.kind)->name, error.reason);
	assert_echo(&call.id, id);
	/* The reply is one line of JSON, whatever was in the request. */
	rpc_put_error_reply(&out, &call.id, &error);
	assert_ptr_equal(memchr(buf_data(&out), '\n', buf_len(&out)),
			 buf_data(&out) + buf_len(&out) - 1);
	json_t *reply = json_loadb(buf_data(&out), buf_len(&out), 0, NULL);
	assert_non_null(reply);
	json_decref(reply);
	buf_free(&out);
	rpc_free(&call);
}

static void assert_accepted(struct text line, const char *id, const char *method)
{
	struct rpc_call call;
	struct error error = {0};
	if (rpc_parse(line, MAX_VALUES, &call, &error) < 0)
		fail_msg("refused as %s: %s", error_info(error.kind)->name, error.reason);
	assert_string_equal(call.method, method);
	if (id)
		assert_echo(&call.id, id);
	else
		assert_null(call.id.json.data);
	rpc_free(&call);
}

/* ---- the folder ---------------------------------------------------------------------------- */

static void test_file(void **state)
{
	const struct row *row = *state;
	char path[4096];
	static char content[FILE_MAX];
	snprintf(path, sizeof(path), PZ_TEST_CORPUS "/rpc/%s.json", row->file);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	size_t len = fread(content, 1, sizeof(content), file);
	fclose(file);
	assert_in_range(len, 1, sizeof(content) - 1);
	/* A copy of just the bytes, so that reading past them is seen. */
	char *line = malloc(len);
	assert_non_null(line);
	memcpy(line, content, len);
	if (row->file[0] == 'y')
		assert_accepted((struct text){line, len}, row->id, row->reason);
	else
		assert_refused((struct text){line, len}, row->kind, row->id, row->reason);
	free(line);
}

static void test_each_file_has_a_row(void **state)
{
	(void)state;
	size_t files = 0;
	DIR *folder = opendir(PZ_TEST_CORPUS "/rpc");
	const struct dirent *entry;
	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		bool found = entry->d_name[0] == '.';
		files += !found;
		for (size_t i = 0; i < ROWS && !found; i++)
			found = strncmp(entry->d_name, rows[i].file, strlen(rows[i].file)) == 0 &&
				strcmp(entry->d_name + strlen(rows[i].file), ".json") == 0;
		if (!found)
			fail_msg("%s has no row", entry->d_name);
	}
	closedir(folder);
	assert_int_equal(files, ROWS);
}

/* ---- what is too large for a file ---------------------------------------------------------- */

/* `before`, then `unit` many times, then `after`. */
static char *repeat(const char *before, const char *unit, size_t times, const char *after)
{
	size_t len = strlen(before), each = strlen(unit);
	char *line = malloc(len + each * times + strlen(after) + 1);
	assert_non_null(line);
	memcpy(line, before, len);
	for (size_t i = 0; i < times; i++, len += each)
		memcpy(line + len, unit, each);
	strcpy(line + len, after);
	return line;
}

static void refuse_repeated(const char *before, const char *unit, size_t times, const char *after,
			    const char *reason)
{
	char *line = repeat(before, unit, times, after);
	assert_refused(text_of(line), ERR_PARSE, NULL, reason);
	free(line);
}

static void test_deep_nesting_is_refused_before_it_is_read(void **state)
{
	(void)state;
	refuse_repeated("", "[", 100000, "", "at most 32 may nest");
	refuse_repeated("", "{\"a\":", 100000, "", "at most 32 may nest");
	refuse_repeated("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":", "[",
			1000000, "", "at most 32 may nest");
}

static void test_a_million_values_are_refused_before_they_are_read(void **state)
{
	(void)state;
	refuse_repeated("[", "[],", 1000000, "[]]", "more than 1000 JSON values");
	refuse_repeated("[", "0,", 1000000, "0]", "more than 1000 JSON values");
}

static void test_the_number_of_values_is_bounded_exactly(void **state)
{
	(void)state;
	static const char head[] =
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":[";
	/* What is counted: commas and opening brackets, and one.  The head has six and the one. */
	for (size_t more = MAX_VALUES - 10; more <= MAX_VALUES; more++) {
		char *line = repeat(head, "0,", more, "0]}}");
		if (more + 7 <= MAX_VALUES)
			assert_accepted(text_of(line), "1", "ping");
		else
			assert_refused(text_of(line), ERR_PARSE, NULL, "JSON values");
		free(line);
	}
}

static void test_a_number_of_a_million_digits(void **state)
{
	(void)state;
	refuse_repeated("{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":1", "0", 1000000, "}",
			"too big integer");
	refuse_repeated("{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":1", "0", 1000000, ".5}",
			"real number overflow");
	char *line =
		repeat("{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":0.", "1", 1000000, "}");
	assert_refused(text_of(line), ERR_INVALID_REQUEST, NULL, "the id must be");
	free(line);
}

static void test_long_names_are_cut_in_what_is_said_of_them(void **state)
{
	(void)state;
	char *line = repeat("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"", "\xC3\xA9",
			    100000, "\":1}");
	assert_refused(text_of(line), ERR_INVALID_REQUEST, "1", "is no member of a request");
	free(line);
	line = repeat("{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":\"", "x", 1000000, "\"}");
	assert_refused(text_of(line), ERR_INVALID_REQUEST, NULL, "at most 128");
	free(line);
}

static void test_an_id_can_be_taken_over(void **state)
{
	(void)state;
	static const char *const ids[] = {
		"7", "\"a string that is longer than what is stored in place\""};
	for (size_t i = 0; i < 2; i++) {
		struct rpc_call call;
		struct error error;
		char line[256];
		snprintf(line, sizeof(line), "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":%s}",
			 ids[i]);
		assert_int_equal(rpc_parse(text_of(line), MAX_VALUES, &call, &error), 0);
		struct rpc_id id = rpc_take_id(&call);
		assert_null(call.id.json.data);
		rpc_free(&call);
		struct rpc_id moved = id; /* as with the struct that it is in */
		memset(&id, 0xAA, sizeof(id));
		assert_echo(&moved, ids[i]);
		rpc_free_id(&moved);
		assert_null(moved.json.data);
	}
}

static void test_an_error_tells_what_is_known_of_it(void **state)
{
	(void)state;
	struct error error;
	struct buf out = {0};
	error_set(&error, ERR_INVALID_BOARD, "two \"blanks\"\n");
	error.position = 3;
	error.lower_bound = 0;
	rpc_put_error(&out, &error);
	buf_put(&out, "", 1);
	assert_string_equal(buf_data(&out),
			    "{\"code\":-32001,\"message\":\"two \\\"blanks\\\"\\n\",\"data\":"
			    "{\"kind\":\"invalid_board\",\"position\":3,\"lower_bound\":0}}");
	buf_clear(&out);
	/* Without a reason of its own, it is what the table says. */
	error_set(&error, ERR_BUSY, "%s", "");
	rpc_put_error(&out, &error);
	buf_put(&out, "", 1);
	assert_string_equal(buf_data(&out),
			    "{\"code\":-32005,\"message\":\"the daemon's queue is full\",\"data\":"
			    "{\"kind\":\"busy\"}}");
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_each_file_has_a_row),
		cmocka_unit_test(test_deep_nesting_is_refused_before_it_is_read),
		cmocka_unit_test(test_a_million_values_are_refused_before_they_are_read),
		cmocka_unit_test(test_the_number_of_values_is_bounded_exactly),
		cmocka_unit_test(test_a_number_of_a_million_digits),
		cmocka_unit_test(test_long_names_are_cut_in_what_is_said_of_them),
		cmocka_unit_test(test_an_id_can_be_taken_over),
		cmocka_unit_test(test_an_error_tells_what_is_known_of_it),
	};
	enum { OTHERS = sizeof(others) / sizeof(others[0]) };
	static struct CMUnitTest all[ROWS + OTHERS];
	for (size_t i = 0; i < ROWS; i++)
		all[i] = (struct CMUnitTest){.name = rows[i].file,
					     .test_func = test_file,
					     .initial_state = (void *)(uintptr_t)&rows[i]};
	memcpy(all + ROWS, others, sizeof(others));
	return cmocka_run_group_tests_name("rpc", all, NULL, NULL);
}
