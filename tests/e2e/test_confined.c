/* SPDX-License-Identifier: MIT */
/* A daemon whose plugin tries to break out: it is refused, it is told of, and everybody else is
 * served. */
#include "config.h"

#include "tests/e2e/harness.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What would reach the daemon or the machine; tests/test_sandbox.c has all of them. */
static const struct {
	const char *name, *outcome;
} attempts[] = {
	{"call_daemon", "EPERM"},  {"signal_parent", "EPERM"}, {"limit_parent", "EPERM"},
	{"trace_parent", "EPERM"}, {"read_parent", "EPERM"},   {"signal_by_socket", "EPERM"},
	{"run_shell", "EPERM"},    {"make_process", "EPERM"},  {"write_table", "EPERM"},
	{"read_passwd", "EACCES"}, {"read_environ", "EACCES"},
};

/* Asks what became of an attempt; the reply is an error that says it. */
static void ask(struct client *client, const char *puzzle, const char *stage, const char *name,
		const char *outcome)
{
	assert_error(client_ask(client,
				"\"method\":\"solve\",\"params\":{\"puzzle\":\"%s\",\"board\":"
				"\"%s %s\"}",
				puzzle, stage, name),
		     1, "plugin_failed", outcome);
}

static const char free_puzzle[] =
	"[puzzle:free]\nplugin = @/tests/plugins/breakout.so\nsandbox = no\n";

static void configure(struct site *site, const char *more, const char *other_puzzle)
{
	char text[2048];
	snprintf(text, sizeof(text),
		 "%s[puzzle:caged]\nplugin = @/tests/plugins/breakout.so\nfolder = %s\n"
		 "daemon_socket = %s\n"
		 "[puzzle:8puzzle]\nplugin = 8puzzle.so\n%s",
		 more, site->folder, site->socket, other_puzzle);
	site_configure(site, text);
}

static void assert_sandbox(struct client *client, const char *puzzle, const char *expected)
{
	json_t *status = client_status(client, puzzle);
	const char *is = json_string_value(json_object_get(status, "sandbox"));
	if (!is || strcmp(is, expected) != 0)
		fail_msg("the sandbox of %s is %s, not %s", puzzle, is ? is : "nothing", expected);
	json_decref(status);
}

/* Waits for the first HELLOs. */
static void start(struct site *site, struct client *client, const char *more,
		  const char *other_puzzle)
{
	configure(site, more, other_puzzle);
	site_start(site);
	client_open(client, site);
	client_await(client, "caged", "workers", 1);
	json_decref(client_ask(client, "\"method\":\"list\""));
#ifdef PZ_SANITIZED
	client_close(client);
	site_stop(site);
	print_message("# SKIP sanitizers do not work in the sandbox\n");
	skip();
#else
	json_t *status = client_status(client, "caged");
	bool whole = strcmp(json_string_value(json_object_get(status, "sandbox")), "on") == 0;
	json_decref(status);
	if (!whole) {
		client_close(client);
		site_stop(site);
		print_message("# SKIP this build or this kernel lacks seccomp or Landlock\n");
		skip();
	}
#endif
}

static void test_a_plugin_that_breaks_out_is_refused_and_the_daemon_serves_on(void **state)
{
	struct site *site = *state;
	struct client client;
	start(site, &client, "", "");
	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
		ask(&client, "caged", "ctor", attempts[i].name, attempts[i].outcome);
		ask(&client, "caged", "open", attempts[i].name, attempts[i].outcome);
		ask(&client, "caged", "solve", attempts[i].name, "EPERM");
		client_solve(&client, 2, "caged", "3");
		assert_solved(client_next(&client), 2, 3);
	}
	client_solve(&client, 3, "8puzzle", "123456708");
	assert_solved(client_next(&client), 3, 1);
	json_t *after = client_status(&client, "caged");
	assert_int_equal(number_at(after, "restarts"), 0);
	json_decref(after);
	client_close(&client);
	site_stop(site);
}

static void test_without_the_sandbox_it_succeeds_and_the_administrator_is_told(void **state)
{
	struct site *site = *state;
	struct client client;
	start(site, &client, "", free_puzzle);
	ask(&client, "free", "solve", "read_passwd", "done");
	ask(&client, "free", "solve", "run_shell", "done");
	ask(&client, "caged", "solve", "read_passwd", "EPERM");
	assert_sandbox(&client, "free", "off");
	assert_sandbox(&client, "caged", "on");
	assert_int_equal(site_logged(site, "event=sandbox_off"), 1);
	assert_int_equal(site_logged(site, "event=sandbox_incomplete"), 0);
	client_close(&client);
	site_stop(site);
}

static void test_no_sandbox_for_all_is_no_sandbox_for_each(void **state)
{
	struct site *site = *state;
	struct client client;
	configure(site, "sandbox = no\n", free_puzzle);
	site_start(site);
	client_open(&client, site);
	ask(&client, "caged", "solve", "read_passwd", "done");
	assert_sandbox(&client, "caged", "off");
	assert_sandbox(&client, "8puzzle", "off");
	assert_int_equal(site_logged(site, "event=sandbox_off"), 3);
	client_close(&client);
	site_stop(site);
}

/* Whether an ordinary user can come to the programs that were built here. */
static bool can_run(const struct passwd *user)
{
	int status;
	pid_t pid = fork();
	if (pid == 0)
		_exit(setgid(user->pw_gid) < 0 || setuid(user->pw_uid) < 0 ||
		      access("puzzled-worker", X_OK) < 0 ||
		      access("tests/plugins/breakout.so", R_OK) < 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status == 0;
}

static void test_workers_of_another_user_build_tables_and_map_them(void **state)
{
	struct site *site = *state;
	struct client client;
	const struct passwd *user = getpwnam("nobody");
	char folder[SITE_PATH + 16], more[512], path[512];
	struct stat info;
	if (geteuid() != 0 || !user || !can_run(user)) {
		print_message("# SKIP only root has workers of another user, who must be able to "
			      "read the build tree\n");
		skip();
	}
	assert_int_equal(chmod(site->folder, 0755), 0);
	snprintf(folder, sizeof(folder), "%s/tables", site->folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(chown(folder, user->pw_uid, user->pw_gid), 0);
	snprintf(more, sizeof(more), "user = nobody\ntable_dir = %s\n", folder);
	start(site, &client, more, "");
	/* What the builder met is in the table, so that who tells it has it mapped. */
	json_decref(client_ask(&client, "\"method\":\"build_table\",\"params\":{\"puzzle\":"
					"\"caged\"}"));
	ask(&client, "caged", "build", "read_passwd", "EPERM");
	ask(&client, "caged", "build", "work", "done");
	snprintf(path, sizeof(path), "%s/breakout.outcomes.table", folder);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_uid, user->pw_uid);
	client_close(&client);
	site_stop(site);
}

#define ON_SITE(name) cmocka_unit_test_setup_teardown(name, site_open, site_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_SITE(test_a_plugin_that_breaks_out_is_refused_and_the_daemon_serves_on),
		ON_SITE(test_without_the_sandbox_it_succeeds_and_the_administrator_is_told),
		ON_SITE(test_no_sandbox_for_all_is_no_sandbox_for_each),
		ON_SITE(test_workers_of_another_user_build_tables_and_map_them),
	};
	return cmocka_run_group_tests_name("confined", tests, NULL, NULL);
}
