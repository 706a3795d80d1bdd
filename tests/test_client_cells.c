/* SPDX-License-Identifier: MIT */
/* Reading: lines that keep their bounds, and boards as the judges write them. */
#include "client/cells.h"
#include "client/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <unistd.h>

static const char tiles[] = "0123456789xX_.*";

static struct input input;
static struct cells cells;
static struct cells_board board;
static struct fault fault;

/* Makes `text` what is read; more than a pipe holds is for other tests. */
static void feed(const char *text, size_t len)
{
	int ends[2];
	assert_return_code(pipe(ends), 0);
	assert_int_equal(write(ends[1], text, len), len);
	close(ends[1]);
	if (input.fd > 2)
		close(input.fd);
	input_start(&input, ends[0]);
	cells_start(&cells, &input);
	memset(&fault, 0, sizeof(fault));
}

static void feed_string(const char *text)
{
	feed(text, strlen(text));
}

static int read_board(void)
{
	return cells_board(&cells, tiles, 9, &board, &fault);
}

static void every_kind_of_white_space_is_taken(void **state)
{
	(void)state;
	static const char *const inputs[] = {
		"283104765",
		"283104765\n",
		"283104765\r\n",
		"\xEF\xBB\xBF"
		"283104765\r\n",
		"2 8 3 1 0 4 7 6 5\n",
		"2\t8\t3\t1\t0\t4\t7\t6\t5\n",
		" 2  8  3  1  0  4  7  6  5 \n",
		"2 8 3\n1 0 4\n7 6 5\n",
		"2 8 3\r1 0 4\r7 6 5\r",
		"2 8 3\r\n1 0 4\r\n7 6 5",
		"\n\n\r\n283\n\n\n104765\n\n",
		"2\xC2\xA0"
		"8\xC2\xA0"
		"3104765\xC2\xA0\n",
		"2\xE3\x80\x80"
		"83104765\v\f\n",
	};
	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		feed_string(inputs[i]);
		if (read_board() != 1)
			fail_msg("input %zu: %s", i, fault.sentence);
		assert_memory_equal(board.text, "283104765", 9);
		assert_int_equal(cells_end(&cells, &fault), 0);
		assert_int_equal(read_board(), 0);
	}
}

static void every_blank_is_taken_as_it_is(void **state)
{
	(void)state;
	feed_string("2 3 4\n1 5 x\n7 6 8\n8 6 7 2 5 4 3 _ 1\n");
	assert_int_equal(read_board(), 1);
	assert_memory_equal(board.text, "23415x768", 9);
	assert_int_equal(read_board(), 1);
	assert_memory_equal(board.text, "8672543_1", 9);
	assert_int_equal(read_board(), 0);
}

static void places_are_those_of_the_input(void **state)
{
	(void)state;
	feed_string("\r\n \xC2\xA0"
		    "2 8 3\r\n\t1 0 4\r7 6 5");
	assert_int_equal(read_board(), 1);
	assert_int_equal(board.places[0].line, 2);
	assert_int_equal(board.places[0].column, 3);
	assert_int_equal(board.places[2].column, 7);
	assert_int_equal(board.places[3].line, 3);
	assert_int_equal(board.places[3].column, 2);
	assert_int_equal(board.places[8].line, 4);
	assert_int_equal(board.places[8].column, 5);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
	(void)state;
	static const struct {
		const char *text, *sentence;
	} cases[] = {
		{"28310a765\n", "line 1, column 6: 'a' is found where cell 6 of 9"},
		{"2 8 3\n1 0 -\n", "line 2, column 5: '-' is found where cell 6 of 9"},
		{"28310476", "the input ends at line 1, where cell 9 of 9"},
		{"2831\n\n", "the input ends at line 3, where cell 5 of 9"},
		{"[2,8,3]", "line 1, column 1: '[' is found where cell 1 of 9"},
		{"2\xEF\xBC\x98"
		 "3104765",
		 "line 1, column 2: byte 0xef is found where cell 2"},
		{"2\xC2"
		 "83104765",
		 "line 1, column 2: byte 0xc2 is found where cell 2"},
		{"\xEF\xBB", "line 1, column 1: byte 0xef is found where cell 1"},
		{"\xFF", "line 1, column 1: byte 0xff is found where cell 1"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		feed_string(cases[i].text);
		assert_int_equal(read_board(), -1);
		assert_int_equal(fault.exit, EXIT_USAGE);
		if (!strstr(fault.sentence, cases[i].sentence))
			fail_msg("case %zu: %s", i, fault.sentence);
	}
	feed("2831\0"
	     "04765",
	     10);
	assert_int_equal(read_board(), -1);
	assert_non_null(strstr(fault.sentence, "column 5: byte 0x00"));
}

static void no_line_holds_cells_of_two_boards(void **state)
{
	(void)state;
	feed_string("1 2 3 4 5 6 7 8\nx 1 2 3 4 5 6 7 8\n");
	assert_int_equal(read_board(), 1);
	assert_int_equal(read_board(), -1);
	assert_non_null(strstr(fault.sentence, "line 2, column 3: more than the 9 cells"));
	feed_string("2831047650\n");
	assert_int_equal(read_board(), 1);
	assert_int_equal(cells_end(&cells, &fault), -1);
	assert_non_null(strstr(fault.sentence, "line 1, column 10: '0' is found where the end"));
}

static void counts_stand_alone_and_have_a_bound(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t count; /* -1: refused */
	} cases[] = {
		{"2\n10110", 2},
		{" 0 ", 0},
		{"\xEF\xBB\xBF"
		 "10\r\n",
		 10},
		{"007\n", 7},
		{"", -1},
		{"\n\n", -1},
		{"x\n", -1},
		{"-1\n", -1},
		{"2 3\n", -1},
		{"1.5\n", -1},
		{"999999999\n", 999999999},
		{"1000000000\n", -1},
		{"3x\n", -1},
		{"1\xC2\xA0\n", 1},
		{"99999999999999999999\n", -1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		feed_string(cases[i].text);
		uint64_t count = 77;
		int result = cells_count(&cells, &count, &fault);
		if ((result == 0) != (cases[i].count >= 0))
			fail_msg("case %zu: %d %s", i, result, fault.sentence);
		assert_int_equal(count, result == 0 ? cases[i].count : 77);
		if (result < 0)
			assert_int_equal(fault.exit, EXIT_USAGE);
	}
	feed_string("2\n10110");
	uint64_t count;
	assert_int_equal(cells_count(&cells, &count, &fault), 0);
	assert_int_equal(cells_board(&cells, "01*", 5, &board, &fault), 1);
	assert_memory_equal(board.text, "10110", 5);
}

static void lines_end_in_every_way(void **state)
{
	(void)state;
	static struct input_line line;
	static const char *const expected[] = {"one", "two", "", "three", "", "", "four"};
	feed_string("one\ntwo\r\n\nthree\r\r\n\nfour");
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_true(input_line(&input, &line));
		assert_int_equal(line.len, strlen(expected[i]));
		assert_memory_equal(line.text, expected[i], line.len);
		assert_false(line.too_long);
	}
	assert_false(input_line(&input, &line));
	assert_int_equal(input.error, 0);
}

static void a_long_line_is_cut_and_the_next_is_whole(void **state)
{
	(void)state;
	static struct input_line line;
	static char text[3 * INPUT_LINE_MAX];
	memset(text, '1', sizeof(text));
	text[INPUT_LINE_MAX] = '\n';
	text[sizeof(text) - 3] = '\n';
	feed(text, sizeof(text));
	assert_true(input_line(&input, &line));
	assert_int_equal(line.len, INPUT_LINE_MAX);
	assert_false(line.too_long);
	assert_true(input_line(&input, &line));
	assert_int_equal(line.len, INPUT_LINE_MAX);
	assert_true(line.too_long);
	assert_true(input_line(&input, &line));
	assert_int_equal(line.len, 2);
	assert_false(line.too_long);
	assert_false(input_line(&input, &line));
}

static void an_input_knows_whether_it_would_wait(void **state)
{
	(void)state;
	int ends[2];
	static struct input pipe_input;
	assert_return_code(pipe(ends), 0);
	input_start(&pipe_input, ends[0]);
	assert_false(input_ready(&pipe_input));
	assert_int_equal(write(ends[1], "a", 1), 1);
	assert_true(input_ready(&pipe_input));
	assert_int_equal(input_byte(&pipe_input), 'a');
	assert_false(input_ready(&pipe_input));
	close(ends[1]);
	assert_true(input_ready(&pipe_input));
	assert_int_equal(input_byte(&pipe_input), -1);
	assert_true(input_ready(&pipe_input));
	close(ends[0]);
}

static void a_read_that_fails_is_told_from_the_end(void **state)
{
	(void)state;
	static struct input broken;
	input_start(&broken, -1);
	assert_int_equal(input_byte(&broken), -1);
	assert_int_not_equal(broken.error, 0);
	struct cells reader;
	cells_start(&reader, &broken);
	assert_int_equal(cells_end(&reader, &fault), -1);
	assert_non_null(strstr(fault.sentence, "cannot read"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_white_space_is_taken),
		cmocka_unit_test(every_blank_is_taken_as_it_is),
		cmocka_unit_test(places_are_those_of_the_input),
		cmocka_unit_test(what_is_wrong_is_told_with_its_place),
		cmocka_unit_test(no_line_holds_cells_of_two_boards),
		cmocka_unit_test(counts_stand_alone_and_have_a_bound),
		cmocka_unit_test(lines_end_in_every_way),
		cmocka_unit_test(a_long_line_is_cut_and_the_next_is_whole),
		cmocka_unit_test(an_input_knows_whether_it_would_wait),
		cmocka_unit_test(a_read_that_fails_is_told_from_the_end),
	};
	return cmocka_run_group_tests_name("client_cells", tests, NULL, NULL);
}
