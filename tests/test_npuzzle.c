/* SPDX-License-Identifier: MIT */
/* npuzzle.so: whole spaces of small boards, sizes and how they are told, what is too hard. */
#include "tests/naive_puzzle.h"
#include "tests/naive_sliding.h"

/* slide_text: naive_slide_text; four tiles in one line say so with a slash. */
static void slide_text(const uint8_t *tiles, int rows, int cols, char *text)
{
	naive_slide_text(tiles, rows, cols, text);
	if (rows == 1 && cols == 4)
		strcat(text, "/");
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

	slide_text(goal, rows, cols, goal_text);
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
		slide_text(boards + (size_t)i * cells, rows, cols, text);
		if (naive_cost_by(algorithm, heuristic, text, goal_text) != distances[i])
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
		slide_text(tiles, rows, cols, text);
		if (!solvable[i] && naive_cost_by("auto", heuristic, text, goal_text) != -1)
			fail_msg("%s is not unsolvable to %s", text, goal_text);
	}
	free(solvable);
	free(boards);
	free(distances);
}

/* Every place of the goal's blank, on every size up to six cells. */
static void small_spaces_whole(void **state)
{
	static const int sizes[][2] = {{1, 2}, {2, 1}, {1, 3}, {1, 4}, {4, 1},
				       {1, 5}, {5, 1}, {2, 2}, {2, 3}, {3, 2}};
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
	(void)state;
	/* Longer ones take seconds without pattern databases. */
	assert_true(naive_published("sliding-lengths.tsv", 45, -1, NULL) > 70);
}

/* What the two plain heuristics say, to the usual goal. */
static int misplaced(const uint8_t *tiles, int cells)
{
	int i, sum = 0;

	for (i = 0; i < cells; i++)
		sum += tiles[i] != 0 && tiles[i] != i + 1;
	return sum;
}

static int manhattan(const uint8_t *tiles, int cells, int cols)
{
	int i, sum = 0;

	for (i = 0; i < cells; i++)
		if (tiles[i] != 0)
			sum += abs((tiles[i] - 1) / cols - i / cols) +
			       abs((tiles[i] - 1) % cols - i % cols);
	return sum;
}

static void estimates_on_every_size(void **state)
{
	char text[80];
	int rows, cols, walk, i;
	unsigned seed = 5;

	(void)state;
	for (rows = 1; rows <= 5; rows++) {
		for (cols = 1; cols <= 5; cols++) {
			for (walk = 0; walk < 60; walk++) {
				uint8_t tiles[NAIVE_SLIDING_MAX];

				for (i = 0; i < rows * cols; i++)
					tiles[i] = (uint8_t)((i + 1) % (rows * cols));
				for (i = 0; i < 3 * walk; i++)
					naive_slide(tiles, rows, cols,
						    (int)((seed = seed * 1103515245 + 12345) >> 16 &
							  3));
				slide_text(tiles, rows, cols, text);
				assert_int_equal(naive_estimate("conflict", text, NULL),
						 naive_slide_conflicts(tiles, rows, cols));
				assert_int_equal(naive_estimate("manhattan", text, NULL),
						 manhattan(tiles, rows * cols, cols));
				assert_int_equal(naive_estimate("misplaced", text, NULL),
						 misplaced(tiles, rows * cols));
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
			assert_int_equal(naive_cost_by("astar", "conflict", text, NULL), ida);
			assert_int_equal(naive_cost_by("ida", "manhattan", text, NULL), ida);
			assert_int_equal(naive_cost_by("bidirectional", "conflict", text, NULL),
					 ida);
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

	(void)state;
	naive_gives_up(korf1, goal, 50, 4 << 20, 71, 95);
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
	/* So many cells as the goal has are divided as there only where they are in one row. */
	assert_int_equal(naive_check(&h, "1 2/3 4/5 0", "1 2 3/4 5 0", &error), -1);
	assert_non_null(strstr(error.reason, "the board is 3x2 and the goal 2x3"));
	assert_int_equal(naive_open(&fixed, h.plugin, "1 2 3/4 5 0", &error), 0);
	assert_int_equal(naive_length(&fixed, "1 2 3 4 0 5", NULL), 1);
	assert_int_equal(naive_check(&fixed, "1 2 3/4 5 6/7 8 0", NULL, &error), -1);
	assert_non_null(strstr(error.reason, "the board is 3x3 and the goal 2x3"));
	assert_int_equal(naive_check(&fixed, "1 2/3 0", NULL, &error), -1);
	assert_non_null(strstr(error.reason, "the board is 2x2 and the goal 2x3"));
	naive_close(&fixed);
}

static void refuses_what_is_no_board(void **state)
{
	static const struct naive_bad bad[] = {
		{"1 2 3/4 5 6", 11,
		 "there is no blank (0 x X _ . or *), and tile 6 is one too many"},
		{"6 2 3/4 5 1", 1, "there is no blank"},
		{"1", 1, "there is no blank"},
		{"1 2 3/4 5 5", 11, "tile 5 is repeated; it is also at byte 9"},
		{"1 2 3/4 0 6", 11, "no tile 6 on a board of 6 cells: the greatest is 5"},
		{"1 2 3/4 5 16", 11, "no tile 16 on a board of 6 cells"},
		{"2 x", 1, "no tile 2 on a board of 2 cells: the greatest is 1"},
		{"10 x/1 2", 1, "no tile 10 on a board of 4 cells"},
		{"10/x 1", 4, "row 2 has 2 cells and the first 1"},
		{"1 2/x", 5, "row 2 has 1 cell and the first 2"},
		/* Digits run together. */
		{"123456780", 1,
		 "no tile over 1000; write spaces between tiles, as in 1 2 3/4 5 0"},
		{"123/456/780", 1, "no tile 123; write spaces"},
		{"12/30", 1, "no tile 12; write spaces"},
		{"1 2 3/4 5 1000", 11, "no tile 1000; write spaces"},
		{"1 2 3/4 5 1001", 11, "no tile over 1000; write spaces"},
		{"0 100", 3, "no tile 100; write spaces"},
		{"0 99", 3, "no tile 99 on a board of 2 cells"},
	};

	(void)state;
	naive_refuses(bad, NAIVE_COUNT(bad), NULL);
}

/* The least there is: nothing to move, and no place for another board. */
static void one_cell(void **state)
{
	struct pz_error error;

	(void)state;
	assert_int_equal(naive_length(&h, "0", NULL), 0);
	assert_string_equal(naive_neighbours("0"), "");
	assert_int_equal(naive_check(&h, "0", "1 0", &error), -1);
}

/* What is written in one row: a square where it can be one, unless a slash says that it is a
 * line. */
static void lines_of_four(void **state)
{
	static const char *const line[] = {"1 2 0 3/", "/1,2,x,3", " 1 2 . 3 // "};
	struct pz_error error;

	(void)state;
	naive_same(line, NAIVE_COUNT(line));
	assert_int_equal(naive_length(&h, "1 0 2 3/", NULL), 2);
	assert_int_equal(naive_length(&h, "2 1 0 3/", NULL), -1);
	assert_int_equal(naive_length(&h, "1 2 3 0", "0 1 2 3/"), 3);
	assert_string_equal(naive_replay("1 2 0 3", NULL, "r")->final, "1 2/3 0");
	assert_int_equal(naive_check(&h, "1 2 0 3/", "1 2/3 0", &error), -1);
	assert_non_null(strstr(error.reason, "the board is 1x4 and the goal 2x2"));
}

static void many_ways_to_write_a_board(void **state)
{
	static const char *const same[] = {
		"1 2 3/4 0 5",
		"1,2,3/4,x,5",
		"1 2 3\r\n4 X 5\r\n",
		"\n\n1\t2\t3\n\n4 _ 5\n\n",
		"\xEF\xBB\xBF"
		"001 2 3/4 . 5",
		"1\xC2\xA0"
		"2\xC2\xA0"
		"3//4*5/",
	};

	(void)state;
	naive_same(same, NAIVE_COUNT(same));
}

static void a_limit_accepts_n_and_refuses_less(void **state)
{
	static const char *const algorithms[] = {"auto", "ida", "astar", "bfs", "bidirectional"};
	unsigned i;

	(void)state;
	for (i = 0; i < NAIVE_COUNT(algorithms); i++) {
		naive_limits(algorithms[i], "4 5 0/1 2 3", NULL, 21);
		naive_limits(algorithms[i], "0 7 2 1/4 3 6 5", NULL, 36);
	}
}

/* Farthest boards, of sizes that have been searched whole. */
static void known_diameters(void **state)
{
	static const struct naive_known known[] = {
		{"0 3/2 1", NULL, 6},
		{"4 5 0/1 2 3", NULL, 21},
		{"0 7 2 1/4 3 6 5", NULL, 36},
		{"8 6 7/2 5 4/3 0 1", NULL, 31},
		{"0 9 3 7 1/5 4 8 2 6", NULL, 55},
		{"0 5 3 2 1/9 4 8 7 6", NULL, 55},
		{"0 8 6 9/11 7 10 1/4 3 2 5", NULL, 53},
		{"1 2 3/5 4 0", NULL, -1},
	};

	(void)state;
	naive_knows(known, NAIVE_COUNT(known));
}

static void generates_any_size(void **state)
{
	(void)state;
	naive_generates("1 2 3 4/5 6 7 8/9 10 11 0", 5, -1);
	naive_generates("1 2 3/4 5 0", 20, 21);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_spaces_whole),
		cmocka_unit_test(three_by_three_whole),
		cmocka_unit_test(published_lengths),
		cmocka_unit_test(estimates_on_every_size),
		cmocka_unit_test(finds_its_way_back),
		cmocka_unit_test(gives_up_honestly),
		cmocka_unit_test(takes_the_size_of_the_board),
		cmocka_unit_test(refuses_what_is_no_board),
		cmocka_unit_test(one_cell),
		cmocka_unit_test(lines_of_four),
		cmocka_unit_test(many_ways_to_write_a_board),
		cmocka_unit_test(a_limit_accepts_n_and_refuses_less),
		cmocka_unit_test(known_diameters),
		cmocka_unit_test(generates_any_size),
	};

	return NAIVE_RUN("npuzzle.so", tests);
}
