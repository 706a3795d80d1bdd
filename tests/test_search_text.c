/* SPDX-License-Identifier: MIT */
/* text.h: boards that are written as numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <puzzled/search/text.h>

enum { MOST = 99 };

static int read_three(const char *text, int numbers[3], struct pz_error *error)
{
	size_t len = strlen(text);
	/* Just so long, so that a sanitizer finds what is read behind it. */
	char *own = malloc(len + 1);
	int ret;

	assert_non_null(own);
	memcpy(own, text, len);
	own = realloc(own, len > 0 ? len : 1);
	assert_non_null(own);
	ret = pz_read_numbers((struct pz_text){own, len}, numbers, 3, MOST, error);
	free(own);
	return ret;
}

static void many_ways_to_write_numbers(void **state)
{
	static const char *const same[] = {
		"1 23 4",
		"1,23,4",
		" 01/023\r\n\t4\n",
		"\xEF\xBB\xBF"
		"1 23 4",
		"1\xC2\xA0"
		"23\xC2\xA0\xC2\xA0"
		"4\xC2\xA0",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		struct pz_error error = {0};
		int numbers[3] = {0};

		if (read_three(same[i], numbers, &error) != 0)
			fail_msg("\"%s\": %s", same[i], error.reason);
		assert_int_equal(numbers[0], 1);
		assert_int_equal(numbers[1], 23);
		assert_int_equal(numbers[2], 4);
	}
}

static void refuses_with_a_place(void **state)
{
	static const struct {
		const char *text;
		size_t position;
		const char *says;
	} bad[] = {
		{"", 0, "3 numbers are wanted, and there is none"},
		{"\xEF\xBB\xBF", 0, "3 numbers are wanted, and there is none"},
		{"1 2", 0, "2 of the 3 numbers"},
		{"1 2 3 4", 7, "more than 3 numbers"},
		{"1 100 3", 5, "at most 99"},
		{"1 -2 3", 3, "a whole number"},
		{"1\xC2", 2, "a whole number"},
		{"1\xC2\xA1 2", 2, "a whole number"},
		{"\xEF\xBB", 1, "a whole number"},
		{"1 \xEF\xBB\xBF 2 3", 3, "a whole number"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pz_error error = {0};
		int numbers[3];

		assert_int_equal(read_three(bad[i].text, numbers, &error), -1);
		if (error.position != bad[i].position || strstr(error.reason, bad[i].says) == NULL)
			fail_msg("\"%s\": %zu %s", bad[i].text, error.position, error.reason);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_ways_to_write_numbers),
		cmocka_unit_test(refuses_with_a_place),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
