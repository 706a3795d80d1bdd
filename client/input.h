/* SPDX-License-Identifier: MIT */
/* input: a file or a pipe read by bytes and lines, in bounded memory, that can tell whether it
 * would wait. */
#ifndef CLIENT_INPUT_H
#define CLIENT_INPUT_H

#include "client/fault.h"
#include "common/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	INPUT_LINE_MAX = 4096, /* bytes of a line that are kept: LIMIT_BOARD */
	INPUT_BLOCK = 64 * 1024
};

struct input {
	int fd;
	int error; /* errno of a read that failed */
	bool ended;
	size_t at, len; /* what is unread of the block */
	char block[INPUT_BLOCK];
};

/* Reads from `fd` from now on, which stays the caller's. */
void input_start(struct input *input, int fd);

/* The next byte, or -1 at the end or after a failure (then `error` is set). */
int input_byte(struct input *input);

/* The next byte, which stays unread, or -1. */
int input_peek(struct input *input);

/* False: reading would wait for whoever writes. */
bool input_ready(const struct input *input);

struct input_line {
	char text[INPUT_LINE_MAX];
	size_t len;    /* without the line's end */
	bool too_long; /* the line had more bytes, which are lost */
};

/* The next line, ended by LF, CR LF or CR or the end of input. False: there is none. */
bool input_line(struct input *input, struct input_line *ret);

#endif
