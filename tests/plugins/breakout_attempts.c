/* SPDX-License-Identifier: MIT */
#include "breakout_attempts.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHANNEL = 3, PAGE = 4096 };

char table_folder[BREAKOUT_PATH + 1] = BREAKOUT_SCRATCH;
char daemon_socket[BREAKOUT_PATH + 1] = "/tmp/breakout.socket";

/* 0, or the errno. */
static int tried(long result)
{
	return result < 0 ? errno : 0;
}

static int opened(int fd)
{
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* ---- files ---- */

static int read_passwd(void)
{
	return opened(open("/etc/passwd", O_RDONLY));
}

static int read_environ(void)
{
	return opened(open("/proc/self/environ", O_RDONLY));
}

static int read_device(void)
{
	return opened(open("/dev/urandom", O_RDONLY));
}

static int read_library(void)
{
	return opened(open("/etc/ld.so.cache", O_RDONLY));
}

static int list_folder(void)
{
	DIR *dir = opendir("/");
	return dir ? tried(closedir(dir)) : errno;
}

static int write_in(const char *where)
{
	char path[BREAKOUT_PATH + 32];
	snprintf(path, sizeof(path), "%s/breakout.txt", where);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd >= 0)
		unlinkat(AT_FDCWD, path, 0);
	return opened(fd);
}

static int write_outside(void)
{
	return write_in(BREAKOUT_SCRATCH);
}

static int write_table(void)
{
	return write_in(table_folder);
}

static int make_folder(void)
{
	int number = tried(mkdir(BREAKOUT_SCRATCH "/made", 0700));
	if (number == 0)
		unlinkat(AT_FDCWD, BREAKOUT_SCRATCH "/made", AT_REMOVEDIR);
	return number;
}

static int remove_file(void)
{
	int number = tried(unlinkat(AT_FDCWD, BREAKOUT_VICTIM, 0));
	if (number == 0)
		close(open(BREAKOUT_VICTIM, O_WRONLY | O_CREAT, 0600));
	return number;
}

static int rename_file(void)
{
	int number =
		tried(renameat(AT_FDCWD, BREAKOUT_VICTIM, AT_FDCWD, BREAKOUT_SCRATCH "/renamed"));
	if (number == 0)
		renameat(AT_FDCWD, BREAKOUT_SCRATCH "/renamed", AT_FDCWD, BREAKOUT_VICTIM);
	return number;
}

static int change_mode(void)
{
	return tried(chmod(BREAKOUT_VICTIM, 0600));
}

static int change_folder(void)
{
	return tried(chdir("."));
}

static int look_at_file(void)
{
	struct stat info;
	return tried(stat("/etc/passwd", &info));
}

static int load_library(void)
{
	void *library = dlopen("libutil.so.1", RTLD_NOW);
	return library ? dlclose(library) : ELIBACC;
}

/* ---- sockets and other descriptors ---- */

static int open_tcp(void)
{
	return opened(socket(AF_INET, SOCK_STREAM, 0));
}

static int call_daemon(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof(address.sun_path), "%.100s", daemon_socket);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd < 0)
		return errno;
	int number = tried(connect(fd, (struct sockaddr *)&address, sizeof(address)));
	close(fd);
	return number;
}

static int make_pair(void)
{
	int ends[2];
	return tried(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
}

static int make_pipe(void)
{
	int ends[2];
	return tried(pipe(ends));
}

static int make_memfd(void)
{
	return opened(memfd_create("breakout", 0));
}

static int copy_descriptor(void)
{
	return opened(dup(CHANNEL));
}

static int type_into_terminal(void)
{
	return tried(ioctl(STDERR_FILENO, TIOCSTI, "#"));
}

/* ---- processes ---- */

static int end_child(pid_t pid)
{
	int status;
	if (pid < 0)
		return errno;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : ECHILD;
}

static int make_process(void)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	return end_child(pid);
}

static void *do_nothing(void *argument)
{
	return argument;
}

static int make_thread(void)
{
	pthread_t thread;
	int number = pthread_create(&thread, NULL, do_nothing, NULL);
	return number ? number : pthread_join(thread, NULL);
}

/* What libc tries first, and must hear that there is no such thing. */
static int make_process_3(void)
{
	return tried(syscall(SYS_clone3, NULL, 0));
}

/* Where there is no process for it, in this one. */
static int run_program(void)
{
	pid_t pid = fork();
	if (pid > 0)
		return end_child(pid);
	execl("/bin/sh", "sh", "-c", "exit 0", (char *)NULL);
	if (pid == 0)
		_exit(1);
	return errno;
}

static int run_shell(void)
{
	return system("exit 0") == 0 ? 0 : errno;
}

static int signal_parent(void)
{
	return tried(kill(getppid(), SIGCONT));
}

static int signal_parents_thread(void)
{
	return tried(syscall(SYS_tgkill, getppid(), getppid(), SIGCONT));
}

static int queue_signal(void)
{
	return tried(sigqueue(getppid(), SIGCONT, (union sigval){0}));
}

static int signal_by_socket(void)
{
	return tried(fcntl(CHANNEL, F_SETOWN, getppid()));
}

static int signal_by_ioctl(void)
{
	int parent = getppid();
	return tried(ioctl(CHANNEL, FIOSETOWN, &parent));
}

static int open_parent(void)
{
	return opened((int)syscall(SYS_pidfd_open, getppid(), 0));
}

static int trace_parent(void)
{
	int number = tried(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
	if (number == 0) {
		ptrace(PTRACE_INTERRUPT, getppid(), NULL, NULL);
		waitpid(getppid(), NULL, __WALL);
		ptrace(PTRACE_DETACH, getppid(), NULL, NULL);
	}
	return number;
}

static int read_parent(void)
{
	char byte;
	struct iovec mine = {&byte, 1}, theirs = {(void *)(uintptr_t)do_nothing, 1};
	return tried(process_vm_readv(getppid(), &mine, 1, &theirs, 1, 0));
}

static int limit_parent(void)
{
	const struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
	return tried(prlimit(getppid(), RLIMIT_AS, &limit, NULL));
}

/* ---- itself ---- */

static int mapped(int protection)
{
	void *page = mmap(NULL, PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return page == MAP_FAILED ? errno : tried(munmap(page, PAGE));
}

static int map_writable_code(void)
{
	return mapped(PROT_READ | PROT_WRITE | PROT_EXEC);
}

static int map_code(void)
{
	return mapped(PROT_READ | PROT_EXEC);
}

static int make_code(void)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return errno;
	int number = tried(mprotect(page, PAGE, PROT_READ | PROT_EXEC));
	munmap(page, PAGE);
	return number;
}

static int become_user(void)
{
	return tried(setuid(getuid()));
}

static int raise_limit(void)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_NOFILE, &limit) < 0 ? ENOSYS
						    : tried(setrlimit(RLIMIT_NOFILE, &limit));
}

static int outlive_parent(void)
{
	return tried(prctl(PR_SET_PDEATHSIG, 0));
}

static int leave_namespace(void)
{
	return tried(unshare(CLONE_NEWUSER));
}

static int mount_folder(void)
{
	return tried(mount("none", "/dev/null/nowhere", "tmpfs", 0, NULL));
}

static int change_personality(void)
{
	return tried(personality(ADDR_NO_RANDOMIZE));
}

static int load_bpf(void)
{
	return tried(syscall(SYS_bpf, 0, NULL, 0));
}

static int use_keys(void)
{
	return tried(syscall(SYS_keyctl, 0, -1, 0));
}

static int count_events(void)
{
	return tried(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
}

static int use_ring(void)
{
	return tried(syscall(SYS_io_uring_setup, 1, NULL));
}

/* ---- what has to work everywhere ---- */

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int work(void)
{
	enum { COUNT = 100000 };
	const struct timespec moment = {.tv_nsec = 1000};
	struct timespec now;
	struct rlimit limit;
	unsigned char random;
	int *numbers = malloc(COUNT * sizeof(int)), *more;
	if (!numbers || !(more = realloc(numbers, 4 * COUNT * sizeof(int))))
		return ENOMEM;
	for (int i = 0; i < COUNT; i++)
		more[i] = COUNT - i;
	qsort(more, COUNT, sizeof(int), compare);
	bool sorted = more[0] == 1 && more[COUNT - 1] == COUNT;
	free(more);
	if (!sorted || signal(SIGCONT, SIG_IGN) == SIG_ERR || raise(SIGCONT) != 0 ||
	    clock_gettime(CLOCK_REALTIME, &now) < 0 || nanosleep(&moment, NULL) < 0 ||
	    getrandom(&random, 1, 0) != 1 || getrlimit(RLIMIT_AS, &limit) < 0 ||
	    prctl(PR_SET_NAME, "breakout") < 0 || isatty(STDERR_FILENO) ||
	    !setlocale(LC_ALL, "C") || !localtime(&now.tv_sec) || sysconf(_SC_NPROCESSORS_ONLN) < 1)
		return errno ? errno : ENOSYS;
	return fprintf(stderr, "at work\n") < 0 || fflush(stderr) ? errno : 0;
}

/* ---- all of them ---- */

const struct attempt attempts[ATTEMPTS + 1] = {
	{"read_passwd", read_passwd},
	{"read_environ", read_environ},
	{"read_device", read_device},
	{"read_library", read_library},
	{"list_folder", list_folder},
	{"write_outside", write_outside},
	{"write_table", write_table},
	{"make_folder", make_folder},
	{"remove_file", remove_file},
	{"rename_file", rename_file},
	{"change_mode", change_mode},
	{"change_folder", change_folder},
	{"look_at_file", look_at_file},
	{"load_library", load_library},
	{"open_tcp", open_tcp},
	{"call_daemon", call_daemon},
	{"make_pair", make_pair},
	{"make_pipe", make_pipe},
	{"make_memfd", make_memfd},
	{"copy_descriptor", copy_descriptor},
	{"type_into_terminal", type_into_terminal},
	{"make_process", make_process},
	{"make_process_3", make_process_3},
	{"make_thread", make_thread},
	{"run_program", run_program},
	{"run_shell", run_shell},
	{"signal_parent", signal_parent},
	{"signal_parents_thread", signal_parents_thread},
	{"queue_signal", queue_signal},
	{"signal_by_socket", signal_by_socket},
	{"signal_by_ioctl", signal_by_ioctl},
	{"open_parent", open_parent},
	{"trace_parent", trace_parent},
	{"read_parent", read_parent},
	{"limit_parent", limit_parent},
	{"map_writable_code", map_writable_code},
	{"map_code", map_code},
	{"make_code", make_code},
	{"become_user", become_user},
	{"raise_limit", raise_limit},
	{"outlive_parent", outlive_parent},
	{"leave_namespace", leave_namespace},
	{"mount_folder", mount_folder},
	{"change_personality", change_personality},
	{"load_bpf", load_bpf},
	{"use_keys", use_keys},
	{"count_events", count_events},
	{"use_ring", use_ring},
	{"work", work},
};
