/* SPDX-License-Identifier: MIT */
/*
 * sandbox: what a plugin may do, in two stages, since a constructor in a shared object runs at dlopen.
 *
 * Before it is loaded: no core file, few descriptors, no new privileges, and a bound on the address space.
 * Once it is open: a bound on the address space that counts from there.  Files and system calls are
 * to be confined at the same two places.
 */
#ifndef WORKER_SANDBOX_H
#define WORKER_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

/*
 * SANDBOX_RESERVE is what the worker itself needs beside the plugin's memory: its own buffers, the stack,
 * what malloc loses.  SANDBOX_LOAD is what the plugin's code and its libraries may need as well.
 */
enum { SANDBOX_RESERVE = 16 * 1024 * 1024, SANDBOX_LOAD = 64 * 1024 * 1024 };

/* Before dlopen.  `memory` is what the plugin may allocate.  0 or a negative errno. */
int sandbox_before_load(uint64_t memory);

/* Allows `bytes` more of address space: for a table that is about to be mapped. */
int sandbox_allow(uint64_t bytes);

/* After `open`: the address space may grow by `memory` from what it is now, for good. */
int sandbox_after_open(uint64_t memory);

#endif
