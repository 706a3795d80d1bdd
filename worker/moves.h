/* SPDX-License-Identifier: MIT */
/* moves: the names of a plugin's moves, in each of its notations. */
#ifndef WORKER_MOVES_H
#define WORKER_MOVES_H

#include "common/buf.h"
#include "common/errors.h"
#include "puzzled/plugin.h"

#include <stdint.h>

struct move_name {
	struct text name;
	uint16_t id;
};

struct moves {
	uint32_t count;           /* ids are below it */
	struct buf names;         /* what goes into HELLO: wire_hello.names */
	struct move_name *sorted; /* each notation's names in order, one notation after the other */
	uint32_t first[PZ_CHOICES_MAX + 1]; /* notation n's are sorted[first[n] .. first[n + 1]) */
};

/*
 * Asks the plugin for every name.  `notations` is at least 1.  -1 and *error (ERR_PLUGIN_FAILED): a
 * name that could not be read back (empty, too long, no plain word, twice), or no memory.
 */
int moves_collect(struct moves *ret, const struct pz_plugin *plugin, uint32_t notations,
		  struct error *error);

/* The id of the move with this name, or -1. */
int moves_find(const struct moves *moves, uint32_t notation, struct text name);

#endif
