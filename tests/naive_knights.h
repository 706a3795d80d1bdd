/* SPDX-License-Identifier: MIT */
/*
 * The knights' rules once more, for tests: boards are 25 characters, `0` white, `1` black, `*`
 * blank.
 */
#ifndef NAIVE_KNIGHTS_H
#define NAIVE_KNIGHTS_H

#include <stdint.h>

#define NAIVE_KNIGHTS_GOAL "111110111100*110000100000"

enum { NAIVE_KNIGHTS_FARTHEST = 39 };

/* How many boards there are at each distance from the usual goal (by an independent search). */
extern const uint32_t naive_knights_histogram[NAIVE_KNIGHTS_FARTHEST + 1];

/* naive_knights_shuffle: a random arrangement, each as likely as any other. */
void naive_knights_shuffle(char board[26], unsigned *seed);

/* naive_knights_from: the cells from which a knight can jump to `blank`; returns how many. */
int naive_knights_from(int blank, int from[8]);

#endif
