/* SPDX-License-Identifier: MIT */
/* request: what the command line asks to be checked. */
#ifndef CHECKER_REQUEST_H
#define CHECKER_REQUEST_H

#include "common/wire.h"

#include <stdbool.h>
#include <stdint.h>

enum { REQUEST_BOARDS = 64 };

struct request {
	const char *file;   /* the plugin; contains a slash */
	const char *goal;   /* as configured; NULL: the plugin's own */
	const char *tables; /* folder of tables; NULL: none */
	uint64_t seed;
	uint64_t memory; /* bytes that a worker may have */
	bool json;
	struct wire_option options[WIRE_LIST_MAX];
	uint32_t option_count;
	struct text boards[REQUEST_BOARDS]; /* to try beside those that are made */
	uint32_t board_count;
};

#endif
