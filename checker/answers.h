/* SPDX-License-Identifier: MIT */
/* answers: every sample solved by every algorithm with every heuristic, as far as patience goes. */
#ifndef CHECKER_ANSWERS_H
#define CHECKER_ANSWERS_H

#include "checker/subject.h"

struct answer {
	bool asked; /* false: this way of solving had been too slow too often */
	uint32_t status, error;
	uint32_t length;
	uint64_t cost, lower_bound, expanded, generated;
	bool beyond;                /* ids were written past path_max */
	uint64_t path;              /* a hash of the moves */
	char reason[PAGE_NOTE / 2]; /* WIRE_FAILED */
};

struct answers {
	uint32_t ways; /* algorithms times heuristics */
	uint32_t samples;
	struct answer *of; /* [sample * ways + way] */
};

/* Computes them, once.  NULL: no memory. */
const struct answers *answers_of(struct subject *s);

/* Solves the board one way. */
void answer_get(struct subject *s, struct text board, uint32_t way, int64_t max_length,
		int64_t max_cost, uint32_t stop_ms, struct answer *ret);

uint32_t ways_of(const struct subject *s);

/* "ida with manhattan", in `room`. */
const char *way_name(const struct subject *s, uint32_t way, char room[static 80]);

/* Whether an algorithm says that it can't do this job, which it may. */
bool answer_declines(const struct answer *answer);

#endif
