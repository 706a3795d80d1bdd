/* SPDX-License-Identifier: MIT */
/* puzzlectl generate: random boards that have a solution. */
#include "client/command.h"
#include "client/job.h"
#include "client/member.h"
#include "client/print.h"

#include <inttypes.h>

struct generate_values {
	struct job_values job;
	struct number seed, length, count;
};

static const struct option generate_options[] = {
	JOB_OPTION_GOAL,
	{"seed", 0, OPTION_NUMBER, offsetof(struct generate_values, seed), "N",
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

/*
 * Boards are asked for one by one, but the next ones while the first are on their way.  Without a
 * seed of ours, the others follow the daemon's first, so that one comes before the rest is asked
 * for.
 */
struct generation {
	struct client *client;
	const struct generate_values *values;
	const char *puzzle;
	struct number seed; /* of board 0; not given: not known yet */
	int64_t asked, answered;
	int64_t ids[CHANNEL_IN_FLIGHT]; /* of the requests without an answer, by board, a ring */
};

static int ask(struct generation *generation, struct fault *fault)
{
	json_t *params = job_params(&generation->values->job, generation->puzzle, fault);
	if (!params || set_number(params, "length", generation->values->length, 0, fault) < 0 ||
	    set_number(params, "seed", generation->seed, generation->asked, fault) < 0 ||
	    client_connect(generation->client, fault) < 0) {
		json_decref(params);
		return -1;
	}
	int64_t id = channel_send(generation->client->channel, "generate", params, fault);
	generation->ids[generation->asked++ % CHANNEL_IN_FLIGHT] = id;
	return id < 0 ? -1 : 0;
}

static int print_result(struct generation *generation, const json_t *result, struct fault *fault)
{
	const char *board = text_at(result, "board");
	const json_t *used = json_object_get(result, "seed");
	if (!generation->seed.given && json_is_integer(used))
		generation->seed = (struct number){true, json_integer_value(used)};
	if (generation->client->json)
		return print_json(stdout, result, fault);
	if (!board)
		return fault_set(fault, EXIT_PROTOCOL,
				 "the daemon's answer is not understood: it holds no board");
	print_board(board);
	return 0;
}

/* Waits for the oldest request and prints its board. Returns the exit status. */
static int answer(struct generation *generation)
{
	struct fault fault;
	struct reply reply = {0};
	int status = EXIT_SOLVED;
	int64_t id = generation->ids[generation->answered++ % CHANNEL_IN_FLIGHT];
	if (channel_wait(generation->client->channel, id, -1, &reply, &fault) < 0)
		status = command_fail(&fault);
	else if (reply.error && fault_of_error(&fault, reply.error) < 0)
		status = command_error(generation->client, reply.error, &fault);
	else if (print_result(generation, reply.result, &fault) < 0)
		status = command_fail(&fault);
	reply_free(&reply);
	return status;
}

static int generate_run(struct client *client, void *data, int argc, char **argv)
{
	(void)argc;
	const struct generate_values *values = data;
	struct generation generation = {
		.client = client, .values = values, .puzzle = argv[0], .seed = values->seed};
	int64_t count = values->count.given ? values->count.value : 1;
	int status = EXIT_SOLVED;
	struct fault fault;
	while (generation.answered < count && status == EXIT_SOLVED) {
		int64_t flying = generation.asked - generation.answered;
		bool more = generation.asked < count &&
			    flying < (generation.seed.given ? CHANNEL_IN_FLIGHT : 1);
		if (!more)
			status = answer(&generation);
		else if (ask(&generation, &fault) < 0)
			status = command_fail(&fault);
	}
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
