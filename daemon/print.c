/* SPDX-License-Identifier: MIT */
#include "daemon/print.h"
#include "common/utf8.h"

static bool is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

static void print_escaped(struct buf *out, unsigned char byte)
{
	switch (byte) {
	case '"':
		buf_put(out, "\\\"", 2);
		break;
	case '\\':
		buf_put(out, "\\\\", 2);
		break;
	case '\n':
		buf_put(out, "\\n", 2);
		break;
	case '\t':
		buf_put(out, "\\t", 2);
		break;
	case '\r':
		buf_put(out, "\\r", 2);
		break;
	default:
		buf_printf(out, "\\u%04x", byte);
	}
}

void print_string(struct buf *out, struct text text)
{
	const unsigned char *bytes = (const unsigned char *)text.data;
	buf_put(out, "\"", 1);
	for (size_t at = 0; at < text.len;) {
		size_t run = at;
		while (run < text.len && is_plain(bytes[run]))
			run++;
		buf_put(out, text.data + at, run - at);
		at = run;
		if (at == text.len)
			break;
		uint32_t code;
		size_t len = utf8_next((struct text){text.data + at, text.len - at}, &code);
		if (len > 1)
			buf_put(out, text.data + at, len);
		else if (len == 1)
			print_escaped(out, bytes[at]);
		else
			buf_put(out, "\xEF\xBF\xBD", 3);
		at += len ? len : 1;
	}
	buf_put(out, "\"", 1);
}

void print_name(struct buf *out, const char *name)
{
	buf_put(out, "\"", 1);
	buf_put_string(out, name);
	buf_put(out, "\":", 2);
}

void print_text_member(struct buf *out, const char *name, struct text text)
{
	print_name(out, name);
	print_string(out, text);
	buf_put(out, ",", 1);
}

void print_uint_member(struct buf *out, const char *name, uint64_t number)
{
	print_name(out, name);
	buf_put_uint(out, number);
	buf_put(out, ",", 1);
}

void print_int_member(struct buf *out, const char *name, int64_t number)
{
	print_name(out, name);
	if (number < 0)
		buf_put(out, "-", 1);
	buf_put_uint(out, number < 0 ? -(uint64_t)number : (uint64_t)number);
	buf_put(out, ",", 1);
}

void print_bool_member(struct buf *out, const char *name, bool yes)
{
	print_name(out, name);
	buf_put_string(out, yes ? "true," : "false,");
}

void print_end(struct buf *out, char bracket)
{
	if (!out->failed && buf_len(out) && out->block[out->end - 1] == ',')
		out->block[out->end - 1] = bracket;
	else
		buf_put(out, &bracket, 1);
}
