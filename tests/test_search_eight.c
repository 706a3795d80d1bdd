/* SPDX-License-Identifier: MIT */
/* 8puzzle.so against an independent breadth-first search, and its searches against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"
#include "tests/naive_eight.h"
#include "tests/naive_host.h"

#ifdef PZ_SANITIZED
enum { SLOWER = 20 }; /* so many times fewer boards where each takes longer */
#else
enum { SLOWER = 1 };
#endif

static struct naive_host h;

static int set_up(void **state)
{
	struct pz_error error;

	(void)state;
	return naive_open(&h, naive_load("8puzzle.so"), NULL, &error);
}

static int tear_down(void **state)
{
	(void)state;
	naive_close(&h);
	return 0;
}

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
	static struct naive_answer answer;
	struct pz_job job;
	unsigned i, k, tried;
	char board[10];

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tried = 0;
		for (k = 0; k < 1000; k += rows[i].step * SLOWER) {
			int length;

			naive_eight_board((int)(k * 7919u * 31u % NAIVE_EIGHT_BOARDS), board);
			length = naive_length(&h, board, "123804765");
			if (length > rows[i].most)
				continue;
			job = naive_job(&h, board, "123804765");
			job.algorithm = naive_choice(h.plugin->algorithms, rows[i].algorithm);
			job.heuristic = naive_choice(h.plugin->heuristics, rows[i].heuristic);
			naive_solve(&h, &job, &answer);
			assert_string_equal(h.plugin->algorithms[answer.result.stats.algorithm],
					    rows[i].algorithm);
			assert_int_equal(answer.result.status,
					 length < 0 ? PZ_UNSOLVABLE : PZ_SOLVED);
			if (length >= 0 && (int)answer.result.length != length)
				fail_msg("%s is %d, and %u by %s", board, length,
					 answer.result.length, rows[i].algorithm);
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

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("8puzzle's lengths", tests, set_up, tear_down);
}
