/* SPDX-License-Identifier: MIT */
/* config_keys: the table of every key of the configuration, and what can be done by it alone. */
#ifndef DAEMON_CONFIG_KEYS_H
#define DAEMON_CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum config_type {
	CONFIG_PATH,    /* char *: absolute */
	CONFIG_SOCKET,  /* char *: absolute, and fits into a sockaddr_un */
	CONFIG_TEXT,    /* char *: anything but nothing */
	CONFIG_NAME,    /* char *: of a user or a group, or nothing */
	CONFIG_NAMES,   /* char *: several of them, with spaces or commas between, or nothing */
	CONFIG_MODE,    /* uint32_t */
	CONFIG_LEVEL,   /* uint32_t: enum log_level */
	CONFIG_BOOL,    /* uint32_t: 0 or 1 */
	CONFIG_COUNT,   /* uint32_t */
	CONFIG_SIZE,    /* uint64_t */
	CONFIG_DURATION /* int64_t, ms */
};

/* Where a key may stand, and so in which struct its offset lies. */
enum config_scope {
	CONFIG_DAEMON, /* [daemon]; struct config */
	CONFIG_JOB,    /* both; struct config_job */
	CONFIG_PUZZLE  /* [puzzle:NAME]; struct config_puzzle */
};

struct config_key {
	const char *name;
	enum config_scope scope;
	enum config_type type;
	size_t offset;
	bool fixed;       /* a reload cannot change it */
	const char *text; /* default of a char *; NULL: none */
	int64_t number;   /* default of a number */
	int64_t min, max; /* of a number; unused where both are 0 */
	const char *help; /* one sentence */
};

enum { CONFIG_KEYS = 29 };
extern const struct config_key config_keys[CONFIG_KEYS];

/* The key of this name, or NULL. */
const struct config_key *config_key_find(const char *name);

/* The name, among those that [daemon] takes, that `name` is most likely a slip for; NULL: like
 * none. */
const char *config_key_nearest(const char *name);

/* Whether `a` becomes `b` by at most two slips: a character too many, too few, wrong or
 * transposed. */
bool config_is_slip(const char *a, const char *b);

/*
 * Reads `text` into the key's place in `base`, the struct of its scope; a string there before is
 * freed.  Returns 0, or -1 with the place untouched and a sentence in `reason`.
 */
int config_key_set(const struct config_key *key, void *base, const char *text, char *reason,
		   size_t cap);

/* The same with the default.  Returns 0, or -1 without memory. */
int config_key_set_default(const struct config_key *key, void *base);

/* Copies the key's number from one struct of its scope to another.  Not for strings. */
void config_key_copy(const struct config_key *key, void *to, const void *from);

bool config_key_equal(const struct config_key *key, const void *a, const void *b);

/* Frees the key's string, if it is one. */
void config_key_free(const struct config_key *key, void *base);

/* Prints the value as the file would have it; nothing for a string that is not there. */
void config_key_print(const struct config_key *key, const void *base, FILE *out);

/* Prints the table, one line a key, TAB-separated: where (daemon, both, puzzle), name, type,
 * default, least, most, at what a change takes effect (reload, restart), help.  What there is not
 * is "-". */
void config_keys_print(FILE *out);

#endif
