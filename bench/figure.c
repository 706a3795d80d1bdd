/* SPDX-License-Identifier: MIT */
#include "bench/figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t figure_now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t figure_cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void figure_add(struct figure *figure, double sample)
{
	if (figure->count < FIGURE_ROUNDS)
		figure->samples[figure->count++] = sample;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* The samples in order, in `ret`. */
static void sorted(const struct figure *figure, double *ret)
{
	memcpy(ret, figure->samples, figure->count * sizeof(ret[0]));
	qsort(ret, figure->count, sizeof(ret[0]), by_value);
}

double figure_median(const struct figure *figure)
{
	double samples[FIGURE_ROUNDS];
	unsigned half = figure->count / 2;
	if (figure->count == 0)
		return 0;
	sorted(figure, samples);
	return figure->count % 2 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

void figure_print(const struct figure *figure, const char *key, const char *unit, const char *what)
{
	double samples[FIGURE_ROUNDS];
	if (figure->count == 0)
		return;
	sorted(figure, samples);
	printf("%s\t%s\t%.6g\t%.6g\t%.6g\t%s\n", key, unit, figure_median(figure), samples[0],
	       samples[figure->count - 1], what);
	fflush(stdout);
}

void figure_print_one(double value, const char *key, const char *unit, const char *what)
{
	struct figure figure = {.samples = {value}, .count = 1};
	figure_print(&figure, key, unit, what);
}

void figure_heading(const char *text)
{
	printf("#\t%s\n", text);
	fflush(stdout);
}
