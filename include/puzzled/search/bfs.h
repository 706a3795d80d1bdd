/* SPDX-License-Identifier: MIT */
/*
 * Breadth-first search, one way or from both ends, for puzzles whose moves all cost 1.  Whole
 * levels are expanded; a level is a run of nodes in the store, since they are numbered as they are
 * found.
 *
 * From both ends: forward from the start, backward from the goals by inverse moves, each time the
 * smaller of the two outermost levels.  Every state within f moves of the start and within b of a
 * goal is known, so the first meeting, found while a level is made, is a path of f + b + 1 moves,
 * and there is none shorter.
 */
#ifndef PUZZLED_SEARCH_BFS_H
#define PUZZLED_SEARCH_BFS_H

#include <puzzled/search/store.h>

enum { PZ_FORWARD, PZ_BACKWARD }; /* pz_node.mark: which side has found it */

/* The outermost level of a side: nodes first to end - 1 of those of its mark. */
struct pz_front {
	uint32_t first, end;
	int depth;
};

struct pz_bfs {
	struct pz_store store;
	struct pz_front side[2];
	uint64_t expanded, generated;
	uint32_t met[2]; /* a node of each side, one move apart, */
	unsigned across; /* this move, from the side that found it */
	int found_by;
};

enum pz_bfs_end { PZ_BFS_DONE, PZ_BFS_FOUND, PZ_BFS_EARLY /* stopped, or no memory */ };

/* pz_bfs_child: a child that `parent` has by move m. */
PZ_INLINE enum pz_bfs_end pz_bfs_child(const struct pz_domain *d, const void *c, struct pz_bfs *b,
				       const unsigned char *child, uint32_t parent, unsigned m,
				       int which, bool both)
{
	uint32_t node;
	bool fresh;

	b->generated++;
	node = pz_store_add(d, &b->store, child, &fresh);
	if (node == PZ_NO_NODE)
		return PZ_BFS_EARLY;
	if (fresh) {
		b->store.nodes[node] = (struct pz_node){
			.parent = parent, .move = (uint8_t)m, .mark = (uint8_t)which};
		if (both || !pz_is_goal(d, c, child))
			return PZ_BFS_DONE;
		b->met[PZ_FORWARD] = node;
		return PZ_BFS_FOUND;
	}
	if (b->store.nodes[node].mark == which)
		return PZ_BFS_DONE;
	b->met[which] = parent;
	b->met[!which] = node;
	b->across = m;
	b->found_by = which;
	return PZ_BFS_FOUND;
}

/* pz_bfs_level: expands the outermost level of one side. */
PZ_INLINE enum pz_bfs_end pz_bfs_level(const struct pz_domain *d, const void *c, struct pz_run *run,
				       struct pz_bfs *b, int which, bool both)
{
	unsigned char *s = run->states, *child = s + d->state_size;
	struct pz_front *level = &b->side[which];
	uint32_t node, first = b->store.count;

	for (node = level->first; node < level->end; node++) {
		const struct pz_node *at = &b->store.nodes[node];
		uint64_t moves;

		memcpy(s, pz_store_state(d, &b->store, node), d->state_size);
		moves = d->moves(c, s);
		if (d->inverse != NULL && at->parent != PZ_NO_NODE)
			moves &= ~(UINT64_C(1) << d->inverse(at->move));
		b->expanded++;
		for (; moves != 0; moves &= moves - 1) {
			unsigned m = PZ_LOWEST_BIT(moves);
			enum pz_bfs_end end;

			d->apply(c, child, s, m);
			end = pz_bfs_child(d, c, b, child, node, m, which, both);
			if (end != PZ_BFS_DONE)
				return end;
		}
		if (PZ_UNLIKELY(b->expanded % PZ_POLL_NODES == 0) && pz_poll(run, b->generated))
			return PZ_BFS_EARLY;
	}
	*level =
		(struct pz_front){.first = first, .end = b->store.count, .depth = level->depth + 1};
	return PZ_BFS_DONE;
}

/* pz_bfs_join: the path over the meeting.  The goal's half is walked outward, each move undone. */
PZ_INLINE void pz_bfs_join(const struct pz_domain *d, const void *c, struct pz_run *run,
			   const struct pz_bfs *b)
{
	unsigned char *s = run->states, *child = s + d->state_size;
	unsigned m = b->found_by == PZ_FORWARD ? b->across : d->inverse(b->across);
	uint32_t at = b->met[PZ_BACKWARD];

	pz_store_path(&b->store, c, run, b->met[PZ_FORWARD]);
	memcpy(s, pz_store_state(d, &b->store, b->met[PZ_FORWARD]), d->state_size);
	for (;;) {
		run->ret->path[run->ret->length++] = pz_id(run, c, s, m);
		d->apply(c, child, s, m);
		memcpy(s, child, d->state_size);
		if (b->store.nodes[at].parent == PZ_NO_NODE)
			break;
		m = d->inverse(b->store.nodes[at].move);
		at = b->store.nodes[at].parent;
	}
}

/* pz_bfs_root: adds a root; roots that are equal count once. -1: no memory. */
PZ_INLINE int pz_bfs_root(const struct pz_domain *d, struct pz_bfs *b, const unsigned char *s,
			  int which)
{
	bool fresh;
	uint32_t node = pz_store_add(d, &b->store, s, &fresh);

	if (node == PZ_NO_NODE)
		return -1;
	if (fresh)
		b->store.nodes[node] =
			(struct pz_node){.parent = PZ_NO_NODE, .mark = (uint8_t)which};
	return 0;
}

/* pz_bfs_roots: the start, and from both ends the goals. -1: no memory. */
PZ_INLINE int pz_bfs_roots(const struct pz_domain *d, const void *c, const void *start,
			   struct pz_run *run, struct pz_bfs *b, bool both)
{
	size_t count = both ? d->goals(c, NULL, 0) : 0, i;
	unsigned char *goals = NULL;
	int bad = 0;

	memcpy(run->states, start, d->state_size);
	bad = pz_bfs_root(d, b, run->states, PZ_FORWARD);
	b->side[PZ_FORWARD] = (struct pz_front){.first = 0, .end = b->store.count};
	if (count > 0 && (goals = calloc(count, d->state_size)) == NULL)
		return -1;
	if (count > 0)
		d->goals(c, goals, count);
	for (i = 0; i < count && bad == 0; i++) {
		if (d->derive != NULL)
			d->derive(c, goals + i * d->state_size);
		bad = pz_bfs_root(d, b, goals + i * d->state_size, PZ_BACKWARD);
	}
	b->side[PZ_BACKWARD] =
		(struct pz_front){.first = b->side[PZ_FORWARD].end, .end = b->store.count};
	free(goals);
	return bad;
}

/* pz_bfs_run: level by level, to an end. */
PZ_INLINE void pz_bfs_run(const struct pz_domain *d, const void *c, struct pz_run *run,
			  struct pz_bfs *b, bool both)
{
	for (;;) {
		const struct pz_front *f = &b->side[PZ_FORWARD], *g = &b->side[PZ_BACKWARD];
		int bound = f->depth + g->depth + 1;
		int which =
			both && g->end - g->first < f->end - f->first ? PZ_BACKWARD : PZ_FORWARD;

		if (f->first == f->end || (both && g->first == g->end)) {
			pz_end(run, PZ_UNSOLVABLE, 0);
			return;
		}
		if (bound > run->max_cost) {
			pz_end_limit(run, d, bound);
			return;
		}
		run->proved = bound;
		switch (pz_bfs_level(d, c, run, b, which, both)) {
		case PZ_BFS_DONE:
			break;
		case PZ_BFS_FOUND:
			if (both)
				pz_bfs_join(d, c, run, b);
			else
				pz_store_path(&b->store, c, run, b->met[PZ_FORWARD]);
			run->ret->status = PZ_SOLVED;
			run->ret->cost = run->ret->length;
			return;
		case PZ_BFS_EARLY:
			pz_end_early(run);
			return;
		}
	}
}

/* pz_bfs_search: what the two searches share.  `both` is a constant where this is inlined. */
PZ_INLINE void pz_bfs_search(const struct pz_domain *d, const void *c, const void *start,
			     struct pz_run *run, bool both)
{
	struct pz_bfs b = {0};

	pz_begin(run, d);
	if (pz_is_goal(d, c, start)) {
		run->ret->status = PZ_SOLVED;
		return;
	}
	pz_store_open(&b.store, d, 0, run);
	run->proved = 1;
	if (pz_bfs_roots(d, c, start, run, &b, both) != 0)
		pz_end_early(run);
	else
		pz_bfs_run(d, c, run, &b, both);
	run->ret->stats.expanded = b.expanded;
	run->ret->stats.generated = b.generated;
	run->ret->stats.memory = b.store.peak;
	pz_store_close(&b.store);
}

/* pz_bfs: from `start` outward; needs unit costs.  See run.h for what it is given and answers. */
PZ_INLINE void pz_bfs(const struct pz_domain *d, const void *c, const void *start,
		      struct pz_run *run)
{
	pz_bfs_search(d, c, start, run, false);
}

#endif
