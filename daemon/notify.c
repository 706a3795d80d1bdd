/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "daemon/notify.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef PZ_SYSTEMD

#include "common/limits.h"
#include "common/log.h"
#include "daemon/server.h"

#include <inttypes.h>
#include <sys/socket.h>

#include <event2/event.h>
#include <event2/event_struct.h>
#include <systemd/sd-daemon.h>

enum { LAST_MS = 5 * 1000 }; /* for workers to leave, after the drain's limit */

/* What STATUS tells. */
struct figures {
	unsigned puzzles, unavailable, workers;
	uint64_t waiting;
};

struct notify {
	struct server *server;
	struct event
		timer; /* until ready: how long to wait at most; then: when STATUS may be renewed */
	struct event watchdog;
	bool ready, stopping;
	struct figures told;
};

/* ---- what is handed over ---- */

int notify_take_socket(char *reason, size_t cap)
{
	int count = sd_listen_fds(1);
	if (count == 0)
		return -1;
	if (count < 0)
		snprintf(reason, cap, "LISTEN_FDS: %s", strerror(-count));
	else if (count > 1)
		snprintf(reason, cap, "%d sockets were handed over; one can be served", count);
	else if (sd_is_socket_unix(SD_LISTEN_FDS_START, SOCK_STREAM, 1, NULL, 0) <= 0)
		snprintf(reason, cap,
			 "descriptor %d, which was handed over, is no listening Unix stream socket "
			 "(ListenStream= with a path)",
			 SD_LISTEN_FDS_START);
	else
		return SD_LISTEN_FDS_START;
	return -2;
}

/* ---- what is told ---- */

static struct figures count(const struct server *server)
{
	struct figures now = {.waiting = server_waiting_boards(server)};
	const struct pool *pool;
	TAILQ_FOREACH (pool, &server->pools, link) {
		now.puzzles++;
		now.unavailable += pool->state == POOL_UNAVAILABLE;
		now.workers += pool->worker_count;
	}
	return now;
}

static bool differs(const struct figures *a, const struct figures *b)
{
	return a->puzzles != b->puzzles || a->unavailable != b->unavailable ||
	       a->workers != b->workers || a->waiting != b->waiting;
}

/* `first` is a line to go before the status, or "". */
static void tell_status(struct notify *notify, const char *first)
{
	static const struct timeval second = {1, 0};
	const struct figures now = count(notify->server);
	char unavailable[32] = "";
	if (now.unavailable)
		snprintf(unavailable, sizeof(unavailable), " (%u unavailable)", now.unavailable);
	sd_notifyf(0, "%sSTATUS=%u %s%s, %u %s, %" PRIu64 " waiting", first, now.puzzles,
		   now.puzzles == 1 ? "puzzle" : "puzzles", unavailable, now.workers,
		   now.workers == 1 ? "worker" : "workers", now.waiting);
	notify->told = now;
	evtimer_add(&notify->timer, &second);
}

static void become_ready(struct notify *notify)
{
	notify->ready = true;
	tell_status(notify, "READY=1\n");
}

/* Called at the end of each turn of the loop, so it must cost next to nothing. */
static void on_turn(void *arg)
{
	struct notify *notify = arg;
	if (notify->stopping)
		return;
	if (!notify->ready) {
		if (server_is_settled(notify->server))
			become_ready(notify);
	} else if (!evtimer_pending(&notify->timer, NULL)) {
		const struct figures now = count(notify->server);
		if (differs(&now, &notify->told))
			tell_status(notify, "");
	}
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct notify *notify = arg;
	(void)fd, (void)what;
	if (!notify->ready && !notify->stopping)
		become_ready(notify);
	loop_settle(&notify->server->loop); /* and so on_turn */
}

static void on_watchdog(evutil_socket_t fd, short what, void *arg)
{
	(void)fd, (void)what, (void)arg;
	sd_notify(0, "WATCHDOG=1");
}

void notify_reloading(struct notify *notify)
{
	/* systemd's Type=notify-reload (253) compares the time with that of its signal. */
	if (notify && !notify->stopping)
		sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRId64, loop_now_us());
}

void notify_reloaded(struct notify *notify)
{
	/* Not before the first READY: that one says more. */
	if (notify && notify->ready && !notify->stopping)
		tell_status(notify, "READY=1\n");
}

void notify_stopping(struct notify *notify, int64_t limit)
{
	if (!notify || notify->stopping)
		return;
	notify->stopping = true;
	sd_notifyf(0,
		   "STOPPING=1\nEXTEND_TIMEOUT_USEC=%" PRId64
		   "\nSTATUS=answering what was asked before the end",
		   (limit + LAST_MS) * 1000);
}

/* ---- life ---- */

struct notify *notify_new(struct server *server)
{
	static const struct timeval patience = {READY_MS / 1000, READY_MS % 1000 * 1000};
	if (!getenv("NOTIFY_SOCKET"))
		return NULL;
	struct notify *notify = calloc(1, sizeof(*notify));
	if (!notify) {
		log_error("notify_failed", KV("reason", "out of memory"));
		return NULL;
	}
	notify->server = server;
	evtimer_assign(&notify->timer, server->loop.base, on_timer, notify);
	evtimer_add(&notify->timer, &patience);
	event_assign(&notify->watchdog, server->loop.base, -1, EV_PERSIST, on_watchdog, notify);
	uint64_t us;
	if (sd_watchdog_enabled(0, &us) > 0) {
		/* Twice in the time that it has, as sd_watchdog_enabled(3) advises. */
		us /= 2;
		const struct timeval period = {.tv_sec = (time_t)(us / 1000000),
					       .tv_usec = (suseconds_t)(us % 1000000)};
		event_add(&notify->watchdog, &period);
	}
	server->loop.turned = on_turn;
	server->loop.turned_arg = notify;
	return notify;
}

void notify_free(struct notify *notify)
{
	if (!notify)
		return;
	notify->server->loop.turned = NULL;
	event_del(&notify->timer);
	event_del(&notify->watchdog);
	free(notify);
}

#else

#include <unistd.h>

/* Whether the manager means this process: LISTEN_PID is that of whom the socket is for. */
static int is_for_us(const char *pid)
{
	return pid && strtol(pid, NULL, 10) == (long)getpid();
}

int notify_take_socket(char *reason, size_t cap)
{
	if (!getenv("LISTEN_FDS") || !is_for_us(getenv("LISTEN_PID")))
		return -1;
	snprintf(reason, cap,
		 "a socket was handed over, but this puzzled was built without libsystemd and "
		 "cannot take it (configure --with-systemd)");
	return -2;
}

struct notify *notify_new(struct server *server)
{
	(void)server;
	return NULL;
}

void notify_reloading(struct notify *notify)
{
	(void)notify;
}

void notify_reloaded(struct notify *notify)
{
	(void)notify;
}

void notify_stopping(struct notify *notify, int64_t limit)
{
	(void)notify, (void)limit;
}

void notify_free(struct notify *notify)
{
	(void)notify;
}

#endif
