/* SPDX-License-Identifier: MIT */
#include "worker/params.h"

#include "worker/options.h"
#include "worker/plain.h"

#include <stdio.h>

/* The index in `words` of what was asked for, the first where nothing was.  -1 and *error: none of
 * them. */
static int choose(const char *what, const char *const *words, uint32_t count, struct text asked,
		  uint32_t *ret, struct error *error)
{
	char list[320] = "none to choose from";
	size_t len = 0;
	*ret = 0;
	if (!asked.data)
		return 0;
	for (uint32_t i = 0; i < count; i++) {
		if (text_is(asked, words[i])) {
			*ret = i;
			return 0;
		}
	}
	for (uint32_t i = 0; i < count && len < sizeof(list); i++)
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "",
					words[i]);
	return error_set(error, ERR_INVALID_PARAMS, "there is no %s %s; this puzzle has: %s", what,
			 plain_quote(asked).text, list);
}

/* Negative is no limit, whatever the number. */
static int64_t limit(int64_t asked)
{
	return asked < 0 ? -1 : asked;
}

static int set_options(struct work *work, const struct wire_job *job, struct error *error)
{
	const struct host *host = work->host;
	uint32_t bad;
	work->pz.options = host->options;
	if (!job->option_count)
		return 0;
	memcpy(work->options, host->options, sizeof(work->options));
	work->pz.options = work->options;
	return options_set(host->plugin.options, host->plugin.option_count, PZ_JOB, job->options,
			   job->option_count, work->options, &bad, error);
}

int params_set(struct work *work, const struct wire_job *job, const struct pz_host *services,
	       struct error *error)
{
	const struct host *host = work->host;
	const struct pz_plugin *plugin = &host->plugin;
	uint32_t algorithm, heuristic;
	if (choose("algorithm", plugin->algorithms, host->metadata.algorithms, job->algorithm,
		   &algorithm, error) < 0 ||
	    choose("heuristic", plugin->heuristics, host->metadata.heuristics, job->heuristic,
		   &heuristic, error) < 0 ||
	    choose("notation", plugin->notations, plugin->notations ? host->metadata.notations : 0,
		   job->notation, &work->notation, error) < 0)
		return -1;
	if (job->goal.data && !plugin->goal)
		return error_set(error, ERR_INVALID_PARAMS,
				 "the goal of this puzzle is in its rules and cannot be set");
	work->pz = (struct pz_job){
		.size = sizeof(work->pz),
		.host = services,
		.goal = {job->goal.data, job->goal.len},
		.algorithm = algorithm,
		.heuristic = heuristic,
		.max_length = limit(job->max_length),
		.max_cost = limit(job->max_cost),
		.memory = host->memory,
		.search_ms = job->search_ms,
	};
	work->flags = job->flags;
	work->moves = job->moves;
	work->seed = job->seed;
	work->length = limit(job->length);
	return set_options(work, job, error);
}
