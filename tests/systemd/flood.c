/* SPDX-License-Identifier: MIT */
/*
 * flood SOCKET CLIENTS: that many clients, each of which solves without pause, until SIGTERM.
 *
 * A client keeps a few requests in flight on one connection.  When that ends it connects again and
 * sends what it could not send before.  What it holds the daemon to is what doc/protocol.md
 * promises: a write that succeeded gets exactly one reply, whatever happens to the service
 * meanwhile, and that reply is the answer or `shutting_down`.
 *
 * Prints one line of counts.  Exits with 0 if all promises were kept, 1 if not (the first breaches
 * are told on standard error), 2 if it could not even begin.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
	CLIENTS_MAX = 1024,
	IN_FLIGHT = 4,
	REPLY_MAX = 4096,
	TOLD_MAX = 10,       /* breaches that are told in words */
	PATIENCE_MS = 30000, /* without any reply: the daemon hangs */
	LAST_MS = 10000      /* for what is in flight at the end */
};

/* Boards of 8puzzle, and how many moves each takes. */
static const struct question {
	const char *board;
	const char *length;
} questions[] = {
	{"867254301", "\"length\":31,"},
	{"123456708", "\"length\":1,"},
	{"123406758", "\"length\":2,"},
	{"234150768", "\"length\":19,"},
};
enum { QUESTIONS = sizeof(questions) / sizeof(questions[0]) };

struct client {
	int fd;
	uint64_t flying[IN_FLIGHT]; /* ids that were written and are not answered; 0: free */
	char in[REPLY_MAX];
	size_t len;
};

static struct client clients[CLIENTS_MAX];
static struct pollfd polls[CLIENTS_MAX];
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static uint64_t last_id, answered, shutting_down, breaches, connections;
static int64_t longest_gap_ms;
static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void breach(const char *what, const char *detail)
{
	if (breaches++ < TOLD_MAX)
		fprintf(stderr, "flood: %s: %s\n", what, detail);
}

static void open_client(struct client *client)
{
	client->len = 0;
	client->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* It blocks while the socket's queue is full, which is no refusal. */
	if (client->fd < 0 ||
	    connect(client->fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		breach("cannot connect", strerror(errno));
		if (client->fd >= 0)
			close(client->fd);
		client->fd = -1;
		return;
	}
	fcntl(client->fd, F_SETFL, O_NONBLOCK);
	connections++;
}

/* The connection has ended: whatever was written should have been answered before. */
static void end_client(struct client *client)
{
	char detail[64];
	for (int i = 0; i < IN_FLIGHT; i++) {
		if (client->flying[i]) {
			snprintf(detail, sizeof(detail), "request %llu",
				 (unsigned long long)client->flying[i]);
			breach("the connection ended without a reply", detail);
		}
		client->flying[i] = 0;
	}
	if (client->len > 0)
		breach("the connection ended within a reply", "");
	close(client->fd);
	client->fd = -1;
}

/* False: the daemon takes no more on this connection. */
static bool ask(struct client *client, int slot)
{
	char line[256];
	uint64_t id = ++last_id;
	int len = snprintf(line, sizeof(line),
			   "{\"jsonrpc\":\"2.0\",\"id\":%llu,\"method\":\"solve\",\"params\":"
			   "{\"puzzle\":\"8puzzle\",\"board\":\"%s\"}}\n",
			   (unsigned long long)id, questions[id % QUESTIONS].board);
	ssize_t sent = send(client->fd, line, (size_t)len, MSG_NOSIGNAL);
	if (sent == len) {
		client->flying[slot] = id;
		return true;
	}
	if (sent >= 0)
		breach("a short write", "the test is wrong, not the daemon");
	else if (errno != EPIPE && errno != ECONNRESET)
		breach("cannot write", strerror(errno));
	return false;
}

static void take_reply(struct client *client, const char *line)
{
	static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
	char *end = NULL;
	uint64_t id = 0;
	if (strncmp(line, head, sizeof(head) - 1) == 0)
		id = strtoull(line + sizeof(head) - 1, &end, 10);
	int slot = 0;
	while (slot < IN_FLIGHT && (id == 0 || client->flying[slot] != id))
		slot++;
	if (slot == IN_FLIGHT) {
		breach("a reply to what was not asked, or a second one", line);
		return;
	}
	client->flying[slot] = 0;
	if (strncmp(end, ",\"result\":", 10) == 0 && strstr(end, questions[id % QUESTIONS].length))
		answered++;
	else if (strstr(end, "\"kind\":\"shutting_down\""))
		shutting_down++;
	else
		breach("a wrong reply", line);
}

/* Reads what is there.  False: the connection has ended. */
static bool take_replies(struct client *client)
{
	ssize_t got =
		recv(client->fd, client->in + client->len, sizeof(client->in) - 1 - client->len, 0);
	if (got < 0 && errno == EAGAIN)
		return true;
	if (got <= 0)
		return false;
	client->len += (size_t)got;
	client->in[client->len] = '\0';
	char *line = client->in, *end;
	while ((end = strchr(line, '\n'))) {
		*end = '\0';
		take_reply(client, line);
		line = end + 1;
	}
	client->len -= (size_t)(line - client->in);
	memmove(client->in, line, client->len);
	if (client->len == sizeof(client->in) - 1)
		breach("a reply without end", "");
	return client->len < sizeof(client->in) - 1;
}

static bool is_flying(int count)
{
	for (int i = 0; i < count; i++)
		for (int slot = 0; slot < IN_FLIGHT; slot++)
			if (clients[i].flying[slot])
				return true;
	return false;
}

static void turn(struct client *client)
{
	if (client->fd < 0 && !stop)
		open_client(client);
	if (client->fd < 0)
		return;
	bool open = take_replies(client), writes = true;
	for (int slot = 0; open && writes && !stop && slot < IN_FLIGHT; slot++)
		if (!client->flying[slot])
			writes = ask(client, slot);
	/* It takes no more; what it owes comes before the end, which recv tells next. */
	if (!open)
		end_client(client);
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[2]) : 0;
	if (count < 1 || count > CLIENTS_MAX || strlen(argv[1]) >= sizeof(address.sun_path)) {
		fputs("usage: flood SOCKET CLIENTS\n", stderr);
		return 2;
	}
	strcpy(address.sun_path, argv[1]);
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	for (int i = 0; i < count; i++)
		clients[i].fd = -1;
	int64_t last = now_ms(), stopped = 0;
	uint64_t before = 0;
	while ((!stop || is_flying(count)) && breaches < 1000) {
		for (int i = 0; i < count; i++) {
			turn(&clients[i]);
			polls[i] = (struct pollfd){.fd = clients[i].fd, .events = POLLIN};
		}
		poll(polls, (nfds_t)count, 100);
		int64_t now = now_ms();
		if (answered + shutting_down > before) {
			if (now - last > longest_gap_ms)
				longest_gap_ms = now - last;
			before = answered + shutting_down;
			last = now;
		}
		if (now - last > PATIENCE_MS) {
			breach("no reply at all", "for 30 s");
			break;
		}
		if (stop && !stopped)
			stopped = now;
		if (stopped && now - stopped > LAST_MS) {
			breach("what was in flight at the end", "is not answered after 10 s");
			break;
		}
	}
	printf("answered=%llu shutting_down=%llu breaches=%llu connections=%llu "
	       "longest_gap_ms=%lld\n",
	       (unsigned long long)answered, (unsigned long long)shutting_down,
	       (unsigned long long)breaches, (unsigned long long)connections,
	       (long long)longest_gap_ms);
	return breaches || !answered;
}
