/* SPDX-License-Identifier: MIT */
#include "daemon/checkup.h"
#include "common/errors.h"
#include "common/log.h"
#include "daemon/config.h"
#include "daemon/methods.h"
#include "daemon/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

static int report(const struct server *server)
{
	const struct pool *pool;
	int faults = 0;
	TAILQ_FOREACH (pool, &server->pools, link) {
		const char *name = pool->config->name;
		if (pool->puzzle) {
			const struct wire_hello *hello = &pool->puzzle->hello;
			printf("%s: ok, %.*s %.*s from %s\n", name, (int)hello->plugin_name.len,
			       hello->plugin_name.data, (int)hello->plugin_version.len,
			       hello->plugin_version.data, pool->config->plugin);
			continue;
		}
		faults++;
		fprintf(stderr, "%s:%u: [puzzle:%s]: %s\n",
			server->config->path ? server->config->path : "built-in",
			pool_fault_line(pool), name, pool->reason);
	}
	return faults;
}

int checkup(struct settings *settings)
{
	char reason[1024];
	struct server server;
	int faults = 1;
	/* What is wrong is in the report; the log would say it a second time, and all that is
	 * right. */
	settings->config->log_level = LEVEL_ERROR;
	int code = server_open(&server, settings, reason, sizeof(reason));
	if (code < 0) {
		fprintf(stderr, "puzzled: %s\n", reason);
	} else {
		loop_settle(&server.loop);
		while (!server_is_settled(&server) &&
		       event_base_loop(server.loop.base, EVLOOP_ONCE) == 0)
			;
		faults = report(&server);
	}
	server_close(&server);
	return faults ? EXIT_USAGE : EXIT_SUCCESS;
}
