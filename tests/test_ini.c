/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "common/ini.h"

#include "common/limits.h"
#include "common/reason.h"
#include "tests/corpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the corpus: a good file wants its entries in order, as "LINE section" and "LINE section
 * key=value"; a bad one wants "LINE: sentence". ---- */

struct collected {
	const struct corpus_file *file;
	size_t count;
};

static int compare_entry(void *arg, const struct ini_entry *entry, char *reason, size_t cap)
{
	(void)reason, (void)cap;
	struct collected *collected = arg;
	char line[2048];
	snprintf(line, sizeof(line), "%u %s%s%s%s%s", entry->line, entry->section,
		 entry->key ? " " : "", entry->key ? entry->key : "", entry->key ? "=" : "",
		 entry->key ? entry->value : "");
	if (collected->file->good) {
		assert_true(collected->count < collected->file->want_count);
		assert_string_equal(line, collected->file->wants[collected->count]);
	}
	collected->count++;
	return 0;
}

static void test_corpus_file(void **state)
{
	const struct corpus_file *file = *state;
	struct collected collected = {file, 0};
	char reason[REASON_MAX] = "";
	int result =
		ini_read(file->content, "FILE", compare_entry, &collected, reason, sizeof(reason));
	if (file->good) {
		assert_string_equal(reason, "");
		assert_int_equal(result, 0);
		assert_int_equal(collected.count, file->want_count);
	} else {
		assert_int_equal(result, -1);
		assert_memory_equal(reason, "FILE:", 5);
		assert_string_equal(reason + 5, file->wants[0]);
	}
}

/* ---- the slow twin: what a file means by the letter of ini.h, for one that is right -------- */

/* The text from the first byte of `line` to its last that is no space. */
static struct text trimmed(struct text line)
{
	for (; line.len && strchr(" \t", line.data[0]); line.data++)
		line.len--;
	while (line.len && strchr(" \t", line.data[line.len - 1]))
		line.len--;
	return line;
}

static struct text before(struct text line, const char *mark)
{
	for (size_t at = 0; at < line.len; at++)
		if (line.len - at >= strlen(mark) &&
		    memcmp(line.data + at, mark, strlen(mark)) == 0)
			return (struct text){line.data, at};
	return line;
}

/* Prints the entries of `content` as print_entry would. */
static void read_naively(struct text content, FILE *out)
{
	struct text section = {"", 0};
	for (unsigned number = 1; content.len; number++) {
		struct text line = before(content, "\n");
		size_t used = line.len + (line.len < content.len);
		content = (struct text){content.data + used, content.len - used};
		if (number == 1 && line.len >= 3 && memcmp(line.data, "\xEF\xBB\xBF", 3) == 0)
			line = (struct text){line.data + 3, line.len - 3};
		if (line.len && line.data[line.len - 1] == '\r')
			line.len--;
		line = trimmed(line);
		if (!line.len || line.data[0] == ';' || line.data[0] == '#')
			continue;
		if (line.data[0] == '[') {
			section = before((struct text){line.data + 1, line.len - 1}, "]");
			fprintf(out, "%u %.*s\n", number, (int)section.len, section.data);
			continue;
		}
		struct text key = before(line, "=");
		struct text value = {key.data + key.len + 1, line.len - key.len - 1};
		key = trimmed(key);
		value = trimmed(before(before(value, " ;"), "\t;"));
		fprintf(out, "%u %.*s %.*s=%.*s\n", number, (int)section.len, section.data,
			(int)key.len, key.data, (int)value.len, value.data);
	}
}

static int print_entry(void *arg, const struct ini_entry *entry, char *reason, size_t cap)
{
	(void)reason, (void)cap;
	if (entry->key)
		fprintf(arg, "%u %s %s=%s\n", entry->line, entry->section, entry->key,
			entry->value);
	else
		fprintf(arg, "%u %s\n", entry->line, entry->section);
	return 0;
}

/* Any file is refused with its name and line, or read as the twin reads it: nothing is cut, folded,
 * skipped or taken for something else on the way through inih. */
static void test_as_the_twin(void **state)
{
	(void)state;
	static const char *const pieces[] = {"[s]",     "[puzzle:x]",  "[",
					     "]",       "a",           "key",
					     "b-2",     "=",           " = ",
					     "=",       " ",           "\t",
					     " ;",      "\t;",         ";",
					     "#",       " #",          "\n",
					     "\n",      "\n",          "\r\n",
					     "\n[t]\n", "x",           "value",
					     "é",       ":",           "\"",
					     "'",       "1",           "\na = ",
					     "\nb=",    "\n[u] ; c\n", "\xEF\xBB\xBF",
					     "\xFF",    "\\"};
	enum { PIECES = sizeof(pieces) / sizeof(pieces[0]) };
	uint32_t random = 7;
	unsigned accepted = 0;
	for (int round = 0; round < 200000; round++) {
		char content[256] = "";
		size_t count = 1 + (size_t)round % 20;
		if (round % 3)
			strcpy(content, "[s]\n");
		for (size_t i = 0; i < count; i++) {
			random = random * 1664525 + 1013904223;
			strcat(content, pieces[(random >> 8) % PIECES]);
		}
		static char found[4096], wanted[4096];
		found[0] = wanted[0] = 0;
		char reason[REASON_MAX];
		FILE *out = fmemopen(found, sizeof(found), "w");
		int result = ini_read(text_of(content), "FILE", print_entry, out, reason,
				      sizeof(reason));
		fclose(out);
		if (result < 0) {
			assert_memory_equal(reason, "FILE:", 5);
			assert_in_range(reason[5], '1', '9');
			continue;
		}
		accepted++;
		out = fmemopen(wanted, sizeof(wanted), "w");
		read_naively(text_of(content), out);
		fclose(out);
		if (strcmp(found, wanted) != 0)
			fail_msg("'%s'\nis read as\n%s\nand means\n%s", content, found, wanted);
	}
	/* Enough of them are right for that to say something. */
	assert_true(accepted > 10000);
}

/* ---- what no file shows -------------------------------------------------------------------- */

/* Keeps the last value; refuses a key called "no". */
static int keep_value(void *arg, const struct ini_entry *entry, char *reason, size_t cap)
{
	if (entry->key && strcmp(entry->key, "no") == 0)
		return reason_set(reason, cap, "not this one");
	if (entry->key)
		snprintf(arg, 2048, "%s", entry->value);
	return 0;
}

/* Reads "[s]\nk = xxx..." with a second line of `len` bytes. */
static int read_long_line(size_t len, char *value, char *reason)
{
	char content[2048] = "[s]\nk = ";
	memset(content + strlen(content), 'x', len - strlen("k = "));
	return ini_read(text_of(content), "FILE", keep_value, value, reason, REASON_MAX);
}

/* Whatever inih was built for, a line comes through whole or is refused with the length allowed. */
static void test_line_is_whole_or_refused(void **state)
{
	(void)state;
	char value[2048], reason[REASON_MAX];
	size_t longest = 0;
	for (size_t len = 10; len <= 1100; len++) {
		if (read_long_line(len, value, reason) == 0) {
			assert_int_equal(longest, len > 10 ? len - 1 : 0);
			assert_int_equal(strlen(value), len - strlen("k = "));
			longest = len;
		} else {
			char want[REASON_MAX];
			snprintf(want, sizeof(want),
				 "FILE:2: the line has %zu bytes, but at most %zu are allowed", len,
				 longest);
			assert_string_equal(reason, want);
		}
	}
	assert_in_range(longest, 190, LIMIT_CONFIG_LINE);
#if HAVE_DECL_INI_MAX_LINE
	assert_int_equal(longest, LIMIT_CONFIG_LINE);
#endif
}

static void test_visitor_ends_the_reading(void **state)
{
	(void)state;
	char value[2048] = "", reason[REASON_MAX];
	int result = ini_read(text_of("[s]\na = 1\nno = 2\nb = 3\n[broken\n"), "FILE", keep_value,
			      value, reason, sizeof(reason));
	assert_int_equal(result, -1);
	assert_string_equal(reason, "FILE:3: not this one");
	assert_string_equal(value, "1");
}

static void test_nul_ends_no_text(void **state)
{
	(void)state;
	char value[2048] = "", reason[REASON_MAX];
	static const char content[] = "[s]\na = 1\n\0\nb = 2\n";
	int result = ini_read((struct text){content, sizeof(content) - 1}, "FILE", keep_value,
			      value, reason, sizeof(reason));
	assert_int_equal(result, -1);
	assert_string_equal(reason,
			    "FILE:3: byte 1 of the line begins U+0000, a control character");
}

/* ---- files --------------------------------------------------------------------------------- */

/* A file of this content, whose name is put in `path`. */
static void make_file(char *path, struct text content)
{
	strcpy(path, "/tmp/puzzled-test-ini.XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	for (size_t at = 0; at < content.len;) {
		ssize_t done = write(fd, content.data + at, content.len - at);
		assert_true(done > 0);
		at += (size_t)done;
	}
	close(fd);
}

static void test_file(void **state)
{
	(void)state;
	char path[64], value[2048] = "", reason[REASON_MAX] = "", want[REASON_MAX];
	make_file(path, text_of("[s]\na = 1\nb"));
	assert_int_equal(ini_read_file(path, keep_value, value, reason, sizeof(reason)), -1);
	snprintf(want, sizeof(want), "%s:3: neither [section] nor key = value", path);
	assert_string_equal(reason, want);
	assert_string_equal(value, "1");
	unlink(path);

	assert_int_equal(ini_read_file(path, keep_value, value, reason, sizeof(reason)), -1);
	snprintf(want, sizeof(want), "%s: %s", path, strerror(ENOENT));
	assert_string_equal(reason, want);
}

static void test_file_of_the_largest_size(void **state)
{
	(void)state;
	char path[64], value[2048] = "", reason[REASON_MAX] = "", want[REASON_MAX];
	char *content = malloc(LIMIT_CONFIG_FILE + 1);
	memset(content, '\n', LIMIT_CONFIG_FILE + 1);
	memcpy(content + LIMIT_CONFIG_FILE - 9, "[s]\na = 1", 9);
	make_file(path, (struct text){content, LIMIT_CONFIG_FILE});
	assert_int_equal(ini_read_file(path, keep_value, value, reason, sizeof(reason)), 0);
	assert_string_equal(value, "1");
	unlink(path);

	make_file(path, (struct text){content, LIMIT_CONFIG_FILE + 1});
	assert_int_equal(ini_read_file(path, keep_value, value, reason, sizeof(reason)), -1);
	snprintf(want, sizeof(want), "%s: larger than %d bytes", path, LIMIT_CONFIG_FILE);
	assert_string_equal(reason, want);
	unlink(path);
	free(content);
}

static void test_only_regular_files(void **state)
{
	(void)state;
	char folder[] = "/tmp/puzzled-test-ini.XXXXXX", fifo[64], value[2048];
	char reason[REASON_MAX], want[REASON_MAX];
	assert_non_null(mkdtemp(folder));
	assert_int_equal(ini_read_file(folder, keep_value, value, reason, sizeof(reason)), -1);
	snprintf(want, sizeof(want), "%s: not a regular file", folder);
	assert_string_equal(reason, want);

	/* A FIFO that nobody writes to must not hold the reader up. */
	snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
	alarm(20);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(ini_read_file(fifo, keep_value, value, reason, sizeof(reason)), -1);
	snprintf(want, sizeof(want), "%s: not a regular file", fifo);
	assert_string_equal(reason, want);
	alarm(0);
	unlink(fifo);
	rmdir(folder);
}

int main(void)
{
	static struct CMUnitTest tests[256] = {
		cmocka_unit_test(test_as_the_twin),
		cmocka_unit_test(test_line_is_whole_or_refused),
		cmocka_unit_test(test_visitor_ends_the_reading),
		cmocka_unit_test(test_nul_ends_no_text),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_file_of_the_largest_size),
		cmocka_unit_test(test_only_regular_files),
	};
	enum { FIXED = 7 };
	size_t count = FIXED + corpus_tests(PZ_TEST_CORPUS "/ini", test_corpus_file, tests + FIXED,
					    sizeof(tests) / sizeof(tests[0]) - FIXED);
	return _cmocka_run_group_tests("ini", tests, count, NULL, NULL);
}
