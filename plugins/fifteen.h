/* SPDX-License-Identifier: MIT */
/* The 15-puzzle's goals, which fifteen.c makes and fifteen_search.c searches for. */
#ifndef FIFTEEN_H
#define FIFTEEN_H

#include "plugins/fifteen_pattern.h"
#include "plugins/sliding.h"
#include "plugins/sliding_prune.h"

enum {
	/*
	 * The farthest boards from a goal with the blank in a corner need 80 moves (Bruengger,
	 * Marzetta, Fukuda and Nievergelt 1999).  Any other goal is two moves at most from one of
	 * these.
	 */
	FIFTEEN_PATH_MAX = 82,
	FIFTEEN_WORD = 12 /* longest words that the search leaves out; see sliding_prune.h */
};

/* Which databases the configuration asks for. */
enum fifteen_tables { FIFTEEN_NONE, FIFTEEN_SMALL, FIFTEEN_LARGE };

/* What all goals share. */
struct fifteen {
	enum fifteen_tables tables;
	struct fifteen_patterns patterns; /* unless FIFTEEN_NONE */
	const uint8_t *content;           /* NULL: not built yet */
	struct sliding_conflicts conflicts;
	struct sliding_prune *prune; /* NULL until a search needs it */
};

/*
 * A goal.  A state is the board as the pattern databases want it, whatever the goal: tiles are
 * called after the cells where they belong, and if the goal's blank is in a corner, the board is
 * mirrored so that this is the first cell.  With cells numbered row * 4 + column, mirroring left
 * and right, top and bottom, or both, is to flip bits of the numbers, and these are those of the
 * corner.  If the goal's blank is in another cell, nothing is mirrored; that cell has no tile to be
 * called after it, and gives its name to the tile of the first, since 0 is the blank.
 */
struct fifteen_goal {
	struct fifteen *shared;
	bool corner;                  /* the databases can be used */
	uint8_t mirror;               /* a cell's number is that in the text, exclusive or this */
	uint8_t label[FIFTEEN_CELLS]; /* of each tile of the text */
	uint8_t tile[FIFTEEN_CELLS];  /* the reverse */
	uint8_t home[FIFTEEN_CELLS];  /* cell where a label belongs */
	uint64_t cells;               /* all there */
	int8_t manhattan[FIFTEEN_CELLS][FIFTEEN_CELLS]; /* [label][cell]; nothing for the blank */
	/* What a label in a row or column adds to its line's number, times the cell's weight. */
	int8_t in_row[FIFTEEN_CELLS][FIFTEEN_SIDE], in_column[FIFTEEN_CELLS][FIFTEEN_SIDE];
};

/* The searches; the last is for "pdb" where the databases are the large ones. */
enum fifteen_solver {
	FIFTEEN_PDB,
	FIFTEEN_CONFLICT,
	FIFTEEN_MANHATTAN,
	FIFTEEN_MISPLACED,
	FIFTEEN_HEURISTICS,
	FIFTEEN_PDB_LARGE = FIFTEEN_HEURISTICS,
	FIFTEEN_SOLVERS
};
extern const struct pz_solver *const fifteen_solvers[FIFTEEN_SOLVERS + 1];

#endif
