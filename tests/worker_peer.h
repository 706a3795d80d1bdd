/* SPDX-License-Identifier: MIT */
/*
 * worker_peer: plays the daemon to a real puzzled-worker, for tests.
 *
 * Whatever goes wrong between the two fails the test that is running.  No wait is for ever: after
 * PEER_PATIENCE_MS without a frame that is due, the test fails.
 */
#ifndef TESTS_WORKER_PEER_H
#define TESTS_WORKER_PEER_H

#include "common/wire.h"

#include <stdio.h>
#include <sys/types.h>

enum { PEER_PATIENCE_MS = 60 * 1000, PEER_FRAMES = 4096 };

struct peer {
	pid_t pid;
	int fd;
	struct wire_page *page;
	FILE *noise;             /* what the worker prints on its standard output and error */
	struct buf in;           /* received, not yet a whole frame */
	char *kept[PEER_FRAMES]; /* payloads taken: they stay until peer_end */
	size_t kept_count;
	uint64_t last_job; /* number of the last job sent */
};

/* Starts a worker and says nothing to it yet. */
void peer_start(struct peer *peer);

/* The path of a test plugin. */
const char *peer_plugin(const char *name);

/* A SETUP for a test plugin. */
struct wire_setup peer_setup(const char *plugin);

/* Starts a worker with this setup. */
void peer_start_with(struct peer *peer, const struct wire_setup *setup);

/* Starts a worker with a test plugin and takes its HELLO. */
void peer_open(struct peer *peer, const char *plugin);

/* Sends bytes. */
void peer_send(struct peer *peer, struct text bytes);

/* A solve of nothing in particular: what a test does not care for. */
struct wire_job peer_job(enum wire_op op);

/* A solve that takes so many milliseconds for each board, of the plugin "good". */
struct wire_job peer_slow_job(const char *ms);

/* One that takes longer than any test waits. */
struct wire_job peer_endless_job(void);

/* Puts a job with these boards, ended by NULL, into `out`; returns its number. */
uint64_t peer_put_job(struct peer *peer, struct buf *out, const struct wire_job *job,
		      const char *const *boards);

/* Sends a job with these boards, ended by NULL; returns its number. */
uint64_t peer_send_job(struct peer *peer, const struct wire_job *job, const char *const *boards);

/* Waits until the worker has begun that board of that job. */
void peer_await(struct peer *peer, uint64_t job, uint32_t board);

void sleep_ms(int ms);

/* The next frame.  False: end-of-file. */
bool peer_next(struct peer *peer, struct frame *ret);

/* The payload of the next frame, which must be of this type. */
struct text peer_expect(struct peer *peer, enum wire_type type);

/* The results of the job, `count` of them, in as many frames as they come in; nothing else may
 * come. */
void peer_results(struct peer *peer, uint64_t job, uint32_t count, struct wire_result *ret);

/* Sends the job with one board and takes its result. */
struct wire_result peer_ask(struct peer *peer, const struct wire_job *job, const char *board);

/* Expects end-of-file; returns the wait status of the worker and frees everything. */
int peer_wait(struct peer *peer);

/* Closes the channel and expects an orderly end. */
void peer_end(struct peer *peer);

/* Everything that the worker has printed, as a string for free(). */
char *peer_noise(struct peer *peer);

/* ---- what a test says of results ---- */

void assert_text(struct text text, const char *string);

/* That `text` contains the string. */
void assert_has(struct text text, const char *part);

void assert_failure(const struct wire_result *result, enum error_kind kind, const char *part);

#endif
