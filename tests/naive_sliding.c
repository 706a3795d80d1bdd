/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/naive_sliding.h"

bool naive_slide(uint8_t *tiles, int rows, int cols, int direction)
{
	int blank = 0, row, col, to;

	while (tiles[blank] != 0)
		blank++;
	row = blank / cols;
	col = blank % cols;
	if ((direction == 0 && row == 0) || (direction == 1 && row == rows - 1) ||
	    (direction == 2 && col == 0) || (direction == 3 && col == cols - 1))
		return false;
	to = blank + (direction == 0 ? -cols : direction == 1 ? cols : direction == 2 ? -1 : 1);
	tiles[blank] = tiles[to];
	tiles[to] = 0;
	return true;
}

unsigned naive_slide_rank(const uint8_t *tiles, int cells)
{
	unsigned rank = 0;
	int i, j;

	for (i = 0; i < cells; i++) {
		unsigned less = 0;

		for (j = i + 1; j < cells; j++)
			less += tiles[j] < tiles[i];
		rank = rank * (unsigned)(cells - i) + less;
	}
	return rank;
}

unsigned naive_slide_space(const uint8_t *goal, int rows, int cols, uint8_t **ret_boards,
			   uint8_t **ret_distances)
{
	size_t cells = (size_t)(rows * cols), all = 1, head, count = 0, i;
	uint8_t *boards, *distances, *seen;
	int direction;

	for (i = 2; i <= cells; i++)
		all *= i;
	boards = malloc(all * cells);
	distances = malloc(all);
	seen = calloc(all, 1);
	if (boards == NULL || distances == NULL || seen == NULL)
		abort();
	memcpy(boards, goal, cells);
	distances[count++] = 0;
	seen[naive_slide_rank(goal, (int)cells)] = 1;
	for (head = 0; head < count; head++) {
		for (direction = 0; direction < 4; direction++) {
			uint8_t next[NAIVE_SLIDING_MAX];
			unsigned rank;

			memcpy(next, boards + head * cells, cells);
			if (!naive_slide(next, rows, cols, direction))
				continue;
			rank = naive_slide_rank(next, (int)cells);
			if (seen[rank])
				continue;
			seen[rank] = 1;
			memcpy(boards + count * cells, next, cells);
			distances[count++] = (uint8_t)(distances[head] + 1);
		}
	}
	free(seen);
	*ret_boards = boards;
	*ret_distances = distances;
	return (unsigned)count;
}

void naive_slide_text(const uint8_t *tiles, int rows, int cols, char *text)
{
	int i;

	for (i = 0; i < rows * cols; i++)
		text += sprintf(text, "%s%d", i == 0 ? "" : i % cols == 0 ? "/" : " ", tiles[i]);
}

/* fewest: of the n places in a line, how many must go for the rest to increase. */
static int fewest(const int *places, int n)
{
	int best = n, subset, i;

	for (subset = 0; subset < 1 << n; subset++) {
		int last = -1, gone = 0;

		for (i = 0; i < n; i++) {
			if (!(subset >> i & 1)) {
				gone++;
				continue;
			}
			if (places[i] < last)
				break;
			last = places[i];
		}
		if (i == n && gone < best)
			best = gone;
	}
	return best;
}

int naive_slide_conflicts(const uint8_t *tiles, int rows, int cols)
{
	int h = 0, row, col, n, places[NAIVE_SLIDING_MAX];

	for (row = 0; row < rows; row++) {
		for (col = 0; col < cols; col++) {
			int home = tiles[row * cols + col] - 1;

			if (home >= 0)
				h += abs(home / cols - row) + abs(home % cols - col);
		}
	}
	for (row = 0; row < rows; row++) {
		for (n = 0, col = 0; col < cols; col++) {
			int home = tiles[row * cols + col] - 1;

			if (home >= 0 && home / cols == row)
				places[n++] = home % cols;
		}
		h += 2 * fewest(places, n);
	}
	for (col = 0; col < cols; col++) {
		for (n = 0, row = 0; row < rows; row++) {
			int home = tiles[row * cols + col] - 1;

			if (home >= 0 && home % cols == col)
				places[n++] = home / cols;
		}
		h += 2 * fewest(places, n);
	}
	return h;
}
