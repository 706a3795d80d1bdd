/* SPDX-License-Identifier: MIT */
#include "daemon/config_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_find(void **state)
{
	(void)state;
	for (size_t k = 0; k < CONFIG_KEYS; k++)
		assert_ptr_equal(config_key_find(config_keys[k].name), &config_keys[k]);
	assert_null(config_key_find(""));
	assert_null(config_key_find("Timeout"));
	assert_null(config_key_find("timeouts"));
}

static void test_slip(void **state)
{
	(void)state;
	assert_true(config_is_slip("daemon", "daemon"));
	assert_true(config_is_slip("deamon", "daemon"));
	assert_true(config_is_slip("demon", "daemon"));
	assert_true(config_is_slip("daemons", "daemon"));
	assert_true(config_is_slip("deamno", "daemon"));
	assert_false(config_is_slip("main", "daemon"));
	assert_false(config_is_slip("nomead", "daemon"));
	assert_false(config_is_slip("", "daemon"));
}

static void test_nearest(void **state)
{
	(void)state;
	static const struct {
		const char *written, *meant;
	} slips[] = {
		{"timeout", "timeout"},
		{"timeot", "timeout"},
		{"itmeout", "timeout"},
		{"max_line", "max_line"},
		{"maxline", "max_line"},
		{"worker", "worker"},
		{"wrokers", "workers"},
		{"memorry", "memory"},
		{"gaol", NULL},
		{"pluginn", NULL},
		{"temperature", NULL},
		{"", NULL},
		{"a_name_that_is_much_longer_than_any_of_ours", NULL},
	};
	for (size_t i = 0; i < sizeof(slips) / sizeof(slips[0]); i++) {
		const char *nearest = config_key_nearest(slips[i].written);
		if (slips[i].meant) {
			assert_non_null(nearest);
			assert_string_equal(nearest, slips[i].meant);
		} else {
			assert_null(nearest);
		}
	}
}

static void test_keys_print(void **state)
{
	(void)state;
	char *text;
	size_t len, lines = 0;
	FILE *stream = open_memstream(&text, &len);
	assert_non_null(stream);
	config_keys_print(stream);
	fclose(stream);
	assert_non_null(
		strstr(text, "both\ttimeout\tduration\t30s\t1ms\t8760h\treload\thow long "));
	assert_non_null(strstr(text, "daemon\tsocket_mode\tmode\t0660\t-\t-\trestart\tits perm"));
	assert_non_null(strstr(text, "puzzle\tgoal\ttext\t-\t-\t-\treload\tthe goal "));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
		size_t tabs = 0;
		for (const char *at = line; *at; at++)
			tabs += *at == '\t';
		assert_int_equal(tabs, 7);
		assert_non_null(strstr(line, config_keys[lines].name));
	}
	assert_int_equal(lines, CONFIG_KEYS);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_slip),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_keys_print),
	};
	return cmocka_run_group_tests_name("config_keys", tests, NULL, NULL);
}
