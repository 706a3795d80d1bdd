/* SPDX-License-Identifier: MIT */
/* The daemon under a service manager, which this program plays: a socket handed over, and what is
 * told. */
#include <config.h>

#include "tests/e2e/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define EIGHT "[puzzle:8puzzle]\nplugin = 8puzzle.so\n"
#define SLOW                                                                                       \
	"[puzzle:slow]\nplugin = @/tests/plugins/good.so\nworkers = 1\n"                           \
	"[puzzle:broken]\nplugin = @/tests/plugins/no_symbol.so\n"

/* ---- the manager ---- */

static int given = -1;    /* what the next daemon gets as its descriptor 3 */
static int given_count;   /* LISTEN_FDS */
static int messages = -1; /* where it says how it is */

/* Only in the child is known for whom LISTEN_PID is, so this runs there, between fork and exec. */
static void hand_over(void)
{
	char number[16];
	if (given < 0)
		return;
	snprintf(number, sizeof(number), "%d", getpid());
	setenv("LISTEN_PID", number, 1);
	snprintf(number, sizeof(number), "%d", given_count);
	setenv("LISTEN_FDS", number, 1);
	for (int i = 0; i < given_count; i++)
		dup2(given, 3 + i);
}

static int listen_on(const char *path, int type, bool listening)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	/* '@' begins an abstract one. */
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1);
	strcpy(address.sun_path, path);
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	unlink(path);
	/* Well above 3, so that handing it over is always a copy. */
	int low = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	int fd = fcntl(low, F_DUPFD_CLOEXEC, 100);
	close(low);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
	if (listening)
		assert_int_equal(listen(fd, 16), 0);
	return fd;
}

static int open_site(void **state)
{
	char path[SITE_PATH];
	assert_int_equal(site_open(state), 0);
	struct site *site = *state;
	snprintf(path, sizeof(path), "%s/notify", site->folder);
	messages = listen_on(path, SOCK_DGRAM, false);
	setenv("NOTIFY_SOCKET", path, 1);
	unsetenv("WATCHDOG_USEC");
	given = -1;
	given_count = 1;
	return 0;
}

static int close_site(void **state)
{
	close(messages);
	if (given >= 0)
		close(given);
	given = -1;
	return site_close(state);
}

static void spawn(struct site *site)
{
	const char *const arguments[] = {"--config", site->ini, NULL};
	site_spawn(site, arguments);
}

#ifdef PZ_SYSTEMD

/* ---- what is told ---- */

/* The next message within `ms`, in a buffer of this function's, or NULL. */
static const char *next_message(int ms)
{
	static char message[1024];
	struct pollfd wait = {.fd = messages, .events = POLLIN};
	if (poll(&wait, 1, ms) <= 0)
		return NULL;
	ssize_t len = recv(messages, message, sizeof(message) - 1, 0);
	assert_true(len > 0);
	message[len] = '\0';
	return message;
}

/* Waits for a message with this in it. */
static const char *await(const char *part)
{
	int64_t since = now_ms();
	for (;;) {
		const char *message = next_message(100);
		if (message && strstr(message, part))
			return message;
		be_patient(since, part);
	}
}

static void test_ready_comes_with_the_first_answer(void **state)
{
	struct site *site = *state;
	struct client client;
	site_configure(site, EIGHT);
	int64_t since = now_ms();
	spawn(site);
	assert_string_equal(await("READY=1"), "READY=1\nSTATUS=1 puzzle, 1 worker, 0 waiting");
	print_message("# ready after %d ms\n", (int)(now_ms() - since));
	client_open(&client, site);
	json_t *status = client_status(&client, "8puzzle");
	assert_string_equal(json_string_value(json_object_get(status, "state")), "ready");
	json_decref(status);
	client_close(&client);
	site_stop(site);
	const char *message = await("STOPPING=1");
	/* drain_timeout, and some for the workers' end */
	assert_non_null(strstr(message, "\nEXTEND_TIMEOUT_USEC=25000000\n"));
}

static void test_status_follows_changes_and_no_more(void **state)
{
	struct site *site = *state;
	struct client client;
	site_configure(site, "max_session_jobs = 10\n" SLOW);
	spawn(site);
	const char *message = await("READY=1");
	assert_string_equal(message,
			    "READY=1\nSTATUS=2 puzzles (1 unavailable), 1 worker, 0 waiting");
	/* Nothing changes, nothing is said. */
	assert_null(next_message(1500));
	client_open(&client, site);
	int64_t begun = now_ms();
	for (int i = 1; i <= 10; i++)
		client_sendf(&client,
			     "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":{"
			     "\"puzzle\":"
			     "\"slow\",\"board\":\"5\",\"delay_ms\":250}}\n",
			     i);
	int told = 0;
	while ((message = next_message(1500))) {
		assert_non_null(strstr(message, "STATUS=2 puzzles (1 unavailable), 1 worker, "));
		told++;
	}
	int64_t took = now_ms() - begun - 1500;
	/* At once, then once in each second while the queue empties. */
	assert_in_range(told, 2, 1 + took / 1000 + 1);
	client_close(&client);
	site_stop(site);
}

static void test_a_plugin_that_takes_long_delays_ready_no_longer_than_that(void **state)
{
	struct site *site = *state;
	site_configure(site, EIGHT "[puzzle:late]\nplugin = @/tests/plugins/slow_open.so\n"
				   "open_ms = 60000\nopen_timeout = 60s\n");
	int64_t since = now_ms();
	spawn(site);
	await("READY=1");
	assert_in_range(now_ms() - since, 4500, 15000);
	site_stop(site);
}

static void test_the_watchdog_is_fed_by_the_loop(void **state)
{
	struct site *site = *state;
	setenv("WATCHDOG_USEC", "400000", 1);
	site_configure(site, EIGHT);
	spawn(site);
	await("READY=1");
	int64_t since = now_ms();
	for (int i = 0; i < 5; i++)
		assert_string_equal(await("WATCHDOG=1"), "WATCHDOG=1");
	/* Every 200 ms: neither more often, nor so seldom that a manager would lose patience. */
	assert_in_range(now_ms() - since, 600, 5000);
	kill(site->pid, SIGSTOP);
	while (next_message(300))
		;
	assert_null(next_message(600));
	kill(site->pid, SIGCONT);
	await("WATCHDOG=1");
	site_stop(site);
}

/* ---- what is handed over ---- */

static void test_a_socket_that_is_handed_over_is_served(void **state)
{
	struct site *site = *state;
	struct stat before, after;
	struct client early, late;
	/* The socket's mode is the manager's, whatever the configuration says. */
	site_configure(site, "socket_mode = 0666\n" EIGHT);
	given = listen_on(site->socket, SOCK_STREAM, true);
	assert_int_equal(chmod(site->socket, 0600), 0);
	assert_int_equal(stat(site->socket, &before), 0);

	/* Connected, and a request written, before there is a daemon. */
	client_open(&early, site);
	client_solve(&early, 1, "8puzzle", "123456708");
	spawn(site);
	assert_solved(client_next(&early), 1, 1);

	/* It ends, the socket stays, and who connects then waits for the next one. */
	assert_int_equal(kill(site->pid, SIGTERM), 0);
	assert_int_equal(site_wait(site), 0);
	client_expect_end(&early);
	client_close(&early);
	client_open(&late, site);
	client_solve(&late, 2, "8puzzle", "123456708");
	spawn(site);
	assert_solved(client_next(&late), 2, 1);
	client_close(&late);
	assert_int_equal(kill(site->pid, SIGTERM), 0);
	assert_int_equal(site_wait(site), 0);

	assert_int_equal(stat(site->socket, &after), 0);
	assert_int_equal(after.st_ino, before.st_ino);
	assert_int_equal(after.st_mode, before.st_mode);
}

/* Starts the daemon with what is in `given`, and expects that it gives up with these words. */
static void assert_refused(struct site *site, const char *words)
{
	unsigned before = site_logged(site, words);
	spawn(site);
	int status = site_wait(site);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_int_equal(site_logged(site, words), before + 1);
	close(given);
}

static void test_what_cannot_be_served_is_refused(void **state)
{
	struct site *site = *state;
	char name[SITE_PATH];
	site_configure(site, EIGHT);
	given = listen_on(site->socket, SOCK_STREAM, false);
	assert_refused(site, "is no listening Unix stream socket");
	given = listen_on(site->socket, SOCK_SEQPACKET, true);
	assert_refused(site, "is no listening Unix stream socket");
	given = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 100);
	assert_refused(site, "is no listening Unix stream socket");
	snprintf(name, sizeof(name), "@puzzled-test-%d", getpid());
	given = listen_on(name, SOCK_STREAM, true);
	assert_refused(site, "abstract");
	given_count = 2;
	given = listen_on(site->socket, SOCK_STREAM, true);
	assert_refused(site, "2 sockets were handed over");
	given = -1;
}

#else

/* Built without libsystemd: what it cannot take it refuses, and says why. */
static void test_without_libsystemd_a_socket_is_refused(void **state)
{
	struct site *site = *state;
	site_configure(site, EIGHT);
	given = listen_on(site->socket, SOCK_STREAM, true);
	spawn(site);
	int status = site_wait(site);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_int_equal(site_logged(site, "built without libsystemd"), 1);
}

#endif

static void test_a_socket_for_somebody_else_is_not_ours(void **state)
{
	struct site *site = *state;
	struct client client;
	setenv("LISTEN_PID", "1", 1);
	setenv("LISTEN_FDS", "1", 1);
	site_run(site, EIGHT);
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	client_open(&client, site);
	client_solve(&client, 1, "8puzzle", "123456708");
	assert_solved(client_next(&client), 1, 1);
	client_close(&client);
	site_stop(site);
}

#define SITE_TEST(name) cmocka_unit_test_setup_teardown(name, open_site, close_site)

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef PZ_SYSTEMD
		SITE_TEST(test_ready_comes_with_the_first_answer),
		SITE_TEST(test_status_follows_changes_and_no_more),
		SITE_TEST(test_a_plugin_that_takes_long_delays_ready_no_longer_than_that),
		SITE_TEST(test_the_watchdog_is_fed_by_the_loop),
		SITE_TEST(test_a_socket_that_is_handed_over_is_served),
		SITE_TEST(test_what_cannot_be_served_is_refused),
#else
		SITE_TEST(test_without_libsystemd_a_socket_is_refused),
#endif
		SITE_TEST(test_a_socket_for_somebody_else_is_not_ours),
	};
	/* Nothing else may be where sockets are handed over. */
	while (open("/dev/null", O_RDONLY | O_CLOEXEC) < 4)
		;
	if (pthread_atfork(NULL, NULL, hand_over) != 0)
		return 99;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
