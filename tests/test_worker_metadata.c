/* SPDX-License-Identifier: MIT */
/* What a plugin may say of itself, and what it may not: each member is spoiled in turn. */
#include "tests/cmocka_first.h"

#include "common/wire.h"
#include "worker/metadata.h"
#include "worker/moves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"one", "two", NULL};
static const char *const names[] = {"a", "b", NULL, "c"};

static const struct pz_option number = {.name = "number",
					.type = PZ_INT,
					.scope = PZ_JOB,
					.fallback = "1",
					.min = 0,
					.max = 9,
					.help = "a number"};

static int open_it(const struct pz_setup *setup, void **ret_self, struct pz_error *error)
{
	(void)setup, (void)ret_self, (void)error;
	return 0;
}

static int check_it(void *self, const struct pz_job *job, struct pz_error *error)
{
	(void)self, (void)job, (void)error;
	return 0;
}

static void solve_it(void *self, const struct pz_job *job, struct pz_result *ret)
{
	(void)self, (void)job, (void)ret;
}

static void replay_it(void *self, const struct pz_job *job, const uint16_t *moves, size_t count,
		      struct pz_replay *ret)
{
	(void)self, (void)job, (void)moves, (void)count, (void)ret;
}

static size_t tables_of_it(void *self, struct pz_table *ret, bool *ready, size_t cap)
{
	(void)self, (void)ret, (void)ready, (void)cap;
	return 0;
}

static struct pz_plugin sound(void)
{
	return (struct pz_plugin){
		.abi = PZ_ABI,
		.size = sizeof(struct pz_plugin),
		.name = "sound",
		.version = "1.0",
		.summary = "nothing wrong here",
		.syntax = "two\nlines",
		.example = "x",
		.goal = "y",
		.moves = 4,
		.path_max = PZ_PATH_MAX,
		.move_names = names,
		.algorithms = words,
		.heuristics = words,
		.options = &number,
		.option_count = 1,
		.open = open_it,
		.check = check_it,
		.solve = solve_it,
		.replay = replay_it,
	};
}

static void refused(const struct pz_plugin *plugin, const char *part)
{
	struct metadata metadata;
	struct error error;
	assert_int_equal(metadata_check(plugin, &metadata, &error), -1);
	assert_int_equal(error.kind, ERR_PLUGIN_FAILED);
	if (!strstr(error.reason, part))
		fail_msg("\"%s\" does not contain \"%s\"", error.reason, part);
}

#define SPOILED(member, value, part)                                                               \
	do {                                                                                       \
		struct pz_plugin plugin = sound();                                                 \
		plugin.member = value;                                                             \
		refused(&plugin, part);                                                            \
	} while (0)

static void a_sound_plugin_is_counted(void **state)
{
	struct pz_plugin plugin = sound();
	struct metadata metadata;
	struct error error;
	(void)state;
	assert_int_equal(metadata_check(&plugin, &metadata, &error), 0);
	assert_int_equal(metadata.algorithms, 2);
	assert_int_equal(metadata.heuristics, 2);
	assert_int_equal(metadata.notations, 1);
	plugin.heuristics = NULL;
	plugin.goal = NULL;
	plugin.options = NULL;
	plugin.option_count = 0;
	assert_int_equal(metadata_check(&plugin, &metadata, &error), 0);
	assert_int_equal(metadata.heuristics, 0);
}

static void a_missing_callback_is_named(void **state)
{
	(void)state;
	SPOILED(open, NULL, "lacks open");
	SPOILED(check, NULL, "lacks check");
	SPOILED(solve, NULL, "lacks solve");
	SPOILED(replay, NULL, "lacks replay");
	SPOILED(tables, tables_of_it, "cannot build");
}

static void names_and_texts_must_be_such(void **state)
{
	static char endless[5000];
	(void)state;
	memset(endless, 'x', sizeof(endless) - 1);
	SPOILED(name, NULL, "name");
	SPOILED(name, "", "name");
	SPOILED(name, "Upper", "name");
	SPOILED(name, "../../etc", "name");
	SPOILED(name, "-dash", "name");
	SPOILED(name, "a-name-of-thirty-two-characters-", "name");
	SPOILED(version, NULL, "version");
	SPOILED(version, "1.0\n", "version");
	SPOILED(version, "a version of more than thirty-two", "version");
	SPOILED(summary, NULL, "summary");
	SPOILED(summary, "two\nlines", "summary");
	SPOILED(summary, "\xff", "summary");
	SPOILED(summary, endless, "summary");
	SPOILED(syntax, NULL, "board is written");
	SPOILED(syntax, "\x1b[2J", "board is written");
	SPOILED(example, NULL, "example");
	SPOILED(example, endless, "example");
	SPOILED(goal, "\x01", "goal");
}

static void lists_must_be_of_different_words(void **state)
{
	static const char *const none[] = {NULL};
	static const char *const twice[] = {"one", "one", NULL};
	static const char *const empty[] = {"", NULL};
	static const char *const blank[] = {"a b", NULL};
	static const char *const many[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
					   "j", "k", "l", "m", "n", "o", "p", "q", NULL};
	(void)state;
	SPOILED(algorithms, NULL, "algorithms");
	SPOILED(algorithms, none, "algorithms");
	SPOILED(algorithms, twice, "algorithms");
	SPOILED(algorithms, empty, "algorithms");
	SPOILED(algorithms, blank, "algorithms");
	SPOILED(algorithms, many, "algorithms");
	SPOILED(heuristics, none, "heuristics");
	SPOILED(notations, twice, "notations");
	SPOILED(notations, words, "move_name");
}

static void counts_must_be_within_their_bounds(void **state)
{
	(void)state;
	SPOILED(moves, 0, "0 moves");
	SPOILED(moves, PZ_MOVE_IDS_MAX + 1, "4097 moves");
	SPOILED(path_max, 0, "0 moves");
	SPOILED(path_max, PZ_PATH_MAX + 1, "4097 moves");
	SPOILED(move_names, NULL, "does not name its moves");
	SPOILED(option_count, PZ_OPTIONS_MAX + 1, "33 options");
	SPOILED(options, NULL, "no list");
}

#define OPTION_SPOILED(member, value, part)                                                        \
	do {                                                                                       \
		struct pz_option option = number;                                                  \
		struct pz_plugin plugin = sound();                                                 \
		option.member = value;                                                             \
		plugin.options = &option;                                                          \
		refused(&plugin, part);                                                            \
	} while (0)

static void options_must_be_such(void **state)
{
	static const char *const none[] = {NULL};
	(void)state;
	OPTION_SPOILED(name, NULL, "name");
	OPTION_SPOILED(name, "two-words", "name");
	OPTION_SPOILED(name, "9lives", "name");
	OPTION_SPOILED(name, "boards", "protocol's own");
	OPTION_SPOILED(name, "timeout_ms", "protocol's own");
	OPTION_SPOILED(name, "workers", "protocol's own");
	OPTION_SPOILED(type, (enum pz_type)4, "type");
	OPTION_SPOILED(scope, 0, "scope");
	OPTION_SPOILED(scope, 4, "scope");
	OPTION_SPOILED(help, NULL, "help");
	OPTION_SPOILED(fallback, NULL, "default");
	OPTION_SPOILED(min, 10, "empty range");

	struct pz_option text = number;
	struct pz_plugin plugin = sound();
	plugin.options = &text;
	text.type = PZ_TEXT;
	text.max = 4097;
	refused(&plugin, "range");
	text.type = PZ_CHOICE;
	refused(&plugin, "choices");
	text.choices = none;
	refused(&plugin, "choices");

	const struct pz_option twins[] = {number, number};
	plugin.options = twins;
	plugin.option_count = 2;
	refused(&plugin, "two options \"number\"");
}

/* ---- names of moves ------------------------------------------------------------------------ */

static const char *what; /* what name_it calls move 1 */

static int name_it(unsigned notation, unsigned id, char *name, size_t cap)
{
	if (id == 2)
		return -1;
	if (id == 1)
		snprintf(name, cap, "%s", what);
	else
		snprintf(name, cap, "%u%c", id, (char)('a' + notation));
	return 0;
}

static void a_moves_name_leads_back_to_it(void **state)
{
	struct pz_plugin plugin = sound();
	struct moves moves;
	struct error error;
	char name[PZ_NAME_MAX];
	(void)state;
	what = "x";
	plugin.moves = 100;
	plugin.move_name = name_it;
	assert_int_equal(moves_collect(&moves, &plugin, 3, &error), 0);
	for (unsigned notation = 0; notation < 3; notation++) {
		for (unsigned id = 0; id < plugin.moves; id++) {
			int rc = name_it(notation, id, name, sizeof(name));
			if (rc == 0)
				assert_int_equal(moves_find(&moves, notation, text_of(name)), id);
		}
	}
	assert_int_equal(moves_find(&moves, 0, text_of("0b")), -1);
	assert_int_equal(moves_find(&moves, 0, text_of("2a")), -1);
	assert_int_equal(moves_find(&moves, 0, text_of("")), -1);
	assert_int_equal(moves_find(&moves, 0, (struct text){NULL, 0}), -1);
	buf_free(&moves.names);
	free(moves.sorted);
}

static void a_move_whose_name_is_no_word_of_its_own_is_refused(void **state)
{
	static const char *const wrong[] = {"",     "a b", "a\n",
					    "\xff", "0a",  "a name of thirty-two characters."};
	struct pz_plugin plugin = sound();
	(void)state;
	plugin.move_name = name_it;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct moves moves;
		struct error error;
		what = wrong[i];
		assert_int_equal(moves_collect(&moves, &plugin, 1, &error), -1);
		assert_int_equal(error.kind, ERR_PLUGIN_FAILED);
		buf_free(&moves.names);
		free(moves.sorted);
	}
}

static void a_table_of_names_may_have_gaps(void **state)
{
	struct pz_plugin plugin = sound();
	struct moves moves;
	struct error error;
	(void)state;
	assert_int_equal(moves_collect(&moves, &plugin, 1, &error), 0);
	assert_int_equal(moves_find(&moves, 0, text_of("c")), 3);
	struct text rest = buf_text(&moves.names);
	for (int i = 0; i < 3; i++)
		assert_int_equal(wire_name_next(&rest).data != NULL, i != 2);
	buf_free(&moves.names);
	free(moves.sorted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_plugin_is_counted),
		cmocka_unit_test(a_missing_callback_is_named),
		cmocka_unit_test(names_and_texts_must_be_such),
		cmocka_unit_test(lists_must_be_of_different_words),
		cmocka_unit_test(counts_must_be_within_their_bounds),
		cmocka_unit_test(options_must_be_such),
		cmocka_unit_test(a_moves_name_leads_back_to_it),
		cmocka_unit_test(a_move_whose_name_is_no_word_of_its_own_is_refused),
		cmocka_unit_test(a_table_of_names_may_have_gaps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
