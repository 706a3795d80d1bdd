/* SPDX-License-Identifier: MIT */
/* metadata: whether what a plugin says of itself can be believed. */
#ifndef WORKER_METADATA_H
#define WORKER_METADATA_H

#include "common/errors.h"
#include "puzzled/plugin.h"

#include <stdint.h>

/* How long the plugin's lists are, counted once. */
struct metadata {
	uint32_t algorithms, heuristics;
	uint32_t notations; /* at least 1, also where the plugin names none */
	uint32_t choices[PZ_OPTIONS_MAX];
};

/*
 * Checks every member of the plugin's struct: counts within the maxima of plugin.h, names that are
 * names, text that is text, obligatory callbacks there.  0; or -1 and *error (ERR_PLUGIN_FAILED)
 * with a sentence that names the member.  Nothing but strings is read through the plugin's
 * pointers.
 */
int metadata_check(const struct pz_plugin *plugin, struct metadata *ret, struct error *error);

#endif
