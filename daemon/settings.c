/* SPDX-License-Identifier: MIT */
#include "daemon/settings.h"
#include "common/reason.h"
#include "daemon/access.h"
#include "daemon/config.h"
#include "daemon/trust.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char installed[] = PZ_SYSCONFDIR "/puzzled/puzzled.ini";

static int load_file(const char *path, struct config **ret, char *reason, size_t cap)
{
	return trust_file(path, reason, cap) < 0 ? -1 : config_load(path, ret, reason, cap);
}

static int load_config(const char *path, enum settings_kind kind, struct config **ret, char *reason,
		       size_t cap)
{
	char *own = !path && kind == SETTINGS_USER ? config_private_file() : NULL;
	int code;
	if (path)
		code = load_file(path, ret, reason, cap);
	else if (own && access(own, F_OK) == 0)
		code = load_file(own, ret, reason, cap);
	else if (kind == SETTINGS_SYSTEM || access(installed, F_OK) == 0)
		code = load_file(installed, ret, reason, cap);
	else
		code = config_defaults(NULL, ret, reason, cap);
	free(own);
	return code;
}

int settings_load(const char *path, enum settings_kind kind, struct settings **ret, char *reason,
		  size_t cap)
{
	struct settings *settings = calloc(1, sizeof(*settings));
	if (!settings)
		return reason_set(reason, cap, "no memory");
	settings->users = 1;
	if (load_config(path, kind, &settings->config, reason, cap) < 0 ||
	    (kind == SETTINGS_USER &&
	     config_use_private_socket(settings->config, reason, cap) < 0) ||
	    access_load(settings->config, &settings->access, reason, cap) < 0 ||
	    child_find_user(settings->config->user, &settings->worker_user, reason, cap) < 0) {
		settings_drop(settings);
		return -1;
	}
	settings->kind = kind;
	settings->builds_tables = settings->config->build_tables && kind != SETTINGS_PRIVATE;
	settings->table_dir =
		kind == SETTINGS_SYSTEM
			? strdup(settings->config->table_dir)
			: config_private_table_dir(settings->config, settings->builds_tables);
	settings->path = path ? strdup(path) : NULL;
	if (!settings->table_dir || (path && !settings->path)) {
		settings_drop(settings);
		return reason_set(reason, cap, "no memory");
	}
	*ret = settings;
	return 0;
}

struct settings *settings_keep(struct settings *settings)
{
	settings->users++;
	return settings;
}

void settings_drop(struct settings *settings)
{
	if (!settings || --settings->users > 0)
		return;
	free(settings->path);
	free(settings->table_dir);
	access_free(settings->access);
	config_free(settings->config);
	free(settings);
}
