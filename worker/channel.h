/* SPDX-License-Identifier: MIT */
/*
 * channel: the worker's end of the wire: frames in, frames out, and what has been put off.
 *
 * In.  Frames are taken in order by channel_next.  While a job runs, channel_look reads ahead
 * without waiting, so that a CANCEL or RECALL behind other frames is heard at once; what it read
 * stays queued.  The input is one block of fixed size: when it is full, reading waits until the job
 * is done.
 *
 * Out.  Frames gather and are written many at a time: before the worker would wait for input, when
 * there are CHANNEL_BATCH bytes of them, or when the first of them is CHANNEL_DELAY_NS old.
 *
 * When the daemon is gone (end-of-file, a broken connection) while a job runs or results are being
 * written, the process ends there and then: nobody is left to answer.
 */
#ifndef WORKER_CHANNEL_H
#define WORKER_CHANNEL_H

#include "common/buf.h"
#include "common/frame.h"
#include "common/wire.h"
#include "worker/clock.h"
#include "worker/vigil.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CHANNEL_INPUT = 2 * (LIMIT_FRAME_DOWN + FRAME_HEADER), /* bytes of input held */
	CHANNEL_BATCH = 32 * 1024,                             /* bytes of output held */
	CHANNEL_DELAY_NS = NS_PER_MS,                          /* age of output held */
	CHANNEL_LOOK_NS = NS_PER_MS                            /* between two looks at the input */
};

struct channel {
	int fd;
	struct wire_page *page; /* where the daemon sees that the next frame is looked for */
	struct vigil vigil;
	/* input[next..seen) are whole frames not yet taken, looked through for what cancels;
	 * input[seen..end) is not yet a whole frame.  `next` <= `seen` <= `end`. */
	char *input;
	size_t next, seen, end;
	int broken;      /* 0, or why nothing more can be read: a negative errno */
	uint64_t looked; /* when the input was last looked at */

	uint64_t job; /* the one that runs; 0: none */
	bool stop;    /* it has been cancelled */

	struct buf out;
	uint64_t since; /* when the oldest byte in `out` was put; 0: nothing is put off */
	/* The RESULT frame that is still open at the end of `out`, of job `job`; `count` 0:
	 * none. */
	size_t frame;
	uint32_t count;
};

/* Takes over the socket `fd`; the page must outlive it.  0, or -ENOMEM. */
int channel_init(struct channel *channel, int fd, struct wire_page *page);

/*
 * The next frame: 1 and *ret, a view that stays valid until the next call.  0: the daemon closed
 * the channel.  A negative errno: -EPROTO for bytes that are no frame the daemon may send,
 * -EMSGSIZE for one too large, or the socket's error.  Writes what is put off before it waits, at
 * first awake, vigil.h.  CANCEL and RECALL are dealt with inside.
 */
int channel_next(struct channel *channel, struct frame *ret);

/* Says that `job` runs from now on, and until the next channel_next: what CANCEL is measured
 * against. */
void channel_begin(struct channel *channel, uint64_t job);

/* Reads ahead, deals with CANCEL and RECALL, writes what is due.  `now` is clock_ns(). */
void channel_look(struct channel *channel, uint64_t now);

/*
 * Puts the result of the running job's board `board`; in the boards' order.  One that does not fit
 * a frame, or the memory, becomes a failure that says so.  `now` is clock_ns() or a little before.
 */
void channel_result(struct channel *channel, uint32_t board, const struct wire_result *result,
		    uint64_t now);

/* Closes the job's last RESULT frame: no further result of it comes. */
void channel_end(struct channel *channel);

/* Begins a frame of another kind: returns where wire_put_* appends.  Then channel_sent. */
struct buf *channel_frame(struct channel *channel);

/* Ends what channel_frame began: writes it at once if `urgent`. */
void channel_sent(struct channel *channel, bool urgent);

/* Writes everything that is put off. */
void channel_flush(struct channel *channel);

#endif
