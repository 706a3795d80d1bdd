/* SPDX-License-Identifier: MIT */
/*
 * page: memory that the checker shares with the process in which the plugin runs.
 *
 * The plugin may die, hang or close every descriptor; what it was doing, on which board, and what
 * has been found so far is here all the same.
 */
#ifndef CHECKER_PAGE_H
#define CHECKER_PAGE_H

#include "common/text.h"
#include "puzzled/plugin.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { PAGE_OUTCOMES = 64, PAGE_NOTE = 768, PAGE_DEATHS = 32 };

enum verdict { HOLDS, BROKEN, SKIPPED };

/* What came of one check. */
struct outcome {
	char name[PZ_NAME_MAX];
	enum verdict verdict;
	bool follows;         /* SKIPPED: because of a check that is broken */
	char note[PAGE_NOTE]; /* HOLDS: what was tried; else why */
	bool has_board;       /* BROKEN: where */
	uint32_t board_len;
	char board[PZ_BOARD_MAX];
};

/* A call into the plugin. */
struct call {
	_Atomic uint32_t turn; /* odd: it is under way */
	uint32_t allowed_ms;   /* of processor time */
	uint64_t polls;
	char what[96]; /* "solve by ida" */
	bool has_board;
	uint32_t board_len;
	char board[PZ_BOARD_MAX];
};

/* A call that did not come back, and with which its process was lost. */
struct death {
	char what[96];
	bool has_board;
	uint32_t board_len;
	char board[PZ_BOARD_MAX];
};

struct page {
	struct call call;
	uint64_t
		transcript; /* what the check `deterministic` saw, for another process to compare */
	uint32_t count;
	struct outcome outcomes[PAGE_OUTCOMES];
	uint32_t death_count;
	struct death deaths[PAGE_DEATHS];
};

/* Adds an outcome, without board; returns it, or the last one where there is no room for more. */
__attribute__((format(printf, 4, 5))) struct outcome *
page_add(struct page *page, const char *name, enum verdict verdict, const char *format, ...);

/* Notes where it was broken; `board` may be of any length. */
void outcome_at(struct outcome *outcome, struct text board);

/* Notes that the call that is under way was the last of its process. */
void page_lost(struct page *page);

/* Whether a process was lost in a call whose name begins so; and about this board, if `board` has
 * data. */
bool page_died_in(const struct page *page, const char *what, struct text board);

/* The outcome of the check with this name, or NULL. */
const struct outcome *page_find(const struct page *page, const char *name);

#endif
