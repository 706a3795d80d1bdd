/* SPDX-License-Identifier: MIT */
/* generate: has the plugin make a board, and asks it whether that is one. */
#include "worker/clock.h"
#include "worker/work.h"

#include <string.h>

/* The plugin can't: is it the goal, the wish, or the plugin? */
static void take_failure(struct work *work, struct pz_error *why, struct wire_result *ret)
{
	if (*work->stopped)
		ret->status = WIRE_STOPPED;
	else if (strncmp(why->reason, "goal: ", 6) == 0)
		work_fail_reason(work, ret, ERR_INVALID_BOARD, why);
	else
		work_fail_reason(work, ret,
				 work->length >= 0 ? ERR_INVALID_PARAMS : ERR_PLUGIN_FAILED, why);
}

void work_generate(struct work *work, struct wire_result *ret)
{
	const struct host *host = work->host;
	struct pz_buffer out = {work->final, sizeof(work->final), 0};
	struct pz_error why = {0};
	if (!host->plugin.generate) {
		work_fail(work, ret, ERR_INVALID_PARAMS, "this puzzle cannot make boards");
		return;
	}
	uint64_t start = clock_ns();
	int rc = host->plugin.generate(host->self, &work->pz, work->seed, work->length, &out, &why);
	work->now = clock_ns();
	ret->elapsed_ns = work->now - start;
	if (rc < 0) {
		take_failure(work, &why, ret);
		return;
	}
	if (out.data != work->final || out.len > host->board_max) {
		work_fail(work, ret, ERR_PLUGIN_FAILED,
			  "the plugin made a board of %zu bytes, more than %u", out.len,
			  host->board_max);
		return;
	}
	const struct pz_text board = {work->final, out.len};
	work->pz.board = board;
	if (!work_check(work, ret)) {
		ret->error = ERR_PLUGIN_FAILED;
		ret->position = 0;
		return;
	}
	ret->status = WIRE_SOLVED;
	ret->final = (struct text){work->final, out.len};
	work_draw(work, board, ret);
}
