/* SPDX-License-Identifier: MIT */
#include "client/stream.h"
#include "client/member.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run of items and the request that asks for their boards. */
struct chunk {
	int64_t id; /* of the request; 0: none, since no item has a board, or it is not sent yet */
	int64_t sent_ms;
	json_t *boards;
	size_t count, bytes;
	struct stream_item items[STREAM_BOARDS];
};

/*
 * chunks[first], chunks[first + 1], ... are in flight, `flying` of them; the one after is being
 * filled.  The source ends once, by its end or by its fault.
 */
struct stream {
	struct client *client;
	const json_t *params;
	struct number timeout;
	const struct stream_ops *ops;
	void *data;
	struct chunk *chunks; /* STREAM_IN_FLIGHT + 1, a ring */
	size_t first, flying;
	size_t size; /* boards that fill a chunk now */
	bool ended, source_failed;
	struct fault source_fault;
};

static struct chunk *chunk_at(struct stream *stream, size_t offset)
{
	return &stream->chunks[(stream->first + offset) % (STREAM_IN_FLIGHT + 1)];
}

static void chunk_clear(struct chunk *chunk)
{
	for (size_t i = 0; i < chunk->count; i++) {
		json_decref(chunk->items[i].board);
		free(chunk->items[i].note);
	}
	json_decref(chunk->boards);
	chunk->boards = NULL;
	chunk->id = 0;
	chunk->count = chunk->bytes = 0;
}

static bool chunk_full(const struct stream *stream, const struct chunk *chunk)
{
	return chunk->count >= stream->size || chunk->bytes >= STREAM_BYTES;
}

/* Bytes of the string within a request: what JSON escapes is longer there. */
static size_t json_length(const json_t *string)
{
	const char *text = json_string_value(string);
	size_t len = json_string_length(string), total = strlen("\"\",");
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		total += c < 0x20 ? strlen("\\u0000") : c == '"' || c == '\\' ? 2 : 1;
	}
	return total;
}

/* Takes one item from the source into the chunk. */
static int take_item(struct stream *stream, struct chunk *chunk, struct fault *fault)
{
	struct stream_item *item = &chunk->items[chunk->count];
	*item = (struct stream_item){0};
	int got = stream->ops->next(stream->data, item, &stream->source_fault);
	if (got <= 0) {
		stream->ended = true;
		stream->source_failed = got < 0;
		return 0;
	}
	chunk->count++;
	if (!item->board)
		return 0;
	chunk->bytes += json_length(item->board);
	if (!chunk->boards)
		chunk->boards = json_array();
	return json_array_append(chunk->boards, item->board) < 0 ? fault_memory(fault) : 0;
}

/* Asks for boards. Returns the request's id, or -1 with *fault. */
static int64_t ask(struct stream *stream, json_t *boards, struct fault *fault)
{
	json_t *params = json_copy((json_t *)stream->params);
	if (json_object_set(params, "boards", boards) < 0) {
		json_decref(params);
		return fault_memory(fault);
	}
	if (client_connect(stream->client, fault) < 0) {
		json_decref(params);
		return -1;
	}
	return channel_send(stream->client->channel, "solve", params, fault);
}

/* Waits for what was asked. Returns 0 with as many results as there are boards, or -1 with
 * *fault. */
static int wait_for(struct stream *stream, int64_t id, const json_t *boards, struct reply *ret,
		    struct fault *fault)
{
	if (channel_wait(stream->client->channel, id, client_deadline(stream->timeout), ret,
			 fault) < 0)
		return -1;
	if (ret->error)
		return fault_of_error(fault, ret->error);
	if (json_array_size(ret->result) != json_array_size(boards))
		return fault_set(fault, EXIT_PROTOCOL, "the daemon answered %zu of %zu boards",
				 json_array_size(ret->result), json_array_size(boards));
	return 0;
}

static int send_chunk(struct stream *stream, struct chunk *chunk, struct fault *fault)
{
	stream->flying++;
	if (!chunk->boards)
		return 0;
	chunk->sent_ms = conn_clock_ms();
	chunk->id = ask(stream, chunk->boards, fault);
	return chunk->id < 0 ? -1 : 0;
}

static bool is_timeout(const json_t *result)
{
	const json_t *data = json_object_get(json_object_get(result, "error"), "data");
	const char *kind = text_at(data, "kind");
	return kind && strcmp(kind, error_info(ERR_TIMEOUT)->name) == 0;
}

/* Answers an item by what is found out when its board is asked for alone. */
static int answer_alone(struct stream *stream, const struct stream_item *item, struct fault *fault)
{
	struct reply reply = {0};
	json_t *boards = json_pack("[O]", item->board);
	int64_t id = boards ? ask(stream, boards, fault) : fault_memory(fault);
	int result = id < 0 ? -1 : wait_for(stream, id, boards, &reply, fault);
	if (result == 0)
		result = stream->ops->answer(stream->data, item, json_array_get(reply.result, 0),
					     fault);
	reply_free(&reply);
	json_decref(boards);
	return result;
}

/* Hands the results, one for each board, to the items of the chunk. */
static int answer_items(struct stream *stream, struct chunk *chunk, const json_t *results,
			struct fault *fault)
{
	bool company = json_array_size(chunk->boards) > 1;
	size_t board = 0;
	for (size_t i = 0; i < chunk->count; i++) {
		const struct stream_item *item = &chunk->items[i];
		const json_t *result = item->board ? json_array_get(results, board++) : NULL;
		int failed = company && is_timeout(result)
				     ? answer_alone(stream, item, fault)
				     : stream->ops->answer(stream->data, item, result, fault);
		if (failed < 0)
			return -1;
	}
	return 0;
}

static void adapt_size(struct stream *stream, const struct chunk *chunk)
{
	int64_t took = conn_clock_ms() - chunk->sent_ms;
	if (took < STREAM_FAST_MS && stream->size * 4 <= STREAM_BOARDS)
		stream->size *= 4;
	else if (took < STREAM_FAST_MS)
		stream->size = STREAM_BOARDS;
	else if (took > STREAM_SLOW_MS && stream->size > 1)
		stream->size = (stream->size + 3) / 4;
}

/* Waits for the oldest chunk in flight and has it answered. */
static int finish_chunk(struct stream *stream, struct fault *fault)
{
	struct chunk *chunk = chunk_at(stream, 0);
	struct reply reply = {0};
	int result = 0;
	if (chunk->id > 0) {
		result = wait_for(stream, chunk->id, chunk->boards, &reply, fault);
		adapt_size(stream, chunk);
	}
	if (result == 0)
		result = answer_items(stream, chunk, reply.result, fault);
	/* Whoever reads our output through a pipe need not wait for the next request. */
	fflush(stdout);
	if (result == 0 && ferror(stdout))
		result = fault_set(fault, EXIT_FAULT, "cannot write the answers");
	reply_free(&reply);
	chunk_clear(chunk);
	stream->first = (stream->first + 1) % (STREAM_IN_FLIGHT + 1);
	stream->flying--;
	return result;
}

/* One step: what can be done without waiting comes first, waiting for the source last. */
static int step(struct stream *stream, struct fault *fault)
{
	struct chunk *filling = chunk_at(stream, stream->flying);
	bool idle = filling->count == 0 && stream->flying == 0;
	if (!stream->ended && !chunk_full(stream, filling) &&
	    (idle || stream->ops->ready(stream->data)))
		return take_item(stream, filling, fault);
	if (filling->count > 0 && stream->flying < STREAM_IN_FLIGHT)
		return send_chunk(stream, filling, fault);
	return finish_chunk(stream, fault);
}

int stream_run(struct client *client, const json_t *params, struct number timeout,
	       const struct stream_ops *ops, void *data, struct fault *fault)
{
	struct stream stream = {.client = client,
				.params = params,
				.timeout = timeout,
				.ops = ops,
				.data = data,
				.size = STREAM_FIRST};
	stream.chunks = calloc(STREAM_IN_FLIGHT + 1, sizeof(*stream.chunks));
	if (!stream.chunks)
		return fault_memory(fault);
	int result = 0;
	while (result == 0 &&
	       (!stream.ended || stream.flying > 0 || chunk_at(&stream, 0)->count > 0))
		result = step(&stream, fault);
	for (size_t i = 0; i < STREAM_IN_FLIGHT + 1; i++)
		chunk_clear(&stream.chunks[i]);
	free(stream.chunks);
	if (result == 0 && stream.source_failed) {
		*fault = stream.source_fault;
		return -1;
	}
	return result;
}
