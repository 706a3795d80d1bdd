/* SPDX-License-Identifier: MIT */
/*
 * deadline: times by which something must have happened, nearly all of which are taken back long
 * before.
 *
 * A timer in the event loop makes each wait for events one with a time limit, which costs the
 * kernel a timer of its own.  So a deadline that is more than two ticks away only stands in a list.
 * A timer descriptor ticks once, a tick after the list got its first, and makes timers of those
 * that are still there: a request that is answered sooner never has one, and where there are no
 * deadlines nothing ticks.
 */
#ifndef DAEMON_DEADLINE_H
#define DAEMON_DEADLINE_H

#include "daemon/loop.h"

#include <event2/event_struct.h>
#include <stdbool.h>
#include <stdint.h>

enum { DEADLINE_TICK_MS = 1000 };

struct deadline {
	struct deadlines *all;
	int64_t at_us; /* by loop_now_us */
	struct event timer;
	bool listed; /* in the list, and without its timer */
	TAILQ_ENTRY(deadline) link;
	void (*passed)(void *arg);
	void *arg;
};

struct deadlines {
	struct loop *loop;
	int64_t tick_us;
	int fd; /* -1: every deadline gets its timer at once */
	struct event tick;
	bool ticking;
	TAILQ_HEAD(, deadline) list;
};

/* Cannot fail: without a descriptor it is only slower. */
void deadlines_open(struct deadlines *all, struct loop *loop, int64_t tick_ms);

/* When no deadline is set any more; harmless where it was not opened, but zeroed. */
void deadlines_close(struct deadlines *all);

/* `passed` is called in a turn of its own, which is settled behind it.  Nothing is set yet. */
void deadline_init(struct deadline *deadline, struct deadlines *all, void (*passed)(void *arg),
		   void *arg);

/* Sets it, or sets it anew; a time that has passed is now. */
void deadline_set(struct deadline *deadline, int64_t at_us);

/* Takes it back, set or not. */
void deadline_clear(struct deadline *deadline);

#endif
