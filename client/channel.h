/* SPDX-License-Identifier: MIT */
/*
 * channel: JSON-RPC requests over a conn, and the replies that belong to them.
 *
 * Replies come in the daemon's order; channel_wait gives them in the caller's and keeps the others
 * until they are asked for.
 */
#ifndef CLIENT_CHANNEL_H
#define CLIENT_CHANNEL_H

#include "client/conn.h"
#include "client/fault.h"

#include <jansson.h>
#include <stdint.h>

enum {
	CHANNEL_IN_FLIGHT = 8 /* requests without a reply on one channel */
};

struct channel;

/* What the daemon answered: one of `result` and `error`, the other NULL; both belong to `root`. */
struct reply {
	json_t *root;
	json_t *result;
	json_t *error; /* an object */
};

/* Called with the params of each progress notification. */
typedef void channel_progress(void *data, const json_t *params);

/* A channel over `conn`, which it owns from now on; NULL (conn freed) without memory. */
struct channel *channel_new(struct conn *conn);

/* Frees everything; `channel` may be NULL. */
void channel_free(struct channel *channel);

void channel_on_progress(struct channel *channel, channel_progress *progress, void *data);

/*
 * Sends a request.  Takes `params` over in every case (NULL: no memory for them, or no params when
 * the method has none is `json_object()`).  Returns its id, above 0, or -1 with *fault.
 */
int64_t channel_send(struct channel *channel, const char *method, json_t *params,
		     struct fault *fault);

/*
 * Waits for the reply to the request `id`, at most until `deadline` (conn_clock_ms; -1: for ever).
 * Returns 0 with *ret, which the caller gives to reply_free, or -1 with *fault.
 */
int channel_wait(struct channel *channel, int64_t id, int64_t deadline, struct reply *ret,
		 struct fault *fault);

void reply_free(struct reply *reply);

/* The fault that the daemon's error object stands for; returns -1. */
int fault_of_error(struct fault *ret, const json_t *error);

#endif
