/* SPDX-License-Identifier: MIT */
#include "daemon/loop.h"
#include "common/limits.h"
#include "daemon/stream.h"

#include <errno.h>
#include <time.h>

#include <event2/event.h>

int loop_open(struct loop *loop)
{
	TAILQ_INIT(&loop->dirty);
	SLIST_INIT(&loop->graves);
	loop->base = event_base_new();
	return loop->base ? 0 : -ENOMEM;
}

void loop_close(struct loop *loop)
{
	loop_settle(loop);
	event_base_free(loop->base);
	loop->base = NULL;
}

void loop_run(struct loop *loop)
{
	int how;
	do {
		if (loop->awake_until_us && loop_now_us() >= loop->awake_until_us)
			loop->awake_until_us = 0;
		how = loop->awake_until_us ? EVLOOP_NONBLOCK : EVLOOP_ONCE;
	} while (event_base_loop(loop->base, how) == 0 && !event_base_got_break(loop->base));
}

void loop_stay_awake(struct loop *loop)
{
	loop->awake_until_us = loop_now_us() + AWAKE_US;
}

void loop_may_sleep(struct loop *loop)
{
	loop->awake_until_us = 0;
}

void loop_settle(struct loop *loop)
{
	struct stream *stream;
	/* Flushing lets owners go on, which may touch further streams; each is taken off before. */
	while ((stream = TAILQ_FIRST(&loop->dirty)))
		stream_flush(stream);

	struct grave *grave;
	while ((grave = SLIST_FIRST(&loop->graves))) {
		SLIST_REMOVE_HEAD(&loop->graves, link);
		grave->free(grave->object);
	}
	if (loop->turned)
		loop->turned(loop->turned_arg);
}

void loop_bury(struct loop *loop, struct grave *grave, void (*free)(void *object), void *object)
{
	grave->free = free;
	grave->object = object;
	SLIST_INSERT_HEAD(&loop->graves, grave, link);
}

int64_t loop_now_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
