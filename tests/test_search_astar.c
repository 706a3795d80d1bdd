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

/* The cheapest solution if it is short enough; else it must not say that there is none. */
static void astar_limits_the_length_where_it_can(void **state)
{
	struct pz_job job = any_job();
	struct pz_result ret;
	unsigned seed, solved = 0, failed = 0;

	(void)state;
	for (seed = 0; seed < GRAPHS; seed++) {
		struct naive_graph g;
		int node = 1 + (int)seed % (NAIVE_NODES - 1);

		naive_graph_make(&g, seed, 9);
		if (g.distance[node] == NAIVE_FAR)
			continue;
		job.max_length = 3;
		search(graph_solver.astar, &g, node, &job, &ret);
		if (ret.status == PZ_SOLVED) {
			assert_true(ret.length <= 3);
			assert_int_equal(ret.cost, g.distance[node]);
			assert_int_equal(ret.cost, naive_graph_within(&g, node, 3));
			solved++;
		} else {
			assert_int_equal(ret.status, PZ_FAILED);
			assert_int_equal(ret.lower_bound, g.distance[node]);
			assert_non_null(strstr(ret.error.reason, "ida"));
			failed++;
		}
	}
	assert_true(solved > 10 && failed > 10);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(astar_finds_least_cost),
		cmocka_unit_test(astar_limits_the_length_where_it_can),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("astar", tests, NULL, NULL);
}
