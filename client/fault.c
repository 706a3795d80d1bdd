/* SPDX-License-Identifier: MIT */
#include "client/fault.h"

#include <stdarg.h>
#include <stdio.h>

int fault_set(struct fault *ret, enum exit_status status, const char *format, ...)
{
	ret->exit = status;
	va_list args;
	va_start(args, format);
	vsnprintf(ret->sentence, sizeof(ret->sentence), format, args);
	va_end(args);
	return -1;
}

int fault_memory(struct fault *ret)
{
	return fault_set(ret, EXIT_FAULT, "out of memory");
}
