/* SPDX-License-Identifier: MIT */
/* Tables: built by a worker of their own, used by others, and never trusted when they are
 * damaged. */
#include "config.h"

#include "tests/cmocka_first.h"

#include "tests/worker_peer.h"
#include "worker/tables.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALGORITHM_TABLE = 1, ALGORITHM_WALK = 2 }; /* of the plugin "tabled" */

static char folder[64], file[128], lock[160], unfinished[160];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "build-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof(file), "%s/tabled.squares.table", folder);
	snprintf(lock, sizeof(lock), "%s.lock", file);
	snprintf(unfinished, sizeof(unfinished), "%s.tmp", file);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(file);
	unlink(lock);
	unlink(unfinished);
	return rmdir(folder);
}

static struct wire_setup setup_for(enum wire_task task, const char *how)
{
	struct wire_setup setup = peer_setup("tabled");
	setup.table_dir = text_of(folder);
	setup.task = task;
	setup.table = text_of("squares");
	setup.options[0] = (struct wire_option){text_of("build"), text_of(how), WIRE_TEXT};
	setup.option_count = 1;
	return setup;
}

static void expect_status(struct peer *peer, int expected)
{
	int status = peer_wait(peer);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), expected);
}

/* The payload of the next frame that is neither progress nor a line about a damaged table: of this
 * type. */
static struct text expect_past_lines(struct peer *peer, enum wire_type type)
{
	struct frame frame;
	do
		assert_true(peer_next(peer, &frame));
	while (frame.type == WIRE_LOG || frame.type == WIRE_PROGRESS);
	assert_int_equal(frame.type, type);
	return frame.payload;
}

static void succeeds(enum wire_task task)
{
	struct peer peer;
	struct text table;
	struct wire_setup setup = setup_for(task, "plain");
	peer_start_with(&peer, &setup);
	assert_int_equal(wire_get_built(expect_past_lines(&peer, WIRE_BUILT), &table), 0);
	assert_text(table, "squares");
	expect_status(&peer, 0);
}

static void refused(const struct wire_setup *setup, const char *part)
{
	struct peer peer;
	struct wire_refused refused;
	peer_start_with(&peer, setup);
	assert_int_equal(wire_get_refused(expect_past_lines(&peer, WIRE_REFUSED), &refused), 0);
	assert_has(refused.reason, part);
	expect_status(&peer, 1);
}

static void fails(enum wire_task task, const char *part)
{
	struct wire_setup setup = setup_for(task, "plain");
	refused(&setup, part);
}

/* Which algorithm a worker answers with, and whether its HELLO says that the table is ready. */
static uint32_t algorithm_of_a_worker(bool *ret_ready)
{
	static struct wire_hello hello;
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_setup setup = setup_for(WIRE_SERVE, "plain");
	peer_start_with(&peer, &setup);
	assert_int_equal(wire_get_hello(expect_past_lines(&peer, WIRE_HELLO), &hello), 0);
	assert_int_equal(hello.table_count, 1);
	assert_text(hello.tables[0].name, "squares");
	*ret_ready = hello.tables[0].ready;
	struct wire_result result = peer_ask(&peer, &job, "2");
	assert_int_equal(result.status, WIRE_SOLVED);
	peer_end(&peer);
	return result.algorithm;
}

static void a_table_is_used(bool used)
{
	bool ready;
	assert_int_equal(algorithm_of_a_worker(&ready), used ? ALGORITHM_TABLE : ALGORITHM_WALK);
	assert_int_equal(ready, used);
}

static void change_byte(off_t at)
{
	char byte;
	int fd = open(file, O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

static void a_table_is_built_once_and_then_used(void **state)
{
	struct stat first, second;
	(void)state;
	a_table_is_used(false);
	succeeds(WIRE_BUILD);
	a_table_is_used(true);
	assert_int_equal(stat(file, &first), 0);
	succeeds(WIRE_BUILD);
	assert_int_equal(stat(file, &second), 0);
	assert_true(first.st_ino == second.st_ino);
	assert_int_not_equal(access(unfinished, F_OK), 0);
	succeeds(WIRE_CHECK);
	assert_int_equal(access(file, F_OK), 0);
}

static void decay_is_found_by_a_check_and_mended_by_a_build(void **state)
{
	(void)state;
	succeeds(WIRE_BUILD);
	change_byte(TABLE_HEADER + 9999);
	fails(WIRE_CHECK, "checksum is wrong");
	assert_int_not_equal(access(file, F_OK), 0);
	fails(WIRE_CHECK, "not built");
	succeeds(WIRE_BUILD);
	a_table_is_used(true);
}

static void what_cannot_be_removed_is_not_said_to_be(void **state)
{
	(void)state;
	unlink(file);
	assert_int_equal(mkdir(file, 0755), 0);
	fails(WIRE_CHECK, "cannot be removed: Is a directory");
	assert_int_equal(rmdir(file), 0);
}

static void a_table_cut_short_or_of_another_version_is_not_used_and_built_anew(void **state)
{
	(void)state;
	succeeds(WIRE_BUILD);
	assert_int_equal(truncate(file, TABLE_HEADER + 100), 0);
	a_table_is_used(false);
	succeeds(WIRE_BUILD);
	a_table_is_used(true);
	change_byte(offsetof(struct table_header, version));
	a_table_is_used(false);
	succeeds(WIRE_BUILD);
	a_table_is_used(true);
}

static void what_a_killed_builder_left_is_in_nobodys_way(void **state)
{
	(void)state;
	unlink(file);
	FILE *left = fopen(unfinished, "w");
	assert_non_null(left);
	fputs("half a table", left);
	fclose(left);
	succeeds(WIRE_BUILD);
	a_table_is_used(true);
	assert_int_not_equal(access(unfinished, F_OK), 0);
}

static void a_build_that_fails_leaves_no_table(void **state)
{
	struct peer peer;
	struct wire_setup setup = setup_for(WIRE_BUILD, "fail");
	(void)state;
	unlink(file);
	refused(&setup, "no squares today");
	setup = setup_for(WIRE_BUILD, "crash");
	peer_start_with(&peer, &setup);
	int status = peer_wait(&peer);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_int_not_equal(access(file, F_OK), 0);
	setup = setup_for(WIRE_BUILD, "plain");
	setup.table = text_of("cubes");
	refused(&setup, "no table \"cubes\"");
	setup = peer_setup("good");
	setup.task = WIRE_BUILD;
	refused(&setup, "no tables");
}

static void a_builder_tells_its_progress_and_goes_with_the_daemon(void **state)
{
	struct peer peer;
	struct wire_progress progress;
	struct wire_setup setup = setup_for(WIRE_BUILD, "forever");
	(void)state;
	unlink(file);
	peer_start_with(&peer, &setup);
	do
		assert_int_equal(wire_get_progress(peer_expect(&peer, WIRE_PROGRESS), &progress),
				 0);
	while (progress.nodes < 2);
	assert_int_equal(progress.bound, 1000000);
	shutdown(peer.fd, SHUT_WR);
	struct frame frame;
	while (peer_next(&peer, &frame))
		assert_int_equal(frame.type, WIRE_PROGRESS);
	expect_status(&peer, 0);
	assert_int_not_equal(access(file, F_OK), 0);
}

static void a_second_builder_waits_for_the_first(void **state)
{
	struct peer first, second;
	struct text table;
	struct wire_setup forever = setup_for(WIRE_BUILD, "forever");
	struct wire_setup plain = setup_for(WIRE_BUILD, "plain");
	struct frame frame;
	(void)state;
	unlink(file);
	peer_start_with(&first, &forever);
	peer_expect(&first, WIRE_PROGRESS);
	peer_start_with(&second, &plain);
	/* It polls while it waits, so it says that it is there. */
	peer_expect(&second, WIRE_PROGRESS);
	assert_int_not_equal(access(file, F_OK), 0);
	kill(first.pid, SIGKILL);
	while (peer_next(&first, &frame))
		continue;
	assert_true(WIFSIGNALED(peer_wait(&first)));
	assert_int_equal(wire_get_built(expect_past_lines(&second, WIRE_BUILT), &table), 0);
	expect_status(&second, 0);
	a_table_is_used(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_built_once_and_then_used),
		cmocka_unit_test(decay_is_found_by_a_check_and_mended_by_a_build),
		cmocka_unit_test(what_cannot_be_removed_is_not_said_to_be),
		cmocka_unit_test(
			a_table_cut_short_or_of_another_version_is_not_used_and_built_anew),
		cmocka_unit_test(what_a_killed_builder_left_is_in_nobodys_way),
		cmocka_unit_test(a_build_that_fails_leaves_no_table),
		cmocka_unit_test(a_builder_tells_its_progress_and_goes_with_the_daemon),
		cmocka_unit_test(a_second_builder_waits_for_the_first),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
