/* SPDX-License-Identifier: MIT */
/* knights.so with its table: every board's value, and every search and bound against it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"
#include "plugins/knights_rank.h"
#include "tests/naive_host.h"
#include "tests/naive_knights.h"

#ifdef PZ_SANITIZED
enum { SLOWER = 20 }; /* so many times fewer boards where each takes longer */
#else
enum { SLOWER = 1 };
#endif

static struct naive_host plain; /* has no table */
static struct naive_host h;     /* has it */
static uint64_t *content;
static char table_name[PZ_NAME_MAX];
static struct naive_answer answer;

static int set_up(void **state)
{
	struct pz_error error;
	bool ready = true;

	(void)state;
	if (naive_open(&plain, naive_load("knights.so"), NULL, &error) != 0)
		return -1;
	if (plain.plugin->tables(plain.self, &h.table_is, &ready, 1) != 1 || ready)
		return -1;
	strcpy(table_name, h.table_is.name);
	h.table_is.name = table_name;
	content = malloc(h.table_is.bytes);
	if (content == NULL ||
	    plain.plugin->build_table(plain.self, &h.table_is, content, &plain.host, &error) != 0)
		return -1;
	h.table = content;
	return naive_open(&h, plain.plugin, NULL, &error);
}

static int tear_down(void **state)
{
	(void)state;
	naive_close(&h);
	naive_close(&plain);
	free(content);
	return 0;
}

/* ---- the table itself ---------------------------------------------------------------------- */

static unsigned value_of(uint32_t number)
{
	const uint64_t *pair = content + number / 64 * 2;

	return (unsigned)(pair[0] >> number % 64 & 1) | (unsigned)(pair[1] >> number % 64 & 1) << 1;
}

static struct knights_rank *numbers;
static uint8_t *distance;

/* Gives the neighbours of all boards at `depth` their distance; returns how many are new. */
static uint32_t spread(int depth)
{
	uint32_t number, found = 0;

	for (number = 0; number < KNIGHTS_BOARDS; number++) {
		uint32_t blank, black, to;
		int from[8], count, i;

		if (distance[number] != depth)
			continue;
		black = knights_unrank(numbers, number, &blank);
		count = naive_knights_from((int)blank, from);
		for (i = 0; i < count; i++) {
			uint32_t moved = black | (black >> from[i] & 1) << blank;

			to = knights_rank(numbers, moved & ~(UINT32_C(1) << from[i]),
					  (uint32_t)from[i]);
			if (distance[to] != UINT8_MAX)
				continue;
			distance[to] = (uint8_t)(depth + 1);
			found++;
		}
	}
	return found;
}

/* All distances, by the table's own numbers but other rules, and each of its values beside them. */
static void every_value(void **state)
{
	uint32_t black = 0, number;
	int depth, cell;

	(void)state;
	numbers = malloc(sizeof(*numbers));
	distance = malloc(KNIGHTS_BOARDS);
	assert_non_null(numbers);
	assert_non_null(distance);
	knights_rank_init(numbers);
	memset(distance, UINT8_MAX, KNIGHTS_BOARDS);
	for (cell = 0; cell < 25; cell++)
		black |= (uint32_t)(NAIVE_KNIGHTS_GOAL[cell] == '1') << cell;
	distance[knights_rank(numbers, black, 12)] = 0;
	for (depth = 0; depth < NAIVE_KNIGHTS_FARTHEST; depth++)
		assert_int_equal(spread(depth), naive_knights_histogram[depth + 1]);
	assert_int_equal(spread(depth), 0);
	for (number = 0; number < KNIGHTS_BOARDS; number++)
		if (value_of(number) != distance[number] % 3u)
			fail_msg("board %u is at %u", number, distance[number]);
	free(distance);
	free(numbers);
}

/* Every number is a board's, and no other's: the two directions undo each other. */
static void ranks_and_unranks(void **state)
{
	static struct knights_rank rank;
	uint32_t number, blank, black;

	(void)state;
	knights_rank_init(&rank);
	for (number = 0; number < KNIGHTS_BOARDS; number += SLOWER) {
		black = knights_unrank(&rank, number, &blank);
		if (__builtin_popcount(black) != 12 || black >> 25 != 0 || blank > 24 ||
		    (black >> blank & 1) || knights_rank(&rank, black, blank) != number)
			fail_msg("number %u is not a board's", number);
	}
}

static void a_table_serves_its_own_goal(void **state)
{
	struct naive_host other = {.table = content, .table_is = h.table_is};
	struct pz_error error;
	struct pz_table table;
	struct pz_job job;
	bool ready = false;

	(void)state;
	assert_int_equal(h.plugin->tables(h.self, &table, &ready, 1), 1);
	assert_true(ready);
	assert_int_equal(table.bytes, 16900976);
	assert_true(table.build_bytes < 64 << 20);
	job = naive_job(&h, NAIVE_KNIGHTS_GOAL, NULL);
	naive_solve(&h, &job, &answer);
	assert_string_equal(h.plugin->algorithms[answer.result.stats.algorithm], "table");
	/* Another goal has another table. */
	assert_int_equal(naive_open(&other, h.plugin, "111110111110*110000000000", &error), 0);
	assert_int_equal(other.plugin->tables(other.self, &table, &ready, 1), 1);
	assert_false(ready);
	assert_string_not_equal(table.name, h.table_is.name);
	assert_int_equal(
		other.plugin->build_table(other.self, &h.table_is, content, &other.host, &error),
		-1);
	naive_close(&other);
	/* A job with its own goal is searched for. */
	job = naive_job(&h, NAIVE_KNIGHTS_GOAL, "111110111110*110000000000");
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_SOLVED);
	assert_string_equal(h.plugin->algorithms[answer.result.stats.algorithm], "ida");
}

static void a_builder_can_be_stopped(void **state)
{
	struct pz_error error = {0};
	void *other = malloc(h.table_is.bytes);

	(void)state;
	assert_non_null(other);
	plain.stop_after = 3;
	plain.polls = 0;
	assert_int_equal(
		plain.plugin->build_table(plain.self, &h.table_is, other, &plain.host, &error), -1);
	plain.stop_after = 0;
	assert_non_null(strstr(error.reason, "stopped"));
	free(other);
}

/* ---- searches and bounds against it -------------------------------------------------------- */

static void every_search_agrees(void **state)
{
	/*
	 * Boards up to `most` moves, and so many of them as can be had in a fraction of a second.
	 */
	static const struct {
		const char *algorithm, *heuristic;
		int most;
		unsigned boards;
	} rows[] = {
		{"ida", "ball", 22, 1000},
		{"astar", "ball", 22, 1000},
		{"ida", "counts", 18, 1000},
		{"astar", "counts", 18, 1000},
		{"ida", "misplaced", 15, 1000},
		{"astar", "misplaced", 15, 1000},
		{"bidirectional", "ball", 18, 1000},
		{"bfs", "ball", 10, 1000},
		{"ida", "none", 10, 200},
		{"astar", "none", 10, 1000},
	};
	char board[64];
	struct pz_error error;
	unsigned i, k;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (k = 0; k < rows[i].boards / SLOWER; k++) {
			int length = (int)(k % (unsigned)(rows[i].most + 1));
			struct pz_job job = naive_job(&h, "", NULL);
			struct pz_buffer out = {board, sizeof(board), 0};

			assert_int_equal(h.plugin->generate(h.self, &job, k, length, &out, &error),
					 0);
			board[out.len] = '\0';
			job = naive_job(&plain, board, NULL);
			job.algorithm = naive_choice(h.plugin->algorithms, rows[i].algorithm);
			job.heuristic = naive_choice(h.plugin->heuristics, rows[i].heuristic);
			naive_solve(&plain, &job, &answer);
			assert_int_equal(answer.result.status, PZ_SOLVED);
			if ((int)answer.result.length != length)
				fail_msg("%s is %d, and %u by %s", board, length,
					 answer.result.length, rows[i].algorithm);
		}
	}
}

static uint64_t near[3]; /* of a neighbour's bounds: what the board's is, least, greatest */
static unsigned heuristic;

static void on_neighbour(void *arg, const struct pz_neighbour *neighbour)
{
	char board[64];
	struct pz_job job;
	uint64_t bound;

	(void)arg;
	memcpy(board, neighbour->board.data, neighbour->board.len);
	board[neighbour->board.len] = '\0';
	job = naive_job(&h, board, NULL);
	job.heuristic = heuristic;
	bound = h.plugin->estimate(h.self, &job);
	if (bound < near[1])
		near[1] = bound;
	if (bound > near[2])
		near[2] = bound;
}

/* The bounds never pass the length; counts and ball have its parity and change by one a move. */
static void bounds_are_admissible_and_consistent(void **state)
{
	char board[64];
	unsigned seed = 5, k;

	(void)state;
	for (k = 0; k < 20000 / SLOWER; k++) {
		struct pz_job job = naive_job(&h, board, NULL);
		unsigned length;

		if (k % 2 == 0) {
			naive_knights_shuffle(board, &seed);
		} else { /* near the goal, where the ball ends */
			struct pz_buffer out = {board, sizeof(board), 0};
			struct pz_error error;

			job.board.len = 0;
			h.plugin->generate(h.self, &job, k, k / 2 % 14, &out, &error);
			board[out.len] = '\0';
		}
		job = naive_job(&h, board, NULL);
		length = (unsigned)naive_length(&h, board, NULL);
		for (heuristic = 0; h.plugin->heuristics[heuristic] != NULL; heuristic++) {
			bool exact = heuristic < 2; /* ball, counts */

			job.heuristic = heuristic;
			near[0] = h.plugin->estimate(h.self, &job);
			if (near[0] > length)
				fail_msg("%s is %u, its bound more", board, length);
			if (!exact)
				continue;
			near[1] = UINT64_MAX;
			near[2] = 0;
			h.plugin->neighbours(h.self, &job, on_neighbour, NULL);
			assert_int_equal(near[0] % 2, length % 2);
			assert_true(near[1] + 1 >= near[0] && near[2] <= near[0] + 1);
		}
	}
}

static void exchange(char *board, int a, int b)
{
	char swapped = board[a];

	board[a] = board[b];
	board[b] = swapped;
}

/* How many cells of `board` are not as in the goal. */
static int wrong_cells(const char *board)
{
	int cell, count = 0;

	for (cell = 0; cell < 25; cell++)
		count += board[cell] != NAIVE_KNIGHTS_GOAL[cell];
	return count;
}

/*
 * The judges' rule, 15 jumps or none, on every board with two, three or four cells wrong (made by
 * two exchanges): those look near and may be far.  However few cells are wrong, it takes few nodes
 * to say so.
 */
static void over_15_is_proved_at_once(void **state)
{
	unsigned over = 0, within = 0;
	uint64_t worst = 0;
	int first, second;

	(void)state;
	for (first = 0; first < 25 * 25; first++) {
		for (second = 0; second < 25 * 25; second += SLOWER) {
			char board[26] = NAIVE_KNIGHTS_GOAL;
			struct pz_job job = naive_job(&plain, board, NULL);
			int length;

			/* An exchange of a cell with itself is none; each pair once. */
			if (first / 25 >= first % 25 || second / 25 > second % 25 || second > first)
				continue;
			exchange(board, first / 25, first % 25);
			exchange(board, second / 25, second % 25);
			if (wrong_cells(board) < 2)
				continue;
			length = naive_length(&h, board, NULL);
			job.max_length = 15;
			naive_solve(&plain, &job, &answer);
			assert_int_equal(answer.result.status, length <= 15 ? PZ_SOLVED : PZ_LIMIT);
			within += length <= 15;
			over += length > 15;
			if (answer.result.stats.generated > worst)
				worst = answer.result.stats.generated;
		}
	}
	print_message("# %u over 15, %u within, at most %llu nodes\n", over, within,
		      (unsigned long long)worst);
	assert_true(over > 20 && within > 100);
	assert_true(worst < 20000); /* well under 1 ms */
}

/* ---- waiting for the table ----------------------------------------------------------------- */

static void auto_searches_and_then_waits(void **state)
{
	static const char far[] = "00000/00000/00*11/11111/11111";
	struct pz_job job = naive_job(&plain, far, NULL);

	(void)state;
	job.search_ms = 5;
	naive_solve(&plain, &job, &answer);
	assert_int_equal(answer.result.status, PZ_WAIT);
	assert_true(answer.result.lower_bound >= 18);
	/* What is soon found is answered meanwhile. */
	job = naive_job(&plain, "10110/01*11/10111/01001/00000", NULL);
	job.search_ms = 5;
	naive_solve(&plain, &job, &answer);
	assert_int_equal(answer.result.status, PZ_SOLVED);
	/* Who asks for a search gets it, and another goal's table will not come. */
	job = naive_job(&plain, far, NULL);
	job.search_ms = 1;
	job.algorithm = naive_choice(plain.plugin->algorithms, "ida");
	plain.stop_after = 50;
	naive_solve(&plain, &job, &answer);
	assert_int_equal(answer.result.status, PZ_STOPPED);
	job = naive_job(&plain, far, "111110111110*110000000000");
	job.search_ms = 1;
	naive_solve(&plain, &job, &answer);
	plain.stop_after = 0;
	assert_int_equal(answer.result.status, PZ_STOPPED);
	/* The table itself: wait for it, or learn that it is not there. */
	job = naive_job(&plain, far, NULL);
	job.algorithm = naive_choice(plain.plugin->algorithms, "table");
	job.search_ms = 100;
	naive_solve(&plain, &job, &answer);
	assert_int_equal(answer.result.status, PZ_WAIT);
	job.search_ms = 0;
	naive_solve(&plain, &job, &answer);
	assert_int_equal(answer.result.status, PZ_FAILED);
	assert_non_null(strstr(answer.result.error.reason, table_name));
}

static void generates_exact_lengths(void **state)
{
	struct pz_job job = naive_job(&h, "", NULL);
	char text[64];
	struct pz_error error;
	int length;

	(void)state;
	for (length = 0; length <= 34; length++) {
		struct pz_buffer out = {text, sizeof(text), 0};

		assert_int_equal(h.plugin->generate(h.self, &job, 11, length, &out, &error), 0);
		text[out.len] = '\0';
		assert_int_equal(naive_length(&h, text, NULL), length);
	}
}

static void limits_hold_by_table_too(void **state)
{
	struct pz_job job = naive_job(&h, "01011/110*1/01110/01010/00100", NULL);
	int length = naive_length(&h, "01011/110*1/01110/01010/00100", NULL);

	(void)state;
	assert_true(length > 15);
	job.max_length = length;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_SOLVED);
	job.max_length = length - 1;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_LIMIT);
	assert_int_equal(answer.result.lower_bound, length);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_and_unranks),
		cmocka_unit_test(every_value),
		cmocka_unit_test(a_table_serves_its_own_goal),
		cmocka_unit_test(a_builder_can_be_stopped),
		cmocka_unit_test(every_search_agrees),
		cmocka_unit_test(bounds_are_admissible_and_consistent),
		cmocka_unit_test(over_15_is_proved_at_once),
		cmocka_unit_test(auto_searches_and_then_waits),
		cmocka_unit_test(generates_exact_lengths),
		cmocka_unit_test(limits_hold_by_table_too),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("knights' table", tests, set_up, tear_down);
}
