/* SPDX-License-Identifier: MIT */
/* Building the pattern databases of fifteen_pattern.h. */
#include <stdlib.h>
#include <string.h>

#include <puzzled/search/table.h>

#include "plugins/fifteen_pattern.h"

/*
 * A placing and where the blank is.  The blank goes about among the cells without a tile of the
 * pattern at no cost, so what matters is its *region*: which of the connected parts of these cells
 * it is in.  There are at most eight, since of every two neighbours they have one at most where they
 * are all single cells; so the regions of a placing are the bits of a byte, numbered by their first
 * cells.
 *
 * Breadth first over placings and regions, by moves of tiles.  All orders of one set, a *block*,
 * have the same regions and the same moves, each of which leads to one other block; there the order
 * is the same after a move sideways, and after another it is permuted as `turn` says, whatever the
 * tiles are.  So the work goes from block to block, and each stays in the caches.
 */

enum {
	SETS = 1 << FIFTEEN_CELLS,
	REGIONS = 8,
	MOVES_MOST = 48,      /* both ways over each of the 24 pairs of neighbours */
	PASSED_MOST = 3,      /* tiles between a cell and the one below */
	BUILD_EXTRA = 8 << 20 /* for `turn`, `back` and what is smaller */
};

struct build {
	const struct fifteen_partition *partition;
	unsigned p, size;
	uint32_t entries; /* of this pattern's database */
	uint8_t *content; /* likewise */
	/* A byte for each placing, a bit for each region: found, at this depth, at the next. */
	uint8_t *found, *level, *next;
	uint8_t *changed; /* by set: `next` has something */
	uint8_t *active;  /* by set: `level` has something */
	/*
	 * turn[i][k - 1]: by an order's number, the order in which the tile in place i has gone k
	 * places forward.  back: the same from i + k to i.
	 */
	uint16_t *turn[FIFTEEN_PATTERN_MOST][PASSED_MOST], *back[FIFTEEN_PATTERN_MOST][PASSED_MOST];
	uint16_t *list[REGIONS]; /* orders, a block's worth each */
};

/* A move of a tile out of some placing with the blank in `region`. */
struct build_move {
	unsigned region, target_set;
	uint32_t target;      /* block */
	const uint16_t *turn; /* NULL: the order stays */
	uint8_t bit;          /* the region that the blank is in then */
};

static uint16_t neighbours_of(unsigned cell)
{
	unsigned col = cell % FIFTEEN_SIDE, bit = 1u << cell;

	return (uint16_t)(bit << FIFTEEN_SIDE | bit >> FIFTEEN_SIDE | (col > 0 ? bit >> 1 : 0) |
			  (col < FIFTEEN_SIDE - 1 ? bit << 1 : 0));
}

/* regions_of: the regions that a set leaves, as sets of cells. */
static unsigned regions_of(unsigned set, uint16_t regions[REGIONS])
{
	unsigned left = ~set & 0xffff, count = 0;

	while (left != 0) {
		unsigned region = left & -left, grown = region, cells;

		do {
			region = grown;
			for (cells = region; cells != 0; cells &= cells - 1)
				grown |= neighbours_of(PZ_LOWEST_BIT(cells)) & left;
		} while (grown != region);
		regions[count++] = (uint16_t)region;
		left &= ~region;
	}
	return count;
}

static uint8_t region_bit(unsigned set, unsigned cell)
{
	uint16_t regions[REGIONS];
	unsigned count = regions_of(set, regions), i;

	for (i = 0; i < count; i++)
		if (regions[i] >> cell & 1)
			return (uint8_t)(1u << i);
	return 0;
}

/* block_of: where the placings with this set begin. */
static uint32_t block_of(const struct build *b, unsigned set)
{
	return b->partition->high[b->p][set >> 8] + b->partition->low[b->p][set & 255] -
	       b->partition->first[b->p];
}

/* moves_of: all moves out of the placings with this set, by region. */
static unsigned moves_of(const struct build *b, unsigned set, struct build_move *moves)
{
	uint16_t regions[REGIONS];
	unsigned count = regions_of(set, regions), made = 0, i, to;

	for (i = 0; i < count; i++) {
		for (to = 0; to < FIFTEEN_CELLS; to++) {
			unsigned from, cells = neighbours_of(to) & set;

			for (; regions[i] >> to & 1 && cells != 0; cells &= cells - 1) {
				struct build_move *move = &moves[made++];
				unsigned low, between, place;

				from = PZ_LOWEST_BIT(cells);
				low = from < to ? from : to;
				move->region = i;
				move->target_set = set ^ (1u << from) ^ (1u << to);
				move->target = block_of(b, move->target_set);
				move->bit = region_bit(move->target_set, from);
				move->turn = NULL;
				if (from / FIFTEEN_SIDE == to / FIFTEEN_SIDE)
					continue;
				between = PZ_POPCOUNT(set >> (low + 1) & 7);
				place = PZ_POPCOUNT(set & ((1u << low) - 1));
				if (between > 0)
					move->turn = from < to ? b->turn[place][between - 1]
							       : b->back[place][between - 1];
			}
		}
	}
	return made;
}

/*
 * list_block: the orders of one block that are at this depth, by region, into b->list; *ret_count
 * by region.
 */
static void list_block(struct build *b, unsigned set, unsigned ret_count[REGIONS])
{
	unsigned orders = fifteen_factorial[b->size], order, left;
	const uint8_t *level = b->level + block_of(b, set);

	memset(ret_count, 0, REGIONS * sizeof(*ret_count));
	for (order = 0; order < orders; order++) {
		for (left = level[order]; left != 0; left &= left - 1) {
			unsigned region = PZ_LOWEST_BIT(left);

			b->list[region][ret_count[region]++] = (uint16_t)order;
		}
	}
}

/* expand_block: marks what the placings of one block at this depth lead to. */
static void expand_block(struct build *b, unsigned set)
{
	unsigned listed[REGIONS], count, i, j;
	struct build_move moves[MOVES_MOST];

	list_block(b, set, listed);
	count = moves_of(b, set, moves);
	for (i = 0; i < count; i++) {
		uint8_t *target = b->next + moves[i].target, bit = moves[i].bit;
		const uint16_t *turn = moves[i].turn, *list = b->list[moves[i].region];
		unsigned orders = listed[moves[i].region];

		b->changed[moves[i].target_set] = 1;
		if (turn != NULL)
			for (j = 0; j < orders; j++)
				target[turn[list[j]]] |= bit;
		else
			for (j = 0; j < orders; j++)
				target[list[j]] |= bit;
	}
}

/*
 * take_block: what is new in a block becomes part of the next level; returns how many placings are.
 * Eight at a time, most of which have nothing new.
 */
static uint32_t take_block(struct build *b, unsigned set, unsigned depth)
{
	uint32_t block = block_of(b, set), end = block + fifteen_factorial[b->size], count = 0, at;

	b->active[set] = 0;
	for (at = block; at < end; at += 8) {
		size_t len = end - at < 8 ? end - at : 8, i;
		uint64_t found = 0, next = 0, fresh;

		memcpy(&next, b->next + at, len);
		memcpy(&found, b->found + at, len);
		fresh = next & ~found;
		memcpy(b->level + at, &fresh, len);
		if (next == 0)
			continue;
		memset(b->next + at, 0, len);
		if (fresh == 0)
			continue;
		b->active[set] = 1;
		for (i = 0; i < len; i++) {
			if (b->level[at + i] == 0 || b->found[at + i] != 0)
				continue;
			b->content[at + i] = (uint8_t)depth;
			count++;
		}
		found |= fresh;
		memcpy(b->found + at, &found, len);
	}
	return count;
}

/* order_tiles: the tiles' places in the pattern, in reading order, of an order's number. */
static void order_tiles(unsigned number, unsigned size, uint8_t *tiles)
{
	unsigned place;

	for (place = 0; place < size; place++) {
		unsigned behind = number / fifteen_factorial[place] % (place + 1),
			 at = place - behind;

		memmove(tiles + at + 1, tiles + at, behind);
		tiles[at] = (uint8_t)place;
	}
}

static unsigned order_number(const uint8_t *tiles, unsigned size)
{
	unsigned number = 0, i, j;

	for (i = 0; i < size; i++)
		for (j = i + 1; j < size; j++)
			number += tiles[j] < tiles[i] ? fifteen_factorial[tiles[i]] : 0;
	return number;
}

/* fill_turns: 0, or -1: no memory.  Whatever it got is freed by build_close. */
static int fill_turns(struct build *b)
{
	unsigned orders = fifteen_factorial[b->size], i, k, order, turned;
	uint8_t tiles[FIFTEEN_PATTERN_MOST] = {0}, moved[FIFTEEN_PATTERN_MOST];

	for (i = 0; i < b->size; i++) {
		for (k = 1; k <= PASSED_MOST && i + k < b->size; k++) {
			uint16_t *turn = calloc(orders, sizeof(*turn));
			uint16_t *back = calloc(orders, sizeof(*back));

			b->turn[i][k - 1] = turn;
			b->back[i][k - 1] = back;
			if (turn == NULL || back == NULL)
				return -1;
			for (order = 0; order < orders; order++) {
				order_tiles(order, b->size, tiles);
				memcpy(moved, tiles, sizeof(moved));
				memmove(moved + i, tiles + i + 1, k);
				moved[i + k] = tiles[i];
				turned = order_number(moved, b->size);
				turn[order] = (uint16_t)turned;
				back[turned] = (uint16_t)order;
			}
		}
	}
	return 0;
}

/* goal_mark: the goal is what the first level finds. */
static void goal_mark(struct build *b)
{
	unsigned set = 0, label;

	for (label = 1; label < FIFTEEN_CELLS; label++)
		if (b->partition->of[label] == b->p)
			set |= 1u << label;
	b->next[block_of(b, set)] = region_bit(set, 0);
	b->changed[set] = 1;
}

/* build_one: one database.  `*done` counts placings, of all databases. */
static int build_one(struct build *b, uint32_t *done, const struct pz_host *host,
		     struct pz_error *error)
{
	uint32_t all = b->partition->first[FIFTEEN_PATTERNS], new;
	unsigned depth = 0, set;

	goal_mark(b);
	do {
		new = 0;
		memset(b->active, 0, SETS);
		for (set = 0; set < SETS; set++) {
			if (!b->changed[set])
				continue;
			*done += take_block(b, set, depth);
			new |= b->active[set];
			if (pz_table_poll(host, *done, all))
				return pz_fail(error, 0, "stopped while building the table");
		}
		memset(b->changed, 0, SETS);
		for (set = 0; set < SETS; set++) {
			if (b->active[set])
				expand_block(b, set);
			if (set % 16 == 0 && pz_table_poll(host, *done, all))
				return pz_fail(error, 0, "stopped while building the table");
		}
		depth++;
	} while (new != 0);
	return 0;
}

static void build_close(struct build *b)
{
	unsigned i, k;

	for (i = 0; i < FIFTEEN_PATTERN_MOST; i++) {
		for (k = 0; k < PASSED_MOST; k++) {
			free(b->turn[i][k]);
			free(b->back[i][k]);
		}
	}
	for (i = 0; i < REGIONS; i++)
		free(b->list[i]);
	free(b->found);
	free(b->level);
	free(b->next);
	free(b->changed);
	free(b->active);
}

/* build_open: -1: no memory. */
static int build_open(struct build *b)
{
	unsigned i;
	bool lists = true;

	for (i = 0; i < REGIONS; i++) {
		b->list[i] = calloc(fifteen_factorial[b->size], sizeof(uint16_t));
		lists = lists && b->list[i] != NULL;
	}
	b->found = calloc(b->entries, 1);
	b->level = calloc(b->entries, 1);
	b->next = calloc(b->entries, 1);
	b->changed = calloc(SETS, 1);
	b->active = calloc(SETS, 1);
	if (!lists || !b->found || !b->level || !b->next || !b->changed || !b->active)
		return -1;
	return fill_turns(b);
}

size_t fifteen_build_bytes(const struct fifteen_partition *partition)
{
	size_t content = partition->first[FIFTEEN_PATTERNS], greatest = 0, size;
	unsigned p;

	for (p = 0; p < partition->count; p++) {
		size = partition->first[p + 1] - partition->first[p];
		if (size > greatest)
			greatest = size;
	}
	return content + 3 * greatest + BUILD_EXTRA;
}

int fifteen_pattern_build(const struct fifteen_partition *partition, uint8_t *content,
			  const struct pz_host *host, struct pz_error *error)
{
	uint32_t done = 0;
	unsigned p;
	int ret = 0;

	for (p = 0; p < partition->count && ret == 0; p++) {
		struct build b = {.partition = partition,
				  .p = p,
				  .size = partition->size[p],
				  .entries = partition->first[p + 1] - partition->first[p],
				  .content = content + partition->first[p]};

		if (build_open(&b) != 0)
			ret = pz_fail(error, 0, "no memory to build the table in");
		else
			ret = build_one(&b, &done, host, error);
		build_close(&b);
	}
	return ret;
}
