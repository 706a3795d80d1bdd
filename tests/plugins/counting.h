/* SPDX-License-Identifier: MIT */
/*
 * counting: the puzzle that the test plugins are made of.  A board is a whole number, a move adds
 * one to it or takes one away, and the goal is another number, 0 if nobody says otherwise.
 *
 * Each plugin includes this once.  It may define before that
 *	COUNTING_WORDS    a list of strings, each ended by a comma: boards on which it misbehaves, which
 *	                  count as the number 3
 * and it gives its own callbacks where it differs.
 */
#ifndef TESTS_PLUGINS_COUNTING_H
#define TESTS_PLUGINS_COUNTING_H

#include "puzzled/plugin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef COUNTING_WORDS
#define COUNTING_WORDS
#endif

enum { COUNTING_UP, COUNTING_DOWN, COUNTING_MOVES, COUNTING_MOST = 1000 * 1000, COUNTING_WORD = 3 };

static const char *const counting_words[] = {COUNTING_WORDS NULL};
static const char *const counting_move_names[] = {"+", "-"};
static const char *const counting_algorithms[] = {"auto", NULL};

static inline bool counting_is(struct pz_text text, const char *word)
{
	return text.len == strlen(word) && memcmp(text.data, word, text.len) == 0;
}

/* Reads a board.  0, or -1 with the position in *error. */
static inline int counting_parse(struct pz_text text, int64_t *ret, struct pz_error *error)
{
	char digits[16];
	for (size_t i = 0; counting_words[i]; i++) {
		if (counting_is(text, counting_words[i])) {
			*ret = COUNTING_WORD;
			return 0;
		}
	}
	for (size_t i = 0; i <= text.len; i++) {
		bool fits = i < text.len && i < 9 &&
			    ((text.data[i] >= '0' && text.data[i] <= '9') ||
			     (text.data[i] == '-' && i == 0 && text.len > 1));
		if (!fits && (i < text.len || i == 0)) {
			error->position = i + 1;
			snprintf(error->reason, sizeof(error->reason), "a board is a whole number");
			return -1;
		}
	}
	memcpy(digits, text.data, text.len);
	digits[text.len] = '\0';
	*ret = strtoll(digits, NULL, 10);
	if (*ret < -COUNTING_MOST || *ret > COUNTING_MOST) {
		error->position = 0;
		snprintf(error->reason, sizeof(error->reason), "a board is at most %d",
			 COUNTING_MOST);
		return -1;
	}
	return 0;
}

/* The configured goal: self. */
static inline int counting_open(const struct pz_setup *setup, void **ret_self,
				struct pz_error *error)
{
	static int64_t goal;
	*ret_self = &goal;
	if (!setup->goal.data)
		return 0;
	if (counting_parse(setup->goal, &goal, error) < 0) {
		snprintf(error->reason, sizeof(error->reason), "goal: a goal is a whole number");
		return -1;
	}
	return 0;
}

/* Board and goal, which `check` has accepted. */
static inline int64_t counting_board(const struct pz_job *job)
{
	struct pz_error error;
	int64_t board = 0;
	counting_parse(job->board, &board, &error);
	return board;
}

static inline int64_t counting_goal(void *self, const struct pz_job *job)
{
	struct pz_error error;
	int64_t goal = *(int64_t *)self;
	if (job->goal.data)
		counting_parse(job->goal, &goal, &error);
	return goal;
}

static inline int counting_check(void *self, const struct pz_job *job, struct pz_error *error)
{
	int64_t number;
	(void)self;
	if (counting_parse(job->board, &number, error) < 0)
		return -1;
	if (job->goal.data && counting_parse(job->goal, &number, error) < 0) {
		snprintf(error->reason, sizeof(error->reason), "goal: a goal is a whole number");
		return -1;
	}
	return 0;
}

static inline void counting_solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	int64_t way = counting_goal(self, job) - counting_board(job);
	int64_t length = way < 0 ? -way : way;
	ret->lower_bound = (uint64_t)length;
	if (length > PZ_PATH_MAX || (job->max_length >= 0 && length > job->max_length) ||
	    (job->max_cost >= 0 && length > job->max_cost)) {
		ret->status = PZ_LIMIT;
		return;
	}
	for (int64_t i = 0; i < length; i++)
		ret->path[i] = way < 0 ? COUNTING_DOWN : COUNTING_UP;
	ret->status = PZ_SOLVED;
	ret->length = (uint32_t)length;
	ret->cost = (uint64_t)length;
	ret->stats.expanded = ret->stats.generated = (uint64_t)length;
}

static inline void counting_print(int64_t board, struct pz_buffer *out)
{
	int len = snprintf(out->data, out->cap, "%" PRId64, board);
	out->len = (size_t)len < out->cap ? (size_t)len : out->cap;
}

static inline void counting_visit(struct pz_replay *ret, int64_t board)
{
	char room[24];
	struct pz_buffer text = {room, sizeof(room), 0};
	if (!ret->visit)
		return;
	counting_print(board, &text);
	ret->visit(ret->arg, (struct pz_text){text.data, text.len});
}

static inline void counting_replay(void *self, const struct pz_job *job, const uint16_t *moves,
				   size_t count, struct pz_replay *ret)
{
	int64_t board = counting_board(job);
	counting_visit(ret, board);
	for (ret->done = 0; ret->done < count && moves[ret->done] < COUNTING_MOVES; ret->done++) {
		board += moves[ret->done] == COUNTING_UP ? 1 : -1;
		counting_visit(ret, board);
	}
	ret->legal = ret->done == count;
	ret->solved = board == counting_goal(self, job);
	ret->cost = ret->done;
	counting_print(board, &ret->final);
}

/* The members that every one of them has alike, but for the callbacks and the options. */
#define COUNTING_PLUGIN(its_name)                                                                  \
	.abi = PZ_ABI, .size = sizeof(struct pz_plugin), COUNTING_TEXTS(its_name)
#define COUNTING_TEXTS(its_name)                                                                   \
	.name = its_name, .version = "1.0", .summary = "count to a number",                        \
	.syntax = "A whole number.", .example = "3", .goal = "0", .moves = COUNTING_MOVES,         \
	.path_max = PZ_PATH_MAX, .move_names = counting_move_names,                                \
	.algorithms = counting_algorithms, .unit_cost = true, .board_max = 24

#endif
