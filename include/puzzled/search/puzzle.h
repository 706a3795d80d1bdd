/* SPDX-License-Identifier: MIT */
/*
 * What the author of a puzzle writes: one `struct pz_puzzle` for its text and its goals, and one
 * `struct pz_domain` for each heuristic to search with. domain.h makes the plugin from them.
 *
 * Words.  A *state* is `state_size` bytes that the domain defines.  Its first `key_size` bytes, the
 * *key*, say which state it is: equal states have equal keys, padding zero.  The rest is *derived*
 * from the key and the goal: a heuristic kept by increment, say.  A *context* holds all that a goal
 * implies; every function gets it as `c`.  A *move number* counts the moves of one state, below
 * `max_moves`; a *move id* is what a path is made of, and has a name whatever the state.
 */
#ifndef PUZZLED_SEARCH_PUZZLE_H
#define PUZZLED_SEARCH_PUZZLE_H

#include <puzzled/plugin.h>
#include <puzzled/search/macros.h>

/*
 * A finite automaton that reads the moves of a path and says which may come next (Taylor and Korf
 * 1993): where several sequences of moves always lead to the same state it lets one pass.  That
 * holds for paths, so it is for IDA*; a search that keeps one path to each state would lose the
 * sequence that passes.  For each sequence that is left out there must be one that is not, costs
 * no more, and is legal wherever the other is.  `next` has max_moves numbers for each state, and
 * state 0 has read nothing.
 */
struct pz_automaton {
	const uint64_t *moves; /* [state]: bit m is set where move m may come next */
	const uint16_t *next;  /* [state * max_moves + m]: the state that then follows */
};

/*
 * A puzzle as the searches see it.  Define it `static const`, with plain `static` functions: the
 * kernels are compiled for each domain and call them directly.  The first five functions run for
 * each node, so they neither allocate nor loop for long.  `s` has everything derived.
 */
struct pz_domain {
	size_t state_size;  /* at most PZ_STATE_MAX; a multiple of the state's alignment */
	size_t key_size;    /* at most state_size */
	unsigned max_moves; /* move numbers are below it; at most PZ_MOVES_MAX */
	bool h_consistent;  /* h never falls by more than the cost of a move; if not, A* reopens */

	/* moves: the legal ones, bit m for move number m. */
	uint64_t (*moves)(const void *c, const void *s);
	/* h: a lower bound on the cost to a goal; 0 at each goal.  Usually read from the state. */
	int (*h)(const void *c, const void *s);
	/* child_h: h of the child by move m, which is not made yet.  NULL: make it and ask h. */
	int (*child_h)(const void *c, const void *s, unsigned m);
	/*
	 * apply: writes the child of s by legal move m, all of its state_size bytes.  No undo is
	 * needed.
	 */
	void (*apply)(const void *c, void *child, const void *s, unsigned m);
	/* goal: is s one? Looks at the key alone.  NULL: whenever h is 0. */
	bool (*goal)(const void *c, const void *s);
	/*
	 * inverse: the move number that takes the child by move m back.  NULL: not every move has
	 * one.
	 */
	unsigned (*inverse)(unsigned m);
	/* cost: of legal move m, at least 1.  With `inverse`, the same both ways.  NULL: 1. */
	int (*cost)(const void *c, const void *s, unsigned m);
	/*
	 * prepare: builds what h needs of a context, before a state of it is first derived: called
	 * again for each job, so it says itself whether that is done. -1: no memory.  NULL: nothing
	 * is needed.
	 */
	int (*prepare)(void *c);
	/* derive: fills what follows from the key.  NULL: nothing does. */
	void (*derive)(const void *c, void *s);

	/*
	 * For IDA* alone, which makes most children only to find that they are too far away.
	 * apply_within: apply and h in one: makes the child and returns its h.  Where h passes
	 * `most`, any lower bound that passes it will do as well, and the child is thrown away.  So
	 * of a maximum of several bounds the cheapest may be enough.  NULL: child_h, apply and h.
	 */
	int (*apply_within)(const void *c, void *child, const void *s, unsigned m, int most);
	/* expand: the children of s are asked for next: time to prefetch.  NULL: nothing to do. */
	void (*expand)(const void *c, const void *s);
	/*
	 * automaton: leaves out moves by the moves before them; see struct pz_automaton.  It must
	 * leave out the move that goes back, if any does.  NULL: only that is left out.
	 */
	const struct pz_automaton *(*automaton)(const void *c);

	/*
	 * For bidirectional search and tables: the keys of at most `cap` goals, in states that are
	 * zero; returns how many there are.
	 */
	size_t (*goals)(const void *c, void *states, size_t cap);

	/*
	 * For tables: all states, and perhaps some that can't occur, numbered from 0 to space - 1.
	 * `rank` reads the key alone; `unrank` writes a whole state.  A rank that gives neighbours
	 * near numbers builds faster.
	 */
	uint64_t space;
	uint64_t (*rank)(const void *c, const void *s);
	void (*unrank)(const void *c, void *s, uint64_t number);
	/*
	 * space_in: how many of them there are in context c, 1 to `space`, where that depends on an
	 * option or the goal: a small board then has a small table.  NULL: `space`.
	 */
	uint64_t (*space_in)(const void *c);
};

struct pz_run;

/* A search: from `start`, in context `c`; see run.h. */
typedef void pz_search(const void *c, const void *start, struct pz_run *run);

/* The searches compiled for one domain; PZ_SOLVER(domain) defines domain_solver. */
struct pz_solver {
	const struct pz_domain *domain;
	pz_search *ida, *astar, *bfs, *bidirectional;
	/* Of table.h. */
	void (*table_path)(const void *c, const void *content, const void *start,
			   struct pz_run *run);
	int (*table_build)(const void *c, void *content, unsigned char *pair,
			   const struct pz_host *host, struct pz_error *error);
};

/* A puzzle as people see it.  Functions that fail return -1 after filling `error`. */
struct pz_puzzle {
	size_t context_size; /* bytes of a context, which are zero before set_goal */
	unsigned path_max;   /* no solution is longer, or none longer is looked for; at most
				PZ_PATH_MAX */

	/*
	 * open, close: what all contexts share (`*ret_own`); NULL: nothing.  Options are read here,
	 * from setup->options; they are those of the configuration, fixed for a worker's life.
	 */
	int (*open)(const struct pz_setup *setup, void **ret_own, struct pz_error *error);
	void (*close)(void *own);

	/*
	 * set_goal: fills a context from a goal's text.  `own` is what `open` gave. drop_goal frees
	 * what it allocated, NULL: nothing; also called after a failed set_goal.  Where
	 * pz_plugin.goal is NULL, set_goal gets a goal without data, once; set_goal NULL: contexts
	 * stay zero.
	 */
	int (*set_goal)(void *c, void *own, struct pz_text goal, struct pz_error *error);
	void (*drop_goal)(void *c);
	/*
	 * usual_goal: writes the goal of a job that names none, where that depends on its board.
	 * False: it is the configured one.  NULL: always.
	 */
	bool (*usual_goal)(const void *own, struct pz_text board, struct pz_buffer *out);

	/*
	 * parse: the key of the board that the text says, in a state that is zero.  Refuses
	 * whatever the other functions cannot take.
	 */
	int (*parse)(const void *c, void *s, struct pz_text text, struct pz_error *error);
	/*
	 * print: the board in its plainest form, which parse reads again, from the key alone. -1:
	 * no room.
	 */
	int (*print)(const void *c, const void *s, struct pz_buffer *out);
	/* render: for a terminal, from the key alone. -1: no room.  NULL: as print. */
	int (*render)(const void *c, const void *s, struct pz_buffer *out);
	/*
	 * unsolvable: a proof without search that no goal can be reached.  Looks at the key alone.
	 * NULL: there is none such.
	 */
	bool (*unsolvable)(const void *c, const void *s);
	/*
	 * random: the key of a random board that can be solved, for `generate`, where a walk would
	 * not do; draws from pz_random(seed).  NULL: a walk does.
	 */
	void (*random)(const void *c, void *s, uint64_t *seed);
	/* id: of move number m in s.  NULL: m itself. */
	unsigned (*id)(const void *c, const void *s, unsigned m);
	/*
	 * step: makes the move `id` on a key by the rules, written apart from `apply` so that one
	 * checks the other, and returns its cost, or -1 if it is not legal here.  NULL: replay uses
	 * `apply`.
	 */
	int (*step)(const void *c, void *s, unsigned id);

	/*
	 * One for each heuristic, in the order of pz_plugin.heuristics, perhaps more that `solver`
	 * may choose, then NULL.
	 */
	const struct pz_solver *const *solvers;
	/*
	 * solver: the one to use in context c for *heuristic, which is changed to what is used if
	 * it cannot be had here.  *ret_wait is set if there will be a better one as soon as a table
	 * is built.  NULL: that of the same number.
	 */
	const struct pz_solver *(*solver)(const void *c, unsigned *heuristic, bool *ret_wait);
	/* Which of them is for what needs no heuristic: breadth-first searches and tables. */
	unsigned plain;
	/* auto, where it has no table, remembers what it saw (A*): for spaces of few states. */
	bool few_states;
	/* Raised when `rank` gives other numbers: tables built before are not used then. */
	uint16_t table_version;
	/*
	 * table_path: answers from the puzzle's own table, for any context; `start` has only its
	 * key, and `unsolvable` was not asked.  NULL: the puzzle has none, and that of table.h
	 * serves where the domain has a rank.
	 */
	void (*table_path)(void *c, const void *start, struct pz_run *run);
	/*
	 * tables, build_table: as in struct pz_plugin, of the tables that the puzzle's heuristics
	 * use and its `open` asks the host for.  NULL: it has none.  `own` is what `open` gave.
	 */
	size_t (*tables)(void *own, struct pz_table *ret, bool *ready, size_t cap);
	int (*build_table)(void *own, const struct pz_table *table, void *content,
			   const struct pz_host *host, struct pz_error *error);
};

#endif
