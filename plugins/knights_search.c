/* SPDX-License-Identifier: MIT */
/* What the searches see of the knights: one domain for each heuristic. */
#include <puzzled/search/domain.h>

#include "plugins/knights.h"

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
 * The part of `apply` that all domains share: makes the move and says from which cell and of which
 * colour.
 */
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
 * misplaced: the naive heuristic, wrong cells minus one.  A jump puts at most one knight right, and
 * only the last wrong cell can be the blank's; so n wrong cells need at least n - 1 jumps.  Not
 * consistent: the jump that brings the blank home may put two cells right at once.
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

/* counts and ball: see knights_bound.h. "ball" is the greater of both. */

static int prepare_bound(void *c)
{
	struct goal *goal = c;

	if (goal->bound == NULL)
		goal->bound = knights_bound_new(goal->black, goal->blank, goal->ways, goal->step);
	return goal->bound != NULL ? 0 : -1;
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

/* What all have in common. */
#define KNIGHTS_RULES                                                                              \
	.state_size = sizeof(struct board), .key_size = 2 * sizeof(uint32_t),                      \
	.max_moves = DIRECTIONS, .moves = moves, .goal = is_goal, .inverse = inverse,              \
	.goals = goals

/* clang-format off */
static const struct pz_domain ball = {
	KNIGHTS_RULES,
	.h_consistent = true,
	.prepare = prepare_bound,
	.derive = ball_derive,
	.h = stored_h,
	.apply = ball_apply,
};
PZ_SOLVER(ball)

static const struct pz_domain counts = {
	KNIGHTS_RULES,
	.h_consistent = true,
	.prepare = prepare_bound,
	.derive = counts_derive,
	.h = stored_h,
	.apply = counts_apply,
};
PZ_SOLVER(counts)

static const struct pz_domain misplaced = {
	KNIGHTS_RULES,
	.h_consistent = false,
	.derive = misplaced_derive,
	.h = misplaced_h,
	.apply = misplaced_apply,
};
PZ_SOLVER(misplaced)

static const struct pz_domain none = {
	KNIGHTS_RULES,
	.h_consistent = true,
	.h = none_h,
	.apply = none_apply,
	.space = KNIGHTS_BOARDS,
	.rank = rank,
	.unrank = unrank,
};
PZ_SOLVER(none)
/* clang-format on */

const struct pz_solver *const knights_solvers[KNIGHTS_HEURISTICS + 1] = {
	[KNIGHTS_BALL] = &ball_solver,
	[KNIGHTS_COUNTS] = &counts_solver,
	[KNIGHTS_MISPLACED] = &misplaced_solver,
	[KNIGHTS_NONE] = &none_solver,
};
