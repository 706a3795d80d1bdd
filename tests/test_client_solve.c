/* SPDX-License-Identifier: MIT */
/* puzzlectl solve and batch: what they send, print and exit with, against a fake daemon. */
#include "config.h"

#include "tests/test_client_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct fake_step solver[] = {{FAKE_SOLVE, NULL}, {0}};

static struct run run;

#define SOLVED(length, moves) "{\"status\":\"solved\",\"length\":" #length ",\"moves\":[" moves "]}"

static void solve_sends_what_was_asked(void **state)
{
	(void)state;
	static const struct fake_step script[] = {
		{FAKE_READ, "{\"n\":3,\"w\":\"x\",\"puzzle\":\"p\",\"goal\":\"0123\","
			    "\"algorithm\":\"ida\",\"heuristic\":\"h\",\"notation\":\"tile\","
			    "\"max_length\":15,\"max_cost\":20,\"timeout_ms\":500,"
			    "\"board\":\"2 3 x\",\"trace\":true,\"render\":true,"
			    "\"progress\":true}"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"status\":\"unsolvable\"}}"},
		{FAKE_EOF, NULL},
		{0},
	};
	WITH(script, "", "solve", "p", "2", "3", "x", "--goal", "0123", "-a", "ida", "--heuristic",
	     "h", "-n", "tile", "--max-length", "15", "--max-cost", "20", "--timeout", "500ms",
	     "-o", "n=3", "-o", "w=x", "--show", "--progress");
	assert_string_equal(run.out, "status     unsolvable\n");
	assert_int_equal(run.status, 1);
}

static void solve_prints_an_answer(void **state)
{
	(void)state;
	WITH(solver, "", "solve", "p", "1230");
	assert_string_equal(run.out, "status     solved\n"
				     "length     3\n"
				     "moves      a a a\n"
				     "final      000\n"
				     "algorithm  ida\n"
				     "nodes      5 expanded, 9 generated\n"
				     "time       1.5 ms\n");
	assert_string_equal(run.err, "");
	assert_int_equal(run.status, 0);
}

static void solve_draws_the_boards(void **state)
{
	(void)state;
	static const struct fake_step script[] = {
		{FAKE_READ, "\"render\":true"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"status\":\"solved\",\"length\":1,\"cost\":3,"
			    "\"moves\":[\"u\"],\"trace\":[\"1x\",\"x1\"],"
			    "\"render\":[\"1\\nx\",\"x\\n1\"],\"stats\":{}}}"},
		{0},
	};
	WITH(script, "", "solve", "p", "1x.", "--show");
	assert_string_equal(run.out, "status     solved\n"
				     "length     1\n"
				     "cost       3\n"
				     "moves      u\n"
				     "\n"
				     "start    1 u\n"
				     "1        x\n"
				     "x        1\n");
}

static void solve_gives_several_boards_and_the_worst_status(void **state)
{
	(void)state;
	WITH(solver, "", "solve", "p", "000", "uuu", "eee");
	ASSERT_HAS(run.out, "board      1\nstatus     solved\nlength     0\nmoves      \n");
	ASSERT_HAS(run.out, "\nboard      2\nstatus     unsolvable\n");
	ASSERT_HAS(run.out, "\nboard      3\nstatus     error\n");
	assert_string_equal(run.err, "puzzlectl: board 3: cell 3 is bad\\x1b[2J (byte 3)\n");
	assert_int_equal(run.status, 2);
	WITH(solver, "", "solve", "p", "000", "lll");
	ASSERT_HAS(run.out, "status     limit\nat least   16\n");
	assert_int_equal(run.status, 1);
	WITH(solver, "", "solve", "p", "eee", "e12");
	ASSERT_HAS(run.err, "quote one that has spaces");
	assert_int_equal(run.status, 2);
	WITH(solver, "", "solve", "p", "eee");
	assert_string_equal(run.err, "puzzlectl: cell 3 is bad\\x1b[2J (byte 3)\n");
	assert_int_equal(run.status, 2);
}

static void solve_reads_a_board_from_input(void **state)
{
	(void)state;
	static const struct fake_step script[] = {
		{FAKE_READ, "\"board\":\"1 2\\n3 x\""},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"status\":\"unsolvable\"}}"},
		{0},
	};
	WITH(script, "1 2\n3 x\n\n", "solve", "p");
	assert_int_equal(run.status, 1);
	WITH(script, "1 2\n3 x", "solve", "p", "-");
	assert_int_equal(run.status, 1);
}

static void json_is_the_raw_result(void **state)
{
	(void)state;
	WITH(solver, "", "--json", "solve", "p", "uuu");
	assert_string_equal(run.out, "{\"puzzle\":\"p\",\"status\":\"unsolvable\"}\n");
	assert_int_equal(run.status, 1);
	WITH(solver, "", "solve", "-j", "p", "uuu", "eee");
	assert_string_equal(
		run.out,
		"[{\"puzzle\":\"p\",\"status\":\"unsolvable\"},{\"error\":{\"code\":-32001,"
		"\"message\":\"cell 3 is bad\\u001B[2J\",\"data\":{\"kind\":"
		"\"invalid_board\",\"position\":3}}}]\n");
	assert_int_equal(run.status, 2);
	WITH(solver, "", "solve", "-j", "p", "ttt");
	assert_string_equal(run.out,
			    "{\"error\":{\"code\":-32003,\"message\":\"the deadline passed\","
			    "\"data\":{\"kind\":\"timeout\"}}}\n");
	assert_int_equal(run.status, 4);
}

static void batch_keeps_lines_together(void **state)
{
	(void)state;
	WITH(solver,
	     "\xEF\xBB\xBF"
	     "120\r\n\nuuu\n \t \nl\t0  \n\xff"
	     "0\neee\n000",
	     "batch", "p");
	assert_string_equal(run.out, "120\t2\ta a\n"
				     "\n"
				     "uuu\tunsolvable\t\n"
				     "\n"
				     "l 0\tlimit\t\n"
				     "\\xff0\terror\tthe line is not UTF-8\n"
				     "eee\terror\tcell 3 is bad\\x1b[2J (byte 3)\n"
				     "000\t0\t\n");
	assert_int_equal(run.status, 2);
	WITH(solver, "ttt\n1\n", "batch", "p", "-");
	assert_string_equal(run.out, "ttt\terror\tthe deadline passed\n1\t1\ta\n");
	assert_int_equal(run.status, 4);
}

static void batch_speaks_json(void **state)
{
	(void)state;
	WITH(solver, "uuu\n\n\xff\n", "batch", "p", "--json");
	assert_string_equal(run.out,
			    "{\"puzzle\":\"p\",\"status\":\"unsolvable\"}\n"
			    "null\n"
			    "{\"error\":{\"code\":-32001,\"message\":\"the line is not UTF-8\","
			    "\"data\":{\"kind\":\"invalid_board\"}}}\n");
	assert_int_equal(run.status, 2);
}

static void batch_refuses_long_lines_and_goes_on(void **state)
{
	(void)state;
	enum { LONG = 300000 };
	char *input = malloc(LONG + 8);
	memset(input, '1', LONG);
	strcpy(input + LONG, "\n120\n");
	WITH(solver, input, "batch", "p");
	ASSERT_HAS(run.out, "111...\terror\tthe line has more than 4096 bytes\n120\t2\ta a\n");
	assert_true(strlen(run.out) < 200);
	free(input);
}

/* More than several requests hold, and a blank line now and then. */
static void batch_streams_in_order(void **state)
{
	(void)state;
	enum { LINES = 5500 };
	char *input = malloc(LINES * 16), *expected = malloc(LINES * 32);
	char *in = input, *out = expected;
	for (int i = 0; i < LINES; i++) {
		if (i % 7 == 3) {
			*in++ = *out++ = '\n';
			continue;
		}
		bool odd = i % 2;
		in += sprintf(in, "%s%07d\n", odd ? "u" : "", odd ? i : 0);
		out += odd ? sprintf(out, "u%07d\tunsolvable\t\n", i)
			   : sprintf(out, "0000000\t0\t\n");
	}
	*in = *out = '\0';
	WITH(solver, input, "batch", "p");
	assert_string_equal(run.err, "");
	assert_string_equal(run.out, expected);
	assert_int_equal(run.status, 1);
	free(input);
	free(expected);
}

/* The deadline is a request's, but the user's timeout is for a board. */
static void batch_asks_alone_for_what_timed_out_in_company(void **state)
{
	(void)state;
	WITH(solver, "120\nc20\ntt0\n100\n", "batch", "p");
	assert_string_equal(run.out, "120\t2\ta a\n"
				     "c20\t2\ta a\n"
				     "tt0\terror\tthe deadline passed\n"
				     "100\t1\ta\n");
	assert_int_equal(run.status, 4);
}

/* Control characters are six bytes of JSON each; the fake daemon refuses lines that are too
 * long. */
static void batch_keeps_requests_below_the_daemons_bound(void **state)
{
	(void)state;
	enum { LINES = 1200, LONG = 2000 };
	char *input = malloc(LINES * (LONG + 1) + 1);
	for (int i = 0; i < LINES; i++) {
		memset(input + i * (LONG + 1), i % 2 ? '\001' : '0', LONG);
		input[i * (LONG + 1)] = 'u';
		input[i * (LONG + 1) + LONG] = '\n';
	}
	input[LINES * (LONG + 1)] = '\0';
	WITH(solver, input, "batch", "p", "--json");
	assert_int_equal(run.status, 1);
	assert_int_equal(strlen(run.out),
			 LINES * strlen("{\"puzzle\":\"p\",\"status\":\"unsolvable\"}\n"));
	free(input);
}

/* A board is answered although the next one has not come yet. */
static void batch_does_not_wait_for_the_next_board(void **state)
{
	(void)state;
	struct fake fake;
	fake_listen(&fake, solver);
	int in[2], out[2];
	assert_return_code(pipe2(in, O_CLOEXEC), 0);
	assert_return_code(pipe2(out, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0) {
		alarm(20);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execl(PUZZLECTL, "puzzlectl", "batch", "p", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	char line[64];
	FILE *answers = fdopen(out[0], "r");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(write(in[1], "120\n", 4), 4);
		alarm(20);
		assert_non_null(fgets(line, sizeof(line), answers));
		assert_string_equal(line, "120\t2\ta a\n");
	}
	alarm(0);
	close(in[1]);
	int status;
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	fclose(answers);
	fake_end(&fake);
}

static void a_file_that_is_none_is_told(void **state)
{
	(void)state;
	RUN(&run, "", "--local", "batch", "p", "/nowhere/boards");
	assert_string_equal(run.err,
			    "puzzlectl: cannot open /nowhere/boards: No such file or directory\n");
	assert_int_equal(run.status, 2);
}

static void batch_of_nothing_still_wants_a_puzzle(void **state)
{
	(void)state;
	static const struct fake_step there[] = {
		{FAKE_READ, "\"method\":\"describe\",\"params\":{\"puzzle\":\"p\"}"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"name\":\"p\"}}"},
		{0},
	};
	WITH(there, "\n", "batch", "p");
	assert_string_equal(run.out, "\n");
	assert_string_equal(run.err, "");
	assert_int_equal(run.status, 0);
	static const struct fake_step missing[] = {
		{FAKE_READ, "\"method\":\"describe\""},
		{FAKE_SEND,
		 "{\"id\":1,\"error\":{\"code\":-32002,\"message\":\"no puzzle \\\"p\\\"\","
		 "\"data\":{\"kind\":\"unknown_puzzle\"}}}"},
		{0},
	};
	WITH(missing, "", "batch", "p");
	ASSERT_HAS(run.err, "no puzzle \"p\"");
	assert_int_equal(run.status, 2);
}

/* Lines of progress where stderr is no terminal: the first at once, not more than one a second. */
static void progress_is_told_when_asked_for(void **state)
{
	(void)state;
	static const struct fake_step script[] = {
		{FAKE_READ, "\"boards\":[\"1234\",\"4321\"],\"progress\":true"},
		{FAKE_SEND, "{\"method\":\"progress\",\"params\":{\"board\":1,\"nodes\":70,"
			    "\"bound\":8,\"elapsed_ms\":30}}"},
		{FAKE_SEND, "{\"method\":\"progress\",\"params\":{\"board\":1,\"nodes\":90,"
			    "\"bound\":9,\"elapsed_ms\":40}}"},
		{FAKE_SEND, "{\"id\":1,\"result\":[" SOLVED(0, "") "," SOLVED(0, "") "]}"},
		{0},
	};
	WITH(script, "", "solve", "p", "1234", "4321", "--progress");
	assert_string_equal(run.err, "30.0 ms, board 2: 70 nodes, at least 8\n");
	assert_int_equal(run.status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(solve_sends_what_was_asked),
		cmocka_unit_test(solve_prints_an_answer),
		cmocka_unit_test(solve_draws_the_boards),
		cmocka_unit_test(solve_gives_several_boards_and_the_worst_status),
		cmocka_unit_test(solve_reads_a_board_from_input),
		cmocka_unit_test(json_is_the_raw_result),
		cmocka_unit_test(batch_keeps_lines_together),
		cmocka_unit_test(batch_speaks_json),
		cmocka_unit_test(batch_of_nothing_still_wants_a_puzzle),
		cmocka_unit_test(batch_refuses_long_lines_and_goes_on),
		cmocka_unit_test(batch_streams_in_order),
		cmocka_unit_test(batch_asks_alone_for_what_timed_out_in_company),
		cmocka_unit_test(batch_keeps_requests_below_the_daemons_bound),
		cmocka_unit_test(batch_does_not_wait_for_the_next_board),
		cmocka_unit_test(a_file_that_is_none_is_told),
		cmocka_unit_test(progress_is_told_when_asked_for),
	};
	return cmocka_run_group_tests_name("client_solve", tests, NULL, NULL);
}
