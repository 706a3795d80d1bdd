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
	NAME_LEN = 2 * PZ_NAME_MAX + 16
};

/*
 * The table at work and its files.  They are named relative to the folder, which is held open: that
 * and the right to rename and remove there are what is left of the file system when the plugin
 * fills the table.
 */
struct build {
	struct pz_table table;
	struct table_key key;
	struct text folder;
	char path[TABLE_PATH_MAX];
	const char *name;          /* the end of it */
	char temporary[NAME_LEN];  /* written first, then renamed */
	int directory, lock, file; /* descriptors; -1: none */
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

static int fail(const struct build *build, const char *suffix, int number, struct error *error)
{
	return error_set(error, ERR_INTERNAL, "%s%s: %s", build->path, suffix, strerror(number));
}

/*
 * One builder at a time for one table, in whatever daemon: the others wait, and find it done.  The
 * lock is on a file of its own that stays, since one that is removed could be locked by two.
 */
static int take_lock(struct build *build, struct services *services, struct error *error)
{
	static const struct timespec pause = {0, LOCK_LOOK_NS};
	char name[NAME_LEN];
	snprintf(name, sizeof(name), "%s.lock", build->name);
	build->lock =
		openat(build->directory, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (build->lock < 0)
		return fail(build, ".lock", errno, error);
	while (flock(build->lock, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return fail(build, ".lock", errno, error);
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

/* A file under a name that nobody reads.  One left by a builder that was killed is nobody's: the
 * lock is ours. */
static int open_temporary(struct build *build)
{
	snprintf(build->temporary, sizeof(build->temporary), "%s.tmp", build->name);
	unlinkat(build->directory, build->temporary, 0);
	build->file = openat(build->directory, build->temporary,
			     O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	return build->file < 0 ? -errno : 0;
}

/* Header and content, then on the disk, then renamed: whole or not at all. */
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
	snprintf(header.plugin, sizeof(header.plugin), "%s", build->key.plugin);
	snprintf(header.name, sizeof(header.name), "%s", build->key.name);
	memcpy(page, &header, sizeof(header));
	int rc = write_all(build->file, page, sizeof(page));
	if (rc == 0)
		rc = write_all(build->file, content, build->key.size);
	if (rc == 0 && fsync(build->file) < 0)
		rc = -errno;
	if (rc == 0 &&
	    renameat(build->directory, build->temporary, build->directory, build->name) < 0)
		rc = -errno;
	if (rc == 0)
		fsync(build->directory);
	return rc;
}

/* The plugin fills the table; by then nothing can be opened any more. */
static int fill(struct host *host, struct build *build, struct services *services,
		const struct sandbox *sandbox, struct error *error)
{
	struct pz_error reason = {0};
	sandbox_allow(build->table.bytes);
	void *content = mmap(NULL, build->table.bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (content == MAP_FAILED)
		return error_set(error, ERR_MEMORY_LIMIT, "there is no memory for its %zu bytes",
				 build->table.bytes);
	int rc = sandbox_after_open(sandbox, build->table.build_bytes);
	if (rc < 0)
		return error_set(error, ERR_INTERNAL, "the worker cannot confine itself: %s",
				 strerror(-rc));
	if (host->plugin.build_table(host->self, &build->table, content, &services->host, &reason) <
	    0) {
		reason.reason[sizeof(reason.reason) - 1] = '\0';
		return error_set(error, ERR_PLUGIN_FAILED, "%s", reason.reason);
	}
	rc = write_file(build, content);
	return rc < 0 ? fail(build, "", -rc, error) : 0;
}

static int make(struct host *host, struct build *build, struct services *services,
		const struct sandbox *sandbox, struct error *error)
{
	const void *there;
	if (take_lock(build, services, error) < 0)
		return -1;
	sandbox_allow(TABLE_HEADER + (uint64_t)build->key.size);
	if (table_map(build->folder, &build->key, &there) == 0)
		return 0; /* another builder was before us */
	int rc = open_temporary(build);
	if (rc < 0)
		return fail(build, ".tmp", -rc, error);
	rc = fill(host, build, services, sandbox, error);
	if (rc < 0)
		unlinkat(build->directory, build->temporary, 0);
	return rc;
}

static int check(const struct build *build, const struct sandbox *sandbox, struct error *error)
{
	const void *content;
	sandbox_allow(TABLE_HEADER + (uint64_t)build->key.size);
	int rc = table_map(build->folder, &build->key, &content);
	int confined = sandbox_after_open(sandbox, 0);
	if (confined < 0)
		return error_set(error, ERR_INTERNAL, "the worker cannot confine itself: %s",
				 strerror(-confined));
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
	/* It must not be trusted by anybody who comes later; who has it mapped keeps it until he is
	 * replaced. */
	const char *wrong = rc == 0         ? "its checksum is wrong"
			    : rc == -ESTALE ? "it is of another version"
					    : "it is damaged";
	if (unlinkat(build->directory, build->name, 0) < 0)
		return error_set(error, ERR_PLUGIN_FAILED, "%s: %s, and it cannot be removed: %s",
				 build->path, wrong, strerror(errno));
	return error_set(error, ERR_PLUGIN_FAILED, "%s: %s, and has been removed", build->path,
			 wrong);
}

int build_prepare(const struct wire_setup *setup, struct error *error)
{
	char folder[TABLE_PATH_MAX];
	setpriority(PRIO_PROCESS, 0, NICE);
	if (setup->task != WIRE_BUILD || !setup->table_dir.data)
		return 0;
	/* A user's own folder may not be there yet, nor ~/.cache, which whoever comes first makes
	 * for its user alone. */
	snprintf(folder, sizeof(folder), "%.*s", (int)setup->table_dir.len, setup->table_dir.data);
	char *slash = strrchr(folder, '/');
	if (slash && slash != folder) {
		*slash = '\0';
		if (access(folder, F_OK) < 0)
			mkdir(folder, 0700);
		*slash = '/';
	}
	if (mkdir(folder, 0755) < 0 && errno != EEXIST)
		return error_set(error, ERR_INTERNAL, "%s: %s", folder, strerror(errno));
	return 0;
}

int build_run(struct host *host, const struct wire_setup *setup, struct services *services,
	      const struct sandbox *sandbox, const char **ret_name, struct error *error)
{
	struct build build = {.folder = setup->table_dir, .directory = -1, .lock = -1, .file = -1};
	if (find_table(host, setup, &build, error) < 0)
		return -1;
	if (!sandbox->tables)
		return error_set(error, ERR_INVALID_PARAMS, "there is no folder for tables");
	if (table_path(build.path, sizeof(build.path), build.folder, &build.key) < 0)
		return error_set(error, ERR_INVALID_PARAMS, "the table folder's path is too long");
	build.name = strrchr(build.path, '/') + 1;
	*ret_name = build.table.name;
	services->report = services->building = true;
	services->began = clock_ns();
	build.directory = open(sandbox->tables, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (build.directory < 0)
		return error_set(error, ERR_INTERNAL, "%s: %s", sandbox->tables, strerror(errno));
	return setup->task == WIRE_CHECK ? check(&build, sandbox, error)
					 : make(host, &build, services, sandbox, error);
}
