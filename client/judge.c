/* SPDX-License-Identifier: MIT */
/* puzzlectl judge: what a judge of the net feeds in, and exactly what it wants to see. */
#include "client/cells.h"
#include "client/command.h"
#include "client/job.h"
#include "client/outcome.h"
#include "client/print.h"
#include "client/stream.h"
#include "client/suggest.h"
#include "common/limits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct judge_values {
	struct job_values job;
	const char *puzzle;
};

static const struct option judge_options[] = {
	JOB_OPTION_METHOD,
	JOB_OPTION_TIMEOUT,
	{"puzzle", 'p', OPTION_TEXT, offsetof(struct judge_values, puzzle), "NAME",
	 "the daemon's name for the puzzle, when it is not the usual one"},
	{0},
};

enum arrangement {
	ONE_BOARD,   /* and nothing after it */
	COUNTED,     /* their number first */
	MANY_BOARDS, /* to the end of the input */
};

/* A judge's format. */
struct format {
	const char *name;
	const char *puzzle, *goal;
	int64_t max_length; /* -1: none */
	enum arrangement arrangement;
	unsigned cells;
	const char *alphabet;
	void (*print)(const struct outcome *outcome);
};

static void print_length(const struct outcome *outcome)
{
	printf("%" PRId64 "\n", outcome->status == OUTCOME_SOLVED ? outcome->length : INT64_C(-1));
}

static void print_path(const struct outcome *outcome)
{
	if (outcome->status == OUTCOME_SOLVED)
		print_moves(stdout, outcome->moves, "");
	else
		fputs("unsolvable", stdout);
	putchar('\n');
}

static const struct format formats[] = {
	{
		.name = "p1379",
		.puzzle = "8puzzle",
		.goal = "123804765",
		.max_length = -1,
		.arrangement = ONE_BOARD,
		.cells = 9,
		.alphabet = "0123456789xX_.*",
		.print = print_length,
	},
	{
		.name = "p2324",
		.puzzle = "knights",
		.max_length = 15,
		.arrangement = COUNTED,
		.cells = 25,
		.alphabet = "01*xX_.",
		.print = print_length,
	},
	{
		.name = "poj1077",
		.puzzle = "8puzzle",
		.goal = "123456780",
		.max_length = -1,
		.arrangement = ONE_BOARD,
		.cells = 9,
		.alphabet = "0123456789xX_.*",
		.print = print_path,
	},
	{
		.name = "hdu1043",
		.puzzle = "8puzzle",
		.goal = "123456780",
		.max_length = -1,
		.arrangement = MANY_BOARDS,
		.cells = 9,
		.alphabet = "0123456789xX_.*",
		.print = print_path,
	},
};

enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

static const char judge_help[] =
	"Reads a judge's input on standard input and prints that judge's exact output,\n"
	"nothing else:\n"
	"  p1379    Luogu P1379: nine digits -> the fewest moves to 123804765, -1 if\n"
	"           there is no way\n"
	"  p2324    Luogu P2324: T, then T boards of five lines of 0 1 * -> for each the\n"
	"           fewest moves, -1 when over 15\n"
	"  poj1077  POJ 1077: nine cells, x the blank -> the blank's moves to 12345678x\n"
	"           as letters, or 'unsolvable'; an empty line for a board that is solved\n"
	"  hdu1043  HDU 1043: the same, board after board to the end of the input\n"
	"\n"
	"Line ends of any kind, a missing last one, blank lines, tabs, no-break spaces\n"
	"and a byte-order mark make no difference; a board may be spread over several\n"
	"lines, but no line may hold cells of two boards.  Input that is wrong gives a\n"
	"message with its line, and exit status 2.  The exit status is 0 when every\n"
	"board is answered, also by -1 or 'unsolvable'.\n"
	"\n"
	"Examples:\n"
	"  echo 283104765 | puzzlectl judge p1379\n"
	"  echo '2 3 4 1 5 x 7 6 8' | puzzlectl judge poj1077\n"
	"  puzzlectl judge p2324 < input.txt > output.txt";

/* What is under way. */
struct judge {
	const struct format *format;
	struct cells cells;
	uint64_t expected, read; /* COUNTED: boards */
	uint64_t answered;
};

static const struct format *find_format(const char *name)
{
	struct suggestion suggestion = {.typed = name};
	for (size_t i = 0; i < FORMATS; i++) {
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
		suggest_consider(&suggestion, formats[i].name);
	}
	print_complaint("there is no format '%s'%s%s; 'puzzlectl help judge' lists them", name,
			suggestion.name ? ", but there is " : "",
			suggestion.name ? suggestion.name : "");
	return NULL;
}

/* Reads the next board, its places as the note. */
static int judge_next(void *data, struct stream_item *ret, struct fault *fault)
{
	struct judge *judge = data;
	const struct format *format = judge->format;
	if (format->arrangement != MANY_BOARDS && judge->read == judge->expected)
		return cells_end(&judge->cells, fault);

	struct cells_board board;
	int got = cells_board(&judge->cells, format->alphabet, format->cells, &board, fault);
	if (judge->cells.input->error)
		return cells_end(&judge->cells, fault);
	if (got == 0 && format->arrangement == MANY_BOARDS)
		return 0;
	if (got == 0)
		return fault_set(fault, EXIT_USAGE,
				 "the input ends before board %" PRIu64 " of %" PRIu64,
				 judge->read + 1, judge->expected);
	if (got < 0)
		return -1;
	/* No answer to the last board before it is known that nothing wrong follows. */
	judge->read++;
	if (format->arrangement != MANY_BOARDS && judge->read == judge->expected &&
	    cells_end(&judge->cells, fault) < 0)
		return -1;
	ret->board = json_stringn(board.text, format->cells);
	struct place *places = calloc(format->cells, sizeof(*places));
	ret->note = places;
	if (!ret->board || !places) {
		json_decref(ret->board);
		free(places);
		return fault_memory(fault);
	}
	memcpy(places, board.places, format->cells * sizeof(*places));
	return 1;
}

static bool judge_ready(void *data)
{
	const struct judge *judge = data;
	return input_ready(judge->cells.input);
}

static int judge_answer(void *data, const struct stream_item *item, const json_t *result,
			struct fault *fault)
{
	struct judge *judge = data;
	struct outcome outcome;
	if (outcome_read(&outcome, result, fault) < 0)
		return -1;
	judge->answered++;
	if (outcome.status == OUTCOME_ERROR) {
		/* The board was sent without its white space: a position is the number of a
		 * cell. */
		const struct place *places = item->note;
		bool known = outcome.position > 0 && outcome.position <= judge->format->cells;
		const struct place *place = &places[known ? outcome.position - 1 : 0];
		return fault_set(fault, outcome.fault.exit,
				 "line %" PRIu64 ", column %" PRIu64 ": %s", place->line,
				 place->column, outcome.fault.sentence);
	}
	judge->format->print(&outcome);
	return 0;
}

static int judge_run(struct client *client, void *data, int argc, char **argv)
{
	(void)argc;
	static struct input input;
	static const struct stream_ops ops = {judge_next, judge_ready, judge_answer};
	struct judge_values *values = data;
	struct judge judge = {.format = find_format(argv[0]), .expected = 1};
	if (!judge.format)
		return EXIT_USAGE;
	struct fault fault;
	command_announce_input("the judge's input");
	input_start(&input, STDIN_FILENO);
	cells_start(&judge.cells, &input);
	if (judge.format->arrangement == COUNTED &&
	    cells_count(&judge.cells, &judge.expected, &fault) < 0)
		return command_fail(&fault);

	values->job.goal = judge.format->goal;
	values->job.max_length =
		(struct number){judge.format->max_length >= 0, judge.format->max_length};
	json_t *params = job_params(&values->job,
				    values->puzzle ? values->puzzle : judge.format->puzzle, &fault);
	int failed =
		params ? stream_run(client, params, values->job.timeout, &ops, &judge, &fault) : -1;
	json_decref(params);
	return failed ? command_fail(&fault) : EXIT_SOLVED;
}

const struct command command_judge = {
	.name = "judge",
	.arguments = "FORMAT",
	.summary = "read a judge's input, print that judge's output",
	.help = judge_help,
	.options = judge_options,
	.values_size = sizeof(struct judge_values),
	.least = 1,
	.most = 1,
	.run = judge_run,
};
