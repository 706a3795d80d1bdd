/* SPDX-License-Identifier: MIT */
/*
 * server: the daemon as a whole: its loop, configuration, puzzles, sessions, and its end.
 *
 *	SERVING --SIGTERM, SIGINT, last session of --session-fd--> DRAINING --all answered--> over
 *	                                                              |  drain_timeout: what still runs
 *	                                                              |  is answered `shutting_down`
 *	                                                              +--SIGTERM again--> over at once
 */
#ifndef DAEMON_SERVER_H
#define DAEMON_SERVER_H

#include "daemon/child.h"
#include "daemon/config.h"
#include "daemon/deadline.h"
#include "daemon/loop.h"
#include "daemon/pool.h"
#include "daemon/reload.h"
#include "daemon/request.h"
#include "daemon/session.h"
#include "daemon/settings.h"

#include <event2/event_struct.h>
#include <stdbool.h>
#include <stdint.h>

struct listener;
struct notify;

enum { SERVER_SIGNALS = 4 }; /* SIGTERM, SIGINT, SIGHUP, SIGCHLD */

struct server {
	struct loop loop;
	struct deadlines deadlines; /* of requests */
	struct settings *settings;  /* those in force */
	struct config *config;      /* theirs */
	struct listener *listener;  /* NULL: serves one inherited session */
	struct notify *notify;      /* NULL: no service manager wants to know */
	TAILQ_HEAD(, pool) pools;   /* those that get requests */
	TAILQ_HEAD(, pool) all;     /* and those in a trial, and the retired ones */
	TAILQ_HEAD(, pool)
	retired; /* replaced by a reload, or given up by it; their last jobs are running */
	struct reload reload;
	TAILQ_HEAD(, session) sessions;
	struct user_list users;
	struct request_list waiting; /* calls that wait until puzzles are known */
	uint32_t sessions_open;      /* those with a descriptor */
	uint32_t sessions_max;       /* by the configuration and by the descriptors there are */
	uint64_t session_count;      /* ever */
	size_t max_values;           /* JSON values of one line */
	int64_t started_us;
	int64_t trimmed_us; /* when free memory was last given back */
	bool draining;
	bool stopping_now; /* workers are not replaced any more */
	struct event signals[SERVER_SIGNALS];
	struct event drain_limit;
	struct event last_words; /* a moment for replies to leave after the limit */
	uint64_t random;
};

/*
 * Sets everything up but what is listened to.  Takes the settings over.  0, or -1 with a sentence
 * in `reason`; server_close either way.
 */
int server_open(struct server *server, struct settings *settings, char *reason, size_t cap);

/*
 * Listens on the socket that the daemon was started with, else on the configured one, and reports
 * to the service manager.  0, or -1 with a sentence in `reason`.
 */
int server_listen(struct server *server, char *reason, size_t cap);

/* Serves until it is over. */
void server_run(struct server *server);

/* Ends workers and frees all. */
void server_close(struct server *server);

/* Begins to drain. */
void server_drain(struct server *server);

/* Whether every puzzle has started or failed to. */
bool server_is_settled(const struct server *server);

/* Boards waiting, of all puzzles. */
uint64_t server_waiting_boards(const struct server *server);

/* A random number, for seeds that nobody named. */
uint64_t server_random(struct server *server);

/*
 * Puts these settings, which it takes over, in the place of those in force.  0; or -1 with a
 * sentence in `reason`, and nothing has changed.
 */
int server_adopt(struct server *server, struct settings *settings, char *reason, size_t cap);

/* Takes a pool that is on no list: it gets no new jobs, and goes when its last is answered. */
void server_retire_pool(struct server *server, struct pool *pool);

/* ---- ending.c ---- */

void server_end_setup(struct server *server);

/* Goes on to the end if nobody is left to be answered. */
void server_end_if_over(struct server *server);

/* SIGTERM and SIGINT: drains; the second time, stops at once. */
void server_on_stop(evutil_socket_t number, short what, void *arg);

/* Ends all workers and waits for them. */
void server_end(struct server *server);

/* ---- told by the others ---- */

void server_news(struct server *server); /* something became known of a pool */

void server_session_closed(struct server *server); /* its descriptor is free */
void server_session_gone(struct server *server);   /* it is no longer listed */
void server_worker_gone(struct server *server);

#endif
