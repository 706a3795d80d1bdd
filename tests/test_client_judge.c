/* SPDX-License-Identifier: MIT */
/* puzzlectl judge: what it takes for a board, what it asks, and what it lets a judge see. */
#include "config.h"

#include "tests/test_client_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct run run;

/* A result as far as a judge is concerned. */
#define SOLVED(length, moves) "{\"status\":\"solved\",\"length\":" #length ",\"moves\":[" moves "]}"

#define KNIGHTS "1011001*11101110100100000"

static void judges_send_their_goal_and_their_limit(void **state)
{
	(void)state;
	static const struct {
		const char *format, *input, *request;
	} cases[] = {
		{"p1379", "2 8 3\n1 0 4\n7 6 5",
		 "{\"puzzle\":\"8puzzle\",\"goal\":\"123804765\",\"boards\":[\"283104765\"]}"},
		{"poj1077", "2 3 4 1 5 x 7 6 8\r\n",
		 "{\"puzzle\":\"8puzzle\",\"goal\":\"123456780\",\"boards\":[\"23415x768\"]}"},
		{"p2324", "1\n10110\n01*11\n10111\n01001\n00000\n",
		 "{\"puzzle\":\"knights\",\"max_length\":15,\"boards\":[\"" KNIGHTS "\"]}"},
		{"hdu1043", "2 3 4 1 5 x 7 6 8\n\n1 2 3 4 5 6 7 8 x",
		 "{\"puzzle\":\"8puzzle\",\"goal\":\"123456780\","
		 "\"boards\":[\"23415x768\",\"12345678x\"]}"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct fake_step script[] = {
			{FAKE_READ, cases[i].request},
			{FAKE_SEND,
			 "{\"id\":1,\"error\":{\"code\":-32002,\"message\":\"no such puzzle\"}}"},
			{0},
		};
		WITH(script, cases[i].input, "judge", cases[i].format);
		assert_string_equal(run.out, "");
		assert_string_equal(run.err, "puzzlectl: no such puzzle\n");
		assert_int_equal(run.status, 2);
	}
}

/* The result of `boards`, and what the judge reads of it. */
static void judges_get_their_output(void **state)
{
	(void)state;
	static const struct {
		const char *format, *input, *results, *output;
	} cases[] = {
		{"p1379", "283104765", SOLVED(2, "\"u\",\"l\""), "2\n"},
		{"p1379", "283104765", SOLVED(0, ""), "0\n"},
		{"p1379", "123804756", "{\"status\":\"unsolvable\"}", "-1\n"},
		{"poj1077", "23415x768", SOLVED(2, "\"u\",\"l\""), "ul\n"},
		{"poj1077", "12345678x", SOLVED(0, ""), "\n"},
		{"poj1077", "12345687x", "{\"status\":\"unsolvable\"}", "unsolvable\n"},
		{"hdu1043", "23415x768\n12345687x\n12345678x\n",
		 SOLVED(1, "\"d\"") ",{\"status\":\"unsolvable\"}," SOLVED(0, ""),
		 "d\nunsolvable\n\n"},
		{"p2324", "2\n" KNIGHTS "\n" KNIGHTS,
		 SOLVED(1, "\"a1c2\"") ",{\"status\":\"limit\",\"lower_bound\":16}", "1\n-1\n"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char reply[512];
		snprintf(reply, sizeof(reply), "{\"id\":1,\"result\":[%s]}", cases[i].results);
		const struct fake_step script[] = {
			{FAKE_READ, "boards"}, {FAKE_SEND, reply}, {FAKE_EOF, NULL}, {0}};
		WITH(script, cases[i].input, "judge", cases[i].format);
		assert_string_equal(run.out, cases[i].output);
		assert_string_equal(run.err, "");
		assert_int_equal(run.status, 0);
	}
}

/* Nothing is asked, and nothing answered. */
static void judges_refuse_bad_input(void **state)
{
	(void)state;
	static const struct {
		const char *format, *input, *sentence;
	} cases[] = {
		{"p1379", "", "input ends before board 1 of 1"},
		{"p1379", "\n", "input ends before board 1 of 1"},
		{"p1379", "28310476\n", "line 2, where cell 9"},
		{"p1379", "2831047650\n", "line 1, column 10"},
		{"p1379", "283104765 283104765\n", "line 1, column 11"},
		{"p1379", "283104765\n283104765\n", "line 2, column 1"},
		{"p1379", "28310a765\n", "line 1, column 6"},
		{"p1379", "[[2,8,3],[1,0,4],[7,6,5]]\n", "line 1, column 1"},
		{"poj1077", "2 3 4\n1 5 x\n7 6\n", "line 4, where cell 9"},
		{"poj1077", "2 3 4 1 5 x 7 6 8 9\n", "column 19"},
		{"p2324", "", "number of boards"},
		{"p2324", "x\n", "number of boards"},
		{"p2324", "99999999999999999999\n", "more than 9 digits"},
		{"p2324", "1\n", "input ends before board 1 of 1"},
		{"p2324", "1\n10110\n01*1\n10111\n01001\n00000\n", "cell 25 of 25"},
		{"p2324", "1\n10110\n01*12\n", "line 3, column 5"},
		{"p2324", "1\n" KNIGHTS "\n" KNIGHTS "\n", "line 3, column 1"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		RUN(&run, cases[i].input, "--socket", "/nowhere/s", "judge", cases[i].format);
		assert_string_equal(run.out, "");
		ASSERT_HAS(run.err, cases[i].sentence);
		assert_int_equal(run.status, 2);
	}
	RUN(&run, "0\n", "--socket", "/nowhere/s", "judge", "p2324");
	assert_int_equal(run.status, 0);
	assert_string_equal(run.out, "");
}

static void judges_show_where_a_refused_board_stands(void **state)
{
	(void)state;
	static const struct fake_step script[] = {
		{FAKE_READ, "boards"},
		{FAKE_SEND, "{\"id\":1,\"result\":[" SOLVED(
				    1, "\"d\"") ",{\"error\":{\"code\":-32001,"
						"\"message\":\"tile 2 is there "
						"twice\",\"data\":{\"position\":4}}}," SOLVED(
							1, "\"u\"") "]}"},
		{0},
	};
	WITH(script, "23415x768\r\n\r\n2 3 4\r\n  2 5 x\r\n7 6 8\r\n23415x768\n", "judge",
	     "hdu1043");
	assert_string_equal(run.out, "d\n");
	assert_string_equal(run.err, "puzzlectl: line 4, column 3: tile 2 is there twice\n");
	assert_int_equal(run.status, 2);
}

static void judges_read_an_endless_line_no_further(void **state)
{
	(void)state;
	int in[2];
	assert_return_code(pipe2(in, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0) {
		alarm(20);
		dup2(in[0], 0);
		freopen("/dev/null", "w", stderr);
		execl(PUZZLECTL, "puzzlectl", "--socket", "/nowhere/s", "judge", "p1379",
		      (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	signal(SIGPIPE, SIG_IGN);
	char digits[4096];
	memset(digits, '2', sizeof(digits));
	while (write(in[1], digits, sizeof(digits)) > 0)
		continue;
	signal(SIGPIPE, SIG_DFL);
	close(in[1]);
	int status;
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_send_their_goal_and_their_limit),
		cmocka_unit_test(judges_get_their_output),
		cmocka_unit_test(judges_refuse_bad_input),
		cmocka_unit_test(judges_show_where_a_refused_board_stands),
		cmocka_unit_test(judges_read_an_endless_line_no_further),
	};
	return cmocka_run_group_tests_name("client_judge", tests, NULL, NULL);
}
