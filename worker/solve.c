/* SPDX-License-Identifier: MIT */
/* solve: asks the plugin for a shortest solution, and believes only what can be made again. */
#include "worker/clock.h"
#include "worker/plain.h"
#include "worker/work.h"

#include <inttypes.h>

/* Hands on what the search did; numbers that index a list are made to. */
static void take_stats(struct work *work, const struct pz_result *result, struct wire_result *ret)
{
	const struct metadata *metadata = &work->host->metadata;
	const struct pz_stats *stats = &result->stats;
	ret->algorithm =
		stats->algorithm < metadata->algorithms ? stats->algorithm : work->pz.algorithm;
	ret->heuristic = metadata->heuristics == 0 || stats->heuristic == PZ_NO_HEURISTIC
				 ? UINT32_MAX
			 : stats->heuristic < metadata->heuristics ? stats->heuristic
								   : work->pz.heuristic;
	ret->expanded = stats->expanded;
	ret->generated = stats->generated;
	ret->memory = stats->memory;
	if (!(work->flags & WIRE_ITERATIONS))
		return;
	uint32_t count = result->iteration_count;
	if (count > PZ_ITERATIONS_MAX)
		count = PZ_ITERATIONS_MAX;
	for (uint32_t i = 0; i < count; i++)
		work->wire_iterations[i] = (struct wire_iteration){work->iterations[i].bound,
								   work->iterations[i].expanded};
	ret->iterations = (const char *)work->wire_iterations;
	ret->iteration_count = count;
}

/* Whether a solution of this length and cost was asked for. */
static bool within_limits(struct work *work, const struct pz_result *result,
			  struct wire_result *ret)
{
	const struct pz_plugin *plugin = &work->host->plugin;
	const struct pz_job *job = &work->pz;
	if (result->length > plugin->path_max)
		work_fail(work, ret, ERR_WRONG_ANSWER,
			  "the plugin's solution has %u moves, more than the %u it can have",
			  result->length, plugin->path_max);
	else if (plugin->unit_cost && result->cost != result->length)
		work_fail(work, ret, ERR_WRONG_ANSWER,
			  "the plugin's solution of %u moves, which cost 1 each, costs %" PRIu64,
			  result->length, result->cost);
	else if (job->max_length >= 0 && result->length > job->max_length)
		work_fail(work, ret, ERR_WRONG_ANSWER,
			  "the plugin's solution has %u moves, more than max_length %" PRId64,
			  result->length, job->max_length);
	else if (job->max_cost >= 0 && result->cost > (uint64_t)job->max_cost)
		work_fail(work, ret, ERR_WRONG_ANSWER,
			  "the plugin's solution costs %" PRIu64 ", more than max_cost %" PRId64,
			  result->cost, job->max_cost);
	else
		return true;
	return false;
}

/* Makes the solution's moves again: whether they are legal, reach a goal, and cost what was
 * said. */
static bool stands(struct work *work, const struct pz_result *result, struct wire_result *ret)
{
	struct pz_replay replay;
	if (!within_limits(work, result, ret) || !work_replay(work, result->length, &replay, ret))
		return false;
	if (!replay.legal)
		work_fail(work, ret, ERR_WRONG_ANSWER,
			  "move %u of the plugin's solution of %u is not legal", replay.done + 1,
			  result->length);
	else if (!replay.solved)
		work_fail(work, ret, ERR_WRONG_ANSWER,
			  "the plugin's solution ends at a board that is no goal: %s",
			  plain_quote(ret->final).text);
	else if (replay.cost != result->cost)
		work_fail(work, ret, ERR_WRONG_ANSWER,
			  "the plugin's solution costs %" PRIu64 ", not the %" PRIu64 " it says",
			  replay.cost, result->cost);
	else
		return true;
	return false;
}

/* Answers that are no solution, with the bound they prove. */
static void take_other(struct work *work, struct pz_result *result, struct wire_result *ret)
{
	switch (result->status) {
	case PZ_UNSOLVABLE:
		ret->status = WIRE_UNSOLVABLE;
		break;
	case PZ_LIMIT:
		ret->status = WIRE_LIMITED;
		break;
	case PZ_STOPPED:
		ret->status = WIRE_STOPPED;
		if (!*work->stopped)
			work_fail(work, ret, ERR_PLUGIN_FAILED,
				  "the plugin stopped without being told to");
		break;
	case PZ_WAIT:
		ret->status = WIRE_WAITS;
		if (!work->pz.search_ms)
			work_fail(work, ret, ERR_PLUGIN_FAILED,
				  "the plugin wants to wait for a table that nobody builds");
		break;
	case PZ_MEMORY:
		work_fail(work, ret, ERR_MEMORY_LIMIT,
			  "the search needs more than the %zu bytes it may have", work->pz.memory);
		break;
	case PZ_FAILED:
		work_fail_reason(work, ret, ERR_PLUGIN_FAILED, &result->error);
		break;
	default:
		work_fail(work, ret, ERR_PLUGIN_FAILED, "the plugin's answer has no status: %d",
			  (int)result->status);
		break;
	}
	/* What a plugin that misbehaved proves is not to be believed. */
	if (ret->status != WIRE_FAILED || ret->error == ERR_MEMORY_LIMIT)
		ret->lower_bound = result->lower_bound;
}

void work_solve(struct work *work, struct wire_result *ret)
{
	if (!work_check(work, ret))
		return;
	struct pz_result result = {
		.size = sizeof(result),
		.path = work->path,
		.iterations = work->iterations,
	};
	uint64_t start = clock_ns();
	work->host->plugin.solve(work->host->self, &work->pz, &result);
	work->now = clock_ns();
	ret->elapsed_ns = work->now - start;
	if (result.status == PZ_SOLVED) {
		ret->status = WIRE_SOLVED;
		if (!stands(work, &result, ret))
			return;
		ret->length = result.length;
		ret->path = (const char *)work->path;
		ret->cost = ret->lower_bound = result.cost;
	} else {
		take_other(work, &result, ret);
	}
	if (ret->status == WIRE_FAILED && ret->error != ERR_MEMORY_LIMIT)
		return;
	ret->notation = work->notation;
	take_stats(work, &result, ret);
	if (ret->status != WIRE_FAILED)
		work_draw(work, work->pz.board, ret);
}
