/* SPDX-License-Identifier: MIT */
/* npuzzle.so: whole spaces of small boards, sizes and how they are told, what is too hard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/naive_host.h"
#include "tests/naive_sliding.h"

static struct naive_host h;

static int set_up(void **state)
{
	struct pz_error error;

	(void)state;
	return naive_open(&h, naive_load("npuzzle.so"), NULL, &error);
}

static int tear_down(void **state)
{
	(void)state;
	naive_close(&h);
	return 0;
}

static int length_by(const char *algorithm, const char *heuristic, const char *board,
		     const char *goal)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, board, goal);

	job.algorithm = naive_choice(h.plugin->algorithms, algorithm);
	job.heuristic = naive_choice(h.plugin->heuristics, heuristic);
	naive_solve(&h, &job, &answer);
	if (answer.result.status == PZ_SOLVED)
		return (int)answer.result.length;
	return answer.result.status == PZ_UNSOLVABLE ? -1 : -2;
}

/*
 * whole_space: each board that breadth-first search finds has its length, and every other
 * arrangement is unsolvable: for `goal`, or the usual one.  Takes every `every`-th.
 */
static void whole_space(const uint8_t *goal, int rows, int cols, const char *algorithm,
			const char *heuristic, unsigned every)
{
	unsigned cells = (unsigned)(rows * cols), found, i, farthest = 0, all = 1;
	uint8_t *boards, *distances, *solvable;
	uint8_t tiles[NAIVE_SLIDING_MAX];
	char text[80], goal_text[80];

	naive_slide_text(goal, rows, cols, goal_text);
	found = naive_slide_space(goal, rows, cols, &boards, &distances);
	for (i = 2; i <= cells; i++)
		all *= i;
	solvable = calloc(all, 1);
	assert_non_null(solvable);
	for (i = 0; i < found; i++) {
		solvable[naive_slide_rank(boards + (size_t)i * cells, (int)cells)] = 1;
		farthest = distances[i] > farthest ? distances[i] : farthest;
		if (i % every != 0 && i + 1 != found)
			continue;
		naive_slide_text(boards + (size_t)i * cells, rows, cols, text);
		if (length_by(algorithm, heuristic, text, goal_text) != distances[i])
			fail_msg("%s to %s by %s is %u", text, goal_text, algorithm, distances[i]);
	}
	assert_int_equal(found, rows == 1 || cols == 1 ? cells : all / 2);
	/* All arrangements, by counting through them. */
	for (i = 0; i < all; i += every) {
		unsigned left = i, used = 0, k, n, digit;

		for (k = 0; k < cells; k++) {
			unsigned below = 1;

			for (n = 2; n < cells - k; n++)
				below *= n;
			digit = left / below;
			left %= below;
			for (n = 0; digit > 0 || (used >> n & 1); n++)
				digit -= !(used >> n & 1);
			used |= 1u << n;
			tiles[k] = (uint8_t)n;
		}
		assert_int_equal(naive_slide_rank(tiles, (int)cells), i);
		naive_slide_text(tiles, rows, cols, text);
		if (!solvable[i] && length_by("auto", heuristic, text, goal_text) != -1)
			fail_msg("%s is not unsolvable to %s", text, goal_text);
	}
	free(solvable);
	free(boards);
	free(distances);
}

/* Every place of the goal's blank, on every size up to six cells. */
static void small_spaces_whole(void **state)
{
	static const int sizes[][2] = {{1, 2}, {2, 1}, {1, 3}, {1, 5},
				       {5, 1}, {2, 2}, {2, 3}, {3, 2}};
	static const char *const algorithms[] = {"auto", "astar", "bfs", "bidirectional"};
	unsigned i, j, blank;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		unsigned cells = (unsigned)(sizes[i][0] * sizes[i][1]);

		for (blank = 0; blank < cells; blank++) {
			uint8_t goal[NAIVE_SLIDING_MAX];

			for (j = 0; j < cells; j++)
				goal[j] = (uint8_t)(j == blank ? 0 : j < blank ? j + 1 : j);
			for (j = 0; j < 4; j++)
				whole_space(goal, sizes[i][0], sizes[i][1], algorithms[j],
					    "conflict", 1);
		}
	}
}

static void three_by_three_whole(void **state)
{
	static const uint8_t last[] = {1, 2, 3, 4, 5, 6, 7, 8, 0},
			     other[] = {1, 2, 3, 8, 0, 4, 7, 6, 5};

	(void)state;
	whole_space(last, 3, 3, "ida", "conflict", 7);
	whole_space(other, 3, 3, "astar", "conflict", 97);
	whole_space(other, 3, 3, "ida", "manhattan", 97);
	whole_space(last, 3, 3, "ida", "misplaced", 1999);
	whole_space(last, 3, 3, "bidirectional", "conflict", 499);
}

static void published_lengths(void **state)
{
	FILE *file = fopen(PZ_TEST_DATA "/sliding-lengths.tsv", "r");
	char line[256], board[128];
	int length, tried = 0;
	unsigned i, cells;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		if (line[0] == '#' || sscanf(line, "%127[^\t]\t%d", board, &length) != 2)
			continue;
		for (i = 0, cells = 1; board[i] != '\0'; i++)
			cells += board[i] == ' ' || board[i] == '/';
		/* Longer ones take seconds without pattern databases. */
		if (length > 45)
			continue;
		if (naive_length(&h, board, NULL) != length)
			fail_msg("%s is %d", board, length);
		tried++;
	}
	fclose(file);
	assert_true(tried > 70);
}

static void conflicts_on_every_size(void **state)
{
	struct pz_job job;
	char text[80];
	int rows, cols, walk, i;
	unsigned seed = 5;

	(void)state;
	for (rows = 1; rows <= 5; rows++) {
		for (cols = 1; cols <= 5; cols++) {
			for (walk = 0; walk < 60; walk++) {
				uint8_t tiles[NAIVE_SLIDING_MAX];

				/* Four cells in one row are two rows of two. */
				if (rows * cols == 1 || (rows == 1 && cols == 4))
					continue;
				for (i = 0; i < rows * cols; i++)
					tiles[i] = (uint8_t)((i + 1) % (rows * cols));
				for (i = 0; i < 3 * walk; i++)
					naive_slide(tiles, rows, cols,
						    (int)((seed = seed * 1103515245 + 12345) >> 16 &
							  3));
				naive_slide_text(tiles, rows, cols, text);
				job = naive_job(&h, text, NULL);
				assert_int_equal(h.plugin->estimate(h.self, &job),
						 naive_slide_conflicts(tiles, rows, cols));
			}
		}
	}
}

/*
 * What is kept by increment: h along a path is what it would be afresh.  A* asks it of the child,
 * so a limit of the true length must be found through every state of the path.
 */
static void finds_its_way_back(void **state)
{
	static const int sizes[][2] = {{3, 4}, {4, 3}, {2, 5}, {5, 2}, {4, 5}, {5, 4}, {5, 5}};
	static struct naive_answer answer;
	unsigned i, seed = 11;
	char text[80];
	int walk, k;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		int rows = sizes[i][0], cols = sizes[i][1];

		for (walk = 1; walk <= 20; walk++) {
			uint8_t tiles[NAIVE_SLIDING_MAX];
			int made = 0, ida;
			struct pz_job job;

			for (k = 0; k < rows * cols; k++)
				tiles[k] = (uint8_t)((k + 1) % (rows * cols));
			for (k = 0; k < 2 * walk; k++)
				made += naive_slide(
					tiles, rows, cols,
					(int)((seed = seed * 1103515245 + 12345) >> 16 & 3));
			naive_slide_text(tiles, rows, cols, text);
			job = naive_job(&h, text, NULL);
			job.max_length = made;
			naive_solve(&h, &job, &answer);
			assert_int_equal(answer.result.status, PZ_SOLVED);
			ida = (int)answer.result.length;
			assert_int_equal(length_by("astar", "conflict", text, NULL), ida);
			assert_int_equal(length_by("ida", "manhattan", text, NULL), ida);
			assert_int_equal(length_by("bidirectional", "conflict", text, NULL), ida);
		}
	}
}

/* The first of Korf's 24-puzzles needs 95 moves: nobody waits for that here. */
static void gives_up_honestly(void **state)
{
	static const char korf1[] =
		"14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";
	static const char goal[] =
		"0 1 2 3 4/5 6 7 8 9/10 11 12 13 14/15 16 17 18 19/20 21 22 23 24";
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, korf1, goal);

	(void)state;
	h.stop_after = 50;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_STOPPED);
	assert_in_range(answer.result.lower_bound, h.plugin->estimate(h.self, &job), 95);
	assert_true(answer.result.lower_bound > 70);
	job.algorithm = naive_choice(h.plugin->algorithms, "astar");
	h.stop_after = 0;
	job.memory = 4 << 20;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_MEMORY);
	assert_in_range(answer.result.lower_bound, h.plugin->estimate(h.self, &job), 95);
}

/* The size is the board's, unless the configuration or the job says what the goal is. */
static void takes_the_size_of_the_board(void **state)
{
	struct naive_host fixed = {0};
	struct pz_error error;

	(void)state;
	assert_int_equal(naive_length(&h, "1 2 3/4 0 5", NULL), 1);
	assert_int_equal(naive_length(&h, "4 1 2/5 0 3", NULL), 5);
	assert_int_equal(naive_length(&h, "1 2 3/5 4 0", NULL), -1);
	assert_int_equal(naive_length(&h, "1 2/3 4/0 5", NULL), 1);
	assert_int_equal(naive_length(&h, "1 2 3 4 5 6 7 0 8", NULL), 1);
	assert_int_equal(naive_length(&h, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", NULL), 1);
	assert_int_equal(naive_length(&h, "1 2 3\n4 5 6\n7 8 9\n10 0 11\n", NULL), 1);
	assert_int_equal(naive_length(&h, "0 1 2", NULL), 2);
	assert_int_equal(naive_length(&h, "0 2 1", NULL), -1);
	assert_int_equal(naive_length(&h, "1 2 3 4 0 5", "1 2 3/4 5 0"), 1);
	assert_int_equal(naive_check(&h, "1 2 3 4 0 5", NULL, &error), -1);
	assert_non_null(strstr(error.reason, "6 cells in one row"));
	assert_int_equal(naive_check(&h, "1 2 3/4 5", NULL, &error), -1);
	assert_int_equal(error.position, 7);
	assert_non_null(strstr(error.reason, "row 2 has 2 cells and the first 3"));
	assert_int_equal(naive_check(&h, "1 2/3 4/5 6/7 8/9 10/11 0", NULL, &error), -1);
	assert_non_null(strstr(error.reason, "6 rows"));
	assert_int_equal(naive_check(&h, "1 2 3 4 5 6/7 8 9 10 11 0", NULL, &error), -1);
	assert_non_null(strstr(error.reason, "rows of 6 cells"));
	assert_int_equal(naive_check(&h, "1 2 3/4 5 0", "1 2 3/4 5 6/7 8 0", &error), -1);
	assert_non_null(strstr(error.reason, "the board is 2x3 and the goal 3x3"));
	assert_int_equal(naive_open(&fixed, h.plugin, "1 2 3/4 5 0", &error), 0);
	assert_int_equal(naive_length(&fixed, "1 2 3 4 0 5", NULL), 1);
	assert_int_equal(naive_check(&fixed, "1 2 3/4 5 6/7 8 0", NULL, &error), -1);
	assert_non_null(strstr(error.reason, "the board is 3x3 and the goal 2x3"));
	naive_close(&fixed);
}

static void generates_any_size(void **state)
{
	static const char goal[] = "1 2 3 4/5 6 7 8/9 10 11 0";
	struct pz_job job = naive_job(&h, "", goal);
	struct pz_error error;
	char text[80];
	unsigned seed;

	(void)state;
	for (seed = 0; seed < 5; seed++) {
		struct pz_buffer out = {text, sizeof(text) - 1, 0};

		assert_int_equal(h.plugin->generate(h.self, &job, seed, -1, &out, &error), 0);
		text[out.len] = '\0';
		assert_int_equal(naive_check(&h, text, goal, &error), 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_spaces_whole),
		cmocka_unit_test(three_by_three_whole),
		cmocka_unit_test(published_lengths),
		cmocka_unit_test(conflicts_on_every_size),
		cmocka_unit_test(finds_its_way_back),
		cmocka_unit_test(gives_up_honestly),
		cmocka_unit_test(takes_the_size_of_the_board),
		cmocka_unit_test(generates_any_size),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("npuzzle", tests, set_up, tear_down);
}
