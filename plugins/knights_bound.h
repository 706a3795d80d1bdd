/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds on the jumps that a board of the knights still needs, without a table of all boards.
 *
 * 1. Counts.  Divide the cells, but for the blank's home in the goal, into four classes: by the
 *    colour of the square, and by the colour of the knight that the goal wants there.  Of a board
 *    keep only: how many cells of each class hold a wrong knight; the class of the blank's cell, or
 *    that it is at home; and the colour of the knight on the home cell.  A jump takes a knight to a
 *    square of the other colour, and what it does to these few numbers depends on nothing else than
 *    them and the knight's colour and class: every jump on the board is a jump between the abstract
 *    boards (the map is a homomorphism).  So the distance of the abstract boards is never greater
 *    than that of the boards, and falls by at most 1 a jump: it is admissible and consistent.
 *    There are at most 9 * 7^4 abstract boards, and breadth-first search gives the exact distances
 *    of all.
 *
 * 2. The ball.  All boards within KNIGHTS_RADIUS jumps of the goal are kept with their exact
 *    distances; jumps can be taken back, so breadth-first search from the goal finds them.  A board
 *    that is not among them needs at least one jump more than the radius, or two, whichever has the
 *    right parity: each jump changes the colour of the blank's square, so the two colours say
 *    whether the distance is odd.  Consistent: the neighbour of a board outside is inside only at
 *    the radius itself, and then the parity makes the bound outside one more.
 *
 * The greater of two admissible, consistent bounds is so too.  The counts have the right parity of
 * themselves.
 */
#ifndef KNIGHTS_BOUND_H
#define KNIGHTS_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/knights_rank.h"

enum {
	KNIGHTS_RADIUS = 10, /* 57,427 boards round the usual goal */
	KNIGHTS_CLASSES = 4,
	KNIGHTS_ABSTRACT =
		9 * 2401, /* blank at home, or 4 classes with 2 colours at home; 7^4 counts */
	KNIGHTS_SLOT_BITS = 17,
	KNIGHTS_SLOTS = 1 << KNIGHTS_SLOT_BITS,
	KNIGHTS_BALL_MOST =
		KNIGHTS_SLOTS / 4 * 3 /* boards that it may hold; it ends below the radius then */
};

struct knights_bound {
	unsigned home; /* the blank's cell in the goal */
	unsigned radius;
	uint8_t square[KNIGHTS_CELLS]; /* 0 or 1: equal to home's colour or not */
	/*
	 * A board's abstract number is the sum of `wrong` over its knights, `where` of the blank's
	 * cell, and `guest` of it if the knight at home is black.
	 */
	uint16_t wrong[2][KNIGHTS_CELLS];
	uint16_t where[KNIGHTS_CELLS];
	uint16_t guest[KNIGHTS_CELLS];
	uint8_t counts[KNIGHTS_ABSTRACT]; /* exact distances between abstract boards */
	/*
	 * The ball: bits 0 to 23 the black knights of cells 0 to 23 (the last cell follows from
	 * their number), bits 24 to 28 the blank, bits 29 to 31 half the distance.  All ones: free.
	 */
	uint32_t slots[KNIGHTS_SLOTS];
};

/*
 * knights_bound_new: for a goal.  `ways[blank]` has a bit for each direction, `step` their offsets.
 */
struct knights_bound *knights_bound_new(uint32_t black, uint32_t blank, const uint8_t *ways,
					const int8_t *step);

/* knights_bound_sum: the sum of `wrong` over a board's knights. */
static inline uint32_t knights_bound_sum(const struct knights_bound *bound, uint32_t black,
					 uint32_t blank)
{
	uint32_t sum = 0;
	unsigned cell;

	for (cell = 0; cell < KNIGHTS_CELLS; cell++)
		if (cell != blank)
			sum += bound->wrong[black >> cell & 1][cell];
	return sum;
}

/* knights_bound_counts: bound 1 of a board with this sum. */
static inline int knights_bound_counts(const struct knights_bound *bound, uint32_t black,
				       uint32_t blank, uint32_t sum)
{
	uint32_t guest = -(black >> bound->home & 1) & bound->guest[blank];

	return bound->counts[sum + bound->where[blank] + guest];
}

static inline uint32_t knights_bound_key(uint32_t black, uint32_t blank)
{
	return (black & 0xffffff) | blank << 24;
}

static inline uint32_t knights_bound_slot(uint32_t key)
{
	return key * UINT32_C(0x9E3779B1) >> (32 - KNIGHTS_SLOT_BITS);
}

/* knights_bound_ball: bound 2 of a board. */
static inline int knights_bound_ball(const struct knights_bound *bound, uint32_t black,
				     uint32_t blank)
{
	uint32_t key = knights_bound_key(black, blank), slot = knights_bound_slot(key), entry;
	int odd = bound->square[blank];

	for (; (entry = bound->slots[slot]) != UINT32_MAX; slot = (slot + 1) % KNIGHTS_SLOTS)
		if ((entry & 0x1fffffff) == key)
			return (int)(entry >> 29) * 2 + odd;
	return (int)bound->radius + 1 + (((int)bound->radius + 1 + odd) & 1);
}

#endif
