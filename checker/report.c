/* SPDX-License-Identifier: MIT */
#include "checker/report.h"

#include "common/utf8.h"

enum { SHOWN = 240 }; /* bytes of a board; JSON has all of it */

/* A board in double quotes: on one line, whatever is in it. */
static void print_board(FILE *out, struct text board)
{
	const size_t whole = board.len;
	if (board.len > SHOWN)
		board.len = SHOWN;
	putc('"', out);
	while (board.len > 0) {
		uint32_t character;
		size_t size = utf8_next(board, &character);
		unsigned char byte = (unsigned char)board.data[0];
		if (size == 0 || (utf8_is_control(character) && byte != '\n')) {
			fprintf(out, "\\x%02x", byte);
			size = 1;
		} else if (byte == '\n') {
			fputs("\\n", out);
		} else {
			if (byte == '"' || byte == '\\')
				putc('\\', out);
			fwrite(board.data, 1, size, out);
		}
		board.data += size;
		board.len -= size;
	}
	putc('"', out);
	if (whole > SHOWN)
		fprintf(out, "... (%zu bytes)", whole);
}

static void count(const struct page *page, int *ret_broken, int *ret_held)
{
	*ret_broken = *ret_held = 0;
	for (uint32_t i = 0; i < page->count; i++) {
		*ret_broken += page->outcomes[i].verdict == BROKEN;
		*ret_held += page->outcomes[i].verdict == HOLDS;
	}
}

/* One line for all checks that could not be made because another one failed. */
static void print_following(FILE *out, const struct page *page)
{
	int shown = 0;
	for (uint32_t i = 0; i < page->count; i++)
		if (page->outcomes[i].follows)
			fprintf(out, "%s%s", shown++ ? ", " : "skipped  for what failed: ",
				page->outcomes[i].name);
	if (shown)
		putc('\n', out);
}

int report_text(FILE *out, const struct page *page)
{
	static const char *const words[] = {
		[HOLDS] = "ok     ", [BROKEN] = "FAILED ", [SKIPPED] = "skipped"};
	int broken, held;
	count(page, &broken, &held);
	for (uint32_t i = 0; i < page->count; i++) {
		const struct outcome *outcome = &page->outcomes[i];
		/* They follow from what failed, and would bury it. */
		if (outcome->follows)
			continue;
		fprintf(out, "%s  %s: %s", words[outcome->verdict], outcome->name, outcome->note);
		if (outcome->has_board) {
			fputs("; board ", out);
			print_board(out, (struct text){outcome->board, outcome->board_len});
		}
		putc('\n', out);
	}
	print_following(out, page);
	fprintf(out, "%d ok, %d failed, %d skipped\n", held, broken,
		(int)page->count - held - broken);
	return broken;
}

/* A string of JSON; what is not UTF-8 becomes U+FFFD. */
static void print_string(FILE *out, struct text text)
{
	putc('"', out);
	while (text.len > 0) {
		uint32_t character;
		size_t size = utf8_next(text, &character);
		unsigned char byte = (unsigned char)text.data[0];
		if (size == 0)
			fputs("\\ufffd", out);
		else if (byte < 0x20 || byte == '"' || byte == '\\')
			fprintf(out, "\\u%04x", byte);
		else
			fwrite(text.data, 1, size, out);
		text.data += size ? size : 1;
		text.len -= size ? size : 1;
	}
	putc('"', out);
}

int report_json(FILE *out, const char *file, const struct page *page)
{
	static const char *const words[] = {
		[HOLDS] = "ok", [BROKEN] = "failed", [SKIPPED] = "skipped"};
	int broken, held;
	count(page, &broken, &held);
	fputs("{\"plugin\":", out);
	print_string(out, text_of(file));
	fprintf(out, ",\"ok\":%s,\"checks\":[", broken ? "false" : "true");
	for (uint32_t i = 0; i < page->count; i++) {
		const struct outcome *outcome = &page->outcomes[i];
		fprintf(out, "%s{\"check\":", i ? "," : "");
		print_string(out, text_of(outcome->name));
		fprintf(out, ",\"outcome\":\"%s\",\"note\":", words[outcome->verdict]);
		print_string(out, text_of(outcome->note));
		if (outcome->has_board) {
			fputs(",\"board\":", out);
			print_string(out, (struct text){outcome->board, outcome->board_len});
		}
		putc('}', out);
	}
	fputs("]}\n", out);
	return broken;
}
