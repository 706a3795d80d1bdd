/* SPDX-License-Identifier: MIT */
#include "client/client.h"

#include "client/local.h"
#include "client/print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LATE_MS = 10 * 1000 }; /* how much later than its timeout a daemon may answer */

int64_t client_deadline(struct number timeout)
{
	return timeout.given ? conn_clock_ms() + timeout.value + LATE_MS : -1;
}

/* Takes a connection, which may be NULL for lack of memory, into use. */
static int adopt(struct client *client, struct conn *conn, struct fault *fault)
{
	client->channel = conn ? channel_new(conn) : NULL;
	return client->channel ? 0 : fault_memory(fault);
}

static int connect_local(struct client *client, struct fault *fault)
{
	int fd;
	if (local_start(&client->local_daemon, &fd, client->verbose, fault) < 0)
		return -1;
	return adopt(client, conn_new(fd), fault);
}

static int connect_to(struct client *client, const char *path, struct fault *fault)
{
	struct conn *conn;
	int failed = conn_connect(&conn, path, fault);
	return failed < 0 ? failed : adopt(client, conn, fault);
}

static bool nobody_listens(int failed)
{
	return failed == -ENOENT || failed == -ECONNREFUSED;
}

/* The user's own daemon's socket, if there is such a file. */
static bool user_socket(char *path, size_t size)
{
	const char *folder = getenv("XDG_RUNTIME_DIR");
	if (!folder || folder[0] != '/')
		return false;
	int len = snprintf(path, size, "%s/puzzled/puzzled.sock", folder);
	return len > 0 && (size_t)len < size && access(path, F_OK) == 0;
}

/* Nobody said where: the user's socket, then the system's, then a daemon of our own. */
static int connect_somewhere(struct client *client, struct fault *fault)
{
	char path[108];
	int failed = -ENOENT;
	if (user_socket(path, sizeof(path)))
		failed = connect_to(client, path, fault);
	if (nobody_listens(failed))
		failed = connect_to(client, PZ_RUN_DIR "/puzzled.sock", fault);
	if (!nobody_listens(failed))
		return failed < 0 ? -1 : 0;
	if (client->daemon_only)
		return fault_set(fault, EXIT_PROTOCOL,
				 "no daemon runs (nobody listens on " PZ_RUN_DIR "/puzzled.sock); "
				 "--socket PATH names another one");
	if (client->verbose)
		print_complaint("nobody listens: starting a private daemon");
	return connect_local(client, fault);
}

int client_connect(struct client *client, struct fault *fault)
{
	if (client->channel)
		return 0;
	if (client->local && client->socket)
		return fault_set(fault, EXIT_USAGE, "--local and --socket exclude each other");
	if (client->local)
		return connect_local(client, fault);
	const char *path = client->socket ? client->socket : getenv("PUZZLED_SOCKET");
	if (client->socket || (path && *path))
		return connect_to(client, path, fault) < 0 ? -1 : 0;
	return connect_somewhere(client, fault);
}

int client_call(struct client *client, const char *method, json_t *params, int64_t deadline,
		struct reply *ret, struct fault *fault)
{
	*ret = (struct reply){0};
	if (client_connect(client, fault) < 0) {
		json_decref(params);
		return -1;
	}
	int64_t id = channel_send(client->channel, method, params, fault);
	if (id < 0 || channel_wait(client->channel, id, deadline, ret, fault) < 0)
		return -1;
	return ret->error ? fault_of_error(fault, ret->error) : 0;
}

void client_close(struct client *client, bool failed)
{
	channel_free(client->channel);
	client->channel = NULL;
	local_end(client->local_daemon, failed);
	client->local_daemon = NULL;
}
