/* SPDX-License-Identifier: MIT */
/* puzzlectl reload: the daemon reads its configuration again. */
#include "client/command.h"
#include "client/member.h"
#include "client/print.h"

static const char reload_help[] =
	"Makes the daemon read its configuration and its plugins again, and returns when\n"
	"that is done. A configuration that is wrong changes nothing and is told here,\n"
	"with file and line.  Only root and the daemon's own user may ask for it.\n"
	"\n"
	"Example:\n"
	"  puzzlectl reload && puzzlectl list";

static void print_reloaded(const json_t *result)
{
	const char *message = text_at(result, "message");
	print_string(stdout, message ? message : "reloaded");
	putchar('\n');
}

static int reload_run(struct client *client, void *values, int argc, char **argv)
{
	(void)values, (void)argc, (void)argv;
	return command_ask(client, "reload", json_object(), print_reloaded);
}

const struct command command_reload = {
	.name = "reload",
	.arguments = "",
	.summary = "make the daemon read its configuration again",
	.help = reload_help,
	.most = 0,
	.daemon_only = true,
	.run = reload_run,
};
