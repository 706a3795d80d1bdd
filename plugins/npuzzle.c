/* SPDX-License-Identifier: MIT */
/*
 * Sliding tiles on boards of up to five rows and five columns.  The size is that of the board as it
 * is written; where no goal is given, the goal is the tiles in order and the blank last, whatever
 * the size.
 */
#include <puzzled/search/domain.h>
#include <puzzled/search/text.h>

#include "plugins/npuzzle.h"

static const struct sliding_want any_size = {.cells = 0};

/* ---- text ---------------------------------------------------------------------------------- */

/* is_line: one row that says so: of what might be a square only a line of four needs that. */
static bool is_line(struct pz_text text, const struct sliding_board *board)
{
	return board->rows == 1 && board->count <= NPUZZLE_SIDE &&
	       memchr(text.data, '/', text.len) != NULL;
}

/*
 * shape: the size of a board.  What is written in one row without a slash is a square if it can be
 * one, or else a single row.
 */
static int shape(struct pz_text text, const struct sliding_board *board, unsigned *ret_rows,
		 unsigned *ret_cols, struct pz_error *error)
{
	unsigned side = 1;

	*ret_rows = board->rows;
	*ret_cols = board->cols;
	if (board->rows == 1 && !is_line(text, board)) {
		while (side * side < board->count)
			side++;
		if (side * side == board->count)
			*ret_rows = *ret_cols = side;
	}
	if (*ret_cols > NPUZZLE_SIDE)
		return pz_fail(error, 0,
			       "%u cells in one row; put slashes or newlines between rows, of at "
			       "most %d cells",
			       board->count, NPUZZLE_SIDE);
	if (*ret_rows > NPUZZLE_SIDE)
		return pz_fail(error, 0, "%u rows; there can be at most %d", *ret_rows,
			       NPUZZLE_SIDE);
	return 0;
}

static int parse(const void *c, void *s, struct pz_text text, struct pz_error *error)
{
	const struct npuzzle_goal *goal = c;
	struct sliding_board board;
	unsigned rows, cols;

	if (sliding_read(text, any_size, &board, error) != 0)
		return -1;
	/* In one row, so many cells as the goal has are divided as there. */
	if (board.rows == 1 && board.count == goal->rows * goal->cols && !is_line(text, &board)) {
		rows = goal->rows;
		cols = goal->cols;
	} else if (shape(text, &board, &rows, &cols, error) != 0) {
		return -1;
	}
	if (rows != goal->rows || cols != goal->cols)
		return pz_fail(error, 0, "the board is %ux%u and the goal %ux%u", rows, cols,
			       goal->rows, goal->cols);
	memcpy(s, board.tiles, NPUZZLE_CELLS);
	return 0;
}

/* print_board: so that `shape` sees the same rows again. */
static int print_board(const uint8_t *tiles, unsigned rows, unsigned cols, struct pz_buffer *out)
{
	if (sliding_print(tiles, rows, cols, out) != 0)
		return -1;
	return rows == 1 && cols == 4 ? pz_put(out, "/", 1) : 0;
}

static int print(const void *c, const void *s, struct pz_buffer *out)
{
	const struct npuzzle_goal *goal = c;

	return print_board(s, goal->rows, goal->cols, out);
}

static int render(const void *c, const void *s, struct pz_buffer *out)
{
	const struct npuzzle_goal *goal = c;

	return sliding_render(s, goal->rows, goal->cols, out);
}

/* ---- goals --------------------------------------------------------------------------------- */

/* usual_goal: for a board of another size than the plugin's own goal: the tiles in order. */
static bool usual_goal(const void *own, struct pz_text text, struct pz_buffer *out)
{
	const struct npuzzle *shared = own;
	uint8_t tiles[NPUZZLE_CELLS];
	struct sliding_board board;
	unsigned rows, cols, i;
	struct pz_error error;

	if (shared->goal_configured || sliding_read(text, any_size, &board, &error) != 0 ||
	    shape(text, &board, &rows, &cols, &error) != 0 ||
	    (rows == shared->rows && cols == shared->cols))
		return false;
	for (i = 0; i < board.count; i++)
		tiles[i] = (uint8_t)((i + 1) % board.count);
	return print_board(tiles, rows, cols, out) == 0;
}

/* What a tile does to distances and lines, wherever it is. */
static void fill_tile(struct npuzzle_goal *goal, unsigned tile)
{
	unsigned row = goal->row[goal->home[tile]], col = goal->column[goal->home[tile]], i;

	for (i = 0; i < goal->rows * goal->cols; i++)
		goal->manhattan[tile][i] = (int8_t)(abs((int)goal->row[i] - (int)row) +
						    abs((int)goal->column[i] - (int)col));
	goal->in_row[tile][row] = (int8_t)((int)col - SLIDING_STRANGER);
	goal->in_column[tile][col] = (int8_t)((int)row - SLIDING_STRANGER);
}

static int set_goal(void *c, void *own, struct pz_text text, struct pz_error *error)
{
	struct npuzzle_goal *goal = c;
	struct sliding_board board;
	unsigned i;

	goal->shared = own;
	if (sliding_read(text, any_size, &board, error) != 0 ||
	    shape(text, &board, &goal->rows, &goal->cols, error) != 0)
		return -1;
	memcpy(goal->tiles, board.tiles, sizeof(goal->tiles));
	goal->offset[NPUZZLE_UP] = (int8_t) - (int)goal->cols;
	goal->offset[NPUZZLE_DOWN] = (int8_t)goal->cols;
	goal->offset[NPUZZLE_LEFT] = -1;
	goal->offset[NPUZZLE_RIGHT] = 1;
	for (i = 0; i < board.count; i++) {
		unsigned row = i / goal->cols, col = i % goal->cols;

		goal->row[i] = (uint8_t)row;
		goal->column[i] = (uint8_t)col;
		goal->home[board.tiles[i]] = (uint8_t)i;
		goal->ways[i] =
			(uint8_t)((row > 0) << NPUZZLE_UP | (row + 1 < goal->rows) << NPUZZLE_DOWN |
				  (col > 0) << NPUZZLE_LEFT |
				  (col + 1 < goal->cols) << NPUZZLE_RIGHT);
	}
	for (i = 1; i < board.count; i++)
		fill_tile(goal, i);
	return 0;
}

static void close_shared(void *own)
{
	struct npuzzle *shared = own;

	sliding_prune_free(shared->prune);
	free(shared);
}

enum { OWN_SIDE = 3 }; /* of the plugin's own goal, below */

static int open_shared(const struct pz_setup *setup, void **ret_own, struct pz_error *error)
{
	struct npuzzle *own = calloc(1, sizeof(*own));

	if (own == NULL)
		return pz_fail(error, 0, "no memory");
	own->goal_configured = setup->goal.data != NULL;
	own->rows = own->cols = OWN_SIDE;
	sliding_conflicts_init(&own->conflicts);
	*ret_own = own;
	return 0;
}

/* ---- rules --------------------------------------------------------------------------------- */

static bool unsolvable(const void *c, const void *s)
{
	const struct npuzzle_goal *goal = c;

	return !sliding_solvable(s, goal->home, goal->rows, goal->cols);
}

/* step: the rules once more, from rows and columns, for replay. */
static int step(const void *c, void *s, unsigned id)
{
	const struct npuzzle_goal *goal = c;
	uint8_t *tiles = s;
	unsigned blank = 0, row, col;

	while (tiles[blank] != 0)
		blank++;
	row = blank / goal->cols + (id == NPUZZLE_DOWN) - (id == NPUZZLE_UP);
	col = blank % goal->cols + (id == NPUZZLE_RIGHT) - (id == NPUZZLE_LEFT);
	if (id >= NPUZZLE_DIRECTIONS || row >= goal->rows || col >= goal->cols)
		return -1;
	tiles[blank] = tiles[row * goal->cols + col];
	tiles[row * goal->cols + col] = 0;
	return 1;
}

static const char *const notations[] = {"blank", "tile", NULL};
static const char *const heuristics[NPUZZLE_HEURISTICS + 1] = {
	[NPUZZLE_CONFLICT] = "conflict",
	[NPUZZLE_MANHATTAN] = "manhattan",
	[NPUZZLE_MISPLACED] = "misplaced",
};

static const struct pz_puzzle npuzzle = {
	.context_size = sizeof(struct npuzzle_goal),
	.path_max = NPUZZLE_PATH_MAX,
	.open = open_shared,
	.close = close_shared,
	.set_goal = set_goal,
	.usual_goal = usual_goal,
	.parse = parse,
	.print = print,
	.render = render,
	.unsolvable = unsolvable,
	.step = step,
	.solvers = npuzzle_solvers,
	.plain = NPUZZLE_MISPLACED,
};

PZ_PLUGIN(
	npuzzle, pz_both_ways, .name = "npuzzle", .version = "1.0",
	.summary = "slide numbered tiles into order on any board of up to 5x5",
	.syntax =
		"Rows of at most five cells, with slashes or newlines between; the cells are the "
		"tiles 1, 2, ... and one blank, written 0, x, X, _, . or *, with spaces or commas "
		"between. A square may be written in one row; a line of four ends with a slash. "
		"Without a goal of its own a board of any size is to be brought into order, the "
		"blank last.",
	.example = "1 2 3/4 0 5", .goal = "1 2 3/4 5 6/7 8 0", .moves = NPUZZLE_DIRECTIONS,
	.path_max = NPUZZLE_PATH_MAX, .notations = notations, .move_name = sliding_move_name,
	.heuristics = heuristics, .unit_cost = true);
