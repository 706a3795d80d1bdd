/* SPDX-License-Identifier: MIT */
/*
 * ini: a strict reader of INI text, around inih.
 *
 *	; a comment, also with #
 *	[section]
 *	key = value     ; a comment
 *
 * inih splits a line into its parts, and is lenient: it cuts long lines and long section names,
 * takes an indented line for more of the value before, carries on after a broken [section, and
 * drops what follows a closing bracket.  So each line is judged here before inih sees it, and the
 * first that could be read in two ways ends the reading with an error:
 *
 * - a key or a section begins in the first column; the separator is `=`, not `:`;
 * - a key comes after a section; it consists of letters, digits, `_` and `-`, a section's name also
 *   of `:` and `.`, each at most INI_NAME_MAX bytes;
 * - " ;" (a space or tab, then a semicolon) begins a comment, a semicolon elsewhere is an ordinary
 *   character; " #" in a value is refused, since some would take it for a comment and some would
 *   not;
 * - a value is written without quotes and on one line; spaces around it are not part of it; it may
 *   be empty;
 * - text is UTF-8 without control characters other than tab; a byte-order mark at the start and
 *   Windows line ends are let pass;
 * - a line has at most LIMIT_CONFIG_LINE bytes, or what inih was built for if that is less.
 */
#ifndef COMMON_INI_H
#define COMMON_INI_H

#include "common/text.h"

#include <stddef.h>

enum { INI_NAME_MAX = 48 }; /* inih keeps 49 bytes of a name and cuts the rest */

/* What stands on one line. */
struct ini_entry {
	const char *section;
	const char *key;   /* NULL: the line opens the section */
	const char *value; /* NULL where key is */
	unsigned line;     /* the first line is 1 */
};

/* Takes one entry, whose strings are valid during the call.  Returns 0, or -1 after writing a
 * sentence into `reason`, which ends the reading; ini_read puts file and line in front of it. */
typedef int ini_visitor(void *arg, const struct ini_entry *entry, char *reason, size_t cap);

/*
 * Gives each section and key of `text` to `visit`, in order.  Returns 0, or -1 after the first
 * error with "NAME:LINE: why" in `reason`; `name` is only for that.
 */
int ini_read(struct text text, const char *name, ini_visitor *visit, void *arg, char *reason,
	     size_t cap);

/*
 * The same for a file, which must be a regular one of at most LIMIT_CONFIG_FILE bytes.  An error
 * that belongs to no line comes as "PATH: why".
 */
int ini_read_file(const char *path, ini_visitor *visit, void *arg, char *reason, size_t cap);

#endif
