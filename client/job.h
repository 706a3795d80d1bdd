/* SPDX-License-Identifier: MIT */
/* job: the options that every command which solves has, and the request that they make. */
#ifndef CLIENT_JOB_H
#define CLIENT_JOB_H

#include "client/fault.h"
#include "client/options.h"

#include <jansson.h>
#include <stddef.h>

/* The first member of such a command's values. */
struct job_values {
	const char *goal, *algorithm, *heuristic, *notation;
	struct number max_length, max_cost, timeout;
	json_t *settings;
};

/* Rows of such a command's table. */
#define JOB_OPTION_GOAL                                                                            \
	{                                                                                          \
		"goal", 'g', OPTION_TEXT, offsetof(struct job_values, goal), "BOARD",              \
			"the board to reach (default: the puzzle's)"                               \
	}
#define JOB_OPTION_TIMEOUT                                                                         \
	{                                                                                          \
		"timeout", 't', OPTION_DURATION, offsetof(struct job_values, timeout), "TIME",     \
			"give up after 500ms, 2s, 1m (default: the puzzle's)"                      \
	}
#define JOB_OPTION_SETTING                                                                         \
	{                                                                                          \
		"option", 'o', OPTION_SETTING, offsetof(struct job_values, settings), "KEY=VALUE", \
			"an option of the puzzle; 'describe' lists them"                           \
	}
#define JOB_OPTION_LIMITS                                                                          \
	{"max-length",  'm',                                                                       \
	 OPTION_NUMBER, offsetof(struct job_values, max_length),                                   \
	 "N",           "no solution of more than N moves"},                                       \
	{                                                                                          \
		"max-cost", 0, OPTION_NUMBER, offsetof(struct job_values, max_cost), "N",          \
			"no solution that costs more than N"                                       \
	}
#define JOB_OPTION_METHOD                                                                          \
	{"algorithm", 'a',                                                                         \
	 OPTION_TEXT, offsetof(struct job_values, algorithm),                                      \
	 "NAME",      "auto, table, ida, astar, ... as the puzzle has them"},                      \
	{                                                                                          \
		"heuristic", 0, OPTION_TEXT, offsetof(struct job_values, heuristic), "NAME",       \
			"one of the puzzle's heuristics"                                           \
	}
#define JOB_OPTION_NOTATION                                                                        \
	{                                                                                          \
		"notation", 'n', OPTION_TEXT, offsetof(struct job_values, notation), "NAME",       \
			"how moves are named; 'describe' lists the ways"                           \
	}

/* The params that these options make for `puzzle`; NULL with *fault. */
json_t *job_params(const struct job_values *values, const char *puzzle, struct fault *fault);

/* Sets a key of `params` to a text. Returns 0, or -1 with *fault. */
int job_set_text(json_t *params, const char *key, const char *text, size_t len,
		 struct fault *fault);

/* Sets a key to `value`, taken over (NULL: no memory). Returns 0, or -1 with *fault. */
int job_set(json_t *params, const char *key, json_t *value, struct fault *fault);

#endif
