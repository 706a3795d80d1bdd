/* SPDX-License-Identifier: MIT */
/* Every search over random graphs whose moves cost 1 and can be undone, tables among them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <puzzled/search/domain.h>

#include "tests/naive_ring.h"
#include "tests/naive_run.h"

enum { RINGS = 5 };

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
							 &naive_poller, &error),
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

static void a_builder_can_be_stopped(void **state)
{
	struct naive_ring r;
	struct pz_error error;

	(void)state;
	naive_ring_make(&r, 3);
	polls_left = 0;
	assert_int_equal(ring_solver.table_build(&r, content, (unsigned char *)states,
						 &naive_poller, &error),
			 -1);
	polls_left = -1;
	assert_non_null(strstr(error.reason, "stopped"));
}

/*
 * A table that is all zero, or whose values lead in a circle, is refused, never followed for ever.
 */
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
		cmocka_unit_test(every_search_from_every_node),
		cmocka_unit_test(limits_accept_n_and_refuse_less),
		cmocka_unit_test(a_builder_can_be_stopped),
		cmocka_unit_test(a_corrupt_table_is_refused),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("backward", tests, NULL, NULL);
}
