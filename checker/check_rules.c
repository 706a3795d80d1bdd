/* SPDX-License-Identifier: MIT */
/* The moves of a board: `neighbours` and `replay` tell the same rules; and boards that are made. */
#include "checker/checks.h"
#include "checker/random.h"

#include <inttypes.h>
#include <stdlib.h>

enum { RULES_BOARDS = 200, REFUSED_BOARDS = 40, LENGTHS = 12 };

static const struct text nowhere = {NULL, 0};

/* The moves of one board, copied: what `neighbours` shows does not stay. */
struct moves_seen {
	uint32_t count;
	bool too_many, too_long;
	struct {
		uint16_t id;
		uint64_t cost;
		struct text board;
	} moves[PZ_MOVES_MAX];
};

static void see(void *arg, const struct pz_neighbour *neighbour)
{
	struct moves_seen *seen = arg;
	if (seen->count == PZ_MOVES_MAX) {
		seen->too_many = true;
		return;
	}
	seen->too_long |= neighbour->board.len > PZ_BOARD_MAX;
	struct text board = {neighbour->board.data, seen->too_long ? 0 : neighbour->board.len};
	seen->moves[seen->count].id = neighbour->move;
	seen->moves[seen->count].cost = neighbour->cost;
	seen->moves[seen->count++].board = text_keep(board);
}

static void forget(struct moves_seen *seen)
{
	for (uint32_t i = 0; i < seen->count; i++)
		free((char *)seen->moves[i].board.data);
	*seen = (struct moves_seen){0};
}

/* Whether the move has a name, in the first notation. */
static bool is_named(const struct subject *s, uint16_t id)
{
	const struct moves *moves = &s->host.moves;
	for (uint32_t i = moves->first[0]; i < moves->first[1]; i++)
		if (moves->sorted[i].id == id)
			return true;
	return false;
}

/* Whether one neighbour is what replay makes of its move. */
static bool move_stands(struct subject *s, struct text board, const struct moves_seen *seen,
			uint32_t at)
{
	uint16_t id = seen->moves[at].id;
	struct text next = seen->moves[at].board;
	struct pz_replay replay = {0};
	char room[PZ_BOARD_MAX];
	for (uint32_t i = 0; i < at; i++) {
		if (seen->moves[i].id == id) {
			broken(s, board, "neighbours shows move %u twice", id);
			return false;
		}
	}
	if (id >= s->host.plugin.moves || !is_named(s, id))
		broken(s, board, "neighbours shows move %u, which has no name", id);
	else if (seen->moves[at].cost < 1)
		broken(s, board, "move %u costs 0; a move costs at least 1", id);
	else if (s->host.plugin.unit_cost && seen->moves[at].cost != 1)
		broken(s, board, "move %u costs %" PRIu64 ", and yet unit_cost is set", id,
		       seen->moves[at].cost);
	else {
		subject_job(s, board);
		call_replay(s, &id, 1, room, &replay);
		if (!replay.legal || replay.done != 1)
			broken(s, board, "neighbours shows move %u, and replay calls it illegal",
			       id);
		else if (replay.cost != seen->moves[at].cost)
			broken(s, board,
			       "move %u costs %" PRIu64 " by neighbours and %" PRIu64 " by replay",
			       id, seen->moves[at].cost, replay.cost);
		else if (replay.final.len != next.len ||
			 memcmp(replay.final.data, next.data, next.len) != 0)
			broken(s, board,
			       "move %u leads to %.*s by neighbours and to %.*s by replay", id,
			       (int)next.len, next.data, (int)replay.final.len, replay.final.data);
		else
			return true;
	}
	return false;
}

/* Whether replay refuses every id that neighbours does not show, and what is no id. */
static bool others_refused(struct subject *s, struct text board, const struct moves_seen *seen)
{
	char room[PZ_BOARD_MAX];
	for (uint32_t id = 0; id <= s->host.plugin.moves + 1; id++) {
		uint16_t move = id > s->host.plugin.moves ? UINT16_MAX : (uint16_t)id;
		struct pz_replay replay = {0};
		bool shown = false;
		for (uint32_t i = 0; i < seen->count; i++)
			shown |= seen->moves[i].id == move;
		if (shown)
			continue;
		subject_job(s, board);
		call_replay(s, &move, 1, room, &replay);
		if (replay.legal || replay.done != 0) {
			broken(s, board, "replay makes move %u, which neighbours does not show",
			       move);
			return false;
		}
	}
	return true;
}

/* All that concerns the moves of one board. */
static bool board_stands(struct subject *s, struct text board, struct moves_seen *seen, bool all)
{
	subject_job(s, board);
	call_neighbours(s, see, seen);
	if (seen->too_many || seen->too_long) {
		broken(s, board,
		       seen->too_many ? "it has more than %d moves"
				      : "a neighbour's text has more than %d bytes",
		       seen->too_many ? (int)PZ_MOVES_MAX : (int)PZ_BOARD_MAX);
		return false;
	}
	for (uint32_t i = 0; i < seen->count; i++) {
		struct pz_error why;
		if (!move_stands(s, board, seen, i))
			return false;
		subject_job(s, seen->moves[i].board);
		if (!call_check(s, &why)) {
			broken(s, seen->moves[i].board, "check refuses a neighbour: %s",
			       why.reason);
			return false;
		}
	}
	return !all || others_refused(s, board, seen);
}

void check_rules(struct subject *s)
{
	uint64_t seed = s->request->seed;
	uint32_t moves = 0, boards = 0;
	struct moves_seen seen = {0};
	subject_sample(s);
	if (!s->host.plugin.neighbours) {
		skipped(s, "the plugin does not tell the moves of a board (neighbours)");
		return;
	}
	for (; boards < RULES_BOARDS && !spent(s); boards++) {
		/* From each sample a walk of a few moves, so that the boards are not all of one
		 * kind. */
		struct text board = text_keep(s->samples[boards % s->sample_count]);
		bool whole = boards < REFUSED_BOARDS, stands = true;
		for (uint64_t steps = random_next(&seed) % 4; stands; steps--) {
			stands = board_stands(s, board, &seen, whole);
			moves += seen.count;
			free((char *)board.data);
			board = nowhere;
			if (seen.count > 0)
				board = text_keep(
					seen.moves[random_next(&seed) % seen.count].board);
			forget(&seen);
			if (steps == 0 || !board.data)
				break;
		}
		free((char *)board.data);
		if (!stands)
			return;
	}
	holds(s, "%u moves by neighbours and by replay", moves);
}

/* ---- boards that are made ---- */

enum { GENERATED_SLOW = 6 }; /* boards that are not solved, after which they are only made */

/* Makes a board; false: it was found broken. */
static bool generate_twice(struct subject *s, uint64_t seed, char *room, int *slow)
{
	char second[PZ_BOARD_MAX];
	struct pz_error why;
	struct pz_buffer out = {room, PZ_BOARD_MAX, 0}, again = {second, PZ_BOARD_MAX, 0};
	struct wire_result result;
	if (call_generate(s, seed, -1, &out, &why) < 0) {
		broken(s, nowhere, "it makes no board: %s", why.reason);
		return false;
	}
	if (out.data != room || out.len > s->host.board_max) {
		broken(s, nowhere, "a board of %zu bytes; board_max says %u", out.len,
		       s->host.board_max);
		return false;
	}
	struct text board = {room, out.len};
	if (call_generate(s, seed, -1, &again, &why) < 0 || again.len != out.len ||
	    memcmp(room, second, out.len) != 0) {
		broken(s, board, "the same seed makes another board the second time");
		return false;
	}
	subject_job(s, board);
	if (!call_check(s, &why)) {
		broken(s, board, "check refuses what was made: %s", why.reason);
		return false;
	}
	if (*slow >= GENERATED_SLOW)
		return true;
	call_solve(s, SOLVE_MS, &result);
	*slow += result.status == WIRE_STOPPED;
	if (result.status == WIRE_UNSOLVABLE) {
		broken(s, board, "what was made cannot be solved, says solve");
		return false;
	}
	return true;
}

/* Asks for boards of exact lengths.  -1: found broken; else how many there were. */
static int generate_exactly(struct subject *s, char *refusal)
{
	char room[PZ_BOARD_MAX];
	struct pz_error why;
	struct wire_result result;
	int made = 0;
	for (int64_t length = 0; length < LENGTHS && length <= s->host.plugin.path_max; length++) {
		struct pz_buffer out = {room, sizeof(room), 0};
		if (call_generate(s, s->request->seed, length, &out, &why) < 0) {
			if (strnlen(why.reason, sizeof(why.reason)) == 0) {
				broken(s, nowhere,
				       "a board of exactly %d moves is refused without a reason",
				       (int)length);
				return -1;
			}
			memcpy(refusal, why.reason, sizeof(why.reason));
			refusal[sizeof(why.reason) - 1] = '\0';
			continue;
		}
		if (out.data != room || out.len > sizeof(room))
			continue;
		subject_job(s, (struct text){room, out.len});
		call_solve(s, SOLVE_MS, &result);
		if (s->host.plugin.unit_cost && result.status == WIRE_SOLVED &&
		    result.length != length) {
			broken(s, (struct text){room, out.len},
			       "asked for exactly %d moves, it made a board of %u", (int)length,
			       result.length);
			return -1;
		}
		made++;
	}
	return made;
}

void check_generate(struct subject *s)
{
	enum { SEEDS = 24 };
	int slow = 0;
	char room[PZ_BOARD_MAX], refusal[PZ_REASON_MAX] = "";
	if (!s->host.plugin.generate) {
		skipped(s, "the plugin makes no boards");
		return;
	}
	for (uint64_t i = 0; i < SEEDS; i++)
		if (!generate_twice(s, s->request->seed + i, room, &slow))
			return;
	int made = generate_exactly(s, refusal);
	if (made > 0)
		holds(s, "%d boards, and %d of exact lengths", SEEDS, made);
	else if (made == 0)
		holds(s, "%d boards; none of an exact length: %s", SEEDS, refusal);
}
