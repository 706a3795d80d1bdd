/* SPDX-License-Identifier: MIT */
/* report: the outcomes, for a person or a program. */
#ifndef CHECKER_REPORT_H
#define CHECKER_REPORT_H

#include "checker/page.h"

#include <stdio.h>

/* A line for each check and one for all.  Returns how many are broken. */
int report_text(FILE *out, const struct page *page);

/* One JSON object on one line. */
int report_json(FILE *out, const char *file, const struct page *page);

#endif
