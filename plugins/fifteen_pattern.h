/* SPDX-License-Identifier: MIT */
/*
 * Additive pattern databases for the 15-puzzle (Korf and Felner, "Disjoint pattern database
 * heuristics", Artificial Intelligence 134, 2002).
 *
 * Boards here are 16 cells of four bits, cell 0 lowest; the goal has label i in cell i, and the
 * blank, 0, in the first.  A partition divides the labels 1 to 15 into patterns.  For each placing
 * of a pattern's tiles its database has the fewest moves *of these tiles* that bring them home,
 * wherever the blank is and whatever the others do.  No move is counted twice, so the sum over the
 * patterns is a lower bound.
 *
 * Consistent it is not: for each pattern the blank may be wherever it suits best, so the value of
 * a pattern can change by more than the one move made.
 *
 * Number of a placing of n tiles: (the number of the set of cells) * n! + (the number of their
 * order).  A set's number is the sum of two small tables, for its upper and its lower eight cells.
 * Sort the tiles of a pattern by label and call them 0 to n - 1: an order's number is the sum over j
 * of j! times how many tiles below j come behind j.  So when tile t passes tile s, the number
 * changes by a constant of t and s alone, up to sign; a tile that moves sideways passes none, and
 * one that moves up or down passes the three tiles between.  A number is kept up to date with a
 * handful of additions, and all orders of one set are neighbours in memory.
 */
#ifndef FIFTEEN_PATTERN_H
#define FIFTEEN_PATTERN_H

#include <puzzled/search/puzzle.h>

enum { FIFTEEN_CELLS = 16, FIFTEEN_SIDE = 4, FIFTEEN_PATTERNS = 3, FIFTEEN_PATTERN_MOST = 8 };

/* Directions of the blank; m ^ 1 is the opposite of m, and m ^ 2 is m seen from the other side of
 * the diagonal. */
enum { FIFTEEN_UP, FIFTEEN_DOWN, FIFTEEN_LEFT, FIFTEEN_RIGHT, FIFTEEN_DIRECTIONS };

struct fifteen_partition {
	unsigned count;                  /* of patterns; those behind have no tiles */
	unsigned size[FIFTEEN_PATTERNS]; /* tiles of each */
	uint32_t first[FIFTEEN_PATTERNS +
		       1];            /* its database in the content; then the content's size */
	uint8_t of[FIFTEEN_CELLS];    /* the pattern of a label; of the blank: FIFTEEN_PATTERNS */
	uint8_t place[FIFTEEN_CELLS]; /* of a label in the order of its pattern */
	/* What label t adds to the number of an order when it passes s towards the last cell. */
	int16_t pass[FIFTEEN_CELLS][FIFTEEN_CELLS];
	/* By the cells 8 to 15 and 0 to 7 of a set: its number times n!, with `first` added. */
	uint32_t high[FIFTEEN_PATTERNS][256], low[FIFTEEN_PATTERNS][256];
};

/* Where the tiles of each pattern are on a board. */
struct fifteen_view {
	uint64_t cells;
	uint16_t set[FIFTEEN_PATTERNS];   /* bit i: a tile of the pattern is in cell i */
	uint16_t order[FIFTEEN_PATTERNS]; /* its number */
	uint8_t value[FIFTEEN_PATTERNS];  /* from the database */
};

/* One pattern of a view after a move. */
struct fifteen_change {
	unsigned pattern;
	uint16_t set, order;
	uint32_t number; /* in the content */
};

extern const uint16_t fifteen_factorial[FIFTEEN_PATTERN_MOST + 1];

/* The partitions there are. */
enum fifteen_which { FIFTEEN_663, FIFTEEN_78 };

void fifteen_partition_init(struct fifteen_partition *partition, enum fifteen_which which);

/* fifteen_view_init: a view of a board; its sum over the patterns is returned. */
unsigned fifteen_view_init(const struct fifteen_partition *partition, const uint8_t *content,
			   uint64_t cells, struct fifteen_view *ret);

/* fifteen_transpose: the board seen from the other side of the diagonal: cells and labels. */
uint64_t fifteen_transpose(uint64_t cells);

/* Bytes of memory that fifteen_pattern_build takes, the content included. */
size_t fifteen_build_bytes(const struct fifteen_partition *partition);

/*
 * fifteen_pattern_build: fills the content for a partition.  Polls with the placings done and in
 * all.  Returns 0, or -1 with an error.
 */
int fifteen_pattern_build(const struct fifteen_partition *partition, uint8_t *content,
			  const struct pz_host *host, struct pz_error *error);

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

/*
 * fifteen_change: what moving the blank from `blank` by m does to a view.  m is a constant where
 * this is inlined in a search.
 */
static inline struct fifteen_change fifteen_change(const struct fifteen_partition *partition,
						   const struct fifteen_view *view, unsigned blank,
						   unsigned m)
{
	unsigned from = blank + (unsigned)fifteen_offset(m), tile = fifteen_at(view->cells, from);
	struct fifteen_change ret = {.pattern = partition->of[tile]};
	const int16_t *pass = partition->pass[tile];
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
	ret.number = partition->high[ret.pattern][ret.set >> 8] +
		     partition->low[ret.pattern][ret.set & 255] + ret.order;
	return ret;
}

/* fifteen_view_move: makes the change that fifteen_change foretold; `value` is its database's. */
static inline void fifteen_view_move(struct fifteen_view *view, const struct fifteen_change *change,
				     unsigned value, unsigned blank, unsigned m)
{
	unsigned from = blank + (unsigned)fifteen_offset(m);
	uint64_t tile = fifteen_at(view->cells, from);

	view->cells += (tile << 4 * blank) - (tile << 4 * from);
	view->set[change->pattern] = change->set;
	view->order[change->pattern] = change->order;
	view->value[change->pattern] = (uint8_t)value;
}

#endif
