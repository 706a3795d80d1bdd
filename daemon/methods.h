/* SPDX-License-Identifier: MIT */
/* methods: what clients can ask for, by name. */
#ifndef DAEMON_METHODS_H
#define DAEMON_METHODS_H

#include "common/errors.h"
#include "daemon/rpc.h"

#include <stdbool.h>
#include <stdio.h>

struct errand;
struct pool;
struct request;
struct server;
struct session;

/*
 * Runs a call: its reply is written now or will be.  False: the session has as much in flight as it
 * may, and the call must be tried again later; nothing has happened then.
 */
bool methods_run(struct session *session, struct rpc_call *call);

/* Something became known of a puzzle: calls that waited for this look again. */
void methods_known(struct server *server);

/*
 * A method: puts `"result":...` at the end of `out` and returns METHOD_REPLIED, or fills
 * *ret_error; or takes the call's id into a request, which replies later.
 */
enum method_code { METHOD_REPLIED, METHOD_LATER, METHOD_FULL, METHOD_ERROR };

typedef enum method_code method_run(struct session *session, struct rpc_call *call, struct buf *out,
				    struct error *ret_error);

method_run method_solve, method_verify, method_generate;           /* solve.c */
method_run method_list, method_describe, method_status;            /* catalog.c */
method_run method_metrics;                                         /* metrics.c */
method_run method_tables, method_build_table, method_verify_table; /* tables.c */

/*
 * Makes a request of the call that is answered when `known` says that it can be: it is asked now
 * and whenever something becomes known of a puzzle, puts the reply and returns true, or returns
 * false.  `errand` is the request's then, also on failure; NULL: none, and the usual deadline.
 */
enum method_code methods_wait(struct session *session, struct rpc_call *call, struct pool *pool,
			      bool (*known)(struct request *request), struct errand *errand,
			      struct error *ret_error);

/* Puts `"tables":[...],`: those of the puzzle and how they are; tables.c. */
void tables_put(struct buf *out, const struct pool *pool);

/* Prints the methods, one line each, TAB-separated: name, who may call it (all, admin). */
void methods_print(FILE *out);

/* Whether a puzzle's first start is over, well or not. */
bool methods_settled(const struct pool *pool);

/* The pool of the puzzle of this name, or NULL with *ret_error. */
struct pool *methods_pool(struct server *server, struct text name, struct error *ret_error);

#endif
