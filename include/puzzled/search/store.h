/* SPDX-License-Identifier: MIT */
/*
 * The states that a search has seen, for the kernels that remember them: an array of nodes, and an
 * open-addressing hash table of their numbers.  Both grow by doubling while the job's memory lasts.
 *
 * A node is 8 bytes and its state; a slot 4 bytes, and at most three quarters of them are taken.
 * `extra` bytes a node are the kernel's own.
 *
 * Where moves differ in cost, one state after different numbers of moves can be different nodes.
 */
#ifndef PUZZLED_SEARCH_STORE_H
#define PUZZLED_SEARCH_STORE_H

#include <stdlib.h>

#include <puzzled/search/run.h>

#define PZ_NO_NODE UINT32_MAX
enum { PZ_STORE_FIRST = 1 << 10, PZ_STORE_POLL = 1 << 14 };

struct pz_node {
	uint32_t parent; /* PZ_NO_NODE: a root */
	uint8_t move;    /* that made it from the parent */
	uint8_t mark;    /* the kernel's own; 0 at first */
	uint16_t depth;  /* the moves to it, where the kernel tells them apart; else 0 */
};

struct pz_store {
	struct pz_node *nodes;
	unsigned char *states;
	unsigned char *extra;
	uint32_t *slots; /* 1 + a node's number; 0: free */
	size_t state_size, extra_size;
	uint32_t count, room;    /* nodes there are, and may be */
	uint32_t mask;           /* slots - 1 */
	size_t used, peak, most; /* bytes now, at the peak, and allowed */
	struct pz_run *run;
};

/* pz_store_hash: of a key.  `size` is a constant where this is inlined. */
PZ_INLINE uint64_t pz_store_hash(const unsigned char *key, size_t size)
{
	uint64_t hash = size, word;

	for (; size >= sizeof(word); size -= sizeof(word), key += sizeof(word)) {
		memcpy(&word, key, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	if (size > 0) {
		word = 0;
		memcpy(&word, key, size);
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	return hash;
}

/* pz_store_slot: where the search for a node begins, the mask aside. */
PZ_INLINE uint64_t pz_store_slot(const struct pz_domain *d, const unsigned char *key,
				 unsigned depth)
{
	uint64_t hash = pz_store_hash(key, d->key_size);

	return d->cost != NULL ? hash + depth * UINT64_C(0x9E3779B97F4A7C15) : hash;
}

/*
 * pz_store_resize: an array's new place, if the memory allows its new size; else NULL, and it
 * stays.
 */
PZ_OUTLINE void *pz_store_resize(struct pz_store *store, void *array, size_t before, size_t after)
{
	void *moved;

	if (after - before > store->most - store->used)
		return NULL;
	moved = realloc(array, after);
	if (moved == NULL)
		return NULL;
	store->used += after - before;
	if (store->used > store->peak)
		store->peak = store->used;
	return moved;
}

static inline void pz_store_close(struct pz_store *store)
{
	free(store->nodes);
	free(store->states);
	free(store->extra);
	free(store->slots);
}

/* pz_store_open: an empty store that may grow to the memory of the run's job. */
static inline void pz_store_open(struct pz_store *store, const struct pz_domain *d,
				 size_t extra_size, struct pz_run *run)
{
	*store = (struct pz_store){.state_size = d->state_size,
				   .extra_size = extra_size,
				   .most = run->job->memory,
				   .run = run};
}

/*
 * pz_store_rehash: twice the slots.  Old and new are there together for a moment.  It can take
 * long, so it polls. -1: no memory, or stopped.
 */
PZ_INLINE int pz_store_rehash(const struct pz_domain *d, struct pz_store *store)
{
	size_t slots = store->slots != NULL ? ((size_t)store->mask + 1) * 2 : PZ_STORE_FIRST * 2;
	size_t before = store->slots != NULL ? slots / 2 * sizeof(uint32_t) : 0;
	uint32_t *fresh, mask, i;

	if (slots > (size_t)1 << 31 || slots * sizeof(*fresh) > store->most - store->used)
		return -1;
	fresh = calloc(slots, sizeof(*fresh));
	if (fresh == NULL)
		return -1;
	mask = (uint32_t)(slots - 1);
	for (i = 0; i < store->count; i++) {
		uint64_t slot =
			pz_store_slot(d, store->states + i * d->state_size, store->nodes[i].depth);

		if (PZ_UNLIKELY(i % PZ_STORE_POLL == PZ_STORE_POLL - 1) &&
		    pz_poll(store->run, store->count)) {
			free(fresh);
			return -1;
		}
		while (fresh[slot & mask] != 0)
			slot++;
		fresh[slot & mask] = i + 1;
	}
	free(store->slots);
	store->slots = fresh;
	store->mask = mask;
	store->used += slots * sizeof(*fresh);
	if (store->used > store->peak)
		store->peak = store->used;
	store->used -= before;
	return 0;
}

/* pz_store_grow_nodes: room for more nodes: twice as many, or what still fits. */
PZ_OUTLINE int pz_store_grow_nodes(struct pz_store *store)
{
	size_t each = sizeof(struct pz_node) + store->state_size + store->extra_size;
	size_t before = store->room, after = before > 0 ? before * 2 : PZ_STORE_FIRST;
	size_t fits = before + (store->most - store->used) / each;
	void *moved;

	if (after > fits)
		after = fits;
	if (after > PZ_NO_NODE - 1)
		after = PZ_NO_NODE - 1;
	if (after <= before)
		return -1;
	moved = pz_store_resize(store, store->nodes, before * sizeof(struct pz_node),
				after * sizeof(struct pz_node));
	if (moved == NULL)
		return -1;
	store->nodes = moved;
	moved = pz_store_resize(store, store->states, before * store->state_size,
				after * store->state_size);
	if (moved == NULL)
		return -1;
	store->states = moved;
	if (store->extra_size > 0) {
		moved = pz_store_resize(store, store->extra, before * store->extra_size,
					after * store->extra_size);
		if (moved == NULL)
			return -1;
		store->extra = moved;
	}
	store->room = (uint32_t)after;
	return 0;
}

/* pz_store_grow: room for one node more. -1: there is none. */
PZ_INLINE int pz_store_grow(const struct pz_domain *d, struct pz_store *store)
{
	if ((store->slots == NULL || store->count >= (store->mask + UINT64_C(1)) / 4 * 3) &&
	    pz_store_rehash(d, store) != 0)
		return -1;
	return store->count < store->room ? 0 : pz_store_grow_nodes(store);
}

/* pz_store_state: the state of a node; it may move when a node is added. */
PZ_INLINE unsigned char *pz_store_state(const struct pz_domain *d, const struct pz_store *store,
					uint32_t node)
{
	return store->states + (size_t)node * d->state_size;
}

/*
 * pz_store_add_at: the node of `state` after `depth` moves, which is new if *ret_new.  PZ_NO_NODE:
 * no memory, or stopped.  The caller sets a new node's parent and move.  Where moves cost 1 each,
 * depth is 0.
 */
PZ_INLINE uint32_t pz_store_add_at(const struct pz_domain *d, struct pz_store *store,
				   const unsigned char *state, unsigned depth, bool *ret_new)
{
	uint64_t slot = pz_store_slot(d, state, depth);
	uint32_t node;

	if (PZ_UNLIKELY(store->count == store->room ||
			store->count >= (store->mask + UINT64_C(1)) / 4 * 3) &&
	    pz_store_grow(d, store) != 0)
		return PZ_NO_NODE;
	for (; (node = store->slots[slot & store->mask]) != 0; slot++) {
		if ((d->cost == NULL || store->nodes[node - 1].depth == depth) &&
		    memcmp(pz_store_state(d, store, node - 1), state, d->key_size) == 0) {
			*ret_new = false;
			return node - 1;
		}
	}
	node = store->count++;
	store->slots[slot & store->mask] = node + 1;
	memcpy(pz_store_state(d, store, node), state, d->state_size);
	store->nodes[node].mark = 0;
	store->nodes[node].depth = (uint16_t)depth;
	*ret_new = true;
	return node;
}

/* pz_store_add: the same, whatever the number of moves. */
PZ_INLINE uint32_t pz_store_add(const struct pz_domain *d, struct pz_store *store,
				const unsigned char *state, bool *ret_new)
{
	return pz_store_add_at(d, store, state, 0, ret_new);
}

/* pz_store_path: writes the moves that lead to `node` as ids. -1: more than max_depth. */
PZ_OUTLINE int pz_store_path(const struct pz_store *store, const void *c, struct pz_run *run,
			     uint32_t node)
{
	uint32_t length = 0, at;

	for (at = node; store->nodes[at].parent != PZ_NO_NODE; at = store->nodes[at].parent)
		if (++length > run->max_depth)
			return -1;
	run->ret->length = length;
	for (at = node; length > 0; at = store->nodes[at].parent) {
		uint32_t parent = store->nodes[at].parent;

		run->ret->path[--length] =
			pz_id(run, c, store->states + (size_t)parent * store->state_size,
			      store->nodes[at].move);
	}
	return 0;
}

#endif
