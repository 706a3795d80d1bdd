/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool table_is_name(const char *name)
{
	size_t len = name ? strnlen(name, PZ_NAME_MAX) : 0;
	return len > 0 && len < PZ_NAME_MAX &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == len;
}

int table_path(char *ret, size_t cap, struct text folder, const struct table_key *key)
{
	int len = snprintf(ret, cap, "%.*s/%s.%s.table", (int)folder.len, folder.data, key->plugin,
			   key->name);
	return len < 0 || (size_t)len >= cap ? -ENAMETOOLONG : 0;
}

/* Whether the header is that of the table asked for. */
static int check_header(const struct table_header *header, const struct table_key *key)
{
	if (header->magic != TABLE_MAGIC)
		return -EBADMSG;
	if (header->format != TABLE_FORMAT || header->version != key->version ||
	    header->size != key->size)
		return -ESTALE;
	if (strncmp(header->plugin, key->plugin, sizeof(header->plugin)) != 0 ||
	    strncmp(header->name, key->name, sizeof(header->name)) != 0)
		return -EBADMSG;
	return 0;
}

static int map_file(int fd, const struct table_key *key, const void **ret_content)
{
	struct table_header header;
	struct stat info;
	if (fstat(fd, &info) < 0)
		return -errno;
	if (!S_ISREG(info.st_mode) || pread(fd, &header, sizeof(header), 0) != sizeof(header))
		return -EBADMSG;
	int rc = check_header(&header, key);
	if (rc < 0)
		return rc;
	if (key->size > SIZE_MAX / 2 ||
	    (uint64_t)info.st_size != TABLE_HEADER + (uint64_t)key->size)
		return -EBADMSG;
	char *map = mmap(NULL, TABLE_HEADER + key->size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	*ret_content = map + TABLE_HEADER;
	return 0;
}

int table_map(struct text folder, const struct table_key *key, const void **ret_content)
{
	char path[TABLE_PATH_MAX];
	if (!folder.data)
		return -ENOENT;
	int rc = table_path(path, sizeof(path), folder, key);
	if (rc < 0)
		return rc;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	rc = map_file(fd, key, ret_content);
	close(fd);
	return rc;
}

int table_peek(struct text folder, struct table_key *key)
{
	char path[TABLE_PATH_MAX];
	struct table_header header;
	int rc = table_path(path, sizeof(path), folder, key);
	if (rc < 0)
		return rc;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	ssize_t len = pread(fd, &header, sizeof(header), 0);
	close(fd);
	if (len != sizeof(header) || header.magic != TABLE_MAGIC || header.size > SIZE_MAX / 2)
		return -EBADMSG;
	key->version = header.version;
	key->size = (size_t)header.size;
	return 0;
}

uint64_t table_checksum(const void *content, size_t size)
{
	const unsigned char *byte = content;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	return hash;
}
