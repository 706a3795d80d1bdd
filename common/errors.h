/* SPDX-License-Identifier: MIT */
/* errors: the one table of what can go wrong with a request. */
#ifndef COMMON_ERRORS_H
#define COMMON_ERRORS_H

#include "common/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Kinds of error.  The order is free; users see the names and codes of the table. */
enum error_kind {
	ERR_NONE,
	ERR_PARSE,
	ERR_INVALID_REQUEST,
	ERR_METHOD_NOT_FOUND,
	ERR_INVALID_PARAMS,
	ERR_INTERNAL,
	ERR_INVALID_BOARD,
	ERR_UNKNOWN_PUZZLE,
	ERR_TIMEOUT,
	ERR_CANCELLED,
	ERR_BUSY,
	ERR_MEMORY_LIMIT,
	ERR_WORKER_CRASHED,
	ERR_WRONG_ANSWER,
	ERR_PLUGIN_FAILED,
	ERR_PUZZLE_UNAVAILABLE,
	ERR_SHUTTING_DOWN,
	ERR_FORBIDDEN,
	ERR_QUOTA,
	ERR_RELOAD_FAILED,
	ERR_KINDS /* how many there are */
};

/* Exit statuses of puzzlectl. */
enum exit_status {
	EXIT_SOLVED = 0, /* answered */
	EXIT_NO_SOLUTION =
		1,      /* proved unsolvable, past the limit, or a solution that verify refuses */
	EXIT_USAGE = 2, /* bad usage, bad board, bad parameters */
	EXIT_PROTOCOL = 3, /* no daemon, or it and we do not understand each other */
	EXIT_TIME = 4,     /* timeout or cancelled */
	EXIT_FAULT = 5     /* worker crash or any other error */
};

/* A row of the table. */
struct error_info {
	const char *name;     /* data.kind */
	int code;             /* JSON-RPC's error.code */
	int exit;             /* enum exit_status */
	bool retryable;       /* the same request may succeed later */
	const char *sentence; /* what it means, for a person */
};

/* The row of `kind`; never NULL (a value that is no kind gives that of ERR_INTERNAL). */
const struct error_info *error_info(enum error_kind kind);

/* The kind with this name, or ERR_NONE. */
enum error_kind error_by_name(struct text name);

/* Prints the table, one line a kind, TAB-separated: name, code, puzzlectl's exit status, whether
 * the same request may succeed later (yes, no), and the sentence. */
void errors_print(FILE *out);

/* A fault with its particulars. */
struct error {
	enum error_kind kind;
	int64_t position;    /* 1 + the byte in the board that is wrong; 0: no one place */
	int64_t lower_bound; /* a solution costs no less, proved; -1: nothing known */
	int64_t board;       /* 1 + the index in `boards`; 0: not one of several */
	char reason[512];    /* a sentence for a person, UTF-8, NUL-ended */
};

/* Says in the error, in its number and its sentence, that a solution is proved to cost at least
 * `lower_bound`. */
void error_set_bound(struct error *error, uint64_t lower_bound);

/* Fills *ret (position 0, lower_bound -1, board 0) and returns -1, so that `return error_set(...)`
 * reads well. A reason that is too long is cut at a character's border. */
__attribute__((format(printf, 3, 4))) int error_set(struct error *ret, enum error_kind kind,
						    const char *format, ...);

#endif
