/* SPDX-License-Identifier: MIT */
/*
 * puzzlectl check-plugin: has a plugin examined by puzzled-check-plugin, which may know what a
 * plugin is; this program becomes that one.
 */
#include "config.h"

#include "client/command.h"
#include "client/print.h"
#include "client/program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct check_values {
	const char *goal, *memory, *tables;
	struct number seed;
	json_t *settings;
};

static const struct option check_options[] = {
	{"option", 'o', OPTION_SETTING, offsetof(struct check_values, settings), "KEY=VALUE",
	 "an option of the plugin, as configured or as in a request"},
	{"goal", 'g', OPTION_TEXT, offsetof(struct check_values, goal), "BOARD",
	 "another goal than the plugin's own"},
	{"seed", 0, OPTION_NUMBER, offsetof(struct check_values, seed), "N",
	 "other boards than those of seed 1"},
	{"memory", 0, OPTION_TEXT, offsetof(struct check_values, memory), "SIZE",
	 "what a worker may have (default: 256M)"},
	{"tables", 0, OPTION_TEXT, offsetof(struct check_values, tables), "FOLDER",
	 "where its tables are, if they are to be used"},
	{0},
};

static const char check_help[] =
	"Examines a plugin before it serves, in processes that it may crash: whether it\n"
	"loads, whether any text is taken or refused properly, whether moves, answers\n"
	"and bounds are right by a search of the checker's own, whether it stops when\n"
	"told and keeps to its memory.  One line for each check; what fails is told with\n"
	"the board.  BOARDs are tried beside those that are made.\n"
	"\n"
	"Exit status: 0 nothing failed; 1 something did; 2 bad usage.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl check-plugin ./hanoi.so\n"
	"  puzzlectl check-plugin ./hanoi.so -o pegs=5 --seed 7 --json";

static const struct program checker = {
	.variable = "PUZZLED_CHECK_PLUGIN",
	.beside = {"../puzzled-check-plugin", "../lib/puzzled/puzzled-check-plugin"},
	.installed = PZ_CHECKER,
};

/* The command line in the making; it lives until the program becomes another. */
struct words {
	size_t count, room;
	char **word;
	bool failed;
};

static void add(struct words *words, const char *word)
{
	char *copy = word ? strdup(word) : NULL;
	if (words->count == words->room) {
		size_t room = 2 * words->room + 16;
		char **moved = realloc(words->word, room * sizeof(*moved));
		words->failed |= !moved;
		if (!moved) {
			free(copy);
			return;
		}
		words->word = moved;
		words->room = room;
	}
	words->failed |= word && !copy;
	words->word[words->count++] = copy;
}

static void add_setting(struct words *words, const char *key, const json_t *value)
{
	char *printed = json_is_string(value) ? strdup(json_string_value(value))
					      : json_dumps(value, JSON_ENCODE_ANY);
	char *setting = NULL;
	size_t size = printed ? strlen(key) + strlen(printed) + 2 : 0;
	if (printed && (setting = malloc(size)))
		snprintf(setting, size, "%s=%s", key, printed);
	add(words, "-o");
	add(words, setting);
	words->failed |= !setting;
	free(setting);
	free(printed);
}

static void add_option(struct words *words, const char *name, const char *value)
{
	if (!value)
		return;
	add(words, name);
	add(words, value);
}

static int check_run(struct client *client, void *data, int argc, char **argv)
{
	const struct check_values *values = data;
	struct words words = {0};
	struct fault fault;
	char path[PATH_MAX], seed[32];
	const char *key;
	json_t *value;
	if (program_find(&checker, path, &fault) < 0)
		return command_fail(&fault);
	snprintf(seed, sizeof(seed), "%" PRId64, values->seed.value);
	add(&words, "puzzled-check-plugin");
	add_option(&words, "--goal", values->goal);
	add_option(&words, "--memory", values->memory);
	add_option(&words, "--tables", values->tables);
	add_option(&words, "--seed", values->seed.given ? seed : NULL);
	if (client->json)
		add(&words, "--json");
	json_object_foreach (values->settings, key, value)
		add_setting(&words, key, value);
	add(&words, "--");
	for (int i = 0; i < argc; i++)
		add(&words, argv[i]);
	add(&words, NULL);
	if (words.failed) {
		fault_memory(&fault);
		return command_fail(&fault);
	}
	fflush(NULL);
	execv(path, words.word);
	fault_set(&fault, EXIT_PROTOCOL, "cannot start %s: %s", path, strerror(errno));
	return command_fail(&fault);
}

const struct command command_check_plugin = {
	.name = "check-plugin",
	.arguments = "FILE.so [BOARD ...]",
	.summary = "examine a plugin before it serves",
	.help = check_help,
	.options = check_options,
	.values_size = sizeof(struct check_values),
	.least = 1,
	.most = -1,
	.run = check_run,
};
