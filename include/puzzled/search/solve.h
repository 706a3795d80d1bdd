/* SPDX-License-Identifier: MIT */
/* From a job to an algorithm, and the tables: open, solve, tables and build_table of a plugin. */
#ifndef PUZZLED_SEARCH_SOLVE_H
#define PUZZLED_SEARCH_SOLVE_H

#include <puzzled/search/kit.h>

enum {
	PZ_TABLE_AT_OPEN = 1 << 19
}; /* bytes: tables up to so large are built whenever they are needed */

/* pz_kit_lacks: why the domain can't be searched in this way; NULL: it can. */
static inline const char *pz_kit_lacks(const struct pz_kit *kit, enum pz_algorithm which)
{
	const struct pz_domain *d = pz_kit_plain(kit)->domain;
	bool back = d->inverse != NULL && d->goals != NULL;
	bool space = d->goal != NULL && d->space > 0 && d->rank != NULL && d->unrank != NULL;

	if (which == PZ_AUTO || which == PZ_IDA || which == PZ_ASTAR ||
	    (which == PZ_TABLE && kit->puzzle->table_path != NULL))
		return NULL;
	if (d->cost != NULL)
		return "moves that cost 1 each";
	if (which == PZ_BFS || (back && which == PZ_BIDIRECTIONAL) || (back && space))
		return NULL;
	return back ? "goal, space, rank and unrank" : "inverse and goals";
}

/* pz_kit_offers: can the domain do what plugin->algorithms promises? Also numbers them. */
static inline int pz_kit_offers(struct pz_kit *kit, struct pz_error *error)
{
	static const char *const names[PZ_ALGORITHMS] = {"auto",  "table", "ida",
							 "astar", "bfs",   "bidirectional"};
	unsigned i, j;

	for (i = 0; kit->plugin->algorithms[i] != NULL && i < PZ_ALGORITHMS; i++) {
		const char *name = kit->plugin->algorithms[i], *lack;

		for (j = 0; j < PZ_ALGORITHMS; j++)
			if (strcmp(name, names[j]) == 0)
				break;
		if (j == PZ_ALGORITHMS)
			return pz_fail(error, 0, "the plugin offers \"%s\", which the kit has not",
				       name);
		lack = pz_kit_lacks(kit, (enum pz_algorithm)j);
		if (lack != NULL)
			return pz_fail(error, 0,
				       "the plugin offers \"%s\", for which its domain needs %s",
				       name, lack);
		kit->algorithm[i] = (unsigned char)j;
	}
	return 0;
}

/* pz_kit_sizes: are the numbers of a domain such as the searches can take, and the plugin tells? */
static inline int pz_kit_sizes(const struct pz_kit *kit, const struct pz_domain *d, unsigned number,
			       struct pz_error *error)
{
	if (d->state_size > PZ_STATE_MAX)
		return pz_fail(error, 0,
			       "domain %u: state_size is %zu; a state has at most %d bytes", number,
			       d->state_size, PZ_STATE_MAX);
	if (d->key_size == 0 || d->key_size > d->state_size)
		return pz_fail(error, 0,
			       "domain %u: key_size is %zu; it is from 1 to state_size, %zu",
			       number, d->key_size, d->state_size);
	if (d->max_moves == 0 || d->max_moves > PZ_MOVES_MAX)
		return pz_fail(error, 0, "domain %u: max_moves is %u; it is from 1 to %d", number,
			       d->max_moves, PZ_MOVES_MAX);
	if (kit->puzzle->id == NULL && d->max_moves > kit->plugin->moves)
		return pz_fail(
			error, 0,
			"domain %u: max_moves is %u, and the plugin's moves are %u; they differ "
			"only where there is an id",
			number, d->max_moves, kit->plugin->moves);
	return 0;
}

/* pz_kit_fits: do the puzzle and what the plugin says of it go together? */
static inline int pz_kit_fits(const struct pz_kit *kit, struct pz_error *error)
{
	const struct pz_plugin *plugin = kit->plugin;
	const struct pz_solver *const *solver = kit->puzzle->solvers;
	unsigned heuristics = 0, solvers = 0, i;

	while (plugin->heuristics != NULL && plugin->heuristics[heuristics] != NULL)
		heuristics++;
	for (; solver[solvers] != NULL; solvers++) {
		const struct pz_domain *d = solver[solvers]->domain;

		if (pz_kit_sizes(kit, d, solvers, error) != 0)
			return -1;
		if (plugin->unit_cost != (d->cost == NULL))
			return pz_fail(
				error, 0,
				plugin->unit_cost
					? "unit_cost is set, and yet domain %u has a cost"
					: "unit_cost is not set, and yet domain %u has no cost",
				solvers);
	}
	if (solvers < heuristics || solvers == 0 ||
	    (kit->puzzle->solver == NULL && solvers != (heuristics > 0 ? heuristics : 1)))
		return pz_fail(error, 0, "%u solvers for %u heuristics", solvers, heuristics);
	if (kit->puzzle->path_max == 0 || kit->puzzle->path_max != plugin->path_max)
		return pz_fail(error, 0, "path_max is %u in the puzzle and %u in the plugin",
			       kit->puzzle->path_max, plugin->path_max);
	if (plugin->options != NULL && plugin->option_count == 0)
		return pz_fail(error, 0, "there are options, and option_count is 0");
	for (i = 0; i < plugin->option_count; i++)
		if ((plugin->options[i].scope & PZ_JOB) != 0)
			return pz_fail(
				error, 0,
				"the option \"%s\" belongs to requests; the kit has options of "
				"the configuration only",
				plugin->options[i].name);
	return 0;
}

/* pz_kit_index: of an algorithm in plugin->algorithms. */
static inline unsigned pz_kit_index(const struct pz_kit *kit, enum pz_algorithm which)
{
	unsigned i = 0;

	while (kit->algorithm[i] != which && kit->plugin->algorithms[i + 1] != NULL)
		i++;
	return i;
}

/* pz_kit_has_table: does the plugin offer one that this code builds and reads? */
static inline bool pz_kit_has_table(const struct pz_kit *kit)
{
	return kit->puzzle->table_path == NULL &&
	       kit->algorithm[pz_kit_index(kit, PZ_TABLE)] == PZ_TABLE;
}

/*
 * pz_kit_name_table: a name that says the puzzle and, by a hash (FNV-1a) of its key, the goal of
 * `c`; and how large the table is, where that differs.
 */
static inline void pz_kit_name_table(const struct pz_kit *kit, const void *c,
				     char name[static PZ_NAME_MAX])
{
	const struct pz_domain *d = pz_kit_plain(kit)->domain;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	union pz_any_state goal = {{0}};
	size_t i;

	d->goals(c, goal.bytes, 1);
	for (i = 0; i < d->key_size; i++)
		hash = (hash ^ goal.bytes[i]) * UINT64_C(0x100000001b3);
	if (d->space_in != NULL)
		hash = (hash ^ d->space_in(c)) * UINT64_C(0x100000001b3);
	snprintf(name, PZ_NAME_MAX, "%.14s-%016llx", kit->plugin->name, (unsigned long long)hash);
}

/* pz_kit_open_table: maps the table of the configured goal, or builds it where that is a trifle. */
static inline int pz_kit_open_table(struct pz_kit *kit, const struct pz_host *host,
				    struct pz_error *error)
{
	const struct pz_solver *solver = pz_kit_plain(kit);
	const struct pz_domain *d = solver->domain;
	uint64_t space = pz_table_space(d, kit->home);

	if (space == 0 || space > d->space)
		return pz_fail(error, 0, "space_in is %llu; it is from 1 to space, %llu",
			       (unsigned long long)space, (unsigned long long)d->space);
	pz_kit_name_table(kit, kit->home, kit->table_name);
	kit->table =
		(struct pz_table){.name = kit->table_name,
				  .version = PZ_TABLE_FORMAT << 16 | kit->puzzle->table_version,
				  .bytes = pz_table_bytes(space),
				  .build_bytes = pz_table_build_bytes(space),
				  .help = "the distance of every board from the goal, modulo 3"};
	if (kit->table.bytes > PZ_TABLE_AT_OPEN) {
		if (host != NULL && host->table != NULL)
			kit->content = host->table(host, kit->table_name, kit->table.version,
						   kit->table.bytes);
		return 0;
	}
	kit->content_own = malloc(kit->table.bytes);
	if (kit->content_own == NULL)
		return pz_fail(error, 0, "no memory for the table");
	kit->content = kit->content_own;
	return solver->table_build(kit->home, kit->content_own, kit->states, NULL, error);
}

static inline int pz_kit_open(const struct pz_puzzle *puzzle, const struct pz_plugin *plugin,
			      const struct pz_setup *setup, void **ret_self, struct pz_error *error)
{
	struct pz_kit *kit = calloc(1, sizeof(*kit));
	struct pz_text goal = setup->goal;

	if (kit == NULL)
		return pz_fail(error, 0, "no memory");
	kit->puzzle = puzzle;
	kit->plugin = plugin;
	kit->host = setup->host;
	if (goal.data == NULL && plugin->goal != NULL)
		goal = (struct pz_text){plugin->goal, strlen(plugin->goal)};
	if (pz_kit_fits(kit, error) != 0 || pz_kit_offers(kit, error) != 0)
		goto fail;
	if (pz_kit_alloc(kit) != 0) {
		pz_fail(error, 0, "no memory");
		goto fail;
	}
	if (puzzle->open != NULL && puzzle->open(setup, &kit->own, error) != 0)
		goto fail;
	if (pz_kit_goal(kit, kit->home, goal, error) != 0)
		goto fail;
	if (pz_kit_has_table(kit) && pz_kit_open_table(kit, setup->host, error) != 0)
		goto fail;
	*ret_self = kit;
	return 0;
fail:
	pz_kit_close(kit);
	return -1;
}

/*
 * pz_kit_content: the table for the goal of a context, or NULL.  One for another goal than the
 * configured is there if somebody had it built; the host is asked once for each goal that jobs
 * bring.
 */
static inline const void *pz_kit_content(struct pz_kit *kit, const void *c)
{
	const struct pz_domain *d = pz_kit_plain(kit)->domain;
	char name[PZ_NAME_MAX];

	if (c == kit->home || kit->table.bytes == 0)
		return kit->content;
	if (!kit->away_asked) {
		kit->away_asked = true;
		kit->away_content = NULL;
		if (kit->host != NULL && kit->host->table != NULL) {
			pz_kit_name_table(kit, c, name);
			kit->away_content = kit->host->table(kit->host, name, kit->table.version,
							     pz_table_bytes(pz_table_space(d, c)));
		}
	}
	return kit->away_content;
}

/* pz_kit_serves: is there a table for this context? */
static inline bool pz_kit_serves(struct pz_kit *kit, const void *c)
{
	return kit->puzzle->table_path != NULL || pz_kit_content(kit, c) != NULL;
}

/*
 * pz_kit_no_table: the answer where a table was asked for and there is none.  If the host says that
 * one is being built (search_ms), and it is for this goal, the job can wait for it.
 */
static inline void pz_kit_no_table(const struct pz_kit *kit, const struct pz_job *job,
				   const void *c, struct pz_result *ret)
{
	ret->status = PZ_FAILED;
	if (c != kit->home)
		pz_fail(&ret->error, 0, "there is no table for this goal");
	else if (job->search_ms != 0)
		ret->status = PZ_WAIT;
	else
		pz_fail(&ret->error, 0, "the table %s is not built", kit->table_name);
}

/* pz_kit_search: finds a best path from the board whose key is in `s`. */
static inline void pz_kit_search(struct pz_kit *kit, const struct pz_job *job, void *c,
				 const union pz_any_state *s, struct pz_result *ret)
{
	const struct pz_puzzle *puzzle = kit->puzzle;
	const struct pz_solver *solver, *plain = pz_kit_plain(kit);
	unsigned heuristic = job->heuristic;
	bool wait = pz_kit_has_table(kit) && c == kit->home;
	enum pz_algorithm which = (enum pz_algorithm)kit->algorithm[job->algorithm];
	struct pz_run run = {.job = job,
			     .ret = ret,
			     .path_max = puzzle->path_max,
			     .frames = kit->frames,
			     .states = kit->states,
			     .id = puzzle->id};
	union pz_any_state from;

	solver = pz_kit_solver(kit, c, &heuristic, &wait);
	if (which == PZ_AUTO) {
		which = puzzle->few_states ? PZ_ASTAR : PZ_IDA;
		if (pz_kit_serves(kit, c))
			which = PZ_TABLE;
		else if (wait)
			run.wait_ms = job->search_ms;
	}
	ret->stats.algorithm = pz_kit_index(kit, which);
	ret->stats.heuristic = which == PZ_IDA || which == PZ_ASTAR ? heuristic : PZ_NO_HEURISTIC;
	if (which == PZ_TABLE && !pz_kit_serves(kit, c)) {
		pz_kit_no_table(kit, job, c, ret);
		return;
	}
	if (which == PZ_TABLE && puzzle->table_path != NULL) {
		puzzle->table_path(c, s->bytes, &run);
		return;
	}
	if (puzzle->unsolvable != NULL && puzzle->unsolvable(c, s->bytes)) {
		ret->status = PZ_UNSOLVABLE;
		return;
	}
	if (which == PZ_TABLE || which == PZ_BFS || which == PZ_BIDIRECTIONAL)
		solver = plain;
	memcpy(from.bytes, s->bytes, solver->domain->key_size);
	if (pz_kit_derive(solver->domain, c, &from) != 0) {
		ret->status = PZ_MEMORY;
		return;
	}
	switch (which) {
	case PZ_TABLE:
		solver->table_path(c, pz_kit_content(kit, c), from.bytes, &run);
		break;
	case PZ_ASTAR:
		solver->astar(c, from.bytes, &run);
		break;
	case PZ_BFS:
		solver->bfs(c, from.bytes, &run);
		break;
	case PZ_BIDIRECTIONAL:
		solver->bidirectional(c, from.bytes, &run);
		break;
	default:
		solver->ida(c, from.bytes, &run);
		break;
	}
}

static inline void pz_kit_solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	struct pz_kit *kit = self;
	union pz_any_state s;
	void *c = pz_kit_take(kit, job, &s, &ret->error);

	if (c == NULL)
		ret->status = PZ_FAILED;
	else
		pz_kit_search(kit, job, c, &s, ret);
}

static inline size_t pz_kit_tables(void *self, struct pz_table *ret, bool *ready, size_t cap)
{
	const struct pz_kit *kit = self;

	if (kit->puzzle->tables != NULL)
		return kit->puzzle->tables(kit->own, ret, ready, cap);
	/* One that `open` builds needs no file. */
	if (!pz_kit_has_table(kit) || kit->content_own != NULL)
		return 0;
	if (cap > 0) {
		ret[0] = kit->table;
		ready[0] = kit->content != NULL;
	}
	return 1;
}

static inline int pz_kit_build_table(void *self, const struct pz_table *table, void *content,
				     const struct pz_host *host, struct pz_error *error)
{
	struct pz_kit *kit = self;

	if (kit->puzzle->build_table != NULL)
		return kit->puzzle->build_table(kit->own, table, content, host, error);
	if (!pz_kit_has_table(kit) || strcmp(table->name, kit->table_name) != 0 ||
	    table->version != kit->table.version || table->bytes != kit->table.bytes)
		return pz_fail(error, 0, "this puzzle has no such table");
	return pz_kit_plain(kit)->table_build(kit->home, content, kit->states, host, error);
}

#endif
