/* SPDX-License-Identifier: MIT */
/* What a plugin can't do, tried at every stage of a worker's life by the plugin "breakout". */
#include "config.h"

#include "tests/cmocka_first.h"

#include "tests/plugins/breakout_attempts.h"
#include "tests/worker_peer.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * What becomes of each attempt: in a constructor and in `open`; in `solve`; and where a builder is
 * confined in another way, in a builder's constructor and `open`, and while it fills the table.
 */
static const struct expectation {
	const char *name, *loading, *solving, *builder_loading, *building;
} expectations[] = {
	/* Landlock's are EACCES, the filter's EPERM. */
	{"read_passwd", "EACCES", "EPERM", NULL, NULL},
	{"read_environ", "EACCES", "EPERM", NULL, NULL},
	{"read_device", "EACCES", "EPERM", NULL, NULL},
	{"read_library", "done", "EPERM", NULL, NULL},
	{"list_folder", "EACCES", "EPERM", NULL, NULL},
	{"write_outside", "EPERM", "EPERM", "EACCES", NULL},
	{"make_folder", "EPERM", "EPERM", NULL, NULL},
	{"remove_file", "EPERM", "EPERM", "EACCES", "EACCES"},
	{"rename_file", "EPERM", "EPERM", "EACCES", "EACCES"},
	{"change_mode", "EPERM", "EPERM", NULL, NULL},
	{"change_folder", "EPERM", "EPERM", NULL, NULL},
	{"look_at_file", "done", "EPERM", NULL, NULL},
	{"load_library", "done", "ELIBACC", NULL, NULL},

	{"open_tcp", "EPERM", "EPERM", NULL, NULL},
	{"call_daemon", "EPERM", "EPERM", NULL, NULL},
	{"make_pair", "EPERM", "EPERM", NULL, NULL},
	{"make_pipe", "EPERM", "EPERM", NULL, NULL},
	{"make_memfd", "EPERM", "EPERM", NULL, NULL},
	{"copy_descriptor", "EPERM", "EPERM", NULL, NULL},
	{"type_into_terminal", "EPERM", "EPERM", NULL, NULL},

	{"make_process", "EPERM", "EPERM", NULL, NULL},
	/* For libc to try what is older, which is then refused. */
	{"make_process_3", "ENOSYS", "ENOSYS", NULL, NULL},
	{"make_thread", "EPERM", "EPERM", NULL, NULL},
	{"run_program", "EPERM", "EPERM", NULL, NULL},
	{"run_shell", "EPERM", "EPERM", NULL, NULL},
	{"signal_parent", "EPERM", "EPERM", NULL, NULL},
	{"signal_parents_thread", "EPERM", "EPERM", NULL, NULL},
	{"queue_signal", "EPERM", "EPERM", NULL, NULL},
	{"signal_by_socket", "EPERM", "EPERM", NULL, NULL},
	{"signal_by_ioctl", "EPERM", "EPERM", NULL, NULL},
	{"open_parent", "ENOSYS", "ENOSYS", NULL, NULL},
	{"trace_parent", "EPERM", "EPERM", NULL, NULL},
	{"read_parent", "EPERM", "EPERM", NULL, NULL},
	{"limit_parent", "EPERM", "EPERM", NULL, NULL},

	{"map_writable_code", "EPERM", "EPERM", NULL, NULL},
	{"map_code", "done", "EPERM", NULL, NULL},
	{"make_code", "EPERM", "EPERM", NULL, NULL},
	{"become_user", "EPERM", "EPERM", NULL, NULL},
	{"raise_limit", "EPERM", "EPERM", NULL, NULL},
	{"outlive_parent", "EPERM", "EPERM", NULL, NULL},
	{"leave_namespace", "EPERM", "EPERM", NULL, NULL},
	{"mount_folder", "EPERM", "EPERM", NULL, NULL},
	{"change_personality", "EPERM", "EPERM", NULL, NULL},
	{"load_bpf", "EPERM", "EPERM", NULL, NULL},
	{"use_keys", "EPERM", "EPERM", NULL, NULL},
	{"count_events", "EPERM", "EPERM", NULL, NULL},
	{"use_ring", "ENOSYS", "ENOSYS", NULL, NULL},

	{"work", "done", "done", NULL, NULL},
};

enum { EXPECTATIONS = sizeof(expectations) / sizeof(expectations[0]) };

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "sandbox-XXXXXX");
	mkdir(BREAKOUT_SCRATCH, 0700);
	FILE *victim = fopen(BREAKOUT_VICTIM, "w");
	return victim && fclose(victim) == 0 && mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	static const char *const files[] = {"breakout.outcomes.table",
					    "breakout.outcomes.table.lock", "breakout.txt"};
	char path[128];
	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		unlink(path);
	}
	/* Nothing else is left behind, here and there. */
	if (unlink(BREAKOUT_VICTIM) < 0 || rmdir(BREAKOUT_SCRATCH) < 0)
		return -1;
	return rmdir(folder);
}

static struct wire_setup breakout(enum wire_task task)
{
	struct wire_setup setup = peer_setup("breakout");
	setup.task = task;
	setup.table_dir = text_of(folder);
	setup.options[0] = (struct wire_option){text_of("folder"), text_of(folder), WIRE_TEXT};
	setup.option_count = 1;
	return setup;
}

/* What the kernel says that it has; below 1: nothing. */
static long landlock_version(void)
{
	return syscall(444 /* landlock_create_ruleset */, NULL, 0, 1);
}

/* Starts a worker that must be wholly confined; else the test is skipped, with what is missing. */
static void open_confined(struct peer *peer)
{
	static struct wire_hello hello;
	struct wire_setup setup = breakout(WIRE_SERVE);
	peer_start_with(peer, &setup);
	assert_int_equal(wire_get_hello(peer_expect(peer, WIRE_HELLO), &hello), 0);
#if defined(PZ_SECCOMP) && !defined(PZ_SANITIZED)
	assert_true(hello.confined & WIRE_CALLS_CONFINED);
#else
	print_message("# SKIP this build has no filter of system calls\n");
	peer_end(peer);
	skip();
#endif
	if (landlock_version() >= 1) {
		assert_true(hello.confined & WIRE_FILES_CONFINED);
	} else {
		print_message("# SKIP this kernel has no Landlock\n");
		peer_end(peer);
		skip();
	}
}

/* What became of the attempt at that stage must be this. */
static void expect(struct peer *peer, const char *stage, const char *name, const char *outcome)
{
	char board[64];
	struct wire_job job = peer_job(WIRE_SOLVE);
	snprintf(board, sizeof(board), "%s %s", stage, name);
	struct wire_result result = peer_ask(peer, &job, board);
	assert_int_equal(result.status, WIRE_FAILED);
	if (!text_is(result.reason, outcome))
		fail_msg("%s: %.*s, not %s", board, (int)result.reason.len, result.reason.data,
			 outcome);
}

static void expect_solved(struct peer *peer)
{
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_result result = peer_ask(peer, &job, "3");
	assert_int_equal(result.status, WIRE_SOLVED);
	assert_int_equal(result.length, 3);
}

/* ---- attempts ---- */

static void every_attempt_is_expected(void **state)
{
	(void)state;
	/* And write_table, which is tried apart. */
	assert_int_equal(EXPECTATIONS + 1, ATTEMPTS);
}

static void a_plugin_can_only_work(void **state)
{
	struct peer peer;
	(void)state;
	open_confined(&peer);
	for (size_t i = 0; i < EXPECTATIONS; i++) {
		const struct expectation *one = &expectations[i];
		expect(&peer, "ctor", one->name, one->loading);
		expect(&peer, "open", one->name, one->loading);
		expect(&peer, "solve", one->name, one->solving);
		expect_solved(&peer);
	}
	peer_end(&peer);
}

static void tables_are_not_written_by_who_serves(void **state)
{
	struct peer peer;
	(void)state;
	open_confined(&peer);
	expect(&peer, "open", "write_table", "EPERM");
	expect(&peer, "solve", "write_table", "EPERM");
	peer_end(&peer);
}

static void build(void)
{
	struct peer peer;
	struct wire_setup setup = breakout(WIRE_BUILD);
	peer_start_with(&peer, &setup);
	peer_expect(&peer, WIRE_BUILT);
	int status = peer_wait(&peer);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_builder_can_only_fill_its_table(void **state)
{
	struct peer peer;
	(void)state;
	build();
	open_confined(&peer);
	for (size_t i = 0; i < EXPECTATIONS; i++) {
		const struct expectation *one = &expectations[i];
		const char *loading = one->builder_loading ? one->builder_loading : one->loading;
		expect(&peer, "builder-ctor", one->name, loading);
		expect(&peer, "builder-open", one->name, loading);
		expect(&peer, "build", one->name, one->building ? one->building : one->solving);
	}
	/* The host opens its files after `open`: until then the folder can be written to. */
	expect(&peer, "builder-open", "write_table", "done");
	expect(&peer, "build", "write_table", "EPERM");
	peer_end(&peer);
}

static void a_table_is_checked_under_the_sandbox(void **state)
{
	struct peer peer;
	struct wire_setup setup = breakout(WIRE_CHECK);
	struct stat info;
	char path[128];
	(void)state;
	build();
	peer_start_with(&peer, &setup);
	peer_expect(&peer, WIRE_BUILT);
	peer_wait(&peer);
	snprintf(path, sizeof(path), "%s/breakout.outcomes.table", folder);
	assert_int_equal(truncate(path, 5000), 0);
	peer_start_with(&peer, &setup);
	peer_expect(&peer, WIRE_LOG); /* `open` wanted it too */
	peer_expect(&peer, WIRE_REFUSED);
	peer_wait(&peer);
	assert_int_equal(stat(path, &info), -1);
}

/* ---- the process ---- */

/* A number in /proc/PID/status, in this base. */
static unsigned long long proc_status(pid_t pid, const char *key, int base)
{
	char path[64], line[256];
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		if (strncmp(line, key, strlen(key)) == 0 && line[strlen(key)] == ':') {
			fclose(file);
			return strtoull(line + strlen(key) + 1, NULL, base);
		}
	fclose(file);
	fail_msg("%s has no %s", path, key);
	return 0;
}

/* Whether one of its descriptors is of a path with `part` in it. */
static bool has_open(pid_t pid, const char *part)
{
	char path[64], target[512];
	bool found = false;
	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	DIR *dir = opendir(path);
	assert_non_null(dir);
	for (const struct dirent *entry; (entry = readdir(dir));) {
		ssize_t len = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);
		target[len < 0 ? 0 : len] = '\0';
		found = found || strstr(target, part);
	}
	closedir(dir);
	return found;
}

static void the_kernel_says_that_a_worker_is_confined(void **state)
{
	struct peer peer;
	(void)state;
	open_confined(&peer);
	assert_int_equal(proc_status(peer.pid, "NoNewPrivs", 10), 1);
	assert_int_equal(proc_status(peer.pid, "Seccomp", 10), 2);
	/* One for each stage, beside those that the tests themselves may be under. */
	assert_int_equal(proc_status(peer.pid, "Seccomp_filters", 10),
			 proc_status(getpid(), "Seccomp_filters", 10) + 2);
	assert_int_equal(proc_status(peer.pid, "CapPrm", 16), 0);
	assert_int_equal(proc_status(peer.pid, "CapEff", 16), 0);
	/* What it has opened on the way is closed; its socket shows that one would be seen. */
	assert_true(has_open(peer.pid, "socket:"));
	assert_false(has_open(peer.pid, "statm"));
	assert_false(has_open(peer.pid, folder));
	peer_end(&peer);
}

static void without_the_sandbox_the_same_plugin_succeeds(void **state)
{
	static const char *const harmless[] = {
		"read_passwd", "read_environ", "list_folder",  "write_outside", "make_folder",
		"remove_file", "rename_file",  "change_mode",  "write_table",   "change_folder",
		"open_tcp",    "make_pair",    "make_process", "make_thread",   "run_program",
		"run_shell",   "make_code",    "work"};
	struct peer peer;
	struct wire_setup setup = breakout(WIRE_SERVE);
	static struct wire_hello hello;
	(void)state;
	setup.sandbox = false;
	peer_start_with(&peer, &setup);
	assert_int_equal(wire_get_hello(peer_expect(&peer, WIRE_HELLO), &hello), 0);
	assert_int_equal(hello.confined, 0);
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		expect(&peer, "solve", harmless[i], "done");
	expect(&peer, "ctor", "read_passwd", "untried");
	/* Bounds are no part of the sandbox. */
	assert_int_equal(proc_status(peer.pid, "NoNewPrivs", 10), 1);
	peer_end(&peer);
}

/* ---- deaths ---- */

static void expect_death(const char *board, int signal, const char *words)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	open_confined(&peer);
	peer_send_job(&peer, &job, (const char *const[]){board, NULL});
	struct frame frame;
	assert_false(peer_next(&peer, &frame));
	char *noise = peer_noise(&peer);
	if (words && !strstr(noise, words))
		fail_msg("%s: \"%s\" is not in: %s", board, words, noise);
	free(noise);
	int status = peer_wait(&peer);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), signal);
}

static void a_crash_has_its_true_cause(void **state)
{
	(void)state;
	expect_death("die abort", SIGABRT, NULL);
	expect_death("die fault", SIGSEGV, NULL);
	expect_death("die overflow", SIGSEGV, NULL);
	expect_death("die smash", SIGABRT, "stack smashing detected");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_attempt_is_expected),
		cmocka_unit_test(a_plugin_can_only_work),
		cmocka_unit_test(tables_are_not_written_by_who_serves),
		cmocka_unit_test(a_builder_can_only_fill_its_table),
		cmocka_unit_test(a_table_is_checked_under_the_sandbox),
		cmocka_unit_test(the_kernel_says_that_a_worker_is_confined),
		cmocka_unit_test(without_the_sandbox_the_same_plugin_succeeds),
		cmocka_unit_test(a_crash_has_its_true_cause),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
