/* SPDX-License-Identifier: MIT */
/* Reloads: wholly or not at all, whatever is going on, and nothing is lost or left behind by
 * them. */
#include <config.h>

#include "tests/e2e/harness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char good[] = "workers = 2\n[puzzle:count]\nplugin = @/tests/plugins/good.so\n";

static json_t *reload(struct client *client)
{
	return client_ask(client, "\"method\":\"reload\"");
}

static void assert_reloaded(json_t *reply, int id, long puzzles)
{
	assert_int_equal(json_integer_value(json_object_get(reply, "id")), id);
	json_t *result = json_object_get(reply, "result");
	if (!result)
		fail_msg("%s", json_dumps(reply, 0));
	assert_true(json_is_true(json_object_get(result, "reloaded")));
	assert_int_equal(json_integer_value(json_object_get(result, "puzzles")), puzzles);
	json_decref(reply);
}

static void count_slowly(struct client *client, int id, int ms)
{
	client_sendf(client,
		     "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":{\"puzzle\":"
		     "\"count\","
		     "\"board\":\"5\",\"delay_ms\":%d}}\n",
		     id, ms);
}

static void test_a_puzzle_comes_changes_and_goes(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, good);
	client_open(&client, site);
	site_configure(site, "[puzzle:count]\nplugin = @/tests/plugins/good.so\ngoal = 2\n"
			     "[puzzle:more]\nplugin = @/tests/plugins/good.so\n");
	assert_reloaded(reload(&client), 1, 2);
	client_solve(&client, 2, "count", "5");
	assert_solved(client_next(&client), 2, 3);
	client_solve(&client, 3, "more", "5");
	assert_solved(client_next(&client), 3, 5);
	site_configure(site, good);
	assert_reloaded(reload(&client), 1, 1);
	client_solve(&client, 4, "more", "5");
	assert_error(client_next(&client), 4, "unknown_puzzle", "\"more\"");
	client_close(&client);
	site_stop(site);
}

static void test_a_running_job_ends_under_the_terms_it_began_with(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, good);
	client_open(&client, site);
	count_slowly(&client, 7, 1500);
	client_await(&client, "count", "busy", 1);
	site_configure(site, "[puzzle:other]\nplugin = @/tests/plugins/good.so\n");
	/* The reload does not wait for the job, nor the job for the reload; its puzzle is there no
	 * more. */
	assert_reloaded(reload(&client), 1, 1);
	client_solve(&client, 8, "count", "5");
	assert_error(client_next(&client), 8, "unknown_puzzle", "\"count\"");
	assert_solved(client_next(&client), 7, 5);
	client_close(&client);
	site_stop(site);
}

struct fault {
	const char *ini, *part;
};

static void test_a_fault_leaves_everything_as_it_was(void **state)
{
	static const struct fault faults[] = {
		{"[puzzle:count]\nplugin = @/tests/plugins/good.so\nstep = many\n",
		 "puzzled.ini:9: "},
		{"[puzzle:count]\nplugin = @/tests/plugins/good.so\nspeed = 1\n",
		 "puzzled.ini:9: "},
		{"[puzzle:count]\nplugin = @/tests/plugins/crash_open.so\n", "killed by SIG"},
		{"[puzzle:count]\nplugin = @/tests/plugins/bad_abi.so\n", "abi"},
		{"[puzzle:count]\nplugin = @/tests/plugins/none.so\n", "none.so"},
		{"workers = none\n[puzzle:count]\nplugin = @/tests/plugins/good.so\n",
		 "puzzled.ini:7: "},
		{"socket_mode = 0600\n[puzzle:count]\nplugin = @/tests/plugins/good.so\n",
		 "socket_mode"},
		{"allow_users = nobody-of-this-name\n[puzzle:count]\nplugin = "
		 "@/tests/plugins/good.so\n",
		 "nobody-of-this-name"},
		{"[puzzle:count\n", "puzzled.ini:7: "},
		{"", "puzzle"},
	};
	struct site *site = *state;
	struct client client;
	site_run(site, good);
	client_open(&client, site);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		site_configure(site, faults[i].ini);
		assert_error(reload(&client), 1, "reload_failed", faults[i].part);
		client_solve(&client, 2, "count", "5");
		assert_solved(client_next(&client), 2, 5);
	}
	unlink(site->ini);
	assert_error(reload(&client), 1, "reload_failed", "puzzled.ini");
	client_close(&client);
	site_stop(site);
}

static void test_a_file_that_others_can_write_is_refused(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, good);
	client_open(&client, site);
	chmod(site->ini, 0666);
	assert_error(reload(&client), 1, "reload_failed", "others than its owner can write");
	chmod(site->ini, 0644);
	assert_reloaded(reload(&client), 1, 1);
	client_close(&client);
	site_stop(site);
}

static void copy_file(const char *from, const char *to)
{
	char command[2048];
	snprintf(command, sizeof(command), "cp '%s' '%s.new' && mv '%s.new' '%s'", from, to, to,
		 to);
	assert_int_equal(system(command), 0);
}

static void test_a_replaced_plugin_is_picked_up(void **state)
{
	struct site *site = *state;
	struct client client;
	char plugin[256], one[256], other[256], ini[512];
	snprintf(plugin, sizeof(plugin), "%s/it.so", site->folder);
	snprintf(one, sizeof(one), "%s/tests/plugins/good.so", getenv("top_builddir"));
	snprintf(other, sizeof(other), "%s/plugins/8puzzle.so", getenv("top_builddir"));
	snprintf(ini, sizeof(ini), "[puzzle:it]\nplugin = %s\n", plugin);
	copy_file(one, plugin);
	site_run(site, ini);
	client_open(&client, site);
	client_solve(&client, 2, "it", "5");
	assert_solved(client_next(&client), 2, 5);
	copy_file(other, plugin);
	assert_reloaded(reload(&client), 1, 1);
	client_solve(&client, 3, "it", "123456708");
	assert_solved(client_next(&client), 3, 1);
	client_close(&client);
	site_stop(site);
}

static void test_hangup_reloads_too(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, good);
	site_configure(site, "[puzzle:other]\nplugin = @/tests/plugins/good.so\n");
	kill(site->pid, SIGHUP);
	int64_t since = now_ms();
	while (!site_logged(site, "event=reloaded"))
		be_patient(since, "the reload");
	client_open(&client, site);
	client_solve(&client, 2, "other", "5");
	assert_solved(client_next(&client), 2, 5);
	client_close(&client);
	site_stop(site);
}

static void test_counts_outlive_a_reload(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, good);
	client_open(&client, site);
	client_solve(&client, 2, "count", "5");
	assert_solved(client_next(&client), 2, 5);
	count_slowly(&client, 3, 500);
	client_await(&client, "count", "busy", 1);
	assert_reloaded(reload(&client), 1, 1);
	assert_solved(client_next(&client), 3, 5);
	json_t *status = client_status(&client, "count");
	assert_int_equal(number_at(status, "answered"), 2);
	json_decref(status);
	client_close(&client);
	site_stop(site);
}

/* Reloads in a row, with requests in flight all the while: each is answered once, and nothing is
 * left behind. */
static void test_many_reloads_under_load_leak_nothing(void **state)
{
	enum { RELOADS = 200, IN_FLIGHT = 8 };
	struct site *site = *state;
	struct client load, admin;
	site_run(site, good);
	client_open(&load, site);
	client_open(&admin, site);
	assert_reloaded(reload(&admin), 1, 1);
	unsigned before = site_descriptors(site);
	long rss = 0;
	int sent = 0, answered = 0;
	for (int i = 0; i < RELOADS; i++) {
		while (sent - answered < IN_FLIGHT)
			client_solve(&load, ++sent, "count", "9");
		client_send(&admin, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"reload\"}\n");
		while (answered < sent - IN_FLIGHT / 2) {
			json_t *reply = client_next(&load);
			assert_solved(reply, (int)json_integer_value(json_object_get(reply, "id")),
				      9);
			answered++;
		}
		assert_reloaded(client_next(&admin), 1, 1);
		if (i == RELOADS / 4)
			rss = site_rss_kib(site);
	}
	for (; answered < sent; answered++) {
		json_t *reply = client_next(&load);
		assert_solved(reply, (int)json_integer_value(json_object_get(reply, "id")), 9);
	}
	json_t *status = client_status(&admin, "count");
	assert_int_equal(number_at(status, "answered"), sent);
	json_decref(status);
	/* Workers of before have left, or are about to. */
	int64_t since = now_ms();
	while (site_descriptors(site) > before)
		be_patient(since, "descriptors of old workers");
#ifndef PZ_SANITIZED
	assert_true(site_rss_kib(site) < rss + 1024);
#else
	(void)rss;
#endif
	client_close(&load);
	client_close(&admin);
	site_stop(site);
}

static void test_draining_gives_a_reload_up(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, good);
	client_open(&client, site);
	site_configure(site, "[puzzle:count]\nplugin = @/tests/plugins/slow_open.so\n");
	client_send(&client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"reload\"}\n");
	int64_t since = now_ms();
	while (!site_logged(site, "event=reloading"))
		be_patient(since, "the reload's beginning");
	kill(site->pid, SIGTERM);
	assert_error(client_next(&client), 1, "reload_failed", "stopping");
	client_expect_end(&client);
	client_close(&client);
	assert_int_equal(site_wait(site), 0);
}

#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_SITE(test_a_puzzle_comes_changes_and_goes),
		ON_SITE(test_a_running_job_ends_under_the_terms_it_began_with),
		ON_SITE(test_a_fault_leaves_everything_as_it_was),
		ON_SITE(test_a_file_that_others_can_write_is_refused),
		ON_SITE(test_a_replaced_plugin_is_picked_up),
		ON_SITE(test_hangup_reloads_too),
		ON_SITE(test_counts_outlive_a_reload),
		ON_SITE(test_many_reloads_under_load_leak_nothing),
		ON_SITE(test_draining_gives_a_reload_up),
	};
	return cmocka_run_group_tests_name("reload", tests, NULL, NULL);
}
