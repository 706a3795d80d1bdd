/* SPDX-License-Identifier: MIT */
/* What the fake worker does on a board, by the board's text: a command, and a number for it. */
#include "tests/fake_worker.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COMMAND_MAX = 64 };

static size_t results;
static uint32_t result_count;

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- results ---- */

static void put(const struct wire_result *result)
{
	if (result_count++ == 0)
		results = wire_begin_results(&fake.out, fake.job, fake.board);
	wire_put_result(&fake.out, result);
}

static struct wire_result a_result(struct text text)
{
	return (struct wire_result){
		.status = WIRE_SOLVED, .heuristic = UINT32_MAX, .final = text, .elapsed_ns = 1000};
}

void fake_end_results(void)
{
	if (result_count)
		wire_end_results(&fake.out, results, result_count);
	result_count = 0;
	fake_flush();
}

void fake_put_false(uint64_t its_job, uint32_t first, unsigned count)
{
	struct wire_result result = a_result(text_of("false"));
	fake_end_results();
	size_t start = wire_begin_results(&fake.out, its_job, first);
	for (unsigned i = 0; i < count; i++)
		wire_put_result(&fake.out, &result);
	wire_end_results(&fake.out, start, count);
	fake_flush();
}

/* ---- what boards say ---- */

static void do_die(long number)
{
	fake_die(number ? (int)number : SIGSEGV);
}

static void do_die_after(long number)
{
	(void)number;
	struct wire_result result = a_result(text_of("said before"));
	put(&result);
	fake_end_results();
	fake_die(SIGSEGV);
}

static void do_exit(long status)
{
	_exit((int)status);
}

static void do_hang(long number)
{
	(void)number;
	fake_hang();
}

/* Works on, deaf, and answers. */
static void do_late(long ms)
{
	fake_nap(ms);
	struct wire_result result = a_result(text_of("late"));
	result.elapsed_ns = (uint64_t)ms * 1000000;
	put(&result);
}

/* Says that it has begun, and waits with its ears open until it is told to stop. */
static void wait_for_stop(long ms)
{
	int64_t until = now_ms() + ms;
	struct wire_progress progress = {
		.job = fake.job, .bound = FAKE_LOWER_BOUND, .board = fake.board};
	fake_end_results();
	wire_put_progress(&fake.out, &progress);
	fake_flush();
	while (!fake.stop && now_ms() < until)
		fake_look((int)(until - now_ms()));
}

/* Stops when it is told to. */
static void do_obey(long ms)
{
	int64_t since = now_ms();
	struct wire_result result = a_result(text_of("in time"));
	wait_for_stop(ms);
	result.elapsed_ns = (uint64_t)(now_ms() - since) * 1000000;
	if (fake.stop) {
		result.status = WIRE_STOPPED;
		result.lower_bound = FAKE_LOWER_BOUND;
	}
	put(&result);
}

/* Is told to stop, says that it has begun, and has a solution after all. */
static void do_race(long ms)
{
	struct wire_result result = a_result(text_of("after all"));
	wait_for_stop(ms);
	put(&result);
}

static void do_stopped(long number)
{
	(void)number;
	struct wire_result result = a_result(text_of(""));
	result.status = WIRE_STOPPED;
	put(&result);
}

static void do_waits(long number)
{
	(void)number;
	struct wire_result result = a_result(text_of(""));
	result.status = WIRE_WAITS;
	put(&result);
}

static void do_fail(long kind)
{
	struct wire_result result = a_result(text_of(""));
	result.status = WIRE_FAILED;
	result.error = (uint32_t)kind;
	result.position = 3;
	result.reason = text_of("as it was told to");
	put(&result);
}

static void do_wrong_job(long number)
{
	fake_put_false(fake.job + (uint64_t)number, fake.board, 1);
}

static void do_wrong_first(long number)
{
	fake_put_false(fake.job, fake.board + (uint32_t)number, 1);
}

static void do_too_many(long count)
{
	fake_put_false(fake.job, fake.board, (unsigned)count);
}

static void do_none(long number)
{
	(void)number;
	fake_put_false(fake.job, fake.board, 0);
}

static void do_twice(long number)
{
	(void)number;
	fake_put_false(fake.job, fake.board, 1);
	fake_put_false(fake.job, fake.board, 1);
}

static void do_move(long id)
{
	uint16_t path[2] = {0, (uint16_t)id};
	struct wire_result result = a_result(text_of("moved"));
	result.length = 2;
	result.cost = 2;
	result.path = (const char *)path;
	put(&result);
}

static void do_notation(long index)
{
	struct wire_result result = a_result(text_of(""));
	result.notation = (uint32_t)index;
	put(&result);
}

/* More than anybody asked for. */
static void do_unasked(long what)
{
	static const char boards[] = {1, 0, 0, 0, 'x'};
	static const struct wire_iteration one = {1, 1};
	struct text text = {boards, sizeof(boards)};
	struct wire_result result = a_result(text_of("unasked"));
	if (what == 0)
		result.trace = text;
	else if (what == 1)
		result.render = text;
	else
		result.iterations = (const char *)&one, result.iteration_count = 1;
	put(&result);
}

/* A final board that is longer than the puzzle's are. */
static void do_final(long len)
{
	static const char room[4096];
	struct wire_result result = a_result((struct text){room, (size_t)len});
	put(&result);
}

/* So many moves. */
static void do_path(long length)
{
	static const uint16_t path[4096];
	struct wire_result result = a_result(text_of("far"));
	result.length = (uint32_t)length;
	result.path = (const char *)path;
	put(&result);
}

static void do_algorithm(long index)
{
	struct wire_result result = a_result(text_of(""));
	result.algorithm = (uint32_t)index;
	put(&result);
}

static void do_status(long status)
{
	struct wire_result result = a_result(text_of(""));
	result.status = (uint32_t)status;
	put(&result);
}

static void do_nonsense(long count)
{
	fake_end_results();
	for (long i = 0; i < count; i++)
		put_u8(&fake.out, (uint8_t)(0x5A ^ i * 7));
	fake_flush();
	fake_hang();
}

static void do_huge_frame(long number)
{
	(void)number;
	fake_end_results();
	put_u32(&fake.out, UINT32_MAX);
	put_u32(&fake.out, WIRE_RESULT);
	fake_flush();
	fake_hang();
}

static void do_half_frame(long number)
{
	(void)number;
	fake_end_results();
	struct wire_result result = a_result(text_of("half"));
	put(&result);
	wire_end_results(&fake.out, results, 1);
	buf_truncate(&fake.out, buf_len(&fake.out) - 1);
	fake_flush();
	_exit(0);
}

static void do_frame(long type)
{
	fake_end_results();
	size_t start = frame_begin(&fake.out, (uint32_t)type);
	put_u64(&fake.out, fake.job);
	frame_end(&fake.out, start);
	fake_flush();
	do_late(0);
}

static void do_hello(long number)
{
	(void)number;
	fake_end_results();
	fake_hello(WIRE_VERSION);
	do_late(0);
}

static void do_ack_began(long other)
{
	wire_put_ack(&fake.out, fake.job + (uint64_t)other, true);
	do_late(0);
}

static void do_ack_dropped(long other)
{
	wire_put_ack(&fake.out, fake.job + (uint64_t)other, false);
	do_late(0);
}

static void do_flood_progress(long count)
{
	fake_end_results();
	for (long i = 0; i < count; i++) {
		struct wire_progress progress = {fake.job, (uint64_t)i, 5, 1000, fake.board};
		if (i % 3 == 1)
			progress.job += 1000; /* of nobody */
		if (i % 3 == 2)
			progress.board = UINT32_MAX;
		wire_put_progress(&fake.out, &progress);
		fake_flush();
	}
	do_late(0);
}

static void do_flood_log(long count)
{
	fake_end_results();
	for (long i = 0; i < count; i++) {
		wire_put_log(&fake.out, (uint32_t)i % 20,
			     text_of("flood\nlevel=error event=forged \x1b[31m"));
		fake_flush();
	}
	do_late(0);
}

static void do_flood_output(long count)
{
	for (long i = 0; i < count; i++)
		printf("flood %ld\n<0>level=error event=forged\x1b[31m\n", i);
	fflush(stdout);
	do_late(0);
}

static void do_close(long number)
{
	(void)number;
	fake_end_results();
	close(WIRE_FD);
	fake_hang();
}

/* Dies, having said that it was something else it died on. */
static void do_scribble(long number)
{
	atomic_store(&fake.page->board, (uint32_t)number);
	atomic_store(&fake.page->job, fake.job + (number ? 0 : 12345));
	fake_die(SIGSEGV);
}

static const struct command {
	const char *name;
	void (*run)(long number);
} commands[] = {
	{"ack-began", do_ack_began},
	{"ack-dropped", do_ack_dropped},
	{"algorithm", do_algorithm},
	{"close", do_close},
	{"die", do_die},
	{"die-after", do_die_after},
	{"exit", do_exit},
	{"fail", do_fail},
	{"final", do_final},
	{"flood-log", do_flood_log},
	{"flood-output", do_flood_output},
	{"flood-progress", do_flood_progress},
	{"frame", do_frame},
	{"half-frame", do_half_frame},
	{"hang", do_hang},
	{"hello", do_hello},
	{"huge-frame", do_huge_frame},
	{"late", do_late},
	{"move", do_move},
	{"none", do_none},
	{"nonsense", do_nonsense},
	{"notation", do_notation},
	{"obey", do_obey},
	{"path", do_path},
	{"race", do_race},
	{"scribble", do_scribble},
	{"status", do_status},
	{"stopped", do_stopped},
	{"too-many", do_too_many},
	{"twice", do_twice},
	{"unasked", do_unasked},
	{"waits", do_waits},
	{"wrong-first", do_wrong_first},
	{"wrong-job", do_wrong_job},
};

void fake_run_board(struct text text)
{
	char line[COMMAND_MAX], name[COMMAND_MAX];
	long number = 0;
	snprintf(line, sizeof(line), "%.*s", (int)text.len, text.data);
	if (sscanf(line, "%63s %ld", name, &number) >= 1) {
		for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
			if (strcmp(commands[i].name, name) == 0) {
				commands[i].run(number);
				return;
			}
		}
	}
	struct wire_result result = a_result(text);
	put(&result);
}
