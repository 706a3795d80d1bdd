/* SPDX-License-Identifier: MIT */
#include "common/buf.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	BUF_FIRST = 512,     /* bytes of a first block */
	BUF_KEEP = 64 * 1024 /* an emptied block larger than this is given back */
};

char *buf_reserve(struct buf *buf, size_t len)
{
	if (buf->failed)
		return NULL;
	size_t used = buf_len(buf);
	if (len > SIZE_MAX / 4 || (buf->max && (len > buf->max || used > buf->max - len))) {
		buf->failed = true;
		return NULL;
	}
	if (buf->cap - buf->end >= len)
		return buf->block ? buf->block + buf->end : buf_reserve(buf, 1);
	/* Moving the content to the front is enough only where it leaves half free: else it could
	 * be moved again for every few bytes. */
	if (buf->start && used + len <= buf->cap / 2) {
		memmove(buf->block, buf->block + buf->start, used);
	} else {
		size_t cap = buf->cap ? buf->cap : BUF_FIRST;
		while (cap < used + len)
			cap *= 2;
		char *block = malloc(cap);
		if (!block) {
			buf->failed = true;
			return NULL;
		}
		if (used)
			memcpy(block, buf->block + buf->start, used);
		free(buf->block);
		buf->block = block;
		buf->cap = cap;
	}
	buf->start = 0;
	buf->end = used;
	return buf->block + used;
}

void buf_put_slow(struct buf *buf, const void *data, size_t len)
{
	char *place = len ? buf_reserve(buf, len) : NULL;
	if (place) {
		memcpy(place, data, len);
		buf_commit(buf, len);
	}
}

void buf_put_uint(struct buf *buf, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);
	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	buf_put(buf, digits + at, sizeof(digits) - at);
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	char small[256];
	va_list args;
	va_start(args, format);
	int len = vsnprintf(small, sizeof(small), format, args);
	va_end(args);
	if (len < 0) {
		buf->failed = true;
	} else if ((size_t)len < sizeof(small)) {
		buf_put(buf, small, (size_t)len);
	} else {
		/* One byte more than is kept, for the NUL that vsnprintf writes. */
		char *place = buf_reserve(buf, (size_t)len + 1);
		if (!place)
			return;
		va_start(args, format);
		vsnprintf(place, (size_t)len + 1, format, args);
		va_end(args);
		buf_commit(buf, (size_t)len);
	}
}

void buf_drop(struct buf *buf, size_t len)
{
	if (len >= buf_len(buf)) {
		buf->start = buf->end = 0;
		if (buf->cap > BUF_KEEP) {
			free(buf->block);
			buf->block = NULL;
			buf->cap = 0;
		}
	} else {
		buf->start += len;
	}
}

void buf_clear(struct buf *buf)
{
	buf_drop(buf, buf_len(buf));
	buf->failed = false;
}

void buf_free(struct buf *buf)
{
	free(buf->block);
	*buf = (struct buf){.max = buf->max};
}
