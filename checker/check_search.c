/* SPDX-License-Identifier: MIT */
/* What solve answers: whether answers stand, agree, keep limits, and come again. */
#include "checker/answers.h"
#include "checker/checks.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct text nowhere = {NULL, 0};

enum {
	LIMIT_BOARDS = 16, /* tried against limits for each way of solving */
	TRACES_SLOW = 3    /* boards that are not solved, after which no more are drawn */
};

/* The answers, or NULL after saying so. */
static const struct answers *need_answers(struct subject *s)
{
	const struct answers *answers = answers_of(s);
	if (!answers)
		broken(s, nowhere,
		       "no memory is left: what the plugin allocates, it does not free");
	return answers;
}

/* Whether replay shows each board on the way, and no others, when it is asked to.  False: found
 * broken. */
static bool traces_stand(struct subject *s)
{
	bool stand = true;
	int slow = 0;
	s->work.flags = WIRE_TRACE;
	for (uint32_t i = s->sample_count; stand && i-- > 0 && slow < TRACES_SLOW;) {
		struct answer answer;
		answer_get(s, s->samples[i], 0, -1, -1, SOLVE_MS, &answer);
		slow += answer.status == WIRE_STOPPED;
		stand = answer.status != WIRE_FAILED || answer.error != ERR_WRONG_ANSWER;
		if (!stand)
			broken(s, s->samples[i], "%s", answer.reason);
	}
	s->work.flags = 0;
	return stand;
}

void check_solve(struct subject *s)
{
	const struct answers *answers = need_answers(s);
	uint32_t solved = 0, asked = 0;
	char way[80];
	for (uint32_t i = 0; answers && i < answers->samples * answers->ways; i++) {
		const struct answer *answer = &answers->of[i];
		struct text board = s->samples[i / answers->ways];
		if (!answer->asked)
			continue;
		asked++;
		solved += answer->status == WIRE_SOLVED;
		if (answer->status != WIRE_FAILED || answer->error == ERR_MEMORY_LIMIT)
			continue;
		/* An algorithm may decline a job, but the default one has to answer. */
		if (answer_declines(answer) && i % answers->ways >= heuristic_count(s))
			continue;
		broken(s, board, "%s: %s", way_name(s, i % answers->ways, way), answer->reason);
		return;
	}
	if (answers && solved == 0)
		broken(s, s->samples[0], "of %u boards none was solved within %d ms each", asked,
		       SOLVE_MS);
	else if (answers && traces_stand(s))
		holds(s, "%u answers of %u replayed to a goal", solved, asked);
}

void check_path_max(struct subject *s)
{
	const struct answers *answers = need_answers(s);
	uint32_t longest = 0;
	char way[80];
	for (uint32_t i = 0; answers && i < answers->samples * answers->ways; i++) {
		const struct answer *answer = &answers->of[i];
		if (answer->beyond) {
			broken(s, s->samples[i / answers->ways],
			       "%s writes moves beyond the %u of path_max",
			       way_name(s, i % answers->ways, way), s->host.plugin.path_max);
			return;
		}
		if (answer->status == WIRE_SOLVED && answer->length > longest)
			longest = answer->length;
	}
	if (answers)
		holds(s, "%u moves at most, of %u", longest, s->host.plugin.path_max);
}

/* ---- agreement ---- */

/* Whether two answers about one board can both be true. */
static bool contradict(const struct answer *a, const struct answer *b)
{
	if (a->status == WIRE_SOLVED && b->status == WIRE_SOLVED)
		return a->cost != b->cost;
	if (a->status == WIRE_SOLVED)
		return b->status == WIRE_UNSOLVABLE ||
		       (b->status == WIRE_STOPPED && b->lower_bound > a->cost) ||
		       (b->status == WIRE_FAILED && b->error == ERR_MEMORY_LIMIT &&
			b->lower_bound > a->cost);
	return b->status == WIRE_SOLVED && contradict(b, a);
}

/*
 * Whether an algorithm that declined to solve a board does so because it believes that there is no
 * solution as long as the one that another found: asked for one of that length, it then says
 * `limit`.
 */
static bool denies(struct subject *s, struct text board, uint32_t way, const struct answer *found)
{
	struct answer answer;
	answer_get(s, board, way, found->length, -1, SOLVE_MS, &answer);
	return answer.status == WIRE_LIMITED;
}

static const char *answer_text(const struct answer *answer, char room[static 64])
{
	if (answer->status == WIRE_SOLVED)
		snprintf(room, 64, "a solution that costs %" PRIu64, answer->cost);
	else if (answer->status == WIRE_UNSOLVABLE)
		snprintf(room, 64, "unsolvable");
	else
		snprintf(room, 64, "a lower bound of %" PRIu64, answer->lower_bound);
	return room;
}

void check_agree(struct subject *s)
{
	const struct answers *answers = need_answers(s);
	uint32_t compared = 0;
	char ways[2][80], texts[2][64];
	for (uint32_t i = 0; answers && i < answers->samples; i++) {
		const struct answer *of = &answers->of[i * answers->ways], *first = NULL;
		/* A solution is the firmest of answers: it was replayed. */
		for (uint32_t way = 0; way < answers->ways && !first; way++)
			if (of[way].asked && of[way].status == WIRE_SOLVED)
				first = &of[way];
		for (uint32_t way = 0; first && way < answers->ways; way++) {
			if (!of[way].asked || first == &of[way])
				continue;
			compared++;
			if (answer_declines(&of[way]) && s->host.plugin.unit_cost &&
			    denies(s, s->samples[i], way, first)) {
				broken(s, s->samples[i],
				       "%s says a solution of %u moves, %s says that none is so "
				       "short",
				       way_name(s, (uint32_t)(first - of), ways[0]), first->length,
				       way_name(s, way, ways[1]));
				return;
			}
			if (!contradict(first, &of[way]))
				continue;
			broken(s, s->samples[i], "%s says %s, %s says %s",
			       way_name(s, (uint32_t)(first - of), ways[0]),
			       answer_text(first, texts[0]), way_name(s, way, ways[1]),
			       answer_text(&of[way], texts[1]));
			return;
		}
	}
	if (answers)
		holds(s, "%u answers by %u algorithms compared", compared,
		      s->host.metadata.algorithms);
}

/* ---- limits ---- */

/* Whether the limit accepts exactly what it should, one way.  False: found broken. */
static bool limit_stands(struct subject *s, struct text board, uint32_t way,
			 const struct answer *whole, bool by_cost)
{
	const int64_t limit = by_cost ? (int64_t)whole->cost : whole->length;
	const char *name = by_cost ? "max_cost" : "max_length";
	struct answer answer;
	char room[80];
	way_name(s, way, room);
	answer_get(s, board, way, by_cost ? -1 : limit, by_cost ? limit : -1, SOLVE_MS, &answer);
	if (answer_declines(&answer) && way >= heuristic_count(s))
		return true; /* it says why it can't; the default algorithm must */
	if (answer.status != WIRE_SOLVED && answer.status != WIRE_STOPPED) {
		broken(s, board, "%s: %s %" PRId64 " refuses a solution of just that%s%s", room,
		       name, limit, answer.reason[0] ? ": " : "", answer.reason);
		return false;
	}
	if (limit == 0)
		return true;
	answer_get(s, board, way, by_cost ? -1 : limit - 1, by_cost ? limit - 1 : -1, SOLVE_MS,
		   &answer);
	/* Fewer moves may do where they cost more; work_solve has seen to it that they are
	 * fewer. */
	if (answer.status == WIRE_STOPPED ||
	    (answer.status == WIRE_SOLVED && !by_cost && !s->host.plugin.unit_cost) ||
	    (answer_declines(&answer) && way >= heuristic_count(s)))
		return true;
	if (answer.status != WIRE_LIMITED)
		broken(s, board, "%s: %s %" PRId64 " is not answered with `limit`: %s", room, name,
		       limit - 1, answer.reason[0] ? answer.reason : "another status");
	else if (answer.lower_bound > whole->cost && (by_cost || s->host.plugin.unit_cost))
		broken(s, board,
		       "%s: %s %" PRId64 " proves a lower bound of %" PRIu64 "; it costs %" PRIu64,
		       room, name, limit - 1, answer.lower_bound, whole->cost);
	else
		return true;
	return false;
}

void check_limits(struct subject *s)
{
	const struct answers *answers = need_answers(s);
	uint32_t tried = 0;
	for (uint32_t way = 0; answers && way < answers->ways; way++) {
		uint32_t few = 0;
		for (uint32_t i = answers->samples; i-- > 0 && few < LIMIT_BOARDS && !spent(s);) {
			const struct answer *whole = &answers->of[i * answers->ways + way];
			if (!whole->asked || whole->status != WIRE_SOLVED)
				continue;
			few++;
			if (!limit_stands(s, s->samples[i], way, whole, false) ||
			    !limit_stands(s, s->samples[i], way, whole, true))
				return;
			tried++;
		}
	}
	if (answers)
		holds(s, "%u times n accepted and n - 1 refused", tried);
}

/* ---- again ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15) ^ hash >> 29;
}

/* What of an answer must come again.  One that was stopped depends on the time. */
static uint64_t hash_answer(uint64_t hash, const struct answer *answer)
{
	if (!answer->asked || answer->status == WIRE_STOPPED)
		return hash;
	hash = mix(mix(hash, answer->status), answer->cost);
	return mix(mix(hash, answer->path), mix(answer->expanded, answer->generated));
}

/*
 * Solves the samples as far as each is solved quickly; a hash of all that was answered.  What took
 * long the first time is left out: the second time it might be stopped.
 */
static uint64_t transcript(struct subject *s)
{
	enum { FEW = 16, PATIENCE_MS = 1000 };
	uint64_t hash = 1;
	const uint32_t ways = ways_of(s);
	subject_sample(s);
	for (uint32_t i = 0; i < s->sample_count && i < FEW; i++) {
		for (size_t k = 0; k < s->samples[i].len; k++)
			hash = mix(hash, (unsigned char)s->samples[i].data[k]);
	}
	for (uint32_t way = 0; way < ways; way++) {
		bool slow = false;
		for (uint32_t i = 0; i < s->near_count && i < FEW && !slow; i++) {
			struct text board = s->samples[s->sample_count - s->near_count + i];
			struct answer answer;
			answer_get(s, board, way, -1, -1, PATIENCE_MS, &answer);
			hash = hash_answer(hash, &answer);
			slow = answer.status == WIRE_STOPPED;
		}
	}
	return hash;
}

void check_deterministic(struct subject *s)
{
	const struct answers *answers = need_answers(s);
	struct answer again;
	char name[80];
	uint32_t compared = 0;
	for (uint32_t i = 0; answers && i < answers->samples * answers->ways; i++) {
		const struct answer *first = &answers->of[i];
		struct text board = s->samples[i / answers->ways];
		if (!first->asked || first->status == WIRE_STOPPED || spent(s))
			continue;
		answer_get(s, board, i % answers->ways, -1, -1, 10 * SOLVE_MS, &again);
		if (again.status == WIRE_STOPPED)
			continue;
		compared++;
		if (hash_answer(0, first) == hash_answer(0, &again))
			continue;
		broken(s, board, "%s: the second time %s", way_name(s, i % answers->ways, name),
		       first->status != again.status || first->cost != again.cost
			       ? "the answer is another"
		       : first->path != again.path ? "the moves are others"
						   : "as many nodes are not needed");
		return;
	}
	if (!answers)
		return;
	s->page->transcript = transcript(s);
	holds(s, "%u answers came again", compared);
}

void check_again(struct subject *s)
{
	if (transcript(s) == s->page->transcript)
		holds(s, "another process makes and solves the same boards in the same way");
	else
		broken(s, nowhere,
		       "another process makes other boards of the same seed, or solves them "
		       "otherwise: something is not initialised, or is left from an earlier job");
}
