/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tests/naive_eight.h"

void naive_eight_board(int number, char board[10])
{
	char left[] = "012345678";
	int radix = NAIVE_EIGHT_BOARDS, i;

	for (i = 0; i < 9; i++) {
		int pick;

		radix /= 9 - i;
		pick = number / radix;
		number %= radix;
		board[i] = left[pick];
		memmove(left + pick, left + pick + 1, strlen(left + pick));
	}
	board[9] = '\0';
}

static int number_of(const char *board)
{
	int number = 0, i, j;

	for (i = 0; i < 9; i++) {
		int smaller = 0;

		for (j = i + 1; j < 9; j++)
			smaller += board[j] < board[i];
		number = number * (9 - i) + smaller;
	}
	return number;
}

int naive_eight_lengths(const char *goal, signed char *lengths)
{
	static const int rows[] = {-1, 1, 0, 0}, cols[] = {0, 0, -1, 1};
	int *queue = malloc(NAIVE_EIGHT_BOARDS * sizeof(*queue));
	int head = 0, tail = 0, way;
	char board[10];

	if (queue == NULL)
		abort();
	memset(lengths, -1, NAIVE_EIGHT_BOARDS);
	queue[tail++] = number_of(goal);
	lengths[queue[0]] = 0;
	while (head < tail) {
		int from = queue[head++];

		for (way = 0; way < 4; way++) {
			int blank, row, col, to;

			naive_eight_board(from, board);
			blank = (int)(strchr(board, '0') - board);
			row = blank / 3 + rows[way];
			col = blank % 3 + cols[way];
			if (row < 0 || row > 2 || col < 0 || col > 2)
				continue;
			board[blank] = board[row * 3 + col];
			board[row * 3 + col] = '0';
			to = number_of(board);
			if (lengths[to] >= 0)
				continue;
			lengths[to] = (signed char)(lengths[from] + 1);
			queue[tail++] = to;
		}
	}
	free(queue);
	return tail;
}
