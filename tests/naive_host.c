/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/naive_host.h"

static _Noreturn void give_up(const char *what, const char *which)
{
	fprintf(stderr, "# %s: %s\n", what, which);
	abort();
}

const struct pz_plugin *naive_load(const char *file)
{
	const struct pz_plugin *plugin;
	char path[4096];
	void *object;

	snprintf(path, sizeof(path), "%s/%s", PZ_TEST_PLUGINS, file);
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (object == NULL)
		give_up("dlopen", dlerror());
	plugin = dlsym(object, "pz_plugin");
	if (plugin == NULL || plugin->abi != PZ_ABI || plugin->size != sizeof(*plugin))
		give_up("not a plugin of this ABI", path);
	return plugin;
}

static bool on_poll(const struct pz_host *host, uint64_t nodes, uint64_t bound)
{
	struct naive_host *h = host->data;

	(void)nodes;
	h->polls++;
	h->bound = bound;
	return h->stop_after != 0 && h->polls >= h->stop_after;
}

static void on_log(const struct pz_host *host, enum pz_level level, const char *text)
{
	struct naive_host *h = host->data;

	(void)level;
	snprintf(h->logged, sizeof(h->logged), "%s", text);
}

static const void *on_table(const struct pz_host *host, const char *name, uint32_t version,
			    size_t size)
{
	const struct naive_host *h = host->data;

	if (h->table == NULL || strcmp(name, h->table_is.name) != 0 ||
	    version != h->table_is.version || size != h->table_is.bytes)
		return NULL;
	return h->table;
}

/* Sets all options, as the host would after checking them. */
static void set_options(struct naive_host *h)
{
	unsigned i;

	for (i = 0; i < h->plugin->option_count; i++) {
		const struct pz_option *option = &h->plugin->options[i];
		const char *text = option->fallback;

		if (h->option != NULL && strcmp(h->option, option->name) == 0)
			text = h->option_text;
		h->options[i] = (struct pz_value){.text = {text, strlen(text)}};
		if (option->type == PZ_CHOICE)
			h->options[i].number = naive_choice(option->choices, text);
		else if (option->type == PZ_INT)
			h->options[i].number = strtol(text, NULL, 10);
		else if (option->type == PZ_BOOL)
			h->options[i].number = strcmp(text, "yes") == 0;
	}
}

int naive_open(struct naive_host *h, const struct pz_plugin *plugin, const char *goal,
	       struct pz_error *error)
{
	struct pz_setup setup = {
		.size = sizeof(setup), .host = &h->host, .memory = (size_t)1 << 28};

	h->plugin = plugin;
	h->memory = (size_t)1 << 28;
	h->host = (struct pz_host){.size = sizeof(h->host),
				   .data = h,
				   .poll = on_poll,
				   .log = on_log,
				   .table = on_table};
	set_options(h);
	setup.options = h->options;
	if (goal != NULL)
		setup.goal = (struct pz_text){goal, strlen(goal)};
	return plugin->open(&setup, &h->self, error);
}

void naive_close(struct naive_host *h)
{
	h->plugin->close(h->self);
	h->self = NULL;
}

struct pz_job naive_job(struct naive_host *h, const char *board, const char *goal)
{
	struct pz_job job = {.size = sizeof(job),
			     .host = &h->host,
			     .board = {board, strlen(board)},
			     .max_length = -1,
			     .max_cost = -1,
			     .memory = h->memory};

	job.options = h->options;
	if (goal != NULL)
		job.goal = (struct pz_text){goal, strlen(goal)};
	return job;
}

unsigned naive_choice(const char *const *list, const char *name)
{
	unsigned i;

	for (i = 0; list[i] != NULL; i++)
		if (strcmp(list[i], name) == 0)
			return i;
	give_up("no such choice", name);
}

int naive_check(struct naive_host *h, const char *board, const char *goal, struct pz_error *error)
{
	struct pz_job job = naive_job(h, board, goal);

	memset(error, 0, sizeof(*error));
	return h->plugin->check(h->self, &job, error);
}

void naive_solve(struct naive_host *h, const struct pz_job *job, struct naive_answer *ret)
{
	struct pz_replay replay = {.size = sizeof(replay), .final = {ret->final, PZ_BOARD_MAX, 0}};
	struct pz_error error;

	ret->result = (struct pz_result){
		.size = sizeof(ret->result), .path = ret->path, .iterations = ret->iterations};
	h->polls = 0;
	if (h->plugin->check(h->self, job, &error) != 0)
		give_up("check refused the board", error.reason);
	h->plugin->solve(h->self, job, &ret->result);
	if (ret->result.status != PZ_SOLVED)
		return;
	if (ret->result.length > h->plugin->path_max)
		give_up("a solution is longer than path_max", h->plugin->name);
	h->plugin->replay(h->self, job, ret->path, ret->result.length, &replay);
	ret->final[replay.final.len] = '\0';
	if (!replay.legal || !replay.solved || replay.done != ret->result.length ||
	    replay.cost != ret->result.cost)
		give_up("replay refused a solution", job->board.data);
}

int naive_length(struct naive_host *h, const char *board, const char *goal)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(h, board, goal);

	naive_solve(h, &job, &answer);
	if (answer.result.status == PZ_SOLVED)
		return (int)answer.result.length;
	return answer.result.status == PZ_UNSOLVABLE ? -1 : -2;
}
