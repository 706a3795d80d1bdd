/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "common/reason.h"
#include "daemon/trust.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int judge(const char *path, const struct stat *info, char *reason, size_t cap)
{
	bool folder = S_ISDIR(info->st_mode);
	if (info->st_uid != 0 && info->st_uid != geteuid())
		return reason_set(
			reason, cap,
			"%s: it belongs to user %u; it must be root's or the daemon's own", path,
			(unsigned)info->st_uid);
	if ((info->st_mode & (S_IWGRP | S_IWOTH)) && !(folder && (info->st_mode & S_ISVTX)))
		return reason_set(
			reason, cap,
			"%s: others than its owner can write to it (mode %04o); chmod go-w "
			"mends that",
			path, (unsigned)info->st_mode & 07777);
	return 0;
}

int trust_file(const char *path, char *reason, size_t cap)
{
	struct stat info;
	if (stat(path, &info) < 0)
		return 0;
	if (judge(path, &info, reason, cap) < 0)
		return -1;
	char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;
	if (!slash) {
		free(real);
		return 0;
	}
	slash[slash == real] = '\0';
	int code = stat(real, &info) < 0 ? reason_set(reason, cap, "%s: %s", real, strerror(errno))
					 : judge(real, &info, reason, cap);
	free(real);
	return code;
}
