/* SPDX-License-Identifier: MIT */
#include "common/units.h"

#include "common/reason.h"
#include "common/utf8.h"

#include <inttypes.h>
#include <stdio.h>

struct unit {
	const char *name;
	uint64_t factor;
};

/* Smallest first. */
static const struct unit sizes[] = {
	{"", 1},           {"K", 1ull << 10}, {"M", 1ull << 20},
	{"G", 1ull << 30}, {"T", 1ull << 40}, {NULL, 0},
};
static const struct unit durations[] = {
	{"ms", 1}, {"s", 1000}, {"m", 60 * 1000}, {"h", 60 * 60 * 1000}, {NULL, 0},
};

enum { SHOWN = 40 }; /* bytes of what was written that a sentence repeats */

#define SIZE_FORM                                                                                  \
	"write bytes as a whole number, or one with a capital K, M, G or T after it, as in 64K"
#define DURATION_FORM "write a whole number with ms, s, m or h after it, as in 30s"

/* For %.*s: the start of `text`. */
#define SHOW(text) shown(text), (text).data

static int shown(struct text text)
{
	if (text.len > SHOWN)
		text.len = utf8_whole((struct text){text.data, SHOWN});
	return (int)text.len;
}

/* Takes the digits off the front of *rest.  False: there are none.  A number that 64 bits do not
 * hold comes out as UINT64_MAX, which is over every maximum or, being one, refused by the
 * callers. */
static bool take_digits(struct text *rest, uint64_t *ret)
{
	const char *start = rest->data;
	uint64_t number = 0;
	while (rest->len && *rest->data >= '0' && *rest->data <= '9') {
		uint64_t digit = (uint64_t)(*rest->data - '0');
		number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
		rest->data++;
		rest->len--;
	}
	*ret = number;
	return rest->data != start;
}

static const struct unit *find_unit(const struct unit *units, struct text name)
{
	for (; units->name; units++)
		if (text_is(name, units->name))
			return units;
	return NULL;
}

/* The largest unit that divides the amount. */
static const struct unit *best_unit(const struct unit *units, uint64_t amount)
{
	const struct unit *best = units;
	for (; units->name; units++)
		if (amount % units->factor == 0)
			best = units;
	return best;
}

/* amount = number * unit, if that is in the range; both ends are printed by `print`. */
static int scale(struct text text, uint64_t number, const struct unit *unit, uint64_t min,
		 uint64_t max, uint64_t *ret, const char *(*print)(uint64_t, char *), char *reason,
		 size_t cap)
{
	char end[UNITS_MAX];
	if (number == UINT64_MAX || number > max / unit->factor)
		return reason_set(reason, cap, "%.*s is too large: at most %s", SHOW(text),
				  print(max, end));
	if (number * unit->factor < min)
		return reason_set(reason, cap, "%.*s is too small: at least %s", SHOW(text),
				  print(min, end));
	*ret = number * unit->factor;
	return 0;
}

const char *units_print_size(uint64_t size, char *out)
{
	const struct unit *unit = size ? best_unit(sizes, size) : sizes;
	snprintf(out, UNITS_MAX, "%" PRIu64 "%s", size / unit->factor, unit->name);
	return out;
}

static const char *print_duration(uint64_t ms, char *out)
{
	const struct unit *unit = ms ? best_unit(durations, ms) : &durations[1];
	snprintf(out, UNITS_MAX, "%" PRIu64 "%s", ms / unit->factor, unit->name);
	return out;
}

const char *units_print_duration(int64_t ms, char *out)
{
	return print_duration(ms < 0 ? 0 : (uint64_t)ms, out);
}

int units_size(struct text text, uint64_t min, uint64_t max, uint64_t *ret, char *reason,
	       size_t cap)
{
	struct text rest = text;
	uint64_t number;
	const struct unit *unit;
	if (!take_digits(&rest, &number) || !(unit = find_unit(sizes, rest)))
		return reason_set(reason, cap, "'%.*s' is not a size: " SIZE_FORM, SHOW(text));
	return scale(text, number, unit, min, max, ret, units_print_size, reason, cap);
}

int units_duration(struct text text, int64_t min, int64_t max, int64_t *ret, char *reason,
		   size_t cap)
{
	struct text rest = text;
	uint64_t number, ms;
	bool digits = take_digits(&rest, &number);
	if (digits && !rest.len)
		return reason_set(reason, cap, "%.*s has no unit: add ms, s, m or h, as in %.*ss",
				  SHOW(text), SHOW(text));
	const struct unit *unit = find_unit(durations, rest);
	if (!digits || !unit)
		return reason_set(reason, cap, "'%.*s' is not a duration: " DURATION_FORM,
				  SHOW(text));
	if (scale(text, number, unit, (uint64_t)min, (uint64_t)max, &ms, print_duration, reason,
		  cap) < 0)
		return -1;
	*ret = (int64_t)ms;
	return 0;
}

int units_number(struct text text, int64_t min, int64_t max, int64_t *ret, char *reason, size_t cap)
{
	struct text rest = text;
	bool minus = rest.len && *rest.data == '-';
	uint64_t number;
	if (minus) {
		rest.data++;
		rest.len--;
	}
	if (!take_digits(&rest, &number) || rest.len)
		return reason_set(reason, cap, "'%.*s' is not a whole number", SHOW(text));

	/* The magnitude of INT64_MIN is one more than INT64_MAX. */
	bool fits = number <= (uint64_t)INT64_MAX + minus;
	int64_t value = !fits ? 0 : minus ? (int64_t)(0 - number) : (int64_t)number;
	if (minus ? !fits || value < min : fits && value < min)
		return reason_set(reason, cap, "%.*s is too small: at least %" PRId64, SHOW(text),
				  min);
	if (!fits || value > max)
		return reason_set(reason, cap, "%.*s is too large: at most %" PRId64, SHOW(text),
				  max);
	*ret = value;
	return 0;
}

int units_mode(struct text text, uint32_t *ret, char *reason, size_t cap)
{
	uint32_t mode = 0;
	bool octal = text.len >= 2 && text.len <= 4 && text.data[0] == '0';
	for (size_t i = 0; octal && i < text.len; i++) {
		octal = text.data[i] >= '0' && text.data[i] <= '7';
		mode = mode * 8 + (uint32_t)(text.data[i] - '0');
	}
	if (!octal)
		return reason_set(reason, cap,
				  "'%.*s' is not a mode: write it in octal with a leading 0, as in "
				  "0660",
				  SHOW(text));
	*ret = mode;
	return 0;
}

int units_bool(struct text text, bool *ret, char *reason, size_t cap)
{
	static const char *const words[][2] = {
		{"no", "yes"}, {"false", "true"}, {"off", "on"}, {"0", "1"}};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		for (int value = 0; value < 2; value++)
			if (text_is(text, words[i][value])) {
				*ret = value;
				return 0;
			}
	return reason_set(reason, cap, "'%.*s' is neither yes nor no", SHOW(text));
}
