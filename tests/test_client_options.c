/* SPDX-License-Identifier: MIT */
/* The command line: options, settings, the nearest name, and which words are a board. */
#include "client/boards.h"
#include "client/options.h"
#include "client/suggest.h"
#include "client/value.h"
#include "common/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

struct values {
	bool flag;
	const char *text;
	struct number number, time;
	json_t *settings;
};

static const struct option table[] = {
	{"flag", 'f', OPTION_FLAG, offsetof(struct values, flag), NULL, "a flag"},
	{"text", 't', OPTION_TEXT, offsetof(struct values, text), "TEXT", "a text"},
	{"number", 'n', OPTION_NUMBER, offsetof(struct values, number), "N", "a number"},
	{"time", 0, OPTION_DURATION, offsetof(struct values, time), "TIME", "a time"},
	{"option", 'o', OPTION_SETTING, offsetof(struct values, settings), "KEY=VALUE",
	 "a setting"},
	{0},
};

static const struct option other_table[] = {
	{"other", 'x', OPTION_FLAG, 0, NULL, "a flag of another table"},
	{0},
};

struct parsed {
	struct values values;
	bool other;
	char *argv[16];
	int result;
	struct fault fault;
};

static void parse(struct parsed *p, bool only_leading, const char *const *words)
{
	*p = (struct parsed){0};
	int argc = 0;
	while (words[argc]) {
		p->argv[argc] = (char *)words[argc];
		argc++;
	}
	const struct option_set sets[] = {{table, &p->values}, {other_table, &p->other}, {0}};
	p->result = options_parse(sets, only_leading, argc, p->argv, &p->fault);
}

#define PARSE(p, ...) parse(p, false, (const char *const[]){__VA_ARGS__, NULL})

static void end(struct parsed *p)
{
	options_free(&(struct option_set){table, &p->values});
}

static void options_and_operands_mix(void **state)
{
	(void)state;
	struct parsed p;
	PARSE(&p, "one", "--text", "hello", "two", "-fx", "--number=12", "-", "--time", "2s");
	assert_int_equal(p.result, 3);
	assert_string_equal(p.argv[0], "one");
	assert_string_equal(p.argv[1], "two");
	assert_string_equal(p.argv[2], "-");
	assert_string_equal(p.values.text, "hello");
	assert_true(p.values.flag && p.other);
	assert_true(p.values.number.given);
	assert_int_equal(p.values.number.value, 12);
	assert_int_equal(p.values.time.value, 2000);
	end(&p);
}

static void two_dashes_end_the_options(void **state)
{
	(void)state;
	struct parsed p;
	PARSE(&p, "-f", "--", "-t", "--flag", "--");
	assert_int_equal(p.result, 3);
	assert_string_equal(p.argv[0], "-t");
	assert_string_equal(p.argv[2], "--");
	assert_null(p.values.text);
	end(&p);
}

static void leading_options_stop_at_the_command(void **state)
{
	(void)state;
	struct parsed p;
	parse(&p, true, (const char *const[]){"-f", "--text", "x", "solve", "-z", NULL});
	assert_int_equal(p.result, 3);
	assert_string_equal(p.argv[p.result], "solve");
	end(&p);
}

static void arguments_may_stick_to_their_letter(void **state)
{
	(void)state;
	struct parsed p;
	PARSE(&p, "-fn7", "-tabc", "--text=");
	assert_int_equal(p.result, 0);
	assert_int_equal(p.values.number.value, 7);
	assert_string_equal(p.values.text, "");
	end(&p);
}

static void wrong_options_are_told(void **state)
{
	(void)state;
	static const struct {
		const char *words[3], *sentence;
	} cases[] = {
		{{"--nubmer", "3"}, "did you mean '--number'?"},
		{{"--nothinglikeit"}, "there is no option '--nothinglikeit'"},
		{{"-q"}, "there is no option '-q'"},
		{{"--text"}, "--text wants TEXT"},
		{{"-t"}, "-t wants TEXT"},
		{{"--flag=1"}, "--flag takes no value"},
		{{"--number", "-1"}, "--number -1"},
		{{"--number", "1x"}, "--number 1x"},
		{{"--number", ""}, "--number"},
		{{"--number", "9223372036854775808"}, "--number 9223372036854775808"},
		{{"--time", "5"}, "--time 5"},
		{{"--time", "0s"}, "--time 0s"},
		{{"--time", "99999999h"}, "--time 99999999h"},
		{{"-o", "novalue"}, "-o wants KEY=VALUE, not 'novalue'"},
		{{"-o", "=x"}, "-o wants KEY=VALUE"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct parsed p;
		parse(&p, false, cases[i].words);
		assert_int_equal(p.result, -1);
		assert_int_equal(p.fault.exit, EXIT_USAGE);
		if (!strstr(p.fault.sentence, cases[i].sentence))
			fail_msg("case %zu: %s", i, p.fault.sentence);
		end(&p);
	}
}

static void durations_have_units(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t ms;
	} cases[] = {{"500ms", 500}, {"2s", 2000}, {"1m", 60000}, {"1h", 3600000}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct parsed p;
		PARSE(&p, "--time", cases[i].text);
		assert_int_equal(p.result, 0);
		assert_int_equal(p.values.time.value, cases[i].ms);
		end(&p);
	}
}

static void settings_take_the_type_they_look_like(void **state)
{
	(void)state;
	static const struct {
		const char *setting, *json;
	} cases[] = {
		{"a=1", "{\"a\":1}"},
		{"a=-7", "{\"a\":-7}"},
		{"a=0", "{\"a\":0}"},
		{"a=-0", "{\"a\":0}"},
		{"a=007", "{\"a\":\"007\"}"},
		{"a=-07", "{\"a\":\"-07\"}"},
		{"a=-", "{\"a\":\"-\"}"},
		{"a=", "{\"a\":\"\"}"},
		{"a=1.5", "{\"a\":\"1.5\"}"},
		{"a=true", "{\"a\":true}"},
		{"a=false", "{\"a\":false}"},
		{"a=True", "{\"a\":\"True\"}"},
		{"a=b=c", "{\"a\":\"b=c\"}"},
		{"a=9223372036854775807", "{\"a\":9223372036854775807}"},
		{"a=-9223372036854775808", "{\"a\":-9223372036854775808}"},
		{"a=9223372036854775808", "{\"a\":\"9223372036854775808\"}"},
		/* A board is text, and would lose its leading nought as a number. */
		{"goal=123804765", "{\"goal\":\"123804765\"}"},
		{"board=012345678", "{\"board\":\"012345678\"}"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *params = json_object();
		struct fault fault;
		assert_return_code(value_setting(params, cases[i].setting, &fault), 0);
		char *json = json_dumps(params, JSON_COMPACT);
		assert_string_equal(json, cases[i].json);
		free(json);
		json_decref(params);
	}
}

static void a_setting_is_given_once_and_in_utf8(void **state)
{
	(void)state;
	json_t *params = json_object();
	struct fault fault;
	assert_return_code(value_setting(params, "a=1", &fault), 0);
	assert_int_equal(value_setting(params, "a=2", &fault), -1);
	assert_string_equal(fault.sentence, "'a' is given twice");
	assert_int_equal(value_setting(params, "b=x\xff", &fault), -1);
	assert_string_equal(fault.sentence, "b is not UTF-8 at byte 2");
	assert_int_equal(value_setting(params, "\xff=1", &fault), -1);
	assert_int_equal(json_object_size(params), 1);
	json_decref(params);
}

static void distance_counts_slips_of_the_finger(void **state)
{
	(void)state;
	assert_int_equal(suggest_distance("solve", "solve"), 0);
	assert_int_equal(suggest_distance("slove", "solve"), 1);
	assert_int_equal(suggest_distance("solv", "solve"), 1);
	assert_int_equal(suggest_distance("", "abc"), 3);
	assert_int_equal(suggest_distance("kitten", "sitting"), 3);
	assert_int_equal(suggest_distance("ca", "abc"), 3);
}

static const char *nearest(const char *typed)
{
	static const char *const names[] = {"solve", "status", "batch", "ping", "list"};
	struct suggestion suggestion = {.typed = typed};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		suggest_consider(&suggestion, names[i]);
	return suggestion.name;
}

static void only_near_names_are_suggested(void **state)
{
	(void)state;
	assert_string_equal(nearest("slove"), "solve");
	assert_string_equal(nearest("stat"), "status");
	assert_string_equal(nearest("bacth"), "batch");
	assert_null(nearest("zebra"));
	assert_null(nearest("x"));
	assert_null(nearest("a-word-that-is-longer-than-any-name-there-is"));
}

static void check_boards(const char *expected, const char *input, const char *const *words)
{
	int count = 0;
	while (words[count])
		count++;
	FILE *file = fmemopen((char *)input, strlen(input) + !*input, "r");
	struct fault fault;
	json_t *boards = boards_of_words(count, (char *const *)words, file, &fault);
	assert_non_null(boards);
	char *json = json_dumps(boards, JSON_COMPACT);
	assert_string_equal(json, expected);
	free(json);
	json_decref(boards);
	fclose(file);
}

#define BOARDS(expected, ...)                                                                      \
	check_boards(expected, "from\ninput \r\n\n", (const char *const[]){__VA_ARGS__})

static void single_cells_are_one_board_and_longer_words_are_each(void **state)
{
	(void)state;
	BOARDS("[\"2 3 4 1 5 x 7 6 8\"]", "2", "3", "4", "1", "5", "x", "7", "6", "8", NULL);
	BOARDS("[\"15 14 0 1\"]", "15", "14", "0", "1", NULL);
	BOARDS("[\"283104765\"]", "283104765", NULL);
	BOARDS("[\"283104765\",\"123804765\"]", "283104765", "123804765", NULL);
	BOARDS("[\"2 8 3\",\"1\"]", "2 8 3", "1", NULL);
	BOARDS("[\"\xE2\x99\x98\xE2\x99\x9E *\"]", "\xE2\x99\x98\xE2\x99\x9E", "*", NULL);
	BOARDS("[\"\"]", "", NULL);
	BOARDS("[\"1 -\"]", "1", "-", NULL);
}

static void no_word_or_a_dash_is_the_input(void **state)
{
	(void)state;
	BOARDS("[\"from\\ninput\"]", NULL);
	BOARDS("[\"from\\ninput\"]", "-", NULL);
}

static void a_board_that_is_no_text_or_too_long_is_refused(void **state)
{
	(void)state;
	struct fault fault;
	char *words[] = {(char *)"28310476\xff"};
	assert_null(boards_of_words(1, words, stdin, &fault));
	assert_string_equal(fault.sentence, "the board is not UTF-8 at byte 9");
	assert_int_equal(fault.exit, EXIT_USAGE);

	static char text[LIMIT_BOARD + 2];
	memset(text, '1', sizeof(text) - 1);
	FILE *file = fmemopen(text, LIMIT_BOARD, "r");
	json_t *board = boards_read(file, &fault);
	assert_int_equal(json_string_length(board), LIMIT_BOARD);
	json_decref(board);
	fclose(file);
	file = fmemopen(text, LIMIT_BOARD + 1, "r");
	assert_null(boards_read(file, &fault));
	assert_string_equal(fault.sentence, "the board has more than 4096 bytes");
	assert_int_equal(fault.exit, EXIT_USAGE);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_operands_mix),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(leading_options_stop_at_the_command),
		cmocka_unit_test(arguments_may_stick_to_their_letter),
		cmocka_unit_test(wrong_options_are_told),
		cmocka_unit_test(durations_have_units),
		cmocka_unit_test(settings_take_the_type_they_look_like),
		cmocka_unit_test(a_setting_is_given_once_and_in_utf8),
		cmocka_unit_test(distance_counts_slips_of_the_finger),
		cmocka_unit_test(only_near_names_are_suggested),
		cmocka_unit_test(single_cells_are_one_board_and_longer_words_are_each),
		cmocka_unit_test(no_word_or_a_dash_is_the_input),
		cmocka_unit_test(a_board_that_is_no_text_or_too_long_is_refused),
	};
	return cmocka_run_group_tests_name("client_options", tests, NULL, NULL);
}
