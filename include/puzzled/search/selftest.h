/* SPDX-License-Identifier: MIT */
/*
 * The laws of a `struct pz_domain`, tried: the self_test callback of a plugin that is made from a
 * `struct pz_puzzle`.  The searches believe them without looking, and one that is broken gives
 * answers that are too long, or none, and no crash.  `puzzlectl check-plugin` asks for it, from
 * many boards.
 */
#ifndef PUZZLED_SEARCH_SELFTEST_H
#define PUZZLED_SEARCH_SELFTEST_H

#include <puzzled/search/generate.h>

enum { PZ_TRIAL_STEPS = 48, PZ_TRIAL_GOALS = 64 };

enum pz_law_number {
	PZ_LAW_MOVES,      /* moves are below max_moves, their ids below pz_plugin.moves */
	PZ_LAW_KEY,        /* one state has one key: whatever road led to it */
	PZ_LAW_DERIVE,     /* apply leaves what derive would make of the key */
	PZ_LAW_CHILD_H,    /* child_h says what h says after the move */
	PZ_LAW_WITHIN,     /* apply_within makes the same child, and tells no more than its h */
	PZ_LAW_COST,       /* at least 1; the same both ways */
	PZ_LAW_INVERSE,    /* the move back is legal and leads back */
	PZ_LAW_CONSISTENT, /* h falls by no more than the cost of a move */
	PZ_LAW_GOALS,      /* h is 0 at goals, and goals are goals */
	PZ_LAW_RANK,       /* unrank undoes rank */
	PZ_LAW_UNSOLVABLE, /* what cannot be solved has no child that can */
	PZ_LAWS
};

/* One run of all of them with one heuristic. */
struct pz_trial {
	struct pz_kit *kit;
	const struct pz_domain *d;
	const void *c;
	const char *whose; /* for a sentence: "; heuristic ", or "" where there is but one */
	const char *heuristic;
	struct pz_law *laws;
	char (*reasons)[PZ_REASON_MAX]; /* of each law */
	char (*boards)[PZ_BOARD_MAX];
};

/* pz_law_holds: notes that a law was tried on state `s`; broken, if not `holds`, as the sentence
 * says. */
PZ_OUTLINE PZ_PRINTF(5, 6) bool pz_law_holds(struct pz_trial *t, enum pz_law_number number,
					     bool holds, const void *s, const char *format, ...)
{
	struct pz_law *law = &t->laws[number];
	struct pz_buffer out = {t->boards[number], PZ_BOARD_MAX, 0};
	char what[PZ_REASON_MAX - PZ_NAME_MAX - 16];
	va_list args;

	law->tried++;
	if (holds || law->broken != NULL)
		return holds;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(t->reasons[number], PZ_REASON_MAX, "%s%s%.*s", what, t->whose, PZ_NAME_MAX,
		 t->heuristic);
	law->broken = t->reasons[number];
	if (t->kit->puzzle->print(t->c, s, &out) == 0)
		law->board = (struct pz_text){out.data, out.len};
	return false;
}

static inline bool pz_same_key(const struct pz_domain *d, const union pz_any_state *a,
			       const union pz_any_state *b)
{
	return memcmp(a->bytes, b->bytes, d->key_size) == 0;
}

/*
 * pz_try_key: does reading what is printed give the same key? It would not where two states print
 * alike, or one has two keys.
 */
static inline void pz_try_key(struct pz_trial *t, const union pz_any_state *s)
{
	union pz_any_state again = {{0}};
	char text[PZ_BOARD_MAX];
	struct pz_buffer out = {text, sizeof(text), 0};
	struct pz_error error = {0};

	if (!pz_law_holds(t, PZ_LAW_KEY, t->kit->puzzle->print(t->c, s->bytes, &out) == 0, s->bytes,
			  "print has no room for the board"))
		return;
	if (!pz_law_holds(t, PZ_LAW_KEY,
			  t->kit->puzzle->parse(t->c, again.bytes, (struct pz_text){text, out.len},
						&error) == 0,
			  s->bytes, "parse refuses what print wrote: %.100s", error.reason))
		return;
	pz_law_holds(
		t, PZ_LAW_KEY, pz_same_key(t->d, &again, s), s->bytes,
		"parse makes another key of what print wrote: a state reached by moves and the "
		"same one read must have equal key bytes, padding too");
}

/*
 * pz_try_bare: do the functions that get a state with nothing derived look at its key alone? They
 * would see zeros in one caller and what another state left in the next.
 */
static inline void pz_try_bare(struct pz_trial *t, const union pz_any_state *s)
{
	static const unsigned char fillings[] = {0x00, 0xa5};
	const struct pz_puzzle *puzzle = t->kit->puzzle;
	const struct pz_domain *d = t->d;
	unsigned i;

	for (i = 0; i < sizeof(fillings); i++) {
		union pz_any_state bare;

		memset(bare.bytes, fillings[i], sizeof(bare.bytes));
		memcpy(bare.bytes, s->bytes, d->key_size);
		if (d->goal != NULL)
			pz_law_holds(t, PZ_LAW_KEY,
				     d->goal(t->c, bare.bytes) == d->goal(t->c, s->bytes), s->bytes,
				     "goal looks at more than the key");
		if (d->space > 0 && d->rank != NULL)
			pz_law_holds(t, PZ_LAW_KEY,
				     d->rank(t->c, bare.bytes) == d->rank(t->c, s->bytes), s->bytes,
				     "rank looks at more than the key");
		if (puzzle->unsolvable != NULL)
			pz_law_holds(t, PZ_LAW_KEY,
				     puzzle->unsolvable(t->c, bare.bytes) ==
					     puzzle->unsolvable(t->c, s->bytes),
				     s->bytes, "unsolvable looks at more than the key");
	}
}

/*
 * pz_try_derive: is what the state carries what derive makes of its key? Without derive nothing may
 * depend on more than the key: a board that is read has no more.
 */
static inline void pz_try_derive(struct pz_trial *t, const union pz_any_state *s)
{
	const struct pz_domain *d = t->d;
	union pz_any_state anew;

	memset(anew.bytes, 0xa5, sizeof(anew.bytes));
	memcpy(anew.bytes, s->bytes, d->key_size);
	if (d->derive != NULL)
		d->derive(t->c, anew.bytes);
	pz_law_holds(t, PZ_LAW_DERIVE, pz_same_key(d, &anew, s), s->bytes,
		     "derive changes the key");
	pz_law_holds(t, PZ_LAW_DERIVE, d->h(t->c, anew.bytes) == d->h(t->c, s->bytes), s->bytes,
		     "h is %d when kept by apply, %d when derived anew from the key",
		     d->h(t->c, s->bytes), d->h(t->c, anew.bytes));
	pz_law_holds(t, PZ_LAW_DERIVE, d->moves(t->c, anew.bytes) == d->moves(t->c, s->bytes),
		     s->bytes, "other moves are legal than when the state is derived anew");
}

static inline int pz_cost(const struct pz_domain *d, const void *c, const union pz_any_state *s,
			  unsigned m)
{
	return d->cost != NULL ? d->cost(c, s->bytes, m) : 1;
}

/* pz_try_back: the move that should lead from `child` back to `s`. */
static inline void pz_try_back(struct pz_trial *t, const union pz_any_state *s,
			       const union pz_any_state *child, unsigned m)
{
	const struct pz_domain *d = t->d;
	union pz_any_state back = {{0}};
	unsigned inverse = d->inverse(m);

	if (!pz_law_holds(t, PZ_LAW_INVERSE, inverse < d->max_moves, s->bytes,
			  "the inverse of move %u is %u, which is no move number", m, inverse) ||
	    !pz_law_holds(t, PZ_LAW_INVERSE, d->moves(t->c, child->bytes) >> inverse & 1, s->bytes,
			  "after move %u its inverse %u is not legal", m, inverse))
		return;
	d->apply(t->c, back.bytes, child->bytes, inverse);
	pz_law_holds(t, PZ_LAW_INVERSE, pz_same_key(d, &back, s), s->bytes,
		     "move %u and then its inverse %u lead to another state", m, inverse);
	pz_law_holds(t, PZ_LAW_COST, pz_cost(d, t->c, child, inverse) == pz_cost(d, t->c, s, m),
		     s->bytes, "move %u costs %d, its inverse %u costs %d", m,
		     pz_cost(d, t->c, s, m), inverse, pz_cost(d, t->c, child, inverse));
}

/* pz_try_within: apply_within of move m, whose child by apply has `after` as its h. */
static inline void pz_try_within(struct pz_trial *t, const union pz_any_state *s,
				 const union pz_any_state *child, unsigned m, int after)
{
	const struct pz_domain *d = t->d;
	union pz_any_state within = {{0}};
	int h = d->apply_within(t->c, within.bytes, s->bytes, m, PZ_COST_MAX);

	pz_law_holds(t, PZ_LAW_WITHIN, pz_same_key(d, &within, child), s->bytes,
		     "apply_within and apply make different children of move %u", m);
	pz_law_holds(t, PZ_LAW_WITHIN, h == after, s->bytes,
		     "apply_within of move %u gives h %d, and after apply it is %d", m, h, after);
	h = d->apply_within(t->c, within.bytes, s->bytes, m, after);
	pz_law_holds(t, PZ_LAW_WITHIN, h == after, s->bytes,
		     "apply_within of move %u gives h %d where %d is within what was asked", m, h,
		     after);
	h = d->apply_within(t->c, within.bytes, s->bytes, m, after - 1);
	pz_law_holds(t, PZ_LAW_WITHIN, h == after, s->bytes,
		     "apply_within of move %u gives h %d where the least that is too much is %d", m,
		     h, after);
}

/* pz_try_move: everything that concerns one legal move. */
static inline void pz_try_move(struct pz_trial *t, const union pz_any_state *s, unsigned m)
{
	const struct pz_puzzle *puzzle = t->kit->puzzle;
	const struct pz_domain *d = t->d;
	union pz_any_state child, twin;
	unsigned id = puzzle->id != NULL ? puzzle->id(t->c, s->bytes, m) : m;
	int cost = pz_cost(d, t->c, s, m), before = d->h(t->c, s->bytes), after;

	pz_law_holds(t, PZ_LAW_MOVES, id < t->kit->plugin->moves, s->bytes,
		     "move %u has the id %u; ids are below %u", m, id, t->kit->plugin->moves);
	pz_law_holds(t, PZ_LAW_COST, cost >= 1, s->bytes, "move %u costs %d", m, cost);
	memset(child.bytes, 0x5a, sizeof(child.bytes));
	memset(twin.bytes, 0xa5, sizeof(twin.bytes));
	d->apply(t->c, child.bytes, s->bytes, m);
	d->apply(t->c, twin.bytes, s->bytes, m);
	if (!pz_law_holds(t, PZ_LAW_KEY, pz_same_key(d, &child, &twin), s->bytes,
			  "apply of move %u leaves bytes of the child's key as they were", m))
		return;
	after = d->h(t->c, child.bytes);
	pz_law_holds(t, PZ_LAW_DERIVE, after >= 0, s->bytes, "h after move %u is %d", m, after);
	if (d->child_h != NULL)
		pz_law_holds(t, PZ_LAW_CHILD_H, d->child_h(t->c, s->bytes, m) == after, s->bytes,
			     "child_h of move %u is %d, h after it is %d", m,
			     d->child_h(t->c, s->bytes, m), after);
	if (d->apply_within != NULL)
		pz_try_within(t, s, &child, m, after);
	if (d->h_consistent)
		pz_law_holds(
			t, PZ_LAW_CONSISTENT, before <= cost + after, s->bytes,
			"h falls from %d to %d by move %u, which costs %d, and yet h_consistent "
			"is set",
			before, after, m, cost);
	if (d->inverse != NULL)
		pz_try_back(t, s, &child, m);
	if (puzzle->unsolvable != NULL)
		pz_law_holds(t, PZ_LAW_UNSOLVABLE,
			     !puzzle->unsolvable(t->c, s->bytes) ||
				     puzzle->unsolvable(t->c, child.bytes),
			     s->bytes,
			     "unsolvable, and not so after move %u: one of the two is wrong", m);
	pz_try_key(t, &child);
}

/* pz_try_state: everything that concerns one state. */
static inline void pz_try_state(struct pz_trial *t, const union pz_any_state *s)
{
	const struct pz_domain *d = t->d;
	uint64_t moves = d->moves(t->c, s->bytes);
	union pz_any_state again = {{0}};

	pz_law_holds(t, PZ_LAW_MOVES, d->max_moves == PZ_MOVES_MAX || moves >> d->max_moves == 0,
		     s->bytes, "a move number is not below max_moves, which is %u", d->max_moves);
	if (d->goal != NULL)
		pz_law_holds(t, PZ_LAW_GOALS, !d->goal(t->c, s->bytes) || d->h(t->c, s->bytes) == 0,
			     s->bytes, "h is %d at a goal", d->h(t->c, s->bytes));
	if (d->space > 0 && d->rank != NULL && d->unrank != NULL) {
		uint64_t number = d->rank(t->c, s->bytes), space = pz_table_space(d, t->c);

		pz_law_holds(t, PZ_LAW_RANK, space <= d->space, s->bytes,
			     "space_in is %llu; space, the most, is %llu",
			     (unsigned long long)space, (unsigned long long)d->space);
		if (pz_law_holds(t, PZ_LAW_RANK, number < space, s->bytes,
				 "its rank is %llu; the space has %llu", (unsigned long long)number,
				 (unsigned long long)space)) {
			d->unrank(t->c, again.bytes, number);
			pz_law_holds(t, PZ_LAW_RANK, pz_same_key(d, &again, s), s->bytes,
				     "unrank of its rank %llu is another state",
				     (unsigned long long)number);
		}
	}
	pz_try_bare(t, s);
	pz_try_derive(t, s);
	for (; moves != 0; moves &= moves - 1)
		if (PZ_LOWEST_BIT(moves) < d->max_moves)
			pz_try_move(t, s, PZ_LOWEST_BIT(moves));
}

/* pz_try_goals: the states that the domain itself calls goals. */
static inline void pz_try_goals(struct pz_trial *t)
{
	const struct pz_domain *d = t->d;
	unsigned char *keys = calloc(PZ_TRIAL_GOALS, d->state_size);
	size_t count, i;

	if (keys == NULL)
		return;
	count = d->goals(t->c, keys, PZ_TRIAL_GOALS);
	for (i = 0; i < count && i < PZ_TRIAL_GOALS; i++) {
		union pz_any_state s = {{0}};

		memcpy(s.bytes, keys + i * d->state_size, d->key_size);
		if (d->derive != NULL)
			d->derive(t->c, s.bytes);
		pz_law_holds(t, PZ_LAW_GOALS, d->h(t->c, s.bytes) == 0, s.bytes,
			     "h is %d at a goal", d->h(t->c, s.bytes));
		pz_law_holds(t, PZ_LAW_GOALS, d->goal == NULL || d->goal(t->c, s.bytes), s.bytes,
			     "goals names a state that goal refuses");
		pz_try_key(t, &s);
		pz_try_bare(t, &s);
	}
	free(keys);
}

/* pz_try: one domain, on a random walk from the board. */
static inline void pz_try(struct pz_trial *t, void *c, const union pz_any_state *start,
			  uint64_t seed)
{
	union pz_any_state s = {{0}};
	unsigned step;

	t->c = c;
	memcpy(s.bytes, start->bytes, t->d->key_size);
	if (pz_kit_derive(t->d, c, &s) != 0)
		return;
	for (step = 0; step < PZ_TRIAL_STEPS; step++) {
		pz_try_state(t, &s);
		if (t->laws[PZ_LAW_MOVES].broken != NULL || t->laws[PZ_LAW_KEY].broken != NULL)
			return;
		pz_walk(t->d, c, &s, 1, &seed);
	}
	if (t->d->goals != NULL)
		pz_try_goals(t);
}

static inline void pz_kit_self_test(void *self, const struct pz_job *job, uint64_t seed,
				    void (*tell)(void *arg, const struct pz_law *law), void *arg)
{
	static const char *const names[PZ_LAWS] = {
		"domain-moves",  "domain-key",  "domain-derive",    "domain-child-h",
		"domain-within", "domain-cost", "domain-inverse",   "domain-consistent",
		"domain-goals",  "domain-rank", "domain-unsolvable"};
	struct pz_kit *kit = self;
	struct pz_law laws[PZ_LAWS];
	char reasons[PZ_LAWS][PZ_REASON_MAX], boards[PZ_LAWS][PZ_BOARD_MAX];
	struct pz_trial t = {.kit = kit, .laws = laws, .reasons = reasons, .boards = boards};
	const char *const *heuristics = kit->plugin->heuristics;
	struct pz_error error;
	union pz_any_state s = {{0}};
	void *c = pz_kit_take(kit, job, &s, &error);
	const struct pz_domain *plain = pz_kit_plain(kit)->domain;
	unsigned asked = 0, used, i;
	bool plainly = false; /* was that of `plain` among them? */

	if (c == NULL)
		return;
	for (i = 0; i < PZ_LAWS; i++)
		laws[i] = (struct pz_law){.name = names[i]};
	do {
		bool wait = false;

		used = asked;
		t.d = pz_kit_solver(kit, c, &used, &wait)->domain;
		t.whose = heuristics != NULL ? "; heuristic " : "";
		t.heuristic = heuristics != NULL ? heuristics[used] : "";
		if (used == asked) {
			pz_try(&t, c, &s, seed);
			plainly |= t.d == plain;
		}
		asked++;
	} while (heuristics != NULL && heuristics[asked] != NULL);
	if (!plainly) {
		t.d = plain;
		t.whose = "; the plain domain";
		t.heuristic = "";
		pz_try(&t, c, &s, seed);
	}
	for (i = 0; i < PZ_LAWS; i++)
		if (laws[i].tried > 0)
			tell(arg, &laws[i]);
}

#endif
