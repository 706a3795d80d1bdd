/* SPDX-License-Identifier: MIT */
/* puzzled: the daemon's command line. */
#include <config.h>

#include "common/log.h"
#include "daemon/checkup.h"
#include "common/errors.h"
#include "daemon/config.h"
#include "daemon/config_keys.h"
#include "daemon/listener.h"
#include "daemon/methods.h"
#include "daemon/server.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
	"usage: puzzled [--config FILE] [--user] [--foreground]\n"
	"       puzzled --check-config [--config FILE]\n"
	"       puzzled --session-fd N [--config FILE]\n"
	"       puzzled --print keys | errors | methods\n"
	"\n"
	"puzzled answers puzzles: requests come in over a Unix socket as JSON-RPC 2.0, one a\n"
	"line, and shortest solutions go out.  puzzlectl(1) is its client.\n"
	"\n"
	"  -c, --config FILE    read this configuration instead of " PZ_SYSCONFDIR
	"/puzzled/puzzled.ini\n"
	"      --check-config   read the configuration, start every plugin, say what is wrong, and "
	"exit\n"
	"      --user           be one user's daemon: configuration, socket and tables of their "
	"own\n"
	"      --session-fd N   serve the one client on descriptor N, and exit when it is gone\n"
	"      --print WHAT     print a table: the configuration's keys, kinds of error, or "
	"methods\n"
	"  -f, --foreground     stay in the foreground; it always does\n"
	"  -V, --version        print the version\n"
	"  -h, --help           print this\n"
	"\n"
	"SIGTERM and SIGINT drain: what was asked is answered, then it ends; a second one ends it "
	"at once.\n";

struct options {
	const char *config;
	int session_fd; /* -1: none */
	bool check;
	bool user;
};

/* Tables for who documents or generates; each line has fields between TABs. */
static int print(const char *what)
{
	if (strcmp(what, "keys") == 0) {
		config_keys_print(stdout);
	} else if (strcmp(what, "errors") == 0) {
		errors_print(stdout);
	} else if (strcmp(what, "methods") == 0) {
		methods_print(stdout);
	} else {
		fprintf(stderr, "puzzled: --print %s: it is keys, errors or methods\n", what);
		return EXIT_USAGE;
	}
	return fflush(stdout) == 0 ? 0 : EXIT_FAILURE;
}

/* Returns -1 to go on, or the status to exit with. */
static int read_options(int argc, char **argv, struct options *ret)
{
	enum { CHECK = 256, SESSION, PRINT, OWN };
	static const struct option names[] = {
		{"config", required_argument, NULL, 'c'},
		{"check-config", no_argument, NULL, CHECK},
		{"session-fd", required_argument, NULL, SESSION},
		{"print", required_argument, NULL, PRINT},
		{"user", no_argument, NULL, OWN},
		{"foreground", no_argument, NULL, 'f'},
		{"version", no_argument, NULL, 'V'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	char *end;
	long number;
	int option;
	*ret = (struct options){.session_fd = -1};
	while ((option = getopt_long(argc, argv, "c:fVh", names, NULL)) != -1) {
		switch (option) {
		case 'c':
			ret->config = optarg;
			break;
		case CHECK:
			ret->check = true;
			break;
		case SESSION:
			number = strtol(optarg, &end, 10);
			if (*end || end == optarg || number < 3 || number > 1 << 20 ||
			    fcntl((int)number, F_GETFD) < 0) {
				fprintf(stderr,
					"puzzled: --session-fd %s: not an open descriptor above "
					"2\n",
					optarg);
				return EXIT_USAGE;
			}
			ret->session_fd = (int)number;
			break;
		case PRINT:
			return print(optarg);
		case OWN:
			ret->user = true;
			break;
		case 'f':
			break;
		case 'V':
			puts("puzzled " PACKAGE_VERSION);
			return 0;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs("try puzzled --help\n", stderr);
			return EXIT_USAGE;
		}
	}
	if (optind < argc) {
		fprintf(stderr,
			"puzzled: what is \"%s\"? It takes options only; try puzzled --help\n",
			argv[optind]);
		return EXIT_USAGE;
	}
	return -1;
}

/* Descriptors 0 to 2 must be there, or sockets would take their numbers. */
static void fill_standard_descriptors(void)
{
	int fd;
	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

static int serve(const struct options *options, struct settings *settings)
{
	char reason[1024];
	struct server server;
	const struct config *config = settings->config;
	int code = server_open(&server, settings, reason, sizeof(reason));
	if (code == 0 && options->session_fd >= 0) {
		code = session_open(&server, options->session_fd);
		if (code < 0)
			snprintf(reason, sizeof(reason), "descriptor %d: %s", options->session_fd,
				 strerror(-code));
	} else if (code == 0) {
		code = server_listen(&server, reason, sizeof(reason));
	}
	if (code < 0) {
		log_error("cannot_start", KV("reason", (const char *)reason));
		server_close(&server);
		return EXIT_FAILURE;
	}
	if (options->session_fd < 0)
		log_notice("started", KV("version", PACKAGE_VERSION),
			   KV("socket", listener_path(server.listener)),
			   KV("puzzles", config->puzzle_count), KV("pid", getpid()));
	server_run(&server);
	server_close(&server);
	if (options->session_fd < 0)
		log_notice("stopped");
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct options options;
	struct settings *settings;
	char reason[1024];
	int status = read_options(argc, argv, &options);
	if (status >= 0)
		return status;
	fill_standard_descriptors();
	log_setup(STDERR_FILENO);
	enum settings_kind kind = options.session_fd >= 0 ? SETTINGS_PRIVATE
				  : options.user          ? SETTINGS_USER
							  : SETTINGS_SYSTEM;
	if (settings_load(options.config, kind, &settings, reason, sizeof(reason)) < 0) {
		if (options.check)
			fprintf(stderr, "%s\n", reason);
		else
			log_error("bad_configuration", KV("reason", (const char *)reason));
		return EXIT_USAGE;
	}
	return options.check ? checkup(settings) : serve(&options, settings);
}
