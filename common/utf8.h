/* SPDX-License-Identifier: MIT */
/* utf8: where a character ends, and whether it is one. */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

#include "common/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes of the character at the start of `text`, 1 to 4, and the character itself in *ret.  0 where
 * the text is empty or does not begin with one: overlong forms, surrogates and numbers over
 * U+10FFFF are none.
 */
size_t utf8_next(struct text text, uint32_t *ret);

/* The place of the first byte that is not part of a character, or text.len where all are. */
size_t utf8_check(struct text text);

/* The length of `text` without a last character that was cut in two: for what a bound has cut. */
size_t utf8_whole(struct text text);

/* Whether a terminal or a reader could take the character for more than a mark on the line:
 * controls, line separators, what is invisible and what turns the direction of writing. */
bool utf8_is_control(uint32_t character);

#endif
