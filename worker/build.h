/* SPDX-License-Identifier: MIT */
/* build: a table made, or looked through, by a worker that serves no jobs. */
#ifndef WORKER_BUILD_H
#define WORKER_BUILD_H

#include "common/errors.h"
#include "common/wire.h"
#include "worker/host.h"
#include "worker/services.h"

/*
 * Does what `setup` asks for with the plugin that is open: BUILD fills the table named there ("": the first one) and puts
 * it into the table folder whole or not at all; CHECK compares its checksum, and removes a file that is no good.
 * Progress is told, and the end-of-file of the channel heeded.  0 and the table's name in *ret_name, or -1 and *error.
 */
int build_run(struct host *host, const struct wire_setup *setup, struct services *services,
	      const char **ret_name, struct error *error);

#endif
