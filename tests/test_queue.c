/* SPDX-License-Identifier: MIT */
/* Whose turn it is.  A job is known here by its id: tens say whose it is, ones which of theirs. */
#include "tests/cmocka_first.h"

#include "daemon/queue.h"
#include "daemon/user.h"

#include <stdlib.h>

enum { OWNERS = 3, JOBS = 64 };

struct bench {
	struct queue queue;
	struct queue_source owners[OWNERS];
	struct job jobs[JOBS];
	int used;
};

static int open_bench(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	if (!bench)
		return -1;
	queue_init(&bench->queue);
	*state = bench;
	return 0;
}

static int close_bench(void **state)
{
	struct bench *bench = *state;
	while (queue_pop(&bench->queue, NULL, NULL))
		;
	free(bench);
	return 0;
}

static struct job *push(struct bench *bench, int owner, int number, bool again)
{
	assert_true(bench->used < JOBS);
	struct job *job = &bench->jobs[bench->used++];
	*job = (struct job){.id = (uint64_t)(owner * 10 + number), .count = 1};
	assert_int_equal(queue_push(&bench->queue, &bench->owners[owner], job, again), 0);
	return job;
}

/* That the jobs come out in this order, and then no more. */
static void assert_order(struct bench *bench, const int *ids, int count)
{
	for (int i = 0; i < count; i++) {
		struct job *job = queue_pop(&bench->queue, NULL, NULL);
		assert_non_null(job);
		assert_int_equal(job->id, ids[i]);
		assert_null(job->flow);
	}
	assert_null(queue_pop(&bench->queue, NULL, NULL));
}

#define ASSERT_ORDER(bench, ...)                                                                   \
	assert_order(bench, (const int[]){__VA_ARGS__},                                            \
		     sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static void test_an_empty_queue_gives_nothing(void **state)
{
	struct bench *bench = *state;
	assert_null(queue_pop(&bench->queue, NULL, NULL));
	assert_int_equal(bench->queue.jobs, 0);
	assert_int_equal(bench->queue.boards, 0);
}

static void test_jobs_of_one_owner_keep_their_order(void **state)
{
	struct bench *bench = *state;
	for (int i = 0; i < 5; i++)
		push(bench, 0, i, false);
	ASSERT_ORDER(bench, 0, 1, 2, 3, 4);
}

static void test_users_take_turns_however_many_sessions_they_have(void **state)
{
	struct bench *bench = *state;
	struct user users[2] = {{.uid = 1}, {.uid = 2}};
	bench->owners[0].user = bench->owners[1].user = &users[0];
	bench->owners[2].user = &users[1];
	for (int i = 0; i < 3; i++)
		for (int owner = 0; owner < OWNERS; owner++)
			push(bench, owner, i, false);
	ASSERT_ORDER(bench, 0, 20, 10, 21, 1, 22, 11, 2, 12);
}

static bool is_not(void *arg, const struct user *user)
{
	return user != arg;
}

static void test_a_user_who_may_not_is_passed_over(void **state)
{
	struct bench *bench = *state;
	struct user users[2] = {{.uid = 1}, {.uid = 2}};
	bench->owners[0].user = &users[0];
	bench->owners[1].user = &users[1];
	push(bench, 0, 0, false);
	push(bench, 1, 0, false);
	assert_true(queue_any(&bench->queue, is_not, &users[0]));
	struct job *job = queue_pop(&bench->queue, is_not, &users[0]);
	assert_int_equal(job->id, 10);
	assert_null(queue_pop(&bench->queue, is_not, &users[0]));
	assert_false(queue_any(&bench->queue, is_not, &users[0]));
	ASSERT_ORDER(bench, 0);
}

static void test_owners_take_turns(void **state)
{
	struct bench *bench = *state;
	for (int i = 0; i < 4; i++)
		push(bench, 0, i, false);
	push(bench, 1, 0, false);
	push(bench, 1, 1, false);
	push(bench, 2, 0, false);
	ASSERT_ORDER(bench, 0, 10, 20, 1, 11, 2, 3);
}

static void test_who_comes_late_waits_one_turn_and_not_for_all(void **state)
{
	struct bench *bench = *state;
	for (int i = 0; i < 9; i++)
		push(bench, 0, i, false);
	assert_int_equal(queue_pop(&bench->queue, NULL, NULL)->id, 0);
	push(bench, 1, 0, false);
	ASSERT_ORDER(bench, 1, 10, 2, 3, 4, 5, 6, 7, 8);
}

static void test_asking_again_at_once_does_not_jump_the_turn(void **state)
{
	struct bench *bench = *state;
	push(bench, 0, 0, false);
	push(bench, 1, 0, false);
	/* One whose only job is taken, and who then has another, is behind the other one. */
	assert_int_equal(queue_pop(&bench->queue, NULL, NULL)->id, 0);
	push(bench, 0, 1, false);
	ASSERT_ORDER(bench, 10, 1);
}

static void test_a_job_that_comes_back_is_the_first_of_its_owner(void **state)
{
	struct bench *bench = *state;
	push(bench, 0, 1, false);
	push(bench, 0, 2, false);
	push(bench, 1, 0, false);
	push(bench, 0, 0, true);
	ASSERT_ORDER(bench, 0, 10, 1, 2);
}

static void test_removing_takes_out_just_that_one(void **state)
{
	struct bench *bench = *state;
	struct job *alone, *middle;
	push(bench, 0, 0, false);
	middle = push(bench, 0, 1, false);
	push(bench, 0, 2, false);
	alone = push(bench, 1, 0, false);
	push(bench, 2, 0, false);
	queue_remove(middle);
	queue_remove(alone);
	assert_null(middle->flow);
	/* An owner who has nothing here has no flow either. */
	assert_true(LIST_EMPTY(&bench->owners[1].flows));
	assert_int_equal(bench->queue.jobs, 3);
	ASSERT_ORDER(bench, 0, 20, 2);
	assert_true(LIST_EMPTY(&bench->owners[0].flows));
}

static void test_counts_are_of_what_waits(void **state)
{
	struct bench *bench = *state;
	uint64_t boards = 0;
	for (int i = 0; i < 6; i++) {
		struct job *job = &bench->jobs[bench->used++];
		*job = (struct job){.id = (uint64_t)i + 1, .count = (uint32_t)i * 10 + 1};
		boards += job->count;
		assert_int_equal(queue_push(&bench->queue, &bench->owners[i % OWNERS], job, i % 2),
				 0);
		assert_int_equal(bench->queue.jobs, i + 1);
		assert_int_equal(bench->queue.boards, boards);
	}
	queue_remove(&bench->jobs[5]);
	boards -= 51;
	for (uint32_t left = 5; left > 0; left--) {
		assert_int_equal(bench->queue.jobs, left);
		assert_int_equal(bench->queue.boards, boards);
		boards -= queue_pop(&bench->queue, NULL, NULL)->count;
	}
	assert_int_equal(bench->queue.jobs, 0);
	assert_int_equal(bench->queue.boards, 0);
}

static void test_an_owner_has_a_flow_in_each_queue(void **state)
{
	struct bench *bench = *state;
	struct queue other;
	struct job job = {.id = 77, .count = 5};
	queue_init(&other);
	push(bench, 0, 0, false);
	assert_int_equal(queue_push(&other, &bench->owners[0], &job, false), 0);
	assert_int_equal(bench->queue.boards, 1);
	assert_int_equal(other.boards, 5);
	assert_ptr_equal(queue_pop(&other, NULL, NULL), &job);
	assert_null(queue_pop(&other, NULL, NULL));
	ASSERT_ORDER(bench, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_BENCH(test) cmocka_unit_test_setup_teardown(test, open_bench, close_bench)
		ON_BENCH(test_an_empty_queue_gives_nothing),
		ON_BENCH(test_jobs_of_one_owner_keep_their_order),
		ON_BENCH(test_owners_take_turns),
		ON_BENCH(test_users_take_turns_however_many_sessions_they_have),
		ON_BENCH(test_a_user_who_may_not_is_passed_over),
		ON_BENCH(test_who_comes_late_waits_one_turn_and_not_for_all),
		ON_BENCH(test_asking_again_at_once_does_not_jump_the_turn),
		ON_BENCH(test_a_job_that_comes_back_is_the_first_of_its_owner),
		ON_BENCH(test_removing_takes_out_just_that_one),
		ON_BENCH(test_counts_are_of_what_waits),
		ON_BENCH(test_an_owner_has_a_flow_in_each_queue),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
