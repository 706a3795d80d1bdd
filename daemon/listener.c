/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "daemon/listener.h"
#include "common/limits.h"
#include "common/log.h"
#include "daemon/server.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

enum { BACKLOG = 1024 };

struct listener {
	struct server *server;
	struct event comers; /* somebody waits to be accepted; added unless accepting is paused */
	struct event retry;  /* when descriptors have run out */
	int fd, lock;
	bool paused;
	struct log_bucket bucket;
	char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
	char lock_path[sizeof(((struct sockaddr_un *)0)->sun_path) + 8];
	dev_t device; /* of the socket's file, to know it again */
	ino_t inode;
};

/* ---- accepting ---- */

static void pause_accepting(struct listener *listener)
{
	if (!listener->paused)
		event_del(&listener->comers);
	listener->paused = true;
}

void listener_resume(struct listener *listener)
{
	if (listener->paused && listener->server->sessions_open < listener->server->sessions_max &&
	    !evtimer_pending(&listener->retry, NULL))
		listener->paused = event_add(&listener->comers, NULL) < 0;
}

static void on_retry(evutil_socket_t fd, short what, void *arg)
{
	struct listener *listener = arg;
	(void)fd, (void)what;
	listener_resume(listener);
}

static void accept_failed(struct listener *listener, int failure)
{
	static const struct timeval moment = {0, ACCEPT_RETRY_MS * 1000};
	if (failure == EAGAIN || failure == EINTR || failure == ECONNABORTED)
		return;
	if (log_allow(&listener->bucket))
		log_warning("accept_failed", KV_ERRNO(failure));
	/* The connection is still there to be accepted, so that trying again at once would spin. */
	pause_accepting(listener);
	evtimer_add(&listener->retry, &moment);
}

/* A few at a time: those who have gone meanwhile must give up their places before more are judged
 * by what is left. */
static void on_comers(evutil_socket_t listening, short what, void *arg)
{
	struct listener *listener = arg;
	struct server *server = listener->server;
	(void)what;
	for (int i = 0; i < LIMIT_ACCEPT_TURN && !listener->paused; i++) {
		int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0) {
			accept_failed(listener, errno);
			break;
		}
		int code = session_open(server, fd);
		if (code < 0 && log_allow(&listener->bucket))
			log_warning("session_refused", KV_ERRNO(-code));
		/* Who comes next waits in the kernel's queue until somebody goes. */
		if (server->sessions_open >= server->sessions_max) {
			if (log_allow(&listener->bucket))
				log_warning("sessions_full", KV("sessions", server->sessions_open));
			pause_accepting(listener);
		}
	}
	loop_settle(&server->loop);
}

/* ---- the file ---- */

/* The folder of the socket may not be there yet, as below /run after a boot; the one above it must
 * be. */
static int make_folder(const char *path, char *reason, size_t cap)
{
	char folder[sizeof(((struct sockaddr_un *)0)->sun_path)];
	snprintf(folder, sizeof(folder), "%s", path);
	char *slash = strrchr(folder, '/');
	if (!slash || slash == folder)
		return 0;
	*slash = '\0';
	if (access(folder, F_OK) == 0 || mkdir(folder, 0755) == 0 || errno == EEXIST)
		return 0;
	snprintf(reason, cap, "%s: the folder of the socket cannot be made: %s", folder,
		 strerror(errno));
	return -1;
}

static int take_lock(struct listener *listener, char *reason, size_t cap)
{
	snprintf(listener->lock_path, sizeof(listener->lock_path), "%s.lock", listener->path);
	for (int tries = 0; tries < 10; tries++) {
		struct stat ours, there;
		listener->lock =
			open(listener->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (listener->lock < 0) {
			snprintf(reason, cap, "%s: %s", listener->lock_path, strerror(errno));
			return -1;
		}
		if (flock(listener->lock, LOCK_EX | LOCK_NB) < 0) {
			/* It is not ours to remove. */
			close(listener->lock);
			listener->lock = -1;
			snprintf(reason, cap, "%s: another daemon serves this socket",
				 listener->path);
			return -1;
		}
		/* Whoever held it before may have removed the file between our open and our
		 * lock. */
		if (fstat(listener->lock, &ours) == 0 && stat(listener->lock_path, &there) == 0 &&
		    ours.st_ino == there.st_ino && ours.st_dev == there.st_dev)
			return 0;
		close(listener->lock);
		listener->lock = -1;
	}
	snprintf(reason, cap, "%s: cannot be locked", listener->lock_path);
	return -1;
}

/* Removes a socket file on which nobody listens; says why if there is something else. */
static int clear_path(const struct sockaddr_un *address, char *reason, size_t cap)
{
	struct stat there;
	if (lstat(address->sun_path, &there) < 0)
		return 0;
	if (!S_ISSOCK(there.st_mode)) {
		snprintf(reason, cap, "%s: there is something else than a socket",
			 address->sun_path);
		return -1;
	}
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int failure =
		connect(fd, (const struct sockaddr *)address, sizeof(*address)) < 0 ? errno : 0;
	close(fd);
	if (failure != ECONNREFUSED && failure != ENOENT) {
		snprintf(reason, cap, "%s: somebody listens on it", address->sun_path);
		return -1;
	}
	if (unlink(address->sun_path) < 0 && errno != ENOENT) {
		snprintf(reason, cap, "%s: cannot be removed: %s", address->sun_path,
			 strerror(errno));
		return -1;
	}
	log_notice("stale_socket_removed", KV("path", (const char *)address->sun_path));
	return 0;
}

/* Before anybody can connect: mode and group, whatever the umask. */
static int set_access(const struct listener *listener, const struct config *config, char *reason,
		      size_t cap)
{
	if (chmod(listener->path, (mode_t)config->socket_mode) < 0) {
		snprintf(reason, cap, "%s: chmod: %s", listener->path, strerror(errno));
		return -1;
	}
	if (config->socket_group[0]) {
		struct group *group = getgrnam(config->socket_group);
		if (!group) {
			snprintf(reason, cap, "there is no group \"%s\" for the socket",
				 config->socket_group);
			return -1;
		}
		if (chown(listener->path, (uid_t)-1, group->gr_gid) < 0) {
			snprintf(reason, cap, "%s: cannot be given to group %s: %s", listener->path,
				 config->socket_group, strerror(errno));
			return -1;
		}
	}
	return 0;
}

static int bind_path(struct listener *listener, const struct config *config, char *reason,
		     size_t cap)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct stat there;
	memcpy(address.sun_path, listener->path, sizeof(address.sun_path));
	if (make_folder(listener->path, reason, cap) < 0 || take_lock(listener, reason, cap) < 0 ||
	    clear_path(&address, reason, cap) < 0)
		return -1;
	listener->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mode_t mask = umask(0177);
	int code = listener->fd < 0
			   ? -1
			   : bind(listener->fd, (struct sockaddr *)&address, sizeof(address));
	int failure = errno;
	umask(mask);
	if (code < 0) {
		snprintf(reason, cap, "%s: %s", listener->path, strerror(failure));
		return -1;
	}
	if (lstat(listener->path, &there) == 0) {
		listener->device = there.st_dev;
		listener->inode = there.st_ino;
	}
	if (set_access(listener, config, reason, cap) < 0)
		return -1;
	if (listen(listener->fd, BACKLOG) < 0) {
		snprintf(reason, cap, "%s: listen: %s", listener->path, strerror(errno));
		return -1;
	}
	return 0;
}

/* The path is only for the log; whoever bound the socket knows where it is. */
static int adopt(struct listener *listener, int given, char *reason, size_t cap)
{
	struct sockaddr_un address = {0};
	socklen_t len = sizeof(address);
	listener->fd = given;
	if (evutil_make_socket_nonblocking(given) < 0 ||
	    getsockname(given, (struct sockaddr *)&address, &len) < 0) {
		snprintf(reason, cap, "the socket that was handed over: %s", strerror(errno));
		return -1;
	}
	if (!address.sun_path[0]) {
		snprintf(reason, cap,
			 "the socket that was handed over is abstract, and so open to everybody; "
			 "give it a path");
		return -1;
	}
	snprintf(listener->path, sizeof(listener->path), "%.*s", (int)sizeof(address.sun_path) - 1,
		 address.sun_path);
	return 0;
}

struct listener *listener_open(struct server *server, int given, char *reason, size_t cap)
{
	struct listener *listener = calloc(1, sizeof(*listener));
	if (!listener) {
		snprintf(reason, cap, "out of memory");
		return NULL;
	}
	listener->server = server;
	listener->fd = listener->lock = -1;
	listener->bucket = (struct log_bucket)LOG_BUCKET("listener", 5);
	/* The configuration's reader has seen to it that the path fits. */
	snprintf(listener->path, sizeof(listener->path), "%s", server->config->socket);
	evtimer_assign(&listener->comers, server->loop.base, on_retry, listener);
	evtimer_assign(&listener->retry, server->loop.base, on_retry, listener);
	if ((given >= 0 ? adopt(listener, given, reason, cap)
			: bind_path(listener, server->config, reason, cap)) < 0)
		goto failed;
	event_assign(&listener->comers, server->loop.base, listener->fd, EV_READ | EV_PERSIST,
		     on_comers, listener);
	if (event_add(&listener->comers, NULL) < 0) {
		snprintf(reason, cap, "out of memory");
		goto failed;
	}
	return listener;
failed:
	listener_close(listener);
	return NULL;
}

static void remove_file(struct listener *listener)
{
	struct stat there;
	if (listener->inode && lstat(listener->path, &there) == 0 &&
	    there.st_ino == listener->inode && there.st_dev == listener->device)
		unlink(listener->path);
}

void listener_drain(struct listener *listener)
{
	if (!listener->inode)
		return; /* a given socket is shared with whoever serves it next */
	remove_file(listener);
	shutdown(listener->fd, SHUT_RD);
	for (;;) {
		int fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC);
		if (fd >= 0)
			session_open(listener->server, fd);
		else if (errno != EINTR && errno != ECONNABORTED)
			break;
	}
}

const char *listener_path(const struct listener *listener)
{
	return listener->path;
}

void listener_close(struct listener *listener)
{
	if (!listener)
		return;
	event_del(&listener->comers);
	event_del(&listener->retry);
	/* The file goes first, so that nobody new comes. */
	remove_file(listener);
	if (listener->fd >= 0)
		close(listener->fd);
	if (listener->lock >= 0) {
		unlink(listener->lock_path);
		close(listener->lock);
	}
	free(listener);
}
