/* SPDX-License-Identifier: MIT */
/*
 * graph: the boards around goals and samples, explored through `neighbours` alone, and how far each
 * is from a goal: a search that shares nothing with the plugin's.
 *
 * Boards are told apart by their text, as the plugin prints it.  A distance is that of a way that
 * was found, so the least cost is never more; where the exploration came to an end by itself
 * (`complete`), it is the least.
 */
#ifndef CHECKER_GRAPH_H
#define CHECKER_GRAPH_H

#include "checker/subject.h"

#define GRAPH_FAR UINT64_MAX

struct graph_node {
	size_t text; /* offset into graph.texts */
	uint32_t len;
	uint32_t into;     /* first of its edges in graph.into */
	bool goal, open;   /* open: its neighbours were not looked at */
	uint64_t distance; /* GRAPH_FAR: no way was found */
};

struct graph_edge {
	uint32_t from, to;
	uint64_t cost;
};

struct graph {
	struct graph_node *nodes;
	uint32_t count, room, most;
	struct graph_edge *edges;
	uint32_t edge_count, edge_room;
	uint32_t *into; /* edges by where they lead to */
	char *texts;
	size_t text_len, text_room;
	uint32_t *slots; /* 1 + a node's number; 0: free */
	uint32_t mask;
	bool full;     /* no room for more */
	bool complete; /* every board that can be reached from the seeds is there */
	uint32_t goals;
};

/* Explores from these boards until there are `most` nodes; computes distances.  NULL: no memory. */
struct graph *graph_explore(struct subject *s, const struct text *seeds, uint32_t count,
			    uint32_t most);
void graph_free(struct graph *graph);

static inline struct text graph_text(const struct graph *graph, uint32_t node)
{
	return (struct text){graph->texts + graph->nodes[node].text, graph->nodes[node].len};
}

/* The graph around the goals, explored once.  NULL: no memory. */
const struct graph *graph_of(struct subject *s);

#endif
