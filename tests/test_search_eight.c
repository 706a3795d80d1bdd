/* SPDX-License-Identifier: MIT */
/* 8puzzle.so against an independent breadth-first search, and its searches against each other. */
#include "config.h"
#include "tests/naive_eight.h"
#include "tests/naive_puzzle.h"

#ifdef PZ_SANITIZED
enum { SLOWER = 20 }; /* so many times fewer boards where each takes longer */
#else
enum { SLOWER = 1 };
#endif

/* Every board of each of three goals: the 181,440 that reach it and the 181,440 that don't. */
static void every_board(void **state)
{
	static const char *const goals[] = {"123456780", "123804765", "012345678"};
	static const int farthest[] = {31, 30, 31};
	static signed char lengths[NAIVE_EIGHT_BOARDS];
	char board[10];
	int goal, number, most;

	(void)state;
	for (goal = 0; goal < 3; goal++) {
		assert_int_equal(naive_eight_lengths(goals[goal], lengths), NAIVE_EIGHT_BOARDS / 2);
		most = 0;
		for (number = 0; number < NAIVE_EIGHT_BOARDS; number++) {
			naive_eight_board(number, board);
			if (lengths[number] > most)
				most = lengths[number];
			if (naive_length(&h, board, goals[goal]) != lengths[number])
				fail_msg("%s to %s is %d", board, goals[goal], lengths[number]);
		}
		assert_int_equal(most, farthest[goal]);
	}
}

/* A thousand boards by every search; the weakest only some of them, and not the farthest. */
static void every_search_agrees(void **state)
{
	static const struct {
		const char *algorithm, *heuristic;
		int most; /* length */
		unsigned step;
	} rows[] = {
		{"ida", "manhattan", 31, 1},
		{"astar", "manhattan", 31, 1},
		{"astar", "misplaced", 31, 2},
		{"ida", "misplaced", 22, 4},
		{"bidirectional", "manhattan", 31, 1},
		{"bfs", "manhattan", 31, 5},
		{"astar", "none", 20, 10},
		{"ida", "none", 14, 1},
	};
	unsigned i, k, tried;
	char board[10];

	(void)state;
	for (i = 0; i < NAIVE_COUNT(rows); i++) {
		tried = 0;
		for (k = 0; k < 1000; k += rows[i].step * SLOWER) {
			const struct naive_answer *answer;
			int length;

			naive_eight_board((int)(k * 7919u * 31u % NAIVE_EIGHT_BOARDS), board);
			length = naive_length(&h, board, "123804765");
			if (length > rows[i].most)
				continue;
			answer = naive_by(rows[i].algorithm, rows[i].heuristic, board, "123804765");
			assert_string_equal(h.plugin->algorithms[answer->result.stats.algorithm],
					    rows[i].algorithm);
			assert_int_equal(answer->result.status,
					 length < 0 ? PZ_UNSOLVABLE : PZ_SOLVED);
			if (length >= 0 && (int)answer->result.length != length)
				fail_msg("%s is %d, and %u by %s", board, length,
					 answer->result.length, rows[i].algorithm);
			tried++;
		}
		assert_true(tried >= 20 / SLOWER);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_search_agrees),
		cmocka_unit_test(every_board),
	};

	return NAIVE_RUN("8puzzle.so", tests);
}
