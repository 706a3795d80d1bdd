/* SPDX-License-Identifier: MIT */
/*
 * 15puzzle.so against published lengths: Korf's hundred boards (Artificial Intelligence 27, 1985),
 * and, where PUZZLED_LONG_TESTS is set, the boards that need 80 moves, ten seconds each at most.
 * Says what it took.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/naive_host.h"

#if defined(__SANITIZE_ADDRESS__)
enum { EASY = 53 }; /* moves that a board may need where searches are slow */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { EASY = 53 };
#else
enum { EASY = 80 };
#endif
#else
enum { EASY = 80 };
#endif

enum { NODES_MOST = 11000000 }; /* generated for all hundred; they are 10.7 million */

static struct naive_host h;
static void *content;

static double seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static int set_up(void **state)
{
	const struct pz_plugin *plugin = naive_load("15puzzle.so");
	struct pz_error error;
	struct pz_table table;
	double began;
	bool ready;

	(void)state;
	if (naive_open(&h, plugin, NULL, &error) != 0)
		return -1;
	plugin->tables(h.self, &table, &ready, 1);
	content = malloc(table.bytes);
	began = seconds();
	if (content == NULL || plugin->build_table(h.self, &table, content, &h.host, &error) != 0)
		return -1;
	printf("# %zu bytes of tables built in %.2f s\n", table.bytes, seconds() - began);
	naive_close(&h);
	h.table = content;
	h.table_is = table;
	return naive_open(&h, plugin, NULL, &error);
}

static int tear_down(void **state)
{
	(void)state;
	naive_close(&h);
	free(content);
	return 0;
}

/*
 * solve_file: the boards of a file that need at most `most` moves; how many there were.  *nodes:
 * that were generated.
 */
static unsigned solve_file(const char *path, const char *goal, int most, double *nodes)
{
	static struct naive_answer answer;
	FILE *file = fopen(path, "r");
	double began = seconds();
	unsigned solved = 0;
	char line[256];

	*nodes = 0;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		char board[128], *length;
		int from = 0;
		struct pz_job job;

		/* A number, sixteen tiles, and the length. */
		if (line[0] == '#' || sscanf(line, "%*d %n%127[0-9 ]", &from, board) != 1)
			continue;
		length = strrchr(board, ' ');
		assert_non_null(length);
		*length++ = '\0';
		if (atoi(length) > most)
			continue;
		job = naive_job(&h, board, goal);
		naive_solve(&h, &job, &answer);
		if (answer.result.status != PZ_SOLVED || (int)answer.result.length != atoi(length))
			fail_msg("%s is %s, not %u", board, length, answer.result.length);
		assert_int_equal(answer.result.stats.heuristic, 0);
		*nodes += (double)answer.result.stats.generated;
		solved++;
	}
	fclose(file);
	printf("# %u boards, %.1f million nodes generated, %.2f s\n", solved, *nodes / 1e6,
	       seconds() - began);
	return solved;
}

static void korfs_hundred(void **state)
{
	double nodes;
	unsigned solved = solve_file(PZ_TEST_DATA "/korf-fifteen-100.txt",
				     "0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15", EASY, &nodes);

	(void)state;
	assert_true(EASY == 80 ? solved == 100 : solved > 30);
	/* A sum that is not looked at leaves the lengths right: only here it is seen. */
	assert_true(nodes < NODES_MOST);
}

static void the_farthest_boards(void **state)
{
	double nodes;

	(void)state;
	if (getenv("PUZZLED_LONG_TESTS") == NULL) {
		printf("# the boards of 80 moves are skipped: set PUZZLED_LONG_TESTS, and take "
		       "minutes\n");
		return;
	}
	assert_int_equal(solve_file(PZ_TEST_DATA "/fifteen-80.txt", NULL, 80, &nodes), 17);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(korfs_hundred),
		cmocka_unit_test(the_farthest_boards),
	};

	setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
	return cmocka_run_group_tests_name("15puzzle's published lengths", tests, set_up,
					   tear_down);
}
