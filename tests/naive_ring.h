/* SPDX-License-Identifier: MIT */
/*
 * A graph whose moves can be undone, each costing 1, for the kernels that need that: nodes are
 * moved by random permutations (moves 0, 2) and their inverses (1, 3), within blocks that no move
 * leaves.
 */
#ifndef NAIVE_RING_H
#define NAIVE_RING_H

enum { RING_NODES = 600, RING_BLOCK = 200, RING_MOVES = 4 };

struct naive_ring {
	int to[RING_MOVES][RING_NODES];
	int goal[2];
	int distance[RING_NODES]; /* to the nearer goal; -1: another block */
};

/*
 * naive_ring_make: a random one; the same seed gives the same.  Both goals are in the first block.
 */
void naive_ring_make(struct naive_ring *ring, unsigned seed);

#endif
