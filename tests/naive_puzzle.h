/* SPDX-License-Identifier: MIT */
/*
 * What the tests of all puzzles have in common, over one plugin that is open with its own goal.
 * What does not hold fails the test that asked.
 */
#ifndef NAIVE_PUZZLE_H
#define NAIVE_PUZZLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/naive_host.h"

#define NAIVE_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The plugin under test. */
extern struct naive_host h;

/* NAIVE_RUN: opens the plugin `file` as `h`, runs the tests, and is what main returns. */
#define NAIVE_RUN(file, tests)                                                                     \
	(naive_puzzle_file = (file), setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1),                    \
	 cmocka_run_group_tests_name(file, tests, naive_puzzle_open, naive_puzzle_close))
extern const char *naive_puzzle_file;
int naive_puzzle_open(void **state);
int naive_puzzle_close(void **state);

/* ---- boards -------------------------------------------------------------------------------- */

struct naive_bad {
	const char *board;
	size_t position;
	const char *says; /* part of the reason */
};

/*
 * naive_refuses: texts that are no board, and where and how check says so; where a `good` board is
 * given, also as its goal.
 */
void naive_refuses(const struct naive_bad *bad, size_t count, const char *good);

/* naive_same: texts that all say one board, which is printed as the first of them. */
void naive_same(const char *const *texts, size_t count);

/* naive_replay: plays moves by their names, with spaces between, whatever they are. */
struct naive_played {
	struct pz_replay replay;
	char final[PZ_BOARD_MAX + 1];
};
const struct naive_played *naive_replay(const char *board, const char *goal, const char *moves);

/* naive_neighbours: "NAME COST BOARD; " of each.  Valid until the next. */
const char *naive_neighbours(const char *board);

/*
 * naive_generates: for seeds below `count`, boards that check accepts, the same again for the same
 * seed and not all the same; with `most` >= 0 also solves them, at no more than that cost.
 */
void naive_generates(const char *goal, unsigned count, int64_t most);

/* naive_generate: a board of just this length; -1 with an error. */
int naive_generate(const char *goal, unsigned seed, int64_t length, char text[PZ_BOARD_MAX + 1],
		   struct pz_error *error);

/* ---- answers ------------------------------------------------------------------------------- */

/* naive_by: what one algorithm answers with one heuristic.  Valid until the next. */
const struct naive_answer *naive_by(const char *algorithm, const char *heuristic, const char *board,
				    const char *goal);

/* naive_cost_by: the cost of that answer; -1 unsolvable, -2 anything else. */
int naive_cost_by(const char *algorithm, const char *heuristic, const char *board,
		  const char *goal);

/* naive_estimate: what a heuristic says of a board. */
int naive_estimate(const char *heuristic, const char *board, const char *goal);

struct naive_known {
	const char *board, *goal;
	int cost; /* -1: unsolvable */
};

/* naive_knows: the default algorithm's costs. */
void naive_knows(const struct naive_known *known, size_t count);

/*
 * naive_published: the same of each line of a file of tests/data: BOARD [GOAL] LENGTH, with tabs
 * between, comments beginning with #, -1 where there is none; but for those longer than `most`.
 * With a limit (-1: none) longer ones have to be refused for it.  Returns how many were answered.
 */
unsigned naive_published(const char *file, int most, int64_t max_length, unsigned *ret_refused);

/*
 * naive_limits: the cost `least`, as a limit, lets the board be solved, and one less refuses it
 * with the true bound; as a limit of the length too where that is the same.
 */
void naive_limits(const char *algorithm, const char *board, const char *goal, int least);

/*
 * naive_gives_up: stopped after some polls, IDA* says what it has proved, which is at least `least`
 * and at most `most`; and A*, when it has `memory` bytes alone, at least what the heuristic says.
 */
void naive_gives_up(const char *board, const char *goal, unsigned polls, size_t memory, int least,
		    int most);

#endif
