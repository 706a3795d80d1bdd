/* SPDX-License-Identifier: MIT */
/*
 * Jobs that are stopped, recalled or too late, against a worker that hears, one that is deaf for a
 * while, and a rude one, which neither acknowledges nor obeys: each request gets one reply, of the
 * right kind, and no worker is killed that need not be.
 */
#include "tests/e2e/harness.h"

static const char fake[] =
	"worker = @/tests/fake_worker\nmax_user_crashes = 1000000\nworkers = 1\ngrace = 20s\n"
	"[puzzle:fake]\nplugin = /x/good\n"
	"[puzzle:rude]\nplugin = /x/rude\n"
	"[puzzle:strict]\nplugin = /x/good\ngrace = 50ms\n"
	"[puzzle:rude_strict]\nplugin = /x/rude\ngrace = 50ms\n"
	"[puzzle:two]\nplugin = /x/good\nworkers = 2\n";

static void solve_within(struct client *client, int id, const char *puzzle, const char *board,
			 int timeout_ms)
{
	client_sendf(
		client,
		"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":{\"puzzle\":\"%s\","
		"\"board\":\"%s\",\"timeout_ms\":%d}}\n",
		id, puzzle, board, timeout_ms);
}

/* Cancels request `id` by one whose id is 1000 more. */
static void cancel(struct client *client, int id)
{
	client_sendf(
		client,
		"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"cancel\",\"params\":{\"id\":%d}}\n",
		1000 + id, id);
}

static void expect_cancel(struct client *client, int id, bool found)
{
	json_t *reply = client_next(client);
	assert_int_equal(number_at(reply, "id"), 1000 + id);
	const json_t *result = json_object_get(reply, "result");
	assert_true(json_is_boolean(json_object_get(result, "cancelled")));
	assert_int_equal(json_is_true(json_object_get(result, "cancelled")), found);
	json_decref(reply);
}

static void assert_restarts(const struct site *site, const char *puzzle, long restarts)
{
	struct client control;
	client_open(&control, site);
	client_await(&control, puzzle, "restarts", restarts);
	client_await(&control, puzzle, "busy", 0);
	json_t *status = client_status(&control, puzzle);
	assert_int_equal(number_at(status, "queue"), 0);
	json_decref(status);
	client_close(&control);
}

/* With all workers up, so that jobs are not merely waiting for them. */
static void begin(struct site *site, struct client *client)
{
	static const char *const puzzles[] = {"fake", "rude", "strict", "rude_strict", "two"};
	site_run(site, fake);
	client_open(client, site);
	for (int i = 0; i < 5; i++) {
		client_solve(client, 1, puzzles[i], "warm");
		assert_member(client_next(client), 1, "final", "warm");
	}
}

static void end(struct site *site, struct client *client)
{
	client_close(client);
	site_stop(site);
}

static void test_a_running_job_is_cancelled(void **state)
{
	struct client client;
	begin(*state, &client);
	client_begin(&client, 1, "fake", "obey 3600000");
	cancel(&client, 1);
	expect_cancel(&client, 1, true);
	assert_error(client_next(&client), 1, "cancelled", "it was cancelled");
	/* It is no more, and its id is free. */
	cancel(&client, 1);
	expect_cancel(&client, 1, false);
	client_solve(&client, 1, "fake", "on");
	assert_member(client_next(&client), 1, "final", "on");
	assert_restarts(*state, "fake", 0);
	end(*state, &client);
}

static void test_a_notification_cancels_without_a_reply(void **state)
{
	struct client client;
	begin(*state, &client);
	client_begin(&client, 1, "fake", "obey 3600000");
	client_send(&client, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"id\":1}}\n");
	assert_error(client_next(&client), 1, "cancelled", "it was cancelled");
	end(*state, &client);
}

static void test_an_answer_that_crosses_the_cancel_counts(void **state)
{
	struct client client;
	begin(*state, &client);
	client_begin(&client, 1, "fake", "race 3600000");
	cancel(&client, 1);
	expect_cancel(&client, 1, true);
	assert_member(client_next(&client), 1, "final", "after all");
	assert_restarts(*state, "fake", 0);
	end(*state, &client);
}

static void test_ids_of_two_sessions_are_not_mixed_up(void **state)
{
	struct client one, two;
	begin(*state, &one);
	client_open(&two, *state);
	client_begin(&one, 7, "fake", "obey 3600000");
	cancel(&two, 7);
	expect_cancel(&two, 7, false);
	/* Nor a number with the string of its digits. */
	client_send(&one,
		    "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"id\":\"7\"}}\n");
	cancel(&one, 7);
	expect_cancel(&one, 7, true);
	assert_error(client_next(&one), 7, "cancelled", "");
	client_close(&two);
	end(*state, &one);
}

static void test_a_deadline_tells_what_is_proved(void **state)
{
	struct client client;
	begin(*state, &client);
	solve_within(&client, 1, "fake", "obey 3600000", 100);
	json_t *reply = client_next(&client);
	assert_int_equal(number_at(reply, "error/data/lower_bound"), 7);
	assert_error(reply, 1, "timeout", "within 100 ms");
	assert_restarts(*state, "fake", 0);
	end(*state, &client);
}

static void test_a_deaf_worker_is_killed_at_the_deadline(void **state)
{
	struct client client;
	begin(*state, &client);
	solve_within(&client, 1, "strict", "hang", 100);
	assert_error(client_next(&client), 1, "timeout", "within 100 ms");
	client_solve(&client, 2, "strict", "on");
	assert_member(client_next(&client), 2, "final", "on");
	assert_restarts(*state, "strict", 1);
	end(*state, &client);
}

static void test_who_answers_within_the_grace_is_not_killed(void **state)
{
	struct client client;
	begin(*state, &client);
	solve_within(&client, 1, "fake", "late 300", 50);
	assert_member(client_next(&client), 1, "final", "late");
	assert_restarts(*state, "fake", 0);
	end(*state, &client);
}

/* Behind a long job, others are called back; a worker that hears it only afterwards has them
 * dropped and gets them again, a rude one just answers them. */
static void jobs_behind_a_long_one(void **state, const char *puzzle)
{
	struct client client;
	begin(*state, &client);
	client_solve(&client, 1, puzzle, "late 200");
	for (int id = 2; id < 20; id++)
		client_solve(&client, id, puzzle, "short");
	assert_member(client_next(&client), 1, "final", "late");
	for (int id = 2; id < 20; id++)
		assert_member(client_next(&client), id, "final", "short");
	assert_restarts(*state, puzzle, 0);
	end(*state, &client);
}

static void test_recalled_jobs_are_given_out_again(void **state)
{
	jobs_behind_a_long_one(state, "fake");
}

static void test_recalled_jobs_that_are_answered_all_the_same(void **state)
{
	jobs_behind_a_long_one(state, "rude");
}

static void test_recalled_jobs_go_to_the_other_worker(void **state)
{
	struct client client;
	begin(*state, &client);
	client_solve(&client, 1, "two", "obey 3600000");
	for (int id = 2; id < 20; id++)
		client_solve(&client, id, "two", "short");
	/* In whatever order they came back. */
	bool seen[20] = {false};
	for (int i = 2; i < 20; i++) {
		json_t *reply = client_next(&client);
		long id = number_at(reply, "id");
		assert_in_range(id, 2, 19);
		assert_false(seen[id]);
		seen[id] = true;
		assert_member(reply, (int)id, "final", "short");
	}
	cancel(&client, 1);
	expect_cancel(&client, 1, true);
	assert_error(client_next(&client), 1, "cancelled", "");
	assert_restarts(*state, "two", 0);
	end(*state, &client);
}

/* What is not running is answered at once when it is cancelled; what its worker does with the frame
 * is no news. */
static void cancel_behind_a_long_one(void **state, const char *puzzle)
{
	struct client client;
	begin(*state, &client);
	client_solve(&client, 1, puzzle, "late 400");
	client_solve(&client, 2, puzzle, "short");
	client_solve(&client, 3, puzzle, "fail 6");
	client_solve(&client, 4, puzzle, "stopped");
	for (int id = 2; id < 5; id++)
		cancel(&client, id);
	for (int id = 2; id < 5; id++) {
		expect_cancel(&client, id, true);
		assert_error(client_next(&client), id, "cancelled", "");
	}
	assert_member(client_next(&client), 1, "final", "late");
	client_solve(&client, 5, puzzle, "on");
	assert_member(client_next(&client), 5, "final", "on");
	assert_restarts(*state, puzzle, 0);
	end(*state, &client);
}

static void test_a_waiting_job_is_cancelled(void **state)
{
	cancel_behind_a_long_one(state, "fake");
}

static void test_a_cancelled_job_that_is_answered_all_the_same(void **state)
{
	cancel_behind_a_long_one(state, "rude");
}

/* The client of a recalled job is answered at its deadline; the worker that has begun it and never
 * comes back must be ended too, or it would be lost for ever. */
static void test_a_recalled_job_cannot_hold_a_worker_for_ever(void **state)
{
	struct client client;
	begin(*state, &client);
	client_solve(&client, 1, "rude_strict", "late 200");
	solve_within(&client, 2, "rude_strict", "hang", 400);
	assert_member(client_next(&client), 1, "final", "late");
	assert_error(client_next(&client), 2, "timeout", "within 400 ms");
	client_solve(&client, 3, "rude_strict", "on");
	assert_member(client_next(&client), 3, "final", "on");
	assert_restarts(*state, "rude_strict", 1);
	end(*state, &client);
}

/* The same where it was given up before it was even begun. */
static void test_an_abandoned_job_cannot_hold_a_worker_for_ever(void **state)
{
	struct client client;
	begin(*state, &client);
	client_solve(&client, 1, "rude_strict", "late 200");
	client_solve(&client, 2, "rude_strict", "hang");
	cancel(&client, 2);
	expect_cancel(&client, 2, true);
	assert_error(client_next(&client), 2, "cancelled", "");
	assert_member(client_next(&client), 1, "final", "late");
	client_solve(&client, 3, "rude_strict", "on");
	assert_member(client_next(&client), 3, "final", "on");
	assert_restarts(*state, "rude_strict", 1);
	end(*state, &client);
}

/* A worker that gives a job back for a table that nobody builds. */
static void test_waiting_for_no_table_makes_no_sense(void **state)
{
	struct client client;
	begin(*state, &client);
	client_solve(&client, 1, "fake", "waits");
	assert_error(client_next(&client), 1, "worker_crashed", "makes no sense");
	assert_restarts(*state, "fake", 1);
	end(*state, &client);
}

static void test_many_cancels_cross_many_answers(void **state)
{
	struct client client;
	enum { JOBS = 400 };
	int replies[JOBS + 1] = {0}, cancels[JOBS + 1] = {0};
	begin(*state, &client);
	for (int id = 1; id <= JOBS; id++) {
		client_solve(&client, id, "two",
			     id % 5 == 0   ? "obey 8"
			     : id % 3 == 0 ? "late 1"
					   : "short");
		if (id % 2 == 0)
			cancel(&client, id);
		if (id % 4 == 0)
			cancel(&client, id / 2);
	}
	for (int i = 0; i < JOBS + JOBS / 2 + JOBS / 4; i++) {
		json_t *reply = client_next(&client);
		long id = number_at(reply, "id");
		if (id > 1000)
			cancels[id - 1000]++;
		else
			replies[id]++;
		json_decref(reply);
	}
	for (int id = 1; id <= JOBS; id++) {
		assert_int_equal(replies[id], 1);
		assert_int_equal(cancels[id], (id % 2 == 0) + (id <= JOBS / 2 && id % 2 == 0));
	}
	assert_restarts(*state, "two", 0);
	end(*state, &client);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_a_running_job_is_cancelled),
		ON_SITE(test_a_notification_cancels_without_a_reply),
		ON_SITE(test_an_answer_that_crosses_the_cancel_counts),
		ON_SITE(test_ids_of_two_sessions_are_not_mixed_up),
		ON_SITE(test_a_deadline_tells_what_is_proved),
		ON_SITE(test_a_deaf_worker_is_killed_at_the_deadline),
		ON_SITE(test_who_answers_within_the_grace_is_not_killed),
		ON_SITE(test_recalled_jobs_are_given_out_again),
		ON_SITE(test_recalled_jobs_that_are_answered_all_the_same),
		ON_SITE(test_recalled_jobs_go_to_the_other_worker),
		ON_SITE(test_a_waiting_job_is_cancelled),
		ON_SITE(test_a_cancelled_job_that_is_answered_all_the_same),
		ON_SITE(test_a_recalled_job_cannot_hold_a_worker_for_ever),
		ON_SITE(test_an_abandoned_job_cannot_hold_a_worker_for_ever),
		ON_SITE(test_waiting_for_no_table_makes_no_sense),
		ON_SITE(test_many_cancels_cross_many_answers),
	};
	return cmocka_run_group_tests_name("races", tests, NULL, NULL);
}
