/* SPDX-License-Identifier: MIT */
/*
 * sliding_prune: that what a search leaves out is never missed.  For each board there must be a
 * shortest path that the automaton lets pass, from every start and on every size, whose edges
 * forbid what is legal elsewhere.  Walked over whole spaces: pairs of a board and a state of the
 * automaton, breadth first, against plain breadth-first search.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plugins/sliding_prune.h"
#include "tests/naive_sliding.h"

enum { CELLS_MAX = 9, RANKS_MAX = 362880, UNSEEN = 255 };

/* On 4x4, where the longest words have room: boards so near, and a hash table that has them. */
enum { NEAR = 13, SIDE = 4, FOUR_CELLS = SIDE * SIDE, SLOT_BITS = 18, SLOTS = 1 << SLOT_BITS };

/* A board and what the automaton has read on the way there. */
struct pair {
	uint8_t tiles[CELLS_MAX];
	uint8_t depth;
	uint16_t state;
};

/* walk_all: compares over all boards that can be reached from `start`; the pairs walked. */
static size_t walk_all(const struct sliding_prune *prune, const uint8_t *start, int rows, int cols)
{
	const struct pz_automaton *a = &prune->automaton;
	size_t cells = (size_t)(rows * cols), count = 0, room = 1 << 10, head, i;
	struct pair *pairs = malloc(room * sizeof(*pairs));
	uint8_t *boards, *distances, *reached = malloc(RANKS_MAX);
	uint8_t *seen = calloc((size_t)RANKS_MAX / 8 * prune->states + 1, 1);
	unsigned found, m;

	assert_true(pairs && reached && seen);
	memset(reached, UNSEEN, RANKS_MAX);
	pairs[count++] = (struct pair){.depth = 0, .state = 0};
	memcpy(pairs[0].tiles, start, cells);
	reached[naive_slide_rank(start, (int)cells)] = 0;
	for (head = 0; head < count; head++) {
		struct pair at = pairs[head];

		for (m = 0; m < SLIDING_MOVES; m++) {
			struct pair next = at;
			size_t rank, bit;

			if (!(a->moves[at.state] >> m & 1) ||
			    !naive_slide(next.tiles, rows, cols, (int)m))
				continue;
			next.state = a->next[at.state * SLIDING_MOVES + m];
			next.depth++;
			rank = naive_slide_rank(next.tiles, (int)cells);
			/* What comes later than another way to the board is on no shortest path. */
			if (reached[rank] < next.depth)
				continue;
			reached[rank] = next.depth;
			bit = rank * prune->states + next.state;
			if (seen[bit / 8] >> bit % 8 & 1)
				continue;
			seen[bit / 8] |= (uint8_t)(1 << bit % 8);
			if (count == room) {
				pairs = realloc(pairs, (room *= 2) * sizeof(*pairs));
				assert_non_null(pairs);
			}
			pairs[count++] = next;
		}
	}
	found = naive_slide_space(start, rows, cols, &boards, &distances);
	for (i = 0; i < found; i++)
		if (reached[naive_slide_rank(boards + i * cells, (int)cells)] != distances[i])
			fail_msg("%dx%d: board %zu at %u is missed", rows, cols, i, distances[i]);
	free(boards);
	free(distances);
	free(seen);
	free(reached);
	free(pairs);
	return count;
}

static void no_shortest_path_is_missed(void **state)
{
	static const struct {
		int rows, cols;
		unsigned length;
	} sizes[] = {{2, 2, 12}, {1, 5, 12}, {5, 1, 12}, {2, 3, 12},
		     {3, 2, 12}, {2, 4, 10}, {4, 2, 10}};
	unsigned i, blank, j;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct sliding_prune *prune = sliding_prune_new(sizes[i].length);
		unsigned cells = (unsigned)(sizes[i].rows * sizes[i].cols);

		assert_non_null(prune);
		for (blank = 0; blank < cells; blank++) {
			uint8_t start[CELLS_MAX];

			for (j = 0; j < cells; j++)
				start[j] = (uint8_t)(j == blank ? 0 : j < blank ? j + 1 : j);
			walk_all(prune, start, sizes[i].rows, sizes[i].cols);
		}
		sliding_prune_free(prune);
	}
}

static void nor_on_the_whole_3x3(void **state)
{
	static const uint8_t corner[] = {0, 1, 2, 3, 4, 5, 6, 7, 8},
			     centre[] = {1, 2, 3, 4, 0, 5, 6, 7, 8};
	struct sliding_prune *prune = sliding_prune_new(10);

	(void)state;
	assert_non_null(prune);
	assert_true(walk_all(prune, corner, 3, 3) >= 181440);
	walk_all(prune, centre, 3, 3);
	sliding_prune_free(prune);
}

struct near {
	uint8_t tiles[FOUR_CELLS];
	uint8_t depth, passed; /* passed: the automaton lets a shortest path to it pass */
	bool used;
};

/* slot_of: where a board is, or belongs. */
static struct near *slot_of(struct near *slots, const uint8_t *tiles)
{
	uint64_t hash = 0;
	unsigned i, slot;

	for (i = 0; i < FOUR_CELLS; i++)
		hash = (hash + tiles[i] + 1) * UINT64_C(0x9E3779B97F4A7C15);
	slot = (unsigned)(hash >> (64 - SLOT_BITS));
	while (slots[slot].used && memcmp(slots[slot].tiles, tiles, FOUR_CELLS) != 0)
		slot = (slot + 1) % SLOTS;
	return &slots[slot];
}

/* pass: goes all paths that the automaton lets pass; as deep as they are long. */
static void pass(const struct pz_automaton *a, struct near *slots, const uint8_t *tiles,
		 unsigned state, unsigned depth)
{
	struct near *at = slot_of(slots, tiles);
	unsigned m;

	if (at->depth == depth)
		at->passed = 1;
	for (m = 0; m < SLIDING_MOVES && depth < NEAR; m++) {
		uint8_t next[FOUR_CELLS];

		memcpy(next, tiles, sizeof(next));
		if ((a->moves[state] >> m & 1) && naive_slide(next, SIDE, SIDE, (int)m))
			pass(a, slots, next, a->next[state * SLIDING_MOVES + m], depth + 1);
	}
}

static void nor_near_any_board_of_4x4(void **state)
{
	struct sliding_prune *prune = sliding_prune_new(SLIDING_PRUNE_MAX);
	struct near **queue = calloc(SLOTS, sizeof(struct near *));
	struct near *slots = calloc(SLOTS, sizeof(*slots));
	unsigned blank, j, m, head, count;

	(void)state;
	assert_true(prune && queue && slots);
	for (blank = 0; blank < FOUR_CELLS; blank++) {
		uint8_t start[FOUR_CELLS];

		memset(slots, 0, SLOTS * sizeof(*slots));
		for (j = 0; j < FOUR_CELLS; j++)
			start[j] = (uint8_t)(j == blank ? 0 : j < blank ? j + 1 : j);
		queue[0] = slot_of(slots, start);
		*queue[0] = (struct near){.used = true};
		memcpy(queue[0]->tiles, start, sizeof(start));
		for (head = 0, count = 1; head < count; head++) {
			for (m = 0; m < SLIDING_MOVES && queue[head]->depth < NEAR; m++) {
				struct near next = *queue[head], *slot;

				if (!naive_slide(next.tiles, SIDE, SIDE, (int)m))
					continue;
				slot = slot_of(slots, next.tiles);
				if (slot->used)
					continue;
				next.depth++;
				*slot = next;
				queue[count++] = slot;
				assert_true(count < SLOTS / 4 * 3);
			}
		}
		pass(&prune->automaton, slots, start, 0, 0);
		for (head = 0; head < count; head++)
			if (!queue[head]->passed)
				fail_msg("blank in %u: a board at %u is missed", blank,
					 queue[head]->depth);
	}
	free(slots);
	free(queue);
	sliding_prune_free(prune);
}

/* How many words there are, so that a change that loses some is noticed: it would cost speed
 * alone. */
static void finds_words(void **state)
{
	static const unsigned words[] = {
		[2] = 4, [4] = 4, [6] = 8, [8] = 40, [10] = 340, [12] = 2540};
	unsigned length;

	(void)state;
	for (length = 2; length <= 12; length += 2) {
		struct sliding_prune *prune = sliding_prune_new(length);

		assert_non_null(prune);
		assert_int_equal(prune->words, words[length]);
		assert_int_equal(prune->automaton.moves[0], 15);
		sliding_prune_free(prune);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_shortest_path_is_missed),
		cmocka_unit_test(nor_on_the_whole_3x3),
		cmocka_unit_test(nor_near_any_board_of_4x4),
		cmocka_unit_test(finds_words),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("sliding_prune", tests, NULL, NULL);
}
