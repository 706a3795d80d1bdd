/* SPDX-License-Identifier: MIT */
#include "daemon/rpc.h"
#include "common/limits.h"
#include "daemon/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Bounds depth and number of values before jansson sees the line: its own depth is about 2,048, and
 * a tree of a million small arrays takes it 84 MB.  Only brackets and commas outside strings
 * matter; whether they match is jansson's business.
 */
static int measure(struct text line, size_t max_values, struct error *ret_error)
{
	size_t depth = 0, values = 1;
	bool quoted = false;
	for (size_t i = 0; i < line.len; i++) {
		char c = line.data[i];
		if (quoted) {
			if (c == '\\')
				i++;
			else if (c == '"')
				quoted = false;
			continue;
		}
		switch (c) {
		case '"':
			quoted = true;
			break;
		case '[':
		case '{':
			values++;
			if (++depth > LIMIT_DEPTH)
				return error_set(ret_error, ERR_PARSE,
						 "byte %zu opens level %zu of arrays and objects; "
						 "at most %d may nest",
						 i + 1, depth, LIMIT_DEPTH);
			break;
		case ']':
		case '}':
			depth -= depth > 0;
			break;
		case ',':
			values++;
			break;
		default:
			break;
		}
		if (values > max_values)
			return error_set(ret_error, ERR_PARSE,
					 "the line holds more than %zu JSON values; send fewer "
					 "boards at a time",
					 max_values);
	}
	return 0;
}

static uint32_t hash_of(struct text text)
{
	uint32_t hash = 2166136261u; /* FNV-1a */
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * 16777619u;
	return hash;
}

static int store_id(struct rpc_id *id, struct text json)
{
	id->json.len = json.len;
	id->json.data = id->small;
	if (json.len > sizeof(id->small)) {
		id->large = malloc(json.len);
		if (!id->large)
			return -1;
	}
	memcpy(id->large ? id->large : id->small, json.data, json.len);
	id->hash = hash_of(json);
	return 0;
}

int rpc_read_id(const json_t *id, struct rpc_id *ret, struct error *ret_error)
{
	struct buf printed = {0};
	int code = 0;
	if (json_is_integer(id)) {
		buf_printf(&printed, "%" JSON_INTEGER_FORMAT, json_integer_value(id));
	} else if (json_is_string(id)) {
		if (json_string_length(id) > LIMIT_ID)
			return error_set(ret_error, ERR_INVALID_REQUEST,
					 "the id is a string of %zu bytes; at most %d may be",
					 json_string_length(id), LIMIT_ID);
		print_string(&printed,
			     (struct text){json_string_value(id), json_string_length(id)});
	} else {
		return error_set(
			ret_error, ERR_INVALID_REQUEST,
			"the id must be a string or an integer of 64 bits, or be left out");
	}
	if (printed.failed || store_id(ret, buf_text(&printed)) < 0)
		code = error_set(ret_error, ERR_INTERNAL, "out of memory");
	buf_free(&printed);
	return code;
}

static int read_envelope(struct rpc_call *call, struct error *ret_error)
{
	json_t *root = call->root, *id, *version, *method, *params;
	const char *name;
	json_t *value;
	if (json_is_array(root))
		return error_set(ret_error, ERR_INVALID_REQUEST,
				 "batches are not taken: send one request a line without waiting "
				 "for replies "
				 "(pipelining), or many boards in one solve (\"boards\")");
	if (!json_is_object(root))
		return error_set(ret_error, ERR_INVALID_REQUEST, "a request is a JSON object");
	id = json_object_get(root, "id");
	if (id && rpc_read_id(id, &call->id, ret_error) < 0)
		return -1;
	version = json_object_get(root, "jsonrpc");
	method = json_object_get(root, "method");
	params = json_object_get(root, "params");
	if (!json_is_string(version) || strcmp(json_string_value(version), "2.0") != 0)
		return error_set(ret_error, ERR_INVALID_REQUEST, "\"jsonrpc\" must be \"2.0\"");
	if (!json_is_string(method))
		return error_set(ret_error, ERR_INVALID_REQUEST, "\"method\" must be a string");
	if (params && !json_is_object(params))
		return error_set(ret_error, ERR_INVALID_PARAMS,
				 "\"params\" must be an object: parameters have names here");
	json_object_foreach (root, name, value)
		if (value != version && value != method && value != params && value != id)
			return error_set(ret_error, ERR_INVALID_REQUEST,
					 "\"%.64s\" is no member of a request; "
					 "those are jsonrpc, id, method, params",
					 name);
	call->method = json_string_value(method);
	call->params = params;
	return 0;
}

int rpc_parse(struct text line, size_t max_values, struct rpc_call *ret, struct error *ret_error)
{
	json_error_t fault;
	*ret = (struct rpc_call){0};
	if (measure(line, max_values, ret_error) < 0)
		return -1;
	ret->root =
		json_loadb(line.data, line.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &fault);
	if (!ret->root && json_error_code(&fault) == json_error_out_of_memory)
		return error_set(ret_error, ERR_INTERNAL, "out of memory");
	if (!ret->root)
		return error_set(ret_error, ERR_PARSE, "byte %d: %s", fault.position, fault.text);
	return read_envelope(ret, ret_error);
}

void rpc_free_id(struct rpc_id *id)
{
	free(id->large);
	*id = (struct rpc_id){0};
}

void rpc_free(struct rpc_call *call)
{
	rpc_free_id(&call->id);
	json_decref(call->root);
	*call = (struct rpc_call){0};
}

struct rpc_id rpc_take_id(struct rpc_call *call)
{
	struct rpc_id id = call->id;
	call->id = (struct rpc_id){0};
	return id;
}

void rpc_begin_reply(struct buf *out, const struct rpc_id *id)
{
	buf_put_string(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	buf_put_text(out, id->json.data ? rpc_id_text(id) : text_of("null"));
	buf_put(out, ",", 1);
}

void rpc_end_reply(struct buf *out)
{
	buf_put(out, "}\n", 2);
}

void rpc_put_error(struct buf *out, const struct error *error)
{
	const struct error_info *info = error_info(error->kind);
	buf_put(out, "{", 1);
	print_int_member(out, "code", info->code);
	print_text_member(out, "message",
			  text_of(error->reason[0] ? error->reason : info->sentence));
	print_name(out, "data");
	buf_put(out, "{", 1);
	print_text_member(out, "kind", text_of(info->name));
	if (error->position > 0)
		print_int_member(out, "position", error->position);
	if (error->lower_bound >= 0)
		print_int_member(out, "lower_bound", error->lower_bound);
	print_end(out, '}');
	print_end(out, '}');
}

void rpc_put_error_reply(struct buf *out, const struct rpc_id *id, const struct error *error)
{
	rpc_begin_reply(out, id);
	print_name(out, "error");
	rpc_put_error(out, error);
	rpc_end_reply(out);
}
