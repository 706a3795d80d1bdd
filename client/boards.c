/* SPDX-License-Identifier: MIT */
#include "client/boards.h"

#include "client/value.h"
#include "common/buf.h"
#include "common/limits.h"

#include <errno.h>
#include <string.h>

enum { CELL_CHARACTERS = 2 }; /* 24 on a 5x5 board */

static size_t characters(const char *word)
{
	size_t count = 0;
	for (; *word; word++)
		count += ((unsigned char)*word & 0xC0) != 0x80;
	return count;
}

json_t *boards_read(FILE *input, struct fault *fault)
{
	char text[LIMIT_BOARD + 1];
	size_t len = fread(text, 1, sizeof(text), input);
	if (ferror(input)) {
		fault_set(fault, EXIT_USAGE, "cannot read the board: %s", strerror(errno));
		return NULL;
	}
	if (len > LIMIT_BOARD) {
		fault_set(fault, EXIT_USAGE, "the board has more than %d bytes", LIMIT_BOARD);
		return NULL;
	}
	while (len > 0 && strchr(" \t\r\n", text[len - 1]) && text[len - 1])
		len--;
	return value_text("the board", text, len, fault);
}

/* The words with spaces between, as one string. */
static json_t *join(int count, char *const *words, struct fault *fault)
{
	struct buf buf = {0};
	for (int i = 0; i < count; i++) {
		if (i > 0)
			buf_put(&buf, " ", 1);
		buf_put_string(&buf, words[i]);
	}
	json_t *board = NULL;
	if (buf.failed)
		fault_memory(fault);
	else
		board = value_text("the board", buf_text(&buf).data, buf_len(&buf), fault);
	buf_free(&buf);
	return board;
}

bool boards_are_input(int count, char *const *words)
{
	return count == 0 || (count == 1 && strcmp(words[0], "-") == 0);
}

json_t *boards_of_words(int count, char *const *words, FILE *input, struct fault *fault)
{
	json_t *boards = json_array();
	if (!boards) {
		fault_memory(fault);
		return NULL;
	}
	bool cells = true;
	for (int i = 0; i < count; i++)
		cells = cells && characters(words[i]) <= CELL_CHARACTERS;

	bool from_input = boards_are_input(count, words);
	int parts = from_input || cells ? 1 : count;
	for (int i = 0; i < parts; i++) {
		json_t *board;
		if (from_input)
			board = boards_read(input, fault);
		else if (cells)
			board = join(count, words, fault);
		else
			board = value_text("the board", words[i], strlen(words[i]), fault);
		if (!board || json_array_append_new(boards, board) < 0) {
			if (board)
				fault_memory(fault);
			json_decref(boards);
			return NULL;
		}
	}
	return boards;
}
