/* SPDX-License-Identifier: MIT */
#include "client/print.h"

#include "common/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Writes to `out` unless it is NULL; returns the characters. */
static size_t put_harmless(FILE *out, struct text text)
{
	size_t width = 0;
	for (size_t at = 0; at < text.len;) {
		uint32_t c;
		size_t bytes = utf8_next((struct text){text.data + at, text.len - at}, &c);
		char escaped[16];
		int len = 0;
		if (bytes == 0 || (c < 0x80 && utf8_is_control(c)))
			len = snprintf(escaped, sizeof(escaped), "\\x%02x",
				       (unsigned char)text.data[at]);
		else if (utf8_is_control(c))
			len = snprintf(escaped, sizeof(escaped), "\\u{%" PRIx32 "}", c);
		bytes = bytes ? bytes : 1;
		if (out && len > 0)
			fputs(escaped, out);
		else if (out)
			fwrite(text.data + at, 1, bytes, out);
		width += len > 0 ? (size_t)len : 1;
		at += bytes;
	}
	return width;
}

size_t print_text(FILE *out, struct text text)
{
	return put_harmless(out, text);
}

size_t print_string(FILE *out, const char *string)
{
	return put_harmless(out, text_of(string));
}

size_t print_width(struct text text)
{
	return put_harmless(NULL, text);
}

size_t print_columns(FILE *out)
{
	struct winsize size;
	if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	const char *set = getenv("COLUMNS");
	long columns = set ? strtol(set, NULL, 10) : 0;
	return columns > 0 && columns < 10000 ? (size_t)columns : 80;
}

void print_wrapped(FILE *out, const char *text, size_t indent, size_t columns)
{
	size_t at = indent;
	while (*text) {
		struct text word = {text, strcspn(text, " \n")};
		size_t width = print_width(word);
		if (at > indent && (text[-1] == '\n' || at + 1 + width > columns)) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
		}
		if (at > indent)
			putc(' ', out);
		print_text(out, word);
		at += (at > indent) + width;
		text += word.len + (text[word.len] != '\0');
	}
}

void print_lines(FILE *out, const char *string)
{
	for (;;) {
		size_t len = strcspn(string, "\n");
		print_text(out, (struct text){string, len});
		if (!string[len])
			return;
		putc('\n', out);
		string += len + 1;
	}
}

void print_moves(FILE *out, const json_t *moves, const char *between)
{
	size_t i;
	json_t *move;
	const char *before = "";
	json_array_foreach ((json_t *)moves, i, move) {
		if (!json_is_string(move))
			continue;
		fputs(before, out);
		print_string(out, json_string_value(move));
		before = between;
	}
}

int print_json(FILE *out, const json_t *value, struct fault *fault)
{
	size_t flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15);
	/* JSON itself escapes what is below a space, but not the other controls. */
	if (isatty(fileno(out)))
		flags |= JSON_ENSURE_ASCII;
	char *line = json_dumps(value, flags);
	if (!line)
		return fault_memory(fault);
	fputs(line, out);
	putc('\n', out);
	free(line);
	return 0;
}

void print_complaint(const char *format, ...)
{
	char sentence[2048];
	va_list args;
	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	fflush(stdout);
	fputs("puzzlectl: ", stderr);
	print_lines(stderr, sentence);
	putc('\n', stderr);
}

void print_fault(const struct fault *fault)
{
	print_complaint("%s", fault->sentence);
}

const char *print_duration(char ret[PRINT_AMOUNT], int64_t us)
{
	if (us < 1000)
		snprintf(ret, PRINT_AMOUNT, "%" PRId64 " us", us);
	else if (us < 1000 * 1000)
		snprintf(ret, PRINT_AMOUNT, "%.1f ms", (double)us / 1e3);
	else if (us < 60 * 1000 * 1000)
		snprintf(ret, PRINT_AMOUNT, "%.2f s", (double)us / 1e6);
	else
		snprintf(ret, PRINT_AMOUNT, "%" PRId64 " m %" PRId64 " s", us / 60000000,
			 us / 1000000 % 60);
	return ret;
}

const char *print_size(char ret[PRINT_AMOUNT], int64_t bytes)
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	double amount = (double)bytes;
	size_t unit = 0;
	for (; amount >= 1024 && unit + 1 < sizeof(names) / sizeof(names[0]); unit++)
		amount /= 1024;
	bool whole = amount >= 10 || unit == 0;
	snprintf(ret, PRINT_AMOUNT, whole ? "%.0f %s" : "%.1f %s", amount, names[unit]);
	return ret;
}

const char *print_place(char ret[PRINT_AMOUNT], int64_t position)
{
	if (position > 0)
		snprintf(ret, PRINT_AMOUNT, " (byte %" PRId64 ")", position);
	else
		ret[0] = '\0';
	return ret;
}
