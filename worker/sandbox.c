/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* poll(2) fails where it is 0; a worker needs its channel, and one file at a time while it opens. */
enum { DESCRIPTORS = 32 };

static int set_limit(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limit = {soft, hard};
	return setrlimit((__rlimit_resource_t)resource, &limit) < 0 ? -errno : 0;
}

#ifdef PZ_SANITIZED

/* AddressSanitizer reserves terabytes: no bound on the address space can hold it. */
static int cap_memory(uint64_t beyond, int for_good)
{
	(void)beyond;
	(void)for_good;
	return 0;
}

int sandbox_allow(uint64_t bytes)
{
	(void)bytes;
	return 0;
}

#else

/* Bytes of address space in use, or 0 where /proc does not say. */
static uint64_t address_space(void)
{
	char line[128];
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	ssize_t len = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (len <= 0)
		return 0;
	line[len] = '\0';
	return strtoull(line, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return a > RLIM_INFINITY - b ? RLIM_INFINITY : a + b;
}

/* Lets the address space grow by `beyond` from what it is; never over a hard limit that is there. */
static int cap_memory(uint64_t beyond, int for_good)
{
	struct rlimit old;
	uint64_t now = address_space();
	if (!now)
		return -ENOSYS;
	if (getrlimit(RLIMIT_AS, &old) < 0)
		return -errno;
	rlim_t limit = add_capped(now, beyond);
	if (limit > old.rlim_max)
		limit = old.rlim_max;
	return set_limit(RLIMIT_AS, limit, for_good ? limit : old.rlim_max);
}

int sandbox_allow(uint64_t bytes)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_AS, &limit) < 0)
		return -errno;
	limit.rlim_cur = add_capped(limit.rlim_cur, bytes);
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_AS, &limit) < 0 ? -errno : 0;
}

#endif

int sandbox_before_load(uint64_t memory)
{
	int rc = set_limit(RLIMIT_CORE, 0, 0);
	if (rc == 0)
		rc = set_limit(RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS);
	if (rc == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		rc = -errno;
	if (rc == 0)
		rc = cap_memory(memory > UINT64_MAX / 2 ? memory : memory + SANDBOX_LOAD, 0);
	return rc;
}

int sandbox_after_open(uint64_t memory)
{
	return cap_memory(memory > UINT64_MAX / 2 ? memory : memory + SANDBOX_RESERVE, 1);
}
