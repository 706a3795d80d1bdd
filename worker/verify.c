/* SPDX-License-Identifier: MIT */
/* verify: makes the moves that a user gave, as far as they are moves and legal. */
#include "worker/plain.h"
#include "worker/work.h"

#include <stdarg.h>
#include <stdio.h>

/* Bits of wire_result.valid. */
enum { ALL_LEGAL = 1, ENDS_AT_GOAL = 2 };

/* Takes the name of a move off the front of `rest`: what stands before the next newline. */
static struct text next_name(struct text *rest)
{
	const char *end = memchr(rest->data, '\n', rest->len);
	struct text name = {rest->data, end ? (size_t)(end - rest->data) : rest->len};
	size_t used = end ? name.len + 1 : name.len;
	rest->data += used;
	rest->len -= used;
	return name;
}

/*
 * Reads the names into the path.  The moves read; fewer than there are where one is none, which is
 * then in *ret_unknown.  -1: more than a solution can have.
 */
static int read_moves(struct work *work, struct text *ret_unknown)
{
	struct text rest = work->moves;
	int count = 0;
	ret_unknown->data = NULL;
	while (rest.len) {
		struct text name = next_name(&rest);
		if (count == PZ_PATH_MAX)
			return -1;
		int id = moves_find(&work->host->moves, work->notation, name);
		if (id < 0) {
			*ret_unknown = name;
			break;
		}
		work->path[count++] = (uint16_t)id;
	}
	return count;
}

/* A sentence in ret->reason. */
__attribute__((format(printf, 3, 4))) static void say(struct work *work, struct wire_result *ret,
						      const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int len = vsnprintf(work->reason, sizeof(work->reason), format, args);
	va_end(args);
	ret->reason = (struct text){work->reason, (size_t)len};
}

/* The name of the move `at` (from 0) as the user wrote it. */
static struct text name_at(struct text rest, uint32_t at)
{
	struct text name = next_name(&rest);
	while (at--)
		name = next_name(&rest);
	return name;
}

void work_verify(struct work *work, struct wire_result *ret)
{
	struct text unknown;
	struct pz_replay replay;
	if (!work_check(work, ret))
		return;
	int count = read_moves(work, &unknown);
	if (count < 0) {
		work_fail(work, ret, ERR_INVALID_PARAMS, "a solution has at most %d moves",
			  PZ_PATH_MAX);
		return;
	}
	ret->status = WIRE_SOLVED;
	if (!work_replay(work, (size_t)count, &replay, ret))
		return;
	if (!replay.legal)
		say(work, ret, "move %u, %s, is not legal there", replay.done + 1,
		    plain_quote(name_at(work->moves, replay.done)).text);
	else if (unknown.data)
		say(work, ret, "move %u, %s, is not the name of a move", (unsigned)count + 1,
		    plain_quote(unknown).text);
	else
		ret->valid = ALL_LEGAL;
	if (replay.solved)
		ret->valid |= ENDS_AT_GOAL;
	if (ret->valid == ALL_LEGAL)
		say(work, ret, "the board after all %u moves is no goal", (unsigned)count);
	ret->length = replay.done;
	ret->path = (const char *)work->path;
	ret->cost = replay.cost;
	ret->notation = work->notation;
	work_draw(work, work->pz.board, ret);
}
