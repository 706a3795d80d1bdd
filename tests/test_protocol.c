/* SPDX-License-Identifier: MIT */
/*
 * The worked examples of doc/protocol.md and of the manual page, sent to a daemon: each line `->
 * request` is followed by `<- reply`, which must be what comes, but for what differs from run to
 * run.  In the page both may go on in lines that are indented.
 */
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

enum { LINE_MAX_BYTES = 64 * 1024, HANG_MS = 20000 };

static int channel = -1;
static pid_t daemon_pid;
static char ini[256];

static void write_ini(void)
{
	const char *build = getenv("top_builddir");
	snprintf(ini, sizeof(ini), "%s/tests/protocol-%d.ini", build, (int)getpid());
	FILE *file = fopen(ini, "w");
	assert_non_null(file);
	fprintf(file,
		"[daemon]\nplugin_dir = %s/plugins\ntable_dir = /dev/null/none\nworker = "
		"%s/puzzled-worker\n"
		"[puzzle:8puzzle]\nplugin = 8puzzle.so\n[puzzle:knights]\nplugin = knights.so\n"
		"[puzzle:slow]\nplugin = %s/tests/plugins/good.so\n",
		build, build, build);
	fclose(file);
}

static int start(void **state)
{
	int ends[2];
	char program[512];
	(void)state;
	write_ini();
	snprintf(program, sizeof(program), "%s/puzzled", getenv("top_builddir"));
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	daemon_pid = fork();
	if (daemon_pid == 0) {
		dup2(ends[1], 3);
		for (int fd = 4; fd < 64; fd++)
			close(fd);
		/* What its user has had built must not answer in place of a search. */
		setenv("XDG_CACHE_HOME", "/nonexistent", 1);
		execl(program, "puzzled", "--session-fd", "3", "--config", ini, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	channel = ends[0];
	return 0;
}

static int stop(void **state)
{
	int status = -1;
	(void)state;
	close(channel);
	waitpid(daemon_pid, &status, 0);
	unlink(ini);
	return status == 0 ? 0 : -1;
}

/* What may differ from run to run, or will with a better search; that it is there is compared all
 * the same. */
static int is_volatile(const char *name)
{
	static const char *const names[] = {"elapsed_us", "memory",   "expanded", "generated",
					    "pid",        "pids",     "version",  "text",
					    "latency_us", "tables",   "users",    "restarts",
					    "uptime_ms",  "answered", "failed",   "workers",
					    "busy",       "sessions", "ready",    "sandbox"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return 1;
	return 0;
}

static int alike(const json_t *want, const json_t *got)
{
	const char *name;
	json_t *value;
	size_t i;
	if (json_typeof(want) != json_typeof(got))
		return 0;
	if (json_is_array(want)) {
		if (json_array_size(want) != json_array_size(got))
			return 0;
		json_array_foreach (want, i, value)
			if (!alike(value, json_array_get(got, i)))
				return 0;
		return 1;
	}
	if (!json_is_object(want))
		return json_equal(want, got);
	if (json_object_size(want) != json_object_size(got))
		return 0;
	json_object_foreach ((json_t *)want, name, value) {
		const json_t *other = json_object_get(got, name);
		if (!other || (!is_volatile(name) && !alike(value, other)))
			return 0;
	}
	return 1;
}

static void ask(const char *request, char *reply)
{
	size_t len = 0;
	assert_int_equal(write(channel, request, strlen(request)), (ssize_t)strlen(request));
	do {
		struct pollfd at = {.fd = channel, .events = POLLIN};
		assert_int_equal(poll(&at, 1, HANG_MS), 1);
		ssize_t got = read(channel, reply + len, LINE_MAX_BYTES - 1 - len);
		assert_true(got > 0);
		len += (size_t)got;
	} while (reply[len - 1] != '\n');
	reply[len] = '\0';
}

/* The next line with those that go on with it, as one; false at the end of the file. */
static bool next_line(FILE *file, char line[LINE_MAX_BYTES], int *number)
{
	int next;
	if (!fgets(line, LINE_MAX_BYTES, file))
		return false;
	++*number;
	while (line[0] != '\n' && (next = getc(file)) != EOF) {
		ungetc(next, file);
		if (next != ' ')
			break;
		size_t len = strcspn(line, "\n");
		assert_non_null(fgets(line + len, (int)(LINE_MAX_BYTES - len), file));
		size_t indent = strspn(line + len, " ");
		memmove(line + len, line + len + indent, strlen(line + len + indent) + 1);
		++*number;
	}
	return true;
}

static void try_examples(const char *tree, const char *name, int least)
{
	static char line[LINE_MAX_BYTES], request[LINE_MAX_BYTES], reply[LINE_MAX_BYTES];
	char path[512];
	int examples = 0, wrong = 0, number = 0;
	snprintf(path, sizeof(path), "%s/%s", getenv(tree), name);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (next_line(file, line, &number)) {
		if (strncmp(line, "-> ", 3) == 0)
			strcpy(request, line + 3);
		if (strncmp(line, "<- ", 3) != 0)
			continue;
		ask(request, reply);
		json_t *want = json_loads(line + 3, 0, NULL), *got = json_loads(reply, 0, NULL);
		if (!want || !got || !alike(want, got)) {
			print_error("%s:%d\nthere %sbut is %s", name, number, line, reply);
			wrong++;
		}
		json_decref(want);
		json_decref(got);
		examples++;
	}
	fclose(file);
	assert_int_equal(wrong, 0);
	assert_true(examples >= least);
}

static void every_example_of_the_protocol_is_answered_as_written(void **state)
{
	(void)state;
	try_examples("top_srcdir", "doc/protocol.md", 20);
}

static void every_example_of_the_manual_page_is_answered_as_written(void **state)
{
	(void)state;
	try_examples("top_builddir", "man/puzzled-protocol.7", 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_example_of_the_protocol_is_answered_as_written),
		cmocka_unit_test(every_example_of_the_manual_page_is_answered_as_written),
	};
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, start, stop);
}
