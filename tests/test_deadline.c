/* SPDX-License-Identifier: MIT */
/*
 * Deadlines, near and far of a tick of a few milliseconds: each passes once and never before its
 * time, and what is taken back never does.  How late one passes is the machine's business and not
 * looked at.
 */
#include "tests/cmocka_first.h"

#include "daemon/deadline.h"

#include <sys/resource.h>

#include <event2/event.h>

enum { TICK_MS = 20, MANY = 500 };

static struct loop loop;
static struct deadlines all;

struct item {
	struct deadline deadline;
	unsigned passed;
	bool early;
};

static void on_passed(void *arg)
{
	struct item *item = arg;
	item->passed++;
	item->early |= loop_now_us() < item->deadline.at_us;
}

static int setup(void **state)
{
	(void)state;
	loop = (struct loop){0};
	assert_int_equal(loop_open(&loop), 0);
	deadlines_open(&all, &loop, TICK_MS);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	assert_true(TAILQ_EMPTY(&all.list));
	deadlines_close(&all);
	loop_close(&loop);
	return 0;
}

static void init(struct item *item)
{
	*item = (struct item){0};
	deadline_init(&item->deadline, &all, on_passed, item);
}

static void set_ms(struct item *item, int64_t ms)
{
	deadline_set(&item->deadline, loop_now_us() + ms * 1000);
}

/* Lets events come until so many have passed in all. */
static void turn_until(struct item *items, unsigned count, unsigned passed)
{
	for (;;) {
		unsigned sum = 0;
		for (unsigned i = 0; i < count; i++)
			sum += items[i].passed;
		if (sum >= passed)
			break;
		event_base_loop(loop.base, EVLOOP_ONCE);
	}
}

static void test_each_passes_once_and_not_before(void **state)
{
	static const int64_t after_ms[] = {-1000,           0,          1, 2 * TICK_MS - 5,
					   2 * TICK_MS + 5, 7 * TICK_MS};
	enum { ITEMS = sizeof(after_ms) / sizeof(after_ms[0]) };
	struct item items[ITEMS];
	(void)state;
	for (unsigned i = 0; i < ITEMS; i++) {
		init(&items[i]);
		set_ms(&items[i], after_ms[i]);
	}
	turn_until(items, ITEMS, ITEMS);
	for (unsigned i = 0; i < ITEMS; i++) {
		assert_int_equal(items[i].passed, 1);
		assert_false(items[i].early);
		deadline_clear(&items[i].deadline);
	}
}

/* What this is for: while a far one stands in the list, no timer is in the loop. */
static void test_a_far_one_has_no_timer_at_first(void **state)
{
	struct item far, near;
	(void)state;
	init(&far);
	init(&near);
	set_ms(&far, 1000 * TICK_MS);
	assert_false(evtimer_pending(&far.deadline.timer, NULL));
	set_ms(&near, 1);
	assert_true(evtimer_pending(&near.deadline.timer, NULL));
	/* After the tick it has. */
	while (!evtimer_pending(&far.deadline.timer, NULL))
		event_base_loop(loop.base, EVLOOP_ONCE);
	assert_int_equal(far.passed, 0);
	assert_false(all.ticking);
	deadline_clear(&far.deadline);
	deadline_clear(&near.deadline);
	assert_false(evtimer_pending(&far.deadline.timer, NULL));
}

static void test_nothing_ticks_where_nothing_is_set(void **state)
{
	struct item item;
	(void)state;
	init(&item);
	set_ms(&item, 1000 * TICK_MS);
	deadline_clear(&item.deadline);
	assert_true(all.ticking);
	while (all.ticking)
		event_base_loop(loop.base, EVLOOP_ONCE);
	assert_false(evtimer_pending(&item.deadline.timer, NULL));
	/* The next one starts it again. */
	set_ms(&item, 3 * TICK_MS);
	assert_true(all.ticking);
	turn_until(&item, 1, 1);
	assert_false(item.early);
}

static void test_set_anew_and_taken_back(void **state)
{
	static struct item items[MANY];
	unsigned left = 0;
	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		init(&items[i]);
		set_ms(&items[i], i % 7 * TICK_MS);
	}
	for (unsigned i = 0; i < MANY; i++) {
		if (i % 3 == 0)
			deadline_clear(&items[i].deadline);
		else if (i % 3 == 1)
			set_ms(&items[i], (i + 3) % 7 * TICK_MS);
		left += i % 3 != 0;
	}
	turn_until(items, MANY, left);
	for (unsigned i = 0; i < MANY; i++) {
		assert_int_equal(items[i].passed, i % 3 != 0);
		assert_false(items[i].early);
		deadline_clear(&items[i].deadline);
	}
}

/* Where no descriptor is to be had, each has its timer at once. */
static void test_without_a_descriptor(void **state)
{
	struct rlimit limit, none;
	struct item item;
	(void)state;
	deadlines_close(&all);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = limit;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	deadlines_open(&all, &loop, TICK_MS);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(all.fd, -1);
	init(&item);
	set_ms(&item, 3 * TICK_MS);
	assert_true(evtimer_pending(&item.deadline.timer, NULL));
	turn_until(&item, 1, 1);
	assert_false(item.early);
}

#define BETWEEN(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BETWEEN(test_each_passes_once_and_not_before),
		BETWEEN(test_a_far_one_has_no_timer_at_first),
		BETWEEN(test_nothing_ticks_where_nothing_is_set),
		BETWEEN(test_set_anew_and_taken_back),
		BETWEEN(test_without_a_descriptor),
	};
	return cmocka_run_group_tests_name("deadline", tests, NULL, NULL);
}
