/* SPDX-License-Identifier: MIT */
/* listener: the socket that clients connect to: its file, its lock, and when not to accept. */
#ifndef DAEMON_LISTENER_H
#define DAEMON_LISTENER_H

#include <stddef.h>

struct listener;
struct server;

/*
 * Accepts from now on: on `given`, a listening socket, which it owns from then on, or (-1) on the
 * configured path, which it binds.  A lock file beside the socket tells a live daemon from a file
 * that a dead one left; only what nobody listens on is removed.  The file of a given socket is
 * somebody else's: its mode, its group and its end are not touched.  NULL with a sentence in
 * `reason`.
 */
struct listener *listener_open(struct server *server, int given, char *reason, size_t cap);

/* The path that clients connect to. */
const char *listener_path(const struct listener *listener);

/* Looks again whether there is room for one more session. */
void listener_resume(struct listener *listener);

/*
 * Makes it impossible to connect, and takes in all who have: what they have written by then is
 * still to be answered, however many sessions there are already.
 */
void listener_drain(struct listener *listener);

/* Stops, and removes the socket's file if it is still ours.  May be NULL. */
void listener_close(struct listener *listener);

#endif
