/* SPDX-License-Identifier: MIT */
/* The private daemon: when it is started, with what, and what its death tells.  It is a shell
 * script here, which speaks on its descriptor 3. */
#include "tests/test_client_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], program[96];
static struct run run;

/* Makes `body` the daemon. */
static void become(const char *body)
{
	FILE *file = fopen(program, "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s", body);
	assert_int_equal(fchmod(fileno(file), 0755), 0);
	assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/puzzlectl-test-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(program, sizeof(program), "%s/daemon", folder);
	setenv("PUZZLED_DAEMON", program, 1);
	setenv("XDG_RUNTIME_DIR", folder, 1);
	unsetenv("PUZZLED_SOCKET");
	unsetenv("PUZZLED_CONFIG");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(program);
	return rmdir(folder);
}

static void it_answers_on_descriptor_3(void **state)
{
	(void)state;
	become("read -r line <&3\n"
	       "[ $# = 2 ] && [ \"$1 $2\" = '--session-fd 3' ] || exit 1\n"
	       "printf '%s\\n' '{\"id\":1,\"result\":{\"version\":\"7\"}}' >&3\n");
	RUN(&run, "", "--local", "ping");
	assert_string_equal(run.err, "");
	assert_int_equal(run.status, 0);
	assert_non_null(strstr(run.out, "puzzled 7 answers in "));
}

static void it_gets_the_configuration(void **state)
{
	(void)state;
	become("[ \"$3 $4\" = '--config /some/where.ini' ] || exit 1\n"
	       "read -r line <&3; echo '{\"id\":1,\"result\":{\"puzzles\":[]}}' >&3\n");
	setenv("PUZZLED_CONFIG", "/some/where.ini", 1);
	RUN(&run, "", "--local", "list");
	unsetenv("PUZZLED_CONFIG");
	assert_int_equal(run.status, 0);
}

static void its_stdin_and_stdout_are_not_ours(void **state)
{
	(void)state;
	become("read -r line; [ -z \"$line\" ] || exit 1; echo noise; echo more noise >&2\n"
	       "read -r line <&3; echo '{\"id\":1,\"result\":{\"puzzles\":[]}}' >&3\n");
	RUN(&run, "our input\n", "--local", "--json", "list");
	assert_string_equal(run.out, "{\"puzzles\":[]}\n");
	assert_string_equal(run.err, "");
	RUN(&run, "our input\n", "--local", "--json", "--verbose", "list");
	assert_string_equal(run.out, "{\"puzzles\":[]}\n");
	assert_string_equal(run.err, "more noise\n");
}

static void its_death_is_told_with_its_log(void **state)
{
	(void)state;
	become("echo 'level=error event=no\033[31mplugin' >&2; exit 1\n");
	RUN(&run, "", "--local", "list");
	assert_int_equal(run.status, 3);
	assert_string_equal(run.out, "");
	assert_non_null(strstr(run.err, "closed the connection before it answered"));
	assert_non_null(strstr(run.err, "puzzled: level=error event=no\\x1b[31mplugin\n"));
	become("kill -9 $$\n");
	RUN(&run, "", "--local", "list");
	assert_int_equal(run.status, 3);
	assert_non_null(strstr(run.err, "was killed by signal 9"));
}

static void a_program_that_is_none_is_told(void **state)
{
	(void)state;
	setenv("PUZZLED_DAEMON", "/nowhere/puzzled", 1);
	RUN(&run, "", "--local", "list");
	assert_int_equal(run.status, 3);
	assert_non_null(strstr(run.err, "/nowhere/puzzled"));
	setenv("PUZZLED_DAEMON", program, 1);
}

/* Only where nobody said which daemon, and none listens. */
static void it_is_started_only_when_nobody_listens(void **state)
{
	(void)state;
	if (access("/run/puzzled/puzzled.sock", F_OK) == 0)
		skip();
	become("read -r line <&3; echo '{\"id\":1,\"result\":{\"puzzles\":[]}}' >&3\n");
	RUN(&run, "", "--json", "list");
	assert_int_equal(run.status, 0);
	assert_string_equal(run.out, "{\"puzzles\":[]}\n");

	RUN(&run, "", "--socket", "/nowhere/s", "list");
	assert_int_equal(run.status, 3);
	assert_string_equal(run.out, "");
	setenv("PUZZLED_SOCKET", "/nowhere/s", 1);
	RUN(&run, "", "list");
	assert_int_equal(run.status, 3);
	unsetenv("PUZZLED_SOCKET");
	RUN(&run, "", "--local", "--socket", "/nowhere/s", "list");
	assert_int_equal(run.status, 2);
}

static void questions_about_the_service_start_none(void **state)
{
	(void)state;
	static const char *const commands[] = {"ping", "status", "metrics", "reload"};
	if (access("/run/puzzled/puzzled.sock", F_OK) == 0)
		skip();
	become("read -r line <&3; echo '{\"id\":1,\"result\":{}}' >&3\n");
	for (size_t i = 0; i < 4; i++) {
		RUN(&run, "", commands[i]);
		assert_int_equal(run.status, 3);
		assert_string_equal(run.out, "");
		assert_non_null(strstr(run.err, "no daemon runs"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_answers_on_descriptor_3),
		cmocka_unit_test(it_gets_the_configuration),
		cmocka_unit_test(its_stdin_and_stdout_are_not_ours),
		cmocka_unit_test(its_death_is_told_with_its_log),
		cmocka_unit_test(a_program_that_is_none_is_told),
		cmocka_unit_test(it_is_started_only_when_nobody_listens),
		cmocka_unit_test(questions_about_the_service_start_none),
	};
	return cmocka_run_group_tests_name("client_local", tests, set_up, tear_down);
}
