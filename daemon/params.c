/* SPDX-License-Identifier: MIT */
#include "daemon/params.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

enum param_type { PARAM_NAME, PARAM_COUNT, PARAM_POSITIVE, PARAM_BOOL, PARAM_JSON };

enum { FOR_JOBS = FOR_SOLVE | FOR_VERIFY | FOR_GENERATE };

/* clang-format off */
static const struct param {
	const char *name;
	enum param_type type;
	unsigned methods; /* enum params_for */
	size_t offset;    /* in struct params */
} table[] = {
	{"puzzle", PARAM_NAME, FOR_JOBS | FOR_DESCRIBE | FOR_TABLE, offsetof(struct params, puzzle)},
	{"board", PARAM_JSON, FOR_SOLVE | FOR_VERIFY, offsetof(struct params, board)},
	{"boards", PARAM_JSON, FOR_SOLVE, offsetof(struct params, boards)},
	{"goal", PARAM_JSON, FOR_JOBS | FOR_TABLE, offsetof(struct params, goal)},
	{"moves", PARAM_JSON, FOR_VERIFY, offsetof(struct params, moves)},
	{"algorithm", PARAM_NAME, FOR_SOLVE, offsetof(struct params, algorithm)},
	{"heuristic", PARAM_NAME, FOR_SOLVE, offsetof(struct params, heuristic)},
	{"notation", PARAM_NAME, FOR_SOLVE | FOR_VERIFY, offsetof(struct params, notation)},
	{"max_length", PARAM_COUNT, FOR_SOLVE, offsetof(struct params, max_length)},
	{"max_cost", PARAM_COUNT, FOR_SOLVE, offsetof(struct params, max_cost)},
	{"timeout_ms", PARAM_POSITIVE, FOR_JOBS, offsetof(struct params, timeout_ms)},
	{"trace", PARAM_BOOL, FOR_SOLVE | FOR_VERIFY, offsetof(struct params, trace)},
	{"render", PARAM_BOOL, FOR_JOBS, offsetof(struct params, render)},
	{"iterations", PARAM_BOOL, FOR_SOLVE, offsetof(struct params, iterations)},
	{"table", PARAM_NAME, FOR_TABLE, offsetof(struct params, table)},
	{"progress", PARAM_BOOL, FOR_SOLVE | FOR_TABLE, offsetof(struct params, progress)},
	{"seed", PARAM_COUNT, FOR_GENERATE, offsetof(struct params, seed)},
	{"length", PARAM_COUNT, FOR_GENERATE, offsetof(struct params, length)},
	{"id", PARAM_JSON, FOR_CANCEL, offsetof(struct params, id)},
};
/* clang-format on */

enum { PARAMS = sizeof(table) / sizeof(table[0]) };

static const char *json_kind(const json_t *json)
{
	static const char *const kinds[] = {
		[JSON_OBJECT] = "an object",   [JSON_ARRAY] = "an array",
		[JSON_STRING] = "a string",    [JSON_INTEGER] = "an integer",
		[JSON_REAL] = "a real number", [JSON_TRUE] = "true",
		[JSON_FALSE] = "false",        [JSON_NULL] = "null",
	};
	return kinds[json_typeof(json)];
}

static struct text json_text(const json_t *json)
{
	return (struct text){json_string_value(json), json_string_length(json)};
}

static int read_one(const struct param *param, json_t *json, struct params *ret,
		    struct error *ret_error)
{
	void *place = (char *)ret + param->offset;
	switch (param->type) {
	case PARAM_NAME:
		if (!json_is_string(json))
			break;
		if (json_string_length(json) >= LIMIT_OPTION)
			return error_set(ret_error, ERR_INVALID_PARAMS,
					 "\"%s\" is too long for a name", param->name);
		*(struct text *)place = json_text(json);
		return 0;
	case PARAM_COUNT:
	case PARAM_POSITIVE:
		if (!json_is_integer(json))
			break;
		if (json_integer_value(json) < (param->type == PARAM_POSITIVE))
			return error_set(ret_error, ERR_INVALID_PARAMS,
					 "\"%s\" is %" JSON_INTEGER_FORMAT
					 "; it must be at least %d",
					 param->name, json_integer_value(json),
					 param->type == PARAM_POSITIVE);
		*(int64_t *)place = json_integer_value(json);
		return 0;
	case PARAM_BOOL:
		if (!json_is_boolean(json))
			break;
		*(bool *)place = json_is_true(json);
		return 0;
	case PARAM_JSON:
		*(json_t **)place = json;
		return 0;
	}
	static const char *const wanted[] = {[PARAM_NAME] = "a string",
					     [PARAM_COUNT] = "an integer",
					     [PARAM_POSITIVE] = "an integer",
					     [PARAM_BOOL] = "true or false",
					     [PARAM_JSON] = ""};
	return error_set(ret_error, ERR_INVALID_PARAMS, "\"%s\" must be %s, not %s", param->name,
			 wanted[param->type], json_kind(json));
}

/* What is none of our own parameters is the plugin's to judge, if it can be one of its options at
 * all. */
static int read_option(const char *name, json_t *json, struct params *ret, struct error *ret_error)
{
	struct wire_option option = {.name = text_of(name)};
	if (json_is_string(json)) {
		option.form = WIRE_TEXT;
		option.value = json_text(json);
	} else if (json_is_boolean(json)) {
		option.form = WIRE_BOOLEAN;
		option.value = text_of(json_is_true(json) ? "true" : "false");
	} else if (json_is_integer(json)) {
		char *number = ret->numbers[ret->option_count % LIMIT_JOB_OPTIONS];
		snprintf(number, sizeof(ret->numbers[0]), "%" JSON_INTEGER_FORMAT,
			 json_integer_value(json));
		option.form = WIRE_NUMBER;
		option.value = text_of(number);
	} else {
		return error_set(
			ret_error, ERR_INVALID_PARAMS,
			"\"%.64s\" is no parameter of this method, and no option of a puzzle is %s",
			name, json_kind(json));
	}
	if (option.name.len >= LIMIT_NAME || option.value.len > LIMIT_OPTION)
		return error_set(ret_error, ERR_INVALID_PARAMS,
				 "\"%.64s\" is no parameter of this method, and too long for a "
				 "puzzle's option",
				 name);
	if (ret->option_count == LIMIT_JOB_OPTIONS)
		return error_set(ret_error, ERR_INVALID_PARAMS,
				 "there are more than %d options of the puzzle", LIMIT_JOB_OPTIONS);
	ret->options[ret->option_count++] = option;
	return 0;
}

static int refuse(const char *name, unsigned methods, struct error *ret_error)
{
	struct buf list = {0};
	for (size_t i = 0; i < PARAMS; i++)
		if (table[i].methods & methods)
			buf_printf(&list, "%s%s", buf_len(&list) ? ", " : "", table[i].name);
	struct text text = buf_text(&list);
	int code =
		text.len ? error_set(ret_error, ERR_INVALID_PARAMS,
				     "\"%.64s\" is no parameter of this method, which takes: %.*s",
				     name, (int)text.len, text.data)
			 : error_set(ret_error, ERR_INVALID_PARAMS,
				     "\"%.64s\" is no parameter of this method, which takes none",
				     name);
	buf_free(&list);
	return code;
}

int params_read(json_t *params, unsigned methods, struct params *ret, struct error *ret_error)
{
	const char *name;
	json_t *json;
	*ret = (struct params){
		.max_length = -1, .max_cost = -1, .length = -1, .timeout_ms = -1, .seed = -1};
	json_object_foreach (params, name, json) {
		const struct param *param = NULL;
		for (size_t i = 0; i < PARAMS && !param; i++)
			if (strcmp(table[i].name, name) == 0)
				param = &table[i];
		int code;
		if (param && param->methods & methods)
			code = read_one(param, json, ret, ret_error);
		else if (param || !(methods & (FOR_SOLVE | FOR_VERIFY | FOR_GENERATE)))
			code = refuse(name, methods, ret_error);
		else
			code = read_option(name, json, ret, ret_error);
		if (code < 0)
			return -1;
	}
	return 0;
}

/* ---- boards ---- */

static int put_cell(json_t *cell, const char *what, struct buf *store, struct error *ret_error)
{
	if (json_is_string(cell))
		buf_put_text(store, json_text(cell));
	else if (json_is_integer(cell))
		buf_printf(store, "%" JSON_INTEGER_FORMAT, json_integer_value(cell));
	else
		return error_set(ret_error, ERR_INVALID_PARAMS,
				 "a cell of %s is %s; cells are strings or integers", what,
				 json_kind(cell));
	return 0;
}

static int put_row(json_t *row, const char *what, struct buf *store, struct error *ret_error)
{
	size_t i;
	json_t *cell;
	json_array_foreach (row, i, cell) {
		if (i)
			buf_put(store, " ", 1);
		if (put_cell(cell, what, store, ret_error) < 0)
			return -1;
	}
	return 0;
}

static int join_cells(json_t *json, const char *what, struct buf *store, struct error *ret_error)
{
	size_t i;
	json_t *row;
	bool rows = json_is_array(json_array_get(json, 0));
	if (!rows)
		return put_row(json, what, store, ret_error);
	json_array_foreach (json, i, row) {
		if (i)
			buf_put(store, "\n", 1);
		if (!json_is_array(row))
			return error_set(ret_error, ERR_INVALID_PARAMS,
					 "row %zu of %s is %s, where the rows before are arrays",
					 i + 1, what, json_kind(row));
		if (put_row(row, what, store, ret_error) < 0)
			return -1;
	}
	return 0;
}

int params_board(json_t *json, const char *what, struct buf *store, struct text *ret,
		 struct error *ret_error)
{
	if (json_is_string(json)) {
		*ret = json_text(json);
	} else if (json_is_array(json)) {
		buf_clear(store);
		store->max = LIMIT_BOARD;
		if (join_cells(json, what, store, ret_error) < 0)
			return -1;
		*ret = buf_text(store);
	} else {
		return error_set(
			ret_error, ERR_INVALID_PARAMS,
			"%s is %s; it must be a string, an array of cells or an array of rows",
			what, json_kind(json));
	}
	if (ret->len > LIMIT_BOARD || store->failed)
		return error_set(ret_error, ERR_INVALID_BOARD, "%s is longer than %d bytes", what,
				 LIMIT_BOARD);
	return 0;
}

int params_moves(json_t *json, struct buf *out, struct error *ret_error)
{
	size_t i;
	json_t *move;
	out->max = LIMIT_PATH * LIMIT_NAME;
	if (json_is_string(json)) {
		/* Names separated by white space; the wire wants newlines. */
		struct text text = json_text(json);
		for (size_t at = 0; at < text.len;) {
			size_t end = at;
			while (end < text.len && !strchr(" \t\r\n,", text.data[end]))
				end++;
			buf_put(out, text.data + at, end - at);
			if (end > at)
				buf_put(out, "\n", 1);
			at = end + 1;
		}
	} else if (json_is_array(json)) {
		json_array_foreach (json, i, move) {
			if (!json_is_string(move) ||
			    memchr(json_string_value(move), '\n', json_string_length(move)))
				return error_set(ret_error, ERR_INVALID_PARAMS,
						 "move %zu is not a string that names one", i + 1);
			buf_put_text(out, json_text(move));
			buf_put(out, "\n", 1);
		}
	} else {
		return error_set(ret_error, ERR_INVALID_PARAMS,
				 "\"moves\" must be an array of names, or a string of names with "
				 "spaces between");
	}
	if (out->failed)
		return error_set(ret_error, ERR_INVALID_PARAMS, "\"moves\" are more than %d",
				 LIMIT_PATH);
	return 0;
}
