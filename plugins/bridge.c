/* SPDX-License-Identifier: MIT */
/*
 * The bridge at night: walkers have to cross a bridge that bears two at a time, and nobody may be on
 * it without their one lamp.  Two walk at the pace of the slower.  What is the least time? (Levmore
 * and Cook, "Super Strategies for Puzzles and Games", 1981; Rote, "Crossing the bridge at night",
 * Bulletin of the EATCS 78, 2002.) The moves differ in cost, and the shortest solution need not be
 * the cheapest.
 *
 * Walkers are sorted by their times and called a, b, ... from the fastest.  Those with equal times
 * take turns: of them the first ones are on the near side, the last ones on the far side.  So a
 * state has one key, and a crossing can still be taken back by the same two.
 */
#include <puzzled/search/domain.h>
#include <puzzled/search/grid.h>

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
	bool far = false;
	size_t i = 0;

	(void)c;
	while (i < text.len) {
		unsigned char byte = (unsigned char)text.data[i];
		unsigned time = 0;
		size_t from = i;

		if (byte == '>' || byte == '<') {
			if (far)
				return pz_fail(error, i + 1, "there are two bridges");
			far = true;
			party.lamp_far = byte == '<';
			i++;
			continue;
		}
		if (memchr(" \t\r\n,/", byte, 6) != NULL) {
			i++;
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
			return pz_fail(error, from + 1, "more than %d walkers", WALKERS);
		add(&party, time, !far);
	}
	if (party.count == 0)
		return pz_fail(error, 0, "there are no walkers");
	if (here(&party) == 0)
		return pz_fail(error, 0, "the lamp is on the %s side, and nobody is there",
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

static int set_goal(void *c, void *own, struct pz_text text, struct pz_error *error)
{
	(void)c;
	(void)own;
	(void)text; /* the goal is in the rules: the host lets nobody name another */
	(void)error;
	return 0;
}

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

/* step: the rules once more, for replay: who goes, whether he is with the lamp, and his turn. */
static int step(const void *c, void *s, unsigned id)
{
	struct party *party = s;
	unsigned i, side = party->lamp_far ? 0 : 1, goes;

	(void)c;
	if (id >= MOVES || slower[id] >= party->count)
		return -1;
	for (goes = 0, i = 0; i < party->count; i++) {
		if (i != faster[id] && i != slower[id])
			continue;
		if ((party->near >> i & 1u) != side)
			return -1;
		goes |= 1u << i;
	}
	party->near ^= (uint16_t)goes;
	/* Walkers with equal times must still be sorted: nobody near behind one who is far. */
	for (i = 1; i < party->count; i++)
		if (party->time[i] == party->time[i - 1] && !(party->near >> (i - 1) & 1) &&
		    (party->near >> i & 1))
			return -1;
	party->lamp_far = !party->lamp_far;
	return party->time[slower[id]];
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
 *   crossings (one, if k is 1) and one way back less; or, if the lamp is on the far side, k of both.
 *   A way back costs no less than the fastest's time.
 * Whether it is consistent has not been proved, so A* looks again.
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

#define BRIDGE_RULES                                                                               \
	.state_size = sizeof(struct party), .key_size = sizeof(struct party), .max_moves = MOVES,  \
	.moves = moves, .apply = apply, .goal = is_goal, .inverse = inverse, .cost = cost

static const struct pz_domain pairs = {BRIDGE_RULES, .h_consistent = false, .h = pairs_h};
PZ_SOLVER(pairs)

static const struct pz_domain slowest = {BRIDGE_RULES, .h_consistent = true, .h = slowest_h};
PZ_SOLVER(slowest)

static const struct pz_solver *const solvers[] = {&pairs_solver, &slowest_solver, NULL};
static const char *const heuristics[] = {"pairs", "slowest", NULL};

static const struct pz_puzzle bridge = {
	.context_size = 1,
	.path_max = LENGTH_MAX,
	.set_goal = set_goal,
	.parse = parse,
	.print = print,
	.random = random_party,
	.step = step,
	.solvers = solvers,
	.plain = 1,
	.few_states = true,
};

PZ_PLUGIN(
	bridge, pz_any_cost, .name = "bridge", .version = "1.0",
	.summary = "take walkers over a bridge at night, two at a time with one lamp, in the least "
		   "time",
	.syntax = "The times that the walkers on the near side need, then > if the lamp is there "
		  "or < "
		  "if it is on the far side, then the times of those on the far side; the times "
		  "alone: all are on the near side. At most ten walkers, who are called a, b, ... "
		  "from the fastest; a crossing is named after who goes.",
	.example = "1 2 5 10", .moves = MOVES, .path_max = LENGTH_MAX, .move_name = move_name,
	.heuristics = heuristics);
