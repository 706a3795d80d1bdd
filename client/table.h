/* SPDX-License-Identifier: MIT */
/* table: cells of text in aligned columns; numbers stand to the right. */
#ifndef CLIENT_TABLE_H
#define CLIENT_TABLE_H

#include <stdint.h>
#include <stdio.h>

enum { TABLE_COLUMNS = 16 };

struct table;

/* A table with these titles, ended by NULL, at most TABLE_COLUMNS; NULL: no memory. */
struct table *table_new(const char *const *titles);

/* Frees it; may be NULL. */
void table_free(struct table *table);

/* Adds a cell to the row, which ends by itself with its last cell.  NULL: an empty cell. */
void table_text(struct table *table, const char *text);
void table_number(struct table *table, int64_t number);

/* A cell to the right with text that is no plain number ("1.2 ms"). */
void table_amount(struct table *table, const char *text);

/* Prints it, titles first.  Returns 0, or -1: some cell had no memory. */
int table_print(FILE *out, const struct table *table);

#endif
