/* SPDX-License-Identifier: MIT */
/* params: what a request asks, in the plugin's terms. */
#ifndef WORKER_PARAMS_H
#define WORKER_PARAMS_H

#include "common/errors.h"
#include "common/wire.h"
#include "worker/work.h"

/*
 * Sets the work up for the job: names become numbers, options values; the board is left out.  0, or
 * -1 and *error with a sentence that lists the choices there are.
 */
int params_set(struct work *work, const struct wire_job *job, const struct pz_host *services,
	       struct error *error);

#endif
