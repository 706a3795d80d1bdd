/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <puzzled/search/text.h>

#include "plugins/sliding.h"

enum { NUMBER_MAX = 1000 }; /* greater ones are told as over this, and kept as one more */

const uint16_t sliding_weight[SLIDING_SIDE_MAX] = {1, 6, 36, 216, 1296};

/* ---- text ---------------------------------------------------------------------------------- */

/* Where the reading is. */
struct reader {
	struct pz_text text;
	size_t at;
	uint16_t from[SLIDING_CELLS_MAX]; /* byte of each cell */
	uint16_t number[SLIDING_CELLS_MAX];
	unsigned count, row_cells; /* cells so far: of the board, and of this row */
};

/* read_number: a run of digits, or one of the blank's other signs.  False: neither. */
static bool read_number(struct reader *r, unsigned *ret)
{
	unsigned number = 0;
	size_t from = r->at;
	char byte;

	for (; r->at < r->text.len; r->at++) {
		byte = r->text.data[r->at];
		if (byte < '0' || byte > '9')
			break;
		number = number * 10 + (unsigned)(byte - '0');
		if (number > NUMBER_MAX)
			number = NUMBER_MAX + 1;
	}
	*ret = number;
	if (r->at > from)
		return true;
	if (memchr("xX_.*", r->text.data[r->at], 5) == NULL)
		return false;
	r->at++;
	return true;
}

/* end_row: an empty one counts for nothing. */
static int end_row(struct reader *r, struct sliding_want want, struct sliding_board *ret,
		   struct pz_error *error)
{
	if (r->row_cells == 0)
		return 0;
	if (ret->rows == 0)
		ret->cols = r->row_cells;
	if (want.cells == 0 && r->row_cells != ret->cols)
		return pz_fail(error, r->from[r->count - r->row_cells] + 1u,
			       "row %u has %u cell%s and the first %u", ret->rows + 1, r->row_cells,
			       r->row_cells == 1 ? "" : "s", ret->cols);
	ret->rows++;
	r->row_cells = 0;
	return 0;
}

/* read_cells: all tokens.  `most`: cells that there may be. */
static int read_cells(struct reader *r, struct sliding_want want, unsigned most,
		      struct sliding_board *ret, struct pz_error *error)
{
	while (r->at < r->text.len) {
		char byte = r->text.data[r->at];
		size_t from = r->at, skip = pz_skip(r->text, from);
		unsigned number;

		if (byte == '\n' || byte == '\r' || byte == '/') {
			if (end_row(r, want, ret, error) != 0)
				return -1;
			r->at++;
		} else if (byte == ' ' || byte == '\t' || byte == ',') {
			r->at++;
		} else if (skip > 0) {
			r->at += skip;
		} else if (!read_number(r, &number)) {
			return pz_fail(
				error, from + 1,
				byte > ' ' && byte < 0x7f
					? "'%c' is not a cell here; there are numbers and a "
					  "blank (0 x X _ . or *)"
					: "byte 0x%02X is not a cell here; there are numbers "
					  "and a blank (0 x X _ . or *)",
				(unsigned char)byte);
		} else if (r->count == most) {
			return pz_fail(error, from + 1, "more cells than the %u of a board", most);
		} else {
			r->from[r->count] = (uint16_t)from;
			r->number[r->count++] = (uint16_t)number;
			r->row_cells++;
		}
	}
	return end_row(r, want, ret, error);
}

/*
 * apart: were spaces left between the tiles? No board has a tile of three digits, and none is
 * without a cell of one.
 */
static int apart(const struct reader *r, struct pz_error *error)
{
	unsigned least = NUMBER_MAX, together = 0, i;

	for (i = r->count; i-- > 0;) {
		if (r->number[i] < least)
			least = r->number[i];
		if (r->number[i] > 99)
			together = i;
	}
	if (least <= 9 && r->number[together] <= 99)
		return 0;
	return pz_fail(error, r->from[together] + 1u,
		       "there is no tile %s%u; write spaces between tiles, as in 1 2 3/4 5 0",
		       r->number[together] > NUMBER_MAX ? "over " : "",
		       r->number[together] > NUMBER_MAX ? NUMBER_MAX : r->number[together]);
}

/* judge: is each tile there once? */
static int judge(const struct reader *r, struct pz_error *error)
{
	uint16_t at[SLIDING_CELLS_MAX];
	bool blank = false;
	uint32_t seen = 0;
	unsigned i;

	for (i = 0; i < r->count; i++)
		blank |= r->number[i] == 0;
	for (i = 0; i < r->count; i++) {
		unsigned number = r->number[i];

		if (number == r->count && !blank)
			return pz_fail(
				error, r->from[i] + 1u,
				"there is no blank (0 x X _ . or *), and tile %u is one too many",
				number);
		if (number >= r->count)
			return pz_fail(
				error, r->from[i] + 1u,
				"there is no tile %u on a board of %u cell%s: the greatest is %u",
				number, r->count, r->count == 1 ? "" : "s", r->count - 1);
		if (seen >> number & 1 && number == 0)
			return pz_fail(error, r->from[i] + 1u,
				       "a second blank; the first is at byte %u", at[0] + 1u);
		if (seen >> number & 1)
			return pz_fail(error, r->from[i] + 1u,
				       "tile %u is repeated; it is also at byte %u", number,
				       at[number] + 1u);
		seen |= UINT32_C(1) << number;
		at[number] = r->from[i];
	}
	return 0;
}

int sliding_read(struct pz_text text, struct sliding_want want, struct sliding_board *ret,
		 struct pz_error *error)
{
	unsigned most = want.cells != 0 ? want.cells : SLIDING_CELLS_MAX, i;
	struct reader r = {.text = text};
	struct sliding_board board = {0};

	if (read_cells(&r, want, most, &board, error) != 0)
		return -1;
	if (r.count == 0)
		return pz_fail(error, 0, "the board is empty; it needs numbers and a blank");
	if (apart(&r, error) != 0)
		return -1;
	if (want.cells != 0 && r.count < want.cells)
		return pz_fail(error, 0, "%u cell%s where a board has %u", r.count,
			       r.count == 1 ? "" : "s", want.cells);
	if (want.cells == 0 && board.cols > SLIDING_SIDE_MAX && board.rows > 1)
		return pz_fail(error, 0, "rows of %u cells; there can be at most %d", board.cols,
			       SLIDING_SIDE_MAX);
	if (judge(&r, error) != 0)
		return -1;
	board.count = r.count;
	for (i = 0; i < r.count; i++)
		board.tiles[i] = (uint8_t)r.number[i];
	*ret = board;
	return 0;
}

int sliding_print(const uint8_t *tiles, unsigned rows, unsigned cols, struct pz_buffer *out)
{
	char text[SLIDING_CELLS_MAX * 3];
	size_t len = 0;
	unsigned i;

	for (i = 0; i < rows * cols; i++) {
		if (i > 0)
			text[len++] = i % cols == 0 ? '/' : ' ';
		if (tiles[i] >= 10)
			text[len++] = (char)('0' + tiles[i] / 10);
		text[len++] = (char)('0' + tiles[i] % 10);
	}
	return pz_put(out, text, len);
}

/* rule: one horizontal line of the frame. */
static int rule(unsigned cols, const char *left, const char *mid, const char *right,
		struct pz_buffer *out)
{
	int bad = pz_put(out, left, 3);
	unsigned col;

	for (col = 0; col < cols; col++) {
		bad |= pz_put(out, "\u2500\u2500\u2500\u2500", 12);
		bad |= pz_put(out, col + 1 < cols ? mid : right, 3);
	}
	return bad | pz_put(out, "\n", 1);
}

int sliding_render(const uint8_t *tiles, unsigned rows, unsigned cols, struct pz_buffer *out)
{
	int bad = rule(cols, "\u250c", "\u252c", "\u2510", out);
	unsigned row, col;

	for (row = 0; row < rows; row++) {
		if (row > 0)
			bad |= rule(cols, "\u251c", "\u253c", "\u2524", out);
		for (col = 0; col < cols; col++) {
			unsigned tile = tiles[row * cols + col];
			char cell[4] = {' ', ' ', ' ', ' '};

			if (tile >= 10)
				cell[1] = (char)('0' + tile / 10);
			if (tile > 0)
				cell[2] = (char)('0' + tile % 10);
			bad |= pz_put(out, "\u2502", 3);
			bad |= pz_put(out, cell, sizeof(cell));
		}
		bad |= pz_put(out, "\u2502\n", 4);
	}
	return bad | rule(cols, "\u2514", "\u2534", "\u2518", out);
}

int sliding_move_name(unsigned notation, unsigned id, char *name, size_t cap)
{
	if (id >= 4 || cap < 2)
		return -1;
	name[0] = "udlr"[notation == 0 ? id : id ^ 1];
	name[1] = '\0';
	return 0;
}

/* ---- parity -------------------------------------------------------------------------------- */

/* in_order: do the tiles stand in the same order as at home? */
static bool in_order(const uint8_t *tiles, const uint8_t *home, unsigned count)
{
	int before = -1;
	unsigned i;

	for (i = 0; i < count; i++) {
		if (tiles[i] == 0)
			continue;
		if (home[tiles[i]] < before)
			return false;
		before = home[tiles[i]];
	}
	return true;
}

bool sliding_solvable(const uint8_t *tiles, const uint8_t *home, unsigned rows, unsigned cols)
{
	unsigned count = rows * cols, odd = 0, i, at;
	uint32_t seen = 0;

	if (rows == 1 || cols == 1)
		return in_order(tiles, home, count);
	for (i = 0; i < count; i++) {
		/* Each cycle of n cells is n - 1 swaps. */
		for (at = i; !(seen >> at & 1); at = home[tiles[at]]) {
			seen |= UINT32_C(1) << at;
			odd ^= at != i;
		}
		if (tiles[i] == 0)
			odd ^= i / cols + i % cols + home[0] / cols + home[0] % cols;
	}
	return (odd & 1) == 0;
}

/* ---- linear conflicts ---------------------------------------------------------------------- */

void sliding_conflicts_init(struct sliding_conflicts *conflicts)
{
	unsigned line, i, j;

	for (line = 0; line < SLIDING_LINES; line++) {
		unsigned longest = 0, natives = 0, left = line;
		unsigned digit[SLIDING_SIDE_MAX], ending[SLIDING_SIDE_MAX] = {0};

		for (i = 0; i < SLIDING_SIDE_MAX; i++, left /= 6) {
			digit[i] = left % 6;
			if (digit[i] == SLIDING_STRANGER)
				continue;
			natives++;
			/* The longest increasing subsequence that ends here. */
			for (j = 0; j < i; j++)
				if (digit[j] < digit[i] && ending[j] > ending[i])
					ending[i] = ending[j];
			ending[i]++;
			if (ending[i] > longest)
				longest = ending[i];
		}
		conflicts->moves[line] = (uint8_t)(2 * (natives - longest));
	}
}
