/* SPDX-License-Identifier: MIT */
/* What comes from users: any bytes whatever, as board and as goal; what is printed and drawn. */
#include "checker/checks.h"
#include "checker/random.h"
#include "common/utf8.h"
#include "worker/plain.h"

#include <limits.h>
#include <stdlib.h>

enum {
	MUTANTS = 6000,
	SOLVED_MUTANTS = 300, /* at most, of those that check accepts */
	MUTANT_MS = 20,
	SOLVING_NS = 1000 * 1000 * 1000, /* after which none is solved any more */
	PLACES = 48,                     /* in which every byte is tried */
	COLUMNS = 80
};

/* ---- mutants ---- */

static char random_byte(uint64_t *seed, struct text board)
{
	static const char likely[] =
		"0123456789 \n\t\r,/-+.*_xX#abzAZ'\"\\%\0\x1b\x7f\xff\xc2\xa0\xef";
	uint64_t random = random_next(seed);
	if (random % 2 && board.len > 0)
		return board.data[random / 2 % board.len];
	return likely[random / 2 % sizeof(likely)];
}

/* Changes the text in `room` once, in a way that people and enemies do. */
static size_t mutate(char *room, size_t len, uint64_t *seed)
{
	const struct text text = {room, len};
	size_t at = len ? random_next(seed) % len : 0, other = len ? random_next(seed) % len : 0;
	char byte = random_byte(seed, text);
	switch (random_next(seed) % 7) {
	case 0: /* another byte */
		if (len > 0)
			room[at] = byte;
		return len;
	case 1: /* one more */
		if (len == PZ_BOARD_MAX)
			return len;
		memmove(room + at + 1, room + at, len - at);
		room[at] = byte;
		return len + 1;
	case 2: /* one less */
		if (len == 0)
			return 0;
		memmove(room + at, room + at + 1, len - at - 1);
		return len - 1;
	case 3: /* cut short */
		return at;
	case 4: /* twice */
		if (len > PZ_BOARD_MAX / 2)
			return len;
		memcpy(room + len, room, len);
		return 2 * len;
	default: /* two bytes change places: often still a board, and one that cannot be solved */
		if (len > 0) {
			byte = room[at];
			room[at] = room[other];
			room[other] = byte;
		}
		return len;
	}
}

/* The texts that no mutation is needed for. */
static struct text special(uint32_t number, char *room)
{
	static const char marked[] = "\xef\xbb\xbf";
	switch (number) {
	case 0:
		return (struct text){"", 0};
	case 1:
		return (struct text){marked, 3};
	default:
		memset(room,
		       number == 2   ? '1'
		       : number == 3 ? ' '
		       : number == 4 ? '['
				     : 0xff,
		       PZ_BOARD_MAX);
		return (struct text){room, PZ_BOARD_MAX};
	}
}

enum { SPECIALS = 6 };

/* ---- what check says of them ---- */

/* Whether a refusal is one that a person can be told.  Else it is told here. */
static bool refusal_stands(struct subject *s, struct text board, struct text text,
			   const struct pz_error *why, const char *whose)
{
	size_t len = strnlen(why->reason, sizeof(why->reason));
	if (len == sizeof(why->reason))
		broken(s, board, "the reason for refusing %s has no NUL at its end", whose);
	else if (len == 0)
		broken(s, board, "%s is refused without a reason", whose);
	else if (!plain_check((struct text){why->reason, len}, false))
		broken(s, board, "the reason for refusing %s is not plain UTF-8", whose);
	else if (why->position > text.len + 1)
		broken(s, board,
		       "the error's position is %zu in a text of %zu bytes (1 + the byte's index, "
		       "or 0)",
		       why->position, text.len);
	else
		return true;
	return false;
}

/* All that can be asked about a board that check has accepted. */
static bool use(struct subject *s, struct text board, bool solve)
{
	char room[PZ_BOARD_MAX], again[PZ_BOARD_MAX], drawn[PZ_RENDER_MAX];
	struct wire_result result;
	struct pz_buffer out = {drawn, sizeof(drawn), 0};
	struct text canonical = subject_canonical(s, board, room);
	if (!canonical.data) {
		broken(s, board, "check accepts it, and replay of no moves does not print it");
		return false;
	}
	struct text twice = subject_canonical(s, canonical, again);
	if (!twice.data || twice.len != canonical.len ||
	    memcmp(twice.data, canonical.data, twice.len) != 0) {
		broken(s, canonical,
		       twice.data ? "read again, what was printed is printed as something else"
				  : "check refuses what replay printed");
		return false;
	}
	subject_job(s, board);
	for (unsigned i = 0; s->host.plugin.estimate && i < heuristic_count(s); i++)
		call_estimate(s, i);
	if (s->host.plugin.render)
		call_render(s, &out);
	if (solve) {
		subject_job(s, board);
		call_solve(s, MUTANT_MS, &result);
	}
	return true;
}

/* Tries a text as a board, and as the goal of a board. */
static bool try(struct subject *s, struct text text, struct text base, bool solve,
		uint32_t *accepted)
{
	struct pz_error why;
	subject_job(s, text);
	if (call_check(s, &why)) {
		++*accepted;
		if (!use(s, text, solve))
			return false;
	} else if (!refusal_stands(s, text, text, &why, "the board")) {
		return false;
	}
	if (!s->host.plugin.goal)
		return true;
	subject_job(s, base);
	subject_job_goal(s, text);
	if (call_check(s, &why) || refusal_stands(s, text, text, &why, "the goal"))
		return true;
	return false;
}

/* Whether there is time to solve one more of the changed boards. */
static bool may_solve(const struct subject *s, uint32_t accepted)
{
	return accepted < SOLVED_MUTANTS && cpu_ns() - s->since < SOLVING_NS;
}

/* Each byte there is in each place, the boards taking turns: a single one that is taken for another
 * is found. */
static bool try_bytes(struct subject *s, char *room, uint32_t *accepted)
{
	for (unsigned at = 0; at < PLACES && !spent(s); at++) {
		struct text base = s->samples[at % s->sample_count];
		if (base.len == 0)
			continue;
		memcpy(room, base.data, base.len);
		for (unsigned byte = 0; byte <= UCHAR_MAX; byte++) {
			room[at % base.len] = (char)byte;
			if (!try(s, (struct text){room, base.len}, base, may_solve(s, *accepted),
				 accepted))
				return false;
		}
	}
	return true;
}

void check_check(struct subject *s)
{
	static char room[2 * PZ_BOARD_MAX];
	uint64_t seed = s->request->seed;
	uint32_t accepted = 0, tried;
	subject_sample(s);
	if (s->refused.whose) {
		broken(s, s->refused.board, "%s is refused: %s", s->refused.whose, s->refused.why);
		return;
	}
	for (uint32_t i = 0; i < s->sample_count; i++)
		if (!try(s, s->samples[i], s->samples[i], false, &accepted))
			return;
	for (uint32_t i = 0; i < SPECIALS; i++)
		if (!try(s, special(i, room), s->samples[0], true, &accepted))
			return;
	accepted = 0;
	if (!try_bytes(s, room, &accepted))
		return;
	accepted = 0;
	for (tried = 0; tried < MUTANTS && !spent(s); tried++) {
		struct text base = s->samples[tried % s->sample_count];
		size_t len = base.len;
		memcpy(room, base.data, len);
		for (uint64_t changes = 1 + random_next(&seed) % 3; changes > 0; changes--)
			len = mutate(room, len, &seed);
		if (!try(s, (struct text){room, len}, base, may_solve(s, accepted), &accepted))
			return;
	}
	holds(s, "%u changed boards, %u of them boards again", tried, accepted);
}

/* ---- printing and drawing ---- */

void check_print(struct subject *s)
{
	char room[PZ_BOARD_MAX], again[PZ_BOARD_MAX];
	subject_sample(s);
	for (uint32_t i = 0; i < s->sample_count; i++) {
		struct text first = subject_canonical(s, s->samples[i], room);
		if (!first.data) {
			struct pz_error why;
			if (call_check(s, &why))
				broken(s, s->samples[i], "replay of no moves does not print it");
			else
				broken(s, s->samples[i], "check refuses what it took before: %s",
				       why.reason);
			return;
		}
		if (first.len > s->host.board_max) {
			broken(s, first, "it is printed in %zu bytes; board_max says %u", first.len,
			       s->host.board_max);
			return;
		}
		if (!plain_check(first, true)) {
			broken(s, first, "it is not printed in plain UTF-8");
			return;
		}
		struct text second = subject_canonical(s, first, again);
		if (!second.data || second.len != first.len ||
		    memcmp(second.data, first.data, first.len) != 0) {
			broken(s, first,
			       second.data
				       ? "read again, what was printed is printed as something else"
				       : "check refuses what replay printed");
			return;
		}
	}
	holds(s, "%u boards printed, read and printed again", s->sample_count);
}

/* Whether lines are ended by newlines and fit a terminal: NULL, or what is wrong. */
static const char *bad_drawing(struct text drawn)
{
	unsigned column = 0;
	if (!plain_check(drawn, true))
		return "it is not drawn in plain UTF-8";
	if (drawn.len == 0 || drawn.data[drawn.len - 1] != '\n')
		return "the last line of the drawing has no newline";
	while (drawn.len > 0) {
		uint32_t character;
		size_t size = utf8_next(drawn, &character);
		column = character == '\n' ? 0 : column + 1;
		if (column > COLUMNS)
			return "a line of the drawing has more than 80 columns";
		drawn.data += size;
		drawn.len -= size;
	}
	return NULL;
}

void check_render(struct subject *s)
{
	char drawn[PZ_RENDER_MAX];
	subject_sample(s);
	if (!s->host.plugin.render) {
		skipped(s, "the plugin draws no boards");
		return;
	}
	for (uint32_t i = 0; i < s->sample_count; i++) {
		struct pz_buffer out = {drawn, sizeof(drawn), 0};
		char room[PZ_BOARD_MAX];
		struct text plain = subject_canonical(s, s->samples[i], room);
		subject_job(s, s->samples[i]);
		if (call_render(s, &out) < 0 || out.data != drawn || out.len > sizeof(drawn)) {
			broken(s, s->samples[i], "it is not drawn in %d bytes", PZ_RENDER_MAX);
			return;
		}
		struct text text = {drawn, out.len};
		/* Without a drawing of its own the kit prints the board, which has no newline. */
		bool printed = plain.data && plain.len == text.len &&
			       memcmp(plain.data, text.data, text.len) == 0;
		const char *bad = printed ? NULL : bad_drawing(text);
		if (bad) {
			broken(s, s->samples[i], "%s", bad);
			return;
		}
	}
	holds(s, "%u boards drawn", s->sample_count);
}
