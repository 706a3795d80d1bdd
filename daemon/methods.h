/* SPDX-License-Identifier: MIT */
/* methods: what clients can ask for, by name. */
#ifndef DAEMON_METHODS_H
#define DAEMON_METHODS_H

#include "common/errors.h"
#include "daemon/rpc.h"

#include <stdbool.h>

struct server;
struct session;

/*
 * Runs a call: its reply is written now or will be.  False: the session has as much in flight as it may, and the
 * call must be tried again later; nothing has happened then.
 */
bool methods_run(struct session *session, struct rpc_call *call);

/* Something became known of a puzzle: calls that waited for this look again. */
void methods_known(struct server *server);

/*
 * A method: puts `"result":...` at the end of `out` and returns METHOD_REPLIED, or fills *ret_error; or takes the call's
 * id into a request, which replies later.
 */
enum method_code { METHOD_REPLIED, METHOD_LATER, METHOD_FULL, METHOD_ERROR };

/* solve, verify, generate: solve.c. */
enum method_code method_solve(struct session *session, struct rpc_call *call, struct buf *out,
			      struct error *ret_error);
enum method_code method_verify(struct session *session, struct rpc_call *call, struct buf *out,
			       struct error *ret_error);
enum method_code method_generate(struct session *session, struct rpc_call *call, struct buf *out,
				 struct error *ret_error);

/* The pool of the puzzle of this name, or NULL with *ret_error. */
struct pool *methods_pool(struct server *server, struct text name, struct error *ret_error);

#endif
