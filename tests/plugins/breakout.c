/* SPDX-License-Identifier: MIT */
/*
 * breakout: a counting puzzle that tries, at every stage of its life, what a plugin must not do.
 *
 * A board "STAGE ATTEMPT" is answered with what became of the attempt at that stage: a failure
 * whose reason is the name of an errno, or "done".  Stages are ctor, open and solve; build, which
 * fills a table with what it found; and builder-ctor and builder-open, the first two of the process
 * that built it.  "die HOW" does what it says.
 *
 * Before `solve`, where everything is tried at once and nobody chooses, nothing is tried unless
 * there is a filter of system calls ("untried").
 */
#include "breakout_attempts.h"
#include "counting.h"

#include <errno.h>
#include <sys/prctl.h>

enum { UNTRIED = -1, PAGE = 4096 };
enum { CTOR, OPEN, BUILDER_CTOR, BUILDER_OPEN, BUILD, STAGES };

static const char *const stage_names[STAGES] = {"ctor", "open", "builder-ctor", "builder-open",
						"build"};

/* What became of each at each stage; the builder's come by the table. */
static int outcomes[STAGES][ATTEMPTS];
static const int (*built)[ATTEMPTS];

/* Our filter answers EPERM; without it, the kernel tells whether there is another. */
static void try_all(int stage)
{
	bool filtered = prctl(PR_GET_SECCOMP) < 0;
	for (int i = 0; i < ATTEMPTS; i++) {
		errno = 0;
		outcomes[stage][i] = filtered ? attempts[i].make() : UNTRIED;
	}
}

__attribute__((constructor)) static void try_in_constructor(void)
{
	try_all(CTOR);
}

/* ---- dying ---- */

static volatile int depth;

/* For the frames to be one below the other. */
__attribute__((noinline)) static int descend(volatile char *before)
{
	volatile char frame[PAGE];
	frame[0] = before[0];
	if (depth++ < 0)
		return 0;
	return descend(frame) + frame[0];
}

/* Past the end of what it is given. */
__attribute__((noinline)) static void scribble(volatile char *to, int count)
{
	for (int i = 0; i < count; i++)
		to[i] = 1;
}

__attribute__((noinline)) static void smash(void)
{
	char little[16];
	scribble(little, (int)sizeof(little) + 48);
}

static void die(const char *how)
{
	volatile int *nowhere = NULL;
	char top = 0;
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "fault") == 0)
		*nowhere = 1;
	if (strcmp(how, "overflow") == 0)
		depth = descend(&top);
	if (strcmp(how, "smash") == 0)
		smash();
}

/* ---- the plugin ---- */

enum { OPTION_FOLDER, OPTION_SOCKET, OPTIONS };

static const struct pz_option options[OPTIONS] = {
	[OPTION_FOLDER] = {.name = "folder",
			   .type = PZ_TEXT,
			   .scope = PZ_CONFIG,
			   .fallback = BREAKOUT_SCRATCH,
			   .max = BREAKOUT_PATH,
			   .help = "the table folder"},
	[OPTION_SOCKET] = {.name = "daemon_socket",
			   .type = PZ_TEXT,
			   .scope = PZ_CONFIG,
			   .fallback = "/tmp/breakout.socket",
			   .max = BREAKOUT_PATH,
			   .help = "the daemon's socket"},
};

static int open_breakout(const struct pz_setup *setup, void **ret_self, struct pz_error *error)
{
	struct pz_text text = setup->options[OPTION_FOLDER].text;
	snprintf(table_folder, sizeof(table_folder), "%.*s", (int)text.len, text.data);
	text = setup->options[OPTION_SOCKET].text;
	snprintf(daemon_socket, sizeof(daemon_socket), "%.*s", (int)text.len, text.data);
	built = setup->host->table(setup->host, "outcomes", 1, sizeof(outcomes));
	try_all(OPEN);
	return counting_open(setup, ret_self, error);
}

/* What became of it, as a number; attempts of `solve` are made now. */
static bool find_outcome(const char *stage, const char *name, int *ret)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		if (strcmp(name, attempts[i].name) != 0)
			continue;
		if (strcmp(stage, "solve") == 0) {
			errno = 0;
			*ret = attempts[i].make();
			return true;
		}
		for (int s = 0; s < STAGES; s++)
			if (strcmp(stage, stage_names[s]) == 0 && (s <= OPEN || built)) {
				*ret = s <= OPEN ? outcomes[s][i] : built[s][i];
				return true;
			}
	}
	return false;
}

static void solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	char board[64], *space;
	int outcome;
	snprintf(board, sizeof(board), "%.*s", (int)job->board.len, job->board.data);
	space = strchr(board, ' ');
	if (!space) {
		counting_solve(self, job, ret);
		return;
	}
	*space = '\0';
	if (strcmp(board, "die") == 0)
		die(space + 1);
	ret->status = PZ_FAILED;
	if (!find_outcome(board, space + 1, &outcome))
		snprintf(ret->error.reason, sizeof(ret->error.reason), "no such attempt");
	else
		snprintf(ret->error.reason, sizeof(ret->error.reason), "%s",
			 outcome == 0         ? "done"
			 : outcome == UNTRIED ? "untried"
					      : strerrorname_np(outcome));
}

static int check(void *self, const struct pz_job *job, struct pz_error *error)
{
	return memchr(job->board.data, ' ', job->board.len) ? 0 : counting_check(self, job, error);
}

static size_t tables(void *self, struct pz_table *ret, bool *ready, size_t cap)
{
	(void)self;
	if (cap) {
		ret[0] = (struct pz_table){"outcomes", 1, sizeof(outcomes), sizeof(outcomes),
					   "what became of attempts to break out"};
		ready[0] = built != NULL;
	}
	return 1;
}

static int build_table(void *self, const struct pz_table *table, void *content,
		       const struct pz_host *host, struct pz_error *error)
{
	(void)self;
	(void)table;
	(void)host;
	(void)error;
	try_all(BUILD);
	memcpy(outcomes[BUILDER_CTOR], outcomes[CTOR], sizeof(outcomes[CTOR]));
	memcpy(outcomes[BUILDER_OPEN], outcomes[OPEN], sizeof(outcomes[OPEN]));
	memcpy(content, outcomes, sizeof(outcomes));
	return 0;
}

const struct pz_plugin pz_plugin = {
	COUNTING_PLUGIN("breakout"),
	.open = open_breakout,
	.check = check,
	.solve = solve,
	.replay = counting_replay,
	.tables = tables,
	.build_table = build_table,
	.options = options,
	.option_count = OPTIONS,
};
