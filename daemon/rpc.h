/* SPDX-License-Identifier: MIT */
/*
 * rpc: JSON-RPC 2.0: a line of bytes to a request, an answer to a line of bytes.  Does no I/O.
 */
#ifndef DAEMON_RPC_H
#define DAEMON_RPC_H

#include "common/buf.h"
#include "common/errors.h"
#include "common/text.h"

#include <jansson.h>

/* The id of a request, as it will be echoed. */
struct rpc_id {
	struct text json; /* printed JSON; data NULL: a notification, which gets no reply */
	uint32_t hash;    /* of those bytes */
	char small[24];   /* where short ones stand */
	char *large;      /* where long ones stand, owned; NULL for short ones */
};

/* A request whose envelope is right.  Owned by its receiver: rpc_free. */
struct rpc_call {
	int64_t received_us; /* when it came, by the monotonic clock: whoever reads lines sets it */
	struct rpc_id id;
	const char *method; /* NUL-ended, within `root` */
	json_t *params;     /* an object, within `root`; NULL: none were given */
	json_t *root;
};

/*
 * Reads one line (without its newline).  0, or -1 with *ret_error filled; then ret->id is what can
 * be told of the id (for the error's reply) and nothing else holds.  rpc_free either way.  At most
 * `max_values` JSON values are accepted.
 */
int rpc_parse(struct text line, size_t max_values, struct rpc_call *ret, struct error *ret_error);

/* Reads an id.  0, or -1 with *ret_error; rpc_free_id either way. */
int rpc_read_id(const json_t *json, struct rpc_id *ret, struct error *ret_error);

void rpc_free(struct rpc_call *call);

/* Moves the id out of the call, which is left without one. */
struct rpc_id rpc_take_id(struct rpc_call *call);
void rpc_free_id(struct rpc_id *id);

/* The text of an id; those stored in `small` move with the struct. */
static inline struct text rpc_id_text(const struct rpc_id *id)
{
	return (struct text){id->large       ? id->large
			     : id->json.data ? id->small
					     : NULL,
			     id->json.len};
}

/* `{"jsonrpc":"2.0","id":ID,` ... an id that is not given comes out as null. */
void rpc_begin_reply(struct buf *out, const struct rpc_id *id);

/* `}` and the newline. */
void rpc_end_reply(struct buf *out);

/* `{"code":...,"message":...,"data":{"kind":...}}` */
void rpc_put_error(struct buf *out, const struct error *error);

/* A whole reply that is an error. */
void rpc_put_error_reply(struct buf *out, const struct rpc_id *id, const struct error *error);

#endif
