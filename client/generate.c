/* SPDX-License-Identifier: MIT */
/* puzzlectl generate: random boards that have a solution. */
#include "client/command.h"
#include "client/job.h"
#include "client/print.h"

#include <inttypes.h>

struct generate_values {
	struct job_values job;
	struct number seed, length, count;
};

static const struct option generate_options[] = {
	JOB_OPTION_GOAL,
	{"seed", 's', OPTION_NUMBER, offsetof(struct generate_values, seed), "N",
	 "the same seed gives the same board (default: a random one)"},
	{"length", 'L', OPTION_NUMBER, offsetof(struct generate_values, length), "N",
	 "a board whose shortest solution has just N moves"},
	{"count", 'c', OPTION_NUMBER, offsetof(struct generate_values, count), "N",
	 "N boards, with the seeds that follow (default: 1)"},
	JOB_OPTION_SETTING,
	{0},
};

static const char generate_help[] =
	"Prints random boards that can be solved, one a line.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl generate 8puzzle\n"
	"  puzzlectl generate 8puzzle --length 31 --seed 7\n"
	"  puzzlectl generate knights --count 100 | puzzlectl batch knights";

/* A board on one line: rows apart by spaces are the same board. */
static void print_board(const char *board)
{
	for (;;) {
		size_t len = strcspn(board, "\n");
		print_text(stdout, (struct text){board, len});
		if (!board[len] || !board[len + 1])
			break;
		putchar(' ');
		board += len + 1;
	}
	putchar('\n');
}

static int set_number(json_t *params, const char *key, struct number number, int64_t more,
		      struct fault *fault)
{
	if (!number.given)
		return 0;
	if (number.value > INT64_MAX - more)
		return fault_set(fault, EXIT_USAGE, "the %s is too large", key);
	return job_set(params, key, json_integer(number.value + more), fault);
}

/* Asks for one board. Returns the exit status; *ret_seed becomes the seed of the board. */
static int generate_one(struct client *client, const struct generate_values *values,
			const char *puzzle, int64_t number, struct number *seed)
{
	struct fault fault;
	struct reply reply;
	json_t *params = job_params(&values->job, puzzle, &fault);
	if (!params || set_number(params, "length", values->length, 0, &fault) < 0 ||
	    set_number(params, "seed", *seed, number, &fault) < 0) {
		json_decref(params);
		return command_fail(&fault);
	}
	int status = EXIT_SOLVED;
	if (client_call(client, "generate", params, -1, &reply, &fault) < 0) {
		status = command_error(client, reply.error, &fault);
		reply_free(&reply);
		return status;
	}
	const char *board = json_string_value(json_object_get(reply.result, "board"));
	const json_t *used = json_object_get(reply.result, "seed");
	/* Without a seed of ours, the others follow the daemon's first. */
	if (!seed->given && json_is_integer(used))
		*seed = (struct number){true, json_integer_value(used)};
	int failed = 0;
	if (client->json)
		failed = print_json(stdout, reply.result, &fault);
	else if (board)
		print_board(board);
	else
		failed = fault_set(&fault, EXIT_PROTOCOL,
				   "the daemon's answer is not understood: it holds no board");
	reply_free(&reply);
	return failed ? command_fail(&fault) : status;
}

static int generate_run(struct client *client, void *data, int argc, char **argv)
{
	(void)argc;
	const struct generate_values *values = data;
	int64_t count = values->count.given ? values->count.value : 1;
	struct number seed = values->seed;
	int status = EXIT_SOLVED;
	for (int64_t i = 0; i < count && status == EXIT_SOLVED; i++)
		status = generate_one(client, values, argv[0], i, &seed);
	return status;
}

const struct command command_generate = {
	.name = "generate",
	.arguments = "PUZZLE",
	.summary = "make random boards that can be solved",
	.help = generate_help,
	.options = generate_options,
	.values_size = sizeof(struct generate_values),
	.least = 1,
	.most = 1,
	.run = generate_run,
};
