/* SPDX-License-Identifier: MIT */
/*
 * Additive pattern databases for the 15-puzzle (Korf and Felner, "Disjoint pattern database
 * heuristics", Artificial Intelligence 134, 2002), one bit an entry (after Breyer and Korf,
 * "1.6-bit pattern databases", AAAI 2010).
 *
 * Boards here are 16 cells of four bits, cell 0 lowest; the goal has label i in cell i, and the
 * blank, 0, in the first.  A partition divides the labels 1 to 15 into patterns.  A pattern's
 * database is about boards where all other tiles look alike, and moving them is free.  So the blank
 * goes about among the cells without a tile of the pattern at no cost, and what matters is its
 * *region*: which of the connected parts of these cells it is in.  For each placing of the
 * pattern's tiles and each region the value is the fewest moves *of these tiles* that bring them
 * home, with the blank in the region of its home.
 *
 * Why the sum over the patterns never passes the distance, and changes by one with each move:
 *
 * - A move takes a tile from one cell to a neighbour, which the blank leaves.  For the patterns
 *   that the tile is not of, both cells are without a tile and in one region: the placing, the
 *   region and so the value stay.
 * - For its own pattern the move is an edge between two pairs of placing and region, and the move
 *   back is the same edge the other way round; so the two values differ by one at most.
 * - They do differ: such a move changes the sum of the Manhattan distances of the pattern's tiles
 *   by one, and at home that sum is 0.  All ways home have its parity, and so has the value.
 * - Every pair has a value.  At least two tiles are of other patterns and look alike; swapping them
 *   makes a solvable board of one that is not.
 *
 * At home all values are 0, so with one a move the sum is no more than the moves that there are.
 *
 * Whoever knows the value before a move needs one bit to know that after it.  What is kept is bit 1
 * of the value: of v + 1 and v - 1 one has it set, and the other has not.  The value of a board
 * that comes from nowhere is found by walking down: of its lowest two bits one is kept and one is
 * the parity, so it is known which neighbours are nearer, and only at home there is none.  See
 * fifteen_view_init.
 *
 * Number of an entry for n tiles: (the number of the block) * n! + (the number of the order).  A
 * *block* is a set of cells with tiles and a region.  The set's number is the sum of two small
 * tables, for its upper and its lower eight cells, and by that number `where` has its first block
 * and the region of each cell without a tile.
 * Sort the tiles of a pattern by label and call them 0 to n - 1: an order's number is the sum over
 * j of j! times how many tiles below j come behind j.  So when tile t passes tile s, the number
 * changes by a constant of t and s alone, up to sign; a tile that moves sideways passes none, and
 * one that moves up or down passes the three tiles between.  A number is kept up to date with a
 * handful of additions, and all orders of one block are neighbours in memory.
 */
#ifndef FIFTEEN_PATTERN_H
#define FIFTEEN_PATTERN_H

#include <puzzled/search/puzzle.h>

enum {
	FIFTEEN_CELLS = 16,
	FIFTEEN_SIDE = 4,
	FIFTEEN_PATTERNS = 3,      /* of a partition, at most */
	FIFTEEN_PATTERN_MOST = 8,  /* tiles of a pattern */
	FIFTEEN_SETS_MOST = 12870, /* of eight cells of the sixteen */
	/*
	 * Regions that a set leaves, at most: of every two neighbours they have one at most where
	 * they are all single cells.
	 */
	FIFTEEN_REGIONS = 8,
	FIFTEEN_REGION_BITS = 3,
	FIFTEEN_PARTITIONS = 2
};

/* Directions of the blank; m ^ 1 is the opposite of m, and m ^ 2 is m seen from the other side of
 * the diagonal. */
enum { FIFTEEN_UP, FIFTEEN_DOWN, FIFTEEN_LEFT, FIFTEEN_RIGHT, FIFTEEN_DIRECTIONS };

/* All sets of so many cells. */
struct fifteen_sets {
	unsigned count, blocks;
	/* By the cells 8 to 15 and 0 to 7 of a set: the sum is its number. */
	uint16_t high[256], low[256];
	/* By number: the first of its blocks, then FIFTEEN_REGION_BITS for the region of each
	 * cell. */
	uint64_t where[FIFTEEN_SETS_MOST];
};

struct fifteen_pattern {
	unsigned size;   /* tiles */
	uint32_t orders; /* size! */
	uint32_t first;  /* its first entry in the content */
	const struct fifteen_sets *sets;
};

/* What a move of one tile needs to know of its pattern, side by side. */
struct fifteen_label {
	/* What it adds to the number of an order when it passes another towards the last cell. */
	int16_t pass[FIFTEEN_CELLS];
	struct fifteen_pattern pattern;
	uint32_t of; /* that pattern's number */
};

struct fifteen_partition {
	unsigned count; /* of patterns; those behind have no tiles */
	struct fifteen_pattern pattern[FIFTEEN_PATTERNS];
	struct fifteen_label label[FIFTEEN_CELLS]; /* the blank's is not used */
	uint8_t of[FIFTEEN_CELLS];    /* the pattern of a label; of the blank: FIFTEEN_PATTERNS */
	uint8_t place[FIFTEEN_CELLS]; /* of a label in the order of its pattern */
};

/* Some partitions, whose databases lie one behind the other in one content.  Points into itself. */
struct fifteen_patterns {
	struct fifteen_partition partition[FIFTEEN_PARTITIONS];
	/* By how many cells they are of.  Only those that a pattern needs are filled. */
	struct fifteen_sets sets[FIFTEEN_PATTERN_MOST + 1];
	uint32_t entries; /* bits of the content */
};

/* Where the tiles of each pattern of a partition are on a board. */
struct fifteen_view {
	uint64_t cells;
	uint16_t set[FIFTEEN_PATTERNS];   /* bit i: a tile of the pattern is in cell i */
	uint16_t order[FIFTEEN_PATTERNS]; /* its number */
	uint8_t value[FIFTEEN_PATTERNS];  /* by the database */
	uint8_t sum;                      /* of the values */
};

/* What a move changes of a view: all of it is of one pattern. */
struct fifteen_change {
	unsigned pattern;
	uint16_t set, order;
	uint32_t entry; /* in the content */
};

extern const uint16_t fifteen_factorial[FIFTEEN_PATTERN_MOST + 1];
extern const uint8_t fifteen_ways[FIFTEEN_CELLS]; /* bit m is set where the blank can go by m */

/* What there is: two partitions into 6, 6 and 3 tiles; or one into 7 and 8, and one of these. */
enum fifteen_which { FIFTEEN_663, FIFTEEN_78 };

/* fifteen_patterns_init: fills one that is all zero; what it does not need stays untouched. */
void fifteen_patterns_init(struct fifteen_patterns *patterns, enum fifteen_which which);

/* fifteen_content_bytes: of the content; those of building it, the content included. */
size_t fifteen_content_bytes(const struct fifteen_patterns *patterns);
size_t fifteen_build_bytes(const struct fifteen_patterns *patterns);

/*
 * fifteen_patterns_build: fills the content.  Polls with the entries done and in all.  Returns 0,
 * or -1 with an error.
 */
int fifteen_patterns_build(const struct fifteen_patterns *patterns, uint8_t *content,
			   const struct pz_host *host, struct pz_error *error);

/*
 * fifteen_view_init: a view of a board.  Walks down for each pattern, some dozens of microseconds
 * in
 * all: for a board that comes from nowhere, not for the nodes of a search.
 */
void fifteen_view_init(const struct fifteen_partition *partition, const uint8_t *content,
		       uint64_t cells, struct fifteen_view *ret);

/* fifteen_transpose: the board seen from the other side of the diagonal: cells and labels. */
uint64_t fifteen_transpose(uint64_t cells);

static inline unsigned fifteen_at(uint64_t cells, unsigned cell)
{
	return (unsigned)(cells >> 4 * cell) & 15;
}

/* fifteen_offset: from the blank to where direction m takes it. */
static inline int fifteen_offset(unsigned m)
{
	int step = m < FIFTEEN_LEFT ? FIFTEEN_SIDE : 1;

	return m & 1 ? step : -step;
}

/* fifteen_neighbours: of a cell, as a set. */
static inline unsigned fifteen_neighbours(unsigned cell)
{
	unsigned col = cell % FIFTEEN_SIDE, bit = 1u << cell;

	return (bit << FIFTEEN_SIDE & 0xffff) | bit >> FIFTEEN_SIDE | (col > 0 ? bit >> 1 : 0) |
	       (col < FIFTEEN_SIDE - 1 ? bit << 1 : 0);
}

/* fifteen_where: the word of a set. */
static inline uint64_t fifteen_where(const struct fifteen_sets *sets, unsigned set)
{
	return sets->where[sets->high[set >> 8] + sets->low[set & 255]];
}

/* fifteen_region: that of a cell without a tile. */
static inline unsigned fifteen_region(uint64_t where, unsigned cell)
{
	return (unsigned)(where >> FIFTEEN_REGION_BITS * cell) & (FIFTEEN_REGIONS - 1);
}

/* fifteen_entry: of a pattern's set and order, with the blank in cell `blank`. */
static inline uint32_t fifteen_entry(const struct fifteen_pattern *pattern, unsigned set,
				     unsigned order, unsigned blank)
{
	uint64_t where = fifteen_where(pattern->sets, set);
	uint32_t block = (uint32_t)(where >> FIFTEEN_REGION_BITS * FIFTEEN_CELLS);

	return pattern->first + (block + fifteen_region(where, blank)) * pattern->orders + order;
}

static inline unsigned fifteen_bit(const uint8_t *content, uint32_t entry)
{
	return content[entry >> 3] >> (entry & 7) & 1u;
}

/*
 * fifteen_change: what moving the blank from `blank` by m does to a view.  m is a constant where
 * this is inlined in a search.
 */
static inline struct fifteen_change fifteen_change(const struct fifteen_partition *partition,
						   const struct fifteen_view *view, unsigned blank,
						   unsigned m)
{
	unsigned from = blank + (unsigned)fifteen_offset(m), tile = fifteen_at(view->cells, from);
	const struct fifteen_label *label = &partition->label[tile];
	struct fifteen_change ret = {.pattern = label->of};
	const int16_t *pass = label->pass;
	int order = view->order[ret.pattern];
	unsigned between;

	ret.set = (uint16_t)(view->set[ret.pattern] ^ (1u << from) ^ (1u << blank));
	if (m == FIFTEEN_UP) {
		between = (unsigned)(view->cells >> 4 * (from + 1)) & 0xfff;
		order += pass[between & 15] + pass[between >> 4 & 15] + pass[between >> 8];
	} else if (m == FIFTEEN_DOWN) {
		between = (unsigned)(view->cells >> 4 * (blank + 1)) & 0xfff;
		order -= pass[between & 15] + pass[between >> 4 & 15] + pass[between >> 8];
	}
	ret.order = (uint16_t)order;
	ret.entry = fifteen_entry(&label->pattern, ret.set, ret.order, from);
	return ret;
}

/* fifteen_step: 1 or -1: what the change that leads to an entry adds to the value `before`. */
static inline int fifteen_step(const uint8_t *content, uint32_t entry, unsigned before)
{
	unsigned other = ((before + 1) >> 1 ^ fifteen_bit(content, entry)) & 1;

	return 1 - 2 * (int)other;
}

/* fifteen_view_move: makes the change that fifteen_change foretold; `step` is its fifteen_step. */
static inline void fifteen_view_move(struct fifteen_view *view, const struct fifteen_change *change,
				     int step, unsigned blank, unsigned m)
{
	unsigned from = blank + (unsigned)fifteen_offset(m);
	uint64_t tile = fifteen_at(view->cells, from);

	view->cells += (tile << 4 * blank) - (tile << 4 * from);
	view->set[change->pattern] = change->set;
	view->order[change->pattern] = change->order;
	view->value[change->pattern] = (uint8_t)(view->value[change->pattern] + step);
	view->sum = (uint8_t)(view->sum + step);
}

#endif
