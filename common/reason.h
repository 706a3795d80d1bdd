/* SPDX-License-Identifier: MIT */
/* reason: a sentence that says why not, in the caller's buffer. */
#ifndef COMMON_REASON_H
#define COMMON_REASON_H

#include <stddef.h>

enum { REASON_MAX = 512 }; /* bytes that hold any sentence of ours, NUL included */

/* Formats into `reason`.  What does not fit is cut at a character's border. */
__attribute__((format(printf, 3, 4))) void reason_write(char *reason, size_t cap,
							const char *format, ...);

/* The same as an expression of value -1, so that `return reason_set(...)` reads well and the
 * compiler sees that it is a failure. */
#define reason_set(...) (reason_write(__VA_ARGS__), -1)

#endif
