/* SPDX-License-Identifier: MIT */
/*
 * config: what the administrator wants, read once and never changed.  A reload reads a new one.
 *
 * Every key stands in the table of config_keys.h; reading, printing and the check at reload go by
 * it.
 */
#ifndef DAEMON_CONFIG_H
#define DAEMON_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What concerns the jobs of one puzzle.  [daemon] gives the value of a puzzle that does not. */
struct config_job {
	int64_t timeout; /* ms, from the receipt of a request to its answer, at most; at least 1 */
	int64_t grace;   /* ms from CANCEL to SIGKILL; 0: at once */
	int64_t open_timeout; /* ms from fork to HELLO; at least 1 */
	uint64_t memory;      /* bytes of a worker beyond its mapped tables */
	uint32_t workers;     /* at most; at least 1 */
	uint32_t sandbox;     /* 0 or 1 */
};

/* A key of a puzzle's section that is the plugin's.  The worker judges it. */
struct config_option {
	char *name;
	char *value;
	unsigned line;
};

/* One [puzzle:NAME]. */
struct config_puzzle {
	char *name;
	char *plugin; /* absolute path of the shared object; whether it is there is the worker's to say */
	char *goal; /* NULL: the plugin's own */
	struct config_job job;
	struct config_option *options;
	size_t option_count;
	unsigned line; /* where the section begins; 0: it stands in no file */
};

struct config {
	char *path;         /* the file; NULL: built-in */
	char *socket;       /* fits into a sockaddr_un */
	char *socket_group; /* "": the daemon's own */
	char *plugin_dir;
	char *table_dir;
	char *worker; /* the puzzled-worker program */
	char *user;   /* whom workers run as when the daemon is root; "": root */
	uint32_t socket_mode;
	uint32_t log_level;    /* enum log_level */
	int64_t drain_timeout; /* ms from SIGTERM to the end of what still runs; 0: at once */
	uint64_t max_line;     /* bytes of a request */
	uint64_t max_reply;    /* reply bytes owed to one session */
	uint32_t max_boards;   /* boards of one request */
	uint32_t max_sessions;
	uint32_t max_queue;        /* boards waiting, of all sessions */
	uint32_t max_session_jobs; /* requests of one session in flight */
	char *allow_users;         /* names with spaces or commas between; "": none in particular */
	char *allow_groups;        /* likewise; both "": everybody */
	uint32_t max_user_sessions;    /* sessions of one user */
	uint32_t max_user_jobs;        /* requests of one user in flight */
	uint32_t max_user_crashes;     /* of workers on one user's boards, in CRASH_WINDOW_MS */
	uint32_t build_tables;         /* 0 or 1 */
	struct config_job job;         /* what a puzzle has that does not say otherwise */
	struct config_puzzle *puzzles; /* in the order of the file; at least one */
	size_t puzzle_count;
};

/*
 * Reads the file.  Returns 0 and a configuration for config_free in *ret; or -1 with *ret untouched
 * and a sentence in `reason` that begins with file and line where there is one.
 */
int config_load(const char *path, struct config **ret, char *reason, size_t cap);

/*
 * The configuration without a file: every default, and each NAME.so in `plugin_dir` (NULL: the
 * installed one) as a puzzle of that name, in alphabetical order.  Returns like config_load.
 */
int config_defaults(const char *plugin_dir, struct config **ret, char *reason, size_t cap);

/* May be NULL. */
void config_free(struct config *config);

/* The puzzle of this name, or NULL. */
const struct config_puzzle *config_puzzle(const struct config *config, const char *name);

/*
 * The table folder for a daemon of an ordinary user's: table_dir if that is a folder which can be
 * read (and, if it `builds`, written), else $XDG_CACHE_HOME/puzzled, else $HOME/.cache/puzzled,
 * whether that is there or not; table_dir again where neither variable is an absolute path.
 * Returns a string for free(), or NULL without memory.
 */
char *config_private_table_dir(const struct config *config, bool builds);

/*
 * Where such a daemon's configuration may be: puzzled/puzzled.ini in $XDG_CONFIG_HOME, else in
 * $HOME/.config.  Returns a string for free(); NULL where neither variable is an absolute path, or
 * without memory.
 */
char *config_private_file(void);

/*
 * Has a user's daemon listen where that user's puzzlectl looks first,
 * $XDG_RUNTIME_DIR/puzzled/puzzled.sock, unless the configuration names another socket than the
 * system's.  Without that variable nothing changes. 0, or -1 with a sentence in `reason`.
 */
int config_use_private_socket(struct config *config, char *reason, size_t cap);

/* Writes the configuration in force as a file that config_load would take. */
void config_print(const struct config *config, FILE *out);

/* The name of the first key that only a restart can change and in which the two differ, or NULL. */
const char *config_fixed_change(const struct config *old, const struct config *new);

#endif
