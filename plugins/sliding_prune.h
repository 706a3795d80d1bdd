/* SPDX-License-Identifier: MIT */
/*
 * Which moves of the blank a depth-first search need not try after those before it (Taylor and
 * Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993).
 *
 * A word is a sequence of moves.  Two words are equal if they take every board to the same board;
 * that depends on the words alone and not on the board or its size, but for its edges: a word is
 * legal where the box that the blank walks through lies on the board.  Words are ordered by their
 * length and then by their letters.  A word is superfluous if an equal one comes before it whose
 * box lies within its own, or if a part of it is superfluous.  Take any path to any state, and
 * replace superfluous parts until there are none: it stays legal, becomes no longer, and comes to
 * an end because each replacement comes earlier in the order.  So for each state one of its
 * shortest paths has no superfluous part, and a search may leave out all that have.
 *
 * All superfluous words up to a length are found by walking the blank over an endless board; an
 * automaton of Aho and Corasick (1975) recognises them.
 */
#ifndef SLIDING_PRUNE_H
#define SLIDING_PRUNE_H

#include <puzzled/search/puzzle.h>

enum {
	SLIDING_MOVES = 4,      /* up, down, left, right; m ^ 1 takes m back */
	SLIDING_PRUNE_MAX = 12, /* longest words that can be asked for */
};

struct sliding_prune {
	struct pz_automaton automaton;
	unsigned states;
	unsigned words; /* superfluous ones that have no superfluous part */
};

/*
 * sliding_prune_new: for words up to `length`, at most SLIDING_PRUNE_MAX.  To be freed with
 * sliding_prune_free.  NULL: no memory.
 */
struct sliding_prune *sliding_prune_new(unsigned length);
void sliding_prune_free(struct sliding_prune *prune);

#endif
