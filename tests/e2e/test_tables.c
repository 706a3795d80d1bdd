/* SPDX-License-Identifier: MIT */
/* Tables: built by themselves, waited for, checked, never trusted when they are no good, and for
 * other goals on request. */
#include "tests/e2e/harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAR        "00000/10000/11*00/11110/11111" /* 36 moves: no search is through in a second */
#define OTHER_GOAL "00000/00000/00*11/11111/11111"

static const char knights[] = "timeout = 50s\n[puzzle:knights]\nplugin = knights.so\n";

/* Waits until the only table of the puzzle is in this state. */
static void await_table(struct client *client, const char *state)
{
	int64_t since = now_ms();
	for (;;) {
		json_t *reply = client_ask(client, "\"method\":\"tables\"");
		const json_t *list = json_object_get(json_object_get(reply, "result"), "tables");
		const char *is =
			json_string_value(json_object_get(json_array_get(list, 0), "state"));
		bool there = is && strcmp(is, state) == 0;
		json_decref(reply);
		if (there)
			return;
		be_patient(since, state);
	}
}

/* The table's file, which must be the only one. */
static void find_file(const struct site *site, char *path, size_t cap)
{
	const struct dirent *entry;
	DIR *dir = opendir(site->folder);
	int count = 0;
	while ((entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);
		if (len > 6 && strcmp(entry->d_name + len - 6, ".table") == 0) {
			snprintf(path, cap, "%s/%s", site->folder, entry->d_name);
			count++;
		}
	}
	closedir(dir);
	assert_int_equal(count, 1);
}

static void solve_far(struct client *client, int id, const char *more)
{
	client_sendf(client,
		     "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":{\"puzzle\":"
		     "\"knights\","
		     "\"board\":\"" FAR "\"%s}}\n",
		     id, more);
}

static void test_a_far_board_waits_for_the_table(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, knights);
	client_open(&client, site);
	solve_far(&client, 1, "");
	assert_solved(client_next(&client), 1, 36);
	await_table(&client, "ready");
	client_close(&client);
	site_stop(site);
}

static void test_a_parked_board_keeps_its_deadline_and_its_bound(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, knights);
	client_open(&client, site);
	await_table(&client, "building");
	solve_far(&client, 1, ",\"timeout_ms\":300");
	json_t *reply = client_next(&client);
	/* A quick machine may have had the table by then. */
	if (json_object_get(reply, "result"))
		assert_solved(reply, 1, 36);
	else
		assert_error(reply, 1, "timeout", "proved so far");
	client_close(&client);
	site_stop(site);
}

static void overwrite(const char *path, off_t at)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_int_equal(pwrite(fd, "nonsense", 8, at), 8);
	close(fd);
}

static void test_a_damaged_table_is_found_and_made_anew(void **state)
{
	struct site *site = *state;
	struct client client;
	char path[512];
	site_run(site, knights);
	client_open(&client, site);
	await_table(&client, "ready");
	assert_member(client_ask(&client,
				 "\"method\":\"verify_table\",\"params\":{\"puzzle\":\"knights\"}"),
		      1, "state", "good");
	find_file(site, path, sizeof(path));
	overwrite(path, 1000000);
	assert_error(client_ask(&client,
				"\"method\":\"verify_table\",\"params\":{\"puzzle\":\"knights\"}"),
		     1, "plugin_failed", "checksum");
	solve_far(&client, 2, "");
	assert_solved(client_next(&client), 2, 36);
	await_table(&client, "ready");
	assert_member(client_ask(&client,
				 "\"method\":\"verify_table\",\"params\":{\"puzzle\":\"knights\"}"),
		      1, "state", "good");
	client_close(&client);
	site_stop(site);
}

static void test_what_is_no_table_is_not_used(void **state)
{
	struct site *site = *state;
	struct client client;
	char path[512];
	site_run(site, knights);
	client_open(&client, site);
	await_table(&client, "ready");
	client_close(&client);
	site_stop(site);
	find_file(site, path, sizeof(path));
	/* Cut short, and with a header of something else: each is built anew when the daemon
	 * starts. */
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			assert_int_equal(truncate(path, 5000000), 0);
		else
			overwrite(path, 0);
		site_start(site);
		client_open(&client, site);
		await_table(&client, "ready");
		solve_far(&client, 2, ",\"algorithm\":\"table\"");
		assert_solved(client_next(&client), 2, 36);
		client_close(&client);
		site_stop(site);
	}
}

static void test_another_goal_has_its_table_on_request(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, knights);
	client_open(&client, site);
	await_table(&client, "ready");
	assert_member(client_ask(&client,
				 "\"method\":\"build_table\",\"params\":{\"puzzle\":\"knights\","
				 "\"goal\":\"" OTHER_GOAL "\"}"),
		      1, "state", "ready");
	json_t *reply = client_ask(
		&client,
		"\"method\":\"solve\",\"params\":{\"puzzle\":\"knights\",\"goal\":\"" OTHER_GOAL
		"\",\"board\":\"11111/11111/11*00/00000/00000\"}");
	assert_string_equal(
		json_string_value(json_object_get(
			json_object_get(json_object_get(reply, "result"), "stats"), "algorithm")),
		"table");
	assert_solved(reply, 1, 40);
	client_close(&client);
	site_stop(site);
}

static void test_two_daemons_build_one_table(void **state)
{
	struct site *site = *state, other;
	struct client one, two;
	char path[512];
	site_configure(site, knights);
	other = *site;
	snprintf(other.ini, sizeof(other.ini), "%s/other.ini", site->folder);
	snprintf(other.socket, sizeof(other.socket), "%s/other.sock", site->folder);
	site_configure(&other, knights);
	site_start(site);
	site_start(&other);
	client_open(&one, site);
	client_open(&two, &other);
	await_table(&one, "ready");
	await_table(&two, "ready");
	find_file(site, path, sizeof(path));
	client_close(&one);
	client_close(&two);
	site_stop(&other);
	site_stop(site);
}

static void test_a_folder_that_cannot_be_written_is_told(void **state)
{
	struct site *site = *state;
	struct client client;
	site_configure(site, knights);
	FILE *ini = fopen(site->ini, "r");
	char text[2048] = "", line[512];
	while (fgets(line, sizeof(line), ini))
		strcat(text, strncmp(line, "table_dir", 9) == 0 ? "table_dir = /dev/null/tables\n"
								: line);
	fclose(ini);
	ini = fopen(site->ini, "w");
	fputs(text, ini);
	fclose(ini);
	site_start(site);
	client_open(&client, site);
	await_table(&client, "failed");
	/* It goes on without: with search. */
	client_solve(&client, 2, "knights", "10110/01*11/10111/01001/00000");
	assert_solved(client_next(&client), 2, 7);
	assert_error(client_ask(&client,
				"\"method\":\"build_table\",\"params\":{\"puzzle\":\"knights\"}"),
		     1, "plugin_failed", "/dev/null/tables");
	client_close(&client);
	site_stop(site);
}

static void wait_for_squares(struct client *client, int id, int wait_ms, int timeout_ms)
{
	client_sendf(client,
		     "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":{\"puzzle\":"
		     "\"tabled\",\"board\":\"3\",\"wait_ms\":%d,\"timeout_ms\":%d}}\n",
		     id, wait_ms, timeout_ms);
}

/* Whether or not another worker happens to be starting when the table is done, those who wait for
 * it get it. */
static void test_a_table_serves_though_a_worker_was_starting(void **state)
{
	enum { JOBS = 4 };
	struct site *site = *state;
	struct client client, waiting;
	site_run(site, "timeout = 50s\n[puzzle:tabled]\nplugin = @/tests/plugins/tabled.so\n"
		       "workers = 2\nopen_ms = 600\n");
	client_open(&client, site);
	client_open(&waiting, site);
	json_decref(
		client_ask(&client, "\"method\":\"describe\",\"params\":{\"puzzle\":\"tabled\"}"));
	/* The builder has begun to start; the jobs have one more worker started a moment later. */
	client_send(&waiting, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"build_table\","
			      "\"params\":{\"puzzle\":\"tabled\"}}\n");
	nap_ms(200);
	for (int i = 1; i <= JOBS; i++)
		wait_for_squares(&client, i, 50, 50000);
	for (int i = 1; i <= JOBS; i++)
		json_decref(client_next(&client));
	assert_member(client_next(&waiting), 9, "state", "ready");
	await_table(&client, "ready");
	client_close(&client);
	client_close(&waiting);
	site_stop(site);
}

/* It wants to wait for the table just when it is to stop: the answer tells why it stopped. */
static void test_a_board_that_would_wait_is_stopped_all_the_same(void **state)
{
	struct site *site = *state;
	struct client client;
	site_run(site, "timeout = 50s\n[puzzle:tabled]\nplugin = @/tests/plugins/tabled.so\n"
		       "workers = 1\nbuild = forever\n");
	client_open(&client, site);
	await_table(&client, "building");
	wait_for_squares(&client, 1, 300, 100);
	json_t *reply = client_next(&client);
	assert_int_equal(number_at(reply, "error/data/lower_bound"), 1);
	assert_error(reply, 1, "timeout", "100 ms");
	wait_for_squares(&client, 2, 300, 50000);
	client_await(&client, "tabled", "busy", 1);
	client_send(&client, "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"id\":2}}\n");
	assert_error(client_next(&client), 2, "cancelled", "");
	client_close(&client);
	site_stop(site);
}

#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_SITE(test_a_far_board_waits_for_the_table),
		ON_SITE(test_a_parked_board_keeps_its_deadline_and_its_bound),
		ON_SITE(test_a_damaged_table_is_found_and_made_anew),
		ON_SITE(test_what_is_no_table_is_not_used),
		ON_SITE(test_another_goal_has_its_table_on_request),
		ON_SITE(test_two_daemons_build_one_table),
		ON_SITE(test_a_table_serves_though_a_worker_was_starting),
		ON_SITE(test_a_board_that_would_wait_is_stopped_all_the_same),
		ON_SITE(test_a_folder_that_cannot_be_written_is_told),
	};
	return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
