/* SPDX-License-Identifier: MIT */
/*
 * work: one board at a time: the room that answering one needs, and what its operations share.
 *
 * work_solve, work_verify and work_generate each fill a wire_result that the caller has zeroed.
 * Its texts and arrays point into the work and hold until the next board.  Nothing is allocated
 * unless boards are to be traced or drawn.
 */
#ifndef WORKER_WORK_H
#define WORKER_WORK_H

#include "common/buf.h"
#include "common/wire.h"
#include "puzzled/plugin.h"
#include "worker/host.h"

#include <stdbool.h>
#include <stdint.h>

struct work {
	/* The job, as params_set made it; `pz.board` changes from board to board. */
	const struct host *host;
	struct pz_job pz;
	uint32_t flags, notation; /* as in wire_job, wire_result */
	struct text moves;        /* VERIFY */
	uint64_t seed;            /* GENERATE */
	int64_t length;           /* GENERATE */
	const bool *stopped;      /* whether poll has said stop */

	/* The board at hand. */
	uint64_t now; /* clock_ns() when the plugin had answered, or 0 */
	uint16_t path[PZ_PATH_MAX];
	char final[PZ_BOARD_MAX];
	char reason[LIMIT_REASON + 256];
	struct buf trace, render;
	struct pz_iteration iterations[PZ_ITERATIONS_MAX];
	struct wire_iteration wire_iterations[PZ_ITERATIONS_MAX];
	struct pz_value options[PZ_OPTIONS_MAX]; /* the job's, where it sets some */
};

void work_init(struct work *work, const struct host *host, const bool *stopped);

/* Looks for a shortest solution, and makes its moves again before believing it. */
void work_solve(struct work *work, struct wire_result *ret);

/* Makes the moves in `moves` and tells how far they are legal. */
void work_verify(struct work *work, struct wire_result *ret);

/* Makes a board. */
void work_generate(struct work *work, struct wire_result *ret);

/* ---- for the operations ---- */

/* Makes *ret a failure: of this kind, with a sentence. */
__attribute__((format(printf, 4, 5))) void work_fail(struct work *work, struct wire_result *ret,
						     enum error_kind kind, const char *format, ...);

/* The same with a plugin's own reason and position. */
void work_fail_reason(struct work *work, struct wire_result *ret, enum error_kind kind,
		      struct pz_error *why);

/* Asks the plugin whether the board is one.  False: *ret is the failure. */
bool work_check(struct work *work, struct wire_result *ret);

/*
 * Makes the first `count` moves of the path, and keeps the board reached in ret->final and, where
 * the job wants them, the boards on the way in ret->trace.  False: the plugin contradicts itself,
 * *ret is the failure.
 */
bool work_replay(struct work *work, size_t count, struct pz_replay *replay,
		 struct wire_result *ret);

/* Draws what the job wants drawn: the boards of ret->trace, else `board`. */
void work_draw(struct work *work, struct pz_text board, struct wire_result *ret);

#endif
