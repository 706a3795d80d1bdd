/* SPDX-License-Identifier: MIT */
#include "client/options.h"

#include "client/print.h"
#include "client/suggest.h"
#include "client/value.h"
#include "common/units.h"

#include <string.h>

enum { HELP_COLUMN = 29, HELP_WIDTH = 80 };

static const int64_t LONGEST_MS = INT64_C(366) * 86400 * 1000;

/* One option as it stands on the command line. */
struct typed {
	const struct option *option;
	void *value;      /* where it goes */
	const char *text; /* its argument */
};

static const struct option *find(const struct option_set *sets, const char *name, size_t len,
				 char letter, void **ret_value)
{
	for (; sets->values; sets++) {
		for (const struct option *o = sets->options; o && o->name; o++) {
			bool same = letter ? o->letter == letter
					   : strlen(o->name) == len && !memcmp(o->name, name, len);
			if (same) {
				*ret_value = (char *)sets->values + o->offset;
				return o;
			}
		}
	}
	return NULL;
}

static int unknown_option(const struct option_set *sets, const char *word, struct fault *fault)
{
	char name[64];
	const char *start = word + strspn(word, "-");
	size_t len = strcspn(start, "=");
	struct suggestion suggestion = {.typed = name};
	if (len > 1 && len < sizeof(name)) {
		memcpy(name, start, len);
		name[len] = '\0';
		for (; sets->values; sets++)
			for (const struct option *o = sets->options; o && o->name; o++)
				suggest_consider(&suggestion, o->name);
	}
	if (suggestion.name)
		return fault_set(fault, EXIT_USAGE, "there is no option '%s'; did you mean '--%s'?",
				 word, suggestion.name);
	return fault_set(fault, EXIT_USAGE,
			 "there is no option '%s' (after '--' a word may begin with a dash)", word);
}

static int set_value(const struct typed *typed, struct fault *fault)
{
	const struct option *o = typed->option;
	const char *text = typed->text;
	struct number *number = typed->value;
	char reason[256];
	int failed = 0;
	switch (o->type) {
	case OPTION_FLAG:
		*(bool *)typed->value = true;
		return 0;
	case OPTION_TEXT:
		*(const char **)typed->value = text;
		return 0;
	case OPTION_NUMBER:
		failed = units_number(text_of(text), 0, INT64_MAX, &number->value, reason,
				      sizeof(reason));
		break;
	case OPTION_DURATION:
		failed = units_duration(text_of(text), 1, LONGEST_MS, &number->value, reason,
					sizeof(reason));
		break;
	case OPTION_SETTING: {
		json_t **settings = typed->value;
		if (!*settings && !(*settings = json_object()))
			return fault_memory(fault);
		return value_setting(*settings, text, fault);
	}
	}
	if (failed)
		return fault_set(fault, EXIT_USAGE, "--%s %s: %s", o->name, text, reason);
	number->given = true;
	return 0;
}

/* The long option argv[*at]; *at moves on when its argument is the next word. */
static int parse_long(const struct option_set *sets, int argc, char **argv, int *at,
		      struct fault *fault)
{
	const char *word = argv[*at], *name = word + 2;
	size_t len = strcspn(name, "=");
	struct typed typed = {.text = name[len] ? name + len + 1 : NULL};
	typed.option = find(sets, name, len, 0, &typed.value);
	if (!typed.option)
		return unknown_option(sets, word, fault);
	if (!typed.option->argument && typed.text)
		return fault_set(fault, EXIT_USAGE, "--%s takes no value", typed.option->name);
	if (typed.option->argument && !typed.text) {
		if (*at + 1 >= argc)
			return fault_set(fault, EXIT_USAGE, "--%s wants %s", typed.option->name,
					 typed.option->argument);
		typed.text = argv[++*at];
	}
	return set_value(&typed, fault);
}

/* The letters of argv[*at]: flags, and at the end perhaps one with an argument. */
static int parse_letters(const struct option_set *sets, int argc, char **argv, int *at,
			 struct fault *fault)
{
	const char *word = argv[*at];
	for (const char *letter = word + 1; *letter; letter++) {
		struct typed typed = {0};
		typed.option = find(sets, NULL, 0, *letter, &typed.value);
		if (!typed.option)
			return unknown_option(sets, word, fault);
		if (typed.option->argument) {
			if (!letter[1] && *at + 1 >= argc)
				return fault_set(fault, EXIT_USAGE, "-%c wants %s", *letter,
						 typed.option->argument);
			typed.text = letter[1] ? letter + 1 : argv[++*at];
			return set_value(&typed, fault);
		}
		if (set_value(&typed, fault) < 0)
			return -1;
	}
	return 0;
}

int options_parse(const struct option_set *sets, bool only_leading, int argc, char **argv,
		  struct fault *fault)
{
	int operands = 0, at = 0;
	bool options = true;
	for (; at < argc; at++) {
		char *word = argv[at];
		bool is_option = options && word[0] == '-' && word[1];
		if (!is_option && only_leading)
			break;
		if (!is_option) {
			argv[operands++] = word;
		} else if (strcmp(word, "--") == 0) {
			options = false;
		} else if (word[1] == '-') {
			if (parse_long(sets, argc, argv, &at, fault) < 0)
				return -1;
		} else if (parse_letters(sets, argc, argv, &at, fault) < 0) {
			return -1;
		}
	}
	return only_leading ? at : operands;
}

void options_free(const struct option_set *set)
{
	for (const struct option *o = set->options; o && o->name; o++)
		if (o->type == OPTION_SETTING)
			json_decref(*(json_t **)((char *)set->values + o->offset));
}

void options_help(FILE *out, const struct option *options)
{
	for (const struct option *o = options; o && o->name; o++) {
		char left[64];
		int len = o->letter ? snprintf(left, sizeof(left), "-%c, --%s", o->letter, o->name)
				    : snprintf(left, sizeof(left), "    --%s", o->name);
		if (o->argument && len > 0 && (size_t)len < sizeof(left))
			snprintf(left + len, sizeof(left) - (size_t)len, " %s", o->argument);
		fprintf(out, "  %-26s ", left);
		print_wrapped(out, o->help, HELP_COLUMN, HELP_WIDTH);
		putc('\n', out);
	}
}
