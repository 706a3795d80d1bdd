/* SPDX-License-Identifier: MIT */
/*
 * local: a daemon of our own, for this command only.
 *
 * It is `puzzled --session-fd 3`, started with one end of a socketpair as its descriptor 3; it
 * serves that session and exits at its end, so that there is one way to solve, with and without a
 * service.
 */
#ifndef CLIENT_LOCAL_H
#define CLIENT_LOCAL_H

#include "client/fault.h"

#include <stdbool.h>

struct local;

/*
 * Starts it. Returns 0 with *ret and our end of the socketpair in *ret_fd (the caller's), or -1
 * with *fault.  What it logs is kept aside, or with `verbose` goes to our stderr.
 *
 * Which program: PUZZLED_DAEMON, else `puzzled` beside this program, in ../sbin of it, in the
 * sbindir of the installation, in PATH.  Its configuration: PUZZLED_CONFIG, else what it finds
 * itself.
 */
int local_start(struct local **ret, int *ret_fd, bool verbose, struct fault *fault);

/*
 * Waits for its end, a few seconds at most, after which it is told to end; call it when the session
 * is closed.  `failed`: prints the last lines of what it logged.  Frees `local`, which may be NULL.
 */
void local_end(struct local *local, bool failed);

#endif
