/* SPDX-License-Identifier: MIT */
/* When a worker waits awake: while that pays, with a trial now and then while it does not. */
#include "config.h"

#include "tests/cmocka_first.h"

#include "common/limits.h"
#include "worker/vigil.h"

static uint64_t now;

/* One wait whose frame comes after `us`.  Whether it was begun awake. */
static bool wait_for(struct vigil *vigil, uint64_t us)
{
	uint64_t frame = now + us * NS_PER_US;
	if (!vigil_begin(vigil, now))
		return false;
	while (now < frame) {
		now += NS_PER_US;
		if (vigil_step(vigil, now) == VIGIL_SLEEP) {
			vigil_end(vigil, false, now);
			return true;
		}
	}
	vigil_end(vigil, true, now);
	return true;
}

/* So many waits in a row.  How many of them were begun awake. */
static unsigned wait_often(struct vigil *vigil, unsigned waits, uint64_t us)
{
	unsigned awake = 0;
	while (waits--)
		awake += wait_for(vigil, us);
	return awake;
}

static void it_goes_on_while_frames_come_in_time(void **state)
{
	struct vigil vigil = {0};
	(void)state;
	assert_int_equal(wait_often(&vigil, 10 * VIGIL_TRIAL, VIGIL_US - 1), 10 * VIGIL_TRIAL);
}

static void a_wait_awake_ends_in_time(void **state)
{
	struct vigil vigil = {0};
	(void)state;
	uint64_t began = now;
	assert_true(wait_for(&vigil, 1000 * VIGIL_US));
	assert_int_equal(now - began, VIGIL_US * NS_PER_US);
}

/* After each trial in vain twice as many waits are slept through, up to a most. */
static void trials_in_vain_become_rare(void **state)
{
	struct vigil vigil = {0};
	unsigned pause = VIGIL_TRIAL;
	(void)state;
	for (int trial = 0; trial < 12; trial++) {
		assert_int_equal(wait_often(&vigil, VIGIL_TRIAL, 2 * VIGIL_US), VIGIL_TRIAL);
		assert_int_equal(wait_often(&vigil, pause, 2 * VIGIL_US), 0);
		pause = 2 * pause < VIGIL_PAUSE_MAX ? 2 * pause : VIGIL_PAUSE_MAX;
	}
	assert_int_equal(pause, VIGIL_PAUSE_MAX);
	/* One that is not in vain makes up for all of them. */
	assert_int_equal(wait_often(&vigil, 3 * VIGIL_TRIAL, 1), 3 * VIGIL_TRIAL);
	assert_int_equal(wait_often(&vigil, VIGIL_TRIAL, 2 * VIGIL_US), VIGIL_TRIAL);
	assert_int_equal(wait_often(&vigil, VIGIL_TRIAL, 2 * VIGIL_US), 0);
	assert_true(wait_for(&vigil, 1));
}

static void the_core_is_left_at_first_then_kept_then_left(void **state)
{
	struct vigil vigil = {0};
	(void)state;
	assert_true(vigil_begin(&vigil, now));
	for (int us = 0; us < VIGIL_US; us++, now += NS_PER_US)
		assert_int_equal(vigil_step(&vigil, now),
				 us == 0 || us >= VIGIL_YIELD_US ? VIGIL_YIELD : VIGIL_LOOK);
	assert_int_equal(vigil_step(&vigil, now), VIGIL_SLEEP);
	vigil_end(&vigil, false, now);
}

static void half_of_the_frames_in_time_are_too_few(void **state)
{
	struct vigil vigil = {0};
	(void)state;
	for (int i = 0; i < VIGIL_TRIAL / 2; i++) {
		assert_true(wait_for(&vigil, 1));
		assert_true(wait_for(&vigil, 2 * VIGIL_US));
	}
	assert_false(wait_for(&vigil, 1));
}

/* Frames in a queue, as under load, are no reason to wait awake, nor not to. */
static void a_frame_that_is_there_already_says_nothing(void **state)
{
	struct vigil vigil = {0};
	(void)state;
	assert_int_equal(wait_often(&vigil, VIGIL_TRIAL - 1, 2 * VIGIL_US), VIGIL_TRIAL - 1);
	assert_int_equal(wait_often(&vigil, 10 * VIGIL_TRIAL, 0), 10 * VIGIL_TRIAL);
	assert_true(wait_for(&vigil, 2 * VIGIL_US));
	assert_false(wait_for(&vigil, 0));
}

/* It comes in the next look, but that was long after the one before: others had the core. */
static void a_frame_found_too_late_was_waited_for_in_vain(void **state)
{
	struct vigil vigil = {0};
	(void)state;
	for (int i = 0; i < VIGIL_TRIAL; i++) {
		assert_true(vigil_begin(&vigil, now));
		assert_int_equal(vigil_step(&vigil, now), VIGIL_YIELD);
		now += 3 * NS_PER_MS;
		vigil_end(&vigil, true, now);
	}
	assert_false(vigil_begin(&vigil, now));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_goes_on_while_frames_come_in_time),
		cmocka_unit_test(a_wait_awake_ends_in_time),
		cmocka_unit_test(trials_in_vain_become_rare),
		cmocka_unit_test(the_core_is_left_at_first_then_kept_then_left),
		cmocka_unit_test(half_of_the_frames_in_time_are_too_few),
		cmocka_unit_test(a_frame_that_is_there_already_says_nothing),
		cmocka_unit_test(a_frame_found_too_late_was_waited_for_in_vain),
	};
	return cmocka_run_group_tests_name("worker vigil", tests, NULL, NULL);
}
