/* SPDX-License-Identifier: MIT */
/*
 * shelf: the tables of one plugin that are there when the worker starts, mapped while files can
 * still be opened.
 *
 * A job may name a goal for which somebody had a table built; by then the sandbox lets nobody open
 * a file.  A mapping that nobody reads costs addresses, no memory.
 */
#ifndef WORKER_SHELF_H
#define WORKER_SHELF_H

#include "common/text.h"
#include "puzzled/plugin.h"
#include "worker/tables.h"

#include <stddef.h>
#include <stdint.h>

enum { SHELF_MAX = 64 }; /* tables of one plugin; those beyond are not seen */

struct shelf {
	size_t count;
	struct {
		char name[PZ_NAME_MAX];
		uint32_t version;
		size_t size;
		const void *content;
	} tables[SHELF_MAX];
};

/* Maps all sound tables of the plugin in the folder (not given: none). */
void shelf_fill(struct shelf *shelf, struct text folder, const char *plugin);

/* The content of this table, or NULL. */
const void *shelf_find(const struct shelf *shelf, const struct table_key *key);

#endif
