/* SPDX-License-Identifier: MIT */
/*
 * A daemon that reads from a script, in a forked process, for the tests of the client; and a run of
 * puzzlectl with its output kept.
 */
#ifndef TESTS_TEST_CLIENT_FAKE_H
#define TESTS_TEST_CLIENT_FAKE_H

#include <stddef.h>
#include <sys/types.h>

enum fake_act {
	FAKE_END = 0, /* of the script: the connection is closed */
	FAKE_READ,    /* a line, which must contain `text` */
	FAKE_SEND,    /* `text` and a newline, at once */
	FAKE_DRIP,    /* the same, byte by byte */
	FAKE_PART,    /* `text` without a newline */
	FAKE_EOF,     /* the client must have closed */
	FAKE_SOLVE,   /* answers `solve` until the client closes, see below */
};

/*
 * FAKE_SOLVE: a board is solved in as many moves `a` as it has cells other than `0`; but "u..." is
 * unsolvable, "l..." is past the limit with lower bound 16, "e..." is an invalid board at position
 * 3, "t..." times out; "c..." does so in a request of several boards.
 */
struct fake_step {
	enum fake_act act;
	const char *text;
};

struct fake {
	pid_t pid;
	int fd;          /* fake_pair: the client's end */
	char folder[64]; /* fake_listen */
	char socket[96];
};

/* A daemon on the other end of a socketpair. */
void fake_pair(struct fake *ret, const struct fake_step *script);

/* A daemon on a socket in a folder of its own, for one connection; PUZZLED_SOCKET is set to it. */
void fake_listen(struct fake *ret, const struct fake_step *script);

/* Waits for its end; fails the test when the script did not hold. */
void fake_end(struct fake *fake);

struct run {
	int status; /* exit status; 128 + signal if it was killed */
	char out[256 * 1024], err[16 * 1024];
};

/* Runs puzzlectl with the words of `args` (ended by NULL) and `input`; keeps all in *ret. */
void run_puzzlectl(struct run *ret, const char *input, const char *const *args);

#define RUN(ret, input, ...) run_puzzlectl(ret, input, (const char *const[]){__VA_ARGS__, NULL})

/* For tests, which have a `struct run run`. */
#define ASSERT_HAS(text, part)                                                                     \
	do {                                                                                       \
		if (!strstr(text, part))                                                           \
			fail_msg("no '%s' in: %s", part, text);                                    \
	} while (0)

/* Runs puzzlectl against a daemon with that script, in a new connection. */
#define WITH(script, input, ...)                                                                   \
	do {                                                                                       \
		struct fake fake;                                                                  \
		fake_listen(&fake, script);                                                        \
		RUN(&run, input, __VA_ARGS__);                                                     \
		fake_end(&fake);                                                                   \
	} while (0)

#endif
