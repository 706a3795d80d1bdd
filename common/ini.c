/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "common/ini.h"

#include "common/buf.h"
#include "common/limits.h"
#include "common/reason.h"
#include "common/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * inih asks next_line for a line, splits it and gives the parts to take_entry, before it asks for
 * the next.  So `line` and `section` are those of the line in its hands.
 */
struct reading {
	const char *name;
	struct text rest;               /* not yet given to inih */
	unsigned line;                  /* given last; 0: none yet */
	char section[INI_NAME_MAX + 1]; /* opened last; "": none yet */
	ini_visitor *visit;
	void *arg;
	bool failed; /* `reason` is written, and inih gets nothing more */
	char *reason;
	size_t cap;
};

/* ---- runs of bytes ---- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

static struct text trim(struct text text)
{
	while (text.len && is_space(text.data[0])) {
		text.data++;
		text.len--;
	}
	while (text.len && is_space(text.data[text.len - 1]))
		text.len--;
	return text;
}

/* The place of the first `c`, or text.len. */
static size_t find(struct text text, char c)
{
	const char *at = text.len ? memchr(text.data, c, text.len) : NULL;
	return at ? (size_t)(at - text.data) : text.len;
}

/* The place of the space in front of the first `mark` that follows one, or text.len. */
static size_t find_after_space(struct text text, char mark)
{
	for (size_t at = 0; at + 1 < text.len; at++)
		if (is_space(text.data[at]) && text.data[at + 1] == mark)
			return at;
	return text.len;
}

static struct text from(struct text text, size_t start)
{
	return (struct text){text.data + start, text.len - start};
}

/* Whether the text is a name of at most INI_NAME_MAX letters, digits, `_`, `-` and characters of
 * `more`. */
static bool is_name(struct text text, const char *more)
{
	for (size_t i = 0; i < text.len; i++)
		if (!is_name_char(text.data[i]) && !(text.data[i] && strchr(more, text.data[i])))
			return false;
	return text.len && text.len <= INI_NAME_MAX;
}

/* ---- one line ---- */

/* Whether the bytes can stand in a file of text. */
static int judge_bytes(struct text line, char *why, size_t cap)
{
	size_t at = 0, len;
	for (; at < line.len; at += len) {
		uint32_t character;
		len = utf8_next(from(line, at), &character);
		if (!len)
			return reason_set(why, cap, "byte %zu of the line is not UTF-8", at + 1);
		if (utf8_is_control(character) && character != '\t')
			return reason_set(why, cap,
					  "byte %zu of the line begins U+%04X, a control character",
					  at + 1, (unsigned)character);
	}
	return 0;
}

/* [section], perhaps with a comment: sets *ret to what is in the brackets. */
static int judge_section(struct text line, struct text *ret, char *why, size_t cap)
{
	size_t end = find(line, ']');
	if (end == line.len)
		return reason_set(why, cap, "'[' without ']'");
	struct text name = {line.data + 1, end - 1};
	if (name.len > INI_NAME_MAX)
		return reason_set(why, cap, "a section's name has at most %d bytes, not %zu",
				  INI_NAME_MAX, name.len);
	if (!is_name(name, ":."))
		return reason_set(why, cap,
				  "a section's name consists of letters, digits and _ - : . only");
	struct text tail = trim(from(line, end + 1));
	if (tail.len && tail.data[0] != ';' && tail.data[0] != '#')
		return reason_set(why, cap, "only a comment can follow ']' on its line");
	*ret = name;
	return 0;
}

/* key = value, perhaps with a comment: sets *ret_len to the length without that. */
static int judge_entry(struct text line, size_t *ret_len, char *why, size_t cap)
{
	size_t equals = find(line, '=');
	size_t colon = find(line, ':');
	if (equals == line.len)
		return reason_set(why, cap, "neither [section] nor key = value");
	if (colon < equals && is_name(trim((struct text){line.data, colon}), ""))
		return reason_set(why, cap, "between key and value stands '=', not ':'");
	struct text key = trim((struct text){line.data, equals});
	if (key.len > INI_NAME_MAX)
		return reason_set(why, cap, "a key has at most %d bytes, not %zu", INI_NAME_MAX,
				  key.len);
	if (!is_name(key, ""))
		return reason_set(why, cap, "a key consists of letters, digits, _ and - only");

	struct text tail = from(line, equals + 1);
	tail.len = find_after_space(tail, ';');
	struct text value = trim(tail);
	if (find_after_space(tail, '#') < tail.len)
		return reason_set(why, cap, "' #' begins no comment here: write ' ;'");
	if (value.len >= 2 && (value.data[0] == '"' || value.data[0] == '\'') &&
	    value.data[value.len - 1] == value.data[0])
		return reason_set(why, cap, "a value is written without quotes");
	*ret_len = equals + 1 + tail.len;
	return 0;
}

/* ---- between inih and the visitor ---- */

static void fail(struct reading *reading, const char *why)
{
	reading->failed = true;
	reason_write(reading->reason, reading->cap, "%s:%u: %s", reading->name, reading->line, why);
}

static bool visit(struct reading *reading, const char *key, const char *value)
{
	char why[REASON_MAX] = "";
	const struct ini_entry entry = {reading->section, key, value, reading->line};
	if (reading->visit(reading->arg, &entry, why, sizeof(why)) < 0)
		fail(reading, why);
	return !reading->failed;
}

/* Takes a line off the front, without its end. */
static struct text take_line(struct reading *reading)
{
	size_t len = find(reading->rest, '\n');
	struct text line = {reading->rest.data, len};
	reading->rest = from(reading->rest, len + (len < reading->rest.len));
	if (reading->line++ == 0 && line.len >= 3 && memcmp(line.data, "\xEF\xBB\xBF", 3) == 0)
		line = from(line, 3);
	if (line.len && line.data[line.len - 1] == '\r')
		line.len--;
	return line;
}

/*
 * Judges a line.  1: it is for inih, without what *line has lost; 0: it has been dealt with; -1:
 * `why` says what is wrong.
 */
static int judge_line(struct reading *reading, struct text *line, size_t max, char *why, size_t cap)
{
	if (line->len > max)
		return reason_set(why, cap, "the line has %zu bytes, but at most %zu are allowed",
				  line->len, max);
	if (judge_bytes(*line, why, cap) < 0)
		return -1;
	struct text content = trim(*line);
	if (!content.len || content.data[0] == ';' || content.data[0] == '#')
		return 0;
	if (is_space(line->data[0]))
		return reason_set(why, cap, "a section or a key begins in the first column");
	if (line->data[0] == '[') {
		struct text name = {0};
		if (judge_section(*line, &name, why, cap) < 0)
			return -1;
		memcpy(reading->section, name.data, name.len);
		reading->section[name.len] = '\0';
		line->len = name.len + 2;
		return 1;
	}
	if (!reading->section[0])
		return reason_set(why, cap, "a key must come after a [section]");
	/* The comment stays here: whether inih knows it for one depends on how it was built. */
	return judge_entry(*line, &line->len, why, cap) < 0 ? -1 : 1;
}

/* inih's reader: the next line that is for inih, newline and NUL included, in at most `size`
 * bytes. */
static char *next_line(char *out, int size, void *arg)
{
	struct reading *reading = arg;
	size_t max = size < LIMIT_CONFIG_LINE + 2 ? (size_t)size - 2 : LIMIT_CONFIG_LINE;
	while (!reading->failed && reading->rest.len) {
		char why[REASON_MAX];
		struct text line = take_line(reading);
		int verdict = judge_line(reading, &line, max, why, sizeof(why));
		if (verdict < 0) {
			fail(reading, why);
		} else if (verdict > 0 &&
			   /* inih does not tell of sections, only of keys in them. */
			   (line.data[0] != '[' || visit(reading, NULL, NULL))) {
			memcpy(out, line.data, line.len);
			memcpy(out + line.len, "\n", 2);
			return out;
		}
	}
	return NULL;
}

/* inih's handler: nonzero is success. */
static int take_entry(void *arg, const char *section, const char *key, const char *value)
{
	(void)section; /* the one that next_line noted */
	return visit(arg, key, value);
}

int ini_read(struct text text, const char *name, ini_visitor *visitor, void *arg, char *reason,
	     size_t cap)
{
#if HAVE_DECL_INI_MAX_LINE
	/* Some builds of inih can be told how long a line may be; others have it compiled in, and
	 * ask next_line for less. */
	ini_max_line = LIMIT_CONFIG_LINE + 3;
#endif
	struct reading reading = {.name = name,
				  .rest = text,
				  .visit = visitor,
				  .arg = arg,
				  .reason = reason,
				  .cap = cap};
	int status = ini_parse_stream(next_line, &reading, take_entry, &reading);
	if (reading.failed)
		return -1;
	if (status)
		return reason_set(reason, cap,
				  status > 0 ? "%s:%d: inih cannot read this line"
					     : "%s: inih fails with %d",
				  name, status);
	return 0;
}

/* Reads what the descriptor has into `file`.  0, or a negative errno. */
static int read_all(int fd, struct buf *file)
{
	for (;;) {
		enum { CHUNK = 4096 };
		char chunk[CHUNK];
		ssize_t got = read(fd, chunk, sizeof(chunk));
		if (got == 0)
			return 0;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		buf_put(file, chunk, (size_t)got);
		if (file->failed)
			return buf_len(file) + (size_t)got > file->max ? -EFBIG : -ENOMEM;
	}
}

int ini_read_file(const char *path, ini_visitor *visitor, void *arg, char *reason, size_t cap)
{
	struct buf file = {.max = LIMIT_CONFIG_FILE};
	struct stat status;
	int result;

	/* O_NONBLOCK, so that a FIFO under this name cannot hold up the daemon. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return reason_set(reason, cap, "%s: %s", path, strerror(errno));
	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
		result = reason_set(reason, cap, "%s: not a regular file", path);
	else if ((result = read_all(fd, &file)) == -EFBIG)
		result = reason_set(reason, cap, "%s: larger than %d bytes", path,
				    LIMIT_CONFIG_FILE);
	else if (result < 0)
		result = reason_set(reason, cap, "%s: %s", path, strerror(-result));
	else
		result = ini_read(buf_text(&file), path, visitor, arg, reason, cap);
	buf_free(&file);
	close(fd);
	return result;
}
