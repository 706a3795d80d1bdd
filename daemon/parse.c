/* SPDX-License-Identifier: MIT */
#include "daemon/parse.h"
#include "common/buf.h"
#include "common/limits.h"
#include "common/utf8.h"

#include <errno.h>
#include <stdlib.h>

struct parser {
	const char *start, *at, *end;
	size_t depth, values, max_values;
	struct buf
		scratch; /* the string or number that is read, where it does not do as it stands */
	struct error *error;
};

static json_t *parse_value(struct parser *parser);

/* ---- what is wrong ---- */

/* Says what is wrong with the byte behind the first `at - start`.  NULL, for callers to hand on. */
#define fail(parser, ...)                                                                          \
	fail_at((parser), (size_t)((parser)->at - (parser)->start) + 1, __VA_ARGS__)

__attribute__((format(printf, 3, 4))) static void *fail_at(struct parser *parser, size_t byte,
							   const char *format, ...)
{
	char sentence[160];
	va_list args;
	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	error_set(parser->error, ERR_PARSE, "byte %zu: %s", byte, sentence);
	return NULL;
}

static void *no_memory(struct parser *parser)
{
	error_set(parser->error, ERR_INTERNAL, "out of memory");
	return NULL;
}

/* Something else than what is here was expected. */
static void *expected(struct parser *parser, const char *what)
{
	if (parser->at == parser->end)
		return fail_at(parser, (size_t)(parser->end - parser->start),
			       "%s expected near end of file", what);
	return fail(parser, "%s expected", what);
}

/* ---- bytes ---- */

static void skip_space(struct parser *parser)
{
	while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\t' ||
					    *parser->at == '\n' || *parser->at == '\r'))
		parser->at++;
}

/* Takes the byte if it is the next, after white space. */
static bool take(struct parser *parser, char byte)
{
	skip_space(parser);
	if (parser->at == parser->end || *parser->at != byte)
		return false;
	parser->at++;
	return true;
}

static bool is_digit(const struct parser *parser)
{
	return parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9';
}

/* ---- bounds ---- */

static bool count_value(struct parser *parser)
{
	if (++parser->values <= parser->max_values)
		return true;
	error_set(parser->error, ERR_PARSE,
		  "the line holds more than %zu JSON values; send fewer boards at a time",
		  parser->max_values);
	return false;
}

/* Behind a bracket that opens. */
static bool enter(struct parser *parser)
{
	if (++parser->depth <= LIMIT_DEPTH)
		return count_value(parser);
	error_set(parser->error, ERR_PARSE,
		  "byte %zu opens level %zu of arrays and objects; at most %d may nest",
		  (size_t)(parser->at - parser->start), parser->depth, LIMIT_DEPTH);
	return false;
}

/* ---- strings ---- */

/* The four digits of \uXXXX, or -1.  They are taken if they are there. */
static int32_t take_hex(struct parser *parser)
{
	int32_t number = 0;
	if (parser->end - parser->at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = parser->at[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;
		if (digit < 0)
			return -1;
		number = number * 16 + digit;
	}
	parser->at += 4;
	return number;
}

static void put_utf8(struct buf *out, uint32_t code)
{
	char bytes[4];
	size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = len; i-- > 1; code >>= 6)
		bytes[i] = (char)(0x80 | (code & 0x3F));
	bytes[0] = (char)(len == 1 ? code : code | (0xF00u >> len & 0xF0));
	buf_put(out, bytes, len);
}

/* Behind `\u`: one character, or two halves of one. */
static bool take_unicode(struct parser *parser)
{
	int32_t code = take_hex(parser), low;
	if (code < 0)
		return fail(parser, "invalid escape: \\u goes before four hexadecimal digits");
	if (code == 0)
		return fail(parser, "\\u0000 is not allowed");
	if (code >= 0xD800 && code <= 0xDBFF) {
		if (parser->end - parser->at < 6 || memcmp(parser->at, "\\u", 2) != 0)
			return fail(parser, "invalid Unicode: \\u%04X is half a character",
				    (unsigned)code);
		parser->at += 2;
		low = take_hex(parser);
		if (low < 0xDC00 || low > 0xDFFF)
			return fail(parser, "invalid Unicode: no second half after \\u%04X",
				    (unsigned)code);
		code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF);
	} else if (code >= 0xDC00 && code <= 0xDFFF) {
		return fail(parser, "invalid Unicode: \\u%04X is half a character", (unsigned)code);
	}
	put_utf8(&parser->scratch, (uint32_t)code);
	return true;
}

/* Behind a backslash. */
static bool take_escape(struct parser *parser)
{
	static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	char name = parser->at < parser->end ? *parser->at : '\0';
	const char *found = name ? strchr(names, name) : NULL;
	if (name != 'u' && !found)
		return fail(parser, "invalid escape");
	parser->at++;
	if (name == 'u')
		return take_unicode(parser);
	buf_put(&parser->scratch, bytes + (found - names), 1);
	return true;
}

static bool is_plain(char byte)
{
	return (unsigned char)byte >= 0x20 && (unsigned char)byte < 0x80 && byte != '"' &&
	       byte != '\\';
}

/* What is not plain in a string: an escape, or a character beyond ASCII. */
static bool take_odd(struct parser *parser)
{
	uint32_t code;
	unsigned char byte = (unsigned char)*parser->at;
	if (byte == '\\') {
		parser->at++;
		return take_escape(parser);
	}
	if (byte < 0x20)
		return fail(parser, "control character 0x%x in a string", byte);
	size_t len =
		utf8_next((struct text){parser->at, (size_t)(parser->end - parser->at)}, &code);
	if (!len)
		return fail(parser, "unable to decode byte 0x%x", byte);
	buf_put(&parser->scratch, parser->at, len);
	parser->at += len;
	return true;
}

/* Behind a quote: the string, a view of the text or of `scratch`.  data NULL: it is none. */
static struct text take_string(struct parser *parser)
{
	static const struct text none = {NULL, 0};
	const char *run = parser->at;
	bool copied = false;
	buf_clear(&parser->scratch);
	for (;;) {
		while (parser->at < parser->end && is_plain(*parser->at))
			parser->at++;
		struct text plain = {run, (size_t)(parser->at - run)};
		if (parser->at == parser->end)
			return expected(parser, "'\"'"), none;
		if (*parser->at == '"' && !copied)
			return parser->at++, plain;
		buf_put_text(&parser->scratch, plain);
		if (*parser->at == '"')
			break;
		if (!take_odd(parser))
			return none;
		copied = true;
		run = parser->at;
	}
	parser->at++;
	if (parser->scratch.failed)
		return no_memory(parser), none;
	return buf_text(&parser->scratch);
}

static json_t *parse_string(struct parser *parser)
{
	struct text string = take_string(parser);
	if (!string.data)
		return NULL;
	json_t *json = json_stringn_nocheck(string.data, string.len);
	return json ? json : no_memory(parser);
}

/* ---- numbers ---- */

static bool take_digits(struct parser *parser)
{
	if (!is_digit(parser))
		return expected(parser, "a digit");
	while (is_digit(parser))
		parser->at++;
	return true;
}

static json_t *make_real(struct parser *parser, struct text number)
{
	buf_clear(&parser->scratch);
	buf_put_text(&parser->scratch, number);
	buf_put(&parser->scratch, "", 1);
	if (parser->scratch.failed)
		return no_memory(parser);
	errno = 0;
	double value = strtod(buf_data(&parser->scratch), NULL);
	if (errno == ERANGE && (value > 1 || value < -1))
		return fail(parser, "real number overflow");
	json_t *json = json_real(value);
	return json ? json : no_memory(parser);
}

static json_t *make_integer(struct parser *parser, struct text number)
{
	bool negative = number.data[0] == '-';
	uint64_t most = (uint64_t)INT64_MAX + negative, value = 0;
	for (size_t i = negative; i < number.len; i++) {
		unsigned digit = (unsigned)(number.data[i] - '0');
		if (value > (most - digit) / 10)
			return fail(parser, "too big %sinteger", negative ? "negative " : "");
		value = value * 10 + digit;
	}
	json_t *json = json_integer((json_int_t)(negative ? -value : value));
	return json ? json : no_memory(parser);
}

static json_t *parse_number(struct parser *parser)
{
	const char *start = parser->at;
	bool real = false;
	parser->at += *parser->at == '-';
	if (parser->at < parser->end && *parser->at == '0')
		parser->at++; /* and no digit behind it */
	else if (!take_digits(parser))
		return NULL;
	if (parser->at < parser->end && *parser->at == '.') {
		real = true;
		parser->at++;
		if (!take_digits(parser))
			return NULL;
	}
	if (parser->at < parser->end && (*parser->at == 'e' || *parser->at == 'E')) {
		real = true;
		parser->at++;
		parser->at +=
			parser->at < parser->end && (*parser->at == '+' || *parser->at == '-');
		if (!take_digits(parser))
			return NULL;
	}
	struct text number = {start, (size_t)(parser->at - start)};
	return real ? make_real(parser, number) : make_integer(parser, number);
}

/* ---- arrays and objects ---- */

/* One value into the array. */
static bool parse_element(struct parser *parser, json_t *array)
{
	json_t *value = parse_value(parser);
	if (value && json_array_append_new(array, value) < 0)
		return no_memory(parser);
	return value;
}

/* One member into the object. */
static bool parse_member(struct parser *parser, json_t *object)
{
	char small[64], *name = small;
	if (!take(parser, '"'))
		return expected(parser, "a string or '}'");
	struct text string = take_string(parser);
	if (!string.data)
		return false;
	if (string.len >= sizeof(small) && !(name = malloc(string.len + 1)))
		return no_memory(parser);
	memcpy(name, string.data, string.len);
	name[string.len] = '\0';
	json_t *value = NULL;
	size_t before = json_object_size(object);
	bool good = false;
	if (!take(parser, ':'))
		expected(parser, "':'");
	else
		value = parse_value(parser);
	/* One that was there already is replaced, and they are as many as before. */
	if (value && json_object_set_new_nocheck(object, name, value) < 0)
		no_memory(parser);
	else if (value && json_object_size(object) == before)
		fail(parser, "duplicate member \"%.64s\"", name);
	else
		good = value;
	if (name != small)
		free(name);
	return good;
}

/* What is between two brackets: none or several by `parse_one`, with commas between. */
static json_t *parse_many(struct parser *parser, json_t *into, char bracket,
			  bool (*parse_one)(struct parser *parser, json_t *into))
{
	const char quoted[] = {'\'', bracket, '\'', '\0'};
	bool good = into && enter(parser);
	if (!into)
		no_memory(parser);
	if (good && !take(parser, bracket)) {
		do
			good = parse_one(parser, into);
		while (good && take(parser, ',') && (good = count_value(parser)));
		if (good && !take(parser, bracket))
			good = expected(parser, quoted);
	}
	parser->depth--;
	if (good)
		return into;
	json_decref(into);
	return NULL;
}

/* ---- values ---- */

static json_t *parse_word(struct parser *parser, const char *word, json_t *json)
{
	size_t len = strlen(word);
	if ((size_t)(parser->end - parser->at) < len || memcmp(parser->at, word, len) != 0)
		return fail(parser, "invalid token");
	parser->at += len;
	return json;
}

/* Calls itself through arrays and objects, at most LIMIT_DEPTH deep. */
static json_t *parse_value(struct parser *parser)
{
	skip_space(parser);
	if (parser->at == parser->end)
		return expected(parser, "a value");
	switch (*parser->at) {
	case '"':
		parser->at++;
		return parse_string(parser);
	case '{':
		parser->at++;
		return parse_many(parser, json_object(), '}', parse_member);
	case '[':
		parser->at++;
		return parse_many(parser, json_array(), ']', parse_element);
	case 't':
		return parse_word(parser, "true", json_true());
	case 'f':
		return parse_word(parser, "false", json_false());
	case 'n':
		return parse_word(parser, "null", json_null());
	default:
		if (*parser->at == '-' || is_digit(parser))
			return parse_number(parser);
		return fail(parser, "invalid token");
	}
}

json_t *parse_json(struct text text, size_t max_values, struct error *ret_error)
{
	struct parser parser = {
		.start = text.data,
		.at = text.data,
		.end = text.data + text.len,
		.values = 1,
		.max_values = max_values,
		.error = ret_error,
	};
	json_t *json = parse_value(&parser);
	skip_space(&parser);
	if (json && parser.at < parser.end) {
		fail(&parser, "end of file expected");
		json_decref(json);
		json = NULL;
	}
	buf_free(&parser.scratch);
	return json;
}
