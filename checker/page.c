/* SPDX-License-Identifier: MIT */
#include "checker/page.h"

#include <stdarg.h>
#include <stdio.h>

struct outcome *page_add(struct page *page, const char *name, enum verdict verdict,
			 const char *format, ...)
{
	struct outcome *outcome =
		&page->outcomes[page->count < PAGE_OUTCOMES ? page->count++ : PAGE_OUTCOMES - 1];
	va_list args;
	snprintf(outcome->name, sizeof(outcome->name), "%s", name);
	outcome->verdict = verdict;
	outcome->has_board = outcome->follows = false;
	va_start(args, format);
	vsnprintf(outcome->note, sizeof(outcome->note), format, args);
	va_end(args);
	return outcome;
}

void outcome_at(struct outcome *outcome, struct text board)
{
	outcome->has_board = true;
	outcome->board_len = board.len < PZ_BOARD_MAX ? (uint32_t)board.len : PZ_BOARD_MAX;
	if (outcome->board_len > 0)
		memcpy(outcome->board, board.data, outcome->board_len);
}

const struct outcome *page_find(const struct page *page, const char *name)
{
	for (uint32_t i = 0; i < page->count; i++)
		if (strcmp(page->outcomes[i].name, name) == 0)
			return &page->outcomes[i];
	return NULL;
}

void page_lost(struct page *page)
{
	const struct call *call = &page->call;
	if (page->death_count == PAGE_DEATHS)
		return;
	struct death *death = &page->deaths[page->death_count++];
	memcpy(death->what, call->what, sizeof(death->what));
	death->has_board = call->has_board;
	death->board_len = call->board_len;
	memcpy(death->board, call->board, call->board_len);
}

bool page_died_in(const struct page *page, const char *what, struct text board)
{
	for (uint32_t i = 0; i < page->death_count; i++) {
		const struct death *death = &page->deaths[i];
		if (strncmp(death->what, what, strlen(what)) != 0)
			continue;
		if (!board.data || (death->has_board && death->board_len == board.len &&
				    memcmp(death->board, board.data, board.len) == 0))
			return true;
	}
	return false;
}
