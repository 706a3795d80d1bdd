/* SPDX-License-Identifier: MIT */
/*
 * puzzled-worker: serves one puzzle to the daemon that started it.
 *
 * Descriptor 3 is the channel to the daemon, 4 a page that the two share.  The first frame says
 * which plugin to load and how; the answer is HELLO, or REFUSED and the end.  Then jobs are run
 * until the daemon closes the channel.
 */
#include "config.h"

#include "worker/build.h"
#include "worker/channel.h"
#include "worker/host.h"
#include "worker/plain.h"
#include "worker/runner.h"
#include "worker/sandbox.h"
#include "worker/services.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLOSE_SECONDS = 2 }; /* that a plugin may take over its orderly end */

/* Large, and for the process's whole life. */
static struct wire_setup setup;
static struct channel channel;
static struct services services;
static struct host host;
static struct runner runner;
static struct sandbox sandbox;

static int complain(const char *what, int number)
{
	fprintf(stderr, "puzzled-worker: %s: %s\n", what, strerror(number));
	return EXIT_FAILURE;
}

/* As if nobody had ever touched them: what the daemon ignores or blocks is not the plugin's. */
static void reset_signals(void)
{
	sigset_t none;
	sigemptyset(&none);
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Whether descriptor 3 is what the daemon hands over. */
static bool is_channel(int fd)
{
	int type;
	socklen_t len = sizeof(type);
	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_STREAM;
}

/* The page shared with the daemon, or NULL.  Its descriptor is closed. */
static struct wire_page *map_page(void)
{
	void *page =
		mmap(NULL, WIRE_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_PAGE_FD, 0);
	int number = errno;
	close(WIRE_PAGE_FD);
	errno = number;
	return page == MAP_FAILED ? NULL : page;
}

static int refuse(struct text option, const struct error *error)
{
	char reason[sizeof(error->reason)];
	size_t len = plain_copy(reason, sizeof(reason), text_of(error->reason));
	const struct wire_refused refused = {option, {reason, len}};
	wire_put_refused(channel_frame(&channel), &refused);
	channel_sent(&channel, true);
	return EXIT_FAILURE;
}

/* A copy of the text as a string for free(), or NULL. */
static char *string_of(struct text text)
{
	return text.data ? strndup(text.data, text.len) : NULL;
}

/* Everything of the first frame that concerns the sandbox; then it is on.  0, or -1 and *error. */
static int confine(struct error *error)
{
	sandbox = (struct sandbox){
		.confine = setup.sandbox,
		.builder = setup.task != WIRE_SERVE,
		.memory = setup.memory,
		.plugin = string_of(setup.plugin),
		.tables = string_of(setup.table_dir),
	};
	if (!sandbox.plugin || (setup.table_dir.data && !sandbox.tables))
		return error_set(error, ERR_INTERNAL, "the worker has no memory to start");
	int rc = sandbox_before_load(&sandbox);
	return rc == 0 ? 0
		       : error_set(error, ERR_INTERNAL, "the worker cannot confine itself: %s",
				   strerror(-rc));
}

/* Makes the plugin ready and, where it is to serve, says HELLO.  0, or -1 with *ret_option and
 * *error for REFUSED. */
static int start(struct text *ret_option, struct error *error)
{
	int rc;
	if (setup.version != WIRE_VERSION)
		return error_set(
			error, ERR_INTERNAL,
			"the worker speaks version %d of the wire, the daemon %u: they are of "
			"different builds",
			WIRE_VERSION, setup.version);
	if (!setup.plugin.data || memchr(setup.plugin.data, '\0', setup.plugin.len))
		return error_set(error, ERR_INTERNAL, "the plugin's path is none");
	if (setup.task != WIRE_SERVE && build_prepare(&setup, error) < 0)
		return -1;
	if (confine(error) < 0 || host_load(&host, sandbox.plugin, error) < 0)
		return -1;
	host.confined = (sandbox.files ? WIRE_FILES_CONFINED : 0) |
			(sandbox.calls ? WIRE_CALLS_CONFINED : 0);
	services.plugin = host.plugin.name;
	services.table_dir = setup.table_dir;
	services.opening = true;
	shelf_fill(&services.shelf, setup.table_dir, host.plugin.name);
	if (host_open(&host, &setup, &services.host, ret_option, error) < 0)
		return -1;
	services.opening = false;
	if (setup.task != WIRE_SERVE)
		return 0;
	if ((rc = sandbox_after_open(&sandbox, 0)) < 0)
		return error_set(error, ERR_INTERNAL, "the worker cannot confine itself: %s",
				 strerror(-rc));
	return host_hello(&host, &setup, &services.host, channel_frame(&channel), ret_option,
			  error);
}

/*
 * Takes the first frame, which must be SETUP, and a copy of it that stays: the plugin may keep what
 * it is shown in `open`.  0; 1: the daemon has gone; or a negative errno.
 */
static int take_setup(void)
{
	struct frame frame;
	int rc = channel_next(&channel, &frame);
	if (rc <= 0)
		return rc < 0 ? rc : 1;
	if (frame.type != WIRE_SETUP)
		return -EPROTO;
	char *copy = malloc(frame.payload.len + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, frame.payload.data, frame.payload.len);
	return wire_get_setup((struct text){copy, frame.payload.len}, &setup);
}

/* Runs jobs until the daemon closes the channel. */
static int serve(void)
{
	struct frame frame;
	int rc;
	while ((rc = channel_next(&channel, &frame)) > 0) {
		rc = frame.type == WIRE_JOB ? runner_run(&runner, frame.payload) : -EPROTO;
		if (rc < 0)
			break;
	}
	channel_flush(&channel);
	if (rc < 0)
		return complain("the daemon's frames", -rc);
	/* A plugin that hangs in `close` must not outlive the daemon's interest in it. */
	alarm(CLOSE_SECONDS);
	host_close(&host);
	return EXIT_SUCCESS;
}

/* Makes or checks a table, and is done. */
static int build(void)
{
	struct error error;
	const char *name;
	if (build_run(&host, &setup, &services, &sandbox, &name, &error) < 0)
		return refuse((struct text){NULL, 0}, &error);
	wire_put_built(channel_frame(&channel), text_of(name));
	channel_sent(&channel, true);
	return EXIT_SUCCESS;
}

int main(void)
{
	struct text option = {NULL, 0};
	struct error error;
	struct wire_page *page;
	int rc;

	if (!is_channel(WIRE_FD)) {
		fputs("puzzled-worker is started by puzzled and has no use of its own\n", stderr);
		return 2;
	}
	reset_signals();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fcntl(WIRE_FD, F_SETFD, FD_CLOEXEC);
	page = map_page();
	if (!page)
		return complain("the shared page", errno);
	if ((rc = channel_init(&channel, WIRE_FD, page)) < 0)
		return complain("the channel", -rc);

	rc = take_setup();
	if (rc != 0)
		return rc < 0 ? complain("the daemon's first frame", -rc) : EXIT_SUCCESS;
	services_init(&services, &channel);
	if (start(&option, &error) < 0)
		return refuse(option, &error);
	if (setup.task != WIRE_SERVE)
		return build();
	channel_sent(&channel, true);
	runner_init(&runner, &host, &services, page);
	return serve();
}
