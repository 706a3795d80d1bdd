/* SPDX-License-Identifier: MIT */
#include "client/progress.h"

#include "client/conn.h"
#include "client/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum {
	FIRST_MS = 1000,     /* before it, nobody has begun to wonder */
	REWRITE_MS = 100,    /* between two lines over each other */
	NEXT_LINE_MS = 1000, /* between two lines below each other */
	WIDTH = 79           /* a line that wrapped could not be erased */
};

void progress_start(struct progress *progress, bool wanted)
{
	*progress = (struct progress){
		.wanted = wanted, .terminal = isatty(STDERR_FILENO), .started = conn_clock_ms()};
	progress->last = progress->started;
}

bool progress_due(const struct progress *progress)
{
	if (!progress->wanted && !progress->terminal)
		return false;
	int64_t now = conn_clock_ms();
	if (!progress->wanted && now - progress->started < FIRST_MS)
		return false;
	if (progress->last == progress->started)
		return true;
	return now - progress->last >= (progress->terminal ? REWRITE_MS : NEXT_LINE_MS);
}

void progress_show(struct progress *progress, const char *format, ...)
{
	if (!progress_due(progress))
		return;
	char line[WIDTH + 1];
	va_list args;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (progress->terminal)
		fputs("\r\033[K", stderr);
	print_string(stderr, line);
	if (!progress->terminal)
		putc('\n', stderr);
	fflush(stderr);
	progress->shown = progress->terminal;
	progress->last = conn_clock_ms();
	/* A first line in the very millisecond of the start must not look like none. */
	if (progress->last == progress->started)
		progress->started--;
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
