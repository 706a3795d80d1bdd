/* SPDX-License-Identifier: MIT */
/* client: one run of puzzlectl: the global options, and the daemon that the command talks to. */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H

#include "client/channel.h"
#include "client/fault.h"
#include "client/options.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct local;

struct client {
	/* the global options */
	const char *socket; /* --socket; NULL: not given */
	bool local, json, verbose, help, version;
	/* the connection, made at the first request */
	bool daemon_only; /* the command asks about the service: a private daemon would be no answer */
	struct channel *channel;
	struct local *local_daemon;
};

/*
 * Connects, if that is not done yet: --local starts a private daemon; else --socket,
 * PUZZLED_SOCKET, and, when neither is given, the user's and the system's socket, and a private
 * daemon where nobody listens.  Returns 0, or -1 with *fault.
 */
int client_connect(struct client *client, struct fault *fault);

/*
 * Asks one question: takes `params` over (NULL: no memory), waits until `deadline` (conn_clock_ms;
 * -1: for ever).  Returns 0 with *ret holding a result (to be freed by reply_free), or -1 with
 * *fault, also when the daemon's answer is an error; the error itself is then in ret->error until
 * reply_free.
 */
int client_call(struct client *client, const char *method, json_t *params, int64_t deadline,
		struct reply *ret, struct fault *fault);

/* Ends the session; `failed`: shows what a private daemon logged. */
void client_close(struct client *client, bool failed);

/* The deadline (conn_clock_ms) of a request that the daemon answers within `timeout`, or -1. */
int64_t client_deadline(struct number timeout);

#endif
