/* SPDX-License-Identifier: MIT */
/*
 * cells: boards as the judges of the net write them: single characters, with white space of any
 * kind between.
 *
 * White space is space, tab, line ends of every system, vertical tab, form feed, no-break and
 * ideographic space and byte-order mark.  A board may be spread over lines, but no line holds cells
 * of two boards, so that a missing cell cannot shift all boards after it.
 */
#ifndef CLIENT_CELLS_H
#define CLIENT_CELLS_H

#include "client/fault.h"
#include "client/input.h"

#include <stdbool.h>
#include <stdint.h>

enum { CELLS_MAX = 25 };

/* Where a character stands; both count from 1. */
struct place {
	uint64_t line, column;
};

struct cells {
	struct input *input;
	struct place place;  /* of the next character */
	uint64_t board_line; /* the line in which the last board ended; 0: none */
	bool after_return;   /* the last character was a CR: a LF now belongs to it */
};

struct cells_board {
	char text[CELLS_MAX];
	struct place places[CELLS_MAX];
};

void cells_start(struct cells *cells, struct input *input);

/*
 * Reads `count` characters out of `alphabet` into *ret.  Returns 1, 0 when nothing but white space
 * is left, or -1 with *fault (EXIT_USAGE): another character, too few or too many.
 */
int cells_board(struct cells *cells, const char *alphabet, unsigned count, struct cells_board *ret,
		struct fault *fault);

/* Reads a count of boards, a number on a line of its own. Returns 0, or -1 with *fault. */
int cells_count(struct cells *cells, uint64_t *ret, struct fault *fault);

/* Returns 0 when nothing but white space is left, or -1 with *fault. */
int cells_end(struct cells *cells, struct fault *fault);

#endif
