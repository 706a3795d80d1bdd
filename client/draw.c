/* SPDX-License-Identifier: MIT */
#include "client/draw.h"

#include "client/print.h"

#include <stdbool.h>
#include <stdlib.h>

enum { GAP = 4, CAPTION = 48 };

/* A board on its way to the paper: what is left to be drawn of it. */
struct drawing {
	char caption[CAPTION];
	const char *rest; /* NULL: drawn */
};

static void make_caption(char ret[CAPTION], size_t i, const json_t *moves)
{
	const char *move = i > 0 ? json_string_value(json_array_get(moves, i - 1)) : NULL;
	if (i == 0)
		snprintf(ret, CAPTION, "start");
	else
		snprintf(ret, CAPTION, "%zu%s%s", i, move ? " " : "", move ? move : "");
}

/* The next line of the drawing; empty when there is none. */
static struct text next_line(struct drawing *drawing)
{
	if (!drawing->rest)
		return (struct text){"", 0};
	size_t len = strcspn(drawing->rest, "\n");
	struct text line = {drawing->rest, len};
	drawing->rest =
		drawing->rest[len] && drawing->rest[len + 1] ? drawing->rest + len + 1 : NULL;
	return line;
}

static size_t widest(const json_t *boards, const json_t *moves)
{
	size_t widest = 0, i;
	json_t *board;
	json_array_foreach ((json_t *)boards, i, board) {
		struct drawing drawing = {.rest = json_string_value(board)};
		make_caption(drawing.caption, i, moves);
		size_t width = print_width(text_of(drawing.caption));
		widest = width > widest ? width : widest;
		while (drawing.rest) {
			width = print_width(next_line(&drawing));
			widest = width > widest ? width : widest;
		}
	}
	return widest;
}

/* One line of boards in a row; blanks only between, not after them. */
static void put_row(FILE *out, const struct text *parts, size_t count, size_t width)
{
	size_t due = 0; /* blanks that the next part needs before it */
	for (size_t i = 0; i < count; i++) {
		if (parts[i].len > 0) {
			fprintf(out, "%*s", (int)due, "");
			due = 0;
		}
		due += width + GAP - print_text(out, parts[i]);
	}
	putc('\n', out);
}

static void draw_row(FILE *out, struct drawing *row, struct text *parts, size_t count, size_t width)
{
	for (size_t i = 0; i < count; i++)
		parts[i] = text_of(row[i].caption);
	put_row(out, parts, count, width);
	for (;;) {
		bool more = false;
		for (size_t i = 0; i < count; i++)
			more = more || row[i].rest;
		if (!more)
			return;
		for (size_t i = 0; i < count; i++)
			parts[i] = next_line(&row[i]);
		put_row(out, parts, count, width);
	}
}

void draw_boards(FILE *out, const json_t *boards, const json_t *moves, size_t columns)
{
	size_t width = widest(boards, moves), count = json_array_size(boards);
	size_t across = (columns + GAP) / (width + GAP);
	across = across ? across : 1;
	struct drawing *row = calloc(across, sizeof(*row));
	struct text *parts = calloc(across, sizeof(*parts));
	for (size_t first = 0; row && parts && first < count; first += across) {
		size_t here = count - first < across ? count - first : across;
		for (size_t i = 0; i < here; i++) {
			make_caption(row[i].caption, first + i, moves);
			row[i].rest = json_string_value(json_array_get(boards, first + i));
		}
		if (first > 0)
			putc('\n', out);
		draw_row(out, row, parts, here, width);
	}
	free(row);
	free(parts);
}
