/* SPDX-License-Identifier: MIT */
/* draw: boards side by side, as many in a row as the terminal is wide. */
#ifndef CLIENT_DRAW_H
#define CLIENT_DRAW_H

#include <jansson.h>
#include <stdio.h>

/*
 * Draws `boards` (an array of texts of several lines), each below its caption: the first "start",
 * the others their number and the name of the move in `moves` that led there.
 */
void draw_boards(FILE *out, const json_t *boards, const json_t *moves, size_t columns);

#endif
