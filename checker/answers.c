/* SPDX-License-Identifier: MIT */
#include "checker/answers.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	SLOW_MOST = 3
}; /* boards that a way of solving may leave unsolved before it is left alone */

uint32_t ways_of(const struct subject *s)
{
	return s->host.metadata.algorithms * heuristic_count(s);
}

const char *way_name(const struct subject *s, uint32_t way, char room[static 80])
{
	unsigned count = heuristic_count(s);
	const char *heuristic = heuristic_name(s, way % count);
	snprintf(room, 80, "%s%s%s", algorithm_name(s, way / count), *heuristic ? " with " : "",
		 heuristic);
	return room;
}

bool answer_declines(const struct answer *answer)
{
	return answer->status == WIRE_FAILED && answer->error == ERR_PLUGIN_FAILED;
}

void answer_get(struct subject *s, struct text board, uint32_t way, int64_t max_length,
		int64_t max_cost, uint32_t stop_ms, struct answer *ret)
{
	struct wire_result result;
	struct pz_job *job = subject_job(s, board);
	job->algorithm = way / heuristic_count(s);
	job->heuristic = way % heuristic_count(s);
	job->max_length = max_length;
	job->max_cost = max_cost;
	call_solve(s, stop_ms, &result);
	*ret = (struct answer){
		.asked = true,
		.status = result.status,
		.error = result.error,
		.length = result.length,
		.cost = result.cost,
		.lower_bound = result.lower_bound,
		.expanded = result.expanded,
		.generated = result.generated,
		.path = UINT64_C(0xcbf29ce484222325),
	};
	for (uint32_t i = 0; i < result.length && i < PZ_PATH_MAX; i++)
		ret->path = (ret->path ^ s->work.path[i]) * UINT64_C(0x100000001b3);
	for (uint32_t i = s->host.plugin.path_max; i < PZ_PATH_MAX; i++)
		ret->beyond |= s->work.path[i] != UINT16_MAX;
	snprintf(ret->reason, sizeof(ret->reason), "%.*s", (int)result.reason.len,
		 result.reason.data ? result.reason.data : "");
}

/* The boards near a goal first: a way that is slow shows what it can before it is given up. */
static uint32_t nth(const struct subject *s, uint32_t i)
{
	return i < s->near_count ? s->sample_count - s->near_count + i : i - s->near_count;
}

const struct answers *answers_of(struct subject *s)
{
	if (s->answers)
		return s->answers;
	subject_sample(s);
	struct answers *answers = calloc(1, sizeof(*answers));
	if (!answers)
		return NULL;
	answers->ways = ways_of(s);
	answers->samples = s->sample_count;
	answers->of = calloc((size_t)answers->ways * answers->samples, sizeof(*answers->of));
	if (!answers->of) {
		free(answers);
		return NULL;
	}
	for (uint32_t way = 0; way < answers->ways; way++) {
		int slow = 0;
		for (uint32_t i = 0; i < answers->samples && slow < SLOW_MOST && !spent(s); i++) {
			struct answer *answer = &answers->of[nth(s, i) * answers->ways + way];
			answer_get(s, s->samples[nth(s, i)], way, -1, -1, SOLVE_MS, answer);
			slow += answer->status == WIRE_STOPPED;
		}
	}
	return s->answers = answers;
}
