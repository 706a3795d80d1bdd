/* SPDX-License-Identifier: MIT */
/* Where the memory of a search ends, or the host stops it: what it answers then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <puzzled/search/domain.h>

#include "tests/naive_run.h"

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

static unsigned line_inverse(unsigned m)
{
	return m ^ 1;
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
	.moves = line_moves, .h = line_h, .apply = line_apply, .inverse = line_inverse,            \
	.goals = line_goals

static const struct pz_domain line = {LINE_DOMAIN};
static const struct pz_domain dear_line = {LINE_DOMAIN, .cost = line_cost};
PZ_SOLVER(line)
PZ_SOLVER(dear_line)

/* What is proved grows with the memory, which is never passed. */
static void memory_ends_a_search_cleanly(void **state)
{
	struct pz_result ret;
	uint64_t before = 0;
	size_t memory;

	(void)state;
	for (memory = 0; memory <= 1 << 20; memory = memory * 2 + 1000) {
		struct pz_job job = any_job();

		job.memory = memory;
		/* Where moves are dear, path_max does not limit the cost. */
		search(dear_line_astar, NULL, LINE / 2, &job, &ret);
		assert_int_equal(ret.status, PZ_MEMORY);
		assert_true(ret.stats.memory <= memory);
		assert_true(ret.lower_bound >= before);
		before = ret.lower_bound;
	}
	assert_true(before > 1000);
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
		polls_left = 30;
		ret = (struct pz_result){.size = sizeof(ret), .path = path};
		kernels[i](NULL, &node, &run);
		polls_left = -1;
		assert_int_equal(ret.status, PZ_STOPPED);
		assert_in_range(ret.lower_bound, 10000, LINE / 2);
		job.memory = 1 << 16;
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_ends_a_search_cleanly),
		cmocka_unit_test(breadth_first_ends_for_lack_of_memory),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
