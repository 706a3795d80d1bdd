/* SPDX-License-Identifier: MIT */
/*
 * The parser beside jansson's own reader, its slow and thorough twin: over texts put together at random from pieces
 * that mean something, over the corpus with bytes changed, and over every short text of some bytes, the two accept
 * the same and read the same.
 */
#include "tests/cmocka_first.h"

#include "common/limits.h"
#include "daemon/parse.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 100000, TEXT_MAX = 4096, CHANGES = 400 };

static uint64_t seed = 1;
static unsigned accepted, refused;

static unsigned below(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((seed >> 33) % n);
}

/* A copy of just the bytes, so that reading past them is seen. */
static void compare(const char *data, size_t len)
{
	struct error error = {0};
	char *text = malloc(len ? len : 1);
	assert_non_null(text);
	memcpy(text, data, len);
	json_t *want = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
	json_t *is = parse_json((struct text){text, len}, SIZE_MAX, &error);
	if (!want != !is || (want && !json_equal(want, is)))
		fail_msg("jansson %s, parse_json %s: %.*s", want ? "accepts" : "refuses",
			 is ? "accepts, or reads otherwise" : error.reason, (int)len, text);
	if (!is)
		assert_int_equal(error.kind, ERR_PARSE);
	accepted += want != NULL;
	refused += want == NULL;
	json_decref(want);
	json_decref(is);
	free(text);
}

/* ---- texts ---- */

static void test_pieces(void **state)
{
	static const char *const pieces[] = {"{",
					     "}",
					     "[",
					     "]",
					     ",",
					     ":",
					     " ",
					     "\t",
					     "\r\n",
					     "\"",
					     "\"a\":",
					     "\"b\":",
					     "\"a\"",
					     "\"\"",
					     "\\",
					     "\\u",
					     "\\u00e9",
					     "\\u0000",
					     "\\ud83e",
					     "\\udde9",
					     "\\\"",
					     "\\/",
					     "\\n",
					     "\\x",
					     "0",
					     "1",
					     "-",
					     "12",
					     ".",
					     ".5",
					     "e",
					     "E+",
					     "e-3",
					     "e999",
					     "true",
					     "false",
					     "null",
					     "nul",
					     "truex",
					     "9223372036854775807",
					     "9223372036854775808",
					     "-9223372036854775808",
					     "-9223372036854775809",
					     "\xC3\xA9",
					     "\xF0\x9F\xA7\xA9",
					     "\xC3",
					     "\xED\xA0\x80",
					     "\xF4\x90\x80\x80",
					     "\xC0\x80",
					     "\xEF\xBB\xBF",
					     "\x7F",
					     "\x1F",
					     "[1,2]",
					     "{\"a\":1}",
					     "\"x\\ty\"",
					     "99999999999999999999",
					     "1e308",
					     "-0",
					     "-0.0",
					     "01",
					     "x"};
	char text[TEXT_MAX];
	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		/* Half of them begin and end as an object or an array does: more of them are accepted. */
		unsigned kind = below(4), count = 1 + below(7);
		size_t len = 0;
		text[0] = '\0';
		strcat(text, kind == 0 ? "[" : kind == 1 ? "{\"a\":" : "");
		for (unsigned k = 0; k < count; k++)
			strcat(text, pieces[below(sizeof(pieces) / sizeof(pieces[0]))]);
		strcat(text, kind == 0 ? "]" : kind == 1 ? "}" : "");
		len = strlen(text);
		compare(text, len);
	}
	assert_in_range(accepted, MANY / 50, MANY);
}

/* The halves of characters, and what is next to them, one behind the other. */
static void test_surrogates(void **state)
{
	static const char *const codes[] = {"",        "\\u0001", "\\uD7FF", "\\uD800", "\\udb00",
					    "\\uDBFF", "\\uDC00", "\\udfff", "\\uE000", "\\uFFFF"};
	enum { CODES = sizeof(codes) / sizeof(codes[0]) };
	char text[64];
	(void)state;
	for (unsigned i = 0; i < CODES * CODES * CODES; i++) {
		int len = snprintf(text, sizeof(text), "\"%s%s%s\"", codes[i % CODES],
				   codes[i / CODES % CODES], codes[i / CODES / CODES]);
		compare(text, (size_t)len);
	}
}

static void test_every_short_text(void **state)
{
	static const char bytes[] = "{}[],:\"\\ u0-1.eatrn\xC3\xA9";
	enum { BYTES = sizeof(bytes) - 1, LENGTH = 4 };
	char text[LENGTH];
	(void)state;
	for (unsigned len = 0, all = 1; len <= LENGTH; len++, all *= BYTES) {
		for (unsigned number = 0; number < all; number++) {
			unsigned rest = number;
			for (unsigned k = 0; k < len; k++, rest /= BYTES)
				text[k] = bytes[rest % BYTES];
			compare(text, len);
		}
	}
}

/* As it stands, cut everywhere, and with a byte or two changed. */
static void compare_changed(const char *content, size_t len)
{
	char text[TEXT_MAX];
	compare(content, len);
	for (size_t cut = 0; cut < len; cut++)
		compare(content, cut);
	for (unsigned i = 0; i < CHANGES; i++) {
		memcpy(text, content, len);
		for (unsigned k = 0; k <= below(2); k++)
			text[below((unsigned)len)] =
				below(2) ? (char)below(256) : content[below((unsigned)len)];
		compare(text, len);
	}
}

static void test_corpus_changed(void **state)
{
	DIR *folder = opendir(PZ_TEST_CORPUS "/rpc");
	const struct dirent *entry;
	unsigned files = 0;
	(void)state;
	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		char path[4096], content[TEXT_MAX];
		/* Depth is bounded here and not there. */
		if (entry->d_name[0] == '.' || strstr(entry->d_name, "depth"))
			continue;
		snprintf(path, sizeof(path), PZ_TEST_CORPUS "/rpc/%s", entry->d_name);
		FILE *file = fopen(path, "rb");
		assert_non_null(file);
		size_t len = fread(content, 1, sizeof(content), file);
		fclose(file);
		assert_in_range(len, 1, TEXT_MAX - 1);
		compare_changed(content, len);
		files++;
	}
	closedir(folder);
	assert_in_range(files, 80, 1000);
	assert_in_range(accepted, 1000, UINT32_MAX);
	assert_in_range(refused, 1000, UINT32_MAX);
}

/* ---- bounds ---- */

static void assert_values(const char *text, size_t values)
{
	struct error error;
	const struct text all = {text, strlen(text)};
	json_t *json = parse_json(all, values, &error);
	assert_non_null(json);
	json_decref(json);
	assert_null(parse_json(all, values - 1, &error));
	assert_int_equal(error.kind, ERR_PARSE);
	assert_non_null(strstr(error.reason, "JSON values; send fewer boards"));
}

/* One, and one for each bracket that opens and each comma: never fewer than there are. */
static void test_values_are_bounded(void **state)
{
	(void)state;
	assert_values("[]", 2);
	assert_values("[1,2,3]", 4);
	assert_values("{\"a\":[1,2],\"b\":{}}", 6);
	assert_values("[[],[],[\",\",\"[\"]]", 8);
}

/* What a hostile line would take is refused before it is made: a line of a million brackets at the 33rd. */
static void test_depth_is_bounded(void **state)
{
	enum { LENGTH = 1000000 };
	struct error error;
	char *text = malloc(LENGTH);
	(void)state;
	assert_non_null(text);
	memset(text, '[', LENGTH);
	assert_null(parse_json((struct text){text, LENGTH}, SIZE_MAX, &error));
	assert_non_null(strstr(error.reason, "byte 33 opens level 33"));
	/* Brackets that close make room for others: [[],[], ... ,[]] */
	size_t len = 1;
	while (len + 4 < LENGTH) {
		memcpy(text + len, "[],", 3);
		len += 3;
	}
	text[len - 1] = ']';
	json_t *json = parse_json((struct text){text, len}, SIZE_MAX, &error);
	if (!json)
		fail_msg("%s", error.reason);
	json_decref(json);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_surrogates),
		cmocka_unit_test(test_every_short_text),
		cmocka_unit_test(test_corpus_changed),
		cmocka_unit_test(test_values_are_bounded),
		cmocka_unit_test(test_depth_is_bounded),
	};
	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
