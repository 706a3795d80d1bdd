/* SPDX-License-Identifier: MIT */
#include "daemon/job.h"

#include <errno.h>
#include <stdlib.h>

/* What cannot happen is zero in the table, so the states in it are one more than they are. */
#define TO(state) (JOB_##state + 1)

/* clang-format off */
static const unsigned char next[JOB_STATES][JOB_EVENTS] = {
	[JOB_WAITING] = {
		[JOB_DISPATCH] = TO(SENT),
		[JOB_STOP] = TO(ANSWERED),
	},
	[JOB_PARKED] = {
		[JOB_TABLE] = TO(WAITING),
		[JOB_STOP] = TO(ANSWERED),
	},
	[JOB_SENT] = {
		[JOB_OLDEST] = TO(RUNNING),
		[JOB_RECALL] = TO(RECALLED),
		[JOB_STOP] = TO(ABANDONED),
		[JOB_CULPRIT] = TO(ANSWERED),    /* the page says that it had begun before it was the oldest */
		[JOB_BYSTANDER] = TO(WAITING),
	},
	[JOB_RUNNING] = {
		[JOB_RESULT] = TO(ANSWERED),
		[JOB_WAITS] = TO(PARKED),
		[JOB_STOP] = TO(STOPPING),
		[JOB_CULPRIT] = TO(ANSWERED),
		[JOB_BYSTANDER] = TO(WAITING),
	},
	[JOB_RECALLED] = {
		[JOB_OLDEST] = TO(RECALLED),     /* the acknowledgement is still to come, or its result */
		[JOB_RESULT] = TO(ANSWERED),     /* it was answered before the worker read the recall */
		[JOB_WAITS] = TO(PARKED),
		[JOB_DROPPED] = TO(WAITING),
		[JOB_BEGAN] = TO(RUNNING),
		[JOB_STOP] = TO(ABANDONED),
		[JOB_CULPRIT] = TO(ANSWERED),
		[JOB_BYSTANDER] = TO(WAITING),
	},
	[JOB_STOPPING] = {
		[JOB_RESULT] = TO(ANSWERED),
		[JOB_WAITS] = TO(ANSWERED),
		[JOB_DROPPED] = TO(ANSWERED),    /* the frame had not been read when CANCEL was */
		[JOB_BEGAN] = TO(STOPPING),
		[JOB_STOP] = TO(STOPPING),
		[JOB_CULPRIT] = TO(ANSWERED),
		[JOB_BYSTANDER] = TO(ANSWERED),
	},
	[JOB_ABANDONED] = {
		[JOB_OLDEST] = TO(ABANDONED),
		[JOB_RESULT] = TO(ANSWERED),
		[JOB_WAITS] = TO(ANSWERED),
		[JOB_DROPPED] = TO(ANSWERED),
		[JOB_BEGAN] = TO(ABANDONED),
		[JOB_CULPRIT] = TO(ANSWERED),
		[JOB_BYSTANDER] = TO(ANSWERED),
	},
};
/* clang-format on */

static const char *const names[JOB_STATES] = {
	"waiting", "parked", "sent", "running", "recalled", "stopping", "abandoned", "answered",
};

static uint64_t last_id;

struct job *job_new(struct request *request, struct wire_job *spec, uint32_t first)
{
	struct job *job = calloc(1, sizeof(*job));
	if (!job)
		return NULL;
	job->id = spec->id = ++last_id;
	job->request = request;
	job->first = first;
	job->count = spec->board_count;
	job->automatic = !spec->algorithm.data || text_is(spec->algorithm, "auto");
	wire_put_job(&job->frame, spec);
	if (job->frame.failed) {
		job_free(job);
		return NULL;
	}
	return job;
}

void job_free(struct job *job)
{
	buf_free(&job->frame);
	buf_free(&job->answer);
	free(job);
}

enum job_state job_next(enum job_state state, enum job_event event)
{
	unsigned to = next[state][event];
	return to ? (enum job_state)(to - 1) : JOB_STATES;
}

int job_event(struct job *job, enum job_event event)
{
	enum job_state state = job_next(job->state, event);
	if (state == JOB_STATES)
		return -EPROTO;
	job->state = state;
	return 0;
}

const char *job_state_name(enum job_state state)
{
	return state < JOB_STATES ? names[state] : "none";
}

/* The boards [from, to) of the job's frame as a spec of their own; `boards` holds them. */
static int respecify(const struct job *job, uint32_t from, uint32_t to, struct wire_job *ret,
		     struct buf *boards)
{
	/* The job's frame is our own, so it decodes. */
	struct frame frame;
	size_t used;
	if (frame_next(buf_text(&job->frame), SIZE_MAX, &frame, &used) != 1 ||
	    wire_get_job(frame.payload, ret) < 0)
		return -EPROTO;
	for (uint32_t i = 0; i < to; i++) {
		struct text board = wire_board_next(&ret->boards);
		if (i >= from)
			wire_put_board(boards, board);
	}
	ret->boards = buf_text(boards);
	ret->board_count = to - from;
	return boards->failed ? -ENOMEM : 0;
}

int job_shrink(struct job *job)
{
	struct wire_job spec;
	struct buf boards = {0}, frame = {0};
	int code = respecify(job, job->done, job->count, &spec, &boards);
	if (code == 0) {
		wire_put_job(&frame, &spec);
		code = frame.failed ? -ENOMEM : 0;
	}
	if (code == 0) {
		buf_free(&job->frame);
		job->frame = frame;
		job->first += job->done;
		job->count -= job->done;
		job->done = 0;
	} else {
		buf_free(&frame);
	}
	buf_free(&boards);
	return code;
}

struct job *job_cut(const struct job *job, uint32_t from, uint32_t to)
{
	struct wire_job spec;
	struct buf boards = {0};
	struct job *cut = NULL;
	if (respecify(job, from, to, &spec, &boards) == 0)
		cut = job_new(job->request, &spec, job->first + from);
	if (cut) {
		cut->requeues = job->requeues;
		cut->uid = job->uid;
	}
	buf_free(&boards);
	return cut;
}
