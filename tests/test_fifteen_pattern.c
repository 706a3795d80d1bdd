/* SPDX-License-Identifier: MIT */
/* The pattern databases of the 15-puzzle: their numbers, what is in them, and that they bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plugins/fifteen_pattern.h"
#include "tests/naive_sliding.h"

enum {
	WALKS = 60,
	STEPS = 120,
	SHALLOW = 13,
	SHALLOW_MAX = 60000,
	TRIPLES = 16 * 16 * 16,
	NEAR = 8,
	BOARDS_MAX = 1 << 20,
	SLOT_BITS = 20,
	SLOTS = 1 << SLOT_BITS
};

static struct fifteen_partition small, large;
static uint8_t *content; /* of `small` */
static uint8_t *nothing; /* of `large`: only its numbers are looked at */
static const uint64_t goal = UINT64_C(0xFEDCBA9876543210);

static int build(void **state)
{
	struct pz_error error;

	(void)state;
	fifteen_partition_init(&small, FIFTEEN_663);
	fifteen_partition_init(&large, FIFTEEN_78);
	content = malloc(small.first[FIFTEEN_PATTERNS]);
	nothing = calloc(large.first[FIFTEEN_PATTERNS], 1);
	if (content == NULL || nothing == NULL)
		return -1;
	memset(content, 0xff, small.first[FIFTEEN_PATTERNS]);
	return fifteen_pattern_build(&small, content, NULL, &error);
}

static int drop(void **state)
{
	(void)state;
	free(content);
	free(nothing);
	return 0;
}

static uint64_t pack(const uint8_t *tiles)
{
	uint64_t cells = 0;
	unsigned i;

	for (i = 0; i < FIFTEEN_CELLS; i++)
		cells |= (uint64_t)tiles[i] << 4 * i;
	return cells;
}

static void has_the_sizes_that_it_should(void **state)
{
	(void)state;
	assert_int_equal(small.first[FIFTEEN_PATTERNS], 2 * 5765760 + 3360); /* 16!/10!, 16!/13! */
	assert_int_equal(large.first[FIFTEEN_PATTERNS], 57657600 + 518918400); /* 16!/9!, 16!/8! */
	assert_true(fifteen_build_bytes(&small) < (size_t)64 << 20);
	assert_true(fifteen_build_bytes(&large) < (size_t)4 << 30);
}

/* Every placing of the three tiles has a number of its own, and none of them is beyond the database. */
static void numbers_each_placing_once(void **state)
{
	uint8_t tiles[FIFTEEN_CELLS], seen[3360] = {0};
	unsigned i, j, k, n, count = 0;

	(void)state;
	for (n = 0; n < TRIPLES; n++) {
		struct fifteen_view view;
		uint32_t number;

		i = n / 256;
		j = n / 16 % 16;
		k = n % 16;
		if (i == j || j == k || i == k)
			continue;
		memset(tiles, 0, sizeof(tiles));
		tiles[i] = 12;
		tiles[j] = 13;
		tiles[k] = 14;
		fifteen_view_init(&small, content, pack(tiles), &view);
		number = small.high[2][view.set[2] >> 8] + small.low[2][view.set[2] & 255] +
			 view.order[2] - small.first[2];
		assert_in_range(number, 0, 3359);
		assert_int_equal(seen[number], 0);
		seen[number] = 1;
		count++;
	}
	assert_int_equal(count, 3360);
}

/* A set of boards. */
static bool add(uint64_t *slots, uint64_t key)
{
	uint64_t slot = key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SLOT_BITS);

	for (; slots[slot] != 0; slot = (slot + 1) % SLOTS)
		if (slots[slot] == key)
			return false;
	slots[slot] = key;
	return true;
}

/*
 * A database by the definition, as far as `near`: breadth first from the goal, over boards where
 * the tiles of other patterns are 0 and the blank is called `mark`.  A move over anything but the
 * pattern's own tiles costs nothing and stays in its level.  All placings first found at a level
 * have it as their value, and no others do.
 */
static void as_by_definition(unsigned p, unsigned mark, unsigned near)
{
	static uint64_t queue[2][BOARDS_MAX], slots[SLOTS];
	static uint8_t seen[5765760];
	unsigned found, valued, head, count = 1, next, level, i, m;

	memset(slots, 0, sizeof(slots));
	memset(seen, 0, sizeof(seen));
	queue[0][0] = mark;
	for (i = 1; i < FIFTEEN_CELLS; i++)
		queue[0][0] |= small.of[i] == p ? (uint64_t)i << 4 * i : 0;
	for (level = 0; level <= near; level++, count = next) {
		for (head = 0, next = 0, found = 0; head < count; head++) {
			uint64_t board = queue[level & 1][head], bare;
			struct fifteen_view view;
			unsigned blank = 0, number;

			if (!add(slots, board))
				continue;
			while (fifteen_at(board, blank) != mark)
				blank++;
			bare = board ^ (uint64_t)mark << 4 * blank;
			fifteen_view_init(&small, content, bare, &view);
			number = small.high[p][view.set[p] >> 8] + small.low[p][view.set[p] & 255] +
				 view.order[p] - small.first[p];
			if (!seen[number])
				assert_int_equal(view.value[p], level);
			found += !seen[number];
			seen[number] = 1;
			for (m = 0; m < 4; m++) {
				static const int row[] = {-1, 1, 0, 0}, col[] = {0, 0, -1, 1};
				int r = (int)blank / 4 + row[m], c = (int)blank % 4 + col[m];
				uint64_t tile, to;

				if (r < 0 || r > 3 || c < 0 || c > 3)
					continue;
				tile = fifteen_at(bare, (unsigned)(r * 4 + c));
				to = bare + (tile << 4 * blank) - (tile << 4 * (r * 4 + c)) +
				     ((uint64_t)mark << 4 * (r * 4 + c));
				if (tile != 0)
					queue[!(level & 1)][next++] = to;
				else
					queue[level & 1][count++] = to;
				assert_true(count < BOARDS_MAX && next < BOARDS_MAX);
			}
		}
		for (valued = 0, i = small.first[p]; i < small.first[p + 1]; i++)
			valued += content[i] == level;
		assert_int_equal(found, valued);
	}
}

static void holds_what_the_definition_says(void **state)
{
	(void)state;
	as_by_definition(0, 12, NEAR);
	as_by_definition(1, 12, NEAR);
	as_by_definition(2, 1, 28); /* all of it */
}

static void every_placing_has_a_value(void **state)
{
	uint32_t i, zeros = 0;
	uint8_t most = 0;

	(void)state;
	for (i = 0; i < small.first[FIFTEEN_PATTERNS]; i++) {
		zeros += content[i] == 0;
		most = content[i] > most ? content[i] : most;
	}
	assert_int_equal(zeros, 3); /* one goal for each pattern */
	assert_int_equal(most, 28);
}

static void compare_views(const struct fifteen_view *kept, const struct fifteen_view *fresh)
{
	assert_memory_equal(kept->set, fresh->set, sizeof(kept->set));
	assert_memory_equal(kept->order, fresh->order, sizeof(kept->order));
	assert_memory_equal(kept->value, fresh->value, sizeof(kept->value));
	assert_true(kept->cells == fresh->cells);
}

/* What is kept by increment, on the board and on its mirror image, is what it would be afresh. */
static void follow(const struct fifteen_partition *partition, const uint8_t *values)
{
	unsigned seed = 1, walk, step, m, changed = 0, jumps = 0;

	for (walk = 0; walk < WALKS; walk++) {
		uint8_t tiles[FIFTEEN_CELLS];
		struct fifteen_view view[2], fresh;
		unsigned i, blank = 0, side, sum;

		for (i = 0; i < FIFTEEN_CELLS; i++)
			tiles[i] = (uint8_t)i;
		sum = fifteen_view_init(partition, values, goal, &view[0]);
		fifteen_view_init(partition, values, fifteen_transpose(goal), &view[1]);
		assert_int_equal(sum, 0);
		for (step = 0; step < STEPS; step++) {
			m = (seed = seed * 1103515245 + 12345) >> 16 & 3;
			if (!naive_slide(tiles, 4, 4, (int)m))
				continue;
			for (side = 0; side < 2; side++) {
				unsigned at = side == 0 ? blank : blank % 4 * 4 + blank / 4;
				unsigned way = side == 0 ? m : m ^ 2;
				struct fifteen_change change =
					fifteen_change(partition, &view[side], at, way);
				int before = view[side].value[change.pattern];

				fifteen_view_move(&view[side], &change, values[change.number], at,
						  way);
				fifteen_view_init(partition, values,
						  side == 0 ? pack(tiles)
							    : fifteen_transpose(pack(tiles)),
						  &fresh);
				compare_views(&view[side], &fresh);
				before -= fresh.value[change.pattern];
				changed++;
				jumps += abs(before) > 1;
				if (values == content)
					assert_true(before & 1);
			}
			for (blank = 0; tiles[blank] != 0; blank++)
				;
		}
	}
	assert_true(changed > WALKS * STEPS);
	/* Not consistent: that is why A* must reopen. */
	if (values == content)
		assert_true(jumps > 0);
}

static void keeps_up_with_every_move(void **state)
{
	(void)state;
	follow(&small, content);
	follow(&large, nothing);
}

/* Breadth first from the goal: no sum is greater than the distance, and parities agree. */
static void no_sum_is_too_great(void **state)
{
	static uint8_t boards[SHALLOW_MAX][FIFTEEN_CELLS];
	static uint8_t depth[SHALLOW_MAX];
	static uint64_t slots[1 << 17];
	unsigned head, count = 0, equal = 0, m, i;

	(void)state;
	for (i = 0; i < FIFTEEN_CELLS; i++)
		boards[0][i] = (uint8_t)i;
	count = 1;
	for (head = 0; head < count; head++) {
		struct fifteen_view view;
		unsigned sum = fifteen_view_init(&small, content, pack(boards[head]), &view);
		unsigned mirror = fifteen_view_init(&small, content,
						    fifteen_transpose(pack(boards[head])), &view);

		if (sum > depth[head] || mirror > depth[head])
			fail_msg("%u and %u where %u moves are enough", sum, mirror, depth[head]);
		assert_true(((sum ^ depth[head]) & 1) == 0 && ((mirror ^ depth[head]) & 1) == 0);
		equal += sum == depth[head];
		for (m = 0; m < 4 && depth[head] < SHALLOW; m++) {
			uint8_t *next = boards[count];
			uint64_t key, slot;

			memcpy(next, boards[head], FIFTEEN_CELLS);
			if (!naive_slide(next, 4, 4, (int)m))
				continue;
			key = pack(next);
			for (slot = key * UINT64_C(0x9E3779B97F4A7C15) >> 47; slots[slot] != 0;
			     slot = (slot + 1) & 0x1ffff)
				if (slots[slot] == key)
					break;
			if (slots[slot] == key || key == goal)
				continue;
			slots[slot] = key;
			depth[count++] = (uint8_t)(depth[head] + 1);
			assert_true(count < SHALLOW_MAX);
		}
	}
	/* Boards within 13 moves (OEIS A089484: 1, 2, 4, 10, 24, 54, 107, 212, 446, 946, ...). */
	assert_int_equal(count, 1 + 2 + 4 + 10 + 24 + 54 + 107 + 212 + 446 + 946 + 1948 + 3938 +
					7808 + 15544);
	assert_true(equal > count / 2);
}

static bool stop_at_once(const struct pz_host *host, uint64_t done, uint64_t all)
{
	(void)host;
	assert_true(done <= all);
	return true;
}

static void stops_building_when_told(void **state)
{
	const struct pz_host host = {.size = sizeof(host), .poll = stop_at_once};
	uint8_t *scratch = malloc(small.first[FIFTEEN_PATTERNS]);
	struct pz_error error;

	(void)state;
	assert_non_null(scratch);
	assert_int_equal(fifteen_pattern_build(&small, scratch, &host, &error), -1);
	assert_non_null(strstr(error.reason, "stopped"));
	free(scratch);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_the_sizes_that_it_should),
		cmocka_unit_test(numbers_each_placing_once),
		cmocka_unit_test(holds_what_the_definition_says),
		cmocka_unit_test(every_placing_has_a_value),
		cmocka_unit_test(keeps_up_with_every_move),
		cmocka_unit_test(no_sum_is_too_great),
		cmocka_unit_test(stops_building_when_told),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("15puzzle's patterns", tests, build, drop);
}
