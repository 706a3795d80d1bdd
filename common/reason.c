/* SPDX-License-Identifier: MIT */
#include "common/reason.h"

#include "common/utf8.h"

#include <stdarg.h>
#include <stdio.h>

void reason_write(char *reason, size_t cap, const char *format, ...)
{
	if (!cap)
		return;
	va_list args;
	va_start(args, format);
	int len = vsnprintf(reason, cap, format, args);
	va_end(args);
	if (len < 0)
		reason[0] = '\0';
	else if ((size_t)len >= cap)
		/* vsnprintf may have cut in the middle of the last character it wrote. */
		reason[utf8_whole(text_of(reason))] = '\0';
}
