/* SPDX-License-Identifier: MIT */
/*
 * frame: length-prefixed frames of bytes, and the numbers and texts in them, in the machine's own
 *byte order.
 *
 *	u32 length of the payload | u32 type | payload
 *
 * Both ends are one machine and one build.  A reader never trusts what it reads: a cursor that runs
 *past its end turns `bad` and gives zeros from there on, so that a decoder reads all and looks
 *once.
 */
#ifndef COMMON_FRAME_H
#define COMMON_FRAME_H

#include "common/buf.h"
#include "common/text.h"

#include <stdint.h>

enum { FRAME_HEADER = 8 };

struct frame {
	uint32_t type;
	struct text payload; /* a view into the buffer it was found in */
};

/* Begins a frame at the end of `out`; what is put from now on is its payload. */
size_t frame_begin(struct buf *out, uint32_t type);

/* Ends the frame that frame_begin said was at `start` (relative to buf_data, nothing dropped
 * since). */
void frame_end(struct buf *out, size_t start);

/*
 * Looks for a whole frame at the start of `data`.  1: there is one, in *ret, and *ret_used bytes
 * long with its header.  0: more bytes are needed.  -EMSGSIZE: it announces more than `max` bytes
 * of payload.
 */
int frame_next(struct text data, size_t max, struct frame *ret, size_t *ret_used);

static inline void put_u8(struct buf *out, uint8_t value)
{
	buf_put(out, &value, sizeof(value));
}
static inline void put_u16(struct buf *out, uint16_t value)
{
	buf_put(out, &value, sizeof(value));
}
static inline void put_u32(struct buf *out, uint32_t value)
{
	buf_put(out, &value, sizeof(value));
}
static inline void put_u64(struct buf *out, uint64_t value)
{
	buf_put(out, &value, sizeof(value));
}

/* A text: u32 length, then its bytes.  One that is not given (data NULL) comes out not given. */
void put_text(struct buf *out, struct text text);

struct cursor {
	const char *at, *end;
	bool bad;
};

static inline struct cursor cursor_of(struct text payload)
{
	return (struct cursor){payload.data, payload.data + payload.len, false};
}

/* The next `len` bytes, or NULL when there are fewer. */
static inline const char *get_bytes(struct cursor *cursor, size_t len)
{
	if (cursor->bad || (size_t)(cursor->end - cursor->at) < len) {
		cursor->bad = true;
		return NULL;
	}
	const char *bytes = cursor->at;
	cursor->at += len;
	return bytes;
}

uint8_t get_u8(struct cursor *cursor);
uint16_t get_u16(struct cursor *cursor);
uint32_t get_u32(struct cursor *cursor);
uint64_t get_u64(struct cursor *cursor);

/* A text of at most `max` bytes, a view; longer is bad. */
struct text get_text(struct cursor *cursor, size_t max);

/* A count of at most `max`; larger is bad and gives 0. */
uint32_t get_count(struct cursor *cursor, uint32_t max);

/* Whether all was read and nothing was bad: the last question of every decoder. */
static inline bool cursor_done(const struct cursor *cursor)
{
	return !cursor->bad && cursor->at == cursor->end;
}

#endif
