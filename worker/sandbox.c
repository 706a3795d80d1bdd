/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/sandbox.h"

#include "worker/filter.h"
#include "worker/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/capability.h>

/* poll(2) fails where it is 0; a worker needs its channel, and one file at a time while it
 * opens. */
enum { DESCRIPTORS = 32 };

/* ---- bounds ---- */

static int set_limit(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limit = {soft, hard};
	return setrlimit((__rlimit_resource_t)resource, &limit) < 0 ? -errno : 0;
}

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return a > RLIM_INFINITY - b ? RLIM_INFINITY : a + b;
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

/* /proc/self/statm, opened while /proc could be and read once more in the second stage. */
static int statm = -1;

/* Bytes of address space in use, or 0 where /proc does not say. */
static uint64_t address_space(void)
{
	char line[128];
	if (statm < 0)
		statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t len = pread(statm, line, sizeof(line) - 1, 0);
	if (len <= 0)
		return 0;
	line[len] = '\0';
	return strtoull(line, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Lets the address space grow by `beyond` from what it is; never over a hard limit that is
 * there. */
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
	if (for_good)
		close(statm);
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

static int set_bounds(uint64_t memory)
{
	int rc = set_limit(RLIMIT_CORE, 0, 0);
	if (rc == 0)
		rc = set_limit(RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS);
	if (rc == 0)
		rc = cap_memory(add_capped(memory, SANDBOX_LOAD), 0);
	return rc;
}

/* ---- the two stages ---- */

#ifdef PZ_SANITIZED

/* AddressSanitizer reports with the help of /proc, threads, ptrace and other programs. */
static int confine_before_load(struct sandbox *sandbox)
{
	(void)sandbox;
	return 0;
}

static int confine_after_open(const struct sandbox *sandbox)
{
	(void)sandbox;
	return 0;
}

#else

/* To write into a table folder that is not root's. */
enum { KEPT = 1 << CAP_DAC_OVERRIDE };

/* Where the worker is root, because no `user` is configured: it keeps at most these. */
static int drop_capabilities(uint32_t kept)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct now[2];
	if (syscall(SYS_capget, &header, now) < 0)
		return -errno;
	if (!now[0].permitted && !now[1].permitted)
		return 0;
	const struct __user_cap_data_struct less[2] = {
		{.effective = now[0].effective & kept, .permitted = now[0].permitted & kept}};
	return syscall(SYS_capset, &header, less) < 0 ? -errno : 0;
}

static int confine_before_load(struct sandbox *sandbox)
{
	/* Where ld.so looks.  Its cache leads to libraries in other places too: these are not
	 * found. */
	const struct landlock_place places[] = {
		{"/lib", LANDLOCK_READ},
		{"/lib32", LANDLOCK_READ},
		{"/lib64", LANDLOCK_READ},
		{"/usr/lib", LANDLOCK_READ},
		{"/usr/lib32", LANDLOCK_READ},
		{"/usr/lib64", LANDLOCK_READ},
		{"/usr/local/lib", LANDLOCK_READ},
		{"/etc/ld.so.cache", LANDLOCK_READ},
		/* The file and not its folder, which may be somebody's home. */
		{sandbox->plugin, LANDLOCK_READ},
		{sandbox->tables, sandbox->builder ? LANDLOCK_STORE : LANDLOCK_LIST},
	};
	size_t count = sizeof(places) / sizeof(places[0]);
	int rc = landlock_confine(places, sandbox->tables ? count : count - 1);
	sandbox->files = rc == 1;
	if (rc < 0 || (rc = drop_capabilities(KEPT)) < 0)
		return rc;
	rc = filter_load(FILTER_LOADING, sandbox->builder);
	sandbox->calls = rc == 1;
	return rc < 0 ? rc : 0;
}

static int confine_after_open(const struct sandbox *sandbox)
{
	const struct landlock_place tables = {sandbox->tables, LANDLOCK_REPLACE};
	int rc = landlock_confine(&tables, sandbox->builder && sandbox->tables);
	if (rc < 0 || (rc == 0 && sandbox->files))
		return rc < 0 ? rc : -EPERM;
	if ((rc = drop_capabilities(sandbox->builder ? KEPT : 0)) < 0)
		return rc;
	rc = filter_load(FILTER_WORKING, sandbox->builder);
	return rc < 0 ? rc : rc == 0 && sandbox->calls ? -EPERM : 0;
}

#endif

int sandbox_before_load(struct sandbox *sandbox)
{
	int rc = set_bounds(sandbox->memory);
	if (rc == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		rc = -errno;
	if (rc == 0 && sandbox->confine)
		rc = confine_before_load(sandbox);
	return rc;
}

int sandbox_after_open(const struct sandbox *sandbox, uint64_t more)
{
	uint64_t beyond = add_capped(add_capped(sandbox->memory, more), SANDBOX_RESERVE);
	int rc = cap_memory(beyond, 1);
	if (rc == 0 && sandbox->confine)
		rc = confine_after_open(sandbox);
	return rc;
}
