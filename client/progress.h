/* SPDX-License-Identifier: MIT */
/*
 * progress: one line on stderr that is written over and over, and erased before anything else is
 * printed.  Where stderr is no terminal, and lines are asked for, they are whole and at most one a
 * second.
 */
#ifndef CLIENT_PROGRESS_H
#define CLIENT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool wanted;   /* by the user; false: shown on a terminal only, after a second */
	bool terminal; /* stderr is one */
	bool shown;    /* a line stands there */
	int64_t started, last;
};

/* Begins to count the time. */
void progress_start(struct progress *progress, bool wanted);

/* True when a line would be shown now, so that it is worth the making. */
bool progress_due(const struct progress *progress);

/* Shows a line, if one is due. */
__attribute__((format(printf, 2, 3))) void progress_show(struct progress *progress,
							 const char *format, ...);

/* Takes the line away. */
void progress_end(struct progress *progress);

#endif
