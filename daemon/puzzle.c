/* SPDX-License-Identifier: MIT */
#include "daemon/puzzle.h"
#include "daemon/print.h"

#include <stdlib.h>

enum {
	ANSWER_FRAME = 1024, /* bytes of an answer's fixed part, an error's sentence included */
	DRAWN_BOARD = 1024   /* bytes of a drawn board, about */
};

static int print_moves(struct puzzle *puzzle)
{
	const struct wire_hello *hello = &puzzle->hello;
	size_t count = (size_t)hello->move_count * hello->notation_count;
	struct text names = hello->names;
	size_t *starts = malloc((count + 1) * sizeof(*starts));
	puzzle->moves = calloc(count + 1, sizeof(*puzzle->moves));
	if (!starts || !puzzle->moves) {
		free(starts);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		struct text name = wire_name_next(&names);
		starts[i] = buf_len(&puzzle->printed);
		if (!name.data)
			continue;
		print_string(&puzzle->printed, name);
		buf_put(&puzzle->printed, ",", 1);
	}
	starts[count] = buf_len(&puzzle->printed);
	for (size_t i = 0; i < count && !puzzle->printed.failed; i++) {
		size_t len = starts[i + 1] - starts[i];
		if (!len)
			continue;
		puzzle->moves[i] = (struct text){buf_data(&puzzle->printed) + starts[i], len};
		if (len > puzzle->longest_move)
			puzzle->longest_move = (uint32_t)len;
	}
	free(starts);
	return puzzle->printed.failed ? -1 : 0;
}

/* Notations become members of an object: names that differ and that any reader of JSON takes. */
static struct text notation_name(const struct wire_hello *hello, uint32_t n)
{
	return hello->notations[n].len ? hello->notations[n] : text_of("default");
}

static bool notations_can_be_told_apart(const struct wire_hello *hello)
{
	for (uint32_t a = 0; a < hello->notation_count; a++) {
		struct text name = notation_name(hello, a);
		if (memchr(name.data, '\0', name.len))
			return false;
		for (uint32_t b = 0; b < a; b++) {
			struct text other = notation_name(hello, b);
			if (name.len == other.len && memcmp(name.data, other.data, name.len) == 0)
				return false;
		}
	}
	return true;
}

struct puzzle *puzzle_new(struct text payload)
{
	struct puzzle *puzzle = calloc(1, sizeof(*puzzle));
	if (!puzzle)
		return NULL;
	puzzle->users = 1;
	puzzle->payload = malloc(payload.len + 1);
	if (!puzzle->payload) {
		free(puzzle);
		return NULL;
	}
	memcpy(puzzle->payload, payload.data, payload.len);
	if (wire_get_hello((struct text){puzzle->payload, payload.len}, &puzzle->hello) < 0 ||
	    puzzle->hello.version != WIRE_VERSION || !notations_can_be_told_apart(&puzzle->hello) ||
	    print_moves(puzzle) < 0) {
		puzzle_free(puzzle);
		return NULL;
	}
	return puzzle;
}

struct puzzle *puzzle_keep(struct puzzle *puzzle)
{
	puzzle->users++;
	return puzzle;
}

void puzzle_free(struct puzzle *puzzle)
{
	if (!puzzle || --puzzle->users > 0)
		return;
	buf_free(&puzzle->printed);
	free(puzzle->moves);
	free(puzzle->payload);
	free(puzzle);
}

static void print_list(struct buf *out, const char *name, const struct text *texts, uint32_t count)
{
	print_name(out, name);
	buf_put(out, "[", 1);
	for (uint32_t i = 0; i < count; i++) {
		print_string(out, texts[i]);
		buf_put(out, ",", 1);
	}
	print_end(out, ']');
	buf_put(out, ",", 1);
}

static void print_option(struct buf *out, const struct wire_schema *option)
{
	buf_put(out, "{", 1);
	print_text_member(out, "name", option->name);
	print_text_member(out, "type", option->type);
	print_text_member(out, "default", option->fallback);
	if (text_is(option->type, "int") || text_is(option->type, "text")) {
		print_int_member(out, "min", option->min);
		print_int_member(out, "max", option->max);
	}
	if (option->choice_count)
		print_list(out, "choices", option->choices, option->choice_count);
	print_name(out, "scope");
	buf_put_string(out, option->scope == WIRE_OPTION_CONFIG ? "[\"configuration\"],"
			    : option->scope == WIRE_OPTION_JOB
				    ? "[\"request\"],"
				    : "[\"configuration\",\"request\"],");
	print_text_member(out, "help", option->help);
	print_end(out, '}');
	buf_put(out, ",", 1);
}

static void print_move_names(struct buf *out, const struct puzzle *puzzle)
{
	const struct wire_hello *hello = &puzzle->hello;
	print_name(out, "moves");
	buf_put(out, "{", 1);
	for (uint32_t n = 0; n < hello->notation_count; n++) {
		print_string(out, notation_name(hello, n));
		buf_put(out, ":[", 2);
		for (uint32_t id = 0; id < hello->move_count; id++)
			buf_put_text(out, puzzle->moves[n * hello->move_count + id]);
		print_end(out, ']');
		buf_put(out, ",", 1);
	}
	print_end(out, '}');
	buf_put(out, ",", 1);
}

void puzzle_print(const struct puzzle *puzzle, struct buf *out)
{
	const struct wire_hello *hello = &puzzle->hello;
	print_text_member(out, "plugin", hello->plugin_name);
	print_text_member(out, "version", hello->plugin_version);
	print_text_member(out, "summary", hello->summary);
	print_text_member(out, "syntax", hello->syntax);
	print_text_member(out, "example", hello->example);
	if (hello->goal.data)
		print_text_member(out, "goal", hello->goal);
	print_list(out, "algorithms", hello->algorithms, hello->algorithm_count);
	print_list(out, "heuristics", hello->heuristics, hello->heuristic_count);
	print_list(out, "notations", hello->notations, hello->notation_count);
	print_move_names(out, puzzle);
	print_uint_member(out, "path_max", hello->path_max);
	print_bool_member(out, "unit_cost", hello->unit_cost);
	print_bool_member(out, "can_generate", hello->can_generate);
	print_bool_member(out, "can_render", hello->can_render);
	print_name(out, "options");
	buf_put(out, "[", 1);
	for (uint32_t i = 0; i < hello->option_count; i++)
		print_option(out, &hello->options[i]);
	print_end(out, ']');
	buf_put(out, ",", 1);
	print_name(out, "tables");
	buf_put(out, "[", 1);
	for (uint32_t i = 0; i < hello->table_count; i++) {
		buf_put(out, "{", 1);
		print_text_member(out, "name", hello->tables[i].name);
		print_uint_member(out, "bytes", hello->tables[i].bytes);
		print_bool_member(out, "ready", hello->tables[i].ready);
		print_text_member(out, "help", hello->tables[i].help);
		print_end(out, '}');
		buf_put(out, ",", 1);
	}
	print_end(out, ']');
	buf_put(out, ",", 1);
}

uint64_t puzzle_answer_max(const struct puzzle *puzzle, uint32_t flags)
{
	uint64_t path = puzzle ? puzzle->hello.path_max : LIMIT_PATH;
	uint64_t move = puzzle ? puzzle->longest_move : 8;
	uint64_t board = puzzle ? puzzle->hello.board_max + 3 : 64;
	uint64_t bytes = ANSWER_FRAME + path * move + board;
	if (flags & WIRE_TRACE)
		bytes += (path + 1) * board;
	if (flags & WIRE_RENDER)
		bytes += (flags & WIRE_TRACE ? path + 1 : 1) * DRAWN_BOARD;
	if (flags & WIRE_ITERATIONS)
		bytes += WIRE_ITERATIONS_MAX * 48;
	return bytes;
}
