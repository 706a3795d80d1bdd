/* SPDX-License-Identifier: MIT */
/* program: where the programs and files are that belong to this one. */
#ifndef CLIENT_PROGRAM_H
#define CLIENT_PROGRAM_H

#include "client/fault.h"

#include <limits.h>

/* Where one is looked for, in this order. */
struct program {
	const char *variable;  /* of the environment: whoever sets it means it */
	const char *beside[3]; /* relative to this program's folder; NULL ends them */
	const char *installed; /* where the installation has it */
	const char *name;      /* in PATH; NULL: it is not looked for there */
};

/*
 * Finds a program or, where there is no such thing to run, a folder.  0 with its path in `path` (a
 * name without
 * slash: to be looked for in PATH), or -1 with *fault.
 */
int program_find(const struct program *program, char path[PATH_MAX], struct fault *fault);

#endif
