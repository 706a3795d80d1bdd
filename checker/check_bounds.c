/* SPDX-License-Identifier: MIT */
/* Bounds and answers against distances that the checker found itself: see graph.h. */
#include "checker/answers.h"
#include "checker/checks.h"
#include "checker/graph.h"
#include "checker/random.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	OPTIMAL_BOARDS = 60,
	OPTIMAL_MS = 30,
	SLOW_MOST = 3,
	UNSOLVABLE_TRIES = 250,
	UNSOLVABLE_MOST = 4,
	UNSOLVABLE_SLOW = 20, /* tries that took too long, after which no more are made */
	UNSOLVABLE_NODES = 200 * 1000
};

static const struct graph *need_graph(struct subject *s)
{
	const struct graph *graph = graph_of(s);
	if (!graph)
		skipped(s, "no memory for the boards around the goal");
	else if (graph->goals == 0)
		skipped(s, "no goal is among the %u boards explored", graph->count);
	else
		return graph;
	return NULL;
}

static const char *explored(const struct graph *graph)
{
	return graph->complete ? "every board there is" : "the boards around the goal";
}

void check_admissible(struct subject *s)
{
	if (!s->host.plugin.estimate) {
		skipped(s, "the plugin tells no bound of a board (estimate)");
		return;
	}
	const struct graph *graph = need_graph(s);
	uint32_t tried = 0;
	for (uint32_t i = 0; graph && i < graph->count && !spent(s); i++) {
		uint64_t distance = graph->nodes[i].distance;
		if (distance == GRAPH_FAR)
			continue;
		tried++;
		for (unsigned h = 0; h < heuristic_count(s); h++) {
			subject_job(s, graph_text(graph, i));
			uint64_t estimate = call_estimate(s, h);
			if (estimate <= distance)
				continue;
			broken(s, graph_text(graph, i),
			       "%s says that it costs at least %" PRIu64
			       ", and there is a way that costs %" PRIu64,
			       *heuristic_name(s, h) ? heuristic_name(s, h) : "the heuristic",
			       estimate, distance);
			return;
		}
	}
	if (graph && spent(s))
		holds(s, "%u boards, as many as its time allowed", tried);
	else if (graph)
		holds(s, "%u boards, %s", tried, explored(graph));
}

void check_goal_estimate(struct subject *s)
{
	if (!s->host.plugin.estimate) {
		skipped(s, "the plugin tells no bound of a board (estimate)");
		return;
	}
	const struct graph *graph = need_graph(s);
	for (uint32_t i = 0; graph && i < graph->count; i++) {
		for (unsigned h = 0; graph->nodes[i].goal && h < heuristic_count(s); h++) {
			subject_job(s, graph_text(graph, i));
			uint64_t estimate = call_estimate(s, h);
			if (estimate == 0)
				continue;
			broken(s, graph_text(graph, i), "%s is %" PRIu64 " at a goal",
			       *heuristic_name(s, h) ? heuristic_name(s, h) : "the heuristic",
			       estimate);
			return;
		}
	}
	if (graph)
		holds(s, "it is 0 at %u goal%s", graph->goals, graph->goals == 1 ? "" : "s");
}

/* Whether an answer can be true of a board that a way of cost `distance` leads from. */
static bool answer_fits(struct subject *s, const struct graph *graph, uint32_t node, uint32_t way,
			const struct answer *answer)
{
	uint64_t distance = graph->nodes[node].distance;
	struct text board = graph_text(graph, node);
	char name[80];
	way_name(s, way, name);
	if (answer->status == WIRE_FAILED && answer->error != ERR_MEMORY_LIMIT)
		return true; /* an algorithm that declines; a wrong answer is another check's */
	if (answer->status == WIRE_SOLVED && answer->cost > distance)
		broken(s, board,
		       "%s solves it at a cost of %" PRIu64
		       ", and there is a way that costs %" PRIu64,
		       name, answer->cost, distance);
	else if (answer->status == WIRE_SOLVED && graph->complete && answer->cost < distance)
		broken(s, board,
		       "%s solves it at a cost of %" PRIu64
		       "; by the moves that neighbours shows it costs %" PRIu64,
		       name, answer->cost, distance);
	else if (answer->status == WIRE_UNSOLVABLE)
		broken(s, board, "%s calls it unsolvable, and there is a way that costs %" PRIu64,
		       name, distance);
	else if (answer->status != WIRE_SOLVED && answer->lower_bound > distance)
		broken(s, board,
		       "%s proves a lower bound of %" PRIu64
		       ", and there is a way that costs %" PRIu64,
		       name, answer->lower_bound, distance);
	else
		return true;
	return false;
}

/* Any of the nodes, or one of the nearer: they are in the order of their discovery. */
static uint32_t pick_node(const struct graph *graph, uint64_t *seed)
{
	uint32_t node = (uint32_t)(random_next(seed) % graph->count);
	return random_next(seed) % 2 ? node : node >> random_next(seed) % 16;
}

void check_optimal(struct subject *s)
{
	const struct graph *graph = need_graph(s);
	const uint32_t ways = ways_of(s);
	uint64_t seed = s->request->seed;
	uint32_t compared = 0;
	for (uint32_t way = 0; graph && way < ways; way++) {
		int slow = 0;
		for (int i = 0; i < OPTIMAL_BOARDS && slow < SLOW_MOST && !spent(s); i++) {
			uint32_t node = pick_node(graph, &seed);
			struct answer answer;
			if (graph->nodes[node].distance == GRAPH_FAR)
				continue;
			answer_get(s, graph_text(graph, node), way, -1, -1, OPTIMAL_MS, &answer);
			slow += answer.status == WIRE_STOPPED;
			compared += answer.status == WIRE_SOLVED;
			if (!answer_fits(s, graph, node, way, &answer))
				return;
		}
	}
	if (graph)
		holds(s, "%u answers compared with %s", compared,
		      graph->complete ? "the least cost" : "ways that were found");
}

/* ---- unsolvable ---- */

/* A board like a sample, with two bytes in each other's place. */
static struct text swapped(const struct subject *s, uint64_t *seed, char *room)
{
	struct text base = s->samples[random_next(seed) % s->sample_count];
	if (base.len == 0)
		return base;
	size_t a = random_next(seed) % base.len, b = random_next(seed) % base.len;
	memcpy(room, base.data, base.len);
	room[a] = base.data[b];
	room[b] = base.data[a];
	return (struct text){room, base.len};
}

/* Explores from a board that is called unsolvable: -1: a goal is there, found broken; 1: there is
 * none; 0: no end. */
static int confirm(struct subject *s, struct text board)
{
	struct graph *graph = graph_explore(s, &board, 1, UNSOLVABLE_NODES);
	int verdict = 0;
	if (graph && graph->goals > 0 && graph->nodes[0].distance != GRAPH_FAR) {
		broken(s, board, "it is called unsolvable, and there is a way that costs %" PRIu64,
		       graph->nodes[0].distance);
		verdict = -1;
	} else if (graph && graph->complete) {
		verdict = 1;
	}
	graph_free(graph);
	return verdict;
}

void check_unsolvable(struct subject *s)
{
	char room[PZ_BOARD_MAX];
	uint64_t seed = s->request->seed;
	int found = 0, confirmed = 0, slow = 0;
	subject_sample(s);
	for (int i = 0;
	     i < UNSOLVABLE_TRIES && found < UNSOLVABLE_MOST && slow < UNSOLVABLE_SLOW && !spent(s);
	     i++) {
		struct text board =
			i < (int)s->sample_count ? s->samples[i] : swapped(s, &seed, room);
		struct pz_error why;
		struct answer answer;
		subject_job(s, board);
		if (!call_check(s, &why))
			continue;
		answer_get(s, board, 0, -1, -1, OPTIMAL_MS, &answer);
		slow += answer.status == WIRE_STOPPED;
		if (answer.status != WIRE_UNSOLVABLE)
			continue;
		found++;
		int verdict = confirm(s, board);
		if (verdict < 0)
			return;
		confirmed += verdict;
	}
	if (found == 0)
		skipped(s, "no unsolvable board was found");
	else
		holds(s, "of %d boards called unsolvable %d confirmed by search, none refuted",
		      found, confirmed);
}
