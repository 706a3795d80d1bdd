/* SPDX-License-Identifier: MIT */
#include "tests/naive_ring.h"

static unsigned next(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

static void measure(struct naive_ring *ring)
{
	int i, m, depth, found = 1;

	for (i = 0; i < RING_NODES; i++)
		ring->distance[i] = i == ring->goal[0] || i == ring->goal[1] ? 0 : -1;
	for (depth = 0; found; depth++) {
		found = 0;
		for (i = 0; i < RING_NODES; i++) {
			for (m = 0; ring->distance[i] == depth && m < RING_MOVES; m++) {
				if (ring->distance[ring->to[m][i]] >= 0)
					continue;
				ring->distance[ring->to[m][i]] = depth + 1;
				found = 1;
			}
		}
	}
}

void naive_ring_make(struct naive_ring *ring, unsigned seed)
{
	unsigned state = seed * 2654435761u + 1;
	int m, i, j, swapped;

	for (m = 0; m < RING_MOVES; m += 2) {
		for (i = 0; i < RING_NODES; i++)
			ring->to[m][i] = i;
		for (i = 0; i < RING_NODES; i++) {
			j = i / RING_BLOCK * RING_BLOCK +
			    (int)(next(&state) % (unsigned)(i % RING_BLOCK + 1));
			swapped = ring->to[m][i];
			ring->to[m][i] = ring->to[m][j];
			ring->to[m][j] = swapped;
		}
		for (i = 0; i < RING_NODES; i++)
			ring->to[m + 1][ring->to[m][i]] = i;
	}
	ring->goal[0] = (int)(next(&state) % RING_BLOCK);
	ring->goal[1] = (int)(next(&state) % RING_BLOCK);
	measure(ring);
}
