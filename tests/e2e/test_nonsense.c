/* SPDX-License-Identifier: MIT */
/*
 * What a worker may say that makes no sense: it costs that worker and that one request, and the
 * next is answered.
 */
#include "tests/e2e/harness.h"

#include <string.h>

static const char fake[] =
	"worker = @/tests/fake_worker\nmax_user_crashes = 1000000\nworkers = 1\ngrace = 100ms\n"
	"[puzzle:fake]\nplugin = /x/good\n[puzzle:other]\nplugin = /x/good\n";

/* Boards, in the fake worker's words, on which a worker is killed. */
static const struct {
	const char *board, *cause;
} deadly[] = {
	{"die", "killed by SIGSEGV"},
	{"die 9", "killed by SIGKILL"},
	{"exit 3", "exited with status 3"},
	{"exit 0", "exited with status 0"},
	{"close", "closed its channel"},
	{"half-frame", "exited with status 0"},
	{"scribble 0", "killed by SIGSEGV"},
	{"scribble 77", "killed by SIGSEGV"},
	{"wrong-job 1", "makes no sense"},
	{"wrong-job -1", "makes no sense"},
	{"wrong-first 1", "makes no sense"},
	{"too-many 2", "makes no sense"},
	{"too-many 64", "makes no sense"},
	{"too-many 1000", "makes no sense"},
	{"none", "makes no sense"},
	{"move 2", "makes no sense"}, /* it has no name */
	{"move 3", "makes no sense"}, /* there is none */
	{"move 65535", "makes no sense"},
	{"notation 1", "makes no sense"},
	{"algorithm 1", "makes no sense"},
	{"algorithm -1", "makes no sense"},
	{"unasked 0", "makes no sense"},
	{"unasked 1", "makes no sense"},
	{"unasked 2", "makes no sense"},
	{"final 65", "makes no sense"}, /* one byte more than it said that boards have */
	{"path 17", "makes no sense"},  /* one move more than it said that paths have */
	{"status 6", "makes no sense"},
	{"status -1", "makes no sense"},
	{"fail 0", "makes no sense"},
	{"fail 1000", "makes no sense"},
	{"frame 0", "makes no sense"},
	{"frame 1", "makes no sense"}, /* what only the daemon says */
	{"frame 16", "makes no sense"},
	{"frame 18", "makes no sense"}, /* a RESULT cut short */
	{"frame 20", "makes no sense"},
	{"frame 17", "makes no sense"},
	{"frame 99", "makes no sense"},
	{"hello", "makes no sense"}, /* a second time */
	{"ack-dropped 0", "makes no sense"},
	{"nonsense 8", "too long"},
	{"nonsense 3000", "too long"},
	{"huge-frame", "too long"},
};

enum { DEADLY = sizeof(deadly) / sizeof(deadly[0]) };

static void test_each_costs_one_worker_and_one_request(void **state)
{
	struct site *site = *state;
	struct client client, other;
	site_run(site, fake);
	client_open(&client, site);
	client_open(&other, site);
	client_solve(&client, 1, "fake", "first");
	assert_solved(client_next(&client), 1, 0);
	client_solve(&other, 1, "other", "first");
	assert_solved(client_next(&other), 1, 0);
	unsigned descriptors = site_descriptors(site);
	for (int i = 0; i < DEADLY; i++) {
		client_solve(&client, 2, "fake", deadly[i].board);
		/* Who asks for another puzzle notices nothing, and who asks for this one next waits
		 * for a new worker. */
		client_solve(&other, 3, "other", "meanwhile");
		assert_member(client_next(&other), 3, "final", "meanwhile");
		assert_error(client_next(&client), 2, "worker_crashed", deadly[i].cause);
		client_solve(&client, 4, "fake", "and on it goes");
		assert_member(client_next(&client), 4, "final", "and on it goes");
	}
	json_t *status = client_status(&client, "fake");
	assert_int_equal(number_at(status, "answered"), DEADLY + 1);
	assert_int_equal(number_at(status, "failed/worker_crashed"), DEADLY);
	assert_int_equal(number_at(status, "restarts"), DEADLY);
	assert_int_equal(number_at(status, "queue"), 0);
	assert_int_equal(number_at(status, "busy"), 0);
	assert_int_equal(number_at(status, "workers"), 1);
	json_decref(status);
	status = client_status(&client, "other");
	assert_int_equal(number_at(status, "restarts"), 0);
	assert_int_equal(number_at(status, "answered"), DEADLY + 1);
	json_decref(status);
	assert_int_equal(site_descriptors(site), descriptors);
	client_close(&client);
	client_close(&other);
	site_stop(site);
}

/* What is odd, but does no harm: it is answered, and the worker lives. */
static void test_what_is_only_odd_is_borne(void **state)
{
	struct site *site = *state;
	struct client client;
	static const char *const boards[] = {
		"ack-began 0",     "ack-began 1",        "ack-dropped 1", "flood-progress 20000",
		"flood-log 20000", "flood-output 20000", "late 20"};
	site_run(site, fake);
	client_open(&client, site);
	for (size_t i = 0; i < sizeof(boards) / sizeof(boards[0]); i++) {
		client_solve(&client, 2, "fake", boards[i]);
		assert_member(client_next(&client), 2, "final", "late");
	}
	client_solve(&client, 2, "fake", "move 1");
	json_t *reply = client_next(&client);
	json_t *moves = json_object_get(json_object_get(reply, "result"), "moves");
	assert_string_equal(json_string_value(json_array_get(moves, 0)), "left");
	assert_string_equal(json_string_value(json_array_get(moves, 1)), "right");
	assert_solved(reply, 2, 2);
	json_t *status = client_status(&client, "fake");
	assert_int_equal(number_at(status, "restarts"), 0);
	json_decref(status);
	/* None of the floods has reached the log whole, nor forged a line of it. */
	assert_in_range(site_logged(site, "plugin_log"), 1, 1000);
	assert_in_range(site_logged(site, "worker_output"), 1, 1000);
	assert_int_equal(site_logged(site, "\x1b"), 0);
	client_close(&client);
	site_stop(site);
}

/* An error that the worker reports is the client's, with all that is said of it. */
static void test_failures_are_passed_on(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, fake);
	client_open(&client, site);
	client_solve(&client, 2, "fake", "fail 6"); /* ERR_INVALID_BOARD */
	json_t *reply = client_next(&client);
	assert_int_equal(number_at(reply, "error/data/position"), 3);
	assert_error(reply, 2, "invalid_board", "as it was told to");
	client_solve(&client, 2, "fake", "fail 13"); /* ERR_WRONG_ANSWER */
	assert_error(client_next(&client), 2, "wrong_answer", "as it was told to");
	client_solve(&client, 2, "fake", "stopped");
	assert_error(client_next(&client), 2, "plugin_failed", "without being told to");
	/* What was said before the death counts, and the death is nobody's. */
	client_solve(&client, 2, "fake", "die-after");
	assert_member(client_next(&client), 2, "final", "said before");
	client_solve(&client, 2, "fake", "twice");
	assert_member(client_next(&client), 2, "final", "false");
	client_await(&client, "fake", "restarts", 2);
	client_solve(&client, 2, "fake", "on");
	assert_member(client_next(&client), 2, "final", "on");
	json_t *status = client_status(&client, "fake");
	assert_int_equal(number_at(status, "answered"), 3);
	assert_int_equal(number_at(status, "failed/invalid_board"), 1);
	assert_int_equal(number_at(status, "failed/wrong_answer"), 1);
	assert_int_equal(number_at(status, "failed/plugin_failed"), 1);
	assert_int_equal(number_at(status, "restarts"), 2);
	json_decref(status);
	client_close(&client);
	site_stop(site);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_each_costs_one_worker_and_one_request),
		ON_SITE(test_what_is_only_odd_is_borne),
		ON_SITE(test_failures_are_passed_on),
	};
	return cmocka_run_group_tests_name("nonsense", tests, NULL, NULL);
}
