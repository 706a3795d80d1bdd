/* SPDX-License-Identifier: MIT */
/* puzzlectl list: the puzzles that the daemon has. */
#include "client/command.h"
#include "client/table.h"

static const char list_help[] =
	"Lists the puzzles that are configured: the name to ask for, whether it can be\n"
	"asked now, and what it is.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl list\n"
	"  puzzlectl list --json | jq -r '.puzzles[].name'";

static const char *text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void print_list(const json_t *result)
{
	static const char *const titles[] = {"PUZZLE", "STATE", "WHAT IT IS", NULL};
	struct table *table = table_new(titles);
	if (!table)
		return;
	size_t i;
	json_t *puzzle;
	json_array_foreach (json_object_get(result, "puzzles"), i, puzzle) {
		const char *reason = text(puzzle, "reason");
		table_text(table, text(puzzle, "name"));
		table_text(table, text(puzzle, "state"));
		table_text(table, reason && *reason ? reason : text(puzzle, "summary"));
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
