/* SPDX-License-Identifier: MIT */
/*
 * load: a load generator: clients that each keep a window of requests in flight on a socket, in one
 * thread, by poll.
 *
 * The requests are prepared lines, sent in a circle straight from where they stand; of a reply only
 * the first bytes are kept, to see that it is one and no error.  What is left is the kernel's part,
 * so that the generator's own cost can be told by having a null echo answer it.
 */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { LOAD_CLIENTS = 64 };

/* Requests, one a line.  The ids in a window must differ, so there are more lines than `window`. */
struct load_lines {
	char *text;
	size_t *starts; /* of each line, and behind the last: count + 1 of them */
	unsigned count;
};

struct load {
	const char *socket;
	const struct load_lines *lines;
	unsigned clients; /* at most LOAD_CLIENTS */
	unsigned window;  /* requests in flight of each client */
	unsigned total;   /* requests of all clients together */
	const char *want; /* the member that a good reply has behind its id: result */
};

struct load_outcome {
	double seconds;     /* from the first request to the last reply, connected before */
	double own_cpu;     /* seconds of processor time: of this program, */
	double server_cpu;  /* of the process at the other end, */
	double workers_cpu; /* and of its children */
	uint64_t bytes;     /* of replies */
};

/* Runs it to its end.  Whatever goes wrong ends the program with a sentence. */
void load_run(const struct load *load, struct load_outcome *ret);

/*
 * Has the process, its children and this program run on the first of this program's cores alone;
 * or, with `free`, on all of them again.
 */
void load_place(pid_t pid, bool free);

/* Connects; -1 if nobody listens. */
int load_connect(const char *socket);

/* The process at the other end of a connection. */
pid_t load_peer(int fd);

/* Processor time of a process, or of its children together, in seconds; 0 if that cannot be
 * read. */
double load_cpu(pid_t pid);
double load_cpu_of_children(pid_t pid);

/* Calls `each` for every child of a process. */
void load_each_child(pid_t pid, void (*each)(pid_t child, void *arg), void *arg);

#endif
