/* SPDX-License-Identifier: MIT */
/*
 * good: a counting puzzle that does all a plugin may do.  Options make it slow, or answer in each
 * of the ways there are, so that tests need no other plugin than this for what goes right.
 */
#include "counting.h"

#include <time.h>

enum { OPTION_STEP, OPTION_DELAY_MS, OPTION_ANSWER, OPTION_LABEL, OPTION_LOUD, OPTIONS };
enum { ANSWER_PLAIN, ANSWER_MEMORY, ANSWER_WAIT, ANSWER_FAIL };
enum { GENERATE_MOST = 1000, RENDER_MOST = 100 };

static const char *const algorithms[] = {"auto", "walk", NULL};
static const char *const heuristics[] = {"distance", "zero", NULL};
static const char *const notations[] = {"sign", "word", NULL};
static const char *const answers[] = {"plain", "memory", "wait", "fail", NULL};

static const struct pz_option options[OPTIONS] = {
	[OPTION_STEP] = {.name = "step",
			 .type = PZ_INT,
			 .scope = PZ_CONFIG | PZ_JOB,
			 .fallback = "1",
			 .min = 1,
			 .max = 9,
			 .help = "how much a move adds or takes away"},
	[OPTION_DELAY_MS] = {.name = "delay_ms",
			     .type = PZ_INT,
			     .scope = PZ_JOB,
			     .fallback = "0",
			     .min = 0,
			     .max = 600000,
			     .help = "milliseconds that a board takes, polling all the while"},
	[OPTION_ANSWER] = {.name = "answer",
			   .type = PZ_CHOICE,
			   .scope = PZ_JOB,
			   .fallback = "plain",
			   .choices = answers,
			   .help = "how to answer"},
	[OPTION_LABEL] = {.name = "label",
			  .type = PZ_TEXT,
			  .scope = PZ_CONFIG,
			  .fallback = "",
			  .min = 0,
			  .max = 20,
			  .help = "text to log in open"},
	[OPTION_LOUD] = {.name = "loud",
			 .type = PZ_BOOL,
			 .scope = PZ_JOB,
			 .fallback = "no",
			 .help = "whether to log a line for each board"},
};

/* Id 2 is not in use. */
static int move_name(unsigned notation, unsigned id, char *name, size_t cap)
{
	static const char *const names[2][2] = {{"+", "-"}, {"up", "down"}};
	if (id >= COUNTING_MOVES)
		return -1;
	snprintf(name, cap, "%s", names[notation][id]);
	return 0;
}

static int open_good(const struct pz_setup *setup, void **ret_self, struct pz_error *error)
{
	char line[64];
	struct pz_text label = setup->options[OPTION_LABEL].text;
	if (label.len) {
		snprintf(line, sizeof(line), "opened as %.*s", (int)label.len, label.data);
		setup->host->log(setup->host, PZ_NOTICE, line);
	}
	return counting_open(setup, ret_self, error);
}

/* Polls until the time is over.  False: told to stop. */
static bool wait_ms(const struct pz_job *job, int64_t ms, uint64_t bound)
{
	const struct timespec tick = {.tv_nsec = 500 * 1000};
	struct timespec start, now;
	uint64_t nodes = 0;
	if (ms == 0)
		return true;
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		if (job->host->poll(job->host, ++nodes, bound))
			return false;
		nanosleep(&tick, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < ms);
	return true;
}

static int64_t step_of(const struct pz_job *job)
{
	return job->options[OPTION_STEP].number;
}

static void solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	int64_t way = counting_goal(self, job) - counting_board(job);
	int64_t step = step_of(job);
	uint64_t bound = (uint64_t)((way < 0 ? -way : way) / step);
	if (job->options[OPTION_LOUD].number)
		job->host->log(job->host, PZ_INFO, "a board");
	ret->stats.algorithm = job->algorithm ? job->algorithm : 1;
	ret->stats.heuristic = job->heuristic;
	ret->stats.memory = 1;
	if (!wait_ms(job, job->options[OPTION_DELAY_MS].number, bound)) {
		ret->status = PZ_STOPPED;
		ret->lower_bound = bound;
		return;
	}
	switch (job->options[OPTION_ANSWER].number) {
	case ANSWER_MEMORY:
		ret->status = PZ_MEMORY;
		ret->lower_bound = bound;
		return;
	case ANSWER_WAIT:
		ret->status = PZ_WAIT;
		return;
	case ANSWER_FAIL:
		ret->status = PZ_FAILED;
		snprintf(ret->error.reason, sizeof(ret->error.reason), "told to fail");
		return;
	default:
		break;
	}
	if (way % step) {
		ret->status = PZ_UNSOLVABLE;
		return;
	}
	ret->lower_bound = bound;
	if (bound > PZ_PATH_MAX || (job->max_length >= 0 && bound > (uint64_t)job->max_length) ||
	    (job->max_cost >= 0 && bound > (uint64_t)job->max_cost)) {
		ret->status = PZ_LIMIT;
		return;
	}
	for (uint64_t i = 0; i < bound; i++)
		ret->path[i] = way < 0 ? COUNTING_DOWN : COUNTING_UP;
	ret->status = PZ_SOLVED;
	ret->length = (uint32_t)bound;
	ret->cost = ret->stats.expanded = bound;
	ret->stats.generated = 2 * bound;
	ret->iterations[0] = (struct pz_iteration){(uint32_t)bound, bound};
	ret->iteration_count = 1;
}

/* Moves lead nowhere beyond COUNTING_MOST: there they are illegal. */
static void replay(void *self, const struct pz_job *job, const uint16_t *moves, size_t count,
		   struct pz_replay *ret)
{
	int64_t board = counting_board(job);
	counting_visit(ret, board);
	for (ret->done = 0; ret->done < count; ret->done++) {
		uint16_t move = moves[ret->done];
		int64_t next = board + (move == COUNTING_UP ? step_of(job) : -step_of(job));
		if (move >= COUNTING_MOVES || next > COUNTING_MOST || next < -COUNTING_MOST)
			break;
		board = next;
		counting_visit(ret, board);
	}
	ret->legal = ret->done == count;
	ret->solved = board == counting_goal(self, job);
	ret->cost = ret->done;
	counting_print(board, &ret->final);
}

static uint64_t estimate(void *self, const struct pz_job *job)
{
	int64_t way = counting_goal(self, job) - counting_board(job);
	return job->heuristic ? 0 : (uint64_t)((way < 0 ? -way : way) / step_of(job));
}

static void neighbours(void *self, const struct pz_job *job,
		       void (*visit)(void *arg, const struct pz_neighbour *neighbour), void *arg)
{
	char room[24];
	struct pz_buffer text = {room, sizeof(room), 0};
	(void)self;
	for (uint16_t move = 0; move < COUNTING_MOVES; move++) {
		int64_t step = move == COUNTING_UP ? step_of(job) : -step_of(job);
		counting_print(counting_board(job) + step, &text);
		visit(arg, &(struct pz_neighbour){move, 1, {text.data, text.len}});
	}
}

/* A line of as many strokes as the number says. */
static int render(void *self, const struct pz_job *job, struct pz_buffer *out)
{
	int64_t board = counting_board(job);
	size_t strokes = board < 0 ? 0 : board > RENDER_MOST ? RENDER_MOST : (size_t)board;
	(void)self;
	if (out->cap < strokes + 1)
		return -1;
	memset(out->data, '|', strokes);
	out->data[strokes] = '\n';
	out->len = strokes + 1;
	return 0;
}

static int generate(void *self, const struct pz_job *job, uint64_t seed, int64_t length,
		    struct pz_buffer *out, struct pz_error *error)
{
	int64_t moves = length >= 0 ? length : (int64_t)(seed % 100);
	if (moves > GENERATE_MOST) {
		snprintf(error->reason, sizeof(error->reason),
			 "no board is more than %d moves away", GENERATE_MOST);
		return -1;
	}
	counting_print(counting_goal(self, job) + step_of(job) * moves, out);
	return 0;
}

const struct pz_plugin pz_plugin = {
	.abi = PZ_ABI,
	.size = sizeof(struct pz_plugin),
	.name = "good",
	.version = "1.0",
	.summary = "count to a number",
	.syntax = "A whole number.",
	.example = "3",
	.goal = "0",
	.moves = COUNTING_MOVES + 1,
	.path_max = PZ_PATH_MAX,
	.notations = notations,
	.move_name = move_name,
	.algorithms = algorithms,
	.heuristics = heuristics,
	.options = options,
	.option_count = OPTIONS,
	.unit_cost = true,
	.open = open_good,
	.check = counting_check,
	.solve = solve,
	.replay = replay,
	.neighbours = neighbours,
	.estimate = estimate,
	.render = render,
	.generate = generate,
	.board_max = 24,
};
