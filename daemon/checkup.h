/* SPDX-License-Identifier: MIT */
/* checkup: --check-config: starts every plugin as it is configured and says what comes of it. */
#ifndef DAEMON_CHECKUP_H
#define DAEMON_CHECKUP_H

struct settings;

/* Takes the settings over.  Prints a line for each puzzle, good ones on stdout, faults on stderr
 * with file and line.  The status to exit with. */
int checkup(struct settings *settings);

#endif
