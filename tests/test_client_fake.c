/* SPDX-License-Identifier: MIT */
#include "tests/test_client_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGS_MAX = 32, PATIENCE = 20 /* seconds after which a test that hangs is ended */ };

/* In the child, what fails ends it: its exit status tells the test. */
static void demand(int holds, const char *what, const char *detail)
{
	if (holds)
		return;
	fprintf(stderr, "# fake daemon: %s: %s\n", what, detail ? detail : "");
	_exit(1);
}

static json_t *answer(const char *board, bool in_company)
{
	size_t len = strlen(board);
	json_t *moves = json_array();
	switch (board[0] == 'c' && in_company ? 't' : board[0]) {
	case 'u':
		json_decref(moves);
		return json_pack("{s:s, s:s}", "puzzle", "p", "status", "unsolvable");
	case 'l':
		json_decref(moves);
		return json_pack("{s:s, s:s, s:i}", "puzzle", "p", "status", "limit", "lower_bound",
				 16);
	case 'e':
		json_decref(moves);
		return json_pack("{s:{s:i, s:s, s:{s:s, s:i}}}", "error", "code", -32001, "message",
				 "cell 3 is bad\033[2J", "data", "kind", "invalid_board",
				 "position", 3);
	case 't':
		json_decref(moves);
		return json_pack("{s:{s:i, s:s, s:{s:s}}}", "error", "code", -32003, "message",
				 "the deadline passed", "data", "kind", "timeout");
	}
	for (size_t i = 0; i < len; i++)
		if (board[i] != '0')
			json_array_append_new(moves, json_string("a"));
	json_int_t length = (json_int_t)json_array_size(moves);
	return json_pack("{s:s, s:s, s:I, s:I, s:o, s:s, s:{s:s, s:i, s:i, s:i}}", "puzzle", "p",
			 "status", "solved", "length", length, "cost", length, "moves", moves,
			 "final", "000", "stats", "algorithm", "ida", "expanded", 5, "generated", 9,
			 "elapsed_us", 1500);
}

static void solve(FILE *in, FILE *out)
{
	char *line = NULL;
	size_t size = 0;
	while (getline(&line, &size, in) > 0) {
		demand(strlen(line) <= 1024 * 1024, "a line of more than 1 MiB", NULL);
		json_t *request = json_loads(line, 0, NULL);
		json_t *params = json_object_get(request, "params");
		json_t *boards = json_object_get(params, "boards");
		json_t *reply = json_pack("{s:s, s:O}", "jsonrpc", "2.0", "id",
					  json_object_get(request, "id"));
		json_t *result;
		if (boards) {
			size_t i;
			json_t *board;
			result = json_array();
			demand(json_array_size(boards) <= 1000, "too many boards", NULL);
			json_array_foreach (boards, i, board)
				json_array_append_new(result, answer(json_string_value(board),
								     json_array_size(boards) > 1));
		} else {
			result = answer(json_string_value(json_object_get(params, "board")), false);
		}
		if (json_object_get(result, "error"))
			json_object_update(reply, result);
		else
			json_object_set(reply, "result", result);
		char *text = json_dumps(reply, JSON_COMPACT);
		demand(text && fprintf(out, "%s\n", text) > 0 && fflush(out) == 0, "write", NULL);
		free(text);
		json_decref(result);
		json_decref(reply);
		json_decref(request);
	}
	free(line);
}

static void play(int fd, const struct fake_step *step)
{
	/* Two streams: one that had read ahead could not write. */
	FILE *in = fdopen(fd, "r"), *out = fdopen(dup(fd), "w");
	char *line = NULL;
	size_t size = 0;
	for (; step->act != FAKE_END; step++) {
		switch (step->act) {
		case FAKE_READ:
			demand(getline(&line, &size, in) > 0, "no line", step->text);
			demand(strstr(line, step->text) != NULL, step->text, line);
			break;
		case FAKE_SEND:
			fprintf(out, "%s\n", step->text);
			break;
		case FAKE_PART:
			fputs(step->text, out);
			break;
		case FAKE_DRIP:
			for (const char *c = step->text; *c; c++) {
				putc(*c, out);
				fflush(out);
			}
			putc('\n', out);
			break;
		case FAKE_EOF:
			demand(getline(&line, &size, in) < 0, "a line, and not the end", line);
			break;
		case FAKE_SOLVE:
			solve(in, out);
			break;
		case FAKE_END:
			break;
		}
		fflush(out);
	}
	fclose(in);
	fclose(out);
	free(line);
	_exit(0);
}

void fake_pair(struct fake *ret, const struct fake_step *script)
{
	*ret = (struct fake){0};
	int pair[2];
	assert_return_code(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	fflush(NULL);
	ret->pid = fork();
	assert_return_code(ret->pid, 0);
	if (ret->pid == 0) {
		alarm(PATIENCE);
		close(pair[0]);
		play(pair[1], script);
	}
	close(pair[1]);
	ret->fd = pair[0];
}

void fake_listen(struct fake *ret, const struct fake_step *script)
{
	*ret = (struct fake){.fd = -1};
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	strcpy(ret->folder, "/tmp/puzzlectl-test-XXXXXX");
	assert_non_null(mkdtemp(ret->folder));
	snprintf(ret->socket, sizeof(ret->socket), "%s/s", ret->folder);
	strcpy(address.sun_path, ret->socket);
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_return_code(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_return_code(listen(listener, 4), 0);
	setenv("PUZZLED_SOCKET", ret->socket, 1);
	fflush(NULL);
	ret->pid = fork();
	assert_return_code(ret->pid, 0);
	if (ret->pid == 0) {
		alarm(PATIENCE);
		play(accept(listener, NULL, NULL), script);
	}
	close(listener);
}

void fake_end(struct fake *fake)
{
	int status;
	assert_int_equal(waitpid(fake->pid, &status, 0), fake->pid);
	if (fake->folder[0]) {
		unlink(fake->socket);
		rmdir(fake->folder);
		unsetenv("PUZZLED_SOCKET");
	}
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* The content of a file that another process has written; NUL-ended. */
static void read_back(FILE *file, char *ret, size_t size)
{
	rewind(file);
	size_t len = fread(ret, 1, size - 1, file);
	ret[len] = '\0';
	assert_true(feof(file));
	fclose(file);
}

void run_puzzlectl(struct run *ret, const char *input, const char *const *args)
{
	char *argv[ARGS_MAX + 2] = {(char *)"puzzlectl"};
	for (size_t i = 0; args[i]; i++) {
		assert_true(i < ARGS_MAX);
		argv[i + 1] = (char *)args[i];
	}
	FILE *in = tmpfile(), *out = tmpfile(), *err = tmpfile();
	assert_true(in && out && err);
	fputs(input, in);
	rewind(in);
	fflush(NULL);
	pid_t pid = fork();
	assert_return_code(pid, 0);
	if (pid == 0) {
		alarm(PATIENCE);
		dup2(fileno(in), 0);
		dup2(fileno(out), 1);
		dup2(fileno(err), 2);
		execv(PUZZLECTL, argv);
		_exit(127);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	ret->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	fclose(in);
	read_back(out, ret->out, sizeof(ret->out));
	read_back(err, ret->err, sizeof(ret->err));
}
