/* SPDX-License-Identifier: MIT */
/*
 * fake_worker: speaks the wire to the daemon and misbehaves on command, before any real plugin
 * does.
 *
 * It takes the place of puzzled-worker (`worker =` in the configuration).  The last part of `plugin
 * =` says how it behaves as a worker, a table in fake_worker.c; the text of a board says what to do
 * on that board, a table in fake_boards.c.  Whatever else a board says is its own solution, without
 * a move.  Results of one job leave together at its end, so that a death in the middle loses those
 * of the boards before: the hardest that a worker may make it for the daemon.
 */
#ifndef TESTS_FAKE_WORKER_H
#define TESTS_FAKE_WORKER_H

#include "common/wire.h"

#include <stdbool.h>
#include <stdint.h>

enum { FAKE_LOWER_BOUND = 7 };

/* What is being run, and the channel. */
struct fake {
	struct buf in, out;
	struct wire_page *page;
	uint64_t job;   /* 0: none */
	uint32_t board; /* its index in the job */
	bool stop;      /* it was cancelled */
	bool rude;      /* answers no CANCEL and no RECALL, and obeys none */
};

extern struct fake fake;

/* Reads what is there, or waits up to `ms` (-1: for ever) for something.  The end of the channel is
 * ours too. */
void fake_look(int ms);

/* Sends what was put. */
void fake_flush(void);

void fake_hello(uint32_t version);

/* Does what the text says, and ends the job's results. */
void fake_run_board(struct text text);
void fake_end_results(void);

/* One RESULT frame of `count` results that says it is of this job and begins with this board. */
void fake_put_false(uint64_t job, uint32_t first, unsigned count);

/* Stays, deaf and dumb. */
_Noreturn void fake_hang(void);
_Noreturn void fake_die(int number);
void fake_nap(int64_t ms);

#endif
