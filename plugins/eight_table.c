/* SPDX-License-Identifier: MIT */
/*
 * How it works.  Name each tile by its place in the goal's reading order, the blank left out.  Then
 * all goals with the blank in the same cell look alike, and nine tables serve all of them.
 *
 * The reading order of a board's tiles does not change when the blank moves sideways, and a
 * vertical move is an even permutation of it; so a goal's boards are 8!/2 = 20160 orders times nine
 * cells of the blank.  A table has a row of 28 bytes for each order.  For each cell of the blank it
 * says in 3 bits what to do until the order changes next: to which column to go sideways, and then
 * up or down, or that the goal is reached there; and the order that each vertical move leads to.  A
 * solution has some 22 moves, but only half of them are vertical: one row is read for each, and
 * moves are written as they lie ready, four at a time, with no branch to guess but for the end.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/eight_table.h"

enum { SIDE = 3, CELLS = 9, TILES = 8, ORDERS = 20160, CODES = 8 };
enum { UP, DOWN, LEFT, RIGHT };

/*
 * What to do in a row, as a code: go to column 0, 1, 2 and then up; the same and then down; go
 * home.
 */
enum { GO_UP = 0, GO_DOWN = 3, GO_HOME = 6 };

/* Vertical moves: the blank goes up from cell 3 + i, or down from cell i, 0 <= i < 6. */
enum {
	VERTICAL = 6,
	NEXT_UP = 0,
	NEXT_DOWN = VERTICAL,
	NEXT_ALL = 2 * VERTICAL,
	NO_NEXT = NEXT_ALL
};

struct row {
	uint32_t codes; /* 3 bits for each cell of the blank */
	uint16_t next[NEXT_ALL];
};

/* A code carried out from a cell. */
struct leg {
	uint16_t moves[4];
	uint8_t count;
	uint8_t next;  /* index into row.next; NO_NEXT: at the goal */
	uint8_t blank; /* where it ends */
};

struct table {
	struct leg legs[CELLS][CODES];
	struct row rows[ORDERS];
};

struct eight_tables {
	struct table *table[CELLS]; /* by the cell of the goal's blank; NULL: not built yet */
	uint16_t next[ORDERS][NEXT_ALL];
};

/*
 * The number of an order, four bits a tile, first tile lowest; *ret_odd: it is an odd permutation.
 * `below` holds, for each tile, how many smaller ones are still to come: the digits of its Lehmer
 * code.  The last two digits follow from the others and the parity.
 */
static unsigned order_number(uint32_t order, bool *ret_odd)
{
	uint32_t below = 0x76543210;
	unsigned number = 0, odd = 0, i;

	for (i = 0; i < TILES - 1; i++) {
		unsigned tile = order >> 4 * i & 15;
		unsigned digit = below >> 4 * tile & 15;

		if (i < TILES - 2)
			number = number * (TILES - i) + digit;
		odd ^= digit;
		below -= UINT32_C(0x11111110) << 4 * tile;
	}
	*ret_odd = odd & 1;
	return number;
}

/* The even order with this number. */
static uint32_t order_of(unsigned number)
{
	unsigned digits[TILES] = {0}, odd = 0, i;
	uint32_t left = 0x76543210, order = 0;

	for (i = TILES - 2; i-- > 0;) {
		digits[i] = number % (TILES - i);
		number /= TILES - i;
		odd ^= digits[i];
	}
	digits[TILES - 2] = odd & 1;
	for (i = 0; i < TILES; i++) {
		unsigned shift = 4 * digits[i];
		uint32_t low = left & ((UINT32_C(1) << shift) - 1);

		order |= (left >> shift & 15) << 4 * i;
		left = low | (left >> shift >> 4) << shift;
	}
	return order;
}

/* The blank in cell `at` goes down: the tile below comes two places forward. */
static uint32_t order_down(uint32_t order, unsigned at)
{
	uint32_t three = order >> 4 * at & 0xfff;

	return order ^ (three ^ ((three << 4 & 0xff0) | three >> 8)) << 4 * at;
}

struct eight_tables *eight_tables_new(void)
{
	struct eight_tables *tables = calloc(1, sizeof(*tables));
	unsigned number, at, to;
	bool odd;

	if (tables == NULL)
		return NULL;
	for (number = 0; number < ORDERS; number++) {
		uint32_t order = order_of(number);

		for (at = 0; at < VERTICAL; at++) {
			to = order_number(order_down(order, at), &odd);
			tables->next[number][NEXT_DOWN + at] = (uint16_t)to;
			tables->next[to][NEXT_UP + at] = (uint16_t)number;
		}
	}
	return tables;
}

void eight_tables_free(struct eight_tables *tables)
{
	unsigned blank;

	for (blank = 0; tables != NULL && blank < CELLS; blank++)
		free(tables->table[blank]);
	free(tables);
}

/* ---- building ------------------------------------------------------------------------------ */

/*
 * Where a vertical move takes the blank from `cell`, and its index in row.next; false: off the
 * board.
 */
static bool vertical(unsigned cell, bool down, unsigned *ret_next, unsigned *ret_cell)
{
	if (down ? cell >= VERTICAL : cell < SIDE)
		return false;
	*ret_next = down ? NEXT_DOWN + cell : NEXT_UP + cell - SIDE;
	*ret_cell = down ? cell + SIDE : cell - SIDE;
	return true;
}

static void fill_legs(struct table *table, unsigned home)
{
	unsigned cell, code, column, next = 0, to = 0;

	for (cell = 0; cell < CELLS; cell++) {
		for (code = 0; code <= GO_HOME; code++) {
			struct leg *leg = &table->legs[cell][code];
			unsigned at = cell;

			column = code == GO_HOME ? home % SIDE : code % SIDE;
			for (; at % SIDE > column; at--)
				leg->moves[leg->count++] = LEFT;
			for (; at % SIDE < column; at++)
				leg->moves[leg->count++] = RIGHT;
			leg->next = NO_NEXT;
			leg->blank = (uint8_t)at;
			if (code == GO_HOME || !vertical(at, code >= GO_DOWN, &next, &to))
				continue;
			leg->moves[leg->count++] = code >= GO_DOWN ? DOWN : UP;
			leg->next = (uint8_t)next;
			leg->blank = (uint8_t)to;
		}
	}
}

/* Distances from the goal, by order and blank, breadth first. */
static void fill_distances(const struct eight_tables *tables, unsigned home, uint8_t *distance,
			   uint32_t *queue)
{
	unsigned head = 0, tail = 0;

	memset(distance, UINT8_MAX, ORDERS * CELLS);
	distance[home] = 0;
	queue[tail++] = home;
	while (head < tail) {
		unsigned state = queue[head++], order = state / CELLS, cell = state % CELLS;
		unsigned reach[4], count = 0, next, to, i;

		if (cell % SIDE > 0)
			reach[count++] = state - 1;
		if (cell % SIDE < SIDE - 1)
			reach[count++] = state + 1;
		if (vertical(cell, false, &next, &to))
			reach[count++] = tables->next[order][next] * CELLS + to;
		if (vertical(cell, true, &next, &to))
			reach[count++] = tables->next[order][next] * CELLS + to;
		for (i = 0; i < count; i++) {
			if (distance[reach[i]] != UINT8_MAX)
				continue;
			distance[reach[i]] = (uint8_t)(distance[state] + 1);
			queue[tail++] = reach[i];
		}
	}
}

/*
 * A code whose leg begins a shortest way from here.  Where no vertical move does, the goal is in
 * this row.
 */
static unsigned best_code(const struct table *table, const uint8_t *distance, unsigned order,
			  unsigned cell)
{
	unsigned code;

	for (code = 0; code < GO_HOME; code++) {
		const struct leg *leg = &table->legs[cell][code];
		unsigned to;

		if (leg->next == NO_NEXT)
			continue;
		to = table->rows[order].next[leg->next];
		if (distance[to * CELLS + leg->blank] + leg->count ==
		    distance[order * CELLS + cell])
			return code;
	}
	return GO_HOME;
}

int eight_tables_build(struct eight_tables *tables, unsigned home)
{
	struct table *table;
	uint8_t *distance;
	uint32_t *queue;
	unsigned order, cell;
	int ret = -1;

	if (tables->table[home] != NULL)
		return 0;
	table = calloc(1, sizeof(*table));
	distance = malloc(ORDERS * CELLS);
	queue = malloc(ORDERS * CELLS * sizeof(*queue));
	if (table == NULL || distance == NULL || queue == NULL)
		goto out;
	fill_legs(table, home);
	fill_distances(tables, home, distance, queue);
	for (order = 0; order < ORDERS; order++) {
		struct row *row = &table->rows[order];

		memcpy(row->next, tables->next[order], sizeof(row->next));
		for (cell = 0; cell < CELLS; cell++)
			row->codes |= best_code(table, distance, order, cell) << 3 * cell;
	}
	tables->table[home] = table;
	table = NULL;
	ret = 0;
out:
	free(queue);
	free(distance);
	free(table);
	return ret;
}

/* ---- asking -------------------------------------------------------------------------------- */

/* The tiles in reading order, four bits each: the blank taken out. */
static uint32_t reading_order(uint64_t cells, unsigned blank)
{
	uint64_t before = (UINT64_C(1) << 4 * blank) - 1;

	return (uint32_t)((cells & before) | (cells >> 4 & ~before));
}

uint64_t eight_labels(uint64_t goal)
{
	uint32_t order = reading_order(goal, eight_blank(goal));
	uint64_t labels = 0;
	unsigned i;

	for (i = 0; i < TILES; i++)
		labels |= (uint64_t)i << 4 * (order >> 4 * i & 15);
	return labels;
}

int eight_table_path(const struct eight_tables *tables, uint64_t labels, unsigned home,
		     uint64_t cells, uint16_t path[EIGHT_PATH_ROOM])
{
	const struct table *table = tables->table[home];
	unsigned blank = eight_blank(cells), number, i;
	uint32_t order = reading_order(cells, blank), named = 0;
	const struct row *row;
	const struct leg *leg;
	int length = 0;
	bool odd;

	for (i = 0; i < TILES; i++)
		named |= (uint32_t)(labels >> 4 * (order >> 4 * i & 15) & 15) << 4 * i;
	number = order_number(named, &odd);
	if (odd)
		return EIGHT_UNSOLVABLE;
	for (;;) {
		row = &table->rows[number];
		leg = &table->legs[blank][row->codes >> 3 * blank & 7];
		memcpy(path + length, leg->moves, sizeof(leg->moves));
		length += leg->count;
		if (leg->next == NO_NEXT)
			return length;
		number = row->next[leg->next];
		blank = leg->blank;
	}
}
