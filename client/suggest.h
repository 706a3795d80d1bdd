/* SPDX-License-Identifier: MIT */
/* suggest: which of several names somebody meant who typed another. */
#ifndef CLIENT_SUGGEST_H
#define CLIENT_SUGGEST_H

#include <stddef.h>

/* Letters to insert, drop, replace or swap with a neighbour to come from `a` to `b`. */
unsigned suggest_distance(const char *a, const char *b);

/* The nearest name met so far; begin with {typed}. */
struct suggestion {
	const char *typed;
	const char *name; /* NULL: none is near enough */
	unsigned distance;
};

/* Considers one more name: near enough is a third of the letters, at least one, or a beginning. */
void suggest_consider(struct suggestion *suggestion, const char *name);

#endif
