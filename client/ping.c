/* SPDX-License-Identifier: MIT */
/* puzzlectl ping: is there a daemon, and does it answer? */
#include "client/command.h"
#include "client/member.h"
#include "client/print.h"

#include <time.h>

struct ping_values {
	struct number timeout;
};

static const struct option ping_options[] = {
	{"timeout", 't', OPTION_DURATION, offsetof(struct ping_values, timeout), "TIME",
	 "how long to wait for the answer (default: 5s)"},
	{0},
};

static const char ping_help[] =
	"Asks the daemon for a sign of life and prints its version and how long that\n"
	"took.  A private daemon is not started, unless --local asks for one.  Exit\n"
	"status 3: no daemon answers.\n"
	"\n"
	"Examples:\n"
	"  puzzlectl ping\n"
	"  puzzlectl --socket /tmp/test.sock ping --timeout 500ms && echo alive";

static int64_t clock_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int ping_run(struct client *client, void *data, int argc, char **argv)
{
	(void)argc, (void)argv;
	const struct ping_values *values = data;
	int64_t wait = values->timeout.given ? values->timeout.value : 5000;
	struct fault fault;
	struct reply reply;
	/* Connecting is not what is measured. */
	if (client_connect(client, &fault) < 0)
		return command_fail(&fault);
	int64_t start = clock_us();
	int status = EXIT_SOLVED;
	if (client_call(client, "ping", json_object(), conn_clock_ms() + wait, &reply, &fault) <
	    0) {
		status = command_error(client, reply.error, &fault);
	} else if (client->json) {
		if (print_json(stdout, reply.result, &fault) < 0)
			status = command_fail(&fault);
	} else {
		char amount[PRINT_AMOUNT];
		const char *version = text_at(reply.result, "version");
		fputs("puzzled ", stdout);
		print_string(stdout, version ? version : "of an unknown version");
		printf(" answers in %s\n", print_duration(amount, clock_us() - start));
	}
	reply_free(&reply);
	return status;
}

const struct command command_ping = {
	.name = "ping",
	.arguments = "",
	.summary = "see whether the daemon answers",
	.help = ping_help,
	.options = ping_options,
	.values_size = sizeof(struct ping_values),
	.most = 0,
	.daemon_only = true,
	.run = ping_run,
};
