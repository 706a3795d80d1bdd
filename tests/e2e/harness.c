/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/e2e/harness.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 16 };

/* ---- waiting ---- */

int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void nap_ms(long ms)
{
	struct timespec rest = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	while (nanosleep(&rest, &rest) < 0 && errno == EINTR)
		;
}

void be_patient(int64_t since, const char *what)
{
	if (now_ms() - since > HANG_MS)
		fail_msg("waited too long for %s", what);
	nap_ms(2);
}

/* ---- the folder ---- */

/* By hand a test is started there. */
static const char *build_tree(void)
{
	char here[PATH_MAX];
	if (!getenv("top_builddir") && realpath(".", here))
		setenv("top_builddir", here, 1);
	return getenv("top_builddir");
}

int site_open(void **state)
{
	static struct site site;
	site = (struct site){0};
	/* Orphaned workers become ours, so that we see them, and their ends. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGPIPE, SIG_IGN);
	strcpy(site.folder, "/tmp/puzzled-test.XXXXXX");
	if (!mkdtemp(site.folder))
		return -1;
	snprintf(site.ini, sizeof(site.ini), "%s/puzzled.ini", site.folder);
	snprintf(site.socket, sizeof(site.socket), "%s/puzzled.sock", site.folder);
	snprintf(site.log, sizeof(site.log), "%s/log", site.folder);
	*state = &site;
	return 0;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *level)
{
	(void)info, (void)type, (void)level;
	return remove(path);
}

static void print_log(const struct site *site)
{
	char line[1024];
	FILE *log = fopen(site->log, "r");
	while (log && fgets(line, sizeof(line), log))
		fprintf(stderr, "# | %s", line);
	if (log)
		fclose(log);
}

int site_close(void **state)
{
	struct site *site = *state;
	if (site->pid) {
		fprintf(stderr, "# the daemon's log:\n");
		print_log(site);
		kill(-site->pid, SIGKILL);
		while (waitpid(-site->pid, NULL, 0) > 0)
			;
	}
	nftw(site->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}

void site_configure(struct site *site, const char *more)
{
	FILE *file = fopen(site->ini, "w");
	assert_non_null(file);
	fprintf(file, "[daemon]\nsocket = %s\nplugin_dir = %s/plugins\nlog_level = debug\n",
		site->socket, build_tree());
	if (!strstr(more, "table_dir ="))
		fprintf(file, "table_dir = %s\n", site->folder);
	if (!strstr(more, "worker ="))
		fprintf(file, "worker = %s/puzzled-worker\n", build_tree());
	for (; *more; more++) {
		if (*more == '@')
			fputs(build_tree(), file);
		else
			fputc(*more, file);
	}
	assert_int_equal(fclose(file), 0);
}

/* ---- the process ---- */

static void set_limit(int which, rlim_t soft, rlim_t hard)
{
	const struct rlimit limit = {soft, hard};
	if (soft)
		setrlimit((__rlimit_resource_t)which, &limit);
}

_Noreturn static void become_daemon(const struct site *site, int errors,
				    const char *const arguments[])
{
	char program[4096];
	char *argv[ARGUMENTS_MAX + 2] = {(char *)(uintptr_t) "puzzled"};
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* where the test is killed, nobody else would end it */
	dup2(errors, STDERR_FILENO);
	dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO); /* ours is for TAP */
	for (int i = 0; arguments[i] && i < ARGUMENTS_MAX; i++)
		argv[i + 1] = (char *)(uintptr_t)arguments[i];
	set_limit(RLIMIT_NOFILE, site->descriptors, site->descriptors);
	/* Workers have bounds of their own. */
	set_limit(RLIMIT_AS, site->memory, RLIM_INFINITY);
	set_limit(RLIMIT_FSIZE, site->file_size, RLIM_INFINITY);
	snprintf(program, sizeof(program), "%s/puzzled", build_tree());
	execv(program, argv);
	_exit(127);
}

void site_spawn(struct site *site, const char *const arguments[])
{
	int errors = open(site->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	assert_true(errors >= 0);
	assert_int_equal(site->pid, 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		become_daemon(site, errors, arguments);
	setpgid(pid, pid); /* whoever of us comes first */
	site->pid = pid;
	close(errors);
}

static bool is_listening(const struct site *site)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	strcpy(address.sun_path, site->socket);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool there = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	close(fd);
	return there;
}

void site_start(struct site *site)
{
	const char *const arguments[] = {"--config", site->ini, NULL};
	int64_t since = now_ms();
	site_spawn(site, arguments);
	while (!is_listening(site)) {
		if (waitpid(site->pid, NULL, WNOHANG) == site->pid) {
			print_log(site);
			site->pid = 0;
			fail_msg("the daemon has ended before it listened");
		}
		be_patient(since, "the daemon's start");
	}
}

void site_run(struct site *site, const char *more)
{
	site_configure(site, more);
	site_start(site);
}

int site_wait(struct site *site)
{
	int64_t since = now_ms();
	pid_t group = site->pid;
	int status;
	while (waitpid(site->pid, &status, WNOHANG) == 0)
		be_patient(since, "the daemon's end");
	/* Its workers may be about to end; they must within reason. */
	while (kill(-group, 0) == 0) {
		while (waitpid(-group, NULL, WNOHANG) > 0)
			;
		be_patient(since, "the end of its workers");
	}
	site->pid = 0;
	return status;
}

void site_stop(struct site *site)
{
	char lock[SITE_PATH + 8];
	snprintf(lock, sizeof(lock), "%s.lock", site->socket);
	assert_int_equal(kill(site->pid, SIGTERM), 0);
	int status = site_wait(site);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		print_log(site);
		fail_msg("the daemon's wait status is %#x", (unsigned)status);
	}
	assert_int_equal(access(site->socket, F_OK), -1);
	assert_int_equal(access(lock, F_OK), -1);
}

int site_check(struct site *site, char *output, size_t cap, const char *const arguments[])
{
	truncate(site->log, 0);
	site_spawn(site, arguments);
	int status = site_wait(site);
	FILE *log = fopen(site->log, "r");
	assert_non_null(log);
	output[fread(output, 1, cap - 1, log)] = '\0';
	fclose(log);
	return status;
}

/* ---- what /proc tells ---- */

unsigned site_descriptors(const struct site *site)
{
	char path[64];
	unsigned count = 0;
	snprintf(path, sizeof(path), "/proc/%d/fd", (int)site->pid);
	struct dirent **entries;
	int found = scandir(path, &entries, NULL, NULL);
	assert_true(found > 0);
	for (int i = 0; i < found; i++) {
		count += entries[i]->d_name[0] != '.';
		free(entries[i]);
	}
	free(entries);
	return count;
}

/* The field of /proc/PID/stat, counted from 1 as in proc(5); from the third on. */
static long stat_field(const struct site *site, int field)
{
	char path[64], line[1024];
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)site->pid);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	size_t len = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[len] = '\0';
	char *at = strrchr(line, ')');
	assert_non_null(at);
	for (int i = 2; i < field && at; i++)
		at = strchr(at + 1, ' ');
	assert_non_null(at);
	return strtol(at + 1, NULL, 10);
}

long site_cpu_ticks(const struct site *site)
{
	return stat_field(site, 14) + stat_field(site, 15);
}

long site_rss_kib(const struct site *site)
{
	return stat_field(site, 24) * (sysconf(_SC_PAGESIZE) / 1024);
}

unsigned site_logged(const struct site *site, const char *word)
{
	char line[4096];
	unsigned count = 0;
	FILE *log = fopen(site->log, "r");
	while (log && fgets(line, sizeof(line), log))
		count += strstr(line, word) != NULL;
	if (log)
		fclose(log);
	return count;
}
