/* SPDX-License-Identifier: MIT */
/* puzzlectl verify: is this a solution? */
#include "client/boards.h"
#include "client/command.h"
#include "client/job.h"
#include "client/member.h"
#include "client/print.h"
#include "common/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct option verify_options[] = {
	JOB_OPTION_GOAL,
	JOB_OPTION_NOTATION,
	JOB_OPTION_SETTING,
	{0},
};

static const char verify_help[] =
	"Plays MOVES on BOARD and tells whether they lead to the goal.  BOARD is one\n"
	"argument, so quote it when it has spaces.  MOVES are names of moves with spaces\n"
	"between, or, when all names of the puzzle are single letters, letters run\n"
	"together; '-' or none: from standard input. Exit status: 0 when they solve it,\n"
	"1 when they do not.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl verify 8puzzle '2 3 4 1 5 x 7 6 8' ullddrurdllurdruldr\n"
	"  puzzlectl verify 8puzzle 283104765 u l d r --goal 123804765\n"
	"  puzzlectl judge poj1077 < in.txt | puzzlectl verify 8puzzle \"$(cat in.txt)\"";

/* The names of moves in the notation that was asked for, or the first; NULL: not told. */
static const json_t *names_of(const json_t *description, const char *notation)
{
	json_t *moves = json_object_get(description, "moves");
	if (json_is_array(moves))
		return moves;
	if (notation)
		return json_object_get(moves, notation);
	return json_object_iter_value(json_object_iter(moves));
}

/* True when `word` is letters of single-letter moves, and no move itself. */
static bool is_run_together(const json_t *names, const char *word)
{
	size_t i;
	json_t *name;
	json_array_foreach ((json_t *)names, i, name) {
		const char *string = json_string_value(name);
		if (!string || strlen(string) != 1 || strcmp(string, word) == 0)
			return false;
	}
	return json_array_size(names) > 0;
}

/* The letters of `word`, each a string. */
static json_t *letters(const char *word)
{
	json_t *moves = json_array();
	for (; *word && moves; word++) {
		if (json_array_append_new(moves, json_stringn(word, 1)) < 0) {
			json_decref(moves);
			return NULL;
		}
	}
	return moves;
}

/* Words as an array of moves; a single word is perhaps several of them. */
static json_t *make_moves(struct client *client, const struct job_values *values,
			  const char *puzzle, int count, char *const *words, struct fault *fault)
{
	if (count == 1 && strlen(words[0]) > 1 &&
	    utf8_check(text_of(words[0])) == strlen(words[0])) {
		struct reply reply;
		json_t *moves = NULL;
		json_t *params = json_pack("{s:s}", "puzzle", puzzle);
		if (client_call(client, "describe", params, -1, &reply, fault) < 0) {
			reply_free(&reply);
			return NULL;
		}
		if (is_run_together(names_of(reply.result, values->notation), words[0]))
			moves = letters(words[0]);
		reply_free(&reply);
		if (moves)
			return moves;
	}
	json_t *moves = json_array();
	for (int i = 0; i < count && moves; i++) {
		if (json_array_append_new(moves, json_string(words[i])) < 0) {
			fault_set(fault, EXIT_USAGE, "move %d is not UTF-8", i + 1);
			json_decref(moves);
			return NULL;
		}
	}
	return moves;
}

/* Splits `text` at white space into `words`, which has room for them. Returns how many. */
static int split(char *text, char **words)
{
	int count = 0;
	char *rest;
	for (char *word = strtok_r(text, " \t\r\n", &rest); word;
	     word = strtok_r(NULL, " \t\r\n", &rest))
		words[count++] = word;
	return count;
}

/* MOVES from standard input. */
static json_t *read_moves(struct client *client, const struct job_values *values,
			  const char *puzzle, struct fault *fault)
{
	json_t *input = boards_read(stdin, fault);
	if (!input)
		return NULL;
	char *text = strdup(json_string_value(input));
	char **words = calloc(json_string_length(input) + 1, sizeof(*words));
	json_t *moves = NULL;
	if (text && words)
		moves = make_moves(client, values, puzzle, split(text, words), words, fault);
	else
		fault_memory(fault);
	free(words);
	free(text);
	json_decref(input);
	return moves;
}

/* Prints the verdict; 0, 1, or the status of a fault. */
static int print_verdict(const struct client *client, const json_t *result)
{
	struct fault fault;
	bool valid = json_is_true(json_object_get(result, "valid"));
	bool solved = valid && json_is_true(json_object_get(result, "solved"));
	int status = solved ? EXIT_SOLVED : EXIT_NO_SOLUTION;
	if (client->json)
		return print_json(stdout, result, &fault) < 0 ? command_fail(&fault) : status;
	const char *final = text_at(result, "final");
	const char *reason = text_at(result, "reason");
	const json_t *length = json_object_get(result, "length");
	const json_t *cost = json_object_get(result, "cost");
	printf("%-10s %s\n", "status", solved ? "solved" : valid ? "not solved" : "not valid");
	if (json_is_integer(length))
		printf("%-10s %" JSON_INTEGER_FORMAT "\n", "length", json_integer_value(length));
	if (json_is_integer(cost) && json_integer_value(cost) != json_integer_value(length))
		printf("%-10s %" JSON_INTEGER_FORMAT "\n", "cost", json_integer_value(cost));
	if (final) {
		printf("%-10s ", "final");
		print_string(stdout, final);
		putchar('\n');
	}
	if (reason && *reason && !solved) {
		printf("%-10s ", "reason");
		print_string(stdout, reason);
		putchar('\n');
	}
	return status;
}

static int verify_run(struct client *client, void *data, int argc, char **argv)
{
	const struct job_values *values = data;
	struct fault fault;
	bool from_input = argc == 2 || (argc == 3 && strcmp(argv[2], "-") == 0);
	json_t *params = job_params(values, argv[0], &fault);
	if (!params || job_set_text(params, "board", argv[1], strlen(argv[1]), &fault) < 0) {
		json_decref(params);
		return command_fail(&fault);
	}
	json_t *moves = from_input
				? read_moves(client, values, argv[0], &fault)
				: make_moves(client, values, argv[0], argc - 2, argv + 2, &fault);
	if (!moves || job_set(params, "moves", moves, &fault) < 0) {
		json_decref(params);
		return command_fail(&fault);
	}
	struct reply reply;
	int status = client_call(client, "verify", params, -1, &reply, &fault) < 0
			     ? command_error(client, reply.error, &fault)
			     : print_verdict(client, reply.result);
	if (reply.error && argc > 2 && strlen(argv[1]) <= 2)
		print_complaint("%s was taken for the board; quote one that has spaces", argv[1]);
	reply_free(&reply);
	return status;
}

const struct command command_verify = {
	.name = "verify",
	.arguments = "PUZZLE BOARD [MOVES ...]",
	.summary = "play moves on a board and see whether they solve it",
	.help = verify_help,
	.options = verify_options,
	.values_size = sizeof(struct job_values),
	.least = 2,
	.most = -1,
	.run = verify_run,
};
