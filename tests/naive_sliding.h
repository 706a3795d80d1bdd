/* SPDX-License-Identifier: MIT */
/* Sliding tiles once more, for tests: boards are bytes, a tile each, 0 the blank, row by row. */
#ifndef NAIVE_SLIDING_H
#define NAIVE_SLIDING_H

#include <stdbool.h>
#include <stdint.h>

enum { NAIVE_SLIDING_MAX = 25 };

/* naive_slide: moves the blank u, d, l or r (0 to 3).  False: the edge is there. */
bool naive_slide(uint8_t *tiles, int rows, int cols, int direction);

/*
 * naive_slide_space: the distance of every board from `goal`, by breadth-first search, and the
 * boards in the order they were found, `rows * cols` bytes each.  At most 9 cells.  The number
 * found is returned; both arrays are to be freed.
 */
unsigned naive_slide_space(const uint8_t *goal, int rows, int cols, uint8_t **ret_boards,
			   uint8_t **ret_distances);

/* naive_slide_rank: the number of an arrangement of at most 9 cells, below (rows * cols)!. */
unsigned naive_slide_rank(const uint8_t *tiles, int cells);

/* naive_slide_text: the numbers with spaces between, rows with slashes.  Room for 80. */
void naive_slide_text(const uint8_t *tiles, int rows, int cols, char *text);

/*
 * naive_slide_conflicts: Manhattan distance and linear conflicts to the usual goal, from the
 * definition: in each line, as many tiles that belong there as must leave it for the others to be
 * in order, by trying all subsets.
 */
int naive_slide_conflicts(const uint8_t *tiles, int rows, int cols);

#endif
