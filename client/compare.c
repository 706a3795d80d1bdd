/* SPDX-License-Identifier: MIT */
/* puzzlectl compare: every algorithm on one board, side by side. */
#include "client/boards.h"
#include "client/command.h"
#include "client/job.h"
#include "client/member.h"
#include "client/outcome.h"
#include "client/print.h"
#include "client/table.h"

#include <inttypes.h>
#include <string.h>

struct compare_values {
	struct job_values job;
	bool heuristics, iterations;
};

static const struct option compare_options[] = {
	JOB_OPTION_GOAL,
	{"heuristics", 0, OPTION_FLAG, offsetof(struct compare_values, heuristics), NULL,
	 "also every heuristic"},
	{"iterations", 'i', OPTION_FLAG, offsetof(struct compare_values, iterations), NULL,
	 "also the nodes of each iteration of IDA*"},
	JOB_OPTION_LIMITS,
	JOB_OPTION_TIMEOUT,
	JOB_OPTION_SETTING,
	{0},
};

static const char compare_help[] =
	"Solves one board by every algorithm that the puzzle has and prints what each\n"
	"took: length, nodes expanded and generated, memory, time.  BOARD as for\n"
	"'solve', but only one.  --timeout holds for each of them; one that runs into it\n"
	"is shown with the lower bound it proved. Exit status: the best of all; 5 when\n"
	"two of them found different lengths.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl compare 8puzzle 867254301\n"
	"  puzzlectl compare 8puzzle 867254301 --heuristics --iterations --timeout 5s";

struct compare {
	struct client *client;
	const struct compare_values *values;
	const char *puzzle;
	json_t *board;
	json_t *results;    /* for --json: {"algorithm", "heuristic", "result"} each */
	json_t *iterations; /* for --iterations: {"title", "iterations"} each */
	struct table *table;
	int64_t cost; /* of a solution; -1: none yet */
	int best;
	bool disagree;
	bool uses_heuristic; /* the last algorithm that was run */
};

static const char *name_of(const json_t *element)
{
	return json_is_string(element) ? json_string_value(element) : text_at(element, "name");
}

static void add_row(struct compare *compare, const char *algorithm, const char *heuristic,
		    const struct outcome *outcome)
{
	char amount[PRINT_AMOUNT];
	int64_t memory = outcome_stat(outcome, "memory"), us = outcome_stat(outcome, "elapsed_us");
	static const char *const counts[] = {"expanded", "generated"};
	table_text(compare->table, algorithm);
	table_text(compare->table, heuristic);
	if (outcome->status == OUTCOME_SOLVED)
		table_number(compare->table, outcome->length);
	else
		table_amount(compare->table, outcome->kind ? outcome->kind : outcome_word(outcome));
	for (size_t i = 0; i < 2; i++) {
		int64_t count = outcome_stat(outcome, counts[i]);
		if (count >= 0)
			table_number(compare->table, count);
		else
			table_amount(compare->table, "");
	}
	table_amount(compare->table, memory > 0 ? print_size(amount, memory) : "");
	table_amount(compare->table, us >= 0 ? print_duration(amount, us) : "");
	char bound[PRINT_AMOUNT];
	snprintf(bound, sizeof(bound), "at least %" PRId64, outcome->lower_bound);
	if (outcome->status == OUTCOME_ERROR)
		table_text(compare->table, outcome->fault.sentence);
	else
		table_text(compare->table, outcome->lower_bound >= 0 ? bound : "");
}

/* Keeps a result for --json and --iterations. */
static int keep(struct compare *compare, const char *algorithm, const char *heuristic,
		const json_t *result, const struct outcome *outcome, struct fault *fault)
{
	json_t *iterations = json_object_get(outcome->stats, "iterations");
	json_t *row = json_pack("{s:s, s:s?, s:O}", "algorithm", algorithm, "heuristic", heuristic,
				"result", result);
	if (json_array_append_new(compare->results, row) < 0)
		return fault_memory(fault);
	if (!json_array_size(iterations))
		return 0;
	row = json_pack("{s:s, s:s, s:O}", "algorithm", algorithm, "heuristic",
			heuristic ? heuristic : "", "iterations", iterations);
	return json_array_append_new(compare->iterations, row) < 0 ? fault_memory(fault) : 0;
}

static void judge(struct compare *compare, const struct outcome *outcome)
{
	int status = outcome_exit(outcome);
	compare->best = status < compare->best ? status : compare->best;
	if (outcome->status != OUTCOME_SOLVED)
		return;
	compare->disagree |= compare->cost >= 0 && compare->cost != outcome->cost;
	compare->cost = outcome->cost;
}

/* The params of one run; NULL with *fault. */
static json_t *make_params(const struct compare *compare, const char *algorithm,
			   const char *heuristic, struct fault *fault)
{
	struct job_values job = compare->values->job;
	job.algorithm = algorithm;
	job.heuristic = heuristic;
	json_t *params = job_params(&job, compare->puzzle, fault);
	if (params && (job_set(params, "board", json_incref(compare->board), fault) < 0 ||
		       (compare->values->iterations &&
			job_set(params, "iterations", json_true(), fault) < 0))) {
		json_decref(params);
		return NULL;
	}
	return params;
}

static int run_one(struct compare *compare, const char *algorithm, const char *heuristic,
		   struct fault *fault)
{
	json_t *params = make_params(compare, algorithm, heuristic, fault);
	if (!params)
		return -1;
	struct reply reply;
	struct outcome outcome;
	int result = client_call(compare->client, "solve", params,
				 client_deadline(compare->values->job.timeout), &reply, fault);
	json_t *kept = NULL;
	if (result == 0) {
		result = outcome_read(&outcome, reply.result, fault);
		kept = json_incref(reply.result);
	} else if (reply.error) {
		outcome_of_error(&outcome, reply.error);
		kept = json_pack("{s:O}", "error", reply.error);
		result = 0;
	}
	if (result == 0)
		result = keep(compare, algorithm, heuristic, kept, &outcome, fault);
	if (result == 0) {
		const char *used = text_at(outcome.stats, "heuristic");
		compare->uses_heuristic = used || outcome.status == OUTCOME_ERROR;
		add_row(compare, algorithm, outcome.stats ? used : heuristic, &outcome);
		judge(compare, &outcome);
	}
	json_decref(kept);
	reply_free(&reply);
	return result;
}

/* Every algorithm but `auto`, which is one of the others; with --heuristics each that uses one with
 * each. */
static int run_all(struct compare *compare, const json_t *description, struct fault *fault)
{
	const json_t *algorithms = json_object_get(description, "algorithms");
	const json_t *heuristics = json_object_get(description, "heuristics");
	size_t i, j, count = compare->values->heuristics ? json_array_size(heuristics) : 0;
	json_t *element;
	json_array_foreach ((json_t *)algorithms, i, element) {
		const char *algorithm = name_of(element);
		if (!algorithm || strcmp(algorithm, "auto") == 0)
			continue;
		for (j = 0; j < (count ? count : 1); j++) {
			const char *heuristic =
				count ? name_of(json_array_get(heuristics, j)) : NULL;
			if (run_one(compare, algorithm, heuristic, fault) < 0)
				return -1;
			if (!compare->uses_heuristic)
				break;
		}
	}
	return 0;
}

static void print_iterations(const json_t *rows)
{
	static const char *const titles[] = {"ALGORITHM", "HEURISTIC", "BOUND", "EXPANDED", NULL};
	struct table *table = json_array_size(rows) ? table_new(titles) : NULL;
	if (!table)
		return;
	size_t i, j;
	json_t *row, *iteration;
	json_array_foreach ((json_t *)rows, i, row) {
		json_array_foreach (json_object_get(row, "iterations"), j, iteration) {
			table_text(table, text_at(row, "algorithm"));
			table_text(table, text_at(row, "heuristic"));
			table_number(table,
				     json_integer_value(json_object_get(iteration, "bound")));
			table_number(table,
				     json_integer_value(json_object_get(iteration, "expanded")));
		}
	}
	putchar('\n');
	table_print(stdout, table);
	table_free(table);
}

static int compare_all(struct compare *compare, struct fault *fault)
{
	static const char *const titles[] = {"ALGORITHM", "HEURISTIC", "LENGTH",
					     "EXPANDED",  "GENERATED", "MEMORY",
					     "TIME",      "",          NULL};
	compare->results = json_array();
	compare->iterations = json_array();
	compare->table = table_new(titles);
	if (!compare->results || !compare->iterations || !compare->table)
		return fault_memory(fault);
	struct reply reply;
	json_t *params = json_pack("{s:s}", "puzzle", compare->puzzle);
	int result = client_call(compare->client, "describe", params, -1, &reply, fault);
	if (result == 0)
		result = run_all(compare, reply.result, fault);
	reply_free(&reply);
	if (result < 0)
		return -1;
	if (compare->client->json)
		return print_json(stdout, compare->results, fault);
	table_print(stdout, compare->table);
	print_iterations(compare->iterations);
	return 0;
}

static int compare_run(struct client *client, void *data, int argc, char **argv)
{
	struct compare compare = {.client = client,
				  .values = data,
				  .puzzle = argv[0],
				  .cost = -1,
				  .best = EXIT_FAULT};
	struct fault fault;
	if (boards_are_input(argc - 1, argv + 1))
		command_announce_input("the board");
	json_t *boards = boards_of_words(argc - 1, argv + 1, stdin, &fault);
	int failed = boards ? 0 : -1;
	if (json_array_size(boards) > 1)
		failed = fault_set(&fault, EXIT_USAGE,
				   "one board at a time: quote it if it has spaces");
	compare.board = json_array_get(boards, 0);
	if (!failed)
		failed = compare_all(&compare, &fault);
	if (!failed && compare.disagree)
		failed =
			fault_set(&fault, EXIT_FAULT,
				  "the algorithms found solutions of different cost: one is wrong");
	json_decref(boards);
	json_decref(compare.results);
	json_decref(compare.iterations);
	table_free(compare.table);
	return failed ? command_fail(&fault) : compare.best;
}

const struct command command_compare = {
	.name = "compare",
	.arguments = "PUZZLE [BOARD]",
	.summary = "solve one board by every algorithm, side by side",
	.help = compare_help,
	.options = compare_options,
	.values_size = sizeof(struct compare_values),
	.least = 1,
	.most = -1,
	.run = compare_run,
};
