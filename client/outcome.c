/* SPDX-License-Identifier: MIT */
#include "client/outcome.h"

#include "client/channel.h"
#include "client/member.h"

#include <string.h>

static const struct {
	const char *word;
	enum exit_status exit;
} statuses[] = {
	[OUTCOME_SOLVED] = {"solved", EXIT_SOLVED},
	[OUTCOME_UNSOLVABLE] = {"unsolvable", EXIT_NO_SOLUTION},
	[OUTCOME_LIMIT] = {"limit", EXIT_NO_SOLUTION},
	[OUTCOME_ERROR] = {"error", EXIT_FAULT},
};

static int64_t number(const json_t *object, const char *key, int64_t missing)
{
	const json_t *value = json_object_get(object, key);
	return json_is_integer(value) ? json_integer_value(value) : missing;
}

void outcome_of_error(struct outcome *ret, const json_t *error)
{
	const json_t *data = json_object_get(error, "data");
	*ret = (struct outcome){
		.status = OUTCOME_ERROR,
		.length = -1,
		.cost = -1,
		.lower_bound = number(data, "lower_bound", -1),
		.kind = text_at(data, "kind"),
		.position = number(data, "position", 0),
	};
	fault_of_error(&ret->fault, error);
}

static int read_result(struct outcome *ret, const json_t *result, struct fault *fault)
{
	const char *word = text_at(result, "status");
	for (enum outcome_status s = OUTCOME_SOLVED; word && s <= OUTCOME_LIMIT; s++) {
		if (strcmp(word, statuses[s].word) != 0)
			continue;
		*ret = (struct outcome){
			.status = s,
			.length = -1,
			.cost = -1,
			.lower_bound = number(result, "lower_bound", -1),
			.final = text_at(result, "final"),
			.stats = json_object_get(result, "stats"),
		};
		if (s != OUTCOME_SOLVED)
			return 0;
		ret->moves = json_object_get(result, "moves");
		ret->length = number(result, "length", -1);
		ret->cost = number(result, "cost", ret->length);
		if (json_is_array(ret->moves) &&
		    ret->length == (int64_t)json_array_size(ret->moves))
			return 0;
		return fault_set(fault, EXIT_PROTOCOL,
				 "the daemon's solution is not understood: "
				 "its length and its moves do not belong together");
	}
	return fault_set(fault, EXIT_PROTOCOL,
			 "the daemon's result has a status that is not known: %s",
			 word ? word : "none");
}

int outcome_read(struct outcome *ret, const json_t *result, struct fault *fault)
{
	const json_t *error = json_object_get(result, "error");
	if (!json_is_object(error))
		return read_result(ret, result, fault);
	outcome_of_error(ret, error);
	return 0;
}

const char *outcome_word(const struct outcome *outcome)
{
	return statuses[outcome->status].word;
}

enum exit_status outcome_exit(const struct outcome *outcome)
{
	return outcome->status == OUTCOME_ERROR ? outcome->fault.exit
						: statuses[outcome->status].exit;
}

int64_t outcome_stat(const struct outcome *outcome, const char *name)
{
	return number(outcome->stats, name, -1);
}
