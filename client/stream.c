/* SPDX-License-Identifier: MIT */
#include "client/stream.h"

#include <stdio.h>
#include <stdlib.h>

/* A run of items and the request that asks for their boards. */
struct chunk {
	int64_t id; /* of the request; 0: none, since no item has a board, or it is not sent yet */
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

static bool chunk_full(const struct chunk *chunk)
{
	return chunk->count == STREAM_BOARDS || chunk->bytes >= STREAM_BYTES;
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
	chunk->bytes += sizeof(*item) + item->bytes;
	if (!item->board)
		return 0;
	if (!chunk->boards)
		chunk->boards = json_array();
	return json_array_append(chunk->boards, item->board) < 0 ? fault_memory(fault) : 0;
}

static int send_chunk(struct stream *stream, struct chunk *chunk, struct fault *fault)
{
	stream->flying++;
	if (!chunk->boards)
		return 0;
	json_t *params = json_copy((json_t *)stream->params);
	if (json_object_set(params, "boards", chunk->boards) < 0) {
		json_decref(params);
		return fault_memory(fault);
	}
	if (client_connect(stream->client, fault) < 0) {
		json_decref(params);
		return -1;
	}
	chunk->id = channel_send(stream->client->channel, "solve", params, fault);
	return chunk->id < 0 ? -1 : 0;
}

/* Hands the results, one for each board, to the items of the chunk. */
static int answer_items(struct stream *stream, struct chunk *chunk, const json_t *results,
			struct fault *fault)
{
	if (json_array_size(results) != json_array_size(chunk->boards))
		return fault_set(fault, EXIT_PROTOCOL, "the daemon answered %zu of %zu boards",
				 json_array_size(results), json_array_size(chunk->boards));
	size_t board = 0;
	for (size_t i = 0; i < chunk->count; i++) {
		const struct stream_item *item = &chunk->items[i];
		const json_t *result = item->board ? json_array_get(results, board++) : NULL;
		if (stream->ops->answer(stream->data, item, result, fault) < 0)
			return -1;
	}
	return 0;
}

/* Waits for the oldest chunk in flight and has it answered. */
static int finish_chunk(struct stream *stream, struct fault *fault)
{
	struct chunk *chunk = chunk_at(stream, 0);
	struct reply reply = {0};
	int result = 0;
	if (chunk->id > 0) {
		result = channel_wait(stream->client->channel, chunk->id,
				      client_deadline(stream->timeout), &reply, fault);
		if (result == 0 && reply.error)
			result = fault_of_error(fault, reply.error);
	}
	if (result == 0)
		result = answer_items(stream, chunk, reply.result, fault);
	/* Whoever reads our output through a pipe need not wait for the next request. */
	fflush(stdout);
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
	if (!stream->ended && !chunk_full(filling) && (idle || stream->ops->ready(stream->data)))
		return take_item(stream, filling, fault);
	if (filling->count > 0 && stream->flying < STREAM_IN_FLIGHT)
		return send_chunk(stream, filling, fault);
	return finish_chunk(stream, fault);
}

int stream_run(struct client *client, const json_t *params, struct number timeout,
	       const struct stream_ops *ops, void *data, struct fault *fault)
{
	struct stream stream = {
		.client = client, .params = params, .timeout = timeout, .ops = ops, .data = data};
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
