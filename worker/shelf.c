/* SPDX-License-Identifier: MIT */
#include "worker/shelf.h"

#include "worker/sandbox.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The name in PLUGIN.NAME.table, or false where the file is none of the plugin's. */
static bool take_name(const char *file, const char *plugin, char *ret)
{
	static const char suffix[] = ".table";
	size_t len = strlen(file), before = strlen(plugin), after = sizeof(suffix) - 1;
	if (len <= before + 1 + after || strncmp(file, plugin, before) != 0 ||
	    file[before] != '.' || strcmp(file + len - after, suffix) != 0)
		return false;
	size_t name = len - before - 1 - after;
	if (name >= PZ_NAME_MAX)
		return false;
	memcpy(ret, file + before + 1, name);
	ret[name] = '\0';
	return table_is_name(ret);
}

void shelf_fill(struct shelf *shelf, struct text folder, const char *plugin)
{
	char path[TABLE_PATH_MAX];
	const struct dirent *entry;
	if (!folder.data || folder.len >= sizeof(path))
		return;
	memcpy(path, folder.data, folder.len);
	path[folder.len] = '\0';
	DIR *dir = opendir(path);
	if (!dir)
		return;
	while (shelf->count < SHELF_MAX && (entry = readdir(dir))) {
		struct table_key key = {.plugin = plugin};
		char name[PZ_NAME_MAX];
		const void *content;
		if (!take_name(entry->d_name, plugin, name))
			continue;
		key.name = name;
		if (table_peek(folder, &key) < 0)
			continue;
		sandbox_allow(TABLE_HEADER + (uint64_t)key.size);
		if (table_map(folder, &key, &content) < 0)
			continue;
		size_t at = shelf->count++;
		memcpy(shelf->tables[at].name, name, sizeof(name));
		shelf->tables[at].version = key.version;
		shelf->tables[at].size = key.size;
		shelf->tables[at].content = content;
	}
	closedir(dir);
}

const void *shelf_find(const struct shelf *shelf, const struct table_key *key)
{
	for (size_t i = 0; i < shelf->count; i++)
		if (strcmp(shelf->tables[i].name, key->name) == 0 &&
		    shelf->tables[i].version == key->version && shelf->tables[i].size == key->size)
			return shelf->tables[i].content;
	return NULL;
}
