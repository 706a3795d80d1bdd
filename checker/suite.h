/* SPDX-License-Identifier: MIT */
/* suite: all checks in their order, each in a process that can be lost. */
#ifndef CHECKER_SUITE_H
#define CHECKER_SUITE_H

#include "checker/page.h"
#include "checker/request.h"

/*
 * Runs every check.  Returns the page with the outcomes, for the process's whole life, or NULL
 * where no process can be started.
 */
const struct page *suite_run(const struct request *request);

/* Prints the names of the checks and what each promises. */
void suite_list(void);

#endif
