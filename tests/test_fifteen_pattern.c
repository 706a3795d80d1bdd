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
	WALKS = 20,
	STEPS = 1500,
	SHALLOW = 13,
	SHALLOW_MAX = 60000,
	TRIPLES = 16 * 16 * 16,
	TRIPLE_ENTRIES = 632 * 6, /* regions of all sets of three, counted by hand; orders */
	NEAR = 8,
	BOARDS_MAX = 1 << 20,
	SLOT_BITS = 20,
	SLOTS = 1 << SLOT_BITS
};

static struct fifteen_patterns small, large;
static uint8_t *content; /* of `small` */
static uint8_t *nothing; /* of `large`: only its numbers are looked at */
static const uint64_t goal = UINT64_C(0xFEDCBA9876543210);

static int build(void **state)
{
	struct pz_error error;

	(void)state;
	fifteen_patterns_init(&small, FIFTEEN_663);
	fifteen_patterns_init(&large, FIFTEEN_78);
	content = malloc(fifteen_content_bytes(&small));
	nothing = calloc(fifteen_content_bytes(&large), 1);
	if (content == NULL || nothing == NULL)
		return -1;
	memset(content, 0xff, fifteen_content_bytes(&small));
	return fifteen_patterns_build(&small, content, NULL, &error);
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

static uint64_t transpose_if(uint64_t cells, unsigned side)
{
	return side % 2 == 0 ? cells : fifteen_transpose(cells);
}

/* padded: bits of a database, up to a whole cache line. */
static uint32_t padded(uint32_t entries)
{
	return (entries + 511) / 512 * 512;
}

static void has_the_sizes_that_it_should(void **state)
{
	/* Sets of n cells of 16 with the regions that each leaves, counted by another program. */
	uint32_t three = 632 * 6, six = 16412 * 720, seven = 27748 * 5040, eight = 35347u * 40320u;

	(void)state;
	assert_int_equal(small.sets[6].count, 8008);
	assert_int_equal(small.entries, 2 * (2 * padded(six) + padded(three)));
	assert_int_equal(large.entries,
			 2 * padded(six) + padded(three) + padded(seven) + padded(eight));
	assert_true(fifteen_content_bytes(&small) < (size_t)6 << 20);
	assert_true(fifteen_build_bytes(&small) < (size_t)64 << 20);
	assert_true(fifteen_build_bytes(&large) < (size_t)2 << 30);
}

/* The boards that a pattern tells apart: its own tiles, and the blank; the others as they come. */
static uint64_t filled(const struct fifteen_partition *partition, unsigned p, uint64_t bare,
		       unsigned blank)
{
	unsigned cell, label = 0;

	for (cell = 0; cell < FIFTEEN_CELLS; cell++) {
		if (cell == blank || fifteen_at(bare, cell) != 0)
			continue;
		do
			label++;
		while (partition->of[label] == p);
		bare |= (uint64_t)label << 4 * cell;
	}
	return bare;
}

static uint32_t entry_of(const struct fifteen_partition *partition, unsigned p,
			 const struct fifteen_view *view, unsigned blank)
{
	return fifteen_entry(&partition->pattern[p], view->set[p], view->order[p], blank) -
	       partition->pattern[p].first;
}

/* Every placing of three tiles and the blank's region has one number, and no other has it. */
static void numbers_each_placing_once(void **state)
{
	static uint64_t is[TRIPLE_ENTRIES];
	const struct fifteen_partition *partition = &small.partition[1];
	unsigned i, j, k, n, blank, count = 0;

	(void)state;
	memset(is, 0, sizeof(is));
	for (n = 0; n < TRIPLES; n++) {
		i = n / 256;
		j = n / 16 % 16;
		k = n % 16;
		if (i == j || j == k || i == k)
			continue;
		for (blank = 0; blank < FIFTEEN_CELLS; blank++) {
			uint64_t bare = UINT64_C(12) << 4 * i | UINT64_C(13) << 4 * j |
					UINT64_C(14) << 4 * k;
			struct fifteen_view view;
			uint32_t entry;

			if (blank == i || blank == j || blank == k)
				continue;
			fifteen_view_init(partition, content, filled(partition, 2, bare, blank),
					  &view);
			entry = entry_of(partition, 2, &view, blank);
			assert_in_range(entry, 0, TRIPLE_ENTRIES - 1);
			count += is[entry] == 0;
			/* Another region of this placing has another number. */
			assert_true(is[entry] == 0 || is[entry] == bare);
			is[entry] = bare;
		}
	}
	assert_int_equal(count, TRIPLE_ENTRIES);
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
 * pattern's own tiles costs nothing and stays in its level.  What is first found at a level has it
 * as its value.  Returns how many entries were found.
 */
static unsigned as_by_definition(unsigned partition_at, unsigned p, unsigned mark, unsigned near)
{
	static uint64_t queue[2][BOARDS_MAX], slots[SLOTS];
	static uint8_t seen[16412 * 720];
	const struct fifteen_partition *partition = &small.partition[partition_at];
	unsigned found = 0, head, count = 1, next, level, i, m;

	memset(slots, 0, sizeof(slots));
	memset(seen, 0, sizeof(seen));
	queue[0][0] = mark;
	for (i = 1; i < FIFTEEN_CELLS; i++)
		queue[0][0] |= partition->of[i] == p ? (uint64_t)i << 4 * i : 0;
	for (level = 0; level <= near; level++, count = next) {
		for (head = 0, next = 0; head < count; head++) {
			uint64_t board = queue[level & 1][head], bare;
			struct fifteen_view view;
			unsigned blank = 0, entry;

			if (!add(slots, board))
				continue;
			while (fifteen_at(board, blank) != mark)
				blank++;
			bare = board ^ (uint64_t)mark << 4 * blank;
			fifteen_view_init(partition, content, filled(partition, p, bare, blank),
					  &view);
			entry = entry_of(partition, p, &view, blank);
			assert_int_equal(view.value[p], level);
			assert_int_equal(fifteen_bit(content, entry + partition->pattern[p].first),
					 level >> 1 & 1);
			found += !seen[entry];
			seen[entry] = 1;
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
	}
	return found;
}

static void holds_what_the_definition_says(void **state)
{
	(void)state;
	assert_true(as_by_definition(0, 0, 12, NEAR) > 1000);
	assert_true(as_by_definition(0, 1, 15, NEAR) > 1000);
	assert_true(as_by_definition(1, 0, 12, NEAR) > 1000);
	assert_true(as_by_definition(1, 1, 12, NEAR) > 1000);
	/* All of these. */
	assert_int_equal(as_by_definition(0, 2, 1, 40), TRIPLE_ENTRIES);
	assert_int_equal(as_by_definition(1, 2, 1, 40), TRIPLE_ENTRIES);
}

static void compare_views(const struct fifteen_view *kept, const struct fifteen_view *fresh)
{
	assert_memory_equal(kept->set, fresh->set, sizeof(kept->set));
	assert_memory_equal(kept->order, fresh->order, sizeof(kept->order));
	assert_true(kept->cells == fresh->cells);
}

/*
 * What is kept by increment, on the board and on its mirror image, is what it would be afresh. The
 * values too, far from the goal as well: each has a lesser neighbour, or it would not be found by
 * walking down, and no neighbour differs by more than one; only the fewest moves are like that.
 */
static void follow(const struct fifteen_patterns *patterns, const uint8_t *bits)
{
	unsigned seed = 1, walk, step, m, changed = 0, greatest = 0;

	for (walk = 0; walk < WALKS; walk++) {
		uint8_t tiles[FIFTEEN_CELLS];
		struct fifteen_view view[2 * FIFTEEN_PARTITIONS], fresh;
		unsigned i, blank = 0, side;

		for (i = 0; i < FIFTEEN_CELLS; i++)
			tiles[i] = (uint8_t)i;
		for (i = 0; i < 2 * FIFTEEN_PARTITIONS; i++) {
			fifteen_view_init(&patterns->partition[i / 2], bits, transpose_if(goal, i),
					  &view[i]);
			assert_int_equal(view[i].sum, 0);
		}
		for (step = 0; step < STEPS; step++) {
			m = (seed = seed * 1103515245 + 12345) >> 16 & 3;
			if (!naive_slide(tiles, 4, 4, (int)m))
				continue;
			for (side = 0; side < 2 * FIFTEEN_PARTITIONS; side++) {
				const struct fifteen_partition *partition =
					&patterns->partition[side / 2];
				unsigned at = side % 2 == 0 ? blank : blank % 4 * 4 + blank / 4;
				unsigned way = side % 2 == 0 ? m : m ^ 2, sum = 0, p;
				struct fifteen_change change =
					fifteen_change(partition, &view[side], at, way);

				fifteen_view_move(&view[side], &change,
						  fifteen_step(bits, change.entry,
							       view[side].value[change.pattern]),
						  at, way);
				fifteen_view_init(partition, bits, transpose_if(pack(tiles), side),
						  &fresh);
				compare_views(&view[side], &fresh);
				changed++;
				for (p = 0; p < FIFTEEN_PATTERNS; p++)
					sum += view[side].value[p];
				if (bits != content)
					continue;
				assert_int_equal(sum, view[side].sum);
				assert_int_equal(fresh.sum, view[side].sum);
				assert_memory_equal(view[side].value, fresh.value,
						    sizeof(fresh.value));
				greatest = sum > greatest ? sum : greatest;
			}
			for (blank = 0; tiles[blank] != 0; blank++)
				;
		}
	}
	assert_true(changed > WALKS * STEPS);
	assert_true(bits != content || greatest > 40);
}

static void keeps_up_with_every_move(void **state)
{
	(void)state;
	follow(&small, content);
	follow(&large, nothing);
}

/* Of what no builder made, nothing is expected but that it ends. */
static void ends_on_a_spoilt_content(void **state)
{
	size_t bytes = fifteen_content_bytes(&small), i;
	uint8_t *spoilt = malloc(bytes);
	struct fifteen_view view;
	unsigned seed = 5, walk, step;

	(void)state;
	assert_non_null(spoilt);
	for (i = 0; i < bytes; i++)
		spoilt[i] = (uint8_t)((seed = seed * 1103515245 + 12345) >> 16);
	for (walk = 0; walk < WALKS; walk++) {
		uint8_t tiles[FIFTEEN_CELLS];

		for (i = 0; i < FIFTEEN_CELLS; i++)
			tiles[i] = (uint8_t)i;
		for (step = 0; step < walk; step++)
			naive_slide(tiles, 4, 4,
				    (int)((seed = seed * 1103515245 + 12345) >> 16 & 3));
		fifteen_view_init(&small.partition[walk & 1], spoilt, pack(tiles), &view);
	}
	free(spoilt);
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
		for (i = 0; i < 2 * FIFTEEN_PARTITIONS; i++) {
			fifteen_view_init(&small.partition[i / 2], content,
					  transpose_if(pack(boards[head]), i), &view);
			if (view.sum > depth[head])
				fail_msg("%u where %u moves are enough", view.sum, depth[head]);
			assert_true(((view.sum ^ depth[head]) & 1) == 0);
		}
		equal += view.sum == depth[head];
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

/* Once is enough: nobody needs to say it again. */
static bool stop_once(const struct pz_host *host, uint64_t done, uint64_t all)
{
	unsigned *polls = host->data;

	assert_true(done <= all);
	return (*polls)++ == 0;
}

static void stops_building_when_told(void **state)
{
	unsigned polls = 0;
	const struct pz_host host = {.size = sizeof(host), .data = &polls, .poll = stop_once};
	uint8_t *scratch = malloc(fifteen_content_bytes(&small));
	struct pz_error error;

	(void)state;
	assert_non_null(scratch);
	assert_int_equal(fifteen_patterns_build(&small, scratch, &host, &error), -1);
	assert_non_null(strstr(error.reason, "stopped"));
	assert_int_equal(polls, 1);
	free(scratch);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_the_sizes_that_it_should),
		cmocka_unit_test(numbers_each_placing_once),
		cmocka_unit_test(holds_what_the_definition_says),
		cmocka_unit_test(keeps_up_with_every_move),
		cmocka_unit_test(ends_on_a_spoilt_content),
		cmocka_unit_test(no_sum_is_too_great),
		cmocka_unit_test(stops_building_when_told),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("15puzzle's patterns", tests, build, drop);
}
