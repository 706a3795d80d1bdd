/* SPDX-License-Identifier: MIT */
/* What the searches see of the 15-puzzle: one domain for each heuristic. */
#include <puzzled/search/domain.h>

#include "plugins/fifteen.h"

/* What all states begin with: the key, and what moves are legal. */
struct board {
	uint64_t cells;
};

static unsigned inverse(unsigned m)
{
	return m ^ 1;
}

static bool is_goal(const void *c, const void *s)
{
	const struct fifteen_goal *goal = c;
	const struct board *board = s;

	return board->cells == goal->cells;
}

static size_t goals(const void *c, void *states, size_t cap)
{
	const struct fifteen_goal *goal = c;
	struct board *board = states;

	if (cap > 0)
		board->cells = goal->cells;
	return 1;
}

static unsigned blank_of(uint64_t cells)
{
	unsigned cell = 0;

	while (fifteen_at(cells, cell) != 0)
		cell++;
	return cell;
}

static int prepare(void *c)
{
	struct fifteen *shared = ((struct fifteen_goal *)c)->shared;

	if (shared->prune == NULL)
		shared->prune = sliding_prune_new(FIFTEEN_WORD);
	return shared->prune != NULL ? 0 : -1;
}

static const struct pz_automaton *automaton(const void *c)
{
	const struct fifteen_goal *goal = c;

	return &goal->shared->prune->automaton;
}

#define FIFTEEN_RULES(type)                                                                        \
	.state_size = sizeof(struct type), .key_size = sizeof(struct board),                       \
	.max_moves = FIFTEEN_DIRECTIONS, .goal = is_goal, .inverse = inverse, .goals = goals,      \
	.prepare = prepare, .automaton = automaton

/* ---- misplaced, manhattan ------------------------------------------------------------------ */

/* Both are sums over tiles of which a move changes one by at most 1, so they are consistent. */
struct sum_board {
	uint64_t cells;
	int32_t h;
	uint32_t blank;
};

static uint64_t sum_moves(const void *c, const void *s)
{
	(void)c;
	return fifteen_ways[((const struct sum_board *)s)->blank];
}

static int sum_h(const void *c, const void *s)
{
	(void)c;
	return ((const struct sum_board *)s)->h;
}

static int manhattan_of(const struct fifteen_goal *goal, unsigned tile, unsigned cell)
{
	return goal->manhattan[tile][cell];
}

static int misplaced_of(const struct fifteen_goal *goal, unsigned tile, unsigned cell)
{
	return tile != 0 && goal->home[tile] != cell;
}

#define FIFTEEN_SUM(name)                                                                          \
	static void name##_derive(const void *c, void *s)                                          \
	{                                                                                          \
		struct sum_board *board = s;                                                       \
		unsigned cell;                                                                     \
                                                                                                   \
		board->blank = blank_of(board->cells);                                             \
		board->h = 0;                                                                      \
		for (cell = 0; cell < FIFTEEN_CELLS; cell++)                                       \
			board->h += name##_of(c, fifteen_at(board->cells, cell), cell);            \
	}                                                                                          \
	static int name##_child_h(const void *c, const void *s, unsigned m)                        \
	{                                                                                          \
		const struct sum_board *board = s;                                                 \
		unsigned from = board->blank + (unsigned)fifteen_offset(m);                        \
		unsigned tile = fifteen_at(board->cells, from);                                    \
                                                                                                   \
		return board->h - name##_of(c, tile, from) + name##_of(c, tile, board->blank);     \
	}                                                                                          \
	static void name##_apply(const void *c, void *child, const void *s, unsigned m)            \
	{                                                                                          \
		const struct sum_board *board = s;                                                 \
		struct sum_board *next = child;                                                    \
		unsigned from = board->blank + (unsigned)fifteen_offset(m);                        \
		uint64_t tile = fifteen_at(board->cells, from);                                    \
                                                                                                   \
		next->cells = board->cells + (tile << 4 * board->blank) - (tile << 4 * from);      \
		next->h = name##_child_h(c, s, m);                                                 \
		next->blank = from;                                                                \
	}                                                                                          \
	static const struct pz_domain name = {FIFTEEN_RULES(sum_board),  .h_consistent = true,     \
					      .moves = sum_moves,        .h = sum_h,               \
					      .child_h = name##_child_h, .apply = name##_apply,    \
					      .derive = name##_derive};                            \
	PZ_SOLVER(name)

FIFTEEN_SUM(manhattan)
FIFTEEN_SUM(misplaced)

/* ---- conflict ------------------------------------------------------------------------------ */

/* Manhattan distance and linear conflicts: see sliding.h, also for why it is consistent. */
struct conflict_board {
	uint64_t cells;
	uint16_t row[FIFTEEN_SIDE], column[FIFTEEN_SIDE]; /* numbers of lines */
	int32_t h;
	uint32_t blank;
};

static uint64_t conflict_moves(const void *c, const void *s)
{
	(void)c;
	return fifteen_ways[((const struct conflict_board *)s)->blank];
}

static int conflict_h(const void *c, const void *s)
{
	(void)c;
	return ((const struct conflict_board *)s)->h;
}

static void conflict_derive(const void *c, void *s)
{
	const struct fifteen_goal *goal = c;
	struct conflict_board *board = s;
	unsigned cell, line;

	board->blank = blank_of(board->cells);
	board->h = 0;
	/* All strangers, the fifth cell too, which is not there. */
	for (line = 0; line < FIFTEEN_SIDE; line++)
		board->row[line] = board->column[line] = SLIDING_LINES - 1;
	for (cell = 0; cell < FIFTEEN_CELLS; cell++) {
		unsigned tile = fifteen_at(board->cells, cell);
		unsigned row = cell / FIFTEEN_SIDE, col = cell % FIFTEEN_SIDE;

		board->h += goal->manhattan[tile][cell];
		board->row[row] =
			(uint16_t)(board->row[row] + goal->in_row[tile][row] * sliding_weight[col]);
		board->column[col] = (uint16_t)(board->column[col] +
						goal->in_column[tile][col] * sliding_weight[row]);
	}
	for (line = 0; line < FIFTEEN_SIDE; line++)
		board->h += goal->shared->conflicts.moves[board->row[line]] +
			    goal->shared->conflicts.moves[board->column[line]];
}

static void conflict_apply(const void *c, void *child, const void *s, unsigned m)
{
	const struct fifteen_goal *goal = c;
	const struct sliding_conflicts *conflicts = &goal->shared->conflicts;
	const struct conflict_board *board = s;
	struct conflict_board *next = child;
	unsigned to = board->blank, from = to + (unsigned)fifteen_offset(m);
	unsigned tile = fifteen_at(board->cells, from);
	unsigned row = from / FIFTEEN_SIDE, col = from % FIFTEEN_SIDE;

	*next = *board;
	next->cells += ((uint64_t)tile << 4 * to) - ((uint64_t)tile << 4 * from);
	next->blank = from;
	next->h += goal->manhattan[tile][to] - goal->manhattan[tile][from];
	if (m < FIFTEEN_LEFT) {
		next->h += sliding_cross(conflicts, next->row, goal->in_row[tile], row,
					 to / FIFTEEN_SIDE, col);
		sliding_shift(&next->column[col], goal->in_column[tile][col], row,
			      to / FIFTEEN_SIDE);
	} else {
		next->h += sliding_cross(conflicts, next->column, goal->in_column[tile], col,
					 to % FIFTEEN_SIDE, row);
		sliding_shift(&next->row[row], goal->in_row[tile][row], col, to % FIFTEEN_SIDE);
	}
}

static const struct pz_domain conflict = {FIFTEEN_RULES(conflict_board), .h_consistent = true,
					  .moves = conflict_moves,       .h = conflict_h,
					  .apply = conflict_apply,       .derive = conflict_derive};
PZ_SOLVER(conflict)

/* ---- pattern databases --------------------------------------------------------------------- */

/*
 * The databases of each partition are looked up for the board and for its mirror image over the
 * diagonal, where the goal, its blank in the first cell, looks the same; h is the greatest sum.
 *
 * The mirror image of a path is a path, from the mirror image of its board to the goal, as long:
 * so those sums are bounds too.  A move changes each of the sums by one, and they are of one
 * parity, that of the tiles' Manhattan distance, which a mirror leaves as it is.  Of numbers of one
 * parity that all go up or down by one, so does the greatest: h is consistent, as the sums are.
 */
enum { VIEWS = 2 * FIFTEEN_PARTITIONS };

struct pattern_board {
	struct fifteen_view view[VIEWS]; /* the key is the first one's cells; odd ones: mirrored */
	uint8_t blank, mirror_blank;
};

static uint64_t pattern_moves(const void *c, const void *s)
{
	(void)c;
	return fifteen_ways[((const struct pattern_board *)s)->blank];
}

static int pattern_h(const void *c, const void *s)
{
	const struct pattern_board *board = s;
	int most = 0, i;

	(void)c;
	for (i = 0; i < VIEWS; i++)
		most = board->view[i].sum > most ? board->view[i].sum : most;
	return most;
}

static void pattern_derive(const void *c, void *s)
{
	const struct fifteen *shared = ((const struct fifteen_goal *)c)->shared;
	struct pattern_board *board = s;
	uint64_t cells = board->view[0].cells, mirror = fifteen_transpose(cells);
	unsigned i;

	for (i = 0; i < VIEWS; i++)
		fifteen_view_init(&shared->patterns.partition[i / 2], shared->content,
				  i % 2 == 0 ? cells : mirror, &board->view[i]);
	board->blank = (uint8_t)blank_of(cells);
	board->mirror_blank = (uint8_t)blank_of(mirror);
}

/* One view's part of a move. */
struct part {
	struct fifteen_change change;
	int step;
	int h; /* then */
};

static inline struct part part_of(const struct fifteen *shared, const struct pattern_board *board,
				  unsigned i, unsigned m)
{
	const struct fifteen_view *view = &board->view[i];
	struct part part;

	part.change = fifteen_change(&shared->patterns.partition[i / 2], view,
				     i % 2 == 0 ? board->blank : board->mirror_blank,
				     i % 2 == 0 ? m : m ^ 2);
	part.step =
		fifteen_step(shared->content, part.change.entry, view->value[part.change.pattern]);
	part.h = view->sum + part.step;
	return part;
}

/*
 * Half of the children pass the bound by one of the sums, and the others are not looked up.  The
 * sums are of one parity, and so are those of all children: an answer early is as good as the
 * greatest.
 */
static int pattern_within(const void *c, void *child, const void *s, unsigned m, int most)
{
	const struct fifteen *shared = ((const struct fifteen_goal *)c)->shared;
	const struct pattern_board *board = s;
	struct pattern_board *next = child;
	struct part part[VIEWS];
	int h;

	part[0] = part_of(shared, board, 0, m);
	if (part[0].h > most)
		return part[0].h;
	part[1] = part_of(shared, board, 1, m);
	if (part[1].h > most)
		return part[1].h;
	part[2] = part_of(shared, board, 2, m);
	if (part[2].h > most)
		return part[2].h;
	part[3] = part_of(shared, board, 3, m);
	if (part[3].h > most)
		return part[3].h;
	*next = *board;
	fifteen_view_move(&next->view[0], &part[0].change, part[0].step, board->blank, m);
	fifteen_view_move(&next->view[1], &part[1].change, part[1].step, board->mirror_blank,
			  m ^ 2);
	fifteen_view_move(&next->view[2], &part[2].change, part[2].step, board->blank, m);
	fifteen_view_move(&next->view[3], &part[3].change, part[3].step, board->mirror_blank,
			  m ^ 2);
	next->blank = (uint8_t)(board->blank + fifteen_offset(m));
	next->mirror_blank = (uint8_t)(board->mirror_blank + fifteen_offset(m ^ 2));
	h = part[0].h > part[1].h ? part[0].h : part[1].h;
	h = part[2].h > h ? part[2].h : h;
	return part[3].h > h ? part[3].h : h;
}

static void pattern_apply(const void *c, void *child, const void *s, unsigned m)
{
	pattern_within(c, child, s, m, PZ_COST_MAX);
}

static void pattern_prefetch(const struct fifteen *shared, const struct pattern_board *board,
			     unsigned m)
{
	const struct fifteen_partition *partition = shared->patterns.partition;

	if (!(fifteen_ways[board->blank] >> m & 1))
		return;
	PZ_PREFETCH(shared->content +
		    fifteen_change(partition, &board->view[0], board->blank, m).entry / 8);
	PZ_PREFETCH(shared->content +
		    fifteen_change(partition, &board->view[1], board->mirror_blank, m ^ 2).entry /
			    8);
}

/*
 * expand: the large databases are in no cache, so what all children need is fetched at once.  Those
 * of the second partition are as small as ever, and stay where they are.
 */
static void pattern_expand(const void *c, const void *s)
{
	const struct fifteen *shared = ((const struct fifteen_goal *)c)->shared;

	pattern_prefetch(shared, s, FIFTEEN_UP);
	pattern_prefetch(shared, s, FIFTEEN_DOWN);
	pattern_prefetch(shared, s, FIFTEEN_LEFT);
	pattern_prefetch(shared, s, FIFTEEN_RIGHT);
}

static const struct pz_domain pdb = {FIFTEEN_RULES(pattern_board), .h_consistent = true,
				     .moves = pattern_moves,       .h = pattern_h,
				     .apply = pattern_apply,       .apply_within = pattern_within,
				     .derive = pattern_derive};
PZ_SOLVER(pdb)

static const struct pz_domain pdb_large = {
	FIFTEEN_RULES(pattern_board), .h_consistent = true,
	.moves = pattern_moves,       .h = pattern_h,
	.apply = pattern_apply,       .apply_within = pattern_within,
	.expand = pattern_expand,     .derive = pattern_derive};
PZ_SOLVER(pdb_large)

const struct pz_solver *const fifteen_solvers[FIFTEEN_SOLVERS + 1] = {
	[FIFTEEN_PDB] = &pdb_solver,
	[FIFTEEN_CONFLICT] = &conflict_solver,
	[FIFTEEN_MANHATTAN] = &manhattan_solver,
	[FIFTEEN_MISPLACED] = &misplaced_solver,
	[FIFTEEN_PDB_LARGE] = &pdb_large_solver,
};
