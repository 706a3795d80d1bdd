/* SPDX-License-Identifier: MIT */
/* 8puzzle.so: text, limits, moves, and what people get wrong. */
#include "tests/naive_puzzle.h"

static void published_lengths(void **state)
{
	(void)state;
	assert_true(naive_published("eight-lengths.tsv", 31, -1, NULL) > 400);
}

/* Boards that other programs are known to have got wrong. */
static void boards_that_people_got_wrong(void **state)
{
	static const struct naive_known known[] = {
		{"283104765", "123804765", 4},   {"2 3 4 1 5 x 7 6 8", NULL, 19},
		{"123456780", NULL, 0},          {"1 2 3 4 5 6 8 7 x", NULL, -1},
		{"867254301", NULL, 31},         {"647850321", NULL, 31},
		{"867254301", "012345678", 27},  {"647850321", "012345678", 25},
		{"587106324", "123804765", 30},  {"102345678", "012345678", 1},
		{"187432650", NULL, -1},         {"187432650", "012345678", -1},
		{"187432650", "123804765", 24},  {"724506831", NULL, 20},
		{"724506831", "012345678", 26},  {"0,8,7,2,5,4,3,6,1", "012345678", -1},
		{"087254361", "123804765", 26},  {"134802765", NULL, -1},
		{"134802756", NULL, 16},         {"134802765", "123804765", 4},
		{"183567240", "123804765", 22},  {"183567240", NULL, -1},
		{"813567240", "123804765", -1},  {"813567240", NULL, 18},
		{"123456870", "123804765", 8},   {"123456870", NULL, -1},
		{"340618257", NULL, 26},         {"123456780", "213456780", -1},
		{"123804756", "123804765", -1},  {"2 3 4\n1 5 x\n7 6 8\n", NULL, 19},
		{"2 3 4 1 5 0 7 6 8", NULL, 19},
	};

	(void)state;
	naive_knows(known, NAIVE_COUNT(known));
}

static void many_ways_to_write_a_board(void **state)
{
	static const char *const same[] = {
		"283104765",
		"2 8 3 1 0 4 7 6 5",
		"2,8,3,1,x,4,7,6,5",
		"283/1X4/765",
		"283\r\n1_4\r\n765\r\n",
		"\n\n2\t8\t3\n\n1 . 4\n\n\n7 6 5\n\n",
		"\xEF\xBB\xBF"
		"2831*4765",
		"2\xC2\xA0"
		"8\xC2\xA0"
		"3\xC2\xA0\n104765",
		"  283104765  ",
	};

	(void)state;
	naive_same(same, NAIVE_COUNT(same));
}

static void refuses_what_is_no_board(void **state)
{
	static const struct naive_bad bad[] = {
		{"", 0, "empty"},
		{" \r\n\t", 0, "empty"},
		{"12345678", 0, "8 cells"},
		{"1234567801", 10, "more cells"},
		{"123456780 8", 11, "more cells"},
		{"123450780", 9, "second blank; the first is at byte 6"},
		{"12x45678_", 9, "second blank"},
		{"111222330", 2, "tile 1 is repeated; it is also at byte 1"},
		{"1 2 3 4 5 5 7 8 0", 11, "tile 5 is repeated; it is also at byte 9"},
		{"123456789", 9, "'9' is not a cell"},
		{"12a456780", 3, "'a' is not a cell"},
		{"I3 123465780", 1, "'I' is not a cell"},
		{"[1,2,3]", 1, "'[' is not a cell"},
		{"123456\x1b[0m", 7, "byte 0x1B is not a cell"},
		{"123\xEF\xBC\x91", 4, "byte 0xEF is not a cell"},
		{"1234567\xC2", 8, "byte 0xC2 is not a cell"},
		{"\xEF\xBB", 1, "byte 0xEF is not a cell"},
		{"-1 2 3", 1, "'-' is not a cell"},
	};

	(void)state;
	naive_refuses(bad, NAIVE_COUNT(bad), "123456780");
}

/* NUL is a byte like any other, and the text need not end in one. */
static void reads_no_further_than_the_text(void **state)
{
	char text[9] = {'1', '2', '3', '4', '5', '6', '7', '8', '0'};
	struct pz_job job = naive_job(&h, "", NULL);
	struct pz_error error;

	(void)state;
	job.board = (struct pz_text){text, sizeof(text)};
	assert_int_equal(h.plugin->check(h.self, &job, &error), 0);
	job.board.len = 8;
	assert_int_equal(h.plugin->check(h.self, &job, &error), -1);
	text[4] = '\0';
	job.board.len = 9;
	assert_int_equal(h.plugin->check(h.self, &job, &error), -1);
	assert_int_equal(error.position, 5);
}

static void a_bad_goal_leaves_the_next_job_alone(void **state)
{
	struct pz_error error;

	(void)state;
	assert_int_equal(naive_length(&h, "283104765", "123804765"), 4);
	assert_int_equal(naive_check(&h, "283104765", "123804766", &error), -1);
	assert_int_equal(naive_length(&h, "283104765", "123804765"), 4);
	assert_int_equal(naive_length(&h, "123456780", NULL), 0);
}

static void opens_with_another_goal(void **state)
{
	struct naive_host other = {0};
	struct pz_error error;

	(void)state;
	assert_int_equal(naive_open(&other, h.plugin, "1 2 3 8 _ 4 7 6 5", &error), 0);
	assert_int_equal(naive_length(&other, "283104765", NULL), 4);
	assert_int_equal(naive_length(&other, "123456870", NULL), 8);
	naive_close(&other);
	assert_int_equal(naive_open(&other, h.plugin, "123", &error), -1);
	assert_non_null(strstr(error.reason, "goal: 3 cells"));
}

static void a_limit_accepts_n_and_refuses_less(void **state)
{
	static const char *const algorithms[] = {"auto",  "table", "ida",
						 "astar", "bfs",   "bidirectional"};
	unsigned i;

	(void)state;
	for (i = 0; i < NAIVE_COUNT(algorithms); i++)
		naive_limits(algorithms[i], "867254301", NULL, 31);
}

static void the_hardest_boards_without_a_table(void **state)
{
	(void)state;
	assert_int_equal(naive_cost_by("ida", "manhattan", "867254301", NULL), 31);
	assert_int_equal(naive_cost_by("ida", "manhattan", "647850321", NULL), 31);
	assert_int_equal(naive_cost_by("ida", "manhattan", "587106324", "123804765"), 30);
	assert_int_equal(naive_cost_by("ida", "misplaced", "724506831", NULL), 20);
	assert_int_equal(naive_cost_by("ida", "none", "283104765", "123804765"), 4);
}

static void tells_its_iterations(void **state)
{
	const struct naive_answer *answer = naive_by("ida", NULL, "867254301", NULL);
	uint64_t sum = 0;
	unsigned i;

	(void)state;
	assert_true(answer->result.iteration_count > 1);
	for (i = 0; i < answer->result.iteration_count; i++) {
		sum += answer->iterations[i].expanded;
		if (i > 0) /* a move changes the distance by one, and f by 0 or 2 */
			assert_int_equal(answer->iterations[i].bound,
					 answer->iterations[i - 1].bound + 2);
	}
	assert_int_equal(answer->iterations[i - 1].bound, 31);
	assert_int_equal(sum, answer->result.stats.expanded);
	assert_true(answer->result.stats.generated > sum);
}

static void the_blank_does_not_count(void **state)
{
	unsigned i;

	(void)state;
	for (i = 0; h.plugin->heuristics[i] != NULL; i++)
		assert_in_range(naive_estimate(h.plugin->heuristics[i], "102345678", "012345678"),
				0, 1);
	assert_int_equal(naive_estimate("manhattan", "867254301", NULL), 21);
}

static void names_its_moves(void **state)
{
	char name[8];
	unsigned id;

	(void)state;
	assert_int_equal(h.plugin->moves, 4);
	for (id = 0; id < 4; id++) {
		assert_int_equal(h.plugin->move_name(0, id, name, sizeof(name)), 0);
		assert_int_equal(name[0], "udlr"[id]);
		assert_int_equal(h.plugin->move_name(1, id, name, sizeof(name)), 0);
		assert_int_equal(name[0], "durl"[id]);
	}
	assert_int_equal(h.plugin->move_name(0, 4, name, sizeof(name)), -1);
	assert_int_equal(h.plugin->move_name(0, 0, name, 1), -1);
}

/* The blank's moves, one by one, and what replay says of a wrong one. */
static void replays_by_the_rules(void **state)
{
	static const uint16_t none[] = {4};
	const struct naive_played *played;
	struct pz_replay replay = {.size = sizeof(replay)};
	struct pz_job job = naive_job(&h, "283104765", "123804765");
	char final[PZ_BOARD_MAX];

	(void)state;
	played = naive_replay("283104765", "123804765", "u l d r");
	assert_true(played->replay.legal && played->replay.solved);
	assert_int_equal(played->replay.cost, 4);
	assert_string_equal(played->final, "123804765");
	played = naive_replay("283104765", "123804765", "u l d");
	assert_true(played->replay.legal && !played->replay.solved);
	played = naive_replay("283104765", "123804765", "u u u");
	assert_false(played->replay.legal);
	assert_int_equal(played->replay.done, 1);
	replay.final = (struct pz_buffer){final, sizeof(final), 0};
	h.plugin->replay(h.self, &job, none, 1, &replay);
	assert_false(replay.legal);
	assert_int_equal(replay.done, 0);
}

static void tells_neighbours_and_draws(void **state)
{
	struct pz_job job = naive_job(&h, "123456780", NULL);
	char text[PZ_RENDER_MAX];
	struct pz_buffer out = {text, sizeof(text), 0}, small = {text, 20, 0};

	(void)state;
	assert_string_equal(naive_neighbours("123456780"), "u 1 123450786; l 1 123456708; ");
	assert_int_equal(h.plugin->render(h.self, &job, &out), 0);
	assert_true(out.len > 100 && out.data[out.len - 1] == '\n');
	assert_int_equal(h.plugin->render(h.self, &job, &small), -1);
}

static void generates_boards(void **state)
{
	static const int lengths[] = {0, 1, 2, 10, 18, 29, 30};
	char text[PZ_BOARD_MAX + 1];
	struct pz_error error;
	unsigned i;

	(void)state;
	naive_generates("123804765", 50, 30);
	for (i = 0; i < NAIVE_COUNT(lengths); i++) {
		assert_int_equal(naive_generate("123804765", i, lengths[i], text, &error), 0);
		assert_int_equal(naive_length(&h, text, "123804765"), lengths[i]);
	}
	assert_int_equal(naive_generate("123804765", 1, 32, text, &error), -1);
	assert_non_null(strstr(error.reason, "31"));
}

/* Two boards of 181440 are that far, and most dead ends of a climb are not among them. */
static void generates_the_hardest_boards(void **state)
{
	char text[PZ_BOARD_MAX + 1];
	struct pz_error error;
	unsigned seed;

	(void)state;
	for (seed = 0; seed < 20; seed++) {
		assert_int_equal(naive_generate("123456780", seed, 31, text, &error), 0);
		assert_true(strcmp(text, "867254301") == 0 || strcmp(text, "647850321") == 0);
	}
}

/* Going up and down for a board of a rare length may take long, so it asks whether it should. */
static void making_a_board_can_be_stopped(void **state)
{
	struct pz_job job = naive_job(&h, "", "123456780");
	char text[64];
	struct pz_error error;
	struct pz_buffer out = {text, sizeof(text), 0};

	(void)state;
	h.polls = 0;
	assert_int_equal(h.plugin->generate(h.self, &job, 1, 31, &out, &error), 0);
	assert_in_range(h.polls, 31, 100000);
	h.polls = 0;
	h.stop_after = 5;
	out.len = 0;
	assert_int_equal(h.plugin->generate(h.self, &job, 1, 31, &out, &error), -1);
	assert_int_equal(h.polls, 5);
	h.stop_after = 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_lengths),
		cmocka_unit_test(boards_that_people_got_wrong),
		cmocka_unit_test(many_ways_to_write_a_board),
		cmocka_unit_test(refuses_what_is_no_board),
		cmocka_unit_test(reads_no_further_than_the_text),
		cmocka_unit_test(a_bad_goal_leaves_the_next_job_alone),
		cmocka_unit_test(opens_with_another_goal),
		cmocka_unit_test(a_limit_accepts_n_and_refuses_less),
		cmocka_unit_test(the_hardest_boards_without_a_table),
		cmocka_unit_test(tells_its_iterations),
		cmocka_unit_test(the_blank_does_not_count),
		cmocka_unit_test(names_its_moves),
		cmocka_unit_test(replays_by_the_rules),
		cmocka_unit_test(tells_neighbours_and_draws),
		cmocka_unit_test(generates_boards),
		cmocka_unit_test(generates_the_hardest_boards),
		cmocka_unit_test(making_a_board_can_be_stopped),
	};

	return NAIVE_RUN("8puzzle.so", tests);
}
