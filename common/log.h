/* SPDX-License-Identifier: MIT */
/*
 * log: one event, one line of key=value on stderr.
 *
 *	log_info("worker_started", KV("puzzle", name), KV("pid", pid));
 *
 *	time=2026-05-01T12:00:00.123Z level=info event=worker_started puzzle=8puzzle pid=123
 *
 * Under the journal, which keeps the time itself, the line begins with its priority instead: <6>.
 * A value that holds anything but plain letters, digits and a few marks is put in double quotes,
 * with \" \\ \n \r \t and \xNN for what is a control character or no UTF-8: nothing from outside
 * can end a line, begin a key, or move a terminal's cursor.  A long value is cut and ends in "...",
 * and fields that the line has no room for are left out, which cut=true tells.
 *
 * A line is one write(2) of at most LIMIT_LOG_LINE bytes, and never waits: what stderr does not
 * take at once (a reader that stopped reading) is lost and counted, and the next line that gets
 * through says lost=N.  The program ignores SIGPIPE.  Nothing is allocated.  For one thread; not
 * for signal handlers.
 */
#ifndef COMMON_LOG_H
#define COMMON_LOG_H

#include "common/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers are syslog's, and so those of the journal and of plugin.h's enum pz_level. */
enum log_level {
	LEVEL_ERROR = 3,   /* the daemon cannot do what it is for */
	LEVEL_WARNING = 4, /* something failed and somebody should look */
	LEVEL_NOTICE = 5,  /* start, stop, reload */
	LEVEL_INFO = 6,    /* workers and sessions that come and go */
	LEVEL_DEBUG = 7    /* each job */
};

enum log_kind { LOG_END, LOG_TEXT, LOG_INT, LOG_UINT, LOG_BOOL };

/* One key=value.  Made by KV and KV_ERRNO. */
struct log_field {
	const char *key; /* a literal: it is printed as it is */
	enum log_kind kind;
	union {
		struct text text;
		int64_t number;
		uint64_t natural;
		bool boolean;
	} as;
};

/* KV("key", value): a field whose value is a string (NULL: the key is left out), a struct text, a
 * bool or any integer; other types do not compile. */
#define KV(key, ...)                                                                               \
	_Generic((__VA_ARGS__),                                                                    \
		char *: log_field_string,                                                          \
		const char *: log_field_string,                                                    \
		struct text: log_field_text,                                                       \
		bool: log_field_bool,                                                              \
		signed char: log_field_int,                                                        \
		short: log_field_int,                                                              \
		int: log_field_int,                                                                \
		long: log_field_int,                                                               \
		long long: log_field_int,                                                          \
		unsigned char: log_field_uint,                                                     \
		unsigned short: log_field_uint,                                                    \
		unsigned: log_field_uint,                                                          \
		unsigned long: log_field_uint,                                                     \
		unsigned long long: log_field_uint)("" key, __VA_ARGS__)

/* error="No such file or directory", from errno or a function's negative errno. */
#define KV_ERRNO(number) log_field_errno(number)

/* Each is a statement; the fields are not evaluated where the level is filtered out. */
#define log_error(...)   LOG_AT(LEVEL_ERROR, __VA_ARGS__)
#define log_warning(...) LOG_AT(LEVEL_WARNING, __VA_ARGS__)
#define log_notice(...)  LOG_AT(LEVEL_NOTICE, __VA_ARGS__)
#define log_info(...)    LOG_AT(LEVEL_INFO, __VA_ARGS__)
#define log_debug(...)   LOG_AT(LEVEL_DEBUG, __VA_ARGS__)

/* LOG_AT(level, "event", fields...): the same with a level that is computed. */
#define LOG_AT(level, ...) LOG_FIELDS(level, __VA_ARGS__, (struct log_field){0})
#define LOG_FIELDS(level, event, ...)                                                              \
	do {                                                                                       \
		if (log_wants(level))                                                              \
			log_write(level, event, (const struct log_field[]){__VA_ARGS__});          \
	} while (0)

/*
 * Where and how lines are written from now on: to `fd` (normally 2), with priorities if
 * JOURNAL_STREAM says that it is the journal's.  Before the first call: to 2, with times, from
 * LEVEL_INFO.
 */
void log_setup(int fd);

/* Lines of a level above `level` are dropped. */
void log_set_level(enum log_level level);

bool log_wants(enum log_level level);

/* Writes one line.  `fields` end with a field of kind LOG_END.  Keeps errno. */
void log_write(enum log_level level, const char *event, const struct log_field *fields);

/* "error", "warning", "notice", "info", "debug"; "unknown" for no level. */
const char *log_level_name(enum log_level level);

/* The level of this name in *ret and true, or false. */
bool log_level_by_name(struct text name, enum log_level *ret);

/* ---- floods ---- */

/*
 * Lets `rate` lines a second through and counts the others:
 *
 *	static struct log_bucket refused = LOG_BUCKET("session_refused", 5);
 *	if (log_allow(&refused))
 *		log_warning("session_refused", KV("uid", uid));
 *
 * The first line after such a second comes with one more, event=log_suppressed of=session_refused
 * suppressed=123.
 */
struct log_bucket {
	const char *event;
	unsigned rate;       /* lines a second */
	unsigned used;       /* lines of the running second */
	uint64_t suppressed; /* not let through and not yet told */
	int64_t since_ms;    /* when the running second began */
};

#define LOG_BUCKET(event, rate)                                                                    \
	{                                                                                          \
		"" event, rate, 0, 0, 0                                                            \
	}

/* Whether one more line may be written now. */
bool log_allow(struct log_bucket *bucket);

/* The same at a time of the caller's, in milliseconds of any clock that does not go back. */
bool log_allow_at(struct log_bucket *bucket, int64_t now_ms);

/* Tells of what was suppressed, if anything: for an orderly end. */
void log_bucket_flush(struct log_bucket *bucket);

/* ---- what KV calls ---- */

static inline struct log_field log_field_text(const char *key, struct text text)
{
	return (struct log_field){key, LOG_TEXT, {.text = text}};
}

static inline struct log_field log_field_string(const char *key, const char *string)
{
	return log_field_text(key, text_of(string));
}

static inline struct log_field log_field_int(const char *key, int64_t number)
{
	return (struct log_field){key, LOG_INT, {.number = number}};
}

static inline struct log_field log_field_uint(const char *key, uint64_t number)
{
	return (struct log_field){key, LOG_UINT, {.natural = number}};
}

static inline struct log_field log_field_bool(const char *key, bool value)
{
	return (struct log_field){key, LOG_BOOL, {.boolean = value}};
}

struct log_field log_field_errno(int number);

#endif
