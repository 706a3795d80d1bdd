/* SPDX-License-Identifier: MIT */
/* Sliding tiles of any size: the goals, which npuzzle.c makes and npuzzle_search.c searches for. */
#ifndef NPUZZLE_H
#define NPUZZLE_H

#include "plugins/sliding.h"
#include "plugins/sliding_prune.h"

enum {
	NPUZZLE_CELLS = SLIDING_CELLS_MAX,
	NPUZZLE_SIDE = SLIDING_SIDE_MAX,
	/*
	 * No 5x5 board needs more than 205 moves to the usual goal (OEIS A087725, comments), and
	 * any other goal's blank is within 8 of that one's.
	 */
	NPUZZLE_PATH_MAX = 216,
	NPUZZLE_WORD = 10 /* longest words that the search leaves out; see sliding_prune.h */
};

/* Directions of the blank; m ^ 1 is the opposite of m. */
enum { NPUZZLE_UP, NPUZZLE_DOWN, NPUZZLE_LEFT, NPUZZLE_RIGHT, NPUZZLE_DIRECTIONS };

/* What all goals share. */
struct npuzzle {
	bool goal_configured;
	unsigned rows, cols; /* of the plugin's own goal */
	struct sliding_conflicts conflicts;
	struct sliding_prune *prune; /* NULL until a search needs it */
};

/* A goal, and with it the size of the boards. */
struct npuzzle_goal {
	struct npuzzle *shared;
	unsigned rows, cols;
	uint8_t tiles[NPUZZLE_CELLS]; /* cells that are not there are 0, here and in states */
	uint8_t home[NPUZZLE_CELLS];  /* cell where a tile belongs */
	int8_t manhattan[NPUZZLE_CELLS][NPUZZLE_CELLS]; /* [tile][cell]; nothing for the blank */
	/* What a tile in a row or column adds to its line's number, times the cell's weight. */
	int8_t in_row[NPUZZLE_CELLS][NPUZZLE_SIDE], in_column[NPUZZLE_CELLS][NPUZZLE_SIDE];
	uint8_t ways[NPUZZLE_CELLS]; /* [blank]: bit m is set where it can go in direction m */
	int8_t offset[NPUZZLE_DIRECTIONS];
	uint8_t row[NPUZZLE_CELLS], column[NPUZZLE_CELLS]; /* of a cell */
};

enum { NPUZZLE_CONFLICT, NPUZZLE_MANHATTAN, NPUZZLE_MISPLACED, NPUZZLE_HEURISTICS };
extern const struct pz_solver *const npuzzle_solvers[NPUZZLE_HEURISTICS + 1];

#endif
