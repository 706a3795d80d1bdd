/* SPDX-License-Identifier: MIT */
/*
 * sandbox: what a plugin may do, in two stages, since a constructor in a shared object runs at
 * dlopen.
 *
 * Before it is loaded: no core file, few descriptors, no new privileges, a bound on the address
 * space; no files but libraries, the plugin and the table folder (landlock.h); few system calls
 * (filter.h); no capabilities.  Once it is open: a bound on the address space that counts from
 * there, and no files at all.
 *
 * The first stage is what holds an evil plugin: its code runs from there on, in the host's own
 * memory, and nothing forces it to let the host come to the second.  The second stage is for an
 * honest plugin that an evil board gets the better of.  doc/architecture.md says what each allows.
 */
#ifndef WORKER_SANDBOX_H
#define WORKER_SANDBOX_H

#include "common/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * SANDBOX_RESERVE is what the worker itself needs beside the plugin's memory: its own buffers, the
 * stack, what malloc loses.  SANDBOX_LOAD is what the plugin's code and its libraries may need as
 * well.
 */
enum { SANDBOX_RESERVE = 16 * 1024 * 1024, SANDBOX_LOAD = 64 * 1024 * 1024 };

struct sandbox {
	bool confine;       /* false: the administrator wants bounds, but nothing forbidden */
	bool builder;       /* it puts a file into the table folder */
	uint64_t memory;    /* bytes that the plugin may allocate */
	const char *plugin; /* path */
	const char *tables; /* path of the folder; NULL: none */
	bool files,
		calls; /* what sandbox_before_load has got: Landlock, a filter of system calls */
};

/* Before dlopen.  0 with `files` and `calls` filled in, or a negative errno. */
int sandbox_before_load(struct sandbox *sandbox);

/* Allows `bytes` more of address space: for a table that is about to be mapped.  Only before
 * sandbox_after_open. */
int sandbox_allow(uint64_t bytes);

/* After `open`: the address space may grow by `memory` and `more` from what it is now.  0 or a
 * negative errno. */
int sandbox_after_open(const struct sandbox *sandbox, uint64_t more);

#endif
