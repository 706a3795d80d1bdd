/* SPDX-License-Identifier: MIT */
/*
 * A* (Hart, Nilsson and Raphael 1968).  The open list is an array of buckets by f, each a doubly
 * linked list through the nodes, last in first out, so that of equal f the deepest come first.  A
 * node is closed when it is expanded; where h is not consistent a cheaper way to a closed node
 * opens it again.
 *
 * Where moves differ in cost, the cheapest solution may have more moves than are allowed, and a
 * cheap long way to a state then hides the dear short one.  So if that comes out it is searched
 * once more, with a node for each state and number of moves: at most max_depth times as many nodes,
 * and exact.
 */
#ifndef PUZZLED_SEARCH_ASTAR_H
#define PUZZLED_SEARCH_ASTAR_H

#include <puzzled/search/store.h>

/* What A* knows of a node, in the store's `extra`. */
struct pz_open {
	int g;
	uint32_t next, before; /* in its bucket; PZ_NO_NODE: none */
};

enum { PZ_CLOSED = 1 }; /* pz_node.mark */

struct pz_astar {
	struct pz_store store;
	uint32_t *buckets; /* by f: the first node */
	int bucket_count;
	int f;         /* no open node has less */
	uint32_t open; /* how many there are */
	uint64_t expanded, generated;
	int left_out;  /* the least f of what passed max_cost */
	bool by_moves; /* the second search: states are told apart by the moves to them */
};

static inline struct pz_open *pz_astar_open(const struct pz_astar *a, uint32_t node)
{
	return (struct pz_open *)(void *)a->store.extra + node;
}

/* pz_astar_buckets: enough of them for f. -1: no memory. */
PZ_OUTLINE int pz_astar_buckets(struct pz_astar *a, int f)
{
	int count = a->bucket_count > 0 ? a->bucket_count : 64;
	void *moved;

	while (count <= f)
		count *= 2;
	moved = pz_store_resize(&a->store, a->buckets, (size_t)a->bucket_count * sizeof(uint32_t),
				(size_t)count * sizeof(uint32_t));
	if (moved == NULL)
		return -1;
	a->buckets = moved;
	for (; a->bucket_count < count; a->bucket_count++)
		a->buckets[a->bucket_count] = PZ_NO_NODE;
	return 0;
}

static inline int pz_astar_push(struct pz_astar *a, uint32_t node, int f)
{
	struct pz_open *open;

	if (PZ_UNLIKELY(f >= a->bucket_count) && pz_astar_buckets(a, f) != 0)
		return -1;
	open = pz_astar_open(a, node);
	open->before = PZ_NO_NODE;
	open->next = a->buckets[f];
	if (open->next != PZ_NO_NODE)
		pz_astar_open(a, open->next)->before = node;
	a->buckets[f] = node;
	a->open++;
	if (f < a->f)
		a->f = f;
	return 0;
}

static inline void pz_astar_unlink(struct pz_astar *a, uint32_t node, int f)
{
	const struct pz_open *open = pz_astar_open(a, node);

	if (open->before != PZ_NO_NODE)
		pz_astar_open(a, open->before)->next = open->next;
	else
		a->buckets[f] = open->next;
	if (open->next != PZ_NO_NODE)
		pz_astar_open(a, open->next)->before = open->before;
	a->open--;
}

/*
 * pz_astar_child: takes a child that `parent` has by move m, at cost g, as a node of `depth`. -1:
 * no memory.
 */
PZ_INLINE int pz_astar_child(const struct pz_domain *d, const void *c, struct pz_run *run,
			     struct pz_astar *a, const unsigned char *child, uint32_t parent,
			     unsigned m, int g, unsigned depth)
{
	int h = d->h(c, child);
	struct pz_open *open;
	uint32_t node;
	bool fresh;

	if (g + h > run->max_cost) {
		if (g + h < a->left_out)
			a->left_out = g + h;
		return 0;
	}
	node = pz_store_add_at(d, &a->store, child, depth, &fresh);
	if (node == PZ_NO_NODE)
		return -1;
	open = pz_astar_open(a, node);
	if (!fresh) {
		if (g >= open->g)
			return 0;
		/* What stands there is the state as it came first.  Its h should be the same, but a
		 * table may be damaged, and the node must be found under the f that it was put. */
		h = d->h(c, pz_store_state(d, &a->store, node));
		if (a->store.nodes[node].mark == PZ_CLOSED)
			a->store.nodes[node].mark = 0;
		else
			pz_astar_unlink(a, node, open->g + h);
	}
	open->g = g;
	a->store.nodes[node].parent = parent;
	a->store.nodes[node].move = (uint8_t)m;
	return pz_astar_push(a, node, g + h);
}

/* pz_astar_expand: takes all children of `node`. -1: no memory. */
PZ_INLINE int pz_astar_expand(const struct pz_domain *d, const void *c, struct pz_run *run,
			      struct pz_astar *a, uint32_t node)
{
	unsigned char *s = run->states, *child = s + d->state_size;
	const struct pz_node *at = &a->store.nodes[node];
	int g = pz_astar_open(a, node)->g;
	unsigned depth = d->cost != NULL && a->by_moves ? at->depth + 1u : 0;
	uint64_t moves;

	memcpy(s, pz_store_state(d, &a->store, node), d->state_size);
	moves = d->moves(c, s);
	if (d->inverse != NULL && at->parent != PZ_NO_NODE)
		moves &= ~(UINT64_C(1) << d->inverse(at->move));
	a->expanded++;
	if (d->cost != NULL && depth > run->max_depth)
		return 0;
	for (; moves != 0; moves &= moves - 1) {
		unsigned m = PZ_LOWEST_BIT(moves);
		int cost = d->cost != NULL ? d->cost(c, s, m) : 1;

		a->generated++;
		d->apply(c, child, s, m);
		if (pz_astar_child(d, c, run, a, child, node, m, g + cost, depth) != 0)
			return -1;
	}
	return 0;
}

/*
 * pz_astar_run: until a goal is expanded, or nothing is open, or it must stop.  False: it has to be
 * searched by moves.
 */
PZ_INLINE bool pz_astar_run(const struct pz_domain *d, const void *c, struct pz_run *run,
			    struct pz_astar *a)
{
	while (a->open > 0) {
		uint32_t node;

		while (a->buckets[a->f] == PZ_NO_NODE)
			a->f++;
		/*
		 * The least f of the open list is proved, also where it falls again later: of every
		 * solution, or in the second search only of those that are short enough.
		 */
		if (a->f > run->proved && !(d->cost != NULL && a->by_moves))
			run->proved = a->f;
		node = a->buckets[a->f];
		if (PZ_UNLIKELY(pz_is_goal(d, c, pz_store_state(d, &a->store, node)))) {
			if (pz_store_path(&a->store, c, run, node) != 0) {
				if (d->cost != NULL)
					return false;
				pz_end_limit(run, d, run->proved);
				return true;
			}
			run->ret->status = PZ_SOLVED;
			run->ret->cost = (uint64_t)pz_astar_open(a, node)->g;
			return true;
		}
		pz_astar_unlink(a, node, a->f);
		a->store.nodes[node].mark = PZ_CLOSED;
		if (pz_astar_expand(d, c, run, a, node) != 0) {
			pz_end_early(run);
			return true;
		}
		if (PZ_UNLIKELY(a->expanded % PZ_POLL_NODES == 0) && pz_poll(run, a->generated)) {
			pz_end_early(run);
			return true;
		}
	}
	if (d->cost != NULL && a->by_moves)
		pz_end_limit(run, d, run->proved);
	else if (a->left_out < PZ_COST_MAX)
		pz_end_limit(run, d, a->left_out);
	else
		pz_end(run, PZ_UNSOLVABLE, 0);
	return true;
}

/* pz_astar: searches from `start`; see run.h for what it is given and answers. */
PZ_INLINE void pz_astar(const struct pz_domain *d, const void *c, const void *start,
			struct pz_run *run)
{
	struct pz_astar a = {.by_moves = false};
	struct pz_stats *stats = &run->ret->stats;
	bool done;

	pz_begin(run, d);
	run->proved = d->h(c, start);
	do {
		a.f = a.left_out = PZ_COST_MAX;
		pz_store_open(&a.store, d, sizeof(struct pz_open), run);
		memcpy(run->states + d->state_size, start, d->state_size);
		done = pz_astar_child(d, c, run, &a, run->states + d->state_size, PZ_NO_NODE, 0, 0,
				      0) != 0;
		if (done)
			pz_end_early(run);
		else
			done = pz_astar_run(d, c, run, &a);
		if (a.store.peak > stats->memory)
			stats->memory = a.store.peak;
		free(a.buckets);
		a.buckets = NULL;
		a.bucket_count = 0;
		a.open = 0;
		pz_store_close(&a.store);
		a.by_moves = true;
	} while (!done);
	stats->expanded = a.expanded;
	stats->generated = a.generated;
}

#endif
