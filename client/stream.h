/* SPDX-License-Identifier: MIT */
/*
 * stream: any number of boards through the daemon, in order, in bounded memory.
 *
 * Boards are asked for as `boards` requests, two of them in flight.  A chunk goes out when it is
 * full or when its source would have to wait for the next board, so that boards typed one by one
 * are answered one by one.  How many boards fill a chunk follows from how long the last one took,
 * since the daemon's deadline is for a request: hard boards travel in small company, and one that
 * timed out in company is asked for once more alone, so that the timeout is for each board.
 */
#ifndef CLIENT_STREAM_H
#define CLIENT_STREAM_H

#include "client/client.h"
#include "client/fault.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	STREAM_BOARDS = 1000,      /* in one request, at most */
	STREAM_FIRST = 16,         /* in the first */
	STREAM_FAST_MS = 250,      /* a request that takes less lets the next be larger */
	STREAM_SLOW_MS = 1000,     /* one that takes more makes the next smaller */
	STREAM_BYTES = 512 * 1024, /* of one request's boards as JSON, below half of max_line */
	STREAM_IN_FLIGHT = 2       /* requests */
};

/* A board, or something else that takes its place in the order. */
struct stream_item {
	json_t *board; /* a string; NULL: nothing is asked, and `answer` gets no result */
	void *note;    /* the source's own, freed by free() */
};

struct stream_ops {
	/* The next item: 1 with *ret (board and note become the stream's), 0 at the end, -1 with
	 * *fault. */
	int (*next)(void *data, struct stream_item *ret, struct fault *fault);
	/* True when `next` would not wait. */
	bool (*ready)(void *data);
	/* The result of the item, in order; NULL for one without a board. 0, or -1 with *fault:
	 * stop. */
	int (*answer)(void *data, const struct stream_item *item, const json_t *result,
		      struct fault *fault);
};

/*
 * Runs it: each request has `params` and `boards`.  `timeout` is the request's.  Returns 0, or -1
 * with *fault; what came before a failure of `next` has then been answered.
 */
int stream_run(struct client *client, const json_t *params, struct number timeout,
	       const struct stream_ops *ops, void *data, struct fault *fault);

#endif
