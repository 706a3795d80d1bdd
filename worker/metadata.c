/* SPDX-License-Identifier: MIT */
#include "worker/metadata.h"

#include "common/limits.h"
#include "worker/plain.h"

enum { SENTENCE_MAX = 4096 }; /* bytes of a summary, syntax or help */

#define REFUSE(...) error_set(error, ERR_PLUGIN_FAILED, __VA_ARGS__)

/* The words that requests, results and the configuration use themselves: no option may take one. */
static const char *const reserved[] = {
	"algorithm",    "board",      "boards",   "goal",       "grace",   "heuristic", "id",
	"iterations",   "length",     "max_cost", "max_length", "memory",  "moves",     "notation",
	"open_timeout", "plugin",     "progress", "puzzle",     "render",  "sandbox",   "seed",
	"timeout",      "timeout_ms", "trace",    "search_ms",  "workers",
};

/* Lower-case letters, digits, and `marks`; begins with a letter or, if `digits`, a digit. */
static bool is_name(const char *name, const char *marks, bool digits)
{
	size_t len = name ? strnlen(name, PZ_NAME_MAX) : 0;
	if (len == 0 || len == PZ_NAME_MAX)
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = name[i];
		bool letter = c >= 'a' && c <= 'z';
		bool digit = c >= '0' && c <= '9';
		bool fits = i == 0 ? letter || (digits && digit)
				   : letter || digit || strchr(marks, c) != NULL;
		if (!fits)
			return false;
	}
	return true;
}

/* A string of at most `max` bytes that can be shown. */
static bool is_text(const char *string, size_t max, bool lines)
{
	size_t len = string ? strnlen(string, max + 1) : 0;
	return string && len <= max && plain_check((struct text){string, len}, lines);
}

/* A word to choose: for lists of words with blanks between them. */
static bool is_word(const char *word)
{
	return is_text(word, PZ_NAME_MAX - 1, false) && word[0] && !strchr(word, ' ');
}

/* Counts a list that NULL ends.  -1: not a list of 1 to PZ_CHOICES_MAX different words. */
static int count_words(const char *const *words, uint32_t *ret)
{
	uint32_t count = 0;
	if (!words)
		return -1;
	for (; words[count]; count++) {
		if (count == PZ_CHOICES_MAX || !is_word(words[count]))
			return -1;
		for (uint32_t i = 0; i < count; i++)
			if (strcmp(words[i], words[count]) == 0)
				return -1;
	}
	*ret = count;
	return count ? 0 : -1;
}

static int check_option(const struct pz_plugin *plugin, uint32_t at, uint32_t *ret_choices,
			struct error *error)
{
	const struct pz_option *option = &plugin->options[at];
	if (!is_name(option->name, "_", false))
		return REFUSE("the plugin's option %u has a name that is none", at);
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (strcmp(option->name, reserved[i]) == 0)
			return REFUSE("the plugin's option \"%s\" has a name of the protocol's own",
				      option->name);
	for (uint32_t i = 0; i < at; i++)
		if (strcmp(option->name, plugin->options[i].name) == 0)
			return REFUSE("the plugin has two options \"%s\"", option->name);
	if ((unsigned)option->type > PZ_CHOICE)
		return REFUSE("the plugin's option \"%s\" has an unknown type", option->name);
	if (option->scope == 0 || option->scope > (PZ_CONFIG | PZ_JOB))
		return REFUSE("the plugin's option \"%s\" has an unknown scope", option->name);
	if (!is_text(option->help, SENTENCE_MAX, false))
		return REFUSE("the plugin's option \"%s\" has no help", option->name);
	if (!is_text(option->fallback, LIMIT_OPTION, false))
		return REFUSE("the plugin's option \"%s\" has no default", option->name);
	if ((option->type == PZ_INT || option->type == PZ_TEXT) && option->min > option->max)
		return REFUSE("the plugin's option \"%s\" has an empty range", option->name);
	if (option->type == PZ_TEXT && (option->min < 0 || option->max > LIMIT_BOARD))
		return REFUSE("the plugin's option \"%s\" has a range beyond 0 to %d bytes",
			      option->name, LIMIT_BOARD);
	*ret_choices = 0;
	if (option->type == PZ_CHOICE && count_words(option->choices, ret_choices) < 0)
		return REFUSE("the plugin's option \"%s\" has no list of 1 to %d choices",
			      option->name, PZ_CHOICES_MAX);
	return 0;
}

static int check_texts(const struct pz_plugin *plugin, struct error *error)
{
	if (!is_name(plugin->name, "-", true))
		return REFUSE(
			"the plugin's name is not one of at most %d small letters, digits and -",
			PZ_NAME_MAX - 1);
	if (!is_text(plugin->version, PZ_NAME_MAX - 1, false))
		return REFUSE("the plugin has no version");
	if (!is_text(plugin->summary, SENTENCE_MAX, false))
		return REFUSE("the plugin has no summary");
	if (!is_text(plugin->syntax, SENTENCE_MAX, true))
		return REFUSE("the plugin does not say how a board is written");
	if (!is_text(plugin->example, PZ_BOARD_MAX, true))
		return REFUSE("the plugin has no example");
	if (plugin->goal && !is_text(plugin->goal, PZ_BOARD_MAX, true))
		return REFUSE("the plugin's goal is no text");
	return 0;
}

static int check_lists(const struct pz_plugin *plugin, struct metadata *ret, struct error *error)
{
	if (count_words(plugin->algorithms, &ret->algorithms) < 0)
		return REFUSE("the plugin has no list of 1 to %d algorithms", PZ_CHOICES_MAX);
	ret->heuristics = 0;
	if (plugin->heuristics && count_words(plugin->heuristics, &ret->heuristics) < 0)
		return REFUSE("the plugin has no list of 1 to %d heuristics", PZ_CHOICES_MAX);
	ret->notations = 1;
	if (plugin->notations && count_words(plugin->notations, &ret->notations) < 0)
		return REFUSE("the plugin has no list of 1 to %d notations", PZ_CHOICES_MAX);
	if (plugin->option_count > PZ_OPTIONS_MAX)
		return REFUSE("the plugin has %u options, more than %d", plugin->option_count,
			      PZ_OPTIONS_MAX);
	if (plugin->option_count && !plugin->options)
		return REFUSE("the plugin has %u options and no list of them",
			      plugin->option_count);
	for (uint32_t i = 0; i < plugin->option_count; i++)
		if (check_option(plugin, i, &ret->choices[i], error) < 0)
			return -1;
	return 0;
}

static int check_moves(const struct pz_plugin *plugin, const struct metadata *metadata,
		       struct error *error)
{
	if (plugin->moves == 0 || plugin->moves > PZ_MOVE_IDS_MAX)
		return REFUSE("the plugin has %u moves, not 1 to %d", plugin->moves,
			      PZ_MOVE_IDS_MAX);
	if (plugin->path_max == 0 || plugin->path_max > PZ_PATH_MAX)
		return REFUSE("the plugin's longest solution has %u moves, not 1 to %d",
			      plugin->path_max, PZ_PATH_MAX);
	if (!plugin->move_name && !plugin->move_names)
		return REFUSE("the plugin does not name its moves");
	if (!plugin->move_name && metadata->notations > 1)
		return REFUSE("the plugin has several notations and no move_name");
	return 0;
}

int metadata_check(const struct pz_plugin *plugin, struct metadata *ret, struct error *error)
{
	if (!plugin->open || !plugin->check || !plugin->solve || !plugin->replay)
		return REFUSE("the plugin lacks %s", !plugin->open    ? "open"
						     : !plugin->check ? "check"
						     : !plugin->solve ? "solve"
								      : "replay");
	if (plugin->tables && !plugin->build_table)
		return REFUSE("the plugin has tables and cannot build them");
	if (check_texts(plugin, error) < 0 || check_lists(plugin, ret, error) < 0)
		return -1;
	return check_moves(plugin, ret, error);
}
