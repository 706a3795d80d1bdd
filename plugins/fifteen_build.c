/* SPDX-License-Identifier: MIT */
/* Building the pattern databases of fifteen_pattern.h. */
#include <stdlib.h>
#include <string.h>

#include <puzzled/search/table.h>

#include "plugins/fifteen_pattern.h"

/*
 * Breadth first over placings and regions, by moves of tiles.  All orders of one set have the same
 * regions and the same moves, each of which leads to one other set; there the order is the same
 * after a move sideways, and after another it is permuted as `turn` says, whatever the tiles are.
 * So the work goes from set to set, and the orders of each stay in the caches.  Meanwhile the
 * regions of a placing are the bits of a byte.
 */

enum {
	SETS = 1 << FIFTEEN_CELLS,
	MOVES_MOST = 48,      /* both ways over each of the 24 pairs of neighbours */
	PASSED_MOST = 3,      /* tiles between a cell and the one below */
	BUILD_EXTRA = 8 << 20 /* for `turn`, `back` and what is smaller */
};

struct build {
	const struct fifteen_partition *partition;
	const struct fifteen_pattern *pattern;
	unsigned p;
	uint8_t *content;
	/* A byte for each placing, a bit for each region: found, at this depth, at the next. */
	uint8_t *found, *level, *next;
	uint8_t *changed; /* by set: `next` has something */
	uint8_t *active;  /* by set: `level` has something */
	/*
	 * turn[i][k - 1]: by an order's number, the order in which the tile in place i has gone k
	 * places forward.  back: the same from i + k to i.
	 */
	uint16_t *turn[FIFTEEN_PATTERN_MOST][PASSED_MOST], *back[FIFTEEN_PATTERN_MOST][PASSED_MOST];
	uint16_t *list[FIFTEEN_REGIONS]; /* orders, those of one set each */
};

/* A move of a tile out of some placing with the blank in `region`. */
struct build_move {
	unsigned region, target_set;
	uint32_t target;      /* where its placings begin */
	const uint16_t *turn; /* NULL: the order stays */
	uint8_t bit;          /* the region that the blank is in then */
};

/* placings_of: where those with this set begin, in found, level and next. */
static uint32_t placings_of(const struct build *b, unsigned set)
{
	const struct fifteen_sets *sets = b->pattern->sets;

	return b->pattern->orders * ((uint32_t)sets->high[set >> 8] + sets->low[set & 255]);
}

static uint32_t placings(const struct fifteen_pattern *pattern)
{
	return pattern->orders * pattern->sets->count;
}

/* turn_of: what happens to the order when a tile of the set goes from one cell to another. */
static const uint16_t *turn_of(const struct build *b, unsigned set, unsigned from, unsigned to)
{
	unsigned low = from < to ? from : to;
	unsigned between = PZ_POPCOUNT(set >> (low + 1) & 7);
	unsigned place = PZ_POPCOUNT(set & ((1u << low) - 1));

	if (from / FIFTEEN_SIDE == to / FIFTEEN_SIDE || between == 0)
		return NULL;
	return from < to ? b->turn[place][between - 1] : b->back[place][between - 1];
}

/* moves_of: all moves out of the placings with this set. */
static unsigned moves_of(const struct build *b, unsigned set, struct build_move *moves)
{
	uint64_t where = fifteen_where(b->pattern->sets, set);
	unsigned made = 0, to, cells;

	for (to = 0; to < FIFTEEN_CELLS; to++) {
		if (set >> to & 1)
			continue;
		for (cells = fifteen_neighbours(to) & set; cells != 0; cells &= cells - 1) {
			struct build_move *move = &moves[made++];
			unsigned from = PZ_LOWEST_BIT(cells);
			unsigned target = set ^ (1u << from) ^ (1u << to);

			move->region = fifteen_region(where, to);
			move->target_set = target;
			move->target = placings_of(b, target);
			move->bit =
				(uint8_t)(1u << fifteen_region(
						  fifteen_where(b->pattern->sets, target), from));
			move->turn = turn_of(b, set, from, to);
		}
	}
	return made;
}

/*
 * list_set: the orders of one set that are at this depth, by region, into b->list; *ret_count
 * by region.
 */
static void list_set(struct build *b, unsigned set, unsigned ret_count[FIFTEEN_REGIONS])
{
	unsigned orders = b->pattern->orders, order, left;
	const uint8_t *level = b->level + placings_of(b, set);

	memset(ret_count, 0, FIFTEEN_REGIONS * sizeof(*ret_count));
	for (order = 0; order < orders; order++) {
		for (left = level[order]; left != 0; left &= left - 1) {
			unsigned region = PZ_LOWEST_BIT(left);

			b->list[region][ret_count[region]++] = (uint16_t)order;
		}
	}
}

/* expand_set: marks what the placings with one set at this depth lead to. */
static void expand_set(struct build *b, unsigned set)
{
	unsigned listed[FIFTEEN_REGIONS], count, i, j;
	struct build_move moves[MOVES_MOST];

	list_set(b, set, listed);
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
 * keep: sets the bits of the content for what was first found at a depth that has bit 1 set: some
 * regions of one order.
 */
static void keep(struct build *b, uint32_t first, unsigned regions)
{
	for (; regions != 0; regions &= regions - 1) {
		uint32_t entry = first + PZ_LOWEST_BIT(regions) * b->pattern->orders;

		b->content[entry >> 3] |= (uint8_t)(1u << (entry & 7));
	}
}

/*
 * take_set: what is new of a set becomes part of the next level; returns how many entries are.
 * Eight placings at a time, most of which have nothing new.
 */
static uint32_t take_set(struct build *b, unsigned set, unsigned depth)
{
	uint32_t begin = placings_of(b, set), end = begin + b->pattern->orders, count = 0, at;
	uint32_t entry = b->pattern->first +
			 b->pattern->orders * (uint32_t)(fifteen_where(b->pattern->sets, set) >>
							 FIFTEEN_REGION_BITS * FIFTEEN_CELLS);

	b->active[set] = 0;
	for (at = begin; at < end; at += 8) {
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
		count += PZ_POPCOUNT(fresh);
		for (i = 0; i < len && (depth & 2) != 0; i++)
			keep(b, entry + (at - begin) + (uint32_t)i, b->level[at + i]);
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
	unsigned orders = b->pattern->orders, size = b->pattern->size, i, k, order, turned;
	uint8_t tiles[FIFTEEN_PATTERN_MOST] = {0}, moved[FIFTEEN_PATTERN_MOST];

	for (i = 0; i < size; i++) {
		for (k = 1; k <= PASSED_MOST && i + k < size; k++) {
			uint16_t *turn = calloc(orders, sizeof(*turn));
			uint16_t *back = calloc(orders, sizeof(*back));

			b->turn[i][k - 1] = turn;
			b->back[i][k - 1] = back;
			if (turn == NULL || back == NULL)
				return -1;
			for (order = 0; order < orders; order++) {
				order_tiles(order, size, tiles);
				memcpy(moved, tiles, sizeof(moved));
				memmove(moved + i, tiles + i + 1, k);
				moved[i + k] = tiles[i];
				turned = order_number(moved, size);
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
	b->next[placings_of(b, set)] =
		(uint8_t)(1u << fifteen_region(fifteen_where(b->pattern->sets, set), 0));
	b->changed[set] = 1;
}

/* build_one: one database.  `*done` counts entries, of all databases, which are `all`. */
static int build_one(struct build *b, uint32_t *done, uint32_t all, const struct pz_host *host,
		     struct pz_error *error)
{
	uint32_t new;
	unsigned depth = 0, set;

	goal_mark(b);
	do {
		new = 0;
		memset(b->active, 0, SETS);
		for (set = 0; set < SETS; set++) {
			if (!b->changed[set])
				continue;
			*done += take_set(b, set, depth);
			new |= b->active[set];
			if (pz_told(host, *done, all))
				return pz_fail(error, 0, "stopped while building the table");
		}
		memset(b->changed, 0, SETS);
		for (set = 0; set < SETS; set++) {
			if (b->active[set])
				expand_set(b, set);
			if (set % 16 == 0 && pz_told(host, *done, all))
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
	for (i = 0; i < FIFTEEN_REGIONS; i++)
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
	uint32_t entries = placings(b->pattern);
	unsigned i;
	bool lists = true;

	for (i = 0; i < FIFTEEN_REGIONS; i++) {
		b->list[i] = calloc(b->pattern->orders, sizeof(uint16_t));
		lists = lists && b->list[i] != NULL;
	}
	b->found = calloc(entries, 1);
	b->level = calloc(entries, 1);
	b->next = calloc(entries, 1);
	b->changed = calloc(SETS, 1);
	b->active = calloc(SETS, 1);
	if (!lists || !b->found || !b->level || !b->next || !b->changed || !b->active)
		return -1;
	return fill_turns(b);
}

size_t fifteen_build_bytes(const struct fifteen_patterns *patterns)
{
	size_t greatest = 0, size;
	unsigned i, p;

	for (i = 0; i < FIFTEEN_PARTITIONS; i++) {
		for (p = 0; p < patterns->partition[i].count; p++) {
			size = placings(&patterns->partition[i].pattern[p]);
			if (size > greatest)
				greatest = size;
		}
	}
	return fifteen_content_bytes(patterns) + 3 * greatest + BUILD_EXTRA;
}

int fifteen_patterns_build(const struct fifteen_patterns *patterns, uint8_t *content,
			   const struct pz_host *host, struct pz_error *error)
{
	const struct fifteen_partition *partition;
	uint32_t done = 0;
	unsigned i, p;
	int ret = 0;

	memset(content, 0, fifteen_content_bytes(patterns));
	for (i = 0; i < FIFTEEN_PARTITIONS; i++) {
		partition = &patterns->partition[i];
		for (p = 0; p < partition->count && ret == 0; p++) {
			struct build b = {.partition = partition,
					  .pattern = &partition->pattern[p],
					  .p = p,
					  .content = content};

			if (build_open(&b) != 0)
				ret = pz_fail(error, 0, "no memory to build the table in");
			else
				ret = build_one(&b, &done, patterns->entries, host, error);
			build_close(&b);
		}
	}
	return ret;
}
