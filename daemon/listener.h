/* SPDX-License-Identifier: MIT */
/* listener: the socket that clients connect to: its file, its lock, and when not to accept. */
#ifndef DAEMON_LISTENER_H
#define DAEMON_LISTENER_H

#include <stddef.h>

struct listener;
struct server;

/*
 * Binds the configured path and accepts from now on.  A lock file beside the socket tells a live daemon from a file that a
 * dead one left; only what nobody listens on is removed.  NULL with a sentence in `reason`.
 */
struct listener *listener_open(struct server *server, char *reason, size_t cap);

/* Looks again whether there is room for one more session. */
void listener_resume(struct listener *listener);

/* Stops, and removes the socket's file if it is still ours.  May be NULL. */
void listener_close(struct listener *listener);

#endif
