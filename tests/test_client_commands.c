/* SPDX-License-Identifier: MIT */
/* puzzlectl as its users meet it: what it sends, prints and exits with, against a fake daemon. */
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
	assert_string_equal(run.err, "puzzlectl: board 3: cell 3 is bad\\x1b[2J (character 3)\n");
	assert_int_equal(run.status, 2);
	WITH(solver, "", "solve", "p", "000", "lll");
	ASSERT_HAS(run.out, "status     limit\nat least   16\n");
	assert_int_equal(run.status, 1);
	WITH(solver, "", "solve", "p", "eee", "e12");
	ASSERT_HAS(run.err, "quote one that has spaces");
	assert_int_equal(run.status, 2);
	WITH(solver, "", "solve", "p", "eee");
	assert_string_equal(run.err, "puzzlectl: cell 3 is bad\\x1b[2J (character 3)\n");
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
				     "eee\terror\tcell 3 is bad\\x1b[2J (character 3)\n"
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

/* ---- the other commands ---- */

static void verify_splits_letters_that_run_together(void **state)
{
	(void)state;
	static const struct fake_step letters[] = {
		{FAKE_READ, "\"method\":\"describe\",\"params\":{\"puzzle\":\"p\"}"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"moves\":{\"blank\":[\"u\",\"d\",\"l\",\"r\"],"
			    "\"tile\":[\"d\",\"u\",\"r\",\"l\"]}}}"},
		{FAKE_READ, "\"board\":\"2 8 3\",\"moves\":[\"u\",\"l\",\"q\"]"},
		{FAKE_SEND, "{\"id\":2,\"result\":{\"valid\":false,\"solved\":false,\"length\":2,"
			    "\"reason\":\"move 3 is none\"}}"},
		{0},
	};
	WITH(letters, "", "verify", "p", "2 8 3", "ulq");
	assert_string_equal(run.out, "status     not valid\n"
				     "length     2\n"
				     "reason     move 3 is none\n");
	assert_int_equal(run.status, 1);

	static const struct fake_step names[] = {
		{FAKE_READ, "\"method\":\"describe\""},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"moves\":{\"std\":[\"a1c2\",\"a1b3\"]}}}"},
		{FAKE_READ, "\"moves\":[\"a1c2\"]"},
		{FAKE_SEND, "{\"id\":2,\"result\":{\"valid\":true,\"solved\":true,\"length\":1,"
			    "\"cost\":1,\"final\":\"g\"}}"},
		{0},
	};
	WITH(names, "a1c2\n", "verify", "p", "2 8 3", "-");
	assert_string_equal(run.out, "status     solved\nlength     1\nfinal      g\n");
	assert_int_equal(run.status, 0);

	static const struct fake_step words[] = {
		{FAKE_READ, "\"moves\":[\"u\",\"l\"]"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"valid\":true,\"solved\":false}}"},
		{0},
	};
	WITH(words, " u\n l\n", "verify", "p", "2 8 3");
	assert_string_equal(run.out, "status     not solved\n");
	assert_int_equal(run.status, 1);
}

static void generate_counts_seeds_up(void **state)
{
	(void)state;
	static const struct fake_step script[] = {
		{FAKE_READ, "{\"puzzle\":\"p\",\"length\":9}"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"board\":\"1 2\\n3 x\\n\",\"seed\":41}}"},
		{FAKE_READ, "{\"puzzle\":\"p\",\"length\":9,\"seed\":42}"},
		{FAKE_SEND, "{\"id\":2,\"result\":{\"board\":\"1x\\u001b\",\"seed\":42}}"},
		{FAKE_EOF, NULL},
		{0},
	};
	WITH(script, "", "generate", "p", "--count", "2", "--length", "9");
	assert_string_equal(run.out, "1 2 3 x\n1x\\x1b\n");
	assert_int_equal(run.status, 0);
}

static void list_and_status_are_tables(void **state)
{
	(void)state;
	static const struct fake_step list[] = {
		{FAKE_READ, "\"method\":\"list\""},
		{FAKE_SEND,
		 "{\"id\":1,\"result\":{\"puzzles\":["
		 "{\"name\":\"8puzzle\",\"state\":\"ready\",\"summary\":\"tiles\"},"
		 "{\"name\":\"k\",\"state\":\"failed\",\"reason\":\"no \\u001b plugin\"}]}}"},
		{0},
	};
	WITH(list, "", "list");
	assert_string_equal(run.out, "PUZZLE   STATE   WHAT IT IS\n"
				     "8puzzle  ready   tiles\n"
				     "k        failed  no \\x1b plugin\n");
	static const struct fake_step status[] = {
		{FAKE_READ, "\"method\":\"status\""},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"version\":\"1\",\"pid\":7,\"uptime_ms\":65000,"
			    "\"sessions\":2,\"puzzles\":[{\"name\":\"k\",\"state\":\"ready\","
			    "\"workers\":[{},{}],\"queue\":3,\"answered\":12,"
			    "\"failed\":{\"timeout\":1,\"busy\":2}}]}}"},
		{0},
	};
	WITH(status, "", "status");
	assert_string_equal(run.out, "puzzled 1, pid 7, up 1 m 5 s, sessions 2\n"
				     "\n"
				     "PUZZLE  STATE  WORKERS  QUEUE  ANSWERED  FAILED  WHY\n"
				     "k       ready        2      3        12       3\n");
}

static void describe_explains(void **state)
{
	(void)state;
	static const struct fake_step script[] = {
		{FAKE_READ, "{\"puzzle\":\"8puzzle\"}"},
		{FAKE_SEND,
		 "{\"id\":1,\"result\":{\"name\":\"8puzzle\",\"summary\":\"tiles\","
		 "\"syntax\":\"nine cells\",\"moves\":{\"blank\":[\"u\",\"d\"],\"tile\":[\"d\"]},"
		 "\"algorithms\":[\"auto\",\"ida\"],\"options\":[{\"name\":\"depth\",\"type\":"
		 "\"int\","
		 "\"min\":1,\"max\":9,\"default\":3,\"scope\":\"job\",\"help\":\"how deep\"},"
		 "{\"name\":\"mode\",\"type\":\"choice\",\"choices\":[\"a\",\"b\"],"
		 "\"default\":\"a\"}]}}"},
		{0},
	};
	WITH(script, "", "describe", "8puzzle");
	assert_string_equal(run.out, "name        8puzzle\n"
				     "summary     tiles\n"
				     "syntax      nine cells\n"
				     "moves       blank: u d\n"
				     "            tile: d\n"
				     "algorithms  auto ida\n"
				     "\n"
				     "OPTION  TYPE        DEFAULT  WHERE  WHAT IT DOES\n"
				     "depth   int 1..9    3        job    how deep\n"
				     "mode    choice a|b  a\n");
}

static void metrics_are_printed_as_they_are(void **state)
{
	(void)state;
	static const struct fake_step script[] = {
		{FAKE_READ, "\"method\":\"metrics\""},
		{FAKE_SEND, "{\"id\":1,\"result\":\"# HELP a\\na 1\\n# EOF\\n\"}"},
		{0},
	};
	WITH(script, "", "metrics");
	assert_string_equal(run.out, "# HELP a\na 1\n# EOF\n");
}

static void compare_asks_every_algorithm(void **state)
{
	(void)state;
#define STATS(n) "\"stats\":{\"expanded\":" #n ",\"generated\":" #n "0,\"elapsed_us\":7"
	static const struct fake_step script[] = {
		{FAKE_READ, "describe"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"algorithms\":[\"auto\",\"ida\",\"bfs\"]}}"},
		{FAKE_READ, "\"algorithm\":\"ida\",\"board\":\"2 1\",\"iterations\":true"},
		{FAKE_SEND, "{\"id\":2,\"result\":{\"status\":\"solved\",\"length\":1,\"moves\":["
			    "\"u\"]," STATS(2) ",\"iterations\":[{\"bound\":0,\"expanded\":1},"
					       "{\"bound\":1,\"expanded\":2}]}}}"},
		{FAKE_READ, "\"algorithm\":\"bfs\""},
		{FAKE_SEND, "{\"id\":3,\"error\":{\"code\":-32003,\"message\":\"too late\","
			    "\"data\":{\"kind\":\"timeout\",\"lower_bound\":1}}}"},
		{0},
	};
	WITH(script, "", "compare", "p", "2", "1", "--iterations");
	assert_string_equal(
		run.out,
		"ALGORITHM  HEURISTIC   LENGTH  EXPANDED  GENERATED  MEMORY  TIME\n"
		"ida                         1         2         20          7 us\n"
		"bfs                   timeout                                     too late\n"
		"\n"
		"ALGORITHM  HEURISTIC  BOUND  EXPANDED\n"
		"ida                       0         1\n"
		"ida                       1         2\n");
	assert_int_equal(run.status, 0);

	static const struct fake_step liar[] = {
		{FAKE_READ, "describe"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"algorithms\":[\"ida\",\"bfs\"]}}"},
		{FAKE_READ, "ida"},
		{FAKE_SEND, "{\"id\":2,\"result\":" SOLVED(1, "\"u\"") "}"},
		{FAKE_READ, "bfs"},
		{FAKE_SEND, "{\"id\":3,\"result\":" SOLVED(0, "") "}"},
		{0},
	};
	WITH(liar, "", "compare", "p", "2", "1");
	ASSERT_HAS(run.err, "different cost");
	assert_int_equal(run.status, 5);
}

/* ---- usage and failure ---- */

static void usage_is_taught(void **state)
{
	(void)state;
	static const struct {
		const char *args[4];
		int status;
		const char *out, *err;
	} cases[] = {
		{{NULL}, 2, "", "Usage: puzzlectl"},
		{{"--help"}, 0, "Usage: puzzlectl", ""},
		{{"help"}, 0, "puzzlectl help solve", ""},
		{{"help", "judge"}, 0, "p2324    Luogu P2324", ""},
		{{"judge", "--help"}, 0, "p2324    Luogu P2324", ""},
		{{"--version"}, 0, "puzzlectl ", ""},
		{{"slove"}, 2, "", "did you mean 'solve'?"},
		{{"help", "slove"}, 2, "", "did you mean 'solve'?"},
		{{"zzz"}, 2, "", "there is no command 'zzz'"},
		{{"solve"}, 2, "", "usage: puzzlectl solve"},
		{{"judge", "p1380"}, 2, "", "but there is p1379"},
		{{"judge", "p1379", "x"}, 2, "", "usage: puzzlectl judge"},
		{{"--sokcet", "x"}, 2, "", "did you mean '--socket'?"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run_puzzlectl(&run, "", cases[i].args);
		ASSERT_HAS(run.out, cases[i].out);
		ASSERT_HAS(run.err, cases[i].err);
		/* Answers and complaints never share a stream. */
		assert_string_equal(run.status == 0 ? run.err : run.out, "");
		assert_int_equal(run.status, cases[i].status);
	}
}

static void no_daemon_is_told(void **state)
{
	(void)state;
	char path[120];
	RUN(&run, "", "--socket", "/nowhere/s", "solve", "p", "120");
	assert_string_equal(run.err,
			    "puzzlectl: cannot connect to /nowhere/s: No such file or directory\n");
	assert_int_equal(run.status, 3);
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	RUN(&run, "", "--socket", path, "ping");
	ASSERT_HAS(run.err, "may have 107 bytes");
	ASSERT_HAS(run.err, path);
	assert_int_equal(run.status, 2);
}

static void a_daemon_that_vanishes_is_told(void **state)
{
	(void)state;
	static const struct fake_step script[] = {{FAKE_READ, "solve"}, {0}};
	WITH(script, "", "solve", "p", "120");
	assert_string_equal(run.out, "");
	assert_string_equal(run.err,
			    "puzzlectl: the daemon closed the connection before it answered\n");
	assert_int_equal(run.status, 3);
	WITH(script, "1\n2\n", "batch", "p");
	assert_string_equal(run.out, "");
	assert_int_equal(run.status, 3);
}

static void an_answer_that_is_none_is_told(void **state)
{
	(void)state;
	static const char *const results[] = {
		"{}",
		"{\"status\":\"maybe\"}",
		"{\"status\":\"solved\"}",
		"{\"status\":\"solved\",\"length\":2,\"moves\":[\"u\"]}",
		"7",
	};
	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
		char reply[128];
		snprintf(reply, sizeof(reply), "{\"id\":1,\"result\":%s}", results[i]);
		const struct fake_step script[] = {{FAKE_READ, "solve"}, {FAKE_SEND, reply}, {0}};
		WITH(script, "", "solve", "p", "120");
		assert_string_equal(run.out, "");
		ASSERT_HAS(run.err, "the daemon's ");
		assert_int_equal(run.status, 3);
		WITH(script, "283104765", "judge", "p1379");
		assert_string_equal(run.out, "");
		assert_int_equal(run.status, 3);
	}
}

static void an_answer_that_cannot_be_written_is_told(void **state)
{
	(void)state;
	struct fake fake;
	fake_listen(&fake, solver);
	pid_t pid = fork();
	if (pid == 0) {
		alarm(20);
		freopen("/dev/full", "w", stdout);
		freopen("/dev/null", "w", stderr);
		execl(PUZZLECTL, "puzzlectl", "solve", "p", "120", (char *)NULL);
		_exit(127);
	}
	int status;
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 5);
	fake_end(&fake);
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
		cmocka_unit_test(batch_refuses_long_lines_and_goes_on),
		cmocka_unit_test(batch_streams_in_order),
		cmocka_unit_test(batch_does_not_wait_for_the_next_board),
		cmocka_unit_test(a_file_that_is_none_is_told),
		cmocka_unit_test(verify_splits_letters_that_run_together),
		cmocka_unit_test(generate_counts_seeds_up),
		cmocka_unit_test(list_and_status_are_tables),
		cmocka_unit_test(describe_explains),
		cmocka_unit_test(metrics_are_printed_as_they_are),
		cmocka_unit_test(compare_asks_every_algorithm),
		cmocka_unit_test(usage_is_taught),
		cmocka_unit_test(no_daemon_is_told),
		cmocka_unit_test(a_daemon_that_vanishes_is_told),
		cmocka_unit_test(an_answer_that_is_none_is_told),
		cmocka_unit_test(an_answer_that_cannot_be_written_is_told),
	};
	return cmocka_run_group_tests_name("client_commands", tests, NULL, NULL);
}
