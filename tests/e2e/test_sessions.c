/* SPDX-License-Identifier: MIT */
/* How clients behave: slowly, all at once, half, not at all, in crowds. */
#include <config.h>

#include "tests/e2e/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const char fake[] = "worker = @/tests/fake_worker\nworkers = 1\n"
			   "[puzzle:fake]\nplugin = /x/good\n[puzzle:other]\nplugin = /x/good\n";

static void test_a_request_byte_by_byte(void **state)
{
	struct client client;
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{"
				   "\"puzzle\":\"fake\","
				   "\"board\":\"slowly\"}}\n";
	site_run(*state, fake);
	client_open(&client, *state);
	for (size_t i = 0; i < sizeof(line) - 1; i++) {
		client_send_bytes(&client, line + i, 1);
		nap_ms(1);
	}
	assert_member(client_next(&client), 1, "final", "slowly");
	client_close(&client);
	site_stop(*state);
}

static void test_many_requests_in_one_write(void **state)
{
	enum { REQUESTS = 5000 };
	struct client client;
	static char seen[REQUESTS + 1];
	char *all = malloc(REQUESTS * 128), *at = all;
	assert_non_null(all);
	for (int id = 1; id <= REQUESTS; id++)
		at += sprintf(at,
			      "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":{"
			      "\"puzzle\":"
			      "\"fake\",\"board\":\"b%d\"}}\r\n",
			      id, id);
	site_run(*state, fake);
	client_open(&client, *state);
	client_send(&client, all);
	for (int i = 0; i < REQUESTS; i++) {
		json_t *reply = client_next(&client);
		long id = number_at(reply, "id");
		char want[16];
		snprintf(want, sizeof(want), "b%ld", id);
		assert_in_range(id, 1, REQUESTS);
		assert_false(seen[id]);
		seen[id] = 1;
		assert_member(reply, (int)id, "final", want);
	}
	free(all);
	client_close(&client);
	site_stop(*state);
}

static void test_who_half_closes_gets_all_replies_and_then_the_end(void **state)
{
	struct client client;
	site_run(*state, fake);
	client_open(&client, *state);
	client_solve(&client, 1, "fake", "late 100");
	client_solve(&client, 2, "fake", "two");
	/* The last line lacks its newline, as `printf | nc -N` may have it. */
	client_send(&client,
		    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"solve\",\"params\":{\"puzzle\":"
		    "\"other\",\"board\":\"late 200\"}}");
	shutdown(client.fd, SHUT_WR);
	assert_member(client_next(&client), 1, "final", "late");
	assert_member(client_next(&client), 2, "final", "two");
	assert_member(client_next(&client), 3, "final", "late");
	client_expect_end(&client);
	client_close(&client);
	site_stop(*state);
}

static void test_who_says_nothing_and_half_closes_is_let_go(void **state)
{
	struct client client;
	site_run(*state, fake);
	client_open(&client, *state);
	shutdown(client.fd, SHUT_WR);
	client_expect_end(&client);
	client_close(&client);
	site_stop(*state);
}

/* Goes away in the middle of a job, in one of several ways; the worker must be free again soon. */
static void hang_up(struct site *site, bool half_closed, bool unread, bool blocked)
{
	struct client client, control;
	client_open(&client, site);
	client_open(&control, site);
	client_begin(&client, 1, "fake", "obey 3600000");
	if (unread)
		client_send(&client, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n");
	for (int id = 10; blocked && id < 40; id++)
		client_solve(&client, id, "fake", "waits its turn");
	if (half_closed)
		shutdown(client.fd, SHUT_WR);
	/* So that all of this has come when it goes. */
	client_await(&control, "fake", "busy", 1);
	client_close(&client);
	client_await(&control, "fake", "busy", 0);
	client_await(&control, "fake", "queue", 0);
	client_solve(&control, 3, "fake", "on");
	assert_member(client_next(&control), 3, "final", "on");
	json_t *reply = client_ask(&control, "\"method\":\"status\"");
	assert_int_equal(number_at(reply, "result/sessions"), 1);
	json_decref(reply);
	client_close(&control);
}

/* Of the daemon with one session, once those before it are closed: status counts what is closed no
 * more. */
static unsigned descriptors_of_one_session(struct site *site)
{
	struct client control;
	client_open(&control, site);
	int64_t since = now_ms();
	for (;;) {
		json_t *reply = client_ask(&control, "\"method\":\"status\"");
		long sessions = number_at(reply, "result/sessions");
		json_decref(reply);
		if (sessions == 1)
			break;
		be_patient(since, "sessions to be closed");
	}
	unsigned descriptors = site_descriptors(site);
	client_close(&control);
	return descriptors;
}

static void test_who_hangs_up_frees_the_worker(void **state)
{
	struct site *site = *state;
	site_run(site, "worker = @/tests/fake_worker\nworkers = 1\nmax_session_jobs = 8\n"
		       "[puzzle:fake]\nplugin = /x/good\n");
	hang_up(site, false, false, false);
	unsigned descriptors = descriptors_of_one_session(site);
	for (int way = 1; way < 8; way++)
		hang_up(site, way & 1, way & 2, way & 4);
	assert_int_equal(descriptors_of_one_session(site), descriptors);
	site_stop(site);
}

/* One who only writes: what it asks is answered once it reads, and until then it takes no more than
 * it may. */
static void test_who_never_reads_is_bounded(void **state)
{
	enum { REQUESTS = 20000 };
	struct site *site = *state;
	struct client greedy, other;
	site_run(site, "worker = @/tests/fake_worker\nworkers = 1\nmax_reply = 1M\n"
		       "[puzzle:fake]\nplugin = /x/good\n");
	client_open(&greedy, site);
	client_open(&other, site);
	client_solve(&other, 1, "fake", "warm");
	assert_member(client_next(&other), 1, "final", "warm");
	long before = site_rss_kib(site);
	/* A write that takes no more means that the daemon has stopped to read: that is the
	 * bound. */
	char line[512];
	size_t len = 0, part = 0;
	int id = 0;
	int64_t stuck = 0;
	while (id < REQUESTS && (!stuck || now_ms() - stuck < 500)) {
		if (part == len) {
			id++;
			len = (size_t)snprintf(
				line, sizeof(line),
				"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":"
				"{\"puzzle\":\"fake\",\"board\":\"%060d\"}}\n",
				id, id);
			part = 0;
		}
		ssize_t put = send(greedy.fd, line + part, len - part, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (put < 0) {
			stuck = stuck ? stuck : now_ms();
			nap_ms(5);
			continue;
		}
		stuck = 0;
		part += (size_t)put;
	}
	assert_true(id < REQUESTS);
	for (int i = 0; i < 100; i++) {
		client_solve(&other, 2, "fake", "meanwhile");
		assert_member(client_next(&other), 2, "final", "meanwhile");
	}
#ifndef PZ_SANITIZED
	/* Replies, reserved or written, and a turn's input. */
	assert_in_range(site_rss_kib(site), 1, before + 6 * 1024);
#else
	(void)before;
#endif
	/* All that was sent whole is answered. */
	for (int i = 1; i < id; i++)
		json_decref(client_next(&greedy));
	client_send_bytes(&greedy, line + part, len - part);
	json_decref(client_next(&greedy));
	client_solve(&greedy, 1, "fake", "on");
	assert_member(client_next(&greedy), 1, "final", "on");
	client_close(&greedy);
	client_close(&other);
	site_stop(site);
}

/* Small questions with large answers, of one who does not read them. */
static void test_answers_that_nobody_reads_do_not_pile_up(void **state)
{
	enum { QUESTIONS = 12000 };
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"describe\","
				   "\"params\":{\"puzzle\":\"knights\"}}\n";
	struct site *site = *state;
	struct client client;
	char *all = malloc(QUESTIONS * sizeof(line));
	assert_non_null(all);
	for (int i = 0; i < QUESTIONS; i++)
		memcpy(all + (size_t)i * (sizeof(line) - 1), line, sizeof(line));
	site_run(site, "[puzzle:knights]\nplugin = knights.so\n");
	client_open(&client, site);
	json_decref(
		client_ask(&client, "\"method\":\"describe\",\"params\":{\"puzzle\":\"knights\"}"));
	long before = site_rss_kib(site);
	/* As much as the daemon takes; it then waits for us. */
	size_t len = strlen(all), sent = 0;
	for (int stuck = 0; stuck < 100 && sent < len; nap_ms(stuck > 0)) {
		ssize_t put = send(client.fd, all + sent, len - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
		stuck = put < 0 ? stuck + 1 : 0;
		sent += put < 0 ? 0 : (size_t)put;
	}
	assert_true(sent < len);
#ifndef PZ_SANITIZED
	assert_in_range(site_rss_kib(site), 1, before + 4 * 1024);
#else
	(void)before;
#endif
	/* The rest goes as room is made for it. */
	for (int i = 0; i < QUESTIONS; i++) {
		ssize_t put = send(client.fd, all + sent, len - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
		sent += put < 0 ? 0 : (size_t)put;
		assert_member(client_next(&client), 1, "name", "knights");
	}
	assert_int_equal(sent, len);
	free(all);
	client_close(&client);
	site_stop(site);
}

static void test_cancel_and_ping_pass_up_to_the_first_solve_that_waits(void **state)
{
	struct client client;
	site_run(*state, "worker = @/tests/fake_worker\nworkers = 1\nmax_session_jobs = 2\n"
			 "[puzzle:fake]\nplugin = /x/good\n");
	client_open(&client, *state);
	client_begin(&client, 1, "fake", "obey 3600000");
	client_solve(&client, 2, "fake", "two");
	/* It has as much in flight as it may: what is no job passes, */
	client_send(&client, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n");
	json_t *reply = client_next(&client);
	assert_int_equal(number_at(reply, "id"), 3);
	json_decref(reply);
	/* up to a job, which waits and with it what comes after it, */
	client_solve(&client, 4, "fake", "four");
	client_send(&client, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}\n");
	struct client other;
	client_open(&other, *state);
	for (int i = 0; i < 20; i++)
		json_decref(client_ask(&other, "\"method\":\"ping\""));
	assert_int_equal(recv(client.fd, &(char){0}, 1, MSG_DONTWAIT), -1);
	client_close(&other);
	client_close(&client);
	/* and a cancel that is there in time makes room for it. */
	client_open(&client, *state);
	client_begin(&client, 1, "fake", "obey 3600000");
	client_solve(&client, 2, "fake", "two");
	client_send(&client, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"id\":1}}\n");
	client_solve(&client, 4, "fake", "four");
	client_send(&client, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}\n");
	int replies[6] = {0};
	for (int i = 0; i < 4; i++) {
		reply = client_next(&client);
		replies[number_at(reply, "id")]++;
		json_decref(reply);
	}
	assert_int_equal(replies[1] + replies[2] + replies[4] + replies[5], 4);
	assert_int_equal(replies[1], 1);
	assert_int_equal(replies[5], 1);
	client_close(&client);
	site_stop(*state);
}

static void test_an_id_in_flight_is_refused_and_the_first_one_goes_on(void **state)
{
	struct client client;
	site_run(*state, fake);
	client_open(&client, *state);
	client_begin(&client, 7, "fake", "obey 300");
	client_solve(&client, 7, "other", "again");
	assert_error(client_next(&client), 7, "invalid_request", "still in flight");
	/* The string of the same digits is another id. */
	client_send(&client,
		    "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"method\":\"solve\",\"params\":{\"puzzle\":"
		    "\"other\",\"board\":\"string\"}}\n");
	json_t *reply = client_next(&client);
	assert_string_equal(json_string_value(json_object_get(reply, "id")), "7");
	json_decref(reply);
	assert_member(client_next(&client), 7, "final", "in time");
	client_solve(&client, 7, "other", "now");
	assert_member(client_next(&client), 7, "final", "now");
	client_close(&client);
	site_stop(*state);
}

static void test_a_solve_without_an_id_is_not_run(void **state)
{
	struct client client;
	site_run(*state, fake);
	client_open(&client, *state);
	client_send(&client,
		    "{\"jsonrpc\":\"2.0\",\"method\":\"solve\",\"params\":{\"puzzle\":\"fake\","
		    "\"board\":\"hang\"}}\n"
		    "{\"jsonrpc\":\"2.0\",\"method\":\"no_such\"}\n");
	client_solve(&client, 1, "fake", "on");
	assert_member(client_next(&client), 1, "final", "on");
	json_t *status = client_status(&client, "fake");
	assert_int_equal(number_at(status, "answered"), 1);
	json_decref(status);
	client_close(&client);
	site_stop(*state);
}

static void test_a_hundred_clients_at_once(void **state)
{
	enum { CLIENTS = 100, EACH = 20 };
	static struct client clients[CLIENTS];
	site_run(*state,
		 "worker = @/tests/fake_worker\nworkers = 4\n[puzzle:fake]\nplugin = /x/good\n");
	for (int c = 0; c < CLIENTS; c++)
		client_open(&clients[c], *state);
	for (int i = 1; i <= EACH; i++)
		for (int c = 0; c < CLIENTS; c++) {
			char board[32];
			snprintf(board, sizeof(board), "of %d", c);
			client_solve(&clients[c], i, "fake", i % 7 ? board : "late 1");
		}
	for (int c = 0; c < CLIENTS; c++) {
		int replies[EACH + 1] = {0};
		for (int i = 1; i <= EACH; i++) {
			char want[32];
			json_t *reply = client_next(&clients[c]);
			int id = (int)number_at(reply, "id");
			snprintf(want, sizeof(want), "of %d", c);
			assert_in_range(id, 1, EACH);
			assert_int_equal(replies[id]++, 0);
			assert_member(reply, id, "final", id % 7 ? want : "late");
		}
		client_close(&clients[c]);
	}
	site_stop(*state);
}

/* One with very many boards does not keep another waiting for all of them. */
static void test_one_with_many_boards_does_not_starve_another(void **state)
{
	enum { BOARDS = 4000 };
	struct client many, one;
	site_run(*state,
		 "worker = @/tests/fake_worker\nworkers = 1\n[puzzle:fake]\nplugin = /x/good\n");
	client_open(&many, *state);
	client_open(&one, *state);
	client_send(&many,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":"
		    "\"fake\",\"boards\":[\"late 0\"");
	for (int i = 1; i < BOARDS; i++)
		client_send(&many, i % 64 ? ",\"x\"" : ",\"late 30\"");
	client_send(&many, "]}}\n");
	client_await(&one, "fake", "busy", 1);
	client_solve(&one, 2, "fake", "just one");
	assert_member(client_next(&one), 2, "final", "just one");
	json_t *status = client_status(&one, "fake");
	assert_true(number_at(status, "queue") > 0);
	json_decref(status);
	json_t *reply = client_next(&many);
	assert_int_equal(json_array_size(json_object_get(reply, "result")), BOARDS);
	json_decref(reply);
	client_close(&many);
	client_close(&one);
	site_stop(*state);
}

static void test_a_full_queue_is_busy(void **state)
{
	struct client client, control;
	site_run(*state, "worker = @/tests/fake_worker\nworkers = 1\nmax_queue = 10\n"
			 "[puzzle:fake]\nplugin = /x/good\n");
	client_open(&client, *state);
	client_open(&control, *state);
	client_begin(&client, 1, "fake", "obey 3600000");
	/* The first is called back from the worker, which is not given any more then. */
	client_solve(&client, 2, "fake", "waits");
	client_await(&control, "fake", "queue", 1);
	for (int id = 3; id < 20; id++)
		client_solve(&client, id, "fake", "waits");
	json_t *reply;
	int busy = 0;
	/* Those past the bound are told at once. */
	client_send(&client, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"id\":1}}\n");
	for (int id = 1; id < 20; id++) {
		reply = client_next(&client);
		const json_t *data = json_object_get(json_object_get(reply, "error"), "data");
		const char *kind = json_string_value(json_object_get(data, "kind"));
		busy += kind && strcmp(kind, "busy") == 0;
		json_decref(reply);
	}
	assert_in_range(busy, 1, 9);
	client_close(&client);
	client_close(&control);
	site_stop(*state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_a_request_byte_by_byte),
		ON_SITE(test_many_requests_in_one_write),
		ON_SITE(test_who_half_closes_gets_all_replies_and_then_the_end),
		ON_SITE(test_who_says_nothing_and_half_closes_is_let_go),
		ON_SITE(test_who_hangs_up_frees_the_worker),
		ON_SITE(test_who_never_reads_is_bounded),
		ON_SITE(test_answers_that_nobody_reads_do_not_pile_up),
		ON_SITE(test_cancel_and_ping_pass_up_to_the_first_solve_that_waits),
		ON_SITE(test_an_id_in_flight_is_refused_and_the_first_one_goes_on),
		ON_SITE(test_a_solve_without_an_id_is_not_run),
		ON_SITE(test_a_hundred_clients_at_once),
		ON_SITE(test_one_with_many_boards_does_not_starve_another),
		ON_SITE(test_a_full_queue_is_busy),
	};
	return cmocka_run_group_tests_name("sessions", tests, NULL, NULL);
}
