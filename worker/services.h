/* SPDX-License-Identifier: MIT */
/* services: what the host offers a plugin: poll, log, table. */
#ifndef WORKER_SERVICES_H
#define WORKER_SERVICES_H

#include "puzzled/plugin.h"
#include "worker/channel.h"
#include "worker/shelf.h"

#include <stdbool.h>
#include <stdint.h>

struct services {
	struct pz_host host; /* what the plugin gets; its `data` is this struct */
	struct channel *channel;
	const char *plugin;    /* the plugin's name: its tables' files begin with it */
	struct text table_dir; /* not given: no tables */
	struct shelf shelf;    /* the plugin's tables that are there */
	bool opening;          /* `open` runs: files can still be opened */

	bool building; /* no job runs, but a table is made: progress of job 0 is told */

	/* The job that runs, for its progress. */
	bool report;       /* its progress is wanted */
	uint32_t board;    /* the one at work */
	uint64_t began;    /* when the job began, in clock_ns() */
	uint64_t reported; /* when its progress was last told */
};

/* `channel` must outlive it.  The plugin's name and the folder are filled in when they are
 * known. */
void services_init(struct services *services, struct channel *channel);

#endif
