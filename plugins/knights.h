/* SPDX-License-Identifier: MIT */
/* The knights' board and goal, which knights.c reads and writes and knights_search.c searches. */
#ifndef KNIGHTS_H
#define KNIGHTS_H

#include <puzzled/search/puzzle.h>

#include "plugins/knights_bound.h"
#include "plugins/knights_rank.h"

enum { SIDE = 5, CELLS = KNIGHTS_CELLS, DIRECTIONS = 8, EACH_COLOUR = 12 };
/* Every board is within 39 moves of the usual goal, so any two are within twice that. */
enum { PATH_MAX_MOVES = 2 * 39 };
enum colour { WHITE, BLACK, BLANK };

struct board {
	uint32_t black; /* the key: these two */
	uint32_t blank;
	int h;        /* derived; for `misplaced` the number of wrong cells */
	uint32_t sum; /* derived, for the counts: see knights_bound.h */
};

struct goal {
	uint32_t black;
	uint32_t blank;
	uint32_t differ[3];  /* [colour of a cell]: the cells where the goal has another */
	uint8_t ways[CELLS]; /* [blank]: bit m is set where a knight can jump from direction m */
	int8_t step[DIRECTIONS];
	const struct knights_rank *rank;
	struct knights_bound *bound; /* NULL until a search needs it */
};

static inline enum colour colour_at(const struct board *board, unsigned cell)
{
	if (cell == board->blank)
		return BLANK;
	return board->black >> cell & 1 ? BLACK : WHITE;
}

/* One solver for each of knights.c's heuristics, then NULL. */
enum { KNIGHTS_BALL, KNIGHTS_COUNTS, KNIGHTS_MISPLACED, KNIGHTS_NONE, KNIGHTS_HEURISTICS };
extern const struct pz_solver *const knights_solvers[KNIGHTS_HEURISTICS + 1];

#endif
