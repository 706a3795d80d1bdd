/* SPDX-License-Identifier: MIT */
/* How a worker behaves on its channel: order, batches, cancelling, and progress. */
#include "config.h"

#include "tests/cmocka_first.h"

#include "tests/worker_peer.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BOARDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void send_number(struct peer *peer, void (*put)(struct buf *out, uint64_t job), uint64_t job)
{
	struct buf out = {0};
	put(&out, job);
	peer_send(peer, buf_text(&out));
	buf_free(&out);
}

static void expect_ack(struct peer *peer, uint64_t job, bool began)
{
	uint64_t acked;
	bool has_begun;
	assert_int_equal(wire_get_ack(peer_expect(peer, WIRE_ACK), &acked, &has_begun), 0);
	assert_int_equal(acked, job);
	assert_int_equal(has_begun, began);
}

/* ---- order and batches --------------------------------------------------------------------- */

static void many_jobs_sent_at_once_are_answered_in_order(void **state)
{
	enum { JOBS = 2000 };
	struct peer peer;
	struct buf out = {0};
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_result result;
	(void)state;
	peer_open(&peer, "good");
	for (int i = 0; i < JOBS; i++)
		peer_put_job(&peer, &out, &job, i % 3 ? BOARDS("2") : BOARDS("5"));
	peer_send(&peer, buf_text(&out));
	for (uint64_t id = 1; id <= JOBS; id++) {
		peer_results(&peer, id, 1, &result);
		assert_int_equal(result.length, (id - 1) % 3 ? 2 : 5);
	}
	buf_free(&out);
	peer_end(&peer);
}

static void frames_may_come_a_byte_at_a_time(void **state)
{
	struct peer peer;
	struct buf out = {0};
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_result results[2];
	(void)state;
	peer_open(&peer, "good");
	uint64_t id = peer_put_job(&peer, &out, &job, BOARDS("2", "4"));
	struct text bytes = buf_text(&out);
	for (size_t i = 0; i < bytes.len; i++)
		peer_send(&peer, (struct text){bytes.data + i, 1});
	peer_results(&peer, id, 2, results);
	assert_int_equal(results[1].length, 4);
	buf_free(&out);
	peer_end(&peer);
}

static void a_stream_of_large_frames_passes_through_the_input(void **state)
{
	/* Sent without a pause: what is left over is moved to the front of the input again and
	 * again. */
	enum { JOBS = 100, PADDING = 170 * 1000 };
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_result result;
	char *padding = calloc(1, PADDING);
	(void)state;
	assert_non_null(padding);
	peer_open(&peer, "good");
	/* SOLVE does not look at the moves: they are as good as anything to fill a frame. */
	job.moves = (struct text){padding, PADDING};
	for (int i = 0; i < JOBS; i++)
		peer_send_job(&peer, &job, i % 2 ? BOARDS("3") : BOARDS("6"));
	for (uint64_t id = 1; id <= JOBS; id++) {
		peer_results(&peer, id, 1, &result);
		assert_int_equal(result.length, (id - 1) % 2 ? 3 : 6);
	}
	free(padding);
	peer_end(&peer);
}

static void results_of_a_long_slice_come_while_it_runs(void **state)
{
	struct peer peer;
	struct wire_job job = peer_slow_job("20");
	struct wire_results results;
	(void)state;
	peer_open(&peer, "good");
	peer_send_job(&peer, &job, BOARDS("1", "2", "3", "4"));
	for (uint32_t board = 0; board < 4; board++) {
		assert_int_equal(wire_get_results(peer_expect(&peer, WIRE_RESULT), &results), 0);
		assert_int_equal(results.first, board);
		assert_int_equal(results.count, 1);
	}
	peer_end(&peer);
}

static void the_page_says_which_board_is_at_work(void **state)
{
	struct peer peer;
	struct wire_job quick = peer_job(WIRE_SOLVE), endless = peer_endless_job();
	struct wire_result results[2];
	(void)state;
	peer_open(&peer, "good");
	assert_int_equal(atomic_load(&peer.page->job), 0);
	uint64_t first = peer_send_job(&peer, &quick, BOARDS("1", "2"));
	peer_results(&peer, first, 2, results);
	peer_await(&peer, first, 1);
	uint64_t second = peer_send_job(&peer, &endless, BOARDS("1"));
	peer_await(&peer, second, 0);
	kill(peer.pid, SIGKILL);
	assert_true(WIFSIGNALED(peer_wait(&peer)));
}

/* ---- CANCEL and RECALL --------------------------------------------------------------------- */

static void a_running_job_is_cancelled_with_the_bound_it_proved(void **state)
{
	struct peer peer;
	struct wire_job job = peer_endless_job(), quick = peer_job(WIRE_SOLVE);
	struct wire_result result;
	(void)state;
	peer_open(&peer, "good");
	uint64_t id = peer_send_job(&peer, &job, BOARDS("7"));
	peer_await(&peer, id, 0);
	send_number(&peer, wire_put_cancel, id);
	expect_ack(&peer, id, true);
	peer_results(&peer, id, 1, &result);
	assert_int_equal(result.status, WIRE_STOPPED);
	assert_int_equal(result.lower_bound, 7);
	assert_int_equal(peer_ask(&peer, &quick, "3").status, WIRE_SOLVED);
	peer_end(&peer);
}

static void cancelling_a_slice_stops_its_other_boards(void **state)
{
	struct peer peer;
	struct wire_job job = peer_endless_job();
	struct wire_result results[3];
	(void)state;
	peer_open(&peer, "good");
	uint64_t id = peer_send_job(&peer, &job, BOARDS("x", "5", "6"));
	peer_await(&peer, id, 1);
	send_number(&peer, wire_put_cancel, id);
	/* The first board's result may be on its way already: it is, being older than a
	 * millisecond, or it comes with the others. */
	struct frame frame;
	assert_true(peer_next(&peer, &frame));
	struct wire_results head;
	uint32_t got = 0;
	for (bool acked = false; !acked || got < 3;) {
		if (frame.type == WIRE_ACK) {
			acked = true;
		} else {
			assert_int_equal(frame.type, WIRE_RESULT);
			assert_int_equal(wire_get_results(frame.payload, &head), 0);
			assert_int_equal(head.first, got);
			for (uint32_t i = 0; i < head.count; i++)
				assert_int_equal(wire_next_result(&head, &results[got++]), 0);
		}
		if (!acked || got < 3)
			assert_true(peer_next(&peer, &frame));
	}
	assert_failure(&results[0], ERR_INVALID_BOARD, "whole number");
	assert_int_equal(results[1].status, WIRE_STOPPED);
	assert_int_equal(results[1].lower_bound, 5);
	assert_int_equal(results[2].status, WIRE_STOPPED);
	assert_int_equal(results[2].lower_bound, 0);
	peer_end(&peer);
}

static void between_boards_a_cancel_is_heard_though_the_plugin_never_polls(void **state)
{
	enum { COUNT = 64 };
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_results results;
	struct wire_result result;
	struct frame frame;
	const char *boards[COUNT + 1] = {NULL};
	uint32_t stopped = 0, got = 0;
	(void)state;
	for (int i = 0; i < COUNT; i++)
		boards[i] = "slow";
	peer_open(&peer, "hang");
	uint64_t id = peer_send_job(&peer, &job, boards);
	peer_await(&peer, id, 0);
	send_number(&peer, wire_put_cancel, id);
	while (got < COUNT) {
		assert_true(peer_next(&peer, &frame));
		if (frame.type == WIRE_ACK)
			continue;
		assert_int_equal(wire_get_results(frame.payload, &results), 0);
		for (uint32_t i = 0; i < results.count; i++, got++) {
			assert_int_equal(wire_next_result(&results, &result), 0);
			stopped += result.status == WIRE_STOPPED;
		}
	}
	assert_true(stopped > COUNT / 2);
	peer_end(&peer);
}

static void a_waiting_job_is_dropped_and_never_answered(void **state)
{
	struct peer peer;
	struct wire_job job = peer_endless_job(), quick = peer_job(WIRE_SOLVE);
	struct wire_result result;
	(void)state;
	peer_open(&peer, "good");
	uint64_t running = peer_send_job(&peer, &job, BOARDS("1"));
	uint64_t cancelled = peer_send_job(&peer, &quick, BOARDS("2"));
	uint64_t recalled = peer_send_job(&peer, &quick, BOARDS("3"));
	uint64_t last = peer_send_job(&peer, &quick, BOARDS("4"));
	peer_await(&peer, running, 0);
	send_number(&peer, wire_put_cancel, cancelled);
	send_number(&peer, wire_put_recall, recalled);
	expect_ack(&peer, cancelled, false);
	expect_ack(&peer, recalled, false);
	send_number(&peer, wire_put_cancel, running);
	expect_ack(&peer, running, true);
	peer_results(&peer, running, 1, &result);
	assert_int_equal(result.status, WIRE_STOPPED);
	peer_results(&peer, last, 1, &result);
	assert_int_equal(result.length, 4);
	peer_end(&peer);
}

static void recalling_the_running_job_does_not_stop_it(void **state)
{
	struct peer peer;
	struct wire_job job = peer_slow_job("300");
	struct wire_result result;
	(void)state;
	peer_open(&peer, "good");
	uint64_t id = peer_send_job(&peer, &job, BOARDS("3"));
	peer_await(&peer, id, 0);
	send_number(&peer, wire_put_recall, id);
	expect_ack(&peer, id, true);
	peer_results(&peer, id, 1, &result);
	assert_int_equal(result.status, WIRE_SOLVED);
	peer_end(&peer);
}

static void cancelling_what_is_answered_or_unknown_says_nothing_and_harms_nobody(void **state)
{
	struct peer peer;
	struct wire_job quick = peer_job(WIRE_SOLVE), job = peer_slow_job("50");
	struct wire_result result;
	(void)state;
	peer_open(&peer, "good");
	uint64_t first = peer_send_job(&peer, &quick, BOARDS("1"));
	peer_results(&peer, first, 1, &result);
	send_number(&peer, wire_put_cancel, first);
	send_number(&peer, wire_put_cancel, 12345);
	uint64_t second = peer_send_job(&peer, &job, BOARDS("2"));
	send_number(&peer, wire_put_cancel, first);
	peer_results(&peer, second, 1, &result);
	assert_int_equal(result.status, WIRE_SOLVED);
	peer_end(&peer);
}

static void job_and_cancel_in_one_packet_drop_the_job(void **state)
{
	struct peer peer;
	struct wire_job quick = peer_job(WIRE_SOLVE);
	struct wire_result result;
	struct buf out = {0};
	(void)state;
	peer_open(&peer, "good");
	uint64_t first = peer_put_job(&peer, &out, &quick, BOARDS("1"));
	wire_put_cancel(&out, first);
	uint64_t second = peer_put_job(&peer, &out, &quick, BOARDS("2"));
	peer_send(&peer, buf_text(&out));
	buf_free(&out);
	expect_ack(&peer, first, false);
	peer_results(&peer, second, 1, &result);
	assert_int_equal(result.length, 2);
	peer_end(&peer);
}

/* ---- PROGRESS and LOG ---------------------------------------------------------------------- */

static void progress_is_told_when_asked_for(void **state)
{
	struct peer peer;
	struct wire_job job = peer_endless_job();
	struct wire_progress first, second;
	(void)state;
	peer_open(&peer, "good");
	job.flags = WIRE_REPORT;
	uint64_t id = peer_send_job(&peer, &job, BOARDS("9"));
	assert_int_equal(wire_get_progress(peer_expect(&peer, WIRE_PROGRESS), &first), 0);
	assert_int_equal(wire_get_progress(peer_expect(&peer, WIRE_PROGRESS), &second), 0);
	assert_int_equal(first.job, id);
	assert_int_equal(first.board, 0);
	assert_int_equal(first.bound, 9);
	assert_true(second.nodes > first.nodes);
	assert_true(second.elapsed_us - first.elapsed_us >= PROGRESS_MS * 1000);
	kill(peer.pid, SIGKILL);
	while (peer_next(&peer, &(struct frame){0}))
		continue;
	assert_true(WIFSIGNALED(peer_wait(&peer)));
}

static void a_job_without_report_has_no_progress(void **state)
{
	struct peer peer;
	struct wire_job job = peer_slow_job("250");
	(void)state;
	peer_open(&peer, "good");
	/* peer_ask takes no other frame than the result. */
	assert_int_equal(peer_ask(&peer, &job, "9").status, WIRE_SOLVED);
	peer_end(&peer);
}

static void what_a_plugin_logs_comes_before_the_results_that_follow(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_result result;
	struct text line;
	uint32_t level;
	(void)state;
	peer_open(&peer, "good");
	job.options[0] = (struct wire_option){text_of("loud"), text_of("true"), WIRE_BOOLEAN};
	job.option_count = 1;
	uint64_t id = peer_send_job(&peer, &job, BOARDS("1"));
	assert_int_equal(wire_get_log(peer_expect(&peer, WIRE_LOG), &level, &line), 0);
	assert_int_equal(level, 6);
	assert_text(line, "a board");
	peer_results(&peer, id, 1, &result);
	peer_end(&peer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_jobs_sent_at_once_are_answered_in_order),
		cmocka_unit_test(frames_may_come_a_byte_at_a_time),
		cmocka_unit_test(a_stream_of_large_frames_passes_through_the_input),
		cmocka_unit_test(results_of_a_long_slice_come_while_it_runs),
		cmocka_unit_test(the_page_says_which_board_is_at_work),
		cmocka_unit_test(a_running_job_is_cancelled_with_the_bound_it_proved),
		cmocka_unit_test(cancelling_a_slice_stops_its_other_boards),
		cmocka_unit_test(between_boards_a_cancel_is_heard_though_the_plugin_never_polls),
		cmocka_unit_test(a_waiting_job_is_dropped_and_never_answered),
		cmocka_unit_test(recalling_the_running_job_does_not_stop_it),
		cmocka_unit_test(
			cancelling_what_is_answered_or_unknown_says_nothing_and_harms_nobody),
		cmocka_unit_test(job_and_cancel_in_one_packet_drop_the_job),
		cmocka_unit_test(progress_is_told_when_asked_for),
		cmocka_unit_test(a_job_without_report_has_no_progress),
		cmocka_unit_test(what_a_plugin_logs_comes_before_the_results_that_follow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
