/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "bench/load.h"
#include "bench/figure.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { HEAD = 64, CHUNK = 64 * 1024, STUCK_MS = 30 * 1000 };

struct client {
	int fd;
	uint64_t allowed; /* lines that may have been sent: replies plus the window */
	uint64_t sent;    /* lines that have been, whole */
	size_t part;      /* bytes of the next one that have been */
	unsigned replies, due;
	size_t head_len;
	char head[HEAD]; /* the beginning of the reply that is coming in */
};

static _Noreturn void give_up(const char *what)
{
	fprintf(stderr, "load: %s\n", what);
	exit(1);
}

int load_connect(const char *socket_path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || strlen(socket_path) >= sizeof(name.sun_path))
		give_up("no socket can be made of that");
	strcpy(name.sun_path, socket_path);
	if (connect(fd, (struct sockaddr *)&name, sizeof(name)) == 0)
		return fd;
	close(fd);
	return -1;
}

/* ---- processor time ---- */

pid_t load_peer(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 ? peer.pid : 0;
}

double load_cpu(pid_t pid)
{
	char path[64];
	uint64_t ns = 0;
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%" SCNu64, &ns) != 1)
		ns = 0;
	fclose(file);
	return (double)ns * 1e-9;
}

void load_each_child(pid_t pid, void (*each)(pid_t child, void *arg), void *arg)
{
	char path[64];
	int child;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return;
	while (fscanf(file, "%d", &child) == 1)
		each(child, arg);
	fclose(file);
}

static void add_cpu(pid_t child, void *arg)
{
	double *sum = arg;
	*sum += load_cpu(child);
}

double load_cpu_of_children(pid_t pid)
{
	double sum = 0;
	load_each_child(pid, add_cpu, &sum);
	return sum;
}

/* ---- cores ---- */

static void place(pid_t pid, void *cores)
{
	if (sched_setaffinity(pid, sizeof(cpu_set_t), cores) < 0)
		give_up("a process cannot be placed");
}

void load_place(pid_t pid, bool free)
{
	static cpu_set_t all;
	cpu_set_t cores;
	if (CPU_COUNT(&all) == 0 && sched_getaffinity(0, sizeof(all), &all) < 0)
		give_up("the cores are not known");
	cores = all;
	for (int core = 0, found = 0; !free && core < CPU_SETSIZE; core++)
		if (CPU_ISSET(core, &cores) && found++)
			CPU_CLR(core, &cores);
	place(0, &cores);
	place(pid, &cores);
	load_each_child(pid, place, &cores);
}

/* ---- clients ---- */

static void open_client(struct client *client, const struct load *load, unsigned due)
{
	*client = (struct client){
		.fd = load_connect(load->socket),
		.due = due,
		.allowed = due < load->window ? due : load->window,
	};
	if (client->fd < 0)
		give_up("nobody listens");
}

/* Sends what may be sent, as far as the socket takes it. */
static void push(struct client *client, const struct load_lines *lines)
{
	while (client->sent < client->allowed) {
		unsigned first = (unsigned)(client->sent % lines->count);
		uint64_t many = client->allowed - client->sent;
		unsigned last = many < lines->count - first ? first + (unsigned)many : lines->count;
		const char *from = lines->text + lines->starts[first] + client->part;
		ssize_t put = send(client->fd, from,
				   lines->starts[last] - lines->starts[first] - client->part,
				   MSG_NOSIGNAL | MSG_DONTWAIT);
		if (put < 0 && errno == EAGAIN)
			return;
		if (put < 0)
			give_up("the server has gone");
		client->part += (size_t)put;
		for (; first < last; first++) {
			size_t size = lines->starts[first + 1] - lines->starts[first];
			if (client->part < size)
				break;
			client->part -= size;
			client->sent++;
		}
	}
}

/* Whether the reply that begins so is what was wanted: its id, then the member. */
static bool is_wanted(const struct client *client, const char *want)
{
	static const char opening[] = "{\"jsonrpc\":\"2.0\",\"id\":";
	const char *at = client->head + sizeof(opening) - 1;
	const char *end = client->head + client->head_len;
	size_t len = strlen(want);
	if (at > end || memcmp(client->head, opening, sizeof(opening) - 1) != 0)
		return false;
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return (size_t)(end - at) >= len + 2 && memcmp(at, ",\"", 2) == 0 &&
	       memcmp(at + 2, want, len) == 0;
}

static void take(struct client *client, const struct load *load, const char *data, size_t len)
{
	while (len) {
		const char *end = memchr(data, '\n', len);
		size_t part = end ? (size_t)(end - data) : len;
		size_t kept = part < HEAD - client->head_len ? part : HEAD - client->head_len;
		memcpy(client->head + client->head_len, data, kept);
		client->head_len += kept;
		if (!end)
			return;
		if (!is_wanted(client, load->want)) {
			fprintf(stderr, "%.*s\n", (int)client->head_len, client->head);
			give_up("that is no good reply");
		}
		client->head_len = 0;
		client->replies++;
		client->allowed += client->allowed < client->due;
		data += part + 1;
		len -= part + 1;
	}
}

static void pull(struct client *client, const struct load *load, uint64_t *bytes)
{
	static char data[CHUNK];
	ssize_t got = recv(client->fd, data, sizeof(data), MSG_DONTWAIT);
	if (got == 0 || (got < 0 && errno != EAGAIN))
		give_up("the server has hung up");
	if (got > 0) {
		*bytes += (uint64_t)got;
		take(client, load, data, (size_t)got);
	}
}

/* ---- the run ---- */

static void drive(struct client *clients, const struct load *load, uint64_t *bytes)
{
	struct pollfd polled[LOAD_CLIENTS];
	unsigned left = load->clients;
	for (unsigned i = 0; i < load->clients; i++) {
		push(&clients[i], load->lines);
		polled[i].fd = clients[i].fd;
	}
	while (left) {
		for (unsigned i = 0; i < load->clients; i++) {
			bool more = clients[i].sent < clients[i].allowed;
			polled[i].events = (short)(POLLIN | (more ? POLLOUT : 0));
		}
		if (poll(polled, load->clients, STUCK_MS) <= 0)
			give_up("no reply comes");
		for (unsigned i = 0; i < load->clients; i++) {
			if (!polled[i].revents)
				continue;
			pull(&clients[i], load, bytes);
			push(&clients[i], load->lines);
			if (clients[i].replies == clients[i].due) {
				polled[i].fd = -1; /* poll passes it over */
				left--;
			}
		}
	}
}

void load_run(const struct load *load, struct load_outcome *ret)
{
	struct client clients[LOAD_CLIENTS];
	pid_t server;
	if (load->clients > LOAD_CLIENTS || load->total < load->clients)
		give_up("so many clients cannot be");
	for (unsigned i = 0; i < load->clients; i++)
		open_client(&clients[i], load, (load->total + i) / load->clients);
	server = load_peer(clients[0].fd);
	*ret = (struct load_outcome){
		.own_cpu = -load_cpu(getpid()),
		.server_cpu = -load_cpu(server),
		.workers_cpu = -load_cpu_of_children(server),
	};
	uint64_t began = figure_now_ns();
	drive(clients, load, &ret->bytes);
	ret->seconds = (double)(figure_now_ns() - began) * 1e-9;
	ret->own_cpu += load_cpu(getpid());
	ret->server_cpu += load_cpu(server);
	ret->workers_cpu += load_cpu_of_children(server);
	for (unsigned i = 0; i < load->clients; i++)
		close(clients[i].fd);
}
