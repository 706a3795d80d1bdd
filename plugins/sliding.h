/* SPDX-License-Identifier: MIT */
/*
 * What sliding-tile puzzles of all sizes have in common: text, parity, linear conflicts.  A board
 * is rows of cells with the tiles 1, 2, ... and one blank, 0.
 */
#ifndef SLIDING_H
#define SLIDING_H

#include <puzzled/search/puzzle.h>

enum {
	SLIDING_SIDE_MAX = 5,
	SLIDING_CELLS_MAX = SLIDING_SIDE_MAX * SLIDING_SIDE_MAX,
	/* Lines of five digits, each a place in the line or, five, something that has none. */
	SLIDING_LINES = 6 * 6 * 6 * 6 * 6
};

/* ---- text ---------------------------------------------------------------------------------- */

/* A board as it was written. */
struct sliding_board {
	unsigned count; /* of cells */
	unsigned rows,
		cols; /* as the text's line breaks and slashes say; all in one row: 1, count */
	uint8_t tiles[SLIDING_CELLS_MAX];
};

/* What a puzzle wants of a board. */
struct sliding_want {
	unsigned
		cells; /* just so many, however they are divided into rows; 0: rows of equal length */
};

/*
 * sliding_read: reads a board, a tile a number, with spaces, tabs, commas, no-break spaces, slashes
 * or line breaks between.  Says where and how a text is no board: each tile must be there once. 0,
 * or -1 with an error.
 */
int sliding_read(struct pz_text text, struct sliding_want want, struct sliding_board *ret,
		 struct pz_error *error);

/* sliding_print: the tiles, with spaces between and slashes between rows. -1: no room. */
int sliding_print(const uint8_t *tiles, unsigned rows, unsigned cols, struct pz_buffer *out);

/* sliding_render: draws the board. -1: no room. */
int sliding_render(const uint8_t *tiles, unsigned rows, unsigned cols, struct pz_buffer *out);

/* sliding_move_name: `u d l r`: how the blank moves; notation 1: how the tile does. */
int sliding_move_name(unsigned notation, unsigned id, char *name, size_t cap);

/* ---- parity -------------------------------------------------------------------------------- */

/*
 * sliding_solvable: can the board become the one where cell `home[t]` has the tile t, for all t?
 * A move swaps the blank and a tile, which changes both the permutation's sign and the colour of
 * the blank's cell on a chequered board; so one of them says what the other must be, on every
 * board and for every goal.  Where there are two rows and two columns at least, nothing else is
 * needed (Johnson and Story 1879; Wilson 1974).  In a single line the tiles keep their order.
 */
bool sliding_solvable(const uint8_t *tiles, const uint8_t *home, unsigned rows, unsigned cols);

/* ---- linear conflicts ---------------------------------------------------------------------- */

/*
 * Manhattan distance lets tiles pass through each other.  Of the tiles that are in their own row,
 * some must leave it and come back unless their places in it are in order already; that costs two
 * moves more each, and the fewest are all but a longest increasing subsequence.  The same for
 * columns; moves across rows and along them are different ones, so both may be added (Hansson,
 * Mayer and Yung, Information Sciences 63, 1992).
 *
 * With that it stays consistent.  A move sideways leaves the rows' orders as they are, for there is
 * nothing to pass but the blank; it takes a tile out of one column and into another, at most one of
 * which is its own.  If it enters its own column the distance falls by one and the conflicts stay
 * or grow by two; if it leaves it, the reverse; the sum changes by one each time.
 *
 * A line is a number: the digit of weight 6^i is for its i-th cell, 0 to 4 the place in this line
 * where its tile belongs, 5 if that is in another line, or the cell is the blank's or none.
 */
struct sliding_conflicts {
	uint8_t moves[SLIDING_LINES]; /* by a line's number: moves that its conflicts cost */
};

enum { SLIDING_STRANGER = 5 };
extern const uint16_t sliding_weight[SLIDING_SIDE_MAX]; /* 6^i */

void sliding_conflicts_init(struct sliding_conflicts *conflicts);

/*
 * sliding_cross: a tile goes from line `from` to the parallel line `to`, and is cell `at` of both.
 * `in` says what it adds to the number of each such line, but for the cell's weight.  Returns how
 * many moves more the conflicts in these two lines cost.
 */
static inline int sliding_cross(const struct sliding_conflicts *conflicts, uint16_t *lines,
				const int8_t *in, unsigned from, unsigned to, unsigned at)
{
	int before = conflicts->moves[lines[from]] + conflicts->moves[lines[to]];

	lines[from] = (uint16_t)(lines[from] - in[from] * sliding_weight[at]);
	lines[to] = (uint16_t)(lines[to] + in[to] * sliding_weight[at]);
	return conflicts->moves[lines[from]] + conflicts->moves[lines[to]] - before;
}

/* sliding_shift: a tile goes from cell `from` to cell `to` of one line, past nothing but the
 * blank. */
static inline void sliding_shift(uint16_t *line, int in, unsigned from, unsigned to)
{
	*line = (uint16_t)(*line + in * (sliding_weight[to] - sliding_weight[from]));
}

#endif
