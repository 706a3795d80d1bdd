/* SPDX-License-Identifier: MIT */
/* How a worker ends: with the daemon, with a daemon that talks nonsense, with a plugin that
 * misbehaves. */
#include "config.h"

#include "tests/cmocka_first.h"

#include "tests/worker_peer.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A literal with all its bytes. */
#define BYTES(literal)                                                                             \
	{                                                                                          \
		literal, sizeof(literal) - 1                                                       \
	}

#define BOARDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- the end of the channel, and of the daemon --------------------------------------------- */

static void the_end_of_the_channel_ends_an_idle_worker(void **state)
{
	struct peer peer;
	(void)state;
	peer_open(&peer, "good");
	peer_end(&peer);
}

static void the_end_of_the_channel_ends_a_running_job(void **state)
{
	struct peer peer;
	struct wire_job job = peer_endless_job();
	(void)state;
	peer_open(&peer, "good");
	uint64_t id = peer_send_job(&peer, &job, BOARDS("1"));
	peer_await(&peer, id, 0);
	peer_end(&peer);
}

static void the_end_of_the_channel_before_any_frame_is_an_end(void **state)
{
	struct peer peer;
	(void)state;
	peer_start(&peer);
	peer_end(&peer);
}

static void a_worker_dies_with_the_process_that_started_it(void **state)
{
	struct peer peer;
	struct wire_job hang = peer_job(WIRE_SOLVE);
	int fds[2];
	pid_t worker = 0;
	char byte;
	(void)state;
	assert_int_equal(pipe(fds), 0);
	/* A number that the worker's own descriptors do not take its place at. */
	int kept = fcntl(fds[1], F_DUPFD, 20);
	assert_true(kept >= 20);
	close(fds[1]);
	pid_t daemon = fork();
	assert_true(daemon >= 0);
	if (daemon == 0) {
		/* The channel stays open in the test: only the parent's death can end a worker that
		 * hangs. */
		peer_open(&peer, "hang");
		uint64_t id = peer_send_job(&peer, &hang, BOARDS("hang"));
		peer_await(&peer, id, 0);
		ssize_t told = write(kept, &peer.pid, sizeof(peer.pid));
		_exit(told == sizeof(peer.pid) ? 0 : 1);
	}
	close(kept);
	assert_int_equal(read(fds[0], &worker, sizeof(worker)), sizeof(worker));
	assert_int_equal(waitpid(daemon, NULL, 0), daemon);
	/* The worker has the pipe open too: its end is the worker's. */
	struct pollfd poller = {.fd = fds[0], .events = POLLIN};
	if (poll(&poller, 1, PEER_PATIENCE_MS) != 1) {
		kill(worker, SIGKILL);
		fail_msg("the worker lives on");
	}
	assert_int_equal(read(fds[0], &byte, 1), 0);
	close(fds[0]);
}

/* ---- a daemon that talks nonsense ---------------------------------------------------------- */

static void expect_complaint(struct peer *peer, const char *part)
{
	char *noise = NULL;
	for (int waited = 0; waited < PEER_PATIENCE_MS; waited += 10) {
		free(noise);
		noise = peer_noise(peer);
		if (strstr(noise, part))
			break;
		sleep_ms(10);
	}
	assert_non_null(strstr(noise, part));
	free(noise);
	int status = peer_wait(peer);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
}

static void nonsense_instead_of_a_setup_ends_the_worker_with_a_complaint(void **state)
{
	static const struct text nonsense[] = {
		BYTES("GET / HTTP/1.1\r\nHost: worker\r\n\r\n"), /* an enormous length */
		BYTES("\4\0\0\0\1\0\0\0\1\0\0\0"),               /* a SETUP that is cut short */
		BYTES("\0\0\0\0\2\0\0\0"),                       /* a JOB first */
		BYTES("\0\0\0\0\143\0\0\0"),                     /* an unknown type */
	};
	(void)state;
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) {
		struct peer peer;
		peer_start(&peer);
		peer_send(&peer, nonsense[i]);
		expect_complaint(&peer, "first frame");
	}
}

static void nonsense_after_the_setup_ends_the_worker_with_a_complaint(void **state)
{
	struct peer peer;
	struct buf out = {0};
	(void)state;
	/* A job that is none. */
	peer_open(&peer, "good");
	frame_end(&out, frame_begin(&out, WIRE_JOB));
	peer_send(&peer, buf_text(&out));
	expect_complaint(&peer, "the daemon's frames");
	/* What only a worker sends. */
	peer_open(&peer, "good");
	buf_clear(&out);
	wire_put_ack(&out, 1, true);
	peer_send(&peer, buf_text(&out));
	expect_complaint(&peer, "the daemon's frames");
	/* A second SETUP. */
	peer_open(&peer, "good");
	buf_clear(&out);
	struct wire_setup setup = peer_setup("good");
	wire_put_setup(&out, &setup);
	peer_send(&peer, buf_text(&out));
	expect_complaint(&peer, "the daemon's frames");
	buf_free(&out);
}

static void nonsense_while_a_job_runs_stops_it_and_ends_the_worker(void **state)
{
	struct peer peer;
	struct wire_job job = peer_endless_job();
	struct wire_result result;
	(void)state;
	peer_open(&peer, "good");
	uint64_t id = peer_send_job(&peer, &job, BOARDS("1"));
	peer_await(&peer, id, 0);
	peer_send(&peer, (struct text)BYTES("\377\377\377\377\377\377\377\377"));
	peer_results(&peer, id, 1, &result);
	assert_int_equal(result.status, WIRE_STOPPED);
	expect_complaint(&peer, "the daemon's frames");
}

static void a_job_before_nonsense_is_left_to_another_worker(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct buf out = {0};
	(void)state;
	peer_open(&peer, "good");
	peer_put_job(&peer, &out, &job, BOARDS("1"));
	buf_put_string(&out, "nonsense and more of it");
	peer_send(&peer, buf_text(&out));
	buf_free(&out);
	expect_complaint(&peer, "the daemon's frames");
}

/* Jobs spoiled at random: each is answered, or the end with a complaint; never a crash. */
static void spoiled_jobs_never_crash_a_worker(void **state)
{
	enum { WORKERS = 200, JOBS = 8 };
	(void)state;
	srand(1);
	for (int round = 0; round < WORKERS; round++) {
		struct peer peer;
		struct wire_job job = peer_job(round % 2 ? WIRE_SOLVE : WIRE_VERIFY);
		struct buf out = {0};
		struct frame frame;
		int status;
		peer_open(&peer, "good");
		job.flags = WIRE_TRACE | WIRE_RENDER;
		job.moves = text_of("-\n-\n");
		job.options[0] = (struct wire_option){text_of("step"), text_of("1"), WIRE_NUMBER};
		job.option_count = 1;
		for (int i = 0; i < JOBS; i++) {
			size_t start = buf_len(&out);
			peer_put_job(&peer, &out, &job, BOARDS("1", "2"));
			/* Lengths of frames stay: else the worker would wait for the rest of
			 * one. */
			size_t at = start + FRAME_HEADER +
				    (size_t)rand() % (buf_len(&out) - start - FRAME_HEADER);
			out.block[out.start + at] ^= (char)(1 + rand() % 255);
		}
		peer_send(&peer, buf_text(&out));
		buf_free(&out);
		shutdown(peer.fd, SHUT_WR);
		while (peer_next(&peer, &frame))
			assert_int_equal(frame.type, WIRE_RESULT);
		status = peer_wait(&peer);
		assert_true(WIFEXITED(status));
		assert_true(WEXITSTATUS(status) <= 1);
	}
}

/* ---- plugins that die, print, or meddle ---------------------------------------------------- */

static int status_after(const char *plugin, const char *board)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_result result;
	peer_open(&peer, plugin);
	uint64_t id = peer_send_job(&peer, &job, BOARDS("1"));
	peer_results(&peer, id, 1, &result);
	assert_int_equal(result.status, WIRE_SOLVED);
	id = peer_send_job(&peer, &job, BOARDS("2", board, "3"));
	peer_await(&peer, id, 1);
	return peer_wait(&peer);
}

static void a_crash_leaves_its_cause_and_its_board_behind(void **state)
{
	(void)state;
	int status = status_after("crash_solve", "crash");
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	status = status_after("crash_solve", "abort");
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	status = status_after("crash_solve", "exit");
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
}

static void what_a_plugin_prints_never_reaches_the_channel(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "noisy");
	assert_int_equal(peer_ask(&peer, &job, "2").status, WIRE_SOLVED);
	assert_int_equal(peer_ask(&peer, &job, "flood").status, WIRE_SOLVED);
	assert_int_equal(peer_ask(&peer, &job, "4").length, 4);
	char *noise = peer_noise(&peer);
	assert_non_null(strstr(noise, "this is not the answer you want"));
	assert_true(strlen(noise) > 1000 * 1000);
	free(noise);
	peer_end(&peer);
}

static void a_plugin_that_closes_all_descriptors_ends_only_its_worker(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "closer");
	peer_send_job(&peer, &job, BOARDS("close"));
	int status = peer_wait(&peer);
	assert_true(WIFEXITED(status));
}

static void what_a_plugin_scribbles_on_the_channel_is_no_frame(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct frame frame;
	size_t used;
	char bytes[512];
	(void)state;
	peer_open(&peer, "closer");
	peer_send_job(&peer, &job, BOARDS("scribble"));
	assert_int_equal(recv(peer.fd, bytes, sizeof(bytes), MSG_WAITALL), sizeof(bytes));
	assert_true(frame_next((struct text){bytes, sizeof(bytes)}, LIMIT_FRAME_UP, &frame, &used) <
		    0);
	kill(peer.pid, SIGKILL);
	while (peer_next(&peer, &frame))
		continue;
	peer_wait(&peer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_of_the_channel_ends_an_idle_worker),
		cmocka_unit_test(the_end_of_the_channel_ends_a_running_job),
		cmocka_unit_test(the_end_of_the_channel_before_any_frame_is_an_end),
		cmocka_unit_test(a_worker_dies_with_the_process_that_started_it),
		cmocka_unit_test(nonsense_instead_of_a_setup_ends_the_worker_with_a_complaint),
		cmocka_unit_test(nonsense_after_the_setup_ends_the_worker_with_a_complaint),
		cmocka_unit_test(nonsense_while_a_job_runs_stops_it_and_ends_the_worker),
		cmocka_unit_test(a_job_before_nonsense_is_left_to_another_worker),
		cmocka_unit_test(spoiled_jobs_never_crash_a_worker),
		cmocka_unit_test(a_crash_leaves_its_cause_and_its_board_behind),
		cmocka_unit_test(what_a_plugin_prints_never_reaches_the_channel),
		cmocka_unit_test(a_plugin_that_closes_all_descriptors_ends_only_its_worker),
		cmocka_unit_test(what_a_plugin_scribbles_on_the_channel_is_no_frame),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
