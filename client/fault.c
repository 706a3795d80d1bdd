/* SPDX-License-Identifier: MIT */
#include "client/fault.h"

#include "common/utf8.h"

#include <stdarg.h>
#include <stdio.h>

int fault_set(struct fault *ret, enum exit_status status, const char *format, ...)
{
	ret->exit = status;
	va_list args;
	va_start(args, format);
	int len = vsnprintf(ret->sentence, sizeof(ret->sentence), format, args);
	va_end(args);
	/* Cut between characters, not within one. */
	if (len >= (int)sizeof(ret->sentence))
		ret->sentence[utf8_whole(text_of(ret->sentence))] = '\0';
	return -1;
}

int fault_memory(struct fault *ret)
{
	return fault_set(ret, EXIT_FAULT, "out of memory");
}
