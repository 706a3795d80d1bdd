/* SPDX-License-Identifier: MIT */
/*
 * units: numbers as people write them in a configuration file or on a command line.
 *
 * Every reader takes the whole of `text`, without spaces around it, and returns 0 with *ret set; or
 * -1 with *ret untouched and, in `reason`, what is wrong and what to write instead: a sentence
 * without capital and full stop that does not repeat the key's name.  `min` and `max` are
 * inclusive.  Nothing is clamped, no number wraps, and 0 means none, never "no limit".
 */
#ifndef COMMON_UNITS_H
#define COMMON_UNITS_H

#include "common/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNITS_MAX = 32 }; /* bytes that a units_print_* may need, NUL included */

/* Bytes: a whole number, or one followed at once by K, M, G or T (1024-based).  Only capitals,
 * since elsewhere m means minutes. */
int units_size(struct text text, uint64_t min, uint64_t max, uint64_t *ret, char *reason,
	       size_t cap);

/* Milliseconds: a whole number followed at once by ms, s, m or h.  There is no default unit. */
int units_duration(struct text text, int64_t min, int64_t max, int64_t *ret, char *reason,
		   size_t cap);

/* A whole number, with a minus where `min` allows one. */
int units_number(struct text text, int64_t min, int64_t max, int64_t *ret, char *reason,
		 size_t cap);

/* Permissions in octal, 0000 to 0777; the leading 0 is required, so that 660 is no trap. */
int units_mode(struct text text, uint32_t *ret, char *reason, size_t cap);

/* yes no true false on off 1 0. */
int units_bool(struct text text, bool *ret, char *reason, size_t cap);

/* The shortest text that the reader above would take for the same number; returns `out`, which has
 * room for UNITS_MAX bytes. */
const char *units_print_size(uint64_t size, char *out);
const char *units_print_duration(int64_t ms, char *out);

#endif
