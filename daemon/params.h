/* SPDX-License-Identifier: MIT */
/* params: the parameters of a call, taken from JSON by one table of names and types. */
#ifndef DAEMON_PARAMS_H
#define DAEMON_PARAMS_H

#include "common/buf.h"
#include "common/errors.h"
#include "common/limits.h"
#include "common/text.h"
#include "common/wire.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Which methods take a parameter. */
enum params_for {
	FOR_SOLVE = 1,
	FOR_VERIFY = 2,
	FOR_GENERATE = 4,
	FOR_DESCRIBE = 8,
	FOR_CANCEL = 16,
	FOR_TABLE = 32,
};

/* Texts and values are views into the call's JSON, or into `numbers`: the struct must stay where it
 * is. */
struct params {
	struct text puzzle, algorithm, heuristic, notation, table; /* data NULL: not given */
	json_t *board, *boards, *goal, *moves, *id;                /* NULL: not given */
	int64_t max_length, max_cost, length;                      /* -1: not given */
	int64_t timeout_ms, seed;                                  /* -1: not given */
	bool trace, render, iterations, progress;
	uint32_t option_count; /* whatever else was given: the plugin's */
	struct wire_option options[LIMIT_JOB_OPTIONS];
	char numbers[LIMIT_JOB_OPTIONS][24]; /* the text of those that are numbers */
};

/*
 * Reads the parameters (NULL: none) of a call of a method that takes those of `methods`.  0, or -1
 * with *ret_error.
 */
int params_read(json_t *params, unsigned methods, struct params *ret, struct error *ret_error);

/*
 * The text of a board or goal: a string as it is; an array of cells, joined by spaces; or an array
 * of such arrays, joined by newlines.  `what` names it in errors.  The text is a view into the JSON
 * or into `store`, which is emptied first. 0, or -1 with *ret_error (ERR_INVALID_PARAMS: no board
 * by type; ERR_INVALID_BOARD: too long).
 */
int params_board(json_t *json, const char *what, struct buf *store, struct text *ret,
		 struct error *ret_error);

/* The moves to verify, as the wire wants them: names ended by newlines, put into `out`. */
int params_moves(json_t *json, struct buf *out, struct error *ret_error);

#endif
