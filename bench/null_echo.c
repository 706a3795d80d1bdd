/* SPDX-License-Identifier: MIT */
/*
 * null_echo SOCKET: the least that a line server on libevent can do: it sends each whole line back.
 *
 * What the daemon's figures are compared with: the same loop, the same socket, the same bytes in,
 * and no work at all.  One buffer a client, read and written directly: libevent's bufferevents
 * would be slower, and the comparison kinder.  It trusts its one client and does without any bound
 * but the buffer's.
 */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <event2/event.h>

enum { BUFFER = 1 << 20 };

struct client {
	struct event *event;
	size_t len;
	char data[BUFFER];
};

/* Sends all of it, waiting where the socket is full: the client reads whatever it is sent. */
static int send_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t put = send(fd, data, len, MSG_NOSIGNAL);
		if (put < 0 && errno != EINTR)
			return -1;
		data += put > 0 ? put : 0;
		len -= put > 0 ? (size_t)put : 0;
	}
	return 0;
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct client *client = arg;
	ssize_t got = recv(fd, client->data + client->len, BUFFER - client->len, 0);
	(void)what;
	if (got > 0) {
		client->len += (size_t)got;
		const char *end = memrchr(client->data, '\n', client->len);
		size_t lines = end ? (size_t)(end + 1 - client->data) : 0;
		if (send_all(fd, client->data, lines) == 0) {
			client->len -= lines;
			memmove(client->data, client->data + lines, client->len);
			return;
		}
	}
	event_free(client->event);
	close(fd);
	free(client);
}

static void on_client(evutil_socket_t fd, short what, void *arg)
{
	struct client *client = malloc(sizeof(*client));
	int accepted = accept(fd, NULL, NULL);
	(void)what;
	if (!client || accepted < 0) {
		perror("null_echo");
		exit(1);
	}
	client->len = 0;
	client->event = event_new(arg, accepted, EV_READ | EV_PERSIST, on_readable, client);
	event_add(client->event, NULL);
}

int main(int argc, char **argv)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	struct event_base *base = event_base_new();
	struct event *listening;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (argc != 2 || strlen(argv[1]) >= sizeof(name.sun_path)) {
		fputs("usage: null_echo SOCKET\n", stderr);
		return 2;
	}
	strcpy(name.sun_path, argv[1]);
	if (fd < 0 || !base || bind(fd, (struct sockaddr *)&name, sizeof(name)) < 0 ||
	    listen(fd, 64) < 0) {
		perror("null_echo");
		return 1;
	}
	listening = event_new(base, fd, EV_READ | EV_PERSIST, on_client, base);
	event_add(listening, NULL);
	return event_base_dispatch(base) < 0;
}
