/* SPDX-License-Identifier: MIT */
/* 8puzzle.so: text, limits, moves, and what people get wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/naive_host.h"

static struct naive_host h;

static int set_up(void **state)
{
	struct pz_error error;

	(void)state;
	return naive_open(&h, naive_load("8puzzle.so"), NULL, &error);
}

static int tear_down(void **state)
{
	(void)state;
	naive_close(&h);
	return 0;
}

static int length_by(const char *algorithm, const char *heuristic, const char *board,
		     const char *goal)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, board, goal);

	job.algorithm = naive_choice(h.plugin->algorithms, algorithm);
	job.heuristic = naive_choice(h.plugin->heuristics, heuristic);
	naive_solve(&h, &job, &answer);
	return answer.result.status == PZ_SOLVED ? (int)answer.result.length : -1;
}

static void published_lengths(void **state)
{
	FILE *file = fopen(PZ_TEST_DATA "/eight-lengths.tsv", "r");
	char line[256], board[64], goal[64];
	int length, tried = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		if (line[0] == '#')
			continue;
		assert_int_equal(sscanf(line, "%63s %63s %d", board, goal, &length), 3);
		assert_int_equal(naive_length(&h, board, goal), length);
		tried++;
	}
	fclose(file);
	assert_true(tried > 400);
}

/* Boards that other programs are known to have got wrong. */
static void boards_that_people_got_wrong(void **state)
{
	static const struct {
		const char *board, *goal;
		int length; /* -1: unsolvable */
	} known[] = {
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
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (naive_length(&h, known[i].board, known[i].goal) != known[i].length)
			fail_msg("%s is %d", known[i].board, known[i].length);
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
	static struct naive_answer answer;
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		struct pz_job job = naive_job(&h, same[i], same[i]);

		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_SOLVED);
		assert_int_equal(answer.result.length, 0);
		assert_string_equal(answer.final, "283104765");
	}
}

static void refuses_what_is_no_board(void **state)
{
	static const struct {
		const char *board;
		size_t position;
		const char *says;
	} bad[] = {
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
	struct pz_error error;
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(naive_check(&h, bad[i].board, NULL, &error), -1);
		if (error.position != bad[i].position || strstr(error.reason, bad[i].says) == NULL)
			fail_msg("\"%s\": %zu %s", bad[i].board, error.position, error.reason);
		/* As a goal, the same fault is laid to the goal. */
		assert_int_equal(naive_check(&h, "123456780", bad[i].board, &error), -1);
		assert_int_equal(error.position, bad[i].position);
		assert_memory_equal(error.reason, "goal: ", 6);
		assert_non_null(strstr(error.reason, bad[i].says));
	}
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
	static struct naive_answer answer;
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++) {
		struct pz_job job = naive_job(&h, "867254301", NULL);

		job.algorithm = naive_choice(h.plugin->algorithms, algorithms[i]);
		job.max_length = 31;
		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_SOLVED);
		job.max_length = 30;
		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_LIMIT);
		assert_int_equal(answer.result.lower_bound, 31);
		job.max_length = -1;
		job.max_cost = 30;
		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_LIMIT);
		job.max_cost = 0;
		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_LIMIT);
		assert_in_range(answer.result.lower_bound, 1, 31);
	}
}

static void the_hardest_boards_without_a_table(void **state)
{
	(void)state;
	assert_int_equal(length_by("ida", "manhattan", "867254301", NULL), 31);
	assert_int_equal(length_by("ida", "manhattan", "647850321", NULL), 31);
	assert_int_equal(length_by("ida", "manhattan", "587106324", "123804765"), 30);
	assert_int_equal(length_by("ida", "misplaced", "724506831", NULL), 20);
	assert_int_equal(length_by("ida", "none", "283104765", "123804765"), 4);
}

static void tells_its_iterations(void **state)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, "867254301", NULL);
	uint64_t sum = 0;
	unsigned i;

	(void)state;
	job.algorithm = naive_choice(h.plugin->algorithms, "ida");
	naive_solve(&h, &job, &answer);
	assert_true(answer.result.iteration_count > 1);
	for (i = 0; i < answer.result.iteration_count; i++) {
		sum += answer.iterations[i].expanded;
		if (i > 0) /* a move changes the distance by one, and f by 0 or 2 */
			assert_int_equal(answer.iterations[i].bound,
					 answer.iterations[i - 1].bound + 2);
	}
	assert_int_equal(answer.iterations[i - 1].bound, 31);
	assert_int_equal(sum, answer.result.stats.expanded);
	assert_true(answer.result.stats.generated > sum);
}

static void the_blank_does_not_count(void **state)
{
	struct pz_job job = naive_job(&h, "102345678", "012345678");
	unsigned i;

	(void)state;
	for (i = 0; h.plugin->heuristics[i] != NULL; i++) {
		job.heuristic = i;
		assert_true(h.plugin->estimate(h.self, &job) <= 1);
	}
	job = naive_job(&h, "867254301", NULL);
	assert_int_equal(h.plugin->estimate(h.self, &job), 21);
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
	static const uint16_t path[] = {0, 2, 1, 3}; /* u l d r */
	static const uint16_t wall[] = {0, 0, 0};
	static const uint16_t none[] = {4};
	char final[PZ_BOARD_MAX];
	struct pz_replay replay = {.size = sizeof(replay), .final = {final, sizeof(final), 0}};
	struct pz_job job = naive_job(&h, "283104765", "123804765");

	(void)state;
	h.plugin->replay(h.self, &job, path, 4, &replay);
	assert_true(replay.legal && replay.solved);
	assert_int_equal(replay.cost, 4);
	assert_memory_equal(final, "123804765", 9);
	replay.final.len = 0;
	h.plugin->replay(h.self, &job, path, 3, &replay);
	assert_true(replay.legal && !replay.solved);
	replay.final.len = 0;
	h.plugin->replay(h.self, &job, wall, 3, &replay);
	assert_false(replay.legal);
	assert_int_equal(replay.done, 1);
	replay.final.len = 0;
	h.plugin->replay(h.self, &job, none, 1, &replay);
	assert_false(replay.legal);
	assert_int_equal(replay.done, 0);
}

static void count_neighbour(void *arg, const struct pz_neighbour *neighbour)
{
	char *seen = arg;

	assert_int_equal(neighbour->cost, 1);
	assert_int_equal(neighbour->board.len, 9);
	strncat(seen, neighbour->board.data, 9);
	strcat(seen, " ");
}

static void tells_neighbours_and_draws(void **state)
{
	struct pz_job job = naive_job(&h, "123456780", NULL);
	char text[PZ_RENDER_MAX], seen[64] = "";
	struct pz_buffer out = {text, sizeof(text), 0}, small = {text, 20, 0};

	(void)state;
	h.plugin->neighbours(h.self, &job, count_neighbour, seen);
	assert_string_equal(seen, "123450786 123456708 ");
	assert_int_equal(h.plugin->render(h.self, &job, &out), 0);
	assert_true(out.len > 100 && out.data[out.len - 1] == '\n');
	assert_int_equal(h.plugin->render(h.self, &job, &small), -1);
}

static void generates_boards(void **state)
{
	static const int lengths[] = {0, 1, 2, 10, 18, 29, 30};
	struct pz_job job = naive_job(&h, "", "123804765");
	char text[64], again[64];
	struct pz_error error;
	unsigned seed, i;

	(void)state;
	for (seed = 0; seed < 50; seed++) {
		struct pz_buffer out = {text, sizeof(text), 0}, out2 = {again, sizeof(again), 0};

		assert_int_equal(h.plugin->generate(h.self, &job, seed, -1, &out, &error), 0);
		text[out.len] = '\0';
		assert_in_range(naive_length(&h, text, "123804765"), 0, 30);
		assert_int_equal(h.plugin->generate(h.self, &job, seed, -1, &out2, &error), 0);
		assert_memory_equal(text, again, 9);
	}
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct pz_buffer out = {text, sizeof(text), 0};

		assert_int_equal(h.plugin->generate(h.self, &job, i, lengths[i], &out, &error), 0);
		text[out.len] = '\0';
		assert_int_equal(naive_length(&h, text, "123804765"), lengths[i]);
	}
	{
		struct pz_buffer out = {text, sizeof(text), 0};

		assert_int_equal(h.plugin->generate(h.self, &job, 1, 32, &out, &error), -1);
		assert_non_null(strstr(error.reason, "31"));
	}
}

/* Two boards of 181440 are that far, and most dead ends of a climb are not among them. */
static void generates_the_hardest_boards(void **state)
{
	struct pz_job job = naive_job(&h, "", "123456780");
	char text[64];
	struct pz_error error;
	unsigned seed;

	(void)state;
	for (seed = 0; seed < 20; seed++) {
		struct pz_buffer out = {text, sizeof(text), 0};

		assert_int_equal(h.plugin->generate(h.self, &job, seed, 31, &out, &error), 0);
		assert_true(memcmp(text, "867254301", 9) == 0 || memcmp(text, "647850321", 9) == 0);
	}
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
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("8puzzle", tests, set_up, tear_down);
}
