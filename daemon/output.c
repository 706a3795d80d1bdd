/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "daemon/output.h"
#include "common/limits.h"
#include "common/log.h"
#include "daemon/burst.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

/* What a turn counts for, however little there was to read. */
enum { LEAST = LIMIT_OUTPUT_TURN / 64 };

struct output {
	struct loop *loop;
	struct event event;
	struct event resume; /* a flood waits in the pipe until then, and so blocks its writer */
	struct burst printed;
	int fd;
	int pid;
	char puzzle[LIMIT_NAME];
	struct log_bucket bucket;
	size_t len;
	char line[LIMIT_STDERR_LINE];
};

static void put_line(struct output *output)
{
	if (output->len && log_allow(&output->bucket))
		log_warning("worker_output", KV("puzzle", (const char *)output->puzzle),
			    KV("pid", output->pid),
			    KV("line", ((struct text){output->line, output->len})));
	output->len = 0;
}

static void take(struct output *output, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (data[i] == '\n')
			put_line(output);
		else if (output->len < sizeof(output->line))
			output->line[output->len++] = data[i];
	}
}

/* Reads at most so much.  Returns how much. */
static size_t drain(struct output *output, size_t limit)
{
	char data[4096];
	size_t total = 0;
	while (total < limit) {
		ssize_t got = read(output->fd, data, sizeof(data));
		if (got > 0) {
			take(output, data, (size_t)got);
			total += (size_t)got;
		} else if (got < 0 && errno == EINTR) {
			continue;
		} else {
			if (got == 0 || errno != EAGAIN)
				event_del(&output->event); /* else its end would wake us for ever */
			break;
		}
	}
	return total;
}

static void on_output(evutil_socket_t fd, short what, void *arg)
{
	static const struct timeval pause = {.tv_usec = CHATTER_MS * 1000};
	struct output *output = arg;
	int64_t now = loop_now_us();
	(void)fd, (void)what;
	size_t got = drain(output, LIMIT_OUTPUT_TURN);
	burst_add(&output->printed, now, got > LEAST ? got : LEAST);
	/* Without memory for the timer it goes on being read. */
	if (got && output->printed.amount >= LIMIT_OUTPUT_TURN &&
	    evtimer_add(&output->resume, &pause) == 0)
		event_del(&output->event);
	loop_settle(output->loop);
}

static void on_resume(evutil_socket_t fd, short what, void *arg)
{
	struct output *output = arg;
	(void)fd, (void)what;
	event_add(&output->event, NULL);
	on_output(fd, what, output);
}

struct output *output_open(struct loop *loop, const char *puzzle, int *ret_fd)
{
	int ends[2];
	struct output *output = calloc(1, sizeof(*output));
	if (!output)
		return NULL;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		free(output);
		return NULL;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	output->loop = loop;
	output->fd = ends[0];
	output->bucket = (struct log_bucket)LOG_BUCKET("worker_output", LIMIT_STDERR_LINES);
	strncpy(output->puzzle, puzzle, sizeof(output->puzzle) - 1);
	event_assign(&output->event, loop->base, output->fd, EV_READ | EV_PERSIST, on_output,
		     output);
	evtimer_assign(&output->resume, loop->base, on_resume, output);
	if (event_add(&output->event, NULL) < 0) {
		close(ends[0]);
		close(ends[1]);
		free(output);
		return NULL;
	}
	*ret_fd = ends[1];
	return output;
}

void output_set_pid(struct output *output, int pid)
{
	output->pid = pid;
}

void output_close(struct output *output)
{
	if (!output)
		return;
	drain(output, LIMIT_OUTPUT_TURN);
	put_line(output);
	log_bucket_flush(&output->bucket);
	event_del(&output->event);
	event_del(&output->resume);
	close(output->fd);
	free(output);
}
