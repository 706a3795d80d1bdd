/* SPDX-License-Identifier: MIT */
/*
 * buf: a queue of bytes in one growing block: put at the end, taken from the front.
 *
 * A failure (no memory, or past `max`) is remembered in `failed`, after which every put is without
 * effect, so that a printer can put without looking and its caller looks once.  A zeroed struct is
 * an empty buffer without a bound.
 */
#ifndef COMMON_BUF_H
#define COMMON_BUF_H

#include "common/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
	char *block;
	size_t start, end, cap; /* the content is block[start .. end) */
	size_t max;             /* content may not grow beyond; 0: no bound */
	bool failed;            /* a put did not fit, or there was no memory for it */
};

static inline const char *buf_data(const struct buf *buf)
{
	return buf->block + buf->start;
}

static inline size_t buf_len(const struct buf *buf)
{
	return buf->end - buf->start;
}

static inline struct text buf_text(const struct buf *buf)
{
	return (struct text){buf->block ? buf_data(buf) : "", buf_len(buf)};
}

/* Makes room for `len` more bytes and returns where they go, or NULL (failed); buf_commit ends it.
 */
char *buf_reserve(struct buf *buf, size_t len);

/* Takes `len` bytes, written where buf_reserve said, into the content. */
static inline void buf_commit(struct buf *buf, size_t len)
{
	buf->end += len;
}

void buf_put_slow(struct buf *buf, const void *data, size_t len);

static inline void buf_put(struct buf *buf, const void *data, size_t len)
{
	if (!buf->failed && buf->cap - buf->end >= len &&
	    (!buf->max || buf_len(buf) + len <= buf->max)) {
		if (len)
			memcpy(buf->block + buf->end, data, len);
		buf->end += len;
	} else {
		buf_put_slow(buf, data, len);
	}
}

static inline void buf_put_text(struct buf *buf, struct text text)
{
	buf_put(buf, text.data, text.len);
}

static inline void buf_put_string(struct buf *buf, const char *string)
{
	buf_put(buf, string, strlen(string));
}

/* An unsigned number in decimal. */
void buf_put_uint(struct buf *buf, uint64_t number);

__attribute__((format(printf, 2, 3))) void buf_printf(struct buf *buf, const char *format, ...);

/* Forgets the first `len` bytes (at most all). */
void buf_drop(struct buf *buf, size_t len);

/* Takes away what was put since the content had `len` bytes. */
static inline void buf_truncate(struct buf *buf, size_t len)
{
	if (len < buf_len(buf))
		buf->end = buf->start + len;
}

/* The same, and forgets that a put since then failed: for who has something shorter to put. */
static inline void buf_undo(struct buf *buf, size_t len)
{
	buf_truncate(buf, len);
	buf->failed = false;
}

/* Takes the last byte away again, if there is one. */
static inline void buf_drop_last(struct buf *buf)
{
	buf->end -= buf->end > buf->start;
}

/* Empties it, failure too; keeps the block if that is not large. */
void buf_clear(struct buf *buf);

/* Frees the block; the struct is then an empty buffer with the same bound. */
void buf_free(struct buf *buf);

#endif
