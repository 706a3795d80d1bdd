/* SPDX-License-Identifier: MIT */
/* host: the plugin: loaded, checked, set up, and described to the daemon. */
#ifndef WORKER_HOST_H
#define WORKER_HOST_H

#include "common/errors.h"
#include "common/wire.h"
#include "puzzled/plugin.h"
#include "worker/metadata.h"
#include "worker/moves.h"

#include <stddef.h>
#include <stdint.h>

struct host {
	struct pz_plugin plugin; /* a copy of what was checked; what it lacks is zero */
	struct metadata metadata;
	struct moves moves;
	struct pz_value options[PZ_OPTIONS_MAX]; /* as configured, else as the plugin has it */
	size_t memory;                           /* bytes that the plugin may allocate */
	uint32_t board_max;                      /* bytes of the longest board it prints */
	void *self;                              /* what `open` gave */
	uint32_t confined;                       /* as in wire_hello */
};

/*
 * Loads the shared object at `path` (which must contain a slash) and checks what it says of itself.
 * 0, or -1 and *error.  The object stays loaded in any case.
 */
int host_load(struct host *ret, const char *path, struct error *error);

/* Its two halves: load the object and take a copy of its struct; believe what stands there. */
int host_map(struct host *ret, const char *path, struct error *error);
int host_believe(struct host *host, struct error *error);

/*
 * Sets the plugin up: its options, then its `open`.  Texts of `setup` must stay for as long as the
 * host is in use. 0; or -1 and *error, and in *ret_option the configured option at fault, if it is
 * one.
 */
int host_open(struct host *host, const struct wire_setup *setup, const struct pz_host *services,
	      struct text *ret_option, struct error *error);

/*
 * Appends the HELLO to `out`, whose `failed` is the caller's to look at.  0; or -1 and *error where
 * the goal in force is none (*ret_option is then "goal" if it was configured) or there is no
 * memory.
 */
int host_hello(const struct host *host, const struct wire_setup *setup,
	       const struct pz_host *services, struct buf *out, struct text *ret_option,
	       struct error *error);

/* The orderly end. */
void host_close(struct host *host);

#endif
