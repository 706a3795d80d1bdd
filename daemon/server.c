/* SPDX-License-Identifier: MIT */
#include "daemon/server.h"
#include "common/limits.h"
#include "common/log.h"
#include "daemon/access.h"
#include "daemon/listener.h"
#include "daemon/methods.h"
#include "daemon/notify.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

#include <event2/event.h>

/* Descriptors that a worker takes in the daemon: its channel and its output. */
enum { WORKER_DESCRIPTORS = 2 };

/* ---- the end ---- */

static bool has_workers(const struct server *server)
{
	const struct pool *pool;
	TAILQ_FOREACH (pool, &server->pools, link)
		if (!TAILQ_EMPTY(&pool->workers) || pool->builder.worker)
			return true;
	return false;
}

static void stop_now(struct server *server)
{
	struct pool *pool;
	struct session *session, *next;
	server->stopping_now = true;
	TAILQ_FOREACH (pool, &server->pools, link)
		pool_stop(pool, true);
	for (session = TAILQ_FIRST(&server->sessions); session; session = next) {
		next = TAILQ_NEXT(session, link);
		session_close(session);
	}
	event_base_loopbreak(server->loop.base);
}

/* Over when nobody is left to be answered: workers are then told to leave, and waited for. */
static void end_if_over(struct server *server)
{
	struct pool *pool;
	if (!server->draining || !TAILQ_EMPTY(&server->sessions))
		return;
	if (!server->stopping_now) {
		server->stopping_now = true;
		TAILQ_FOREACH (pool, &server->pools, link)
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
	TAILQ_FOREACH (pool, &server->pools, link)
		TAILQ_FOREACH (worker, &pool->workers, link)
			worker_kill(worker, "was still running when the daemon had to stop");
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
	log_notice("draining", KV("sessions", server->sessions_open),
		   KV("waiting", server_waiting_boards(server)));
	listener_close(server->listener);
	server->listener = NULL;
	for (session = TAILQ_FIRST(&server->sessions); session; session = next) {
		next = TAILQ_NEXT(session, link);
		session_drain(session);
	}
	evtimer_add(&server->drain_limit, &after);
	end_if_over(server);
}

static void on_stop(evutil_socket_t number, short what, void *arg)
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

/* ---- told by the others ---- */

static void on_child(evutil_socket_t number, short what, void *arg)
{
	struct server *server = arg;
	int status;
	pid_t pid;
	(void)number, (void)what;
	while ((pid = child_reap(&status))) {
		struct pool *pool;
		struct worker *worker, *found = NULL;
		TAILQ_FOREACH (pool, &server->pools, link) {
			if (pool->builder.worker && pool->builder.worker->pid == pid)
				found = pool->builder.worker;
			TAILQ_FOREACH (worker, &pool->workers, link)
				if (worker->pid == pid)
					found = worker;
		}
		if (found)
			worker_ended(found, status);
	}
	loop_settle(&server->loop);
}

void server_session_closed(struct server *server)
{
	server->sessions_open--;
	if (server->listener)
		listener_resume(server->listener);
}

void server_session_gone(struct server *server)
{
	if (!server->listener && TAILQ_EMPTY(&server->sessions))
		server_drain(server);
	end_if_over(server);
}

void server_worker_gone(struct server *server)
{
	end_if_over(server);
}

bool server_is_settled(const struct server *server)
{
	const struct pool *pool;
	TAILQ_FOREACH (pool, &server->pools, link)
		if (!methods_settled(pool))
			return false;
	return true;
}

uint64_t server_waiting_boards(const struct server *server)
{
	const struct pool *pool;
	uint64_t boards = 0;
	TAILQ_FOREACH (pool, &server->pools, link)
		boards += pool->queue.boards;
	return boards;
}

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014): seeds need to differ, not to be secret. */
uint64_t server_random(struct server *server)
{
	uint64_t z = server->random += 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return (z ^ (z >> 31)) >> 11; /* what a JSON number keeps exactly everywhere */
}

/* ---- life ---- */

/* As many sessions as the descriptors allow that workers and the daemon itself do not need. */
static int count_descriptors(struct server *server, char *reason, size_t cap)
{
	struct rlimit limit;
	uint64_t own = LIMIT_DESCRIPTORS;
	for (size_t i = 0; i < server->config->puzzle_count; i++)
		own += (uint64_t)server->config->puzzles[i].job.workers * WORKER_DESCRIPTORS;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		limit.rlim_cur = limit.rlim_max = 1024;
	if (limit.rlim_cur < limit.rlim_max &&
	    limit.rlim_cur < own + server->config->max_sessions) {
		limit.rlim_cur = limit.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
			getrlimit(RLIMIT_NOFILE, &limit);
	}
	if (limit.rlim_cur <= own) {
		snprintf(reason, cap,
			 "%llu descriptors are too few: workers and the daemon need %llu",
			 (unsigned long long)limit.rlim_cur, (unsigned long long)own);
		return -1;
	}
	server->sessions_max = server->config->max_sessions;
	if (server->sessions_max > limit.rlim_cur - own) {
		server->sessions_max = (uint32_t)(limit.rlim_cur - own);
		log_warning("fewer_sessions", KV("max_sessions", server->sessions_max),
			    KV("descriptors", (uint64_t)limit.rlim_cur));
	}
	return 0;
}

int server_open(struct server *server, struct config *config, const char *table_dir, char *reason,
		size_t cap)
{
	static const int numbers[3] = {SIGTERM, SIGINT, SIGCHLD};
	*server = (struct server){
		.config = config,
		.table_dir = table_dir,
		.max_values = (size_t)config->max_boards + LIMIT_VALUES_EXTRA,
		.started_us = loop_now_us(),
	};
	TAILQ_INIT(&server->pools);
	TAILQ_INIT(&server->sessions);
	TAILQ_INIT(&server->waiting);
	if (getrandom(&server->random, sizeof(server->random), GRND_NONBLOCK) < 0)
		server->random = (uint64_t)server->started_us;
	LIST_INIT(&server->users);
	if (count_descriptors(server, reason, cap) < 0 ||
	    access_load(config, &server->access, reason, cap) < 0 ||
	    child_find_user(config->user, &server->worker_user, reason, cap) < 0)
		return -1;
	if (loop_open(&server->loop) < 0) {
		snprintf(reason, cap, "libevent finds no way to wait for events");
		return -1;
	}
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < 3; i++) {
		evsignal_assign(&server->signals[i], server->loop.base, numbers[i],
				numbers[i] == SIGCHLD ? on_child : on_stop, server);
		evsignal_add(&server->signals[i], NULL);
	}
	evtimer_assign(&server->drain_limit, server->loop.base, on_drain_limit, server);
	evtimer_assign(&server->last_words, server->loop.base, on_last_words, server);
	for (size_t i = 0; i < config->puzzle_count; i++) {
		struct pool *pool = pool_new(server, &config->puzzles[i]);
		if (!pool) {
			snprintf(reason, cap, "out of memory");
			return -1;
		}
		TAILQ_INSERT_TAIL(&server->pools, pool, link);
	}
	return 0;
}

int server_listen(struct server *server, char *reason, size_t cap)
{
	int given = notify_take_socket(reason, cap);
	if (given < -1)
		return -1;
	server->listener = listener_open(server, given, reason, cap);
	if (!server->listener)
		return -1;
	server->notify = notify_new(server);
	return 0;
}

void server_run(struct server *server)
{
	loop_settle(&server->loop);
	event_base_dispatch(server->loop.base);
}

void server_close(struct server *server)
{
	struct pool *pool;
	if (!server->loop.base) {
		access_free(server->access);
		return;
	}
	listener_close(server->listener);
	server->listener = NULL;
	notify_free(server->notify);
	server->notify = NULL;
	server->stopping_now = true;
	/* Whoever is left is killed already or never was of use; all that remains is to wait. */
	TAILQ_FOREACH (pool, &server->pools, link)
		pool_stop(pool, true);
	while (has_workers(server) && event_base_loop(server->loop.base, EVLOOP_ONCE) == 0)
		;
	while ((pool = TAILQ_FIRST(&server->pools))) {
		TAILQ_REMOVE(&server->pools, pool, link);
		pool_free(pool);
	}
	loop_settle(&server->loop);
	event_del(&server->drain_limit);
	event_del(&server->last_words);
	for (int i = 0; i < 3; i++)
		event_del(&server->signals[i]);
	loop_close(&server->loop);
	user_free_all(&server->users);
	access_free(server->access);
}
