/* SPDX-License-Identifier: MIT */
/*
 * bench_kernel: the generic IDA* kernel of search/ida.h against the same search written by hand.
 *
 * The 4x4 sliding tiles with Manhattan distance, in three searches that try the same moves in the
 * same order and so make the same nodes, which is checked:
 *	kernel   what a domain and PZ_SOLVER make of it
 *	hand     a recursive search that makes and takes back its moves on one board, unrolled over
 *		 the four directions
 *	cells    the same with a function for each place of the blank, which knows its neighbours
 */
#include "bench/figure.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <puzzled/search/ida.h>

#ifdef __clang__
#define COMPILER "clang"
#else
#define COMPILER "gcc"
#endif

enum { UP, DOWN, LEFT, RIGHT, MOVES };
enum { CELLS = 16, ROUNDS = 21, BOARDS = 12, WALK = 68, PATH_MAX_LENGTH = 80 };

static const int step[MOVES] = {-4, 4, -1, 1};
static unsigned legal[CELLS]; /* the moves of a blank in each cell */
static int change[CELLS][CELLS]
		 [MOVES]; /* of h, when the blank goes by a move to a cell with that tile */
static unsigned char boards[BOARDS][CELLS];

/* ---- the domain ---- */

struct state {
	unsigned char cell[CELLS];
	int blank, h;
};

static uint64_t moves_of(const void *c, const void *s)
{
	const struct state *state = s;
	(void)c;
	return legal[state->blank];
}

static int h_of(const void *c, const void *s)
{
	const struct state *state = s;
	(void)c;
	return state->h;
}

static int h_of_child(const void *c, const void *s, unsigned m)
{
	const struct state *state = s;
	int to = state->blank + step[m];
	(void)c;
	return state->h + change[state->cell[to]][to][m];
}

static void apply(const void *c, void *child, const void *s, unsigned m)
{
	const struct state *state = s;
	struct state *made = child;
	int to = state->blank + step[m];
	unsigned char tile = state->cell[to];
	(void)c;
	*made = *state;
	made->cell[state->blank] = tile;
	made->cell[to] = 0;
	made->blank = to;
	made->h = state->h + change[tile][to][m];
}

static unsigned inverse(unsigned m)
{
	return m ^ 1;
}

static const struct pz_domain tiles = {
	.state_size = sizeof(struct state),
	.key_size = CELLS,
	.max_moves = MOVES,
	.h_consistent = true,
	.moves = moves_of,
	.h = h_of,
	.child_h = h_of_child,
	.apply = apply,
	.inverse = inverse,
};

PZ_ENTRY void tiles_ida(const void *c, const void *start, struct pz_run *run)
{
	pz_ida(&tiles, c, start, run);
}

/* ---- by hand ---- */

static struct {
	unsigned char cell[CELLS];
	int bound, next;
	uint64_t expanded, generated;
	unsigned char path[PATH_MAX_LENGTH + 1];
} hand;

static bool deepen(int blank, int g, int h, unsigned back);

/* What a move does, in both searches: `deeper` goes on from the child. */
#define TRY(m, blank, to, deeper)                                                                  \
	do {                                                                                       \
		unsigned char tile = hand.cell[to];                                                \
		int child = h + change[tile][to][m];                                               \
		hand.generated++;                                                                  \
		if (g + 1 + child > hand.bound) {                                                  \
			if (g + 1 + child < hand.next)                                             \
				hand.next = g + 1 + child;                                         \
			break;                                                                     \
		}                                                                                  \
		hand.cell[blank] = tile;                                                           \
		hand.cell[to] = 0;                                                                 \
		hand.path[g] = m;                                                                  \
		if (child == 0 || deeper)                                                          \
			return true;                                                               \
		hand.cell[to] = tile;                                                              \
		hand.cell[blank] = 0;                                                              \
	} while (0)

#define TRY_LEGAL(m)                                                                               \
	if (moves >> m & 1)                                                                        \
	TRY(m, blank, blank + step[m], deepen(blank + step[m], g + 1, child, 1u << (m ^ 1)))

static bool deepen(int blank, int g, int h, unsigned back)
{
	unsigned moves = legal[blank] & ~back;
	hand.expanded++;
	TRY_LEGAL(UP);
	TRY_LEGAL(DOWN);
	TRY_LEGAL(LEFT);
	TRY_LEGAL(RIGHT);
	return false;
}

/* ---- by hand, with a function for each cell of the blank ---- */

#define TRY_KNOWN(m, blank, to)                                                                    \
	if (back != m)                                                                             \
	TRY(m, blank, to, at_##to(g + 1, child, m ^ 1))
#define NO(m, blank)
#define EACH_CELL(X)                                                                               \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define DECLARE(cell) static bool at_##cell(int g, int h, unsigned back);
#define CELL(blank, up, down, left, right)                                                         \
	static bool at_##blank(int g, int h, unsigned back)                                        \
	{                                                                                          \
		hand.expanded++;                                                                   \
		up;                                                                                \
		down;                                                                              \
		left;                                                                              \
		right;                                                                             \
		return false;                                                                      \
	}
#define U(b, to) TRY_KNOWN(UP, b, to)
#define D(b, to) TRY_KNOWN(DOWN, b, to)
#define L(b, to) TRY_KNOWN(LEFT, b, to)
#define R(b, to) TRY_KNOWN(RIGHT, b, to)

EACH_CELL(DECLARE)
CELL(0, , D(0, 4), , R(0, 1))
CELL(1, , D(1, 5), L(1, 0), R(1, 2))
CELL(2, , D(2, 6), L(2, 1), R(2, 3))
CELL(3, , D(3, 7), L(3, 2), )
CELL(4, U(4, 0), D(4, 8), , R(4, 5))
CELL(5, U(5, 1), D(5, 9), L(5, 4), R(5, 6))
CELL(6, U(6, 2), D(6, 10), L(6, 5), R(6, 7))
CELL(7, U(7, 3), D(7, 11), L(7, 6), )
CELL(8, U(8, 4), D(8, 12), , R(8, 9))
CELL(9, U(9, 5), D(9, 13), L(9, 8), R(9, 10))
CELL(10, U(10, 6), D(10, 14), L(10, 9), R(10, 11))
CELL(11, U(11, 7), D(11, 15), L(11, 10), )
CELL(12, U(12, 8), , , R(12, 13))
CELL(13, U(13, 9), , L(13, 12), R(13, 14))
CELL(14, U(14, 10), , L(14, 13), R(14, 15))
CELL(15, U(15, 11), , L(15, 14), )

#define NAME(cell) at_##cell,
static bool (*const at_cell[CELLS])(int g, int h, unsigned back) = {EACH_CELL(NAME)};

/* ---- what all need ---- */

static int distance(int tile, int cell)
{
	return abs(tile / 4 - cell / 4) + abs(tile % 4 - cell % 4);
}

static int manhattan(const unsigned char *cell)
{
	int sum = 0;
	for (int i = 0; i < CELLS; i++)
		sum += cell[i] ? distance(cell[i], i) : 0;
	return sum;
}

static int blank_of(const unsigned char *cell)
{
	int blank = 0;
	while (cell[blank])
		blank++;
	return blank;
}

static void make_tables(void)
{
	for (int cell = 0; cell < CELLS; cell++) {
		legal[cell] = (cell >= 4 ? 1u << UP : 0) | (cell < 12 ? 1u << DOWN : 0) |
			      (cell % 4 > 0 ? 1u << LEFT : 0) | (cell % 4 < 3 ? 1u << RIGHT : 0);
		for (int tile = 1; tile < CELLS; tile++)
			for (unsigned m = 0; m < MOVES; m++)
				change[tile][cell][m] =
					distance(tile, cell - step[m]) - distance(tile, cell);
	}
}

/* Walks away from the goal (the blank first, the tiles in order), never straight back. */
static void make_boards(void)
{
	uint64_t seed = 1;
	for (unsigned i = 0; i < BOARDS; i++) {
		unsigned char *cell = boards[i];
		int blank = 0;
		unsigned last = MOVES;
		for (int k = 0; k < CELLS; k++)
			cell[k] = (unsigned char)k;
		for (unsigned n = 0; n < WALK;) {
			seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			unsigned m = (unsigned)(seed >> 62);
			if (!(legal[blank] >> m & 1) || (m ^ 1) == last)
				continue;
			cell[blank] = cell[blank + step[m]];
			blank += step[m];
			cell[blank] = 0;
			last = m;
			n++;
		}
	}
}

/* ---- the three solvers: each returns the length ---- */

struct effort {
	uint64_t expanded, generated;
};

static int solve_kernel(const unsigned char *board, struct effort *ret)
{
	static struct pz_frame frames[PATH_MAX_LENGTH + 1];
	static struct state states[PATH_MAX_LENGTH + 2];
	static uint16_t path[PATH_MAX_LENGTH];
	const struct pz_job job = {.size = sizeof(job), .max_length = -1, .max_cost = -1};
	struct pz_result result = {.size = sizeof(result), .path = path};
	struct pz_run run = {.job = &job,
			     .ret = &result,
			     .path_max = PATH_MAX_LENGTH,
			     .frames = frames,
			     .states = (unsigned char *)states};
	struct state start = {.blank = blank_of(board), .h = manhattan(board)};
	memcpy(start.cell, board, CELLS);
	tiles_ida(NULL, &start, &run);
	ret->expanded += result.stats.expanded;
	ret->generated += result.stats.generated;
	return result.status == PZ_SOLVED ? (int)result.length : -1;
}

static int solve_by(const unsigned char *board, bool by_cells, struct effort *ret)
{
	int h = manhattan(board), blank = blank_of(board);
	memcpy(hand.cell, board, CELLS);
	hand.expanded = hand.generated = 0;
	for (hand.bound = h; h > 0; hand.bound = hand.next) {
		hand.next = 1 << 30;
		if (by_cells ? at_cell[blank](0, h, MOVES) : deepen(blank, 0, h, 0))
			break;
	}
	ret->expanded += hand.expanded;
	ret->generated += hand.generated;
	return hand.bound;
}

static int solve_hand(const unsigned char *board, struct effort *ret)
{
	return solve_by(board, false, ret);
}

static int solve_cells(const unsigned char *board, struct effort *ret)
{
	return solve_by(board, true, ret);
}

enum { KERNEL, HAND, BY_CELLS, SOLVERS };

static const struct {
	const char *key, *what;
	int (*solve)(const unsigned char *board, struct effort *ret);
} solvers[SOLVERS] = {
	[KERNEL] = {"kernel", "the generic kernel", solve_kernel},
	[HAND] = {"hand", "recursive, by hand", solve_hand},
	[BY_CELLS] = {"cells", "recursive, by hand, a function for each cell of the blank",
		      solve_cells},
};

/* Million generated nodes a second. */
static double measure(unsigned solver, struct effort *effort, int lengths[BOARDS])
{
	*effort = (struct effort){0};
	uint64_t began = figure_cpu_ns();
	for (unsigned i = 0; i < BOARDS; i++)
		lengths[i] = solvers[solver].solve(boards[i], effort);
	return (double)effort->generated * 1e3 / (double)(figure_cpu_ns() - began);
}

static void print(const struct figure *figure, const char *key, const char *unit, const char *what)
{
	char full[64], whole[160];
	snprintf(full, sizeof(full), "kernel.%s.%s", COMPILER, key);
	snprintf(whole, sizeof(whole), "%s, %s", COMPILER, what);
	figure_print(figure, full, unit, whole);
}

int main(void)
{
	static const char unit[] = "million nodes a second";
	struct figure rates[SOLVERS] = {0}, to_hand = {0}, to_cells = {0};
	struct effort efforts[SOLVERS];
	int lengths[SOLVERS][BOARDS];
	make_tables();
	make_boards();
	for (unsigned round = 0; round < ROUNDS; round++) {
		double rate[SOLVERS];
		for (unsigned i = 0; i < SOLVERS; i++) {
			unsigned solver = (i + round) % SOLVERS;
			rate[solver] = measure(solver, &efforts[solver], lengths[solver]);
			figure_add(&rates[solver], rate[solver]);
		}
		figure_add(&to_hand, rate[HAND] / rate[KERNEL]);
		figure_add(&to_cells, rate[BY_CELLS] / rate[KERNEL]);
	}
	for (unsigned i = 1; i < SOLVERS; i++) {
		if (efforts[i].generated != efforts[0].generated ||
		    efforts[i].expanded != efforts[0].expanded ||
		    memcmp(lengths[i], lengths[0], sizeof(lengths[0])) != 0) {
			fprintf(stderr, "bench_kernel: the searches differ\n");
			return 1;
		}
	}
	for (unsigned i = 0; i < SOLVERS; i++)
		print(&rates[i], solvers[i].key, unit, solvers[i].what);
	print(&to_hand, "ratio", "times the hand-written", "time of the generic kernel");
	print(&to_cells, "ratio-cells", "times that by cells", "time of the generic kernel");
	return 0;
}
