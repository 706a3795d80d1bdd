/* SPDX-License-Identifier: MIT */
/* boards: boards as people give them: words of the command line, or standard input. */
#ifndef CLIENT_BOARDS_H
#define CLIENT_BOARDS_H

#include "client/fault.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * The rule, for words after the puzzle's name:
 * - none, or one `-`: all of standard input is one board;
 * - every word is a single cell, that is at most two characters: together, with spaces between,
 *   they are one board (`2 3 4 1 5 x 7 6 8`, typed without quotes);
 * - else each word is a board.
 *
 * Returns an array of strings, not empty, or NULL with *fault.
 */
json_t *boards_of_words(int count, char *const *words, FILE *input, struct fault *fault);

/* True when these words mean standard input. */
bool boards_are_input(int count, char *const *words);

/*
 * All of `input` as one string, without what blanks and newlines are at its end; or NULL with
 * *fault: longer than a board can be, not UTF-8, unreadable.
 */
json_t *boards_read(FILE *input, struct fault *fault);

#endif
