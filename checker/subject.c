/* SPDX-License-Identifier: MIT */
#include "checker/subject.h"

#include "worker/options.h"
#include "worker/plain.h"
#include "worker/tables.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

uint64_t cpu_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool spent(const struct subject *s)
{
	return cpu_ns() - s->since > (uint64_t)CHECK_MS * 1000000;
}

/* ---- what the host offers ---- */

static bool host_poll(const struct pz_host *host, uint64_t nodes, uint64_t bound)
{
	struct subject *s = host->data;
	struct polling *polling = &s->polling;
	uint64_t now = cpu_ns();
	(void)nodes, (void)bound;
	if (now - polling->last > polling->longest)
		polling->longest = now - polling->last;
	polling->last = now;
	s->page->call.polls = ++polling->count;
	if (!polling->stopped && now - polling->began >= polling->stop_after) {
		polling->stopped = true;
		polling->told = now;
	}
	return polling->stopped;
}

static void host_log(const struct pz_host *host, enum pz_level level, const char *text)
{
	(void)host, (void)level, (void)text;
}

static const void *host_table(const struct pz_host *host, const char *name, uint32_t version,
			      size_t size)
{
	struct subject *s = host->data;
	const struct table_key key = {s->host.plugin.name, name, version, size};
	const void *content;
	if (!s->request->tables || !table_is_name(name) ||
	    table_map(text_of(s->request->tables), &key, &content) < 0)
		return NULL;
	return content;
}

/* ---- bringing it up ---- */

/* Room for a text of PZ_BOARD_MAX bytes; returns its end, behind which nothing may be read. */
static char *map_guarded(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = (PZ_BOARD_MAX + page - 1) / page * page;
	char *room =
		mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED || mprotect(room + size, page, PROT_NONE) < 0)
		return NULL;
	return room + size;
}

int subject_init(struct subject *s, const struct request *request, struct page *page)
{
	*s = (struct subject){.request = request, .page = page};
	s->services = (struct pz_host){.size = sizeof(s->services),
				       .data = s,
				       .poll = host_poll,
				       .log = host_log,
				       .table = host_table};
	s->board_end = map_guarded();
	s->goal_end = map_guarded();
	work_init(&s->work, &s->host, &s->polling.stopped);
	return s->board_end && s->goal_end ? 0 : -1;
}

static void call_begin(struct subject *s, uint32_t allowed_ms, const char *what, const char *how)
{
	struct call *call = &s->page->call;
	const struct pz_text board = s->work.pz.board;
	call->allowed_ms = allowed_ms;
	call->polls = 0;
	snprintf(call->what, sizeof(call->what), "%s%s%s", what, *how ? " by " : "", how);
	call->has_board = board.data != NULL;
	call->board_len = board.len < PZ_BOARD_MAX ? (uint32_t)board.len : PZ_BOARD_MAX;
	if (call->has_board)
		memcpy(call->board, board.data, call->board_len);
	s->polling = (struct polling){.stop_after = UINT64_MAX};
	atomic_fetch_add(&call->turn, 1);
	s->polling.began = s->polling.last = cpu_ns();
}

static void call_end(struct subject *s)
{
	uint64_t now = cpu_ns();
	if (now - s->polling.last > s->polling.longest)
		s->polling.longest = now - s->polling.last;
	s->polling.last = now;
	atomic_fetch_add(&s->page->call.turn, 1);
}

/* Parts the options given into those of the configuration and those of a job. */
static int set_options(struct subject *s, struct error *error)
{
	const struct request *request = s->request;
	const struct pz_plugin *plugin = &s->host.plugin;
	struct wire_option job[WIRE_LIST_MAX];
	uint32_t job_count = 0, bad;
	s->setup = (struct wire_setup){
		.memory = request->memory,
		.goal = text_of(request->goal),
		.table_dir = text_of(request->tables),
	};
	for (uint32_t i = 0; i < request->option_count; i++) {
		bool for_job = false;
		for (uint32_t k = 0; k < plugin->option_count; k++)
			for_job |= text_is(request->options[i].name, plugin->options[k].name) &&
				   plugin->options[k].scope == PZ_JOB;
		if (for_job)
			job[job_count++] = request->options[i];
		else
			s->setup.options[s->setup.option_count++] = request->options[i];
	}
	if (options_default(plugin->options, plugin->option_count, s->job_options, error) < 0 ||
	    options_set(plugin->options, plugin->option_count, PZ_CONFIG, s->setup.options,
			s->setup.option_count, s->job_options, &bad, error) < 0)
		return -1;
	return options_set(plugin->options, plugin->option_count, PZ_JOB, job, job_count,
			   s->job_options, &bad, error);
}

static int open_plugin(struct subject *s, struct error *error)
{
	struct buf hello = {.max = LIMIT_FRAME_UP};
	struct text option;
	if (set_options(s, error) < 0)
		return -1;
	subject_job(s, (struct text){NULL, 0});
	call_begin(s, OPEN_MS, "open", "");
	int rc = host_open(&s->host, &s->setup, &s->services, &option, error);
	/* This also asks whether the goal is a board, and solved. */
	if (rc == 0)
		rc = host_hello(&s->host, &s->setup, &s->services, &hello, &option, error);
	call_end(s);
	buf_free(&hello);
	return rc;
}

int subject_reach(struct subject *s, enum stage stage, struct error *error)
{
	int rc = 0;
	for (; s->stage < stage && rc == 0; s->stage += rc == 0) {
		if (s->stage == STAGE_OPEN - 1) {
			rc = open_plugin(s, error);
			continue;
		}
		s->work.pz.board = (struct pz_text){NULL, 0};
		call_begin(s, CALL_MS, s->stage == STAGE_NONE ? "loading" : "move_name", "");
		rc = s->stage == STAGE_NONE ? host_map(&s->host, s->request->file, error)
					    : host_believe(&s->host, error);
		call_end(s);
	}
	return rc;
}

/* ---- jobs ---- */

/* Puts a text just before `end`. */
static struct pz_text guard(char *end, struct text text)
{
	if (!text.data)
		return (struct pz_text){NULL, 0};
	if (text.len > PZ_BOARD_MAX)
		text.len = PZ_BOARD_MAX;
	memmove(end - text.len, text.data, text.len);
	return (struct pz_text){end - text.len, text.len};
}

struct pz_job *subject_job(struct subject *s, struct text board)
{
	s->work.pz = (struct pz_job){
		.size = sizeof(struct pz_job),
		.host = &s->services,
		.board = guard(s->board_end, board),
		.max_length = -1,
		.max_cost = -1,
		.memory = s->host.memory,
		.options = s->job_options,
	};
	return &s->work.pz;
}

void subject_job_goal(struct subject *s, struct text goal)
{
	s->work.pz.goal = guard(s->goal_end, goal);
}

const char *algorithm_name(const struct subject *s, unsigned algorithm)
{
	return s->host.plugin.algorithms[algorithm];
}

const char *heuristic_name(const struct subject *s, unsigned heuristic)
{
	return s->host.metadata.heuristics ? s->host.plugin.heuristics[heuristic] : "";
}

unsigned heuristic_count(const struct subject *s)
{
	return s->host.metadata.heuristics ? s->host.metadata.heuristics : 1;
}

/* ---- calls ---- */

bool call_check(struct subject *s, struct pz_error *error)
{
	*error = (struct pz_error){0};
	call_begin(s, CALL_MS, "check", "");
	bool accepted = s->host.plugin.check(s->host.self, &s->work.pz, error) == 0;
	call_end(s);
	return accepted;
}

void call_replay(struct subject *s, const uint16_t *moves, size_t count, char *board,
		 struct pz_replay *ret)
{
	ret->size = sizeof(*ret);
	ret->final = (struct pz_buffer){board, PZ_BOARD_MAX, 0};
	call_begin(s, CALL_MS, "replay", "");
	s->host.plugin.replay(s->host.self, &s->work.pz, moves, count, ret);
	call_end(s);
}

void call_neighbours(struct subject *s,
		     void (*visit)(void *arg, const struct pz_neighbour *neighbour), void *arg)
{
	call_begin(s, CALL_MS, "neighbours", "");
	s->host.plugin.neighbours(s->host.self, &s->work.pz, visit, arg);
	call_end(s);
}

uint64_t call_estimate(struct subject *s, unsigned heuristic)
{
	s->work.pz.heuristic = heuristic;
	call_begin(s, CALL_MS, "estimate", heuristic_name(s, heuristic));
	uint64_t estimate = s->host.plugin.estimate(s->host.self, &s->work.pz);
	call_end(s);
	return estimate;
}

int call_render(struct subject *s, struct pz_buffer *out)
{
	call_begin(s, CALL_MS, "render", "");
	int rc = s->host.plugin.render(s->host.self, &s->work.pz, out);
	call_end(s);
	return rc;
}

int call_generate(struct subject *s, uint64_t seed, int64_t length, struct pz_buffer *out,
		  struct pz_error *error)
{
	*error = (struct pz_error){0};
	char how[48];
	snprintf(how, sizeof(how),
		 length < 0 ? "seed %" PRIu64 : "seed %" PRIu64 " of length %" PRId64, seed,
		 length);
	subject_job(s, (struct text){"", 0});
	call_begin(s, CALL_MS, "generate", how);
	s->page->call.has_board = false;
	int rc = s->host.plugin.generate(s->host.self, &s->work.pz, seed, length, out, error);
	call_end(s);
	return rc;
}

void call_self_test(struct subject *s, uint64_t seed,
		    void (*tell)(void *arg, const struct pz_law *law), void *arg)
{
	call_begin(s, CALL_MS, "self_test", "");
	s->host.plugin.self_test(s->host.self, &s->work.pz, seed, tell, arg);
	call_end(s);
}

void call_solve(struct subject *s, uint32_t stop_ms, struct wire_result *ret)
{
	char how[2 * PZ_NAME_MAX + 2];
	const char *heuristic = heuristic_name(s, s->work.pz.heuristic);
	snprintf(how, sizeof(how), "%s%s%s", algorithm_name(s, s->work.pz.algorithm),
		 *heuristic ? " " : "", heuristic);
	*ret = (struct wire_result){0};
	/* A move id that is none: what the plugin writes beyond its path is seen. */
	memset(s->work.path, 0xff, sizeof(s->work.path));
	call_begin(s, stop_ms + CALL_MS, "solve", how);
	s->polling.stop_after = (uint64_t)stop_ms * 1000000;
	work_solve(&s->work, ret);
	call_end(s);
}

void call_close(struct subject *s)
{
	subject_job(s, (struct text){NULL, 0});
	call_begin(s, CALL_MS, "close", "");
	host_close(&s->host);
	call_end(s);
}

/* ---- outcomes ---- */

#define FORMATTED(note)                                                                            \
	char note[PAGE_NOTE];                                                                      \
	va_list args;                                                                              \
	va_start(args, format);                                                                    \
	vsnprintf(note, sizeof(note), format, args);                                               \
	va_end(args)

void holds(struct subject *s, const char *format, ...)
{
	FORMATTED(note);
	page_add(s->page, s->check, HOLDS, "%s", note);
}

void skipped(struct subject *s, const char *format, ...)
{
	FORMATTED(note);
	page_add(s->page, s->check, SKIPPED, "%s", note);
}

void broken(struct subject *s, struct text board, const char *format, ...)
{
	FORMATTED(note);
	struct outcome *outcome = page_add(s->page, s->check, BROKEN, "%s", note);
	if (board.data)
		outcome_at(outcome, board);
}
