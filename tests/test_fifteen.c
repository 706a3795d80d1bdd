/* SPDX-License-Identifier: MIT */
/* 15puzzle.so: text, goals, heuristics, tables, and what people get wrong. */
#include "tests/naive_puzzle.h"
#include "tests/naive_sliding.h"

#define USUAL "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"

/* `h` has the small databases; these are before they are built, and without any. */
static struct naive_host waiting, bare;
static void *content;

static int set_up(void **state)
{
	const struct pz_plugin *plugin = naive_load("15puzzle.so");
	struct pz_table table;
	struct pz_error error;
	bool ready;

	(void)state;
	bare.option = "tables";
	bare.option_text = "none";
	if (naive_open(&waiting, plugin, NULL, &error) != 0 ||
	    naive_open(&bare, plugin, NULL, &error) != 0 ||
	    plugin->tables(waiting.self, &table, &ready, 1) != 1 || ready)
		return -1;
	content = malloc(table.bytes);
	if (content == NULL ||
	    plugin->build_table(waiting.self, &table, content, &waiting.host, &error) != 0)
		return -1;
	h.table = content;
	h.table_is = table;
	return naive_open(&h, plugin, NULL, &error);
}

static int tear_down(void **state)
{
	(void)state;
	naive_close(&h);
	naive_close(&waiting);
	naive_close(&bare);
	free(content);
	return 0;
}

static unsigned estimate(struct naive_host *host, const char *heuristic, const char *board,
			 const char *goal)
{
	struct pz_job job = naive_job(host, board, goal);

	job.heuristic = naive_choice(host->plugin->heuristics, heuristic);
	return (unsigned)host->plugin->estimate(host->self, &job);
}

static void published_lengths(void **state)
{
	FILE *file = fopen(PZ_TEST_DATA "/sliding-lengths.tsv", "r");
	char line[256], board[128];
	int length, tried = 0;
	unsigned i, cells;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		if (line[0] == '#' || sscanf(line, "%127[^\t]\t%d", board, &length) != 2)
			continue;
		for (i = 0, cells = 1; board[i] != '\0'; i++)
			cells += board[i] == ' ' || board[i] == '/';
		/* Those that take a search of seconds are in test_fifteen_korf.c. */
		if (cells != 16 || length > 60)
			continue;
		if (naive_length(&h, board, NULL) != length)
			fail_msg("%s is %d", board, length);
		tried++;
	}
	fclose(file);
	assert_true(tried > 55);
}

static void boards_that_people_got_wrong(void **state)
{
	static const struct naive_known known[] = {
		{USUAL, NULL, 0},
		{"1 2 3 7/12 8 15 4/13 10 11 5/9 6 14 0", NULL, -1},
		{"1 2 3 4/5 6 7 8/9 10 11 0/13 14 15 12", NULL, 1}, /* the even width's parity */
		{"1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", NULL, -1},
		{"15 14 13 12/11 10 9 8/7 6 5 4/3 2 1 0", NULL, -1},
		{"2 3 4 0/1 5 7 8/9 6 10 12/13 14 11 15", NULL, 9},
		{"13 1 2 4/5 0 3 7/9 6 10 12/15 8 11 14", NULL, -1},
		{"2 1 4 3/5 6 7 8/9 10 11 12/13 14 15 0", NULL, 28},
		{"15 14 1 6/9 11 4 12/0 10 7 3/13 8 5 2", NULL, 52},
		{"14 7 8 2/13 11 10 4/9 12 5 0/3 6 1 15", "0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15",
		 59},
		{"14 7 8 2/13 11 10 4/9 12 5 0/3 6 1 15", NULL, -1},
	};

	(void)state;
	naive_knows(known, NAIVE_COUNT(known));
}

/* Several conflicts in one row: all are counted, and none of them twice. */
static void counts_conflicts_right(void **state)
{
	char text[80];
	unsigned seed = 7, walk, step;

	(void)state;
	assert_int_equal(estimate(&bare, "conflict", "2 1 4 3/5 6 7 8/9 10 11 12/13 14 15 0", NULL),
			 8);
	assert_int_equal(
		estimate(&bare, "manhattan", "2 1 4 3/5 6 7 8/9 10 11 12/13 14 15 0", NULL), 4);
	/* Three tiles the wrong way round: two must leave the row, not three. */
	assert_int_equal(estimate(&bare, "conflict", "3 2 1 4/5 6 7 8/9 10 11 12/13 14 15 0", NULL),
			 4 + 4);
	assert_int_equal(estimate(&bare, "conflict", "4 3 2 1/5 6 7 8/9 10 11 12/13 14 15 0", NULL),
			 8 + 6);
	for (walk = 0; walk < 300; walk++) {
		uint8_t tiles[16];

		for (step = 0; step < 16; step++)
			tiles[step] = (uint8_t)((step + 1) % 16);
		for (step = 0; step < walk; step++)
			naive_slide(tiles, 4, 4,
				    (int)((seed = seed * 1103515245 + 12345) >> 16 & 3));
		naive_slide_text(tiles, 4, 4, text);
		assert_int_equal(estimate(&bare, "conflict", text, NULL),
				 naive_slide_conflicts(tiles, 4, 4));
	}
}

/* Along paths of every goal's kind: h is kept by increment as it would be afresh, and never
 * jumps. */
static void consistent_where_it_says_so(void **state)
{
	static const char *const goals[] = {NULL, "0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15",
					    "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7"};
	static const char *const heuristics[] = {"conflict", "manhattan", "misplaced"};
	unsigned g, i, step, seed = 3;

	(void)state;
	for (g = 0; g < 3; g++) {
		uint8_t tiles[16] = {5, 1, 2, 3, 9, 6, 7, 4, 0, 13, 10, 8, 14, 15, 11, 12};
		unsigned before[3] = {0};
		char text[80];

		for (step = 0; step < 400; step++) {
			if (!naive_slide(tiles, 4, 4,
					 (int)((seed = seed * 1103515245 + 12345) >> 16 & 3)))
				continue;
			naive_slide_text(tiles, 4, 4, text);
			for (i = 0; i < 3; i++) {
				unsigned now = estimate(&bare, heuristics[i], text, goals[g]);

				if (before[i] != 0)
					assert_in_range(now + 1 - before[i], 0, 2);
				before[i] = now;
			}
		}
	}
}

static void law_holds(void *arg, const struct pz_law *law)
{
	unsigned *told = arg;

	if (law->broken != NULL)
		fail_msg("%s: %s", law->name, law->broken);
	(*told)++;
}

/* With the databases, which check-plugin has not: the search's short cuts say what h says. */
static void keeps_its_laws_with_tables(void **state)
{
	struct pz_job job = naive_job(&h, "15 14 1 6/9 11 4 12/0 10 7 3/13 8 5 2", NULL);
	unsigned told = 0, seed;

	(void)state;
	job.heuristic = naive_choice(h.plugin->heuristics, "pdb");
	for (seed = 0; seed < 20; seed++)
		h.plugin->self_test(h.self, &job, seed, law_holds, &told);
	assert_true(told > 20);
}

static void algorithms_and_heuristics_agree(void **state)
{
	static const struct {
		const char *algorithm, *heuristic;
		int most; /* moves that it can be asked for */
	} by[] = {{"auto", "pdb", 40},          {"astar", "pdb", 40},
		  {"astar", "conflict", 36},    {"ida", "conflict", 40},
		  {"ida", "manhattan", 36},     {"ida", "misplaced", 20},
		  {"astar", "manhattan", 30},   {"astar", "misplaced", 20},
		  {"bidirectional", "pdb", 28}, {"bfs", "pdb", 14}};
	struct pz_job job = naive_job(&h, "", NULL);
	unsigned i, n, tried = 0;

	(void)state;
	for (n = 0; n < 24; n++) {
		uint8_t tiles[16];
		char text[80];
		unsigned step, seed = n + 1;
		int length;

		for (step = 0; step < 16; step++)
			tiles[step] = (uint8_t)((step + 1) % 16);
		for (step = 0; step < 6 * n; step++)
			naive_slide(tiles, 4, 4,
				    (int)((seed = seed * 1103515245 + 12345) >> 16 & 3));
		naive_slide_text(tiles, 4, 4, text);
		length = naive_cost_by("ida", "pdb", text, NULL);
		for (i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
			if (length > by[i].most)
				continue;
			if (naive_cost_by(by[i].algorithm, by[i].heuristic, text, NULL) != length)
				fail_msg("%s %s: %s is %d", by[i].algorithm, by[i].heuristic, text,
					 length);
			tried++;
		}
	}
	assert_true(tried > 100);
	assert_int_equal(job.algorithm, 0);
}

/* A goal with its blank in any corner is served by the same databases. */
static void any_corner_and_any_labels(void **state)
{
	static const struct {
		const char *board, *goal;
	} same[] = {
		/* One board, mirrored left and right, top and bottom, and both. */
		{"15 14 1 6/9 11 4 12/0 10 7 3/13 8 5 2", USUAL},
		{"6 1 14 15/12 4 11 9/3 7 10 0/2 5 8 13", "4 3 2 1/8 7 6 5/12 11 10 9/0 15 14 13"},
		{"13 8 5 2/0 10 7 3/9 11 4 12/15 14 1 6", "13 14 15 0/9 10 11 12/5 6 7 8/1 2 3 4"},
		{"2 5 8 13/3 7 10 0/12 4 11 9/6 1 14 15", "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1"},
		/* Other names for the tiles. */
		{"1 2 15 10/7 5 12 4/0 6 9 13/3 8 11 14", "15 14 13 12/11 10 9 8/7 6 5 4/3 2 1 0"},
	};
	static struct naive_answer answer;
	unsigned i, pdb = 0;

	(void)state;
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		struct pz_job job = naive_job(&h, same[i].board, same[i].goal);

		naive_solve(&h, &job, &answer);
		assert_int_equal(answer.result.status, PZ_SOLVED);
		assert_int_equal(answer.result.length, 52);
		assert_string_equal(answer.final, same[i].goal);
		assert_int_equal(answer.result.stats.heuristic, 0);
		if (i == 0)
			pdb = estimate(&h, "pdb", same[i].board, same[i].goal);
		assert_int_equal(estimate(&h, "pdb", same[i].board, same[i].goal), pdb);
	}
}

/* With the goal's blank elsewhere there is no database: conflicts serve, and it says so. */
static void other_goals_by_conflicts(void **state)
{
	static const char spiral[] = "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7";
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, "1 2 3 4/12 13 14 5/11 15 6 7/10 9 8 0", spiral);

	(void)state;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_SOLVED);
	assert_int_equal(answer.result.length, 3);
	assert_string_equal(answer.final, spiral);
	assert_string_equal(h.plugin->heuristics[answer.result.stats.heuristic], "conflict");
	assert_int_equal(naive_length(&h, "1 2 3 4/12 13 14 5/11 15 6 0/10 9 7 8", spiral), -1);
	/* Not put off to a table that would not help. */
	job = naive_job(&waiting, "4 3 2 1/12 13 14 5/11 15 6 7/0 9 8 10", spiral);
	job.search_ms = 1;
	waiting.stop_after = 40;
	naive_solve(&waiting, &job, &answer);
	waiting.stop_after = 0;
	assert_int_not_equal(answer.result.status, PZ_WAIT);
}

static void waits_for_its_table(void **state)
{
	static const char hard[] = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
	static struct naive_answer answer;
	struct pz_job job = naive_job(&waiting, hard, NULL);

	(void)state;
	job.search_ms = 20;
	naive_solve(&waiting, &job, &answer);
	assert_int_equal(answer.result.status, PZ_WAIT);
	assert_in_range(answer.result.lower_bound, 50, 80);
	/* An easy board need not wait. */
	job = naive_job(&waiting, "1 2 3 4/5 6 0 8/9 10 7 11/13 14 15 12", NULL);
	job.search_ms = 20;
	naive_solve(&waiting, &job, &answer);
	assert_int_equal(answer.result.status, PZ_SOLVED);
	assert_int_equal(answer.result.length, 3);
	/* Nor does a search that was asked for by name, or one without tables. */
	job = naive_job(&waiting, hard, NULL);
	job.search_ms = 1;
	job.algorithm = naive_choice(h.plugin->algorithms, "ida");
	waiting.stop_after = 40;
	naive_solve(&waiting, &job, &answer);
	waiting.stop_after = 0;
	assert_int_equal(answer.result.status, PZ_STOPPED);
	assert_in_range(answer.result.lower_bound, 50, 80);
	job = naive_job(&bare, hard, NULL);
	job.search_ms = 1;
	bare.stop_after = 40;
	naive_solve(&bare, &job, &answer);
	bare.stop_after = 0;
	assert_int_equal(answer.result.status, PZ_STOPPED);
}

static void tells_its_tables(void **state)
{
	struct naive_host large = {.option = "tables", .option_text = "large"};
	struct pz_table table, other;
	struct pz_error error;
	bool ready;

	(void)state;
	assert_int_equal(h.plugin->tables(h.self, &table, &ready, 1), 1);
	assert_true(ready && table.bytes <= (size_t)16 << 20);
	assert_int_equal(h.plugin->tables(waiting.self, &table, &ready, 1), 1);
	assert_false(ready);
	assert_int_equal(h.plugin->tables(bare.self, &other, &ready, 1), 0);
	assert_int_equal(h.plugin->build_table(bare.self, &table, content, NULL, &error), -1);
	assert_int_equal(naive_open(&large, h.plugin, NULL, &error), 0);
	assert_int_equal(h.plugin->tables(large.self, &other, &ready, 1), 1);
	assert_string_not_equal(other.name, table.name);
	assert_in_range(other.bytes, 190000000, 200000000);
	assert_true(other.build_bytes <= (size_t)4 << 30);
	assert_int_equal(h.plugin->build_table(large.self, &table, content, NULL, &error), -1);
	naive_close(&large);
}

/*
 * Whether a table is as it was built is for `tables verify` to say.  Of a search with one that is
 * not, nothing is expected but that it keeps to its memory, and stops when it is told.
 */
static void survives_a_spoilt_table(void **state)
{
	static const char *const boards[] = {"15 14 1 6/9 11 4 12/0 10 7 3/13 8 5 2",
					     "2 1 4 3/5 6 7 8/9 10 11 12/13 14 15 0",
					     "2 3 4 0/1 5 7 8/9 6 10 12/13 14 11 15"};
	static const unsigned every[] = {1, 10, 100, 1000}; /* one byte of so many */
	static struct naive_answer answer;
	uint8_t *spoilt = malloc(h.table_is.bytes);
	struct naive_host host = {.table = spoilt, .table_is = h.table_is};
	struct pz_error error;
	unsigned seed = 9, i, k;
	size_t at;

	(void)state;
	assert_non_null(spoilt);
	assert_int_equal(naive_open(&host, h.plugin, NULL, &error), 0);
	host.stop_after = 500;
	for (k = 0; k < sizeof(every) / sizeof(every[0]); k++) {
		memcpy(spoilt, content, h.table_is.bytes);
		for (at = 0; at < h.table_is.bytes; at += every[k])
			spoilt[at] ^= (uint8_t)((seed = seed * 1103515245 + 12345) >> 16);
		for (i = 0; i < sizeof(boards) / sizeof(boards[0]); i++) {
			struct pz_job job = naive_job(&host, boards[i], NULL);

			job.algorithm = naive_choice(h.plugin->algorithms, "ida");
			naive_solve(&host, &job, &answer);
			assert_int_not_equal(answer.result.status, PZ_UNSOLVABLE);
			assert_in_range(host.polls, 0, 500);
		}
	}
	naive_close(&host);
	free(spoilt);
}

static void honours_its_memory(void **state)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, "14 7 8 2/13 11 10 4/9 12 5 0/3 6 1 15",
				      "0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15");

	(void)state;
	job.algorithm = naive_choice(h.plugin->algorithms, "astar");
	job.memory = 1 << 20;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_MEMORY);
	assert_in_range(answer.result.stats.memory, 1 << 19, 1 << 20);
	assert_in_range(answer.result.lower_bound, 40, 59);
	job.memory = (size_t)1 << 28;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_SOLVED);
	assert_int_equal(answer.result.length, 59);
}

static void a_limit_accepts_n_and_refuses_less(void **state)
{
	(void)state;
	naive_limits("auto", "15 14 1 6/9 11 4 12/0 10 7 3/13 8 5 2", NULL, 52);
}

static void many_ways_to_write_a_board(void **state)
{
	static const char *const same[] = {
		"1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15",
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15",
		"1,2,3,4,5,6,7,8,9,10,11,12,13,14,x,15",
		"1 2 3 4/5 6 7 8/9 10 11 12/13 14 _ 15",
		"\xEF\xBB\xBF 1  2  3  4\r\n 5  6  7  8\r\n 9 10 11 12\r\n13 14  . 15\r\n",
		"01\t02\t03\t04\n\n05 06 07 08\n09\xC2\xA0 10 11 12\n13 14 00 15",
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 * 15\r",
		"1 2 3 4 5 6 7 8\n9 10 11 12 13 14 0 15\n", /* however it is divided */
		"1 2/3 4 5 6 7 8 9 10 11 12 13 14 0 15",
	};

	(void)state;
	naive_same(same, NAIVE_COUNT(same));
}

static void refuses_what_is_no_board(void **state)
{
	static const struct naive_bad bad[] = {
		{"", 0, "empty"},
		{" / \n", 0, "empty"},
		{"1 2 3", 0, "3 cells"},
		{"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 0", 39, "more cells than the 16"},
		{"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", 37,
		 "no blank (0 x X _ . or *), and tile 16 is one too many"},
		{"1 2 3 4 5 6 7 8 9 10 11 12 13 14 16 0", 34,
		 "no tile 16 on a board of 16 cells: the greatest is 15"},
		{"1234 5678 9101112 1314150", 1, "no tile over 1000; write spaces between tiles"},
		{"1", 0, "1 cell where"},
		{"1 2 3 4 5 6 7 8 9 10 11 12 13 14 99999999999 0", 34, "no tile over 1000"},
		{"1 2 3 4 5 6 7 8 9 10 10 12 13 14 15 0", 22,
		 "tile 10 is repeated; it is also at byte 19"},
		{"1 2 3 4 5 6 7 8 9 10 x 12 13 14 15 0", 36,
		 "second blank; the first is at byte 22"},
		{"1 2 3 4 5 6 7 8 9 A B C D E F 0", 19, "'A' is not a cell"},
		{"-1 2", 1, "'-' is not a cell"},
		{"1 2\xC2", 4, "byte 0xC2 is not a cell"},
		{"1 2\x1b[0m", 4, "byte 0x1B is not a cell"},
	};

	(void)state;
	naive_refuses(bad, NAIVE_COUNT(bad), USUAL);
}

/* The text's up is up, whatever the search does with mirrors. */
static void replays_by_the_rules(void **state)
{
	static const uint16_t path[] = {0, 2, 1, 3}, wall[] = {3}, none[] = {4};
	char final[PZ_BOARD_MAX];
	struct pz_replay replay = {.size = sizeof(replay), .final = {final, sizeof(final), 0}};
	struct pz_job job = naive_job(&h, USUAL, NULL);

	(void)state;
	h.plugin->replay(h.self, &job, path, 4, &replay);
	assert_true(replay.legal && !replay.solved);
	final[replay.final.len] = '\0';
	assert_string_equal(final, "1 2 3 4/5 6 7 8/9 10 15 11/13 14 12 0");
	replay.final.len = 0;
	h.plugin->replay(h.self, &job, wall, 1, &replay);
	assert_false(replay.legal);
	replay.final.len = 0;
	h.plugin->replay(h.self, &job, none, 1, &replay);
	assert_false(replay.legal);
}

static void generates_and_draws(void **state)
{
	struct pz_job job = naive_job(&h, "", NULL);
	char text[80], drawn[PZ_RENDER_MAX];
	struct pz_error error;
	unsigned seed;

	(void)state;
	for (seed = 0; seed < 5; seed++) {
		struct pz_buffer out = {text, sizeof(text) - 1, 0},
				 picture = {drawn, sizeof(drawn), 0};
		struct pz_job made;

		assert_int_equal(h.plugin->generate(h.self, &job, seed, -1, &out, &error), 0);
		text[out.len] = '\0';
		assert_in_range(naive_length(&h, text, NULL), 20, 80);
		made = naive_job(&h, text, NULL);
		assert_int_equal(h.plugin->render(h.self, &made, &picture), 0);
		assert_true(picture.len > 200);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_lengths),
		cmocka_unit_test(boards_that_people_got_wrong),
		cmocka_unit_test(counts_conflicts_right),
		cmocka_unit_test(consistent_where_it_says_so),
		cmocka_unit_test(keeps_its_laws_with_tables),
		cmocka_unit_test(algorithms_and_heuristics_agree),
		cmocka_unit_test(any_corner_and_any_labels),
		cmocka_unit_test(other_goals_by_conflicts),
		cmocka_unit_test(waits_for_its_table),
		cmocka_unit_test(tells_its_tables),
		cmocka_unit_test(survives_a_spoilt_table),
		cmocka_unit_test(honours_its_memory),
		cmocka_unit_test(a_limit_accepts_n_and_refuses_less),
		cmocka_unit_test(many_ways_to_write_a_board),
		cmocka_unit_test(refuses_what_is_no_board),
		cmocka_unit_test(replays_by_the_rules),
		cmocka_unit_test(generates_and_draws),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("15puzzle", tests, set_up, tear_down);
}
