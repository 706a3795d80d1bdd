/* SPDX-License-Identifier: MIT */
/*
 * Shortest solutions of every 3x3 board to every goal, from one table for each place of the goal's
 * blank.
 */
#ifndef EIGHT_TABLE_H
#define EIGHT_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum {
	EIGHT_PATH_MAX = 31, /* moves of the longest solution (Reinefeld 1993) */
	EIGHT_PATH_ROOM =
		36, /* moves that eight_table_path may write, counting what lies behind the path */
	EIGHT_UNSOLVABLE = -1
};

struct eight_tables;

/* eight_tables_new: no table yet, but what all have in common.  NULL: no memory. */
struct eight_tables *eight_tables_new(void);
void eight_tables_free(struct eight_tables *tables);

/*
 * eight_tables_build: makes sure of the table for goals with the blank in this cell. -1: no memory.
 */
int eight_tables_build(struct eight_tables *tables, unsigned blank);

/*
 * eight_labels: the labels of a goal's tiles for eight_table_path: four bits a tile.  Boards are as
 * in eight_puzzle.c: four bits a cell, 0 the blank.
 */
uint64_t eight_labels(uint64_t goal);

/* eight_blank: the cell of a board's blank. */
static inline unsigned eight_blank(uint64_t cells)
{
	/*
	 * The lowest four bits that are zero: they alone borrow when 1 is subtracted, up to there.
	 */
	uint64_t zero = (cells - UINT64_C(0x111111111)) & ~cells & UINT64_C(0x888888888);

	return (unsigned)__builtin_ctzll(zero) / 4;
}

/*
 * eight_table_path: writes the moves (0 u, 1 d, 2 l, 3 r of the blank) from `cells` to the goal
 * with these labels and its blank in `home`, whose table is built.  Returns how many, or
 * EIGHT_UNSOLVABLE.
 */
int eight_table_path(const struct eight_tables *tables, uint64_t labels, unsigned home,
		     uint64_t cells, uint16_t path[EIGHT_PATH_ROOM]);

#endif
