/* SPDX-License-Identifier: MIT */
/*
 * pancakes.c: what another new author wrote from doc/plugin-guide.md: sort a stack of pancakes,
 * each of another size, by turning over the uppermost few.  How many there are is an option, and so
 * is the size of a board.
 *
 * The bound counts neighbours whose sizes are no neighbours (Helmert 2010): a flip mends one such
 * gap at most.
 */
#include <puzzled/search/domain.h>
#include <puzzled/search/text.h>

enum { MOST = 12, MOVES = MOST - 1, LONGEST = 14, SPACE = 479001600 /* MOST! */ };

struct stack {
	unsigned char size[MOST + 1]; /* from the top, then the plate, n + 1; behind it zero */
	unsigned char gaps;
};
struct context {
	int n;
};

static int open_n(const struct pz_setup *setup, void **own, struct pz_error *error)
{
	*own = (void *)setup->options; /* they stay until the end */
	return 0;
}

static int set_goal(void *c, void *own, struct pz_text text, struct pz_error *error)
{
	((struct context *)c)->n = (int)((struct pz_value *)own)->number;
	return 0;
}

static int parse(const void *c, void *s, struct pz_text text, struct pz_error *error)
{
	int n = ((const struct context *)c)->n, size[MOST], seen = 0, i;
	struct stack *stack = s;

	if (pz_read_numbers(text, size, (size_t)n, n, error) != 0)
		return -1;
	memset(stack->size, 0, sizeof(stack->size));
	for (i = 0; i < n; i++) {
		if (size[i] == 0 || seen >> size[i] & 1)
			return pz_fail(error, 0, "the sizes are 1 to %d, each once", n);
		seen |= 1 << size[i];
		stack->size[i] = (unsigned char)size[i];
	}
	stack->size[n] = (unsigned char)(n + 1);
	return 0;
}

static int print(const void *c, const void *s, struct pz_buffer *out)
{
	int size[MOST], i;

	for (i = 0; i < MOST; i++)
		size[i] = ((const struct stack *)s)->size[i];
	return pz_put_numbers(out, size, (size_t)((const struct context *)c)->n, " ");
}

static int render(const void *c, const void *s, struct pz_buffer *out)
{
	int n = ((const struct context *)c)->n, bad = 0, i;

	for (i = 0; i < n; i++) {
		int size = ((const struct stack *)s)->size[i];

		bad |= pz_put(out, "            ", (size_t)(n - size));
		bad |= pz_put(out, "========================", 2 * (size_t)size);
		bad |= pz_put(out, "\n", 1);
	}
	return bad;
}

static int gap(int a, int b)
{
	return a - b > 1 || b - a > 1;
}

static void derive(const void *c, void *s)
{
	struct stack *stack = s;
	int i;

	for (stack->gaps = i = 0; i < ((const struct context *)c)->n; i++)
		stack->gaps =
			(unsigned char)(stack->gaps + gap(stack->size[i], stack->size[i + 1]));
}

/* Move m turns the uppermost m + 2. */
static uint64_t moves(const void *c, const void *s)
{
	return (1u << (((const struct context *)c)->n - 1)) - 1;
}

static int h(const void *c, const void *s)
{
	return ((const struct stack *)s)->gaps;
}

static int child_h(const void *c, const void *s, unsigned m)
{
	const unsigned char *size = ((const struct stack *)s)->size;

	return h(c, s) - gap(size[m + 1], size[m + 2]) + gap(size[0], size[m + 2]);
}

static void apply(const void *c, void *child, const void *s, unsigned m)
{
	struct stack *to = child;
	unsigned i;

	*to = *(const struct stack *)s;
	for (i = 0; i < m + 2; i++)
		to->size[i] = ((const struct stack *)s)->size[m + 1 - i];
	to->gaps = (unsigned char)child_h(c, s, m);
}

static unsigned inverse(unsigned m)
{
	return m;
}

static size_t goals(const void *c, void *states, size_t cap)
{
	for (int i = 0; cap > 0 && i <= MOST; i++)
		((struct stack *)states)->size[i] =
			(unsigned char)(i <= ((const struct context *)c)->n ? i + 1 : 0);
	return 1;
}

static bool is_goal(const void *c, const void *s)
{
	for (int i = 0; i < ((const struct context *)c)->n; i++)
		if (((const struct stack *)s)->size[i] != i + 1)
			return false;
	return true;
}

/* In the factorial number system: of those that are left, how many are smaller. */
static uint64_t rank(const void *c, const void *s)
{
	const unsigned char *size = ((const struct stack *)s)->size;
	int n = ((const struct context *)c)->n, i, j;
	uint64_t number = 0;

	for (i = 0; i < n; i++) {
		uint64_t less = 0;

		for (j = i + 1; j < n; j++)
			less += size[j] < size[i];
		number = number * (uint64_t)(n - i) + less;
	}
	return number;
}

static void unrank(const void *c, void *s, uint64_t number)
{
	struct stack *stack = s;
	int n = ((const struct context *)c)->n, i, j;

	memset(stack, 0, sizeof(*stack));
	stack->size[n] = (unsigned char)(n + 1);
	for (i = n - 1; i >= 0; i--) {
		stack->size[i] = (unsigned char)(1 + number % (uint64_t)(n - i));
		number /= (uint64_t)(n - i);
		for (j = i + 1; j < n; j++)
			stack->size[j] = (unsigned char)(stack->size[j] +
							 (stack->size[j] >= stack->size[i]));
	}
	derive(c, s);
}

static uint64_t space_in(const void *c)
{
	uint64_t space = 1;

	for (int i = 2; i <= ((const struct context *)c)->n; i++)
		space *= (uint64_t)i;
	return space;
}

static const struct pz_domain flips = {.state_size = sizeof(struct stack),
				       .key_size = offsetof(struct stack, gaps),
				       .max_moves = MOVES,
				       .h_consistent = true,
				       .moves = moves,
				       .h = h,
				       .child_h = child_h,
				       .apply = apply,
				       .inverse = inverse,
				       .derive = derive,
				       .goal = is_goal,
				       .goals = goals,
				       .space = SPACE,
				       .rank = rank,
				       .unrank = unrank,
				       .space_in = space_in};
PZ_SOLVER(flips)
static const struct pz_solver *const solvers[] = {&flips_solver, NULL};
static const struct pz_puzzle puzzle = {.context_size = sizeof(struct context),
					.path_max = LONGEST,
					.open = open_n,
					.set_goal = set_goal,
					.parse = parse,
					.print = print,
					.render = render,
					.solvers = solvers};
static const struct pz_option options[] = {{.name = "n",
					    .type = PZ_INT,
					    .scope = PZ_CONFIG,
					    .fallback = "8",
					    .min = 1,
					    .max = MOST,
					    .help = "how many pancakes there are"}};
static const char *const names[] = {"2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"};
PZ_PLUGIN(puzzle, pz_full_space, .name = "pancakes", .version = "0.1",
	  .summary = "sort a stack of pancakes by turning over the uppermost few",
	  .syntax = "The sizes 1 to n, from the top.", .example = "3 1 2 4 5 6 8 7", .moves = MOVES,
	  .path_max = LONGEST, .move_names = names, .unit_cost = true, .options = options,
	  .option_count = 1);
