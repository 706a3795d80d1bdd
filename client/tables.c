/* SPDX-License-Identifier: MIT */
/* puzzlectl tables: the tables that the daemon's puzzles answer from. */
#include "client/command.h"
#include "client/job.h"
#include "client/member.h"
#include "client/print.h"
#include "client/progress.h"
#include "client/suggest.h"
#include "client/table.h"

#include <string.h>

struct tables_values {
	struct job_values job;
	const char *table;
	bool progress;
};

static const struct option tables_options[] = {
	{"table", 'T', OPTION_TEXT, offsetof(struct tables_values, table), "NAME",
	 "which table, where a puzzle has several"},
	JOB_OPTION_GOAL,
	JOB_OPTION_SETTING,
	{"progress", 0, OPTION_FLAG, offsetof(struct tables_values, progress), NULL,
	 "tell of progress on stderr (a terminal gets it after a second anyway)"},
	{0},
};

static const char tables_help[] =
	"  tables list [PUZZLE]     the tables, their sizes, and whether they are there\n"
	"  tables build PUZZLE      builds the one that is missing, and waits for it\n"
	"  tables verify PUZZLE     reads a table again and compares its checksum\n"
	"\n"
	"A daemon builds its tables by itself, one after the other and at low priority,\n"
	"and answers by search until they are there; 'build' asks for one now, or for\n"
	"one of another goal.  Only root and the daemon's own user may build and verify.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl tables list\n"
	"  puzzlectl tables build knights\n"
	"  puzzlectl tables build knights -o goal=11111/11110/00*10/00001/00000";

static void print_list(const json_t *result)
{
	static const char *const titles[] = {"PUZZLE", "TABLE",         "SIZE",
					     "STATE",  "WHAT IT HOLDS", NULL};
	struct table *table = table_new(titles);
	if (!table)
		return;
	size_t i;
	json_t *row;
	json_array_foreach (json_object_get(result, "tables"), i, row) {
		char size[PRINT_AMOUNT], state[PRINT_AMOUNT];
		json_int_t done = json_integer_value(json_object_get(row, "done"));
		json_int_t total = json_integer_value(json_object_get(row, "total"));
		const char *word = text_at(row, "state"), *reason = text_at(row, "reason");
		snprintf(state, sizeof(state), "%.24s", word ? word : "");
		if (total > 0)
			snprintf(state, sizeof(state), "%.24s, %.0f %%", word ? word : "",
				 100.0 * (double)done / (double)total);
		table_text(table, text_at(row, "puzzle"));
		table_text(table, text_at(row, "name"));
		table_amount(table,
			     print_size(size, json_integer_value(json_object_get(row, "bytes"))));
		table_text(table, state);
		table_text(table, reason && *reason ? reason : text_at(row, "help"));
	}
	table_print(stdout, table);
	table_free(table);
}

static void print_done(const json_t *result)
{
	const char *table = text_at(result, "table"), *state = text_at(result, "state");
	print_string(stdout, table && *table ? table : "the table");
	fputs(" is ", stdout);
	print_string(stdout, state ? state : "done");
	putchar('\n');
}

/* While a table is built, `nodes` are the units done and `bound` those in all. */
static void on_progress(void *data, const json_t *params)
{
	struct progress *progress = data;
	json_int_t done = json_integer_value(json_object_get(params, "nodes"));
	json_int_t total = json_integer_value(json_object_get(params, "bound"));
	json_int_t ms = json_integer_value(json_object_get(params, "elapsed_ms"));
	char amount[PRINT_AMOUNT];
	if (total > 0)
		progress_show(progress, "%s: %.0f %%", print_duration(amount, ms * 1000),
			      100.0 * (double)done / (double)total);
	else
		progress_show(progress, "%s", print_duration(amount, ms * 1000));
}

static int run_errand(struct client *client, const struct tables_values *values, const char *method,
		      const char *puzzle)
{
	struct fault fault;
	json_t *params = job_params(&values->job, puzzle, &fault);
	int failed = params ? 0 : -1;
	if (!failed && values->table)
		failed =
			job_set_text(params, "table", values->table, strlen(values->table), &fault);
	if (!failed)
		failed = job_set(params, "progress", json_true(), &fault);
	if (!failed)
		failed = client_connect(client, &fault);
	if (failed) {
		json_decref(params);
		return command_fail(&fault);
	}
	struct progress progress;
	progress_start(&progress, values->progress);
	channel_on_progress(client->channel, on_progress, &progress);
	struct reply reply;
	failed = client_call(client, method, params, -1, &reply, &fault);
	progress_end(&progress);
	int status = EXIT_SOLVED;
	if (failed)
		status = command_error(client, reply.error, &fault);
	else if (!client->json)
		print_done(reply.result);
	else if (print_json(stdout, reply.result, &fault) < 0)
		status = command_fail(&fault);
	reply_free(&reply);
	return status;
}

/* What can be done with tables; `method` NULL: list them. */
static const struct deed {
	const char *name, *method;
} deeds[] = {
	{"list", NULL},
	{"build", "build_table"},
	{"verify", "verify_table"},
};

enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };

static int tables_run(struct client *client, void *data, int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : "list";
	struct suggestion suggestion = {.typed = name};
	for (size_t i = 0; i < DEEDS; i++) {
		suggest_consider(&suggestion, deeds[i].name);
		if (strcmp(deeds[i].name, name) != 0)
			continue;
		if (!deeds[i].method)
			return command_ask(client, "tables",
					   argc > 1 ? json_pack("{s:s}", "puzzle", argv[1])
						    : json_object(),
					   print_list);
		if (argc == 2)
			return run_errand(client, data, deeds[i].method, argv[1]);
		print_complaint("usage: puzzlectl tables %s PUZZLE", name);
		return EXIT_USAGE;
	}
	print_complaint("'tables' can list, build and verify, not '%s'%s%s%s", name,
			suggestion.name ? "; did you mean '" : "",
			suggestion.name ? suggestion.name : "", suggestion.name ? "'?" : "");
	return EXIT_USAGE;
}

const struct command command_tables = {
	.name = "tables",
	.arguments = "[list | build | verify] [PUZZLE]",
	.summary = "list, build or verify the puzzles' tables",
	.help = tables_help,
	.options = tables_options,
	.values_size = sizeof(struct tables_values),
	.most = 2,
	.run = tables_run,
};
