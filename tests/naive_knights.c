/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tests/naive_knights.h"

const uint32_t naive_knights_histogram[NAIVE_KNIGHTS_FARTHEST + 1] = {
	1,       8,       14,      38,      148,     368,     1001,    2440,    6468,    14116,
	32825,   64782,   137262,  240404,  455522,  716458,  1224370, 1720894, 2645274, 3327210,
	4594399, 5148132, 6372557, 6345924, 6997217, 6160052, 6002337, 4635014, 3942462, 2634392,
	1921476, 1086234, 658300,  300838,  144842,  49078,   17065,   3428,    488,     62,
};

void naive_knights_shuffle(char board[26], unsigned *seed)
{
	int i;

	strcpy(board, NAIVE_KNIGHTS_GOAL);
	for (i = 24; i > 0; i--) {
		int j;
		char swapped = board[i];

		*seed = *seed * 1664525u + 1013904223u;
		j = (int)((*seed >> 8) % (unsigned)(i + 1));
		board[i] = board[j];
		board[j] = swapped;
	}
}

int naive_knights_from(int blank, int from[8])
{
	int cell, count = 0;

	for (cell = 0; cell < 25; cell++)
		if (abs(cell / 5 - blank / 5) * abs(cell % 5 - blank % 5) == 2)
			from[count++] = cell;
	return count;
}
