/* SPDX-License-Identifier: MIT */
/*
 * The header for authors of puzzles: from a `struct pz_puzzle` and its domains (puzzle.h) to a
 *plugin.
 *
 *	static const struct pz_domain hanoi = {...};
 *	PZ_SOLVER(hanoi)
 *	static const struct pz_solver *const solvers[] = {&hanoi_solver, NULL};
 *	static const struct pz_puzzle puzzle = {..., .solvers = solvers};
 *	PZ_PLUGIN(puzzle, .name = "hanoi", .version = "1.0", ...)
 *
 * Everything else of the plugin (check, solve, replay, neighbours, estimate, render, generate)
 *follows.
 */
#ifndef PUZZLED_SEARCH_DOMAIN_H
#define PUZZLED_SEARCH_DOMAIN_H

#include <puzzled/search/generate.h>
#include <puzzled/search/glue.h>
#include <puzzled/search/ida.h>

/* PZ_SOLVER: compiles every search for a `static const struct pz_domain`. */
#define PZ_SOLVER(d)                                                                               \
	PZ_ENTRY void d##_ida(const void *c, const void *start, struct pz_run *run)                \
	{                                                                                          \
		pz_ida(&d, c, start, run);                                                         \
	}                                                                                          \
	static const struct pz_solver d##_solver = {.domain = &d, .ida = d##_ida};

static const char *const pz_algorithm_names[] = {"auto", "ida", NULL};

/*
 * PZ_PLUGIN: defines the plugin's one exported symbol from a `static const struct pz_puzzle`.  The
 * further arguments initialise the rest of struct pz_plugin: name, version, summary, syntax,
 * example, goal, moves, path_max, move_names or move_name, notations, heuristics, options,
 * unit_cost.
 */
#define PZ_PLUGIN(p, ...)                                                                          \
	static int p##_open(const struct pz_setup *setup, void **ret_self, struct pz_error *error) \
	{                                                                                          \
		return pz_kit_open(&p, pz_plugin.goal, setup, ret_self, error);                    \
	}                                                                                          \
	PZ_EXPORT const struct pz_plugin pz_plugin = {.abi = PZ_ABI,                               \
						      .size = sizeof(struct pz_plugin),            \
						      .algorithms = pz_algorithm_names,            \
						      .open = p##_open,                            \
						      .close = pz_kit_close,                       \
						      .check = pz_kit_check,                       \
						      .solve = pz_kit_solve,                       \
						      .replay = pz_kit_replay,                     \
						      .neighbours = pz_kit_neighbours,             \
						      .estimate = pz_kit_estimate,                 \
						      .render = pz_kit_render,                     \
						      .generate = pz_kit_generate,                 \
						      __VA_ARGS__}

#endif
