/* SPDX-License-Identifier: MIT */
#include "client/channel.h"
#include "client/member.h"

#include <stdlib.h>
#include <string.h>

/*
 * A slot is free (id 0), waiting (id, no reply.root) or answered (id and reply.root); an answered
 * one is emptied by the channel_wait that asks for it.
 */
struct slot {
	int64_t id;
	struct reply reply;
};

struct channel {
	struct conn *conn;
	int64_t last_id;
	struct slot slots[CHANNEL_IN_FLIGHT];
	channel_progress *progress;
	void *progress_data;
};

struct channel *channel_new(struct conn *conn)
{
	struct channel *channel = calloc(1, sizeof(*channel));
	if (!channel) {
		conn_free(conn);
		return NULL;
	}
	channel->conn = conn;
	return channel;
}

void channel_free(struct channel *channel)
{
	if (!channel)
		return;
	for (size_t i = 0; i < CHANNEL_IN_FLIGHT; i++)
		reply_free(&channel->slots[i].reply);
	conn_free(channel->conn);
	free(channel);
}

void reply_free(struct reply *reply)
{
	json_decref(reply->root);
	*reply = (struct reply){0};
}

void channel_on_progress(struct channel *channel, channel_progress *progress, void *data)
{
	channel->progress = progress;
	channel->progress_data = data;
}

int fault_of_error(struct fault *ret, const json_t *error)
{
	const char *message = text_at(error, "message");
	const char *name = text_at(json_object_get(error, "data"), "kind");
	enum error_kind kind = error_by_name(text_of(name));
	/* The standard codes mean the same with a daemon that gives no kind, or one that is new. */
	json_int_t code = json_integer_value(json_object_get(error, "code"));
	for (enum error_kind k = ERR_NONE + 1; kind == ERR_NONE && k < ERR_KINDS; k++)
		if (error_info(k)->code == code)
			kind = k;
	enum exit_status status = kind == ERR_NONE ? EXIT_FAULT : error_info(kind)->exit;
	return fault_set(ret, status, "%s", message ? message : error_info(kind)->sentence);
}

static struct slot *slot_of(struct channel *channel, int64_t id)
{
	for (size_t i = 0; i < CHANNEL_IN_FLIGHT; i++)
		if (channel->slots[i].id == id)
			return &channel->slots[i];
	return NULL;
}

int64_t channel_send(struct channel *channel, const char *method, json_t *params,
		     struct fault *fault)
{
	struct slot *slot = slot_of(channel, 0);
	if (!slot) {
		json_decref(params);
		return fault_set(fault, EXIT_FAULT, "too many requests in flight");
	}
	int64_t id = ++channel->last_id;
	json_t *request = json_pack("{s:s, s:I, s:s, s:o}", "jsonrpc", "2.0", "id", (json_int_t)id,
				    "method", method, "params", params);
	char *line = request ? json_dumps(request, JSON_COMPACT) : NULL;
	json_decref(request);
	if (!line)
		return fault_memory(fault);
	int sent = conn_send(channel->conn, text_of(line), fault);
	free(line);
	if (sent < 0)
		return -1;
	slot->id = id;
	return id;
}

static int not_understood(struct fault *fault, const char *why)
{
	return fault_set(fault, EXIT_PROTOCOL, "the daemon's answer is not understood: %s", why);
}

/* Puts the reply in `root`, which it owns, into its slot. */
static int take_reply(struct channel *channel, json_t *root, struct fault *fault)
{
	struct reply reply = {root, json_object_get(root, "result"),
			      json_object_get(root, "error")};
	const json_t *id = json_object_get(root, "id");
	int result;
	if (!reply.result == !reply.error || (reply.error && !json_is_object(reply.error))) {
		result = not_understood(fault, "it holds neither a result nor an error, or both");
	} else if (json_is_null(id) && reply.error) {
		/* It could not even read which request this is about. */
		result = fault_of_error(fault, reply.error);
	} else {
		struct slot *slot = json_is_integer(id) && json_integer_value(id) > 0
					    ? slot_of(channel, json_integer_value(id))
					    : NULL;
		if (slot && !slot->reply.root) {
			slot->reply = reply;
			return 0;
		}
		result = not_understood(fault, "it is for a request that was not made");
	}
	reply_free(&reply);
	return result;
}

static int take_line(struct channel *channel, struct text line, struct fault *fault)
{
	json_error_t where;
	json_t *root = json_loadb(line.data, line.len, 0, &where);
	if (!json_is_object(root)) {
		json_decref(root);
		return not_understood(fault, root ? "it is not an object" : where.text);
	}
	const char *method = text_at(root, "method");
	if (!method)
		return take_reply(channel, root, fault);
	/* A notification; of those that we do not know, we need to know nothing. */
	if (channel->progress && strcmp(method, "progress") == 0)
		channel->progress(channel->progress_data, json_object_get(root, "params"));
	json_decref(root);
	return 0;
}

int channel_wait(struct channel *channel, int64_t id, int64_t deadline, struct reply *ret,
		 struct fault *fault)
{
	struct slot *slot = slot_of(channel, id);
	if (id <= 0 || !slot)
		return fault_set(fault, EXIT_FAULT, "there is no request %lld", (long long)id);
	while (!slot->reply.root) {
		struct text line;
		int got = conn_line(channel->conn, deadline, &line, fault);
		if (got == 0)
			return fault_set(fault, EXIT_PROTOCOL, "the daemon did not answer in time");
		if (got < 0 || take_line(channel, line, fault) < 0)
			return -1;
	}
	*ret = slot->reply;
	*slot = (struct slot){0};
	return 0;
}
