/* SPDX-License-Identifier: MIT */
#include "client/suggest.h"

#include <string.h>

enum { NAME_MAX_LEN = 32 }; /* longer ones are nobody's typing error */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Optimal string alignment, by rows: rows[(i + 3) % 3] holds the distances of a's first i
 * letters. */
unsigned suggest_distance(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b);
	if (a_len > NAME_MAX_LEN || b_len > NAME_MAX_LEN)
		return (unsigned)-1;
	unsigned rows[3][NAME_MAX_LEN + 1];
	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned *row = rows[i % 3];
		const unsigned *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b_len; j++) {
			unsigned cost = a[i - 1] != b[j - 1];
			row[j] = least(above[j - 1] + cost, least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], two_above[j - 2] + 1);
		}
	}
	return rows[a_len % 3][b_len];
}

void suggest_consider(struct suggestion *suggestion, const char *name)
{
	size_t len = strlen(suggestion->typed);
	unsigned distance = suggest_distance(suggestion->typed, name);
	unsigned enough = len < 6 ? 1 + (len > 3) : (unsigned)(len / 3);
	if (len >= 2 && strncmp(suggestion->typed, name, len) == 0)
		distance = 1;
	if (distance > enough || distance >= strlen(name))
		return;
	if (!suggestion->name || distance < suggestion->distance) {
		suggestion->name = name;
		suggestion->distance = distance;
	}
}
