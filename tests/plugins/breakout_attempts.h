/* SPDX-License-Identifier: MIT */
/*
 * breakout_attempts: what a plugin must not do, tried.
 *
 * It may well succeed, as root, on the machine that somebody works at: when the sandbox is broken,
 * and when somebody breaks it to see the tests fail.  So an attempt is made where success harms
 * nobody and is undone: at files of the tests' own, in a folder below the current one, with signals
 * and arguments that do nothing.
 */
#ifndef TESTS_PLUGINS_BREAKOUT_ATTEMPTS_H
#define TESTS_PLUGINS_BREAKOUT_ATTEMPTS_H

enum { ATTEMPTS = 49, BREAKOUT_PATH = 200 };

/* The tests make it, with one file. */
#define BREAKOUT_SCRATCH "breakout-scratch"
#define BREAKOUT_VICTIM  BREAKOUT_SCRATCH "/victim"

struct attempt {
	const char *name;
	int (*make)(void); /* 0: it succeeded; else the errno */
};

extern const struct attempt attempts[ATTEMPTS + 1]; /* the last has no name */

/* Paths that some of them need; set once `open` knows them. */
extern char table_folder[BREAKOUT_PATH + 1], daemon_socket[BREAKOUT_PATH + 1];

#endif
