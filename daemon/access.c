/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "common/reason.h"
#include "daemon/access.h"
#include "daemon/config.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NAMES_MAX = 64, GROUPS_MAX = 1024 };

struct access {
	bool all;
	uid_t users[NAMES_MAX];
	gid_t groups[NAMES_MAX];
	size_t user_count, group_count;
};

static int add_user(struct access *access, const char *name)
{
	const struct passwd *entry = getpwnam(name);
	if (!entry)
		return -1;
	access->users[access->user_count++] = entry->pw_uid;
	return 0;
}

static int add_group(struct access *access, const char *name)
{
	const struct group *entry = getgrnam(name);
	if (!entry)
		return -1;
	access->groups[access->group_count++] = entry->gr_gid;
	return 0;
}

static int add_names(struct access *access, const char *key, const char *names,
		     int (*add)(struct access *access, const char *name), char *reason, size_t cap)
{
	char *copy = strdup(names), *rest = NULL;
	int code = copy ? 0 : reason_set(reason, cap, "no memory");
	size_t count = 0;
	for (char *name = copy ? strtok_r(copy, " ,", &rest) : NULL; name && code == 0;
	     name = strtok_r(NULL, " ,", &rest)) {
		if (++count > NAMES_MAX)
			code = reason_set(reason, cap, "%s: more than %d names", key, NAMES_MAX);
		else if (add(access, name) < 0)
			code = reason_set(reason, cap, "%s: there is no \"%s\" on this system", key,
					  name);
	}
	free(copy);
	return code;
}

int access_load(const struct config *config, struct access **ret, char *reason, size_t cap)
{
	struct access *access = calloc(1, sizeof(*access));
	if (!access)
		return reason_set(reason, cap, "no memory");
	access->all = !config->allow_users[0] && !config->allow_groups[0];
	if (add_names(access, "allow_users", config->allow_users, add_user, reason, cap) < 0 ||
	    add_names(access, "allow_groups", config->allow_groups, add_group, reason, cap) < 0) {
		free(access);
		return -1;
	}
	*ret = access;
	return 0;
}

void access_free(struct access *access)
{
	free(access);
}

int access_peer(int fd, struct access_peer *ret)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0)
		return -errno;
	*ret = (struct access_peer){peer.uid, peer.gid, peer.uid == 0 || peer.uid == geteuid()};
	return 0;
}

static bool allows_group(const struct access *access, gid_t gid)
{
	for (size_t i = 0; i < access->group_count; i++)
		if (access->groups[i] == gid)
			return true;
	return false;
}

bool access_allows(const struct access *access, int fd, const struct access_peer *peer)
{
	if (access->all || peer->admin)
		return true;
	for (size_t i = 0; i < access->user_count; i++)
		if (access->users[i] == peer->uid)
			return true;
	if (!access->group_count)
		return false;
	if (allows_group(access, peer->gid))
		return true;
	/* SO_PEERCRED knows only the primary group. */
	gid_t groups[GROUPS_MAX];
	socklen_t len = sizeof(groups);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len) < 0)
		return false;
	for (size_t i = 0; i < len / sizeof(groups[0]); i++)
		if (allows_group(access, groups[i]))
			return true;
	return false;
}
