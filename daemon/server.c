/* SPDX-License-Identifier: MIT */
#include "daemon/server.h"
#include "common/limits.h"
#include "common/log.h"
#include "common/reason.h"
#include "daemon/listener.h"
#include "daemon/methods.h"
#include "daemon/notify.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

#include <event2/event.h>

enum {
	KEPT_FREE = 2 * 1024 * 1024, /* bytes that malloc may keep for later */
	TRIM_US = 1000 *
		  1000 /* between two times that it is asked for more while somebody is there */
};

/* Descriptors that a worker takes in the daemon: its channel and its output. */
enum { WORKER_DESCRIPTORS = 2 };

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
		TAILQ_FOREACH (pool, &server->all, all) {
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

/* What a crowd or a long list took is of no use to those who are left; malloc would keep it. */
static void give_back_memory(struct server *server)
{
	int64_t now = loop_now_us();
	bool idle = TAILQ_EMPTY(&server->sessions);
	if ((!idle && now - server->trimmed_us < TRIM_US) || mallinfo2().fordblks < KEPT_FREE)
		return;
	server->trimmed_us = now;
	malloc_trim(0);
}

void server_session_gone(struct server *server)
{
	give_back_memory(server);
	if (server->settings->kind == SETTINGS_PRIVATE && TAILQ_EMPTY(&server->sessions))
		server_drain(server);
	server_end_if_over(server);
}

static void free_pool(void *object)
{
	pool_free(object);
}

/* Retired pools whose last worker has gone are of no use to anybody. */
static void bury_pools(struct server *server)
{
	struct pool *pool, *next;
	for (pool = TAILQ_FIRST(&server->retired); pool; pool = next) {
		next = TAILQ_NEXT(pool, link);
		if (!TAILQ_EMPTY(&pool->workers) || pool->builder.worker || pool->queue.jobs ||
		    !TAILQ_EMPTY(&pool->parked))
			continue;
		TAILQ_REMOVE(&server->retired, pool, link);
		loop_bury(&server->loop, &pool->grave, free_pool, pool);
	}
}

void server_worker_gone(struct server *server)
{
	bury_pools(server);
	server_end_if_over(server);
}

void server_retire_pool(struct server *server, struct pool *pool)
{
	TAILQ_INSERT_TAIL(&server->retired, pool, link);
	pool_retire(pool);
	bury_pools(server);
}

void server_news(struct server *server)
{
	reload_look(server);
	methods_known(server);
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
	TAILQ_FOREACH (pool, &server->all, all)
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

static void on_hup(evutil_socket_t number, short what, void *arg)
{
	struct server *server = arg;
	(void)number, (void)what;
	reload_start(server);
	loop_settle(&server->loop);
}

/* ---- life ---- */

/*
 * As many sessions as the descriptors allow that workers and the daemon itself do not need; during
 * a reload the workers of before and after are there together.
 */
static int count_descriptors(struct server *server, char *reason, size_t cap)
{
	struct rlimit limit;
	uint64_t own = LIMIT_DESCRIPTORS;
	for (size_t i = 0; i < server->config->puzzle_count; i++)
		own += ((uint64_t)server->config->puzzles[i].job.workers + 2) * WORKER_DESCRIPTORS;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		limit.rlim_cur = limit.rlim_max = 1024;
	if (limit.rlim_cur < limit.rlim_max &&
	    limit.rlim_cur < own + server->config->max_sessions) {
		limit.rlim_cur = limit.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
			getrlimit(RLIMIT_NOFILE, &limit);
	}
	if (limit.rlim_cur <= own)
		return reason_set(reason, cap,
				  "%llu descriptors are too few: workers and the daemon need %llu",
				  (unsigned long long)limit.rlim_cur, (unsigned long long)own);
	server->sessions_max = server->config->max_sessions;
	if (server->sessions_max > limit.rlim_cur - own) {
		server->sessions_max = (uint32_t)(limit.rlim_cur - own);
		log_warning("fewer_sessions", KV("max_sessions", server->sessions_max),
			    KV("descriptors", (uint64_t)limit.rlim_cur));
	}
	return 0;
}

int server_adopt(struct server *server, struct settings *settings, char *reason, size_t cap)
{
	struct config *before = server->config;
	server->config = settings->config;
	if (count_descriptors(server, reason, cap) < 0) {
		server->config = before;
		return -1;
	}
	settings_drop(server->settings);
	server->settings = settings;
	server->max_values = (size_t)server->config->max_boards + LIMIT_VALUES_EXTRA;
	/* A private daemon's log is its client's terminal. */
	log_set_level(settings->kind == SETTINGS_PRIVATE &&
				      server->config->log_level > LEVEL_WARNING
			      ? LEVEL_WARNING
			      : (enum log_level)server->config->log_level);
	return 0;
}

static int add_signals(struct server *server)
{
	static const struct {
		int number;
		void (*handle)(evutil_socket_t number, short what, void *arg);
	} signals[SERVER_SIGNALS] = {{SIGTERM, server_on_stop},
				     {SIGINT, server_on_stop},
				     {SIGHUP, on_hup},
				     {SIGCHLD, on_child}};
	for (int i = 0; i < SERVER_SIGNALS; i++) {
		evsignal_assign(&server->signals[i], server->loop.base, signals[i].number,
				signals[i].handle, server);
		if (evsignal_add(&server->signals[i], NULL) < 0)
			return -1;
	}
	return 0;
}

int server_open(struct server *server, struct settings *settings, char *reason, size_t cap)
{
	*server = (struct server){.started_us = loop_now_us()};
	TAILQ_INIT(&server->pools);
	TAILQ_INIT(&server->all);
	TAILQ_INIT(&server->retired);
	TAILQ_INIT(&server->sessions);
	TAILQ_INIT(&server->waiting);
	LIST_INIT(&server->users);
	reload_init(&server->reload);
	if (getrandom(&server->random, sizeof(server->random), GRND_NONBLOCK) < 0)
		server->random = (uint64_t)server->started_us;
	if (server_adopt(server, settings, reason, cap) < 0) {
		settings_drop(settings);
		return -1;
	}
	if (loop_open(&server->loop) < 0)
		return reason_set(reason, cap, "libevent finds no way to wait for events");
	deadlines_open(&server->deadlines, &server->loop, DEADLINE_TICK_MS);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a log that may grow no further is no reason to die */
	server_end_setup(server);
	if (add_signals(server) < 0)
		return reason_set(reason, cap, "libevent takes no signals");
	for (size_t i = 0; i < server->config->puzzle_count; i++) {
		struct pool *pool = pool_new(server, settings, &server->config->puzzles[i]);
		if (!pool)
			return reason_set(reason, cap, "out of memory");
		TAILQ_INSERT_TAIL(&server->pools, pool, link);
		pool_begin(pool);
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
	loop_run(&server->loop);
}

void server_close(struct server *server)
{
	struct pool *pool;
	if (server->loop.base) {
		server_end(server);
		while ((pool = TAILQ_FIRST(&server->all)))
			pool_free(pool);
		settings_drop(server->reload.settings);
		for (int i = 0; i < SERVER_SIGNALS; i++)
			event_del(&server->signals[i]);
		deadlines_close(&server->deadlines);
		loop_close(&server->loop);
	}
	user_free_all(&server->users);
	settings_drop(server->settings);
}
