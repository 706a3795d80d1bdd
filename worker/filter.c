/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/filter.h"

#ifndef PZ_SECCOMP

int filter_load(enum filter_stage stage, bool builder)
{
	(void)stage;
	(void)builder;
	return 0;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>

#include <asm/ioctls.h>
#include <linux/prctl.h>
#include <seccomp.h>

/*
 * What a worker may ask of the kernel.  All else is answered EPERM, so that a plugin can say what
 * it was not allowed to do; but what is younger than Linux 5.1 ENOSYS, as by an older kernel: for
 * that libc has other ways (it tries clone3, then clone), which an EPERM would keep it from.
 */
enum when {
	ALWAYS,
	LOADING,         /* until `open` has returned */
	BUILDER,         /* always, in a worker that builds or checks a table */
	BUILDER_LOADING, /* there, until `open` has returned and the table's files are open */
};

/* ---- calls that are allowed whatever their arguments ---- */

/* clang-format off */
static const struct group {
	enum when when;
	const char *calls; /* those that this architecture lacks are passed over */
} groups[] = {
	/* The channel (descriptor 3, there already) and what is printed.  No recvmsg: it could take
	 * descriptors in. */
	{ALWAYS, "read readv write writev recvfrom sendto poll ppoll ppoll_time64 lseek _llseek close fstat fstat64"},
	/* Memory.  mmap and mprotect are below. */
	{ALWAYS, "munmap mremap brk madvise"},
	/* Time. */
	{ALWAYS, "clock_gettime clock_gettime64 clock_getres clock_getres_time64 gettimeofday time times"
		 " nanosleep clock_nanosleep clock_nanosleep_time64 restart_syscall"},
	/* libc's own: locks, the registers of a thread, malloc's random keys. */
	{ALWAYS, "futex futex_time64 set_robust_list rseq sched_yield getrandom"},
	/* Signals to itself (tgkill, which abort and raise need, is below), a stack for them, and
	 * how to end. */
	{ALWAYS, "rt_sigaction rt_sigprocmask rt_sigreturn sigreturn sigaltstack alarm setitimer exit exit_group"},
	/* Who and where it is, which is no secret: qsort and malloc ask for memory and
	 * processors. */
	{ALWAYS, "getpid gettid getppid getuid geteuid getgid getegid getuid32 geteuid32 getgid32 getegid32 uname"
		 " sysinfo getrusage getrlimit ugetrlimit sched_getaffinity getcpu"},

	/* ld.so: what stands where, and parts of libraries.  Opening is below. */
	{LOADING, "newfstatat fstatat64 stat stat64 lstat lstat64 statx access faccessat readlink readlinkat getcwd"
		  " pread64"},
	/* Which tables there are. */
	{LOADING, "getdents getdents64"},
	/* The worker itself, on its way to the second stage. */
	{LOADING, "seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self capget capset"},

	/* A builder writes a file and puts it into its place. */
	{BUILDER, "pread64 pwrite64 fsync renameat renameat2 unlinkat"},
	{BUILDER_LOADING, "open openat flock"},
};

/* ---- calls that are allowed with some arguments ---- */

/* Opened for reading.  Where Landlock is missing, this is what keeps files from being written. */
enum { WRITES = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND };

/* Of an int, the other half of the register is rubbish. */
#define INT(arg, value)         {arg, SCMP_CMP_MASKED_EQ, UINT32_MAX, (uint32_t)(value)}
#define WITHOUT(arg, bits)      {arg, SCMP_CMP_MASKED_EQ, (bits), 0}
#define NONE(arg)               {arg, SCMP_CMP_EQ, 0, 0}

static const struct limited {
	enum when when;
	const char *call;
	unsigned count;
	struct scmp_arg_cmp when_all[2];
} limited[] = {
	{LOADING, "open", 1, {WITHOUT(1, WRITES)}},
	{LOADING, "openat", 1, {WITHOUT(2, WRITES)}},
	/* Code is mapped by dlopen alone, and what is writable is never code: mprotect could make
	 * it so. */
	{ALWAYS, "mmap", 1, {WITHOUT(2, PROT_EXEC)}},
	{ALWAYS, "mmap2", 1, {WITHOUT(2, PROT_EXEC)}},
	{LOADING, "mmap", 1, {WITHOUT(2, PROT_WRITE)}},
	{LOADING, "mmap2", 1, {WITHOUT(2, PROT_WRITE)}},
	{ALWAYS, "mprotect", 1, {WITHOUT(2, PROT_EXEC)}},
	/* Not F_SETOWN and F_SETSIG: with them, a socket sends SIGKILL to whomever one likes. */
	{ALWAYS, "fcntl", 1, {INT(1, F_GETFD)}},
	{ALWAYS, "fcntl", 1, {INT(1, F_SETFD)}},
	{ALWAYS, "fcntl", 1, {INT(1, F_GETFL)}},
	{ALWAYS, "fcntl64", 1, {INT(1, F_GETFD)}},
	{ALWAYS, "fcntl64", 1, {INT(1, F_SETFD)}},
	{ALWAYS, "fcntl64", 1, {INT(1, F_GETFL)}},
	/* Whether it is a terminal: stdio asks.  Not FIOSETOWN (as above), nor TIOCSTI, which types
	 * into one. */
	{ALWAYS, "ioctl", 1, {INT(1, TCGETS)}},
	/* The name that `top` shows. */
	{ALWAYS, "prctl", 1, {INT(0, PR_SET_NAME)}},
	{ALWAYS, "prctl", 1, {INT(0, PR_GET_NAME)}},
	/* Its bounds can be read; only that on the address space moves, with the tables that are
	 * mapped. */
	{ALWAYS, "prlimit64", 2, {INT(0, 0), NONE(2)}},
	{LOADING, "prlimit64", 2, {INT(0, 0), INT(1, RLIMIT_AS)}},
	{LOADING, "setrlimit", 1, {INT(0, RLIMIT_AS)}},
};
/* clang-format on */

/* ---- the filter ---- */

enum { NAME_MAX_LEN = 32, YOUNG = 88 }; /* 424 to 511: further up, x86 has other numbers */

struct filter {
	scmp_filter_ctx context;
	int young;           /* the first of the calls that have one number on every architecture */
	bool allowed[YOUNG]; /* of these */
};

static bool is_allowed(enum when when, enum filter_stage stage, bool builder)
{
	return (when == ALWAYS || when == LOADING || builder) &&
	       (stage == FILTER_LOADING || when == ALWAYS || when == BUILDER);
}

static int allow(struct filter *filter, const char *call, unsigned count,
		 const struct scmp_arg_cmp *when_all)
{
	int number = seccomp_syscall_resolve_name(call);
	if (number < 0)
		return 0; /* not on this architecture, or unknown to this libseccomp */
	if (number >= filter->young && number < filter->young + YOUNG)
		filter->allowed[number - filter->young] = true;
	return seccomp_rule_add_array(filter->context, SCMP_ACT_ALLOW, number, count, when_all);
}

static int allow_all(struct filter *filter, const char *calls)
{
	int rc = 0;
	while (*calls && rc == 0) {
		char name[NAME_MAX_LEN];
		size_t len = strcspn(calls, " ");
		if (len >= sizeof(name))
			return -EINVAL;
		memcpy(name, calls, len);
		name[len] = '\0';
		rc = allow(filter, name, 0, NULL);
		calls += len;
		calls += strspn(calls, " ");
	}
	return rc;
}

static int hide_young(const struct filter *filter)
{
	int rc = 0;
	for (int i = 0; i < YOUNG && rc == 0; i++)
		if (!filter->allowed[i])
			rc = seccomp_rule_add(filter->context, SCMP_ACT_ERRNO(ENOSYS),
					      filter->young + i, 0);
	return rc;
}

static int set_attributes(scmp_filter_ctx context)
{
	static const struct {
		enum scmp_filter_attr attribute;
		uint32_t value;
	} wanted[] = {
		/* The 32-bit calls of a 64-bit kernel: as where it has none. */
		{SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)},
		/* It is set already. */
		{SCMP_FLTATR_CTL_NNP, 0},
		/* Kernels before 5.16 would slow down all that a filtered process computes, to
		 * protect it from its own code. */
		{SCMP_FLTATR_CTL_SSB, 1},
		/* The kernel's own errno, and a tree instead of a chain. */
		{SCMP_FLTATR_API_SYSRAWRC, 1},
		{SCMP_FLTATR_CTL_OPTIMIZE, 2},
	};
	int rc = 0;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]) && rc == 0; i++)
		rc = seccomp_attr_set(context, wanted[i].attribute, wanted[i].value);
	return rc;
}

static int fill(struct filter *filter, enum filter_stage stage, bool builder)
{
	int rc = set_attributes(filter->context);
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]) && rc == 0; i++)
		if (is_allowed(groups[i].when, stage, builder))
			rc = allow_all(filter, groups[i].calls);
	for (size_t i = 0; i < sizeof(limited) / sizeof(limited[0]) && rc == 0; i++)
		if (is_allowed(limited[i].when, stage, builder))
			rc = allow(filter, limited[i].call, limited[i].count, limited[i].when_all);
	if (rc == 0) {
		const struct scmp_arg_cmp itself = INT(0, getpid());
		rc = allow(filter, "tgkill", 1, &itself);
	}
	return rc == 0 ? hide_young(filter) : rc;
}

int filter_load(enum filter_stage stage, bool builder)
{
	struct filter filter = {
		.context = seccomp_init(SCMP_ACT_ERRNO(EPERM)),
		.young = seccomp_syscall_resolve_name("pidfd_send_signal"),
	};
	if (!filter.context)
		return -ENOMEM;
	int rc = fill(&filter, stage, builder);
	if (rc == 0)
		rc = seccomp_load(filter.context);
	seccomp_release(filter.context);
	/* EINVAL, ENOSYS: the kernel was built without. */
	return rc == 0 ? 1 : rc == -EINVAL || rc == -ENOSYS ? 0 : rc;
}

#endif
