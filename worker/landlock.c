/* SPDX-License-Identifier: MIT */
/*
 * Landlock comes in versions that each confine more.  All of the newest one is asked for that is
 * known here, less what the kernel at hand does not know.  What the kernel takes is written down
 * here and not taken from <linux/landlock.h>: it never changes, and the header may well be older
 * than the kernel.
 */
#include "config.h"

#include "worker/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- the kernel's interface ---- */

/* The same on every architecture (alpha apart). */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

enum { ASK_VERSION = 1, RULE_PATH_BENEATH = 1 };

struct ruleset {
	uint64_t files, ports, scoped;
};

struct path_rule {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

/* Bits of ruleset.files. */
enum {
	EXECUTE = 1 << 0, /* execve; libraries need none of it */
	WRITE_FILE = 1 << 1,
	READ_FILE = 1 << 2,
	READ_DIR = 1 << 3,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_CHAR = 1 << 6,
	MAKE_DIR = 1 << 7,
	MAKE_REG = 1 << 8,
	MAKE_SOCK = 1 << 9,
	MAKE_FIFO = 1 << 10,
	MAKE_BLOCK = 1 << 11,
	MAKE_SYM = 1 << 12,
	REFER = 1 << 13,     /* since 2: from folder to folder */
	TRUNCATE = 1 << 14,  /* since 3 */
	IOCTL_DEV = 1 << 15, /* since 5 */
	FILES_1 = (1 << 13) - 1
};

/* Bits of ruleset.ports, since 4, and of ruleset.scoped, since 6. */
enum { BIND_TCP = 1 << 0, CONNECT_TCP = 1 << 1 };
enum { SCOPE_ABSTRACT_UNIX = 1 << 0, SCOPE_SIGNAL = 1 << 1 };

/* What is forbidden unless a rule allows it, as far as this version knows it; what follows a zero
 * need not be told. */
static struct ruleset ruleset_of(long version)
{
	struct ruleset all = {.files = FILES_1};
	if (version >= 2)
		all.files |= REFER;
	if (version >= 3)
		all.files |= TRUNCATE;
	if (version >= 4)
		all.ports = BIND_TCP | CONNECT_TCP;
	if (version >= 5)
		all.files |= IOCTL_DEV;
	if (version >= 6)
		all.scoped = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL;
	return all;
}

/* Kernels refuse a struct that is longer than theirs, but for zeroes. */
static long create(const struct ruleset *ruleset)
{
	return syscall(SYS_landlock_create_ruleset, ruleset, sizeof(*ruleset), 0);
}

/* ---- rules ---- */

static uint64_t rights(enum landlock_right right, bool folder)
{
	switch (right) {
	case LANDLOCK_READ:
		return READ_FILE;
	case LANDLOCK_LIST:
		return READ_FILE | (folder ? READ_DIR : 0);
	case LANDLOCK_STORE:
		return READ_FILE | WRITE_FILE | TRUNCATE |
		       (folder ? READ_DIR | MAKE_REG | REMOVE_FILE : 0);
	case LANDLOCK_REPLACE:
		return folder ? MAKE_REG | REMOVE_FILE : 0;
	}
	return 0;
}

/* 0, also where the place is not there: then there is nothing to reach. */
static int add_place(int ruleset, const struct landlock_place *place, uint64_t known)
{
	struct stat info;
	int rc = 0;
	int fd = open(place->path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : -errno;
	if (fstat(fd, &info) < 0) {
		rc = -errno;
	} else {
		const struct path_rule rule = {
			.allowed = rights(place->right, S_ISDIR(info.st_mode)) & known,
			.parent = fd,
		};
		if (rule.allowed &&
		    syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0)
			rc = -errno;
	}
	close(fd);
	return rc;
}

/* EPERM: a filter of system calls that was there before us.  E2BIG: sixteen confinements within one
 * another. */
static bool is_missing(int number)
{
	return number == ENOSYS || number == EOPNOTSUPP || number == EPERM || number == E2BIG;
}

int landlock_confine(const struct landlock_place *places, size_t count)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
	if (version < 1)
		return version == 0 || is_missing(errno) ? 0 : -errno;
	const struct ruleset all = ruleset_of(version);
	int ruleset = (int)create(&all);
	int rc = 0;
	if (ruleset < 0)
		return is_missing(errno) ? 0 : -errno;
	for (size_t i = 0; i < count && rc == 0; i++)
		rc = add_place(ruleset, &places[i], all.files);
	if (rc == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
		rc = is_missing(errno) ? 0 : -errno;
	else if (rc == 0)
		rc = 1;
	close(ruleset);
	return rc;
}
