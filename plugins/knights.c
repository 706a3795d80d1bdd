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

#include "plugins/knights_bound.h"
#include "plugins/knights_rank.h"

enum { SIDE = 5, CELLS = KNIGHTS_CELLS, DIRECTIONS = 8, EACH_COLOUR = 12 };
/* Every board is within 39 moves of the usual goal, so any two are within twice that. */
enum { PATH_MAX_MOVES = 2 * 39 };
enum colour { WHITE, BLACK, BLANK };

/* Where the jumping knight stands, seen from the blank.  Direction m ^ 1 is the opposite of m. */
static const int8_t row_offset[DIRECTIONS] = {-2, 2, -2, 2, -1, 1, -1, 1};
static const int8_t col_offset[DIRECTIONS] = {-1, 1, 1, -1, -2, 2, 2, -2};

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

/* The part of `apply` that all domains share: makes the move and says from which cell and of which colour. */
static unsigned jump(const void *c, void *child, const void *s, unsigned m, uint32_t *ret_black)
{
	const struct goal *goal = c;
	const struct board *board = s;
	struct board *next = child;
	unsigned from = board->blank + (unsigned)goal->step[m];
	uint32_t black = board->black >> from & 1;

	next->black = (board->black | black << board->blank) & ~(UINT32_C(1) << from);
	next->blank = from;
	*ret_black = black;
	return from;
}

/* none: no heuristic, for searches that need none. */

static int none_h(const void *c, const void *s)
{
	(void)c;
	(void)s;
	return 0;
}

static void none_apply(const void *c, void *child, const void *s, unsigned m)
{
	uint32_t black;

	jump(c, child, s, m, &black);
}

static uint64_t rank(const void *c, const void *s)
{
	const struct goal *goal = c;
	const struct board *board = s;

	return knights_rank(goal->rank, board->black, board->blank);
}

static void unrank(const void *c, void *s, uint64_t number)
{
	const struct goal *goal = c;
	struct board *board = s;

	board->black = knights_unrank(goal->rank, (uint32_t)number, &board->blank);
}

/*
 * misplaced: the naive heuristic, wrong cells minus one.  A jump puts at most one knight right, and only the last
 * wrong cell can be the blank's; so n wrong cells need at least n - 1 jumps.  Not consistent: the
 * jump that brings the blank home may put two cells right at once.
 */

static int misplaced_h(const void *c, const void *s)
{
	const struct board *board = s;

	(void)c;
	return board->h > 0 ? board->h - 1 : 0;
}

static void misplaced_derive(const void *c, void *s)
{
	const struct goal *goal = c;
	struct board *board = s;
	unsigned cell;

	board->h = 0;
	for (cell = 0; cell < CELLS; cell++)
		board->h += goal->differ[colour_at(board, cell)] >> cell & 1;
}

static void misplaced_apply(const void *c, void *child, const void *s, unsigned m)
{
	const struct goal *goal = c;
	const struct board *board = s;
	struct board *next = child;
	unsigned blank = board->blank, from;
	uint32_t black;

	from = jump(c, child, s, m, &black);
	next->h = board->h + (int)(goal->differ[black] >> blank & 1) +
		  (int)(goal->differ[BLANK] >> from & 1) - (int)(goal->differ[black] >> from & 1) -
		  (int)(goal->differ[BLANK] >> blank & 1);
}

/* counts and ball: see knights_bound.h.  "ball" is the greater of both. */

static int prepare_bound(void *c)
{
	struct goal *goal = c;

	if (goal->bound == NULL)
		goal->bound = knights_bound_new(goal->black, goal->blank, goal->ways, goal->step);
	return goal->bound != NULL ? 0 : -1;
}

static void drop_goal(void *c)
{
	struct goal *goal = c;

	free(goal->bound);
	goal->bound = NULL;
}

static int stored_h(const void *c, const void *s)
{
	const struct board *board = s;

	(void)c;
	return board->h;
}

static int bound_of(const struct goal *goal, const struct board *board, bool ball)
{
	int h = knights_bound_counts(goal->bound, board->black, board->blank, board->sum), outside;

	/* Boards with greater counts are not in the ball. */
	if (!ball || h > (int)goal->bound->radius)
		return h;
	outside = knights_bound_ball(goal->bound, board->black, board->blank);
	return outside > h ? outside : h;
}

static void bound_derive(const void *c, void *s, bool ball)
{
	const struct goal *goal = c;
	struct board *board = s;

	board->sum = knights_bound_sum(goal->bound, board->black, board->blank);
	board->h = bound_of(goal, board, ball);
}

static void bound_apply(const void *c, void *child, const void *s, unsigned m, bool ball)
{
	const struct goal *goal = c;
	const struct board *board = s;
	struct board *next = child;
	unsigned blank = board->blank, from;
	uint32_t black;

	from = jump(c, child, s, m, &black);
	next->sum = board->sum - goal->bound->wrong[black][from] + goal->bound->wrong[black][blank];
	next->h = bound_of(goal, next, ball);
}

static void counts_derive(const void *c, void *s)
{
	bound_derive(c, s, false);
}

static void counts_apply(const void *c, void *child, const void *s, unsigned m)
{
	bound_apply(c, child, s, m, false);
}

static void ball_derive(const void *c, void *s)
{
	bound_derive(c, s, true);
}

static void ball_apply(const void *c, void *child, const void *s, unsigned m)
{
	bound_apply(c, child, s, m, true);
}

#define KNIGHTS_DOMAIN                                                                             \
	.state_size = sizeof(struct board), .key_size = 2 * sizeof(uint32_t),                      \
	.max_moves = DIRECTIONS, .moves = moves, .goal = is_goal, .inverse = inverse,              \
	.goals = goals

static const struct pz_domain ball = {
	KNIGHTS_DOMAIN,        .h_consistent = true, .prepare = prepare_bound,
	.derive = ball_derive, .h = stored_h,        .apply = ball_apply,
};
PZ_SOLVER(ball)

static const struct pz_domain counts = {
	KNIGHTS_DOMAIN,          .h_consistent = true, .prepare = prepare_bound,
	.derive = counts_derive, .h = stored_h,        .apply = counts_apply,
};
PZ_SOLVER(counts)

static const struct pz_domain misplaced = {
	KNIGHTS_DOMAIN,   .h_consistent = false,    .derive = misplaced_derive,
	.h = misplaced_h, .apply = misplaced_apply,
};
PZ_SOLVER(misplaced)

static const struct pz_domain none = {
	KNIGHTS_DOMAIN,          .h_consistent = true, .h = none_h,      .apply = none_apply,
	.space = KNIGHTS_BOARDS, .rank = rank,         .unrank = unrank,
};
PZ_SOLVER(none)

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

static const struct pz_solver *const solvers[] = {&ball_solver, &counts_solver, &misplaced_solver,
						  &none_solver, NULL};
static const char *const heuristics[] = {"ball", "counts", "misplaced", "none", NULL};

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
	.solvers = solvers,
	.plain = &none_solver,
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
	.moves = CELLS * DIRECTIONS, .path_max = PATH_MAX_MOVES, .move_name = move_name,
	.heuristics = heuristics, .unit_cost = true);
