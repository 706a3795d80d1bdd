/* SPDX-License-Identifier: MIT */
#include "worker/options.h"

#include "worker/plain.h"

#include <inttypes.h>
#include <stdio.h>

const char *option_type_name(enum pz_type type)
{
	static const char *const names[] = {
		[PZ_BOOL] = "bool", [PZ_INT] = "int", [PZ_TEXT] = "text", [PZ_CHOICE] = "choice"};
	return names[type];
}

/* ---- one value ---- */

static int parse_bool(struct text value, int64_t *ret)
{
	static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (text_is(value, words[i])) {
			*ret = (int64_t)(i % 2);
			return 0;
		}
	}
	return -1;
}

/* A decimal number, `-` before it allowed; nothing else, and nothing that overflows. */
static int parse_int(struct text value, int64_t *ret)
{
	bool negative = value.len && value.data[0] == '-';
	uint64_t most = (uint64_t)INT64_MAX + negative;
	uint64_t number = 0;
	if (value.len == negative)
		return -1;
	for (size_t i = negative; i < value.len; i++) {
		if (value.data[i] < '0' || value.data[i] > '9')
			return -1;
		unsigned digit = (unsigned)(value.data[i] - '0');
		if (number > (most - digit) / 10)
			return -1;
		number = number * 10 + digit;
	}
	*ret = negative ? (int64_t)(0 - number) : (int64_t)number;
	return 0;
}

static int parse_choice(const struct pz_option *option, struct text value, int64_t *ret)
{
	for (int64_t i = 0; option->choices[i]; i++) {
		if (text_is(value, option->choices[i])) {
			*ret = i;
			return 0;
		}
	}
	return -1;
}

/* Writes "a, b, c" of a list that NULL ends. */
static void list_words(char *ret, size_t cap, const char *const *words)
{
	size_t len = 0;
	ret[0] = '\0';
	for (size_t i = 0; words[i] && len < cap; i++)
		len += (size_t)snprintf(ret + len, cap - len, "%s%s", i ? ", " : "", words[i]);
}

int option_parse(const struct pz_option *option, struct text value, enum wire_option_form form,
		 struct pz_value *ret, struct error *error)
{
	char choices[320];
	int64_t number = 0;
	int rc = form == WIRE_BOOLEAN && option->type != PZ_BOOL ? -1 : 0;
	switch (option->type) {
	case PZ_BOOL:
		if (parse_bool(value, &number) < 0)
			return error_set(error, ERR_INVALID_PARAMS,
					 "\"%s\" must be yes or no, not %s", option->name,
					 plain_quote(value).text);
		break;
	case PZ_INT:
		if (rc < 0 || parse_int(value, &number) < 0 || number < option->min ||
		    number > option->max)
			return error_set(error, ERR_INVALID_PARAMS,
					 "\"%s\" must be a whole number from %" PRId64
					 " to %" PRId64 ", not %s",
					 option->name, option->min, option->max,
					 plain_quote(value).text);
		break;
	case PZ_TEXT:
		if (rc < 0 || (int64_t)value.len < option->min || (int64_t)value.len > option->max)
			return error_set(
				error, ERR_INVALID_PARAMS,
				"\"%s\" must be a text of %" PRId64 " to %" PRId64 " bytes, not %s",
				option->name, option->min, option->max, plain_quote(value).text);
		break;
	case PZ_CHOICE:
		if (rc < 0 || parse_choice(option, value, &number) < 0) {
			list_words(choices, sizeof(choices), option->choices);
			return error_set(error, ERR_INVALID_PARAMS,
					 "\"%s\" must be one of %s, not %s", option->name, choices,
					 plain_quote(value).text);
		}
		break;
	}
	*ret = (struct pz_value){number, {value.data, value.len}};
	return 0;
}

/* ---- all of them ---- */

int options_default(const struct pz_option *options, uint32_t count, struct pz_value *values,
		    struct error *error)
{
	for (uint32_t i = 0; i < count; i++)
		if (option_parse(&options[i], text_of(options[i].fallback), WIRE_TEXT, &values[i],
				 error) < 0)
			return -1;
	return 0;
}

/* Fills *error with what there is in place of the unknown `name`. */
static int unknown(const struct pz_option *options, uint32_t count, enum pz_scope scope,
		   struct text name, struct error *error)
{
	char list[320];
	size_t len = 0;
	list[0] = '\0';
	for (uint32_t i = 0; i < count && len < sizeof(list); i++)
		if (options[i].scope & scope)
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s",
						len ? ", " : "", options[i].name);
	return error_set(error, ERR_INVALID_PARAMS,
			 "there is no option %s; this puzzle's options here: %s",
			 plain_quote(name).text, len ? list : "none");
}

static int find(const struct pz_option *options, uint32_t count, struct text name)
{
	for (uint32_t i = 0; i < count; i++)
		if (text_is(name, options[i].name))
			return (int)i;
	return -1;
}

int options_set(const struct pz_option *options, uint32_t count, enum pz_scope scope,
		const struct wire_option *given, uint32_t given_count, struct pz_value *values,
		uint32_t *ret_bad, struct error *error)
{
	uint64_t seen = 0; /* a bit for each option: PZ_OPTIONS_MAX is below 64 */
	for (uint32_t i = 0; i < given_count; i++) {
		*ret_bad = i;
		int at = find(options, count, given[i].name);
		if (at < 0)
			return unknown(options, count, scope, given[i].name, error);
		const struct pz_option *option = &options[at];
		if (!(option->scope & scope))
			return error_set(
				error, ERR_INVALID_PARAMS,
				scope == PZ_JOB
					? "\"%s\" is set in the configuration, not in a request"
					: "\"%s\" belongs to a request, not to the "
					  "configuration",
				option->name);
		if (seen & UINT64_C(1) << at)
			return error_set(error, ERR_INVALID_PARAMS, "\"%s\" is given twice",
					 option->name);
		seen |= UINT64_C(1) << at;
		if (option_parse(option, given[i].value, (enum wire_option_form)given[i].form,
				 &values[at], error) < 0)
			return -1;
	}
	return 0;
}
