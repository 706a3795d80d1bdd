/* SPDX-License-Identifier: MIT */
/* JSON as it is printed; jansson, which had no part in the printing, must read it back. */
#include "tests/cmocka_first.h"

#include "daemon/print.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void assert_printed(struct buf *out, const char *want)
{
	buf_put(out, "", 1);
	assert_false(out->failed);
	assert_string_equal(buf_data(out), want);
	buf_free(out);
}

static void assert_string_is(const char *bytes, size_t len, const char *want)
{
	struct buf out = {0};
	print_string(&out, (struct text){bytes, len});
	assert_printed(&out, want);
}

#define ASSERT_STRING(literal, want) assert_string_is(literal, sizeof(literal) - 1, want)

static void test_plain_strings(void **state)
{
	(void)state;
	ASSERT_STRING("", "\"\"");
	ASSERT_STRING("283104765", "\"283104765\"");
	ASSERT_STRING("a/b'c", "\"a/b'c\"");
	struct buf out = {0};
	print_string(&out, (struct text){NULL, 0});
	assert_printed(&out, "\"\"");
}

static void test_what_must_be_escaped_is(void **state)
{
	(void)state;
	ASSERT_STRING("\"", "\"\\\"\"");
	ASSERT_STRING("\\", "\"\\\\\"");
	ASSERT_STRING("\n\r\t", "\"\\n\\r\\t\"");
	ASSERT_STRING("a\0b", "\"a\\u0000b\"");
	ASSERT_STRING("\x1b[31m", "\"\\u001b[31m\"");
	/* DEL is allowed in JSON and does no good on a terminal. */
	ASSERT_STRING("\x7f", "\"\\u007f\"");
}

static void test_utf8_goes_through(void **state)
{
	(void)state;
	ASSERT_STRING("\xC3\xA9", "\"\xC3\xA9\"");
	ASSERT_STRING("\xE2\x99\x9E\xF0\x9F\xA7\xA9", "\"\xE2\x99\x9E\xF0\x9F\xA7\xA9\"");
}

static void test_each_byte_that_is_no_utf8_is_replaced(void **state)
{
	(void)state;
#define REPLACED "\xEF\xBF\xBD"
	ASSERT_STRING("\xFF", "\"" REPLACED "\"");
	ASSERT_STRING("a\xC3", "\"a" REPLACED "\"");
	ASSERT_STRING("\xC0\x80z", "\"" REPLACED REPLACED "z\"");
	ASSERT_STRING("\xED\xA0\x80", "\"" REPLACED REPLACED REPLACED "\""); /* a surrogate */
	ASSERT_STRING("\xF4\x90\x80\x80", "\"" REPLACED REPLACED REPLACED REPLACED "\"");
}

/* Every string of two bytes is read back as it was, or as U+FFFD where it is no UTF-8. */
static void test_jansson_reads_every_two_bytes(void **state)
{
	(void)state;
	for (unsigned pair = 0; pair < 0x10000; pair++) {
		const char bytes[2] = {(char)(pair >> 8), (char)pair};
		struct buf out = {0};
		print_string(&out, (struct text){bytes, 2});
		json_t *read = json_loadb(buf_data(&out), buf_len(&out),
					  JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
		if (!read)
			fail_msg("%04x is printed as what is no JSON", pair);
		bool same = json_string_length(read) == 2 &&
			    memcmp(json_string_value(read), bytes, 2) == 0;
		bool valid = ((pair & 0x8080) == 0) ||
			     (pair >= 0xC280 && pair <= 0xDFBF && (pair & 0xC0) == 0x80);
		if (same != valid)
			fail_msg("%04x is %sread back", pair, same ? "" : "not ");
		json_decref(read);
		buf_free(&out);
	}
}

static void test_numbers(void **state)
{
	struct buf out = {0};
	(void)state;
	buf_put(&out, "{", 1);
	print_uint_member(&out, "a", 0);
	print_uint_member(&out, "b", UINT64_MAX);
	print_int_member(&out, "c", INT64_MIN);
	print_int_member(&out, "d", INT64_MAX);
	print_int_member(&out, "e", -1);
	print_int_member(&out, "f", 0);
	print_end(&out, '}');
	assert_printed(&out, "{\"a\":0,\"b\":18446744073709551615,\"c\":-9223372036854775808,"
			     "\"d\":9223372036854775807,\"e\":-1,\"f\":0}");
}

static void test_commas_stand_between_and_nowhere_else(void **state)
{
	struct buf out = {0};
	(void)state;
	buf_put(&out, "{", 1);
	print_name(&out, "empty");
	buf_put(&out, "{", 1);
	print_end(&out, '}');
	buf_put(&out, ",", 1);
	print_name(&out, "list");
	buf_put(&out, "[", 1);
	print_end(&out, ']');
	buf_put(&out, ",", 1);
	print_bool_member(&out, "yes", true);
	print_bool_member(&out, "no", false);
	print_text_member(&out, "comma", text_of(","));
	print_end(&out, '}');
	assert_printed(&out,
		       "{\"empty\":{},\"list\":[],\"yes\":true,\"no\":false,\"comma\":\",\"}");
}

static void test_a_full_buffer_is_left_failed_and_not_overrun(void **state)
{
	(void)state;
	for (size_t max = 1; max < 30; max++) {
		struct buf out = {.max = max};
		buf_put(&out, "{", 1);
		print_text_member(&out, "name", text_of("value \n \xFF"));
		print_end(&out, '}');
		assert_true(buf_len(&out) <= max);
		assert_int_equal(out.failed, max < strlen("{\"name\":\"value \\n " REPLACED "\"}"));
		buf_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_strings),
		cmocka_unit_test(test_what_must_be_escaped_is),
		cmocka_unit_test(test_utf8_goes_through),
		cmocka_unit_test(test_each_byte_that_is_no_utf8_is_replaced),
		cmocka_unit_test(test_jansson_reads_every_two_bytes),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_commas_stand_between_and_nowhere_else),
		cmocka_unit_test(test_a_full_buffer_is_left_failed_and_not_overrun),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
