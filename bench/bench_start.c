/* SPDX-License-Identifier: MIT */
/*
 * bench_start PUZZLED CONFIG SOCKET: from the daemon's start to its first answer, what it and its
 * workers hold in memory, what they do while idle, and how long it takes to build the knights'
 * table.
 *
 * The configuration has the puzzles 8puzzle and knights, and says build_tables = no.
 */
#include <config.h>

#include "bench/figure.h"
#include "bench/load.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 21, TRY_US = 100, IDLE_SECONDS = 3 };

static const char solve_eight[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":"
				  "{\"puzzle\":\"8puzzle\",\"board\":\"867254301\"}}\n";
static const char solve_knights[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":"
	"{\"puzzle\":\"knights\",\"board\":\"10110/01*11/10111/01001/00000\"}}\n";
static const char build[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"build_table\",\"params\":"
			    "{\"puzzle\":\"knights\"}}\n";

static _Noreturn void give_up(const char *what)
{
	fprintf(stderr, "bench_start: %s\n", what);
	exit(1);
}

static void pause_us(long us)
{
	nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

/* What the daemon logs is kept: it says what went wrong. */
static pid_t start(const char *program, const char *config)
{
	pid_t pid = fork();
	if (pid < 0)
		give_up("cannot fork");
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	execl(program, program, "--config", config, (char *)NULL);
	_exit(127);
}

static int connect_soon(const char *socket, pid_t pid)
{
	int fd;
	while ((fd = load_connect(socket)) < 0) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			give_up("the daemon has ended before it listened");
		pause_us(TRY_US);
	}
	return fd;
}

/* Sends one request and waits for its reply, which must be a result. */
static void ask(int fd, const char *request)
{
	char reply[4096];
	size_t len = 0;
	if (send(fd, request, strlen(request), MSG_NOSIGNAL) < 0)
		give_up("the daemon has gone");
	while (len == 0 || reply[len - 1] != '\n') {
		ssize_t got = recv(fd, reply + len, sizeof(reply) - 1 - len, 0);
		if (got <= 0)
			give_up("the daemon has hung up");
		len += (size_t)got;
	}
	reply[len] = '\0';
	if (!strstr(reply, "\"result\":"))
		give_up(reply);
}

static void stop(pid_t pid, int fd)
{
	int status;
	close(fd);
	kill(pid, SIGTERM);
	if (waitpid(pid, &status, 0) != pid || status != 0)
		give_up("the daemon did not end well");
}

/* ---- memory ---- */

/* A number of kilobytes that /proc tells of a process, as MiB; 0 if it does not. */
static double mebibytes(pid_t pid, const char *file, const char *name)
{
	char path[64], line[256];
	double kilobytes = 0;
	size_t len = strlen(name);
	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	FILE *in = fopen(path, "re");
	while (in && fgets(line, sizeof(line), in))
		if (strncmp(line, name, len) == 0 && line[len] == ':')
			kilobytes = strtod(line + len + 1, NULL);
	if (in)
		fclose(in);
	return kilobytes / 1024;
}

static void print_memory(pid_t pid, const char *key, const char *who)
{
	char full[64], what[128];
	snprintf(full, sizeof(full), "memory.%s", key);
	snprintf(what, sizeof(what), "resident, %s", who);
	figure_print_one(mebibytes(pid, "status", "VmRSS"), full, "MiB", what);
	snprintf(full, sizeof(full), "memory.%s.own", key);
	snprintf(what, sizeof(what), "of that, its own alone (no file, no library)");
	figure_print_one(mebibytes(pid, "smaps_rollup", "Private_Dirty"), full, "MiB", what);
}

/* A worker's command line is its program and its puzzle. */
static void print_worker(pid_t pid, void *arg)
{
	char path[64], line[256] = "", who[300];
	(void)arg;
	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	FILE *in = fopen(path, "re");
	size_t len = in ? fread(line, 1, sizeof(line) - 1, in) : 0;
	if (in)
		fclose(in);
	const char *puzzle = len ? line + strlen(line) + 1 : "";
	snprintf(who, sizeof(who), "a worker of %s", puzzle);
	print_memory(pid, puzzle, who);
}

/* ---- idle ---- */

static uint64_t switches(pid_t pid)
{
	char path[64], line[256];
	unsigned long long sum = 0, number;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *in = fopen(path, "re");
	while (in && fgets(line, sizeof(line), in))
		if (strstr(line, "ctxt_switches:") &&
		    sscanf(strchr(line, ':'), ": %llu", &number) == 1)
			sum += number;
	if (in)
		fclose(in);
	return sum;
}

static void add_switches(pid_t pid, void *arg)
{
	uint64_t *sum = arg;
	*sum += switches(pid);
}

static void print_idle(pid_t pid)
{
	uint64_t before = switches(pid), after;
	load_each_child(pid, add_switches, &before);
	double cpu = load_cpu(pid) + load_cpu_of_children(pid);
	pause_us(IDLE_SECONDS * 1000000L);
	cpu = load_cpu(pid) + load_cpu_of_children(pid) - cpu;
	after = switches(pid);
	load_each_child(pid, add_switches, &after);
	figure_print_one(cpu * 1e6 / IDLE_SECONDS, "idle.cpu", "us a second",
			 "processor time of the daemon and all workers while idle");
	figure_print_one((double)(after - before) / IDLE_SECONDS, "idle.wakes", "a second",
			 "times that any of them is woken while idle");
}

/* ---- all of it ---- */

int main(int argc, char **argv)
{
	struct figure listening = {0}, answered = {0}, knights = {0};
	if (argc != 4) {
		fputs("usage: bench_start PUZZLED CONFIG SOCKET\n", stderr);
		return 2;
	}
	figure_heading("Start, memory, idleness");
	for (unsigned round = 0;; round++) {
		uint64_t began = figure_now_ns();
		pid_t pid = start(argv[1], argv[2]);
		int fd = connect_soon(argv[3], pid);
		figure_add(&listening, (double)(figure_now_ns() - began) * 1e-6);
		ask(fd, solve_eight);
		figure_add(&answered, (double)(figure_now_ns() - began) * 1e-6);
		ask(fd, solve_knights);
		figure_add(&knights, (double)(figure_now_ns() - began) * 1e-6);
		if (round < ROUNDS - 1) {
			stop(pid, fd);
			continue;
		}
		figure_print(&listening, "start.listening", "ms",
			     "from the daemon's start until it accepts a connection");
		figure_print(&answered, "start.answered", "ms",
			     "until the hardest 8-puzzle is answered");
		figure_print(&knights, "start.knights", "ms",
			     "until a board of knights is answered too, by search");
		print_memory(pid, "daemon", "the daemon");
		load_each_child(pid, print_worker, NULL);
		print_idle(pid);
		uint64_t asked = figure_now_ns();
		ask(fd, build);
		figure_print_one((double)(figure_now_ns() - asked) * 1e-9, "table.daemon", "s",
				 "the knights' table, from `build_table` until it serves");
		ask(fd, solve_knights);
		stop(pid, fd);
		return 0;
	}
}
