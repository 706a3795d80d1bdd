/* SPDX-License-Identifier: MIT */
#include "common/utf8.h"

#include "common/reason.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <cmocka.h>

/* The slow twin: encodes a character, where utf8_next decodes one. */
static size_t encode(uint32_t character, char *out)
{
	if (character < 0x80) {
		out[0] = (char)character;
		return 1;
	}
	size_t len = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
	for (size_t i = len; i-- > 1; character >>= 6)
		out[i] = (char)(0x80 | (character & 0x3F));
	out[0] = (char)(uint8_t)(0xF00 >> len | character);
	return len;
}

static bool is_character(uint32_t character)
{
	return character <= 0x10FFFF && !(character >= 0xD800 && character <= 0xDFFF);
}

static void test_every_character(void **state)
{
	(void)state;
	for (uint32_t character = 0; character < 0x1FFFFF; character++) {
		char bytes[4];
		uint32_t found = UINT32_MAX;
		size_t len = encode(character, bytes);
		size_t got = utf8_next((struct text){bytes, len}, &found);
		assert_int_equal(got, is_character(character) ? len : 0);
		if (got)
			assert_int_equal(found, character);
		/* One byte less is no character any more. */
		assert_int_equal(utf8_next((struct text){bytes, len - 1}, &found), 0);
	}
}

/* Every run of three bytes is what its encoding says: the decoder takes nothing that no encoder
 * writes. */
static void test_every_three_bytes(void **state)
{
	(void)state;
	for (uint32_t run = 0; run < 1u << 24; run++) {
		char bytes[3] = {(char)(run >> 16), (char)(run >> 8), (char)run}, again[4];
		uint32_t character;
		size_t len = utf8_next((struct text){bytes, 3}, &character);
		if (!len)
			continue;
		if (encode(character, again) != len || memcmp(bytes, again, len) != 0)
			fail_msg("%06x is taken for U+%04X", run, character);
	}
}

static void test_check(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t good;
	} cases[] = {{"", 0},
		     {"abc", 3},
		     {"Grüße", 7},
		     {"a\xFF", 1},
		     {"é\xC3", 2},
		     {"\x80", 0},
		     {"a\xC0\xAF", 1},
		     {"a\xED\xA0\x80", 1},
		     {"𝄞", 4},
		     {"\xF0\x9D\x84", 0},
		     {"\xF8\x88\x80\x80\x80", 0},
		     {"\xF4\x90\x80\x80", 0}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(utf8_check(text_of(cases[i].text)), cases[i].good);
}

static void test_whole(void **state)
{
	(void)state;
	static const char text[] = "aé世𝄞";
	static const size_t whole[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
	for (size_t len = 0; len < sizeof(whole) / sizeof(whole[0]); len++)
		assert_int_equal(utf8_whole((struct text){text, len}), whole[len]);
	/* What is no UTF-8 anyhow may be cut anywhere, but not made longer or endless. */
	assert_int_equal(utf8_whole(text_of("\x80\x80\x80\x80\x80")), 5);
	assert_int_equal(utf8_whole(text_of("a\x80")), 2);
}

static void test_control(void **state)
{
	(void)state;
	static const uint32_t controls[] = {0,      '\n',   0x1B,   0x7F,   0x80,   0x9B,  0x200B,
					    0x200E, 0x2028, 0x2029, 0x202E, 0x2066, 0xFEFF};
	static const uint32_t marks[] = {' ', '~', 0xA0, 0xE9, 0x4E16, 0x2010, 0x2030, 0x1D11E};
	for (size_t i = 0; i < sizeof(controls) / sizeof(controls[0]); i++)
		assert_true(utf8_is_control(controls[i]));
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		assert_false(utf8_is_control(marks[i]));
}

/* A reason is cut where its buffer ends, at a character's border. */
static void test_reason(void **state)
{
	(void)state;
	char reason[8];
	assert_int_equal(reason_set(reason, sizeof(reason), "%s", "1234567"), -1);
	assert_string_equal(reason, "1234567");
	reason_write(reason, sizeof(reason), "%s", "12345é7");
	assert_string_equal(reason, "12345é");
	reason_write(reason, sizeof(reason), "%s", "123456é");
	assert_string_equal(reason, "123456");
	reason_write(reason, sizeof(reason), "%s", "1234世");
	assert_string_equal(reason, "1234世");
	reason_write(reason, sizeof(reason), "%s", "12345世");
	assert_string_equal(reason, "12345");
	reason[0] = 'x';
	reason_write(reason, 0, "%s", "y");
	assert_int_equal(reason[0], 'x');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_character), cmocka_unit_test(test_every_three_bytes),
		cmocka_unit_test(test_check),           cmocka_unit_test(test_whole),
		cmocka_unit_test(test_control),         cmocka_unit_test(test_reason),
	};
	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
