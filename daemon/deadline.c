/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "daemon/deadline.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include <event2/event.h>

static struct timeval from_us(int64_t us)
{
	return (struct timeval){.tv_sec = (time_t)(us / 1000000),
				.tv_usec = (suseconds_t)(us % 1000000)};
}

static void set_timer(struct deadline *deadline, int64_t now)
{
	struct timeval after = from_us(deadline->at_us > now ? deadline->at_us - now : 0);
	evtimer_add(&deadline->timer, &after);
}

static void unlist(struct deadline *deadline)
{
	if (deadline->listed)
		TAILQ_REMOVE(&deadline->all->list, deadline, link);
	deadline->listed = false;
}

static void on_passed(evutil_socket_t fd, short what, void *arg)
{
	struct deadline *deadline = arg;
	struct loop *loop = deadline->all->loop;
	int64_t now = loop_now_us();
	(void)fd, (void)what;
	/* libevent counts from when its turn began, a little before now. */
	if (now < deadline->at_us) {
		set_timer(deadline, now);
		return;
	}
	deadline->passed(deadline->arg);
	loop_settle(loop);
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct deadlines *all = arg;
	struct deadline *deadline;
	int64_t now = loop_now_us();
	uint64_t ticks;
	(void)what;
	if (read(fd, &ticks, sizeof(ticks)) < 0)
		return;
	all->ticking = false;
	while ((deadline = TAILQ_FIRST(&all->list))) {
		unlist(deadline);
		set_timer(deadline, now);
	}
}

/* Whether there will be a tick. */
static bool start_tick(struct deadlines *all)
{
	struct timeval after = from_us(all->tick_us);
	const struct itimerspec once = {
		.it_value = {.tv_sec = after.tv_sec, .tv_nsec = after.tv_usec * 1000}};
	if (!all->ticking && all->fd >= 0)
		all->ticking = timerfd_settime(all->fd, 0, &once, NULL) == 0;
	return all->ticking;
}

void deadlines_open(struct deadlines *all, struct loop *loop, int64_t tick_ms)
{
	*all = (struct deadlines){
		.loop = loop,
		.tick_us = tick_ms * 1000,
		.fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC),
	};
	TAILQ_INIT(&all->list);
	if (all->fd < 0)
		return;
	event_assign(&all->tick, loop->base, all->fd, EV_READ | EV_PERSIST, on_tick, all);
	if (event_add(&all->tick, NULL) < 0) {
		close(all->fd);
		all->fd = -1;
	}
}

void deadlines_close(struct deadlines *all)
{
	if (!all->loop || all->fd < 0)
		return;
	event_del(&all->tick);
	close(all->fd);
	all->fd = -1;
}

void deadline_init(struct deadline *deadline, struct deadlines *all, void (*passed)(void *arg),
		   void *arg)
{
	*deadline = (struct deadline){.all = all, .passed = passed, .arg = arg};
	evtimer_assign(&deadline->timer, all->loop->base, on_passed, deadline);
}

void deadline_set(struct deadline *deadline, int64_t at_us)
{
	struct deadlines *all = deadline->all;
	int64_t now = loop_now_us();
	deadline_clear(deadline);
	deadline->at_us = at_us;
	/* The next tick is at most one away, and so is on time. */
	if (at_us - now > 2 * all->tick_us && start_tick(all)) {
		TAILQ_INSERT_TAIL(&all->list, deadline, link);
		deadline->listed = true;
	} else {
		set_timer(deadline, now);
	}
}

void deadline_clear(struct deadline *deadline)
{
	if (deadline->listed)
		unlist(deadline);
	else
		event_del(&deadline->timer);
}
