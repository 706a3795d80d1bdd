/* SPDX-License-Identifier: MIT */
/*
 * A small directed graph with arbitrary costs: a domain for the kernels, and Bellman-Ford to judge
 * them by.
 */
#ifndef NAIVE_GRAPH_H
#define NAIVE_GRAPH_H

enum { NAIVE_NODES = 40, NAIVE_ARCS = 6, NAIVE_FAR = 1 << 20 };

/* Node i has `count[i]` arcs, to to[i][k] at cost[i][k]; the goal is node 0. */
struct naive_graph {
	int count[NAIVE_NODES];
	int to[NAIVE_NODES][NAIVE_ARCS];
	int cost[NAIVE_NODES][NAIVE_ARCS];
	int distance[NAIVE_NODES]; /* to the goal, NAIVE_FAR where it can't be reached */
	int h[NAIVE_NODES];        /* an admissible estimate, seldom consistent */
};

/* naive_graph_make: a random graph; the same seed gives the same.  Costs are 1 to max_cost. */
void naive_graph_make(struct naive_graph *graph, unsigned seed, int max_cost);

/*
 * naive_graph_within: the least cost of a path from `node` with at most `moves` arcs; NAIVE_FAR:
 * none.
 */
int naive_graph_within(const struct naive_graph *graph, int node, int moves);

#endif
