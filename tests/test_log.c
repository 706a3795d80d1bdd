/* SPDX-License-Identifier: MIT */
#include "common/log.h"

#include "common/limits.h"
#include "common/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a pipe in stderr's place -------------------------------------------------------------- */

static int pipe_fds[2];

static int open_pipe(void **state)
{
	(void)state;
	unsetenv("JOURNAL_STREAM");
	if (pipe(pipe_fds) < 0 || fcntl(pipe_fds[0], F_SETFL, O_NONBLOCK) < 0)
		return -1;
	log_setup(pipe_fds[1]);
	log_set_level(LEVEL_DEBUG);
	return 0;
}

static int close_pipe(void **state)
{
	(void)state;
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	log_setup(STDERR_FILENO);
	return 0;
}

/* What was written since the last call. */
static const char *written(void)
{
	static char bytes[256 * 1024];
	ssize_t len = read(pipe_fds[0], bytes, sizeof(bytes) - 1);
	bytes[len < 0 ? 0 : len] = '\0';
	return bytes;
}

/* The same, of one line, without its time. */
static const char *written_line(void)
{
	static const char form[] = "time=dddd-dd-ddTdd:dd:dd.dddZ ";
	const char *line = written();
	for (size_t i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == 'd')
			assert_in_range(line[i], '0', '9');
		else
			assert_int_equal(line[i], form[i]);
	return line + sizeof(form) - 1;
}

static void test_line(void **state)
{
	(void)state;
	log_info("worker_started", KV("puzzle", "8puzzle"), KV("pid", 123));
	assert_string_equal(written_line(),
			    "level=info event=worker_started puzzle=8puzzle pid=123\n");
	log_error("alone");
	assert_string_equal(written_line(), "level=error event=alone\n");
}

static void test_types(void **state)
{
	(void)state;
	char array[] = "array";
	const char *constant = "constant";
	struct text text = {"text with more", 4};
	enum log_level level = LEVEL_DEBUG;
	log_info("types", KV("a", array), KV("b", constant), KV("c", text), KV("d", (bool)1),
		 KV("e", (bool)0), KV("f", -1), KV("g", (size_t)-1), KV("h", INT64_MIN),
		 KV("i", (uint8_t)255), KV("j", (short)-2), KV("k", level));
	assert_string_equal(written_line(),
			    "level=info event=types a=array b=constant c=text d=true e=false f=-1 "
			    "g=18446744073709551615 h=-9223372036854775808 i=255 j=-2 k=7\n");
}

static void test_what_is_not_there(void **state)
{
	(void)state;
	log_info("x", KV("a", (const char *)NULL), KV("b", ""), KV("c", (struct text){NULL, 0}));
	assert_string_equal(written_line(), "level=info event=x b=\"\"\n");
}

static void test_errno(void **state)
{
	(void)state;
	char want[256];
	snprintf(want, sizeof(want), "level=error event=x error=\"%s\" error=\"%s\"\n",
		 strerror(ENOENT), strerror(ENOENT));
	log_error("x", KV_ERRNO(ENOENT), KV_ERRNO(-ENOENT));
	assert_string_equal(written_line(), want);
	errno = ENOTTY;
	log_error("x");
	assert_int_equal(errno, ENOTTY);
}

static void test_level(void **state)
{
	(void)state;
	int evaluated = 0;
	log_set_level(LEVEL_NOTICE);
	log_info("x", KV("a", ++evaluated));
	log_debug("x", KV("a", ++evaluated));
	assert_string_equal(written(), "");
	assert_int_equal(evaluated, 0);
	log_notice("x", KV("a", ++evaluated));
	assert_string_equal(written_line(), "level=notice event=x a=1\n");
	LOG_AT(LEVEL_WARNING, "y", KV("a", ++evaluated));
	assert_string_equal(written_line(), "level=warning event=y a=2\n");
}

static void test_level_names(void **state)
{
	(void)state;
	for (unsigned level = LEVEL_ERROR; level <= LEVEL_DEBUG; level++) {
		enum log_level found;
		assert_true(log_level_by_name(text_of(log_level_name(level)), &found));
		assert_int_equal(found, level);
	}
	enum log_level untouched = LEVEL_NOTICE;
	assert_false(log_level_by_name(text_of("verbose"), &untouched));
	assert_false(log_level_by_name(text_of(""), &untouched));
	assert_int_equal(untouched, LEVEL_NOTICE);
	assert_string_equal(log_level_name((enum log_level)2), "unknown");
	assert_string_equal(log_level_name((enum log_level)8), "unknown");
}

/* ---- the journal --------------------------------------------------------------------------- */

static void set_stream(unsigned long long device, unsigned long long inode, const char *tail)
{
	char stream[64];
	snprintf(stream, sizeof(stream), "%llu:%llu%s", device, inode, tail);
	setenv("JOURNAL_STREAM", stream, 1);
	log_setup(pipe_fds[1]);
}

static void test_journal(void **state)
{
	(void)state;
	struct stat status;
	assert_int_equal(fstat(pipe_fds[1], &status), 0);
	set_stream(status.st_dev, status.st_ino, "");
	log_error("x");
	log_debug("y", KV("a", 1));
	assert_string_equal(written(), "<3>level=error event=x\n<7>level=debug event=y a=1\n");

	/* The variable is inherited by programs whose stderr leads elsewhere. */
	set_stream(status.st_dev, status.st_ino + 1, "");
	log_error("x");
	assert_string_equal(written_line(), "level=error event=x\n");
	set_stream(status.st_dev + 1, status.st_ino, "");
	log_error("x");
	assert_string_equal(written_line(), "level=error event=x\n");
	set_stream(status.st_dev, status.st_ino, "x");
	log_error("x");
	assert_string_equal(written_line(), "level=error event=x\n");
	setenv("JOURNAL_STREAM", "", 1);
	log_setup(pipe_fds[1]);
	log_error("x");
	assert_string_equal(written_line(), "level=error event=x\n");
}

/* ---- text from outside --------------------------------------------------------------------- */

static void test_quoting(void **state)
{
	(void)state;
	static const struct {
		const char *value, *printed;
	} cases[] = {
		{"/run/puzzled/puzzled.sock", "/run/puzzled/puzzled.sock"},
		{"283104765", "283104765"},
		{"a b", "\"a b\""},
		{"a=b", "\"a=b\""},
		{"say \"no\"", "\"say \\\"no\\\"\""},
		{"back\\slash", "\"back\\\\slash\""},
		{"x\nlevel=error event=forged", "\"x\\nlevel=error event=forged\""},
		{"\r\t", "\"\\r\\t\""},
		{"\x1b[2Jred", "\"\\x1B[2Jred\""},
		{"Größe", "\"Größe\""},
		{"bad \xFF\xC3", "\"bad \\xFF\\xC3\""},
		{"\xC2\x9B"
		 "31m",
		 "\"\\xC2\\x9B31m\""},
		{"\u202egnirts", "\"\\xE2\\x80\\xAEgnirts\""},
		{"<3>x", "\"<3>x\""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char want[256];
		snprintf(want, sizeof(want), "level=info event=x v=%s z=1\n", cases[i].printed);
		log_info("x", KV("v", cases[i].value), KV("z", 1));
		assert_string_equal(written_line(), want);
	}
}

/* The slow twin of the quoting: undoes it. */
static size_t unquote(const char *quoted, size_t len, char *out)
{
	size_t made = 0;
	if (quoted[0] != '"') {
		memcpy(out, quoted, len);
		return len;
	}
	assert_int_equal(quoted[len - 1], '"');
	for (size_t i = 1; i < len - 1; i++) {
		assert_int_not_equal(quoted[i], '"');
		if (quoted[i] != '\\') {
			out[made++] = quoted[i];
			continue;
		}
		unsigned byte;
		switch (quoted[++i]) {
		case 'n':
			out[made++] = '\n';
			break;
		case 'r':
			out[made++] = '\r';
			break;
		case 't':
			out[made++] = '\t';
			break;
		case 'x':
			assert_int_equal(sscanf(quoted + i + 1, "%2X", &byte), 1);
			out[made++] = (char)byte;
			i += 2;
			break;
		default:
			out[made++] = quoted[i];
			break;
		}
	}
	return made;
}

/* Whatever the bytes: one line of UTF-8 without control characters, from which they can be read
 * again. */
static void test_nothing_forges_a_line(void **state)
{
	(void)state;
	static const char head[] = "level=info event=x v=";
	uint32_t random = 1;
	for (int round = 0; round < 20000; round++) {
		char value[64], back[LIMIT_LOG_LINE];
		size_t len = (size_t)(round % 64);
		for (size_t i = 0; i < len; i++) {
			random = random * 1664525 + 1013904223;
			/* One time in four of the few bytes that quoting is about. */
			value[i] = random >> 30 ? (char)(random >> 16)
						: "\"\\\n= \x1b\xC2\x80"[random >> 16 & 7];
		}
		log_info("x", KV("v", ((struct text){value, len})));
		const char *line = written_line();
		size_t end = strlen(line) - 1;
		assert_int_equal(line[end], '\n');
		for (size_t at = 0, step; at < end; at += step) {
			uint32_t character;
			step = utf8_next((struct text){line + at, end - at}, &character);
			assert_int_not_equal(step, 0);
			assert_false(utf8_is_control(character));
		}
		assert_memory_equal(line, head, strlen(head));
		assert_int_equal(unquote(line + strlen(head), end - strlen(head), back), len);
		assert_memory_equal(back, value, len);
	}
}

static void test_long_value(void **state)
{
	(void)state;
	char value[3000], want[LIMIT_LOG_LINE];
	memset(value, 'x', sizeof(value));
	/* The longest that is printed whole, and one byte more. */
	log_info("x", KV("v", ((struct text){value, LIMIT_LOG_VALUE})));
	snprintf(want, sizeof(want), "level=info event=x v=%.*s\n", LIMIT_LOG_VALUE, value);
	assert_string_equal(written_line(), want);
	log_info("x", KV("v", ((struct text){value, LIMIT_LOG_VALUE + 1})), KV("z", 1));
	snprintf(want, sizeof(want), "level=info event=x v=\"%.*s...\" z=1\n", LIMIT_LOG_VALUE - 5,
		 value);
	assert_string_equal(written_line(), want);

	/* No escape and no character is cut in two. */
	for (size_t shift = 0; shift < 8; shift++) {
		memset(value, 'x', shift);
		for (size_t i = shift; i + 1 < sizeof(value); i += 2)
			memcpy(value + i, i % 4 < 2 ? "é" : "\x01\x01", 2);
		log_info("x", KV("v", ((struct text){value, sizeof(value)})));
		const char *line = written_line();
		char back[LIMIT_LOG_LINE];
		size_t len = strlen(line) - 1, start = strlen("level=info event=x v=");
		assert_in_range(len - start, LIMIT_LOG_VALUE - 8, LIMIT_LOG_VALUE);
		assert_int_equal(utf8_check((struct text){line, len}), len);
		size_t made = unquote(line + start, len - start, back);
		assert_memory_equal(back + made - 3, "...", 3);
		assert_memory_equal(back, value, made - 3);
	}
}

static void test_long_line(void **state)
{
	(void)state;
	char value[600];
	memset(value, '\x01', sizeof(value));
	struct text text = {value, sizeof(value)};
	log_info("x", KV("a", text), KV("b", text), KV("c", text), KV("d", text), KV("e", text),
		 KV("z", 1));
	const char *whole = written();
	assert_true(strlen(whole) <= LIMIT_LOG_LINE);
	assert_true(strlen(whole) > LIMIT_LOG_LINE - LIMIT_LOG_VALUE);
	assert_non_null(strstr(whole, " c=\""));
	assert_null(strstr(whole, " d=\""));
	static const char tail[] = "...\" z=1 cut=true\n";
	assert_string_equal(whole + strlen(whole) - strlen(tail), tail);
}

/* ---- a reader that stopped reading --------------------------------------------------------- */

static void test_full_pipe(void **state)
{
	(void)state;
	/* Were a write to wait, this would end it. */
	alarm(20);
	char value[400];
	memset(value, 'x', sizeof(value));
	size_t lines = 0, got = 0;
	const char *text;
	for (; lines < 1000; lines++)
		log_info("x", KV("v", ((struct text){value, sizeof(value)})));
	/* The pipe holds less; the reader comes back and finds whole lines only. */
	while (*(text = written())) {
		assert_int_equal(text[strlen(text) - 1], '\n');
		for (; *text; text++)
			got += *text == '\n';
	}
	assert_in_range(got, 10, 900);
	char want[64];
	snprintf(want, sizeof(want), "level=info event=y lost=%zu\n", lines - got);
	log_info("y");
	assert_string_equal(written_line(), want);
	log_info("z");
	assert_string_equal(written_line(), "level=info event=z\n");
	alarm(0);
}

/* ---- floods -------------------------------------------------------------------------------- */

static void test_bucket(void **state)
{
	(void)state;
	static struct log_bucket bucket = LOG_BUCKET("refused", 3);
	for (int64_t now = 5000; now < 6000; now += 100)
		assert_int_equal(log_allow_at(&bucket, now), now < 5300);
	assert_string_equal(written(), "");
	/* The next second tells of the seven, once. */
	assert_true(log_allow_at(&bucket, 6000));
	assert_string_equal(written_line(),
			    "level=warning event=log_suppressed of=refused suppressed=7\n");
	assert_true(log_allow_at(&bucket, 6001));
	assert_true(log_allow_at(&bucket, 6002));
	assert_false(log_allow_at(&bucket, 6999));
	assert_string_equal(written(), "");
	log_bucket_flush(&bucket);
	assert_string_equal(written_line(),
			    "level=warning event=log_suppressed of=refused suppressed=1\n");
	log_bucket_flush(&bucket);
	assert_true(log_allow_at(&bucket, 7000));
	assert_string_equal(written(), "");
}

static void test_bucket_by_the_clock(void **state)
{
	(void)state;
	struct log_bucket bucket = LOG_BUCKET("x", 2);
	unsigned allowed = 0;
	for (int i = 0; i < 1000; i++)
		allowed += log_allow(&bucket);
	/* A slow machine may see the second end on the way, hardly ever twice. */
	assert_in_range(allowed, 2, 6);
	written();
}

int main(void)
{
#define PIPE_TEST(name) cmocka_unit_test_setup_teardown(name, open_pipe, close_pipe)
	const struct CMUnitTest tests[] = {
		PIPE_TEST(test_line),
		PIPE_TEST(test_types),
		PIPE_TEST(test_what_is_not_there),
		PIPE_TEST(test_errno),
		PIPE_TEST(test_level),
		cmocka_unit_test(test_level_names),
		PIPE_TEST(test_journal),
		PIPE_TEST(test_quoting),
		PIPE_TEST(test_nothing_forges_a_line),
		PIPE_TEST(test_long_value),
		PIPE_TEST(test_long_line),
		PIPE_TEST(test_full_pipe),
		PIPE_TEST(test_bucket),
		PIPE_TEST(test_bucket_by_the_clock),
	};
	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
