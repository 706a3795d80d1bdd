/*
 * mypuzzle: lights out on 3x3.  Pressing a cell turns it and its neighbours on or off; the goal is
 * all dark, or whatever board somebody asks for.  Change it into your puzzle; the guide says what
 * each function must do.
 */
#include <puzzled/search/domain.h>
#include <puzzled/search/grid.h>

enum { SIDE = 3, CELLS = SIDE * SIDE, MOST = CELLS };

/* A state.  What stands before `h` is its key: it says which board it is. */
struct board {
	uint32_t lit; /* bit i: cell i is */
	int h;        /* a bound on the moves to the goal */
};

/* What a goal implies: the searches get it as `c`. */
struct goal {
	uint32_t lit;
};

/* ---- text ---- */

static const struct pz_grid grid = {
	.rows = SIDE,
	.cols = SIDE,
	.cells = "0 for dark and 1 for lit",
	.glyphs = {PZ_GRID_GAPS, ['0'] = 1, ['1'] = 2},
};

static int parse(const void *c, void *s, struct pz_text text, struct pz_error *error)
{
	struct board *board = s;
	unsigned char cells[CELLS];
	int i;

	(void)c;
	if (pz_grid_parse(&grid, text, cells, NULL, error) != 0)
		return -1;
	board->lit = 0;
	for (i = 0; i < CELLS; i++)
		board->lit |= (uint32_t)cells[i] << i;
	return 0;
}

static int print(const void *c, const void *s, struct pz_buffer *out)
{
	const struct board *board = s;
	char text[CELLS];
	int i;

	(void)c;
	for (i = 0; i < CELLS; i++)
		text[i] = board->lit >> i & 1 ? '1' : '0';
	return pz_put(out, text, sizeof(text));
}

static int render(const void *c, const void *s, struct pz_buffer *out)
{
	static const char *const glyphs[] = {" ", "*"};
	const struct board *board = s;
	unsigned char cells[CELLS];
	int i;

	(void)c;
	for (i = 0; i < CELLS; i++)
		cells[i] = board->lit >> i & 1;
	return pz_grid_render(&grid, cells, glyphs, out);
}

static int set_goal(void *c, void *own, struct pz_text text, struct pz_error *error)
{
	struct goal *goal = c;
	struct board board;

	(void)own;
	if (parse(c, &board, text, error) != 0)
		return -1;
	goal->lit = board.lit;
	return 0;
}

/* ---- rules ---- */

/* The cells that change when cell m is pressed. */
static const uint32_t cross[CELLS] = {
	0x00b, 0x017, 0x026, 0x059, 0x0ba, 0x134, 0x0c8, 0x1d0, 0x1a0,
};

static uint64_t moves(const void *c, const void *s)
{
	(void)c, (void)s;
	return (1 << CELLS) - 1;
}

static void derive(const void *c, void *s)
{
	const struct goal *goal = c;
	struct board *board = s;

	/* One move changes five cells at most. */
	board->h = (int)(PZ_POPCOUNT(board->lit ^ goal->lit) + 4) / 5;
}

static int h(const void *c, const void *s)
{
	(void)c;
	return ((const struct board *)s)->h;
}

static void apply(const void *c, void *child, const void *s, unsigned m)
{
	struct board *next = child;

	next->lit = ((const struct board *)s)->lit ^ cross[m];
	derive(c, next);
}

static bool is_goal(const void *c, const void *s)
{
	return ((const struct board *)s)->lit == ((const struct goal *)c)->lit;
}

/* Pressing a cell again takes it back. */
static unsigned inverse(unsigned m)
{
	return m;
}

/* ---- for searching backward, and for a table of all boards ---- */

static size_t goals(const void *c, void *states, size_t cap)
{
	if (cap > 0)
		((struct board *)states)->lit = ((const struct goal *)c)->lit;
	return 1;
}

static uint64_t rank(const void *c, const void *s)
{
	(void)c;
	return ((const struct board *)s)->lit;
}

static void unrank(const void *c, void *s, uint64_t number)
{
	((struct board *)s)->lit = (uint32_t)number;
	derive(c, s);
}

/* ---- all together ---- */

static const struct pz_domain lights = {
	.state_size = sizeof(struct board),
	.key_size = offsetof(struct board, h),
	.max_moves = CELLS,
	.h_consistent = true,
	.moves = moves,
	.h = h,
	.apply = apply,
	.goal = is_goal,
	.inverse = inverse,
	.derive = derive,
	.goals = goals,
	.space = 1 << CELLS,
	.rank = rank,
	.unrank = unrank,
};
PZ_SOLVER(lights)

static const struct pz_solver *const solvers[] = {&lights_solver, NULL};

static const struct pz_puzzle puzzle = {
	.context_size = sizeof(struct goal),
	.path_max = MOST,
	.set_goal = set_goal,
	.parse = parse,
	.print = print,
	.render = render,
	.solvers = solvers,
};

static const char *const names[] = {"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"};

PZ_PLUGIN(puzzle, pz_full_space, .name = "mypuzzle", .version = "0.1",
	  .summary = "turn off all the lights of a 3x3 board",
	  .syntax = "Nine cells in reading order: 0 for dark, 1 for lit.", .example = "010111010",
	  .goal = "000000000", .moves = CELLS, .path_max = MOST, .move_names = names,
	  .unit_cost = true, .board_max = CELLS);
