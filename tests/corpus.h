/* SPDX-License-Identifier: MIT */
/*
 * corpus: a folder of files as tests, one a file.
 *
 * y_NAME must be accepted, n_NAME refused.  What a file is expected to give stands in it, in lines
 * that begin with "; want: " at its start (after a byte-order mark, if it has one).
 */
#ifndef TESTS_CORPUS_H
#define TESTS_CORPUS_H

#include "common/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <cmocka.h>

enum { CORPUS_WANTS = 64 };

/* One file: what *state of its test points to. */
struct corpus_file {
	char *path;
	char *name; /* in the folder */
	bool good;  /* y_ */
	struct text content;
	char *wants[CORPUS_WANTS];
	size_t want_count;
};

/*
 * Fills `ret` with a test for each file of the folder, in alphabetical order, and returns how many.
 * What is there is meant to live as long as the program.  Ends the program with a message where
 * there is no file, one that is neither y_ nor n_, or more than `cap`: a test that ran nothing
 * would pass.
 */
size_t corpus_tests(const char *folder, CMUnitTestFunction test, struct CMUnitTest *ret,
		    size_t cap);

#endif
