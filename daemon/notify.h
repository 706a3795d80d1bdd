/* SPDX-License-Identifier: MIT */
/*
 * notify: the service manager: what it hands over, and what it is told.
 *
 *	new --every puzzle settled, or 5 s--> READY --reloading--> RELOADING --reloaded--> READY
 *	                                        +--draining--> STOPPING
 *
 * READY waits until each puzzle has started or has failed to, so that who starts the service finds
 * it answering; the time is bounded, because one slow plugin must not keep the others from being
 * used.  STATUS is sent when it changed, at most once a second: the timer that sees to that is only
 * set by a change, so an idle daemon is woken by nothing but the watchdog, if the unit has one.
 *
 * Built without libsystemd, or started by nobody who listens, it is NULL and its functions do
 * nothing.
 */
#ifndef DAEMON_NOTIFY_H
#define DAEMON_NOTIFY_H

#include <stddef.h>
#include <stdint.h>

struct notify;
struct server;

/*
 * The listening socket that the daemon was started with.  Returns its descriptor, which is the
 * caller's; -1: there is none; or -2 with a sentence in `reason`: what was handed over cannot be
 * served.  To be asked once.
 */
int notify_take_socket(char *reason, size_t cap);

/* Reports on `server` from now on.  NULL: there is nobody to tell. */
struct notify *notify_new(struct server *server);

/* A reload begins; it has ended, well or not. */
void notify_reloading(struct notify *notify);
void notify_reloaded(struct notify *notify);

/* The daemon drains, and is over in `limit` ms at the latest: the manager is asked not to kill it
 * before. */
void notify_stopping(struct notify *notify, int64_t limit);

/* Says no more, and frees it. */
void notify_free(struct notify *notify);

#endif
