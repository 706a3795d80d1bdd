/* SPDX-License-Identifier: MIT */
#include "tests/e2e/harness.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void client_open(struct client *client, const struct site *site)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	strcpy(address.sun_path, site->socket);
	*client = (struct client){.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
	assert_true(client->fd >= 0);
	assert_int_equal(connect(client->fd, (struct sockaddr *)&address, sizeof(address)), 0);
}

void client_close(struct client *client)
{
	close(client->fd);
	buf_free(&client->in);
	client->fd = -1;
}

void client_send_bytes(struct client *client, const void *bytes, size_t len)
{
	const char *at = bytes;
	while (len) {
		struct pollfd there = {.fd = client->fd, .events = POLLOUT};
		if (poll(&there, 1, HANG_MS) == 0)
			fail_msg("the daemon does not read");
		ssize_t put = send(client->fd, at, len, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (put < 0 && errno == EAGAIN)
			continue;
		if (put < 0)
			fail_msg("send: %s", strerror(errno));
		at += put;
		len -= (size_t)put;
	}
}

void client_send(struct client *client, const char *string)
{
	client_send_bytes(client, string, strlen(string));
}

void client_sendf(struct client *client, const char *format, ...)
{
	char line[8192];
	va_list args;
	va_start(args, format);
	int len = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	assert_in_range(len, 1, sizeof(line) - 1);
	client_send(client, line);
}

/* Reads more.  False: the end. */
static bool fill(struct client *client)
{
	struct pollfd there = {.fd = client->fd, .events = POLLIN};
	if (poll(&there, 1, HANG_MS) == 0)
		fail_msg("nothing comes");
	char *place = buf_reserve(&client->in, 64 * 1024);
	assert_non_null(place);
	ssize_t got = recv(client->fd, place, 64 * 1024, 0);
	if (got <= 0)
		return false;
	buf_commit(&client->in, (size_t)got);
	return true;
}

json_t *client_next_any(struct client *client)
{
	json_error_t fault;
	size_t seen = 0;
	const char *end;
	for (;;) {
		struct text text = buf_text(&client->in);
		end = memchr(text.data + seen, '\n', text.len - seen);
		if (end)
			break;
		seen = text.len;
		if (!fill(client))
			fail_msg("the connection ended where a reply was due");
	}
	size_t len = (size_t)(end - buf_data(&client->in));
	json_t *json = json_loadb(buf_data(&client->in), len, JSON_REJECT_DUPLICATES, &fault);
	if (!json)
		fail_msg("no JSON: %s: %.*s", fault.text, (int)(len < 500 ? len : 500),
			 buf_data(&client->in));
	buf_drop(&client->in, len + 1);
	assert_string_equal(json_string_value(json_object_get(json, "jsonrpc")), "2.0");
	return json;
}

json_t *client_next(struct client *client)
{
	for (;;) {
		json_t *json = client_next_any(client);
		if (!json_object_get(json, "method"))
			return json;
		json_decref(json);
	}
}

void client_expect_end(struct client *client)
{
	while (fill(client))
		;
	if (buf_len(&client->in))
		fail_msg("more came: %.*s",
			 (int)(buf_len(&client->in) < 500 ? buf_len(&client->in) : 500),
			 buf_data(&client->in));
}

json_t *client_ask(struct client *client, const char *format, ...)
{
	char members[8192];
	va_list args;
	va_start(args, format);
	int len = vsnprintf(members, sizeof(members), format, args);
	va_end(args);
	assert_in_range(len, 1, sizeof(members) - 1);
	client_send(client, "{\"jsonrpc\":\"2.0\",\"id\":1,");
	client_send(client, members);
	client_send(client, "}\n");
	return client_next(client);
}

void client_solve(struct client *client, int id, const char *puzzle, const char *board)
{
	client_sendf(
		client,
		"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":{\"puzzle\":\"%s\","
		"\"board\":\"%s\"}}\n",
		id, puzzle, board);
}

void client_begin(struct client *client, int id, const char *puzzle, const char *board)
{
	client_sendf(
		client,
		"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":{\"puzzle\":\"%s\","
		"\"board\":\"%s\",\"progress\":true}}\n",
		id, puzzle, board);
	for (;;) {
		json_t *line = client_next_any(client);
		json_t *params = json_object_get(line, "params");
		bool is_its = params && json_integer_value(json_object_get(params, "id")) == id;
		if (!params)
			fail_msg("%.500s", json_dumps(line, 0));
		json_decref(line);
		if (is_its)
			return;
	}
}

json_t *client_status(struct client *client, const char *puzzle)
{
	json_t *reply = client_ask(client, "\"method\":\"status\"");
	json_t *list = json_object_get(json_object_get(reply, "result"), "puzzles"), *one;
	size_t i;
	json_array_foreach (list, i, one) {
		if (strcmp(json_string_value(json_object_get(one, "name")), puzzle) == 0) {
			json_incref(one);
			json_decref(reply);
			return one;
		}
	}
	fail_msg("status does not tell of %s", puzzle);
	return NULL;
}

void client_await(struct client *client, const char *puzzle, const char *name, long number)
{
	int64_t since = now_ms();
	for (;;) {
		json_t *status = client_status(client, puzzle);
		long is = (long)json_integer_value(json_object_get(status, name));
		json_decref(status);
		if (is == number)
			return;
		be_patient(since, name);
	}
}

/* ---- what is said of replies ---- */

long number_at(const json_t *json, const char *path)
{
	char name[64];
	while (*path) {
		size_t len = strcspn(path, "/");
		snprintf(name, sizeof(name), "%.*s", (int)len, path);
		json = json_object_get(json, name);
		path += len + (path[len] == '/');
	}
	if (!json_is_integer(json))
		fail_msg("there is no number %s", name);
	return (long)json_integer_value(json);
}

/* Fails with the whole reply in the message. */
_Noreturn static void fail_reply(json_t *reply, const char *want)
{
	char *text = json_dumps(reply, JSON_COMPACT);
	fail_msg("not %s: %.1000s", want, text);
	abort();
}

static void check_id(json_t *reply, int id)
{
	const json_t *is = json_object_get(reply, "id");
	char want[32];
	snprintf(want, sizeof(want), "a reply to %d", id);
	if (id == 0 ? !json_is_null(is) : json_integer_value(is) != id)
		fail_reply(reply, want);
}

void assert_solved(json_t *reply, int id, long length)
{
	char want[64];
	json_t *result = json_object_get(reply, "result");
	check_id(reply, id);
	snprintf(want, sizeof(want), "solved in %ld", length);
	if (!json_is_object(result) ||
	    strcmp(json_string_value(json_object_get(result, "status")), "solved") != 0 ||
	    json_integer_value(json_object_get(result, "length")) != length ||
	    json_array_size(json_object_get(result, "moves")) != (size_t)length)
		fail_reply(reply, want);
	json_decref(reply);
}

void assert_error(json_t *reply, int id, const char *kind, const char *part)
{
	json_t *error = json_object_get(reply, "error");
	const char *message = json_string_value(json_object_get(error, "message"));
	const char *its_kind =
		json_string_value(json_object_get(json_object_get(error, "data"), "kind"));
	char want[256];
	check_id(reply, id);
	snprintf(want, sizeof(want), "%s with \"%s\"", kind, part);
	if (!its_kind || strcmp(its_kind, kind) != 0 || !message || !strstr(message, part))
		fail_reply(reply, want);
	json_decref(reply);
}

void assert_member(json_t *reply, int id, const char *name, const char *value)
{
	const json_t *is = json_object_get(json_object_get(reply, "result"), name);
	check_id(reply, id);
	if (!json_is_string(is) || strcmp(json_string_value(is), value) != 0)
		fail_reply(reply, value);
	json_decref(reply);
}
