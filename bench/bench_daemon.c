/* SPDX-License-Identifier: MIT */
/*
 * bench_daemon ECHO DAEMON [SCENARIO]: what the daemon on one socket answers in a second, beside
 * the null echo on the other.  In each round the two are measured by turns over the same requests,
 * and who goes first changes, so that what else the machine does meets both.
 */
#include <config.h>

#include "bench/figure.h"
#include "bench/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum server { ECHO, DAEMON, SERVERS };

enum { LINES = 4096, MANY = 10000, MANY_LINES = 2 };

struct scenario {
	const char *key, *what;
	const char *puzzle;
	unsigned rounds, clients, window;
	unsigned total;  /* requests of a round */
	unsigned boards; /* of a request; 0: one, in "board" */
	/* Whether the server and all who take part with it are, by turns, on one core; else on
	 * those that the kernel chooses. */
	bool one_core[SERVERS];
};

static const struct scenario scenarios[] = {
	{"trip1",
	 "One request in flight, all on one core",
	 "8puzzle",
	 45,
	 1,
	 1,
	 1000,
	 0,
	 {true, true}},
	{"trip",
	 "One request in flight, on the cores that the kernel chooses; the echo on one",
	 "8puzzle",
	 45,
	 1,
	 1,
	 1000,
	 0,
	 {[ECHO] = true}},
	{"window16", "16 in flight", "8puzzle", 15, 1, 16, 20000, 0, {false}},
	{"window64", "64 in flight", "8puzzle", 15, 1, 64, 30000, 0, {false}},
	{"clients8", "8 clients, 8 in flight each", "8puzzle", 15, 8, 8, 20000, 0, {false}},
	{"boards", "8-puzzle, 10,000 boards a request", "8puzzle", 15, 1, 1, 8, MANY, {false}},
	{"knights", "Knights, 10,000 boards a request", "knights", 15, 1, 1, 4, MANY, {false}},
};

enum { SCENARIOS = sizeof(scenarios) / sizeof(scenarios[0]) };

static uint64_t seed = 1;

static unsigned below(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((seed >> 33) % n);
}

static void swap(char *a, char *b)
{
	char was = *a;
	*a = *b;
	*b = was;
}

/* A random board of the puzzle that can be solved: of the 8-puzzle, an even arrangement of its
 * tiles. */
static void make_board(const char *puzzle, char *board)
{
	unsigned odd = 0;
	strcpy(board, puzzle[0] == '8' ? "123456780" : "000000000000111111111111*");
	for (unsigned i = (unsigned)strlen(board) - 1; i > 0; i--)
		swap(&board[i], &board[below(i + 1)]);
	if (puzzle[0] != '8')
		return;
	for (unsigned i = 0; i < 9; i++)
		for (unsigned j = 0; j < i; j++)
			odd ^= board[j] > board[i] && board[i] != '0';
	if (odd)
		swap(board[0] == '0' ? &board[1] : &board[0],
		     board[2] == '0' ? &board[1] : &board[2]);
}

static void make_lines(const struct scenario *scenario, struct load_lines *ret)
{
	unsigned each = scenario->boards ? scenario->boards : 1;
	size_t cap;
	char board[32];
	ret->count = scenario->boards ? MANY_LINES : LINES;
	ret->starts = calloc(ret->count + 1, sizeof(ret->starts[0]));
	FILE *out = open_memstream(&ret->text, &cap);
	if (!ret->starts || !out)
		exit(1);
	for (unsigned i = 0; i < ret->count; i++) {
		fprintf(out,
			"{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"solve\",\"params\":{"
			"\"puzzle\":\"%s\",",
			i, scenario->puzzle);
		fputs(scenario->boards ? "\"boards\":[" : "\"board\":", out);
		for (unsigned j = 0; j < each; j++) {
			make_board(scenario->puzzle, board);
			fprintf(out, "%s\"%s\"", j ? "," : "", board);
		}
		fprintf(out, "%s}}\n", scenario->boards ? "]" : "");
		ret->starts[i + 1] = (size_t)ftell(out);
	}
	fclose(out);
}

/* What is measured of each server, in one scenario. */
struct measured {
	struct figure rate, trip, own, server, workers, cpu, bytes;
};

/*
 * A load generator of one server's own.  The scheduler would take a process that talks to both in
 * turn for one that has many to wake, and spread those whom it talks to over the cores.
 */
struct driver {
	pid_t pid;
	int line; /* a byte: go; back comes the outcome */
};

static _Noreturn void drive(const struct load *load, bool one_core, int line)
{
	struct load_outcome outcome;
	char go;
	int fd = load_connect(load->socket);
	if (fd < 0)
		_exit(1);
	load_place(load_peer(fd), !one_core);
	close(fd);
	while (read(line, &go, 1) == 1) {
		load_run(load, &outcome);
		if (write(line, &outcome, sizeof(outcome)) != sizeof(outcome))
			_exit(1);
	}
	_exit(0);
}

static void driver_start(struct driver *driver, const struct load *load, bool one_core)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0 ||
	    (driver->pid = fork()) < 0) {
		perror("bench_daemon");
		exit(1);
	}
	if (driver->pid == 0) {
		close(ends[0]);
		drive(load, one_core, ends[1]);
	}
	close(ends[1]);
	driver->line = ends[0];
}

static void driver_stop(struct driver *driver)
{
	shutdown(driver->line, SHUT_RDWR); /* the other driver has a copy of it */
	close(driver->line);
	waitpid(driver->pid, NULL, 0);
}

/* One round. */
static void measure(const struct driver *driver, double requests, double units,
		    struct measured *ret)
{
	struct load_outcome outcome;
	double answers = requests * units;
	if (write(driver->line, "", 1) != 1 ||
	    recv(driver->line, &outcome, sizeof(outcome), MSG_WAITALL) != sizeof(outcome))
		exit(1); /* and the driver has said why */
	figure_add(&ret->rate, answers / outcome.seconds);
	figure_add(&ret->trip, outcome.seconds / requests * 1e6);
	figure_add(&ret->own, outcome.own_cpu / answers * 1e6);
	figure_add(&ret->server, outcome.server_cpu / answers * 1e6);
	figure_add(&ret->workers, outcome.workers_cpu / answers * 1e6);
	figure_add(&ret->cpu,
		   (outcome.own_cpu + outcome.server_cpu + outcome.workers_cpu) / answers * 1e6);
	figure_add(&ret->bytes, (double)outcome.bytes / answers);
}

static void line(const struct figure *figure, const struct scenario *scenario, const char *key,
		 const char *unit, const char *what)
{
	char full[64];
	snprintf(full, sizeof(full), "%s.%s", scenario->key, key);
	figure_print(figure, full, unit, what);
}

static void report(const struct scenario *scenario, const struct measured *echo,
		   const struct measured *daemon, const struct figure *ratio,
		   const struct figure *cpu_ratio)
{
	const char *per = scenario->boards ? "us a board" : "us a request";
	figure_heading(scenario->what);
	if (scenario->window == 1 && !scenario->boards) {
		line(&daemon->trip, scenario, "daemon", "us", "round trip of a `solve`");
		line(&echo->trip, scenario, "echo", "us", "round trip to the null echo");
		line(ratio, scenario, "ratio", "times the echo's", "round trip");
		line(cpu_ratio, scenario, "cpu-ratio", "times the echo's",
		     "processor time of all who take part");
	} else if (!scenario->boards) {
		line(&daemon->rate, scenario, "daemon", "a second", "solved");
		line(&echo->rate, scenario, "echo", "a second", "lines of the null echo");
		line(ratio, scenario, "ratio", "times the echo's", "time of a request");
	} else {
		line(&daemon->rate, scenario, "daemon", "boards a second", "solved");
	}
	line(&daemon->server, scenario, "cpu", per, "processor time of the daemon");
	line(&daemon->workers, scenario, "workers", per, "processor time of the workers");
	line(&daemon->own, scenario, "own", per, "processor time of the load generator");
	if (!scenario->boards) {
		line(&echo->server, scenario, "echo-cpu", per, "processor time of the null echo");
		line(&echo->own, scenario, "echo-own", per,
		     "processor time of the load generator, at the null echo");
	}
	line(&daemon->bytes, scenario, "bytes", "bytes", "of an answer");
}

static void run(const struct scenario *scenario, const char *const sockets[SERVERS])
{
	static const char *const wants[SERVERS] = {"method", "result"};
	struct measured measured[SERVERS] = {0};
	struct figure ratio = {0}, cpu_ratio = {0};
	struct driver drivers[SERVERS];
	struct load_lines lines;
	make_lines(scenario, &lines);
	for (unsigned i = 0; i < SERVERS; i++) {
		const struct load load = {
			.socket = sockets[i],
			.lines = &lines,
			.clients = scenario->clients,
			.window = scenario->window,
			.total = scenario->total,
			.want = wants[i],
		};
		driver_start(&drivers[i], &load, scenario->one_core[i]);
	}
	for (unsigned round = 0; round <= scenario->rounds; round++) {
		for (unsigned i = 0; i < SERVERS; i++) {
			unsigned server = (i + round) % SERVERS;
			measure(&drivers[server], scenario->total,
				scenario->boards ? scenario->boards : 1, &measured[server]);
		}
		/* The first is to warm up. */
		if (round == 0) {
			memset(measured, 0, sizeof(measured));
			continue;
		}
		unsigned last = round - 1;
		figure_add(&ratio,
			   measured[DAEMON].trip.samples[last] / measured[ECHO].trip.samples[last]);
		figure_add(&cpu_ratio,
			   measured[DAEMON].cpu.samples[last] / measured[ECHO].cpu.samples[last]);
	}
	for (unsigned i = 0; i < SERVERS; i++)
		driver_stop(&drivers[i]);
	report(scenario, &measured[ECHO], &measured[DAEMON], &ratio, &cpu_ratio);
	free(lines.text);
	free(lines.starts);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: bench_daemon ECHO DAEMON [SCENARIO]\n", stderr);
		return 2;
	}
	const char *const sockets[SERVERS] = {[ECHO] = argv[1], [DAEMON] = argv[2]};
	for (unsigned i = 0; i < SCENARIOS; i++)
		if (argc == 3 || strcmp(argv[3], scenarios[i].key) == 0)
			run(&scenarios[i], sockets);
	return 0;
}
