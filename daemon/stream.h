/* SPDX-License-Identifier: MIT */
/*
 * stream: a connected socket with its two buffers and its edge-triggered events.
 *
 * That for reading and hanging up is registered once and stays: whether there is something to read
 * is remembered in a flag instead.  So a stream that is not read (back-pressure) or whose peer has
 * half-closed costs nothing, and a peer that vanishes is noticed even then.  That for writing is
 * there only while the socket is full: it would wake the daemon each time a peer takes what was
 * sent to it.  All events of one descriptor being edge-triggered is what makes EV_CLOSED safe.
 */
#ifndef DAEMON_STREAM_H
#define DAEMON_STREAM_H

#include "common/buf.h"
#include "daemon/loop.h"

#include <stdbool.h>
#include <stddef.h>

struct event;

struct stream {
	int fd; /* -1: closed */
	struct loop *loop;
	struct event *event; /* there is something to read, or the peer has gone */
	struct event *room;  /* there is room to write again; added when there was none */
	struct event *again; /* a timer that brings another turn */
	struct buf in, out;
	bool plain; /* the peer sends bytes and nothing else, or has itself to blame: a short read empties it */
	bool readable; /* a read may find something */
	bool writable; /* a write may find room */
	bool ended;    /* the peer will send no more, and all it sent is in `in` */
	bool closing; /* the peer has closed its sending side: reads find the end, sooner or later */
	bool gone;    /* the peer is no longer there to be answered */
	bool touched; /* on the loop's dirty list */
	/* Called when any flag but `touched` may have changed; the owner looks and does what it
	 * can. */
	void (*pump)(void *owner);
	/* Called after a flush of a touched stream; not within pump. */
	void (*flushed)(void *owner);
	void *owner;
	TAILQ_ENTRY(stream) dirty;
};

/* Takes over `fd`, which it makes non-blocking and close-on-exec.  Fields of buffers and callbacks
 * are the caller's to set.  Returns 0, or a negative errno with the descriptor still the
 * caller's. */
int stream_open(struct stream *stream, struct loop *loop, int fd, void (*pump)(void *owner),
		void *owner);

/* Closes the descriptor and frees the buffers; harmless when closed. */
void stream_close(struct stream *stream);

/* Reads at most `limit` bytes into `in`.  Returns how many; 0 when there are none now, or ever
 * (`ended`). */
size_t stream_fill(struct stream *stream, size_t limit);

/* Says that `out` has grown: it is written when the turn ends. */
void stream_touch(struct stream *stream);

/* Writes what can be written of `out` and takes the stream off the dirty list. */
void stream_flush(struct stream *stream);

/* Brings another call of pump in the next turn, after everybody else had theirs. */
void stream_again(struct stream *stream);

/* The same, after so many microseconds. */
void stream_later(struct stream *stream, int64_t us);

#endif
