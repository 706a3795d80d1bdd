/* SPDX-License-Identifier: MIT */
#include "tests/fake_worker.h"
#include "common/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MAX = 256, ROOM = 64 * 1024 };

/* A JOB frame that is not begun yet. */
struct waiting {
	uint64_t id;
	char *payload;
	size_t len;
};

struct fake fake;

static struct waiting waiting[JOBS_MAX];
static unsigned waiting_count;

void fake_flush(void)
{
	while (buf_len(&fake.out)) {
		ssize_t put = write(WIRE_FD, buf_data(&fake.out), buf_len(&fake.out));
		if (put < 0)
			_exit(0);
		buf_drop(&fake.out, (size_t)put);
	}
}

_Noreturn void fake_die(int number)
{
	signal(number, SIG_DFL); /* which a sanitizer has taken */
	raise(number);
	_exit(1);
}

void fake_nap(int64_t ms)
{
	struct timespec rest = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	while (nanosleep(&rest, &rest) < 0 && errno == EINTR)
		;
}

_Noreturn void fake_hang(void)
{
	for (;;)
		pause();
}

/* ---- how it behaves as a worker ---- */

void fake_hello(uint32_t version)
{
	struct buf names = {0};
	put_text(&names, text_of("left"));
	put_text(&names, text_of("right"));
	put_text(&names, (struct text){NULL, 0});
	struct wire_hello hello = {
		.version = version,
		.plugin_name = text_of("fake"),
		.plugin_version = text_of("0"),
		.summary = text_of("what it is told to do"),
		.syntax = text_of("a command"),
		.example = text_of("late 0"),
		.path_max = 16,
		.board_max = 64,
		.confined = WIRE_FILES_CONFINED | WIRE_CALLS_CONFINED,
		.algorithm_count = 1,
		.algorithms = {text_of("auto")},
		.notation_count = 1,
		.notations = {text_of("")},
		.move_count = 3,
		.names = buf_text(&names),
	};
	wire_put_hello(&fake.out, &hello);
	fake_flush();
	buf_free(&names);
}

static void be_good(const struct wire_setup *setup)
{
	(void)setup;
	fake_hello(WIRE_VERSION);
}

static void be_rude(const struct wire_setup *setup)
{
	(void)setup;
	fake.rude = true;
	fake_hello(WIRE_VERSION);
}

/* There is no hello, whatever comes. */
static void be_silent(const struct wire_setup *setup)
{
	(void)setup;
}

static void be_slow(const struct wire_setup *setup)
{
	(void)setup;
	fake_nap(300);
	fake_hello(WIRE_VERSION);
}

static void refuse(const char *reason)
{
	wire_put_refused(&fake.out, &(struct wire_refused){.reason = text_of(reason)});
	fake_flush();
}

static void be_refusing(const struct wire_setup *setup)
{
	(void)setup;
	refuse("it does not feel like it");
	_exit(1);
}

/* Refuses, and stays. */
static void be_stubborn(const struct wire_setup *setup)
{
	(void)setup;
	refuse("it will not go either");
	fake_hang();
}

static void be_garbled(const struct wire_setup *setup)
{
	(void)setup;
	size_t start = frame_begin(&fake.out, WIRE_HELLO);
	buf_put_string(&fake.out, "hello, hello, hello");
	frame_end(&fake.out, start);
	fake_flush();
	fake_hang();
}

static void be_older(const struct wire_setup *setup)
{
	(void)setup;
	fake_hello(WIRE_VERSION - 1);
	fake_hang();
}

/* Answers before it has been asked, and before its hello. */
static void be_hasty(const struct wire_setup *setup)
{
	(void)setup;
	fake_put_false(1, 0, 1);
	fake_hang();
}

static void be_gone(const struct wire_setup *setup)
{
	(void)setup;
	_exit(3);
}

static void be_dead(const struct wire_setup *setup)
{
	(void)setup;
	fake_die(SIGABRT);
}

/* The first one that has this folder of tables is good, those after it exit. */
static void be_fading(const struct wire_setup *setup)
{
	char path[4096];
	snprintf(path, sizeof(path), "%.*s/was-there", (int)setup->table_dir.len,
		 setup->table_dir.data);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		_exit(4);
	close(fd);
	fake_hello(WIRE_VERSION);
}

static const struct behaviour {
	const char *name;
	void (*be)(const struct wire_setup *setup);
} behaviours[] = {
	{"dead", be_dead},     {"fading", be_fading},     {"garbled", be_garbled},
	{"gone", be_gone},     {"good", be_good},         {"hasty", be_hasty},
	{"older", be_older},   {"refusing", be_refusing}, {"rude", be_rude},
	{"silent", be_silent}, {"slow", be_slow},         {"stubborn", be_stubborn},
};

static void behave(struct text payload)
{
	struct wire_setup setup;
	if (wire_get_setup(payload, &setup) < 0)
		_exit(90);
	const char *end = setup.plugin.data + setup.plugin.len, *name = end;
	while (name > setup.plugin.data && name[-1] != '/')
		name--;
	for (size_t i = 0; i < sizeof(behaviours) / sizeof(behaviours[0]); i++) {
		if (text_is((struct text){name, (size_t)(end - name)}, behaviours[i].name)) {
			behaviours[i].be(&setup);
			return;
		}
	}
	_exit(91);
}

/* ---- what comes ---- */

static void call_back(uint64_t id, bool cancel)
{
	if (fake.rude)
		return;
	if (id == fake.job) {
		fake.stop |= cancel;
		fake_end_results(); /* of the boards before: no other frame may be among them */
		wire_put_ack(&fake.out, id, true);
		fake_flush();
		return;
	}
	for (unsigned i = 0; i < waiting_count; i++) {
		if (waiting[i].id != id)
			continue;
		free(waiting[i].payload);
		waiting_count--;
		memmove(&waiting[i], &waiting[i + 1], (waiting_count - i) * sizeof(waiting[0]));
		fake_end_results();
		wire_put_ack(&fake.out, id, false);
		fake_flush();
		return;
	}
}

static void keep(struct text payload)
{
	struct wire_job spec;
	char *copy = malloc(payload.len);
	if (!copy || waiting_count == JOBS_MAX || wire_get_job(payload, &spec) < 0)
		_exit(92);
	memcpy(copy, payload.data, payload.len);
	waiting[waiting_count++] = (struct waiting){spec.id, copy, payload.len};
}

static void take(const struct frame *frame)
{
	uint64_t id;
	switch (frame->type) {
	case WIRE_SETUP:
		behave(frame->payload);
		break;
	case WIRE_JOB:
		keep(frame->payload);
		break;
	case WIRE_CANCEL:
	case WIRE_RECALL:
		if (wire_get_cancel(frame->payload, &id) < 0)
			_exit(93);
		call_back(id, frame->type == WIRE_CANCEL);
		break;
	default:
		_exit(94);
	}
}

void fake_look(int ms)
{
	struct pollfd at = {.fd = WIRE_FD, .events = POLLIN};
	if (poll(&at, 1, ms) <= 0)
		return;
	char *place = buf_reserve(&fake.in, ROOM);
	ssize_t got = place ? read(WIRE_FD, place, ROOM) : -1;
	if (got <= 0)
		_exit(0);
	buf_commit(&fake.in, (size_t)got);
	struct frame frame;
	size_t used;
	while (frame_next(buf_text(&fake.in), LIMIT_FRAME_DOWN, &frame, &used) == 1) {
		take(&frame);
		buf_drop(&fake.in, used);
	}
}

static void run_job(struct waiting next)
{
	struct wire_job spec;
	if (wire_get_job((struct text){next.payload, next.len}, &spec) < 0)
		_exit(95);
	fake.job = next.id;
	fake.stop = false;
	for (fake.board = 0; fake.board < spec.board_count; fake.board++) {
		atomic_store(&fake.page->board, fake.board);
		atomic_store_explicit(&fake.page->job, fake.job, memory_order_release);
		fake_run_board(wire_board_next(&spec.boards));
	}
	fake_end_results();
	fake.job = 0;
	free(next.payload);
}

int main(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fake.page = mmap(NULL, WIRE_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_PAGE_FD, 0);
	if (fake.page == MAP_FAILED)
		return 96;
	close(WIRE_PAGE_FD);
	for (;;) {
		/* All that is there is read first, so that what is called back is not begun. */
		do
			fake_look(waiting_count ? 0 : -1);
		while (!waiting_count);
		struct waiting next = waiting[0];
		memmove(&waiting[0], &waiting[1], --waiting_count * sizeof(waiting[0]));
		run_job(next);
	}
}
