/* SPDX-License-Identifier: MIT */
#include "client/conn.h"

#include "common/buf.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { CONN_READ = 64 * 1024 };

struct conn {
	int fd;
	bool write_closed; /* the peer takes no more: nothing is written, the rest is read */
	struct buf out;
	struct buf in;
	size_t scanned; /* bytes of `in` known to hold no newline */
	size_t taken;   /* bytes of `in` that the last conn_line gave away, newline included */
};

int64_t conn_clock_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int conn_connect(struct conn **ret, const char *path, struct fault *fault)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t len = strlen(path);
	if (len == 0) {
		fault_set(fault, EXIT_USAGE, "the path of the socket is empty");
		return -EINVAL;
	}
	if (len >= sizeof(address.sun_path)) {
		fault_set(fault, EXIT_USAGE,
			  "the path of a socket may have %zu bytes, this one has %zu: %s",
			  sizeof(address.sun_path) - 1, len, path);
		return -ENAMETOOLONG;
	}
	memcpy(address.sun_path, path, len + 1);

	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		int failed = errno;
		fault_set(fault, EXIT_PROTOCOL, "cannot make a socket: %s", strerror(failed));
		return -failed;
	}
	int result;
	do
		result = connect(fd, (const struct sockaddr *)&address, sizeof(address));
	while (result < 0 && errno == EINTR);
	if (result < 0) {
		int failed = errno;
		close(fd);
		if (failed == ECONNREFUSED)
			fault_set(fault, EXIT_PROTOCOL, "nobody listens on %s", path);
		else if (failed == EACCES)
			fault_set(fault, EXIT_PROTOCOL,
				  "you may not connect to %s: %s (are you in the socket's group? "
				  "--local does without)",
				  path, strerror(failed));
		else
			fault_set(fault, EXIT_PROTOCOL, "cannot connect to %s: %s", path,
				  strerror(failed));
		return -failed;
	}
	*ret = conn_new(fd);
	if (!*ret) {
		fault_memory(fault);
		return -ENOMEM;
	}
	return 0;
}

struct conn *conn_new(int fd)
{
	struct conn *conn = calloc(1, sizeof(*conn));
	if (!conn) {
		close(fd);
		return NULL;
	}
	conn->fd = fd;
	conn->in.max = CONN_LINE_MAX;
	return conn;
}

void conn_free(struct conn *conn)
{
	if (!conn)
		return;
	close(conn->fd);
	buf_free(&conn->in);
	buf_free(&conn->out);
	free(conn);
}

static bool peer_has_gone(int failed)
{
	return failed == EPIPE || failed == ECONNRESET || failed == ENOTCONN;
}

/* Writes what the socket takes without waiting. */
static int flush(struct conn *conn, struct fault *fault)
{
	while (buf_len(&conn->out) > 0 && !conn->write_closed) {
		ssize_t len = send(conn->fd, buf_data(&conn->out), buf_len(&conn->out),
				   MSG_NOSIGNAL | MSG_DONTWAIT);
		if (len >= 0)
			buf_drop(&conn->out, (size_t)len);
		else if (peer_has_gone(errno))
			conn->write_closed = true;
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			return 0;
		else if (errno != EINTR)
			return fault_set(fault, EXIT_PROTOCOL, "cannot write to the daemon: %s",
					 strerror(errno));
	}
	if (conn->write_closed)
		buf_clear(&conn->out);
	return 0;
}

int conn_send(struct conn *conn, struct text line, struct fault *fault)
{
	buf_put_text(&conn->out, line);
	buf_put(&conn->out, "\n", 1);
	if (conn->out.failed)
		return fault_memory(fault);
	return flush(conn, fault);
}

/* Reads what is there without waiting. Returns 1 for bytes, 0 for none yet, -1 with *fault. */
static int fill(struct conn *conn, struct fault *fault)
{
	char *room = buf_reserve(&conn->in, CONN_READ);
	if (!room) {
		if (buf_len(&conn->in) + CONN_READ > CONN_LINE_MAX)
			return fault_set(fault, EXIT_PROTOCOL,
					 "the daemon's answer has more than %d bytes",
					 CONN_LINE_MAX);
		return fault_memory(fault);
	}
	ssize_t len = recv(conn->fd, room, CONN_READ, MSG_DONTWAIT);
	if (len > 0) {
		buf_commit(&conn->in, (size_t)len);
		return 1;
	}
	if (len < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return 0;
	if (len < 0 && !peer_has_gone(errno))
		return fault_set(fault, EXIT_PROTOCOL, "cannot read from the daemon: %s",
				 strerror(errno));
	return fault_set(fault, EXIT_PROTOCOL, "the daemon closed the connection %s",
			 buf_len(&conn->in) > 0 ? "in the middle of its answer"
						: "before it answered");
}

/* The first whole line of what was read; the next search goes on where this one stopped. */
static bool take_line(struct conn *conn, struct text *ret)
{
	const char *data = buf_text(&conn->in).data;
	size_t len = buf_len(&conn->in);
	const char *end = memchr(data + conn->scanned, '\n', len - conn->scanned);
	if (!end) {
		conn->scanned = len;
		return false;
	}
	*ret = (struct text){data, (size_t)(end - data)};
	conn->taken = ret->len + 1;
	conn->scanned = 0;
	return true;
}

/* Milliseconds that poll may wait until `deadline`, never below 0. */
static int poll_time(int64_t deadline)
{
	if (deadline < 0)
		return -1;
	int64_t left = deadline - conn_clock_ms();
	return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

int conn_line(struct conn *conn, int64_t deadline, struct text *ret, struct fault *fault)
{
	buf_drop(&conn->in, conn->taken);
	conn->taken = 0;
	for (;;) {
		if (take_line(conn, ret))
			return 1;
		if (flush(conn, fault) < 0)
			return -1;
		struct pollfd wait = {.fd = conn->fd, .events = POLLIN};
		if (buf_len(&conn->out) > 0)
			wait.events |= POLLOUT;
		int ready = poll(&wait, 1, poll_time(deadline));
		if (ready < 0 && errno != EINTR)
			return fault_set(fault, EXIT_PROTOCOL, "cannot wait for the daemon: %s",
					 strerror(errno));
		if (ready == 0 && deadline >= 0 && conn_clock_ms() >= deadline)
			return 0;
		if (ready > 0 && (wait.revents & (POLLIN | POLLHUP | POLLERR)) &&
		    fill(conn, fault) < 0)
			return -1;
	}
}
