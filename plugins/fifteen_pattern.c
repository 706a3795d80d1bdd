/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "plugins/fifteen_pattern.h"

const uint16_t fifteen_factorial[FIFTEEN_PATTERN_MOST + 1] = {1,   1,   2,    6,    24,
							      120, 720, 5040, 40320};

/* The pattern of each label, with the blank's home in the first cell. */
static const uint8_t partitions[][FIFTEEN_CELLS] = {
	[FIFTEEN_663] =
		{
			3,
			1,
			1,
			0, /**/
			1,
			1,
			0,
			0, /**/
			1,
			1,
			0,
			0, /**/
			2,
			2,
			2,
			0,
		},
	[FIFTEEN_78] =
		{
			3,
			0,
			0,
			0, /**/
			0,
			0,
			0,
			0, /**/
			1,
			1,
			1,
			1, /**/
			1,
			1,
			1,
			1,
		},
};

/* Numbers the sets of pattern p: by their upper half, then by their lower half. */
static void number_sets(struct fifteen_partition *partition, unsigned p)
{
	unsigned orders = fifteen_factorial[partition->size[p]], word;
	uint32_t seen[9] = {0}, next = partition->first[p];

	for (word = 0; word < 256; word++)
		partition->low[p][word] = orders * seen[PZ_POPCOUNT(word)]++;
	for (word = 0; word < 256; word++) {
		if (PZ_POPCOUNT(word) > partition->size[p])
			continue;
		partition->high[p][word] = next;
		/* `seen` now has how many halves have so many bits: C(8, bits). */
		if (partition->size[p] - PZ_POPCOUNT(word) <= 8)
			next += orders * seen[partition->size[p] - PZ_POPCOUNT(word)];
	}
	partition->first[p + 1] = next;
}

void fifteen_partition_init(struct fifteen_partition *partition, enum fifteen_which which)
{
	const uint8_t *of = partitions[which];
	unsigned label, other, p;

	memset(partition, 0, sizeof(*partition));
	memcpy(partition->of, of, FIFTEEN_CELLS);
	for (label = 1; label < FIFTEEN_CELLS; label++) {
		partition->place[label] = (uint8_t)partition->size[of[label]]++;
		if (of[label] >= partition->count)
			partition->count = of[label] + 1u;
	}
	for (label = 1; label < FIFTEEN_CELLS; label++) {
		for (other = 1; other < FIFTEEN_CELLS; other++) {
			if (other == label || of[other] != of[label])
				continue;
			/* The greater counts the lesser ones behind it. */
			partition->pass[label][other] =
				label > other ? (int16_t)-fifteen_factorial[partition->place[label]]
					      : (int16_t)fifteen_factorial[partition->place[other]];
		}
	}
	for (p = 0; p < FIFTEEN_PATTERNS; p++) {
		partition->first[p + 1] = partition->first[p];
		if (p < partition->count)
			number_sets(partition, p);
	}
}

unsigned fifteen_view_init(const struct fifteen_partition *partition, const uint8_t *content,
			   uint64_t cells, struct fifteen_view *ret)
{
	unsigned cell, behind, p, sum = 0;

	memset(ret, 0, sizeof(*ret));
	ret->cells = cells;
	for (cell = 0; cell < FIFTEEN_CELLS; cell++) {
		unsigned tile = fifteen_at(cells, cell);

		if (tile == 0)
			continue;
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
		ret->value[p] = content[partition->high[p][ret->set[p] >> 8] +
					partition->low[p][ret->set[p] & 255] + ret->order[p]];
		sum += ret->value[p];
	}
	return sum;
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
