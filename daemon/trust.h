/* SPDX-License-Identifier: MIT */
/* trust: whether a file that the daemon acts on could have been written by somebody else. */
#ifndef DAEMON_TRUST_H
#define DAEMON_TRUST_H

#include <stddef.h>

/*
 * The file, and the folder it is in, must belong to root or to us and be writable for nobody else
 * (a folder may be, if it is sticky, as /tmp is).  0, also for a file that is not there, which is
 * for others to say; or -1 with a sentence.
 */
int trust_file(const char *path, char *reason, size_t cap);

#endif
