/* SPDX-License-Identifier: MIT */
/* samples: the boards that the checks try, the same for the same seed. */
#include "checker/random.h"
#include "checker/subject.h"

#include <stdio.h>
#include <stdlib.h>

static const struct text any = {NULL, 0};

enum { GENERATED = 24, NEAR_WALKS = 4, NEAR_MOVES = 8 };

struct text text_keep(struct text text)
{
	char *copy = malloc(text.len + 1);
	if (!copy)
		return (struct text){NULL, 0};
	if (text.len > 0)
		memcpy(copy, text.data, text.len);
	return (struct text){copy, text.len};
}

struct text subject_canonical(struct subject *s, struct text board, char *room)
{
	const struct text none = {NULL, 0};
	struct pz_error error;
	struct pz_replay replay = {0};
	const uint16_t no_move = 0;
	subject_job(s, board);
	if (!call_check(s, &error))
		return none;
	call_replay(s, &no_move, 0, room, &replay);
	if (!replay.legal || replay.final.data != room || replay.final.len > PZ_BOARD_MAX)
		return none;
	return (struct text){room, replay.final.len};
}

/* Notes the first board that should be one, and that check refuses. */
static void refuse(struct subject *s, struct text board, const char *whose, const char *why)
{
	if (s->refused.whose)
		return;
	s->refused.whose = whose;
	s->refused.board = text_keep(board);
	snprintf(s->refused.why, sizeof(s->refused.why), "%.*s", PZ_REASON_MAX - 1, why);
}

/* Adds a board that is new and that check accepts; what else is to be tried needs one. */
static void add(struct subject *s, struct text board, const char *whose)
{
	struct pz_error why;
	for (uint32_t i = 0; i < s->sample_count; i++)
		if (s->samples[i].len == board.len &&
		    memcmp(s->samples[i].data, board.data, board.len) == 0)
			return;
	/* One that a process was lost on has been told, and would take the next one along. */
	if (page_died_in(s->page, "check", board))
		return;
	subject_job(s, board);
	if (!call_check(s, &why)) {
		refuse(s, board, whose, why.reason);
		return;
	}
	struct text copy = text_keep(board);
	if (copy.data && s->sample_count < SAMPLES_MAX)
		s->samples[s->sample_count++] = copy;
}

static void add_generated(struct subject *s)
{
	char room[PZ_BOARD_MAX];
	struct pz_error error;
	/* If it crashed or hung before, it is not asked again. */
	if (!s->host.plugin.generate || page_died_in(s->page, "generate", any))
		return;
	for (uint64_t i = 0; i < GENERATED; i++) {
		struct pz_buffer out = {room, sizeof(room), 0};
		if (call_generate(s, s->request->seed + i, -1, &out, &error) == 0 &&
		    out.data == room && out.len <= sizeof(room))
			add(s, (struct text){room, out.len}, "a board that generate made");
	}
}

/* One of the neighbours of a board, each as likely as any. */
struct pick {
	uint64_t random;
	uint32_t seen;
	size_t len;
	char board[PZ_BOARD_MAX];
};

static void pick_one(void *arg, const struct pz_neighbour *neighbour)
{
	struct pick *pick = arg;
	if (neighbour->board.len > PZ_BOARD_MAX || random_next(&pick->random) % ++pick->seen != 0)
		return;
	pick->len = neighbour->board.len;
	memcpy(pick->board, neighbour->board.data, pick->len);
}

/* Boards on walks from a goal: few moves away, so that the slowest search answers. */
static void add_near(struct subject *s, struct text goal)
{
	uint32_t first = s->sample_count;
	struct pick pick = {.random = s->request->seed};
	if (!s->host.plugin.neighbours || page_died_in(s->page, "neighbours", any))
		return;
	for (int walk = 0; walk < NEAR_WALKS; walk++) {
		struct text at = goal;
		for (int move = 0; move < NEAR_MOVES; move++) {
			struct pz_error error;
			pick.seen = 0;
			subject_job(s, at);
			if (!call_check(s, &error))
				break;
			call_neighbours(s, pick_one, &pick);
			if (pick.seen == 0)
				break;
			at = (struct text){pick.board, pick.len};
			add(s, at, "a board that neighbours showed");
		}
	}
	s->near_count = s->sample_count - first;
}

/* The example is one of the plugin's own options: with others it may be no board. */
static void add_example(struct subject *s)
{
	struct text example = text_of(s->host.plugin.example);
	struct pz_error why;
	if (page_died_in(s->page, "check", example))
		return;
	subject_job(s, example);
	if (s->request->option_count == 0 || call_check(s, &why))
		add(s, example, "the example");
}

void subject_sample(struct subject *s)
{
	const char *goal = s->request->goal ? s->request->goal : s->host.plugin.goal;
	if (s->sampled)
		return;
	s->sampled = true;
	add_example(s);
	for (uint32_t i = 0; i < s->request->board_count; i++)
		add(s, s->request->boards[i], "the board given");
	add_generated(s);
	if (goal) {
		add(s, text_of(goal), "the goal");
		add_near(s, text_of(goal));
	}
	/* None at all: then what is refused has to do, and every check says so. */
	if (s->sample_count == 0)
		s->samples[s->sample_count++] = text_keep(text_of(s->host.plugin.example));
}
