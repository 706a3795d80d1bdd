/* SPDX-License-Identifier: MIT */
#include "daemon/stream.h"
#include "common/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

enum {
	READ_CHUNK = 64 * 1024,
	READ_LEAST = 4 * 1024 /* room in a block that is worth reading into */
};

/* Bytes to read next: what room there is, if that is enough, so that a block is not left for a
 * larger one after each read. */
static size_t next_chunk(const struct buf *in, size_t limit)
{
	size_t room = in->cap - in->end;
	size_t chunk = room >= READ_LEAST && room < READ_CHUNK ? room : READ_CHUNK;
	return limit < chunk ? limit : chunk;
}

static bool has_hung_up(const struct stream *stream)
{
	struct pollfd at = {.fd = stream->fd};
	return poll(&at, 1, 0) > 0 && (at.revents & (POLLHUP | POLLERR));
}

static void on_event(evutil_socket_t fd, short what, void *arg)
{
	struct stream *stream = arg;
	struct loop *loop = stream->loop;
	(void)fd;
	if (what & EV_READ)
		stream->readable = true;
	if (what & EV_CLOSED) {
		/* Half-closed and vanished look alike to libevent; poll tells them apart. */
		stream->readable = stream->closing = true;
		stream->gone = stream->gone || has_hung_up(stream);
	}
	stream->pump(stream->owner);
	/* An error, as where the peer went without reading all, is to libevent something to read,
	 * and a read finds
	 * it: if nobody has read, one must look. */
	if (stream->event && stream->readable && !stream->gone && has_hung_up(stream)) {
		stream->gone = true;
		stream->pump(stream->owner);
	}
	loop_settle(loop);
}

static void on_room(evutil_socket_t fd, short what, void *arg)
{
	struct stream *stream = arg;
	struct loop *loop = stream->loop;
	(void)fd, (void)what;
	stream->writable = true;
	stream_touch(stream);
	stream->pump(stream->owner);
	loop_settle(loop);
}

static void on_again(evutil_socket_t fd, short what, void *arg)
{
	struct stream *stream = arg;
	struct loop *loop = stream->loop;
	(void)fd, (void)what;
	stream->pump(stream->owner);
	loop_settle(loop);
}

static void free_events(struct stream *stream)
{
	if (stream->event)
		event_free(stream->event);
	if (stream->room)
		event_free(stream->room);
	if (stream->again)
		event_free(stream->again);
	stream->event = stream->room = stream->again = NULL;
}

int stream_open(struct stream *stream, struct loop *loop, int fd, void (*pump)(void *owner),
		void *owner)
{
	stream->loop = loop;
	stream->pump = pump;
	stream->owner = owner;
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ||
	    fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return -errno;
	stream->event = event_new(loop->base, fd, EV_READ | EV_CLOSED | EV_ET | EV_PERSIST,
				  on_event, stream);
	stream->room = event_new(loop->base, fd, EV_WRITE | EV_ET, on_room, stream);
	stream->again = evtimer_new(loop->base, on_again, stream);
	if (!stream->event || !stream->room || !stream->again ||
	    event_add(stream->event, NULL) < 0) {
		free_events(stream);
		return -ENOMEM;
	}
	stream->fd = fd;
	/* The first edge may have passed before the event was there. */
	stream->readable = stream->writable = true;
	return 0;
}

void stream_close(struct stream *stream)
{
	if (stream->touched)
		TAILQ_REMOVE(&stream->loop->dirty, stream, dirty);
	stream->touched = false;
	bool open = stream->event;
	free_events(stream);
	if (open)
		close(stream->fd);
	stream->fd = -1;
	stream->readable = stream->writable = false;
	stream->ended = stream->gone = true;
	buf_free(&stream->in);
	buf_free(&stream->out);
}

size_t stream_fill(struct stream *stream, size_t limit)
{
	size_t total = 0;
	while (stream->readable && !stream->ended && total < limit) {
		size_t chunk = next_chunk(&stream->in, limit - total);
		char *place = buf_reserve(&stream->in, chunk);
		if (!place) {
			/* No memory for a peer: it can only be let go. */
			stream->gone = true;
			break;
		}
		ssize_t got = recv(stream->fd, place, chunk, 0);
		if (got > 0) {
			buf_commit(&stream->in, (size_t)got);
			total += (size_t)got;
			/* A short read need not have emptied it: one ends at descriptors that a
			 * peer sends along. */
			if (stream->plain && (size_t)got < chunk && !stream->closing)
				stream->readable = false;
		} else if (got == 0) {
			stream->ended = true;
		} else if (errno == EAGAIN) {
			stream->readable = false;
		} else if (errno != EINTR) {
			stream->ended = true;
			stream->gone = true;
		}
	}
	return total;
}

void stream_touch(struct stream *stream)
{
	if (!stream->touched && stream->event) {
		stream->touched = true;
		TAILQ_INSERT_TAIL(&stream->loop->dirty, stream, dirty);
	}
}

void stream_flush(struct stream *stream)
{
	if (stream->touched) {
		stream->touched = false;
		TAILQ_REMOVE(&stream->loop->dirty, stream, dirty);
	}
	/* What there was no memory for was to be part of it: the peer can no longer be told the
	 * truth. */
	if (stream->out.failed)
		stream->gone = true;
	while (stream->writable && !stream->gone && buf_len(&stream->out)) {
		ssize_t put = send(stream->fd, buf_data(&stream->out), buf_len(&stream->out),
				   MSG_NOSIGNAL);
		if (put > 0) {
			buf_drop(&stream->out, (size_t)put);
		} else if (put < 0 && errno == EAGAIN) {
			/* Without memory for the event nobody would tell when there is room. */
			stream->writable = false;
			stream->gone = event_add(stream->room, NULL) < 0;
		} else if (put < 0 && errno != EINTR) {
			stream->gone = true;
		}
	}
	if (stream->flushed)
		stream->flushed(stream->owner);
}

void stream_later(struct stream *stream, int64_t us)
{
	struct timeval after = {.tv_sec = us / 1000000, .tv_usec = us % 1000000};
	if (stream->again)
		evtimer_add(stream->again, &after);
}

void stream_again(struct stream *stream)
{
	stream_later(stream, 0);
}
