/* SPDX-License-Identifier: MIT */
/*
 * The bridge at night: walkers have to cross a bridge that bears two at a time, and nobody may be
 * on it without their one lamp.  Two walk at the pace of the slower.  What is the least time?
 * (Levmore and Cook, "Super Strategies for Puzzles and Games", 1981; Rote, "Crossing the bridge at
 * night", Bulletin of the EATCS 78, 2002.) The moves differ in cost, and the shortest solution need
 * not be the cheapest.
 *
 * Walkers are sorted by their times and called a, b, ... from the fastest.  Which of those with
 * equal times goes makes no difference, so they take turns: of them the first ones are on the near
 * side, the last ones on the far side.  So a state has one key, and a crossing can still be taken
 * back by the same two.  A search tries each crossing under one name; people may use any (see
 * `any`).
 */
#include <puzzled/search/domain.h>
#include <puzzled/search/text.h>

enum {
	WALKERS = 10,
	MOVES = WALKERS * (WALKERS + 1) / 2, /* each alone and each two */
	TIME_MAX = 9999,
	LENGTH_MAX = 4 * WALKERS /* more than the fewest crossings are never needed, says Rote */
};

struct party {
	uint16_t time[WALKERS]; /* ascending; 0: no more walkers */
	uint16_t near;          /* bit i: walker i is on the near side */
	uint8_t count;
	bool lamp_far;
};

/* The two of a move, which are the same where one goes alone. */
static const uint8_t faster[MOVES] = {0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 1, 2, 3,
				      4, 5, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1,
				      2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const uint8_t slower[MOVES] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5,
				      5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8,
				      8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

static unsigned here(const struct party *party)
{
	unsigned all = (1u << party->count) - 1;

	return party->lamp_far ? all & ~party->near : party->near;
}

/* ---- text ---------------------------------------------------------------------------------- */

/* add: a walker to his place by time, those on the near side first. */
static void add(struct party *party, unsigned time, bool near)
{
	unsigned i = party->count++, low;

	for (; i > 0 && (party->time[i - 1] > time || (party->time[i - 1] == time && near)); i--)
		party->time[i] = party->time[i - 1];
	party->time[i] = (uint16_t)time;
	low = party->near & ((1u << i) - 1);
	party->near = (uint16_t)((party->near & ~((1u << i) - 1)) << 1 | low | (unsigned)near << i);
}

static int parse(const void *c, void *s, struct pz_text text, struct pz_error *error)
{
	struct party party = {.count = 0};
	size_t bridge = 0, i = 0; /* bridge: where it is, from 1; 0: not yet */

	(void)c;
	while (i < text.len) {
		unsigned char byte = (unsigned char)text.data[i];
		unsigned time = 0;
		size_t from = i, skip = pz_skip(text, i);

		if (byte == '>' || byte == '<') {
			if (bridge > 0)
				return pz_fail(error, i + 1,
					       "a second bridge; the first is at byte %zu", bridge);
			party.lamp_far = byte == '<';
			bridge = ++i;
			continue;
		}
		if (memchr(" \t\r\n,/", byte, 6) != NULL) {
			i++;
			continue;
		}
		if (skip > 0) {
			i += skip;
			continue;
		}
		if (byte < '0' || byte > '9')
			return pz_fail(error, i + 1,
				       byte > ' ' && byte < 0x7f
					       ? "'%c' is neither a time nor a bridge (> or <)"
					       : "byte 0x%02X is neither a time nor a bridge",
				       byte);
		for (; i < text.len && text.data[i] >= '0' && text.data[i] <= '9'; i++)
			time = time <= TIME_MAX ? time * 10 + (unsigned)(text.data[i] - '0') : time;
		if (time == 0 || time > TIME_MAX)
			return pz_fail(error, from + 1, "a time is 1 to %d", TIME_MAX);
		if (party.count == WALKERS)
			return pz_fail(error, from + 1, "there can be at most %d walkers", WALKERS);
		add(&party, time, bridge == 0);
	}
	if (party.count == 0)
		return pz_fail(error, bridge,
			       "there are no walkers; write the time that each of them needs");
	if (here(&party) == 0)
		return pz_fail(error, bridge, "the lamp is on the %s side, and nobody is there",
			       party.lamp_far ? "far" : "near");
	memcpy(s, &party, sizeof(party));
	return 0;
}

/* print_side: the times of some walkers, each with `gap` before it or behind it. */
static int print_side(const struct party *party, unsigned who, bool behind, struct pz_buffer *out)
{
	char text[8];
	unsigned i;
	int bad = 0;

	for (i = 0; i < party->count; i++) {
		int len = snprintf(text, sizeof(text), behind ? " %u" : "%u ",
				   (unsigned)party->time[i]);

		if (who >> i & 1)
			bad |= pz_put(out, text, (size_t)len);
	}
	return bad;
}

static int print(const void *c, const void *s, struct pz_buffer *out)
{
	const struct party *party = s;

	(void)c;
	return print_side(party, party->near, false, out) |
	       pz_put(out, party->lamp_far ? "<" : ">", 1) |
	       print_side(party, ~(unsigned)party->near, true, out);
}

static int move_name(unsigned notation, unsigned id, char *name, size_t cap)
{
	size_t len = 0;

	(void)notation;
	if (id >= MOVES || cap < 3)
		return -1;
	name[len++] = (char)('a' + faster[id]);
	if (slower[id] != faster[id])
		name[len++] = (char)('a' + slower[id]);
	name[len] = '\0';
	return 0;
}

/* random: four to ten on the near side, with the lamp. */
static void random_party(const void *c, void *s, uint64_t *seed)
{
	struct party party = {.count = 0};
	unsigned count = 4 + (unsigned)(pz_random(seed) % (WALKERS - 3));

	(void)c;
	while (party.count < count)
		add(&party, 1 + (unsigned)(pz_random(seed) % 30), true);
	memcpy(s, &party, sizeof(party));
}

/* ---- rules --------------------------------------------------------------------------------- */

static bool is_goal(const void *c, const void *s)
{
	(void)c;
	return ((const struct party *)s)->near == 0;
}

/* turn: the walkers with the lamp of whom none with the same time goes first. */
static unsigned turn(const struct party *party)
{
	unsigned at = here(party), ret = at, i;

	for (i = 1; i < party->count; i++)
		if (party->time[i] == party->time[i - 1] && (at >> i & 1) && (at >> (i - 1) & 1))
			ret &= ~(1u << (party->lamp_far ? i : i - 1));
	return ret;
}

static uint64_t moves(const void *c, const void *s)
{
	const struct party *party = s;
	unsigned at = here(party), may = turn(party), m;
	uint64_t ret = 0;

	(void)c;
	for (m = 0; m < MOVES; m++) {
		unsigned a = faster[m], b = slower[m];
		/* Of two with equal times the second has his turn when the first goes with him. */
		bool twins =
			b == a + 1 && party->time[a] == party->time[b] && (at >> a & at >> b & 1);

		if ((may >> a & may >> b & 1) ||
		    (twins && (party->lamp_far ? may >> a & 1 : may >> b & 1)))
			ret |= UINT64_C(1) << m;
	}
	return ret;
}

static unsigned inverse(unsigned m)
{
	return m;
}

static int cost(const void *c, const void *s, unsigned m)
{
	(void)c;
	return ((const struct party *)s)->time[slower[m]];
}

static void apply(const void *c, void *child, const void *s, unsigned m)
{
	struct party *next = child;

	(void)c;
	*next = *(const struct party *)s;
	next->near ^= (uint16_t)(1u << faster[m] | (slower[m] != faster[m]) << slower[m]);
	next->lamp_far = !next->lamp_far;
}

/*
 * who: those that a move sends: of walkers with equal times, whose turn it is. 0: there are not so
 * many with the lamp.
 */
static unsigned who(const struct party *party, unsigned m)
{
	unsigned left = here(party), ret = 0, named = slower[m], i;

	for (;;) {
		unsigned goes = WALKERS;

		for (i = 0; i < party->count; i++)
			if ((left >> i & 1) && party->time[i] == party->time[named] &&
			    (goes == WALKERS || !party->lamp_far))
				goes = i;
		if (goes == WALKERS)
			return 0;
		left ^= 1u << goes;
		ret |= 1u << goes;
		if (named == faster[m])
			return ret;
		named = faster[m];
	}
}

static uint64_t any_moves(const void *c, const void *s)
{
	uint64_t ret = 0;
	unsigned m;

	(void)c;
	for (m = 0; m < MOVES; m++)
		ret |= (uint64_t)(who(s, m) != 0) << m;
	return ret;
}

static void any_apply(const void *c, void *child, const void *s, unsigned m)
{
	struct party *next = child;

	(void)c;
	*next = *(const struct party *)s;
	next->near ^= (uint16_t)who(s, m);
	next->lamp_far = !next->lamp_far;
}

/* step: the rules once more, for replay: takes from the lamp's side who has the time of each
 * named. */
static int step(const void *c, void *s, unsigned id)
{
	const struct party *party = s;
	struct party next = {.lamp_far = !party->lamp_far};
	unsigned times[2], missing, i, k;

	(void)c;
	if (id >= MOVES || slower[id] >= party->count)
		return -1;
	missing = faster[id] == slower[id] ? 1 : 2;
	times[0] = party->time[slower[id]];
	times[1] = missing == 2 ? party->time[faster[id]] : 0;
	for (i = 0; i < party->count; i++) {
		bool near = party->near >> i & 1;

		for (k = 0; near == next.lamp_far && k < 2; k++) {
			if (times[k] != party->time[i])
				continue;
			times[k] = 0;
			missing--;
			near = !near;
			break;
		}
		add(&next, party->time[i], near);
	}
	if (missing > 0)
		return -1;
	i = party->time[slower[id]];
	memcpy(s, &next, sizeof(next));
	return (int)i;
}

/* ---- heuristics ---------------------------------------------------------------------------- */

/* slowest: he has to cross, and only a crossing of his makes it less: consistent. */
static int slowest_h(const void *c, const void *s)
{
	const struct party *party = s;
	unsigned i = party->count;

	(void)c;
	while (i > 0)
		if (party->near >> --i & 1)
			return party->time[i];
	return 0;
}

/*
 * pairs: let k walkers be on the near side.
 * - Each crosses for the last time, with at most one other who does.  The sum of the greater times
 *   is least if the two slowest go together, the next two, and so on; and each crossing more than
 *   these (k + 1) / 2, whoever goes, costs no less than the fastest's time.
 * - A crossing and the way back take at most one walker over.  So there are at least k - 1
 *   crossings (one, if k is 1) and one way back less; or, if the lamp is on the far side, k of
 *   both.  A way back costs no less than the fastest's time.
 *
 * It is consistent.  Let p be the first sum, over the near walkers' times in descending order t1,
 * t2, ... (those with odd numbers), f the fastest's time, and r = (k + 1) / 2, rounded down; then h
 * is p + (2k - 3 - r) f or, if the lamp is on the far side, p + (2k - r) f; except that it is p if
 * k is 1 and the lamp near.  One walker less takes from p an alternating sum, ti - t(i+1) + ... or,
 * if i is even, t(i+1) - t(i+2) + ...: at least 0 and at most ti, and at least f where an even
 * number of walkers remains, since the sum then ends in a plus.
 * - Two cross, ti and tj, i < j: the factor of f stays.  The sums of both but for what is between
 *   them cancel out, so p falls by at most ti, which is the cost.
 * - One crosses: the factor does not fall, and p falls by at most the cost.
 * - Two come back: the factor stays, and p does not fall.
 * - One comes back: the factor falls by 1, or by 2 where k was even; but then p grows by f.  So h
 *   falls by at most f, which is no more than the cost.
 */
static int pairs_h(const void *c, const void *s)
{
	const struct party *party = s;
	int walkers = 0, sum = 0, over, i;

	(void)c;
	for (i = party->count - 1; i >= 0; i--) {
		if (!(party->near >> i & 1))
			continue;
		sum += walkers % 2 == 0 ? party->time[i] : 0;
		walkers++;
	}
	if (walkers == 0)
		return 0;
	over = party->lamp_far ? walkers : walkers > 1 ? walkers - 1 : 1;
	/* `over` crossings, and ways back: as many, or one less where the lamp is near. */
	return sum + (2 * over - !party->lamp_far - (walkers + 1) / 2) * party->time[0];
}

#define BRIDGE_RULES(moves_of, apply_of, h_of)                                                     \
	.state_size = sizeof(struct party), .key_size = sizeof(struct party), .max_moves = MOVES,  \
	.h_consistent = true, .moves = moves_of, .h = h_of, .apply = apply_of, .goal = is_goal,    \
	.inverse = inverse, .cost = cost

static const struct pz_domain pairs = {BRIDGE_RULES(moves, apply, pairs_h)};
PZ_SOLVER(pairs)

static const struct pz_domain slowest = {BRIDGE_RULES(moves, apply, slowest_h)};
PZ_SOLVER(slowest)

/* any: each crossing under all its names, for who asks what moves there are. */
static const struct pz_domain any = {BRIDGE_RULES(any_moves, any_apply, slowest_h)};
PZ_SOLVER(any)

enum { PAIRS, SLOWEST, ANY, HEURISTICS = ANY };
static const struct pz_solver *const solvers[] = {
	[PAIRS] = &pairs_solver, [SLOWEST] = &slowest_solver, [ANY] = &any_solver, NULL};
static const char *const heuristics[HEURISTICS + 1] = {[PAIRS] = "pairs", [SLOWEST] = "slowest"};

static const struct pz_solver *solver(const void *c, unsigned *heuristic, bool *ret_wait)
{
	(void)c;
	(void)ret_wait;
	return solvers[*heuristic];
}

static const struct pz_puzzle bridge = {
	.path_max = LENGTH_MAX,
	.parse = parse,
	.print = print,
	.random = random_party,
	.step = step,
	.solvers = solvers,
	.solver = solver,
	.plain = ANY,
	.few_states = true,
};

PZ_PLUGIN(bridge, pz_any_cost, .name = "bridge", .version = "1.0",
	  .summary =
		  "take walkers over a bridge at night, two at a time with one lamp, in the least "
		  "time",
	  .syntax = "The times that the walkers on the near side need, then > if the lamp is there "
		    "or < if it is on the far side, then the times of those on the far side; the "
		    "times alone: all are on the near side. At most ten walkers, who are called a, "
		    "b, ... from the fastest; a crossing is named after who goes, by any name of "
		    "those with the same time.",
	  .example = "1 2 5 10", .moves = MOVES, .path_max = LENGTH_MAX, .move_name = move_name,
	  .heuristics = heuristics);
