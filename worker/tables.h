/* SPDX-License-Identifier: MIT */
/*
 * tables: files that hold a table of a plugin, PLUGIN.NAME.table in the folder of tables.
 *
 * A file is one header in a page of its own and then the content, so that a mapping of the file
 * gives the content aligned.  Numbers are in the machine's own order, which the magic number
 * betrays.  A file appears under its name only whole (it is renamed into place), so the header and
 * the size are checked each time it is opened, and the checksum when it is made or asked for.
 */
#ifndef WORKER_TABLES_H
#define WORKER_TABLES_H

#include "common/text.h"
#include "puzzled/plugin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABLE_MAGIC UINT64_C(0x31454c4241545a50) /* "PZTABLE1" */

enum { TABLE_HEADER = 4096, TABLE_FORMAT = 1, TABLE_PATH_MAX = 4096 + 2 * PZ_NAME_MAX };

struct table_header {
	uint64_t magic;           /* TABLE_MAGIC */
	uint32_t format;          /* TABLE_FORMAT */
	uint32_t version;         /* pz_table.version */
	uint64_t size;            /* bytes of the content */
	uint64_t checksum;        /* table_checksum of the content */
	char plugin[PZ_NAME_MAX]; /* whose it is; NUL-padded */
	char name[PZ_NAME_MAX];   /* pz_table.name; NUL-padded */
};

/* What a table must be to be taken. */
struct table_key {
	const char *plugin, *name;
	uint32_t version;
	size_t size;
};

/* Whether it is a name for a table: [a-z0-9-]+, shorter than PZ_NAME_MAX. */
bool table_is_name(const char *name);

/* Writes the file's path.  0, or -ENAMETOOLONG. */
int table_path(char *ret, size_t cap, struct text folder, const struct table_key *key);

/*
 * Opens and maps the table's file, read-only, shared with every other worker.  0 and the content's
 * address; -ENOENT: there is none; -ESTALE: it is another version's, size's or format's; -EBADMSG:
 * it is no table, or cut short; or the error of opening it.
 */
int table_map(struct text folder, const struct table_key *key, const void **ret_content);

/* Fills in the version and the size that the file of this plugin and name says it has.  0 or a
 * negative errno. */
int table_peek(struct text folder, struct table_key *key);

/* FNV-1a of the content, 64 bits: against decay and truncation, not against enemies. */
uint64_t table_checksum(const void *content, size_t size);

#endif
