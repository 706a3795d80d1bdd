/* SPDX-License-Identifier: MIT */
/* What people see: text made harmless, amounts, tables, drawn boards. */
#include "client/draw.h"
#include "client/print.h"
#include "client/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* A stream whose content a test can look at. */
static FILE *stream;
static char *content;
static size_t content_size;

static int open_stream(void **state)
{
	(void)state;
	stream = open_memstream(&content, &content_size);
	return stream ? 0 : -1;
}

static int close_stream(void **state)
{
	(void)state;
	fclose(stream);
	free(content);
	return 0;
}

static const char *printed(void)
{
	fflush(stream);
	return content;
}

static void text_loses_its_power(void **state)
{
	(void)state;
	static const struct {
		const char *text, *harmless;
	} cases[] = {
		{"plain 123 *_x", "plain 123 *_x"},
		{"\033[2Jgone", "\\x1b[2Jgone"},
		{"a\nb\r\tc\177", "a\\x0ab\\x0d\\x09c\\x7f"},
		{"\xC2\x9B"
		 "31m",
		 "\\u{9b}31m"},
		{"caf\xC3\xA9 \xE2\x99\x9E", "caf\xC3\xA9 \xE2\x99\x9E"},
		{"\xE2\x80\xAE"
		 "drow",
		 "\\u{202e}drow"},
		{"bad \xff\xC3", "bad \\xff\\xc3"},
		{"\xC0\x9B", "\\xc0\\x9b"},
		{"\xED\xA0\x80", "\\xed\\xa0\\x80"},
		{"\xF0\x9F\xA7\xA9", "\xF0\x9F\xA7\xA9"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rewind(stream);
		size_t width = print_string(stream, cases[i].text);
		putc('\0', stream);
		assert_string_equal(printed(), cases[i].harmless);
		assert_int_equal(width, print_width(text_of(cases[i].text)));
	}
	assert_int_equal(print_width(text_of("\xE2\x99\x9E\033")), 5);
	rewind(stream);
	assert_int_equal(print_text(stream, (struct text){"a\0b", 3}), 6);
	putc('\0', stream);
	assert_string_equal(printed(), "a\\x00b");
}

static void lines_keep_only_their_newlines(void **state)
{
	(void)state;
	print_lines(stream, "a\033\n\nb\r\n");
	assert_string_equal(printed(), "a\\x1b\n\nb\\x0d\n");
}

static void json_is_one_line(void **state)
{
	(void)state;
	struct fault fault;
	json_t *value = json_pack("{s:s, s:[i, b]}", "a", "x\n\033", "b", 1, 1);
	assert_return_code(print_json(stream, value, &fault), 0);
	assert_string_equal(printed(), "{\"a\":\"x\\n\\u001B\",\"b\":[1,true]}\n");
	json_decref(value);
}

static void moves_have_something_between(void **state)
{
	(void)state;
	json_t *moves = json_pack("[s, s, i, s]", "a1c2", "u", 3, "\033");
	print_moves(stream, moves, " ");
	assert_string_equal(printed(), "a1c2 u \\x1b");
	json_decref(moves);
}

static void amounts_have_units(void **state)
{
	(void)state;
	static const struct {
		int64_t us;
		const char *text;
	} times[] = {
		{0, "0 us"},        {999, "999 us"},     {1000, "1.0 ms"},
		{12345, "12.3 ms"}, {1234567, "1.23 s"}, {125 * INT64_C(1000000), "2 m 5 s"},
	};
	static const struct {
		int64_t bytes;
		const char *text;
	} sizes[] = {
		{0, "0 B"},        {1023, "1023 B"},         {1024, "1.0 KiB"},
		{1536, "1.5 KiB"}, {17 * 1048576, "17 MiB"}, {INT64_MAX, "8388608 TiB"},
	};
	char ret[PRINT_AMOUNT];
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		assert_string_equal(print_duration(ret, times[i].us), times[i].text);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		assert_string_equal(print_size(ret, sizes[i].bytes), sizes[i].text);
}

static void words_are_wrapped(void **state)
{
	(void)state;
	fputs("name  ", stream);
	print_wrapped(stream, "one two three\nfour anotherword \033 x", 6, 13);
	assert_string_equal(printed(), "name  one two\n"
				       "      three\n"
				       "      four\n"
				       "      anotherword\n"
				       "      \\x1b x");
}

static void tables_align(void **state)
{
	(void)state;
	static const char *const titles[] = {"NAME", "NODES", "WHY", NULL};
	struct table *table = table_new(titles);
	table_text(table, "ida");
	table_number(table, 5);
	table_text(table, NULL);
	table_text(table, "bidirectional");
	table_number(table, 1234567);
	table_text(table, "b\033d");
	assert_return_code(table_print(stream, table), 0);
	assert_string_equal(printed(), "NAME             NODES  WHY\n"
				       "ida                  5\n"
				       "bidirectional  1234567  b\\x1bd\n");
	table_free(table);
}

static void boards_stand_side_by_side(void **state)
{
	(void)state;
	json_t *boards = json_pack("[s, s, s]", "1 2\n3 x", "1 x\n3 2\n", "x 1\n3 2");
	json_t *moves = json_pack("[s, s]", "u", "l");
	draw_boards(stream, boards, moves, 18);
	assert_string_equal(printed(), "start    1 u\n"
				       "1 2      1 x\n"
				       "3 x      3 2\n"
				       "\n"
				       "2 l\n"
				       "x 1\n"
				       "3 2\n");
	rewind(stream);
	draw_boards(stream, boards, moves, 1);
	putc('\0', stream);
	assert_string_equal(printed(), "start\n1 2\n3 x\n\n1 u\n1 x\n3 2\n\n2 l\nx 1\n3 2\n");
	json_decref(boards);
	json_decref(moves);
}

static void boards_of_unequal_height_are_drawn_whole(void **state)
{
	(void)state;
	json_t *boards = json_pack("[s, s, i]", "1", "1\n2\n3", 7);
	draw_boards(stream, boards, NULL, 80);
	assert_string_equal(printed(), "start    1        2\n"
				       "1        1\n"
				       "         2\n"
				       "         3\n");
	json_decref(boards);
}

int main(void)
{
#define PRINT_TEST(test) cmocka_unit_test_setup_teardown(test, open_stream, close_stream)
	const struct CMUnitTest tests[] = {
		PRINT_TEST(text_loses_its_power),
		PRINT_TEST(lines_keep_only_their_newlines),
		PRINT_TEST(json_is_one_line),
		PRINT_TEST(moves_have_something_between),
		PRINT_TEST(amounts_have_units),
		PRINT_TEST(words_are_wrapped),
		PRINT_TEST(tables_align),
		PRINT_TEST(boards_stand_side_by_side),
		PRINT_TEST(boards_of_unequal_height_are_drawn_whole),
	};
	return cmocka_run_group_tests_name("client_print", tests, NULL, NULL);
}
