/* SPDX-License-Identifier: MIT */
/* Lines and requests over a socket whose other end does as it likes. */
#include "client/channel.h"
#include "client/conn.h"
#include "tests/test_client_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct fault fault;

static struct channel *open_channel(struct fake *fake, const struct fake_step *script)
{
	fake_pair(fake, script);
	struct channel *channel = channel_new(conn_new(fake->fd));
	assert_non_null(channel);
	return channel;
}

/* Sends a ping and waits for the reply. */
static int ping(struct channel *channel, struct reply *reply)
{
	int64_t id = channel_send(channel, "ping", json_object(), &fault);
	assert_true(id > 0);
	return channel_wait(channel, id, -1, reply, &fault);
}

static void a_reply_may_come_byte_by_byte(void **state)
{
	(void)state;
	struct fake fake;
	struct reply reply;
	struct channel *channel = open_channel(
		&fake, (const struct fake_step[]){
			       {FAKE_READ, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\","
					   "\"params\":{}}"},
			       {FAKE_DRIP, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"pong\"}"},
			       {FAKE_EOF, NULL},
			       {0}});
	assert_return_code(ping(channel, &reply), 0);
	assert_string_equal(json_string_value(reply.result), "pong");
	assert_null(reply.error);
	reply_free(&reply);
	channel_free(channel);
	fake_end(&fake);
}

static void replies_may_come_in_any_order(void **state)
{
	(void)state;
	struct fake fake;
	struct reply reply;
	struct channel *channel = open_channel(
		&fake, (const struct fake_step[]){{FAKE_READ, "\"id\":1,"},
						  {FAKE_READ, "\"id\":2,"},
						  {FAKE_READ, "\"id\":3,"},
						  {FAKE_SEND, "{\"id\":3,\"result\":33}\n"
							      "{\"id\":1,\"result\":11}"},
						  {FAKE_SEND, "{\"id\":2,\"result\":22}"},
						  {0}});
	for (int i = 1; i <= 3; i++)
		assert_int_equal(channel_send(channel, "ping", json_object(), &fault), i);
	for (int i = 1; i <= 3; i++) {
		assert_return_code(channel_wait(channel, i, -1, &reply, &fault), 0);
		assert_int_equal(json_integer_value(reply.result), 11 * i);
		reply_free(&reply);
	}
	assert_int_equal(channel_wait(channel, 2, -1, &reply, &fault), -1);
	channel_free(channel);
	fake_end(&fake);
}

static void requests_in_flight_are_bounded(void **state)
{
	(void)state;
	struct fake fake;
	struct channel *channel = open_channel(&fake, (const struct fake_step[]){{0}});
	for (int i = 0; i < CHANNEL_IN_FLIGHT; i++)
		assert_true(channel_send(channel, "ping", json_object(), &fault) > 0);
	assert_int_equal(channel_send(channel, "ping", json_object(), &fault), -1);
	channel_free(channel);
	fake_end(&fake);
}

static void count_progress(void *data, const json_t *params)
{
	*(json_int_t *)data += json_integer_value(json_object_get(params, "nodes"));
}

static void notifications_go_to_their_listener(void **state)
{
	(void)state;
	struct fake fake;
	struct reply reply;
	json_int_t nodes = 0;
	struct channel *channel = open_channel(
		&fake,
		(const struct fake_step[]){
			{FAKE_READ, "ping"},
			{FAKE_SEND, "{\"method\":\"progress\",\"params\":{\"id\":1,\"nodes\":40}}"},
			{FAKE_SEND, "{\"method\":\"weather\",\"params\":[\"sun\"]}"},
			{FAKE_SEND, "{\"method\":\"progress\",\"params\":{\"id\":1,\"nodes\":2}}"},
			{FAKE_SEND, "{\"id\":1,\"result\":null,\"extra\":[]}"},
			{0}});
	channel_on_progress(channel, count_progress, &nodes);
	assert_return_code(ping(channel, &reply), 0);
	assert_true(json_is_null(reply.result));
	assert_int_equal(nodes, 42);
	reply_free(&reply);
	channel_free(channel);
	fake_end(&fake);
}

/* What each answer to a ping does to it. */
static void answers_that_are_none_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *answer, *sentence;
	} cases[] = {
		{"not json", "not understood: "},
		{"[1]", "it is not an object"},
		{"{\"id\":1}", "neither a result nor an error"},
		{"{\"id\":1,\"result\":1,\"error\":{}}", "or both"},
		{"{\"id\":1,\"error\":\"oops\"}", "neither a result nor an error"},
		{"{\"id\":2,\"result\":1}", "a request that was not made"},
		{"{\"id\":0,\"result\":1}", "a request that was not made"},
		{"{\"id\":\"1\",\"result\":1}", "a request that was not made"},
		{"{\"id\":null,\"result\":1}", "a request that was not made"},
		{"{\"result\":1}", "a request that was not made"},
		{"{\"id\":1,\"result\":\"\xff\"}", "not understood: "},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fake fake;
		struct reply reply;
		struct channel *channel = open_channel(
			&fake, (const struct fake_step[]){
				       {FAKE_READ, "ping"}, {FAKE_SEND, cases[i].answer}, {0}});
		assert_int_equal(ping(channel, &reply), -1);
		assert_int_equal(fault.exit, EXIT_PROTOCOL);
		if (!strstr(fault.sentence, cases[i].sentence))
			fail_msg("case %zu: %s", i, fault.sentence);
		channel_free(channel);
		fake_end(&fake);
	}
}

static void a_second_reply_is_refused(void **state)
{
	(void)state;
	struct fake fake;
	struct reply reply;
	struct channel *channel = open_channel(
		&fake, (const struct fake_step[]){{FAKE_READ, "\"id\":1,"},
						  {FAKE_READ, "\"id\":2,"},
						  {FAKE_SEND, "{\"id\":2,\"result\":1}"},
						  {FAKE_SEND, "{\"id\":2,\"result\":2}"},
						  {0}});
	assert_int_equal(channel_send(channel, "ping", json_object(), &fault), 1);
	assert_int_equal(channel_send(channel, "ping", json_object(), &fault), 2);
	assert_int_equal(channel_wait(channel, 1, -1, &reply, &fault), -1);
	assert_non_null(strstr(fault.sentence, "was not made"));
	channel_free(channel);
	fake_end(&fake);
}

static void errors_have_the_exit_status_of_their_kind(void **state)
{
	(void)state;
	static const struct {
		const char *error;
		int exit;
		const char *sentence;
	} cases[] = {
		{"{\"code\":-32001,\"message\":\"m\",\"data\":{\"kind\":\"invalid_board\"}}",
		 EXIT_USAGE, "m"},
		{"{\"code\":-32003,\"message\":\"m\",\"data\":{\"kind\":\"timeout\"}}", EXIT_TIME,
		 "m"},
		{"{\"code\":-1,\"message\":\"m\",\"data\":{\"kind\":\"cancelled\"}}", EXIT_TIME,
		 "m"},
		{"{\"code\":-32007,\"message\":\"m\",\"data\":{\"kind\":\"worker_crashed\"}}",
		 EXIT_FAULT, "m"},
		{"{\"code\":-32601,\"message\":\"m\"}", EXIT_USAGE, "m"},
		{"{\"code\":-32602,\"message\":\"m\",\"data\":{\"kind\":\"something_new\"}}",
		 EXIT_USAGE, "m"},
		{"{\"code\":-39999,\"message\":\"m\",\"data\":{\"kind\":\"something_new\"}}",
		 EXIT_FAULT, "m"},
		{"{}", EXIT_FAULT, "no error"},
		{"{\"code\":-32003}", EXIT_TIME, "the deadline passed first"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *error = json_loads(cases[i].error, 0, NULL);
		assert_int_equal(fault_of_error(&fault, error), -1);
		assert_int_equal(fault.exit, cases[i].exit);
		if (i != 7)
			assert_string_equal(fault.sentence, cases[i].sentence);
		json_decref(error);
	}
}

static void an_error_without_an_id_is_about_this_request(void **state)
{
	(void)state;
	struct fake fake;
	struct reply reply;
	struct channel *channel = open_channel(
		&fake, (const struct fake_step[]){
			       {FAKE_READ, "ping"},
			       {FAKE_SEND, "{\"id\":null,\"error\":{\"code\":-32700,\"message\":"
					   "\"the line is too long\"}}"},
			       {0}});
	assert_int_equal(ping(channel, &reply), -1);
	assert_int_equal(fault.exit, EXIT_USAGE);
	assert_string_equal(fault.sentence, "the line is too long");
	channel_free(channel);
	fake_end(&fake);
}

static void a_daemon_may_vanish(void **state)
{
	(void)state;
	static const struct {
		struct fake_step last;
		const char *sentence;
	} cases[] = {
		{{FAKE_END, NULL}, "closed the connection before it answered"},
		{{FAKE_PART, "{\"id\":1,\"resu"}, "closed the connection in the middle"},
	};
	for (size_t i = 0; i < 2; i++) {
		struct fake fake;
		struct reply reply;
		struct channel *channel = open_channel(
			&fake, (const struct fake_step[]){{FAKE_READ, "ping"}, cases[i].last, {0}});
		assert_int_equal(ping(channel, &reply), -1);
		assert_int_equal(fault.exit, EXIT_PROTOCOL);
		assert_non_null(strstr(fault.sentence, cases[i].sentence));
		channel_free(channel);
		fake_end(&fake);
	}
}

/* What it wrote before it went is read, although we can write no more. */
static void the_last_words_of_a_daemon_are_read(void **state)
{
	(void)state;
	struct fake fake;
	struct conn *conn;
	struct text line;
	fake_pair(&fake, (const struct fake_step[]){{FAKE_SEND, "farewell"}, {0}});
	fake_end(&fake);
	conn = conn_new(fake.fd);
	assert_return_code(conn_send(conn, text_of("are you there?"), &fault), 0);
	assert_return_code(conn_send(conn, text_of("hello?"), &fault), 0);
	assert_int_equal(conn_line(conn, -1, &line, &fault), 1);
	assert_true(text_is(line, "farewell"));
	assert_int_equal(conn_line(conn, -1, &line, &fault), -1);
	assert_int_equal(fault.exit, EXIT_PROTOCOL);
	conn_free(conn);
}

static void a_deadline_ends_the_waiting(void **state)
{
	(void)state;
	struct fake fake;
	struct reply reply;
	struct channel *channel = open_channel(
		&fake, (const struct fake_step[]){{FAKE_READ, "ping"}, {FAKE_EOF, NULL}, {0}});
	int64_t start = conn_clock_ms();
	int64_t id = channel_send(channel, "ping", json_object(), &fault);
	assert_int_equal(channel_wait(channel, id, start + 50, &reply, &fault), -1);
	assert_int_equal(fault.exit, EXIT_PROTOCOL);
	assert_string_equal(fault.sentence, "the daemon did not answer in time");
	assert_in_range(conn_clock_ms() - start, 50, 5000);
	channel_free(channel);
	fake_end(&fake);
}

/* Both sides write more than the socket holds before either reads all: neither may wait for
 * ever. */
static void large_lines_cross(void **state)
{
	(void)state;
	enum { SIZE = 3 * 1024 * 1024 };
	char *large = malloc(SIZE + 1);
	memset(large, 'x', SIZE);
	large[SIZE] = '\0';
	struct fake fake;
	struct text line;
	fake_pair(&fake, (const struct fake_step[]){
				 {FAKE_SEND, large}, {FAKE_READ, large}, {FAKE_SEND, "done"}, {0}});
	struct conn *conn = conn_new(fake.fd);
	assert_return_code(conn_send(conn, text_of(large), &fault), 0);
	assert_int_equal(conn_line(conn, -1, &line, &fault), 1);
	assert_int_equal(line.len, SIZE);
	assert_int_equal(conn_line(conn, -1, &line, &fault), 1);
	assert_true(text_is(line, "done"));
	conn_free(conn);
	fake_end(&fake);
	free(large);
}

static void lines_hold_what_they_hold(void **state)
{
	(void)state;
	int pair[2];
	struct text line;
	assert_return_code(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	struct conn *conn = conn_new(pair[0]);
	assert_int_equal(write(pair[1], "a\0b\n\nlast\npart", 15), 15);
	assert_int_equal(conn_line(conn, -1, &line, &fault), 1);
	assert_int_equal(line.len, 3);
	assert_memory_equal(line.data, "a\0b", 3);
	assert_int_equal(conn_line(conn, -1, &line, &fault), 1);
	assert_int_equal(line.len, 0);
	assert_int_equal(conn_line(conn, -1, &line, &fault), 1);
	assert_true(text_is(line, "last"));
	assert_int_equal(conn_line(conn, conn_clock_ms(), &line, &fault), 0);
	close(pair[1]);
	assert_int_equal(conn_line(conn, -1, &line, &fault), -1);
	conn_free(conn);
}

static void paths_that_cannot_be_are_told(void **state)
{
	(void)state;
	struct conn *conn;
	char path[109];
	memset(path, 'p', sizeof(path));
	path[0] = '/';
	path[108] = '\0';
	assert_int_equal(conn_connect(&conn, path, &fault), -ENAMETOOLONG);
	assert_int_equal(fault.exit, EXIT_USAGE);
	assert_non_null(strstr(fault.sentence, "107 bytes"));
	assert_non_null(strstr(fault.sentence, path));
	path[107] = '\0';
	assert_int_equal(conn_connect(&conn, path, &fault), -ENOENT);
	assert_int_equal(fault.exit, EXIT_PROTOCOL);
	assert_int_equal(conn_connect(&conn, "", &fault), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reply_may_come_byte_by_byte),
		cmocka_unit_test(replies_may_come_in_any_order),
		cmocka_unit_test(requests_in_flight_are_bounded),
		cmocka_unit_test(notifications_go_to_their_listener),
		cmocka_unit_test(answers_that_are_none_are_refused),
		cmocka_unit_test(a_second_reply_is_refused),
		cmocka_unit_test(errors_have_the_exit_status_of_their_kind),
		cmocka_unit_test(an_error_without_an_id_is_about_this_request),
		cmocka_unit_test(a_daemon_may_vanish),
		cmocka_unit_test(the_last_words_of_a_daemon_are_read),
		cmocka_unit_test(a_deadline_ends_the_waiting),
		cmocka_unit_test(large_lines_cross),
		cmocka_unit_test(lines_hold_what_they_hold),
		cmocka_unit_test(paths_that_cannot_be_are_told),
	};
	return cmocka_run_group_tests_name("client_conn", tests, NULL, NULL);
}
