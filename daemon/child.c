/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "daemon/child.h"
#include "common/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Moves the descriptors to their places; those in the way are moved up first, so that none is
 * lost. */
static int place_descriptors(const int wanted[], int count)
{
	int moved[8];
	for (int i = 0; i < count; i++) {
		moved[i] = fcntl(wanted[i], F_DUPFD_CLOEXEC, count);
		if (moved[i] < 0)
			return -1;
	}
	for (int i = 0; i < count; i++)
		if (dup2(moved[i], i) < 0)
			return -1;
	return 0;
}

/* After fork: only what is safe there, and no way back. */
_Noreturn static void become(const char *program, const char *name, const struct child_user *user,
			     int channel, int page, int output)
{
	char *argv[] = {(char *)"puzzled-worker", (char *)name, NULL};
	char *envp[] = {NULL};
	int null = open("/dev/null", O_RDONLY);
	const int wanted[] = {null, output, output, channel, page};
	if (null < 0 || place_descriptors(wanted, 5) < 0)
		_exit(CHILD_NO_EXEC);
	for (int fd = 0; fd < 5; fd++)
		fcntl(fd, F_SETFD, 0);
	if (user->change &&
	    (setgroups(0, NULL) < 0 || setgid(user->gid) < 0 || setuid(user->uid) < 0)) {
		dprintf(STDERR_FILENO, "cannot become the worker's user: %s\n", strerror(errno));
		_exit(CHILD_NO_EXEC);
	}
	/* Everything above is close-on-exec already; this is for what a library may have opened. */
	close_range(5, ~0u, 0);
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(program, argv, envp);
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", program, strerror(errno));
	_exit(CHILD_NO_EXEC);
}

pid_t child_start(const char *program, const char *name, const struct child_user *user, int channel,
		  int page, int output)
{
	/* No signal of ours may reach the child before it has its handlers off. */
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	int failure = errno;
	if (pid == 0)
		become(program, name, user, channel, page, output);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid < 0 ? -failure : pid;
}

pid_t child_reap(int *ret_status)
{
	pid_t pid;
	do
		pid = waitpid(-1, ret_status, WNOHANG);
	while (pid < 0 && errno == EINTR);
	return pid > 0 ? pid : 0;
}

void child_cause(int status, char *cause, size_t cap)
{
	if (WIFSIGNALED(status)) {
		const char *name = sigabbrev_np(WTERMSIG(status));
		if (name)
			snprintf(cause, cap, "killed by SIG%s", name);
		else
			snprintf(cause, cap, "killed by signal %d", WTERMSIG(status));
	} else {
		snprintf(cause, cap, "exited with status %d%s", WEXITSTATUS(status),
			 WEXITSTATUS(status) == CHILD_NO_EXEC ? ", as where it could not be run"
							      : "");
	}
}

int child_find_user(const char *name, struct child_user *ret, char *reason, size_t cap)
{
	*ret = (struct child_user){0};
	if (!name[0] || geteuid() != 0)
		return 0;
	struct passwd *user = getpwnam(name);
	if (!user) {
		snprintf(reason, cap, "there is no user \"%s\" for workers to run as", name);
		return -1;
	}
	*ret = (struct child_user){true, user->pw_uid, user->pw_gid};
	return 0;
}
