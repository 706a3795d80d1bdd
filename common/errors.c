/* SPDX-License-Identifier: MIT */
#include "common/errors.h"

#include <stdarg.h>
#include <stdio.h>

/* clang-format off */
static const struct error_info infos[ERR_KINDS] = {
	[ERR_NONE] = {"none", 0, EXIT_SOLVED, false, "no error"},
	[ERR_PARSE] = {"parse_error", -32700, EXIT_USAGE, false, "the line is not JSON"},
	[ERR_INVALID_REQUEST] = {"invalid_request", -32600, EXIT_USAGE, false, "the JSON is not a request"},
	[ERR_METHOD_NOT_FOUND] = {"method_not_found", -32601, EXIT_USAGE, false, "there is no such method"},
	[ERR_INVALID_PARAMS] = {"invalid_params", -32602, EXIT_USAGE, false, "a parameter is missing, unknown or wrong"},
	[ERR_INTERNAL] = {"internal_error", -32603, EXIT_FAULT, true, "the daemon itself failed"},
	[ERR_INVALID_BOARD] = {"invalid_board", -32001, EXIT_USAGE, false, "the board or the goal is not one of this puzzle"},
	[ERR_UNKNOWN_PUZZLE] = {"unknown_puzzle", -32002, EXIT_USAGE, false, "no puzzle is configured under this name"},
	[ERR_TIMEOUT] = {"timeout", -32003, EXIT_TIME, false, "the deadline passed first"},
	[ERR_CANCELLED] = {"cancelled", -32004, EXIT_TIME, false, "it was cancelled"},
	[ERR_BUSY] = {"busy", -32005, EXIT_FAULT, true, "the daemon's queue is full"},
	[ERR_MEMORY_LIMIT] = {"memory_limit", -32006, EXIT_FAULT, false, "the search needs more memory than it may have"},
	[ERR_WORKER_CRASHED] = {"worker_crashed", -32007, EXIT_FAULT, false, "the worker died on it"},
	[ERR_WRONG_ANSWER] = {"wrong_answer", -32008, EXIT_FAULT, false, "the plugin's solution did not stand replay"},
	[ERR_PLUGIN_FAILED] = {"plugin_failed", -32009, EXIT_FAULT, false, "the plugin gave up on it"},
	[ERR_PUZZLE_UNAVAILABLE] = {"puzzle_unavailable", -32010, EXIT_FAULT, true, "the puzzle's plugin does not start"},
	[ERR_SHUTTING_DOWN] = {"shutting_down", -32011, EXIT_FAULT, true, "the daemon is stopping"},
	[ERR_FORBIDDEN] = {"forbidden", -32012, EXIT_FAULT, false, "this user may not do that"},
	[ERR_RELOAD_FAILED] = {"reload_failed", -32014, EXIT_FAULT, false, "the new configuration is not taken"},
	[ERR_QUOTA] = {"quota", -32013, EXIT_FAULT, true, "this user has as much as one user may have"},
};
/* clang-format on */

const struct error_info *error_info(enum error_kind kind)
{
	return (unsigned)kind < ERR_KINDS ? &infos[kind] : &infos[ERR_INTERNAL];
}

enum error_kind error_by_name(struct text name)
{
	for (unsigned kind = ERR_NONE + 1; kind < ERR_KINDS; kind++)
		if (text_is(name, infos[kind].name))
			return (enum error_kind)kind;
	return ERR_NONE;
}

void errors_print(FILE *out)
{
	for (unsigned kind = ERR_NONE + 1; kind < ERR_KINDS; kind++)
		fprintf(out, "%s\t%d\t%d\t%s\t%s\n", infos[kind].name, infos[kind].code,
			infos[kind].exit, infos[kind].retryable ? "yes" : "no",
			infos[kind].sentence);
}

int error_set(struct error *ret, enum error_kind kind, const char *format, ...)
{
	ret->kind = kind;
	ret->position = 0;
	ret->lower_bound = -1;
	ret->board = 0;
	va_list args;
	va_start(args, format);
	int len = vsnprintf(ret->reason, sizeof(ret->reason), format, args);
	va_end(args);
	if (len >= (int)sizeof(ret->reason)) {
		/* Cut before the character that did not fit whole. */
		size_t end = sizeof(ret->reason) - 1;
		while (end > 0 && ((unsigned char)ret->reason[end - 1] & 0xC0) == 0x80)
			end--;
		if (end > 0 && (unsigned char)ret->reason[end - 1] >= 0xC0)
			end--;
		ret->reason[end] = '\0';
	}
	return -1;
}

void error_set_bound(struct error *error, uint64_t lower_bound)
{
	size_t len = strlen(error->reason);
	error->lower_bound = lower_bound > INT64_MAX ? INT64_MAX : (int64_t)lower_bound;
	snprintf(error->reason + len, sizeof(error->reason) - len,
		 "; proved so far: a solution costs at least %llu",
		 (unsigned long long)lower_bound);
}
