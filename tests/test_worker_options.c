/* SPDX-License-Identifier: MIT */
/* Typed options, and text made fit for a sentence. */
#include "tests/cmocka_first.h"

#include "worker/options.h"
#include "worker/plain.h"

#include <string.h>

static const char *const colours[] = {"red", "green", NULL};

enum { FLAG, COUNT, NAME, COLOUR, FIXED, OPTIONS };

static const struct pz_option schema[OPTIONS] = {
	[FLAG] = {.name = "flag", .type = PZ_BOOL, .scope = PZ_JOB, .fallback = "no"},
	[COUNT] = {.name = "count",
		   .type = PZ_INT,
		   .scope = PZ_JOB | PZ_CONFIG,
		   .fallback = "7",
		   .min = INT64_MIN,
		   .max = INT64_MAX},
	[NAME] = {.name = "name",
		  .type = PZ_TEXT,
		  .scope = PZ_JOB,
		  .fallback = "ab",
		  .min = 1,
		  .max = 3},
	[COLOUR] = {.name = "colour",
		    .type = PZ_CHOICE,
		    .scope = PZ_JOB,
		    .fallback = "green",
		    .choices = colours},
	[FIXED] = {.name = "fixed",
		   .type = PZ_INT,
		   .scope = PZ_CONFIG,
		   .fallback = "-1",
		   .min = -1,
		   .max = 255},
};

static int parse(int option, const char *value, enum wire_option_form form, int64_t *ret)
{
	struct pz_value parsed = {.number = -99};
	struct error error;
	int rc = option_parse(&schema[option], text_of(value), form, &parsed, &error);
	*ret = parsed.number;
	if (rc < 0) {
		assert_int_equal(error.kind, ERR_INVALID_PARAMS);
		assert_non_null(strstr(error.reason, schema[option].name));
		assert_int_equal(parsed.number, -99);
	}
	return rc;
}

static void a_bool_has_four_words_each_way(void **state)
{
	static const char *const yes[] = {"yes", "true", "on", "1"};
	static const char *const no[] = {"no", "false", "off", "0"};
	static const char *const neither[] = {"", "2", "YES", "y", "yes ", "01"};
	int64_t value;
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(parse(FLAG, yes[i], WIRE_TEXT, &value), 0);
		assert_int_equal(value, 1);
		assert_int_equal(parse(FLAG, no[i], WIRE_TEXT, &value), 0);
		assert_int_equal(value, 0);
	}
	assert_int_equal(parse(FLAG, "true", WIRE_BOOLEAN, &value), 0);
	assert_int_equal(parse(FLAG, "1", WIRE_NUMBER, &value), 0);
	for (size_t i = 0; i < sizeof(neither) / sizeof(neither[0]); i++)
		assert_int_equal(parse(FLAG, neither[i], WIRE_TEXT, &value), -1);
}

static void an_int_is_exact_up_to_the_ends_of_its_range(void **state)
{
	static const char *const wrong[] = {"",
					    "-",
					    "+1",
					    " 1",
					    "1 ",
					    "1.0",
					    "1e3",
					    "0x10",
					    "4g",
					    "--1",
					    "9223372036854775808",
					    "-9223372036854775809",
					    "18446744073709551616",
					    "99999999999999999999999999999999"};
	int64_t value;
	(void)state;
	assert_int_equal(parse(COUNT, "9223372036854775807", WIRE_NUMBER, &value), 0);
	assert_true(value == INT64_MAX);
	assert_int_equal(parse(COUNT, "-9223372036854775808", WIRE_TEXT, &value), 0);
	assert_true(value == INT64_MIN);
	assert_int_equal(parse(COUNT, "-0", WIRE_TEXT, &value), 0);
	assert_int_equal(value, 0);
	assert_int_equal(parse(COUNT, "010", WIRE_TEXT, &value), 0);
	assert_int_equal(value, 10);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(parse(COUNT, wrong[i], WIRE_TEXT, &value), -1);
	assert_int_equal(parse(COUNT, "true", WIRE_BOOLEAN, &value), -1);
	assert_int_equal(parse(FIXED, "-1", WIRE_TEXT, &value), 0);
	assert_int_equal(parse(FIXED, "-2", WIRE_TEXT, &value), -1);
	assert_int_equal(parse(FIXED, "255", WIRE_TEXT, &value), 0);
	assert_int_equal(parse(FIXED, "256", WIRE_TEXT, &value), -1);
}

static void a_text_has_a_length_and_a_choice_is_one_of_its_words(void **state)
{
	int64_t value;
	(void)state;
	assert_int_equal(parse(NAME, "", WIRE_TEXT, &value), -1);
	assert_int_equal(parse(NAME, "a", WIRE_TEXT, &value), 0);
	assert_int_equal(parse(NAME, "abc", WIRE_TEXT, &value), 0);
	assert_int_equal(parse(NAME, "abcd", WIRE_TEXT, &value), -1);
	assert_int_equal(parse(NAME, "true", WIRE_BOOLEAN, &value), -1);
	assert_int_equal(parse(COLOUR, "red", WIRE_TEXT, &value), 0);
	assert_int_equal(value, 0);
	assert_int_equal(parse(COLOUR, "green", WIRE_TEXT, &value), 0);
	assert_int_equal(value, 1);
	assert_int_equal(parse(COLOUR, "gree", WIRE_TEXT, &value), -1);
	assert_int_equal(parse(COLOUR, "", WIRE_TEXT, &value), -1);
}

static void defaults_are_parsed_like_values(void **state)
{
	struct pz_value values[OPTIONS];
	struct error error;
	(void)state;
	assert_int_equal(options_default(schema, OPTIONS, values, &error), 0);
	assert_int_equal(values[FLAG].number, 0);
	assert_int_equal(values[COUNT].number, 7);
	assert_int_equal(values[NAME].text.len, 2);
	assert_int_equal(values[COLOUR].number, 1);
	assert_int_equal(values[FIXED].number, -1);
	struct pz_option bad = schema[COUNT];
	bad.fallback = "many";
	assert_int_equal(options_default(&bad, 1, values, &error), -1);
	assert_non_null(strstr(error.reason, "\"count\""));
}

/* Sets one option; the sentence of the failure, or NULL. */
static const char *set_one(enum pz_scope scope, const char *name, const char *value)
{
	static struct error error;
	struct pz_value values[OPTIONS];
	struct wire_option given = {text_of(name), text_of(value), WIRE_TEXT};
	uint32_t bad;
	return options_set(schema, OPTIONS, scope, &given, 1, values, &bad, &error) < 0
		       ? error.reason
		       : NULL;
}

static void scopes_are_kept_apart(void **state)
{
	(void)state;
	assert_null(set_one(PZ_JOB, "flag", "yes"));
	assert_null(set_one(PZ_JOB, "count", "1"));
	assert_null(set_one(PZ_CONFIG, "count", "1"));
	assert_null(set_one(PZ_CONFIG, "fixed", "1"));
	assert_string_equal(set_one(PZ_JOB, "fixed", "1"),
			    "\"fixed\" is set in the configuration, not in a request");
	assert_string_equal(set_one(PZ_CONFIG, "flag", "1"),
			    "\"flag\" belongs to a request, not to the configuration");
}

static void an_unknown_option_is_told_what_there_is(void **state)
{
	(void)state;
	assert_string_equal(set_one(PZ_JOB, "colr", "red"),
			    "there is no option \"colr\"; this puzzle's options here: flag, count, "
			    "name, colour");
	assert_string_equal(set_one(PZ_CONFIG, "", "red"),
			    "there is no option \"\"; this puzzle's options here: count, fixed");
}

static void the_option_at_fault_is_pointed_out(void **state)
{
	struct pz_value values[OPTIONS];
	struct error error;
	uint32_t bad = 99;
	const struct wire_option given[] = {
		{text_of("flag"), text_of("yes"), WIRE_TEXT},
		{text_of("count"), text_of("2"), WIRE_TEXT},
		{text_of("flag"), text_of("no"), WIRE_TEXT},
	};
	(void)state;
	assert_int_equal(options_set(schema, OPTIONS, PZ_JOB, given, 3, values, &bad, &error), -1);
	assert_int_equal(bad, 2);
	assert_string_equal(error.reason, "\"flag\" is given twice");
	assert_int_equal(options_set(schema, OPTIONS, PZ_JOB, given, 2, values, &bad, &error), 0);
	assert_int_equal(values[FLAG].number, 1);
	assert_int_equal(values[COUNT].number, 2);
}

/* ---- plain --------------------------------------------------------------------------------- */

static void what_could_harm_a_reader_becomes_a_question_mark(void **state)
{
	char out[64];
	(void)state;
	assert_int_equal(plain_copy(out, sizeof(out),
				    text_of("a\nb\x1b[2Jc\x7f\xff\xc3"
					    "z")),
			 12);
	assert_string_equal(out, "a?b?[2Jc???z");
	plain_copy(out, sizeof(out), text_of("gr\xc3\xbc\xc3\x9f"));
	assert_string_equal(out, "gr\xc3\xbc\xc3\x9f");
	plain_copy(out, sizeof(out), (struct text){"a\0b", 3});
	assert_string_equal(out, "a?b");
}

static void a_long_text_is_cut_at_a_character(void **state)
{
	char out[8];
	(void)state;
	assert_int_equal(plain_copy(out, sizeof(out), text_of("1234567")), 7);
	assert_string_equal(out, "1234567");
	assert_int_equal(plain_copy(out, sizeof(out), text_of("12345678")), 7);
	assert_string_equal(out, "1234...");
	plain_copy(out, sizeof(out), text_of("123\xc3\xbc\xc3\xbc\xc3\xbc"));
	assert_string_equal(out, "123...");
	char least[4];
	plain_copy(least, sizeof(least), text_of("1234"));
	assert_string_equal(least, "...");
	assert_string_equal(plain_quote(text_of("")).text, "\"\"");
	struct plain quoted = plain_quote(
		text_of("0123456789012345678901234567890123456789012345678901234567890123456789"));
	assert_int_equal(strlen(quoted.text), sizeof(quoted.text) - 1);
	assert_string_equal(quoted.text + strlen(quoted.text) - 4, "...\"");
}

static void plain_text_is_told_from_other(void **state)
{
	(void)state;
	assert_true(plain_check(text_of("gr\xc3\xbc\xc3\x9f"), false));
	assert_true(plain_check(text_of(""), false));
	assert_true(plain_check(text_of("a\nb"), true));
	assert_false(plain_check(text_of("a\nb"), false));
	assert_false(plain_check(text_of("a\tb"), true));
	assert_false(plain_check(text_of("\xed\xa0\x80"), true));
	assert_false(plain_check((struct text){"a\0", 2}, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bool_has_four_words_each_way),
		cmocka_unit_test(an_int_is_exact_up_to_the_ends_of_its_range),
		cmocka_unit_test(a_text_has_a_length_and_a_choice_is_one_of_its_words),
		cmocka_unit_test(defaults_are_parsed_like_values),
		cmocka_unit_test(scopes_are_kept_apart),
		cmocka_unit_test(an_unknown_option_is_told_what_there_is),
		cmocka_unit_test(the_option_at_fault_is_pointed_out),
		cmocka_unit_test(what_could_harm_a_reader_becomes_a_question_mark),
		cmocka_unit_test(a_long_text_is_cut_at_a_character),
		cmocka_unit_test(plain_text_is_told_from_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
