/* SPDX-License-Identifier: MIT */
/* blame: on which board a worker died, and what becomes of the frames it held. */
#ifndef DAEMON_BLAME_H
#define DAEMON_BLAME_H

#include <stdbool.h>

struct pool;
struct worker;

/*
 * Lets go of all frames of a dead worker.  At most one board is to blame: it fails with
 * worker_crashed and is never run again.  Everything else goes back to the front of the queue, a
 * few times at most.  `cause`: how it died.  Returns whether a board was to blame.
 */
bool blame(struct pool *pool, struct worker *worker, const char *cause);

#endif
