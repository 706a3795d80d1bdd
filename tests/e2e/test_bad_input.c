/* SPDX-License-Identifier: MIT */
/* What is wrong gets an error that says what, and the daemon goes on. */
#include "tests/e2e/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char puzzles[] = "[puzzle:8puzzle]\nplugin = 8puzzle.so\n"
			      "[puzzle:knights]\nplugin = knights.so\n";

static void assert_alive(struct client *client)
{
	client_solve(client, 77, "8puzzle", "123456780");
	assert_solved(client_next(client), 77, 0);
}

static void test_boards_that_are_none(void **state)
{
	static const struct {
		const char *puzzle, *board, *why;
		int position; /* 0: any */
	} boards[] = {
		{"8puzzle", "12345678", "", 0},   /* eight cells */
		{"8puzzle", "1234567800", "", 0}, /* ten */
		{"8puzzle", "123456700", "", 9},  /* two blanks */
		{"8puzzle", "123456789", "", 9},  /* a nine */
		{"8puzzle", "1234x56x8", "", 8},  /* two blanks again */
		{"8puzzle", "112345670", "", 2},  /* a tile twice */
		{"8puzzle", "abcdefghi", "", 1},  /* letters */
		{"8puzzle", "12345678o", "", 9},  /* the letter o */
		{"8puzzle", "", "", 0},
		{"8puzzle", " \\t\\r\\n ", "", 0},
		{"8puzzle", "1 2 3 4 5 6 7 8 -0", "", 0},
		{"8puzzle", "1234567\\ufffd80", "", 8},
		{"knights", "10110\\n01*11\\n10111\\n01001\\n0000", "", 0},
		{"knights", "10110\\n01*11\\n10111\\n01001\\n0000*", "", 0},
		{"knights", "10110\\n01011\\n10111\\n01001\\n00000", "", 0},
		{"knights", "1011020100", "", 6},
	};
	struct client client;
	site_run(*state, puzzles);
	client_open(&client, *state);
	for (size_t i = 0; i < sizeof(boards) / sizeof(boards[0]); i++) {
		client_solve(&client, 5, boards[i].puzzle, boards[i].board);
		json_t *reply = client_next(&client);
		const json_t *data = json_object_get(json_object_get(reply, "error"), "data");
		long position = (long)json_integer_value(json_object_get(data, "position"));
		if (boards[i].position && position != boards[i].position)
			fail_msg("%s: position %ld", boards[i].board, position);
		assert_error(reply, 5, "invalid_board", boards[i].why);
	}
	assert_alive(&client);
	client_close(&client);
	site_stop(*state);
}

static void test_calls_that_are_wrong(void **state)
{
	static const struct {
		const char *members, *kind, *part;
	} calls[] = {
		{"\"method\":\"no_such\"", "method_not_found", "\"no_such\""},
		{"\"method\":\"solve\"", "invalid_params", "\"puzzle\" is missing"},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"rubik\",\"board\":\"1\"}",
		 "unknown_puzzle", "there are: 8puzzle, knights"},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\"}", "invalid_params",
		 "\"board\""},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":\"1\","
		 "\"boards\":[]}",
		 "invalid_params", "either"},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\",\"boards\":\"1\"}",
		 "invalid_params", "array"},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":123456780}",
		 "invalid_params", "an integer"},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":\"123456780\","
		 "\"no_such\":1}",
		 "invalid_params", "no_such"},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":\"123456780\","
		 "\"algorithm\":\"magic\"}",
		 "invalid_params", "magic"},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":\"123456780\","
		 "\"heuristic\":\"magic\"}",
		 "invalid_params", "magic"},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":\"123456780\","
		 "\"notation\":\"magic\"}",
		 "invalid_params", "magic"},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":\"123456780\","
		 "\"goal\":\"12345678\"}",
		 "invalid_board", "goal"},
		{"\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":\"123456780\","
		 "\"timeout_ms\":0}",
		 "invalid_params", "at least 1"},
		{"\"method\":\"verify\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":"
		 "\"123456780\"}",
		 "invalid_params", "\"moves\""},
		{"\"method\":\"verify\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":\"123456780\","
		 "\"moves\":7}",
		 "invalid_params", "\"moves\" must be"},
		{"\"method\":\"describe\",\"params\":{\"puzzle\":\"rubik\"}", "unknown_puzzle",
		 "rubik"},
		{"\"method\":\"cancel\"", "invalid_params", "\"id\" is missing"},
		{"\"method\":\"cancel\",\"params\":{\"id\":null}", "invalid_request",
		 "the id must be"},
		{"\"method\":\"ping\",\"params\":{\"loud\":true}", "invalid_params", "takes none"},
	};
	struct client client;
	site_run(*state, puzzles);
	client_open(&client, *state);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		assert_error(client_ask(&client, "%s", calls[i].members), 1, calls[i].kind,
			     calls[i].part);
	assert_alive(&client);
	client_close(&client);
	site_stop(*state);
}

static void test_lines_that_are_no_requests(void **state)
{
	static const struct {
		const char *line, *kind, *part;
	} lines[] = {
		{"GET / HTTP/1.1", "parse_error", "byte "},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"", "parse_error", "byte "},
		{"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", "invalid_request",
		 "pipelining"},
		{"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", "invalid_request", "id"},
		{"\x80", "parse_error", "byte "},
		{"{}", "invalid_request", "jsonrpc"},
	};
	struct client client;
	site_run(*state, puzzles);
	client_open(&client, *state);
	/* Empty lines are nothing at all. */
	client_send(&client, "\n\r\n\n");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		client_send(&client, lines[i].line);
		client_send(&client, i % 2 ? "\r\n" : "\n");
		assert_error(client_next(&client), 0, lines[i].kind, lines[i].part);
	}
	/* A NUL does not end the line for us: what stands behind it is seen to be there. */
	static const char nul[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\0garbage\n";
	client_send_bytes(&client, nul, sizeof(nul) - 1);
	assert_error(client_next(&client), 0, "parse_error", "byte ");
	assert_alive(&client);
	client_close(&client);
	site_stop(*state);
}

/* As the board of a request, and as what is none. */
static void test_a_mebibyte_of_digits(void **state)
{
	enum { DIGITS = 1024 * 1024 };
	struct client client;
	char *digits = malloc(DIGITS + 1);
	assert_non_null(digits);
	memset(digits, '7', DIGITS);
	digits[DIGITS] = '\0';
	site_run(*state, puzzles);
	client_open(&client, *state);
	/* Just within the line: refused as a board. */
	client_send(&client,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":"
		    "\"8puzzle\",\"board\":\"");
	client_send_bytes(&client, digits, DIGITS - 200);
	client_send(&client, "\"}}\n");
	assert_error(client_next(&client), 1, "invalid_board", "longer than 4096 bytes");
	assert_alive(&client);
	/* Past it: the error can be read, although more is still being sent, and then that is the
	 * end. */
	client_send_bytes(&client, digits, DIGITS);
	client_send_bytes(&client, digits, DIGITS);
	assert_error(client_next(&client), 0, "invalid_request", "longer than 1048576 bytes");
	client_expect_end(&client);
	client_close(&client);
	client_open(&client, *state);
	assert_alive(&client);
	client_close(&client);
	free(digits);
	site_stop(*state);
}

static void test_a_line_of_just_the_most_bytes(void **state)
{
	struct client client;
	char line[2048];
	site_run(*state, "max_line = 1K\n[puzzle:8puzzle]\nplugin = 8puzzle.so\n");
	client_open(&client, *state);
	for (int more = 0; more < 2; more++) {
		int len = snprintf(line, sizeof(line),
				   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"");
		memset(line + len, ' ', sizeof(line) - (size_t)len);
		strcpy(line + 1023 + more, "}\n");
		client_send(&client, line);
		json_t *reply = client_next(&client);
		if (more)
			assert_error(reply, 0, "invalid_request", "longer than 1024 bytes");
		else
			json_decref(reply);
	}
	client_expect_end(&client);
	client_close(&client);
	/* What was asked before is answered before the end. */
	client_open(&client, *state);
	client_solve(&client, 1, "8puzzle", "867254301");
	memset(line, '7', sizeof(line));
	client_send_bytes(&client, line, sizeof(line));
	json_t *one = client_next(&client), *two = client_next(&client);
	if (json_is_null(json_object_get(one, "id"))) {
		json_t *swap = one;
		one = two;
		two = swap;
	}
	assert_solved(one, 1, 31);
	assert_error(two, 0, "invalid_request", "longer than 1024 bytes");
	client_expect_end(&client);
	client_close(&client);
	site_stop(*state);
}

static void test_what_is_said_of_bad_input_forges_no_log(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, puzzles);
	client_open(&client, site);
	client_send(&client,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\\nlevel=error event=forged\"}\n");
	assert_error(client_next(&client), 1, "method_not_found", "forged");
	client_solve(&client, 1, "8puzzle", "\\u001b[31m\\nlevel=error event=forged");
	assert_error(client_next(&client), 1, "invalid_board", "");
	client_close(&client);
	site_stop(site);
	assert_int_equal(site_logged(site, "\nlevel=error"), 0);
	assert_int_equal(site_logged(site, "\x1b"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_boards_that_are_none),
		ON_SITE(test_calls_that_are_wrong),
		ON_SITE(test_lines_that_are_no_requests),
		ON_SITE(test_a_mebibyte_of_digits),
		ON_SITE(test_a_line_of_just_the_most_bytes),
		ON_SITE(test_what_is_said_of_bad_input_forges_no_log),
	};
	return cmocka_run_group_tests_name("bad_input", tests, NULL, NULL);
}
