/* SPDX-License-Identifier: MIT */
#include "worker/host.h"

#include "worker/options.h"
#include "worker/plain.h"
#include "worker/tables.h"

#include <dlfcn.h>
#include <stdlib.h>

#define REFUSE(...) error_set(error, ERR_PLUGIN_FAILED, __VA_ARGS__)

/* The least that a plugin's struct can be: all that must be there. */
enum { PLUGIN_SIZE_MIN = offsetof(struct pz_plugin, neighbours) };

/* ---- loading ---- */

/* Takes a copy of the plugin's struct, of as much as both sides know. */
static int copy_plugin(struct pz_plugin *ret, const struct pz_plugin *theirs, const char *path,
		       struct error *error)
{
	if (theirs->abi != PZ_ABI)
		return REFUSE("%s is built for version %u of the plugin interface, not %d", path,
			      theirs->abi, PZ_ABI);
	if (theirs->size < PLUGIN_SIZE_MIN || theirs->size > 64 * sizeof(*theirs))
		return REFUSE("%s says that its pz_plugin has %u bytes, which it cannot have", path,
			      theirs->size);
	*ret = (struct pz_plugin){0};
	memcpy(ret, theirs, theirs->size < sizeof(*ret) ? theirs->size : sizeof(*ret));
	return 0;
}

int host_map(struct host *ret, const char *path, struct error *error)
{
	if (!strchr(path, '/'))
		return REFUSE("the plugin %s is no path with a folder", path);
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object) {
		/* dlerror forgets what it has said once. */
		const char *why = dlerror();
		return REFUSE("%s", why ? why : "the plugin cannot be loaded");
	}
	const struct pz_plugin *theirs = dlsym(object, "pz_plugin");
	if (!theirs)
		return REFUSE("%s exports no pz_plugin: it is no plugin", path);
	*ret = (struct host){0};
	return copy_plugin(&ret->plugin, theirs, path, error);
}

int host_believe(struct host *host, struct error *error)
{
	if (metadata_check(&host->plugin, &host->metadata, error) < 0)
		return -1;
	if (host->plugin.board_max > PZ_BOARD_MAX)
		return REFUSE("the plugin's longest board has %u bytes, more than %d",
			      host->plugin.board_max, PZ_BOARD_MAX);
	host->board_max = host->plugin.board_max ? host->plugin.board_max : PZ_BOARD_MAX;
	return moves_collect(&host->moves, &host->plugin, host->metadata.notations, error);
}

int host_load(struct host *ret, const char *path, struct error *error)
{
	return host_map(ret, path, error) < 0 ? -1 : host_believe(ret, error);
}

/* ---- setting up ---- */

/* Hands a plugin's reason on as a sentence. */
static int refuse_reason(struct error *error, const char *what, struct pz_error *theirs)
{
	char reason[PZ_REASON_MAX];
	theirs->reason[sizeof(theirs->reason) - 1] = '\0';
	plain_copy(reason, sizeof(reason), text_of(theirs->reason));
	return REFUSE("%s: %s", what, reason[0] ? reason : "no reason given");
}

int host_open(struct host *host, const struct wire_setup *setup, const struct pz_host *services,
	      struct text *ret_option, struct error *error)
{
	const struct pz_plugin *plugin = &host->plugin;
	uint32_t bad;
	*ret_option = (struct text){NULL, 0};
	if (setup->memory == 0 || setup->memory > SIZE_MAX)
		return REFUSE("a worker cannot have %llu bytes of memory",
			      (unsigned long long)setup->memory);
	host->memory = (size_t)setup->memory;
	if (options_default(plugin->options, plugin->option_count, host->options, error) < 0)
		return -1;
	if (options_set(plugin->options, plugin->option_count, PZ_CONFIG, setup->options,
			setup->option_count, host->options, &bad, error) < 0) {
		*ret_option = setup->options[bad].name;
		return -1;
	}
	if (setup->goal.data && !plugin->goal) {
		*ret_option = text_of("goal");
		return REFUSE("the goal of this puzzle is in its rules and cannot be set");
	}
	const struct pz_setup theirs = {
		.size = sizeof(theirs),
		.host = services,
		.goal = {setup->goal.data, setup->goal.len},
		.options = host->options,
		.memory = host->memory,
	};
	struct pz_error why = {0};
	if (plugin->open(&theirs, &host->self, &why) < 0) {
		if (setup->goal.data && strncmp(why.reason, "goal: ", 6) == 0)
			*ret_option = text_of("goal");
		return refuse_reason(error, "the plugin does not open", &why);
	}
	return 0;
}

/* ---- HELLO ---- */

/* Prints the goal in force as the plugin prints boards: as a board of no moves to it. */
static int print_goal(const struct host *host, const struct wire_setup *setup,
		      const struct pz_host *services, struct pz_buffer *ret, struct error *error)
{
	struct text goal = setup->goal.data ? setup->goal : text_of(host->plugin.goal);
	const struct pz_job job = {
		.size = sizeof(job),
		.host = services,
		.board = {goal.data, goal.len},
		.max_length = -1,
		.max_cost = -1,
		.memory = host->memory,
		.options = host->options,
	};
	struct pz_error why = {0};
	if (host->plugin.check(host->self, &job, &why) < 0)
		return refuse_reason(error, "the goal is no board", &why);
	struct pz_replay replay = {.size = sizeof(replay), .final = *ret};
	uint16_t none = 0;
	host->plugin.replay(host->self, &job, &none, 0, &replay);
	if (replay.final.len > host->board_max)
		return REFUSE("the plugin does not print its goal in the %u bytes of board_max",
			      host->board_max);
	if (!replay.legal || !replay.solved)
		return REFUSE("the plugin does not take its goal for solved");
	ret->len = replay.final.len;
	return 0;
}

static uint32_t list(struct text *ret, const char *const *words, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		ret[i] = text_of(words[i]);
	return count;
}

static void describe_options(const struct host *host, struct wire_hello *hello)
{
	hello->option_count = host->plugin.option_count;
	for (uint32_t i = 0; i < hello->option_count; i++) {
		const struct pz_option *option = &host->plugin.options[i];
		struct wire_schema *schema = &hello->options[i];
		bool ranged = option->type == PZ_INT || option->type == PZ_TEXT;
		*schema = (struct wire_schema){
			.name = text_of(option->name),
			.type = text_of(option_type_name(option->type)),
			/* What the configuration says is the default of a job's. */
			.fallback = {host->options[i].text.data, host->options[i].text.len},
			.help = text_of(option->help),
			.scope = option->scope,
			.min = ranged ? option->min : 0,
			.max = ranged ? option->max : 0,
		};
		schema->choice_count =
			list(schema->choices, option->choices, host->metadata.choices[i]);
	}
}

static void describe_tables(const struct host *host, struct wire_hello *hello,
			    struct pz_table *tables)
{
	bool ready[WIRE_LIST_MAX] = {false};
	size_t count = 0;
	if (host->plugin.tables)
		count = host->plugin.tables(host->self, tables, ready, WIRE_LIST_MAX);
	if (count > WIRE_LIST_MAX)
		count = WIRE_LIST_MAX;
	for (size_t i = 0; i < count; i++) {
		/* One without a proper name can't be built, so there is nothing to tell of it. */
		if (!table_is_name(tables[i].name))
			continue;
		hello->tables[hello->table_count++] = (struct wire_table){
			text_of(tables[i].name), text_of(tables[i].help ? tables[i].help : ""),
			tables[i].bytes, ready[i]};
	}
}

int host_hello(const struct host *host, const struct wire_setup *setup,
	       const struct pz_host *services, struct buf *out, struct text *ret_option,
	       struct error *error)
{
	const struct pz_plugin *plugin = &host->plugin;
	struct pz_table tables[WIRE_LIST_MAX] = {{0}};
	char board[PZ_BOARD_MAX];
	struct pz_buffer goal = {board, sizeof(board), 0};
	*ret_option = (struct text){NULL, 0};
	if (plugin->goal && print_goal(host, setup, services, &goal, error) < 0) {
		if (setup->goal.data)
			*ret_option = text_of("goal");
		return -1;
	}
	struct wire_hello *hello = calloc(1, sizeof(*hello));
	if (!hello)
		return REFUSE("no memory to describe the puzzle");
	*hello = (struct wire_hello){
		.version = WIRE_VERSION,
		.plugin_name = text_of(plugin->name),
		.plugin_version = text_of(plugin->version),
		.summary = text_of(plugin->summary),
		.syntax = text_of(plugin->syntax),
		.example = text_of(plugin->example),
		.goal = {plugin->goal ? goal.data : NULL, goal.len},
		.path_max = plugin->path_max,
		.board_max = host->board_max,
		.confined = host->confined,
		.unit_cost = plugin->unit_cost,
		.can_generate = plugin->generate != NULL,
		.can_render = plugin->render != NULL,
		.notation_count = host->metadata.notations,
		.move_count = plugin->moves,
		.names = buf_text(&host->moves.names),
	};
	hello->notations[0] = text_of("");
	hello->algorithm_count =
		list(hello->algorithms, plugin->algorithms, host->metadata.algorithms);
	hello->heuristic_count =
		list(hello->heuristics, plugin->heuristics, host->metadata.heuristics);
	if (plugin->notations)
		list(hello->notations, plugin->notations, host->metadata.notations);
	describe_options(host, hello);
	describe_tables(host, hello, tables);
	wire_put_hello(out, hello);
	free(hello);
	return 0;
}

void host_close(struct host *host)
{
	if (host->plugin.close)
		host->plugin.close(host->self);
}
