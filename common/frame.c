/* SPDX-License-Identifier: MIT */
#include "common/frame.h"

#include <errno.h>

/* The length of a text that is not given. */
static const uint32_t not_given = UINT32_MAX;

size_t frame_begin(struct buf *out, uint32_t type)
{
	size_t start = buf_len(out);
	put_u32(out, 0);
	put_u32(out, type);
	return start;
}

void frame_end(struct buf *out, size_t start)
{
	if (out->failed)
		return;
	uint32_t len = (uint32_t)(buf_len(out) - start - FRAME_HEADER);
	memcpy(out->block + out->start + start, &len, sizeof(len));
}

int frame_next(struct text data, size_t max, struct frame *ret, size_t *ret_used)
{
	uint32_t len;
	if (data.len < FRAME_HEADER)
		return 0;
	memcpy(&len, data.data, sizeof(len));
	if (len > max)
		return -EMSGSIZE;
	if (data.len - FRAME_HEADER < len)
		return 0;
	memcpy(&ret->type, data.data + sizeof(len), sizeof(ret->type));
	ret->payload = (struct text){data.data + FRAME_HEADER, len};
	*ret_used = FRAME_HEADER + (size_t)len;
	return 1;
}

void put_text(struct buf *out, struct text text)
{
	put_u32(out, text.data ? (uint32_t)text.len : not_given);
	buf_put(out, text.data, text.data ? text.len : 0);
}

#define DEFINE_GET(name, type)                                                                     \
	type name(struct cursor *cursor)                                                           \
	{                                                                                          \
		type value = 0;                                                                    \
		const char *bytes = get_bytes(cursor, sizeof(value));                              \
		if (bytes)                                                                         \
			memcpy(&value, bytes, sizeof(value));                                      \
		return value;                                                                      \
	}

DEFINE_GET(get_u8, uint8_t)
DEFINE_GET(get_u16, uint16_t)
DEFINE_GET(get_u32, uint32_t)
DEFINE_GET(get_u64, uint64_t)

struct text get_text(struct cursor *cursor, size_t max)
{
	uint32_t len = get_u32(cursor);
	if (cursor->bad || len == not_given)
		return (struct text){NULL, 0};
	if (len > max) {
		cursor->bad = true;
		return (struct text){NULL, 0};
	}
	const char *bytes = get_bytes(cursor, len);
	return (struct text){bytes, bytes ? len : 0};
}

uint32_t get_count(struct cursor *cursor, uint32_t max)
{
	uint32_t count = get_u32(cursor);
	if (count > max) {
		cursor->bad = true;
		return 0;
	}
	return cursor->bad ? 0 : count;
}
