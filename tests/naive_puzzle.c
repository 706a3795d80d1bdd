/* SPDX-License-Identifier: MIT */
#include "tests/naive_puzzle.h"

struct naive_host h;
const char *naive_puzzle_file;

int naive_puzzle_open(void **state)
{
	struct pz_error error;

	(void)state;
	return naive_open(&h, naive_load(naive_puzzle_file), NULL, &error);
}

int naive_puzzle_close(void **state)
{
	(void)state;
	naive_close(&h);
	return 0;
}

/* ---- boards -------------------------------------------------------------------------------- */

void naive_refuses(const struct naive_bad *bad, size_t count, const char *good)
{
	struct pz_error error;
	size_t i;

	for (i = 0; i < count; i++) {
		assert_int_equal(naive_check(&h, bad[i].board, NULL, &error), -1);
		if (error.position != bad[i].position || strstr(error.reason, bad[i].says) == NULL)
			fail_msg("\"%s\": %zu %s", bad[i].board, error.position, error.reason);
		if (good == NULL)
			continue;
		/* As a goal, the same fault is laid to the goal. */
		assert_int_equal(naive_check(&h, good, bad[i].board, &error), -1);
		if (error.position != bad[i].position || strncmp(error.reason, "goal: ", 6) != 0 ||
		    strstr(error.reason, bad[i].says) == NULL)
			fail_msg("goal \"%s\": %zu %s", bad[i].board, error.position, error.reason);
	}
}

void naive_same(const char *const *texts, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct pz_error error;

		if (naive_check(&h, texts[i], NULL, &error) != 0)
			fail_msg("\"%s\": %s", texts[i], error.reason);
		assert_string_equal(naive_replay(texts[i], NULL, "")->final, texts[0]);
		if (h.plugin->goal == NULL)
			continue;
		if (naive_check(&h, texts[0], texts[i], &error) != 0)
			fail_msg("goal \"%s\": %s", texts[i], error.reason);
		assert_true(naive_replay(texts[0], texts[i], "")->replay.solved);
		assert_int_equal(naive_length(&h, texts[i], texts[i]), 0);
	}
}

/* move_id: of a name by the first notation; a name that there isn't fails the test. */
static uint16_t move_id(const char *name, size_t len)
{
	char of[PZ_NAME_MAX];
	unsigned id;

	for (id = 0; id < h.plugin->moves; id++)
		if (h.plugin->move_name(0, id, of, sizeof(of)) == 0 && strlen(of) == len &&
		    memcmp(of, name, len) == 0)
			return (uint16_t)id;
	fail_msg("there is no move %s", name);
	return 0;
}

const struct naive_played *naive_replay(const char *board, const char *goal, const char *moves)
{
	static struct naive_played played;
	struct pz_job job = naive_job(&h, board, goal);
	uint16_t path[PZ_PATH_MAX];
	size_t count = 0, len;

	for (; *moves != '\0'; moves += len + (moves[len] == ' ')) {
		len = strcspn(moves, " ");
		path[count++] = move_id(moves, len);
	}
	played.replay = (struct pz_replay){.size = sizeof(played.replay),
					   .final = {played.final, PZ_BOARD_MAX, 0}};
	h.plugin->replay(h.self, &job, path, count, &played.replay);
	played.final[played.replay.final.len] = '\0';
	return &played;
}

static void add_neighbour(void *arg, const struct pz_neighbour *neighbour)
{
	char name[PZ_NAME_MAX], line[PZ_NAME_MAX + 128];

	assert_int_equal(h.plugin->move_name(0, neighbour->move, name, sizeof(name)), 0);
	snprintf(line, sizeof(line), "%s %u %.*s; ", name, (unsigned)neighbour->cost,
		 (int)neighbour->board.len, neighbour->board.data);
	strcat(arg, line);
}

const char *naive_neighbours(const char *board)
{
	static char all[PZ_MOVES_MAX * (PZ_NAME_MAX + 128)];
	struct pz_job job = naive_job(&h, board, NULL);

	*all = '\0';
	h.plugin->neighbours(h.self, &job, add_neighbour, all);
	return all;
}

int naive_generate(const char *goal, unsigned seed, int64_t length, char text[PZ_BOARD_MAX + 1],
		   struct pz_error *error)
{
	struct pz_job job = naive_job(&h, "", goal);
	struct pz_buffer out = {text, PZ_BOARD_MAX, 0};
	int ret = h.plugin->generate(h.self, &job, seed, length, &out, error);

	text[out.len] = '\0';
	return ret;
}

void naive_generates(const char *goal, unsigned count, int64_t most)
{
	static char text[PZ_BOARD_MAX + 1], again[PZ_BOARD_MAX + 1], first[PZ_BOARD_MAX + 1];
	struct pz_error error;
	unsigned seed, others = 0;

	for (seed = 0; seed < count; seed++) {
		assert_int_equal(naive_generate(goal, seed, -1, text, &error), 0);
		assert_int_equal(naive_generate(goal, seed, -1, again, &error), 0);
		assert_string_equal(text, again);
		assert_int_equal(naive_check(&h, text, goal, &error), 0);
		if (seed == 0)
			strcpy(first, text);
		others += strcmp(first, text) != 0;
		if (most >= 0)
			assert_in_range(naive_cost_by("auto", NULL, text, goal), 0, most);
	}
	assert_true(others > count / 2);
}

/* ---- answers ------------------------------------------------------------------------------- */

const struct naive_answer *naive_by(const char *algorithm, const char *heuristic, const char *board,
				    const char *goal)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, board, goal);

	job.algorithm = naive_choice(h.plugin->algorithms, algorithm);
	if (heuristic != NULL)
		job.heuristic = naive_choice(h.plugin->heuristics, heuristic);
	naive_solve(&h, &job, &answer);
	return &answer;
}

int naive_cost_by(const char *algorithm, const char *heuristic, const char *board, const char *goal)
{
	const struct pz_result *result = &naive_by(algorithm, heuristic, board, goal)->result;

	if (result->status == PZ_SOLVED)
		return (int)result->cost;
	return result->status == PZ_UNSOLVABLE ? -1 : -2;
}

int naive_estimate(const char *heuristic, const char *board, const char *goal)
{
	struct pz_job job = naive_job(&h, board, goal);

	job.heuristic = naive_choice(h.plugin->heuristics, heuristic);
	return (int)h.plugin->estimate(h.self, &job);
}

void naive_knows(const struct naive_known *known, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		int cost = naive_cost_by("auto", NULL, known[i].board, known[i].goal);

		if (cost != known[i].cost)
			fail_msg("%s is %d, not %d", known[i].board, known[i].cost, cost);
	}
}

/* published_line: one board of naive_published: false: it was refused, rightly, for the limit. */
static bool published_line(const char *board, const char *goal, int length, int64_t max_length)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, board, goal);

	job.max_length = max_length;
	naive_solve(&h, &job, &answer);
	if (max_length >= 0 && length > max_length) {
		assert_int_equal(answer.result.status, PZ_LIMIT);
		assert_in_range(answer.result.lower_bound, max_length + 1, length);
		return false;
	}
	if (length < 0 ? answer.result.status != PZ_UNSOLVABLE
		       : answer.result.status != PZ_SOLVED || (int)answer.result.length != length)
		fail_msg("%s is %d", board, length);
	return true;
}

unsigned naive_published(const char *file, int most, int64_t max_length, unsigned *ret_refused)
{
	char path[4096], line[512], *board, *goal, *length;
	unsigned solved = 0, refused = 0;
	FILE *data;

	snprintf(path, sizeof(path), "%s/%s", PZ_TEST_DATA, file);
	data = fopen(path, "r");
	assert_non_null(data);
	while (fgets(line, sizeof(line), data) != NULL) {
		if (line[0] == '#')
			continue;
		board = strtok(line, "\t\n");
		goal = strtok(NULL, "\t\n");
		length = strtok(NULL, "\t\n");
		if (length == NULL) {
			length = goal;
			goal = NULL;
		}
		assert_non_null(length);
		if (atoi(length) > most)
			continue;
		if (published_line(board, goal, atoi(length), max_length))
			solved++;
		else
			refused++;
	}
	fclose(data);
	if (ret_refused != NULL)
		*ret_refused = refused;
	return solved;
}

/* limited: solves with one limit. */
static const struct pz_result *limited(struct pz_job job, bool by_length, int most)
{
	static struct naive_answer answer;

	if (by_length)
		job.max_length = most;
	else
		job.max_cost = most;
	naive_solve(&h, &job, &answer);
	return &answer.result;
}

void naive_limits(const char *algorithm, const char *board, const char *goal, int least)
{
	struct pz_job job = naive_job(&h, board, goal);
	const struct pz_result *result;
	int by_length;

	job.algorithm = naive_choice(h.plugin->algorithms, algorithm);
	for (by_length = 0; by_length < 1 + h.plugin->unit_cost; by_length++) {
		result = limited(job, by_length, least);
		assert_int_equal(result->status, PZ_SOLVED);
		assert_int_equal(result->cost, least);
		result = limited(job, by_length, least - 1);
		assert_int_equal(result->status, PZ_LIMIT);
		assert_int_equal(result->lower_bound, least);
		result = limited(job, by_length, 0);
		assert_int_equal(result->status, PZ_LIMIT);
		assert_in_range(result->lower_bound, 1, least);
	}
}

void naive_gives_up(const char *board, const char *goal, unsigned polls, size_t memory, int least,
		    int most)
{
	static struct naive_answer answer;
	struct pz_job job = naive_job(&h, board, goal);

	job.algorithm = naive_choice(h.plugin->algorithms, "ida");
	h.stop_after = polls;
	naive_solve(&h, &job, &answer);
	h.stop_after = 0;
	assert_int_equal(answer.result.status, PZ_STOPPED);
	assert_in_range(answer.result.lower_bound, least, most);
	assert_int_equal(answer.result.lower_bound, h.bound);
	job.algorithm = naive_choice(h.plugin->algorithms, "astar");
	job.memory = memory;
	naive_solve(&h, &job, &answer);
	assert_int_equal(answer.result.status, PZ_MEMORY);
	assert_in_range(answer.result.lower_bound, h.plugin->estimate(h.self, &job), most);
}
