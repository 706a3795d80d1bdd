/* SPDX-License-Identifier: MIT */
/* outcome: what the daemon found out about one board, read from its JSON. */
#ifndef CLIENT_OUTCOME_H
#define CLIENT_OUTCOME_H

#include "client/fault.h"

#include <jansson.h>
#include <stdint.h>

enum outcome_status {
	OUTCOME_SOLVED,
	OUTCOME_UNSOLVABLE,
	OUTCOME_LIMIT, /* no solution within the limit that the request set */
	OUTCOME_ERROR
};

/* All pointers are into the JSON that it was read from. */
struct outcome {
	enum outcome_status status;
	int64_t length, cost; /* solved; else -1 */
	int64_t lower_bound;  /* a solution costs no less; -1: nothing known */
	const char *kind;     /* error: the daemon's word for it, or NULL */
	int64_t position;     /* error: 1 + the byte of the board that is wrong; 0: no one place */
	const json_t *moves;  /* solved: an array; else NULL */
	const char *final;    /* the board reached; or NULL */
	const json_t *stats;  /* or NULL */
	struct fault fault;   /* error */
};

/*
 * Reads a result, or {"error": ...} as it stands in the array of `boards`.  Returns 0, or -1 with
 * *fault: it is neither.
 */
int outcome_read(struct outcome *ret, const json_t *result, struct fault *fault);

/* Reads the error object of a reply. */
void outcome_of_error(struct outcome *ret, const json_t *error);

/* The word for it: "solved", "unsolvable", "limit", "error". */
const char *outcome_word(const struct outcome *outcome);

/* What puzzlectl exits with. */
enum exit_status outcome_exit(const struct outcome *outcome);

/* A number of `stats`, or -1. */
int64_t outcome_stat(const struct outcome *outcome, const char *name);

#endif
