/* SPDX-License-Identifier: MIT */
/*
 * Numbers for the 67,603,900 boards of the knights: 25 * C(24,12).
 *
 * The blank's cell comes first, then the black knights among the 24 other cells, taken as two
 * halves of 12: the number of black ones in the high half, which of the 12-bit words with so many
 * bits that half is, then which the low half is.  Two small tables give a rank.  A jump changes one
 * bit in each of two places, so boards with near numbers have neighbours with near numbers, and a
 * table over all of them is built mostly within the caches.
 */
#ifndef KNIGHTS_RANK_H
#define KNIGHTS_RANK_H

#include <stdint.h>

enum {
	KNIGHTS_CELLS = 25,
	KNIGHTS_HALF = 12, /* cells in each half, and black knights */
	KNIGHTS_WORDS = 1 << KNIGHTS_HALF,
	KNIGHTS_PATTERNS = 2704156, /* C(24,12) */
	KNIGHTS_BOARDS = KNIGHTS_CELLS * KNIGHTS_PATTERNS
};

struct knights_rank {
	uint32_t start[KNIGHTS_WORDS]; /* by the high half: the number of the first pattern */
	uint16_t index
		[KNIGHTS_WORDS]; /* by the low half: its place among the words with as many bits */
	/* Backward.  Words by their number of bits, then in order. */
	uint16_t word[KNIGHTS_WORDS];
	uint16_t first[KNIGHTS_HALF + 1]; /* into word, by the number of bits */
	uint32_t base[KNIGHTS_HALF + 2];  /* the first pattern with so many bits in the high half */
	uint32_t count[KNIGHTS_HALF + 1]; /* words with so many bits: C(12,k) */
};

static inline void knights_rank_init(struct knights_rank *rank)
{
	unsigned bits, word, at = 0;

	for (bits = 0; bits <= KNIGHTS_HALF; bits++) {
		rank->first[bits] = (uint16_t)at;
		for (word = 0; word < KNIGHTS_WORDS; word++) {
			if ((unsigned)__builtin_popcount(word) != bits)
				continue;
			rank->index[word] = (uint16_t)(at - rank->first[bits]);
			rank->word[at++] = (uint16_t)word;
		}
		rank->count[bits] = at - rank->first[bits];
	}
	rank->base[0] = 0;
	for (bits = 0; bits <= KNIGHTS_HALF; bits++) {
		uint32_t low = rank->count[KNIGHTS_HALF - bits];

		rank->base[bits + 1] = rank->base[bits] + rank->count[bits] * low;
		for (at = 0; at < rank->count[bits]; at++)
			rank->start[rank->word[rank->first[bits] + at]] =
				rank->base[bits] + at * low;
	}
}

/* knights_rank: the number of a board: the set of its black knights, and the blank's cell. */
static inline uint32_t knights_rank(const struct knights_rank *rank, uint32_t black, uint32_t blank)
{
	uint32_t before = (UINT32_C(1) << blank) - 1;
	uint32_t others = (black & before) | (black >> 1 & ~before);

	return blank * KNIGHTS_PATTERNS + rank->start[others >> KNIGHTS_HALF] +
	       rank->index[others & (KNIGHTS_WORDS - 1)];
}

/* knights_unrank: the black knights and the blank's cell of the board with this number. */
static inline uint32_t knights_unrank(const struct knights_rank *rank, uint32_t number,
				      uint32_t *ret_blank)
{
	uint32_t blank = number / KNIGHTS_PATTERNS, before = (UINT32_C(1) << blank) - 1;
	uint32_t left = number % KNIGHTS_PATTERNS, low, others;
	unsigned bits = KNIGHTS_HALF / 2;

	while (left < rank->base[bits])
		bits--;
	while (left >= rank->base[bits + 1])
		bits++;
	left -= rank->base[bits];
	low = rank->count[KNIGHTS_HALF - bits];
	others = (uint32_t)rank->word[rank->first[bits] + left / low] << KNIGHTS_HALF |
		 rank->word[rank->first[KNIGHTS_HALF - bits] + left % low];
	*ret_blank = blank;
	return (others & before) | (others & ~before) << 1;
}

#endif
