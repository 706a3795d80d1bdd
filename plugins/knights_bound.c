/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "plugins/knights_bound.h"

enum { SIDE = 5, DIRECTIONS = 8, UNKNOWN = UINT8_MAX, HOME = KNIGHTS_CLASSES };
enum { WHITE, BLACK };

/* ---- counts -------------------------------------------------------------------------------- */

/* How a goal divides the cells. */
struct classes {
	unsigned cells[KNIGHTS_CLASSES];  /* how many each class has */
	unsigned weight[KNIGHTS_CLASSES]; /* what one wrong cell adds to an abstract number */
	unsigned patterns;                /* what the blank's place is multiplied with */
};

/* An abstract board. */
struct abstract {
	unsigned wrong[KNIGHTS_CLASSES];
	unsigned blank; /* class, or HOME */
	unsigned guest; /* the colour of the knight at home; WHITE if the blank is there */
};

/*
 * The class of a cell other than home: the square's colour, relative to home's, and the wanted
 * knight's.
 */
static unsigned class_of(unsigned square, unsigned wanted)
{
	return 2 * square + wanted;
}

static unsigned wanted_in(unsigned class)
{
	return class & 1;
}

static bool same_square(unsigned class, unsigned other)
{
	unsigned square = class == HOME ? 0 : class >> 1;

	return square == (other == HOME ? 0 : other >> 1);
}

static unsigned abstract_number(const struct classes *classes, const struct abstract *a)
{
	unsigned number = a->blank == HOME ? 0 : classes->patterns * (1 + 2 * a->blank + a->guest),
		 i;

	for (i = 0; i < KNIGHTS_CLASSES; i++)
		number += a->wrong[i] * classes->weight[i];
	return number;
}

static struct abstract abstract_of(const struct classes *classes, unsigned number)
{
	unsigned place = number / classes->patterns, i;
	struct abstract a = {.blank = HOME};

	if (place > 0) {
		a.blank = (place - 1) / 2;
		a.guest = (place - 1) % 2;
	}
	number %= classes->patterns;
	for (i = 0; i < KNIGHTS_CLASSES; i++) {
		a.wrong[i] = number % (classes->cells[i] + 1);
		number /= classes->cells[i] + 1;
	}
	return a;
}

/*
 * A knight of this colour jumps from a cell of class `from` (or HOME) to the blank.  False: there
 * is none.
 */
static bool abstract_jump(const struct classes *classes, const struct abstract *a, unsigned from,
			  unsigned colour, struct abstract *ret)
{
	*ret = *a;
	if (same_square(a->blank, from))
		return false;
	if (from == HOME) {
		if (a->guest != colour)
			return false;
	} else if (colour != wanted_in(from)) {
		if (ret->wrong[from]-- == 0)
			return false;
	} else if (a->wrong[from] == classes->cells[from]) {
		return false;
	}
	if (a->blank == HOME)
		ret->guest = colour;
	else if (colour != wanted_in(a->blank))
		ret->wrong[a->blank]++;
	if (from == HOME)
		ret->guest = WHITE;
	ret->blank = from;
	return true;
}

static void fill_counts(struct knights_bound *bound, const struct classes *classes, uint16_t *queue)
{
	unsigned head = 0, tail = 0, from, colour;

	memset(bound->counts, UNKNOWN, sizeof(bound->counts));
	bound->counts[0] = 0; /* the goal: nothing wrong, the blank at home */
	queue[tail++] = 0;
	while (head < tail) {
		unsigned number = queue[head++];
		struct abstract a = abstract_of(classes, number), next;

		for (from = 0; from <= HOME; from++) {
			for (colour = WHITE; colour <= BLACK; colour++) {
				unsigned to;

				if (!abstract_jump(classes, &a, from, colour, &next))
					continue;
				to = abstract_number(classes, &next);
				if (bound->counts[to] != UNKNOWN)
					continue;
				bound->counts[to] = (uint8_t)(bound->counts[number] + 1);
				queue[tail++] = (uint16_t)to;
			}
		}
	}
}

static void fill_classes(struct knights_bound *bound, uint32_t black, struct classes *classes)
{
	unsigned cell, i;

	for (cell = 0; cell < KNIGHTS_CELLS; cell++) {
		bound->square[cell] =
			(cell / SIDE + cell % SIDE + bound->home / SIDE + bound->home % SIDE) & 1;
		if (cell != bound->home)
			classes->cells[class_of(bound->square[cell], black >> cell & 1)]++;
	}
	classes->patterns = 1;
	for (i = 0; i < KNIGHTS_CLASSES; i++) {
		classes->weight[i] = classes->patterns;
		classes->patterns *= classes->cells[i] + 1;
	}
	for (cell = 0; cell < KNIGHTS_CELLS; cell++) {
		unsigned wanted = black >> cell & 1, class = class_of(bound->square[cell], wanted);

		if (cell == bound->home)
			continue;
		bound->wrong[!wanted][cell] = (uint16_t)classes->weight[class];
		bound->where[cell] = (uint16_t)(classes->patterns * (1 + 2 * class));
		bound->guest[cell] = (uint16_t)classes->patterns;
	}
}

/* ---- the ball ------------------------------------------------------------------------------ */

/* Puts a board into the ball.  False: it is there. */
static bool ball_add(struct knights_bound *bound, uint32_t key, unsigned distance)
{
	uint32_t slot = knights_bound_slot(key), entry;

	for (; (entry = bound->slots[slot]) != UINT32_MAX; slot = (slot + 1) % KNIGHTS_SLOTS)
		if ((entry & 0x1fffffff) == key)
			return false;
	bound->slots[slot] = key | distance / 2 << 29;
	return true;
}

/*
 * The board of a key: twelve knights are black, so those of the first 24 cells say what the last
 * is.
 */
static uint32_t key_black(uint32_t key)
{
	uint32_t black = key & 0xffffff;

	return black | (uint32_t)(__builtin_popcount(black) < KNIGHTS_HALF) << 24;
}

static void fill_ball(struct knights_bound *bound, uint32_t black, const uint8_t *ways,
		      const int8_t *step, uint32_t *queue)
{
	unsigned head = 0, end = 0, tail = 0, m;

	memset(bound->slots, 0xff, sizeof(bound->slots));
	queue[tail++] = knights_bound_key(black, bound->home);
	ball_add(bound, queue[0], 0);
	for (bound->radius = 0; bound->radius < KNIGHTS_RADIUS; bound->radius++) {
		/*
		 * A level has at most 4 times the boards of the one before: round any goal there is
		 * room.
		 */
		for (end = tail; head < end; head++) {
			uint32_t blank = queue[head] >> 24, from, key;

			black = key_black(queue[head]);
			for (m = 0; m < DIRECTIONS; m++) {
				if (!(ways[blank] >> m & 1))
					continue;
				from = blank + (uint32_t)step[m];
				key = black | (black >> from & 1) << blank;
				key = knights_bound_key(key & ~(UINT32_C(1) << from), from);
				if (tail == KNIGHTS_BALL_MOST)
					return; /* this level is not complete: the radius stays */
				if (ball_add(bound, key, bound->radius + 1))
					queue[tail++] = key;
			}
		}
	}
}

struct knights_bound *knights_bound_new(uint32_t black, uint32_t blank, const uint8_t *ways,
					const int8_t *step)
{
	struct knights_bound *bound = calloc(1, sizeof(*bound));
	uint32_t *queue = malloc(KNIGHTS_BALL_MOST * sizeof(*queue));
	uint16_t *abstract = malloc(KNIGHTS_ABSTRACT * sizeof(*abstract));
	struct classes classes = {0};

	if (bound == NULL || queue == NULL || abstract == NULL) {
		free(bound);
		bound = NULL;
		goto out;
	}
	bound->home = blank;
	fill_classes(bound, black, &classes);
	fill_counts(bound, &classes, abstract);
	fill_ball(bound, black, ways, step, queue);
out:
	free(abstract);
	free(queue);
	return bound;
}
