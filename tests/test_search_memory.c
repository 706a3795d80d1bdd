/* SPDX-License-Identifier: MIT */
/* The kernels that remember states: A* on graphs with unequal costs, the others where moves can be undone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <puzzled/search/domain.h>

#include "tests/naive_graph.h"
#include "tests/naive_ring.h"

enum { DEPTH = 64, GRAPHS = 200, RINGS = 5 };

static uint16_t path[DEPTH];
static struct pz_frame frames[DEPTH + 1];
static int states[DEPTH + 2];
static int polls_left = -1;

static bool on_poll(const struct pz_host *host, uint64_t nodes, uint64_t bound)
{
	(void)host;
	(void)nodes;
	(void)bound;
	return polls_left >= 0 && polls_left-- == 0;
}

static const struct pz_host host = {.size = sizeof(host), .poll = on_poll};

static struct pz_job any_job(void)
{
	return (struct pz_job){.size = sizeof(struct pz_job),
			       .host = &host,
			       .max_length = -1,
			       .max_cost = -1,
			       .memory = 1 << 20};
}

static void search(pz_search *with, const void *c, int node, const struct pz_job *job,
		   struct pz_result *ret)
{
	struct pz_run run = {.job = job,
			     .ret = ret,
			     .path_max = DEPTH,
			     .frames = frames,
			     .states = (unsigned char *)states};

	*ret = (struct pz_result){.size = sizeof(*ret), .path = path};
	with(c, &node, &run);
}

/* ---- graphs with unequal costs ------------------------------------------------------------------ */

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

static void astar_will_not_limit_the_length_of_unequal_moves(void **state)
{
	struct pz_job job = any_job();
	struct naive_graph g;
	struct pz_result ret;

	(void)state;
	naive_graph_make(&g, 1, 9);
	job.max_length = 5;
	search(graph_solver.astar, &g, 1, &job, &ret);
	assert_int_equal(ret.status, PZ_FAILED);
	assert_non_null(strstr(ret.error.reason, "ida"));
}

/* ---- graphs whose moves can be undone ------------------------------------------------------------- */

static uint64_t ring_moves(const void *c, const void *s)
{
	(void)c;
	(void)s;
	return (1 << RING_MOVES) - 1;
}

/* Half the distance: not 0 at goals only. */
static int ring_h(const void *c, const void *s)
{
	const struct naive_ring *r = c;
	int distance = r->distance[*(const int *)s];

	return distance < 0 ? 1 : distance / 2;
}

static void ring_apply(const void *c, void *child, const void *s, unsigned m)
{
	const struct naive_ring *r = c;

	*(int *)child = r->to[m][*(const int *)s];
}

static bool ring_goal(const void *c, const void *s)
{
	const struct naive_ring *r = c;

	return r->distance[*(const int *)s] == 0;
}

static unsigned ring_inverse(unsigned m)
{
	return m ^ 1;
}

static size_t ring_goals(const void *c, void *goals, size_t cap)
{
	const struct naive_ring *r = c;
	int *node = goals;
	size_t i;

	for (i = 0; i < 2 && i < cap; i++)
		node[i] = r->goal[i];
	return 2;
}

static uint64_t ring_rank(const void *c, const void *s)
{
	(void)c;
	return (uint64_t) * (const int *)s;
}

static void ring_unrank(const void *c, void *s, uint64_t number)
{
	(void)c;
	*(int *)s = (int)number;
}

static const struct pz_domain ring = {
	.state_size = sizeof(int),
	.key_size = sizeof(int),
	.max_moves = RING_MOVES,
	.h_consistent = true,
	.moves = ring_moves,
	.h = ring_h,
	.apply = ring_apply,
	.goal = ring_goal,
	.inverse = ring_inverse,
	.goals = ring_goals,
	.space = RING_NODES,
	.rank = ring_rank,
	.unrank = ring_unrank,
};
PZ_SOLVER(ring)

static uint64_t content[(RING_NODES + 63) / 64 * 2];

static void ring_by_table(const void *c, const void *start, struct pz_run *run)
{
	ring_solver.table_path(c, content, start, run);
}

static const struct {
	const char *name;
	pz_search *with;
	bool proves; /* that there is no way */
} searches[] = {
	{"ida", ring_ida, false},       {"astar", ring_astar, true},
	{"bfs", ring_bfs, true},        {"bidirectional", ring_bidirectional, true},
	{"table", ring_by_table, true},
};

enum { SEARCHES = sizeof(searches) / sizeof(searches[0]) };

static void assert_way(const struct naive_ring *r, int node, const struct pz_result *ret)
{
	unsigned i;

	assert_int_equal(ret->status, PZ_SOLVED);
	assert_int_equal(ret->length, r->distance[node]);
	assert_int_equal(ret->cost, r->distance[node]);
	for (i = 0; i < ret->length; i++)
		node = r->to[path[i]][node];
	assert_int_equal(r->distance[node], 0);
}

static void every_search_from_every_node(void **state)
{
	struct pz_job job = any_job();
	struct pz_result ret;
	struct pz_error error;
	unsigned seed, i;
	int node;

	(void)state;
	for (seed = 0; seed < RINGS; seed++) {
		struct naive_ring r;

		naive_ring_make(&r, seed);
		assert_int_equal(ring_solver.table_build(&r, content, (unsigned char *)states,
							 &host, &error),
				 0);
		for (node = 0; node < RING_NODES; node++) {
			for (i = 0; i < SEARCHES; i++) {
				if (r.distance[node] < 0 && !searches[i].proves)
					continue;
				search(searches[i].with, &r, node, &job, &ret);
				if (r.distance[node] < 0)
					assert_int_equal(ret.status, PZ_UNSOLVABLE);
				else
					assert_way(&r, node, &ret);
			}
		}
	}
}

static void limits_accept_n_and_refuse_less(void **state)
{
	struct pz_job job = any_job();
	struct naive_ring r;
	struct pz_result ret;
	struct pz_error error;
	unsigned i;
	int node;

	(void)state;
	naive_ring_make(&r, 7);
	assert_int_equal(
		ring_solver.table_build(&r, content, (unsigned char *)states, NULL, &error), 0);
	for (node = 0; node < RING_BLOCK; node++) {
		int distance = r.distance[node];

		for (i = 0; i < SEARCHES && distance > 0; i++) {
			job.max_length = distance;
			search(searches[i].with, &r, node, &job, &ret);
			assert_way(&r, node, &ret);
			job.max_length = distance - 1;
			search(searches[i].with, &r, node, &job, &ret);
			assert_int_equal(ret.status, PZ_LIMIT);
			assert_int_equal(ret.lower_bound, distance);
			assert_int_equal(ret.length, 0);
		}
	}
}

/* A line of a million nodes, the goal at one end: nothing but memory and polls ends a search. */
enum { LINE = 1 << 20 };

static uint64_t line_moves(const void *c, const void *s)
{
	const int at = *(const int *)s;

	(void)c;
	return (at > 0 ? 1u : 0) | (at < LINE ? 2u : 0);
}

static int line_h(const void *c, const void *s)
{
	(void)c;
	return *(const int *)s == 0 ? 0 : 1;
}

static void line_apply(const void *c, void *child, const void *s, unsigned m)
{
	(void)c;
	*(int *)child = *(const int *)s + (m == 0 ? -1 : 1);
}

static size_t line_goals(const void *c, void *goals, size_t cap)
{
	(void)c;
	if (cap > 0)
		*(int *)goals = 0;
	return 1;
}

static int line_cost(const void *c, const void *s, unsigned m)
{
	(void)c;
	(void)s;
	(void)m;
	return 2;
}

#define LINE_DOMAIN                                                                                \
	.state_size = sizeof(int), .key_size = sizeof(int), .max_moves = 2, .h_consistent = true,  \
	.moves = line_moves, .h = line_h, .apply = line_apply, .inverse = ring_inverse,            \
	.goals = line_goals

static const struct pz_domain line = {LINE_DOMAIN};
static const struct pz_domain dear_line = {LINE_DOMAIN, .cost = line_cost};
PZ_SOLVER(line)
PZ_SOLVER(dear_line)

static void memory_ends_a_search_cleanly(void **state)
{
	/* A*'s costs are not limited by path_max where moves are dear; the others' depth is raised. */
	static pz_search *const kernels[] = {dear_line_astar};
	size_t memory;
	struct pz_result ret;
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		uint64_t before = 0;

		for (memory = 0; memory <= 1 << 20; memory = memory * 2 + 1000) {
			struct pz_job job = any_job();

			job.memory = memory;
			search(kernels[i], NULL, LINE / 2, &job, &ret);
			assert_int_equal(ret.status, PZ_MEMORY);
			assert_true(ret.stats.memory <= memory);
			assert_true(ret.lower_bound >= before);
			before = ret.lower_bound;
		}
		assert_true(before > 1000);
	}
}

static void breadth_first_ends_for_lack_of_memory(void **state)
{
	static pz_search *const kernels[] = {line_bfs, line_bidirectional};
	static struct pz_frame one_frame;
	struct pz_job job = any_job();
	struct pz_result ret;
	int room[2], node = LINE / 2;
	unsigned i;

	(void)state;
	job.memory = 1 << 16;
	for (i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		struct pz_run run = {.job = &job,
				     .ret = &ret,
				     .path_max = LINE,
				     .frames = &one_frame,
				     .states = (unsigned char *)room};

		ret = (struct pz_result){.size = sizeof(ret), .path = path};
		kernels[i](NULL, &node, &run);
		assert_int_equal(ret.status, PZ_MEMORY);
		assert_true(ret.stats.memory <= job.memory);
		assert_in_range(ret.lower_bound, 500, LINE / 2);
		/* Stopped instead, it tells what it has proved until then. */
		job.memory = 1 << 26;
		polls_left = 1;
		ret = (struct pz_result){.size = sizeof(ret), .path = path};
		kernels[i](NULL, &node, &run);
		polls_left = -1;
		assert_int_equal(ret.status, PZ_STOPPED);
		assert_in_range(ret.lower_bound, 10000, LINE / 2);
		job.memory = 1 << 16;
	}
}

static void a_builder_can_be_stopped(void **state)
{
	struct naive_ring r;
	struct pz_error error;

	(void)state;
	naive_ring_make(&r, 3);
	polls_left = 0;
	assert_int_equal(
		ring_solver.table_build(&r, content, (unsigned char *)states, &host, &error), -1);
	polls_left = -1;
	assert_non_null(strstr(error.reason, "stopped"));
}

/* A table that is all zero, or whose values lead in a circle, is refused, never followed for ever. */
static void a_corrupt_table_is_refused(void **state)
{
	struct pz_job job = any_job();
	struct naive_ring r;
	struct pz_result ret;
	int node = 0;

	(void)state;
	naive_ring_make(&r, 3);
	while (r.distance[node] < 3)
		node++;
	memset(content, 0, sizeof(content));
	search(ring_by_table, &r, node, &job, &ret);
	assert_int_equal(ret.status, PZ_FAILED);
	assert_non_null(strstr(ret.error.reason, "built again"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(astar_finds_least_cost),
		cmocka_unit_test(astar_will_not_limit_the_length_of_unequal_moves),
		cmocka_unit_test(every_search_from_every_node),
		cmocka_unit_test(limits_accept_n_and_refuse_less),
		cmocka_unit_test(memory_ends_a_search_cleanly),
		cmocka_unit_test(breadth_first_ends_for_lack_of_memory),
		cmocka_unit_test(a_builder_can_be_stopped),
		cmocka_unit_test(a_corrupt_table_is_refused),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
