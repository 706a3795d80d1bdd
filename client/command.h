/* SPDX-License-Identifier: MIT */
/* command: what puzzlectl can do: one command a file, each of which exports one table entry. */
#ifndef CLIENT_COMMAND_H
#define CLIENT_COMMAND_H

#include "client/client.h"
#include "client/options.h"

#include <stdbool.h>
#include <stddef.h>

struct command {
	const char *name;
	const char *arguments; /* for the usage line */
	const char *summary;   /* one line, without capital and full stop */
	const char *help;      /* paragraphs, then examples */
	const struct option *options;
	size_t values_size; /* of the struct that the options fill; it begins zeroed */
	int least, most;    /* operands; most -1: any number */
	bool daemon_only;   /* see struct client */
	/*
	 * Does it: `values` as filled by the options, the operands, ended by NULL.  Prints the
	 * answer on stdout, complaints on stderr, and returns an enum exit_status.
	 */
	int (*run)(struct client *client, void *values, int argc, char **argv);
};

extern const struct command command_batch;
extern const struct command command_check_plugin;
extern const struct command command_compare;
extern const struct command command_describe;
extern const struct command command_generate;
extern const struct command command_judge;
extern const struct command command_list;
extern const struct command command_metrics;
extern const struct command command_new_plugin;
extern const struct command command_ping;
extern const struct command command_reload;
extern const struct command command_solve;
extern const struct command command_status;
extern const struct command command_tables;
extern const struct command command_verify;

/* Says on stderr that `what` is read from standard input, if that is a terminal, where nothing
 * would tell what is being waited for. */
void command_announce_input(const char *what);

/* Prints the fault and returns its exit status. */
int command_fail(const struct fault *fault);

/*
 * The whole of a command that asks one question: calls `method` with `params` (taken over; NULL: no
 * memory), prints its result by `print`, or as JSON with --json.  Returns the exit status.
 */
int command_ask(struct client *client, const char *method, json_t *params,
		void (*print)(const json_t *result));

/* Prints the daemon's error as {"error":...} with --json, the fault on stderr; its exit status. */
int command_error(const struct client *client, const json_t *error, const struct fault *fault);

#endif
