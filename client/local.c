/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "client/local.h"

#include "client/print.h"
#include "client/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
	SESSION_FD = 3,
	END_WAIT_MS = 3000, /* for the end of the daemon after that of its session */
	LOG_TAIL = 4096     /* bytes of its log that are shown */
};

struct local {
	pid_t pid;
	int log; /* a file in memory with its stderr; -1: none */
};

static const struct program daemon_program = {
	.variable = "PUZZLED_DAEMON",
	.beside = {"puzzled", "../sbin/puzzled"},
	.installed = PZ_BINDIR "/puzzled",
	.name = "puzzled",
};

/* ---- starting it ---- */

/* What becomes of the descriptors in the child; our own are all closed by exec. */
static int prepare_files(posix_spawn_file_actions_t *files, int session, int log)
{
	int failed = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
	/* Nothing but answers goes to our stdout. */
	if (!failed)
		failed = posix_spawn_file_actions_addopen(files, 1, "/dev/null", O_WRONLY, 0);
	if (!failed && log >= 0)
		failed = posix_spawn_file_actions_adddup2(files, log, 2);
	/* When session is 3 already, this only takes its close-on-exec flag away. */
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(files, session, SESSION_FD);
	return failed;
}

/* Signals as a program expects them: none blocked, and those that a shell may ignore at their
 * default. */
static int prepare_signals(posix_spawnattr_t *attributes)
{
	sigset_t none, defaults;
	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGTERM);
	int failed = posix_spawnattr_setsigmask(attributes, &none);
	if (!failed)
		failed = posix_spawnattr_setsigdefault(attributes, &defaults);
	if (!failed)
		failed = posix_spawnattr_setflags(attributes,
						  POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	return failed;
}

/* Starts `path` and returns 0 with *ret, or an errno. */
static int spawn(const char *path, int session, int log, pid_t *ret)
{
	char *argv[6] = {(char *)"puzzled", (char *)"--session-fd", (char *)"3"};
	const char *configuration = getenv("PUZZLED_CONFIG");
	/* Without it the daemon knows itself where to look. */
	if (configuration && *configuration) {
		argv[3] = (char *)"--config";
		argv[4] = (char *)configuration;
	}
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int failed = posix_spawn_file_actions_init(&files);
	if (failed)
		return failed;
	failed = posix_spawnattr_init(&attributes);
	if (!failed) {
		failed = prepare_files(&files, session, log);
		if (!failed)
			failed = prepare_signals(&attributes);
		if (!failed)
			failed = posix_spawnp(ret, path, &files, &attributes, argv, environ);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

int local_start(struct local **ret, int *ret_fd, bool verbose, struct fault *fault)
{
	char path[PATH_MAX];
	if (program_find(&daemon_program, path, fault) < 0)
		return -1;
	struct local *local = calloc(1, sizeof(*local));
	if (!local)
		return fault_memory(fault);
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		free(local);
		return fault_set(fault, EXIT_PROTOCOL, "cannot make a socketpair: %s",
				 strerror(errno));
	}
	local->log = verbose ? -1 : memfd_create("puzzled-log", MFD_CLOEXEC);
	int failed = spawn(path, pair[1], local->log, &local->pid);
	close(pair[1]);
	if (failed) {
		close(pair[0]);
		if (local->log >= 0)
			close(local->log);
		free(local);
		return fault_set(fault, EXIT_PROTOCOL, "no daemon, and cannot start %s: %s", path,
				 strerror(failed));
	}
	*ret = local;
	*ret_fd = pair[0];
	return 0;
}

/* ---- its end ---- */

/* The last whole lines of the log, each after the daemon's name. */
static void print_log(int log)
{
	char tail[LOG_TAIL + 1];
	off_t size = lseek(log, 0, SEEK_END);
	off_t start = size > LOG_TAIL ? size - LOG_TAIL : 0;
	ssize_t len = size > 0 ? pread(log, tail, LOG_TAIL, start) : 0;
	if (len <= 0)
		return;
	tail[len] = '\0';
	char *line = tail;
	if (start > 0 && strchr(tail, '\n'))
		line = strchr(tail, '\n') + 1;
	while (*line) {
		size_t end = strcspn(line, "\n");
		fputs("puzzled: ", stderr);
		print_text(stderr, (struct text){line, end});
		putc('\n', stderr);
		line += end + (line[end] == '\n');
	}
}

void local_end(struct local *local, bool failed)
{
	if (!local)
		return;
	const struct timespec nap = {.tv_nsec = 2 * 1000 * 1000};
	int status, waited = 0;
	pid_t got;
	while ((got = waitpid(local->pid, &status, WNOHANG)) == 0 && waited < END_WAIT_MS) {
		nanosleep(&nap, NULL);
		waited += 2;
	}
	if (got == 0)
		kill(local->pid, SIGTERM);
	if (failed && local->log >= 0)
		print_log(local->log);
	if (failed && got > 0 && WIFSIGNALED(status))
		print_complaint("the private daemon was killed by signal %d (%s)", WTERMSIG(status),
				strsignal(WTERMSIG(status)));
	if (local->log >= 0)
		close(local->log);
	free(local);
}
