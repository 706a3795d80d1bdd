/* SPDX-License-Identifier: MIT */
/*
 * settings: one reading of the configuration, with everything in it looked up that takes looking
 * up.
 *
 * Never changed; a reload makes new ones.  The server keeps the settings in force, and each pool
 * those that it was made from, so that jobs admitted before a reload end under the terms they began
 * with.
 */
#ifndef DAEMON_SETTINGS_H
#define DAEMON_SETTINGS_H

#include "daemon/child.h"

#include <stdbool.h>
#include <stddef.h>

struct access;
struct config;

/* Whose daemon it is. */
enum settings_kind {
	SETTINGS_SYSTEM, /* the machine's */
	SETTINGS_USER,   /* one user's: files, socket and tables in that user's own folders */
	SETTINGS_PRIVATE /* one client's: it ends with the session it was given */
};

struct settings {
	unsigned users; /* who keep it */
	struct config *config;
	struct access *access;         /* who may connect */
	struct child_user worker_user; /* whom workers run as */
	char *table_dir;
	enum settings_kind kind;
	char *path;         /* of the file that was asked for; NULL: what the kind has */
	bool builds_tables; /* by itself, when a puzzle lacks one */
};

/*
 * Reads the file; `path` NULL: a user's daemon has a file of the user's own, if it is there; then
 * the installed one; and where there is none, a daemon that is not the system's takes the built-in
 * configuration.  A daemon that is not the system's has its tables where its user can have them,
 * and a private one does not build any without being asked.  Names are looked up, which may take
 * its time.  A file that others than root and we ourselves can write is refused. 0 and *ret with
 * one user, or -1 with a sentence in `reason`.
 */
int settings_load(const char *path, enum settings_kind kind, struct settings **ret, char *reason,
		  size_t cap);

struct settings *settings_keep(struct settings *settings);

/* One user less; with the last they go.  May be NULL. */
void settings_drop(struct settings *settings);

#endif
