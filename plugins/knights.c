/* SPDX-License-Identifier: MIT */
/*
 * The knights (SCOI 2005): twelve white and twelve black knights on 5x5 and one empty cell; a move
 * is a knight's jump into the empty cell.  There are 25 * C(24,12) = 67,603,900 boards, all within
 * 39 moves of the usual goal.
 *
 * A board is the set of black knights, bit `row * 5 + column` from the top left, and the blank's
 * cell.  A move number is a direction, a move id 8 * blank + direction, so that an id alone has its
 * name: `a1c2`, the cell that the knight leaves and the one it reaches, files a to e from the left,
 * ranks 1 to 5 from below.
 */
#include <puzzled/search/domain.h>
#include <puzzled/search/grid.h>

#include "plugins/knights.h"

/* Where the jumping knight stands, seen from the blank.  Direction m ^ 1 is the opposite of m. */
static const int8_t row_offset[DIRECTIONS] = {-2, 2, -2, 2, -1, 1, -1, 1};
static const int8_t col_offset[DIRECTIONS] = {-1, 1, 1, -1, -2, 2, 2, -2};

static const struct pz_grid grid = {
	.rows = SIDE,
	.cols = SIDE,
	.cells = "0 for white, 1 for black and * (or x X _ .) for the blank",
	.glyphs = {PZ_GRID_GAPS, PZ_GRID_BLANKS(BLANK), ['0'] = 1 + WHITE, ['1'] = 1 + BLACK},
};

/* The cell that direction m leads to from `cell`, or -1. */
static int neighbour(unsigned cell, unsigned m)
{
	int row = (int)cell / SIDE + row_offset[m], col = (int)cell % SIDE + col_offset[m];

	return row >= 0 && row < SIDE && col >= 0 && col < SIDE ? row * SIDE + col : -1;
}

/* ---- text ---------------------------------------------------------------------------------- */

static int read_board(struct pz_text text, struct board *board, struct pz_error *error)
{
	unsigned char cells[CELLS];
	uint16_t at[CELLS];
	unsigned count[3] = {0}, i, blank = CELLS;

	if (pz_grid_parse(&grid, text, cells, at, error) != 0)
		return -1;
	board->black = 0;
	for (i = 0; i < CELLS; i++) {
		count[cells[i]]++;
		board->black |= (uint32_t)(cells[i] == BLACK) << i;
		if (cells[i] != BLANK)
			continue;
		if (blank != CELLS)
			return pz_fail(error, at[i] + 1u, "a second blank; the first is at byte %d",
				       at[blank] + 1);
		blank = i;
	}
	board->blank = blank;
	if (blank == CELLS)
		return pz_fail(error, 0, "there is no blank; one cell must be * (or x X _ .)");
	if (count[BLACK] != EACH_COLOUR)
		return pz_fail(error, 0,
			       "%u white (0) and %u black (1) knights; there must be %d of each",
			       count[WHITE], count[BLACK], EACH_COLOUR);
	return 0;
}

static int parse(const void *c, void *s, struct pz_text text, struct pz_error *error)
{
	(void)c;
	return read_board(text, s, error);
}

static int print(const void *c, const void *s, struct pz_buffer *out)
{
	char text[CELLS + SIDE - 1];
	unsigned cell, n = 0;

	(void)c;
	for (cell = 0; cell < CELLS; cell++) {
		if (cell > 0 && cell % SIDE == 0)
			text[n++] = '/';
		text[n++] = "01*"[colour_at(s, cell)];
	}
	return pz_put(out, text, sizeof(text));
}

static int render(const void *c, const void *s, struct pz_buffer *out)
{
	/* White and black by shape, not by colour: terminals are dark or light. */
	static const char *const glyphs[] = {"\u25cb", "\u25cf", " "};
	unsigned char cells[CELLS];
	unsigned cell;

	(void)c;
	for (cell = 0; cell < CELLS; cell++)
		cells[cell] = (unsigned char)colour_at(s, cell);
	return pz_grid_render(&grid, cells, glyphs, out);
}

static int move_name(unsigned notation, unsigned id, char *name, size_t cap)
{
	unsigned to = id / DIRECTIONS;
	int from = to < CELLS ? neighbour(to, id % DIRECTIONS) : -1;

	(void)notation;
	if (from < 0 || cap < 5)
		return -1;
	name[0] = (char)('a' + from % SIDE);
	name[1] = (char)('0' + SIDE - from / SIDE);
	name[2] = (char)('a' + to % SIDE);
	name[3] = (char)('0' + SIDE - to / SIDE);
	name[4] = '\0';
	return 0;
}

/* ---- rules --------------------------------------------------------------------------------- */

/* step: the rules once more, from rows and columns, for replay. */
static int step(const void *c, void *s, unsigned id)
{
	struct board *board = s;
	int from;

	(void)c;
	if (id / DIRECTIONS != board->blank)
		return -1;
	from = neighbour(board->blank, id % DIRECTIONS);
	if (from < 0)
		return -1;
	if (colour_at(board, (unsigned)from) == BLACK) {
		board->black |= UINT32_C(1) << board->blank;
		board->black &= ~(UINT32_C(1) << from);
	}
	board->blank = (uint32_t)from;
	return 1;
}

static int set_goal(void *c, void *own, struct pz_text text, struct pz_error *error)
{
	struct goal *goal = c;
	struct board board;
	unsigned cell, m;

	goal->rank = own;
	if (read_board(text, &board, error) != 0)
		return -1;
	goal->black = board.black;
	goal->blank = board.blank;
	for (m = 0; m < DIRECTIONS; m++)
		goal->step[m] = (int8_t)(row_offset[m] * SIDE + col_offset[m]);
	for (cell = 0; cell < CELLS; cell++) {
		for (m = 0; m < 3; m++)
			goal->differ[m] |= (uint32_t)(colour_at(&board, cell) != m) << cell;
		for (m = 0; m < DIRECTIONS; m++)
			goal->ways[cell] |= (uint8_t)((neighbour(cell, m) >= 0) << m);
	}
	return 0;
}

static unsigned id(const void *c, const void *s, unsigned m)
{
	const struct board *board = s;

	(void)c;
	return board->blank * DIRECTIONS + m;
}

static void drop_goal(void *c)
{
	struct goal *goal = c;

	free(goal->bound);
	goal->bound = NULL;
}

static int open_rank(const struct pz_setup *setup, void **ret_own, struct pz_error *error)
{
	struct knights_rank *numbers = malloc(sizeof(*numbers));

	(void)setup;
	if (numbers == NULL)
		return pz_fail(error, 0, "no memory");
	knights_rank_init(numbers);
	*ret_own = numbers;
	return 0;
}

static const char *const heuristics[KNIGHTS_HEURISTICS + 1] = {
	[KNIGHTS_BALL] = "ball",
	[KNIGHTS_COUNTS] = "counts",
	[KNIGHTS_MISPLACED] = "misplaced",
	[KNIGHTS_NONE] = "none",
};

static const struct pz_puzzle knights = {
	.context_size = sizeof(struct goal),
	.path_max = PATH_MAX_MOVES,
	.open = open_rank,
	.close = free,
	.set_goal = set_goal,
	.drop_goal = drop_goal,
	.parse = parse,
	.print = print,
	.render = render,
	.id = id,
	.step = step,
	.solvers = knights_solvers,
	.plain = KNIGHTS_NONE,
	.table_version = 1,
};

PZ_PLUGIN(
	knights, pz_full_space, .name = "knights", .version = "1.0",
	.summary = "bring twelve white and twelve black knights on 5x5 to their places",
	.syntax =
		"Five rows of five cells from the top: 0 a white knight, 1 a black one, * (or x X "
		"_ .) the blank; "
		"twelve knights of each colour. Rows and cells may be run together or separated by "
		"newlines, spaces, commas or slashes.",
	.example = "10110/01*11/10111/01001/00000", .goal = "11111/01111/00*11/00001/00000",
	.moves = CELLS * DIRECTIONS, .path_max = PATH_MAX_MOVES, .board_max = CELLS + 4,
	.move_name = move_name, .heuristics = heuristics, .unit_cost = true);
