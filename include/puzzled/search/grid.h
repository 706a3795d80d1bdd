/* SPDX-License-Identifier: MIT */
/* Boards that are grids of one-character cells: reading, printing and drawing them. */
#ifndef PUZZLED_SEARCH_GRID_H
#define PUZZLED_SEARCH_GRID_H

#include <puzzled/search/text.h>

enum {
	PZ_GRID_MAX = 256, /* cells of one grid */
	PZ_GLYPH_BAD = 0,  /* in pz_grid.glyphs: not a character of this puzzle */
	PZ_GLYPH_GAP = 255 /* separates cells or stands between them; means nothing */
};

/*
 * A kind of grid.  `glyphs` says of each byte which cell it is: 1 + the cell's value, PZ_GLYPH_BAD
 * or PZ_GLYPH_GAP.  Write it with designated initialisers, PZ_GRID_GAPS and PZ_GRID_BLANKS among
 * them.
 */
struct pz_grid {
	unsigned rows, cols;
	const char *cells; /* for an error: what the cells are, "the tiles 1 to 8 and a blank" */
	unsigned char glyphs[256];
};

#define PZ_GRID_GAPS                                                                               \
	[' '] = PZ_GLYPH_GAP, ['\t'] = PZ_GLYPH_GAP, ['\n'] = PZ_GLYPH_GAP, ['\r'] = PZ_GLYPH_GAP, \
	[','] = PZ_GLYPH_GAP, ['/'] = PZ_GLYPH_GAP
/* The customary blanks other than `0`, as cell value `v`. */
#define PZ_GRID_BLANKS(v)                                                                          \
	['x'] = 1 + (v), ['X'] = 1 + (v), ['_'] = 1 + (v), ['.'] = 1 + (v), ['*'] = 1 + (v)

/* pz_grid_stranger: the error for a byte at `at` that is no cell and no gap. */
PZ_OUTLINE int pz_grid_stranger(const struct pz_grid *grid, struct pz_text text, size_t at,
				struct pz_error *error)
{
	unsigned char byte = (unsigned char)text.data[at];

	if (byte > ' ' && byte < 0x7f)
		return pz_fail(error, at + 1, "'%c' is not a cell here; there are %s", byte,
			       grid->cells);
	return pz_fail(error, at + 1, "byte 0x%02X is not a cell here; there are %s", byte,
		       grid->cells);
}

/*
 * pz_grid_parse: reads rows * cols cells, in reading order, into `cells` (their values) and, if not
 * NULL, `at` (where each is in the text).  Skips gaps, a byte-order mark at the beginning and
 * no-break spaces.  Anything else, and too few or too many cells, is an error.
 */
static inline int pz_grid_parse(const struct pz_grid *grid, struct pz_text text,
				unsigned char *cells, uint16_t *at, struct pz_error *error)
{
	size_t want = (size_t)grid->rows * grid->cols, n = 0, i;

	for (i = 0; i < text.len; i++) {
		unsigned char glyph = grid->glyphs[(unsigned char)text.data[i]];

		if (glyph == PZ_GLYPH_GAP)
			continue;
		if (PZ_UNLIKELY(glyph == PZ_GLYPH_BAD)) {
			size_t skip = pz_skip(text, i);

			if (skip == 0)
				return pz_grid_stranger(grid, text, i, error);
			i += skip - 1;
			continue;
		}
		if (PZ_UNLIKELY(n == want))
			return pz_fail(error, i + 1,
				       "more cells than the %zu of a board of %u rows of %u", want,
				       grid->rows, grid->cols);
		if (at != NULL)
			at[n] = (uint16_t)i;
		cells[n++] = (unsigned char)(glyph - 1);
	}
	if (n == 0)
		return pz_fail(error, 0, "the board is empty; it needs %zu cells: %s", want,
			       grid->cells);
	if (n < want)
		return pz_fail(error, 0, "%zu cell%s where a board has %zu, %u rows of %u", n,
			       n == 1 ? "" : "s", want, grid->rows, grid->cols);
	return 0;
}

/* pz_grid_rule: one horizontal line of the frame, with its joints. */
PZ_OUTLINE int pz_grid_rule(unsigned cols, const char *left, const char *mid, const char *right,
			    struct pz_buffer *out)
{
	int bad = pz_put(out, left, strlen(left));
	unsigned col;

	for (col = 0; col < cols; col++) {
		const char *joint = col + 1 < cols ? mid : right;

		bad |= pz_put(out, "\u2500\u2500\u2500", 9);
		bad |= pz_put(out, joint, strlen(joint));
	}
	return bad | pz_put(out, "\n", 1);
}

/* pz_grid_render: draws a frame around cells; glyphs[value] is one column wide. */
PZ_OUTLINE int pz_grid_render(const struct pz_grid *grid, const unsigned char *cells,
			      const char *const *glyphs, struct pz_buffer *out)
{
	int bad = pz_grid_rule(grid->cols, "\u250c", "\u252c", "\u2510", out);
	unsigned row, col;

	for (row = 0; row < grid->rows; row++) {
		if (row > 0)
			bad |= pz_grid_rule(grid->cols, "\u251c", "\u253c", "\u2524", out);
		for (col = 0; col < grid->cols; col++) {
			const char *glyph = glyphs[cells[row * grid->cols + col]];

			bad |= pz_put(out, "\u2502 ", 4);
			bad |= pz_put(out, glyph, strlen(glyph));
			bad |= pz_put(out, " ", 1);
		}
		bad |= pz_put(out, "\u2502\n", 4);
	}
	return bad | pz_grid_rule(grid->cols, "\u2514", "\u2534", "\u2518", out);
}

#endif
