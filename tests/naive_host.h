/* SPDX-License-Identifier: MIT */
/* A host for plugins within a test: loads one, opens it, asks it. */
#ifndef NAIVE_HOST_H
#define NAIVE_HOST_H

#include <puzzled/plugin.h>

/* A plugin that is open.  One at a time for each struct. */
struct naive_host {
	const struct pz_plugin *plugin;
	void *self;
	struct pz_host host;
	size_t memory;       /* of a job; naive_open sets 256 MiB */
	uint64_t polls;      /* since the last naive_solve began */
	uint64_t stop_after; /* polls after which the host says stop; 0: never */
	uint64_t bound;      /* that the last poll told */
	/* What pz_host.table hands out.  The test fills it, before naive_open. */
	const void *table;
	struct pz_table table_is;
	char logged[256]; /* the last line that the plugin logged */
	/* An option of the configuration and its value, before naive_open; NULL: all are as they
	 * come. */
	const char *option, *option_text;
	struct pz_value options[PZ_OPTIONS_MAX];
};

/* An answer with its arrays. */
struct naive_answer {
	struct pz_result result;
	uint16_t path[PZ_PATH_MAX];
	struct pz_iteration iterations[PZ_ITERATIONS_MAX];
	char final[PZ_BOARD_MAX + 1]; /* where the path leads by replay */
};

/* naive_load: the plugin `file` of the build folder; ends the program if it can't be loaded. */
const struct pz_plugin *naive_load(const char *file);

/* naive_open: opens `plugin` with a goal (NULL: its default). 0, or -1 with `error` filled. */
int naive_open(struct naive_host *h, const struct pz_plugin *plugin, const char *goal,
	       struct pz_error *error);
void naive_close(struct naive_host *h);

/*
 * naive_job: a job for a board and goal (NULL: the configured one), by the first algorithm and
 * heuristic.
 */
struct pz_job naive_job(struct naive_host *h, const char *board, const char *goal);

/*
 * naive_choice: the index of `name` in a list that NULL ends; ends the program if it isn't there.
 */
unsigned naive_choice(const char *const *list, const char *name);

/* naive_check: what check says: 0, or -1 with `error` filled. */
int naive_check(struct naive_host *h, const char *board, const char *goal, struct pz_error *error);

/*
 * naive_solve: check, solve and replay.  The program ends if check refuses, or if a solution is not
 * legal, does not end at a goal, costs something else than it says or is longer than the plugin's
 * path_max.
 */
void naive_solve(struct naive_host *h, const struct pz_job *job, struct naive_answer *ret);

/* naive_length: the length of the default algorithm's solution; -1 unsolvable, -2 anything else. */
int naive_length(struct naive_host *h, const char *board, const char *goal);

#endif
