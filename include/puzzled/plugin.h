/* SPDX-License-Identifier: MIT */
/*
 * The plugin ABI of puzzled: a puzzle is a shared object that exports one symbol,
 *
 *	const struct pz_plugin pz_plugin;
 *
 * and nothing else.  `puzzled-worker` loads it with dlopen(RTLD_NOW | RTLD_LOCAL), checks `abi` and
 * `size`, and calls it from one thread, one call at a time.  It is never unloaded: the process
 * exits.
 *
 * Rules that hold for every callback
 * - Nothing changes owner across this boundary.  What the host passes in is valid until the
 *   callback returns (what `open` gets: until `close` returns); what the plugin points to from
 *   `pz_plugin` is static.
 * - Text is pointer and length; it may hold any byte, is not ended by NUL and is at most
 *   PZ_BOARD_MAX bytes long where it is a board or a goal.
 * - Functions that can fail return 0, or -1 after filling the caller's `struct pz_error`.
 * - What `check` accepts, `solve`, `replay`, `neighbours` and `estimate` must be able to take.
 * - A plugin must not print, exit, fork, or touch descriptors; to speak, use `pz_host.log`.
 *
 * Versions.  A plugin built for one PZ_ABI works with every host of that PZ_ABI, older or newer.
 * - May be appended: members at the end of struct pz_plugin (which says its `size`) and of the
 *   host's structs that begin with `size`; each at a multiple of 8 bytes, so that it never lies in
 *   what was padding before.  Zero must mean "as before".  The host reads at most `size` bytes of
 *   the plugin's struct and takes what is missing as zero; a plugin reads a member that was
 *   appended to a host's struct only after comparing that struct's `size`.
 * - Never changes: the order and type of members, structs without a `size`, enumerators and their
 *   values, the maxima below, what a callback may be given and must answer.
 * - Anything else raises PZ_ABI: whatever could make a plugin built for the old header misbehave,
 *   or be misunderstood, under the new host.  The worker refuses a plugin of another PZ_ABI with a
 *   sentence that names both; it must be compiled again.
 */
#ifndef PUZZLED_PLUGIN_H
#define PUZZLED_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PZ_ABI 1

/* clang-format off */

enum {
	PZ_STATE_MAX = 256,     /* bytes of one search state */
	PZ_MOVES_MAX = 64,      /* moves that one state may have */
	PZ_MOVE_IDS_MAX = 4096, /* different move ids of one puzzle */
	PZ_PATH_MAX = 4096,     /* moves of one solution */
	PZ_BOARD_MAX = 4096,    /* bytes of one board's or goal's text */
	PZ_RENDER_MAX = 8192,   /* bytes of one drawn board */
	PZ_NAME_MAX = 32,       /* bytes of any name, its NUL included */
	PZ_REASON_MAX = 256,    /* bytes of a reason, its NUL included */
	PZ_CHOICES_MAX = 16,    /* algorithms, heuristics, notations, choices of an option */
	PZ_OPTIONS_MAX = 32,    /* options of one plugin */
	PZ_ITERATIONS_MAX = 128 /* iterations that one result may report */
};

/* A run of bytes that somebody else owns. */
struct pz_text {
	const char *data;
	size_t len;
};

/* Why a callback failed. */
struct pz_error {
	size_t position;            /* 1 + the byte of the text that is wrong; 0: no one place */
	char reason[PZ_REASON_MAX]; /* a sentence without capital and full stop, NUL-ended UTF-8 */
};

/* A caller's buffer that a callback appends to.  `len` <= `cap`; no NUL is added. */
struct pz_buffer {
	char *data;
	size_t cap;
	size_t len;
};

/* ---- options --------------------------------------------------------------------------------- */

enum pz_type {
	PZ_BOOL,  /* yes/no, true/false, on/off, 1/0 */
	PZ_INT,   /* min..max */
	PZ_TEXT,  /* min..max bytes */
	PZ_CHOICE /* one of `choices`, given to the plugin as its index */
};

enum pz_scope {
	PZ_CONFIG = 1, /* a key of the puzzle's section in the configuration; fixed for a worker's life */
	PZ_JOB = 2     /* a parameter of a request */
	               /* PZ_CONFIG | PZ_JOB: the configuration gives the default of the job's */
};

/* An option that the plugin declares.  The host parses and checks it; the plugin sees valid
 * values. */
struct pz_option {
	const char *name;           /* [a-z][a-z0-9_]*, none of the protocol's own words */
	enum pz_type type;
	unsigned scope;             /* enum pz_scope, or both */
	const char *fallback;       /* the default, in text, as a user would write it */
	int64_t min, max;           /* PZ_INT: the range; PZ_TEXT: its length in bytes */
	const char *const *choices; /* PZ_CHOICE: ended by NULL */
	const char *help;           /* one sentence */
};

/* A value of an option.  Both members are always there: PZ_BOOL 0 or 1, PZ_CHOICE the index. */
struct pz_value {
	int64_t number;      /* 0 for PZ_TEXT */
	struct pz_text text; /* as the user wrote it */
};

/* ---- what the host offers -------------------------------------------------------------------- */

enum pz_level { PZ_ERROR = 3, PZ_WARNING = 4, PZ_NOTICE = 5, PZ_INFO = 6, PZ_DEBUG = 7 };

/* Services of the host.  `host` is always the first argument of its own functions. */
struct pz_host {
	size_t size; /* of this struct, as the host knows it */
	void *data;  /* the host's own */
	/*
	 * poll: to be called from `solve` and `build_table`, and from a `generate` that takes long,
	 * at least every few milliseconds, with the nodes generated so far (a builder: units done)
	 * and the lower bound proved so far (a builder: units in all).  True: stop now; `solve`
	 * returns PZ_STOPPED with the best proved lower bound, the others -1.
	 */
	bool (*poll)(const struct pz_host *host, uint64_t nodes, uint64_t bound);
	/* log: a line for the administrator; `text` is UTF-8 and is cut and escaped as needed. */
	void (*log)(const struct pz_host *host, enum pz_level level, const char *text);
	/*
	 * table: maps the read-only content of the table `name`, that build_table has once filled,
	 * and gives its address (aligned to 4096), or NULL if there was none of just this `version`
	 * and `size` when the worker started.  For the goal of a job too, which is known only then.
	 */
	const void *(*table)(const struct pz_host *host, const char *name, uint32_t version, size_t size);
};

/* What `open` gets. */
struct pz_setup {
	size_t size;                    /* of this struct, as the host knows it */
	const struct pz_host *host;     /* valid until `close` returns */
	struct pz_text goal;            /* the configured goal; data NULL: the plugin's own default */
	const struct pz_value *options; /* one for each of pz_plugin.options, in that order */
	size_t memory;                  /* bytes that the worker may allocate, open's own included */
};

/* ---- jobs ------------------------------------------------------------------------------------ */

/* One board and how to treat it. */
struct pz_job {
	size_t size; /* of this struct, as the host knows it */
	const struct pz_host *host;
	struct pz_text board;
	struct pz_text goal;            /* data NULL: the configured one */
	unsigned algorithm;             /* index into pz_plugin.algorithms */
	unsigned heuristic;             /* index into pz_plugin.heuristics; 0 where there are none */
	int64_t max_length;             /* moves that a solution may have; -1: no limit */
	int64_t max_cost;               /* cost that a solution may have; -1: no limit */
	size_t memory;                  /* bytes that `solve` may allocate */
	uint32_t search_ms;             /* where a table is being built: search for so long, then return
	                                 * PZ_WAIT; 0: there is nothing to wait for */
	const struct pz_value *options; /* one for each of pz_plugin.options, in that order */
};

enum pz_status {
	PZ_SOLVED,     /* a solution of least cost; for `length` moves in `path` */
	PZ_UNSOLVABLE, /* proved: there is none */
	PZ_LIMIT,      /* proved: none within max_length and max_cost */
	PZ_STOPPED,    /* poll said so */
	PZ_MEMORY,     /* job.memory does not suffice */
	PZ_WAIT,       /* job.search_ms is over: give the job back to a worker that has the table */
	PZ_FAILED      /* `error` says why; for an algorithm that cannot do this job, say, never for a bad board */
};

/* One iteration of an iterative-deepening search. */
struct pz_iteration {
	uint32_t bound;    /* its f-bound */
	uint64_t expanded; /* nodes expanded in it */
};

/* In pz_stats.heuristic: a table or a breadth-first search used none. */
#define PZ_NO_HEURISTIC (~0u)

/* What a search did. */
struct pz_stats {
	unsigned algorithm; /* the one that answered (auto says which it took): index into algorithms */
	unsigned heuristic; /* likewise; PZ_NO_HEURISTIC: it used none */
	uint64_t expanded;  /* nodes whose children were generated */
	uint64_t generated; /* nodes generated, the start not counted */
	uint64_t memory;    /* bytes at the peak, of what grows with the search */
};

/* What `solve` answers.  The host has zeroed it but for `size`, `path` and `iterations`. */
struct pz_result {
	size_t size; /* of this struct, as the host knows it */
	enum pz_status status;
	uint16_t *path;      /* the host's, room for PZ_PATH_MAX move ids */
	uint32_t length;     /* PZ_SOLVED: moves in path */
	uint64_t cost;       /* PZ_SOLVED: of the path */
	uint64_t lower_bound;/* otherwise: no solution costs less, proved; 0 says nothing */
	struct pz_stats stats;
	struct pz_iteration *iterations; /* the host's, room for PZ_ITERATIONS_MAX */
	uint32_t iteration_count;
	struct pz_error error; /* PZ_FAILED */
};

/* What `replay` answers.  The host has set `size`, `visit` and `arg`, and given `final` its
 * room. */
struct pz_replay {
	size_t size;            /* of this struct, as the host knows it */
	uint32_t done;          /* moves made: all of them, or those before the first illegal one */
	bool legal;             /* all were */
	bool solved;            /* the board reached is a goal */
	uint64_t cost;          /* of the moves made */
	struct pz_buffer final; /* the text of the board reached, room for PZ_BOARD_MAX */
	/* visit: if not NULL, called with each board on the way, the start and the last
	 * included. */
	void (*visit)(void *arg, struct pz_text board);
	void *arg;
};

/* One move of a board.  See `neighbours`. */
struct pz_neighbour {
	uint16_t move;        /* its id */
	uint64_t cost;
	struct pz_text board; /* valid until `visit` returns */
};

/* A table that a plugin can build.  See `tables` and `build_table`. */
struct pz_table {
	const char *name;   /* [a-z0-9-]+, one for each content: it is part of a file's name */
	uint32_t version;   /* raised when the content's meaning changes */
	size_t bytes;       /* of the content */
	size_t build_bytes; /* of memory that building it takes, the content included */
	const char *help;   /* one sentence: what it is for */
};

/* A law of a plugin's insides, and how it stood when it was tried.  See `self_test`. */
struct pz_law {
	const char *name;     /* [a-z0-9-]+, shorter than PZ_NAME_MAX */
	uint64_t tried;       /* cases; 0: the law does not concern this puzzle */
	const char *broken;   /* a sentence: how it was broken; NULL: it held */
	struct pz_text board; /* where it was broken first */
};

/* ---- the plugin ------------------------------------------------------------------------------ */

struct pz_plugin {
	uint32_t abi;  /* PZ_ABI */
	uint32_t size; /* sizeof(struct pz_plugin) */

	const char *name;    /* [a-z0-9][a-z0-9-]*: of the plugin, where the puzzle's is the configuration's */
	const char *version; /* "1.0" */
	const char *summary; /* one sentence for a list */
	const char *syntax;  /* how a board is written, for a person, a few sentences */
	const char *example; /* a board of a handful of moves, for the options' defaults */
	const char *goal;    /* the default goal as board text; NULL: the goal is a predicate, no job may name one */

	/*
	 * Moves are numbers below `moves` in a path.  move_names[id], or `move_name` for a puzzle
	 * with many or with several notations, says how a user reads and writes them.  `notations`
	 * (ended by NULL, the first is the default; NULL: there is only one and it has no name).
	 * move_name writes at most `cap` bytes, its NUL included, and returns 0, or -1 where this
	 * number is not in use.
	 */
	uint32_t moves;
	uint32_t path_max; /* longest solution that `solve` can answer, at most PZ_PATH_MAX */
	const char *const *move_names;
	const char *const *notations;
	int (*move_name)(unsigned notation, unsigned id, char *name, size_t cap);

	const char *const *algorithms; /* ended by NULL; the first is the default */
	const char *const *heuristics; /* ended by NULL; the first is the default; NULL: none to choose */
	const struct pz_option *options;
	uint32_t option_count;
	bool unit_cost; /* every move costs 1 */

	/*
	 * open: once, before anything else, under rlimits and a sandbox that still lets table files
	 * be opened.  Sets *ret_self, which every other callback gets; a second to build small
	 * tables is fine.
	 * close: once, at an orderly end; may be NULL.
	 */
	int (*open)(const struct pz_setup *setup, void **ret_self, struct pz_error *error);
	void (*close)(void *self);

	/*
	 * check: is this board, with this goal and these options, one that `solve` can be asked?
	 * Start and goal are judged together; a pair that is well-formed but unsolvable is
	 * accepted.  If the fault is the goal's, the reason begins with "goal: ".
	 */
	int (*check)(void *self, const struct pz_job *job, struct pz_error *error);

	/* solve: only after `check` accepted the same job.  Always fills ret->status. */
	void (*solve)(void *self, const struct pz_job *job, struct pz_result *ret);

	/*
	 * replay: only after `check`.  Makes `count` moves from the board by the rules alone,
	 * without the search's code.  Ids that are not legal, or not even ids, end it (legal =
	 * false).
	 */
	void (*replay)(void *self, const struct pz_job *job, const uint16_t *moves, size_t count,
	               struct pz_replay *ret);

	/* neighbours: calls `visit` for each legal move of the board.  May be NULL, then it can't
	 * be asked. */
	void (*neighbours)(void *self, const struct pz_job *job,
	                   void (*visit)(void *arg, const struct pz_neighbour *neighbour), void *arg);

	/* estimate: the chosen heuristic's value of the board.  May be NULL. */
	uint64_t (*estimate)(void *self, const struct pz_job *job);

	/*
	 * render: draws the board for a terminal: lines ended by newline, at most 80 columns, plain
	 * characters and UTF-8 only.  Returns -1 if `out` has no room.  May be NULL: the text is
	 * shown.
	 */
	int (*render)(void *self, const struct pz_job *job, struct pz_buffer *out);

	/*
	 * generate: a board that can be solved to job->goal (job->board is empty), the same for the
	 * same seed.  `length` >= 0: one whose shortest solution has exactly so many moves, or an
	 * error that says why not.  May be NULL.
	 */
	int (*generate)(void *self, const struct pz_job *job, uint64_t seed, int64_t length,
	                struct pz_buffer *out, struct pz_error *error);

	/*
	 * tables: the tables that would serve the puzzle as it is set up, wherever they are or not:
	 * fills at most `cap` and returns how many there are.  `ready[i]` says whether `open` found
	 * it.  May be NULL.
	 */
	size_t (*tables)(void *self, struct pz_table *ret, bool *ready, size_t cap);

	/*
	 * build_table: fills `content` (table->bytes, zeroed, the host's) in a process of its own,
	 * after an `open`.  Polls with the units done and in all.  Returns 0, or -1 with an error;
	 * the host throws the content away then.  May be NULL where `tables` is.
	 */
	int (*build_table)(void *self, const struct pz_table *table, void *content,
	                   const struct pz_host *host, struct pz_error *error);

	/* Longest board that `replay` and `generate` print, in bytes; 0: PZ_BOARD_MAX.  Replies are
	 * reserved by it. */
	uint32_t board_max;

	/*
	 * self_test: tries, from job->board on, the laws that only the plugin's own code can see
	 * (that a bound kept by increment is the one computed anew, say), the same for the same
	 * seed, for some milliseconds at most; tells of each law once.  Only `puzzlectl
	 * check-plugin` asks.  May be NULL.
	 */
	void (*self_test)(void *self, const struct pz_job *job, uint64_t seed,
	                  void (*tell)(void *arg, const struct pz_law *law), void *arg);
};

/* clang-format on */

#if defined(__GNUC__)
#define PZ_EXPORT __attribute__((visibility("default")))
#else
#define PZ_EXPORT
#endif

extern PZ_EXPORT const struct pz_plugin pz_plugin;

#ifdef __cplusplus
}
#endif

#endif
