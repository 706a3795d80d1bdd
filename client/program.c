/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "client/program.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_there(const char *path)
{
	return access(path, X_OK) == 0;
}

/* `name` relative to the folder of this program, into `path`. */
static bool beside_us(char path[PATH_MAX], const char *name)
{
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);
	if (len <= 0)
		return false;
	path[len] = '\0';
	char *slash = strrchr(path, '/');
	if (!slash || (size_t)(slash - path) + strlen(name) + 2 > PATH_MAX)
		return false;
	strcpy(slash + 1, name);
	return is_there(path);
}

int program_find(const struct program *program, char path[PATH_MAX], struct fault *fault)
{
	const char *set = getenv(program->variable);
	if (set && *set) {
		if (strlen(set) >= PATH_MAX || !is_there(set))
			return fault_set(fault, EXIT_PROTOCOL,
					 "%s names nothing that can be used: %s", program->variable,
					 set);
		strcpy(path, set);
		return 0;
	}
	for (size_t i = 0; program->beside[i]; i++)
		if (beside_us(path, program->beside[i]))
			return 0;
	strcpy(path, program->installed);
	if (is_there(path))
		return 0;
	if (!program->name)
		return fault_set(fault, EXIT_PROTOCOL, "%s is not there; set %s to where it is",
				 program->installed, program->variable);
	/* posix_spawnp searches PATH for a name without a slash. */
	strcpy(path, program->name);
	return 0;
}
