/* SPDX-License-Identifier: MIT */
/* puzzlectl: finds the command in a table, reads its options, runs it. */
#include "config.h"

#include "client/command.h"
#include "client/print.h"
#include "client/suggest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct command *const commands[] = {
	&command_solve,    &command_batch,      &command_judge,        &command_compare,
	&command_verify,   &command_generate,   &command_list,         &command_tables,
	&command_describe, &command_status,     &command_metrics,      &command_ping,
	&command_reload,   &command_new_plugin, &command_check_plugin,
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static const struct option global_options[] = {
	{"socket", 's', OPTION_TEXT, offsetof(struct client, socket), "PATH",
	 "the daemon's socket (default: PUZZLED_SOCKET, the user's, the system's)"},
	{"local", 'l', OPTION_FLAG, offsetof(struct client, local), NULL,
	 "start a private daemon for this command"},
	{"json", 'j', OPTION_FLAG, offsetof(struct client, json), NULL,
	 "print the daemon's result as one line of JSON"},
	{"verbose", 'v', OPTION_FLAG, offsetof(struct client, verbose), NULL,
	 "say what is tried, and show what a private daemon logs"},
	{"help", 'h', OPTION_FLAG, offsetof(struct client, help), NULL, "explain, and do nothing"},
	{"version", 0, OPTION_FLAG, offsetof(struct client, version), NULL,
	 "print the version, and do nothing"},
	{0},
};

static const char overview[] =
	"Usage: puzzlectl [--socket PATH | --local] COMMAND [OPTION ...] [ARGUMENT ...]\n"
	"\n"
	"Asks puzzled, the daemon, for shortest solutions of puzzles.  Where no daemon\n"
	"listens, a private one is started for the command and ends with it.\n"
	"\n"
	"Commands:\n";

static const char epilogue[] =
	"\n"
	"Try these:\n"
	"  puzzlectl solve 8puzzle 2 3 4 1 5 x 7 6 8\n"
	"  puzzlectl solve 8puzzle 283104765 --goal 123804765 --show\n"
	"  puzzlectl list\n"
	"  puzzlectl help solve\n"
	"\n"
	"Exit status: 0 answered; 1 proved unsolvable or past the limit; 2 bad usage or\n"
	"bad board; 3 no daemon, or it is not understood; 4 timeout or cancelled; 5\n"
	"another error.\n";

static void print_overview(FILE *out)
{
	fputs(overview, out);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out, "  %-12s %s\n", "help", "explain a command");
	fputs("\nOptions of every command:\n", out);
	options_help(out, global_options);
	fputs(epilogue, out);
}

static void print_command_help(const struct command *command)
{
	printf("Usage: puzzlectl %s [OPTION ...]%s%s\n\n%s\n", command->name,
	       *command->arguments ? " " : "", command->arguments, command->help);
	if (command->options) {
		puts("\nOptions:");
		options_help(stdout, command->options);
	}
	puts("\nOptions of every command:");
	options_help(stdout, global_options);
}

static const struct command *find_command(const char *name)
{
	struct suggestion suggestion = {.typed = name};
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
		suggest_consider(&suggestion, commands[i]->name);
	}
	suggest_consider(&suggestion, "help");
	if (suggestion.name)
		print_complaint("there is no command '%s'; did you mean '%s'?", name,
				suggestion.name);
	else
		print_complaint("there is no command '%s'; 'puzzlectl help' lists them", name);
	return NULL;
}

static int help(int argc, char **argv)
{
	if (argc == 0 || strcmp(argv[0], "help") == 0) {
		print_overview(stdout);
		return EXIT_SOLVED;
	}
	const struct command *command = find_command(argv[0]);
	if (!command)
		return EXIT_USAGE;
	print_command_help(command);
	return EXIT_SOLVED;
}

/* Reads the command's own words and runs it. */
static int run_with(const struct command *command, struct client *client, void *values, int argc,
		    char **argv)
{
	struct fault fault;
	const struct option_set sets[] = {
		{command->options, values}, {global_options, client}, {0}};
	int operands = options_parse(sets, false, argc, argv, &fault);
	if (operands < 0) {
		print_fault(&fault);
		return EXIT_USAGE;
	}
	if (client->help) {
		print_command_help(command);
		return EXIT_SOLVED;
	}
	if (operands < command->least || (command->most >= 0 && operands > command->most)) {
		print_complaint("usage: puzzlectl %s [OPTION ...] %s\n"
				"'puzzlectl help %s' explains it",
				command->name, command->arguments, command->name);
		return EXIT_USAGE;
	}
	argv[operands] = NULL;
	client->daemon_only = command->daemon_only;
	int status = command->run(client, values, operands, argv);
	client_close(client, status == EXIT_PROTOCOL);
	return status;
}

static int run(const struct command *command, struct client *client, int argc, char **argv)
{
	void *values = calloc(1, command->values_size + 1);
	if (!values) {
		print_complaint("out of memory");
		return EXIT_FAULT;
	}
	int status = run_with(command, client, values, argc, argv);
	options_free(&(struct option_set){command->options, values});
	free(values);
	return status;
}

static int dispatch(int argc, char **argv)
{
	struct client client = {0};
	struct fault fault;
	const struct option_set sets[] = {{global_options, &client}, {0}};
	int read = options_parse(sets, true, argc, argv, &fault);
	if (read < 0)
		return command_fail(&fault);
	argc -= read;
	argv += read;
	if (client.version) {
		puts("puzzlectl " PACKAGE_VERSION);
		return EXIT_SOLVED;
	}
	if (argc > 0 && strcmp(argv[0], "help") == 0)
		return help(argc - 1, argv + 1);
	if (client.help)
		return help(argc, argv);
	if (argc == 0) {
		print_overview(stderr);
		return EXIT_USAGE;
	}
	const struct command *command = find_command(argv[0]);
	return command ? run(command, &client, argc - 1, argv + 1) : EXIT_USAGE;
}

int main(int argc, char **argv)
{
	int status = argc > 0 ? dispatch(argc - 1, argv + 1) : EXIT_USAGE;
	/* An answer that did not arrive is none. */
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		if (status != EXIT_FAULT)
			print_complaint("cannot write the answer: %s",
					errno ? strerror(errno) : "an earlier write failed");
		return EXIT_FAULT;
	}
	return status;
}
