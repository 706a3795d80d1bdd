/* SPDX-License-Identifier: MIT */
/*
 * The checks run in order in one child, so that what is expensive (samples, answers, the graph) is
 * made once.  When the child dies or hangs, the check that it was at is broken, and a new child
 * goes on behind it:
 *
 *	      fork                    check i done, i + 1 ...            all done
 *	PARENT ----> child: reach, run --------------------------> exit --------> outcomes are printed
 *	   ^                  |
 *	   +-- i is broken ---+ died, or took more processor time in one call than it may: killed
 */
#include "config.h"

#include "checker/suite.h"

#include "checker/checks.h"
#include "worker/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	TICK_MS = 50,
	OWN_MEMORY =
		768 << 20, /* of the checker in the child: its code, the graph, while that grows */
	HANGS_MOST = 3,
	SLEEPS =
		6 /* a call may take so many times as much by the clock on the wall, for a machine that is busy */
};

struct check {
	const char *name;
	const char *promise;
	void (*run)(struct subject *s);
	enum stage stage;  /* that it needs the plugin at */
	const char *needs; /* another check, without which it says nothing; or NULL */
	bool alone;        /* in a process of its own */
};

static void check_reached(struct subject *s);

static const struct check checks[] = {
	{"exports", "the file shows pz_plugin and nothing else", check_exports, STAGE_NONE, NULL,
	 false},
	{"abi", "it loads; abi and size are this host's", check_reached, STAGE_MAPPED, NULL, false},
	{"metadata", "names, lists, options and callbacks are in order", check_reached,
	 STAGE_BELIEVED, "abi", false},
	{"open", "it opens as configured; its goal is a board, and solved", check_reached,
	 STAGE_OPEN, "metadata", false},
	{"check", "any text is taken or refused with a place and a reason; what is taken is safe",
	 check_check, STAGE_OPEN, "open", false},
	{"print", "what is printed is read as the same board", check_print, STAGE_OPEN, "open",
	 false},
	{"render", "drawings are lines of at most 80 columns", check_render, STAGE_OPEN, "open",
	 false},
	{"rules", "neighbours and replay know the same moves, boards and costs", check_rules,
	 STAGE_OPEN, "print", false},
	{"generate", "boards that are made are boards, can be solved, and are the seed's",
	 check_generate, STAGE_OPEN, "open", false},
	{"solve", "answers replay to a goal", check_solve, STAGE_OPEN, "open", false},
	{"path-max", "no solution is longer than path_max", check_path_max, STAGE_OPEN, "solve",
	 false},
	{"agree", "all algorithms and heuristics find the same cost", check_agree, STAGE_OPEN,
	 "solve", false},
	{"limits", "a limit of n accepts n and refuses n + 1", check_limits, STAGE_OPEN, "solve",
	 false},
	{"admissible", "no heuristic says more than the way that there is", check_admissible,
	 STAGE_OPEN, "rules", false},
	{"goal-estimate", "heuristics are 0 at every goal", check_goal_estimate, STAGE_OPEN,
	 "rules", false},
	{"optimal", "no solution costs more than the way that there is", check_optimal, STAGE_OPEN,
	 "rules", false},
	{"unsolvable", "what is called unsolvable has no way to a goal", check_unsolvable,
	 STAGE_OPEN, "rules", false},
	{"domain", "the plugin's own laws hold (one line for each)", check_domain, STAGE_OPEN,
	 "open", false},
	{"poll", "a search polls, and stops when told", check_poll, STAGE_OPEN, "open", false},
	{"deterministic", "the same board is answered the same twice", check_deterministic,
	 STAGE_OPEN, "solve", false},
	{"descriptors", "no file is left open, closed or exchanged", check_descriptors, STAGE_OPEN,
	 "open", false},
	{"close", "close comes back", check_close, STAGE_OPEN, "open", false},
	{"again", "another process makes and answers the same", check_again, STAGE_OPEN,
	 "deterministic", true},
	{"memory", "a search keeps to job.memory", check_memory, STAGE_OPEN, "solve", true},
};

enum { CHECKS = sizeof(checks) / sizeof(checks[0]) };

/* Not in the table: it is the parent that sees. */
static const char quiet[] = "quiet";
static const char quiet_promise[] = "nothing is written to standard output or error";

void suite_list(void)
{
	for (size_t i = 0; i < CHECKS; i++)
		printf("  %-13s  %s\n", checks[i].name, checks[i].promise);
	printf("  %-13s  %s\n", quiet, quiet_promise);
}

/* ---- in the child ---- */

/* For the checks that are no more than bringing the plugin to their stage. */
static void check_reached(struct subject *s)
{
	const struct pz_plugin *plugin = &s->host.plugin;
	if (s->stage == STAGE_MAPPED)
		holds(s, "abi %u, size %u", plugin->abi, plugin->size);
	else if (s->stage == STAGE_BELIEVED)
		holds(s, "%s %s", plugin->name, plugin->version);
	else
		holds(s, "%s", plugin->goal ? "its goal is solved" : "its goal is a predicate");
}

static void run(struct subject *s, const struct check *check)
{
	const struct outcome *needed = check->needs ? page_find(s->page, check->needs) : NULL;
	struct error error;
	s->check = check->name;
	s->since = cpu_ns();
	if (needed && needed->verdict != HOLDS)
		page_add(s->page, check->name, SKIPPED, "\"%s\" %s", check->needs,
			 needed->verdict == BROKEN ? "is broken" : "was skipped")
			->follows = needed->verdict == BROKEN || needed->follows;
	else if (subject_reach(s, check->stage, &error) < 0)
		broken(s, (struct text){NULL, 0}, "%s", error.reason);
	else
		check->run(s);
}

/* Runs from check `first` on, as many as go together; *done counts them. */
static void run_from(const struct request *request, struct page *page, size_t first,
		     _Atomic uint32_t *done)
{
	static struct subject subject;
	if (checks[first].alone) {
		/* So that addresses are others here: an answer must not depend on them. */
		(void)mmap(NULL, (size_t)(first + 1) << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	}
	if (subject_init(&subject, request, page) < 0)
		_exit(EXIT_FAILURE);
	guest_note();
	for (size_t i = first; i < CHECKS; i++) {
		if (i > first && checks[i].alone)
			break;
		run(&subject, &checks[i]);
		*done = (uint32_t)(i - first + 1);
		if (checks[i].alone)
			break;
	}
	/* What the plugin has in its buffers is part of what it printed. */
	fflush(NULL);
	_exit(EXIT_SUCCESS);
}

/* ---- in the parent ---- */

/* What the child shares with us beside the page. */
struct shared {
	struct page page;
	_Atomic uint32_t done;
};

static uint64_t ms_of(clockid_t clock)
{
	struct timespec now;
	if (clock_gettime(clock, &now) < 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Waits for the child; kills one that takes too long over one call, and says so in *ret_hung. */
static int watch(pid_t pid, const struct call *call, bool *ret_hung)
{
	int status = 0, fd = (int)syscall(SYS_pidfd_open, pid, 0);
	clockid_t clock = CLOCK_MONOTONIC;
	uint32_t turn = 0;
	uint64_t since = 0, wall = 0;
	*ret_hung = false;
	clock_getcpuclockid(pid, &clock);
	for (;;) {
		struct pollfd ended = {.fd = fd, .events = POLLIN};
		if (poll(&ended, 1, TICK_MS) > 0 || waitpid(pid, &status, WNOHANG) == pid)
			break;
		uint32_t now = atomic_load(&call->turn);
		if (now != turn || now % 2 == 0) {
			turn = now;
			since = ms_of(clock);
			wall = ms_of(CLOCK_MONOTONIC);
		} else if (ms_of(clock) - since > call->allowed_ms ||
			   ms_of(CLOCK_MONOTONIC) - wall > (uint64_t)SLEEPS * call->allowed_ms) {
			*ret_hung = true;
			kill(pid, SIGKILL);
			break;
		}
	}
	close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return status;
}

/* Says that a check was broken by the end of its process. */
static void blame(struct page *page, const char *check, int status, bool hung)
{
	struct outcome *outcome;
	const struct call *call = &page->call;
	const bool calling = atomic_load(&call->turn) % 2 == 1;
	char where[sizeof(call->what) + 8];
	snprintf(where, sizeof(where), "%s%s", calling ? "in " : "",
		 calling ? call->what : "between calls");
	if (hung)
		outcome =
			page_add(page, check, BROKEN,
				 "%s did not come back within %.1f s of processor time%s",
				 call->what, call->allowed_ms / 1000.0,
				 call->polls == 0 ? ", and never polled" : ", although it polled");
	else if (WIFSIGNALED(status))
		outcome = page_add(page, check, BROKEN, "it died %s: killed by signal %d (%s)",
				   where, WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		outcome = page_add(page, check, BROKEN, "it ended its process %s, with status %d",
				   where, WEXITSTATUS(status));
	if (calling || hung)
		page_lost(page);
	if (calling && call->has_board)
		outcome_at(outcome, (struct text){call->board, call->board_len});
}

#ifdef PZ_SANITIZED
static void cap_memory(const struct request *request)
{
	(void)request;
}
#else
/* A plugin that takes all that it can get must not take the machine's. */
static void cap_memory(const struct request *request)
{
	const struct rlimit limit = {request->memory + OWN_MEMORY, request->memory + OWN_MEMORY};
	setrlimit(RLIMIT_AS, &limit);
}
#endif

/* The child: as a worker finds the world, with its output where we can see it. */
static pid_t start(const struct request *request, struct shared *shared, size_t first, int output)
{
	shared->done = 0;
	fflush(NULL);
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	const struct rlimit none = {0, 0};
	int null = open("/dev/null", O_RDONLY);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &none);
	cap_memory(request);
	dup2(null, 0);
	dup2(output, 1);
	dup2(output, 2);
	close(null);
	close(output);
	run_from(request, &shared->page, first, &shared->done);
	_exit(EXIT_SUCCESS);
}

static void see_output(struct page *page, int output)
{
	char begin[81];
	ssize_t len = pread(output, begin, sizeof(begin) - 1, 0);
	if (len <= 0) {
		page_add(page, quiet, HOLDS, "nothing was written");
		return;
	}
	char *newline = memchr(begin, '\n', (size_t)len);
	size_t end = newline ? (size_t)(newline - begin) : (size_t)len;
	page_add(page, quiet, BROKEN, "%lld bytes were written, beginning with %s",
		 (long long)lseek(output, 0, SEEK_END),
		 plain_quote((struct text){begin, end}).text);
}

/* Each hang costs seconds, and the next is like the last: what is left is not tried. */
static size_t give_up(struct page *page, size_t first)
{
	for (; first < CHECKS; first++)
		page_add(page, checks[first].name, SKIPPED, "it hung %d times before", HANGS_MOST)
			->follows = true;
	return first;
}

const struct page *suite_run(const struct request *request)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int output = memfd_create("checked", MFD_CLOEXEC);
	if (shared == MAP_FAILED || output < 0)
		return NULL;
	int hangs = 0;
	for (size_t first = 0; first < CHECKS;) {
		bool hung;
		pid_t pid = start(request, shared, first, output);
		if (pid < 0)
			return NULL;
		int status = watch(pid, &shared->page.call, &hung);
		first += shared->done;
		bool orderly = !hung && WIFEXITED(status) && WEXITSTATUS(status) == 0;
		/* One that dies behind its last check was in an exit handler, which is the
		 * plugin's, too. */
		if (!orderly || shared->done == 0) {
			blame(&shared->page, checks[first < CHECKS ? first : CHECKS - 1].name,
			      status, hung);
			first++;
		}
		hangs += hung;
		if (hangs == HANGS_MOST)
			first = give_up(&shared->page, first);
		if (atomic_load(&shared->page.call.turn) % 2 == 1)
			atomic_fetch_add(&shared->page.call.turn, 1);
	}
	see_output(&shared->page, output);
	return &shared->page;
}
