/* SPDX-License-Identifier: MIT */
/* runner: runs a job: each of its boards, a result for each. */
#ifndef WORKER_RUNNER_H
#define WORKER_RUNNER_H

#include "common/text.h"
#include "common/wire.h"
#include "worker/host.h"
#include "worker/services.h"
#include "worker/work.h"

struct runner {
	struct services *services;
	struct wire_page *page; /* where the board that is begun is noted, for after a death */
	struct work work;
};

/* What it points to must outlive it. */
void runner_init(struct runner *runner, const struct host *host, struct services *services,
		 struct wire_page *page);

/*
 * Runs the job in the payload of a JOB frame.  0, the results being put on the channel; or -EPROTO
 * where the payload is no job.
 */
int runner_run(struct runner *runner, struct text payload);

#endif
