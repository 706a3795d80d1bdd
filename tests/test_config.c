/* SPDX-License-Identifier: MIT */
#include "daemon/config.h"

#include "common/ini.h"
#include "common/limits.h"
#include "common/log.h"
#include "common/reason.h"
#include "daemon/config_keys.h"
#include "tests/corpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- files --------------------------------------------------------------------------------- */

static char folder[] = "/tmp/puzzled-test-config.XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

/* The path FOLDER/NAME, good until the next call but one. */
static const char *path_of(const char *name)
{
	static char paths[2][128];
	static unsigned turn;
	snprintf(paths[++turn % 2], sizeof(paths[0]), "%s/%s", folder, name);
	return paths[turn % 2];
}

/* Writes the content to FOLDER/NAME and loads it. */
static struct config *load_text(const char *name, const char *content)
{
	FILE *file = fopen(path_of(name), "w");
	assert_non_null(file);
	assert_true(fputs(content, file) >= 0);
	assert_int_equal(fclose(file), 0);
	struct config *config = NULL;
	char reason[REASON_MAX] = "";
	int result = config_load(path_of(name), &config, reason, sizeof(reason));
	assert_string_equal(reason, "");
	assert_int_equal(result, 0);
	return config;
}

/* What config_print prints; for free(). */
static char *printed(const struct config *config)
{
	char *text;
	size_t len;
	FILE *stream = open_memstream(&text, &len);
	assert_non_null(stream);
	config_print(config, stream);
	assert_int_equal(fclose(stream), 0);
	return text;
}

/* ---- the corpus: a good file wants some of what config_print prints, as "section key=value"; a
 * bad one wants its sentence without the file's name, "LINE: why" or "why". ---- */

static int drop_wanted(void *arg, const struct ini_entry *entry, char *reason, size_t cap)
{
	(void)reason, (void)cap;
	char **wants = arg;
	char line[2048];
	if (!entry->key)
		return 0;
	snprintf(line, sizeof(line), "%s %s=%s", entry->section, entry->key, entry->value);
	for (size_t i = 0; i < CORPUS_WANTS; i++)
		if (wants[i] && strcmp(line, wants[i]) == 0)
			wants[i] = NULL;
	return 0;
}

static void test_corpus_file(void **state)
{
	const struct corpus_file *file = *state;
	struct config *config = NULL;
	char reason[REASON_MAX] = "", want[REASON_MAX];
	int result = config_load(file->path, &config, reason, sizeof(reason));
	if (!file->good) {
		snprintf(want, sizeof(want), "%s:%s%s", file->path,
			 file->wants[0][0] >= '0' && file->wants[0][0] <= '9' ? "" : " ",
			 file->wants[0]);
		assert_string_equal(reason, want);
		assert_int_equal(result, -1);
		assert_null(config);
		return;
	}
	assert_string_equal(reason, "");
	assert_int_equal(result, 0);
	char *text = printed(config);
	char *wants[CORPUS_WANTS];
	memcpy(wants, file->wants, sizeof(wants));
	assert_true(file->want_count > 0);
	assert_int_equal(
		ini_read(text_of(text), "printed", drop_wanted, wants, reason, sizeof(reason)), 0);
	for (size_t i = 0; i < CORPUS_WANTS; i++)
		if (wants[i])
			fail_msg("'%s' is not in:\n%s", wants[i], text);

	/* What was printed is a configuration that prints the same. */
	struct config *again = load_text("printed.ini", text);
	char *text_again = printed(again);
	assert_string_equal(strchr(text_again, '\n'), strchr(text, '\n'));
	free(text_again);
	free(text);
	config_free(again);
	config_free(config);
}

/* ---- defaults ------------------------------------------------------------------------------ */

static void assert_defaults(const struct config *config)
{
	assert_string_equal(config->socket, PZ_RUN_DIR "/puzzled.sock");
	assert_string_equal(config->socket_group, "");
	assert_string_equal(config->plugin_dir, PZ_PLUGIN_DIR);
	assert_string_equal(config->table_dir, PZ_TABLE_DIR);
	assert_string_equal(config->worker, PZ_WORKER);
	assert_string_equal(config->user, "");
	assert_int_equal(config->socket_mode, 0660);
	assert_int_equal(config->log_level, LEVEL_INFO);
	assert_int_equal(config->drain_timeout, DEFAULT_DRAIN_MS);
	assert_int_equal(config->max_line, DEFAULT_MAX_LINE);
	assert_int_equal(config->max_reply, DEFAULT_MAX_REPLY);
	assert_int_equal(config->max_boards, DEFAULT_MAX_BOARDS);
	assert_int_equal(config->max_sessions, DEFAULT_MAX_SESSIONS);
	assert_int_equal(config->max_queue, DEFAULT_MAX_QUEUE);
	assert_int_equal(config->max_session_jobs, DEFAULT_SESSION_JOBS);
}

static void assert_default_job(const struct config_job *job)
{
	assert_int_equal(job->timeout, DEFAULT_TIMEOUT_MS);
	assert_int_equal(job->grace, DEFAULT_GRACE_MS);
	assert_int_equal(job->open_timeout, DEFAULT_OPEN_MS);
	assert_int_equal(job->memory, DEFAULT_MEMORY);
	assert_int_equal(job->workers, DEFAULT_WORKERS);
	assert_int_equal(job->sandbox, 1);
}

static void test_what_is_not_set(void **state)
{
	(void)state;
	struct config *config = load_text("least.ini", "[puzzle:p]\nplugin = p.so\n");
	assert_defaults(config);
	assert_default_job(&config->job);
	assert_string_equal(config->path, path_of("least.ini"));
	assert_int_equal(config->puzzle_count, 1);
	const struct config_puzzle *puzzle = &config->puzzles[0];
	assert_string_equal(puzzle->name, "p");
	assert_string_equal(puzzle->plugin, PZ_PLUGIN_DIR "/p.so");
	assert_null(puzzle->goal);
	assert_default_job(&puzzle->job);
	assert_int_equal(puzzle->option_count, 0);
	assert_int_equal(puzzle->line, 1);
	config_free(config);
}

/* Each default lies in the range of its own key: printing all and reading them again works. */
static void test_defaults_are_in_range(void **state)
{
	(void)state;
	struct config *config = load_text("least.ini", "[puzzle:p]\nplugin = p.so\n");
	char *text = printed(config);
	struct config *again = load_text("again.ini", text);
	for (size_t k = 0; k < CONFIG_KEYS; k++)
		if (config_keys[k].scope == CONFIG_DAEMON)
			assert_true(config_key_equal(&config_keys[k], config, again));
		else if (config_keys[k].scope == CONFIG_JOB)
			assert_true(config_key_equal(&config_keys[k], &config->job, &again->job));
		else
			assert_true(
				config_key_equal(&config_keys[k], config->puzzles, again->puzzles));
	free(text);
	config_free(again);
	config_free(config);
}

static void touch(const char *name)
{
	FILE *file = fopen(path_of(name), "w");
	assert_non_null(file);
	fclose(file);
}

static void test_without_a_file(void **state)
{
	(void)state;
	char reason[REASON_MAX] = "", want[REASON_MAX], plugins[128];
	struct config *config = NULL;
	snprintf(plugins, sizeof(plugins), "%s", path_of("plugins"));
	assert_int_equal(mkdir(plugins, 0700), 0);

	assert_int_equal(config_defaults(plugins, &config, reason, sizeof(reason)), -1);
	snprintf(want, sizeof(want), "%s: there is no plugin", plugins);
	assert_string_equal(reason, want);

	/* The puzzles come by name; what is no plugin, or no name of a puzzle, is passed over. */
	static const char *const files[] = {
		"plugins/knights.so", "plugins/8puzzle.so", "plugins/Upper.so",   "plugins/.so",
		"plugins/x.so.1",     "plugins/readme.txt", "plugins/.hidden.so", "plugins/so"};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		touch(files[i]);
	assert_int_equal(config_defaults(plugins, &config, reason, sizeof(reason)), 0);
	assert_null(config->path);
	assert_string_equal(config->plugin_dir, plugins);
	assert_int_equal(config->puzzle_count, 2);
	assert_string_equal(config->puzzles[0].name, "8puzzle");
	assert_string_equal(config->puzzles[0].plugin, path_of("plugins/8puzzle.so"));
	assert_string_equal(config->puzzles[1].name, "knights");
	assert_default_job(&config->puzzles[1].job);
	assert_ptr_equal(config_puzzle(config, "knights"), &config->puzzles[1]);
	assert_null(config_puzzle(config, "knight"));
	config_free(config);

	assert_int_equal(config_defaults(path_of("none"), &config, reason, sizeof(reason)), -1);
	snprintf(want, sizeof(want), "%s: %s", path_of("none"), strerror(ENOENT));
	assert_string_equal(reason, want);
	assert_int_equal(config_defaults("plugins", &config, reason, sizeof(reason)), -1);
	assert_string_equal(reason, "'plugins' is not an absolute path");
}

static void test_too_many_plugins(void **state)
{
	(void)state;
	char reason[REASON_MAX] = "", want[REASON_MAX], name[64], plugins[128];
	struct config *config = NULL;
	snprintf(plugins, sizeof(plugins), "%s", path_of("many"));
	assert_int_equal(mkdir(plugins, 0700), 0);
	for (int i = 0; i <= LIMIT_PUZZLES; i++) {
		if (i == LIMIT_PUZZLES) {
			assert_int_equal(config_defaults(plugins, &config, reason, sizeof(reason)),
					 0);
			assert_int_equal(config->puzzle_count, LIMIT_PUZZLES);
			config_free(config);
		}
		snprintf(name, sizeof(name), "many/p%d.so", i);
		touch(name);
	}
	assert_int_equal(config_defaults(plugins, &config, reason, sizeof(reason)), -1);
	snprintf(want, sizeof(want), "%s: there can be at most %d plugins", plugins, LIMIT_PUZZLES);
	assert_string_equal(reason, want);
}

/* ---- options ------------------------------------------------------------------------------- */

static void test_options(void **state)
{
	(void)state;
	struct config *config = load_text("options.ini", "[puzzle:p]\n"
							 "size = 4\n"
							 "plugin = p.so\n"
							 "walls =\n"
							 "[puzzle:q]\n"
							 "plugin = /q.so\n"
							 "size = 5\n");
	const struct config_puzzle *p = config_puzzle(config, "p"), *q = config_puzzle(config, "q");
	assert_int_equal(p->option_count, 2);
	assert_string_equal(p->options[0].name, "size");
	assert_string_equal(p->options[0].value, "4");
	assert_int_equal(p->options[0].line, 2);
	assert_string_equal(p->options[1].name, "walls");
	assert_string_equal(p->options[1].value, "");
	assert_int_equal(q->option_count, 1);
	assert_string_equal(q->options[0].value, "5");
	assert_int_equal(q->options[0].line, 7);
	assert_string_equal(q->plugin, "/q.so");
	assert_int_equal(q->line, 5);
	config_free(config);
}

/* ---- the table folder of a private daemon -------------------------------------------------- */

static void assert_table_dir(const struct config *config, const char *want)
{
	char *found = config_private_table_dir(config, false);
	assert_string_equal(found, want);
	free(found);
}

static void test_private_table_dir(void **state)
{
	(void)state;
	char content[256];
	snprintf(content, sizeof(content), "[daemon]\ntable_dir = %s\n[puzzle:p]\nplugin = p.so\n",
		 folder);
	struct config *there = load_text("there.ini", content);
	struct config *missing = load_text("missing.ini", "[daemon]\n"
							  "table_dir = /nowhere/tables\n"
							  "[puzzle:p]\n"
							  "plugin = p.so\n");
	setenv("XDG_CACHE_HOME", "/xdg", 1);
	setenv("HOME", "/home/someone", 1);
	assert_table_dir(there, folder);
	assert_table_dir(missing, "/xdg/puzzled");
	setenv("XDG_CACHE_HOME", "relative", 1);
	assert_table_dir(missing, "/home/someone/.cache/puzzled");
	unsetenv("XDG_CACHE_HOME");
	assert_table_dir(missing, "/home/someone/.cache/puzzled");
	unsetenv("HOME");
	assert_table_dir(missing, "/nowhere/tables");
	config_free(there);
	config_free(missing);
}

/* One that builds tables needs a folder to write in.  Root may write everywhere, so somebody else
 * looks. */
static void test_private_table_dir_to_build_in(void **state)
{
	(void)state;
	char content[256];
	snprintf(content, sizeof(content), "[daemon]\ntable_dir = %s\n[puzzle:p]\nplugin = p.so\n",
		 folder);
	struct config *config = load_text("build.ini", content);
	char *found = config_private_table_dir(config, true);
	assert_string_equal(found, folder);
	free(found);
	assert_int_equal(chmod(folder, 0555), 0);
	pid_t child = fork();
	if (child == 0) {
		if (geteuid() == 0 && setuid(65534) < 0)
			_exit(2);
		setenv("XDG_CACHE_HOME", "/xdg", 1);
		char *reads = config_private_table_dir(config, false);
		char *builds = config_private_table_dir(config, true);
		_exit(strcmp(reads, folder) != 0 || strcmp(builds, "/xdg/puzzled") != 0);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	chmod(folder, 0700);
	assert_int_equal(status, 0);
	config_free(config);
}

static void test_private_file(void **state)
{
	(void)state;
	setenv("XDG_CONFIG_HOME", "/xdg", 1);
	setenv("HOME", "/home/someone", 1);
	char *path = config_private_file();
	assert_string_equal(path, "/xdg/puzzled/puzzled.ini");
	free(path);
	unsetenv("XDG_CONFIG_HOME");
	path = config_private_file();
	assert_string_equal(path, "/home/someone/.config/puzzled/puzzled.ini");
	free(path);
	unsetenv("HOME");
	assert_null(config_private_file());
}

static void assert_private_socket(const char *configured, const char *wanted)
{
	struct config *config;
	char text[256], reason[256];
	snprintf(text, sizeof(text), "[daemon]\n%s[puzzle:p]\nplugin = p.so\n", configured);
	config = load_text("private.ini", text);
	assert_int_equal(config_use_private_socket(config, reason, sizeof(reason)), 0);
	assert_string_equal(config->socket, wanted);
	config_free(config);
}

static void test_private_socket(void **state)
{
	(void)state;
	setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
	assert_private_socket("", "/run/user/7/puzzled/puzzled.sock");
	assert_private_socket("socket = /a/b\n", "/a/b");
	setenv("XDG_RUNTIME_DIR", "relative", 1);
	assert_private_socket("", PZ_RUN_DIR "/puzzled.sock");
	unsetenv("XDG_RUNTIME_DIR");
	assert_private_socket("", PZ_RUN_DIR "/puzzled.sock");
}

/* ---- reload -------------------------------------------------------------------------------- */

static void test_fixed_change(void **state)
{
	(void)state;
	static const struct {
		const char *line, *key;
	} changes[] = {
		{"", NULL},
		{"timeout = 1s\nmax_line = 2M\nlog_level = debug\nworkers = 7\nuser = x\n", NULL},
		{"socket = /tmp/other\n", "socket"},
		{"socket_mode = 0666\n", "socket_mode"},
		{"socket_group = adm\n", "socket_group"},
	};
	struct config *old = load_text("old.ini", "[puzzle:p]\nplugin = p.so\n");
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		char content[256];
		snprintf(content, sizeof(content), "[daemon]\n%s[puzzle:q]\nplugin = q.so\n",
			 changes[i].line);
		struct config *new = load_text("new.ini", content);
		const char *key = config_fixed_change(old, new);
		if (changes[i].key)
			assert_string_equal(key, changes[i].key);
		else
			assert_null(key);
		config_free(new);
	}
	config_free(old);
}

/* ---- the sample that is installed ---------------------------------------------------------- */

/* etc/puzzled.ini is valid as it is; and with each ";key = value" of it made a key, it sets every
 * key of [daemon] and changes nothing: what it says of the defaults is true. */
static void test_sample(void **state)
{
	(void)state;
	struct config *config = NULL;
	char reason[REASON_MAX] = "", line[256], *text;
	size_t len, keys = 0;
	assert_int_equal(config_load(PZ_TEST_SAMPLE, &config, reason, sizeof(reason)), 0);
	assert_non_null(config_puzzle(config, "8puzzle"));
	assert_non_null(config_puzzle(config, "knights"));
	assert_non_null(config_puzzle(config, "15puzzle"));
	assert_non_null(config_puzzle(config, "npuzzle"));
	assert_non_null(config_puzzle(config, "bridge"));
	assert_string_equal(config_puzzle(config, "p1379")->goal, "123804765");
	assert_string_equal(config_puzzle(config, "p1379")->plugin, PZ_PLUGIN_DIR "/8puzzle.so");
	assert_defaults(config);
	assert_default_job(&config->job);

	FILE *sample = fopen(PZ_TEST_SAMPLE, "r"), *stream = open_memstream(&text, &len);
	assert_non_null(sample);
	assert_non_null(stream);
	bool daemon = true;
	while (fgets(line, sizeof(line), sample)) {
		daemon = daemon && strncmp(line, "[puzzle:", 8) != 0;
		bool key = daemon && line[0] == ';' && line[1] != ' ' && strchr(line, '=');
		keys += key;
		fputs(line + key, stream);
	}
	fclose(sample);
	fclose(stream);
	size_t in_daemon = 0;
	for (size_t k = 0; k < CONFIG_KEYS; k++)
		in_daemon += config_keys[k].scope != CONFIG_PUZZLE;
	assert_int_equal(keys, in_daemon);
	struct config *uncommented = load_text("sample.ini", text);
	char *before = printed(config), *after = printed(uncommented);
	assert_string_equal(strchr(before, '\n'), strchr(after, '\n'));
	free(before);
	free(after);
	free(text);
	config_free(uncommented);
	config_free(config);
}

int main(void)
{
	static struct CMUnitTest tests[256] = {
		cmocka_unit_test(test_what_is_not_set),
		cmocka_unit_test(test_defaults_are_in_range),
		cmocka_unit_test(test_without_a_file),
		cmocka_unit_test(test_too_many_plugins),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_private_table_dir),
		cmocka_unit_test(test_private_table_dir_to_build_in),
		cmocka_unit_test(test_private_file),
		cmocka_unit_test(test_private_socket),
		cmocka_unit_test(test_fixed_change),
		cmocka_unit_test(test_sample),
	};
	enum { FIXED = 8 };
	size_t count =
		FIXED + corpus_tests(PZ_TEST_CORPUS "/config", test_corpus_file, tests + FIXED,
				     sizeof(tests) / sizeof(tests[0]) - FIXED);
	return _cmocka_run_group_tests("config", tests, count, make_folder, remove_folder);
}
