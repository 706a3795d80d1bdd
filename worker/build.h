/* SPDX-License-Identifier: MIT */
/* build: a table made, or looked through, by a worker that serves no jobs. */
#ifndef WORKER_BUILD_H
#define WORKER_BUILD_H

#include "common/errors.h"
#include "common/wire.h"
#include "worker/host.h"
#include "worker/sandbox.h"
#include "worker/services.h"

/* What has to be done while nothing is forbidden yet: there is a folder, and others come first.  0,
 * or -1 and *error. */
int build_prepare(const struct wire_setup *setup, struct error *error);

/*
 * Does what `setup` asks for with the plugin that is open: BUILD fills the table named there ("":
 * the first one) and puts it into the table folder whole or not at all; CHECK compares its
 * checksum, and removes a file that is no good.  All files are opened first; then comes
 * sandbox_after_open, and only then the plugin.  Progress is told, and the end-of-file of the
 * channel heeded.  0 and the table's name in *ret_name, or -1 and *error.
 */
int build_run(struct host *host, const struct wire_setup *setup, struct services *services,
	      const struct sandbox *sandbox, const char **ret_name, struct error *error);

#endif
