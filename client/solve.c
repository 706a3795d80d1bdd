/* SPDX-License-Identifier: MIT */
/* puzzlectl solve: one board or several, for a person. */
#include "client/boards.h"
#include "client/command.h"
#include "client/draw.h"
#include "client/job.h"
#include "client/member.h"
#include "client/outcome.h"
#include "client/print.h"
#include "client/progress.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct solve_values {
	struct job_values job;
	bool show, progress;
};

static const struct option solve_options[] = {
	JOB_OPTION_GOAL,
	JOB_OPTION_METHOD,
	JOB_OPTION_LIMITS,
	JOB_OPTION_TIMEOUT,
	JOB_OPTION_NOTATION,
	JOB_OPTION_SETTING,
	{"show", 0, OPTION_FLAG, offsetof(struct solve_values, show), NULL,
	 "draw the boards along the way"},
	{"progress", 0, OPTION_FLAG, offsetof(struct solve_values, progress), NULL,
	 "tell of progress on stderr (a terminal gets it after a second anyway)"},
	{0},
};

static const char solve_help[] =
	"Prints a shortest solution: the status (solved, unsolvable, limit), the length,\n"
	"the moves and the board they lead to, and what it took.\n"
	"\n"
	"BOARD, in the puzzle's own syntax ('puzzlectl describe PUZZLE'):\n"
	"  none, or '-'         all of standard input is one board\n"
	"  words of one or two  together they are one board, so that 2 3 4 1 5 x 7 6 8\n"
	"  characters each      needs no quotes\n"
	"  else                 each word is a board\n"
	"\n"
	"With several boards the answers come in their order and the exit status is the\n"
	"worst of all.  With --json an error is printed as {\"error\":{...}}, too.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl solve 8puzzle 2 3 4 1 5 x 7 6 8\n"
	"  puzzlectl solve 8puzzle 283104765 134802765 --goal 123804765 --show\n"
	"  puzzlectl solve knights --max-length 15 < board.txt\n"
	"  puzzlectl solve --json --timeout 500ms 8puzzle 867254301 | jq .length";

static void print_number(const char *name, int64_t number)
{
	printf("%-10s %" PRId64 "\n", name, number);
}

static void print_stats(const struct outcome *outcome)
{
	char amount[PRINT_AMOUNT];
	const char *algorithm = text_at(outcome->stats, "algorithm");
	const char *heuristic = text_at(outcome->stats, "heuristic");
	if (algorithm) {
		printf("%-10s ", "algorithm");
		print_string(stdout, algorithm);
		if (heuristic && *heuristic) {
			fputs(", ", stdout);
			print_string(stdout, heuristic);
		}
		putchar('\n');
	}
	if (outcome_stat(outcome, "expanded") >= 0)
		printf("%-10s %" PRId64 " expanded, %" PRId64 " generated\n", "nodes",
		       outcome_stat(outcome, "expanded"), outcome_stat(outcome, "generated"));
	if (outcome_stat(outcome, "memory") > 0)
		printf("%-10s %s\n", "memory", print_size(amount, outcome_stat(outcome, "memory")));
	if (outcome_stat(outcome, "elapsed_us") >= 0)
		printf("%-10s %s\n", "time",
		       print_duration(amount, outcome_stat(outcome, "elapsed_us")));
}

static void print_outcome(const struct outcome *outcome)
{
	printf("%-10s %s\n", "status", outcome_word(outcome));
	if (outcome->status == OUTCOME_SOLVED) {
		print_number("length", outcome->length);
		if (outcome->cost != outcome->length)
			print_number("cost", outcome->cost);
		printf("%-10s ", "moves");
		print_moves(stdout, outcome->moves, " ");
		putchar('\n');
	} else if (outcome->lower_bound >= 0) {
		print_number("at least", outcome->lower_bound);
	}
	if (outcome->final && outcome->status == OUTCOME_SOLVED) {
		printf("%-10s ", "final");
		print_string(stdout, outcome->final);
		putchar('\n');
	}
	print_stats(outcome);
}

static void print_drawn(const json_t *result, const struct outcome *outcome)
{
	const json_t *boards = json_object_get(result, "render");
	if (!json_array_size(boards))
		boards = json_object_get(result, "trace");
	if (!json_array_size(boards))
		return;
	putchar('\n');
	draw_boards(stdout, boards, outcome->moves, print_columns(stdout));
}

/* One result of several, or of one (number 0). Returns its exit status. */
static int print_result(const json_t *result, size_t number)
{
	char place[PRINT_AMOUNT];
	struct outcome outcome;
	struct fault fault;
	if (outcome_read(&outcome, result, &fault) < 0)
		return command_fail(&fault);
	if (number > 0)
		printf("%s%-10s %zu\n", number > 1 ? "\n" : "", "board", number);
	if (outcome.status != OUTCOME_ERROR) {
		print_outcome(&outcome);
		print_drawn(result, &outcome);
	} else {
		printf("%-10s %s\n", "status", outcome_word(&outcome));
		print_complaint("board %zu: %s%s", number, outcome.fault.sentence,
				print_place(place, outcome.position));
	}
	return outcome_exit(&outcome);
}

static int exit_of(const json_t *result)
{
	struct outcome outcome;
	struct fault fault;
	if (outcome_read(&outcome, result, &fault) < 0)
		return command_fail(&fault);
	return outcome_exit(&outcome);
}

static int print_answer(const struct client *client, const json_t *result)
{
	struct fault fault;
	if (client->json && print_json(stdout, result, &fault) < 0)
		return command_fail(&fault);
	if (!json_is_array(result))
		return client->json ? exit_of(result) : print_result(result, 0);
	int worst = EXIT_SOLVED;
	size_t i, refused = 0;
	json_t *element;
	json_array_foreach ((json_t *)result, i, element) {
		int status = client->json ? exit_of(element) : print_result(element, i + 1);
		worst = status > worst ? status : worst;
		refused += status == EXIT_USAGE;
	}
	if (refused > 0 && refused == i)
		print_complaint("each word was taken for a board; quote one that has spaces");
	return worst;
}

static void on_progress(void *data, const json_t *params)
{
	struct progress *progress = data;
	if (!progress_due(progress))
		return;
	int64_t ms = json_integer_value(json_object_get(params, "elapsed_ms"));
	const json_t *board = json_object_get(params, "board");
	char amount[PRINT_AMOUNT], which[PRINT_AMOUNT] = "";
	if (json_is_integer(board))
		snprintf(which, sizeof(which), ", board %" JSON_INTEGER_FORMAT,
			 json_integer_value(board) + 1);
	progress_show(progress,
		      "%s%s: %" JSON_INTEGER_FORMAT " nodes, at least %" JSON_INTEGER_FORMAT,
		      print_duration(amount, ms * 1000), which,
		      json_integer_value(json_object_get(params, "nodes")),
		      json_integer_value(json_object_get(params, "bound")));
}

/* The params of the request; NULL with *fault. */
static json_t *make_params(const struct solve_values *values, const char *puzzle, json_t *boards,
			   struct fault *fault)
{
	json_t *params = job_params(&values->job, puzzle, fault);
	if (!params)
		return NULL;
	bool one = json_array_size(boards) == 1;
	json_t *given = one ? json_array_get(boards, 0) : boards;
	int failed = job_set(params, one ? "board" : "boards", json_incref(given), fault);
	if (!failed && values->show)
		failed = job_set(params, "trace", json_true(), fault) ||
			 job_set(params, "render", json_true(), fault);
	if (!failed && (values->progress || isatty(STDERR_FILENO)))
		failed = job_set(params, "progress", json_true(), fault);
	if (!failed)
		return params;
	json_decref(params);
	return NULL;
}

static int solve_run(struct client *client, void *data, int argc, char **argv)
{
	const struct solve_values *values = data;
	struct fault fault;
	if (boards_are_input(argc - 1, argv + 1))
		command_announce_input("the board");
	json_t *boards = boards_of_words(argc - 1, argv + 1, stdin, &fault);
	json_t *params = boards ? make_params(values, argv[0], boards, &fault) : NULL;
	json_decref(boards);
	if (!params || client_connect(client, &fault) < 0) {
		json_decref(params);
		return command_fail(&fault);
	}
	struct progress progress;
	progress_start(&progress, values->progress);
	channel_on_progress(client->channel, on_progress, &progress);
	struct reply reply;
	int failed = client_call(client, "solve", params, client_deadline(values->job.timeout),
				 &reply, &fault);
	progress_end(&progress);
	int status = failed ? command_error(client, reply.error, &fault)
			    : print_answer(client, reply.result);
	reply_free(&reply);
	return status;
}

const struct command command_solve = {
	.name = "solve",
	.arguments = "PUZZLE [BOARD ...]",
	.summary = "find a shortest solution",
	.help = solve_help,
	.options = solve_options,
	.values_size = sizeof(struct solve_values),
	.least = 1,
	.most = -1,
	.run = solve_run,
};
