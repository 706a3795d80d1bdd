/* SPDX-License-Identifier: MIT */
/* text: a run of bytes that somebody else owns. */
#ifndef COMMON_TEXT_H
#define COMMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* May hold any byte, NUL too; not ended by one.  data NULL (then len is 0): not given. */
struct text {
	const char *data;
	size_t len;
};

/* The text of a C string, or the one not given for NULL. */
static inline struct text text_of(const char *string)
{
	return (struct text){string, string ? strlen(string) : 0};
}

static inline bool text_is(struct text text, const char *string)
{
	return text.data && text.len == strlen(string) && memcmp(text.data, string, text.len) == 0;
}

#endif
