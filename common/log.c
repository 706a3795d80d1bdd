/* SPDX-License-Identifier: MIT */
#include "common/log.h"

#include "common/limits.h"
#include "common/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct {
	int fd;
	bool journal;
	enum log_level level;
	uint64_t lost; /* lines that fd did not take, since the last that it did */
} sink = {STDERR_FILENO, false, LEVEL_INFO, 0};

static const char *const level_names[] = {
	[LEVEL_ERROR] = "error", [LEVEL_WARNING] = "warning", [LEVEL_NOTICE] = "notice",
	[LEVEL_INFO] = "info",   [LEVEL_DEBUG] = "debug",
};

/* Whether systemd says that this descriptor leads to its journal: JOURNAL_STREAM is "device:inode".
 * Only then, since a child may have inherited the variable and write elsewhere. */
static bool is_journal(int fd)
{
	const char *stream = getenv("JOURNAL_STREAM");
	struct stat status;
	uintmax_t device, inode;
	char end;
	return stream &&
	       sscanf(stream, "%" SCNuMAX ":%" SCNuMAX "%c", &device, &inode, &end) == 2 &&
	       fstat(fd, &status) == 0 && device == status.st_dev && inode == status.st_ino;
}

void log_setup(int fd)
{
	sink.fd = fd;
	sink.journal = is_journal(fd);
	sink.lost = 0;
	tzset(); /* else the first line would read the time zone's file */
}

void log_set_level(enum log_level level)
{
	sink.level = level;
}

bool log_wants(enum log_level level)
{
	return level <= sink.level;
}

const char *log_level_name(enum log_level level)
{
	return level >= LEVEL_ERROR && level <= LEVEL_DEBUG ? level_names[level] : "unknown";
}

bool log_level_by_name(struct text name, enum log_level *ret)
{
	for (unsigned level = LEVEL_ERROR; level <= LEVEL_DEBUG; level++)
		if (text_is(name, level_names[level])) {
			*ret = (enum log_level)level;
			return true;
		}
	return false;
}

struct log_field log_field_errno(int number)
{
	return log_field_string("error", strerror(number < 0 ? -number : number));
}

/* ---- a line in the making ---- */

/* What must always have room at the end of a line. */
#define TRAILER " cut=true lost=18446744073709551615\n"

/* A put that does not fit whole leaves it as it was and returns false. */
struct out {
	char *bytes;
	size_t len, cap;
};

static bool put(struct out *out, const char *data, size_t len)
{
	if (len > out->cap - out->len)
		return false;
	memcpy(out->bytes + out->len, data, len);
	out->len += len;
	return true;
}

static bool put_string(struct out *out, const char *string)
{
	return put(out, string, strlen(string));
}

static bool is_plain(struct text text)
{
	static const char marks[] = "_-./:@%+,*#~";
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		      (c && strchr(marks, c))))
			return false;
	}
	return text.len > 0;
}

/* Puts the character at the start of `text` as it stands between quotes, and sets *ret_used to its
 * bytes in `text`.  What is no character goes byte by byte. */
static bool put_character(struct out *out, struct text text, size_t *ret_used)
{
	uint32_t character = 0;
	size_t len = utf8_next(text, &character);
	*ret_used = len ? len : 1;
	if (len && character == '"')
		return put(out, "\\\"", 2);
	if (len && character == '\\')
		return put(out, "\\\\", 2);
	if (len && character == '\n')
		return put(out, "\\n", 2);
	if (len && character == '\r')
		return put(out, "\\r", 2);
	if (len && character == '\t')
		return put(out, "\\t", 2);
	if (len && !utf8_is_control(character))
		return put(out, text.data, len);
	char escape[4 * sizeof("\\xNN")];
	for (size_t i = 0; i < *ret_used; i++)
		snprintf(escape + 4 * i, 5, "\\x%02X", (unsigned char)text.data[i]);
	return put(out, escape, 4 * *ret_used);
}

static bool put_value(struct out *out, struct text text)
{
	if (is_plain(text) && text.len <= LIMIT_LOG_VALUE)
		return put(out, text.data, text.len);

	char bytes[LIMIT_LOG_VALUE];
	struct out value = {bytes, 0, sizeof(bytes) - strlen("...\"")};
	put(&value, "\"", 1);
	size_t at = 0, used;
	while (at < text.len &&
	       put_character(&value, (struct text){text.data + at, text.len - at}, &used))
		at += used;
	value.cap = sizeof(bytes);
	if (at < text.len)
		put(&value, "...", 3);
	put(&value, "\"", 1);
	return put(out, value.bytes, value.len);
}

static bool put_field(struct out *out, const struct log_field *field)
{
	if (field->kind == LOG_TEXT && !field->as.text.data)
		return true;
	size_t start = out->len;
	char number[24];
	bool fits = put(out, " ", 1) && put_string(out, field->key) && put(out, "=", 1);
	switch (field->kind) {
	case LOG_TEXT:
		fits = fits && put_value(out, field->as.text);
		break;
	case LOG_INT:
		snprintf(number, sizeof(number), "%" PRId64, field->as.number);
		fits = fits && put_string(out, number);
		break;
	case LOG_UINT:
		snprintf(number, sizeof(number), "%" PRIu64, field->as.natural);
		fits = fits && put_string(out, number);
		break;
	case LOG_BOOL:
		fits = fits && put_string(out, field->as.boolean ? "true" : "false");
		break;
	case LOG_END:
		break;
	}
	if (!fits)
		out->len = start;
	return fits;
}

/* What stands before the fields. */
static void put_head(struct out *out, enum log_level level, const char *event)
{
	char head[64];
	struct timespec now;
	struct tm tm;
	clock_gettime(CLOCK_REALTIME, &now);
	if (sink.journal) {
		snprintf(head, sizeof(head), "<%u>", (unsigned)level);
		put_string(out, head);
	} else if (gmtime_r(&now.tv_sec, &tm)) {
		size_t len = strftime(head, sizeof(head), "time=%Y-%m-%dT%H:%M:%S", &tm);
		snprintf(head + len, sizeof(head) - len, ".%03ldZ ", now.tv_nsec / 1000000);
		put_string(out, head);
	}
	put_string(out, "level=");
	put_string(out, log_level_name(level));
	const struct log_field field = log_field_string("event", event);
	put_field(out, &field);
}

/* Whether the descriptor took the whole line, without waiting. */
static bool send_line(const struct out *line)
{
	struct pollfd poller = {.fd = sink.fd, .events = POLLOUT};
	if (poll(&poller, 1, 0) != 1 || !(poller.revents & POLLOUT))
		return false;
	ssize_t sent;
	do
		sent = write(sink.fd, line->bytes, line->len);
	while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)line->len;
}

void log_write(enum log_level level, const char *event, const struct log_field *fields)
{
	int saved_errno = errno;
	char bytes[LIMIT_LOG_LINE];
	struct out line = {bytes, 0, sizeof(bytes) - strlen(TRAILER)};
	put_head(&line, level, event);
	bool whole = true;
	for (; fields->kind != LOG_END; fields++)
		whole = put_field(&line, fields) && whole;
	line.cap = sizeof(bytes);
	if (!whole)
		put_string(&line, " cut=true");
	if (sink.lost) {
		const struct log_field lost = log_field_uint("lost", sink.lost);
		put_field(&line, &lost);
	}
	put_string(&line, "\n");
	sink.lost = send_line(&line) ? 0 : sink.lost + 1;
	errno = saved_errno;
}

/* ---- floods ---- */

void log_bucket_flush(struct log_bucket *bucket)
{
	if (bucket->suppressed)
		log_warning("log_suppressed", KV("of", bucket->event),
			    KV("suppressed", bucket->suppressed));
	bucket->suppressed = 0;
}

bool log_allow_at(struct log_bucket *bucket, int64_t now_ms)
{
	if (!bucket->used || now_ms - bucket->since_ms >= 1000) {
		log_bucket_flush(bucket);
		bucket->since_ms = now_ms;
		bucket->used = 0;
	}
	if (bucket->used >= bucket->rate) {
		bucket->suppressed++;
		return false;
	}
	bucket->used++;
	return true;
}

bool log_allow(struct log_bucket *bucket)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return log_allow_at(bucket, (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
}
