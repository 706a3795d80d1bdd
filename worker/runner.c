/* SPDX-License-Identifier: MIT */
#include "worker/runner.h"

#include "worker/params.h"

void runner_init(struct runner *runner, const struct host *host, struct services *services,
		 struct wire_page *page)
{
	runner->services = services;
	runner->page = page;
	work_init(&runner->work, host, &services->channel->stop);
}

/* Notes what is begun where it outlasts this process.  The job's number goes last: who reads it
 * sees the board's. */
static void note(struct wire_page *page, uint64_t job, uint32_t board)
{
	atomic_store_explicit(&page->board, board, memory_order_relaxed);
	atomic_store_explicit(&page->job, job, memory_order_release);
}

/* Nothing of the job can be run: each board is told why. */
static void refuse_all(struct runner *runner, const struct wire_job *job, const struct error *error)
{
	struct channel *channel = runner->services->channel;
	struct wire_result result = {0};
	uint64_t now = clock_ns();
	for (uint32_t board = 0; board < job->board_count; board++) {
		work_fail(&runner->work, &result, error->kind, "%s", error->reason);
		channel_result(channel, board, &result, now);
	}
}

static void run_board(struct runner *runner, uint32_t op, struct wire_result *ret)
{
	struct work *work = &runner->work;
	*ret = (struct wire_result){0};
	work->now = 0;
	if (*work->stopped)
		ret->status = WIRE_STOPPED;
	else if (op == WIRE_SOLVE)
		work_solve(work, ret);
	else if (op == WIRE_VERIFY)
		work_verify(work, ret);
	else
		work_generate(work, ret);
}

static void run_boards(struct runner *runner, const struct wire_job *job)
{
	struct services *services = runner->services;
	struct channel *channel = services->channel;
	struct work *work = &runner->work;
	struct text rest = job->boards;
	struct wire_result result;
	for (uint32_t board = 0; board < job->board_count; board++) {
		struct text text = wire_board_next(&rest);
		work->pz.board = (struct pz_text){text.data, text.len};
		services->board = board;
		note(runner->page, job->id, board);
		run_board(runner, job->op, &result);
		uint64_t now = work->now ? work->now : clock_ns();
		channel_result(channel, board, &result, now);
		if (now - channel->looked >= CHANNEL_LOOK_NS)
			channel_look(channel, now);
	}
}

int runner_run(struct runner *runner, struct text payload)
{
	struct services *services = runner->services;
	struct wire_job job;
	struct error error;
	int rc = wire_get_job(payload, &job);
	if (rc < 0)
		return rc;
	channel_begin(services->channel, job.id);
	services->report = job.flags & WIRE_REPORT;
	services->began = services->reported = services->report ? clock_ns() : 0;
	if (params_set(&runner->work, &job, &services->host, &error) < 0)
		refuse_all(runner, &job, &error);
	else
		run_boards(runner, &job);
	channel_end(services->channel);
	return 0;
}
