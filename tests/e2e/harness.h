/* SPDX-License-Identifier: MIT */
/*
 * harness: a daemon of the build tree in a folder of its own, and clients that talk to it, for
 * tests.
 *
 * Whatever hangs fails the test that is running: no wait is longer than HANG_MS, which is no bound
 * that anything is held to.  A test begins with site_open in its setup and ends with site_close in
 * its teardown, which ends what is left and, where the daemon was not stopped in good order, prints
 * its log.
 */
#ifndef TESTS_E2E_HARNESS_H
#define TESTS_E2E_HARNESS_H

#include "tests/cmocka_first.h"

#include "common/buf.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { HANG_MS = 60 * 1000, SITE_PATH = 128 };

/* ---- the daemon ---- */

struct site {
	char folder[SITE_PATH - 32];
	char ini[SITE_PATH];
	char socket[SITE_PATH];
	char log[SITE_PATH];  /* what it prints on its standard error */
	pid_t pid;            /* of the daemon, which leads a process group; 0: none */
	uint64_t descriptors; /* RLIMIT_NOFILE for it; 0: as it comes */
	uint64_t memory;      /* RLIMIT_AS */
	uint64_t file_size;   /* RLIMIT_FSIZE */
};

/* A folder, and nothing in it yet.  For cmocka: *state becomes the one site of the program. */
int site_open(void **state);
int site_close(void **state);

/*
 * Writes the configuration: [daemon] with the paths of the build tree and the socket in the folder,
 * then `more`, which goes on in [daemon].  In it, @ stands for the build tree.
 */
void site_configure(struct site *site, const char *more);

/* Starts it and waits until it accepts connections. */
void site_start(struct site *site);

/* site_configure and site_start. */
void site_run(struct site *site, const char *more);

/* Starts the daemon's program with these arguments, the last of them NULL, and does not wait for
 * anything. */
void site_spawn(struct site *site, const char *const arguments[]);

/* Waits for its end; returns its wait status.  Fails if any process of its group is left. */
int site_wait(struct site *site);

/* Sends SIGTERM, and expects an orderly end that leaves neither socket nor lock behind. */
void site_stop(struct site *site);

/* Runs the daemon's program to its end; its wait status, and what it printed on standard error in
 * `output`. */
int site_check(struct site *site, char *output, size_t cap, const char *const arguments[]);

/* ---- what /proc tells ---- */

unsigned site_descriptors(const struct site *site);
long site_rss_kib(const struct site *site);
long site_cpu_ticks(const struct site *site);

/* How many lines of its log have the word in them. */
unsigned site_logged(const struct site *site, const char *word);

/* ---- a client ---- */

struct client {
	int fd;
	struct buf in;
};

void client_open(struct client *client, const struct site *site);
void client_close(struct client *client);

/* Sends all of it; the string is sent as it is, a line needs its newline. */
void client_send(struct client *client, const char *string);
void client_send_bytes(struct client *client, const void *bytes, size_t len);
__attribute__((format(printf, 2, 3))) void client_sendf(struct client *client, const char *format,
							...);

/* The next line that is no progress notification, as JSON.  Fails at the end of the connection. */
json_t *client_next(struct client *client);

/* The same, of any kind. */
json_t *client_next_any(struct client *client);

/* That nothing more comes, but the end. */
void client_expect_end(struct client *client);

/* Sends one request, whose id is 1, and returns the reply to it. */
__attribute__((format(printf, 2, 3))) json_t *client_ask(struct client *client, const char *format,
							 ...);

/* Sends a request with the id that is given to it, and does not wait. */
void client_solve(struct client *client, int id, const char *puzzle, const char *board);

/* The same, and waits until a worker tells that it is at it. */
void client_begin(struct client *client, int id, const char *puzzle, const char *board);

/* Asks for the status of a puzzle; a reference of its own. */
json_t *client_status(struct client *client, const char *puzzle);

/* Waits until a number in the status of the puzzle is this. */
void client_await(struct client *client, const char *puzzle, const char *name, long number);

/* ---- what is said of replies; these take the reply and free it ---- */

/* A reply to the request with this number, solved in so many moves. */
void assert_solved(json_t *reply, int id, long length);

/* A reply to the request with this number (0: null), with an error of this kind whose message has
 * `part` in it. */
void assert_error(json_t *reply, int id, const char *kind, const char *part);

/* A result that has this member with this value. */
void assert_member(json_t *reply, int id, const char *name, const char *value);

/* The number at a path such as "result/status", for what is not freed. */
long number_at(const json_t *json, const char *path);

/* ---- waiting ---- */

int64_t now_ms(void);
void nap_ms(long ms);

/* Gives up the test with a sentence if `since` was HANG_MS ago; else waits for a moment. */
void be_patient(int64_t since, const char *what);

#endif
