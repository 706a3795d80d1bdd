/* SPDX-License-Identifier: MIT */
#include "worker/work.h"

#include "worker/plain.h"

#include <stdarg.h>
#include <stdio.h>

void work_init(struct work *work, const struct host *host, const bool *stopped)
{
	work->host = host;
	work->stopped = stopped;
	work->trace = (struct buf){.max = LIMIT_FRAME_UP};
	work->render = (struct buf){.max = LIMIT_FRAME_UP};
}

void work_fail(struct work *work, struct wire_result *ret, enum error_kind kind, const char *format,
	       ...)
{
	va_list args;
	va_start(args, format);
	int len = vsnprintf(work->reason, sizeof(work->reason), format, args);
	va_end(args);
	if (len >= (int)sizeof(work->reason))
		len = sizeof(work->reason) - 1;
	*ret = (struct wire_result){
		.status = WIRE_FAILED,
		.error = kind,
		.elapsed_ns = ret->elapsed_ns,
		.reason = {work->reason, (size_t)len},
	};
}

void work_fail_reason(struct work *work, struct wire_result *ret, enum error_kind kind,
		      struct pz_error *why)
{
	char reason[PZ_REASON_MAX];
	why->reason[sizeof(why->reason) - 1] = '\0';
	plain_copy(reason, sizeof(reason), text_of(why->reason));
	work_fail(work, ret, kind, "%s", reason[0] ? reason : "the plugin gives no reason");
	/* One past the end is where something is missing. */
	if (why->position <= PZ_BOARD_MAX + 1)
		ret->position = why->position;
}

bool work_check(struct work *work, struct wire_result *ret)
{
	struct pz_error why;
	why.position = 0;
	why.reason[0] = '\0';
	if (work->host->plugin.check(work->host->self, &work->pz, &why) == 0)
		return true;
	work_fail_reason(work, ret, ERR_INVALID_BOARD, &why);
	return false;
}

/* ---- replay ---- */

struct visits {
	struct work *work;
	size_t count;
	bool bad; /* a board that is none */
};

static void visit(void *arg, struct pz_text board)
{
	struct visits *visits = arg;
	visits->count++;
	if (visits->count > PZ_PATH_MAX + 1 || !board.data ||
	    board.len > visits->work->host->board_max)
		visits->bad = true;
	else
		wire_put_board(&visits->work->trace, (struct text){board.data, board.len});
}

/* Whether the boards visited are as many as the moves made, and there was room for them. */
static bool take_trace(struct work *work, const struct visits *visits, uint32_t done,
		       struct wire_result *ret)
{
	if (work->trace.failed) {
		work_fail(work, ret, ERR_INVALID_PARAMS,
			  "the boards on the way take more than %d bytes; ask for it without trace",
			  LIMIT_FRAME_UP);
		return false;
	}
	if (visits->bad || visits->count != (size_t)done + 1) {
		work_fail(work, ret, ERR_WRONG_ANSWER,
			  "the plugin's replay made %u moves and showed %zu boards", done,
			  visits->count);
		return false;
	}
	ret->trace = buf_text(&work->trace);
	return true;
}

bool work_replay(struct work *work, size_t count, struct pz_replay *replay, struct wire_result *ret)
{
	struct visits visits = {.work = work};
	*replay = (struct pz_replay){
		.size = sizeof(*replay),
		.final = {work->final, sizeof(work->final), 0},
	};
	if (work->flags & WIRE_TRACE) {
		buf_clear(&work->trace);
		replay->visit = visit;
		replay->arg = &visits;
	}
	work->host->plugin.replay(work->host->self, &work->pz, work->path, count, replay);
	if (replay->done > count || replay->legal != (replay->done == count)) {
		work_fail(work, ret, ERR_WRONG_ANSWER,
			  "the plugin's replay made %u of %zu moves and calls them %s",
			  replay->done, count, replay->legal ? "legal" : "illegal");
		return false;
	}
	if (replay->final.data != work->final || replay->final.len > work->host->board_max) {
		work_fail(work, ret, ERR_WRONG_ANSWER,
			  "the plugin's replay printed a board of %zu bytes, more than %u",
			  replay->final.len, work->host->board_max);
		return false;
	}
	if (work->flags & WIRE_TRACE && !take_trace(work, &visits, replay->done, ret))
		return false;
	ret->final = (struct text){work->final, replay->final.len};
	return true;
}

/* ---- drawing ---- */

/* Draws one board; as text where the plugin can't. */
static void draw(struct work *work, struct pz_text board)
{
	char drawn[PZ_RENDER_MAX];
	struct pz_buffer out = {drawn, sizeof(drawn), 0};
	struct pz_job job = work->pz;
	job.board = board;
	bool done = work->host->plugin.render(work->host->self, &job, &out) == 0 &&
		    out.data == drawn && out.len <= sizeof(drawn) &&
		    plain_check((struct text){drawn, out.len}, true);
	put_text(&work->render,
		 done ? (struct text){drawn, out.len} : (struct text){board.data, board.len});
}

void work_draw(struct work *work, struct pz_text board, struct wire_result *ret)
{
	if (!(work->flags & WIRE_RENDER) || !work->host->plugin.render)
		return;
	buf_clear(&work->render);
	if (ret->trace.data) {
		struct text rest = ret->trace;
		while (rest.len) {
			struct text next = wire_board_next(&rest);
			draw(work, (struct pz_text){next.data, next.len});
		}
	} else {
		draw(work, board);
	}
	if (work->render.failed)
		work_fail(work, ret, ERR_INVALID_PARAMS,
			  "the boards drawn take more than %d bytes; ask for it without render",
			  LIMIT_FRAME_UP);
	else
		ret->render = buf_text(&work->render);
}
