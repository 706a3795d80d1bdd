/* SPDX-License-Identifier: MIT */
/* Real boards, through the daemon, its workers and the plugins that come with it. */
#include "tests/e2e/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char puzzles[] = "[puzzle:8puzzle]\nplugin = 8puzzle.so\n"
			      "[puzzle:p1379]\nplugin = 8puzzle.so\ngoal = 123804765\n"
			      "[puzzle:knights]\nplugin = knights.so\n";

/* The sample boards of SCOI2005 (P2324), 7 moves and more than 15, as rows. */
static const char knights_7[] = "10110\\n01*11\\n10111\\n01001\\n00000";
static const char knights_over[] = "01011\\n110*1\\n01110\\n01010\\n00100";

/* Solves, has the daemon verify the solution, and expects it to be of this length. */
static void solve_and_verify(struct client *client, const char *puzzle, const char *board,
			     long length)
{
	client_solve(client, 1, puzzle, board);
	json_t *reply = client_next(client);
	const json_t *moves = json_object_get(json_object_get(reply, "result"), "moves");
	if (!moves)
		fail_msg("%s", json_dumps(reply, 0));
	char *list = json_dumps(moves, JSON_COMPACT);
	json_t *verdict =
		client_ask(client,
			   "\"method\":\"verify\",\"params\":{\"puzzle\":\"%s\",\"board\":\"%s\","
			   "\"moves\":%s}",
			   puzzle, board, list);
	const json_t *result = json_object_get(verdict, "result");
	assert_true(json_is_true(json_object_get(result, "valid")));
	assert_true(json_is_true(json_object_get(result, "solved")));
	assert_int_equal(number_at(verdict, "result/length"), length);
	free(list);
	json_decref(verdict);
	assert_solved(reply, 1, length);
}

static void test_published_boards_have_the_published_lengths(void **state)
{
	struct client client;
	site_run(*state, puzzles);
	client_open(&client, *state);
	solve_and_verify(&client, "p1379", "283104765", 4);
	solve_and_verify(&client, "p1379", "123804765", 0);
	solve_and_verify(&client, "8puzzle", "2 3 4 1 5 x 7 6 8", 19);
	solve_and_verify(&client, "knights", knights_7, 7);
	client_solve(&client, 2, "8puzzle", "1 2 3 4 5 6 8 7 x");
	assert_member(client_next(&client), 2, "status", "unsolvable");
	client_close(&client);
	site_stop(*state);
}

static void test_the_farthest_boards_are_solved(void **state)
{
	struct client client;
	site_run(*state, puzzles);
	client_open(&client, *state);
	solve_and_verify(&client, "8puzzle", "867254301", 31);
	solve_and_verify(&client, "8puzzle", "647850321", 31);
	solve_and_verify(&client, "p1379", "587106324", 30);
	client_close(&client);
	site_stop(*state);
}

static json_t *solve_with(struct client *client, const char *puzzle, const char *board,
			  const char *members)
{
	return client_ask(client,
			  "\"method\":\"solve\",\"params\":{\"puzzle\":\"%s\",\"board\":\"%s\",%s}",
			  puzzle, board, members);
}

static void test_a_limit_of_n_takes_n_and_refuses_one_more(void **state)
{
	struct client client;
	static const struct {
		const char *puzzle, *board;
		int length;
	} boards[] = {{"p1379", "283104765", 4},
		      {"8puzzle", "2 3 4 1 5 x 7 6 8", 19},
		      {"knights", "10110\\n01*11\\n10111\\n01001\\n00000", 7}};
	site_run(*state, puzzles);
	client_open(&client, *state);
	for (int i = 0; i < 3; i++) {
		char members[64];
		static const char *const names[] = {"max_length", "max_cost"};
		for (int n = 0; n < 2; n++) {
			snprintf(members, sizeof(members), "\"%s\":%d", names[n], boards[i].length);
			assert_solved(
				solve_with(&client, boards[i].puzzle, boards[i].board, members), 1,
				boards[i].length);
			snprintf(members, sizeof(members), "\"%s\":%d", names[n],
				 boards[i].length - 1);
			json_t *reply =
				solve_with(&client, boards[i].puzzle, boards[i].board, members);
			/* Not within it, and so at least one more is proved. */
			assert_in_range(number_at(reply, "result/lower_bound"), boards[i].length,
					boards[i].length);
			assert_member(reply, 1, "status", "limit");
		}
	}
	assert_member(solve_with(&client, "knights", knights_over, "\"max_length\":15"), 1,
		      "status", "limit");
	client_close(&client);
	site_stop(*state);
}

static void test_boards_may_be_rows_and_goals_may_be_others(void **state)
{
	struct client client;
	site_run(*state, puzzles);
	client_open(&client, *state);
	assert_solved(client_ask(&client,
				 "\"method\":\"solve\",\"params\":{\"puzzle\":\"p1379\",\"board\":"
				 "[[2,8,3],[1,0,4],[7,6,5]]}"),
		      1, 4);
	assert_solved(
		client_ask(&client,
			   "\"method\":\"solve\",\"params\":{\"puzzle\":\"8puzzle\",\"board\":"
			   "[2,8,3,1,\"x\",4,7,6,5],\"goal\":[1,2,3,8,0,4,7,6,5]}"),
		1, 4);
	json_t *reply = client_ask(&client, "\"method\":\"solve\",\"params\":{\"puzzle\":\"p1379\","
					    "\"board\":\"283104765\",\"trace\":true}");
	const json_t *trace = json_object_get(json_object_get(reply, "result"), "trace");
	assert_int_equal(json_array_size(trace), 5);
	assert_string_equal(
		json_string_value(json_array_get(trace, 4)),
		json_string_value(json_object_get(json_object_get(reply, "result"), "final")));
	assert_solved(reply, 1, 4);
	client_close(&client);
	site_stop(*state);
}

static void test_many_boards_at_once_come_back_in_order(void **state)
{
	enum { BOARDS = 1000 };
	struct client client;
	json_t *boards = json_array(), *one;
	size_t i;
	site_run(*state, puzzles);
	client_open(&client, *state);
	for (int k = 0; k < BOARDS; k++)
		json_array_append_new(boards, json_string(k % 4 == 0   ? "283104765"
							  : k % 4 == 1 ? "123804765"
							  : k % 4 == 2 ? "28310476"
								       : "213804765"));
	char *list = json_dumps(boards, JSON_COMPACT);
	client_send(&client,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":"
		    "\"p1379\",\"boards\":");
	client_send(&client, list);
	client_send(&client, "}}\n");
	json_t *reply = client_next(&client);
	const json_t *result = json_object_get(reply, "result");
	assert_int_equal(json_array_size(result), BOARDS);
	json_array_foreach (result, i, one) {
		if (i % 4 == 0)
			assert_int_equal(number_at(one, "length"), 4);
		else if (i % 4 == 1)
			assert_int_equal(number_at(one, "length"), 0);
		else if (i % 4 == 2)
			assert_string_equal(
				json_string_value(json_object_get(
					json_object_get(json_object_get(one, "error"), "data"),
					"kind")),
				"invalid_board");
		else
			assert_string_equal(json_string_value(json_object_get(one, "status")),
					    "unsolvable");
	}
	json_decref(reply);
	json_decref(boards);
	free(list);
	/* None at all are answered by none. */
	reply = client_ask(&client,
			   "\"method\":\"solve\",\"params\":{\"puzzle\":\"p1379\",\"boards\":[]}");
	assert_int_equal(json_array_size(json_object_get(reply, "result")), 0);
	assert_true(json_is_array(json_object_get(reply, "result")));
	json_decref(reply);
	client_close(&client);
	site_stop(*state);
}

/* As many boards as one request may have are taken by a daemon that has only just been started,
 * too. */
static void test_the_most_boards_are_taken_at_once_after_the_start(void **state)
{
	enum { BOARDS = 10000 };
	struct client client;
	char *line = malloc(BOARDS * 12 + 128), *at = line;
	assert_non_null(line);
	at += sprintf(at,
		      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":"
		      "\"p1379\",\"boards\":[");
	for (int i = 0; i < BOARDS; i++)
		at += sprintf(at, "%s\"123804765\"", i ? "," : "");
	strcpy(at, "]}}\n");
	site_run(*state, puzzles);
	client_open(&client, *state);
	client_send(&client, line);
	json_t *reply = client_next(&client);
	if (json_array_size(json_object_get(reply, "result")) != BOARDS)
		fail_msg("%.500s", json_dumps(reply, 0));
	json_decref(reply);
	free(line);
	client_close(&client);
	site_stop(*state);
}

static json_t *generate(struct client *client, const char *puzzle, int seed)
{
	return client_ask(client,
			  "\"method\":\"generate\",\"params\":{\"puzzle\":\"%s\",\"seed\":%d}",
			  puzzle, seed);
}

static void test_generated_boards_are_boards_and_the_same_for_a_seed(void **state)
{
	struct client client;
	static const char *const names[] = {"8puzzle", "knights"};
	site_run(*state, puzzles);
	client_open(&client, *state);
	for (int i = 0; i < 2; i++) {
		json_t *one = generate(&client, names[i], 7), *two = generate(&client, names[i], 7);
		json_t *other = generate(&client, names[i], 8);
		const char *board =
			json_string_value(json_object_get(json_object_get(one, "result"), "board"));
		assert_non_null(board);
		assert_true(json_equal(one, two));
		assert_false(json_equal(one, other));
		assert_member(solve_with(&client, names[i], board, "\"max_length\":0"), 1, "status",
			      "limit");
		json_decref(one);
		json_decref(two);
		json_decref(other);
	}
	client_close(&client);
	site_stop(*state);
}

static void test_it_tells_what_it_has(void **state)
{
	struct client client;
	site_run(*state, puzzles);
	client_open(&client, *state);
	json_t *reply = client_ask(&client, "\"method\":\"list\"");
	const json_t *list = json_object_get(json_object_get(reply, "result"), "puzzles");
	assert_int_equal(json_array_size(list), 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(
			json_string_value(json_object_get(json_array_get(list, i), "state")),
			"ready");
	json_decref(reply);
	assert_member(
		client_ask(&client, "\"method\":\"describe\",\"params\":{\"puzzle\":\"p1379\"}"), 1,
		"goal", "123804765");
	reply = client_ask(&client, "\"method\":\"ping\"");
	assert_true(json_is_true(json_object_get(json_object_get(reply, "result"), "pong")));
	json_decref(reply);
	reply = client_ask(&client, "\"method\":\"status\"");
	assert_int_equal(number_at(reply, "result/sessions"), 1);
	json_decref(reply);
	client_close(&client);
	site_stop(*state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_published_boards_have_the_published_lengths),
		ON_SITE(test_the_farthest_boards_are_solved),
		ON_SITE(test_a_limit_of_n_takes_n_and_refuses_one_more),
		ON_SITE(test_boards_may_be_rows_and_goals_may_be_others),
		ON_SITE(test_many_boards_at_once_come_back_in_order),
		ON_SITE(test_the_most_boards_are_taken_at_once_after_the_start),
		ON_SITE(test_generated_boards_are_boards_and_the_same_for_a_seed),
		ON_SITE(test_it_tells_what_it_has),
	};
	return cmocka_run_group_tests_name("answers", tests, NULL, NULL);
}
