/* SPDX-License-Identifier: MIT */
/*
 * bench_solvers: what the plugins take in process: for each puzzle, algorithm and heuristic the
 * time and the nodes of a board, and the time to open and to build tables.  Each figure is the
 * median of ROUNDS rounds over the same boards, with the least and the greatest.  Counted are
 * check, solve and replay, text included.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/naive_host.h"

enum { ROUNDS = 5, BOARDS_MAX = 20000, TEXT_MAX = 32 };

static char boards[BOARDS_MAX][TEXT_MAX];
static uint64_t seed = 1;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Solves `count` boards ROUNDS times and prints a line. */
static void measure(struct naive_host *h, const char *what, unsigned algorithm, unsigned heuristic,
		    unsigned count, int64_t max_length)
{
	static struct naive_answer answer;
	double times[ROUNDS], generated = 0, length = 0;
	unsigned round, i, solved = 0;

	for (round = 0; round < ROUNDS; round++) {
		double began = now();

		for (i = 0; i < count; i++) {
			struct pz_job job = naive_job(h, boards[i], NULL);

			job.algorithm = algorithm;
			job.heuristic = heuristic;
			job.max_length = max_length;
			job.memory = (size_t)1 << 30;
			naive_solve(h, &job, &answer);
			if (round > 0)
				continue;
			generated += (double)answer.result.stats.generated;
			solved += answer.result.status == PZ_SOLVED;
			length += answer.result.length;
		}
		times[round] = (now() - began) / count * 1e6;
	}
	qsort(times, ROUNDS, sizeof(times[0]), by_value);
	printf("%-8s %-20s %-13s %-9s %6u boards  %10.3f us (%.3f to %.3f)  %12.1f nodes  "
	       "%u solved, mean length %.2f\n",
	       h->plugin->name, what, h->plugin->algorithms[algorithm],
	       h->plugin->heuristics[heuristic], count, times[ROUNDS / 2], times[0],
	       times[ROUNDS - 1], generated / count, solved, solved > 0 ? length / solved : 0);
	fflush(stdout);
}

static void measure_named(struct naive_host *h, const char *what, const char *algorithm,
			  const char *heuristic, unsigned count, int64_t max_length)
{
	measure(h, what, naive_choice(h->plugin->algorithms, algorithm),
		naive_choice(h->plugin->heuristics, heuristic), count, max_length);
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
	struct naive_host h = {0};
	struct pz_error error;
	double began = now();

	if (naive_open(&h, naive_load("8puzzle.so"), NULL, &error) != 0)
		exit(1);
	printf("8puzzle  opened, its table built, in %.2f ms\n", (now() - began) * 1e3);
	choose(&h, "123456780", 20000, 0, 31);
	measure_named(&h, "random boards", "table", "manhattan", 20000, -1);
	measure_named(&h, "random boards", "ida", "manhattan", 500, -1);
	measure_named(&h, "random boards", "astar", "manhattan", 500, -1);
	measure_named(&h, "random boards", "astar", "misplaced", 50, -1);
	measure_named(&h, "random boards", "bidirectional", "manhattan", 500, -1);
	measure_named(&h, "random boards", "bfs", "manhattan", 20, -1);
	strcpy(boards[0], "867254301");
	measure_named(&h, "hardest board", "ida", "manhattan", 1, -1);
	measure_named(&h, "hardest board", "astar", "manhattan", 1, -1);
	measure_named(&h, "hardest board", "bidirectional", "manhattan", 1, -1);
	naive_close(&h);
}

static void bench_knights(void)
{
	static const char cells[] = "000000000000111111111111*";
	struct naive_host h = {0}, searching = {0};
	struct pz_error error;
	void *content;
	bool ready;
	double began = now();

	if (naive_open(&h, naive_load("knights.so"), NULL, &error) != 0 ||
	    naive_open(&searching, h.plugin, NULL, &error) != 0)
		exit(1);
	printf("knights  opened twice in %.2f ms\n", (now() - began) * 1e3);
	h.plugin->tables(h.self, &h.table_is, &ready, 1);
	content = malloc(h.table_is.bytes);
	began = now();
	if (content == NULL ||
	    h.plugin->build_table(h.self, &h.table_is, content, &h.host, &error) != 0)
		exit(1);
	printf("knights  table of %zu bytes built in %.3f s\n", h.table_is.bytes, now() - began);
	/* The name is the plugin's own: keep it while it is opened again. */
	{
		struct naive_host built = {.table = content, .table_is = h.table_is};
		char name[PZ_NAME_MAX];

		snprintf(name, sizeof(name), "%s", h.table_is.name);
		built.table_is.name = name;
		naive_close(&h);
		if (naive_open(&built, searching.plugin, NULL, &error) != 0)
			exit(1);
		choose(&built, cells, 20000, 0, 39);
		measure_named(&built, "random boards", "table", "ball", 20000, -1);
		choose(&built, cells, 1000, 15, 15);
		naive_length(&searching, boards[0], NULL);
		measure_named(&searching, "15 moves", "ida", "ball", 1000, -1);
		measure_named(&searching, "15 moves", "ida", "counts", 1000, -1);
		measure_named(&searching, "15 moves", "ida", "misplaced", 1000, -1);
		measure_named(&searching, "15 moves", "astar", "ball", 1000, -1);
		measure_named(&searching, "15 moves", "astar", "misplaced", 200, -1);
		measure_named(&searching, "15 moves", "bidirectional", "ball", 1000, -1);
		choose(&built, cells, 1000, 16, 39);
		measure_named(&searching, "over 15", "ida", "ball", 1000, 15);
		choose(&built, cells, 20, 20, 20);
		measure_named(&searching, "20 moves", "ida", "ball", 20, -1);
		measure_named(&searching, "20 moves", "astar", "ball", 20, -1);
		measure_named(&searching, "20 moves", "bidirectional", "ball", 20, -1);
		choose(&built, cells, 10, 24, 24);
		measure_named(&searching, "24 moves", "ida", "ball", 10, -1);
		measure_named(&searching, "24 moves", "astar", "ball", 10, -1);
		measure_named(&searching, "24 moves", "bidirectional", "ball", 10, -1);
		naive_close(&built);
	}
	naive_close(&searching);
	free(content);
}

int main(void)
{
	bench_eight();
	bench_knights();
	return 0;
}
