/* SPDX-License-Identifier: MIT */
/* The end: what was asked is answered, but not for ever; and a daemon for one session only. */
#include "tests/e2e/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAKE   "worker = @/tests/fake_worker\nworkers = 1\n"
#define PUZZLE "[puzzle:fake]\nplugin = /x/good\n"

static void assert_orderly(int status)
{
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_what_runs_and_what_waits_is_answered(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, FAKE PUZZLE);
	client_open(&client, site);
	client_begin(&client, 1, "fake", "obey 300");
	for (int id = 2; id < 50; id++)
		client_solve(&client, id, "fake", "short");
	kill(site->pid, SIGTERM);
	int replies[50] = {0};
	for (int id = 1; id < 50; id++) {
		json_t *reply = client_next(&client);
		replies[number_at(reply, "id")]++;
		assert_non_null(json_object_get(reply, "result"));
		json_decref(reply);
	}
	for (int id = 1; id < 50; id++)
		assert_int_equal(replies[id], 1);
	client_expect_end(&client);
	client_close(&client);
	assert_orderly(site_wait(site));
}

/* Each write that succeeds gets a reply, whenever the end comes; the first one that fails says that
 * there is none. */
static void test_every_write_that_succeeded_gets_its_reply(void **state)
{
	struct site *site = *state;
	for (int round = 0; round < 20; round++) {
		struct client client;
		int asked = 0;
		site_run(site, FAKE PUZZLE);
		client_open(&client, site);
		for (int id = 1;; id++) {
			char line[256];
			int len = snprintf(
				line, sizeof(line),
				"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":{"
				"\"puzzle\":\"fake\",\"board\":\"b\"}}\n",
				id);
			if (id == 20 + round)
				kill(site->pid, SIGTERM);
			ssize_t put = send(client.fd, line, (size_t)len, MSG_NOSIGNAL);
			if (put < 0) {
				assert_int_equal(errno, EPIPE);
				break;
			}
			assert_int_equal(put, len);
			asked++;
		}
		for (int i = 0; i < asked; i++) {
			json_t *reply = client_next(&client);
			assert_non_null(json_object_get(reply, "result"));
			json_decref(reply);
		}
		client_expect_end(&client);
		client_close(&client);
		assert_orderly(site_wait(site));
	}
}

/* Also of those who had not been let in yet. */
static void test_who_waits_at_the_door_is_answered_too(void **state)
{
	struct site *site = *state;
	struct client inside, waiting[20];
	site_run(site, FAKE "max_sessions = 1\n" PUZZLE);
	client_open(&inside, site);
	client_begin(&inside, 1, "fake", "obey 300");
	for (int i = 0; i < 20; i++) {
		client_open(&waiting[i], site);
		client_solve(&waiting[i], 1, "fake", "waited");
	}
	kill(site->pid, SIGTERM);
	assert_member(client_next(&inside), 1, "final", "in time");
	for (int i = 0; i < 20; i++) {
		assert_member(client_next(&waiting[i]), 1, "final", "waited");
		client_expect_end(&waiting[i]);
		client_close(&waiting[i]);
	}
	client_close(&inside);
	assert_orderly(site_wait(site));
}

static void test_nobody_can_connect_any_more(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, FAKE PUZZLE);
	client_open(&client, site);
	client_begin(&client, 1, "fake", "obey 500");
	kill(site->pid, SIGTERM);
	int64_t since = now_ms();
	while (access(site->socket, F_OK) == 0)
		be_patient(since, "the socket to be removed");
	assert_member(client_next(&client), 1, "final", "in time");
	client_close(&client);
	assert_orderly(site_wait(site));
}

static void test_past_the_limit_all_are_told(void **state)
{
	struct site *site = *state;
	struct client client, blocked;
	site_run(site, FAKE "drain_timeout = 200ms\nmax_session_jobs = 2\n" PUZZLE);
	client_open(&client, site);
	client_open(&blocked, site);
	client_begin(&client, 1, "fake", "obey 3600000");
	/* Of these, two wait, one is held back, and the others have not been read. */
	for (int id = 1; id <= 6; id++)
		client_solve(&blocked, id, "fake", "never");
	kill(site->pid, SIGTERM);
	assert_error(client_next(&client), 1, "shutting_down", "stopping");
	client_expect_end(&client);
	int replies[7] = {0};
	for (int i = 0; i < 6; i++) {
		json_t *reply = client_next(&blocked);
		int id = (int)number_at(reply, "id");
		assert_in_range(id, 1, 6);
		assert_int_equal(replies[id]++, 0);
		assert_error(reply, id, "shutting_down", "stopping");
	}
	client_expect_end(&blocked);
	client_close(&client);
	client_close(&blocked);
	assert_orderly(site_wait(site));
}

static void test_a_deaf_worker_does_not_hold_up_the_end(void **state)
{
	struct site *site = *state;
	struct client client, control;
	site_run(site, FAKE "drain_timeout = 100ms\ngrace = 1h\n" PUZZLE);
	client_open(&client, site);
	client_open(&control, site);
	client_solve(&client, 1, "fake", "warm");
	assert_member(client_next(&client), 1, "final", "warm");
	client_solve(&client, 1, "fake", "hang");
	client_await(&control, "fake", "busy", 1);
	kill(site->pid, SIGTERM);
	assert_error(client_next(&client), 1, "shutting_down", "stopping");
	client_expect_end(&client);
	client_close(&client);
	client_close(&control);
	assert_orderly(site_wait(site));
}

static void test_who_does_not_read_does_not_hold_up_the_end(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, FAKE "drain_timeout = 100ms\n" PUZZLE);
	client_open(&client, site);
	/* Until the daemon has stopped to read: its replies have filled all there is room for. */
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\"}\n";
	for (int stuck = 0; stuck < 50; nap_ms(stuck > 0)) {
		if (send(client.fd, line, sizeof(line) - 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
			stuck++;
		else
			stuck = 0;
	}
	kill(site->pid, SIGTERM);
	assert_orderly(site_wait(site));
	client_close(&client);
}

static void test_a_second_signal_ends_it_at_once(void **state)
{
	struct site *site = *state;
	struct client client;
	static const int numbers[] = {SIGTERM, SIGINT};
	for (int i = 0; i < 2; i++) {
		site_run(site, FAKE "drain_timeout = 1h\ngrace = 1h\n" PUZZLE);
		client_open(&client, site);
		client_begin(&client, 1, "fake", "obey 3600000");
		kill(site->pid, numbers[i]);
		int64_t since = now_ms();
		while (site_logged(site, "event=draining") <= (unsigned)i)
			be_patient(since, "the drain to begin");
		kill(site->pid, SIGTERM);
		assert_orderly(site_wait(site));
		client_expect_end(&client);
		client_close(&client);
	}
}

/* ---- a daemon of one's own ---- */

static void start_session(struct site *site, struct client *client)
{
	int ends[2];
	const char *const arguments[] = {"--session-fd", "9", "--config", site->ini, NULL};
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	assert_int_equal(dup2(ends[1], 9), 9);
	close(ends[1]);
	site_spawn(site, arguments);
	close(9);
	*client = (struct client){.fd = ends[0]};
}

static void test_one_session_is_served_and_that_is_all(void **state)
{
	struct site *site = *state;
	struct client client;
	site_configure(site, FAKE PUZZLE);
	start_session(site, &client);
	client_solve(&client, 1, "fake", "on");
	assert_member(client_next(&client), 1, "final", "on");
	assert_int_equal(access(site->socket, F_OK), -1);
	client_solve(&client, 2, "fake", "late 200");
	shutdown(client.fd, SHUT_WR);
	assert_member(client_next(&client), 2, "final", "late");
	client_expect_end(&client);
	client_close(&client);
	assert_orderly(site_wait(site));
	/* It has nothing to say that its client's terminal should show. */
	assert_int_equal(site_logged(site, "level=info"), 0);
}

static void test_one_session_that_hangs_up(void **state)
{
	struct site *site = *state;
	struct client client;
	site_configure(site, FAKE PUZZLE);
	start_session(site, &client);
	client_begin(&client, 1, "fake", "obey 3600000");
	client_close(&client);
	assert_orderly(site_wait(site));
}

static void test_a_descriptor_that_is_none_is_refused(void **state)
{
	struct site *site = *state;
	char output[4096];
	static const char *const wrong[] = {"0", "2", "77", "-1", "x", "3x", "99999999999"};
	site_configure(site, FAKE PUZZLE);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const char *const arguments[] = {"--session-fd", wrong[i], "--config", site->ini,
						 NULL};
		int status = site_check(site, output, sizeof(output), arguments);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 2);
		assert_non_null(strstr(output, "not an open descriptor"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_what_runs_and_what_waits_is_answered),
		ON_SITE(test_every_write_that_succeeded_gets_its_reply),
		ON_SITE(test_who_waits_at_the_door_is_answered_too),
		ON_SITE(test_nobody_can_connect_any_more),
		ON_SITE(test_past_the_limit_all_are_told),
		ON_SITE(test_a_deaf_worker_does_not_hold_up_the_end),
		ON_SITE(test_who_does_not_read_does_not_hold_up_the_end),
		ON_SITE(test_a_second_signal_ends_it_at_once),
		ON_SITE(test_one_session_is_served_and_that_is_all),
		ON_SITE(test_one_session_that_hangs_up),
		ON_SITE(test_a_descriptor_that_is_none_is_refused),
	};
	return cmocka_run_group_tests_name("drain", tests, NULL, NULL);
}
