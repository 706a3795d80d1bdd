/* SPDX-License-Identifier: MIT */
/* Several users on one daemon: who may connect, what each may take, and that none starves
 * another. */
#include "tests/e2e/harness.h"

#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nobody has these; the kernel does not mind. */
enum { ALICE = 61001, BOB = 61002 };

/* Opens a connection as this user: what the daemon sees is who we are when we connect. */
static void open_as(struct client *client, const struct site *site, uid_t uid)
{
	assert_int_equal(seteuid(uid), 0);
	client_open(client, site);
	assert_int_equal(seteuid(0), 0);
}

static void run(struct site *site, const char *ini)
{
	char whole[1024];
	snprintf(whole, sizeof(whole),
		 "socket_mode = 0666\n%s[puzzle:count]\nplugin = @/tests/plugins/good.so\n"
		 "[puzzle:crash]\nplugin = @/tests/plugins/crash_solve.so\n",
		 ini);
	chmod(site->folder, 0755);
	site_run(site, whole);
}

static void count_slowly(struct client *client, int id, int ms)
{
	client_sendf(client,
		     "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"solve\",\"params\":{\"puzzle\":"
		     "\"count\","
		     "\"board\":\"5\",\"delay_ms\":%d}}\n",
		     id, ms);
}

static void test_others_are_let_in_by_name_only(void **state)
{
	struct site *site = *state;
	struct client alice, root;
	if (getuid() != 0)
		skip();
	run(site, "allow_users = root\n");
	open_as(&alice, site, ALICE);
	assert_error(client_next(&alice), 0, "forbidden", "61001");
	client_expect_end(&alice);
	client_close(&alice);
	client_open(&root, site);
	client_solve(&root, 2, "count", "5");
	assert_solved(client_next(&root), 2, 5);
	client_close(&root);
	site_stop(site);
}

static void test_any_group_of_the_peer_counts(void **state)
{
	struct site *site = *state;
	struct client alice;
	const struct group *daemon = getgrnam("daemon");
	if (getuid() != 0 || !daemon)
		skip();
	run(site, "allow_groups = daemon\n");
	open_as(&alice, site, ALICE);
	assert_error(client_next(&alice), 0, "forbidden", "61001");
	client_close(&alice);
	gid_t before[64];
	int count = getgroups(64, before);
	assert_int_equal(setgroups(1, &daemon->gr_gid), 0);
	open_as(&alice, site, ALICE);
	assert_int_equal(setgroups((size_t)count, before), 0);
	client_solve(&alice, 2, "count", "5");
	assert_solved(client_next(&alice), 2, 5);
	client_close(&alice);
	site_stop(site);
}

static void test_only_root_and_the_daemons_user_administrate(void **state)
{
	static const char *const methods[] = {"reload", "build_table", "verify_table"};
	struct site *site = *state;
	struct client alice;
	if (getuid() != 0)
		skip();
	run(site, "");
	open_as(&alice, site, ALICE);
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		assert_error(client_ask(&alice, "\"method\":\"%s\",\"params\":{}", methods[i]), 1,
			     "forbidden", methods[i]);
	client_close(&alice);
	site_stop(site);
}

static void test_connections_of_one_user_are_bounded(void **state)
{
	struct site *site = *state;
	struct client alice[3], bob;
	if (getuid() != 0)
		skip();
	run(site, "max_user_sessions = 2\n");
	for (int i = 0; i < 3; i++)
		open_as(&alice[i], site, ALICE);
	assert_error(client_next(&alice[2]), 0, "quota", "2 connections");
	client_expect_end(&alice[2]);
	open_as(&bob, site, BOB);
	client_solve(&bob, 2, "count", "5");
	assert_solved(client_next(&bob), 2, 5);
	client_solve(&alice[1], 3, "count", "5");
	assert_solved(client_next(&alice[1]), 3, 5);
	for (int i = 0; i < 3; i++)
		client_close(&alice[i]);
	client_close(&bob);
	site_stop(site);
}

static void test_requests_of_one_user_are_bounded(void **state)
{
	struct site *site = *state;
	struct client alice, again, bob;
	if (getuid() != 0)
		skip();
	run(site, "max_user_jobs = 2\nworkers = 1\n");
	open_as(&alice, site, ALICE);
	open_as(&again, site, ALICE);
	open_as(&bob, site, BOB);
	count_slowly(&alice, 1, 60000);
	count_slowly(&alice, 2, 60000);
	/* That the two are in is only certain for who comes after them on the same connection. */
	client_send(&alice, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n");
	json_decref(client_next(&alice));
	client_solve(&again, 4, "count", "5");
	assert_error(client_next(&again), 4, "quota", "2 requests in flight");
	client_solve(&bob, 5, "count", "5");
	assert_solved(client_next(&bob), 5, 5);
	client_close(&alice);
	client_close(&again);
	client_close(&bob);
	site_stop(site);
}

/* All workers are at long jobs of one user's, and more of them wait: another user is answered all
 * the same. */
static void test_one_user_cannot_have_all_workers(void **state)
{
	struct site *site = *state;
	struct client alice, bob;
	if (getuid() != 0)
		skip();
	run(site, "workers = 2\ntimeout = 50s\n");
	open_as(&alice, site, ALICE);
	for (int i = 1; i <= 20; i++)
		count_slowly(&alice, i, 49000);
	open_as(&bob, site, BOB);
	client_await(&bob, "count", "busy", 2);
	for (int i = 1; i <= 3; i++) {
		client_solve(&bob, i, "count", "5");
		assert_solved(client_next(&bob), i, 5);
	}
	/* Hanging up frees the workers: nobody has to wait for what nobody wants. */
	client_close(&alice);
	client_await(&bob, "count", "busy", 0);
	client_close(&bob);
	site_stop(site);
}

static void test_who_crashes_plugins_is_barred_and_nobody_else(void **state)
{
	struct site *site = *state;
	struct client alice, bob;
	if (getuid() != 0)
		skip();
	run(site, "max_user_crashes = 3\n");
	open_as(&alice, site, ALICE);
	open_as(&bob, site, BOB);
	for (int i = 1; i <= 3; i++) {
		client_solve(&alice, i, "crash", "crash");
		assert_error(client_next(&alice), i, "worker_crashed", "SIGSEGV");
	}
	client_solve(&alice, 4, "crash", "crash");
	assert_error(client_next(&alice), 4, "quota", "crashed 3 workers");
	client_close(&alice);
	/* Coming back does not help. */
	open_as(&alice, site, ALICE);
	client_solve(&alice, 5, "crash", "5");
	assert_error(client_next(&alice), 5, "quota", "crashed 3 workers");
	client_solve(&bob, 6, "crash", "5");
	assert_solved(client_next(&bob), 6, 5);
	client_close(&alice);
	client_close(&bob);
	site_stop(site);
}

#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_SITE(test_others_are_let_in_by_name_only),
		ON_SITE(test_any_group_of_the_peer_counts),
		ON_SITE(test_only_root_and_the_daemons_user_administrate),
		ON_SITE(test_connections_of_one_user_are_bounded),
		ON_SITE(test_requests_of_one_user_are_bounded),
		ON_SITE(test_one_user_cannot_have_all_workers),
		ON_SITE(test_who_crashes_plugins_is_barred_and_nobody_else),
	};
	return cmocka_run_group_tests_name("users", tests, NULL, NULL);
}
