/* SPDX-License-Identifier: MIT */
/* IDA* over random graphs with unequal costs, an inconsistent h and no inverse moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <puzzled/search/ida.h>

#include "tests/naive_graph.h"

enum { DEPTH = 12, GRAPHS = 300, MAX_COST = 7 };

static uint64_t moves(const void *c, const void *s)
{
	const struct naive_graph *graph = c;
	const int *node = s;

	return (UINT64_C(1) << graph->count[*node]) - 1;
}

static int h(const void *c, const void *s)
{
	const struct naive_graph *graph = c;
	const int *node = s;

	return graph->h[*node];
}

static void apply(const void *c, void *child, const void *s, unsigned m)
{
	const struct naive_graph *graph = c;
	const int *node = s;
	int *to = child;

	*to = graph->to[*node][m];
}

static int cost(const void *c, const void *s, unsigned m)
{
	const struct naive_graph *graph = c;
	const int *node = s;

	return graph->cost[*node][m];
}

static bool goal(const void *c, const void *s)
{
	const int *node = s;

	(void)c;
	return *node == 0;
}

static const struct pz_domain graph_domain = {
	.state_size = sizeof(int),
	.key_size = sizeof(int),
	.max_moves = NAIVE_ARCS,
	.moves = moves,
	.h = h,
	.apply = apply,
	.goal = goal,
	.cost = cost,
};

PZ_ENTRY void graph_ida(const void *c, const void *start, struct pz_run *run)
{
	pz_ida(&graph_domain, c, start, run);
}

static int polls_left = -1;

static bool on_poll(const struct pz_host *host, uint64_t nodes, uint64_t bound)
{
	(void)host;
	(void)nodes;
	(void)bound;
	return polls_left >= 0 && polls_left-- == 0;
}

static const struct pz_host host = {.size = sizeof(host), .poll = on_poll};

static void search(const struct naive_graph *graph, int node, const struct pz_job *job,
		   struct pz_result *ret)
{
	static uint16_t path[DEPTH + 1];
	static struct pz_frame frames[DEPTH + 1];
	static int states[DEPTH + 2];
	struct pz_run run = {.job = job,
			     .ret = ret,
			     .path_max = DEPTH,
			     .frames = frames,
			     .states = (unsigned char *)states,
			     .wait_ms = job->search_ms};

	*ret = (struct pz_result){.size = sizeof(*ret), .path = path};
	graph_ida(graph, &node, &run);
}

/* The path leads to the goal, for the cost it says. */
static void assert_path(const struct naive_graph *graph, int node, const struct pz_result *ret)
{
	uint64_t sum = 0;
	unsigned i;

	for (i = 0; i < ret->length; i++) {
		assert_true(ret->path[i] < graph->count[node]);
		sum += (uint64_t)graph->cost[node][ret->path[i]];
		node = graph->to[node][ret->path[i]];
	}
	assert_int_equal(node, 0);
	assert_int_equal(sum, ret->cost);
}

static void finds_least_cost_within_each_length(void **state)
{
	struct pz_job job = {.size = sizeof(job), .host = &host, .max_length = -1, .max_cost = -1};
	struct naive_graph graph;
	struct pz_result ret;
	unsigned seed, solved = 0, refused = 0;
	int node;

	(void)state;
	for (seed = 0; seed < GRAPHS; seed++) {
		naive_graph_make(&graph, seed, MAX_COST);
		node = 1 + (int)seed % (NAIVE_NODES - 1);
		for (job.max_length = 0; job.max_length <= 8; job.max_length++) {
			int best = naive_graph_within(&graph, node, (int)job.max_length);

			search(&graph, node, &job, &ret);
			if (best == NAIVE_FAR) {
				assert_true(ret.status == PZ_LIMIT || ret.status == PZ_UNSOLVABLE);
				assert_true((int)ret.lower_bound <= graph.distance[node]);
				if (ret.status == PZ_UNSOLVABLE)
					assert_int_equal(graph.distance[node], NAIVE_FAR);
				refused++;
				continue;
			}
			assert_int_equal(ret.status, PZ_SOLVED);
			assert_int_equal(ret.cost, best);
			assert_true(ret.length <= job.max_length);
			assert_path(&graph, node, &ret);
			solved++;
		}
	}
	assert_true(solved > 100 && refused > 100);
}

static void limits_the_cost(void **state)
{
	struct pz_job job = {.size = sizeof(job), .host = &host, .max_length = 8, .max_cost = -1};
	struct naive_graph graph;
	struct pz_result ret;
	unsigned seed, tried = 0;
	int node;

	(void)state;
	for (seed = 0; seed < GRAPHS; seed++) {
		int best;

		naive_graph_make(&graph, seed, MAX_COST);
		node = 1 + (int)seed % (NAIVE_NODES - 1);
		best = naive_graph_within(&graph, node, 8);
		if (best == NAIVE_FAR)
			continue;
		job.max_cost = best;
		search(&graph, node, &job, &ret);
		assert_int_equal(ret.status, PZ_SOLVED);
		job.max_cost = best - 1;
		search(&graph, node, &job, &ret);
		assert_int_equal(ret.status, PZ_LIMIT);
		assert_in_range(ret.lower_bound, 1, graph.distance[node]);
		tried++;
	}
	assert_true(tried > 50);
}

/* A ring of two nodes that the goal is not on, never left: only the depth ends it. */
static void says_when_the_plugins_own_limit_was_met(void **state)
{
	struct pz_job job = {.size = sizeof(job), .host = &host, .max_length = -1, .max_cost = -1};
	struct naive_graph graph = {
		.count = {0, 1, 1}, .to = {{0}, {2}, {1}}, .cost = {{0}, {1}, {1}}};
	struct pz_result ret;

	(void)state;
	search(&graph, 1, &job, &ret);
	assert_int_equal(ret.status, PZ_FAILED);
	assert_non_null(strstr(ret.error.reason, "12 moves"));
	job.max_length = 5;
	search(&graph, 1, &job, &ret);
	assert_int_equal(ret.status, PZ_LIMIT);
}

/* Each node leads to the next two by three arcs: too many paths to end without being stopped. */
static void stops_with_a_proved_bound(void **state)
{
	struct pz_job job = {.size = sizeof(job), .host = &host, .max_length = -1, .max_cost = -1};
	struct naive_graph graph = {0};
	struct pz_result ret;
	int i, k;

	(void)state;
	for (i = 1; i < NAIVE_NODES; i++) {
		graph.count[i] = NAIVE_ARCS;
		for (k = 0; k < NAIVE_ARCS; k++) {
			graph.to[i][k] = 1 + (i + k) % (NAIVE_NODES - 1);
			graph.cost[i][k] = 1;
		}
	}
	polls_left = 2;
	search(&graph, 1, &job, &ret);
	polls_left = -1;
	assert_int_equal(ret.status, PZ_STOPPED);
	assert_in_range(ret.lower_bound, 4, DEPTH);
	assert_in_range(ret.stats.expanded, 3 * PZ_POLL_NODES, 3 * PZ_POLL_NODES + 1);
	job.search_ms = 1;
	search(&graph, 1, &job, &ret);
	assert_int_equal(ret.status, PZ_WAIT);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_least_cost_within_each_length),
		cmocka_unit_test(limits_the_cost),
		cmocka_unit_test(says_when_the_plugins_own_limit_was_met),
		cmocka_unit_test(stops_with_a_proved_bound),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("ida", tests, NULL, NULL);
}
