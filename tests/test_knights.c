/* SPDX-License-Identifier: MIT */
/* knights.so against lengths from an independent breadth-first search, and against wrong input. */
#include "tests/naive_puzzle.h"

#define GOAL "11111/01111/00*11/00001/00000"

/* The two boards of the problem's statement: 7 moves, and more than 15. */
#define SAMPLE_7  "10110\n01*11\n10111\n01001\n00000\n"
#define SAMPLE_17 "01011\n110*1\n01110\n01010\n00100\n"

static void published_lengths(void **state)
{
	unsigned refused;

	(void)state;
	assert_true(naive_published("knights-lengths.tsv", 39, 15, &refused) > 30);
	assert_true(refused > 30);
}

static void the_statement_s_boards(void **state)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, SAMPLE_17, NULL);

	(void)state;
	assert_int_equal(naive_length(&h, SAMPLE_7, NULL), 7);
	assert_string_equal(naive_by("auto", NULL, SAMPLE_7, NULL)->final, GOAL);
	assert_int_equal(naive_length(&h, GOAL, NULL), 0);
	job.max_length = 17;
	naive_solve(&h, &job, &answer);
	assert_true(answer.result.status == PZ_LIMIT || answer.result.length > 15);
	job.max_length = 15;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_LIMIT);
}

static void a_limit_accepts_n_and_refuses_less(void **state)
{
	static const char *const algorithms[] = {"auto", "ida", "astar", "bfs", "bidirectional"};
	unsigned i;

	(void)state;
	for (i = 0; i < NAIVE_COUNT(algorithms); i++)
		naive_limits(algorithms[i], SAMPLE_7, NULL, 7);
}

static void many_ways_to_write_a_board(void **state)
{
	static const char *const same[] = {
		"10110/01*11/10111/01001/00000",
		SAMPLE_7,
		"1011001*11101110100100000",
		"1 0 1 1 0\r\n0 1 x 1 1\r\n1 0 1 1 1\r\n0 1 0 0 1\r\n0 0 0 0 0\r\n",
		"\xEF\xBB\xBF"
		"10110,01_11,10111,01001,00000",
		"10110\xC2\xA0"
		"01.11\n\n10111\t01001\n00000",
		"10110 01X11 10111 01001 00000",
	};

	(void)state;
	naive_same(same, NAIVE_COUNT(same));
}

static void refuses_what_is_no_board(void **state)
{
	static const struct naive_bad bad[] = {
		{"", 0, "empty"},
		{"10110\n01*11\n10111\n01001\n0000\n", 0, "24 cells"},
		{"10110\n01*11\n10111\n01001\n000000\n", 30, "more cells"},
		{"10110\n01211\n10111\n01001\n00000\n", 9, "'2' is not a cell"},
		{"10110\n01*11\n10*11\n01001\n00000\n", 15, "second blank; the first is at byte 9"},
		{"10110\n01111\n10111\n01001\n00000\n", 0, "no blank"},
		{"10110\n01*11\n10111\n01001\n00001\n", 0, "11 white (0) and 13 black (1)"},
	};

	(void)state;
	naive_refuses(bad, NAIVE_COUNT(bad), GOAL);
}

static void takes_any_goal(void **state)
{
	struct naive_host other = {0};
	struct pz_error error;

	(void)state;
	/* Seven moves there are seven moves back. */
	assert_int_equal(naive_length(&h, GOAL, SAMPLE_7), 7);
	assert_int_equal(naive_length(&h, SAMPLE_7, SAMPLE_7), 0);
	assert_int_equal(naive_open(&other, h.plugin, SAMPLE_7, &error), 0);
	assert_int_equal(naive_length(&other, GOAL, NULL), 7);
	naive_close(&other);
}

static void names_its_moves(void **state)
{
	char name[8], other[8];
	unsigned id, used = 0, below;

	(void)state;
	for (id = 0; id < h.plugin->moves; id++) {
		if (h.plugin->move_name(0, id, name, sizeof(name)) != 0)
			continue;
		used++;
		assert_int_equal(strlen(name), 4);
		/* A knight's jump: one and two, in some order. */
		assert_int_equal(abs(name[0] - name[2]) * abs(name[1] - name[3]), 2);
		for (below = 0; below < id; below++)
			if (h.plugin->move_name(0, below, other, sizeof(other)) == 0)
				assert_string_not_equal(name, other);
	}
	assert_int_equal(used, 96);
	assert_int_equal(h.plugin->move_name(0, h.plugin->moves, name, sizeof(name)), -1);
}

/* The knight on a1 jumps to the blank on c2: then a1 is the blank. */
static void replays_by_the_rules(void **state)
{
	static const char board[] = "11111/01111/00111/00*00/00000";
	const struct naive_played *played = naive_replay(board, NULL, "a1c2");

	(void)state;
	assert_true(played->replay.legal && !played->replay.solved);
	assert_string_equal(played->final, "11111/01111/00111/00000/*0000");
	/* Now the blank is elsewhere, so the same move is not legal again. */
	played = naive_replay(board, NULL, "a1c2 a1c2");
	assert_false(played->replay.legal);
	assert_int_equal(played->replay.done, 1);
}

static void estimates_are_never_too_long(void **state)
{
	const char *const *heuristic;

	(void)state;
	for (heuristic = h.plugin->heuristics; *heuristic != NULL; heuristic++) {
		assert_in_range(naive_estimate(*heuristic, SAMPLE_7, NULL),
				heuristic == h.plugin->heuristics ? 7 : 0, 7);
		assert_int_equal(naive_estimate(*heuristic, GOAL, NULL), 0);
	}
}

static void generates_boards(void **state)
{
	char text[PZ_BOARD_MAX + 1];
	struct pz_error error;

	(void)state;
	naive_generates(NULL, 20, -1);
	assert_int_equal(naive_generate(NULL, 7, 12, text, &error), -1);
	assert_non_null(strstr(error.reason, "only a table"));
	assert_int_equal(naive_generate(NULL, 7, 0, text, &error), 0);
	assert_string_equal(text, GOAL);
}

/* A board in the middle of nowhere: the search is stopped, and says what it has proved. */
static void stops_when_told(void **state)
{
	(void)state;
	naive_gives_up("00000/00000/00*11/11111/11111", NULL, 2, 1 << 20, 18, 39);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_lengths),
		cmocka_unit_test(the_statement_s_boards),
		cmocka_unit_test(a_limit_accepts_n_and_refuses_less),
		cmocka_unit_test(many_ways_to_write_a_board),
		cmocka_unit_test(refuses_what_is_no_board),
		cmocka_unit_test(takes_any_goal),
		cmocka_unit_test(names_its_moves),
		cmocka_unit_test(replays_by_the_rules),
		cmocka_unit_test(estimates_are_never_too_long),
		cmocka_unit_test(generates_boards),
		cmocka_unit_test(stops_when_told),
	};

	return NAIVE_RUN("knights.so", tests);
}
