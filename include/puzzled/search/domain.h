/* SPDX-License-Identifier: MIT */
/*
 * The header for authors of puzzles: from a `struct pz_puzzle` and its domains (puzzle.h) to a
 * plugin.
 *
 *	static const struct pz_domain hanoi = {...};
 *	PZ_SOLVER(hanoi)
 *	static const struct pz_solver *const solvers[] = {&hanoi_solver, NULL};
 *	static const struct pz_puzzle puzzle = {..., .solvers = solvers};
 *	PZ_PLUGIN(puzzle, pz_both_ways, .name = "hanoi", .version = "1.0", ...)
 *
 * Everything else of the plugin (check, solve, replay, neighbours, estimate, render, generate)
 * follows.
 */
#ifndef PUZZLED_SEARCH_DOMAIN_H
#define PUZZLED_SEARCH_DOMAIN_H

#include <puzzled/search/astar.h>
#include <puzzled/search/bidirectional.h>
#include <puzzled/search/generate.h>
#include <puzzled/search/glue.h>
#include <puzzled/search/ida.h>
#include <puzzled/search/selftest.h>

/*
 * PZ_SOLVER: compiles every search for a `static const struct pz_domain`, each into a function of
 * its own. (The names of parameters are long so that they shadow nothing of an author's.)
 */
#define PZ_SOLVER(d)                                                                               \
	PZ_ENTRY void d##_ida(const void *pz_c, const void *pz_start, struct pz_run *pz_run)       \
	{                                                                                          \
		pz_ida(&d, pz_c, pz_start, pz_run);                                                \
	}                                                                                          \
	PZ_ENTRY void d##_astar(const void *pz_c, const void *pz_start, struct pz_run *pz_run)     \
	{                                                                                          \
		pz_astar(&d, pz_c, pz_start, pz_run);                                              \
	}                                                                                          \
	PZ_ENTRY void d##_bfs(const void *pz_c, const void *pz_start, struct pz_run *pz_run)       \
	{                                                                                          \
		pz_bfs(&d, pz_c, pz_start, pz_run);                                                \
	}                                                                                          \
	PZ_ENTRY void d##_bidirectional(const void *pz_c, const void *pz_start,                    \
					struct pz_run *pz_run)                                     \
	{                                                                                          \
		pz_bidirectional(&d, pz_c, pz_start, pz_run);                                      \
	}                                                                                          \
	PZ_ENTRY void d##_table_path(const void *pz_c, const void *pz_content,                     \
				     const void *pz_start, struct pz_run *pz_run)                  \
	{                                                                                          \
		pz_table_path(&d, pz_c, pz_content, pz_start, pz_run);                             \
	}                                                                                          \
	PZ_ENTRY int d##_table_build(const void *pz_c, void *pz_content, unsigned char *pz_pair,   \
				     const struct pz_host *pz_host, struct pz_error *pz_error)     \
	{                                                                                          \
		return pz_table_build(&d, pz_c, pz_content, pz_pair, pz_host, pz_error);           \
	}                                                                                          \
	static PZ_UNUSED const struct pz_solver d##_solver = {.domain = &d,                        \
							      .ida = d##_ida,                      \
							      .astar = d##_astar,                  \
							      .bfs = d##_bfs,                      \
							      .bidirectional = d##_bidirectional,  \
							      .table_path = d##_table_path,        \
							      .table_build = d##_table_build};

/*
 * PZ_PLUGIN: defines the plugin's one exported symbol from a `static const struct pz_puzzle` and a
 * list of algorithms (pz_any_cost, pz_unit_cost, pz_both_ways or pz_full_space, as its domains
 * allow; `open` fails if they do not).  The further arguments initialise the rest of struct
 * pz_plugin: name, version, summary, syntax, example, goal, moves, path_max, move_names or
 * move_name, notations, heuristics, options, unit_cost.
 */
#define PZ_PLUGIN(p, list, ...)                                                                    \
	static int p##_open(const struct pz_setup *pz_setup, void **pz_self,                       \
			    struct pz_error *pz_error)                                             \
	{                                                                                          \
		return pz_kit_open(&p, &pz_plugin, pz_setup, pz_self, pz_error);                   \
	}                                                                                          \
	PZ_EXPORT const struct pz_plugin pz_plugin = {.abi = PZ_ABI,                               \
						      .size = sizeof(struct pz_plugin),            \
						      .algorithms = list,                          \
						      .open = p##_open,                            \
						      .close = pz_kit_close,                       \
						      .check = pz_kit_check,                       \
						      .solve = pz_kit_solve,                       \
						      .replay = pz_kit_replay,                     \
						      .neighbours = pz_kit_neighbours,             \
						      .estimate = pz_kit_estimate,                 \
						      .render = pz_kit_render,                     \
						      .generate = pz_kit_generate,                 \
						      .tables = pz_kit_tables,                     \
						      .build_table = pz_kit_build_table,           \
						      .self_test = pz_kit_self_test,               \
						      __VA_ARGS__}

#endif
