/* SPDX-License-Identifier: MIT */
/* output: what a worker prints on its stdout and stderr, into the log, line by line and not without
 * bound. */
#ifndef DAEMON_OUTPUT_H
#define DAEMON_OUTPUT_H

#include "daemon/loop.h"

struct output;

/* Makes a pipe: its writing end in *ret_fd (the caller's to close), its reading end watched. */
struct output *output_open(struct loop *loop, const char *puzzle, int *ret_fd);

/* Whose lines they are from now on. */
void output_set_pid(struct output *output, int pid);

/* Logs what is left and closes.  May be NULL. */
void output_close(struct output *output);

#endif
