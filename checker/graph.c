/* SPDX-License-Identifier: MIT */
#include "checker/graph.h"

#include <stdlib.h>

enum { FIRST = 1 << 12, TEXTS_MOST = 96 << 20, EDGES_MOST = 8 << 20 };

void graph_free(struct graph *graph)
{
	if (!graph)
		return;
	free(graph->nodes);
	free(graph->edges);
	free(graph->into);
	free(graph->texts);
	free(graph->slots);
	free(graph);
}

/* Doubles an array of `size` bytes each where `count` fills it.  -1: no memory. */
static int grow(void **array, uint32_t count, uint32_t *room, size_t size)
{
	if (count < *room)
		return 0;
	uint32_t more = *room ? 2 * *room : FIRST;
	void *moved = realloc(*array, more * size);
	if (!moved)
		return -1;
	*array = moved;
	*room = more;
	return 0;
}

/* ---- boards by their text ---- */

static uint64_t hash(struct text text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

static uint32_t find(const struct graph *graph, struct text text)
{
	uint32_t slot = (uint32_t)hash(text) & graph->mask;
	for (; graph->slots[slot]; slot = (slot + 1) & graph->mask) {
		struct text there = graph_text(graph, graph->slots[slot] - 1);
		if (there.len == text.len && memcmp(there.data, text.data, text.len) == 0)
			break;
	}
	return slot;
}

static int grow_texts(struct graph *graph, size_t len)
{
	if (graph->text_len + len <= graph->text_room)
		return 0;
	size_t room = 2 * graph->text_room + PZ_BOARD_MAX;
	char *moved = room > TEXTS_MOST ? NULL : realloc(graph->texts, room);
	if (!moved)
		return -1;
	graph->texts = moved;
	graph->text_room = room;
	return 0;
}

/* The node of a board, new if need be.  UINT32_MAX: there is no room. */
static uint32_t intern(struct graph *graph, struct text text)
{
	uint32_t slot = find(graph, text);
	if (graph->slots[slot])
		return graph->slots[slot] - 1;
	if (graph->count == graph->most || grow_texts(graph, text.len) < 0 ||
	    grow((void **)&graph->nodes, graph->count, &graph->room, sizeof(*graph->nodes)) < 0) {
		graph->full = true;
		return UINT32_MAX;
	}
	graph->nodes[graph->count] = (struct graph_node){.text = graph->text_len,
							 .len = (uint32_t)text.len,
							 .open = true,
							 .distance = GRAPH_FAR};
	memcpy(graph->texts + graph->text_len, text.data, text.len);
	graph->text_len += text.len;
	graph->slots[slot] = ++graph->count;
	return graph->count - 1;
}

/* ---- exploring ---- */

struct step {
	struct graph *graph;
	uint32_t from;
};

static void visit(void *arg, const struct pz_neighbour *neighbour)
{
	const struct step *step = arg;
	struct graph *graph = step->graph;
	struct text text = {neighbour->board.data, neighbour->board.len};
	if (graph->full || text.len > PZ_BOARD_MAX)
		return;
	uint32_t to = intern(graph, text);
	if (to == UINT32_MAX)
		return;
	if (graph->edge_count == EDGES_MOST || grow((void **)&graph->edges, graph->edge_count,
						    &graph->edge_room, sizeof(*graph->edges)) < 0) {
		graph->full = true;
		return;
	}
	graph->edges[graph->edge_count++] = (struct graph_edge){step->from, to, neighbour->cost};
}

/* Whether the job's board is a goal: solved without a move. */
static bool is_goal(struct subject *s)
{
	char room[PZ_BOARD_MAX];
	struct pz_replay replay = {0};
	const uint16_t none = 0;
	call_replay(s, &none, 0, room, &replay);
	return replay.legal && replay.solved;
}

/* Whether the job's board is accepted: only then may more be asked. */
static bool is_board(struct subject *s)
{
	struct pz_error why;
	return call_check(s, &why);
}

static void explore(struct subject *s, struct graph *graph)
{
	graph->complete = true;
	for (uint32_t i = 0; i < graph->count; i++) {
		struct step step = {graph, i};
		/* Copied by the job: `texts` may move. */
		subject_job(s, graph_text(graph, i));
		if (!is_board(s))
			continue;
		graph->nodes[i].goal = is_goal(s);
		graph->goals += graph->nodes[i].goal;
		graph->full |= spent(s);
		if (graph->full)
			continue;
		call_neighbours(s, visit, &step);
		graph->nodes[i].open = graph->full;
	}
	graph->complete = !graph->full;
}

/* ---- distances: Dijkstra's algorithm, backward from the goals ---- */

struct entry {
	uint64_t distance;
	uint32_t node;
};

struct heap {
	struct entry *entries;
	uint32_t count, room;
};

static int push(struct heap *heap, struct entry entry)
{
	if (grow((void **)&heap->entries, heap->count, &heap->room, sizeof(entry)) < 0)
		return -1;
	uint32_t at = heap->count++;
	for (; at > 0 && heap->entries[(at - 1) / 2].distance > entry.distance; at = (at - 1) / 2)
		heap->entries[at] = heap->entries[(at - 1) / 2];
	heap->entries[at] = entry;
	return 0;
}

static struct entry pop(struct heap *heap)
{
	struct entry top = heap->entries[0], last = heap->entries[--heap->count];
	uint32_t at = 0, child;
	while ((child = 2 * at + 1) < heap->count) {
		if (child + 1 < heap->count &&
		    heap->entries[child + 1].distance < heap->entries[child].distance)
			child++;
		if (heap->entries[child].distance >= last.distance)
			break;
		heap->entries[at] = heap->entries[child];
		at = child;
	}
	heap->entries[at] = last;
	return top;
}

/* Puts the edges in the order of the nodes that they lead to.  -1: no memory. */
static int index_edges(struct graph *graph)
{
	graph->into = calloc((size_t)graph->edge_count + 1, sizeof(*graph->into));
	uint32_t *next = calloc((size_t)graph->count + 1, sizeof(*next));
	if (!graph->into || !next) {
		free(next);
		return -1;
	}
	for (uint32_t i = 0; i < graph->edge_count; i++)
		next[graph->edges[i].to + 1]++;
	for (uint32_t i = 0; i < graph->count; i++) {
		next[i + 1] += next[i];
		graph->nodes[i].into = next[i];
	}
	for (uint32_t i = 0; i < graph->edge_count; i++)
		graph->into[next[graph->edges[i].to]++] = i;
	free(next);
	return 0;
}

static int measure(struct graph *graph)
{
	struct heap heap = {0};
	int rc = index_edges(graph);
	for (uint32_t i = 0; i < graph->count && rc == 0; i++) {
		if (!graph->nodes[i].goal)
			continue;
		graph->nodes[i].distance = 0;
		rc = push(&heap, (struct entry){0, i});
	}
	while (heap.count > 0 && rc == 0) {
		struct entry entry = pop(&heap);
		uint32_t first = graph->nodes[entry.node].into;
		uint32_t end = entry.node + 1 < graph->count ? graph->nodes[entry.node + 1].into
							     : graph->edge_count;
		if (entry.distance > graph->nodes[entry.node].distance)
			continue;
		for (uint32_t i = first; i < end && rc == 0; i++) {
			const struct graph_edge *edge = &graph->edges[graph->into[i]];
			uint64_t distance = entry.distance + edge->cost;
			if (distance >= graph->nodes[edge->from].distance)
				continue;
			graph->nodes[edge->from].distance = distance;
			rc = push(&heap, (struct entry){distance, edge->from});
		}
	}
	free(heap.entries);
	return rc;
}

struct graph *graph_explore(struct subject *s, const struct text *seeds, uint32_t count,
			    uint32_t most)
{
	struct graph *graph = calloc(1, sizeof(*graph));
	uint32_t slots = 4;
	while (slots < 2 * most)
		slots *= 2;
	if (!graph || !(graph->slots = calloc(slots, sizeof(*graph->slots)))) {
		free(graph);
		return NULL;
	}
	graph->mask = slots - 1;
	graph->most = most;
	for (uint32_t i = 0; i < count; i++) {
		char room[PZ_BOARD_MAX];
		struct text canonical = subject_canonical(s, seeds[i], room);
		if (canonical.data)
			intern(graph, canonical);
	}
	explore(s, graph);
	if (measure(graph) < 0) {
		graph_free(graph);
		return NULL;
	}
	return graph;
}

/* ---- around the goals ---- */

enum { AROUND_GOALS = 250 * 1000, TAIL = 12, TAILS = 24 };

/* The last boards of a solution: of a puzzle whose goal is a predicate, they are all that is known
 * near it. */
struct tail {
	uint32_t count;
	struct text last[TAIL];
};

static void keep_tail(void *arg, struct pz_text board)
{
	struct tail *tail = arg;
	if (board.len <= PZ_BOARD_MAX)
		tail->last[tail->count++ % TAIL] = text_keep((struct text){board.data, board.len});
}

/* Appends the ends of solutions, nearest to the goal first; returns how many boards there are
 * then. */
static uint32_t add_tails(struct subject *s, struct text *seeds, uint32_t count, uint32_t most)
{
	static struct tail tails[TAILS];
	char room[PZ_BOARD_MAX];
	for (uint32_t i = 0; i < TAILS && i < s->sample_count; i++) {
		struct wire_result result;
		struct pz_replay replay = {.visit = keep_tail, .arg = &tails[i]};
		subject_job(s, s->samples[i]);
		call_solve(s, SOLVE_MS, &result);
		if (result.status == WIRE_SOLVED)
			call_replay(s, s->work.path, result.length, room, &replay);
	}
	for (uint32_t back = 1; back <= TAIL; back++)
		for (uint32_t i = 0; i < TAILS && count < most; i++)
			if (back <= tails[i].count)
				seeds[count++] = tails[i].last[(tails[i].count - back) % TAIL];
	return count;
}

const struct graph *graph_of(struct subject *s)
{
	enum { SEEDS = TAILS * TAIL + SAMPLES_MAX + 1 };
	static struct text seeds[SEEDS];
	uint32_t count = 0;
	const struct outcome *solve = page_find(s->page, "solve");
	const char *goal = s->request->goal ? s->request->goal : s->host.plugin.goal;
	if (s->graph)
		return s->graph;
	subject_sample(s);
	if (goal)
		seeds[count++] = text_of(goal);
	if (solve && solve->verdict == HOLDS)
		count = add_tails(s, seeds, count, SEEDS - SAMPLES_MAX);
	/* What is left of the room goes to the samples' own surroundings. */
	for (uint32_t i = s->sample_count; i > 0; i--)
		seeds[count++] = s->samples[i - 1];
	return s->graph = graph_explore(s, seeds, count, AROUND_GOALS);
}
