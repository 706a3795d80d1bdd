/* SPDX-License-Identifier: MIT */
/*
 * options: the command line as a table.
 *
 * A row tells an option's names, its type and where its value goes: at `offset` bytes into the
 * struct that goes with the table.  The same rows make the help.
 */
#ifndef CLIENT_OPTIONS_H
#define CLIENT_OPTIONS_H

#include "client/fault.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A number that may have been left out. */
struct number {
	bool given;
	int64_t value;
};

enum option_type {
	OPTION_FLAG,     /* bool */
	OPTION_TEXT,     /* const char * */
	OPTION_NUMBER,   /* struct number, not negative */
	OPTION_DURATION, /* struct number, in milliseconds */
	OPTION_SETTING   /* json_t *, an object that collects key=value; made when needed */
};

struct option {
	const char *name; /* without its dashes; NULL ends a table */
	char letter;      /* or 0 */
	enum option_type type;
	size_t offset;
	const char *argument; /* what the help calls it; NULL for a flag */
	const char *help;     /* what it does, without capital and full stop */
};

/* A table and the struct that its values go into. */
struct option_set {
	const struct option *options; /* may be NULL */
	void *values;
};

/*
 * Reads the options in argv[0 .. argc) by the first of `sets` (ended by one without values) that
 * has them, and moves the operands, in their order, to the front of argv.  Options and operands may
 * be mixed; `--` ends the options; a lone `-` is an operand.  `only_leading`: stops at the first
 * operand, which the count does not include.  Returns how many leading words of argv are operands
 * (only_leading: how many words were read), or -1 with *fault.
 */
int options_parse(const struct option_set *sets, bool only_leading, int argc, char **argv,
		  struct fault *fault);

/* Frees what the values own. */
void options_free(const struct option_set *set);

/* Prints the rows of a table, aligned. */
void options_help(FILE *out, const struct option *options);

#endif
