/* SPDX-License-Identifier: MIT */
/* filter: which system calls the kernel answers, in two stages, by one table (filter.c).  Through
 * libseccomp. */
#ifndef WORKER_FILTER_H
#define WORKER_FILTER_H

#include <stdbool.h>

enum filter_stage {
	FILTER_LOADING, /* until `open` has returned: libraries and tables may be read */
	FILTER_WORKING  /* from then on: nothing is opened */
};

/*
 * Confines this process to what the table allows in this stage, for good; a later stage only takes
 * away. `builder`: to what a builder of tables needs.  It must have no_new_privs. 1; 0: neither
 * this build nor this kernel has filters; or a negative errno.
 */
int filter_load(enum filter_stage stage, bool builder);

#endif
