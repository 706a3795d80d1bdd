/* SPDX-License-Identifier: MIT */
/*
 * bench_solvers: what the plugins take in process: for each puzzle, algorithm and heuristic the
 * time and the nodes of a board, and the time to open and to build tables.  Counted are check,
 * solve and replay, text included.  Times are processor time.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/figure.h"
#include "tests/naive_host.h"

enum { ROUNDS = 7, BOARDS_MAX = 20000, TEXT_MAX = 32 };

static char boards[BOARDS_MAX][TEXT_MAX];
static uint64_t seed = 1;

static unsigned below(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((seed >> 33) % n);
}

/* A random arrangement of the board's cells: uniform over all boards, solvable or not. */
static void shuffle(char *board)
{
	unsigned n = (unsigned)strlen(board), i;

	for (i = n - 1; i > 0; i--) {
		unsigned j = below(i + 1);
		char swapped = board[i];

		board[i] = board[j];
		board[j] = swapped;
	}
}

/* One way to solve the boards of one puzzle. */
struct way {
	const char *key;    /* of its figures, behind the puzzle's name */
	const char *boards; /* what they are */
	const char *algorithm, *heuristic;
	unsigned count;
	int64_t max_length; /* -1: none */
};

static void print(const struct naive_host *h, const struct way *way, const struct figure *figure,
		  const char *of, const char *unit, const char *more)
{
	char key[64], what[160];

	snprintf(key, sizeof(key), "%s.%s%s", h->plugin->name, way->key, of);
	snprintf(what, sizeof(what), "%s, %s: %s, %s%s", h->plugin->name, way->boards,
		 way->algorithm, way->heuristic, more);
	figure_print(figure, key, unit, what);
}

/* Solves the boards ROUNDS times over and prints their figures; returns the mean nodes
 * generated. */
static double measure(struct naive_host *h, const struct way *way)
{
	static struct naive_answer answer;
	struct figure time = {0}, nodes = {0}, memory = {0};
	double generated = 0, length = 0, most = 0;
	unsigned round, i, solved = 0;
	char more[64];

	for (round = 0; round < ROUNDS; round++) {
		uint64_t began = figure_cpu_ns();

		for (i = 0; i < way->count; i++) {
			struct pz_job job = naive_job(h, boards[i], NULL);

			job.algorithm = naive_choice(h->plugin->algorithms, way->algorithm);
			job.heuristic = naive_choice(h->plugin->heuristics, way->heuristic);
			job.max_length = way->max_length;
			job.memory = (size_t)1 << 30;
			naive_solve(h, &job, &answer);
			if (round > 0)
				continue;
			generated += (double)answer.result.stats.generated;
			solved += answer.result.status == PZ_SOLVED;
			length += answer.result.length;
			if ((double)answer.result.stats.memory > most)
				most = (double)answer.result.stats.memory;
		}
		figure_add(&time, (double)(figure_cpu_ns() - began) / way->count / 1e3);
	}
	snprintf(more, sizeof(more), " (%u boards, mean length %.1f)", way->count,
		 solved > 0 ? length / solved : 0);
	print(h, way, &time, "", "us a board", solved > 0 ? more : "");
	figure_add(&nodes, generated / way->count);
	if (generated > 0)
		print(h, way, &nodes, ".nodes", "nodes a board", "");
	figure_add(&memory, most / 1024);
	if (most > 0)
		print(h, way, &memory, ".memory", "KiB at most", "");
	return generated / way->count;
}

static void measure_all(struct naive_host *h, const struct way *ways)
{
	for (; ways->key != NULL; ways++)
		measure(h, ways);
}

/* KiB that this program has allocated. */
static double allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return (double)(info.uordblks + info.hblkhd) / 1024;
}

/* What the first search does before it searches. */
static void prepare(struct naive_host *searching)
{
	double before = allocated();
	uint64_t began = figure_cpu_ns();

	naive_length(searching, boards[0], NULL);
	figure_print_one((double)(figure_cpu_ns() - began) / 1e6, "knights.prepare", "ms",
			 "knights, the first search, which makes the ball and the counts");
	figure_print_one(allocated() - before, "knights.prepare.memory", "KiB",
			 "knights, the ball and the counts");
}

/* Replaces boards[0..] by `count` random ones whose length is within the limits. */
static void choose(struct naive_host *h, const char *cells, unsigned count, int least, int most)
{
	unsigned i;

	for (i = 0; i < count; i++) {
		int length;

		do {
			strcpy(boards[i], cells);
			shuffle(boards[i]);
			length = naive_length(h, boards[i], NULL);
		} while (length < least || length > most);
	}
}

static void bench_eight(void)
{
	static const struct way random[] = {
		{"table", "random boards", "table", "manhattan", 20000, -1},
		{"ida", "random boards", "ida", "manhattan", 300, -1},
		{"astar", "random boards", "astar", "manhattan", 300, -1},
		{"astar-misplaced", "random boards", "astar", "misplaced", 30, -1},
		{"bidirectional", "random boards", "bidirectional", "manhattan", 300, -1},
		{"bfs", "random boards", "bfs", "manhattan", 10, -1},
		{.key = NULL}};
	static const struct way hardest[] = {
		{"hardest-ida", "a hardest board", "ida", "manhattan", 1, -1},
		{"hardest-astar", "a hardest board", "astar", "manhattan", 1, -1},
		{"hardest-bidirectional", "a hardest board", "bidirectional", "manhattan", 1, -1},
		{.key = NULL}};
	struct naive_host h = {0};
	struct pz_error error;
	const struct pz_plugin *plugin = naive_load("8puzzle.so");
	struct figure opening = {0};
	unsigned round;

	figure_heading("The 8-puzzle, in process");
	for (round = 0; round < ROUNDS; round++) {
		uint64_t began = figure_cpu_ns();

		if (naive_open(&h, plugin, NULL, &error) != 0)
			exit(1);
		figure_add(&opening, (double)(figure_cpu_ns() - began) / 1e6);
		if (round < ROUNDS - 1)
			naive_close(&h);
	}
	figure_print(&opening, "8puzzle.open", "ms", "8puzzle, opened, its tables built");
	choose(&h, "123456780", 20000, 0, 31);
	measure_all(&h, random);
	strcpy(boards[0], "867254301");
	measure_all(&h, hardest);
	naive_close(&h);
}

/* The boards that are near, and what proving others far takes. */
static void bench_knights_search(struct naive_host *built, struct naive_host *searching,
				 const char *cells)
{
	static const struct way ball = {"15", "15 moves", "ida", "ball", 1000, -1};
	static const struct way naive = {"15-misplaced", "15 moves", "ida", "misplaced", 1000, -1};
	static const struct way others[] = {
		{"15-counts", "15 moves", "ida", "counts", 1000, -1},
		{"15-astar", "15 moves", "astar", "ball", 1000, -1},
		{"15-astar-misplaced", "15 moves", "astar", "misplaced", 100, -1},
		{"15-bidirectional", "15 moves", "bidirectional", "ball", 500, -1},
		{.key = NULL}};
	static const struct way over = {"over15", "over 15 moves, proved", "ida", "ball", 1000, 15};
	static const struct way far20[] = {
		{"20-ida", "20 moves", "ida", "ball", 20, -1},
		{"20-astar", "20 moves", "astar", "ball", 20, -1},
		{"20-bidirectional", "20 moves", "bidirectional", "ball", 20, -1},
		{.key = NULL}};
	static const struct way far24[] = {
		{"24-ida", "24 moves", "ida", "ball", 5, -1},
		{"24-astar", "24 moves", "astar", "ball", 5, -1},
		{"24-bidirectional", "24 moves", "bidirectional", "ball", 5, -1},
		{.key = NULL}};
	double few, many;

	figure_heading("Knights without the table, in process");
	choose(built, cells, 1000, 15, 15);
	prepare(searching);
	few = measure(searching, &ball);
	many = measure(searching, &naive);
	figure_print_one(many / few, "knights.15.fewer", "times fewer nodes",
			 "knights, 15 moves: ball and counts, against misplaced tiles");
	measure_all(searching, others);
	choose(built, cells, 1000, 16, 39);
	measure(searching, &over);
	choose(built, cells, 20, 20, 20);
	measure_all(searching, far20);
	choose(built, cells, 5, 24, 24);
	measure_all(searching, far24);
}

static void bench_knights(void)
{
	static const char cells[] = "000000000000111111111111*";
	static const struct way table = {"table", "random boards", "table", "ball", 20000, -1};
	struct naive_host h = {0}, searching = {0}, built = {0};
	struct pz_error error;
	char name[PZ_NAME_MAX];
	void *content;
	bool ready;
	uint64_t began;

	figure_heading("Knights with the table, in process");
	if (naive_open(&h, naive_load("knights.so"), NULL, &error) != 0 ||
	    naive_open(&searching, h.plugin, NULL, &error) != 0)
		exit(1);
	h.plugin->tables(h.self, &h.table_is, &ready, 1);
	content = malloc(h.table_is.bytes);
	began = figure_cpu_ns();
	if (content == NULL ||
	    h.plugin->build_table(h.self, &h.table_is, content, &h.host, &error) != 0)
		exit(1);
	figure_print_one((double)(figure_cpu_ns() - began) / 1e9, "knights.build", "s",
			 "knights, the table of all 67,603,900 boards built");
	figure_print_one((double)h.table_is.bytes / (1 << 20), "knights.size", "MiB",
			 "knights, its size");
	/* The name is the plugin's own: keep it while it is opened again. */
	built.table = content;
	built.table_is = h.table_is;
	snprintf(name, sizeof(name), "%s", h.table_is.name);
	built.table_is.name = name;
	naive_close(&h);
	if (naive_open(&built, searching.plugin, NULL, &error) != 0)
		exit(1);
	choose(&built, cells, 20000, 0, 39);
	measure(&built, &table);

	bench_knights_search(&built, &searching, cells);
	naive_close(&built);
	naive_close(&searching);
	free(content);
}

int main(void)
{
	bench_eight();
	bench_knights();
	return 0;
}
