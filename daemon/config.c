/* SPDX-License-Identifier: MIT */
#include "daemon/config.h"

#include "common/ini.h"
#include "common/limits.h"
#include "common/reason.h"
#include "daemon/config_keys.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A configuration in the making. */
struct loading {
	struct config *config;
	struct config_puzzle *puzzle; /* whose section it is; NULL: [daemon] */
	unsigned daemon_line;         /* where [daemon] begins; 0: not seen yet */
	unsigned seen[CONFIG_KEYS];   /* in this section: the line of each key; 0: not yet */
	bool given[LIMIT_PUZZLES][CONFIG_KEYS]; /* keys that each puzzle has itself */
};

/* The struct that the key's offset is in. */
static void *base_of(struct config *config, struct config_puzzle *puzzle,
		     const struct config_key *key)
{
	switch (key->scope) {
	case CONFIG_PUZZLE:
		return puzzle;
	case CONFIG_JOB:
		return puzzle ? &puzzle->job : &config->job;
	default:
		return config;
	}
}

void config_free(struct config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->puzzle_count; i++) {
		struct config_puzzle *puzzle = &config->puzzles[i];
		for (size_t j = 0; j < puzzle->option_count; j++) {
			free(puzzle->options[j].name);
			free(puzzle->options[j].value);
		}
		free(puzzle->options);
		free(puzzle->name);
		for (size_t k = 0; k < CONFIG_KEYS; k++)
			if (config_keys[k].scope == CONFIG_PUZZLE)
				config_key_free(&config_keys[k], puzzle);
	}
	for (size_t k = 0; k < CONFIG_KEYS; k++)
		if (config_keys[k].scope == CONFIG_DAEMON)
			config_key_free(&config_keys[k], config);
	free(config->puzzles);
	free(config->path);
	free(config);
}

/* A configuration with every default and no puzzle; `path` may be NULL.  NULL: no memory. */
static struct config *config_new(const char *path)
{
	struct config *config = calloc(1, sizeof(*config));
	if (!config)
		return NULL;
	bool whole = (config->puzzles = calloc(LIMIT_PUZZLES, sizeof(*config->puzzles))) &&
		     (!path || (config->path = strdup(path)));
	for (size_t k = 0; whole && k < CONFIG_KEYS; k++)
		if (config_keys[k].scope != CONFIG_PUZZLE)
			whole = config_key_set_default(&config_keys[k],
						       base_of(config, NULL, &config_keys[k])) == 0;
	if (!whole) {
		config_free(config);
		return NULL;
	}
	return config;
}

/* ---- sections ---- */

static bool is_puzzle_name(const char *name)
{
	size_t len = strlen(name);
	return len && len < LIMIT_NAME && name[0] != '-' && name[0] != '_' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == len;
}

const struct config_puzzle *config_puzzle(const struct config *config, const char *name)
{
	for (size_t i = 0; i < config->puzzle_count; i++)
		if (strcmp(config->puzzles[i].name, name) == 0)
			return &config->puzzles[i];
	return NULL;
}

/* Adds a puzzle of this name with [daemon]'s values.  NULL: no memory. */
static struct config_puzzle *add_puzzle(struct config *config, const char *name)
{
	struct config_puzzle *puzzle = &config->puzzles[config->puzzle_count];
	if (!(puzzle->name = strdup(name)))
		return NULL;
	puzzle->job = config->job;
	config->puzzle_count++;
	return puzzle;
}

static int open_puzzle(struct loading *loading, const char *name, unsigned line, char *reason,
		       size_t cap)
{
	struct config *config = loading->config;
	if (!is_puzzle_name(name))
		return reason_set(reason, cap,
				  "a puzzle's name has at most %d of a-z, 0-9, _ and -, and begins "
				  "with a letter or a digit",
				  LIMIT_NAME - 1);
	const struct config_puzzle *twin = config_puzzle(config, name);
	if (twin)
		return reason_set(reason, cap, "[puzzle:%s] is there already, on line %u", name,
				  twin->line);
	if (config->puzzle_count == LIMIT_PUZZLES)
		return reason_set(reason, cap, "there can be at most %d puzzles", LIMIT_PUZZLES);
	loading->puzzle = add_puzzle(config, name);
	if (!loading->puzzle)
		return reason_set(reason, cap, "no memory");
	loading->puzzle->line = line;
	return 0;
}

static int open_section(struct loading *loading, const struct ini_entry *entry, char *reason,
			size_t cap)
{
	static const char puzzle[] = "puzzle:";
	memset(loading->seen, 0, sizeof(loading->seen));
	if (strncmp(entry->section, puzzle, strlen(puzzle)) == 0)
		return open_puzzle(loading, entry->section + strlen(puzzle), entry->line, reason,
				   cap);
	if (strcmp(entry->section, "daemon") != 0)
		return reason_set(reason, cap, "there is no section [%s]%s", entry->section,
				  config_is_slip(entry->section, "daemon")
					  ? "; did you mean [daemon]?"
					  : ", only [daemon] and [puzzle:NAME]");
	if (loading->daemon_line)
		return reason_set(reason, cap, "[daemon] is there already, on line %u",
				  loading->daemon_line);
	loading->puzzle = NULL;
	loading->daemon_line = entry->line;
	return 0;
}

/* ---- keys ---- */

static bool is_option_name(const char *name)
{
	return name[0] >= 'a' && name[0] <= 'z' && strlen(name) < LIMIT_NAME &&
	       name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

/* A key of a puzzle's section that is none of ours: the plugin's. */
static int add_option(struct config_puzzle *puzzle, const struct ini_entry *entry, char *reason,
		      size_t cap)
{
	if (!is_option_name(entry->key))
		return reason_set(reason, cap,
				  "'%s': an option's name has at most %d of a-z, 0-9 and _, and "
				  "begins with a letter",
				  entry->key, LIMIT_NAME - 1);
	if (strlen(entry->value) > LIMIT_OPTION)
		return reason_set(reason, cap, "%s: an option's value has at most %d bytes",
				  entry->key, LIMIT_OPTION);
	for (size_t i = 0; i < puzzle->option_count; i++)
		if (strcmp(puzzle->options[i].name, entry->key) == 0)
			return reason_set(reason, cap, "%s is set already, on line %u", entry->key,
					  puzzle->options[i].line);
	if (puzzle->option_count == LIMIT_CONFIG_OPTIONS)
		return reason_set(reason, cap, "a puzzle can have at most %d options",
				  LIMIT_CONFIG_OPTIONS);
	if (!puzzle->options &&
	    !(puzzle->options = calloc(LIMIT_CONFIG_OPTIONS, sizeof(*puzzle->options))))
		return reason_set(reason, cap, "no memory");
	struct config_option *option = &puzzle->options[puzzle->option_count++];
	option->line = entry->line;
	option->name = strdup(entry->key);
	option->value = strdup(entry->value);
	return option->name && option->value ? 0 : reason_set(reason, cap, "no memory");
}

static int take_key(struct loading *loading, const struct ini_entry *entry, char *reason,
		    size_t cap)
{
	struct config_puzzle *puzzle = loading->puzzle;
	const struct config_key *key = config_key_find(entry->key);
	if (!key && puzzle)
		return add_option(puzzle, entry, reason, cap);
	if (!key) {
		const char *nearest = config_key_nearest(entry->key);
		return reason_set(reason, cap, "there is no key %s%s%s%s", entry->key,
				  nearest ? "; did you mean " : "", nearest ? nearest : "",
				  nearest ? "?" : "");
	}
	if (puzzle && key->scope == CONFIG_DAEMON)
		return reason_set(reason, cap, "%s belongs in [daemon]", key->name);
	if (!puzzle && key->scope == CONFIG_PUZZLE)
		return reason_set(reason, cap, "%s belongs in a [puzzle:NAME]", key->name);

	size_t index = (size_t)(key - config_keys);
	if (loading->seen[index])
		return reason_set(reason, cap, "%s is set already, on line %u", key->name,
				  loading->seen[index]);
	loading->seen[index] = entry->line;
	if (puzzle)
		loading->given[puzzle - loading->config->puzzles][index] = true;

	char why[REASON_MAX];
	if (config_key_set(key, base_of(loading->config, puzzle, key), entry->value, why,
			   sizeof(why)) < 0)
		return reason_set(reason, cap, "%s: %s", key->name, why);
	return 0;
}

static int take_entry(void *arg, const struct ini_entry *entry, char *reason, size_t cap)
{
	return entry->key ? take_key(arg, entry, reason, cap)
			  : open_section(arg, entry, reason, cap);
}

/* ---- the whole ---- */

/* FOLDER/NAME in memory of its own, or NULL without memory. */
static char *join(const char *folder, const char *name)
{
	size_t len = strlen(folder) + 1 + strlen(name) + 1;
	char *path = malloc(len);
	if (path)
		snprintf(path, len, "%s/%s", folder, name);
	return path;
}

/* What could only be done when the last line was read, since [daemon] may stand there. */
static int finish(struct loading *loading, char *reason, size_t cap)
{
	struct config *config = loading->config;
	if (!config->puzzle_count)
		return reason_set(reason, cap, "%s: there is no [puzzle:NAME]", config->path);
	for (size_t i = 0; i < config->puzzle_count; i++) {
		struct config_puzzle *puzzle = &config->puzzles[i];
		for (size_t k = 0; k < CONFIG_KEYS; k++)
			if (config_keys[k].scope == CONFIG_JOB && !loading->given[i][k])
				config_key_copy(&config_keys[k], &puzzle->job, &config->job);
		if (!puzzle->plugin)
			return reason_set(reason, cap, "%s:%u: [puzzle:%s] has no plugin",
					  config->path, puzzle->line, puzzle->name);
		if (puzzle->plugin[0] == '/')
			continue;
		char *plugin = join(config->plugin_dir, puzzle->plugin);
		if (!plugin)
			return reason_set(reason, cap, "%s: no memory", config->path);
		free(puzzle->plugin);
		puzzle->plugin = plugin;
	}
	return 0;
}

int config_load(const char *path, struct config **ret, char *reason, size_t cap)
{
	struct loading loading = {.config = config_new(path)};
	if (!loading.config)
		return reason_set(reason, cap, "%s: no memory", path);
	if (ini_read_file(path, take_entry, &loading, reason, cap) < 0 ||
	    finish(&loading, reason, cap) < 0) {
		config_free(loading.config);
		return -1;
	}
	*ret = loading.config;
	return 0;
}

static int is_plugin_file(const struct dirent *entry)
{
	char name[LIMIT_NAME];
	size_t len = strlen(entry->d_name), suffix = strlen(".so");
	if (len <= suffix || len - suffix >= sizeof(name) ||
	    strcmp(entry->d_name + len - suffix, ".so") != 0)
		return 0;
	memcpy(name, entry->d_name, len - suffix);
	name[len - suffix] = '\0';
	return is_puzzle_name(name);
}

/* Adds the puzzle whose plugin is NAME.so in plugin_dir.  -1: no memory. */
static int add_plugin_file(struct config *config, const char *file)
{
	char name[LIMIT_NAME];
	size_t len = strlen(file) - strlen(".so");
	memcpy(name, file, len);
	name[len] = '\0';
	struct config_puzzle *puzzle = add_puzzle(config, name);
	return puzzle && (puzzle->plugin = join(config->plugin_dir, file)) ? 0 : -1;
}

int config_defaults(const char *plugin_dir, struct config **ret, char *reason, size_t cap)
{
	struct config *config = config_new(NULL);
	struct dirent **files = NULL;
	int count = 0, result = 0;
	if (!config)
		return reason_set(reason, cap, "no memory");
	if (plugin_dir)
		result = config_key_set(config_key_find("plugin_dir"), config, plugin_dir, reason,
					cap);
	if (result == 0 &&
	    (count = scandir(config->plugin_dir, &files, is_plugin_file, alphasort)) < 0)
		result = reason_set(reason, cap, "%s: %s", config->plugin_dir, strerror(errno));
	else if (result == 0 && count == 0)
		result = reason_set(reason, cap, "%s: there is no plugin", config->plugin_dir);
	else if (count > LIMIT_PUZZLES)
		result = reason_set(reason, cap, "%s: there can be at most %d plugins",
				    config->plugin_dir, LIMIT_PUZZLES);
	for (int i = 0; i < count; i++) {
		if (result == 0 && add_plugin_file(config, files[i]->d_name) < 0)
			result = reason_set(reason, cap, "no memory");
		free(files[i]);
	}
	free(files);
	if (result < 0)
		config_free(config);
	else
		*ret = config;
	return result;
}

/* `path` in the folder that `variable` names, else in `fallback` of the home; NULL: there is
 * neither. */
static char *below_home(const char *variable, const char *fallback, const char *path)
{
	const char *folder = getenv(variable), *home = getenv("HOME");
	if (folder && folder[0] == '/')
		return join(folder, path);
	if (!home || home[0] != '/')
		return NULL;
	char *made = join(home, fallback);
	char *whole = made ? join(made, path) : NULL;
	free(made);
	return whole;
}

char *config_private_table_dir(const struct config *config, bool builds)
{
	if (access(config->table_dir, R_OK | X_OK | (builds ? W_OK : 0)) == 0)
		return strdup(config->table_dir);
	char *own = below_home("XDG_CACHE_HOME", ".cache", "puzzled");
	return own ? own : strdup(config->table_dir);
}

char *config_private_file(void)
{
	return below_home("XDG_CONFIG_HOME", ".config", "puzzled/puzzled.ini");
}

int config_use_private_socket(struct config *config, char *reason, size_t cap)
{
	const struct config_key *key = config_key_find("socket");
	const char *folder = getenv("XDG_RUNTIME_DIR");
	if (!folder || folder[0] != '/' || strcmp(config->socket, key->text) != 0)
		return 0;
	char *path = join(folder, "puzzled/puzzled.sock");
	int code = path ? config_key_set(key, config, path, reason, cap)
			: reason_set(reason, cap, "no memory");
	free(path);
	return code;
}

const char *config_fixed_change(const struct config *old, const struct config *new)
{
	for (size_t k = 0; k < CONFIG_KEYS; k++)
		if (config_keys[k].fixed && !config_key_equal(&config_keys[k], old, new))
			return config_keys[k].name;
	return NULL;
}

void config_print(const struct config *config, FILE *out)
{
	fprintf(out, "; %s\n[daemon]\n", config->path ? config->path : "built-in configuration");
	for (size_t k = 0; k < CONFIG_KEYS; k++)
		if (config_keys[k].scope != CONFIG_PUZZLE)
			config_key_print(&config_keys[k],
					 config_keys[k].scope == CONFIG_JOB
						 ? (const void *)&config->job
						 : config,
					 out);
	for (size_t i = 0; i < config->puzzle_count; i++) {
		struct config_puzzle *puzzle = &config->puzzles[i];
		fprintf(out, "\n[puzzle:%s]\n", puzzle->name);
		for (size_t k = 0; k < CONFIG_KEYS; k++)
			if (config_keys[k].scope != CONFIG_DAEMON)
				config_key_print(&config_keys[k],
						 base_of(NULL, puzzle, &config_keys[k]), out);
		for (size_t j = 0; j < puzzle->option_count; j++)
			fprintf(out, "%s = %s\n", puzzle->options[j].name,
				puzzle->options[j].value);
	}
}
