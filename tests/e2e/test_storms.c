/* SPDX-License-Identifier: MIT */
/* Clients that come in crowds, go before they are looked at, send what nobody wants, or come back
 * when they are refused. */
#include <config.h>

#include "tests/e2e/harness.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nobody has these; the kernel does not mind. */
enum { ALICE = 61001, BOB = 61002 };

static const char count[] = "[puzzle:count]\nplugin = @/tests/plugins/good.so\n";

static void assert_pong(struct client *client)
{
	json_t *reply = client_ask(client, "\"method\":\"ping\"");
	assert_non_null(json_object_get(reply, "result"));
	json_decref(reply);
}

/* One line, and with it a descriptor that nobody has asked for. */
static void send_with_descriptor(struct client *client, const char *line)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)),
				.cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS}};
	struct iovec bytes = {(void *)(uintptr_t)line, strlen(line)};
	struct msghdr message = {.msg_iov = &bytes,
				 .msg_iovlen = 1,
				 .msg_control = control.room,
				 .msg_controllen = sizeof(control.room)};
	memcpy(CMSG_DATA(&control.header), &client->fd, sizeof(int));
	assert_int_equal(sendmsg(client->fd, &message, MSG_NOSIGNAL), (ssize_t)strlen(line));
}

/* A read ends at each of them, though more is there. */
static void test_descriptors_sent_along_stop_nothing(void **state)
{
	enum { LINES = 100 };
	struct site *site = *state;
	struct client client;
	char line[64];
	site_run(site, count);
	client_open(&client, site);
	assert_pong(&client);
	unsigned descriptors = site_descriptors(site);
	kill(site->pid, SIGSTOP);
	for (int i = 1; i <= LINES; i++) {
		snprintf(line, sizeof(line),
			 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n", i);
		send_with_descriptor(&client, line);
	}
	kill(site->pid, SIGCONT);
	for (int i = 1; i <= LINES; i++) {
		json_t *reply = client_next(&client);
		assert_int_equal(number_at(reply, "id"), i);
		json_decref(reply);
	}
	assert_int_equal(site_descriptors(site), descriptors);
	client_close(&client);
	site_stop(site);
}

/* Those who hung up while they waited to be accepted take no places from those who did not. */
static void test_who_has_gone_counts_no_more(void **state)
{
	struct site *site = *state;
	struct client gone, client;
	site_configure(site, "max_user_sessions = 50\n[puzzle:count]\nplugin = "
			     "@/tests/plugins/good.so\n");
	site_start(site);
	kill(site->pid, SIGSTOP);
	for (int i = 0; i < 500; i++) {
		client_open(&gone, site);
		client_close(&gone);
	}
	client_open(&client, site);
	kill(site->pid, SIGCONT);
	assert_pong(&client);
	client_close(&client);
	site_stop(site);
}

/* One user comes again and again, and stays when refused: there is room for another all the
 * same. */
static void test_who_is_refused_keeps_nobody_out(void **state)
{
	enum { COMERS = 200, OWN = 10, KEPT = 8 };
	static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
	static struct client alice[COMERS];
	struct site *site = *state;
	struct client bob;
	if (getuid() != 0)
		skip();
	chmod(site->folder, 0755);
	site_run(site, "socket_mode = 0666\nmax_sessions = 40\nmax_user_sessions = 10\n"
		       "[puzzle:count]\nplugin = @/tests/plugins/good.so\n");
	assert_int_equal(seteuid(ALICE), 0);
	for (int i = 0; i < COMERS; i++) {
		client_open(&alice[i], site);
		/* Who is refused may find the connection closed by now. */
		send(alice[i].fd, ping, sizeof(ping) - 1, MSG_NOSIGNAL);
	}
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(seteuid(BOB), 0);
	client_open(&bob, site);
	assert_int_equal(seteuid(0), 0);
	json_t *reply = client_ask(&bob, "\"method\":\"status\"");
	assert_in_range(number_at(reply, "result/sessions"), OWN, OWN + KEPT + 1);
	json_decref(reply);
	for (int i = 0; i < COMERS; i++) {
		if (i < OWN)
			json_decref(client_next(&alice[i]));
		else
			assert_error(client_next(&alice[i]), 0, "quota", "10 connections");
		client_close(&alice[i]);
	}
	client_close(&bob);
	site_stop(site);
}

/* Every other board is none, so that no two others can go together; and each has a long goal and
 * options. */
static void put_odd_boards(struct buf *line, int boards)
{
	char text[257];
	memset(text, 'x', 256);
	text[256] = '\0';
	buf_put_string(line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{"
			     "\"puzzle\":\"count\",\"boards\":[");
	for (int i = 0; i < boards; i++)
		buf_printf(line, "%s\"7\",null", i ? "," : "");
	buf_put_string(line, "],\"goal\":\"");
	for (int i = 0; i < 16; i++)
		buf_put_string(line, text);
	buf_put_string(line, "\"");
	for (int i = 0; i < 16; i++)
		buf_printf(line, ",\"option%d\":\"%s\"", i, text);
	buf_put_string(line, "}}\n");
}

static void test_a_long_goal_is_not_kept_for_each_board(void **state)
{
	enum { BOARDS = 5000, MOST_KIB = 40 * 1024, LEFT_KIB = 6 * 1024 };
	struct site *site = *state;
	struct client client, other;
	struct buf line = {0};
	site_run(site, "max_reply = 1G\n[puzzle:count]\nplugin = @/tests/plugins/good.so\n");
	client_open(&other, site);
	json_decref(
		client_ask(&other, "\"method\":\"describe\",\"params\":{\"puzzle\":\"count\"}"));
	long before = site_rss_kib(site), most = 0;
	client_open(&client, site);
	put_odd_boards(&line, BOARDS);
	client_send_bytes(&client, buf_text(&line).data, buf_len(&line));
	json_t *reply = client_next(&client);
	most = site_rss_kib(site);
	const json_t *all = json_object_get(reply, "result");
	assert_int_equal(json_array_size(all), 2 * BOARDS);
	for (size_t i = 0; i < 2 * BOARDS; i++)
		assert_non_null(json_object_get(json_array_get(all, i), "error"));
	json_decref(reply);
	client_close(&client);
	client_close(&other);
	/* Nobody is there any more: nothing is kept for anybody. */
	int64_t since = now_ms();
#ifndef PZ_SANITIZED
	assert_in_range(most, 1, before + MOST_KIB);
	while (site_rss_kib(site) > before + LEFT_KIB)
		be_patient(since, "memory to be given back");
#else
	(void)before, (void)most, (void)since;
#endif
	buf_free(&line);
	site_stop(site);
}

#ifndef PZ_SANITIZED /* it reserves more address space than there is memory */
/* Whoever asks for more than there is room for is told so, and may go on. */
static void test_an_answer_without_memory_is_refused(void **state)
{
	enum { BOARDS = 10000, MIB = 1024 * 1024 };
	struct site *site = *state;
	struct client client;
	/* Answers of 16 KiB: with each of these bounds memory ends at another place. */
	for (uint64_t mib = 24; mib <= 160; mib += 17) {
		struct buf line = {0};
		site->memory = mib * MIB;
		site_run(site, "max_reply = 1G\n[puzzle:count]\nplugin = @/tests/plugins/good.so\n"
			       "workers = 1\n");
		client_open(&client, site);
		assert_pong(&client);
		buf_put_string(&line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\","
				      "\"params\":{\"puzzle\":\"count\",\"boards\":[\"4000\"");
		for (int i = 1; i < BOARDS; i++)
			buf_put_string(&line, ",\"4000\"");
		buf_put_string(&line, "]}}\n");
		client_send_bytes(&client, buf_text(&line).data, buf_len(&line));
		assert_error(client_next(&client), 1, "internal_error", "out of memory");
		assert_pong(&client);
		client_solve(&client, 2, "count", "7");
		assert_solved(client_next(&client), 2, 7);
		client_close(&client);
		buf_free(&line);
		site_stop(site);
	}
}
#endif

/* A log that has reached the largest size of a file is no reason to die. */
static void test_a_full_log_is_borne(void **state)
{
	struct site *site = *state;
	struct client client;
	site->file_size = 8192;
	site_run(site, count);
	for (int i = 1; i <= 100; i++) {
		client_open(&client, site);
		client_solve(&client, i, "count", "7");
		assert_solved(client_next(&client), i, 7);
		client_close(&client);
	}
	site_stop(site);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_descriptors_sent_along_stop_nothing),
		ON_SITE(test_who_has_gone_counts_no_more),
		ON_SITE(test_who_is_refused_keeps_nobody_out),
#ifndef PZ_SANITIZED
		ON_SITE(test_an_answer_without_memory_is_refused),
#endif
		ON_SITE(test_a_full_log_is_borne),
		ON_SITE(test_a_long_goal_is_not_kept_for_each_board),
	};
	return cmocka_run_group_tests_name("storms", tests, NULL, NULL);
}
