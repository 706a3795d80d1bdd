/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/worker_peer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORKER "./puzzled-worker"

/* ---- starting ---- */

/* In the child: descriptors 1 and 2 print to `noise`, 3 is the channel, 4 the page. */
static _Noreturn void exec_worker(int channel, int page, int noise)
{
	/* Out of the way of 0 to 4 first. */
	int high_channel = fcntl(channel, F_DUPFD_CLOEXEC, 10);
	int high_page = fcntl(page, F_DUPFD_CLOEXEC, 10);
	int high_noise = fcntl(noise, F_DUPFD_CLOEXEC, 10);
	dup2(high_noise, 1);
	dup2(high_noise, 2);
	dup2(high_channel, WIRE_FD);
	dup2(high_page, WIRE_PAGE_FD);
	execl(WORKER, "puzzled-worker", "test", (char *)NULL);
	perror(WORKER);
	_exit(127);
}

void peer_start(struct peer *peer)
{
	int pair[2];
	*peer = (struct peer){.noise = tmpfile()};
	FILE *shared = tmpfile();
	assert_non_null(peer->noise);
	assert_non_null(shared);
	assert_int_equal(ftruncate(fileno(shared), WIRE_PAGE_SIZE), 0);
	peer->page =
		mmap(NULL, WIRE_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(shared), 0);
	assert_ptr_not_equal(peer->page, MAP_FAILED);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	peer->pid = fork();
	assert_true(peer->pid >= 0);
	if (peer->pid == 0)
		exec_worker(pair[1], fileno(shared), fileno(peer->noise));
	close(pair[1]);
	fclose(shared);
	peer->fd = pair[0];
}

const char *peer_plugin(const char *name)
{
	static char path[256];
	snprintf(path, sizeof(path), "tests/plugins/%s.so", name);
	return path;
}

struct wire_setup peer_setup(const char *plugin)
{
	return (struct wire_setup){
		.version = WIRE_VERSION,
		.puzzle = text_of("test"),
		.plugin = text_of(peer_plugin(plugin)),
		.memory = 64 * 1024 * 1024,
		.sandbox = true,
	};
}

void peer_start_with(struct peer *peer, const struct wire_setup *setup)
{
	struct buf out = {0};
	peer_start(peer);
	wire_put_setup(&out, setup);
	peer_send(peer, buf_text(&out));
	buf_free(&out);
}

void peer_open(struct peer *peer, const char *plugin)
{
	struct wire_setup setup = peer_setup(plugin);
	peer_start_with(peer, &setup);
	peer_expect(peer, WIRE_HELLO);
}

/* ---- sending ---- */

void peer_send(struct peer *peer, struct text bytes)
{
	while (bytes.len) {
		ssize_t sent = send(peer->fd, bytes.data, bytes.len, MSG_NOSIGNAL);
		assert_true(sent > 0);
		bytes.data += sent;
		bytes.len -= (size_t)sent;
	}
}

struct wire_job peer_job(enum wire_op op)
{
	return (struct wire_job){.op = op, .max_length = -1, .max_cost = -1, .length = -1};
}

uint64_t peer_put_job(struct peer *peer, struct buf *out, const struct wire_job *job,
		      const char *const *boards)
{
	struct wire_job copy = *job;
	struct buf run = {0};
	copy.id = ++peer->last_job;
	copy.board_count = 0;
	for (size_t i = 0; boards[i]; i++, copy.board_count++)
		wire_put_board(&run, text_of(boards[i]));
	copy.boards = buf_text(&run);
	wire_put_job(out, &copy);
	buf_free(&run);
	return copy.id;
}

uint64_t peer_send_job(struct peer *peer, const struct wire_job *job, const char *const *boards)
{
	struct buf out = {0};
	uint64_t id = peer_put_job(peer, &out, job, boards);
	peer_send(peer, buf_text(&out));
	buf_free(&out);
	return id;
}

struct wire_job peer_slow_job(const char *ms)
{
	struct wire_job job = peer_job(WIRE_SOLVE);
	job.options[0] = (struct wire_option){text_of("delay_ms"), text_of(ms), WIRE_NUMBER};
	job.option_count = 1;
	return job;
}

struct wire_job peer_endless_job(void)
{
	return peer_slow_job("600000");
}

void sleep_ms(int ms)
{
	struct timespec rest = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
	nanosleep(&rest, NULL);
}

void peer_await(struct peer *peer, uint64_t job, uint32_t board)
{
	for (int waited = 0; waited < PEER_PATIENCE_MS; waited++) {
		if (atomic_load_explicit(&peer->page->job, memory_order_acquire) == job &&
		    atomic_load(&peer->page->board) == board)
			return;
		sleep_ms(1);
	}
	fail_msg("board %u of job %llu has not begun", board, (unsigned long long)job);
}

/* ---- receiving ---- */

/* Reads more.  False: end-of-file. */
static bool receive(struct peer *peer)
{
	struct pollfd poller = {.fd = peer->fd, .events = POLLIN};
	assert_int_equal(poll(&poller, 1, PEER_PATIENCE_MS), 1);
	char *place = buf_reserve(&peer->in, 64 * 1024);
	assert_non_null(place);
	ssize_t got = recv(peer->fd, place, 64 * 1024, 0);
	if (got < 0 && errno == ECONNRESET)
		got = 0;
	assert_true(got >= 0);
	buf_commit(&peer->in, (size_t)got);
	return got > 0;
}

bool peer_next(struct peer *peer, struct frame *ret)
{
	size_t used;
	int rc;
	while ((rc = frame_next(buf_text(&peer->in), LIMIT_FRAME_UP, ret, &used)) == 0) {
		if (!receive(peer)) {
			assert_int_equal(buf_len(&peer->in), 0);
			return false;
		}
	}
	assert_int_equal(rc, 1);
	assert_true(peer->kept_count < PEER_FRAMES);
	char *kept = malloc(ret->payload.len + 1);
	assert_non_null(kept);
	memcpy(kept, ret->payload.data, ret->payload.len);
	peer->kept[peer->kept_count++] = kept;
	ret->payload.data = kept;
	buf_drop(&peer->in, used);
	return true;
}

struct text peer_expect(struct peer *peer, enum wire_type type)
{
	struct frame frame;
	if (!peer_next(peer, &frame)) {
		char *noise = peer_noise(peer);
		print_error("the worker is gone: %s\n", noise);
		free(noise);
		fail();
	}
	if (frame.type == WIRE_REFUSED && type != WIRE_REFUSED) {
		struct wire_refused refused;
		assert_int_equal(wire_get_refused(frame.payload, &refused), 0);
		print_error("refused: %.*s\n", (int)refused.reason.len, refused.reason.data);
	}
	assert_int_equal(frame.type, type);
	return frame.payload;
}

void peer_results(struct peer *peer, uint64_t job, uint32_t count, struct wire_result *ret)
{
	uint32_t next = 0;
	while (next < count) {
		struct wire_results results;
		assert_int_equal(wire_get_results(peer_expect(peer, WIRE_RESULT), &results), 0);
		assert_int_equal(results.job, job);
		assert_int_equal(results.first, next);
		assert_true(results.count <= count - next);
		for (uint32_t i = 0; i < results.count; i++)
			assert_int_equal(wire_next_result(&results, &ret[next++]), 0);
		assert_true(cursor_done(&results.rest));
	}
}

struct wire_result peer_ask(struct peer *peer, const struct wire_job *job, const char *board)
{
	struct wire_result result;
	uint64_t id = peer_send_job(peer, job, (const char *const[]){board, NULL});
	peer_results(peer, id, 1, &result);
	return result;
}

/* ---- ending ---- */

int peer_wait(struct peer *peer)
{
	struct frame frame;
	int status;
	while (peer_next(peer, &frame))
		fail_msg("a frame of type %u where none is due", frame.type);
	assert_int_equal(waitpid(peer->pid, &status, 0), peer->pid);
	close(peer->fd);
	munmap(peer->page, WIRE_PAGE_SIZE);
	fclose(peer->noise);
	buf_free(&peer->in);
	for (size_t i = 0; i < peer->kept_count; i++)
		free(peer->kept[i]);
	return status;
}

void peer_end(struct peer *peer)
{
	shutdown(peer->fd, SHUT_WR);
	int status = peer_wait(peer);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

char *peer_noise(struct peer *peer)
{
	long len;
	fseek(peer->noise, 0, SEEK_END);
	len = ftell(peer->noise);
	assert_true(len >= 0);
	rewind(peer->noise);
	char *noise = calloc(1, (size_t)len + 1);
	assert_non_null(noise);
	assert_int_equal(fread(noise, 1, (size_t)len, peer->noise), len);
	return noise;
}

/* ---- saying ---- */

void assert_text(struct text text, const char *string)
{
	assert_non_null(text.data);
	if (!text_is(text, string))
		fail_msg("\"%.*s\" is not \"%s\"", (int)text.len, text.data, string);
}

void assert_has(struct text text, const char *part)
{
	assert_non_null(text.data);
	if (!memmem(text.data, text.len, part, strlen(part)))
		fail_msg("\"%.*s\" does not contain \"%s\"", (int)text.len, text.data, part);
}

void assert_failure(const struct wire_result *result, enum error_kind kind, const char *part)
{
	assert_int_equal(result->status, WIRE_FAILED);
	assert_string_equal(error_info(result->error)->name, error_info(kind)->name);
	assert_has(result->reason, part);
}
