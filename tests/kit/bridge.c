/* SPDX-License-Identifier: MIT */
/*
 * bridge.c: what a new author wrote from doc/plugin-guide.md alone; tests/e2e/kit.sh builds it from
 * what is installed.
 *
 * Four people, one torch, a bridge that holds two: who is slower sets the pace.
 */
#include <puzzled/search/domain.h>
#include <puzzled/search/text.h>

enum { PEOPLE = 4, PAIRS = 10, SLOWEST = 99, MOST = 32 };

struct people {
	int times[PEOPLE];
}; /* configured; shared by all goals */
struct side {
	uint8_t across; /* bit i: person i is; bit PEOPLE: the torch */
};
struct goal {
	const struct people *people;
	struct side side;
};

static const uint8_t pairs[PAIRS] = {1, 2, 4, 8, 3, 5, 9, 6, 10, 12};

static int open_people(const struct pz_setup *setup, void **ret_own, struct pz_error *error)
{
	struct people *people = malloc(sizeof(*people));

	if (people == NULL)
		return pz_fail(error, 0, "no memory");
	*ret_own = people;
	return pz_read_numbers(setup->options[0].text, people->times, PEOPLE, SLOWEST, error);
}

static int parse(const void *c, void *s, struct pz_text text, struct pz_error *error)
{
	int sides[PEOPLE + 1], i;

	if (pz_read_numbers(text, sides, PEOPLE + 1, 1, error) != 0)
		return -1;
	((struct side *)s)->across = 0;
	for (i = 0; i <= PEOPLE; i++)
		((struct side *)s)->across |= (uint8_t)(sides[i] << i);
	return 0;
}

static int print(const void *c, const void *s, struct pz_buffer *out)
{
	int sides[PEOPLE + 1], i;

	for (i = 0; i <= PEOPLE; i++)
		sides[i] = ((const struct side *)s)->across >> i & 1;
	return pz_put_numbers(out, sides, PEOPLE + 1, " ");
}

static int set_goal(void *c, void *own, struct pz_text text, struct pz_error *error)
{
	((struct goal *)c)->people = own;
	return parse(c, &((struct goal *)c)->side, text, error);
}

static uint64_t moves(const void *c, const void *s)
{
	unsigned across = ((const struct side *)s)->across;
	unsigned here = across >> PEOPLE & 1 ? across : ~across;
	uint64_t set = 0;
	int m;

	for (m = 0; m < PAIRS; m++)
		set |= (uint64_t)((pairs[m] & ~here) == 0) << m;
	return set;
}

static int slowest(const void *c, unsigned who)
{
	const struct goal *goal = c;
	int most = 0, i;

	for (i = 0; i < PEOPLE; i++)
		if ((who >> i & 1) && goal->people->times[i] > most)
			most = goal->people->times[i];
	return most;
}

static int cost(const void *c, const void *s, unsigned m)
{
	return slowest(c, pairs[m]);
}

static int h(const void *c, const void *s)
{
	return slowest(c, ((const struct side *)s)->across ^ ((const struct goal *)c)->side.across);
}

static void apply(const void *c, void *child, const void *s, unsigned m)
{
	((struct side *)child)->across = ((const struct side *)s)->across ^ pairs[m] ^ 1 << PEOPLE;
}

static bool is_goal(const void *c, const void *s)
{
	return ((const struct side *)s)->across == ((const struct goal *)c)->side.across;
}

static unsigned inverse(unsigned m)
{
	return m;
}

static const struct pz_domain bridge = {
	.state_size = sizeof(struct side),
	.key_size = sizeof(struct side),
	.max_moves = PAIRS,
	.h_consistent = true,
	.moves = moves,
	.h = h,
	.apply = apply,
	.goal = is_goal,
	.inverse = inverse,
	.cost = cost,
};
PZ_SOLVER(bridge)
static const struct pz_solver *const solvers[] = {&bridge_solver, NULL};
static const struct pz_puzzle puzzle = {.context_size = sizeof(struct goal),
					.path_max = MOST,
					.few_states = true,
					.open = open_people,
					.close = free,
					.set_goal = set_goal,
					.parse = parse,
					.print = print,
					.solvers = solvers};
static const char *const names[] = {"a", "b", "c", "d", "ab", "ac", "ad", "bc", "bd", "cd"};
static const struct pz_option options[] = {{.name = "times",
					    .type = PZ_TEXT,
					    .scope = PZ_CONFIG,
					    .fallback = "1 2 5 10",
					    .min = 1,
					    .max = 40,
					    .help = "minutes that each of the four takes"}};
PZ_PLUGIN(puzzle, pz_any_cost, .name = "bridge", .version = "1.0",
	  .summary = "cross a bridge by torchlight",
	  .syntax = "Five times 0 or 1: who is across, and the torch.", .example = "0 0 0 0 0",
	  .goal = "1 1 1 1 1", .moves = PAIRS, .path_max = MOST, .move_names = names,
	  .options = options, .option_count = 1, .board_max = 16);
