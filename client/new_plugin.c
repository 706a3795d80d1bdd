/* SPDX-License-Identifier: MIT */
/*
 * puzzlectl new-plugin: a folder with a working plugin to begin with.
 *
 * The files are those of the template folder, each as it is but for one word: the template's name
 * becomes the new one, in file names too.
 */
#include "config.h"

#include "client/command.h"
#include "client/print.h"
#include "client/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char new_help[] =
	"Writes a folder NAME with a working example of a plugin: its source, a Makefile\n"
	"that needs only what is installed, a test that checks it and solves with it,\n"
	"and a README.  'make check' in it works at once.\n"
	"\n"
	"Example:\n"
	"  puzzlectl new-plugin hanoi && make -C hanoi check";

static const char template_name[] = "mypuzzle";
static const char *const files[] = {"mypuzzle.c", "Makefile", "test.sh", "README.md"};

enum { FILES = sizeof(files) / sizeof(files[0]), FILE_MOST = 64 * 1024, NAME_MOST = 31 };

static const struct program template = {
	.variable = "PUZZLED_TEMPLATE",
	.beside = {"../share/puzzled/template"},
	.installed = PZ_TEMPLATE,
};

static bool is_name(const char *name)
{
	size_t len = strlen(name);
	return len > 0 && len <= NAME_MOST && name[0] != '-' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == len;
}

/* Writes `text` with the new name for the template's. */
static void put_named(FILE *out, const char *text, const char *name)
{
	const char *found;
	for (; (found = strstr(text, template_name)); text = found + strlen(template_name))
		fprintf(out, "%.*s%s", (int)(found - text), text, name);
	fputs(text, out);
}

/* Reads a file of the template, as a string for free(). */
static char *read_file(const char *folder, const char *file, mode_t *ret_mode, struct fault *fault)
{
	char path[2 * PATH_MAX];
	struct stat info;
	char *text = calloc(1, FILE_MOST + 1);
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	FILE *in = text ? fopen(path, "re") : NULL;
	if (!in || fstat(fileno(in), &info) < 0 || fread(text, 1, FILE_MOST, in) == 0) {
		fault_set(fault, EXIT_PROTOCOL, "%s: %s", path, strerror(errno));
		free(text);
		text = NULL;
	} else {
		*ret_mode = info.st_mode & S_IXUSR ? 0777 : 0666;
	}
	if (in)
		fclose(in);
	return text;
}

/* Writes one file of the new folder; never over one that is there. */
static int write_file(const char *name, const char *file, const char *text, mode_t mode,
		      struct fault *fault)
{
	char path[2 * PATH_MAX];
	int len = snprintf(path, sizeof(path), "%s/", name);
	FILE *into = fmemopen(path + len, sizeof(path) - (size_t)len, "w");
	if (!into)
		return fault_memory(fault);
	put_named(into, file, name);
	fclose(into);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	if (out)
		put_named(out, text, name);
	bool whole = out && !ferror(out);
	if (!out || fclose(out) != 0 || !whole)
		return fault_set(fault, EXIT_FAULT, "cannot write %s: %s", path, strerror(errno));
	print_string(stdout, path);
	putchar('\n');
	return 0;
}

static int new_run(struct client *client, void *values, int argc, char **argv)
{
	char folder[PATH_MAX];
	struct fault fault;
	const char *name = argv[0];
	(void)client, (void)values, (void)argc;
	if (!is_name(name)) {
		print_complaint("a plugin's name has at most %d of a-z, 0-9 and -, and does not "
				"begin with -",
				NAME_MOST);
		return EXIT_USAGE;
	}
	if (program_find(&template, folder, &fault) < 0)
		return command_fail(&fault);
	if (mkdir(name, 0777) < 0) {
		print_complaint("cannot make the folder %s: %s", name, strerror(errno));
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < FILES; i++) {
		mode_t mode;
		char *text = read_file(folder, files[i], &mode, &fault);
		int failed = text ? write_file(name, files[i], text, mode, &fault) : -1;
		free(text);
		if (failed)
			return command_fail(&fault);
	}
	return EXIT_SOLVED;
}

const struct command command_new_plugin = {
	.name = "new-plugin",
	.arguments = "NAME",
	.summary = "write a folder with a plugin to begin with",
	.help = new_help,
	.least = 1,
	.most = 1,
	.run = new_run,
};
