/* SPDX-License-Identifier: MIT */
/* puzzlectl describe: how to speak of a puzzle. */
#include "client/command.h"
#include "client/member.h"
#include "client/print.h"
#include "client/table.h"

#include <string.h>

enum { NAMES = 12 }; /* columns that the names of fields take */

static const char describe_help[] =
	"Tells all that is to be known for using a puzzle: how its boards are written,\n"
	"the names of its moves, its algorithms and heuristics, and its options with\n"
	"their types, for -o KEY=VALUE.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl describe 8puzzle\n"
	"  puzzlectl describe --json knights | jq .options";

static void begin_line(const char *name)
{
	printf("%-*s ", NAMES - 1, name);
}

/* A text of words, in as many lines as it needs; nothing when there is none. */
static void print_field(const json_t *description, const char *key)
{
	const char *rest = text_at(description, key);
	if (!rest || !*rest)
		return;
	begin_line(key);
	print_wrapped(stdout, rest, NAMES, print_columns(stdout));
	putchar('\n');
}

/* The name of an element that is a string, or an object with a name. */
static const char *name_of(const json_t *element)
{
	return json_is_string(element) ? json_string_value(element) : text_at(element, "name");
}

/* A list in as many lines as it needs; `label` (or NULL) stands before its first name. */
static void print_names(const char *title, const char *label, const json_t *names)
{
	size_t i, used = 0, columns = print_columns(stdout);
	json_t *name;
	if (!json_array_size(names))
		return;
	begin_line(title);
	if (label)
		used = print_string(stdout, label);
	json_array_foreach ((json_t *)names, i, name) {
		struct text word = text_of(name_of(name));
		size_t width = word.data ? print_width(word) : 0;
		if (used > 0 && NAMES + used + 1 + width > columns) {
			putchar('\n');
			begin_line("");
			used = 0;
		}
		if (used > 0)
			putchar(' ');
		print_text(stdout, word);
		used += (used > 0) + width;
	}
	putchar('\n');
}

/* A value of any type, as one would write it after `-o key=`. */
static void value_string(char *ret, size_t size, const json_t *value)
{
	const char *string = json_string_value(value);
	if (string)
		snprintf(ret, size, "%s", string);
	else if (json_is_boolean(value))
		snprintf(ret, size, "%s", json_is_true(value) ? "true" : "false");
	else if (json_is_integer(value))
		snprintf(ret, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else
		ret[0] = '\0';
}

/* "int 1..64", "choice a|b|c". */
static void type_string(char *ret, size_t size, const json_t *option)
{
	const char *type = text_at(option, "type");
	const json_t *least = json_object_get(option, "min"),
		     *most = json_object_get(option, "max");
	const json_t *choices = json_object_get(option, "choices");
	size_t len = (size_t)snprintf(ret, size, "%s", type ? type : "");
	if (json_array_size(choices) > 0) {
		size_t i;
		json_t *choice;
		json_array_foreach ((json_t *)choices, i, choice) {
			const char *name = name_of(choice);
			if (len < size)
				len += (size_t)snprintf(ret + len, size - len, "%s%s",
							i ? "|" : " ", name ? name : "");
		}
	} else if (json_is_integer(least) && json_is_integer(most) && len < size) {
		snprintf(ret + len, size - len, " %" JSON_INTEGER_FORMAT "..%" JSON_INTEGER_FORMAT,
			 json_integer_value(least), json_integer_value(most));
	}
}

/* Where an option may be set: "configuration", "request", or both. */
static void scope_string(char *ret, size_t size, const json_t *scope)
{
	size_t len = 0, i;
	json_t *place;
	*ret = '\0';
	json_array_foreach ((json_t *)scope, i, place) {
		const char *name = json_string_value(place);
		if (name && len < size)
			len += (size_t)snprintf(ret + len, size - len, "%s%s", i ? ", " : "", name);
	}
}

static void print_options(const json_t *options)
{
	static const char *const titles[] = {"OPTION", "TYPE",         "DEFAULT",
					     "WHERE",  "WHAT IT DOES", NULL};
	if (!json_array_size(options))
		return;
	struct table *table = table_new(titles);
	if (!table)
		return;
	size_t i;
	json_t *option;
	json_array_foreach ((json_t *)options, i, option) {
		char type[256], fallback[256], scope[64];
		type_string(type, sizeof(type), option);
		value_string(fallback, sizeof(fallback), json_object_get(option, "default"));
		table_text(table, text_at(option, "name"));
		table_text(table, type);
		table_text(table, fallback);
		scope_string(scope, sizeof(scope), json_object_get(option, "scope"));
		table_text(table, scope);
		table_text(table, text_at(option, "help"));
	}
	putchar('\n');
	table_print(stdout, table);
	table_free(table);
}

static void print_tables(const json_t *tables)
{
	static const char *const titles[] = {"TABLE", "SIZE", "STATE", "WHAT IT HOLDS", NULL};
	if (!json_array_size(tables))
		return;
	struct table *table = table_new(titles);
	if (!table)
		return;
	size_t i;
	json_t *row;
	json_array_foreach ((json_t *)tables, i, row) {
		char size[PRINT_AMOUNT];
		const char *state = text_at(row, "state");
		if (!state && json_is_boolean(json_object_get(row, "ready")))
			state = json_is_true(json_object_get(row, "ready")) ? "ready" : "absent";
		table_text(table, text_at(row, "name"));
		table_amount(table,
			     print_size(size, json_integer_value(json_object_get(row, "bytes"))));
		table_text(table, state);
		table_text(table, text_at(row, "help"));
	}
	putchar('\n');
	table_print(stdout, table);
	table_free(table);
}

/* The names of moves, by notation where there are several. */
static void print_moves_of(const json_t *moves)
{
	const char *notation;
	json_t *names;
	bool first = true;
	json_object_foreach ((json_t *)moves, notation, names) {
		char title[64];
		snprintf(title, sizeof(title), "%s:", notation);
		print_names(first ? "moves" : "", json_object_size(moves) > 1 ? title : NULL,
			    names);
		first = false;
	}
}

static void print_description(const json_t *result)
{
	static const char *const fields[] = {"name",   "plugin",  "version", "summary",
					     "syntax", "example", "goal"};
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		print_field(result, fields[i]);
	print_moves_of(json_object_get(result, "moves"));
	print_names("algorithms", NULL, json_object_get(result, "algorithms"));
	print_names("heuristics", NULL, json_object_get(result, "heuristics"));
	print_options(json_object_get(result, "options"));
	print_tables(json_object_get(result, "tables"));
}

static int describe_run(struct client *client, void *values, int argc, char **argv)
{
	(void)values, (void)argc;
	json_t *params = json_pack("{s:s}", "puzzle", argv[0]);
	return command_ask(client, "describe", params, print_description);
}

const struct command command_describe = {
	.name = "describe",
	.arguments = "PUZZLE",
	.summary = "explain a puzzle: its boards, moves and options",
	.help = describe_help,
	.least = 1,
	.most = 1,
	.run = describe_run,
};
