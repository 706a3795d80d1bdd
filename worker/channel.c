/* SPDX-License-Identifier: MIT */
#include "worker/channel.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	FRAME_SKIP = 0,         /* type of a frame in the input that has been dealt with */
	OUT_BLOCK = 60 * 1024,  /* first block of output: small enough for buf to keep it */
	OUT_SPARE = 128 * 1024, /* what may stand in the output beside one frame of the largest */
	RESULT_FIXED = 256      /* more than a result without its path, iterations and texts */
};

int channel_init(struct channel *channel, int fd, struct wire_page *page)
{
	*channel = (struct channel){
		.fd = fd,
		.page = page,
		.input = malloc(CHANNEL_INPUT),
		.out.max = LIMIT_FRAME_UP + OUT_SPARE,
	};
	return channel->input && buf_reserve(&channel->out, OUT_BLOCK) ? 0 : -ENOMEM;
}

/* The daemon is gone. */
static _Noreturn void hang_up(void)
{
	_exit(0);
}

/* Not even the memory for a small frame: what the daemon waits for cannot be said. */
static _Noreturn void give_up(void)
{
	static const char line[] = "puzzled-worker: no memory left to answer\n";
	ssize_t ignored = write(STDERR_FILENO, line, sizeof(line) - 1);
	(void)ignored;
	_exit(EXIT_FAILURE);
}

/* ---- out ---- */

static void close_results(struct channel *channel)
{
	if (channel->count)
		wire_end_results(&channel->out, channel->frame, channel->count);
	channel->count = 0;
}

void channel_flush(struct channel *channel)
{
	struct buf *out = &channel->out;
	close_results(channel);
	channel->since = 0;
	while (buf_len(out)) {
		ssize_t sent = send(channel->fd, buf_data(out), buf_len(out), MSG_NOSIGNAL);
		if (sent >= 0)
			buf_drop(out, (size_t)sent);
		else if (errno != EINTR)
			hang_up();
	}
}

struct buf *channel_frame(struct channel *channel)
{
	close_results(channel);
	return &channel->out;
}

void channel_sent(struct channel *channel, bool urgent)
{
	if (channel->out.failed)
		give_up();
	if (urgent || buf_len(&channel->out) >= CHANNEL_BATCH)
		channel_flush(channel);
	else if (!channel->since)
		channel->since = clock_ns();
}

/* Bytes that the result may take in a frame, rounded up. */
static size_t result_size(const struct wire_result *result)
{
	return RESULT_FIXED + result->length * sizeof(uint16_t) +
	       result->iteration_count * sizeof(struct wire_iteration) + result->final.len +
	       result->trace.len + result->render.len + result->reason.len;
}

/* Appends the result to the open frame, or nothing at all. */
static bool put_result(struct channel *channel, uint32_t board, const struct wire_result *result)
{
	struct buf *out = &channel->out;
	size_t before = buf_len(out);
	if (!channel->count)
		channel->frame = wire_begin_results(out, channel->job, board);
	wire_put_result(out, result);
	if (!out->failed) {
		channel->count++;
		return true;
	}
	out->failed = false;
	out->end = out->start + before;
	return false;
}

void channel_result(struct channel *channel, uint32_t board, const struct wire_result *result,
		    uint64_t now)
{
	static const char too_large[] = "the answer takes more bytes than one may have; ask for it "
					"without trace and render";
	static const char no_memory[] = "there is no memory left for the answer";
	struct buf *out = &channel->out;
	size_t size = result_size(result);
	struct wire_result failure = {.status = WIRE_FAILED, .elapsed_ns = result->elapsed_ns};

	if (size > LIMIT_FRAME_UP - RESULT_FIXED) {
		failure.error = ERR_INVALID_PARAMS;
		failure.reason = (struct text){too_large, sizeof(too_large) - 1};
		result = &failure;
	} else if (channel->count &&
		   buf_len(out) - channel->frame + size > LIMIT_FRAME_UP - RESULT_FIXED) {
		channel_flush(channel);
	}
	if (!put_result(channel, board, result)) {
		failure.error = ERR_MEMORY_LIMIT;
		failure.reason = (struct text){no_memory, sizeof(no_memory) - 1};
		channel_flush(channel);
		if (!put_result(channel, board, &failure))
			give_up();
	}
	if (!channel->since)
		channel->since = now;
	if (buf_len(out) >= CHANNEL_BATCH || now - channel->since >= CHANNEL_DELAY_NS)
		channel_flush(channel);
}

void channel_end(struct channel *channel)
{
	close_results(channel);
	channel->job = 0;
	channel->stop = false;
}

/* ---- in ---- */

static uint32_t frame_type(const char *header)
{
	uint32_t type;
	memcpy(&type, header + sizeof(uint32_t), sizeof(type));
	return type;
}

/* Has the frame passed over when its turn comes. */
static void skip_frame(char *header)
{
	const uint32_t type = FRAME_SKIP;
	memcpy(header + sizeof(uint32_t), &type, sizeof(type));
}

static size_t frame_size(const char *header)
{
	uint32_t len;
	memcpy(&len, header, sizeof(len));
	return FRAME_HEADER + (size_t)len;
}

/* Whether the frame, a whole one, is the job `id`. */
static bool is_job(const char *header, uint64_t id)
{
	uint64_t its;
	if (frame_type(header) != WIRE_JOB || frame_size(header) < FRAME_HEADER + sizeof(its))
		return false;
	memcpy(&its, header + FRAME_HEADER, sizeof(its));
	return its == id;
}

/* A CANCEL or RECALL: of the job that runs, of one that waits in the input, or of none. */
static int call_back(struct channel *channel, const struct frame *frame)
{
	uint64_t id;
	if (wire_get_cancel(frame->payload, &id) < 0 || id == 0)
		return -EPROTO;
	if (id == channel->job) {
		if (frame->type == WIRE_CANCEL)
			channel->stop = true;
		wire_put_ack(channel_frame(channel), id, true);
		channel_sent(channel, true);
		return 0;
	}
	for (size_t at = channel->next; at < channel->seen; at += frame_size(channel->input + at)) {
		if (is_job(channel->input + at, id)) {
			skip_frame(channel->input + at);
			wire_put_ack(channel_frame(channel), id, false);
			channel_sent(channel, true);
			break;
		}
	}
	return 0;
}

/* Looks through the frames that have become whole. */
static int scan(struct channel *channel)
{
	for (;;) {
		struct frame frame;
		size_t size;
		char *header = channel->input + channel->seen;
		struct text rest = {header, channel->end - channel->seen};
		int rc = frame_next(rest, LIMIT_FRAME_DOWN, &frame, &size);
		if (rc <= 0)
			return rc;
		switch (frame.type) {
		case WIRE_SETUP:
		case WIRE_JOB:
			break;
		case WIRE_CANCEL:
		case WIRE_RECALL:
			rc = call_back(channel, &frame);
			if (rc < 0)
				return rc;
			skip_frame(header);
			break;
		default:
			return -EPROTO;
		}
		channel->seen += size;
	}
}

/* Receives once.  Bytes received; 0: end-of-file; -EAGAIN: none there, or no room; else broken. */
static ssize_t receive(struct channel *channel, int flags)
{
	ssize_t got;
	if (channel->end == CHANNEL_INPUT)
		return -EAGAIN;
	do
		got = recv(channel->fd, channel->input + channel->end, CHANNEL_INPUT - channel->end,
			   flags);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EWOULDBLOCK ? -EAGAIN : -errno;
	channel->end += (size_t)got;
	return got;
}

void channel_look(struct channel *channel, uint64_t now)
{
	channel->looked = now;
	if (channel->since && now - channel->since >= CHANNEL_DELAY_NS)
		channel_flush(channel);
	if (channel->broken)
		return;
	ssize_t got = receive(channel, MSG_DONTWAIT);
	if (got == 0 || got == -ECONNRESET)
		hang_up();
	if (got > 0)
		channel->broken = scan(channel);
	else if (got != -EAGAIN)
		channel->broken = (int)got;
	/* The plugin is in the middle of a job: it is stopped, and channel_next tells why. */
	if (channel->broken)
		channel->stop = true;
}

void channel_begin(struct channel *channel, uint64_t job)
{
	channel->job = job;
	channel->stop = false;
}

/* Makes room for at least one frame of the largest size.  No view into the input is in use. */
static void make_room(struct channel *channel)
{
	if (channel->next == channel->end) {
		channel->next = channel->seen = channel->end = 0;
	} else if (channel->next >= CHANNEL_INPUT / 2) {
		memmove(channel->input, channel->input + channel->next,
			channel->end - channel->next);
		channel->seen -= channel->next;
		channel->end -= channel->next;
		channel->next = 0;
	}
}

/* Receives without sleeping, as long as vigil.h has it.  -EAGAIN: there is nothing yet. */
static ssize_t receive_awake(struct channel *channel)
{
	enum vigil_step step = VIGIL_LOOK;
	ssize_t got;
	atomic_store_explicit(&channel->page->awake, 1, memory_order_relaxed);
	while ((got = receive(channel, MSG_DONTWAIT)) == -EAGAIN && step != VIGIL_SLEEP) {
		step = vigil_step(&channel->vigil, clock_ns());
		if (step == VIGIL_YIELD)
			sched_yield();
	}
	atomic_store_explicit(&channel->page->awake, 0, memory_order_relaxed);
	vigil_end(&channel->vigil, got != -EAGAIN, clock_ns());
	return got;
}

/* Receives once, and waits for it. */
static ssize_t await(struct channel *channel)
{
	ssize_t got = -EAGAIN;
	if (vigil_begin(&channel->vigil, clock_ns()))
		got = receive_awake(channel);
	return got == -EAGAIN ? receive(channel, 0) : got;
}

int channel_next(struct channel *channel, struct frame *ret)
{
	channel_end(channel);
	/* What is queued before a broken frame is left undone: the daemon gives it to another
	 * worker. */
	while (!channel->broken) {
		while (channel->next < channel->seen) {
			const char *header = channel->input + channel->next;
			size_t size = frame_size(header);
			channel->next += size;
			if (frame_type(header) != FRAME_SKIP) {
				*ret = (struct frame){frame_type(header),
						      {header + FRAME_HEADER, size - FRAME_HEADER}};
				return 1;
			}
		}
		make_room(channel);
		channel_flush(channel);
		ssize_t got = await(channel);
		if (got == 0 || got == -ECONNRESET)
			return 0;
		channel->broken = got > 0 ? scan(channel) : (int)got;
	}
	return channel->broken;
}
