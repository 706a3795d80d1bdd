/* SPDX-License-Identifier: MIT */
#include "daemon/user.h"
#include "common/limits.h"

#include <stdlib.h>

static bool is_remembered(const struct user *user, int64_t now_us)
{
	return user->crashes && now_us - user->crashed_us < (int64_t)CRASH_WINDOW_MS * 1000;
}

static void forget(struct user *user)
{
	LIST_REMOVE(user, link);
	free(user);
}

struct user *user_enter(struct user_list *users, uid_t uid)
{
	struct user *user;
	LIST_FOREACH (user, users, link)
		if (user->uid == uid)
			break;
	if (!user) {
		user = calloc(1, sizeof(*user));
		if (!user)
			return NULL;
		user->uid = uid;
		LIST_INSERT_HEAD(users, user, link);
	}
	user->sessions++;
	return user;
}

void user_leave(struct user *user, int64_t now_us)
{
	if (--user->sessions > 0 || is_remembered(user, now_us))
		return;
	forget(user);
}

void user_crashed(struct user_list *users, uid_t uid, int64_t now_us)
{
	struct user *user = user_enter(users, uid);
	if (!user)
		return;
	if (!is_remembered(user, now_us)) {
		user->crashes = 0;
		user->crashed_us = now_us;
	}
	user->crashes++;
	user_leave(user, now_us);
}

bool user_is_barred(const struct user *user, uint32_t most, int64_t now_us)
{
	return user->crashes >= most && is_remembered(user, now_us);
}

void user_free_all(struct user_list *users)
{
	struct user *user;
	while ((user = LIST_FIRST(users)))
		forget(user);
}
