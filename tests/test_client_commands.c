/* SPDX-License-Identifier: MIT */
/* The other commands, usage and failure: what puzzlectl sends, prints and exits with. */
#include "config.h"

#include "tests/test_client_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct fake_step solver[] = {{FAKE_SOLVE, NULL}, {0}};

static struct run run;

#define SOLVED(length, moves) "{\"status\":\"solved\",\"length\":" #length ",\"moves\":[" moves "]}"

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

static void verify_guesses_at_a_board_without_quotes(void **state)
{
	(void)state;
	static const struct fake_step script[] = {
		{FAKE_READ, "\"board\":\"2\""},
		{FAKE_SEND, "{\"id\":1,\"error\":{\"code\":-32001,\"message\":\"short\"}}"},
		{FAKE_EOF, NULL},
		{0},
	};
	WITH(script, "", "verify", "p", "2", "3", "x", "u");
	ASSERT_HAS(run.err, "puzzlectl: 2 was taken for the board; quote one that has spaces\n");
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

/* With a seed, boards are asked for before the first has come, and printed in order all the
 * same. */
static void generate_does_not_wait(void **state)
{
	(void)state;
	static const struct fake_step script[] = {
		{FAKE_READ, "\"seed\":7}"},
		{FAKE_READ, "\"seed\":8}"},
		{FAKE_READ, "\"seed\":9}"},
		{FAKE_SEND, "{\"id\":2,\"result\":{\"board\":\"two\",\"seed\":8}}"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"board\":\"one\",\"seed\":7}}"},
		{FAKE_SEND, "{\"id\":3,\"error\":{\"code\":-32602,\"message\":\"none\"}}"},
		{FAKE_EOF, NULL},
		{0},
	};
	WITH(script, "", "generate", "p", "--count", "3", "--seed", "7");
	assert_string_equal(run.out, "one\ntwo\n");
	ASSERT_HAS(run.err, "none");
	assert_int_equal(run.status, 2);
}

static void list_and_status_are_tables(void **state)
{
	(void)state;
	static const struct fake_step list[] = {
		{FAKE_READ, "\"method\":\"list\""},
		{FAKE_SEND,
		 "{\"id\":1,\"result\":{\"puzzles\":["
		 "{\"name\":\"8puzzle\",\"state\":\"ready\",\"summary\":\"tiles\",\"plugin\":"
		 "\"8puzzle\","
		 "\"goal\":\"123\"},"
		 "{\"name\":\"one\",\"state\":\"ready\",\"summary\":\"alone\",\"plugin\":\"one\","
		 "\"goal\":\"1\"},"
		 "{\"name\":\"p1379\",\"state\":\"ready\",\"summary\":\"tiles\",\"plugin\":"
		 "\"8puzzle\","
		 "\"goal\":\"321\"},"
		 "{\"name\":\"k\",\"state\":\"failed\",\"reason\":\"no \\u001b plugin\"}]}}"},
		{0},
	};
	WITH(list, "", "list");
	assert_string_equal(run.out, "PUZZLE   STATE   WHAT IT IS\n"
				     "8puzzle  ready   tiles: 123\n"
				     "one      ready   alone\n"
				     "p1379    ready   tiles: 321\n"
				     "k        failed  no \\x1b plugin\n");
	static const struct fake_step status[] = {
		{FAKE_READ, "\"method\":\"status\""},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"version\":\"1\",\"pid\":7,\"uptime_ms\":65000,"
			    "\"sessions\":2,\"puzzles\":[{\"name\":\"k\",\"state\":\"ready\","
			    "\"workers\":[{},{}],\"queue\":3,\"answered\":12,"
			    "\"failed\":{\"timeout\":1,\"busy\":2},\"sandbox\":\"on\"},"
			    "{\"name\":\"m\",\"state\":\"ready\",\"sandbox\":\"off\"},"
			    "{\"name\":\"n\",\"state\":\"ready\",\"sandbox\":\"files only\"}]}}"},
		{0},
	};
	WITH(status, "", "status");
	assert_string_equal(run.out, "puzzled 1, pid 7, up 1 m 5 s, sessions 2\n"
				     "\n"
				     "PUZZLE  STATE  WORKERS  QUEUE  ANSWERED  FAILED  WHY\n"
				     "k       ready        2      3        12       3\n"
				     "m       ready\n"
				     "n       ready\n"
				     "m: not confined\n"
				     "n: confined in part: files only\n");
}

static void tables_are_listed_and_built(void **state)
{
	(void)state;
	static const struct fake_step list[] = {
		{FAKE_READ, "\"method\":\"tables\",\"params\":{}"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"tables\":[{\"puzzle\":\"k\",\"name\":\"full\","
			    "\"bytes\":17825792,\"state\":\"building\",\"done\":1,\"total\":4,"
			    "\"help\":\"all boards\"},{\"puzzle\":\"p\",\"name\":\"small\","
			    "\"bytes\":10,\"state\":\"failed\",\"reason\":\"no room\"}]}}"},
		{0},
	};
	WITH(list, "", "tables");
	assert_string_equal(run.out, "PUZZLE  TABLE    SIZE  STATE           WHAT IT HOLDS\n"
				     "k       full   17 MiB  building, 25 %  all boards\n"
				     "p       small    10 B  failed          no room\n");
	static const struct fake_step build[] = {
		{FAKE_READ,
		 "\"method\":\"build_table\",\"params\":{\"goal\":\"123\",\"puzzle\":\"k\","
		 "\"table\":\"full\",\"progress\":true}"},
		{FAKE_SEND, "{\"method\":\"progress\",\"params\":{\"nodes\":1,\"bound\":2,"
			    "\"elapsed_ms\":1500}}"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"table\":\"full\",\"state\":\"ready\"}}"},
		{0},
	};
	WITH(build, "", "tables", "build", "k", "-o", "goal=123", "--table", "full", "--progress");
	assert_string_equal(run.out, "full is ready\n");
	assert_string_equal(run.err, "1.50 s: 50 %\n");
	RUN(&run, "", "tables", "biuld", "k");
	ASSERT_HAS(run.err, "did you mean 'build'?");
	assert_int_equal(run.status, 2);
	RUN(&run, "", "tables", "verify");
	ASSERT_HAS(run.err, "usage: puzzlectl tables verify PUZZLE");
	assert_int_equal(run.status, 2);
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
		 "\"min\":1,\"max\":9,\"default\":3,\"scope\":[\"configuration\",\"request\"],"
		 "\"help\":\"how deep\"},"
		 "{\"name\":\"mode\",\"type\":\"choice\",\"choices\":[\"a\",\"b\"],"
		 "\"default\":\"a\"}]}}"},
		{0},
	};
	WITH(script, "", "describe", "8puzzle");
	assert_string_equal(run.out,
			    "name        8puzzle\n"
			    "summary     tiles\n"
			    "syntax      nine cells\n"
			    "moves       blank: u d\n"
			    "            tile: d\n"
			    "algorithms  auto ida\n"
			    "\n"
			    "OPTION  TYPE        DEFAULT  WHERE                   WHAT IT DOES\n"
			    "depth   int 1..9    3        configuration, request  how deep\n"
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

/* Each algorithm with each heuristic, but one that uses none only once. */
static void compare_asks_every_heuristic(void **state)
{
	(void)state;
#define USED(heuristic)                                                                            \
	"{\"status\":\"unsolvable\",\"stats\":{" heuristic "\"expanded\":1,\"generated\":2}}"
	static const struct fake_step script[] = {
		{FAKE_READ, "describe"},
		{FAKE_SEND, "{\"id\":1,\"result\":{\"algorithms\":[\"ida\",\"bfs\"],"
			    "\"heuristics\":[\"far\",\"near\"]}}"},
		{FAKE_READ, "\"algorithm\":\"ida\",\"heuristic\":\"far\""},
		{FAKE_SEND, "{\"id\":2,\"result\":" USED("\"heuristic\":\"far\",") "}"},
		{FAKE_READ, "\"algorithm\":\"ida\",\"heuristic\":\"near\""},
		{FAKE_SEND, "{\"id\":3,\"result\":" USED("\"heuristic\":\"near\",") "}"},
		{FAKE_READ, "\"algorithm\":\"bfs\",\"heuristic\":\"far\""},
		{FAKE_SEND, "{\"id\":4,\"result\":" USED("") "}"},
		{FAKE_EOF, NULL},
		{0},
	};
	WITH(script, "", "compare", "p", "2", "1", "--heuristics");
	assert_string_equal(run.out,
			    "ALGORITHM  HEURISTIC      LENGTH  EXPANDED  GENERATED  MEMORY  TIME\n"
			    "ida        far        unsolvable         1          2\n"
			    "ida        near       unsolvable         1          2\n"
			    "bfs                   unsolvable         1          2\n");
	assert_int_equal(run.status, 1);
}

/* ---- usage and failure ---- */

static void help_fits_a_terminal(void **state)
{
	(void)state;
	char commands[4096], *rest;
	RUN(&run, "", "help", "help");
	const char *list = strstr(run.out, "Commands:\n");
	assert_non_null(list);
	snprintf(commands, sizeof(commands), "%s", list + strlen("Commands:\n"));
	*strstr(commands, "\n\n") = '\0';
	for (char *line = strtok_r(commands, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char name[32];
		assert_int_equal(sscanf(line, "%31s", name), 1);
		RUN(&run, "", "help", name);
		assert_int_equal(run.status, 0);
		for (const char *at = run.out; *at; at += strcspn(at, "\n") + 1)
			if (strcspn(at, "\n") > 80)
				fail_msg("help %s: more than 80 columns: %.90s", name, at);
	}
}

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
		cmocka_unit_test(verify_splits_letters_that_run_together),
		cmocka_unit_test(verify_guesses_at_a_board_without_quotes),
		cmocka_unit_test(generate_counts_seeds_up),
		cmocka_unit_test(generate_does_not_wait),
		cmocka_unit_test(list_and_status_are_tables),
		cmocka_unit_test(tables_are_listed_and_built),
		cmocka_unit_test(describe_explains),
		cmocka_unit_test(metrics_are_printed_as_they_are),
		cmocka_unit_test(compare_asks_every_algorithm),
		cmocka_unit_test(compare_asks_every_heuristic),
		cmocka_unit_test(help_fits_a_terminal),
		cmocka_unit_test(usage_is_taught),
		cmocka_unit_test(no_daemon_is_told),
		cmocka_unit_test(a_daemon_that_vanishes_is_told),
		cmocka_unit_test(an_answer_that_is_none_is_told),
		cmocka_unit_test(an_answer_that_cannot_be_written_is_told),
	};
	return cmocka_run_group_tests_name("client_commands", tests, NULL, NULL);
}
