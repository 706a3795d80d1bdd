/* SPDX-License-Identifier: MIT */
#include "daemon/reload.h"
#include "common/log.h"
#include "common/reason.h"
#include "daemon/notify.h"
#include "daemon/pool.h"
#include "daemon/server.h"
#include "daemon/settings.h"

#include <stdio.h>
#include <string.h>

void reload_init(struct reload *reload)
{
	*reload = (struct reload){0};
	TAILQ_INIT(&reload->pools);
}

static void end(struct server *server)
{
	struct reload *reload = &server->reload;
	reload->trial = false;
	reload->settings = NULL;
	reload->ended = reload->begun;
	if (reload->reason[0])
		log_warning("reload_failed", KV("reason", (const char *)reload->reason));
	else
		log_notice("reloaded", KV("puzzles", server->config->puzzle_count));
	notify_reloaded(server->notify);
}

void reload_abandon(struct server *server, const char *why)
{
	struct reload *reload = &server->reload;
	struct pool *pool;
	if (!reload->trial)
		return;
	snprintf(reload->reason, sizeof(reload->reason), "%s", why);
	while ((pool = TAILQ_FIRST(&reload->pools))) {
		TAILQ_REMOVE(&reload->pools, pool, link);
		server_retire_pool(server, pool);
	}
	settings_drop(reload->settings);
	end(server);
}

static void commit(struct server *server)
{
	struct reload *reload = &server->reload;
	struct pool *pool, *old;
	char why[sizeof(reload->reason)];
	if (server_adopt(server, reload->settings, why, sizeof(why)) < 0) {
		reload_abandon(server, why);
		return;
	}
	TAILQ_FOREACH (pool, &reload->pools, link)
		TAILQ_FOREACH (old, &server->pools, link)
			if (strcmp(pool->config->name, old->config->name) == 0)
				pool_succeed(pool, old);
	while ((old = TAILQ_FIRST(&server->pools))) {
		TAILQ_REMOVE(&server->pools, old, link);
		server_retire_pool(server, old);
	}
	while ((pool = TAILQ_FIRST(&reload->pools))) {
		TAILQ_REMOVE(&reload->pools, pool, link);
		TAILQ_INSERT_TAIL(&server->pools, pool, link);
		pool_begin(pool);
	}
	reload->reason[0] = '\0';
	end(server);
}

void reload_look(struct server *server)
{
	struct reload *reload = &server->reload;
	struct pool *pool;
	char why[sizeof(reload->reason)];
	if (!reload->trial)
		return;
	TAILQ_FOREACH (pool, &reload->pools, link)
		if (pool->state == POOL_UNAVAILABLE) {
			const char *path = reload->settings->config->path;
			snprintf(why, sizeof(why), "%s:%u: [puzzle:%s]: %s",
				 path ? path : "built-in", pool_fault_line(pool),
				 pool->config->name, pool->reason);
			reload_abandon(server, why);
			return;
		}
	TAILQ_FOREACH (pool, &reload->pools, link)
		if (!pool->puzzle)
			return;
	commit(server);
}

/* Reads the file again and starts the trial. */
static int try(struct server *server, struct reload *reload)
{
	struct settings *settings;
	const char *fixed;
	if (server->draining)
		return reason_set(reload->reason, sizeof(reload->reason), "the daemon is stopping");
	if (settings_load(server->settings->path, server->settings->kind, &settings, reload->reason,
			  sizeof(reload->reason)) < 0)
		return -1;
	fixed = config_fixed_change(server->config, settings->config);
	if (fixed) {
		snprintf(reload->reason, sizeof(reload->reason),
			 "%s: \"%s\" cannot be changed without a restart",
			 settings->config->path ? settings->config->path : "built-in", fixed);
		settings_drop(settings);
		return -1;
	}
	reload->settings = settings;
	reload->trial = true;
	for (size_t i = 0; i < settings->config->puzzle_count; i++) {
		struct pool *pool = pool_new(server, settings, &settings->config->puzzles[i]);
		if (!pool) {
			reload_abandon(server, "no memory");
			return 0;
		}
		TAILQ_INSERT_TAIL(&reload->pools, pool, link);
	}
	return 0;
}

void reload_start(struct server *server)
{
	struct reload *reload = &server->reload;
	if (reload->trial)
		return;
	reload->begun++;
	reload->reason[0] = '\0';
	log_notice("reloading");
	notify_reloading(server->notify);
	if (try(server, reload) < 0)
		end(server);
	else
		reload_look(server); /* a pool may have failed at once */
}
