/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "plugins/fifteen_pattern.h"

enum { STEPS_MAX = 200 /* more than any pattern needs: a walk down a spoilt content ends too */ };

const uint16_t fifteen_factorial[FIFTEEN_PATTERN_MOST + 1] = {1,   1,   2,    6,    24,
							      120, 720, 5040, 40320};
const uint8_t fifteen_ways[FIFTEEN_CELLS] = {10, 14, 14, 6, 11, 15, 15, 7,
					     11, 15, 15, 7, 9,  13, 13, 5};

/* clang-format off */
/* The pattern of each label, with the blank's home in the first cell. */
static const uint8_t partitions[][FIFTEEN_PARTITIONS][FIFTEEN_CELLS] = {
	[FIFTEEN_663] = {
		{3, 0, 0, 0,
		 0, 0, 0, 2,
		 1, 1, 1, 2,
		 1, 1, 1, 2},
		{3, 1, 1, 0,
		 1, 1, 0, 0,
		 1, 1, 0, 0,
		 2, 2, 2, 0},
	},
	[FIFTEEN_78] = {
		{3, 0, 0, 0,
		 0, 0, 0, 0,
		 1, 1, 1, 1,
		 1, 1, 1, 1},
		{3, 1, 1, 0,
		 1, 1, 0, 0,
		 1, 1, 0, 0,
		 2, 2, 2, 0},
	},
};
/* clang-format on */

/* ---- sets, partitions ---------------------------------------------------------------------- */

/* where_of: the regions that a set leaves, behind the number of the first; *blocks counts them. */
static uint64_t where_of(unsigned set, unsigned *blocks)
{
	uint64_t where = (uint64_t)*blocks << FIFTEEN_REGION_BITS * FIFTEEN_CELLS;
	unsigned left = ~set & 0xffff, region = 0;

	for (; left != 0; region++) {
		unsigned grown = left & -left, before, cells;

		do {
			before = grown;
			for (cells = grown; cells != 0; cells &= cells - 1)
				grown |= fifteen_neighbours(PZ_LOWEST_BIT(cells)) & left;
		} while (grown != before);
		for (cells = grown; cells != 0; cells &= cells - 1)
			where |= (uint64_t)region << FIFTEEN_REGION_BITS * PZ_LOWEST_BIT(cells);
		left &= ~grown;
	}
	*blocks += region;
	return where;
}

/* Numbers the sets of `size` cells: by their upper half, then by their lower half. */
static void sets_init(struct fifteen_sets *sets, unsigned size)
{
	unsigned seen[9] = {0}, word, set;

	for (word = 0; word < 256; word++)
		sets->low[word] = (uint16_t)seen[PZ_POPCOUNT(word)]++;
	for (word = 0; word < 256; word++) {
		sets->high[word] = (uint16_t)sets->count;
		/* `seen` now has how many halves have so many bits: C(8, bits). */
		if (PZ_POPCOUNT(word) <= size && size - PZ_POPCOUNT(word) <= 8)
			sets->count += seen[size - PZ_POPCOUNT(word)];
	}
	for (set = 0; set <= 0xffff; set++)
		if (PZ_POPCOUNT(set) == size)
			sets->where[sets->high[set >> 8] + sets->low[set & 255]] =
				where_of(set, &sets->blocks);
}

static void partition_init(struct fifteen_partition *partition, const uint8_t *of)
{
	unsigned label, other;

	memcpy(partition->of, of, FIFTEEN_CELLS);
	for (label = 1; label < FIFTEEN_CELLS; label++) {
		partition->place[label] = (uint8_t)partition->pattern[of[label]].size++;
		if (of[label] >= partition->count)
			partition->count = of[label] + 1u;
	}
	for (label = 1; label < FIFTEEN_CELLS; label++) {
		for (other = 1; other < FIFTEEN_CELLS; other++) {
			if (other == label || of[other] != of[label])
				continue;
			/* The greater counts the lesser ones behind it. */
			partition->label[label].pass[other] =
				label > other ? (int16_t)-fifteen_factorial[partition->place[label]]
					      : (int16_t)fifteen_factorial[partition->place[other]];
		}
	}
}

void fifteen_patterns_init(struct fifteen_patterns *patterns, enum fifteen_which which)
{
	unsigned i, p, tile;

	for (i = 0; i < FIFTEEN_PARTITIONS; i++) {
		struct fifteen_partition *partition = &patterns->partition[i];

		partition_init(partition, partitions[which][i]);
		for (p = 0; p < partition->count; p++) {
			struct fifteen_pattern *pattern = &partition->pattern[p];
			struct fifteen_sets *sets = &patterns->sets[pattern->size];

			if (sets->count == 0)
				sets_init(sets, pattern->size);
			pattern->sets = sets;
			pattern->orders = fifteen_factorial[pattern->size];
			pattern->first = patterns->entries;
			/* Each database begins on a cache line of its own. */
			patterns->entries += (sets->blocks * pattern->orders + 511) / 512 * 512;
		}
		for (tile = 1; tile < FIFTEEN_CELLS; tile++) {
			struct fifteen_label *label = &partition->label[tile];

			label->of = partition->of[tile];
			label->pattern = partition->pattern[label->of];
		}
	}
}

size_t fifteen_content_bytes(const struct fifteen_patterns *patterns)
{
	return patterns->entries / 8;
}

/* ---- views --------------------------------------------------------------------------------- */

/* is_home: are the tiles of pattern p at home, and is the blank, in `cell`, in its home's
 * region? */
static bool is_home(const struct fifteen_partition *partition, unsigned p, uint64_t cells,
		    unsigned set, unsigned cell)
{
	uint64_t where = fifteen_where(partition->pattern[p].sets, set);
	unsigned label;

	for (label = 1; label < FIFTEEN_CELLS; label++)
		if (partition->of[label] == p && fifteen_at(cells, label) != label)
			return false;
	return fifteen_region(where, cell) == fifteen_region(where, 0);
}

/*
 * step_down: makes a move in the view, which has the tiles of one pattern alone, that brings them
 * nearer: from anywhere in the region of *blank, to which it moves the blank.  False: there is
 * none. view->value has the value's lowest two bits.
 */
static bool step_down(const struct fifteen_partition *partition, const uint8_t *content, unsigned p,
		      struct fifteen_view *view, unsigned *blank)
{
	unsigned set = view->set[p], cell, m;
	uint64_t where = fifteen_where(partition->pattern[p].sets, set);

	for (cell = 0; cell < FIFTEEN_CELLS; cell++) {
		if (set >> cell & 1 || fifteen_region(where, cell) != fifteen_region(where, *blank))
			continue;
		for (m = 0; m < FIFTEEN_DIRECTIONS; m++) {
			unsigned from = cell + (unsigned)fifteen_offset(m);
			struct fifteen_change change;

			if (!(fifteen_ways[cell] >> m & 1) || !(set >> from & 1))
				continue;
			change = fifteen_change(partition, view, cell, m);
			if (fifteen_step(content, change.entry, view->value[p]) > 0)
				continue;
			fifteen_view_move(view, &change, -1, cell, m);
			*blank = from;
			return true;
		}
	}
	return false;
}

/* value_of: walks down to the goal and counts. */
static unsigned value_of(const struct fifteen_partition *partition, const uint8_t *content,
			 unsigned p, const struct fifteen_view *view, unsigned blank)
{
	struct fifteen_view bare = *view;
	unsigned steps = 0, parity = 0, cell;
	uint32_t entry = fifteen_entry(&partition->pattern[p], view->set[p], view->order[p], blank);

	for (cell = 0; cell < FIFTEEN_CELLS; cell++) {
		unsigned tile = fifteen_at(view->cells, cell);

		if (tile != 0 && partition->of[tile] == p)
			parity ^= cell ^ cell / FIFTEEN_SIDE ^ tile ^ tile / FIFTEEN_SIDE;
		else
			bare.cells &= ~((uint64_t)15 << 4 * cell);
	}
	bare.value[p] = (uint8_t)(fifteen_bit(content, entry) << 1 | (parity & 1));
	while (steps < STEPS_MAX && !is_home(partition, p, bare.cells, bare.set[p], blank) &&
	       step_down(partition, content, p, &bare, &blank))
		steps++;
	return steps;
}

void fifteen_view_init(const struct fifteen_partition *partition, const uint8_t *content,
		       uint64_t cells, struct fifteen_view *ret)
{
	unsigned cell, behind, p, blank = 0;

	memset(ret, 0, sizeof(*ret));
	ret->cells = cells;
	for (cell = 0; cell < FIFTEEN_CELLS; cell++) {
		unsigned tile = fifteen_at(cells, cell);

		if (tile == 0) {
			blank = cell;
			continue;
		}
		p = partition->of[tile];
		ret->set[p] |= (uint16_t)(1u << cell);
		for (behind = cell + 1; behind < FIFTEEN_CELLS; behind++) {
			unsigned other = fifteen_at(cells, behind);

			if (other != 0 && other < tile && partition->of[other] == p)
				ret->order[p] =
					(uint16_t)(ret->order[p] +
						   fifteen_factorial[partition->place[tile]]);
		}
	}
	for (p = 0; p < partition->count; p++) {
		ret->value[p] = (uint8_t)value_of(partition, content, p, ret, blank);
		ret->sum = (uint8_t)(ret->sum + ret->value[p]);
	}
}

uint64_t fifteen_transpose(uint64_t cells)
{
	uint64_t turned = 0;
	unsigned cell;

	for (cell = 0; cell < FIFTEEN_CELLS; cell++) {
		unsigned tile = fifteen_at(cells, cell);
		uint64_t name = tile % FIFTEEN_SIDE * FIFTEEN_SIDE + tile / FIFTEEN_SIDE;

		turned |= name << 4 * (cell % FIFTEEN_SIDE * FIFTEEN_SIDE + cell / FIFTEEN_SIDE);
	}
	return turned;
}
