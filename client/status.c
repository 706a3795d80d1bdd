/* SPDX-License-Identifier: MIT */
/* puzzlectl status: how the daemon is. */
#include "client/command.h"
#include "client/member.h"
#include "client/print.h"
#include "client/table.h"

#include <string.h>

static const char status_help[] =
	"Tells how the daemon is: since when it runs, how many sessions it has, and for\n"
	"each puzzle its state, its workers, what waits, and what was answered.  A\n"
	"private daemon is not started, unless --local asks for one.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl status\n"
	"  puzzlectl status --json | jq '.puzzles[] | {name, state}'";

static void print_head(const json_t *result)
{
	const json_t *uptime = json_object_get(result, "uptime_ms");
	const json_t *pid = json_object_get(result, "pid");
	const json_t *sessions = json_object_get(result, "sessions");
	char amount[PRINT_AMOUNT];
	const char *version = text_at(result, "version");
	fputs("puzzled ", stdout);
	print_string(stdout, version ? version : "?");
	if (json_is_integer(pid))
		printf(", pid %" JSON_INTEGER_FORMAT, json_integer_value(pid));
	if (json_is_integer(uptime))
		printf(", up %s", print_duration(amount, json_integer_value(uptime) * 1000));
	if (json_is_integer(sessions))
		printf(", sessions %" JSON_INTEGER_FORMAT, json_integer_value(sessions));
	if (json_is_array(sessions))
		printf(", sessions %zu", json_array_size(sessions));
	putchar('\n');
}

/* A number, the size of a list, or the sum of an object's numbers; else an empty cell. */
static void add_count(struct table *table, const json_t *value)
{
	const char *key;
	json_t *part;
	json_int_t sum = 0;
	if (json_is_integer(value)) {
		sum = json_integer_value(value);
	} else if (json_is_array(value)) {
		sum = (json_int_t)json_array_size(value);
	} else if (json_is_object(value)) {
		json_object_foreach ((json_t *)value, key, part)
			sum += json_integer_value(part);
	} else {
		table_text(table, NULL);
		return;
	}
	table_number(table, sum);
}

/* What somebody who takes the sandbox for granted should know. */
static void print_unconfined(const json_t *puzzle)
{
	const char *sandbox = text_at(puzzle, "sandbox");
	if (!sandbox || strcmp(sandbox, "on") == 0)
		return;
	print_string(stdout, text_at(puzzle, "name"));
	if (strcmp(sandbox, "off") == 0) {
		puts(": not confined");
		return;
	}
	fputs(": confined in part: ", stdout);
	print_string(stdout, sandbox);
	putchar('\n');
}

static void print_status(const json_t *result)
{
	static const char *const titles[] = {"PUZZLE",   "STATE",  "WORKERS", "QUEUE",
					     "ANSWERED", "FAILED", "WHY",     NULL};
	print_head(result);
	struct table *table = table_new(titles);
	if (!table)
		return;
	size_t i;
	json_t *puzzle;
	json_array_foreach (json_object_get(result, "puzzles"), i, puzzle) {
		table_text(table, text_at(puzzle, "name"));
		table_text(table, text_at(puzzle, "state"));
		add_count(table, json_object_get(puzzle, "workers"));
		add_count(table, json_object_get(puzzle, "queue"));
		add_count(table, json_object_get(puzzle, "answered"));
		add_count(table, json_object_get(puzzle, "failed"));
		table_text(table, text_at(puzzle, "reason"));
	}
	putchar('\n');
	table_print(stdout, table);
	table_free(table);
	json_array_foreach (json_object_get(result, "puzzles"), i, puzzle)
		print_unconfined(puzzle);
}

static int status_run(struct client *client, void *values, int argc, char **argv)
{
	(void)values, (void)argc, (void)argv;
	return command_ask(client, "status", json_object(), print_status);
}

const struct command command_status = {
	.name = "status",
	.arguments = "",
	.summary = "tell how the daemon is",
	.help = status_help,
	.most = 0,
	.daemon_only = true,
	.run = status_run,
};
