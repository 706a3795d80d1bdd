/* SPDX-License-Identifier: MIT */
#include "client/command.h"

#include "client/print.h"

#include <unistd.h>

void command_announce_input(const char *what)
{
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		print_complaint("reading %s from the terminal; Ctrl-D ends it", what);
}

int command_fail(const struct fault *fault)
{
	print_fault(fault);
	return fault->exit;
}

int command_error(const struct client *client, const json_t *error, const struct fault *fault)
{
	if (client->json && error) {
		struct fault ignored;
		json_t *object = json_pack("{s:O}", "error", error);
		if (object)
			print_json(stdout, object, &ignored);
		json_decref(object);
	}
	char place[PRINT_AMOUNT];
	const json_t *position = json_object_get(json_object_get(error, "data"), "position");
	print_complaint("%s%s", fault->sentence, print_place(place, json_integer_value(position)));
	return fault->exit;
}

int command_ask(struct client *client, const char *method, json_t *params,
		void (*print)(const json_t *result))
{
	struct fault fault;
	struct reply reply;
	int status = EXIT_SOLVED;
	if (client_call(client, method, params, -1, &reply, &fault) < 0)
		status = command_error(client, reply.error, &fault);
	else if (!client->json)
		print(reply.result);
	else if (print_json(stdout, reply.result, &fault) < 0)
		status = command_fail(&fault);
	reply_free(&reply);
	return status;
}
