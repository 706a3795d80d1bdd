/* SPDX-License-Identifier: MIT */
/* What the searches see of sliding tiles of any size: one domain for each heuristic. */
#include <puzzled/search/domain.h>

#include "plugins/npuzzle.h"

/* What all states begin with. */
struct board {
	uint8_t tiles[NPUZZLE_CELLS]; /* the key */
	uint8_t blank;                /* its cell; derived */
};

/* Manhattan distance, or misplaced tiles. */
struct sum_board {
	struct board board;
	int16_t h;
};

/* And linear conflicts: the numbers of all lines. */
struct conflict_board {
	struct board board;
	int16_t h;
	uint16_t row[NPUZZLE_SIDE], column[NPUZZLE_SIDE];
};

static uint64_t moves(const void *c, const void *s)
{
	const struct npuzzle_goal *goal = c;
	const struct board *board = s;

	return goal->ways[board->blank];
}

static unsigned inverse(unsigned m)
{
	return m ^ 1;
}

static bool is_goal(const void *c, const void *s)
{
	const struct npuzzle_goal *goal = c;
	const struct board *board = s;

	return memcmp(board->tiles, goal->tiles, sizeof(goal->tiles)) == 0;
}

static size_t goals(const void *c, void *states, size_t cap)
{
	const struct npuzzle_goal *goal = c;
	struct board *board = states;

	if (cap > 0)
		memcpy(board->tiles, goal->tiles, sizeof(goal->tiles));
	return 1;
}

static int prepare(void *c)
{
	struct npuzzle *shared = ((struct npuzzle_goal *)c)->shared;

	if (shared->prune == NULL)
		shared->prune = sliding_prune_new(NPUZZLE_WORD);
	return shared->prune != NULL ? 0 : -1;
}

static const struct pz_automaton *automaton(const void *c)
{
	const struct npuzzle_goal *goal = c;

	return &goal->shared->prune->automaton;
}

static void find_blank(struct board *board)
{
	for (board->blank = 0; board->tiles[board->blank] != 0; board->blank++)
		;
}

/* from_cell: where the blank goes by m. */
static unsigned from_cell(const struct npuzzle_goal *goal, const struct board *board, unsigned m)
{
	return board->blank + (unsigned)goal->offset[m];
}

static void slide(struct board *next, const struct board *board, unsigned from)
{
	*next = *board;
	next->tiles[board->blank] = board->tiles[from];
	next->tiles[from] = 0;
	next->blank = (uint8_t)from;
}

#define NPUZZLE_RULES(type)                                                                        \
	.state_size = sizeof(struct type), .key_size = NPUZZLE_CELLS,                              \
	.max_moves = NPUZZLE_DIRECTIONS, .h_consistent = true, .moves = moves, .goal = is_goal,    \
	.inverse = inverse, .goals = goals, .prepare = prepare, .automaton = automaton

/* ---- misplaced, manhattan ------------------------------------------------------------------ */

/* Both are sums over tiles of which a move changes one by at most 1, so they are consistent. */

static int sum_h(const void *c, const void *s)
{
	(void)c;
	return ((const struct sum_board *)s)->h;
}

static int manhattan_of(const struct npuzzle_goal *goal, unsigned tile, unsigned cell)
{
	return goal->manhattan[tile][cell];
}

static int misplaced_of(const struct npuzzle_goal *goal, unsigned tile, unsigned cell)
{
	return tile != 0 && goal->home[tile] != cell;
}

#define NPUZZLE_SUM(name)                                                                          \
	static void name##_derive(const void *c, void *s)                                          \
	{                                                                                          \
		const struct npuzzle_goal *goal = c;                                               \
		struct sum_board *board = s;                                                       \
		unsigned i;                                                                        \
                                                                                                   \
		find_blank(&board->board);                                                         \
		board->h = 0;                                                                      \
		for (i = 0; i < goal->rows * goal->cols; i++)                                      \
			board->h =                                                                 \
				(int16_t)(board->h + name##_of(goal, board->board.tiles[i], i));   \
	}                                                                                          \
	static int name##_child_h(const void *c, const void *s, unsigned m)                        \
	{                                                                                          \
		const struct sum_board *board = s;                                                 \
		unsigned from = from_cell(c, &board->board, m);                                    \
		unsigned tile = board->board.tiles[from];                                          \
                                                                                                   \
		return board->h - name##_of(c, tile, from) +                                       \
		       name##_of(c, tile, board->board.blank);                                     \
	}                                                                                          \
	static void name##_apply(const void *c, void *child, const void *s, unsigned m)            \
	{                                                                                          \
		const struct sum_board *board = s;                                                 \
		struct sum_board *next = child;                                                    \
                                                                                                   \
		next->h = (int16_t)name##_child_h(c, s, m);                                        \
		slide(&next->board, &board->board, from_cell(c, &board->board, m));                \
	}                                                                                          \
	static const struct pz_domain name = {NPUZZLE_RULES(sum_board), .h = sum_h,                \
					      .child_h = name##_child_h, .apply = name##_apply,    \
					      .derive = name##_derive};                            \
	PZ_SOLVER(name)

NPUZZLE_SUM(manhattan)
NPUZZLE_SUM(misplaced)

/* ---- conflict ------------------------------------------------------------------------------ */

/* Manhattan distance and linear conflicts: see sliding.h, also for why it is consistent. */

static int conflict_h(const void *c, const void *s)
{
	(void)c;
	return ((const struct conflict_board *)s)->h;
}

static void conflict_derive(const void *c, void *s)
{
	const struct npuzzle_goal *goal = c;
	const uint8_t *cost = goal->shared->conflicts.moves;
	struct conflict_board *board = s;
	int h = 0;
	unsigned i;

	find_blank(&board->board);
	for (i = 0; i < NPUZZLE_SIDE; i++)
		board->row[i] = board->column[i] = SLIDING_LINES - 1;
	for (i = 0; i < goal->rows * goal->cols; i++) {
		unsigned tile = board->board.tiles[i], row = goal->row[i], col = goal->column[i];

		h += goal->manhattan[tile][i];
		board->row[row] =
			(uint16_t)(board->row[row] + goal->in_row[tile][row] * sliding_weight[col]);
		board->column[col] = (uint16_t)(board->column[col] +
						goal->in_column[tile][col] * sliding_weight[row]);
	}
	for (i = 0; i < NPUZZLE_SIDE; i++)
		h += cost[board->row[i]] + cost[board->column[i]];
	board->h = (int16_t)h;
}

static void conflict_apply(const void *c, void *child, const void *s, unsigned m)
{
	const struct npuzzle_goal *goal = c;
	const struct sliding_conflicts *conflicts = &goal->shared->conflicts;
	const struct conflict_board *board = s;
	struct conflict_board *next = child;
	unsigned to = board->board.blank, from = from_cell(goal, &board->board, m);
	unsigned tile = board->board.tiles[from], row = goal->row[from], col = goal->column[from];
	int h = board->h + goal->manhattan[tile][to] - goal->manhattan[tile][from];

	*next = *board;
	slide(&next->board, &board->board, from);
	if (m < NPUZZLE_LEFT) {
		h += sliding_cross(conflicts, next->row, goal->in_row[tile], row, goal->row[to],
				   col);
		sliding_shift(&next->column[col], goal->in_column[tile][col], row, goal->row[to]);
	} else {
		h += sliding_cross(conflicts, next->column, goal->in_column[tile], col,
				   goal->column[to], row);
		sliding_shift(&next->row[row], goal->in_row[tile][row], col, goal->column[to]);
	}
	next->h = (int16_t)h;
}

static const struct pz_domain conflict = {NPUZZLE_RULES(conflict_board), .h = conflict_h,
					  .apply = conflict_apply, .derive = conflict_derive};
PZ_SOLVER(conflict)

const struct pz_solver *const npuzzle_solvers[NPUZZLE_HEURISTICS + 1] = {
	[NPUZZLE_CONFLICT] = &conflict_solver,
	[NPUZZLE_MANHATTAN] = &manhattan_solver,
	[NPUZZLE_MISPLACED] = &misplaced_solver,
};
