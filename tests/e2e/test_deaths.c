/* SPDX-License-Identifier: MIT */
/* Workers that die on one of many boards, are killed from outside, or never come to life. */
#include "tests/e2e/harness.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char fake[] =
	"worker = @/tests/fake_worker\nmax_user_crashes = 1000000\nworkers = 2\ngrace = 100ms\n"
	"[puzzle:fake]\nplugin = /x/good\n";

enum { BOARDS_MAX = 400 };

/* What happens on the i-th board of a request; NULL: nothing. */
struct mishap {
	int board;
	const char *text, *cause;
};

static const struct mishap *mishap_at(const struct mishap *mishaps, size_t count, int board)
{
	for (size_t i = 0; i < count; i++)
		if (mishaps[i].board == board)
			return &mishaps[i];
	return NULL;
}

/* Sends boards 0 to count - 1, each of which is its number or a mishap, as one request; a reply of
 * all of them, in their order, of which just the mishaps are errors, must come. */
static void solve_many(struct client *client, int count, const struct mishap *mishaps,
		       size_t mishap_count)
{
	client_send(client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{"
			    "\"puzzle\":\"fake\",\"boards\":[");
	for (int i = 0; i < count; i++) {
		const struct mishap *mishap = mishap_at(mishaps, mishap_count, i);
		if (mishap)
			client_sendf(client, "%s\"%s\"", i ? "," : "", mishap->text);
		else
			client_sendf(client, "%s\"board %d\"", i ? "," : "", i);
	}
	client_send(client, "]}}\n");
	json_t *reply = client_next(client), *one;
	json_t *list = json_object_get(reply, "result");
	size_t i;
	if (json_array_size(list) != (size_t)count)
		fail_msg("%.500s", json_dumps(reply, 0));
	json_array_foreach (list, i, one) {
		const struct mishap *mishap = mishap_at(mishaps, mishap_count, (int)i);
		const json_t *error = json_object_get(one, "error");
		char want[32];
		snprintf(want, sizeof(want), "board %zu", i);
		if (mishap &&
		    strstr(json_string_value(json_object_get(error, "message")), mishap->cause))
			continue;
		const char *final = json_string_value(json_object_get(one, "final"));
		if (mishap || !final || strcmp(final, want) != 0)
			fail_msg("board %zu: %s", i, json_dumps(one, 0));
	}
	json_decref(reply);
}

static void assert_counts(struct client *client, long answered, long crashed, long restarts)
{
	json_t *status = client_status(client, "fake");
	assert_int_equal(number_at(status, "answered"), answered);
	assert_int_equal(number_at(status, "failed/worker_crashed"), crashed);
	assert_int_equal(number_at(status, "restarts"), restarts);
	assert_int_equal(number_at(status, "queue"), 0);
	assert_int_equal(number_at(status, "busy"), 0);
	json_decref(status);
}

static void test_a_board_that_kills_fails_alone_wherever_it_is(void **state)
{
	struct site *site = *state;
	struct client client;
	static const int sizes[] = {1, 2, 63, 64, 65, 200};
	long answered = 0, crashed = 0;
	site_run(site, fake);
	client_open(&client, site);
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		int places[3] = {0, sizes[s] / 2, sizes[s] - 1};
		for (int p = 0; p < 3; p++) {
			struct mishap mishap = {places[p], "die", "killed by SIGSEGV"};
			solve_many(&client, sizes[s], &mishap, 1);
			crashed++;
			answered += sizes[s] - 1;
			assert_counts(&client, answered, crashed, crashed);
		}
	}
	client_close(&client);
	site_stop(site);
}

static void test_several_that_kill(void **state)
{
	struct site *site = *state;
	struct client client;
	static const struct mishap mishaps[] = {
		{0, "die 6", "killed by SIGABRT"},    {1, "exit 9", "exited with status 9"},
		{70, "die", "killed by SIGSEGV"},     {100, "die 4", "killed by SIGILL"},
		{101, "close", "closed its channel"}, {399, "half-frame", "exited with status 0"},
	};
	enum { MISHAPS = sizeof(mishaps) / sizeof(mishaps[0]) };
	site_run(site, fake);
	client_open(&client, site);
	solve_many(&client, BOARDS_MAX, mishaps, MISHAPS);
	assert_counts(&client, BOARDS_MAX - MISHAPS, MISHAPS, MISHAPS);
	client_close(&client);
	site_stop(site);
}

/* Nonsense is blamed on the board that it was said of, although the worker has gone on since. */
static void test_nonsense_about_one_board_of_many(void **state)
{
	struct site *site = *state;
	struct client client;
	static const struct mishap mishaps[] = {{5, "move 65535", "makes no sense"},
						{40, "status 77", "makes no sense"}};
	site_run(site, fake);
	client_open(&client, site);
	solve_many(&client, 64, mishaps, 2);
	assert_counts(&client, 62, 2, 2);
	client_close(&client);
	site_stop(site);
}

static void test_results_said_before_the_death_count(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, fake);
	client_open(&client, site);
	client_send(&client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{"
			     "\"puzzle\":\"fake\",\"boards\":[\"a\",\"die-after\",\"b\"]}}\n");
	json_t *reply = client_next(&client);
	const json_t *list = json_object_get(reply, "result");
	assert_int_equal(json_array_size(list), 3);
	assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "final")),
			    "a");
	assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "final")),
			    "said before");
	json_decref(reply);
	client_close(&client);
	site_stop(site);
}

static void test_others_behind_a_death_are_answered(void **state)
{
	struct site *site = *state;
	struct client killer, others[10];
	site_run(site, fake);
	client_open(&killer, site);
	for (int i = 0; i < 10; i++)
		client_open(&others[i], site);
	for (int round = 0; round < 5; round++) {
		client_solve(&killer, 1, "fake", "late 3");
		client_solve(&killer, 2, "fake", "die");
		for (int i = 0; i < 10; i++)
			client_solve(&others[i], i + 1, "fake", "unharmed");
		for (int i = 0; i < 10; i++)
			assert_member(client_next(&others[i]), i + 1, "final", "unharmed");
		/* On two workers, either may come first. */
		for (int i = 0; i < 2; i++) {
			json_t *reply = client_next(&killer);
			if (json_object_get(reply, "result"))
				assert_member(reply, 1, "final", "late");
			else
				assert_error(reply, 2, "worker_crashed", "killed by SIGSEGV");
		}
	}
	for (int i = 0; i < 10; i++)
		client_close(&others[i]);
	client_close(&killer);
	site_stop(site);
}

static pid_t first_worker(struct client *client)
{
	json_t *status = client_status(client, "fake");
	pid_t pid = (pid_t)json_integer_value(json_array_get(json_object_get(status, "pids"), 0));
	json_decref(status);
	assert_true(pid > 1);
	return pid;
}

static void test_a_worker_killed_from_outside(void **state)
{
	struct site *site = *state;
	struct client client, control;
	site_run(site,
		 "worker = @/tests/fake_worker\nworkers = 1\n[puzzle:fake]\nplugin = /x/good\n");
	client_open(&client, site);
	client_open(&control, site);
	client_await(&control, "fake", "workers", 1);
	client_begin(&client, 1, "fake", "obey 3600000");
	kill(first_worker(&control), SIGKILL);
	assert_error(client_next(&client), 1, "worker_crashed", "killed by SIGKILL");
	client_solve(&client, 2, "fake", "on");
	assert_member(client_next(&client), 2, "final", "on");
	client_close(&client);
	client_close(&control);
	site_stop(site);
}

static void test_an_idle_worker_killed_from_outside_is_nobodys_loss(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, fake);
	client_open(&client, site);
	client_solve(&client, 1, "fake", "on");
	assert_member(client_next(&client), 1, "final", "on");
	kill(first_worker(&client), SIGKILL);
	client_await(&client, "fake", "restarts", 1);
	client_solve(&client, 2, "fake", "on");
	assert_member(client_next(&client), 2, "final", "on");
	json_t *status = client_status(&client, "fake");
	assert_null(json_object_get(json_object_get(status, "failed"), "worker_crashed"));
	json_decref(status);
	client_close(&client);
	site_stop(site);
}

/* Somebody kills a worker, and the next while it starts: what has served before is waited for. */
static void test_a_worker_killed_while_it_starts_is_tried_again(void **state)
{
	struct site *site = *state;
	struct client client, control;
	site_run(site,
		 "worker = @/tests/fake_worker\nworkers = 1\n[puzzle:fake]\nplugin = /x/slow\n");
	client_open(&client, site);
	client_open(&control, site);
	client_solve(&client, 1, "fake", "on");
	assert_member(client_next(&client), 1, "final", "on");
	kill(first_worker(&control), SIGKILL);
	client_await(&control, "fake", "restarts", 1);
	client_await(&control, "fake", "workers", 1);
	for (int id = 2; id < 10; id++)
		client_solve(&client, id, "fake", "on");
	kill(first_worker(&control), SIGKILL);
	for (int id = 2; id < 10; id++)
		assert_member(client_next(&client), id, "final", "on");
	json_t *status = client_status(&control, "fake");
	assert_int_equal(number_at(status, "restarts"), 2);
	json_decref(status);
	client_close(&client);
	client_close(&control);
	site_stop(site);
}

/* ---- those that never come to life ---- */

static const struct {
	const char *plugin, *why;
} stillborn[] = {
	{"refusing", "it does not feel like it"},
	{"stubborn", "it will not go either"},
	{"silent", "was not ready in time"},
	{"garbled", "makes no sense"},
	{"older", "makes no sense"},
	{"hasty", "makes no sense"},
	{"gone", "exited with status 3"},
	{"dead", "killed by SIGABRT"},
	{"of-no-known-behaviour", "exited with status 91"},
};

enum { STILLBORN = sizeof(stillborn) / sizeof(stillborn[0]) };

static void test_a_worker_that_does_not_start_is_told_of(void **state)
{
	struct site *site = *state;
	struct client client;
	char more[2048] = "worker = @/tests/fake_worker\ngrace = 100ms\nopen_timeout = 300ms\n"
			  "[puzzle:good]\nplugin = /x/good\n[puzzle:slow]\nplugin = /x/slow\n"
			  "open_timeout = 30s\n";
	for (int i = 0; i < STILLBORN; i++)
		snprintf(more + strlen(more), sizeof(more) - strlen(more),
			 "[puzzle:p%d]\nplugin = /x/%s\n", i, stillborn[i].plugin);
	site_run(site, more);
	client_open(&client, site);
	/* list waits until it is known of each whether it starts. */
	json_t *reply = client_ask(&client, "\"method\":\"list\"");
	json_t *list = json_object_get(json_object_get(reply, "result"), "puzzles");
	assert_int_equal(json_array_size(list), STILLBORN + 2);
	for (size_t i = 0; i < STILLBORN; i++) {
		const json_t *one = json_array_get(list, i + 2);
		assert_string_equal(json_string_value(json_object_get(one, "state")),
				    "unavailable");
		assert_non_null(strstr(json_string_value(json_object_get(one, "reason")),
				       stillborn[i].why));
	}
	json_decref(reply);
	for (int i = 0; i < STILLBORN; i++) {
		char puzzle[16];
		snprintf(puzzle, sizeof(puzzle), "p%d", i);
		client_solve(&client, 2, puzzle, "on");
		assert_error(client_next(&client), 2, "puzzle_unavailable", stillborn[i].why);
		reply = client_ask(
			&client, "\"method\":\"describe\",\"params\":{\"puzzle\":\"%s\"}", puzzle);
		assert_error(reply, 1, "puzzle_unavailable", stillborn[i].why);
	}
	client_solve(&client, 3, "good", "on");
	assert_member(client_next(&client), 3, "final", "on");
	client_solve(&client, 3, "slow", "on");
	assert_member(client_next(&client), 3, "final", "on");
	client_close(&client);
	site_stop(site);
}

static void test_what_does_not_start_is_not_tried_for_each_request(void **state)
{
	struct site *site = *state;
	struct client client;
	enum { REQUESTS = 500 };
	site_run(site, "worker = @/tests/fake_worker\n[puzzle:fake]\nplugin = /x/gone\n");
	client_open(&client, site);
	client_solve(&client, 1, "fake", "first");
	assert_error(client_next(&client), 1, "puzzle_unavailable", "exited with status 3");
	unsigned descriptors = site_descriptors(site);
	for (int i = 0; i < REQUESTS; i++) {
		client_solve(&client, 1, "fake", "on");
		assert_error(client_next(&client), 1, "puzzle_unavailable", "exited with status 3");
	}
	json_t *status = client_status(&client, "fake");
	assert_in_range(number_at(status, "restarts"), 1, REQUESTS / 5);
	assert_string_equal(json_string_value(json_object_get(status, "state")), "unavailable");
	assert_non_null(json_string_value(json_object_get(status, "reason")));
	json_decref(status);
	client_await(&client, "fake", "workers", 0);
	assert_int_equal(site_descriptors(site), descriptors);
	client_close(&client);
	site_stop(site);
}

static void test_a_puzzle_that_fades_away_says_so(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site,
		 "worker = @/tests/fake_worker\nworkers = 1\n[puzzle:fake]\nplugin = /x/fading\n");
	client_open(&client, site);
	client_solve(&client, 1, "fake", "on");
	assert_member(client_next(&client), 1, "final", "on");
	client_solve(&client, 2, "fake", "die");
	client_solve(&client, 3, "fake", "after");
	assert_error(client_next(&client), 2, "worker_crashed", "killed by SIGSEGV");
	assert_error(client_next(&client), 3, "puzzle_unavailable", "exited with status 4");
	json_t *status = client_status(&client, "fake");
	assert_string_equal(json_string_value(json_object_get(status, "state")), "unavailable");
	assert_non_null(strstr(json_string_value(json_object_get(status, "reason")),
			       "exited with status 4"));
	json_decref(status);
	/* What was once known is still told. */
	assert_member(
		client_ask(&client, "\"method\":\"describe\",\"params\":{\"puzzle\":\"fake\"}"), 1,
		"plugin", "fake");
	client_close(&client);
	site_stop(site);
}

static void test_a_worker_program_that_is_not_there(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, "worker = /nonexistent/worker\n[puzzle:fake]\nplugin = /x/good\n");
	client_open(&client, site);
	client_solve(&client, 1, "fake", "on");
	assert_error(client_next(&client), 1, "puzzle_unavailable", "it could not be run");
	assert_in_range(site_logged(site, "cannot run /nonexistent/worker"), 1, 10);
	client_close(&client);
	site_stop(site);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_a_board_that_kills_fails_alone_wherever_it_is),
		ON_SITE(test_several_that_kill),
		ON_SITE(test_nonsense_about_one_board_of_many),
		ON_SITE(test_results_said_before_the_death_count),
		ON_SITE(test_others_behind_a_death_are_answered),
		ON_SITE(test_a_worker_killed_from_outside),
		ON_SITE(test_a_worker_killed_while_it_starts_is_tried_again),
		ON_SITE(test_an_idle_worker_killed_from_outside_is_nobodys_loss),
		ON_SITE(test_a_worker_that_does_not_start_is_told_of),
		ON_SITE(test_what_does_not_start_is_not_tried_for_each_request),
		ON_SITE(test_a_puzzle_that_fades_away_says_so),
		ON_SITE(test_a_worker_program_that_is_not_there),
	};
	return cmocka_run_group_tests_name("deaths", tests, NULL, NULL);
}
