/* SPDX-License-Identifier: MIT */
/*
 * session: one client's connection: lines in, replies out, and what it may owe.
 *
 *	         eof, drain            all answered and written
 *	OPEN --------------> ENDING ------------------------------> CLOSED
 *	  |                    ^
 *	  +-- line too long ---+--> LINGERING (what still comes is thrown away, for a moment) --> CLOSED
 *	any: peer gone ---------------------------------------> CLOSED, its requests cancelled
 *
 * Reading stops, and nothing is lost by it, while the session has as much in flight as it may or
 * its reader does not take what it is sent.  A line that is already there is looked at first, so
 * that `ping` and `cancel` get through up to the first `solve` that has to wait.
 */
#ifndef DAEMON_SESSION_H
#define DAEMON_SESSION_H

#include "daemon/loop.h"
#include "daemon/queue.h"
#include "daemon/request.h"
#include "daemon/rpc.h"
#include "daemon/stream.h"
#include "daemon/user.h"

#include <event2/event_struct.h>
#include <stdbool.h>
#include <stdint.h>

struct server;

enum session_state { SESSION_OPEN, SESSION_ENDING, SESSION_LINGERING, SESSION_CLOSED };

struct session {
	enum session_state state;
	struct server *server;
	struct stream stream;
	size_t scanned;       /* bytes of the input known to hold no newline */
	struct rpc_call held; /* a solve that waits for room; held.root NULL: none */
	struct request_list requests;
	bool blocked;               /* input waits for room */
	uint32_t in_flight;         /* requests */
	uint64_t reserved;          /* bytes that their replies may have */
	struct queue_source source; /* its waiting jobs; `user`: whose session it is */
	struct request *cancelled;  /* by the call that is being run; else NULL */
	struct event linger;        /* when lingering ends */
	bool refused;               /* is told so and then closed */
	bool admin;                 /* the client is root or the daemon's own user */
	uint64_t number;            /* for logs */
	struct grave grave;
	TAILQ_ENTRY(session) link;
};

/* Takes over a connected socket.  0, or a negative errno with the socket closed. */
int session_open(struct server *server, int fd);

/* Reads what the client has sent so far, answers that, and closes. */
void session_drain(struct session *session);

/* Closes at once; its requests are cancelled. */
void session_close(struct session *session);

/* ---- told by request.c ---- */

void session_add(struct session *session, struct request *request);
void session_remove(struct session *session, struct request *request);

/* Its request with this id that is in flight, or NULL. */
struct request *session_find(struct session *session, const struct rpc_id *id);

/* Where a reply is to be appended; it leaves when the turn ends.  NULL: nobody is there to read
 * it. */
struct buf *session_reply(struct session *session);

static inline struct user *session_user(const struct session *session)
{
	return session->source.user;
}

/* Whether a request whose reply may have `bytes` may be admitted now. */
bool session_has_room(const struct session *session, uint64_t bytes);

/* Sends a progress notification, unless one was sent just before or the client does not read. */
void session_report(struct request *request, uint32_t board, const struct wire_progress *progress);

#endif
