/* SPDX-License-Identifier: MIT */
/* Times by bucket against times that were kept. */
#include "tests/cmocka_first.h"

#include "daemon/tally.h"

#include <stdlib.h>

enum { TIMES = 20000 };

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void test_quantiles_are_at_most_an_eighth_too_long(void **state)
{
	static uint64_t times[TIMES];
	static const double parts[] = {0.0, 0.1, 0.5, 0.95, 0.99, 0.999};
	struct tally *tally = tally_new();
	uint64_t random = 1;
	(void)state;
	for (int i = 0; i < TIMES; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		times[i] = (random >> 33) >> (random % 31);
		tally_time(tally, times[i]);
	}
	qsort(times, TIMES, sizeof(times[0]), compare);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		uint64_t is = times[(size_t)(parts[i] * TIMES)],
			 told = tally_quantile(tally, parts[i]);
		assert_in_range(told, is, is + is / 8 + 2);
	}
	for (unsigned octave = 1; octave < 31; octave++) {
		uint64_t below = 0;
		while (below < TIMES && times[below] < UINT64_C(1) << octave)
			below++;
		assert_int_equal(tally_below(tally, octave), below);
	}
	tally_drop(tally);
}

static void test_extremes(void **state)
{
	struct tally *tally = tally_new();
	(void)state;
	assert_int_equal(tally_quantile(tally, 0.5), 0);
	tally_time(tally, 0);
	tally_time(tally, UINT64_MAX);
	assert_int_equal(tally->requests, 2);
	assert_int_equal(tally_below(tally, 1), 1);
	assert_true(tally_quantile(tally, 1.0) > UINT64_C(1) << 38);
	tally_drop(tally);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantiles_are_at_most_an_eighth_too_long),
		cmocka_unit_test(test_extremes),
	};
	return cmocka_run_group_tests_name("tally", tests, NULL, NULL);
}
