/* SPDX-License-Identifier: MIT */
/*
 * user: what the sessions of one user take together, so that no user can take it all.
 *
 * A user is known by the uid that the kernel tells of the peer.  It is there while it has a session
 * or is remembered for its crashes.
 */
#ifndef DAEMON_USER_H
#define DAEMON_USER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

struct user {
	uid_t uid;
	uint32_t sessions;
	uint32_t refused;   /* of them, those that are told so and then closed */
	uint32_t in_flight; /* requests */
	uint64_t reserved;  /* bytes that their replies may have */
	uint32_t
		crashes; /* of workers, on the user's boards, in the window that began at crashed_us */
	int64_t crashed_us;
	LIST_ENTRY(user) link;
};

LIST_HEAD(user_list, user);

/* The user with this uid, made if need be; NULL: no memory.  One session more. */
struct user *user_enter(struct user_list *users, uid_t uid);

/* One session less.  The user goes with the last one, unless its crashes are still to be
 * remembered. */
void user_leave(struct user *user, int64_t now_us);

/* A worker died on a board of the user with this uid, who may have left. */
void user_crashed(struct user_list *users, uid_t uid, int64_t now_us);

/* Whether so many have died lately that no more boards of the user's are run: `most` in
 * LIMIT_CRASH_WINDOW_MS. */
bool user_is_barred(const struct user *user, uint32_t most, int64_t now_us);

/* Frees all: at the end, when there are no sessions. */
void user_free_all(struct user_list *users);

#endif
