/* SPDX-License-Identifier: MIT */
/* errors: the one table, and sentences that are cut where a character ends. */
#include "tests/cmocka_first.h"

#include "common/errors.h"

#include <string.h>

static void every_kind_has_a_name_a_code_and_a_sentence_of_its_own(void **state)
{
	(void)state;
	for (unsigned kind = ERR_NONE + 1; kind < ERR_KINDS; kind++) {
		const struct error_info *info = error_info((enum error_kind)kind);
		assert_non_null(info->name);
		assert_non_null(info->sentence);
		assert_true(info->name[0] && info->sentence[0]);
		assert_int_equal(error_by_name(text_of(info->name)), kind);
		assert_true(info->code < 0);
		assert_true(info->exit >= EXIT_USAGE && info->exit <= EXIT_FAULT);
		for (unsigned other = ERR_NONE + 1; other < kind; other++)
			assert_int_not_equal(info->code, error_info((enum error_kind)other)->code);
	}
}

static void the_codes_of_json_rpc_are_its_own(void **state)
{
	(void)state;
	assert_int_equal(error_info(ERR_PARSE)->code, -32700);
	assert_int_equal(error_info(ERR_INVALID_REQUEST)->code, -32600);
	assert_int_equal(error_info(ERR_METHOD_NOT_FOUND)->code, -32601);
	assert_int_equal(error_info(ERR_INVALID_PARAMS)->code, -32602);
	assert_int_equal(error_info(ERR_INTERNAL)->code, -32603);
}

static void what_is_no_kind_has_the_row_of_an_internal_error(void **state)
{
	(void)state;
	assert_ptr_equal(error_info(ERR_KINDS), error_info(ERR_INTERNAL));
	assert_ptr_equal(error_info((enum error_kind) - 1), error_info(ERR_INTERNAL));
	assert_ptr_equal(error_info((enum error_kind)1000000), error_info(ERR_INTERNAL));
}

static void what_is_no_name_is_no_kind(void **state)
{
	(void)state;
	assert_int_equal(error_by_name(text_of("")), ERR_NONE);
	assert_int_equal(error_by_name(text_of("Timeout")), ERR_NONE);
	assert_int_equal(error_by_name(text_of("timeouts")), ERR_NONE);
	assert_int_equal(error_by_name(text_of("timeou")), ERR_NONE);
	assert_int_equal(error_by_name(text_of("none")), ERR_NONE);
	assert_int_equal(error_by_name((struct text){NULL, 0}), ERR_NONE);
	assert_int_equal(error_by_name((struct text){"timeout\0", 8}), ERR_NONE);
}

static void setting_an_error_fills_every_member(void **state)
{
	struct error error;
	(void)state;
	memset(&error, 0x55, sizeof(error));
	assert_int_equal(error_set(&error, ERR_BUSY, "%d of %s", 3, "them"), -1);
	assert_int_equal(error.kind, ERR_BUSY);
	assert_int_equal(error.position, 0);
	assert_int_equal(error.lower_bound, -1);
	assert_int_equal(error.board, 0);
	assert_string_equal(error.reason, "3 of them");
}

static void a_reason_is_cut_at_the_border_of_a_character(void **state)
{
	enum { ROOM = sizeof(((struct error *)NULL)->reason) };
	static const char *const characters[] = {"a", "\xc3\xbc", "\xe2\x82\xac",
						 "\xf0\x9f\xa7\xa9"};
	(void)state;
	for (size_t width = 1; width <= 4; width++) {
		for (size_t shift = 0; shift < 4; shift++) {
			struct error error;
			char text[4 * ROOM] = "";
			memset(text, 'x', shift);
			while (strlen(text) < ROOM + 8)
				strcat(text, characters[width - 1]);
			error_set(&error, ERR_INTERNAL, "%s", text);
			size_t len = strlen(error.reason);
			/* As much as fits, and whole characters only. */
			assert_true(len < ROOM && len + width >= ROOM - 1);
			assert_memory_equal(error.reason, text, len);
			assert_int_equal((len - shift) % width, 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_has_a_name_a_code_and_a_sentence_of_its_own),
		cmocka_unit_test(the_codes_of_json_rpc_are_its_own),
		cmocka_unit_test(what_is_no_kind_has_the_row_of_an_internal_error),
		cmocka_unit_test(what_is_no_name_is_no_kind),
		cmocka_unit_test(setting_an_error_fills_every_member),
		cmocka_unit_test(a_reason_is_cut_at_the_border_of_a_character),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
