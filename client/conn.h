/* SPDX-License-Identifier: MIT */
/*
 * conn: a connected stream socket that carries lines, with plain poll().
 *
 * Writing never waits: what the socket does not take is kept and written while conn_line waits for
 * the answer, so that two sides that both write much cannot block each other for ever.
 */
#ifndef CLIENT_CONN_H
#define CLIENT_CONN_H

#include "client/fault.h"
#include "common/text.h"

#include <stddef.h>
#include <stdint.h>

enum {
	CONN_LINE_MAX = 128 * 1024 * 1024 /* bytes of one line from the daemon: past it, a fault */
};

struct conn;

/* Milliseconds of the monotonic clock. */
int64_t conn_clock_ms(void);

/* Connects to the Unix socket at `path`. Returns 0, or a negative errno with *fault filled. */
int conn_connect(struct conn **ret, const char *path, struct fault *fault);

/* A conn over a connected descriptor, which it owns from now on; NULL (descriptor closed) without
 * memory. */
struct conn *conn_new(int fd);

/* Closes the socket and frees everything; `conn` may be NULL. */
void conn_free(struct conn *conn);

/*
 * Sends `line` and a newline, now as far as the socket takes it, the rest during conn_line.
 * Returns 0, or -1 with *fault.  A peer that has gone is no failure here: what it wrote before is
 * still to be read, and conn_line tells of its end.
 */
int conn_send(struct conn *conn, struct text line, struct fault *fault);

/*
 * Waits for a line, at most until `deadline` of conn_clock_ms (-1: for ever).  Returns 1 with *ret
 * (without its newline, the caller's until the next call on this conn), 0 at the deadline, or -1
 * with *fault: EXIT_PROTOCOL when the peer has closed.
 */
int conn_line(struct conn *conn, int64_t deadline, struct text *ret, struct fault *fault);

#endif
