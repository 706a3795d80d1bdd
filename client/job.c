/* SPDX-License-Identifier: MIT */
#include "client/job.h"

#include "client/value.h"

#include <string.h>

int job_set(json_t *params, const char *key, json_t *value, struct fault *fault)
{
	if (json_object_get(params, key)) {
		json_decref(value);
		return fault_set(fault, EXIT_USAGE, "'%s' is given twice", key);
	}
	return json_object_set_new(params, key, value) < 0 ? fault_memory(fault) : 0;
}

int job_set_text(json_t *params, const char *key, const char *text, size_t len, struct fault *fault)
{
	json_t *value = value_text(key, text, len, fault);
	return value ? job_set(params, key, value, fault) : -1;
}

static int set_texts(json_t *params, const struct job_values *values, const char *puzzle,
		     struct fault *fault)
{
	const struct {
		const char *key, *text;
	} texts[] = {
		{"puzzle", puzzle},
		{"goal", values->goal},
		{"algorithm", values->algorithm},
		{"heuristic", values->heuristic},
		{"notation", values->notation},
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *text = texts[i].text;
		if (text && job_set_text(params, texts[i].key, text, strlen(text), fault) < 0)
			return -1;
	}
	return 0;
}

static int set_numbers(json_t *params, const struct job_values *values, struct fault *fault)
{
	const struct {
		const char *key;
		struct number number;
	} numbers[] = {
		{"max_length", values->max_length},
		{"max_cost", values->max_cost},
		{"timeout_ms", values->timeout},
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!numbers[i].number.given)
			continue;
		json_t *value = json_integer(numbers[i].number.value);
		if (job_set(params, numbers[i].key, value, fault) < 0)
			return -1;
	}
	return 0;
}

json_t *job_params(const struct job_values *values, const char *puzzle, struct fault *fault)
{
	json_t *params = values->settings ? json_copy(values->settings) : json_object();
	if (!params) {
		fault_memory(fault);
		return NULL;
	}
	if (set_texts(params, values, puzzle, fault) < 0 ||
	    set_numbers(params, values, fault) < 0) {
		json_decref(params);
		return NULL;
	}
	return params;
}
