/* SPDX-License-Identifier: MIT */
/*
 * wire: the messages between the daemon and a worker, as frames on the socket that is the worker's
 *fd 3.
 *
 *	daemon                               worker
 *	SETUP      ------------------------>            once, first
 *	           <------------------------  HELLO     or REFUSED, after which it exits
 *	JOB        ------------------------>            up to the worker's credit of them ahead
 *	           <------------------------  RESULT    one or more for each job, in the jobs' order
 *	           <------------------------  PROGRESS  of the job that runs, at most one each
 *PROGRESS_MS CANCEL     ------------------------>
 *	           <------------------------  ACK       began (a RESULT follows) or dropped (none
 *does)
 *	           <------------------------  LOG
 *
 * A worker whose SETUP says so does not serve but builds or checks one table, and exits:
 *
 *	SETUP      ------------------------>
 *	           <------------------------  PROGRESS  of the building, job 0
 *	           <------------------------  BUILT     or REFUSED
 *
 * End-of-file on fd 3 ends the worker.  Beside the socket the two share one page: before it begins
 *a board, the worker writes the job's number and the board's index there, so that after its death
 *the daemon knows on which board it died although results are written many at a time.  A job's
 *RESULTs are complete when their boards add up.  What comes from a worker is checked like what
 *comes from a client.
 *
 * Decoded structs hold views into the payload unless said otherwise.  Each put_* appends one whole
 *frame to `out`, whose `failed` tells of lack of memory; each get_* returns 0, or -EPROTO for a
 *payload that is not one of its kind.
 */
#ifndef COMMON_WIRE_H
#define COMMON_WIRE_H

#include "common/buf.h"
#include "common/errors.h"
#include "common/frame.h"
#include "common/limits.h"
#include "common/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WIRE_FD = 3,      /* the channel, in the worker */
	WIRE_PAGE_FD = 4, /* the shared page, in the worker, which maps and closes it at once */
	WIRE_PAGE_SIZE = 4096,
	WIRE_VERSION = 3, /* in SETUP and HELLO: the two programs must be of one build */
	WIRE_LIST_MAX =
		32, /* algorithms, heuristics, notations, options, tables, choices of an option */
	WIRE_MOVES_MAX = 4096, /* move ids of one puzzle */
	WIRE_ITERATIONS_MAX = 128
};

enum wire_type {
	WIRE_SETUP = 1,
	WIRE_JOB,
	WIRE_CANCEL,
	WIRE_RECALL,
	WIRE_HELLO = 16,
	WIRE_REFUSED,
	WIRE_RESULT,
	WIRE_ACK,
	WIRE_PROGRESS,
	WIRE_LOG,
	WIRE_BUILT
};

/* The shared page, which the worker writes and the daemon reads.  It is the plugin's to scribble
 * on. */
struct wire_page {
	_Atomic uint64_t job; /* begun last; 0: none yet.  Stored after `board`, with release */
	_Atomic uint32_t board;
	_Atomic uint32_t awake; /* not 0: it looks for its next frame without sleeping */
};

/* How an option was written by the user. */
enum wire_option_form { WIRE_TEXT, WIRE_NUMBER, WIRE_BOOLEAN };

struct wire_option {
	struct text name, value; /* a number in decimal, a boolean as "true" or "false" */
	uint8_t form;            /* enum wire_option_form */
};

/* ---- SETUP ---- */

enum wire_task { WIRE_SERVE, WIRE_BUILD, WIRE_CHECK };

struct wire_setup {
	uint32_t version;      /* WIRE_VERSION */
	struct text puzzle;    /* its name in the configuration, for logs */
	struct text plugin;    /* path of the shared object */
	struct text table_dir; /* folder of the tables; not given: none */
	struct text goal;      /* not given: the plugin's own */
	uint64_t memory;       /* bytes beyond the mapped tables */
	bool sandbox;          /* whether the worker confines itself */
	uint32_t task;         /* enum wire_task */
	struct text table;     /* BUILD, CHECK: the table's name */
	uint32_t option_count;
	struct wire_option options[WIRE_LIST_MAX];
};

void wire_put_setup(struct buf *out, const struct wire_setup *setup);
int wire_get_setup(struct text payload, struct wire_setup *ret);

/* ---- HELLO ---- */

/* Bits of wire_hello.confined: what the kernel and the build gave to a worker that confines
 * itself. */
enum { WIRE_FILES_CONFINED = 1, WIRE_CALLS_CONFINED = 2 };

enum { WIRE_OPTION_CONFIG = 1, WIRE_OPTION_JOB = 2 }; /* bits of wire_schema.scope */

/* What a user may know of an option. */
struct wire_schema {
	struct text name, type, fallback, help; /* type: "bool" "int" "text" "choice" */
	uint32_t scope;
	int64_t min, max;
	uint32_t choice_count;
	struct text choices[WIRE_LIST_MAX];
};

struct wire_table {
	struct text name, help;
	uint64_t bytes;
	bool ready;
};

struct wire_hello {
	uint32_t version; /* WIRE_VERSION */
	struct text plugin_name, plugin_version, summary, syntax, example;
	struct text
		goal; /* the goal in force, as the plugin prints boards; not given: a predicate */
	uint32_t path_max, board_max; /* longest path in moves; longest printed board in bytes */
	uint32_t confined;            /* bits as above */
	bool unit_cost, can_generate, can_render;
	uint32_t algorithm_count, heuristic_count, notation_count, option_count, table_count;
	struct text algorithms[WIRE_LIST_MAX];
	struct text heuristics[WIRE_LIST_MAX];
	struct text notations[WIRE_LIST_MAX]; /* at least one; its name may be empty */
	struct wire_schema options[WIRE_LIST_MAX];
	struct wire_table tables[WIRE_LIST_MAX];
	uint32_t move_count;
	struct text names; /* move_count texts a notation, as wire_name_next reads them; not given
			    * where an id is not in use */
};

void wire_put_hello(struct buf *out, const struct wire_hello *hello);
int wire_get_hello(struct text payload, struct wire_hello *ret);

/* Walks the names in wire_hello.names: takes one off the front. */
struct text wire_name_next(struct text *names);

/* ---- REFUSED: the worker will not serve ---- */

struct wire_refused {
	struct text option; /* the configured option at fault; not given: none in particular */
	struct text reason; /* a sentence */
};

void wire_put_refused(struct buf *out, const struct wire_refused *refused);
int wire_get_refused(struct text payload, struct wire_refused *ret);

/* ---- JOB ---- */

enum wire_op { WIRE_SOLVE = 1, WIRE_VERIFY, WIRE_GENERATE };

enum wire_flag {                 /* bits of wire_job.flags */
		 WIRE_TRACE = 1, /* answer with the boards on the way */
		 WIRE_RENDER =
			 2, /* answer with drawn boards: of the way if traced, else the start */
		 WIRE_REPORT = 4,    /* send PROGRESS */
		 WIRE_ITERATIONS = 8 /* answer with the iterations */
};

struct wire_job {
	uint64_t id; /* not 0, rising from job to job */
	uint32_t op, flags;
	struct text algorithm, heuristic, notation, goal; /* not given: the default */
	int64_t max_length, max_cost;                     /* -1: no limit */
	uint64_t seed;                                    /* GENERATE */
	int64_t length;                                   /* GENERATE; -1: any */
	uint32_t search_ms;                               /* see pz_job.search_ms */
	uint32_t option_count;
	struct wire_option options[LIMIT_JOB_OPTIONS];
	struct text moves;    /* VERIFY: the moves' names, ended by newlines each */
	uint32_t board_count; /* 1..LIMIT_SLICE; GENERATE has one, an empty one */
	struct text boards;   /* that many texts, as wire_board_next reads them */
};

void wire_put_job(struct buf *out, const struct wire_job *job);

/*
 * The same in two steps, for a request that is cut into many jobs: what they have alike, all but
 * id, search_ms and boards, is kept once; the frame of each is made when it is sent.
 */
void wire_put_job_head(struct buf *out, const struct wire_job *job);
void wire_put_job_of(struct buf *out, struct text head, uint64_t id, uint32_t search_ms,
		     uint32_t board_count, struct text boards);

int wire_get_job(struct text payload, struct wire_job *ret);

/* Appends a board to those of a job in the making: `boards` is what becomes wire_job.boards. */
void wire_put_board(struct buf *boards, struct text board);

/* Walks the boards: takes one off the front. */
struct text wire_board_next(struct text *boards);

/*
 * ---- CANCEL, RECALL and ACK ----
 *
 * Both are answered by one ACK if the worker still holds the job, and by nothing if it does not.
 * They have the same payload.
 */

void wire_put_cancel(struct buf *out, uint64_t job);
void wire_put_recall(struct buf *out, uint64_t job);
int wire_get_cancel(struct text payload, uint64_t *ret_job);

void wire_put_ack(struct buf *out, uint64_t job, bool began);
int wire_get_ack(struct text payload, uint64_t *ret_job, bool *ret_began);

/* ---- PROGRESS ---- */

struct wire_progress {
	uint64_t job, nodes, bound, elapsed_us;
	uint32_t board; /* index in the job */
};

void wire_put_progress(struct buf *out, const struct wire_progress *progress);
int wire_get_progress(struct text payload, struct wire_progress *ret);

/* ---- RESULT ---- */

enum wire_status {
	WIRE_SOLVED, /* also: verified, generated */
	WIRE_UNSOLVABLE,
	WIRE_LIMITED, /* none within max_length, max_cost; lower_bound holds */
	WIRE_STOPPED, /* by CANCEL; lower_bound holds */
	WIRE_WAITS,   /* search_ms is over: to be run again when the table is there */
	WIRE_FAILED,  /* `error`, `position` and `reason` hold */
	WIRE_STATUSES
};

struct wire_iteration {
	uint64_t bound, expanded;
};

/* One board's result.  Its texts and arrays are views (the arrays unaligned: read with memcpy). */
struct wire_result {
	uint32_t status;               /* enum wire_status */
	uint32_t error;                /* enum error_kind, of WIRE_FAILED */
	uint32_t length;               /* moves; VERIFY: those that were legal */
	uint32_t notation;             /* index of the one that the job asked for */
	uint32_t algorithm, heuristic; /* indices; heuristic UINT32_MAX: none */
	uint32_t valid;                /* VERIFY: bit 0 all legal, bit 1 the end is a goal */
	uint32_t iteration_count;
	uint64_t cost, lower_bound, expanded, generated, memory, elapsed_ns;
	uint64_t position;      /* of WIRE_FAILED, 1 + byte; 0: none */
	const char *path;       /* length u16 ids */
	const char *iterations; /* iteration_count struct wire_iteration */
	struct text final;      /* the board reached, the board generated */
	struct text trace;  /* boards, as wire_board_next reads them; not given: not asked for */
	struct text render; /* drawn boards, likewise */
	struct text reason; /* WIRE_FAILED: a sentence */
};

/* Starts a RESULT frame for boards `first`... of `job`; then as many wire_put_result as `count`
 * says afterwards; wire_end_results sets the count and ends the frame. */
size_t wire_begin_results(struct buf *out, uint64_t job, uint32_t first);
void wire_put_result(struct buf *out, const struct wire_result *result);
void wire_end_results(struct buf *out, size_t start, uint32_t count);

struct wire_results {
	uint64_t job;
	uint32_t first, count;
	struct cursor rest;
};

/* Reads the head; then wire_next_result `count` times. */
int wire_get_results(struct text payload, struct wire_results *ret);
int wire_next_result(struct wire_results *results, struct wire_result *ret);

/* ---- BUILT: the table is in the table folder, or has been found good ---- */

void wire_put_built(struct buf *out, struct text table);
int wire_get_built(struct text payload, struct text *ret_table);

/* ---- LOG ---- */

void wire_put_log(struct buf *out, uint32_t level, struct text line);
int wire_get_log(struct text payload, uint32_t *ret_level, struct text *ret_line);

#endif
