/* SPDX-License-Identifier: MIT */
/* ending: how the daemon ends: draining, its limit, at once. */
#include "common/log.h"
#include "daemon/listener.h"
#include "daemon/notify.h"
#include "daemon/server.h"

#include <event2/event.h>

static bool has_workers(const struct server *server)
{
	const struct pool *pool;
	TAILQ_FOREACH (pool, &server->all, all)
		if (!TAILQ_EMPTY(&pool->workers) || pool->builder.worker)
			return true;
	return false;
}

static void stop_now(struct server *server)
{
	struct pool *pool;
	struct session *session, *next;
	server->stopping_now = true;
	TAILQ_FOREACH (pool, &server->all, all)
		pool_stop(pool, true);
	for (session = TAILQ_FIRST(&server->sessions); session; session = next) {
		next = TAILQ_NEXT(session, link);
		session_close(session);
	}
	event_base_loopbreak(server->loop.base);
}

/* Over when nobody is left to be answered: workers are then told to leave, and waited for. */
void server_end_if_over(struct server *server)
{
	struct pool *pool;
	if (!server->draining || !TAILQ_EMPTY(&server->sessions))
		return;
	if (!server->stopping_now) {
		server->stopping_now = true;
		TAILQ_FOREACH (pool, &server->all, all)
			pool_stop(pool, false);
	}
	if (!has_workers(server))
		event_base_loopbreak(server->loop.base);
}

static void on_last_words(evutil_socket_t fd, short what, void *arg)
{
	struct server *server = arg;
	(void)fd, (void)what;
	stop_now(server);
	loop_settle(&server->loop);
}

static void on_drain_limit(evutil_socket_t fd, short what, void *arg)
{
	static const struct timeval moment = {1, 0};
	struct server *server = arg;
	struct session *session;
	struct request *request, *next;
	(void)fd, (void)what;
	log_warning("drain_limit", KV("sessions", server->sessions_open));
	TAILQ_FOREACH (session, &server->sessions, link)
		for (request = TAILQ_FIRST(&session->requests); request; request = next) {
			next = TAILQ_NEXT(request, sibling);
			request_stop(request, ERR_SHUTTING_DOWN, "the daemon is stopping");
		}
	/* What runs is answered when its worker has let go. */
	struct pool *pool;
	struct worker *worker;
	TAILQ_FOREACH (pool, &server->all, all) {
		if (pool->builder.worker)
			worker_kill(pool->builder.worker, "was still at it");
		TAILQ_FOREACH (worker, &pool->workers, link)
			worker_kill(worker, "was still running when the daemon had to stop");
	}
	server->stopping_now = true;
	evtimer_add(&server->last_words, &moment);
	loop_settle(&server->loop);
}

void server_drain(struct server *server)
{
	struct session *session, *next;
	int64_t limit = server->config->drain_timeout;
	struct timeval after = {.tv_sec = (time_t)(limit / 1000),
				.tv_usec = (suseconds_t)(limit % 1000 * 1000)};
	if (server->draining)
		return;
	server->draining = true;
	notify_stopping(server->notify, server->config->drain_timeout);
	reload_abandon(server, "the daemon is stopping");
	server_news(server);
	log_notice("draining", KV("sessions", server->sessions_open),
		   KV("waiting", server_waiting_boards(server)));
	if (server->listener)
		listener_drain(server->listener);
	listener_close(server->listener);
	server->listener = NULL;
	for (session = TAILQ_FIRST(&server->sessions); session; session = next) {
		next = TAILQ_NEXT(session, link);
		session_drain(session);
	}
	evtimer_add(&server->drain_limit, &after);
	server_end_if_over(server);
}

void server_on_stop(evutil_socket_t number, short what, void *arg)
{
	struct server *server = arg;
	(void)what;
	if (server->draining) {
		log_notice("stopping_at_once", KV("signal", (int)number));
		stop_now(server);
	} else {
		server_drain(server);
	}
	loop_settle(&server->loop);
}

void server_end_setup(struct server *server)
{
	evtimer_assign(&server->drain_limit, server->loop.base, on_drain_limit, server);
	evtimer_assign(&server->last_words, server->loop.base, on_last_words, server);
}

void server_end(struct server *server)
{
	struct pool *pool;
	listener_close(server->listener);
	server->listener = NULL;
	notify_free(server->notify);
	server->notify = NULL;
	server->stopping_now = true;
	/* Whoever is left is killed already or never was of use; all that remains is to wait. */
	TAILQ_FOREACH (pool, &server->all, all)
		pool_stop(pool, true);
	while (has_workers(server) && event_base_loop(server->loop.base, EVLOOP_ONCE) == 0)
		;
	loop_settle(&server->loop);
	event_del(&server->drain_limit);
	event_del(&server->last_words);
}
