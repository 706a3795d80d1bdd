/* SPDX-License-Identifier: MIT */
/*
 * The 15-puzzle: fifteen tiles and a blank on 4x4; a move slides a tile into the blank.  Text,
 * rules, goals and tables; fifteen_search.c has what the searches see.
 */
#include <puzzled/search/domain.h>

#include "plugins/fifteen.h"

static const struct sliding_want want = {.cells = FIFTEEN_CELLS};

/* ---- text ---------------------------------------------------------------------------------- */

static int parse(const void *c, void *s, struct pz_text text, struct pz_error *error)
{
	const struct fifteen_goal *goal = c;
	struct sliding_board board;
	uint64_t cells = 0, *key = s;
	unsigned i;

	if (sliding_read(text, want, &board, error) != 0)
		return -1;
	for (i = 0; i < FIFTEEN_CELLS; i++)
		cells |= (uint64_t)goal->label[board.tiles[i]] << 4 * (i ^ goal->mirror);
	*key = cells;
	return 0;
}

static void tiles_of(const struct fifteen_goal *goal, uint64_t cells, uint8_t *tiles)
{
	unsigned i;

	for (i = 0; i < FIFTEEN_CELLS; i++)
		tiles[i] = goal->tile[fifteen_at(cells, i ^ goal->mirror)];
}

static int print(const void *c, const void *s, struct pz_buffer *out)
{
	const uint64_t *key = s;
	uint8_t tiles[FIFTEEN_CELLS];

	tiles_of(c, *key, tiles);
	return sliding_print(tiles, FIFTEEN_SIDE, FIFTEEN_SIDE, out);
}

static int render(const void *c, const void *s, struct pz_buffer *out)
{
	const uint64_t *key = s;
	uint8_t tiles[FIFTEEN_CELLS];

	tiles_of(c, *key, tiles);
	return sliding_render(tiles, FIFTEEN_SIDE, FIFTEEN_SIDE, out);
}

/* ---- rules --------------------------------------------------------------------------------- */

/* Mirroring turns up into down, or left into right, and back. */
static unsigned mirrored(const struct fifteen_goal *goal, unsigned m)
{
	return m ^ (m < FIFTEEN_LEFT ? goal->mirror >> 2 & 1u : goal->mirror & 1u);
}

static unsigned id(const void *c, const void *s, unsigned m)
{
	(void)s;
	return mirrored(c, m);
}

/* step: the rules once more, from rows and columns of the board as it was written, for replay. */
static int step(const void *c, void *s, unsigned id)
{
	const struct fifteen_goal *goal = c;
	uint64_t *key = s, tile;
	unsigned blank = 0, row, col, to;

	if (id >= FIFTEEN_DIRECTIONS)
		return -1;
	while (fifteen_at(*key, blank ^ goal->mirror) != 0)
		blank++;
	row = blank / FIFTEEN_SIDE + (id == FIFTEEN_DOWN) - (id == FIFTEEN_UP);
	col = blank % FIFTEEN_SIDE + (id == FIFTEEN_RIGHT) - (id == FIFTEEN_LEFT);
	if (row >= FIFTEEN_SIDE || col >= FIFTEEN_SIDE)
		return -1;
	to = (row * FIFTEEN_SIDE + col) ^ goal->mirror;
	blank ^= goal->mirror;
	tile = fifteen_at(*key, to);
	*key += (tile << 4 * blank) - (tile << 4 * to);
	return 1;
}

static bool unsolvable(const void *c, const void *s)
{
	const struct fifteen_goal *goal = c;
	const uint64_t *key = s;
	uint8_t labels[FIFTEEN_CELLS];
	unsigned i;

	for (i = 0; i < FIFTEEN_CELLS; i++)
		labels[i] = (uint8_t)fifteen_at(*key, i);
	return !sliding_solvable(labels, goal->home, FIFTEEN_SIDE, FIFTEEN_SIDE);
}

static void fill_distances(struct fifteen_goal *goal)
{
	unsigned label, cell, line;

	for (label = 1; label < FIFTEEN_CELLS; label++) {
		unsigned row = goal->home[label] / FIFTEEN_SIDE;
		unsigned col = goal->home[label] % FIFTEEN_SIDE;

		for (cell = 0; cell < FIFTEEN_CELLS; cell++)
			goal->manhattan[label][cell] =
				(int8_t)(abs((int)(cell / FIFTEEN_SIDE) - (int)row) +
					 abs((int)(cell % FIFTEEN_SIDE) - (int)col));
		for (line = 0; line < FIFTEEN_SIDE; line++) {
			goal->in_row[label][line] =
				line == row ? (int8_t)((int)col - SLIDING_STRANGER) : 0;
			goal->in_column[label][line] =
				line == col ? (int8_t)((int)row - SLIDING_STRANGER) : 0;
		}
	}
}

static int set_goal(void *c, void *own, struct pz_text text, struct pz_error *error)
{
	struct fifteen_goal *goal = c;
	struct sliding_board board;
	unsigned blank = 0, i;

	goal->shared = own;
	if (sliding_read(text, want, &board, error) != 0)
		return -1;
	while (board.tiles[blank] != 0)
		blank++;
	goal->corner = blank == 0 || blank == 3 || blank == 12 || blank == 15;
	goal->mirror = goal->corner ? (uint8_t)blank : 0;
	for (i = 0; i < FIFTEEN_CELLS; i++) {
		unsigned cell = i ^ goal->mirror, label = cell;

		if (i == blank)
			label = 0;
		else if (cell == 0)
			label = blank;
		goal->label[board.tiles[i]] = (uint8_t)label;
		goal->tile[label] = board.tiles[i];
		goal->home[label] = (uint8_t)cell;
		goal->cells |= (uint64_t)label << 4 * cell;
	}
	fill_distances(goal);
	return 0;
}

/* ---- tables -------------------------------------------------------------------------------- */

enum { OPTION_TABLES, OPTIONS, TABLE_VERSION = 2 };

static const char *const choices[] = {
	[FIFTEEN_NONE] = "none", [FIFTEEN_SMALL] = "small", [FIFTEEN_LARGE] = "large", NULL};

static const struct pz_option options[OPTIONS] = {
	[OPTION_TABLES] =
		{.name = "tables",
		 .type = PZ_CHOICE,
		 .scope = PZ_CONFIG,
		 .fallback = "small",
		 .choices = choices,
		 .help = "pattern databases: small, 6 MB, built in a second; large, 199 MB, "
			 "built in a minute with 1.8 GB; or none"},
};

static struct pz_table table_of(const struct fifteen *own)
{
	return (struct pz_table){
		.name = own->tables == FIFTEEN_LARGE ? "patterns-7-8" : "patterns-6-6-3",
		.version = TABLE_VERSION,
		.bytes = fifteen_content_bytes(&own->patterns),
		.build_bytes = fifteen_build_bytes(&own->patterns),
		.help = "additive pattern databases, for any goal with the blank in a corner"};
}

static void close_tables(void *own)
{
	struct fifteen *shared = own;

	sliding_prune_free(shared->prune);
	free(shared);
}

static int open_tables(const struct pz_setup *setup, void **ret_own, struct pz_error *error)
{
	struct fifteen *own = calloc(1, sizeof(*own));
	const struct pz_host *host = setup->host;
	struct pz_table table;

	if (own == NULL)
		return pz_fail(error, 0, "no memory");
	own->tables = (enum fifteen_tables)setup->options[OPTION_TABLES].number;
	sliding_conflicts_init(&own->conflicts);
	if (own->tables != FIFTEEN_NONE) {
		fifteen_patterns_init(&own->patterns,
				      own->tables == FIFTEEN_LARGE ? FIFTEEN_78 : FIFTEEN_663);
		table = table_of(own);
		if (host != NULL && host->table != NULL)
			own->content = host->table(host, table.name, table.version, table.bytes);
	}
	*ret_own = own;
	return 0;
}

static size_t tables(void *own, struct pz_table *ret, bool *ready, size_t cap)
{
	const struct fifteen *shared = own;

	if (shared->tables == FIFTEEN_NONE)
		return 0;
	if (cap > 0) {
		*ret = table_of(shared);
		*ready = shared->content != NULL;
	}
	return 1;
}

static int build_table(void *own, const struct pz_table *table, void *content,
		       const struct pz_host *host, struct pz_error *error)
{
	const struct fifteen *shared = own;
	struct pz_table mine = table_of(shared);

	if (shared->tables == FIFTEEN_NONE || strcmp(table->name, mine.name) != 0 ||
	    table->version != mine.version || table->bytes != mine.bytes)
		return pz_fail(error, 0, "this puzzle has no such table");
	return fifteen_patterns_build(&shared->patterns, content, host, error);
}

/* solver: the databases that there are, or, where there are none for this goal, conflicts. */
static const struct pz_solver *solver(const void *c, unsigned *heuristic, bool *ret_wait)
{
	const struct fifteen_goal *goal = c;
	const struct fifteen *shared = goal->shared;
	bool may = *heuristic == FIFTEEN_PDB && goal->corner && shared->tables != FIFTEEN_NONE;

	*ret_wait = may && shared->content == NULL;
	if (may && shared->content != NULL)
		return fifteen_solvers[shared->tables == FIFTEEN_LARGE ? FIFTEEN_PDB_LARGE
								       : FIFTEEN_PDB];
	if (*heuristic == FIFTEEN_PDB)
		*heuristic = FIFTEEN_CONFLICT;
	return fifteen_solvers[*heuristic];
}

static const char *const notations[] = {"blank", "tile", NULL};
static const char *const heuristics[FIFTEEN_HEURISTICS + 1] = {
	[FIFTEEN_PDB] = "pdb",
	[FIFTEEN_CONFLICT] = "conflict",
	[FIFTEEN_MANHATTAN] = "manhattan",
	[FIFTEEN_MISPLACED] = "misplaced",
};

static const struct pz_puzzle fifteen = {
	.context_size = sizeof(struct fifteen_goal),
	.path_max = FIFTEEN_PATH_MAX,
	.open = open_tables,
	.close = close_tables,
	.set_goal = set_goal,
	.parse = parse,
	.print = print,
	.render = render,
	.unsolvable = unsolvable,
	.id = id,
	.step = step,
	.solvers = fifteen_solvers,
	.solver = solver,
	.plain = FIFTEEN_MISPLACED,
	.tables = tables,
	.build_table = build_table,
};

PZ_PLUGIN(
	fifteen, pz_both_ways, .name = "15puzzle", .version = "1.0",
	.summary = "slide fifteen numbered tiles on a 4x4 board into order",
	.syntax =
		"Sixteen cells in reading order: the tiles 1 to 15 and one blank, written 0, x, X, "
		"_, . or *, separated by spaces, commas, slashes or newlines.",
	.example = "1 2 3 4/5 6 0 8/9 10 7 11/13 14 15 12",
	.goal = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0", .moves = FIFTEEN_DIRECTIONS,
	.path_max = FIFTEEN_PATH_MAX, .notations = notations, .move_name = sliding_move_name,
	.heuristics = heuristics, .options = options, .option_count = OPTIONS, .unit_cost = true);
