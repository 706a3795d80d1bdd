/* SPDX-License-Identifier: MIT */
/* puzzlectl batch: a board a line in, an answer a line out. */
#include "client/command.h"
#include "client/input.h"
#include "client/job.h"
#include "client/outcome.h"
#include "client/print.h"
#include "client/progress.h"
#include "client/stream.h"
#include "common/limits.h"
#include "common/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert((int)INPUT_LINE_MAX == (int)LIMIT_BOARD, "a line holds a board");

static const struct option batch_options[] = {
	JOB_OPTION_GOAL,
	JOB_OPTION_METHOD,
	JOB_OPTION_LIMITS,
	JOB_OPTION_TIMEOUT,
	JOB_OPTION_NOTATION,
	JOB_OPTION_SETTING,
	{0},
};

static const char batch_help[] =
	"Reads boards, one a line, from FILE (none, or '-': standard input) and prints\n"
	"for each one line, in the same order:\n"
	"  BOARD <tab> LENGTH <tab> MOVES    solved; moves with spaces between\n"
	"  BOARD <tab> unsolvable <tab>      proved\n"
	"  BOARD <tab> limit <tab>           none within --max-length or --max-cost\n"
	"  BOARD <tab> error <tab> MESSAGE   refused, or failed\n"
	"A blank line in is a blank line out, so that lines correspond.  Tabs within a\n"
	"board are printed as spaces.  With --json each line is the board's result\n"
	"({\"error\":...} for an error, null for a blank line).  The exit status is the\n"
	"worst of all.\n"
	"\n"
	"Any number of boards is taken in bounded memory, and boards that come one by\n"
	"one are answered one by one.  On a terminal a progress bar is shown while the\n"
	"output goes elsewhere.  --timeout is for each board.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl batch 8puzzle boards.txt > answers.tsv\n"
	"  puzzlectl generate 8puzzle --count 1000 | puzzlectl batch 8puzzle | cut -f 2\n"
	"  puzzlectl batch knights --max-length 15 < boards.txt";

struct batch {
	const struct client *client;
	struct input input;
	struct input_line line;
	uint64_t lines, asked, answered;
	off_t size, taken; /* bytes of the file (0: not known), and of its lines so far */
	int worst;
	bool show; /* a progress bar */
	struct progress progress;
};

/* What a line was, when it cannot be found in the item's board. */
struct note {
	const char *problem; /* why it is not sent; NULL: it is blank */
	bool cut;            /* `text` is only the line's beginning */
	size_t len;
	char text[];
};

static struct text trim(const struct input_line *line, bool first)
{
	struct text text = {line->text, line->len};
	if (first && text.len >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0) {
		text.data += 3;
		text.len -= 3;
	}
	while (text.len > 0 && strchr(" \t", text.data[text.len - 1]) && text.data[text.len - 1])
		text.len--;
	return text;
}

static int set_note(struct stream_item *item, const char *problem, struct text text,
		    struct fault *fault)
{
	enum { SHOWN = 60 };
	size_t len = text.len < SHOWN ? text.len : SHOWN;
	struct note *note = malloc(sizeof(*note) + len);
	if (!note)
		return fault_memory(fault);
	note->problem = problem;
	note->cut = len < text.len;
	note->len = len;
	memcpy(note->text, text.data, len);
	item->note = note;
	return 1;
}

static int batch_next(void *data, struct stream_item *ret, struct fault *fault)
{
	struct batch *batch = data;
	if (!input_line(&batch->input, &batch->line)) {
		if (batch->input.error)
			return fault_set(fault, EXIT_USAGE, "cannot read the boards: %s",
					 strerror(batch->input.error));
		return 0;
	}
	struct text text = trim(&batch->line, batch->lines++ == 0);
	batch->taken += (off_t)batch->line.len + 1;
	if (batch->line.too_long)
		return set_note(ret, "the line has more than 4096 bytes", text, fault);
	if (text.len == 0)
		return set_note(ret, NULL, text, fault);
	if (utf8_check(text) < text.len)
		return set_note(ret, "the line is not UTF-8", text, fault);
	ret->board = json_stringn(text.data, text.len);
	batch->asked++;
	return ret->board ? 1 : fault_memory(fault);
}

static bool batch_ready(void *data)
{
	const struct batch *batch = data;
	return input_ready(&batch->input);
}

static void print_board(const char *data, size_t len)
{
	for (size_t at = 0; at < len; at++) {
		size_t end = at;
		while (end < len && data[end] != '\t')
			end++;
		print_text(stdout, (struct text){data + at, end - at});
		if (end < len)
			putchar(' ');
		at = end;
	}
}

static void print_fields(const struct outcome *outcome)
{
	char place[PRINT_AMOUNT];
	if (outcome->status == OUTCOME_SOLVED)
		printf("\t%" PRId64 "\t", outcome->length);
	else
		printf("\t%s\t", outcome_word(outcome));
	if (outcome->status == OUTCOME_SOLVED)
		print_moves(stdout, outcome->moves, " ");
	else if (outcome->status == OUTCOME_ERROR)
		print_string(stdout, outcome->fault.sentence);
	if (outcome->status == OUTCOME_ERROR)
		fputs(print_place(place, outcome->position), stdout);
	putchar('\n');
}

/* A line that was not sent. */
static int answer_note(struct batch *batch, const struct note *note, struct fault *fault)
{
	if (!note->problem) {
		puts(batch->client->json ? "null" : "");
		return 0;
	}
	batch->worst = batch->worst < EXIT_USAGE ? EXIT_USAGE : batch->worst;
	if (!batch->client->json) {
		print_board(note->text, note->len);
		printf("%s\terror\t%s\n", note->cut ? "..." : "", note->problem);
		return 0;
	}
	json_t *error = json_pack("{s:{s:i, s:s, s:{s:s}}}", "error", "code",
				  error_info(ERR_INVALID_BOARD)->code, "message", note->problem,
				  "data", "kind", error_info(ERR_INVALID_BOARD)->name);
	int result = error ? print_json(stdout, error, fault) : fault_memory(fault);
	json_decref(error);
	return result;
}

static void show_progress(struct batch *batch)
{
	enum { WIDTH = 30 };
	if (!batch->show || !progress_due(&batch->progress))
		return;
	if (batch->size <= 0) {
		progress_show(&batch->progress, "%" PRIu64 " boards", batch->answered);
		return;
	}
	double part = (double)batch->taken / (double)batch->size;
	int full = part >= 1 ? WIDTH : (int)(part * WIDTH);
	progress_show(&batch->progress, "[%.*s%.*s] %3d %%  %" PRIu64 " boards", full,
		      "##############################", WIDTH - full,
		      "                              ", part >= 1 ? 100 : (int)(part * 100),
		      batch->answered);
}

static int batch_answer(void *data, const struct stream_item *item, const json_t *result,
			struct fault *fault)
{
	struct batch *batch = data;
	batch->answered++;
	show_progress(batch);
	if (!item->board)
		return answer_note(batch, item->note, fault);
	struct outcome outcome;
	if (outcome_read(&outcome, result, fault) < 0)
		return -1;
	int status = outcome_exit(&outcome);
	batch->worst = status > batch->worst ? status : batch->worst;
	if (batch->client->json)
		return print_json(stdout, result, fault);
	print_board(json_string_value(item->board), json_string_length(item->board));
	print_fields(&outcome);
	return 0;
}

static int batch_open(struct batch *batch, const char *name, struct fault *fault)
{
	int fd = STDIN_FILENO;
	if (name && strcmp(name, "-") != 0)
		fd = open(name, O_RDONLY | O_CLOEXEC);
	else
		command_announce_input("boards");
	if (fd < 0)
		return fault_set(fault, EXIT_USAGE, "cannot open %s: %s", name, strerror(errno));
	struct stat status;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		batch->size = status.st_size;
	input_start(&batch->input, fd);
	return 0;
}

/* Where no board has asked for the puzzle: whether there is one. */
static int check_puzzle(struct client *client, const char *name, struct fault *fault)
{
	struct reply reply;
	int rc = client_call(client, "describe", json_pack("{s:s}", "puzzle", name), -1, &reply,
			     fault);
	reply_free(&reply);
	return rc;
}

static int batch_run(struct client *client, void *data, int argc, char **argv)
{
	static const struct stream_ops ops = {batch_next, batch_ready, batch_answer};
	const struct job_values *values = data;
	struct fault fault;
	struct batch *batch = calloc(1, sizeof(*batch));
	if (!batch) {
		fault_memory(&fault);
		return command_fail(&fault);
	}
	batch->client = client;
	batch->show = isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO);
	progress_start(&batch->progress, false);
	json_t *params = job_params(values, argv[0], &fault);
	int failed = !params || batch_open(batch, argc > 1 ? argv[1] : NULL, &fault) < 0;
	if (!failed)
		failed = stream_run(client, params, values->timeout, &ops, batch, &fault);
	if (!failed && !batch->asked)
		failed = check_puzzle(client, argv[0], &fault);
	progress_end(&batch->progress);
	json_decref(params);
	if (batch->input.fd > STDERR_FILENO)
		close(batch->input.fd);
	int status = failed ? command_fail(&fault) : batch->worst;
	free(batch);
	return status;
}

const struct command command_batch = {
	.name = "batch",
	.arguments = "PUZZLE [FILE]",
	.summary = "solve one board a line, any number of them",
	.help = batch_help,
	.options = batch_options,
	.values_size = sizeof(struct job_values),
	.least = 1,
	.most = 2,
	.run = batch_run,
};
