/* SPDX-License-Identifier: MIT */
/* A* over random graphs with unequal costs, an inconsistent h and no inverse moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <puzzled/search/domain.h>

#include "tests/naive_graph.h"
#include "tests/naive_run.h"

enum { GRAPHS = 200 };

static uint64_t graph_moves(const void *c, const void *s)
{
	const struct naive_graph *graph = c;

	return (UINT64_C(1) << graph->count[*(const int *)s]) - 1;
}

static int graph_h(const void *c, const void *s)
{
	const struct naive_graph *graph = c;

	return graph->h[*(const int *)s];
}

static void graph_apply(const void *c, void *child, const void *s, unsigned m)
{
	const struct naive_graph *graph = c;

	*(int *)child = graph->to[*(const int *)s][m];
}

static int graph_cost(const void *c, const void *s, unsigned m)
{
	const struct naive_graph *graph = c;

	return graph->cost[*(const int *)s][m];
}

static bool graph_goal(const void *c, const void *s)
{
	(void)c;
	return *(const int *)s == 0;
}

static const struct pz_domain graph = {
	.state_size = sizeof(int),
	.key_size = sizeof(int),
	.max_moves = NAIVE_ARCS,
	.moves = graph_moves,
	.h = graph_h,
	.apply = graph_apply,
	.goal = graph_goal,
	.cost = graph_cost,
};
PZ_SOLVER(graph)

/* A state whose h says more or less by the arc that it came by, as with a table that is damaged. */
struct moody {
	int node;
	int less;
};

static void moody_apply(const void *c, void *child, const void *s, unsigned m)
{
	const struct moody *from = s;
	struct moody *to = child;

	graph_apply(c, &to->node, &from->node, m);
	to->less = (from->node * 7 + (int)m * 3) % 5;
}

static int moody_h(const void *c, const void *s)
{
	const struct moody *at = s;
	int h = graph_h(c, &at->node);

	return h > at->less ? h - at->less : 0;
}

static const struct pz_domain moody = {
	.state_size = sizeof(struct moody),
	.key_size = sizeof(int),
	.max_moves = NAIVE_ARCS,
	.moves = graph_moves,
	.h = moody_h,
	.apply = moody_apply,
	.goal = graph_goal,
	.cost = graph_cost,
};
PZ_SOLVER(moody)

static void astar_bears_an_h_that_depends_on_the_way(void **state)
{
	struct pz_job job = any_job();
	struct pz_result ret;

	(void)state;
	for (unsigned seed = 0; seed < GRAPHS; seed++) {
		struct naive_graph g;

		naive_graph_make(&g, seed, 9);
		for (int node = 1; node < NAIVE_NODES; node++) {
			const struct moody start = {.node = node};

			search_from(moody_solver.astar, &g, &start, &job, &ret);
			if (g.distance[node] == NAIVE_FAR) {
				assert_int_equal(ret.status, PZ_UNSOLVABLE);
				continue;
			}
			assert_int_equal(ret.status, PZ_SOLVED);
			assert_int_equal(ret.cost, g.distance[node]);
		}
	}
}

static void astar_finds_least_cost(void **state)
{
	struct pz_job job = any_job();
	struct pz_result ret;
	unsigned seed, solved = 0, unsolvable = 0;

	(void)state;
	for (seed = 0; seed < GRAPHS; seed++) {
		struct naive_graph g;
		int node = 1 + (int)seed % (NAIVE_NODES - 1), at = node, sum = 0;
		unsigned i;

		naive_graph_make(&g, seed, 9);
		search(graph_solver.astar, &g, node, &job, &ret);
		if (g.distance[node] == NAIVE_FAR) {
			assert_int_equal(ret.status, PZ_UNSOLVABLE);
			unsolvable++;
			continue;
		}
		assert_int_equal(ret.status, PZ_SOLVED);
		assert_int_equal(ret.cost, g.distance[node]);
		for (i = 0; i < ret.length; i++) {
			sum += g.cost[at][path[i]];
			at = g.to[at][path[i]];
		}
		assert_int_equal(at, 0);
		assert_int_equal(sum, g.distance[node]);
		solved++;
		job.max_cost = g.distance[node] - 1;
		search(graph_solver.astar, &g, node, &job, &ret);
		assert_int_equal(ret.status, PZ_LIMIT);
		assert_int_equal(ret.lower_bound, g.distance[node]);
		job.max_cost = -1;
	}
	assert_true(solved > 30 && unsolvable > 30);
}

/* assert_path: of `path`, from `node` to the goal, at what it says to cost. */
static void assert_path(const struct naive_graph *g, int node, const struct pz_result *ret)
{
	uint64_t sum = 0;
	unsigned i;

	for (i = 0; i < ret->length; i++) {
		assert_true(path[i] < g->count[node]);
		sum += (uint64_t)g->cost[node][path[i]];
		node = g->to[node][path[i]];
	}
	assert_int_equal(node, 0);
	assert_int_equal(sum, ret->cost);
}

/* Where the cheapest solution is too long: the cheapest of those that are not, or that there is
 * none. */
static void astar_finds_least_cost_within_each_length(void **state)
{
	struct pz_job job = any_job();
	struct pz_result ret;
	unsigned seed, dearer = 0, refused = 0;

	(void)state;
	for (seed = 0; seed < GRAPHS; seed++) {
		struct naive_graph g;
		int node = 1 + (int)seed % (NAIVE_NODES - 1);

		naive_graph_make(&g, seed, 9);
		if (g.distance[node] == NAIVE_FAR)
			continue;
		for (job.max_length = 0; job.max_length <= 8; job.max_length++) {
			int best = naive_graph_within(&g, node, (int)job.max_length);

			search(graph_solver.astar, &g, node, &job, &ret);
			if (best == NAIVE_FAR) {
				assert_int_equal(ret.status, PZ_LIMIT);
				assert_int_equal(ret.lower_bound, g.distance[node]);
				refused++;
				continue;
			}
			assert_int_equal(ret.status, PZ_SOLVED);
			assert_int_equal(ret.cost, best);
			assert_true(ret.length <= job.max_length);
			assert_path(&g, node, &ret);
			if (best == g.distance[node])
				continue;
			dearer++;
			/* A limit of the cost in between leaves neither. */
			job.max_cost = best - 1;
			search(graph_solver.astar, &g, node, &job, &ret);
			assert_int_equal(ret.status, PZ_LIMIT);
			assert_int_equal(ret.lower_bound, g.distance[node]);
			job.max_cost = -1;
		}
	}
	assert_true(dearer > 10 && refused > 100);
}

/* A way of three cheap moves, and one dear move. */
static void astar_takes_a_dear_move_for_three_cheap_ones(void **state)
{
	struct pz_job job = any_job();
	struct naive_graph g = {.count = {0, 2, 1, 1},
				.to = {{0}, {2, 0}, {3}, {0}},
				.cost = {{0}, {1, 9}, {1}, {1}},
				.distance = {0, 3, 2, 1}};
	struct pz_result ret;

	(void)state;
	job.max_length = 2;
	search(graph_solver.astar, &g, 1, &job, &ret);
	assert_int_equal(ret.status, PZ_SOLVED);
	assert_int_equal(ret.length, 1);
	assert_int_equal(ret.cost, 9);
	job.max_length = 0;
	search(graph_solver.astar, &g, 1, &job, &ret);
	assert_int_equal(ret.status, PZ_LIMIT);
	assert_int_equal(ret.lower_bound, 3);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(astar_finds_least_cost),
		cmocka_unit_test(astar_bears_an_h_that_depends_on_the_way),
		cmocka_unit_test(astar_finds_least_cost_within_each_length),
		cmocka_unit_test(astar_takes_a_dear_move_for_three_cheap_ones),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("astar", tests, NULL, NULL);
}
