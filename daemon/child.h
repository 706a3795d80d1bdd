/* SPDX-License-Identifier: MIT */
/* child: starts a worker process and says how one ended. */
#ifndef DAEMON_CHILD_H
#define DAEMON_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whom children run as; resolved before the loop starts, since looking names up may block. */
struct child_user {
	bool change; /* false: stay who we are */
	uid_t uid;
	gid_t gid;
};

/*
 * Runs `program NAME` with an empty environment, default signals, /dev/null as input, `output` as
 * output and errors, `channel` as fd 3 and `page` as fd 4, and nothing else.  The descriptors stay
 * the caller's.  Returns the pid, or a negative errno.  A program that cannot be run exits with
 * CHILD_NO_EXEC, having said why on `output`.
 */
pid_t child_start(const char *program, const char *name, const struct child_user *user, int channel,
		  int page, int output);

enum { CHILD_NO_EXEC = 127 };

/* Takes one child that has ended off the kernel's list: its pid with *ret_status set, or 0: there
 * is none. */
pid_t child_reap(int *ret_status);

/* "killed by SIGSEGV", "exited with status 1". */
void child_cause(int status, char *cause, size_t cap);

/* Fills *ret for the user of this name ("": no change), or returns -1 with a sentence in
 * `reason`. */
int child_find_user(const char *name, struct child_user *ret, char *reason, size_t cap);

#endif
