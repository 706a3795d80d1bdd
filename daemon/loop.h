/* SPDX-License-Identifier: MIT */
/*
 * loop: what all objects with events share: libevent's base, the streams that have something to
 * write, and the objects to be freed.
 *
 * Every callback that libevent makes ends in loop_settle.  Until then replies and frames only pile
 * up in their buffers, so that many of them leave in one write, and nothing is freed under a
 * caller's feet.
 */
#ifndef DAEMON_LOOP_H
#define DAEMON_LOOP_H

#include <stdint.h>
#include <sys/queue.h>

struct event_base;
struct stream;

/* Put into an object that may be buried. */
struct grave {
	SLIST_ENTRY(grave) link;
	void (*free)(void *object);
	void *object;
};

struct loop {
	struct event_base *base;
	TAILQ_HEAD(, stream) dirty;
	SLIST_HEAD(, grave) graves;
	int64_t awake_until_us;    /* till then it waits for events awake; 0: it sleeps */
	void (*turned)(void *arg); /* called when all is settled; NULL: nobody cares */
	void *turned_arg;
};

/* Makes the base.  Returns 0 or -ENOMEM. */
int loop_open(struct loop *loop);
void loop_close(struct loop *loop);

/* Waits for events and has them dealt with, until event_base_loopbreak or until there can be no
 * more. */
void loop_run(struct loop *loop);

/* Something is expected at once: for AWAKE_US the loop looks for events without sleeping between,
 * since being woken would take longer than what is waited for. */
void loop_stay_awake(struct loop *loop);

/* It has come, or will not. */
void loop_may_sleep(struct loop *loop);

/* Writes what can be written and frees what was buried. */
void loop_settle(struct loop *loop);

/* Has `free(object)` called at the end of this turn.  To be called once for an object. */
void loop_bury(struct loop *loop, struct grave *grave, void (*free)(void *object), void *object);

/* The monotonic clock in microseconds. */
int64_t loop_now_us(void);

#endif
