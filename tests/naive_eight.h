/* SPDX-License-Identifier: MIT */
/*
 * The 8-puzzle, slow and obvious: breadth-first search over boards that are strings of nine digits.
 */
#ifndef NAIVE_EIGHT_H
#define NAIVE_EIGHT_H

enum { NAIVE_EIGHT_BOARDS = 362880 };

/*
 * naive_eight_board: the permutation of "012345678" with this number (0 to NAIVE_EIGHT_BOARDS - 1).
 */
void naive_eight_board(int number, char board[10]);

/*
 * naive_eight_lengths: fills `lengths`, by board number, with the fewest moves to `goal`; -1 where
 * it cannot be reached.  Returns how many can.
 */
int naive_eight_lengths(const char *goal, signed char *lengths);

#endif
