/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/build.h"

#include "worker/sandbox.h"
#include "worker/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	NICE = 19,               /* whoever solves comes first */
	LOCK_LOOK_NS = 50000000, /* between two tries for the lock */
	LOCK_SUFFIX = 8          /* bytes of ".lock" and ".tmp", more than enough */
};

/* The table at work and where it is. */
struct build {
	struct pz_table table;
	struct table_key key;
	char path[TABLE_PATH_MAX];
	char folder[TABLE_PATH_MAX];
	int lock; /* descriptor; -1: none */
};

static int find_table(struct host *host, const struct wire_setup *setup, struct build *build,
		      struct error *error)
{
	struct pz_table tables[WIRE_LIST_MAX];
	bool ready[WIRE_LIST_MAX];
	if (!host->plugin.tables || !host->plugin.build_table)
		return error_set(error, ERR_INVALID_PARAMS, "this puzzle has no tables");
	size_t count = host->plugin.tables(host->self, tables, ready, WIRE_LIST_MAX);
	for (size_t i = 0; i < count && i < WIRE_LIST_MAX; i++) {
		if (!table_is_name(tables[i].name) ||
		    (setup->table.len && !text_is(setup->table, tables[i].name)))
			continue;
		build->table = tables[i];
		build->key = (struct table_key){host->plugin.name, tables[i].name,
						tables[i].version, tables[i].bytes};
		return 0;
	}
	return error_set(error, ERR_INVALID_PARAMS, "this puzzle has no table \"%.*s\"",
			 (int)setup->table.len, setup->table.data ? setup->table.data : "");
}

/*
 * One builder at a time for one table, in whatever daemon: the others wait, and find it done.  The lock is on a file
 * of its own that stays, since one that is removed could be locked by two.
 */
static int take_lock(struct build *build, struct services *services, struct error *error)
{
	static const struct timespec pause = {0, LOCK_LOOK_NS};
	char path[TABLE_PATH_MAX + LOCK_SUFFIX];
	snprintf(path, sizeof(path), "%s.lock", build->path);
	build->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (build->lock < 0)
		return error_set(error, ERR_INTERNAL, "%s: %s", path, strerror(errno));
	while (flock(build->lock, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return error_set(error, ERR_INTERNAL, "%s: %s", path, strerror(errno));
		if (services->host.poll(&services->host, 0, 0))
			return error_set(error, ERR_CANCELLED, "it was cancelled");
		nanosleep(&pause, NULL);
	}
	return 0;
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t put = write(fd, data, len);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put < 0 ? -errno : -EIO;
		data += put;
		len -= (size_t)put;
	}
	return 0;
}

/* Header and content under a name that nobody reads, then on the disk, then renamed: whole or not at all. */
static int write_file(const struct build *build, const void *content)
{
	struct table_header header = {
		.magic = TABLE_MAGIC,
		.format = TABLE_FORMAT,
		.version = build->key.version,
		.size = build->key.size,
		.checksum = table_checksum(content, build->key.size),
	};
	char page[TABLE_HEADER] = {0};
	char path[TABLE_PATH_MAX + LOCK_SUFFIX];
	snprintf(path, sizeof(path), "%s.tmp", build->path);
	snprintf(header.plugin, sizeof(header.plugin), "%s", build->key.plugin);
	snprintf(header.name, sizeof(header.name), "%s", build->key.name);
	memcpy(page, &header, sizeof(header));
	/* One left by a builder that was killed is nobody's: the lock is ours. */
	unlink(path);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return -errno;
	int rc = write_all(fd, page, sizeof(page));
	if (rc == 0)
		rc = write_all(fd, content, build->key.size);
	if (rc == 0 && fsync(fd) < 0)
		rc = -errno;
	close(fd);
	if (rc == 0 && rename(path, build->path) < 0)
		rc = -errno;
	if (rc < 0) {
		unlink(path);
		return rc;
	}
	fd = open(build->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	return 0;
}

static int make(struct host *host, struct build *build, struct services *services,
		struct error *error)
{
	struct pz_error reason = {0};
	const void *there;
	if (table_map(text_of(build->folder), &build->key, &there) == 0)
		return 0; /* another builder was before us */
	sandbox_allow(build->table.build_bytes + build->table.bytes);
	void *content = mmap(NULL, build->table.bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (content == MAP_FAILED)
		return error_set(error, ERR_MEMORY_LIMIT, "there is no memory for its %zu bytes",
				 build->table.bytes);
	if (host->plugin.build_table(host->self, &build->table, content, &services->host, &reason) <
	    0) {
		reason.reason[sizeof(reason.reason) - 1] = '\0';
		return error_set(error, ERR_PLUGIN_FAILED, "%s", reason.reason);
	}
	int rc = write_file(build, content);
	if (rc < 0)
		return error_set(error, ERR_INTERNAL, "%s: %s", build->path, strerror(-rc));
	return 0;
}

static int check(const struct build *build, struct error *error)
{
	const void *content;
	sandbox_allow(TABLE_HEADER + (uint64_t)build->key.size);
	int rc = table_map(text_of(build->folder), &build->key, &content);
	if (rc == -ENOENT)
		return error_set(error, ERR_PLUGIN_FAILED, "%s: it is not built", build->path);
	if (rc == 0) {
		const struct table_header *header =
			(const struct table_header *)(const void *)((const char *)content -
								    TABLE_HEADER);
		if (table_checksum(content, build->key.size) == header->checksum)
			return 0;
	}
	if (rc != 0 && rc != -ESTALE && rc != -EBADMSG)
		return error_set(error, ERR_INTERNAL, "%s: %s", build->path, strerror(-rc));
	/* It must not be trusted by anybody who comes later; who has it mapped keeps it until he is replaced. */
	unlink(build->path);
	return error_set(error, ERR_PLUGIN_FAILED, "%s: %s, and has been removed", build->path,
			 rc == 0         ? "its checksum is wrong"
			 : rc == -ESTALE ? "it is of another version"
					 : "it is damaged");
}

int build_run(struct host *host, const struct wire_setup *setup, struct services *services,
	      const char **ret_name, struct error *error)
{
	struct build build = {.lock = -1};
	if (find_table(host, setup, &build, error) < 0)
		return -1;
	if (!setup->table_dir.len || setup->table_dir.len >= sizeof(build.folder))
		return error_set(error, ERR_INVALID_PARAMS, "there is no folder for tables");
	memcpy(build.folder, setup->table_dir.data, setup->table_dir.len);
	if (table_path(build.path, sizeof(build.path), setup->table_dir, &build.key) < 0)
		return error_set(error, ERR_INVALID_PARAMS, "the table folder's path is too long");
	*ret_name = build.table.name;
	setpriority(PRIO_PROCESS, 0, NICE);
	services->report = services->building = true;
	services->began = clock_ns();
	if (setup->task == WIRE_CHECK)
		return check(&build, error);
	/* A user's own folder may not be there yet; its parent is the user's business. */
	if (mkdir(build.folder, 0755) < 0 && errno != EEXIST)
		return error_set(error, ERR_INTERNAL, "%s: %s", build.folder, strerror(errno));
	int rc = take_lock(&build, services, error);
	if (rc == 0)
		rc = make(host, &build, services, error);
	if (build.lock >= 0)
		close(build.lock);
	return rc;
}
