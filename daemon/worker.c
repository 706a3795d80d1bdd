/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "daemon/worker.h"
#include "common/limits.h"
#include "common/log.h"
#include "daemon/child.h"
#include "daemon/output.h"
#include "daemon/pool.h"
#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/settings.h"
#include "daemon/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>

enum { EXIT_MS = 250 }; /* from the end of its channel to that of its process, else SIGKILL */

static struct timeval milliseconds(int64_t ms)
{
	return (struct timeval){.tv_sec = (time_t)(ms / 1000),
				.tv_usec = (suseconds_t)(ms % 1000 * 1000)};
}

static void free_worker(void *object)
{
	struct worker *worker = object;
	if (worker->page)
		munmap(worker->page, WIRE_PAGE_SIZE);
	puzzle_free(worker->puzzle);
	free(worker);
}

/* ---- death ---- */

static void die_if_over(struct worker *worker)
{
	if (worker->state == WORKER_DEAD || !worker->exited || !worker->stream.ended)
		return;
	worker->state = WORKER_DEAD;
	event_del(&worker->alarm);
	event_del(&worker->recall);
	stream_close(&worker->stream);
	output_close(worker->output);
	if (worker == worker->pool->builder.worker)
		builder_dead(worker->pool, worker);
	else
		pool_worker_dead(worker->pool, worker);
	loop_bury(&worker->pool->server->loop, &worker->grave, free_worker, worker);
}

void worker_kill(struct worker *worker, const char *verdict)
{
	if (worker->exited)
		return;
	if (!worker->verdict[0])
		snprintf(worker->verdict, sizeof(worker->verdict), "%s", verdict);
	kill(worker->pid, SIGKILL);
}

void worker_cause(const struct worker *worker, char *cause, size_t cap)
{
	char how[64];
	child_cause(worker->status, how, sizeof(how));
	if (worker->verdict[0] && WIFSIGNALED(worker->status) &&
	    WTERMSIG(worker->status) == SIGKILL)
		snprintf(cause, cap, "%s and was killed", worker->verdict);
	else
		snprintf(cause, cap, "%s", how);
}

void worker_ended(struct worker *worker, int status)
{
	worker->exited = true;
	worker->status = status;
	/* What it wrote is in the socket now, and nothing will follow: if somebody else holds the
	 * other end, by a fork of the plugin, there would never be an end of it. */
	worker->stream.readable = worker->stream.closing = true;
	worker->stream.pump(worker);
	worker->stream.ended = true;
	die_if_over(worker);
}

/* ---- clocks ---- */

static void on_alarm(evutil_socket_t fd, short what, void *arg)
{
	struct worker *worker = arg;
	struct loop *loop = &worker->pool->server->loop;
	(void)fd, (void)what;
	if (worker->hung_up)
		worker_kill(worker, "closed its channel");
	else if (worker->state == WORKER_STARTING)
		worker_kill(worker, "was not ready in time");
	else if (worker->state == WORKER_LEAVING)
		worker_kill(worker, "did not leave");
	else
		worker_kill(worker, "did not stop when told to");
	loop_settle(loop);
}

static void on_recall(evutil_socket_t fd, short what, void *arg)
{
	struct worker *worker = arg;
	struct loop *loop = &worker->pool->server->loop;
	(void)fd, (void)what;
	worker->mean_us = worker->mean_us > RECALL_MS * 1000 ? worker->mean_us : RECALL_MS * 1000;
	for (struct job *job = TAILQ_LAST(&worker->held, job_list); job;
	     job = TAILQ_PREV(job, job_list, held)) {
		if (job->state != JOB_SENT)
			continue;
		job_event(job, JOB_RECALL);
		wire_put_recall(&worker->stream.out, job->id);
	}
	stream_touch(&worker->stream);
	loop_settle(loop);
}

static void set_alarm(struct worker *worker, int64_t ms)
{
	struct timeval after = milliseconds(ms);
	evtimer_add(&worker->alarm, &after);
}

/* ---- the channel ---- */

static void distrust(struct worker *worker, const char *verdict)
{
	worker->lied = true;
	worker_kill(worker, verdict);
}

/*
 * There is no memory to read on.  That is no fault of the worker's, nor of the board's that it is
 * at: the oldest request is given up, with all that is kept for it.
 */
static void stop_listening(struct worker *worker)
{
	struct job *job = TAILQ_FIRST(&worker->held);
	worker_kill(worker, "could not be listened to for lack of memory");
	if (job && job->request)
		request_stop(job->request, ERR_INTERNAL, "out of memory");
}

static void pump(void *owner)
{
	struct worker *worker = owner;
	struct stream *stream = &worker->stream;
	size_t budget = LIMIT_FRAME_UP + FRAME_HEADER;
	while (worker->state != WORKER_DEAD && !worker_is_too_loud(worker)) {
		struct frame frame;
		size_t used;
		int found = frame_next(buf_text(&stream->in), LIMIT_FRAME_UP, &frame, &used);
		if (found == 1) {
			if (!worker->lied && worker->verdict[0] == '\0' &&
			    worker_frame(worker, &frame) < 0)
				distrust(worker, "sent a frame that makes no sense");
			buf_drop(&stream->in, used);
			continue;
		}
		if (found < 0) {
			distrust(worker, "sent a frame that is too long");
			buf_clear(&stream->in);
			stream->ended = true;
		}
		if (budget == 0) {
			stream_again(stream); /* others have their turn */
			break;
		}
		size_t got = stream_fill(stream, budget);
		if (!got)
			break;
		budget -= got;
	}
	if (stream->in.failed && !worker->verdict[0])
		stop_listening(worker);
	if (stream->gone && !stream->ended && !stream_fill(stream, LIMIT_FRAME_UP))
		stream->ended = true;
	/* A process that dies closes its channel first: only one that then stays has closed it
	 * itself. */
	if (stream->ended && !worker->exited && !worker->hung_up &&
	    worker->state != WORKER_LEAVING) {
		worker->hung_up = true;
		worker->alarm_job = 0;
		set_alarm(worker, EXIT_MS);
	}
	/* Not from within a frame's handling, which may still hold on to the worker. */
	if (worker->exited)
		die_if_over(worker);
	else
		pool_dispatch(worker->pool);
}

static int make_page(struct worker *worker, int *ret_fd)
{
	int fd = memfd_create("puzzled-page", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	/* Sealed, so that a worker which shrinks it cannot make our reading of it a SIGBUS. */
	if (ftruncate(fd, WIRE_PAGE_SIZE) < 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
		int failure = errno;
		close(fd);
		return -failure;
	}
	void *page = mmap(NULL, WIRE_PAGE_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		int failure = errno;
		close(fd);
		return -failure;
	}
	worker->page = page;
	*ret_fd = fd;
	return 0;
}

static void put_setup(struct worker *worker, const struct worker_task *task)
{
	const struct config_puzzle *config = worker->pool->config;
	struct wire_setup setup = {
		.version = WIRE_VERSION,
		.puzzle = text_of(config->name),
		.plugin = text_of(config->plugin),
		.table_dir = text_of(worker->pool->settings->table_dir),
		.goal = text_of(config->goal),
		.memory = config->job.memory,
		.sandbox = config->job.sandbox,
		.option_count = (uint32_t)config->option_count,
	};
	for (size_t i = 0; i < config->option_count; i++)
		setup.options[i] = (struct wire_option){
			.name = text_of(config->options[i].name),
			.value = text_of(config->options[i].value),
			.form = WIRE_TEXT,
		};
	if (task) {
		setup.task = task->task;
		setup.table = task->table;
		if (task->goal.data)
			setup.goal = task->goal;
	}
	wire_put_setup(&worker->stream.out, &setup);
}

struct worker *worker_start(struct pool *pool, const struct worker_task *task, char *reason,
			    size_t cap)
{
	struct server *server = pool->server;
	struct worker *worker = calloc(1, sizeof(*worker));
	int ends[2] = {-1, -1}, page = -1, output = -1;
	int code = -ENOMEM;
	if (trust_file(pool->config->plugin, reason, cap) < 0) {
		free(worker);
		return NULL;
	}
	if (!worker)
		goto failed;
	worker->pool = pool;
	worker->state = task ? WORKER_TASK : WORKER_STARTING;
	worker->generation = pool->generation;
	worker->stream.fd = -1;
	worker->stream.plain =
		true; /* and where it were not, its job's deadline ends the silence */
	TAILQ_INIT(&worker->held);
	code = make_page(worker, &page);
	if (code < 0)
		goto failed;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
		code = -errno;
		goto failed;
	}
	code = -ENOMEM;
	worker->output = output_open(&server->loop, pool->config->name, &output);
	if (!worker->output)
		goto failed;
	code = stream_open(&worker->stream, &server->loop, ends[0], pump, worker);
	if (code < 0)
		goto failed;
	ends[0] = -1;
	code = child_start(pool->settings->config->worker, pool->config->name,
			   &pool->settings->worker_user, ends[1], page, output);
	if (code < 0)
		goto failed;
	worker->pid = code;
	output_set_pid(worker->output, worker->pid);
	close(ends[1]);
	close(page);
	close(output);
	evtimer_assign(&worker->alarm, server->loop.base, on_alarm, worker);
	evtimer_assign(&worker->recall, server->loop.base, on_recall, worker);
	if (!task)
		set_alarm(worker, pool->config->job.open_timeout);
	put_setup(worker, task);
	stream_touch(&worker->stream);
	log_info("worker_started", KV("puzzle", pool->config->name), KV("pid", worker->pid));
	return worker;

failed:
	snprintf(reason, cap, "no worker can be started: %s", strerror(-code));
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	if (page >= 0)
		close(page);
	if (output >= 0)
		close(output);
	if (worker) {
		if (worker->stream.event)
			stream_close(&worker->stream);
		output_close(worker->output);
		free_worker(worker);
	}
	return NULL;
}

/* ---- jobs ---- */

unsigned worker_credit(const struct worker *worker)
{
	if (worker->state != WORKER_READY || worker->generation != worker->pool->serving ||
	    worker->verdict[0] || worker->stream.ended ||
	    buf_len(&worker->stream.out) > LIMIT_FRAME_DOWN)
		return 0;
	return worker->mean_us > SHORT_JOB_US ? 1 : LIMIT_CREDIT;
}

/* The oldest job is to be given up: if it is not in time, the worker is ended.  The alarm is this
 * job's only. */
static void begin_grace(struct worker *worker, const struct job *job)
{
	if (worker->hung_up)
		return; /* and will be killed sooner */
	worker->alarm_job = job->id;
	set_alarm(worker, worker->pool->config->job.grace);
}

/* The job at the head of the list is the oldest now: its time begins. */
static void new_oldest(struct worker *worker)
{
	struct job *job = TAILQ_FIRST(&worker->held);
	if (!job) {
		event_del(&worker->recall);
		return;
	}
	job_event(job, JOB_OLDEST);
	if (job->state == JOB_ABANDONED)
		begin_grace(worker, job);
	if (TAILQ_NEXT(job, held)) {
		struct timeval after = milliseconds(RECALL_MS);
		evtimer_add(&worker->recall, &after);
	}
}

/* Whether it will see its next frame without being woken, and answer soon. */
static bool is_at_it(const struct worker *worker)
{
	return atomic_load_explicit(&worker->page->awake, memory_order_relaxed) &&
	       worker->mean_us < AWAKE_US;
}

void worker_send(struct worker *worker, struct job *job)
{
	job_event(job, JOB_DISPATCH);
	job->worker = worker;
	job->sent_us = loop_now_us();
	job->may_wait = job->head->automatic && builder_is_busy(&worker->pool->builder);
	job_put_frame(job, job->may_wait ? SEARCH_BEFORE_TABLE_MS : 0, &worker->stream.out);
	if (worker->stream.out.failed)
		worker_kill(worker, "could not be written to");
	stream_touch(&worker->stream);
	TAILQ_INSERT_TAIL(&worker->held, job, held);
	worker->held_count++;
	if (worker->held_count == 1) {
		new_oldest(worker);
		if (is_at_it(worker))
			loop_stay_awake(&worker->pool->server->loop);
	} else if (!evtimer_pending(&worker->recall, NULL)) {
		struct timeval after = milliseconds(RECALL_MS);
		evtimer_add(&worker->recall, &after);
	}
}

void worker_release(struct worker *worker, struct job *job)
{
	bool oldest = TAILQ_FIRST(&worker->held) == job;
	TAILQ_REMOVE(&worker->held, job, held);
	worker->held_count--;
	job->worker = NULL;
	if (worker->alarm_job == job->id) {
		worker->alarm_job = 0;
		event_del(&worker->alarm);
	}
	if (worker->state == WORKER_DEAD)
		return;
	if (oldest)
		new_oldest(worker);
	if (worker->held_count == 0) {
		loop_may_sleep(&worker->pool->server->loop);
		pool_worker_idle(worker->pool, worker);
	}
}

void worker_cancel(struct worker *worker, struct job *job)
{
	wire_put_cancel(&worker->stream.out, job->id);
	stream_touch(&worker->stream);
	if (TAILQ_FIRST(&worker->held) == job)
		begin_grace(worker, job);
}

void worker_retire(struct worker *worker)
{
	if (worker->state == WORKER_LEAVING || worker->state == WORKER_DEAD)
		return;
	worker->state = WORKER_LEAVING;
	worker->left = true;
	shutdown(worker->stream.fd, SHUT_WR);
	set_alarm(worker, worker->pool->config->job.grace);
}
