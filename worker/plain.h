/* SPDX-License-Identifier: MIT */
/* plain: text from plugins and users, made fit to stand in a sentence for a person. */
#ifndef WORKER_PLAIN_H
#define WORKER_PLAIN_H

#include "common/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Text in double quotes, NUL-ended. */
struct plain {
	char text[64];
};

/*
 * Copies `text` with a `?` for each control character and each byte that is not UTF-8, and "..." at
 * the end where `cap` bytes, the NUL included, are not enough.  `cap` is at least 4.  Returns the
 * length.
 */
size_t plain_copy(char *ret, size_t cap, struct text text);

/* The same in double quotes, for `%s` of a printf: plain_quote(text).text. */
struct plain plain_quote(struct text text);

/* Whether it is UTF-8 without control characters; `lines`: newlines are allowed. */
bool plain_check(struct text text, bool lines);

#endif
