/* SPDX-License-Identifier: MIT */
/*
 * The life of a job, against a second table written from the words of job.h, and the cutting of its
 * frame.
 */
#include "tests/cmocka_first.h"

#include "daemon/job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Every pair of state and event that can happen, in the order of a job's life.  All others
 * cannot. */
static const struct step {
	enum job_state from;
	enum job_event event;
	enum job_state to;
} steps[] = {
	/* Nobody holds its frame: it is given to a worker, or waits for a table, or ends at
	 * once. */
	{JOB_WAITING, JOB_DISPATCH, JOB_SENT},
	{JOB_WAITING, JOB_STOP, JOB_ANSWERED},
	{JOB_PARKED, JOB_TABLE, JOB_WAITING},
	{JOB_PARKED, JOB_STOP, JOB_ANSWERED},

	/* Its frame is behind others, which must be answered before it runs. */
	{JOB_SENT, JOB_OLDEST, JOB_RUNNING},
	{JOB_SENT, JOB_RECALL, JOB_RECALLED},
	{JOB_SENT, JOB_STOP, JOB_ABANDONED},

	/* It runs: it is answered, or given back until there is a table. */
	{JOB_RUNNING, JOB_RESULT, JOB_ANSWERED},
	{JOB_RUNNING, JOB_WAITS, JOB_PARKED},
	{JOB_RUNNING, JOB_STOP, JOB_STOPPING},

	/* It was asked back: what the worker says first, by answering it too, is what counts. */
	{JOB_RECALLED, JOB_OLDEST, JOB_RECALLED},
	{JOB_RECALLED, JOB_DROPPED, JOB_WAITING},
	{JOB_RECALLED, JOB_BEGAN, JOB_RUNNING},
	{JOB_RECALLED, JOB_RESULT, JOB_ANSWERED},
	{JOB_RECALLED, JOB_WAITS, JOB_PARKED},
	{JOB_RECALLED, JOB_STOP, JOB_ABANDONED},

	/* It was told to stop, once or again: its client waits for what the worker has to say. */
	{JOB_STOPPING, JOB_STOP, JOB_STOPPING},
	{JOB_STOPPING, JOB_BEGAN, JOB_STOPPING},
	{JOB_STOPPING, JOB_DROPPED, JOB_ANSWERED},
	{JOB_STOPPING, JOB_RESULT, JOB_ANSWERED},
	{JOB_STOPPING, JOB_WAITS, JOB_ANSWERED},

	/* Its client is answered: whatever the worker does with the frame only lets go of it. */
	{JOB_ABANDONED, JOB_OLDEST, JOB_ABANDONED},
	{JOB_ABANDONED, JOB_BEGAN, JOB_ABANDONED},
	{JOB_ABANDONED, JOB_DROPPED, JOB_ANSWERED},
	{JOB_ABANDONED, JOB_RESULT, JOB_ANSWERED},
	{JOB_ABANDONED, JOB_WAITS, JOB_ANSWERED},

	/* The worker dies: on this job, which then ends, or on another, so that it is given to a
	 * second worker unless nobody waits for it any more. */
	{JOB_SENT, JOB_CULPRIT, JOB_ANSWERED},
	{JOB_RUNNING, JOB_CULPRIT, JOB_ANSWERED},
	{JOB_RECALLED, JOB_CULPRIT, JOB_ANSWERED},
	{JOB_STOPPING, JOB_CULPRIT, JOB_ANSWERED},
	{JOB_ABANDONED, JOB_CULPRIT, JOB_ANSWERED},
	{JOB_SENT, JOB_BYSTANDER, JOB_WAITING},
	{JOB_RUNNING, JOB_BYSTANDER, JOB_WAITING},
	{JOB_RECALLED, JOB_BYSTANDER, JOB_WAITING},
	{JOB_STOPPING, JOB_BYSTANDER, JOB_ANSWERED},
	{JOB_ABANDONED, JOB_BYSTANDER, JOB_ANSWERED},
};

enum { STEPS = sizeof(steps) / sizeof(steps[0]) };

static enum job_state expected(enum job_state from, enum job_event event)
{
	for (size_t i = 0; i < STEPS; i++)
		if (steps[i].from == from && steps[i].event == event)
			return steps[i].to;
	return JOB_STATES;
}

static void test_every_state_meets_every_event(void **state)
{
	(void)state;
	for (int from = 0; from < JOB_STATES; from++) {
		for (int event = 0; event < JOB_EVENTS; event++) {
			struct job job = {.state = (enum job_state)from};
			enum job_state want = expected((enum job_state)from, (enum job_event)event);
			enum job_state next = job_next((enum job_state)from, (enum job_event)event);
			if (next != want)
				fail_msg("event %d takes a %s job to %s, not to %s", event,
					 job_state_name(job.state), job_state_name(next),
					 job_state_name(want));
			assert_int_equal(job_event(&job, (enum job_event)event),
					 want == JOB_STATES ? -EPROTO : 0);
			/* What cannot happen changes nothing. */
			assert_int_equal(job.state,
					 want == JOB_STATES ? (enum job_state)from : want);
		}
	}
}

static bool holds_frame(int state)
{
	return state != JOB_WAITING && state != JOB_PARKED && state != JOB_ANSWERED;
}

static void test_a_worker_dies_on_just_those_that_it_holds(void **state)
{
	(void)state;
	for (int from = 0; from < JOB_STATES; from++) {
		assert_int_equal(job_next((enum job_state)from, JOB_CULPRIT),
				 holds_frame(from) ? JOB_ANSWERED : JOB_STATES);
		assert_int_equal(job_next((enum job_state)from, JOB_BYSTANDER) != JOB_STATES,
				 holds_frame(from));
	}
}

static void test_whatever_happens_can_be_ended(void **state)
{
	(void)state;
	for (int from = 0; from < JOB_ANSWERED; from++) {
		enum job_state stopped = job_next((enum job_state)from, JOB_STOP);
		if (from == JOB_ABANDONED)
			stopped = JOB_ABANDONED; /* its client has been answered already */
		assert_int_not_equal(stopped, JOB_STATES);
		if (holds_frame(stopped))
			assert_int_equal(job_next(stopped, JOB_CULPRIT), JOB_ANSWERED);
	}
	for (int event = 0; event < JOB_EVENTS; event++)
		assert_int_equal(job_next(JOB_ANSWERED, (enum job_event)event), JOB_STATES);
}

static void test_states_have_names(void **state)
{
	(void)state;
	for (int a = 0; a < JOB_STATES; a++)
		for (int b = 0; b < a; b++)
			assert_string_not_equal(job_state_name((enum job_state)a),
						job_state_name((enum job_state)b));
	assert_string_equal(job_state_name(JOB_STATES), "none");
}

/* ---- the frame ----------------------------------------------------------------------------- */

static struct wire_job decode(const struct job *job, struct buf *store)
{
	struct wire_job spec;
	struct frame frame;
	size_t used;
	job_put_frame(job, 7, store);
	assert_int_equal(frame_next(buf_text(store), SIZE_MAX, &frame, &used), 1);
	assert_int_equal(used, buf_len(store));
	assert_int_equal(frame.type, WIRE_JOB);
	assert_int_equal(wire_get_job(frame.payload, &spec), 0);
	assert_int_equal(spec.id, job->id);
	assert_int_equal(spec.search_ms, 7);
	return spec;
}

/* A job of the boards 100, 101, ... whose first is number `first` of its request. */
static struct job *make(uint32_t first, uint32_t count)
{
	struct buf boards = {0};
	struct wire_job spec = {
		.op = WIRE_SOLVE,
		.flags = WIRE_TRACE,
		.algorithm = text_of("ida"),
		.goal = text_of("the goal"),
		.max_length = 15,
		.max_cost = -1,
		.option_count = 1,
		.options = {{text_of("depth"), text_of("7"), WIRE_NUMBER}},
	};
	for (uint32_t i = 0; i < count; i++) {
		char board[16];
		snprintf(board, sizeof(board), "%u", 100 + i);
		wire_put_board(&boards, text_of(board));
	}
	struct job_head *head = job_head_new(&spec);
	assert_non_null(head);
	struct job *job = job_new(NULL, head, first, count, buf_text(&boards));
	buf_free(&boards);
	job_head_drop(head);
	assert_non_null(job);
	return job;
}

/* That the job's frame is of `count` boards from 100 + `from` on, and of nothing else than
 * before. */
static void assert_boards(const struct job *job, uint32_t from, uint32_t count)
{
	struct buf store = {0};
	struct wire_job spec = decode(job, &store);
	assert_int_equal(job->count, count);
	assert_int_equal(spec.board_count, count);
	for (uint32_t i = 0; i < count; i++) {
		char board[16];
		snprintf(board, sizeof(board), "%u", 100 + from + i);
		assert_true(text_is(wire_board_next(&spec.boards), board));
	}
	assert_int_equal(spec.boards.len, 0);
	assert_int_equal(spec.op, WIRE_SOLVE);
	assert_int_equal(spec.flags, WIRE_TRACE);
	assert_true(text_is(spec.algorithm, "ida"));
	assert_null(spec.heuristic.data);
	assert_true(text_is(spec.goal, "the goal"));
	assert_int_equal(spec.max_length, 15);
	assert_int_equal(spec.max_cost, -1);
	assert_int_equal(spec.option_count, 1);
	assert_true(text_is(spec.options[0].value, "7"));
	buf_free(&store);
}

static void test_a_new_job_waits_under_a_number_of_its_own(void **state)
{
	(void)state;
	struct job *one = make(0, 1), *two = make(1, LIMIT_SLICE);
	assert_int_equal(one->state, JOB_WAITING);
	assert_int_not_equal(one->id, 0);
	assert_true(two->id > one->id);
	assert_int_equal(two->first, 1);
	assert_boards(one, 0, 1);
	assert_boards(two, 0, LIMIT_SLICE);
	job_free(one);
	job_free(two);
}

static void test_shrinking_keeps_what_is_not_answered(void **state)
{
	(void)state;
	for (uint32_t done = 1; done < LIMIT_SLICE; done++) {
		struct job *job = make(1000, LIMIT_SLICE);
		uint64_t id = job->id;
		job->done = done;
		job_shrink(job);
		assert_int_equal(job->id, id);
		assert_int_equal(job->first, 1000 + done);
		assert_int_equal(job->done, 0);
		assert_boards(job, done, LIMIT_SLICE - done);
		job_free(job);
	}
}

static void test_a_cut_is_a_job_of_its_own(void **state)
{
	(void)state;
	struct job *job = make(64, 10);
	job->requeues = 2;
	for (uint32_t from = 0; from < 10; from++) {
		for (uint32_t to = from + 1; to <= 10; to++) {
			struct job *cut = job_cut(job, from, to);
			assert_non_null(cut);
			assert_true(cut->id > job->id);
			assert_int_equal(cut->state, JOB_WAITING);
			assert_int_equal(cut->first, 64 + from);
			assert_int_equal(cut->done, 0);
			/* Being cut out does not make it forget how often it came back. */
			assert_int_equal(cut->requeues, 2);
			assert_boards(cut, from, to - from);
			job_free(cut);
		}
	}
	assert_boards(job, 0, 10);
	job_free(job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_state_meets_every_event),
		cmocka_unit_test(test_a_worker_dies_on_just_those_that_it_holds),
		cmocka_unit_test(test_whatever_happens_can_be_ended),
		cmocka_unit_test(test_states_have_names),
		cmocka_unit_test(test_a_new_job_waits_under_a_number_of_its_own),
		cmocka_unit_test(test_shrinking_keeps_what_is_not_answered),
		cmocka_unit_test(test_a_cut_is_a_job_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
