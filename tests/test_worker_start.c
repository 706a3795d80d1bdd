/* SPDX-License-Identifier: MIT */
/* How a worker starts: what it says of a good plugin, and how it refuses the others. */
#include "config.h"

#include "tests/cmocka_first.h"

#include "tests/worker_peer.h"
#include "worker/sandbox.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

static void add_option(struct wire_setup *setup, const char *name, const char *value)
{
	setup->options[setup->option_count++] =
		(struct wire_option){text_of(name), text_of(value), WIRE_TEXT};
}

/* Starts with the setup and expects to be refused, with a sentence that has `part`, and exit status
 * 1. */
static void expect_refusal(const struct wire_setup *setup, const char *option, const char *part)
{
	struct peer peer;
	struct wire_refused refused;
	peer_start_with(&peer, setup);
	assert_int_equal(wire_get_refused(peer_expect(&peer, WIRE_REFUSED), &refused), 0);
	assert_has(refused.reason, part);
	if (option)
		assert_text(refused.option, option);
	else
		assert_null(refused.option.data);
	int status = peer_wait(&peer);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
}

static void refused(const char *plugin, const char *part)
{
	struct wire_setup setup = peer_setup(plugin);
	expect_refusal(&setup, NULL, part);
}

/* ---- HELLO --------------------------------------------------------------------------------- */

static struct wire_hello *say_hello(struct peer *peer, const struct wire_setup *setup)
{
	struct wire_hello *hello = calloc(1, sizeof(*hello));
	assert_non_null(hello);
	peer_start_with(peer, setup);
	assert_int_equal(wire_get_hello(peer_expect(peer, WIRE_HELLO), hello), 0);
	return hello;
}

static void hello_describes_the_plugin(void **state)
{
	static const char *const names[] = {"+", "-", NULL, "up", "down", NULL};
	struct peer peer;
	struct wire_setup setup = peer_setup("good");
	(void)state;
	struct wire_hello *hello = say_hello(&peer, &setup);
	assert_int_equal(hello->version, WIRE_VERSION);
	assert_text(hello->plugin_name, "good");
	assert_text(hello->plugin_version, "1.0");
	assert_text(hello->summary, "count to a number");
	assert_text(hello->syntax, "A whole number.");
	assert_text(hello->example, "3");
	assert_text(hello->goal, "0");
	assert_int_equal(hello->path_max, 4096);
	assert_int_equal(hello->board_max, 24);
	assert_true(hello->unit_cost && hello->can_generate && hello->can_render);
	assert_int_equal(hello->algorithm_count, 2);
	assert_text(hello->algorithms[1], "walk");
	assert_int_equal(hello->heuristic_count, 2);
	assert_text(hello->heuristics[0], "distance");
	assert_int_equal(hello->notation_count, 2);
	assert_text(hello->notations[1], "word");
	assert_int_equal(hello->table_count, 0);
	assert_int_equal(hello->move_count, 3);
	struct text rest = hello->names;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct text name = wire_name_next(&rest);
		if (names[i])
			assert_text(name, names[i]);
		else
			assert_null(name.data);
	}
	assert_int_equal(rest.len, 0);
	free(hello);
	peer_end(&peer);
}

static void hello_has_the_schema_of_each_option(void **state)
{
	struct peer peer;
	struct wire_setup setup = peer_setup("good");
	(void)state;
	add_option(&setup, "step", "3");
	struct wire_hello *hello = say_hello(&peer, &setup);
	assert_int_equal(hello->option_count, 5);
	const struct wire_schema *step = &hello->options[0];
	assert_text(step->name, "step");
	assert_text(step->type, "int");
	assert_text(step->fallback, "3");
	assert_text(step->help, "how much a move adds or takes away");
	assert_int_equal(step->scope, WIRE_OPTION_CONFIG | WIRE_OPTION_JOB);
	assert_int_equal(step->min, 1);
	assert_int_equal(step->max, 9);
	assert_int_equal(step->choice_count, 0);
	const struct wire_schema *answer = &hello->options[2];
	assert_text(answer->type, "choice");
	assert_int_equal(answer->choice_count, 4);
	assert_text(answer->choices[3], "fail");
	assert_text(hello->options[3].type, "text");
	assert_text(hello->options[4].type, "bool");
	free(hello);
	peer_end(&peer);
}

static void a_plugin_without_notations_has_one_without_a_name(void **state)
{
	struct peer peer;
	struct wire_setup setup = peer_setup("hang");
	(void)state;
	struct wire_hello *hello = say_hello(&peer, &setup);
	assert_int_equal(hello->notation_count, 1);
	assert_text(hello->notations[0], "");
	assert_int_equal(hello->heuristic_count, 0);
	assert_false(hello->can_generate || hello->can_render);
	free(hello);
	peer_end(&peer);
}

static void configured_options_are_the_defaults_of_jobs(void **state)
{
	struct peer peer;
	struct wire_setup setup = peer_setup("good");
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	add_option(&setup, "step", "3");
	peer_start_with(&peer, &setup);
	peer_expect(&peer, WIRE_HELLO);
	assert_int_equal(peer_ask(&peer, &job, "9").length, 3);
	job.options[0] = (struct wire_option){text_of("step"), text_of("1"), WIRE_NUMBER};
	job.option_count = 1;
	assert_int_equal(peer_ask(&peer, &job, "9").length, 9);
	peer_end(&peer);
}

static void a_configured_goal_is_in_force_and_printed_as_boards_are(void **state)
{
	struct peer peer;
	struct wire_setup setup = peer_setup("good");
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	setup.goal = text_of("0010");
	struct wire_hello *hello = say_hello(&peer, &setup);
	assert_text(hello->goal, "10");
	assert_int_equal(peer_ask(&peer, &job, "12").length, 2);
	free(hello);
	peer_end(&peer);
}

static void what_is_logged_in_open_comes_before_hello(void **state)
{
	struct peer peer;
	struct wire_setup setup = peer_setup("good");
	struct text line;
	uint32_t level;
	(void)state;
	add_option(&setup, "label", "me\x1b[31m");
	peer_start_with(&peer, &setup);
	assert_int_equal(wire_get_log(peer_expect(&peer, WIRE_LOG), &level, &line), 0);
	assert_int_equal(level, 5);
	assert_text(line, "opened as me?[31m");
	peer_expect(&peer, WIRE_HELLO);
	peer_end(&peer);
}

static void a_plugin_that_takes_its_time_is_waited_for(void **state)
{
	struct peer peer;
	struct wire_setup setup = peer_setup("slow_open");
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	add_option(&setup, "open_ms", "50");
	peer_start_with(&peer, &setup);
	/* A job may wait for the worker to be ready. */
	uint64_t id = peer_send_job(&peer, &job, (const char *const[]){"2", NULL});
	struct wire_result result;
	peer_expect(&peer, WIRE_HELLO);
	peer_results(&peer, id, 1, &result);
	assert_int_equal(result.length, 2);
	peer_end(&peer);
}

/* ---- REFUSED ------------------------------------------------------------------------------- */

static void another_version_of_the_wire_is_refused(void **state)
{
	struct wire_setup setup = peer_setup("good");
	(void)state;
	setup.version = WIRE_VERSION + 1;
	expect_refusal(&setup, NULL, "different builds");
}

static void what_is_no_plugin_is_refused(void **state)
{
	struct wire_setup setup = peer_setup("good");
	(void)state;
	refused("not_there", "not_there.so");
	refused("no_symbol", "exports no pz_plugin");
	refused("bad_abi", "version 2 of the plugin interface, not 1");
	refused("bad_size", "16 bytes");
	refused("bad_meta", "one name, \"move\"");
	setup.plugin = text_of("good.so");
	expect_refusal(&setup, NULL, "no path with a folder");
	setup.plugin = text_of("/dev/null");
	expect_refusal(&setup, NULL, "/dev/null");
	setup.plugin = (struct text){"./a\0b", 5};
	expect_refusal(&setup, NULL, "path");
	setup.plugin = (struct text){NULL, 0};
	expect_refusal(&setup, NULL, "path");
}

static void bad_configured_options_are_refused_by_name(void **state)
{
	struct wire_setup setup = peer_setup("good");
	(void)state;
	add_option(&setup, "stride", "2");
	expect_refusal(&setup, "stride", "options here: step, label");
	setup.option_count = 0;
	add_option(&setup, "step", "4g");
	expect_refusal(&setup, "step", "a whole number from 1 to 9, not \"4g\"");
	setup.option_count = 0;
	add_option(&setup, "step", "1");
	add_option(&setup, "step", "2");
	expect_refusal(&setup, "step", "given twice");
	setup.option_count = 0;
	add_option(&setup, "delay_ms", "2");
	expect_refusal(&setup, "delay_ms", "belongs to a request");
	setup.option_count = 0;
	add_option(&setup, "label", "longer than twenty bytes");
	expect_refusal(&setup, "label", "0 to 20 bytes");
}

static void a_bad_goal_is_refused(void **state)
{
	struct wire_setup setup = peer_setup("good");
	(void)state;
	setup.goal = text_of("home");
	expect_refusal(&setup, "goal", "goal: a goal is a whole number");
}

static void no_memory_is_refused(void **state)
{
	struct wire_setup setup = peer_setup("good");
	(void)state;
	setup.memory = 0;
	expect_refusal(&setup, NULL, "memory");
}

/* ---- confinement --------------------------------------------------------------------------- */

/* The rest of the line of /proc/PID/FILE that begins with `key`. */
static void proc_line(pid_t pid, const char *file, const char *key, char *ret, size_t cap)
{
	char path[64], line[256];
	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	FILE *proc = fopen(path, "r");
	assert_non_null(proc);
	ret[0] = '\0';
	while (fgets(line, sizeof(line), proc))
		if (strncmp(line, key, strlen(key)) == 0)
			snprintf(ret, cap, "%s", line + strlen(key));
	fclose(proc);
	assert_true(ret[0]);
}

static void a_limit_is(pid_t pid, const char *name, unsigned long long most)
{
	char line[256];
	unsigned long long soft = 0, hard = 0;
	proc_line(pid, "limits", name, line, sizeof(line));
	assert_int_equal(sscanf(line, "%llu %llu", &soft, &hard), 2);
	/* For good: the plugin can't raise it. */
	assert_true(soft == hard);
	assert_true(hard <= most);
}

static void a_worker_that_is_open_is_confined(void **state)
{
	struct peer peer;
	char line[256];
	(void)state;
	peer_open(&peer, "good");
	proc_line(peer.pid, "status", "NoNewPrivs:", line, sizeof(line));
	assert_string_equal(line, "\t1\n");
	a_limit_is(peer.pid, "Max core file size", 0);
	a_limit_is(peer.pid, "Max open files", 32);
#ifndef PZ_SANITIZED
	unsigned long long kib;
	proc_line(peer.pid, "status", "VmSize:", line, sizeof(line));
	assert_int_equal(sscanf(line, "%llu", &kib), 1);
	a_limit_is(peer.pid, "Max address space",
		   kib * 1024 + peer_setup("good").memory + SANDBOX_RESERVE);
#endif
	peer_end(&peer);
}

/* ---- deaths -------------------------------------------------------------------------------- */

static void a_plugin_that_dies_while_it_loads_takes_only_its_worker(void **state)
{
	struct peer peer;
	struct wire_setup setup = peer_setup("crash_ctor");
	(void)state;
	peer_start_with(&peer, &setup);
	int status = peer_wait(&peer);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void a_plugin_that_dies_in_open_leaves_its_last_words(void **state)
{
	struct peer peer;
	struct wire_setup setup = peer_setup("crash_open");
	struct text line;
	uint32_t level;
	(void)state;
	peer_start_with(&peer, &setup);
	assert_int_equal(wire_get_log(peer_expect(&peer, WIRE_LOG), &level, &line), 0);
	assert_text(line, "about to die");
	int status = peer_wait(&peer);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
}

static void run_by_hand_it_says_who_starts_it(void **state)
{
	char line[256];
	(void)state;
	FILE *worker = popen("./puzzled-worker 2>&1 3</dev/null", "r");
	assert_non_null(worker);
	assert_non_null(fgets(line, sizeof(line), worker));
	assert_non_null(strstr(line, "started by puzzled"));
	int status = pclose(worker);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hello_describes_the_plugin),
		cmocka_unit_test(hello_has_the_schema_of_each_option),
		cmocka_unit_test(a_plugin_without_notations_has_one_without_a_name),
		cmocka_unit_test(configured_options_are_the_defaults_of_jobs),
		cmocka_unit_test(a_configured_goal_is_in_force_and_printed_as_boards_are),
		cmocka_unit_test(what_is_logged_in_open_comes_before_hello),
		cmocka_unit_test(a_plugin_that_takes_its_time_is_waited_for),
		cmocka_unit_test(another_version_of_the_wire_is_refused),
		cmocka_unit_test(what_is_no_plugin_is_refused),
		cmocka_unit_test(bad_configured_options_are_refused_by_name),
		cmocka_unit_test(a_bad_goal_is_refused),
		cmocka_unit_test(no_memory_is_refused),
		cmocka_unit_test(a_worker_that_is_open_is_confined),
		cmocka_unit_test(a_plugin_that_dies_while_it_loads_takes_only_its_worker),
		cmocka_unit_test(a_plugin_that_dies_in_open_leaves_its_last_words),
		cmocka_unit_test(run_by_hand_it_says_who_starts_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
