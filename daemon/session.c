/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "daemon/session.h"
#include "common/limits.h"
#include "common/log.h"
#include "daemon/access.h"
#include "daemon/listener.h"
#include "daemon/methods.h"
#include "daemon/print.h"
#include "daemon/server.h"
#include "daemon/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

/* How long input that nobody will look at is still taken. */
static const struct timeval linger_time = {2, 0};

/* ---- closing ---- */

static void free_session(void *object)
{
	free(object);
}

/* A closed session stays until its last request is answered: jobs point to it. */
static void bury_if_over(struct session *session)
{
	struct server *server = session->server;
	if (session->state != SESSION_CLOSED || session->in_flight > 0)
		return;
	session->in_flight = UINT32_MAX; /* once only */
	user_leave(session_user(session), loop_now_us());
	TAILQ_REMOVE(&server->sessions, session, link);
	loop_bury(&server->loop, &session->grave, free_session, session);
	server_session_gone(server);
}

void session_close(struct session *session)
{
	if (session->state == SESSION_CLOSED)
		return;
	session->state = SESSION_CLOSED;
	event_del(&session->linger);
	session_user(session)->refused -= session->refused;
	stream_close(&session->stream);
	rpc_free(&session->held);
	server_session_closed(session->server);
	log_debug("session_closed", KV("session", session->number),
		  KV("in_flight", session->in_flight));
	/* Stopping a request may free it, and never another one of the list. */
	struct request *request, *next;
	session->in_flight++;
	for (request = TAILQ_FIRST(&session->requests); request; request = next) {
		next = TAILQ_NEXT(request, sibling);
		request_stop(request, ERR_CANCELLED, "the client has gone");
	}
	session->in_flight--;
	bury_if_over(session);
}

static void on_linger(evutil_socket_t fd, short what, void *arg)
{
	struct session *session = arg;
	struct loop *loop = &session->server->loop;
	(void)fd, (void)what;
	if (session->in_flight > 0)
		evtimer_add(&session->linger, &linger_time);
	else
		session_close(session);
	loop_settle(loop);
}

/*
 * Says no more and reads on for a moment: closing a socket with unread input would take the last
 * reply out of the peer's hands.
 */
static void linger(struct session *session)
{
	session->state = SESSION_LINGERING;
	buf_clear(&session->stream.in);
	rpc_free(&session->held);
	evtimer_add(&session->linger, &linger_time);
}

/* ---- lines ---- */

static void put_error(struct session *session, const struct rpc_id *id, const struct error *error)
{
	struct buf *out = session_reply(session);
	if (out)
		rpc_put_error_reply(out, id, error);
}

/* Hands a call to its method; one that must wait is kept, others are over. */
static void run(struct session *session, struct rpc_call *call)
{
	if (methods_run(session, call)) {
		rpc_free(call);
	} else {
		session->held = *call;
		*call = (struct rpc_call){0};
	}
}

static void take_line(struct session *session, struct text line)
{
	struct rpc_call call;
	struct error error;
	if (line.len && line.data[line.len - 1] == '\r')
		line.len--;
	if (line.len == 0)
		return;
	if (rpc_parse(line, session->server->max_values, &call, &error) < 0) {
		put_error(session, &call.id, &error);
		rpc_free(&call);
		return;
	}
	call.received_us = loop_now_us();
	run(session, &call);
}

/* The next whole line of the input, without its newline; NULL data: there is none yet. */
static struct text next_line(struct session *session)
{
	struct buf *in = &session->stream.in;
	size_t len = buf_len(in);
	const char *data = len ? buf_data(in) : NULL;
	const char *end = len > session->scanned
				  ? memchr(data + session->scanned, '\n', len - session->scanned)
				  : NULL;
	if (end)
		return (struct text){data, (size_t)(end - data)};
	session->scanned = len;
	/* The last line may lack its newline; what came before an abrupt end is no line. */
	if (len && session->stream.ended && !session->stream.gone)
		return (struct text){data, len};
	return (struct text){NULL, 0};
}

static bool take_lines(struct session *session)
{
	uint64_t max = session->server->config->max_line;
	struct text line;
	bool any = false;
	while (session->state != SESSION_LINGERING && session->state != SESSION_CLOSED) {
		if (session->held.root) {
			struct rpc_call call = session->held;
			session->held = (struct rpc_call){0};
			run(session, &call);
			if (session->held.root)
				break;
			any = true;
		}
		if (buf_len(&session->stream.out) > LIMIT_CONTROL_REPLY)
			break;
		line = next_line(session);
		if (line.len > max || (!line.data && buf_len(&session->stream.in) > max)) {
			struct error error;
			error_set(&error, ERR_INVALID_REQUEST,
				  "the line is longer than %llu bytes; the connection is closed",
				  (unsigned long long)max);
			put_error(session, &(struct rpc_id){0}, &error);
			linger(session);
			break;
		}
		if (!line.data)
			break;
		any = true;
		session->scanned = 0;
		take_line(session, line);
		if (session->state == SESSION_OPEN || session->state == SESSION_ENDING)
			buf_drop(&session->stream.in, line.len + 1);
	}
	return any;
}

/* Nothing more will come and nothing is owed. */
static bool is_over(const struct session *session)
{
	if (session->stream.gone)
		return true;
	return session->stream.ended && !session->held.root && session->in_flight == 0 &&
	       buf_len(&session->stream.out) == 0 &&
	       (session->state == SESSION_LINGERING || buf_len(&session->stream.in) == 0);
}

/* Whether input may be taken now. */
static bool may_read(const struct session *session)
{
	return !session->held.root && buf_len(&session->stream.out) <= LIMIT_CONTROL_REPLY;
}

static void pump(void *owner)
{
	struct session *session = owner;
	struct stream *stream = &session->stream;
	size_t budget = LIMIT_INPUT_TURN;
	while (session->state != SESSION_CLOSED && !stream->gone) {
		if (session->state == SESSION_LINGERING)
			buf_clear(&stream->in);
		else
			take_lines(session);
		session->blocked = !may_read(session);
		if (session->state == SESSION_CLOSED || session->blocked)
			break;
		if (budget == 0) {
			stream_again(stream);
			break;
		}
		bool ended = stream->ended;
		size_t got = stream_fill(stream, budget);
		if (!got && ended == stream->ended)
			break;
		budget -= got;
	}
	if (session->state == SESSION_CLOSED)
		return;
	if (stream->ended && session->state == SESSION_OPEN)
		session->state = SESSION_ENDING;
	if (is_over(session))
		session_close(session);
	else if (session->state == SESSION_LINGERING && session->in_flight == 0 &&
		 buf_len(&stream->out) == 0)
		shutdown(stream->fd, SHUT_WR);
}

/* After a reply has left there may be room for what waits; that is for the next turn, since others
 * wait too. */
static void flushed(void *owner)
{
	struct session *session = owner;
	if (session->state == SESSION_CLOSED)
		return;
	if (session->blocked && (session->held.root || may_read(session)))
		stream_again(&session->stream);
	else if (session->state != SESSION_OPEN || session->stream.gone)
		pump(session);
}

/* ---- life ---- */

/*
 * A connection that is not wanted is told why before it is closed.  A few of a user's are kept open
 * until they have read it, no more: whoever comes again and again must not take places from others
 * that way.
 */
static bool refuse(struct session *session, const struct access_peer *peer)
{
	static struct log_bucket bucket = LOG_BUCKET("session_refused", 5);
	const struct server *server = session->server;
	const struct config *config = server->config;
	struct user *user = session_user(session);
	struct error error;
	if (!access_allows(server->settings->access, session->stream.fd, peer))
		error_set(&error, ERR_FORBIDDEN, "user %u may not use this daemon",
			  (unsigned)peer->uid);
	else if (user->sessions - user->refused > config->max_user_sessions)
		error_set(&error, ERR_QUOTA, "user %u has %u connections already",
			  (unsigned)peer->uid, config->max_user_sessions);
	else
		return false;
	if (log_allow(&bucket))
		log_notice("session_refused", KV("uid", (unsigned)peer->uid),
			   KV("kind", error_info(error.kind)->name));
	put_error(session, &(struct rpc_id){0}, &error);
	session->refused = true;
	linger(session);
	if (++user->refused > LIMIT_REFUSED) {
		stream_flush(&session->stream);
		session_close(session);
	}
	return true;
}

static int open_session(struct session *session, struct server *server, int fd)
{
	struct access_peer peer;
	int code = access_peer(fd, &peer);
	if (code < 0)
		return code;
	session->server = server;
	session->number = ++server->session_count;
	session->admin = peer.admin;
	session->stream.flushed = flushed;
	TAILQ_INIT(&session->requests);
	evtimer_assign(&session->linger, server->loop.base, on_linger, session);
	session->source.user = user_enter(&server->users, peer.uid);
	if (!session->source.user)
		return -ENOMEM;
	code = stream_open(&session->stream, &server->loop, fd, pump, session);
	if (code < 0) {
		user_leave(session->source.user, loop_now_us());
		return code;
	}
	TAILQ_INSERT_TAIL(&server->sessions, session, link);
	server->sessions_open++;
	if (!refuse(session, &peer))
		log_debug("session_opened", KV("session", session->number),
			  KV("uid", (unsigned)peer.uid));
	return 0;
}

int session_open(struct server *server, int fd)
{
	struct session *session = calloc(1, sizeof(*session));
	int code = session ? open_session(session, server, fd) : -ENOMEM;
	if (code < 0) {
		free(session);
		close(fd);
	}
	return code;
}

void session_drain(struct session *session)
{
	if (session->state == SESSION_CLOSED)
		return;
	/* What was written before this is still read; a later write tells the client that it comes
	 * too late. */
	shutdown(session->stream.fd, SHUT_RD);
	session->stream.readable = session->stream.closing = true;
	pump(session);
}

/* ---- requests ---- */

void session_add(struct session *session, struct request *request)
{
	TAILQ_INSERT_TAIL(&session->requests, request, sibling);
	session->in_flight++;
	session_user(session)->in_flight++;
}

void session_remove(struct session *session, struct request *request)
{
	TAILQ_REMOVE(&session->requests, request, sibling);
	session->in_flight--;
	session->reserved -= request->reserved;
	session_user(session)->in_flight--;
	session_user(session)->reserved -= request->reserved;
	if (session->state == SESSION_CLOSED)
		bury_if_over(session);
	else
		stream_touch(
			&session->stream); /* so that it goes on, whether or not it has a reply */
}

struct request *session_find(struct session *session, const struct rpc_id *id)
{
	struct text text = rpc_id_text(id);
	struct request *request;
	TAILQ_FOREACH (request, &session->requests, sibling) {
		if (request->id.hash != id->hash || request->id.json.len != text.len)
			continue;
		if (memcmp(rpc_id_text(&request->id).data, text.data, text.len) == 0)
			return request;
	}
	return NULL;
}

struct buf *session_reply(struct session *session)
{
	if (session->state == SESSION_CLOSED || session->stream.gone)
		return NULL;
	/* There was no memory for an earlier reply: this client can no longer be told the truth. */
	if (session->stream.out.failed) {
		session->stream.gone = true;
		stream_touch(&session->stream);
		return NULL;
	}
	stream_touch(&session->stream);
	return &session->stream.out;
}

bool session_has_room(const struct session *session, uint64_t bytes)
{
	const struct config *config = session->server->config;
	if (session->in_flight == 0)
		return true;
	return session->in_flight < config->max_session_jobs &&
	       session->reserved + buf_len(&session->stream.out) + bytes <= config->max_reply;
}

void session_report(struct request *request, uint32_t board, const struct wire_progress *progress)
{
	struct session *session = request->session;
	int64_t now = loop_now_us();
	if (now - request->reported_us < PROGRESS_MS * 1000 || buf_len(&session->stream.out) > 0)
		return;
	struct buf *out = session_reply(session);
	if (!out)
		return;
	request->reported_us = now;
	buf_put_string(out, "{\"jsonrpc\":\"2.0\",\"method\":\"progress\",\"params\":{\"id\":");
	buf_put_text(out, rpc_id_text(&request->id));
	buf_put(out, ",", 1);
	if (request->many)
		print_uint_member(out, "board", board);
	print_uint_member(out, "nodes", progress->nodes);
	print_uint_member(out, "bound", progress->bound);
	print_uint_member(out, "elapsed_ms", (uint64_t)(now - request->received_us) / 1000);
	buf_put_string(out, "\"puzzle\":");
	print_string(out, text_of(request->pool->config->name));
	buf_put_string(out, "}}\n");
}
