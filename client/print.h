/* SPDX-License-Identifier: MIT */
/*
 * print: text for people.
 *
 * What comes from outside (a board, a message of the daemon, a file's line) may hold anything; here
 * it loses its power over a terminal: control characters, characters that turn the writing
 * direction and bytes that are not UTF-8 are printed as `\xHH` or `\u{H}`.
 */
#ifndef CLIENT_PRINT_H
#define CLIENT_PRINT_H

#include "client/fault.h"
#include "common/text.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* Writes `text` made harmless; returns how many characters that are. */
size_t print_text(FILE *out, struct text text);
size_t print_string(FILE *out, const char *string);

/* The same for several lines: newlines (and only they) stay what they are. */
void print_lines(FILE *out, const char *string);

/* How many characters print_text would write. */
size_t print_width(struct text text);

/* How wide the terminal is; else what COLUMNS says, or 80. */
size_t print_columns(FILE *out);

/*
 * The words of `text`, harmless, in lines of at most `columns`; the first goes on in the column
 * `indent`, where the others begin.  No newline at the end.
 */
void print_wrapped(FILE *out, const char *text, size_t indent, size_t columns);

/* Names of moves (an array of strings; others are left out), with `between` between them. */
void print_moves(FILE *out, const json_t *moves, const char *between);

/* JSON on one line, safe for a terminal. Returns 0, or -1 with *fault. */
int print_json(FILE *out, const json_t *value, struct fault *fault);

/* "puzzlectl: " and the sentence, on stderr, after what was printed on stdout. */
__attribute__((format(printf, 1, 2))) void print_complaint(const char *format, ...);
void print_fault(const struct fault *fault);

enum { PRINT_AMOUNT = 48 }; /* room that the following need */

/* "12 us", "3.4 ms", "1.23 s", "2 m 5 s"; into `ret`, which they return. */
const char *print_duration(char ret[PRINT_AMOUNT], int64_t us);

/* "512 B", "1.5 KiB", "16 MiB". */
const char *print_size(char ret[PRINT_AMOUNT], int64_t bytes);

/* " (byte 7)" for the place of a fault in a board, counted from 1; "" for 0: no one place. */
const char *print_place(char ret[PRINT_AMOUNT], int64_t position);

#endif
