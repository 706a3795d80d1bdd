/* SPDX-License-Identifier: MIT */
/*
 * The knights (SCOI 2005): twelve white and twelve black knights on 5x5 and one empty cell; a move
 * is a knight's jump into the empty cell.  There are 25 * C(24,12) = 67,603,900 boards, all within
 * 39 moves of the usual goal.
 *
 * A board is the set of black knights, bit `row * 5 + column` from the top left, and the blank's
 * cell. A move number is a direction, a move id 8 * blank + direction, so that an id alone has its
 * name: `a1c2`, the cell that the knight leaves and the one it reaches, files a to e from the left,
 * ranks 1 to 5 from below.
 */
#include <puzzled/search/domain.h>
#include <puzzled/search/grid.h>

enum { SIDE = 5, CELLS = 25, DIRECTIONS = 8, EACH_COLOUR = 12 };
/* Every board is within 39 moves of the usual goal, so any two are within twice that. */
enum { PATH_MAX_MOVES = 2 * 39 };
enum colour { WHITE, BLACK, BLANK };

/* Where the jumping knight stands, seen from the blank.  Direction m ^ 1 is the opposite of m. */
static const int8_t row_offset[DIRECTIONS] = {-2, 2, -2, 2, -1, 1, -1, 1};
static const int8_t col_offset[DIRECTIONS] = {-1, 1, 1, -1, -2, 2, 2, -2};

struct board {
	uint32_t black; /* the key: these two */
	uint32_t blank;
	int mismatched; /* derived: cells that are not as in the goal, the blank's included */
};

struct goal {
	uint32_t black;
	uint32_t blank;
	uint32_t differ[3];  /* [colour of a cell]: the cells where the goal has another */
	uint8_t ways[CELLS]; /* [blank]: bit m is set where a knight can jump from direction m */
};

static const struct pz_grid grid = {
	.rows = SIDE,
	.cols = SIDE,
	.cells = "0 for white, 1 for black and * (or x X _ .) for the blank",
	.glyphs = {PZ_GRID_GAPS, PZ_GRID_BLANKS(BLANK), ['0'] = 1 + WHITE, ['1'] = 1 + BLACK},
};

static enum colour colour_at(const struct board *board, unsigned cell)
{
	if (cell == board->blank)
		return BLANK;
	return board->black >> cell & 1 ? BLACK : WHITE;
}

/* The cell that direction m leads to from `cell`, or -1. */
static int neighbour(unsigned cell, unsigned m)
{
	int row = (int)cell / SIDE + row_offset[m], col = (int)cell % SIDE + col_offset[m];

	return row >= 0 && row < SIDE && col >= 0 && col < SIDE ? row * SIDE + col : -1;
}

/* ---- text --------------------------------------------------------------------------------------
 */

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

/* ---- rules --------------------------------------------------------------------------------------
 */

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

	(void)own;
	if (read_board(text, &board, error) != 0)
		return -1;
	goal->black = board.black;
	goal->blank = board.blank;
	for (cell = 0; cell < CELLS; cell++) {
		for (m = 0; m < 3; m++)
			goal->differ[m] |= (uint32_t)(colour_at(&board, cell) != m) << cell;
		for (m = 0; m < DIRECTIONS; m++)
			goal->ways[cell] |= (uint8_t)((neighbour(cell, m) >= 0) << m);
	}
	return 0;
}

/* ---- what the searches see
 * ------------------------------------------------------------------------ */

static uint64_t moves(const void *c, const void *s)
{
	const struct goal *goal = c;
	const struct board *board = s;

	return goal->ways[board->blank];
}

static unsigned inverse(unsigned m)
{
	return m ^ 1;
}

static unsigned id(const void *c, const void *s, unsigned m)
{
	const struct board *board = s;

	(void)c;
	return board->blank * DIRECTIONS + m;
}

static bool is_goal(const void *c, const void *s)
{
	const struct goal *goal = c;
	const struct board *board = s;

	return board->black == goal->black && board->blank == goal->blank;
}

static size_t goals(const void *c, void *states, size_t cap)
{
	const struct goal *goal = c;
	struct board *board = states;

	if (cap > 0)
		*board = (struct board){.black = goal->black, .blank = goal->blank};
	return 1;
}

/*
 * The naive heuristic: wrong cells minus one.  A jump puts at most one knight right, and only the last wrong cell
 * can be the blank's; so n wrong cells need at least n - 1 jumps.  Not consistent: the jump that
 * brings the blank home may put two cells right at once.
 */
static int misplaced_h(const void *c, const void *s)
{
	const struct board *board = s;

	(void)c;
	return board->mismatched > 0 ? board->mismatched - 1 : 0;
}

static void misplaced_derive(const void *c, void *s)
{
	const struct goal *goal = c;
	struct board *board = s;
	unsigned cell;

	board->mismatched = 0;
	for (cell = 0; cell < CELLS; cell++)
		board->mismatched += goal->differ[colour_at(board, cell)] >> cell & 1;
}

static unsigned from_cell(const struct board *board, unsigned m)
{
	return board->blank + (unsigned)(row_offset[m] * SIDE + col_offset[m]);
}

/* How many cells the move from `from` puts wrong, less those it puts right. */
static int misplaced_change(const struct goal *goal, const struct board *board, unsigned from)
{
	uint32_t there = goal->differ[board->black >> from & 1], none = goal->differ[BLANK];
	unsigned blank = board->blank;

	return (int)(there >> blank & 1) + (int)(none >> from & 1) - (int)(there >> from & 1) -
	       (int)(none >> blank & 1);
}

static int misplaced_child_h(const void *c, const void *s, unsigned m)
{
	const struct board *board = s;
	int n = board->mismatched + misplaced_change(c, board, from_cell(board, m));

	return n > 0 ? n - 1 : 0;
}

static void misplaced_apply(const void *c, void *child, const void *s, unsigned m)
{
	const struct board *board = s;
	struct board *next = child;
	unsigned from = from_cell(board, m);
	uint32_t black = board->black >> from & 1;

	next->black = (board->black | black << board->blank) & ~(UINT32_C(1) << from);
	next->mismatched = board->mismatched + misplaced_change(c, board, from);
	next->blank = from;
}

static const struct pz_domain misplaced = {
	.state_size = sizeof(struct board),
	.key_size = 2 * sizeof(uint32_t),
	.max_moves = DIRECTIONS,
	.h_consistent = false,
	.moves = moves,
	.h = misplaced_h,
	.child_h = misplaced_child_h,
	.apply = misplaced_apply,
	.goal = is_goal,
	.inverse = inverse,
	.derive = misplaced_derive,
	.goals = goals,
};
PZ_SOLVER(misplaced)

static const struct pz_solver *const solvers[] = {&misplaced_solver, NULL};
static const char *const heuristics[] = {"misplaced", NULL};

static const struct pz_puzzle knights = {
	.context_size = sizeof(struct goal),
	.path_max = PATH_MAX_MOVES,
	.set_goal = set_goal,
	.parse = parse,
	.print = print,
	.render = render,
	.id = id,
	.step = step,
	.solvers = solvers,
};

PZ_PLUGIN(
	knights, .name = "knights", .version = "1.0",
	.summary = "bring twelve white and twelve black knights on 5x5 to their places",
	.syntax =
		"Five rows of five cells from the top: 0 a white knight, 1 a black one, * (or x X "
		"_ .) the blank; "
		"twelve knights of each colour. Rows and cells may be run together or separated by "
		"newlines, spaces, commas or slashes.",
	.example = "10110/01*11/10111/01001/00000", .goal = "11111/01111/00*11/00001/00000",
	.moves = CELLS * DIRECTIONS, .path_max = PATH_MAX_MOVES, .move_name = move_name,
	.heuristics = heuristics, .unit_cost = true);
