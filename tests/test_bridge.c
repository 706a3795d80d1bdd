/* SPDX-License-Identifier: MIT */
/* bridge.so: moves of unequal costs, through the whole plugin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/naive_host.h"

enum { MOST = 7, FAR = 1 << 30 };

static struct naive_host h;

static int set_up(void **state)
{
	struct pz_error error;

	(void)state;
	return naive_open(&h, naive_load("bridge.so"), NULL, &error);
}

static int tear_down(void **state)
{
	(void)state;
	naive_close(&h);
	return 0;
}

/* cost_by: the cost of a solution, or -1. */
static int cost_by(const char *algorithm, const char *heuristic, const char *board)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, board, NULL);

	job.algorithm = naive_choice(h.plugin->algorithms, algorithm);
	job.heuristic = naive_choice(h.plugin->heuristics, heuristic);
	naive_solve(&h, &job, &answer);
	return answer.result.status == PZ_SOLVED ? (int)answer.result.cost : -1;
}

/* The least time by Rote's theorem, for times in ascending order, all on the near side. */
static int rote(const int *time, int n)
{
	int escort, pair;

	if (n <= 2)
		return time[n - 1];
	if (n == 3)
		return time[0] + time[1] + time[2];
	escort = 2 * time[0] + time[n - 2] + time[n - 1];
	pair = time[0] + 2 * time[1] + time[n - 1];
	return rote(time, n - 2) + (pair < escort ? pair : escort);
}

/* dijkstra: the least times of all states, [lamp is far][who is near], from the rules alone. */
static void dijkstra(const int *time, int n, int least[2][1 << MOST])
{
	bool done[2][1 << MOST] = {{false}};
	int all = (1 << n) - 1, i, j, side, mask;

	for (side = 0; side < 2; side++)
		for (mask = 0; mask <= all; mask++)
			least[side][mask] = mask == 0 && side == 1 ? 0 : FAR;
	for (;;) {
		int at = 0, lamp = -1, here;

		for (side = 0; side < 2; side++)
			for (mask = 0; mask <= all; mask++)
				if (!done[side][mask] && least[side][mask] < FAR &&
				    (lamp < 0 || least[side][mask] < least[lamp][at])) {
					lamp = side;
					at = mask;
				}
		if (lamp < 0)
			return;
		done[lamp][at] = true;
		/* Backward is forward: the same two, the other way. */
		here = lamp ? all & ~at : at;
		for (i = 0; i < n; i++) {
			for (j = i; j < n; j++) {
				int who = 1 << i | 1 << j, took = least[lamp][at] + time[j];

				if ((here & who) == who && took < least[!lamp][at ^ who])
					least[!lamp][at ^ who] = took;
			}
		}
	}
}

static void board_text(const int *time, int n, int lamp, int near, char *text)
{
	int i;

	*text = '\0';
	for (i = 0; i < n; i++)
		if (near >> i & 1)
			text += sprintf(text, "%d ", time[i]);
	text += sprintf(text, lamp ? "<" : ">");
	for (i = 0; i < n; i++)
		if (!(near >> i & 1))
			text += sprintf(text, " %d", time[i]);
}

/* random_times: n in ascending order, some of them equal. */
static void random_times(int *time, int n, unsigned *seed)
{
	int i;

	time[0] = 1 + (int)((*seed = *seed * 1103515245 + 12345) >> 16) % 4;
	for (i = 1; i < n; i++)
		time[i] = time[i - 1] + (int)((*seed = *seed * 1103515245 + 12345) >> 16) % 6;
}

static void published_times(void **state)
{
	static const struct {
		const char *board;
		int cost;
	} known[] = {
		{"1 2 5 10", 17}, /* Levmore and Cook; all over the net since */
		{"1 2 5 8", 15},    {"1 2 7 10", 17},     {"1 3 6 8 12", 29},
		{"5 10 20 25", 60}, {"1 2 2 3 8 10", 24}, {"1 1 1 1 1 1", 9},
		{"7", 7},           {"3 9", 9},           {"10 5 2 1", 17}, /* whatever the order */
		{"> 1 2 5 10", -2}, {"< 1 2 5 10", 0},
	};
	struct pz_error error;
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].cost == -2) {
			assert_int_equal(naive_check(&h, known[i].board, NULL, &error), -1);
			continue;
		}
		if (cost_by("auto", "pairs", known[i].board) != known[i].cost)
			fail_msg("%s takes %d, not %d", known[i].board, known[i].cost,
				 cost_by("auto", "pairs", known[i].board));
	}
}

static void as_rote_says(void **state)
{
	unsigned seed = 1;
	int time[10], n, i;
	char text[128];

	(void)state;
	for (n = 1; n <= 10; n++) {
		for (i = 0; i < 12; i++) {
			random_times(time, n, &seed);
			board_text(time, n, 0, (1 << n) - 1, text);
			if (cost_by("astar", i % 2 == 0 ? "pairs" : "slowest", text) !=
			    rote(time, n))
				fail_msg("%s takes %d", text, rote(time, n));
		}
	}
}

/* Every state of some parties: both searches find the least time, and no bound is above it. */
static void every_state(void **state)
{
	static int least[2][1 << MOST];
	unsigned seed = 9, i, jumps = 0;
	int time[MOST], n, lamp, near;
	char text[128];

	(void)state;
	for (n = 1; n <= MOST; n++) {
		random_times(time, n, &seed);
		dijkstra(time, n, least);
		for (lamp = 0; lamp < 2; lamp++) {
			for (near = 0; near < 1 << n; near++) {
				struct pz_job job;

				if (least[lamp][near] == FAR || near == (lamp ? (1 << n) - 1 : 0))
					continue;
				board_text(time, n, lamp, near, text);
				assert_int_equal(cost_by("astar", "pairs", text),
						 least[lamp][near]);
				if (n <= 5)
					assert_int_equal(cost_by("ida", "pairs", text),
							 least[lamp][near]);
				job = naive_job(&h, text, NULL);
				for (i = 0; i < 2; i++) {
					job.heuristic = i;
					if ((int)h.plugin->estimate(h.self, &job) >
					    least[lamp][near])
						fail_msg("%s: h is above %d", text,
							 least[lamp][near]);
					jumps += (int)h.plugin->estimate(h.self, &job) ==
						 least[lamp][near];
				}
			}
		}
	}
	assert_true(jumps > 20);
}

/* Bounds are costs, and a limit on the length is another matter. */
static void limits_are_costs(void **state)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, "1 2 5 10", NULL);
	unsigned i;

	(void)state;
	for (i = 0; i < 2; i++) {
		job.algorithm = naive_choice(h.plugin->algorithms, i == 0 ? "astar" : "ida");
		job.max_cost = 17;
		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_SOLVED);
		assert_int_equal(answer.result.length, 5);
		assert_int_equal(answer.result.cost, 17);
		job.max_cost = 16;
		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_LIMIT);
		assert_int_equal(answer.result.lower_bound, 17);
		job.max_cost = -1;
	}
	/* Five crossings are needed; `auto` takes the search that can count them. */
	job.algorithm = 0;
	job.max_length = 5;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_SOLVED);
	assert_string_equal(h.plugin->algorithms[answer.result.stats.algorithm], "ida");
	job.algorithm = naive_choice(h.plugin->algorithms, "astar");
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_SOLVED);
	job.algorithm = 0;
	job.max_length = 4;
	job.max_cost = 100;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_LIMIT);
	job.algorithm = naive_choice(h.plugin->algorithms, "astar");
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_FAILED);
	assert_int_equal(answer.result.lower_bound, 17);
	assert_non_null(strstr(answer.result.error.reason, "only ida"));
	assert_false(h.plugin->unit_cost);
	for (i = 0; h.plugin->algorithms[i] != NULL; i++)
		assert_string_not_equal(h.plugin->algorithms[i], "bfs");
}

static void sum_costs(void *arg, const struct pz_neighbour *neighbour)
{
	char name[8], line[64];

	assert_int_equal(h.plugin->move_name(0, neighbour->move, name, sizeof(name)), 0);
	snprintf(line, sizeof(line), "%s %u %.*s; ", name, (unsigned)neighbour->cost,
		 (int)neighbour->board.len, neighbour->board.data);
	strcat(arg, line);
}

static void tells_neighbours_with_their_costs(void **state)
{
	struct pz_job job = naive_job(&h, "2 5 < 1", NULL);
	char all[512] = "";

	(void)state;
	h.plugin->neighbours(h.self, &job, sum_costs, all);
	assert_string_equal(all, "a 1 1 2 5 >; ");
	job = naive_job(&h, "5 > 1 2", NULL);
	*all = '\0';
	h.plugin->neighbours(h.self, &job, sum_costs, all);
	assert_string_equal(all, "c 5 < 1 2 5; ");
	/* Of equals the last goes first, and both may go. */
	job = naive_job(&h, "3 3 7", NULL);
	*all = '\0';
	h.plugin->neighbours(h.self, &job, sum_costs, all);
	assert_string_equal(all, "ab 3 7 < 3 3; b 3 3 7 < 3; bc 7 3 < 3 7; c 7 3 3 < 7; ");
}

static void replays_and_sums(void **state)
{
	static const uint16_t path[] = {1, 0, 8, 2, 1}; /* ab a cd b ab */
	static const uint16_t not_there[] = {1, 9};
	char final[PZ_BOARD_MAX];
	struct pz_replay replay = {.size = sizeof(replay), .final = {final, sizeof(final), 0}};
	struct pz_job job = naive_job(&h, "1 2 5 10", NULL);

	(void)state;
	h.plugin->replay(h.self, &job, path, 5, &replay);
	assert_true(replay.legal && replay.solved);
	assert_int_equal(replay.cost, 17);
	replay.final.len = 0;
	h.plugin->replay(h.self, &job, path, 2, &replay);
	assert_true(replay.legal && !replay.solved);
	assert_int_equal(replay.cost, 3);
	final[replay.final.len] = '\0';
	assert_string_equal(final, "1 5 10 > 2");
	replay.final.len = 0;
	h.plugin->replay(h.self, &job, not_there, 2, &replay);
	assert_false(replay.legal);
	assert_int_equal(replay.done, 1);
}

static void refuses_what_is_no_party(void **state)
{
	static const struct {
		const char *board;
		size_t position;
		const char *says;
	} bad[] = {
		{"", 0, "no walkers"},
		{"1 2 < ", 0, "nobody is there"},
		{"> 1 2", 0, "nobody"},
		{"1 0 2", 3, "1 to 9999"},
		{"1 10000", 3, "1 to 9999"},
		{"1 99999999999999999999", 3, "1 to 9999"},
		{"1 x", 3, "'x'"},
		{"1 > 2 > 3", 7, "two bridges"},
		{"1 2 3 4 5 6 7 8 9 10 11", 22, "more than 10"},
		{"1\x1b", 2, "byte 0x1B"},
	};
	struct pz_error error;
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(naive_check(&h, bad[i].board, NULL, &error), -1);
		if (error.position != bad[i].position || strstr(error.reason, bad[i].says) == NULL)
			fail_msg("\"%s\": %zu %s", bad[i].board, error.position, error.reason);
	}
}

static void generates_parties(void **state)
{
	struct pz_job job = naive_job(&h, "", NULL);
	struct pz_error error;
	char text[128], again[128];
	unsigned seed;

	(void)state;
	for (seed = 0; seed < 20; seed++) {
		struct pz_buffer out = {text, sizeof(text) - 1, 0},
				 out2 = {again, sizeof(again), 0};

		assert_int_equal(h.plugin->generate(h.self, &job, seed, -1, &out, &error), 0);
		text[out.len] = '\0';
		assert_true(cost_by("auto", "pairs", text) > 0);
		assert_int_equal(h.plugin->generate(h.self, &job, seed, -1, &out2, &error), 0);
		assert_memory_equal(text, again, out.len);
		out.len = 0;
		assert_int_equal(h.plugin->generate(h.self, &job, seed, 5, &out, &error), -1);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_times),
		cmocka_unit_test(as_rote_says),
		cmocka_unit_test(every_state),
		cmocka_unit_test(limits_are_costs),
		cmocka_unit_test(tells_neighbours_with_their_costs),
		cmocka_unit_test(replays_and_sums),
		cmocka_unit_test(refuses_what_is_no_party),
		cmocka_unit_test(generates_parties),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("bridge", tests, set_up, tear_down);
}
