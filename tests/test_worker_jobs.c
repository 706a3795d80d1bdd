/* SPDX-License-Identifier: MIT */
/* What a worker answers: jobs of each kind, their parameters, and plugins that answer wrongly. */
#include "config.h"

#include "tests/cmocka_first.h"

#include "tests/worker_peer.h"

#include <stdlib.h>
#include <sys/wait.h>

#define BOARDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Sets an option of the job. */
static void option(struct wire_job *job, const char *name, const char *value,
		   enum wire_option_form form)
{
	job->options[job->option_count++] =
		(struct wire_option){text_of(name), text_of(value), (uint8_t)form};
}

static uint16_t move_at(const struct wire_result *result, uint32_t at)
{
	uint16_t move;
	memcpy(&move, result->path + at * sizeof(move), sizeof(move));
	return move;
}

/* ---- solve --------------------------------------------------------------------------------- */

static void a_board_is_solved_and_its_path_replayed(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "good");
	struct wire_result result = peer_ask(&peer, &job, "-3");
	assert_int_equal(result.status, WIRE_SOLVED);
	assert_int_equal(result.length, 3);
	assert_int_equal(result.cost, 3);
	assert_text(result.final, "0");
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(move_at(&result, i), 0);
	assert_int_equal(result.algorithm, 1);
	assert_int_equal(result.heuristic, 0);
	assert_int_equal(result.expanded, 3);
	assert_int_equal(result.generated, 6);
	assert_int_equal(result.memory, 1);
	assert_int_equal(result.iteration_count, 0);
	assert_null(result.trace.data);
	assert_null(result.render.data);
	peer_end(&peer);
}

static void a_board_that_is_solved_has_a_solution_of_no_moves(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "good");
	struct wire_result result = peer_ask(&peer, &job, "0");
	assert_int_equal(result.status, WIRE_SOLVED);
	assert_int_equal(result.length, 0);
	assert_text(result.final, "0");
	peer_end(&peer);
}

static void each_board_of_a_job_has_its_own_answer(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_result results[4];
	(void)state;
	peer_open(&peer, "good");
	option(&job, "step", "2", WIRE_NUMBER);
	uint64_t id = peer_send_job(&peer, &job, BOARDS("4", "7", "x", "-6"));
	peer_results(&peer, id, 4, results);
	assert_int_equal(results[0].status, WIRE_SOLVED);
	assert_int_equal(results[0].length, 2);
	assert_int_equal(results[1].status, WIRE_UNSOLVABLE);
	assert_failure(&results[2], ERR_INVALID_BOARD, "a board is a whole number");
	assert_int_equal(results[2].position, 1);
	assert_int_equal(results[3].status, WIRE_SOLVED);
	assert_int_equal(results[3].length, 3);
	peer_end(&peer);
}

static void a_limit_accepts_its_own_value_and_refuses_one_more(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "good");
	job.max_length = 15;
	assert_int_equal(peer_ask(&peer, &job, "15").status, WIRE_SOLVED);
	struct wire_result over = peer_ask(&peer, &job, "16");
	assert_int_equal(over.status, WIRE_LIMITED);
	assert_int_equal(over.lower_bound, 16);
	job = peer_job(WIRE_SOLVE);
	job.max_cost = 0;
	assert_int_equal(peer_ask(&peer, &job, "0").status, WIRE_SOLVED);
	assert_int_equal(peer_ask(&peer, &job, "1").status, WIRE_LIMITED);
	peer_end(&peer);
}

static void a_job_may_name_its_goal(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "good");
	job.goal = text_of("10");
	struct wire_result result = peer_ask(&peer, &job, "7");
	assert_int_equal(result.length, 3);
	assert_text(result.final, "10");
	job.goal = text_of("ten");
	result = peer_ask(&peer, &job, "7");
	assert_failure(&result, ERR_INVALID_BOARD, "goal: a goal is a whole number");
	peer_end(&peer);
}

static void names_of_algorithm_heuristic_and_notation_are_checked(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "good");
	job.algorithm = text_of("walk");
	job.heuristic = text_of("zero");
	job.notation = text_of("word");
	struct wire_result result = peer_ask(&peer, &job, "1");
	assert_int_equal(result.algorithm, 1);
	assert_int_equal(result.heuristic, 1);
	assert_int_equal(result.notation, 1);

	job = peer_job(WIRE_SOLVE);
	job.algorithm = text_of("run");
	result = peer_ask(&peer, &job, "1");
	assert_failure(&result, ERR_INVALID_PARAMS,
		       "there is no algorithm \"run\"; this puzzle has: auto, walk");
	job = peer_job(WIRE_SOLVE);
	job.heuristic = text_of("");
	result = peer_ask(&peer, &job, "1");
	assert_failure(&result, ERR_INVALID_PARAMS, "distance, zero");
	job = peer_job(WIRE_SOLVE);
	job.notation = text_of("SIGN");
	result = peer_ask(&peer, &job, "1");
	assert_failure(&result, ERR_INVALID_PARAMS, "sign, word");
	peer_end(&peer);
}

static void a_bad_option_fails_every_board_of_the_job_and_no_other(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_result results[3];
	(void)state;
	peer_open(&peer, "good");
	option(&job, "steps", "2", WIRE_NUMBER);
	uint64_t id = peer_send_job(&peer, &job, BOARDS("1", "2", "3"));
	peer_results(&peer, id, 3, results);
	for (int i = 0; i < 3; i++)
		assert_failure(&results[i], ERR_INVALID_PARAMS, "\"steps\"");
	assert_has(results[0].reason, "step, delay_ms, answer, loud");
	job.option_count = 0;
	option(&job, "step", "10", WIRE_NUMBER);
	struct wire_result result = peer_ask(&peer, &job, "1");
	assert_failure(&result, ERR_INVALID_PARAMS, "from 1 to 9");
	job.option_count = 0;
	option(&job, "label", "x", WIRE_TEXT);
	result = peer_ask(&peer, &job, "1");
	assert_failure(&result, ERR_INVALID_PARAMS, "set in the configuration");
	job.option_count = 0;
	assert_int_equal(peer_ask(&peer, &job, "1").status, WIRE_SOLVED);
	peer_end(&peer);
}

static void an_option_of_one_job_is_forgotten_by_the_next(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "good");
	option(&job, "step", "5", WIRE_NUMBER);
	assert_int_equal(peer_ask(&peer, &job, "10").length, 2);
	job.option_count = 0;
	assert_int_equal(peer_ask(&peer, &job, "10").length, 10);
	peer_end(&peer);
}

static void each_way_to_give_up_has_its_answer(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "good");
	option(&job, "answer", "memory", WIRE_TEXT);
	struct wire_result result = peer_ask(&peer, &job, "6");
	assert_failure(&result, ERR_MEMORY_LIMIT, "bytes");
	assert_int_equal(result.lower_bound, 6);
	job.option_count = 0;
	option(&job, "answer", "fail", WIRE_TEXT);
	result = peer_ask(&peer, &job, "6");
	assert_failure(&result, ERR_PLUGIN_FAILED, "told to fail");
	job.option_count = 0;
	option(&job, "answer", "wait", WIRE_TEXT);
	result = peer_ask(&peer, &job, "6");
	assert_failure(&result, ERR_PLUGIN_FAILED, "table");
	job.search_ms = 100;
	assert_int_equal(peer_ask(&peer, &job, "6").status, WIRE_WAITS);
	peer_end(&peer);
}

static void iterations_are_told_when_asked_for(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_iteration iteration;
	(void)state;
	peer_open(&peer, "good");
	job.flags = WIRE_ITERATIONS;
	struct wire_result result = peer_ask(&peer, &job, "4");
	assert_int_equal(result.iteration_count, 1);
	memcpy(&iteration, result.iterations, sizeof(iteration));
	assert_int_equal(iteration.bound, 4);
	assert_int_equal(iteration.expanded, 4);
	peer_end(&peer);
}

/* ---- trace and render ---------------------------------------------------------------------- */

static void a_trace_has_every_board_on_the_way(void **state)
{
	static const char *const way[] = {"2", "1", "0", "-1"};
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "good");
	job.flags = WIRE_TRACE;
	job.goal = text_of("-1");
	struct wire_result result = peer_ask(&peer, &job, "2");
	struct text rest = result.trace;
	for (size_t i = 0; i < sizeof(way) / sizeof(way[0]); i++)
		assert_text(wire_board_next(&rest), way[i]);
	assert_int_equal(rest.len, 0);
	peer_end(&peer);
}

static void what_is_drawn_is_the_start_or_with_a_trace_the_way(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "good");
	job.flags = WIRE_RENDER;
	struct wire_result result = peer_ask(&peer, &job, "2");
	struct text rest = result.render;
	assert_text(wire_board_next(&rest), "||\n");
	assert_int_equal(rest.len, 0);
	job.flags = WIRE_RENDER | WIRE_TRACE;
	result = peer_ask(&peer, &job, "2");
	rest = result.render;
	assert_text(wire_board_next(&rest), "||\n");
	assert_text(wire_board_next(&rest), "|\n");
	assert_text(wire_board_next(&rest), "\n");
	assert_int_equal(rest.len, 0);
	peer_end(&peer);
}

static void the_longest_traces_of_a_slice_come_in_frames_within_the_limit(void **state)
{
	enum { COUNT = 64 };
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	struct wire_result results[COUNT];
	const char *boards[COUNT + 1] = {NULL};
	(void)state;
	for (int i = 0; i < COUNT; i++)
		boards[i] = "4096";
	peer_open(&peer, "good");
	job.flags = WIRE_TRACE | WIRE_RENDER;
	uint64_t id = peer_send_job(&peer, &job, boards);
	peer_results(&peer, id, COUNT, results);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(results[i].status, WIRE_SOLVED);
		assert_int_equal(results[i].length, 4096);
	}
	peer_end(&peer);
}

/* ---- verify -------------------------------------------------------------------------------- */

static void moves_are_verified_by_their_names(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_VERIFY);
	(void)state;
	peer_open(&peer, "good");
	job.moves = text_of("-\n-\n");
	struct wire_result result = peer_ask(&peer, &job, "2");
	assert_int_equal(result.status, WIRE_SOLVED);
	assert_int_equal(result.valid, 3);
	assert_int_equal(result.length, 2);
	assert_int_equal(result.cost, 2);
	assert_text(result.final, "0");
	assert_null(result.reason.data);

	job.notation = text_of("word");
	job.moves = text_of("up\ndown");
	result = peer_ask(&peer, &job, "2");
	assert_int_equal(result.valid, 1);
	assert_int_equal(result.notation, 1);
	assert_int_equal(move_at(&result, 0), 0);
	assert_int_equal(move_at(&result, 1), 1);
	assert_text(result.final, "2");
	assert_text(result.reason, "the board after all 2 moves is no goal");
	peer_end(&peer);
}

static void verifying_no_moves_tells_of_the_board_itself(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_VERIFY);
	(void)state;
	peer_open(&peer, "good");
	assert_int_equal(peer_ask(&peer, &job, "0").valid, 3);
	assert_int_equal(peer_ask(&peer, &job, "1").valid, 1);
	job.moves = text_of("");
	assert_int_equal(peer_ask(&peer, &job, "0").valid, 3);
	peer_end(&peer);
}

static void the_first_move_that_is_illegal_or_unknown_is_named(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_VERIFY);
	(void)state;
	peer_open(&peer, "good");
	job.moves = text_of("-\n-\nup\n-\n");
	struct wire_result result = peer_ask(&peer, &job, "2");
	assert_int_equal(result.status, WIRE_SOLVED);
	assert_int_equal(result.length, 2);
	assert_int_equal(result.valid, 2);
	assert_text(result.final, "0");
	assert_text(result.reason, "move 3, \"up\", is not the name of a move");

	job.moves = text_of("+\n+\n+\n");
	result = peer_ask(&peer, &job, "999999");
	assert_int_equal(result.length, 1);
	assert_int_equal(result.valid, 0);
	assert_text(result.reason, "move 2, \"+\", is not legal there");

	job.moves = text_of("\n");
	result = peer_ask(&peer, &job, "1");
	assert_int_equal(result.length, 0);
	assert_text(result.reason, "move 1, \"\", is not the name of a move");
	peer_end(&peer);
}

static void a_solution_longer_than_any_can_be_is_refused(void **state)
{
	enum { MOVES = LIMIT_PATH + 1 };
	struct peer peer;
	struct wire_job job = peer_job(WIRE_VERIFY);
	char *moves = malloc(2 * MOVES);
	(void)state;
	assert_non_null(moves);
	for (int i = 0; i < MOVES; i++)
		memcpy(moves + 2 * i, "-\n", 2);
	peer_open(&peer, "good");
	job.moves = (struct text){moves, 2 * MOVES};
	struct wire_result result = peer_ask(&peer, &job, "5000");
	assert_failure(&result, ERR_INVALID_PARAMS, "at most 4096 moves");
	job.moves.len -= 2;
	result = peer_ask(&peer, &job, "4096");
	assert_int_equal(result.valid, 3);
	assert_int_equal(result.length, LIMIT_PATH);
	free(moves);
	peer_end(&peer);
}

/* ---- generate ------------------------------------------------------------------------------ */

static void a_board_is_generated_from_a_seed(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_GENERATE);
	(void)state;
	peer_open(&peer, "good");
	job.seed = 42;
	assert_text(peer_ask(&peer, &job, "").final, "42");
	job.length = 7;
	job.goal = text_of("100");
	assert_text(peer_ask(&peer, &job, "").final, "107");
	job.length = 2000;
	struct wire_result result = peer_ask(&peer, &job, "");
	assert_failure(&result, ERR_INVALID_PARAMS, "more than 1000 moves away");
	peer_end(&peer);
}

static void a_puzzle_that_cannot_generate_says_so(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_GENERATE);
	(void)state;
	peer_open(&peer, "liar");
	struct wire_result result = peer_ask(&peer, &job, "");
	assert_failure(&result, ERR_INVALID_PARAMS, "cannot make boards");
	peer_end(&peer);
}

/* ---- plugins that answer wrongly ----------------------------------------------------------- */

static void no_wrong_answer_passes(void **state)
{
	static const struct {
		const char *board;
		enum error_kind kind;
		const char *part;
	} lies[] = {
		{"illegal", ERR_WRONG_ANSWER, "move 2 of the plugin's solution of 3 is not legal"},
		{"short", ERR_WRONG_ANSWER, "no goal: \"1\""},
		{"cheap", ERR_WRONG_ANSWER, "costs 2"},
		{"dear", ERR_WRONG_ANSWER, "costs 5, not the 3 it says"},
		{"long", ERR_WRONG_ANSWER, "more than the 4096"},
		{"final", ERR_WRONG_ANSWER, "more than 24"},
		{"stopped", ERR_PLUGIN_FAILED, "without being told"},
		{"wait", ERR_PLUGIN_FAILED, "table"},
		{"status", ERR_PLUGIN_FAILED, "no status: 99"},
		{"fail", ERR_PLUGIN_FAILED, "??????"},
	};
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "liar");
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		struct wire_result result = peer_ask(&peer, &job, lies[i].board);
		assert_failure(&result, lies[i].kind, lies[i].part);
		assert_int_equal(result.position, 0);
		assert_int_equal(result.lower_bound, 0);
	}
	job.max_length = 2;
	struct wire_result result = peer_ask(&peer, &job, "limit");
	assert_failure(&result, ERR_WRONG_ANSWER, "max_length 2");
	job.max_length = -1;
	job.max_cost = 2;
	result = peer_ask(&peer, &job, "limit");
	assert_failure(&result, ERR_WRONG_ANSWER, "max_cost 2");
	peer_end(&peer);
}

static void a_trace_with_too_many_boards_is_no_trace(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "liar");
	job.flags = WIRE_TRACE;
	struct wire_result result = peer_ask(&peer, &job, "visits");
	assert_failure(&result, ERR_WRONG_ANSWER, "showed 100004 boards");
	peer_end(&peer);
}

static void numbers_that_index_a_list_are_made_to(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "liar");
	job.flags = WIRE_ITERATIONS;
	struct wire_result result = peer_ask(&peer, &job, "5");
	assert_int_equal(result.status, WIRE_SOLVED);
	assert_int_equal(result.algorithm, 0);
	assert_int_equal(result.heuristic, UINT32_MAX);
	assert_true(result.iteration_count <= WIRE_ITERATIONS_MAX);
	peer_end(&peer);
}

#ifndef PZ_SANITIZED /* there no limit on the address space can be */
static void a_plugin_that_takes_all_memory_meets_the_limit(void **state)
{
	struct peer peer;
	struct wire_job job = peer_job(WIRE_SOLVE);
	(void)state;
	peer_open(&peer, "hog");
	struct wire_result result = peer_ask(&peer, &job, "hog");
	assert_failure(&result, ERR_MEMORY_LIMIT, "67108864 bytes");
	assert_int_equal(result.lower_bound, 1);
	assert_int_equal(peer_ask(&peer, &job, "3").status, WIRE_SOLVED);
	result = peer_ask(&peer, &job, "glutton");
	assert_failure(&result, ERR_MEMORY_LIMIT, "67108864 bytes");
	/* With all of it gone, the worker still answers, be it that there is none for the
	 * answer. */
	job.flags = WIRE_TRACE;
	result = peer_ask(&peer, &job, "3");
	assert_true(result.status == WIRE_SOLVED || result.error == ERR_MEMORY_LIMIT);
	peer_end(&peer);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_board_is_solved_and_its_path_replayed),
		cmocka_unit_test(a_board_that_is_solved_has_a_solution_of_no_moves),
		cmocka_unit_test(each_board_of_a_job_has_its_own_answer),
		cmocka_unit_test(a_limit_accepts_its_own_value_and_refuses_one_more),
		cmocka_unit_test(a_job_may_name_its_goal),
		cmocka_unit_test(names_of_algorithm_heuristic_and_notation_are_checked),
		cmocka_unit_test(a_bad_option_fails_every_board_of_the_job_and_no_other),
		cmocka_unit_test(an_option_of_one_job_is_forgotten_by_the_next),
		cmocka_unit_test(each_way_to_give_up_has_its_answer),
		cmocka_unit_test(iterations_are_told_when_asked_for),
		cmocka_unit_test(a_trace_has_every_board_on_the_way),
		cmocka_unit_test(what_is_drawn_is_the_start_or_with_a_trace_the_way),
		cmocka_unit_test(the_longest_traces_of_a_slice_come_in_frames_within_the_limit),
		cmocka_unit_test(moves_are_verified_by_their_names),
		cmocka_unit_test(verifying_no_moves_tells_of_the_board_itself),
		cmocka_unit_test(the_first_move_that_is_illegal_or_unknown_is_named),
		cmocka_unit_test(a_solution_longer_than_any_can_be_is_refused),
		cmocka_unit_test(a_board_is_generated_from_a_seed),
		cmocka_unit_test(a_puzzle_that_cannot_generate_says_so),
		cmocka_unit_test(no_wrong_answer_passes),
		cmocka_unit_test(a_trace_with_too_many_boards_is_no_trace),
		cmocka_unit_test(numbers_that_index_a_list_are_made_to),
#ifndef PZ_SANITIZED
		cmocka_unit_test(a_plugin_that_takes_all_memory_meets_the_limit),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
