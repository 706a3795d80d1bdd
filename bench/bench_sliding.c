/* SPDX-License-Identifier: MIT */
/*
 * bench_sliding: what the 15-puzzle, sliding tiles of other sizes and the bridge take in process,
 * by published boards.  Counted are check, solve and replay; times are processor time.
 *
 *	bench_sliding [FOLDER]
 *
 * FOLDER is a daemon's folder of tables with the large ones of the 15-puzzle (`puzzlectl tables
 * build`); without it they are left out.  Where BENCH_LONG is 'yes', the boards of 80 moves are
 * solved with the small tables too, which takes minutes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/figure.h"
#include "tests/naive_host.h"
#include "worker/tables.h"

enum { ROUNDS = 5, BOARDS_MAX = 100, TEXT_MAX = 64, MEMORY = 1 << 30 };

/* Boards of a file, and what solving them took. */
struct set {
	char boards[BOARDS_MAX][TEXT_MAX];
	int lengths[BOARDS_MAX];
	unsigned count;
};

static _Noreturn void give_up(const char *what)
{
	fprintf(stderr, "bench_sliding: %s\n", what);
	exit(1);
}

/* read_set: lines of a number, sixteen tiles and a length. */
static void read_set(struct set *set, const char *name)
{
	char path[4096], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", PZ_TEST_DATA, name);
	file = fopen(path, "r");
	if (file == NULL)
		give_up(path);
	set->count = 0;
	while (set->count < BOARDS_MAX && fgets(line, sizeof(line), file) != NULL) {
		char *board = set->boards[set->count], *length;

		if (line[0] == '#' || sscanf(line, "%*d %63[0-9 ]", board) != 1)
			continue;
		length = strrchr(board, ' ');
		if (length == NULL)
			give_up(path);
		*length++ = '\0';
		set->lengths[set->count++] = atoi(length);
	}
	fclose(file);
}

/*
 * solve_set: all of them once.  Returns the seconds; *ret_worst is the longest that one took,
 * *ret_nodes the mean of the nodes generated.
 */
static double solve_set(struct naive_host *h, const struct set *set, const char *goal,
			double *ret_worst, double *ret_nodes)
{
	static struct naive_answer answer;
	double all = 0, worst = 0, nodes = 0;
	unsigned i;

	for (i = 0; i < set->count; i++) {
		struct pz_job job = naive_job(h, set->boards[i], goal);
		uint64_t began = figure_cpu_ns();
		double took;

		job.memory = MEMORY;
		naive_solve(h, &job, &answer);
		took = (double)(figure_cpu_ns() - began) / 1e9;
		if (answer.result.status != PZ_SOLVED ||
		    (int)answer.result.length != set->lengths[i])
			give_up("a board has another length than was published");
		all += took;
		worst = took > worst ? took : worst;
		nodes += (double)answer.result.stats.generated;
	}
	*ret_worst = worst;
	*ret_nodes = nodes / set->count;
	return all;
}

/* measure_set: `rounds` times; prints the sum, and what the board that took longest took. */
static void measure_set(struct naive_host *h, const struct set *set, const char *goal,
			unsigned rounds, const char *key, const char *what)
{
	struct figure sum = {0}, longest = {0};
	char text[128], name[64];
	double worst, nodes = 0;

	for (; rounds > 0; rounds--) {
		figure_add(&sum, solve_set(h, set, goal, &worst, &nodes));
		figure_add(&longest, worst);
	}
	figure_print(&sum, key, "s", what);
	snprintf(name, sizeof(name), "%s.nodes", key);
	figure_print_one(nodes, name, "nodes a board", what);
	snprintf(name, sizeof(name), "%s.worst", key);
	snprintf(text, sizeof(text), "%s: the one that takes longest", what);
	figure_print(&longest, name, "s", text);
}

static void bench_boards(struct naive_host *h, const char *of, const char *tables, bool far)
{
	static struct set set;
	char key[64], what[128];

	snprintf(key, sizeof(key), "15puzzle.%s.korf", of);
	snprintf(what, sizeof(what), "15puzzle, Korf's hundred boards, all of them, %s", tables);
	read_set(&set, "korf-fifteen-100.txt");
	measure_set(h, &set, "0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15", ROUNDS, key, what);
	if (!far)
		return;
	snprintf(key, sizeof(key), "15puzzle.%s.far", of);
	snprintf(what, sizeof(what), "15puzzle, the 17 boards of 80 moves, all of them, %s",
		 tables);
	read_set(&set, "fifteen-80.txt");
	measure_set(h, &set, NULL, 1, key, what);
}

/* What the first search does before it searches. */
static void prepare(struct naive_host *h)
{
	uint64_t began = figure_cpu_ns();

	naive_length(h, "1 2 3 4/5 6 0 8/9 10 7 11/13 14 15 12", NULL);
	figure_print_one((double)(figure_cpu_ns() - began) / 1e6, "15puzzle.prepare", "ms",
			 "15puzzle, the first search, which makes the automaton of moves");
}

/* reopen: with `content` as the table that it asked for. */
static void reopen(struct naive_host *h, const void *content, const struct pz_table *table)
{
	static char name[PZ_NAME_MAX];
	const struct pz_plugin *plugin = h->plugin;
	struct pz_error error;

	/* The name is the plugin's own. */
	snprintf(name, sizeof(name), "%s", table->name);
	h->table = content;
	h->table_is = *table;
	h->table_is.name = name;
	naive_close(h);
	if (naive_open(h, plugin, NULL, &error) != 0)
		give_up(error.reason);
}

static void bench_small(void)
{
	struct naive_host h = {0};
	struct pz_error error;
	struct pz_table table;
	const char *longer = getenv("BENCH_LONG");
	void *content;
	bool ready;
	uint64_t began;

	figure_heading("The 15-puzzle with the small tables, in process");
	if (naive_open(&h, naive_load("15puzzle.so"), NULL, &error) != 0)
		give_up(error.reason);
	h.plugin->tables(h.self, &table, &ready, 1);
	content = malloc(table.bytes);
	began = figure_cpu_ns();
	if (content == NULL || h.plugin->build_table(h.self, &table, content, &h.host, &error) != 0)
		give_up("the small tables cannot be built");
	figure_print_one((double)(figure_cpu_ns() - began) / 1e9, "15puzzle.small.build", "s",
			 "15puzzle, the small tables built");
	figure_print_one((double)table.bytes / 1e6, "15puzzle.small.size", "MB",
			 "15puzzle, the small tables' size");
	reopen(&h, content, &table);
	prepare(&h);
	bench_boards(&h, "small", "small tables", longer != NULL && strcmp(longer, "yes") == 0);
	naive_close(&h);
	free(content);
}

static void bench_large(const char *folder)
{
	struct naive_host h = {.option = "tables", .option_text = "large"};
	struct table_key key = {.plugin = "15puzzle"};
	struct pz_error error;
	struct pz_table table;
	const void *content;
	bool ready;

	if (naive_open(&h, naive_load("15puzzle.so"), NULL, &error) != 0)
		give_up(error.reason);
	h.plugin->tables(h.self, &table, &ready, 1);
	key.name = table.name;
	key.version = table.version;
	key.size = table.bytes;
	if (table_map((struct text){folder, strlen(folder)}, &key, &content) != 0) {
		fprintf(stderr, "bench_sliding: %s has no large tables of this version\n", folder);
		naive_close(&h);
		return;
	}
	figure_heading("The 15-puzzle with the large tables, in process");
	figure_print_one((double)table.bytes / 1e6, "15puzzle.large.size", "MB",
			 "15puzzle, the large tables' size");
	reopen(&h, content, &table);
	naive_length(&h, "1 2 3 4/5 6 0 8/9 10 7 11/13 14 15 12", NULL);
	bench_boards(&h, "large", "large tables", true);
	naive_close(&h);
}

/* bench_random: boards that the plugin generates, by its usual algorithm. */
static void bench_random(const char *plugin, unsigned count, const char *goal, const char *key,
			 const char *what)
{
	static struct naive_answer answer;
	struct naive_host h = {0};
	struct pz_error error;
	struct figure time = {0};
	double nodes = 0;
	char text[64], name[64];
	unsigned round, seed;

	if (naive_open(&h, naive_load(plugin), NULL, &error) != 0)
		give_up(error.reason);
	for (round = 0; round < ROUNDS; round++) {
		uint64_t spent = 0;

		for (nodes = 0, seed = 0; seed < count; seed++) {
			struct pz_buffer out = {text, sizeof(text) - 1, 0};
			struct pz_job job = naive_job(&h, "", goal);
			uint64_t began;

			if (h.plugin->generate(h.self, &job, seed, -1, &out, &error) != 0)
				give_up(error.reason);
			text[out.len] = '\0';
			job = naive_job(&h, text, goal);
			job.memory = MEMORY;
			began = figure_cpu_ns();
			naive_solve(&h, &job, &answer);
			spent += figure_cpu_ns() - began;
			if (answer.result.status != PZ_SOLVED)
				give_up("a board was not solved");
			nodes += (double)answer.result.stats.generated;
		}
		figure_add(&time, (double)spent / count / 1e3);
	}
	figure_print(&time, key, "us a board", what);
	snprintf(name, sizeof(name), "%s.nodes", key);
	figure_print_one(nodes / count, name, "nodes a board", what);
	naive_close(&h);
}

int main(int argc, char **argv)
{
	bench_small();
	if (argc > 1)
		bench_large(argv[1]);
	figure_heading("Other puzzles, in process");
	bench_random("npuzzle.so", 30, "1 2 3 4/5 6 7 8/9 10 11 0", "npuzzle.3x4",
		     "npuzzle, random boards of 3x4: the usual search, by conflicts");
	bench_random("bridge.so", 300, NULL, "bridge.random",
		     "bridge, four to ten random walkers: the usual search");
	return 0;
}
