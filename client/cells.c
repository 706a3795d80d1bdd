/* SPDX-License-Identifier: MIT */
#include "client/cells.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COUNT_DIGITS = 9, SEQUENCE = 3 };

void cells_start(struct cells *cells, struct input *input)
{
	*cells = (struct cells){.input = input, .place = {1, 1}};
}

/* Takes one byte and moves the place. */
static void take(struct cells *cells)
{
	int byte = input_byte(cells->input);
	if (byte == '\r' || (byte == '\n' && !cells->after_return))
		cells->place = (struct place){cells->place.line + 1, 1};
	else if (byte != '\n' && ((unsigned)byte & 0xC0) != 0x80)
		cells->place.column++;
	cells->after_return = byte == '\r';
}

/* White space of more than one byte. */
static const char *const wide_spaces[] = {
	"\xC2\xA0",     /* no-break space */
	"\xE3\x80\x80", /* ideographic space */
	"\xEF\xBB\xBF", /* byte-order mark */
};

/*
 * Skips white space.  Returns the first byte after it, unread, or -1 at the end.  A byte that
 * begins a wide space must be taken before the rest can be seen: if the rest is another, *ret_lost
 * tells that the character at cells->place (and not the byte that is next) is one that nobody
 * wants.
 */
static int skip_space(struct cells *cells, bool *ret_lost)
{
	*ret_lost = false;
	for (;;) {
		int byte = input_peek(cells->input);
		if (byte == ' ' || (byte >= '\t' && byte <= '\r')) {
			take(cells);
			continue;
		}
		if (byte < 0x80)
			return byte;
		struct place place = cells->place;
		char sequence[SEQUENCE + 1] = "";
		size_t len = 0;
		bool space = false;
		do {
			sequence[len++] = (char)input_peek(cells->input);
			take(cells);
			for (size_t i = 0; i < sizeof(wide_spaces) / sizeof(wide_spaces[0]); i++)
				space = space || strcmp(sequence, wide_spaces[i]) == 0;
		} while (!space && len < SEQUENCE && input_peek(cells->input) >= 0x80);
		if (!space) {
			cells->place = place;
			*ret_lost = true;
			return byte;
		}
	}
}

static int unwanted(const struct cells *cells, int byte, bool lost, const char *wanted,
		    struct fault *fault)
{
	char shown[16];
	if (byte < 0)
		return fault_set(fault, EXIT_USAGE,
				 "the input ends at line %" PRIu64 ", where %s is due",
				 cells->place.line, wanted);
	if (lost || byte < 0x20 || byte > 0x7E)
		snprintf(shown, sizeof(shown), "byte 0x%02x", (unsigned)byte);
	else
		snprintf(shown, sizeof(shown), "'%c'", byte);
	return fault_set(fault, EXIT_USAGE,
			 "line %" PRIu64 ", column %" PRIu64 ": %s is found where %s is due",
			 cells->place.line, cells->place.column, shown, wanted);
}

int cells_board(struct cells *cells, const char *alphabet, unsigned count, struct cells_board *ret,
		struct fault *fault)
{
	for (unsigned i = 0; i < count; i++) {
		bool lost;
		int byte = skip_space(cells, &lost);
		if (byte < 0 && i == 0)
			return 0;
		if (byte <= 0 || lost || !strchr(alphabet, byte)) {
			char wanted[96];
			snprintf(wanted, sizeof(wanted), "cell %u of %u (one of %s)", i + 1, count,
				 alphabet);
			return unwanted(cells, byte, lost, wanted, fault);
		}
		if (cells->place.line == cells->board_line)
			return fault_set(
				fault, EXIT_USAGE,
				"line %" PRIu64 ", column %" PRIu64
				": more than the %u cells of a board, and no new line before",
				cells->place.line, cells->place.column, count);
		ret->text[i] = (char)byte;
		ret->places[i] = cells->place;
		take(cells);
	}
	cells->board_line = ret->places[count - 1].line;
	return 1;
}

int cells_count(struct cells *cells, uint64_t *ret, struct fault *fault)
{
	const char *wanted = "the number of boards";
	bool lost;
	int byte = skip_space(cells, &lost);
	uint64_t value = 0;
	unsigned digits = 0;
	if (lost)
		return unwanted(cells, byte, lost, wanted, fault);
	while ((byte = input_peek(cells->input)) >= '0' && byte <= '9' && digits <= COUNT_DIGITS) {
		value = value * 10 + (uint64_t)(byte - '0');
		digits++;
		take(cells);
	}
	if (digits > COUNT_DIGITS)
		return fault_set(fault, EXIT_USAGE,
				 "line %" PRIu64 ": the number of boards has more than %d digits",
				 cells->place.line, COUNT_DIGITS);
	uint64_t line = cells->place.line;
	if (digits == 0)
		return unwanted(cells, byte, lost, wanted, fault);
	byte = skip_space(cells, &lost);
	if (byte >= 0 && cells->place.line == line)
		return unwanted(cells, byte, lost, "the end of the line", fault);
	if (lost)
		return unwanted(cells, byte, lost, "a board", fault);
	*ret = value;
	return 0;
}

int cells_end(struct cells *cells, struct fault *fault)
{
	bool lost;
	int byte = skip_space(cells, &lost);
	if (cells->input->error)
		return fault_set(fault, EXIT_USAGE, "cannot read the input: %s",
				 strerror(cells->input->error));
	return byte < 0 ? 0 : unwanted(cells, byte, lost, "the end of the input", fault);
}
