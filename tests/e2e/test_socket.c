/* SPDX-License-Identifier: MIT */
/* The socket's file, the number of those who may come, descriptors, and a daemon that has nothing
 * to do. */
#include <config.h>

#include "tests/e2e/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAKE   "worker = @/tests/fake_worker\n"
#define PUZZLE "[puzzle:fake]\nplugin = /x/good\n"

static void assert_serves(const struct site *site)
{
	struct client client;
	client_open(&client, site);
	client_solve(&client, 1, "fake", "on");
	assert_member(client_next(&client), 1, "final", "on");
	client_close(&client);
}

static void test_the_mode_is_what_is_configured_whatever_the_umask(void **state)
{
	struct site *site = *state;
	static const mode_t umasks[] = {0, 022, 077, 0777};
	for (int i = 0; i < 4; i++) {
		struct stat info;
		mode_t before = umask(umasks[i]);
		site_configure(site, FAKE "socket_mode = 0621\n" PUZZLE);
		chmod(site->ini, 0600);
		FILE *log = fopen(site->log, "a");
		fclose(log);
		chmod(site->log, 0600);
		site_start(site);
		umask(before);
		assert_int_equal(lstat(site->socket, &info), 0);
		assert_true(S_ISSOCK(info.st_mode));
		assert_int_equal(info.st_mode & 07777, 0621);
		assert_serves(site);
		site_stop(site);
	}
}

static void test_the_group_is_what_is_configured(void **state)
{
	struct site *site = *state;
	struct stat info;
	char output[4096];
	const char *const arguments[] = {"--config", site->ini, NULL};
	if (geteuid() == 0) {
		/* Group 1 is called daemon everywhere that we know of. */
		site_run(site, FAKE "socket_group = daemon\n" PUZZLE);
		assert_int_equal(lstat(site->socket, &info), 0);
		assert_int_equal(info.st_gid, 1);
		site_stop(site);
	}
	site_configure(site, FAKE "socket_group = no_such_group\n" PUZZLE);
	assert_int_not_equal(site_check(site, output, sizeof(output), arguments), 0);
	assert_non_null(strstr(output, "no_such_group"));
	assert_int_equal(access(site->socket, F_OK), -1);
}

static void test_a_folder_that_is_missing_is_made_but_not_two(void **state)
{
	struct site *site = *state;
	char output[4096];
	const char *const arguments[] = {"--config", site->ini, NULL};
	snprintf(site->socket, sizeof(site->socket), "%s/new/socket", site->folder);
	site_run(site, FAKE PUZZLE);
	assert_serves(site);
	site_stop(site);
	snprintf(site->socket, sizeof(site->socket), "%s/other/new/socket", site->folder);
	site_configure(site, FAKE PUZZLE);
	assert_int_not_equal(site_check(site, output, sizeof(output), arguments), 0);
	assert_non_null(strstr(output, "/other/new: the folder of the socket cannot be made"));
}

static void test_what_a_killed_daemon_leaves_is_replaced_and_no_worker_is_left(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, FAKE PUZZLE);
	client_open(&client, site);
	client_begin(&client, 1, "fake", "obey 3600000");
	kill(site->pid, SIGKILL);
	/* Which waits for its workers too. */
	int status = site_wait(site);
	assert_true(WIFSIGNALED(status));
	client_expect_end(&client);
	client_close(&client);
	assert_int_equal(access(site->socket, F_OK), 0);
	site_start(site);
	assert_serves(site);
	site_stop(site);
}

static void test_a_live_socket_is_never_stolen(void **state)
{
	struct site *site = *state;
	struct site second;
	char output[4096], lock[SITE_PATH + 8];
	struct stat before, after;
	const char *const arguments[] = {"--config", site->ini, NULL};
	snprintf(lock, sizeof(lock), "%s.lock", site->socket);
	site_run(site, FAKE PUZZLE);
	second = *site;
	second.pid = 0;
	snprintf(second.log, sizeof(second.log), "%s/second", site->folder);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(stat(lock, &before), 0);
		int status = site_check(&second, output, sizeof(output), arguments);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
		assert_non_null(strstr(output, "another daemon serves this socket"));
		/* It took nothing away either. */
		assert_int_equal(stat(lock, &after), 0);
		assert_int_equal(before.st_ino, after.st_ino);
		assert_serves(site);
	}
	/* Nor where somebody has removed the lock. */
	unlink(lock);
	int status = site_check(&second, output, sizeof(output), arguments);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
	assert_non_null(strstr(output, "somebody listens on it"));
	assert_serves(site);
	site_stop(site);
}

static void test_what_is_no_socket_is_not_removed(void **state)
{
	struct site *site = *state;
	char output[4096];
	struct stat info;
	const char *const arguments[] = {"--config", site->ini, NULL};
	FILE *file = fopen(site->socket, "w");
	assert_non_null(file);
	fputs("precious", file);
	fclose(file);
	site_configure(site, FAKE PUZZLE);
	int status = site_check(site, output, sizeof(output), arguments);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
	assert_non_null(strstr(output, "something else than a socket"));
	assert_int_equal(lstat(site->socket, &info), 0);
	assert_true(S_ISREG(info.st_mode));
	assert_int_equal(info.st_size, 8);
	/* A link is not followed. */
	unlink(site->socket);
	assert_int_equal(symlink("/tmp", site->socket), 0);
	status = site_check(site, output, sizeof(output), arguments);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
	assert_int_equal(lstat(site->socket, &info), 0);
	assert_true(S_ISLNK(info.st_mode));
}

static void test_a_path_that_is_too_long_is_refused(void **state)
{
	struct site *site = *state;
	char output[4096];
	const char *const arguments[] = {"--config", site->ini, NULL};
	for (int len = 107; len <= 108; len++) {
		struct site longer = *site;
		snprintf(longer.socket, sizeof(longer.socket), "%s/%0*d", site->folder,
			 len - (int)strlen(site->folder) - 1, 0);
		site_configure(&longer, FAKE PUZZLE);
		if (len == 107) {
			site_start(&longer);
			assert_serves(&longer);
			site_stop(&longer);
			continue;
		}
		int status = site_check(&longer, output, sizeof(output), arguments);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
		assert_non_null(strstr(output, "puzzled.ini:2"));
	}
}

static void test_a_full_house_does_not_spin_and_lets_the_next_one_in(void **state)
{
	struct site *site = *state;
	struct client inside[3], waiting;
	site_run(site, FAKE "max_sessions = 3\n" PUZZLE);
	for (int i = 0; i < 3; i++) {
		client_open(&inside[i], site);
		json_decref(client_ask(&inside[i], "\"method\":\"ping\""));
	}
	client_open(&waiting, site); /* the kernel has it wait */
	client_send(&waiting, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
	client_solve(&inside[0], 1, "fake", "warm");
	assert_member(client_next(&inside[0]), 1, "final", "warm");
	long ticks = site_cpu_ticks(site);
	nap_ms(1000);
	assert_in_range(site_cpu_ticks(site) - ticks, 0, sysconf(_SC_CLK_TCK) / 10);
	assert_int_equal(recv(waiting.fd, &(char){0}, 1, MSG_DONTWAIT), -1);
	client_close(&inside[1]);
	json_decref(client_next(&waiting));
	client_solve(&waiting, 1, "fake", "on");
	assert_member(client_next(&waiting), 1, "final", "on");
	client_close(&waiting);
	client_close(&inside[0]);
	client_close(&inside[2]);
	assert_in_range(site_logged(site, "sessions_full"), 1, 20);
	site_stop(site);
}

/* More come than there are descriptors: those inside are served, workers can start, and the log is
 * not flooded. */
static void test_few_descriptors(void **state)
{
	struct site *site = *state;
	static struct client clients[100];
	site->descriptors = 48;
	site_run(site, FAKE "workers = 2\n" PUZZLE);
	for (int i = 0; i < 100; i++)
		client_open(&clients[i], site);
	for (int round = 0; round < 10; round++) {
		client_solve(&clients[0], 1, "fake", round % 2 ? "die" : "on");
		if (round % 2)
			assert_error(client_next(&clients[0]), 1, "worker_crashed", "SIGSEGV");
		else
			assert_member(client_next(&clients[0]), 1, "final", "on");
	}
	long ticks = site_cpu_ticks(site);
	nap_ms(500);
	assert_in_range(site_cpu_ticks(site) - ticks, 0, sysconf(_SC_CLK_TCK) / 10);
	/* Everybody has a turn once those before have gone. */
	for (int i = 0; i < 100; i++) {
		client_solve(&clients[i], 1, "fake", "on");
		assert_member(client_next(&clients[i]), 1, "final", "on");
		client_close(&clients[i]);
	}
	assert_in_range(site_logged(site, "sessions_full") + site_logged(site, "accept_failed"), 1,
			200);
	site_stop(site);
	site->descriptors = 16;
	site_configure(site, FAKE PUZZLE);
	char output[4096];
	const char *const arguments[] = {"--config", site->ini, NULL};
	assert_int_not_equal(site_check(site, output, sizeof(output), arguments), 0);
	assert_non_null(strstr(output, "descriptors are too few"));
}

static void test_an_idle_daemon_uses_nothing(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site,
		 "[puzzle:8puzzle]\nplugin = 8puzzle.so\n[puzzle:p1379]\nplugin = 8puzzle.so\n"
		 "goal = 123804765\n");
	client_open(&client, site);
	client_solve(&client, 1, "8puzzle", "867254301");
	assert_solved(client_next(&client), 1, 31);
	client_solve(&client, 1, "p1379", "283104765");
	assert_solved(client_next(&client), 1, 4);
	/* With a client that says nothing, one that has half-closed in the middle of a line, and
	 * none. */
	long ticks = site_cpu_ticks(site);
	nap_ms(1000);
	assert_int_equal(site_cpu_ticks(site), ticks);
	client_send(&client, "{\"jsonrpc\"");
	json_t *reply;
	shutdown(client.fd, SHUT_WR);
	reply = client_next(&client);
	assert_error(reply, 0, "parse_error", "byte ");
	client_expect_end(&client);
	client_close(&client);
	ticks = site_cpu_ticks(site);
	nap_ms(1000);
	assert_int_equal(site_cpu_ticks(site), ticks);
#ifndef PZ_SANITIZED
	assert_in_range(site_rss_kib(site), 1, 5 * 1024 - 1);
#endif
	site_stop(site);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_the_mode_is_what_is_configured_whatever_the_umask),
		ON_SITE(test_the_group_is_what_is_configured),
		ON_SITE(test_a_folder_that_is_missing_is_made_but_not_two),
		ON_SITE(test_what_a_killed_daemon_leaves_is_replaced_and_no_worker_is_left),
		ON_SITE(test_a_live_socket_is_never_stolen),
		ON_SITE(test_what_is_no_socket_is_not_removed),
		ON_SITE(test_a_path_that_is_too_long_is_refused),
		ON_SITE(test_a_full_house_does_not_spin_and_lets_the_next_one_in),
		ON_SITE(test_few_descriptors),
		ON_SITE(test_an_idle_daemon_uses_nothing),
	};
	return cmocka_run_group_tests_name("socket", tests, NULL, NULL);
}
