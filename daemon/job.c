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

struct job_head *job_head_new(const struct wire_job *spec)
{
	struct job_head *head = calloc(1, sizeof(*head));
	if (!head)
		return NULL;
	head->users = 1;
	head->automatic = !spec->algorithm.data || text_is(spec->algorithm, "auto");
	wire_put_job_head(&head->bytes, spec);
	if (head->bytes.failed) {
		job_head_drop(head);
		return NULL;
	}
	return head;
}

void job_head_drop(struct job_head *head)
{
	if (!head || --head->users > 0)
		return;
	buf_free(&head->bytes);
	free(head);
}

struct job *job_new(struct request *request, struct job_head *head, uint32_t first, uint32_t count,
		    struct text boards)
{
	struct job *job = calloc(1, sizeof(*job));
	if (!job)
		return NULL;
	job->id = ++last_id;
	job->request = request;
	job->first = first;
	job->count = count;
	job->head = head;
	if (head)
		head->users++;
	buf_put_text(&job->boards, boards);
	if (job->boards.failed) {
		job_free(job);
		return NULL;
	}
	return job;
}

void job_free(struct job *job)
{
	job_head_drop(job->head);
	buf_free(&job->boards);
	buf_free(&job->answer);
	free(job);
}

void job_put_frame(const struct job *job, uint32_t search_ms, struct buf *out)
{
	wire_put_job_of(out, buf_text(&job->head->bytes), job->id, search_ms, job->count,
			buf_text(&job->boards));
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

/* The bytes of the boards before the `count`th. */
static size_t boards_before(const struct job *job, uint32_t count)
{
	struct text rest = buf_text(&job->boards);
	for (uint32_t i = 0; i < count; i++)
		wire_board_next(&rest);
	return buf_len(&job->boards) - rest.len;
}

void job_shrink(struct job *job)
{
	buf_drop(&job->boards, boards_before(job, job->done));
	job->first += job->done;
	job->count -= job->done;
	job->done = 0;
}

struct job *job_cut(const struct job *job, uint32_t from, uint32_t to)
{
	size_t start = boards_before(job, from), end = boards_before(job, to);
	struct job *cut = job_new(job->request, job->head, job->first + from, to - from,
				  (struct text){buf_text(&job->boards).data + start, end - start});
	if (cut) {
		cut->requeues = job->requeues;
		cut->uid = job->uid;
	}
	return cut;
}
