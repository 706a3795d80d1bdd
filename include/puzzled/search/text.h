/* SPDX-License-Identifier: MIT */
/* Boards that are written as words or numbers: reading and printing them. */
#ifndef PUZZLED_SEARCH_TEXT_H
#define PUZZLED_SEARCH_TEXT_H

#include <puzzled/search/run.h>

/* pz_put: appends `len` bytes; -1 where there is no room for all of them. */
static inline int pz_put(struct pz_buffer *out, const char *data, size_t len)
{
	if (len > out->cap - out->len)
		return -1;
	memcpy(out->data + out->len, data, len);
	out->len += len;
	return 0;
}

/*
 * pz_skip: how many bytes at `at` mean nothing in any board, whoever wrote them: a byte-order mark
 * at the beginning, a no-break space.  0: what is there is for the puzzle to judge.
 */
static inline size_t pz_skip(struct pz_text text, size_t at)
{
	if (at == 0 && text.len >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0)
		return 3;
	return text.len - at >= 2 && memcmp(text.data + at, "\xC2\xA0", 2) == 0 ? 2 : 0;
}

/*
 * pz_read_numbers: reads just `count` whole numbers, none above `most` (below 100,000,000), with
 * spaces, no-break spaces, tabs, commas, slashes or newlines between them, and a byte-order mark
 * before them.  Anything else is an error with its place.
 */
static inline int pz_read_numbers(struct pz_text text, int *ret, size_t count, int most,
				  struct pz_error *error)
{
	bool inside = false; /* of a number */
	size_t n = 0, i = 0, skip;

	while (i < text.len) {
		char byte = text.data[i];

		if (byte >= '0' && byte <= '9') {
			if (!inside && n == count)
				return pz_fail(error, i + 1, "more than %zu number%s", count,
					       count == 1 ? "" : "s");
			if (!inside)
				ret[n++] = 0;
			ret[n - 1] = ret[n - 1] * 10 + (byte - '0');
			if (ret[n - 1] > most)
				return pz_fail(error, i + 1, "a number is at most %d here", most);
			inside = true;
			i++;
		} else if (byte == ' ' || byte == ',' || byte == '/' || byte == '\n' ||
			   byte == '\t' || byte == '\r') {
			inside = false;
			i++;
		} else if ((skip = pz_skip(text, i)) > 0) {
			inside = false;
			i += skip;
		} else {
			return pz_fail(error, i + 1, "a whole number is wanted here");
		}
	}
	if (n == 0)
		return pz_fail(error, 0, "%zu number%s wanted, and there is none", count,
			       count == 1 ? " is" : "s are");
	if (n < count)
		return pz_fail(error, 0, "%zu of the %zu numbers that are wanted", n, count);
	return 0;
}

/* pz_put_numbers: prints numbers, none negative, with `between` between them. -1: no room. */
static inline int pz_put_numbers(struct pz_buffer *out, const int *numbers, size_t count,
				 const char *between)
{
	char digits[16];
	size_t i;
	int bad = 0;

	for (i = 0; i < count; i++) {
		int len = snprintf(digits, sizeof(digits), "%d", numbers[i]);

		if (i > 0)
			bad |= pz_put(out, between, strlen(between));
		bad |= pz_put(out, digits, (size_t)len);
	}
	return bad;
}

#endif
