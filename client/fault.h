/* SPDX-License-Identifier: MIT */
/* fault: why a command cannot go on, in a sentence, and the exit status that this means. */
#ifndef CLIENT_FAULT_H
#define CLIENT_FAULT_H

#include "common/errors.h"

struct fault {
	enum exit_status exit;
	char sentence[1024]; /* for a person, without a full stop; may hold bytes from outside */
};

/* Fills *ret and returns -1, so that `return fault_set(...)` reads well. */
__attribute__((format(printf, 3, 4))) int fault_set(struct fault *ret, enum exit_status status,
						    const char *format, ...);

/* The fault of a failed allocation; returns -1. */
int fault_memory(struct fault *ret);

#endif
