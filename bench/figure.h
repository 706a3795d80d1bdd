/* SPDX-License-Identifier: MIT */
/*
 * figure: what a bench measured, as a line for report.awk:
 *
 *	key TAB unit TAB median TAB least TAB greatest TAB what it is
 *
 * A figure is the median of as many samples as there were rounds, with the least and the greatest.
 * The machine may be busy with other things: what is compared is measured by turns, within one
 * round, and the comparison is a figure of its own, the median of the rounds' ratios.
 */
#ifndef BENCH_FIGURE_H
#define BENCH_FIGURE_H

#include <stdint.h>

/* The most rounds of any figure. */
enum { FIGURE_ROUNDS = 64 };

struct figure {
	double samples[FIGURE_ROUNDS];
	unsigned count;
};

/* The monotonic clock in nanoseconds. */
uint64_t figure_now_ns(void);

/* Processor time of this program in nanoseconds: for what only computes, on a machine that others
 * use too. */
uint64_t figure_cpu_ns(void);

/* Takes a sample; those beyond FIGURE_ROUNDS are left out. */
void figure_add(struct figure *figure, double sample);

/* Of the samples so far; 0 if there are none. */
double figure_median(const struct figure *figure);

/* Prints the line. */
void figure_print(const struct figure *figure, const char *key, const char *unit, const char *what);

/* The same for what is measured once, and has no spread. */
void figure_print_one(double value, const char *key, const char *unit, const char *what);

/* The line of a heading, under which the figures after it stand. */
void figure_heading(const char *text);

#endif
