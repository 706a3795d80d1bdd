/* SPDX-License-Identifier: MIT */
/*
 * reload: a new configuration put in the old one's place, wholly or not at all.
 *
 *	IDLE --start--> TRIAL --every new pool has a worker that is ready--> committed --> IDLE
 *	                  |
 *	                  +-- one does not start, or the daemon drains --> given up ----> IDLE
 *
 * In TRIAL the new pools start beside the old ones, which go on serving.  When it is committed, new
 * requests go to the new pools; the old ones answer what they were given before, then their workers
 * leave.  So no request is lost, and a plugin's file that has been replaced is picked up.
 */
#ifndef DAEMON_RELOAD_H
#define DAEMON_RELOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

struct pool;
struct server;
struct settings;

struct reload {
	bool trial;
	struct settings *settings; /* in TRIAL */
	TAILQ_HEAD(, pool) pools;  /* in TRIAL */
	uint64_t begun, ended;     /* how many; equal: IDLE */
	char reason[1024];         /* why the last one failed; empty: it did not */
};

void reload_init(struct reload *reload);

/* Begins, if it is IDLE.  It may have ended, badly, when this returns. */
void reload_start(struct server *server);

/* Looks whether the trial is over. */
void reload_look(struct server *server);

/* Gives a trial up. */
void reload_abandon(struct server *server, const char *why);

#endif
