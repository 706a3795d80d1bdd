/* SPDX-License-Identifier: MIT */
/* puzzlectl list: the puzzles that the daemon has. */
#include "client/command.h"
#include "client/member.h"
#include "client/table.h"

#include <stdio.h>
#include <string.h>

enum { SUMMARY = 512 };

static const char list_help[] =
	"Lists the puzzles that are configured: the name to ask for, whether it can be\n"
	"asked now, and what it is; where one plugin serves several, with their goals.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl list\n"
	"  puzzlectl list --json | jq -r '.puzzles[].name'";

/* Whether another puzzle is the same but for what its section of the configuration sets. */
static bool has_twin(const json_t *puzzles, const json_t *puzzle)
{
	size_t i;
	json_t *other;
	const char *plugin = text_at(puzzle, "plugin"), *its;
	json_array_foreach ((json_t *)puzzles, i, other)
		if (other != puzzle && plugin && (its = text_at(other, "plugin")) &&
		    strcmp(plugin, its) == 0)
			return true;
	return false;
}

/* What it is; of several by one plugin, to which goal. */
static void add_summary(struct table *table, const json_t *puzzles, const json_t *puzzle)
{
	char line[SUMMARY];
	const char *summary = text_at(puzzle, "summary"), *goal = text_at(puzzle, "goal");
	if (!summary || !goal || !has_twin(puzzles, puzzle)) {
		table_text(table, summary);
		return;
	}
	snprintf(line, sizeof(line), "%s: %s", summary, goal);
	table_text(table, line);
}

static void print_list(const json_t *result)
{
	static const char *const titles[] = {"PUZZLE", "STATE", "WHAT IT IS", NULL};
	struct table *table = table_new(titles);
	if (!table)
		return;
	size_t i;
	json_t *puzzle;
	const json_t *puzzles = json_object_get(result, "puzzles");
	json_array_foreach ((json_t *)puzzles, i, puzzle) {
		const char *reason = text_at(puzzle, "reason");
		table_text(table, text_at(puzzle, "name"));
		table_text(table, text_at(puzzle, "state"));
		if (reason && *reason)
			table_text(table, reason);
		else
			add_summary(table, puzzles, puzzle);
	}
	table_print(stdout, table);
	table_free(table);
}

static int list_run(struct client *client, void *values, int argc, char **argv)
{
	(void)values, (void)argc, (void)argv;
	return command_ask(client, "list", json_object(), print_list);
}

const struct command command_list = {
	.name = "list",
	.arguments = "",
	.summary = "list the puzzles",
	.help = list_help,
	.most = 0,
	.run = list_run,
};
