/* SPDX-License-Identifier: MIT */
/* Plugins that misbehave, in the real worker: each costs one clear error to one client, and the
 * daemon serves on. */
#include "tests/e2e/harness.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLUGIN(name) "[puzzle:" name "]\nplugin = @/tests/plugins/" name ".so\n"

static const char plugins[] =
	"workers = 1\ngrace = 100ms\nmax_user_crashes = 1000000\nmemory = 64M\n" PLUGIN("good")
		PLUGIN("crash_solve") PLUGIN("liar") PLUGIN("closer") PLUGIN("noisy") PLUGIN("hang")
			PLUGIN("hog");

static void assert_counts(struct client *client, const char *puzzle)
{
	client_solve(client, 9, puzzle, "2");
	assert_solved(client_next(client), 9, 2);
}

static void test_each_costs_one_clear_error(void **state)
{
	static const struct {
		const char *puzzle, *board, *kind, *part;
	} boards[] = {
		{"crash_solve", "crash", "worker_crashed", "killed by SIGSEGV"},
		{"crash_solve", "abort", "worker_crashed", "killed by SIGABRT"},
		{"crash_solve", "exit", "worker_crashed", "exited with status 7"},
		{"liar", "illegal", "wrong_answer", ""},
		{"liar", "short", "wrong_answer", ""},
		{"liar", "cheap", "wrong_answer", ""},
		{"liar", "long", "wrong_answer", ""},
		{"liar", "fail", "plugin_failed", ""},
		{"closer", "scribble", "worker_crashed", ""},
	};
	struct client client, other;
	site_run(*state, plugins);
	client_open(&client, *state);
	client_open(&other, *state);
	for (size_t i = 0; i < sizeof(boards) / sizeof(boards[0]); i++) {
		client_solve(&client, 1, boards[i].puzzle, boards[i].board);
		assert_counts(&other, "good");
		assert_error(client_next(&client), 1, boards[i].kind, boards[i].part);
		assert_counts(&other, boards[i].puzzle);
	}
	client_close(&client);
	client_close(&other);
	site_stop(*state);
}

static void test_a_plugin_that_closes_everything_loses_its_worker(void **state)
{
	struct client client;
	site_run(*state, plugins);
	client_open(&client, *state);
	client_solve(&client, 1, "closer", "close");
	json_t *reply = client_next(&client);
	assert_error(reply, 1, "worker_crashed", "");
	assert_counts(&client, "closer");
	client_close(&client);
	site_stop(*state);
}

static void test_a_plugin_that_never_polls_is_killed_at_the_deadline(void **state)
{
	struct client client, other;
	site_run(*state, plugins);
	client_open(&client, *state);
	client_open(&other, *state);
	assert_counts(&client, "hang");
	client_send(&client,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":"
		    "\"hang\",\"board\":\"hang\",\"timeout_ms\":200}}\n");
	assert_counts(&other, "good");
	assert_error(client_next(&client), 1, "timeout", "within 200 ms");
	assert_counts(&client, "hang");
	json_t *status = client_status(&client, "hang");
	assert_int_equal(number_at(status, "restarts"), 1);
	assert_int_equal(number_at(status, "failed/timeout"), 1);
	json_decref(status);
	client_close(&client);
	client_close(&other);
	site_stop(*state);
}

static void test_a_plugin_that_polls_stops_in_time(void **state)
{
	struct client client;
	site_run(*state, plugins);
	client_open(&client, *state);
	assert_counts(&client, "good");
	client_send(&client,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":"
		    "\"good\",\"board\":\"3\",\"delay_ms\":600000,\"timeout_ms\":100}}\n");
	assert_error(client_next(&client), 1, "timeout", "within 100 ms");
	client_send(&client,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":"
		    "\"good\",\"board\":\"3\",\"delay_ms\":600000}}\n"
		    "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"id\":1}}\n");
	assert_error(client_next(&client), 1, "cancelled", "");
	assert_counts(&client, "good");
	json_t *status = client_status(&client, "good");
	assert_int_equal(number_at(status, "restarts"), 0);
	json_decref(status);
	client_close(&client);
	site_stop(*state);
}

static void test_noise_is_kept_from_clients_and_bounded_in_the_log(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, plugins);
	client_open(&client, site);
	client_solve(&client, 1, "noisy", "flood");
	assert_solved(client_next(&client), 1, 3);
	assert_counts(&client, "noisy");
	client_close(&client);
	site_stop(site);
	assert_in_range(site_logged(site, "worker_output"), 1, 500);
	assert_int_equal(site_logged(site, "\nlevel=error"), 0);
}

/* It has a processor for itself, and that is all: what it writes waits, and the daemon has time for
 * others. */
static void test_a_plugin_that_never_stops_writing_is_read_slowly(void **state)
{
	static const char *const boards[] = {"print", "talk"};
	const long second = sysconf(_SC_CLK_TCK);
	struct site *site = *state;
	struct client client;
	site_run(site, plugins);
	client_open(&client, site);
	for (int i = 0; i < 2; i++) {
		client_sendf(&client,
			     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{"
			     "\"puzzle\":\"noisy\",\"board\":\"%s\",\"timeout_ms\":1500}}\n",
			     boards[i]);
		nap_ms(200);
		long before = site_cpu_ticks(site);
		nap_ms(1000);
		assert_in_range(site_cpu_ticks(site) - before, 0, second / 4);
		assert_error(client_next(&client), 1, "timeout", "");
	}
	client_close(&client);
	site_stop(site);
}

static void test_a_plugin_that_eats_all_memory(void **state)
{
	struct client client;
	site_run(*state, plugins);
	client_open(&client, *state);
	client_solve(&client, 1, "hog", "hog");
	json_t *reply = client_next(&client);
	/* A sanitized worker has no bound on its memory, so that there the plugin gives up and
	 * aborts. */
	const json_t *data = json_object_get(json_object_get(reply, "error"), "data");
	const char *kind = json_string_value(json_object_get(data, "kind"));
	assert_non_null(kind);
	if (strcmp(kind, "worker_crashed") != 0)
		assert_string_equal(kind, "memory_limit");
	json_decref(reply);
	assert_counts(&client, "hog");
	client_close(&client);
	site_stop(*state);
}

/* ---- those that do not start ---- */

static const struct {
	const char *name, *why;
} broken[] = {
	{"bad_abi", "abi"},
	{"bad_size", ""},
	{"bad_meta", ""},
	{"crash_ctor", "SIGABRT"},
	{"crash_open", "SIGSEGV"},
	{"no_symbol", "pz_plugin"},
	{"slow_open", "not ready in time"},
	{"not_there", "not_there.so"},
};

enum { BROKEN = sizeof(broken) / sizeof(broken[0]) };

static const char broken_plugins[] = "open_timeout = 2s\ngrace = 100ms\n" PLUGIN("bad_abi")
	PLUGIN("bad_size") PLUGIN("bad_meta") PLUGIN("crash_ctor") PLUGIN("crash_open")
		PLUGIN("no_symbol") PLUGIN("slow_open") PLUGIN("not_there") PLUGIN("good");

static void test_plugins_that_do_not_start_say_why(void **state)
{
	struct client client;
	site_run(*state, broken_plugins);
	client_open(&client, *state);
	for (int i = 0; i < BROKEN; i++) {
		client_solve(&client, 1, broken[i].name, "3");
		assert_error(client_next(&client), 1, "puzzle_unavailable", broken[i].why);
		json_t *status = client_status(&client, broken[i].name);
		assert_string_equal(json_string_value(json_object_get(status, "state")),
				    "unavailable");
		assert_non_null(json_string_value(json_object_get(status, "reason")));
		json_decref(status);
	}
	assert_counts(&client, "good");
	client_close(&client);
	site_stop(*state);
}

static void test_the_check_finds_them_all_by_file_and_line(void **state)
{
	struct site *site = *state;
	char output[16384], mark[64];
	const char *const arguments[] = {"--check-config", "--config", site->ini, NULL};
	site_configure(site, broken_plugins);
	int status = site_check(site, output, sizeof(output), arguments);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 2);
	for (int i = 0; i < BROKEN; i++) {
		snprintf(mark, sizeof(mark), "puzzled.ini:%d: [puzzle:%s]", 9 + 2 * i,
			 broken[i].name);
		const char *line = strstr(output, mark);
		if (!line || !strstr(line, broken[i].why))
			fail_msg("%s: %s", mark, output);
	}
	assert_null(strstr(output, "puzzle:good"));
}

static void test_the_check_likes_what_is_good(void **state)
{
	struct site *site = *state;
	char output[4096];
	const char *const arguments[] = {"--check-config", "--config", site->ini, NULL};
	site_configure(site, PLUGIN("good") "step = 3\n[puzzle:8puzzle]\nplugin = 8puzzle.so\n"
					    "goal = 123804765\n");
	int status = site_check(site, output, sizeof(output), arguments);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_string_equal(output, "");
	/* It has served nobody. */
	assert_int_equal(access(site->socket, F_OK), -1);
}

static void test_the_check_names_the_line_of_the_option_at_fault(void **state)
{
	struct site *site = *state;
	static const struct {
		const char *more, *mark, *why;
	} wrong[] = {
		{PLUGIN("good") "step = 10\n", "puzzled.ini:9:", "step"},
		{PLUGIN("good") "\n\nlabel = all too long a label for it\n",
		 "puzzled.ini:11:", "label"},
		{PLUGIN("good") "no_such = 1\n", "puzzled.ini:9:", "no_such"},
		{PLUGIN("good") "goal = seven\n", "puzzled.ini:", "goal"},
		{"no_such = 1\n" PLUGIN("good"), "puzzled.ini:7:", "no_such"},
		{"timeout = 10\n" PLUGIN("good"), "puzzled.ini:7:", "timeout"},
		{"[puzzle:good]\n", "puzzled.ini:7:", "plugin"},
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char output[4096];
		const char *const check[] = {"--check-config", "--config", site->ini, NULL};
		site_configure(site, wrong[i].more);
		int status = site_check(site, output, sizeof(output), check);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 2);
		if (!strstr(output, wrong[i].mark) || !strstr(output, wrong[i].why))
			fail_msg("%s %s: %s", wrong[i].mark, wrong[i].why, output);
	}
	char output[4096];
	const char *const missing[] = {"--check-config", "--config", "/nonexistent/puzzled.ini",
				       NULL};
	int status = site_check(site, output, sizeof(output), missing);
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_non_null(strstr(output, "/nonexistent/puzzled.ini"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_each_costs_one_clear_error),
		ON_SITE(test_a_plugin_that_closes_everything_loses_its_worker),
		ON_SITE(test_a_plugin_that_never_polls_is_killed_at_the_deadline),
		ON_SITE(test_a_plugin_that_polls_stops_in_time),
		ON_SITE(test_noise_is_kept_from_clients_and_bounded_in_the_log),
		ON_SITE(test_a_plugin_that_never_stops_writing_is_read_slowly),
		ON_SITE(test_a_plugin_that_eats_all_memory),
		ON_SITE(test_plugins_that_do_not_start_say_why),
		ON_SITE(test_the_check_finds_them_all_by_file_and_line),
		ON_SITE(test_the_check_likes_what_is_good),
		ON_SITE(test_the_check_names_the_line_of_the_option_at_fault),
	};
	return cmocka_run_group_tests_name("plugins", tests, NULL, NULL);
}
