/* SPDX-License-Identifier: MIT */
#include "common/units.h"

#include "common/reason.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static char reason[REASON_MAX];

/* ---- one reader each: the number, or a check that it was refused in these words ------------ */

static const uint64_t untouched = 0xDEADBEEF;

static uint64_t size_of(const char *text, uint64_t min, uint64_t max)
{
	uint64_t size = untouched;
	reason[0] = '\0';
	int result = units_size(text_of(text), min, max, &size, reason, sizeof(reason));
	assert_int_equal(result, reason[0] ? -1 : 0);
	assert_true(result == 0 || size == untouched);
	return size;
}

static int64_t duration_of(const char *text, int64_t min, int64_t max)
{
	int64_t ms = (int64_t)untouched;
	reason[0] = '\0';
	int result = units_duration(text_of(text), min, max, &ms, reason, sizeof(reason));
	assert_int_equal(result, reason[0] ? -1 : 0);
	assert_true(result == 0 || ms == (int64_t)untouched);
	return ms;
}

static int64_t number_of(const char *text, int64_t min, int64_t max)
{
	int64_t number = (int64_t)untouched;
	reason[0] = '\0';
	int result = units_number(text_of(text), min, max, &number, reason, sizeof(reason));
	assert_int_equal(result, reason[0] ? -1 : 0);
	assert_true(result == 0 || number == (int64_t)untouched);
	return number;
}

static void test_size(void **state)
{
	(void)state;
	assert_true(size_of("0", 0, UINT64_MAX) == 0);
	assert_true(size_of("0K", 0, 10) == 0);
	assert_true(size_of("1", 0, UINT64_MAX) == 1);
	assert_true(size_of("64K", 0, UINT64_MAX) == 65536);
	assert_true(size_of("256M", 0, UINT64_MAX) == 268435456);
	assert_true(size_of("4G", 0, UINT64_MAX) == 4294967296);
	assert_true(size_of("3T", 0, UINT64_MAX) == 3298534883328);
	assert_true(size_of("010", 0, UINT64_MAX) == 10);
	assert_true(size_of("18446744073709551614", 0, UINT64_MAX) == UINT64_MAX - 1);
	assert_true(size_of("16777215T", 0, UINT64_MAX) == 16777215ull << 40);
}

static void test_size_that_is_none(void **state)
{
	(void)state;
	static const char *const texts[] = {"",    "K",   "4g",  "4k",   "4GB",  "4GiB", "4 G",
					    " 4",  "4 ",  "+4",  "-4",   "1.5G", "1,5G", "0x10",
					    "4KK", "4G4", "4e9", "four", "4\n",  "∞"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char want[REASON_MAX];
		size_of(texts[i], 0, UINT64_MAX);
		snprintf(want, sizeof(want),
			 "'%s' is not a size: write bytes as a whole number, or one with a capital "
			 "K, M, G or T after it, as in 64K",
			 texts[i]);
		assert_string_equal(reason, want);
	}
}

static void test_size_out_of_range(void **state)
{
	(void)state;
	assert_true(size_of("1024", 1024, 2048) == 1024);
	assert_true(size_of("2K", 1024, 2048) == 2048);
	size_of("1023", 1024, 2048);
	assert_string_equal(reason, "1023 is too small: at least 1K");
	size_of("2049", 1024, 2048);
	assert_string_equal(reason, "2049 is too large: at most 2K");
	size_of("0", 1, 2048);
	assert_string_equal(reason, "0 is too small: at least 1");
}

/* Each of these is a small number, or none at all, where 64 bits wrap. */
static void test_size_does_not_wrap(void **state)
{
	(void)state;
	static const char *const texts[] = {"16777216T",
					    "16777217T",
					    "18014398509481984K",
					    "18446744073709551616",
					    "18446744073709551617",
					    "36893488147419103233K"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		size_of(texts[i], 0, UINT64_MAX);
		assert_non_null(strstr(reason, "is too large: at most 18446744073709551615"));
	}
}

static void test_duration(void **state)
{
	(void)state;
	assert_int_equal(duration_of("500ms", 0, INT64_MAX), 500);
	assert_int_equal(duration_of("30s", 0, INT64_MAX), 30000);
	assert_int_equal(duration_of("2m", 0, INT64_MAX), 120000);
	assert_int_equal(duration_of("1h", 0, INT64_MAX), 3600000);
	assert_int_equal(duration_of("0s", 0, INT64_MAX), 0);
	/* 24.8 days of milliseconds are all that 31 bits hold, 49.7 days all of 32. */
	assert_true(duration_of("596h", 0, INT64_MAX) == 2145600000);
	assert_true(duration_of("597h", 0, INT64_MAX) == 2149200000);
	assert_true(duration_of("8760h", 0, INT64_MAX) == 31536000000);
	assert_true(duration_of("9223372036854775807ms", 0, INT64_MAX) == INT64_MAX);
}

static void test_duration_that_is_none(void **state)
{
	(void)state;
	static const char *const texts[] = {"",     "s",     "-1s", "1.5s",  "1 s",
					    "1d",   "1S",    "1M",  "1H",    "1us",
					    "1sec", "1m30s", "∞",   "never", "ms"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char want[REASON_MAX];
		duration_of(texts[i], 0, INT64_MAX);
		snprintf(want, sizeof(want),
			 "'%s' is not a duration: write a whole number with ms, s, m or h after "
			 "it, as in 30s",
			 texts[i]);
		assert_string_equal(reason, want);
	}
	duration_of("30", 0, INT64_MAX);
	assert_string_equal(reason, "30 has no unit: add ms, s, m or h, as in 30s");
	duration_of("0", 0, INT64_MAX);
	assert_string_equal(reason, "0 has no unit: add ms, s, m or h, as in 0s");
}

static void test_duration_out_of_range(void **state)
{
	(void)state;
	duration_of("0s", 1, 1000);
	assert_string_equal(reason, "0s is too small: at least 1ms");
	duration_of("1001ms", 1, 1000);
	assert_string_equal(reason, "1001ms is too large: at most 1s");
	duration_of("9223372036854775808ms", 0, INT64_MAX);
	assert_string_equal(reason,
			    "9223372036854775808ms is too large: at most 9223372036854775807ms");
	duration_of("5124095576030432h", 0, INT64_MAX);
	assert_non_null(strstr(reason, "is too large"));
	duration_of("18446744073709551616s", 0, INT64_MAX);
	assert_non_null(strstr(reason, "is too large"));
}

static void test_number(void **state)
{
	(void)state;
	assert_int_equal(number_of("0", 0, 10), 0);
	assert_int_equal(number_of("10", 0, 10), 10);
	assert_int_equal(number_of("-5", -5, 5), -5);
	assert_int_equal(number_of("-0", 0, 5), 0);
	assert_true(number_of("9223372036854775807", INT64_MIN, INT64_MAX) == INT64_MAX);
	assert_true(number_of("-9223372036854775808", INT64_MIN, INT64_MAX) == INT64_MIN);

	number_of("11", 0, 10);
	assert_string_equal(reason, "11 is too large: at most 10");
	number_of("-1", 0, 10);
	assert_string_equal(reason, "-1 is too small: at least 0");
	number_of("9223372036854775808", INT64_MIN, INT64_MAX);
	assert_string_equal(reason,
			    "9223372036854775808 is too large: at most 9223372036854775807");
	number_of("-9223372036854775809", INT64_MIN, INT64_MAX);
	assert_string_equal(reason,
			    "-9223372036854775809 is too small: at least -9223372036854775808");
	number_of("18446744073709551617", 0, 10);
	assert_non_null(strstr(reason, "is too large"));
	number_of("-18446744073709551615", -10, 10);
	assert_non_null(strstr(reason, "is too small"));

	static const char *const texts[] = {"",   "-",   "+1",  "--1", "1 ",
					    " 1", "1.0", "1e3", "0x1", "x"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		number_of(texts[i], INT64_MIN, INT64_MAX);
		assert_non_null(strstr(reason, "is not a whole number"));
	}
}

static void test_mode(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t mode;
	} modes[] = {{"0660", 0660}, {"0000", 0}, {"0777", 0777}, {"00", 0}, {"07", 07}};
	uint32_t mode;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		assert_int_equal(units_mode(text_of(modes[i].text), &mode, reason, sizeof(reason)),
				 0);
		assert_int_equal(mode, modes[i].mode);
	}
	static const char *const texts[] = {"",     "0",    "660",  "1777", "01777",
					    "0680", "-060", "0x60", "0660 "};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		mode = 12345;
		assert_int_equal(units_mode(text_of(texts[i]), &mode, reason, sizeof(reason)), -1);
		assert_non_null(strstr(reason, "is not a mode: write it in octal"));
		assert_int_equal(mode, 12345);
	}
}

static void test_bool(void **state)
{
	(void)state;
	static const char *const yes[] = {"yes", "true", "on", "1"};
	static const char *const no[] = {"no", "false", "off", "0"};
	static const char *const neither[] = {"", "y", "Yes", "2", "00", "yes ", "truely"};
	for (size_t i = 0; i < 4; i++) {
		bool value = false;
		assert_int_equal(units_bool(text_of(yes[i]), &value, reason, sizeof(reason)), 0);
		assert_true(value);
		assert_int_equal(units_bool(text_of(no[i]), &value, reason, sizeof(reason)), 0);
		assert_false(value);
	}
	for (size_t i = 0; i < sizeof(neither) / sizeof(neither[0]); i++) {
		bool value = true;
		assert_int_equal(units_bool(text_of(neither[i]), &value, reason, sizeof(reason)),
				 -1);
		assert_true(value);
		assert_non_null(strstr(reason, "is neither yes nor no"));
	}
}

/* A sentence repeats no more than it must, and cuts no character in two. */
static void test_long_text_is_not_repeated_whole(void **state)
{
	(void)state;
	char text[1000] = "x";
	for (size_t at = 1; at + 2 < sizeof(text); at += 2)
		memcpy(text + at, "é", 3);
	size_of(text, 0, UINT64_MAX);
	assert_memory_equal(reason, "'xéé", 6);
	assert_non_null(strstr(reason, "é' is not a size"));
	assert_true(strlen(reason) < 150);
}

/* The text ends at its length, not at a NUL. */
static void test_length_counts(void **state)
{
	(void)state;
	uint64_t size = 0;
	assert_int_equal(
		units_size((struct text){"64K123", 3}, 0, 1 << 20, &size, reason, sizeof(reason)),
		0);
	assert_true(size == 65536);
	assert_int_equal(
		units_size((struct text){"64K\0", 4}, 0, 1 << 20, &size, reason, sizeof(reason)),
		-1);
	assert_int_equal(
		units_size((struct text){NULL, 0}, 0, 1 << 20, &size, reason, sizeof(reason)), -1);
}

static void test_print(void **state)
{
	(void)state;
	char out[UNITS_MAX];
	assert_string_equal(units_print_size(0, out), "0");
	assert_string_equal(units_print_size(1023, out), "1023");
	assert_string_equal(units_print_size(65536, out), "64K");
	assert_string_equal(units_print_size(1ull << 40, out), "1T");
	assert_string_equal(units_print_size(UINT64_MAX, out), "18446744073709551615");
	assert_string_equal(units_print_duration(0, out), "0s");
	assert_string_equal(units_print_duration(1500, out), "1500ms");
	assert_string_equal(units_print_duration(90000, out), "90s");
	assert_string_equal(units_print_duration(31536000000, out), "8760h");
}

/* Reading what was printed gives the same number, over numbers of every length. */
static void test_print_and_read(void **state)
{
	(void)state;
	char out[UNITS_MAX];
	uint64_t number = 1;
	for (int i = 0; i < 10000; i++) {
		number = number * 6364136223846793005u + 1442695040888963407u;
		uint64_t size = number >> (i % 64);
		uint64_t round = size / (1ull << (10 * (i % 5))) * (1ull << (10 * (i % 5)));
		if (round == UINT64_MAX)
			continue;
		assert_true(size_of(units_print_size(round, out), 0, UINT64_MAX) == round);
		int64_t ms = (int64_t)(size >> 1);
		assert_true(duration_of(units_print_duration(ms, out), 0, INT64_MAX) == ms);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_size_that_is_none),
		cmocka_unit_test(test_size_out_of_range),
		cmocka_unit_test(test_size_does_not_wrap),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_duration_that_is_none),
		cmocka_unit_test(test_duration_out_of_range),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_mode),
		cmocka_unit_test(test_bool),
		cmocka_unit_test(test_long_text_is_not_repeated_whole),
		cmocka_unit_test(test_length_counts),
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_print_and_read),
	};
	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
