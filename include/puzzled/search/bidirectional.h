/* SPDX-License-Identifier: MIT */
/* Breadth-first search from both ends: bfs.h says how. */
#ifndef PUZZLED_SEARCH_BIDIRECTIONAL_H
#define PUZZLED_SEARCH_BIDIRECTIONAL_H

#include <puzzled/search/bfs.h>

/*
 * pz_bidirectional: needs unit costs, `inverse` and `goals`.  See run.h for what it is given and
 * answers.
 */
PZ_INLINE void pz_bidirectional(const struct pz_domain *d, const void *c, const void *start,
				struct pz_run *run)
{
	if (d->inverse == NULL || d->goals == NULL)
		return; /* the domain has no such search; the glue never asks for it */
	pz_bfs_search(d, c, start, run, true);
}

#endif
