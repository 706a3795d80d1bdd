/* SPDX-License-Identifier: MIT */
/* knights.so against lengths from an independent breadth-first search, and against wrong input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/naive_host.h"

#define GOAL "11111/01111/00*11/00001/00000"

/* The two boards of the problem's statement: 7 moves, and more than 15. */
#define SAMPLE_7  "10110\n01*11\n10111\n01001\n00000\n"
#define SAMPLE_17 "01011\n110*1\n01110\n01010\n00100\n"

static struct naive_host h;

static int set_up(void **state)
{
	struct pz_error error;

	(void)state;
	return naive_open(&h, naive_load("knights.so"), NULL, &error);
}

static int tear_down(void **state)
{
	(void)state;
	naive_close(&h);
	return 0;
}

static void published_lengths(void **state)
{
	FILE *file = fopen(PZ_TEST_DATA "/knights-lengths.tsv", "r");
	static struct naive_answer answer;
	char line[256], board[64];
	int length, solved = 0, refused = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		struct pz_job job;

		if (line[0] == '#')
			continue;
		assert_int_equal(sscanf(line, "%63s %d", board, &length), 2);
		job = naive_job(&h, board, NULL);
		job.max_length = 15;
		naive_solve(&h, &job, &answer);
		if (length <= 15) {
			assert_int_equal(answer.result.status, PZ_SOLVED);
			assert_int_equal(answer.result.length, length);
			assert_string_equal(answer.final, GOAL);
			solved++;
		} else {
			assert_int_equal(answer.result.status, PZ_LIMIT);
			assert_in_range(answer.result.lower_bound, 16, length);
			refused++;
		}
	}
	fclose(file);
	assert_true(solved > 30 && refused > 30);
}

static void the_statement_s_boards(void **state)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, SAMPLE_17, NULL);

	(void)state;
	assert_int_equal(naive_length(&h, SAMPLE_7, NULL), 7);
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
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, SAMPLE_7, NULL);

	(void)state;
	job.max_length = 7;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_SOLVED);
	job.max_length = 6;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_LIMIT);
	assert_int_equal(answer.result.lower_bound, 7);
}

static void many_ways_to_write_a_board(void **state)
{
	static const char *const same[] = {
		SAMPLE_7,
		"1011001*11101110100100000",
		"10110/01*11/10111/01001/00000",
		"1 0 1 1 0\r\n0 1 x 1 1\r\n1 0 1 1 1\r\n0 1 0 0 1\r\n0 0 0 0 0\r\n",
		"\xEF\xBB\xBF"
		"10110,01_11,10111,01001,00000",
		"10110\xC2\xA0"
		"01.11\n\n10111\t01001\n00000",
		"10110 01X11 10111 01001 00000",
	};
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		assert_int_equal(naive_length(&h, same[i], NULL), 7);
}

static void refuses_what_is_no_board(void **state)
{
	static const struct {
		const char *board;
		size_t position;
		const char *says;
	} bad[] = {
		{"", 0, "empty"},
		{"10110\n01*11\n10111\n01001\n0000\n", 0, "24 cells"},
		{"10110\n01*11\n10111\n01001\n000000\n", 30, "more cells"},
		{"10110\n01211\n10111\n01001\n00000\n", 9, "'2' is not a cell"},
		{"10110\n01*11\n10*11\n01001\n00000\n", 15, "second blank; the first is at byte 9"},
		{"10110\n01111\n10111\n01001\n00000\n", 0, "no blank"},
		{"10110\n01*11\n10111\n01001\n00001\n", 0, "11 white (0) and 13 black (1)"},
	};
	struct pz_error error;
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(naive_check(&h, bad[i].board, NULL, &error), -1);
		if (error.position != bad[i].position || strstr(error.reason, bad[i].says) == NULL)
			fail_msg("\"%s\": %zu %s", bad[i].board, error.position, error.reason);
		assert_int_equal(naive_check(&h, GOAL, bad[i].board, &error), -1);
		assert_memory_equal(error.reason, "goal: ", 6);
	}
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
	struct pz_job job = naive_job(&h, "11111/01111/00111/00*00/00000", NULL);
	char final[PZ_BOARD_MAX], name[8];
	struct pz_replay replay = {.size = sizeof(replay), .final = {final, sizeof(final), 0}};
	uint16_t id;

	(void)state;
	for (id = 0; id < h.plugin->moves; id++)
		if (h.plugin->move_name(0, id, name, sizeof(name)) == 0 &&
		    strcmp(name, "a1c2") == 0)
			break;
	assert_true(id < h.plugin->moves);
	h.plugin->replay(h.self, &job, &id, 1, &replay);
	assert_true(replay.legal && !replay.solved);
	assert_int_equal(replay.final.len, 29);
	assert_memory_equal(final, "11111/01111/00111/00000/*0000", 29);
	/* Now the blank is elsewhere, so the same move is not legal again. */
	{
		uint16_t twice[] = {id, id};

		replay.final.len = 0;
		h.plugin->replay(h.self, &job, twice, 2, &replay);
		assert_false(replay.legal);
		assert_int_equal(replay.done, 1);
	}
}

static void estimates_are_never_too_long(void **state)
{
	struct pz_job job = naive_job(&h, SAMPLE_7, NULL);
	unsigned i;

	(void)state;
	for (i = 0; h.plugin->heuristics[i] != NULL; i++) {
		job = naive_job(&h, SAMPLE_7, NULL);
		job.heuristic = i;
		assert_in_range(h.plugin->estimate(h.self, &job), i == 0 ? 7 : 0, 7);
		job = naive_job(&h, GOAL, NULL);
		job.heuristic = i;
		assert_int_equal(h.plugin->estimate(h.self, &job), 0);
	}
}

static void generates_boards(void **state)
{
	struct pz_job job = naive_job(&h, "", NULL);
	char text[64];
	struct pz_error error;
	unsigned seed;

	(void)state;
	for (seed = 0; seed < 20; seed++) {
		struct pz_buffer out = {text, sizeof(text), 0};

		assert_int_equal(h.plugin->generate(h.self, &job, seed, -1, &out, &error), 0);
		text[out.len] = '\0';
		assert_int_equal(naive_check(&h, text, NULL, &error), 0);
	}
	{
		struct pz_buffer out = {text, sizeof(text), 0};

		assert_int_equal(h.plugin->generate(h.self, &job, 7, 12, &out, &error), -1);
		assert_non_null(strstr(error.reason, "only a table"));
		assert_int_equal(h.plugin->generate(h.self, &job, 7, 0, &out, &error), 0);
		assert_memory_equal(text, GOAL, 29);
	}
}

/* A board in the middle of nowhere: the search is stopped, and says what it has proved. */
static void stops_when_told(void **state)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, "00000/00000/00*11/11111/11111", NULL);

	(void)state;
	h.stop_after = 2;
	job.algorithm = naive_choice(h.plugin->algorithms, "ida");
	naive_solve(&h, &job, &answer);
	h.stop_after = 0;
	assert_int_equal(answer.result.status, PZ_STOPPED);
	assert_in_range(answer.result.lower_bound, 18, 39);
	assert_int_equal(answer.result.lower_bound, h.bound);
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

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("knights", tests, set_up, tear_down);
}
