/* SPDX-License-Identifier: MIT */
/* bridge.so: moves of unequal costs, through the whole plugin. */
#include "tests/naive_puzzle.h"

enum { MOST = 7, FAR = 1 << 30 };

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
	static const struct naive_known known[] = {
		{"1 2 5 10", NULL, 17}, /* Levmore and Cook; all over the net since */
		{"1 2 5 8", NULL, 15},
		{"1 2 7 10", NULL, 17},
		{"1 3 6 8 12", NULL, 29},
		{"5 10 20 25", NULL, 60},
		{"1 2 2 3 8 10", NULL, 24},
		{"1 1 1 1 1 1", NULL, 9},
		{"7", NULL, 7},
		{"3 9", NULL, 9},
		{"10 5 2 1", NULL, 17}, /* whatever the order */
		{"< 1 2 5 10", NULL, 0},
	};

	(void)state;
	naive_knows(known, NAIVE_COUNT(known));
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
			if (naive_cost_by("astar", i % 2 == 0 ? "pairs" : "slowest", text, NULL) !=
			    rote(time, n))
				fail_msg("%s takes %d", text, rote(time, n));
		}
	}
}

/* Every state of some parties: both searches find the least time, and no bound is above it. */
static void every_state(void **state)
{
	static int least[2][1 << MOST];
	unsigned seed = 9, i, exact = 0;
	int time[MOST], n, lamp, near;
	char text[128];

	(void)state;
	for (n = 1; n <= MOST; n++) {
		random_times(time, n, &seed);
		dijkstra(time, n, least);
		for (lamp = 0; lamp < 2; lamp++) {
			for (near = 0; near < 1 << n; near++) {
				int cost = least[lamp][near];

				if (cost == FAR || near == (lamp ? (1 << n) - 1 : 0))
					continue;
				board_text(time, n, lamp, near, text);
				assert_int_equal(naive_cost_by("astar", "pairs", text, NULL), cost);
				if (n <= 5)
					assert_int_equal(naive_cost_by("ida", "pairs", text, NULL),
							 cost);
				for (i = 0; i < 2; i++) {
					int says =
						naive_estimate(h.plugin->heuristics[i], text, NULL);

					assert_in_range(says, 0, cost);
					exact += says == cost;
				}
			}
		}
	}
	assert_true(exact > 20);
}

static void estimates_as_it_says(void **state)
{
	(void)state;
	/* 10 and 2 with whom they take along; one more crossing and two ways back by the
	 * fastest. */
	assert_int_equal(naive_estimate("pairs", "1 2 5 10", NULL), 10 + 2 + 3);
	assert_int_equal(naive_estimate("slowest", "1 2 5 10", NULL), 10);
	assert_int_equal(naive_estimate("pairs", "2 5 < 1", NULL), 5 + 3);
	assert_int_equal(naive_estimate("pairs", "3 > 9", NULL), 3);
	assert_int_equal(naive_estimate("pairs", "< 3 9", NULL), 0);
}

/* Bounds are costs, and a limit on the length is another matter. */
static void limits_are_costs(void **state)
{
	static struct naive_answer answer;
	static const char *const algorithms[] = {"auto", "astar", "ida"};
	struct pz_job job = naive_job(&h, "1 2 5 10", NULL);
	unsigned i;

	(void)state;
	naive_limits("auto", "1 2 5 10", NULL, 17);
	naive_limits("astar", "1 2 5 10", NULL, 17);
	naive_limits("ida", "1 2 5 10", NULL, 17);
	/* Five crossings are needed. */
	for (i = 0; i < 3; i++) {
		job.algorithm = naive_choice(h.plugin->algorithms, algorithms[i]);
		job.max_length = 5;
		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_SOLVED);
		assert_int_equal(answer.result.length, 5);
		job.max_length = 4;
		job.max_cost = 100;
		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_LIMIT);
		assert_int_equal(answer.result.lower_bound, 17);
		job.max_cost = -1;
	}
	assert_false(h.plugin->unit_cost);
	for (i = 0; h.plugin->algorithms[i] != NULL; i++)
		assert_string_not_equal(h.plugin->algorithms[i], "bfs");
}

/*
 * Of n walkers each crossing and the way back take one over, so 2n - 3 crossings are the fewest;
 * and no others take less time (Rote).
 */
static void limits_the_crossings_at_once(void **state)
{
	static struct naive_answer answer;
	unsigned seed = 5;
	int time[10], n;
	char text[128];

	(void)state;
	for (n = 2; n <= 10; n++) {
		struct pz_job job;

		random_times(time, n, &seed);
		board_text(time, n, 0, (1 << n) - 1, text);
		job = naive_job(&h, text, NULL);
		job.max_length = 2 * n - 3;
		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_SOLVED);
		assert_int_equal(answer.result.cost, rote(time, n));
		job.max_length--;
		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_LIMIT);
		assert_int_equal(answer.result.lower_bound, rote(time, n));
		assert_in_range(answer.result.stats.expanded, 1, 2 << n << 4);
	}
}

static void tells_neighbours_with_their_costs(void **state)
{
	(void)state;
	assert_string_equal(naive_neighbours("2 5 < 1"), "a 1 1 2 5 >; ");
	assert_string_equal(naive_neighbours("5 > 1 2"), "c 5 < 1 2 5; ");
	/* Of equals any may go, and it is the same. */
	assert_string_equal(naive_neighbours("3 3 7"),
			    "a 3 3 7 < 3; ab 3 7 < 3 3; b 3 3 7 < 3; ac 7 3 < 3 7; "
			    "bc 7 3 < 3 7; c 7 3 3 < 7; ");
	assert_string_equal(naive_neighbours("3 > 3 7"), "a 3 < 3 3 7; b 3 < 3 3 7; ");
}

static void replays_and_sums(void **state)
{
	const struct naive_played *played = naive_replay("1 2 5 10", NULL, "ab a cd b ab");

	(void)state;
	assert_true(played->replay.legal && played->replay.solved);
	assert_int_equal(played->replay.cost, 17);
	played = naive_replay("1 2 5 10", NULL, "ab a");
	assert_true(played->replay.legal && !played->replay.solved);
	assert_int_equal(played->replay.cost, 3);
	assert_string_equal(played->final, "1 5 10 > 2");
	played = naive_replay("1 2 5 10", NULL, "ab d");
	assert_false(played->replay.legal);
	assert_int_equal(played->replay.done, 1);
	assert_false(naive_replay("1 2 5", NULL, "ad")->replay.legal);
}

/* Who writes a solution down need not know whose turn it is among equals. */
static void equals_go_by_any_name(void **state)
{
	(void)state;
	assert_true(naive_replay("1 2 2 5", NULL, "ab a cd b ab")->replay.solved);
	assert_true(naive_replay("1 2 2 5", NULL, "ac a bd c ac")->replay.solved);
	assert_true(naive_replay("1 1 1 2", NULL, "ab a ac a ad")->replay.solved);
	assert_true(naive_replay("1 1 1 2", NULL, "cd c bc b ab")->replay.solved);
	/* But there must be so many of them. */
	assert_int_equal(naive_replay("1 1 2", NULL, "ac ab")->replay.done, 1);
	assert_int_equal(naive_replay("1 1 > 1 2", NULL, "c")->replay.done, 1);
	assert_int_equal(naive_replay("1 1 > 1 2", NULL, "d")->replay.done, 0);
}

static void many_ways_to_write_a_board(void **state)
{
	static const char *const same[] = {
		"1 2 > 5 10",
		"2 1 > 10 5",
		"1,2>5,10",
		"01 2\r\n>\t5/10",
		"\xEF\xBB\xBF"
		"1 2 > 5 10",
		"1\xC2\xA0"
		"2 >\xC2\xA0"
		"5 10",
	};
	static const char *const all_near[] = {"1 2 >", "2 1", "1\n2\n"};

	(void)state;
	naive_same(same, NAIVE_COUNT(same));
	naive_same(all_near, NAIVE_COUNT(all_near));
}

static void refuses_what_is_no_party(void **state)
{
	static const struct naive_bad bad[] = {
		{"", 0, "no walkers; write the time"},
		{" >", 2, "no walkers; write the time"},
		{"1 2 < ", 5, "the far side, and nobody is there"},
		{"> 1 2", 1, "the near side, and nobody is there"},
		{"1 0 2", 3, "1 to 9999"},
		{"1 10000", 3, "1 to 9999"},
		{"1 99999999999999999999", 3, "1 to 9999"},
		{"1 x", 3, "'x'"},
		{"1 > 2 > 3", 7, "a second bridge; the first is at byte 3"},
		{"1 2 3 4 5 6 7 8 9 10 11", 22, "at most 10"},
		{"1\x1b", 2, "byte 0x1B"},
		{"1\xC2", 2, "byte 0xC2"},
		{"1 \xEF\xBB\xBF", 3, "byte 0xEF"},
	};

	(void)state;
	naive_refuses(bad, NAIVE_COUNT(bad), NULL);
}

/* Ten who are all alike, and ten of whom none is. */
static void gives_up_honestly(void **state)
{
	(void)state;
	assert_int_equal(naive_cost_by("ida", "slowest", "5 5 5 5 5 5 5 5 5 5", NULL), 85);
	naive_gives_up("9 18 27 35 42 48 53 57 60 62", NULL, 2, 1 << 12, 300, 400);
}

static void generates_parties(void **state)
{
	char text[PZ_BOARD_MAX + 1];
	struct pz_error error;

	(void)state;
	naive_generates(NULL, 20, 17 * 30);
	assert_int_equal(naive_generate(NULL, 0, 5, text, &error), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_times),
		cmocka_unit_test(as_rote_says),
		cmocka_unit_test(every_state),
		cmocka_unit_test(estimates_as_it_says),
		cmocka_unit_test(limits_are_costs),
		cmocka_unit_test(limits_the_crossings_at_once),
		cmocka_unit_test(tells_neighbours_with_their_costs),
		cmocka_unit_test(replays_and_sums),
		cmocka_unit_test(equals_go_by_any_name),
		cmocka_unit_test(many_ways_to_write_a_board),
		cmocka_unit_test(refuses_what_is_no_party),
		cmocka_unit_test(gives_up_honestly),
		cmocka_unit_test(generates_parties),
	};

	return NAIVE_RUN("bridge.so", tests);
}
