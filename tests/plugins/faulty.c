/* SPDX-License-Identifier: MIT */
/*
 * faulty: sliding tiles on 2x3, with the one fault that the option `fault` names: what check-plugin
 * must find. tests/e2e/check_plugin.sh says which check finds which.
 */
#include <puzzled/search/domain.h>
#include <puzzled/search/grid.h>

#include <fcntl.h>
#include <unistd.h>

enum { ROWS = 2, COLS = 3, CELLS = 6, DIRECTIONS = 4, SPACE = 720, MOST = 21, LEAK = 64 << 10 };
enum { UP, DOWN, LEFT, RIGHT };

/* clang-format off */
#define FAULTS(X)                                                                                   \
	X(none) X(inadmissible) X(inconsistent) X(wrong_inverse) X(unequal_keys) X(child_h) X(derive)  \
	X(rank) X(goal_h) X(unsolvable) X(stdout) X(stderr) X(no_poll) X(no_stop)       \
	X(memory) X(crash) X(exit) X(wander) X(random) X(first_time) X(address) X(detour) X(limit)  \
	X(path_max) X(position) X(no_reason) X(reprint) X(overread) X(wide) X(cost) X(replay)       \
	X(neighbour) X(generate) X(seed) X(length) X(open_file) X(close_file) X(close)     \
	X(byte) X(bare) X(deny) X(leak) X(plain)
/* clang-format on */

enum fault {
#define X(name) FAULT_##name,
	FAULTS(X)
#undef X
};

static const char *const fault_names[] = {
#define X(name) #name,
	FAULTS(X)
#undef X
		NULL};

struct board {
	uint8_t cells[CELLS];
	uint8_t pad[2]; /* of the key: zero */
	int blank, h;
};

struct goal {
	struct board board;
	bool odd;
};

static enum fault fault;
static void *volatile left;   /* behind, by FAULT_leak */
static unsigned solved, made; /* what a plugin should not remember */

static const struct pz_grid grid = {
	.rows = ROWS,
	.cols = COLS,
	.cells = "the tiles 1 to 5 and a blank",
	.glyphs = {PZ_GRID_GAPS, PZ_GRID_BLANKS(0), ['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4,
		   ['4'] = 5, ['5'] = 6},
};

/* ---- text ---- */

static int parse(const void *c, void *s, struct pz_text text, struct pz_error *error)
{
	struct board *board = s;
	unsigned seen = 0, i;

	(void)c;
	memset(board, 0, sizeof(*board));
	if (fault == FAULT_overread && text.len > 0 && text.data[text.len] == '5')
		return pz_fail(error, 0, "a tile too many");
	if (fault == FAULT_byte && text.len == CELLS && memchr(text.data, '~', CELLS) != NULL)
		abort();
	if (pz_grid_parse(&grid, text, board->cells, NULL, error) != 0) {
		if (fault == FAULT_position && error->position > 0)
			error->position = text.len + 2;
		if (fault == FAULT_no_reason)
			error->reason[0] = '\0';
		return -1;
	}
	for (i = 0; i < CELLS; i++)
		seen |= 1u << board->cells[i];
	return seen == (1u << CELLS) - 1 ? 0 : pz_fail(error, 0, "a tile is there twice");
}

static int print(const void *c, const void *s, struct pz_buffer *out)
{
	const struct board *board = s;
	char text[CELLS];
	unsigned i;

	(void)c;
	for (i = 0; i < CELLS; i++)
		text[i] = (char)('0' + board->cells[i]);
	if (fault == FAULT_reprint && text[0] == '3') {
		text[0] = text[1];
		text[1] = '3';
	}
	return pz_put(out, text, sizeof(text));
}

static int render(const void *c, const void *s, struct pz_buffer *out)
{
	static const char *const glyphs[] = {" ", "1", "2", "3", "4", "5"};
	static const char line[] = "---------------------------------------------------------------"
				   "-------------------\n";
	const struct board *board = s;

	(void)c;
	if (fault == FAULT_wide)
		return pz_put(out, line, sizeof(line) - 1);
	return pz_grid_render(&grid, board->cells, glyphs, out);
}

/* ---- rules ---- */

static int target(int blank, unsigned m)
{
	int row = blank / COLS + (m == DOWN) - (m == UP);
	int col = blank % COLS + (m == RIGHT) - (m == LEFT);

	return row >= 0 && row < ROWS && col >= 0 && col < COLS ? row * COLS + col : -1;
}

static bool is_odd(const struct board *board)
{
	bool odd = false;
	int i, j;

	/* A vertical move takes a tile past two others: inversions stay odd or even. */
	for (i = 0; i < CELLS; i++)
		for (j = 0; j < i; j++)
			odd ^= board->cells[i] != 0 && board->cells[j] > board->cells[i];
	return odd;
}

static bool unsolvable(const void *c, const void *s)
{
	const struct goal *goal = c;
	const struct board *board = s;

	if (fault == FAULT_unsolvable && board->cells[5] == 0)
		return true;
	return is_odd(board) != goal->odd;
}

static int manhattan(const struct goal *goal, const struct board *board)
{
	int sum = 0, i, j;

	for (i = 0; i < CELLS; i++)
		for (j = 0; board->cells[i] != 0 && j < CELLS; j++)
			if (goal->board.cells[j] == board->cells[i])
				sum += abs(i / COLS - j / COLS) + abs(i % COLS - j % COLS);
	return sum;
}

static int evaluate(const struct goal *goal, const struct board *board)
{
	int h = manhattan(goal, board);

	if (fault == FAULT_inadmissible && h > 2)
		return 2 * h;
	if (fault == FAULT_inconsistent && board->cells[0] == 3)
		return 0;
	if (fault == FAULT_goal_h && h == 0)
		return 1;
	return h;
}

static void derive(const void *c, void *s)
{
	struct board *board = s;
	int i;

	for (i = 0; i < CELLS; i++)
		if (board->cells[i] == 0)
			board->blank = i;
	board->h = evaluate(c, board);
}

static int h(const void *c, const void *s)
{
	(void)c;
	return ((const struct board *)s)->h;
}

static uint64_t moves(const void *c, const void *s)
{
	const struct board *board = s;
	uint64_t set = 0;
	unsigned m;

	(void)c;
	for (m = 0; m < DIRECTIONS; m++)
		set |= (uint64_t)(target(board->blank, m) >= 0) << m;
	return set;
}

static void apply(const void *c, void *child, const void *s, unsigned m)
{
	const struct board *board = s;
	struct board *next = child;
	int to = target(board->blank, m);

	*next = *board;
	next->cells[board->blank] = board->cells[to];
	next->cells[to] = 0;
	next->blank = to;
	next->h = evaluate(c, next);
	if (fault == FAULT_unequal_keys)
		next->pad[0] = (uint8_t)(m + 1);
	if (fault == FAULT_derive && next->h > 3)
		next->h--;
}

static int child_h(const void *c, const void *s, unsigned m)
{
	struct board next;

	apply(c, &next, s, m);
	return fault == FAULT_child_h && next.h > 3 ? next.h - 1 : next.h;
}

static unsigned inverse(unsigned m)
{
	return fault == FAULT_wrong_inverse ? m : m ^ 1;
}

static bool is_goal(const void *c, const void *s)
{
	if (fault == FAULT_bare)
		return ((const struct board *)s)->h == 0;
	return memcmp(((const struct goal *)c)->board.cells, ((const struct board *)s)->cells,
		      CELLS) == 0;
}

static size_t goals(const void *c, void *states, size_t cap)
{
	if (cap > 0)
		*(struct board *)states = ((const struct goal *)c)->board;
	return 1;
}

/* The number of a permutation: in the factorial number system. */
static uint64_t rank(const void *c, const void *s)
{
	const struct board *board = s;
	uint64_t number = 0;
	int i, j;

	(void)c;
	for (i = 0; i < CELLS; i++) {
		int less = 0;

		for (j = i + 1; j < CELLS; j++)
			less += board->cells[j] < board->cells[i];
		number = number * (uint64_t)(CELLS - i) + (uint64_t)less;
	}
	return fault == FAULT_rank ? number / 2 : number;
}

static void unrank(const void *c, void *s, uint64_t number)
{
	struct board *board = s;
	int i, j;

	memset(board, 0, sizeof(*board));
	for (i = CELLS - 1; i >= 0; i--) {
		board->cells[i] = (uint8_t)(number % (uint64_t)(CELLS - i));
		number /= (uint64_t)(CELLS - i);
		for (j = i + 1; j < CELLS; j++)
			board->cells[j] =
				(uint8_t)(board->cells[j] + (board->cells[j] >= board->cells[i]));
	}
	derive(c, s);
}

static int set_goal(void *c, void *own, struct pz_text text, struct pz_error *error)
{
	struct goal *goal = c;

	(void)own;
	if (parse(c, &goal->board, text, error) != 0)
		return -1;
	goal->odd = is_odd(&goal->board);
	return 0;
}

static int open_own(const struct pz_setup *setup, void **ret_own, struct pz_error *error)
{
	const struct pz_text name = setup->options[0].text;
	size_t i;

	(void)ret_own;
	for (i = 0; fault_names[i] != NULL; i++) {
		if (name.len != strlen(fault_names[i]) ||
		    memcmp(name.data, fault_names[i], name.len) != 0)
			continue;
		fault = (enum fault)i;
		return 0;
	}
	return pz_fail(error, 0, "there is no fault of that name");
}

/* Of the domain for what needs no heuristic. */
static unsigned plain_inverse(unsigned m)
{
	return fault == FAULT_plain ? m : inverse(m);
}

/* clang-format off */
#define SLIDE(inverse_of)                                                                          \
	.state_size = sizeof(struct board),                                                        \
	.key_size = offsetof(struct board, blank),                                                 \
	.max_moves = DIRECTIONS,                                                                   \
	.h_consistent = true,                                                                      \
	.moves = moves,                                                                            \
	.h = h,                                                                                    \
	.child_h = child_h,                                                                        \
	.apply = apply,                                                                            \
	.goal = is_goal,                                                                           \
	.inverse = inverse_of,                                                                     \
	.derive = derive,                                                                          \
	.goals = goals,                                                                            \
	.space = SPACE,                                                                            \
	.rank = rank,                                                                              \
	.unrank = unrank
/* clang-format on */

static const struct pz_domain slide = {SLIDE(inverse)};
PZ_SOLVER(slide)
static const struct pz_domain plain = {SLIDE(plain_inverse)};
PZ_SOLVER(plain)

static const struct pz_solver *const solvers[] = {&slide_solver, &plain_solver, NULL};

static const struct pz_solver *solver(const void *c, unsigned *heuristic, bool *ret_wait)
{
	(void)c;
	(void)heuristic;
	(void)ret_wait;
	return &slide_solver;
}

static const struct pz_puzzle puzzle = {
	.context_size = sizeof(struct goal),
	.path_max = MOST,
	.open = open_own,
	.set_goal = set_goal,
	.parse = parse,
	.print = print,
	.render = render,
	.unsolvable = unsolvable,
	.solvers = solvers,
	.solver = solver,
	.plain = 1,
};

/* ---- the plugin: the kit's callbacks, with faults in between ---- */

static int faulty_open(const struct pz_setup *setup, void **ret_self, struct pz_error *error)
{
	return pz_kit_open(&puzzle, &pz_plugin, setup, ret_self, error);
}

static void faulty_close(void *self)
{
	/* Not an empty loop, which a compiler may take to end. */
	while (fault == FAULT_close)
		pause();
	pz_kit_close(self);
}

static void burn(const struct pz_job *job, bool poll, int ms)
{
	clock_t end = clock() + (clock_t)ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		if (poll)
			job->host->poll(job->host, 1, 0);
}

/* Takes sixteen times what it may, for a moment. */
static void gorge(const struct pz_job *job)
{
	size_t size = 16 * job->memory, i;
	char *room = malloc(size);

	for (i = 0; room != NULL && i < size; i += 4096)
		((volatile char *)room)[i] = 1;
	free(room);
}

/* Appends a move and its inverse: the path is legal and leads to the goal, and is two moves too
 * long. */
static void detour(const struct pz_job *job, struct pz_result *ret)
{
	if (ret->status != PZ_SOLVED || ret->length < 3 || job->max_length >= 0 ||
	    job->max_cost >= 0 || ret->length + 2 > MOST)
		return;
	ret->path[ret->length] = ret->path[ret->length - 1] ^ 1;
	ret->path[ret->length + 1] = ret->path[ret->length - 1];
	ret->length += 2;
	ret->cost += 2;
}

/* Proves, wrongly, that there is no solution so short. */
static void deny(const struct pz_job *job, struct pz_result *ret)
{
	ret->length = 0;
	ret->lower_bound = MOST + 1;
	ret->status = job->max_length < 0 && job->max_cost < 0 ? PZ_FAILED : PZ_LIMIT;
	pz_fail(&ret->error, 0, "no solution is so short");
}

static bool is_hard(struct pz_text board)
{
	return board.len > 0 && board.data[0] == '5';
}

/* Few of the searches: each that is slow costs the test its time. */
static bool is_slow(const struct pz_job *job)
{
	return job->algorithm == 3 && job->board.data[0] > '3';
}

static void faulty_solve(void *self, const struct pz_job *job, struct pz_result *ret)
{
	struct pz_job wider = *job;
	static char mark;

	solved++;
	if (fault == FAULT_crash && is_hard(job->board))
		abort();
	if (fault == FAULT_exit && is_hard(job->board))
		exit(0);
	if (fault == FAULT_stdout)
		puts("solving");
	if (fault == FAULT_stderr)
		fputs("solving\n", stderr);
	if (fault == FAULT_no_poll && is_slow(job))
		burn(job, false, 80);
	if (fault == FAULT_no_stop && is_slow(job))
		burn(job, true, 80);
	if (fault == FAULT_memory && job->memory < 32u << 20)
		gorge(job);
	if (fault == FAULT_open_file && solved == 1)
		(void)open("/dev/null", O_RDONLY);
	if (fault == FAULT_close_file)
		close(1);
	if (fault == FAULT_limit && wider.max_length >= 0)
		wider.max_length--;
	if (fault == FAULT_limit && wider.max_cost >= 0)
		wider.max_cost--;
	if (fault == FAULT_wander && is_hard(job->board))
		for (;;)
			continue;
	pz_kit_solve(self, fault == FAULT_limit ? &wider : job, ret);
	if (fault == FAULT_deny && job->algorithm == 4 && ret->status == PZ_SOLVED &&
	    ret->length > 2)
		deny(job, ret);
	if (fault == FAULT_leak)
		left = malloc(LEAK);
	if (fault == FAULT_path_max)
		ret->path[MOST] = 0;
	if (fault == FAULT_detour && job->algorithm != 0)
		detour(job, ret);
	if (fault == FAULT_random && solved % 2 == 0)
		ret->stats.expanded++;
	if (fault == FAULT_first_time && solved == 1)
		ret->stats.generated++;
	if (fault == FAULT_address)
		ret->stats.generated += (uintptr_t)&mark >> 12 & 0xffff;
}

static void faulty_replay(void *self, const struct pz_job *job, const uint16_t *ids, size_t count,
			  struct pz_replay *ret)
{
	pz_kit_replay(self, job, ids, count, ret);
	if (fault == FAULT_replay && count == 1 && !ret->legal) {
		ret->legal = true;
		ret->done = 1;
		ret->cost = 1;
	}
}

struct relay {
	void (*visit)(void *arg, const struct pz_neighbour *neighbour);
	void *arg;
};

static void relay(void *data, const struct pz_neighbour *neighbour)
{
	const struct relay *to = data;
	struct pz_neighbour other = *neighbour;
	char text[CELLS];

	if (fault == FAULT_cost)
		other.cost = 0;
	if (fault == FAULT_neighbour && other.move == LEFT) {
		memcpy(text, other.board.data, CELLS);
		text[0] = other.board.data[1];
		text[1] = other.board.data[0];
		other.board.data = text;
	}
	to->visit(to->arg, &other);
}

static void faulty_neighbours(void *self, const struct pz_job *job,
			      void (*visit)(void *arg, const struct pz_neighbour *neighbour),
			      void *arg)
{
	struct relay to = {visit, arg};

	pz_kit_neighbours(self, job, relay, &to);
}

static int faulty_generate(void *self, const struct pz_job *job, uint64_t seed, int64_t length,
			   struct pz_buffer *out, struct pz_error *error)
{
	made++;
	if (fault == FAULT_generate)
		return pz_put(out, "213450", CELLS);
	if (fault == FAULT_length && length >= 2)
		length -= 2;
	return pz_kit_generate(self, job, fault == FAULT_seed ? made : seed, length, out, error);
}

static const char *const move_names[] = {"u", "d", "l", "r"};
static const struct pz_option options[] = {{.name = "fault",
					    .type = PZ_TEXT,
					    .scope = PZ_CONFIG,
					    .fallback = "none",
					    .min = 0,
					    .max = PZ_NAME_MAX,
					    .help = "what is wrong with it"}};

const struct pz_plugin pz_plugin = {
	.abi = PZ_ABI,
	.size = sizeof(struct pz_plugin),
	.name = "faulty",
	.version = "1.0",
	.summary = "slide five tiles on 2x3 into order",
	.syntax = "Six cells.",
	.example = "120453",
	.goal = "123450",
	.moves = DIRECTIONS,
	.path_max = MOST,
	.move_names = move_names,
	.algorithms = pz_full_space,
	.options = options,
	.option_count = 1,
	.unit_cost = true,
	.open = faulty_open,
	.close = faulty_close,
	.check = pz_kit_check,
	.solve = faulty_solve,
	.replay = faulty_replay,
	.neighbours = faulty_neighbours,
	.estimate = pz_kit_estimate,
	.render = pz_kit_render,
	.generate = faulty_generate,
	.tables = pz_kit_tables,
	.build_table = pz_kit_build_table,
	.board_max = CELLS,
	.self_test = pz_kit_self_test,
};
