/* SPDX-License-Identifier: MIT */
#include "client/table.h"

#include "client/print.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	GAP = 2,
	LEAST = 20
}; /* columns: between two, and of the last where its words are wrapped */

struct cell {
	char *text;
	bool right;
};

struct table {
	size_t columns, count, room; /* cells, the titles among them */
	struct cell *cells;
	size_t widths[TABLE_COLUMNS];
	bool failed;
};

static void add(struct table *table, const char *text, bool right)
{
	if (table->count == table->room) {
		size_t room = table->room ? 2 * table->room : 64;
		struct cell *cells = realloc(table->cells, room * sizeof(*cells));
		if (!cells) {
			table->failed = true;
			return;
		}
		table->cells = cells;
		table->room = room;
	}
	char *copy = strdup(text ? text : "");
	if (!copy) {
		table->failed = true;
		return;
	}
	size_t column = table->count % table->columns, width = print_width(text_of(copy));
	table->widths[column] = width > table->widths[column] ? width : table->widths[column];
	table->cells[table->count++] = (struct cell){copy, right};
}

struct table *table_new(const char *const *titles)
{
	struct table *table = calloc(1, sizeof(*table));
	if (!table)
		return NULL;
	while (titles[table->columns] && table->columns < TABLE_COLUMNS)
		table->columns++;
	for (size_t i = 0; i < table->columns; i++)
		add(table, titles[i], false);
	return table;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i].text);
	free(table->cells);
	free(table);
}

void table_text(struct table *table, const char *text)
{
	add(table, text, false);
}

void table_number(struct table *table, int64_t number)
{
	char text[32];
	snprintf(text, sizeof(text), "%" PRId64, number);
	add(table, text, true);
}

void table_amount(struct table *table, const char *text)
{
	add(table, text, true);
}

/* A title stands where the cells below it do. */
static bool is_right(const struct table *table, size_t i)
{
	if (i < table->columns && i + table->columns < table->count)
		i += table->columns;
	return table->cells[i].right;
}

/* Where the last column begins. */
static size_t last_column(const struct table *table)
{
	size_t at = 0;
	for (size_t i = 0; i + 1 < table->columns; i++)
		at += table->widths[i] + GAP;
	return at;
}

int table_print(FILE *out, const struct table *table)
{
	if (table->failed)
		return -1;
	/* Only what a person reads is broken: elsewhere a row is a line. */
	size_t last = last_column(table), columns = isatty(fileno(out)) ? print_columns(out) : 0;
	bool wraps = columns >= last + LEAST;
	size_t due = 0; /* blanks before the next cell that is not empty; none at a line's end */
	for (size_t i = 0; i < table->count; i++) {
		size_t column = i % table->columns;
		struct text text = text_of(table->cells[i].text);
		size_t blanks = table->widths[column] - print_width(text);
		bool right = is_right(table, i);
		if (column > 0)
			due += GAP;
		if (text.len > 0) {
			due += right ? blanks : 0;
			fprintf(out, "%*s", (int)due, "");
			due = 0;
			if (wraps && !right && column + 1 == table->columns)
				print_wrapped(out, text.data, last, columns);
			else
				print_text(out, text);
		}
		due += right && text.len > 0 ? 0 : blanks;
		if (column + 1 == table->columns) {
			putc('\n', out);
			due = 0;
		}
	}
	return 0;
}
