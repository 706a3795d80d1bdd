/* SPDX-License-Identifier: MIT */
/*
 * The 8-puzzle: eight tiles and a blank on 3x3; a move slides a tile into the blank.
 *
 * A board is one number: four bits a cell, cell 0 (top left) lowest, 0 the blank.  A path's moves
 * are named after the blank's way, `u d l r`, or in the notation "tile" after the tile's, which is
 * the opposite.
 *
 * A horizontal move leaves the tiles' reading order as it is; a vertical one takes a tile past two
 * others.  Neither changes whether the number of inversions is odd, and that decides which half of
 * the boards a goal can be reached from (Johnson and Story 1879).
 */
#include <puzzled/search/domain.h>
#include <puzzled/search/grid.h>

#include "plugins/eight_table.h"

enum { CELLS = 9, SIDE = 3 };
enum { UP, DOWN, LEFT, RIGHT, DIRECTIONS };

enum heuristic { MANHATTAN, MISPLACED, NONE, HEURISTICS };

struct board {
	uint64_t cells; /* the key */
	int blank;      /* derived, as is h */
	int h;
};

/*
 * A goal, where its table is, and what each tile adds to each heuristic where it stands.  The blank
 * adds nothing.
 */
struct goal {
	uint64_t cells;
	uint64_t labels; /* see eight_table.h */
	struct eight_tables *tables;
	unsigned blank;
	bool odd;                               /* its inversions are */
	int8_t value[HEURISTICS][CELLS][CELLS]; /* [heuristic][tile][cell] */
};

static const struct pz_grid grid = {
	.rows = SIDE,
	.cols = SIDE,
	.cells = "the tiles 1 to 8 and a blank (0 x X _ . or *)",
	.glyphs = {PZ_GRID_GAPS, PZ_GRID_BLANKS(0), ['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4,
		   ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8, ['8'] = 9},
};

static unsigned tile_at(uint64_t cells, int cell)
{
	return (unsigned)(cells >> 4 * cell) & 15;
}

/* ---- text ---------------------------------------------------------------------------------- */

/* repeated: says which cell comes twice. */
static int repeated(const unsigned char *cells, const uint16_t *at, struct pz_error *error)
{
	int i, j;

	for (i = 1; i < CELLS; i++) {
		for (j = 0; j < i; j++) {
			if (cells[i] != cells[j])
				continue;
			if (cells[i] == 0)
				return pz_fail(error, at[i] + 1u,
					       "a second blank; the first is at byte %d",
					       at[j] + 1);
			return pz_fail(error, at[i] + 1u,
				       "tile %d is repeated; it is also at byte %d", cells[i],
				       at[j] + 1);
		}
	}
	return pz_fail(error, 0, "not a board");
}

static int read_cells(struct pz_text text, uint64_t *ret, struct pz_error *error)
{
	unsigned char cells[CELLS];
	uint16_t at[CELLS];
	unsigned seen = 0;
	uint64_t key = 0;
	int i;

	if (pz_grid_parse(&grid, text, cells, at, error) != 0)
		return -1;
	for (i = 0; i < CELLS; i++) {
		seen |= 1u << cells[i];
		key |= (uint64_t)cells[i] << 4 * i;
	}
	if (seen != (1u << CELLS) - 1)
		return repeated(cells, at, error);
	*ret = key;
	return 0;
}

static int parse(const void *c, void *s, struct pz_text text, struct pz_error *error)
{
	struct board *board = s;

	(void)c;
	return read_cells(text, &board->cells, error);
}

static int print(const void *c, const void *s, struct pz_buffer *out)
{
	const struct board *board = s;
	char text[CELLS];
	int i;

	(void)c;
	for (i = 0; i < CELLS; i++)
		text[i] = (char)('0' + tile_at(board->cells, i));
	return pz_put(out, text, sizeof(text));
}

static int render(const void *c, const void *s, struct pz_buffer *out)
{
	static const char *const glyphs[CELLS] = {" ", "1", "2", "3", "4", "5", "6", "7", "8"};
	const struct board *board = s;
	unsigned char cells[CELLS];
	int i;

	(void)c;
	for (i = 0; i < CELLS; i++)
		cells[i] = (unsigned char)tile_at(board->cells, i);
	return pz_grid_render(&grid, cells, glyphs, out);
}

static int move_name(unsigned notation, unsigned id, char *name, size_t cap)
{
	if (id >= DIRECTIONS || cap < 2)
		return -1;
	name[0] = "udlr"[notation == 0 ? id : id ^ 1];
	name[1] = '\0';
	return 0;
}

/* ---- rules --------------------------------------------------------------------------------- */

static const int8_t offset[DIRECTIONS] = {-SIDE, SIDE, -1, 1};

/* Bit `direction` is set where the blank can go there. */
static const uint8_t ways[CELLS] = {
	1 << DOWN | 1 << RIGHT,
	1 << DOWN | 1 << LEFT | 1 << RIGHT,
	1 << DOWN | 1 << LEFT,
	1 << UP | 1 << DOWN | 1 << RIGHT,
	1 << UP | 1 << DOWN | 1 << LEFT | 1 << RIGHT,
	1 << UP | 1 << DOWN | 1 << LEFT,
	1 << UP | 1 << RIGHT,
	1 << UP | 1 << LEFT | 1 << RIGHT,
	1 << UP | 1 << LEFT,
};

static bool odd_inversions(uint64_t cells)
{
	unsigned seen = 0, odd = 0;
	int i;

	/* Tiles greater than this one that came before it. */
	for (i = 0; i < CELLS; i++) {
		unsigned tile = tile_at(cells, i);

		if (tile == 0)
			continue;
		odd ^= PZ_POPCOUNT(seen >> tile);
		seen |= 1u << tile;
	}
	return odd & 1;
}

static bool unsolvable(const void *c, const void *s)
{
	const struct goal *goal = c;
	const struct board *board = s;

	return odd_inversions(board->cells) != goal->odd;
}

/* step: the rules once more, from rows and columns, for replay. */
static int step(const void *c, void *s, unsigned id)
{
	struct board *board = s;
	int blank = 0, row, col, to;
	uint64_t tile;

	(void)c;
	while (tile_at(board->cells, blank) != 0)
		blank++;
	row = blank / SIDE + (id == DOWN) - (id == UP);
	col = blank % SIDE + (id == RIGHT) - (id == LEFT);
	if (id >= DIRECTIONS || row < 0 || row >= SIDE || col < 0 || col >= SIDE)
		return -1;
	to = row * SIDE + col;
	tile = tile_at(board->cells, to);
	board->cells += (tile << 4 * blank) - (tile << 4 * to);
	return 1;
}

static int set_goal(void *c, void *own, struct pz_text text, struct pz_error *error)
{
	struct goal *goal = c;
	int home, cell;

	goal->tables = own;
	if (read_cells(text, &goal->cells, error) != 0)
		return -1;
	goal->odd = odd_inversions(goal->cells);
	goal->labels = eight_labels(goal->cells);
	goal->blank = eight_blank(goal->cells);
	if (eight_tables_build(goal->tables, goal->blank) != 0)
		return pz_fail(error, 0, "no memory for its table");
	for (home = 0; home < CELLS; home++) {
		unsigned tile = tile_at(goal->cells, home);

		for (cell = 0; tile != 0 && cell < CELLS; cell++) {
			goal->value[MANHATTAN][tile][cell] =
				(int8_t)(abs(cell / SIDE - home / SIDE) +
					 abs(cell % SIDE - home % SIDE));
			goal->value[MISPLACED][tile][cell] = cell != home;
		}
	}
	return 0;
}

/* A table is built with the first goal that needs it: in `open` the configured one's. */
static int open_tables(const struct pz_setup *setup, void **ret_own, struct pz_error *error)
{
	(void)setup;
	*ret_own = eight_tables_new();
	return *ret_own != NULL ? 0 : pz_fail(error, 0, "no memory");
}

static void close_tables(void *own)
{
	eight_tables_free(own);
}

static void table_path(void *c, const void *start, struct pz_run *run)
{
	const struct goal *goal = c;
	const struct board *board = start;
	struct pz_result *ret = run->ret;
	int length;

	length = eight_table_path(goal->tables, goal->labels, goal->blank, board->cells, ret->path);
	if (length == EIGHT_UNSOLVABLE)
		ret->status = PZ_UNSOLVABLE;
	else
		pz_end_known(run, length);
}

/* ---- what the searches see
 * ------------------------------------------------------------------------ */

static uint64_t moves(const void *c, const void *s)
{
	const struct board *board = s;

	(void)c;
	return ways[board->blank];
}

static unsigned inverse(unsigned m)
{
	return m ^ 1;
}

static bool is_goal(const void *c, const void *s)
{
	const struct goal *goal = c;
	const struct board *board = s;

	return board->cells == goal->cells;
}

static size_t goals(const void *c, void *states, size_t cap)
{
	const struct goal *goal = c;
	struct board *board = states;

	if (cap > 0)
		board->cells = goal->cells;
	return 1;
}

static int h(const void *c, const void *s)
{
	const struct board *board = s;

	(void)c;
	return board->h;
}

static void derive_for(enum heuristic kind, const void *c, void *s)
{
	const struct goal *goal = c;
	struct board *board = s;
	int cell;

	board->h = 0;
	for (cell = 0; cell < CELLS; cell++) {
		unsigned tile = tile_at(board->cells, cell);

		board->h += goal->value[kind][tile][cell];
		if (tile == 0)
			board->blank = cell;
	}
}

static int child_h_for(enum heuristic kind, const void *c, const void *s, unsigned m)
{
	const struct goal *goal = c;
	const struct board *board = s;
	int from = board->blank + offset[m];
	const int8_t *value = goal->value[kind][tile_at(board->cells, from)];

	return board->h - value[from] + value[board->blank];
}

static void apply_for(enum heuristic kind, const void *c, void *child, const void *s, unsigned m)
{
	const struct board *board = s;
	struct board *next = child;
	int from = board->blank + offset[m];
	uint64_t tile = tile_at(board->cells, from);

	next->cells = board->cells + (tile << 4 * board->blank) - (tile << 4 * from);
	next->h = child_h_for(kind, c, s, m);
	next->blank = from;
}

/*
 * The same domain with each heuristic.  All are sums over tiles of which a move changes one by at
 * most 1.
 */
#define EIGHT_DOMAIN(name, kind)                                                                   \
	static void name##_derive(const void *c, void *s)                                          \
	{                                                                                          \
		derive_for(kind, c, s);                                                            \
	}                                                                                          \
	static int name##_child_h(const void *c, const void *s, unsigned m)                        \
	{                                                                                          \
		return child_h_for(kind, c, s, m);                                                 \
	}                                                                                          \
	static void name##_apply(const void *c, void *child, const void *s, unsigned m)            \
	{                                                                                          \
		apply_for(kind, c, child, s, m);                                                   \
	}                                                                                          \
	static const struct pz_domain name = {.state_size = sizeof(struct board),                  \
					      .key_size = sizeof(uint64_t),                        \
					      .max_moves = DIRECTIONS,                             \
					      .h_consistent = true,                                \
					      .moves = moves,                                      \
					      .h = h,                                              \
					      .child_h = name##_child_h,                           \
					      .apply = name##_apply,                               \
					      .goal = is_goal,                                     \
					      .inverse = inverse,                                  \
					      .derive = name##_derive,                             \
					      .goals = goals};                                     \
	PZ_SOLVER(name)

EIGHT_DOMAIN(manhattan, MANHATTAN)
EIGHT_DOMAIN(misplaced, MISPLACED)
EIGHT_DOMAIN(none, NONE)

static const struct pz_solver *const solvers[] = {&manhattan_solver, &misplaced_solver,
						  &none_solver, NULL};
static const char *const heuristics[] = {"manhattan", "misplaced", "none", NULL};
static const char *const notations[] = {"blank", "tile", NULL};

static const struct pz_puzzle eight_puzzle = {
	.context_size = sizeof(struct goal),
	.path_max = EIGHT_PATH_MAX,
	.open = open_tables,
	.close = close_tables,
	.set_goal = set_goal,
	.parse = parse,
	.print = print,
	.render = render,
	.unsolvable = unsolvable,
	.step = step,
	.solvers = solvers,
	.table_path = table_path,
};

PZ_PLUGIN(eight_puzzle, pz_full_space, .name = "8puzzle", .version = "1.0",
	  .summary = "slide eight numbered tiles on a 3x3 board into order",
	  .syntax = "Nine cells in reading order: the tiles 1 to 8 and one blank, written 0, x, X, "
		    "_, . or *. "
		    "They may be run together or separated by spaces, commas, slashes or newlines.",
	  .example = "123406758", .goal = "123456780", .moves = DIRECTIONS,
	  .path_max = EIGHT_PATH_MAX, .board_max = 9, .notations = notations,
	  .move_name = move_name, .heuristics = heuristics, .unit_cost = true);
