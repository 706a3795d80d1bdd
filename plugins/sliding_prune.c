/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "plugins/sliding_prune.h"

enum {
	SIDE = 2 * SLIDING_PRUNE_MAX + 1, /* of a board that no word can leave */
	CENTRE = SIDE * (SIDE / 2) + SIDE / 2,
	NONE = 0,        /* no child; the empty word is nobody's */
	SUPERFLUOUS = 1, /* the child is superfluous, and no shorter part of it is */
	FIRST = 2,       /* number of the empty word */
	NO_STATE = UINT16_MAX
};

static const int offset[SLIDING_MOVES] = {-SIDE, SIDE, -1, 1};

/* The rows and columns that the blank walks through, seen from where it begins. */
struct box {
	int8_t top, bottom, left, right;
};

/* A word that is not superfluous. */
struct word {
	uint32_t child[SLIDING_MOVES]; /* the word with one more letter; NONE, SUPERFLUOUS */
	uint32_t tail;                 /* the word without its first letter */
};

/* What a word does, by a hash of where it takes each tile, and its box. */
struct effect {
	uint64_t hash; /* 0: free */
	struct box box;
};

struct search {
	struct word *words; /* by number, in their order: FIRST is the empty one */
	uint32_t count, room;
	struct effect *effects; /* open addressing */
	uint32_t effect_count, mask;
	bool failed; /* no memory */
	unsigned superfluous;
	uint16_t board[SIDE * SIDE]; /* which tile is where: named by where it began */
};

/* mix: a random number for each tile in each cell (the finaliser of splitmix64). */
static uint64_t mix(unsigned tile, unsigned cell)
{
	uint64_t z = ((uint64_t)tile << 32 | cell) * UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

static bool within(struct box inner, struct box outer)
{
	return inner.top >= outer.top && inner.bottom <= outer.bottom && inner.left >= outer.left &&
	       inner.right <= outer.right;
}

static struct box stretch(struct box box, int cell)
{
	int row = cell / SIDE - SIDE / 2, col = cell % SIDE - SIDE / 2;

	if (row < box.top)
		box.top = (int8_t)row;
	if (row > box.bottom)
		box.bottom = (int8_t)row;
	if (col < box.left)
		box.left = (int8_t)col;
	if (col > box.right)
		box.right = (int8_t)col;
	return box;
}

static void effects_put(struct effect *effects, uint32_t mask, const struct effect *effect)
{
	uint64_t slot = effect->hash;

	while (effects[slot & mask].hash != 0)
		slot++;
	effects[slot & mask] = *effect;
}

/* effects_add: false: an equal word comes before this one, and its box is within this one's. */
static bool effects_add(struct search *search, const struct effect *effect)
{
	uint64_t slot = effect->hash;
	const struct effect *at;

	for (; (at = &search->effects[slot & search->mask])->hash != 0; slot++)
		if (at->hash == effect->hash && within(at->box, effect->box))
			return false;
	if (search->effect_count >= search->mask / 4 * 3) {
		uint32_t mask = search->mask * 2 + 1, i;
		struct effect *grown = calloc((size_t)mask + 1, sizeof(*grown));

		if (grown == NULL) {
			search->failed = true;
			return true;
		}
		for (i = 0; i <= search->mask; i++)
			if (search->effects[i].hash != 0)
				effects_put(grown, mask, &search->effects[i]);
		free(search->effects);
		search->effects = grown;
		search->mask = mask;
	}
	effects_put(search->effects, search->mask, effect);
	search->effect_count++;
	return true;
}

/* word_add: the number of a new word, NONE where there is no memory. */
static uint32_t word_add(struct search *search, uint32_t tail)
{
	if (search->count == search->room) {
		uint32_t room = search->room * 2;
		struct word *grown = realloc(search->words, room * sizeof(*grown));

		if (grown == NULL) {
			search->failed = true;
			return NONE;
		}
		search->words = grown;
		search->room = room;
	}
	search->words[search->count] = (struct word){.tail = tail};
	return search->count++;
}

/* extend: the word with one letter more, whose last letter m has taken the blank to `cell`. */
static void extend(struct search *search, uint32_t number, unsigned m, uint64_t hash,
		   struct box box, bool last)
{
	const struct word *word = &search->words[number];
	uint32_t tail = number == FIRST ? FIRST : search->words[word->tail].child[m];
	const struct effect effect = {hash != 0 ? hash : 1, box};

	/* Superfluous already without its first letter. */
	if (tail < FIRST)
		return;
	if (!effects_add(search, &effect)) {
		search->words[number].child[m] = SUPERFLUOUS;
		search->superfluous++;
	} else if (!last) {
		tail = word_add(search, tail);
		search->words[number].child[m] = tail;
	}
}

/*
 * walk: goes to all words of `depth` letters and extends them by one.  The blank is in `cell`; the
 * recursion is as deep as a word is long.
 */
static void walk(struct search *search, uint32_t number, int cell, uint64_t hash, struct box box,
		 unsigned depth, bool last)
{
	unsigned m;

	for (m = 0; m < SLIDING_MOVES && !search->failed; m++) {
		uint32_t child = search->words[number].child[m];
		int from = cell + offset[m];
		uint16_t tile = search->board[from];
		uint64_t moved;

		if (depth > 0 && child < FIRST)
			continue;
		moved = hash + mix(tile, (unsigned)cell) - mix(tile, (unsigned)from);
		if (depth == 0) {
			extend(search, number, m, moved, stretch(box, from), last);
			continue;
		}
		search->board[cell] = tile;
		walk(search, child, from, moved, stretch(box, from), depth - 1, last);
		search->board[from] = tile;
	}
}

/* mark: does a superfluous word begin with this one? */
static bool mark(const struct search *search, uint32_t number, uint16_t *state)
{
	bool any = number == FIRST;
	unsigned m;

	for (m = 0; m < SLIDING_MOVES; m++) {
		uint32_t child = search->words[number].child[m];

		if (child == SUPERFLUOUS || (child != NONE && mark(search, child, state)))
			any = true;
	}
	state[number] = any ? 0 : NO_STATE;
	return any;
}

/*
 * fill: the automaton.  Its states are the beginnings of superfluous words, and it is in the
 * longest that what it has read ends with; `fall` is the next shorter such one.  Words are numbered
 * by their length, so what is read of shorter ones is there.
 */
static int fill(const struct search *search, struct sliding_prune *prune, uint16_t *state)
{
	unsigned count = 0, m;
	uint32_t number, *fall;
	uint64_t *moves;
	uint16_t *next;

	for (number = FIRST; number < search->count; number++)
		if (state[number] != NO_STATE && count < NO_STATE)
			state[number] = (uint16_t)count++;
	moves = calloc(count, sizeof(*moves));
	next = calloc((size_t)count * SLIDING_MOVES, sizeof(*next));
	fall = calloc(count, sizeof(*fall));
	prune->automaton = (struct pz_automaton){moves, next};
	prune->states = count;
	prune->words = search->superfluous;
	if (moves == NULL || next == NULL || fall == NULL || count == NO_STATE) {
		free(fall);
		return -1;
	}
	for (number = FIRST; number < search->count; number++) {
		const struct word *word = &search->words[number];
		unsigned at = state[number];

		if (at == NO_STATE)
			continue;
		moves[at] = at == 0 ? (1 << SLIDING_MOVES) - 1 : moves[fall[at]];
		for (m = 0; m < SLIDING_MOVES; m++) {
			uint32_t child = word->child[m];
			uint16_t shorter = at == 0 ? 0 : next[fall[at] * SLIDING_MOVES + m];

			if (child == SUPERFLUOUS)
				moves[at] &= ~(UINT64_C(1) << m);
			if (child >= FIRST && state[child] != NO_STATE) {
				fall[state[child]] = shorter;
				shorter = state[child];
			}
			next[at * SLIDING_MOVES + m] = shorter;
		}
	}
	free(fall);
	return 0;
}

void sliding_prune_free(struct sliding_prune *prune)
{
	if (prune == NULL)
		return;
	free((void *)(uintptr_t)prune->automaton.moves);
	free((void *)(uintptr_t)prune->automaton.next);
	free(prune);
}

struct sliding_prune *sliding_prune_new(unsigned length)
{
	struct search *search = calloc(1, sizeof(*search));
	struct sliding_prune *prune = calloc(1, sizeof(*prune));
	const struct effect nothing = {1, {0, 0, 0, 0}};
	uint16_t *state = NULL;
	bool done = false;
	unsigned depth, i;

	if (search == NULL || prune == NULL)
		goto out;
	search->count = FIRST;
	search->room = search->mask = (1 << 10) - 1;
	search->words = calloc(search->room, sizeof(*search->words));
	search->effects = calloc((size_t)search->mask + 1, sizeof(*search->effects));
	if (search->words == NULL || search->effects == NULL)
		goto out;
	for (i = 0; i < SIDE * SIDE; i++)
		search->board[i] = (uint16_t)i;
	word_add(search, FIRST);
	effects_add(search, &nothing);
	for (depth = 0; depth < length && !search->failed; depth++)
		walk(search, FIRST, CENTRE, 1, nothing.box, depth, depth + 1 == length);
	state = calloc(search->count, sizeof(*state));
	if (search->failed || state == NULL)
		goto out;
	mark(search, FIRST, state);
	done = fill(search, prune, state) == 0;
out:
	free(state);
	if (search != NULL) {
		free(search->words);
		free(search->effects);
	}
	free(search);
	if (!done) {
		sliding_prune_free(prune);
		prune = NULL;
	}
	return prune;
}
