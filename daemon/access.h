/* SPDX-License-Identifier: MIT */
/* access: who may connect, by the credentials that the kernel tells of the peer. */
#ifndef DAEMON_ACCESS_H
#define DAEMON_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct config;
struct access;

/* Who is at the other end of a socket. */
struct access_peer {
	uid_t uid;
	gid_t gid;  /* the primary group */
	bool admin; /* root, or the daemon's own user */
};

/*
 * Looks up the users and groups that the configuration names, which may take its time: before the
 * loop starts, or at a reload.  0 and *ret for access_free, or -1 with a sentence in `reason`.
 */
int access_load(const struct config *config, struct access **ret, char *reason, size_t cap);

/* May be NULL. */
void access_free(struct access *access);

/* Who the peer is.  0 or a negative errno. */
int access_peer(int fd, struct access_peer *ret);

/* Whether the peer may connect: by its user, its primary group or any other group it is in; an
 * admin always. */
bool access_allows(const struct access *access, int fd, const struct access_peer *peer);

#endif
