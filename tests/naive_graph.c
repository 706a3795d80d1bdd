/* SPDX-License-Identifier: MIT */
#include "tests/naive_graph.h"

static unsigned next(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

int naive_graph_within(const struct naive_graph *graph, int node, int moves)
{
	int best[NAIVE_NODES], longer[NAIVE_NODES], i, k;

	for (i = 0; i < NAIVE_NODES; i++)
		best[i] = i == 0 ? 0 : NAIVE_FAR;
	while (moves-- > 0) {
		for (i = 0; i < NAIVE_NODES; i++) {
			longer[i] = best[i];
			for (k = 0; k < graph->count[i]; k++)
				if (best[graph->to[i][k]] + graph->cost[i][k] < longer[i])
					longer[i] = best[graph->to[i][k]] + graph->cost[i][k];
		}
		for (i = 0; i < NAIVE_NODES; i++)
			best[i] = longer[i];
	}
	return best[node];
}

void naive_graph_make(struct naive_graph *graph, unsigned seed, int max_cost)
{
	unsigned state = seed * 2654435761u + 1;
	int i, k;

	for (i = 0; i < NAIVE_NODES; i++) {
		/* Few arcs, so that some nodes cannot reach the goal; some nodes have none. */
		graph->count[i] = (int)(next(&state) % 4);
		for (k = 0; k < graph->count[i]; k++) {
			graph->to[i][k] = (int)(next(&state) % NAIVE_NODES);
			graph->cost[i][k] = 1 + (int)(next(&state) % (unsigned)max_cost);
		}
	}
	for (i = 0; i < NAIVE_NODES; i++) {
		graph->distance[i] = naive_graph_within(graph, i, NAIVE_NODES);
		graph->h[i] = i == 0 ? 0 : (int)(next(&state) % (unsigned)(2 * max_cost));
		if (graph->h[i] > graph->distance[i])
			graph->h[i] = graph->distance[i];
	}
}
