/* SPDX-License-Identifier: MIT */
/* buf: a queue of bytes that grows, up to its bound. */
#include "tests/cmocka_first.h"

#include "common/buf.h"

#include <stdio.h>
#include <stdlib.h>

static void assert_content(const struct buf *buf, const char *string)
{
	assert_int_equal(buf_len(buf), strlen(string));
	assert_memory_equal(buf_text(buf).data, string, strlen(string));
}

static void a_zeroed_struct_is_an_empty_buffer(void **state)
{
	struct buf buf = {0};
	(void)state;
	assert_int_equal(buf_len(&buf), 0);
	assert_non_null(buf_text(&buf).data);
	buf_put(&buf, NULL, 0);
	buf_drop(&buf, 0);
	buf_drop(&buf, 5);
	buf_clear(&buf);
	assert_int_equal(buf_len(&buf), 0);
	assert_false(buf.failed);
	buf_free(&buf);
}

static void what_is_put_comes_out_in_order(void **state)
{
	struct buf buf = {0};
	(void)state;
	buf_put_string(&buf, "one");
	buf_put_text(&buf, (struct text){"two\0", 4});
	buf_put_uint(&buf, 0);
	buf_put_uint(&buf, UINT64_MAX);
	buf_printf(&buf, "%s%d", "x", -5);
	assert_int_equal(buf_len(&buf), 3 + 4 + 1 + 20 + 3);
	assert_memory_equal(buf_data(&buf),
			    "onetwo\0"
			    "018446744073709551615x-5",
			    buf_len(&buf));
	buf_drop(&buf, 7);
	assert_content(&buf, "018446744073709551615x-5");
	buf_free(&buf);
	assert_int_equal(buf_len(&buf), 0);
}

static void a_long_printf_is_whole_and_ends_without_its_nul(void **state)
{
	struct buf buf = {0};
	char *wide = malloc(10001);
	(void)state;
	assert_non_null(wide);
	memset(wide, 'w', 10000);
	wide[10000] = '\0';
	for (int len = 250; len < 260; len++) {
		buf_printf(&buf, "%.*s", len, wide);
		assert_int_equal(buf_len(&buf), len);
		buf_clear(&buf);
	}
	buf_printf(&buf, "%s", wide);
	assert_content(&buf, wide);
	free(wide);
	buf_free(&buf);
}

/* A slow twin: puts and drops at random, beside a plain array. */
static void puts_and_drops_at_random_leave_what_a_plain_array_has(void **state)
{
	enum { ROUNDS = 20000, MOST = 3000 };
	struct buf buf = {0};
	static unsigned char twin[ROUNDS * MOST / 8];
	size_t start = 0, end = 0;
	unsigned char piece[MOST];
	(void)state;
	srand(1);
	for (int round = 0; round < ROUNDS && end + MOST < sizeof(twin); round++) {
		size_t len = (size_t)rand() % (rand() % 10 ? 100 : MOST);
		for (size_t i = 0; i < len; i++)
			piece[i] = (unsigned char)rand();
		buf_put(&buf, piece, len);
		memcpy(twin + end, piece, len);
		end += len;
		size_t drop = (size_t)rand() % (2 * len + 1);
		if (drop > end - start)
			drop = end - start;
		buf_drop(&buf, drop);
		start += drop;
		assert_int_equal(buf_len(&buf), end - start);
		if (end > start)
			assert_memory_equal(buf_data(&buf), twin + start, end - start);
	}
	assert_true(end > 1000 * 1000);
	buf_free(&buf);
}

static void the_bound_is_on_the_content_and_failure_sticks(void **state)
{
	struct buf buf = {.max = 10};
	(void)state;
	buf_put_string(&buf, "0123456789");
	assert_false(buf.failed);
	buf_put(&buf, "", 0);
	assert_false(buf.failed);
	buf_drop(&buf, 4);
	buf_put_string(&buf, "abcd");
	assert_false(buf.failed);
	assert_content(&buf, "456789abcd");
	buf_put_string(&buf, "x");
	assert_true(buf.failed);
	buf_drop(&buf, 9);
	buf_put_string(&buf, "y");
	buf_put_uint(&buf, 1);
	buf_printf(&buf, "z");
	assert_null(buf_reserve(&buf, 1));
	assert_content(&buf, "d");
	buf_clear(&buf);
	buf_put_string(&buf, "again");
	assert_content(&buf, "again");
	buf_free(&buf);
	assert_int_equal(buf.max, 10);
}

static void lengths_that_overflow_are_failures(void **state)
{
	struct buf buf = {0};
	(void)state;
	buf_put_string(&buf, "x");
	assert_null(buf_reserve(&buf, SIZE_MAX));
	assert_true(buf.failed);
	buf_clear(&buf);
	assert_null(buf_reserve(&buf, SIZE_MAX - 1));
	buf_free(&buf);
	struct buf bounded = {.max = SIZE_MAX};
	assert_null(buf_reserve(&bounded, SIZE_MAX / 2));
	buf_free(&bounded);
}

static void reserved_bytes_count_when_committed(void **state)
{
	struct buf buf = {0};
	(void)state;
	buf_put_string(&buf, "a");
	char *place = buf_reserve(&buf, 100);
	assert_non_null(place);
	memcpy(place, "bc", 2);
	assert_content(&buf, "a");
	buf_commit(&buf, 2);
	assert_content(&buf, "abc");
	buf_free(&buf);
}

static void an_emptied_buffer_gives_a_large_block_back_and_keeps_a_small_one(void **state)
{
	struct buf buf = {0};
	(void)state;
	assert_non_null(buf_reserve(&buf, 1000));
	buf_commit(&buf, 1000);
	buf_clear(&buf);
	assert_non_null(buf.block);
	assert_non_null(buf_reserve(&buf, 1000 * 1000));
	buf_commit(&buf, 1000 * 1000);
	buf_clear(&buf);
	assert_null(buf.block);
	buf_put_string(&buf, "still good");
	assert_content(&buf, "still good");
	buf_free(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_zeroed_struct_is_an_empty_buffer),
		cmocka_unit_test(what_is_put_comes_out_in_order),
		cmocka_unit_test(a_long_printf_is_whole_and_ends_without_its_nul),
		cmocka_unit_test(puts_and_drops_at_random_leave_what_a_plain_array_has),
		cmocka_unit_test(the_bound_is_on_the_content_and_failure_sticks),
		cmocka_unit_test(lengths_that_overflow_are_failures),
		cmocka_unit_test(reserved_bytes_count_when_committed),
		cmocka_unit_test(an_emptied_buffer_gives_a_large_block_back_and_keeps_a_small_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
