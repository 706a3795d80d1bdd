/* SPDX-License-Identifier: MIT */
/*
 * subject: the plugin under examination, in a process of its own, and every call into it.
 *
 * A call is announced in the page with its board before it is made.  Boards and goals are handed
 * over in memory that ends where their text ends: a plugin that reads further dies on the spot.
 */
#ifndef CHECKER_SUBJECT_H
#define CHECKER_SUBJECT_H

#include "checker/page.h"
#include "checker/request.h"
#include "worker/host.h"
#include "worker/work.h"

#include <stdbool.h>
#include <stdint.h>

struct graph;
struct answers;

enum {
	SAMPLES_MAX = 128,
	CALL_MS = 2000, /* of processor time, for any call that ends by itself or polls */
	OPEN_MS = 10000,
	CHECK_MS = 4000, /* of processor time, after which a check tries nothing more */
	SOLVE_MS = 50    /* after which poll stops a search that is only to be compared */
};

/* How far the plugin has been brought. */
enum stage { STAGE_NONE, STAGE_MAPPED, STAGE_BELIEVED, STAGE_OPEN };

/* What the host's poll does and sees during one call; nanoseconds of processor time. */
struct polling {
	uint64_t stop_after;        /* since the call began; 0: at the first poll */
	uint64_t began, last, told; /* told 0: not told to stop */
	uint64_t longest;           /* between two polls, the call's begin and end included */
	uint64_t count;
	bool stopped;
};

struct subject {
	const struct request *request;
	struct page *page;
	const char *check; /* that runs */
	uint64_t since;    /* when it began, in processor time */
	enum stage stage;
	struct wire_setup setup;
	struct host host;
	struct pz_host services;
	struct work work; /* its `pz` is the job of the next call */
	struct pz_value job_options[PZ_OPTIONS_MAX];
	struct polling polling;
	char *board_end, *goal_end; /* behind these begins memory that nobody may touch */
	struct text samples[SAMPLES_MAX];
	uint32_t sample_count;
	bool sampled; /* whether they were made */
	struct {
		const char *whose; /* NULL: nothing was refused */
		struct text board;
		char why[PZ_REASON_MAX];
	} refused;               /* what check should accept, and does not */
	uint32_t near_count;     /* the last of them: few moves from a goal */
	struct answers *answers; /* NULL: not computed yet */
	struct graph *graph;     /* likewise */
};

/* `request` and `page` must outlive it.  -1: no memory. */
int subject_init(struct subject *s, const struct request *request, struct page *page);

/* Brings the plugin to `stage`, from where it is.  0, or -1 with *error. */
int subject_reach(struct subject *s, enum stage stage, struct error *error);

/* Sets the job up for a board: no limits, the first algorithm and heuristic, the configured
 * goal. */
struct pz_job *subject_job(struct subject *s, struct text board);

/* Gives the job a goal of its own. */
void subject_job_goal(struct subject *s, struct text goal);

/* Nanoseconds of processor time that this process has used. */
uint64_t cpu_ns(void);

/* Whether the check that runs has used up its time, and should do with what it has tried. */
bool spent(const struct subject *s);

/* ---- calls: about the job that is set up ---- */

bool call_check(struct subject *s, struct pz_error *error);

/* Makes moves; `board` (PZ_BOARD_MAX bytes) gets the board reached, which is also ret->final. */
void call_replay(struct subject *s, const uint16_t *moves, size_t count, char *board,
		 struct pz_replay *ret);

void call_neighbours(struct subject *s,
		     void (*visit)(void *arg, const struct pz_neighbour *neighbour), void *arg);
uint64_t call_estimate(struct subject *s, unsigned heuristic);
int call_render(struct subject *s, struct pz_buffer *out);
int call_generate(struct subject *s, uint64_t seed, int64_t length, struct pz_buffer *out,
		  struct pz_error *error);
void call_self_test(struct subject *s, uint64_t seed,
		    void (*tell)(void *arg, const struct pz_law *law), void *arg);

/*
 * Solves by the job's algorithm and heuristic, and makes the moves again, as a worker does.  Poll
 * says stop after `stop_ms` of processor time.  `ret` holds until the next call.
 */
void call_solve(struct subject *s, uint32_t stop_ms, struct wire_result *ret);

void call_close(struct subject *s);

/* ---- boards ---- */

/* The names of choices, "" where there is none to make. */
const char *algorithm_name(const struct subject *s, unsigned algorithm);
const char *heuristic_name(const struct subject *s, unsigned heuristic);

/* How many there are, at least 1. */
unsigned heuristic_count(const struct subject *s);

/*
 * The board as the plugin prints it, in `room` (PZ_BOARD_MAX bytes).  data NULL: check refuses it,
 * or replay does not print it.  Changes the job's board.
 */
struct text subject_canonical(struct subject *s, struct text board, char *room);

/* Copies a text for good; data NULL: no memory. */
struct text text_keep(struct text text);

/*
 * Makes the samples, once: the example, the goal, the request's boards, generated ones, ones near
 * the goal; at least one.
 */
void subject_sample(struct subject *s);

/* ---- what checks return ---- */

__attribute__((format(printf, 2, 3))) void holds(struct subject *s, const char *format, ...);
__attribute__((format(printf, 2, 3))) void skipped(struct subject *s, const char *format, ...);
/* `board` data NULL: it is about none. */
__attribute__((format(printf, 3, 4))) void broken(struct subject *s, struct text board,
						  const char *format, ...);

#endif
