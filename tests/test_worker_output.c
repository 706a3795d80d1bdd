/* SPDX-License-Identifier: MIT */
/* What the channel does with results that are large: in process, since no test plugin has such. */
#include "tests/cmocka_first.h"

#include "common/errors.h"
#include "worker/channel.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL = 20 * 1000 };

/* A result whose trace has so many bytes. */
static struct wire_result result_of(const char *bytes, size_t len)
{
	return (struct wire_result){.status = WIRE_SOLVED, .trace = {bytes, len}};
}

/* In the child: three results of one job, of these sizes. */
static _Noreturn void send_results(int fd, const size_t *sizes, size_t count)
{
	static struct channel channel;
	static struct wire_page page;
	const char *bytes = calloc(1, 2 * LIMIT_FRAME_UP);
	if (!bytes || channel_init(&channel, fd, &page) < 0)
		_exit(1);
	channel_begin(&channel, 1);
	for (uint32_t i = 0; i < count; i++) {
		struct wire_result result = result_of(bytes, sizes[i]);
		/* Never due by its age. */
		channel_result(&channel, i, &result, UINT64_MAX);
	}
	channel_end(&channel);
	channel_flush(&channel);
	_exit(0);
}

/* Has results of these sizes sent and takes them; every frame must be within the limit.  Returns
 * the frames. */
static unsigned pass(const size_t *sizes, size_t count, struct wire_result *ret)
{
	int pair[2], status;
	struct buf in = {0};
	unsigned frames = 0;
	uint32_t got = 0;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0)
		send_results(pair[1], sizes, count);
	close(pair[1]);
	for (;;) {
		char *place = buf_reserve(&in, 64 * 1024);
		assert_non_null(place);
		ssize_t len = recv(pair[0], place, 64 * 1024, 0);
		assert_true(len >= 0);
		if (len == 0)
			break;
		buf_commit(&in, (size_t)len);
	}
	while (buf_len(&in)) {
		struct frame frame;
		struct wire_results results;
		size_t used;
		assert_int_equal(frame_next(buf_text(&in), LIMIT_FRAME_UP, &frame, &used), 1);
		assert_int_equal(wire_get_results(frame.payload, &results), 0);
		assert_int_equal(results.first, got);
		for (uint32_t i = 0; i < results.count; i++) {
			assert_true(got < count);
			assert_int_equal(wire_next_result(&results, &ret[got]), 0);
			/* The bytes go away with the buffer: only their number is looked at. */
			if (ret[got].status == WIRE_SOLVED)
				assert_int_equal(ret[got].trace.len, sizes[got]);
			got++;
		}
		buf_drop(&in, used);
		frames++;
	}
	assert_int_equal(got, count);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close(pair[0]);
	buf_free(&in);
	return frames;
}

static void small_results_share_a_frame(void **state)
{
	static const size_t sizes[] = {10, 20, 30};
	struct wire_result results[3];
	(void)state;
	assert_int_equal(pass(sizes, 3, results), 1);
}

static void a_large_result_begins_a_frame_where_it_would_overflow_the_last(void **state)
{
	static const size_t sizes[] = {SMALL, LIMIT_FRAME_UP - SMALL / 2, 10};
	struct wire_result results[3];
	(void)state;
	assert_int_equal(pass(sizes, 3, results), 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(results[i].status, WIRE_SOLVED);
}

static void a_result_that_fits_no_frame_fails_and_the_next_does_not(void **state)
{
	static const size_t sizes[] = {10, LIMIT_FRAME_UP, 10};
	struct wire_result results[3];
	(void)state;
	pass(sizes, 3, results);
	assert_int_equal(results[0].status, WIRE_SOLVED);
	assert_int_equal(results[1].status, WIRE_FAILED);
	assert_int_equal(results[1].error, ERR_INVALID_PARAMS);
	assert_int_equal(results[2].status, WIRE_SOLVED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_results_share_a_frame),
		cmocka_unit_test(a_large_result_begins_a_frame_where_it_would_overflow_the_last),
		cmocka_unit_test(a_result_that_fits_no_frame_fails_and_the_next_does_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
