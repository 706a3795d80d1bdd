/* SPDX-License-Identifier: MIT */
/* The daemon's loop: that it waits awake for a moment only, hears everybody meanwhile, and ends
 * when told to. */
#include "tests/cmocka_first.h"

#include "common/limits.h"
#include "daemon/loop.h"

#include <event2/event.h>

static struct loop loop;
static int64_t awake_until; /* what the loop was at, when the event came */

static int setup(void **state)
{
	(void)state;
	loop = (struct loop){0};
	assert_int_equal(loop_open(&loop), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	loop_close(&loop);
	return 0;
}

static void on_event(evutil_socket_t fd, short what, void *arg)
{
	(void)fd, (void)what, (void)arg;
	awake_until = loop.awake_until_us;
	event_base_loopbreak(loop.base);
}

/* Runs the loop until an event that comes after so many milliseconds. */
static void run_for_ms(int ms)
{
	const struct timeval after = {.tv_usec = ms * 1000};
	assert_int_equal(event_base_once(loop.base, -1, EV_TIMEOUT, on_event, NULL, &after), 0);
	loop_run(&loop);
}

static void it_stays_awake_for_a_moment_only(void **state)
{
	(void)state;
	loop_stay_awake(&loop);
	int64_t until = loop.awake_until_us;
	assert_in_range(until - loop_now_us(), 0, AWAKE_US);
	run_for_ms(AWAKE_US / 1000 + 20);
	assert_int_equal(awake_until, 0);
}

static void an_event_that_comes_meanwhile_is_heard(void **state)
{
	(void)state;
	loop.awake_until_us = loop_now_us() + 60 * 1000 * 1000;
	run_for_ms(1);
	assert_int_not_equal(awake_until, 0);
}

static void it_sleeps_when_told_that_it_may(void **state)
{
	(void)state;
	loop_stay_awake(&loop);
	loop_may_sleep(&loop);
	assert_int_equal(loop.awake_until_us, 0);
	run_for_ms(1);
}

static void it_ends_where_nothing_can_come(void **state)
{
	(void)state;
	loop_run(&loop);
	loop_stay_awake(&loop);
	loop_run(&loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_LOOP(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
		ON_LOOP(it_stays_awake_for_a_moment_only),
		ON_LOOP(an_event_that_comes_meanwhile_is_heard),
		ON_LOOP(it_sleeps_when_told_that_it_may),
		ON_LOOP(it_ends_where_nothing_can_come),
	};
	return cmocka_run_group_tests_name("loop", tests, NULL, NULL);
}
