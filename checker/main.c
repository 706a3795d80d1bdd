/* SPDX-License-Identifier: MIT */
/*
 * puzzled-check-plugin: examines a plugin before it serves.  `puzzlectl check-plugin` starts it;
 * the worker's own code loads the plugin and judges its answers, so that what passes here is what a
 * worker takes.
 */
#include "config.h"

#include "checker/report.h"
#include "checker/suite.h"
#include "common/units.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
	"Usage: puzzled-check-plugin FILE.so [-o KEY=VALUE ...] [--goal BOARD] [--seed N]\n"
	"           [--memory SIZE] [--tables FOLDER] [--json] [BOARD ...]\n"
	"       puzzled-check-plugin --list\n";

enum { GOAL = 256, SEED, MEMORY, TABLES, JSON, LIST };

static const struct option long_options[] = {
	{"option", required_argument, NULL, 'o'},    {"goal", required_argument, NULL, GOAL},
	{"seed", required_argument, NULL, SEED},     {"memory", required_argument, NULL, MEMORY},
	{"tables", required_argument, NULL, TABLES}, {"json", no_argument, NULL, JSON},
	{"list", no_argument, NULL, LIST},           {NULL, 0, NULL, 0},
};

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "puzzled-check-plugin: %s: %s\n", what, why);
	return -1;
}

static int add_option(struct request *request, const char *setting)
{
	const char *equals = strchr(setting, '=');
	if (!equals || equals == setting)
		return complain(setting, "an option is KEY=VALUE");
	if (request->option_count == WIRE_LIST_MAX)
		return complain(setting, "too many options");
	request->options[request->option_count++] = (struct wire_option){
		.name = {setting, (size_t)(equals - setting)}, .value = text_of(equals + 1)};
	return 0;
}

static int read_option(struct request *request, int letter)
{
	char why[256];
	int64_t seed = 0;
	int rc;
	switch (letter) {
	case 'o':
		return add_option(request, optarg);
	case GOAL:
		request->goal = optarg;
		return 0;
	case SEED:
		rc = units_number(text_of(optarg), 0, INT64_MAX, &seed, why, sizeof(why));
		request->seed = (uint64_t)seed;
		return rc < 0 ? complain(optarg, why) : 0;
	case MEMORY:
		rc = units_size(text_of(optarg), 1 << 20, SIZE_MAX / 2, &request->memory, why,
				sizeof(why));
		return rc < 0 ? complain(optarg, why) : 0;
	case TABLES:
		request->tables = optarg;
		return 0;
	case JSON:
		request->json = true;
		return 0;
	default:
		fputs(usage, stderr);
		return -1;
	}
}

static int read_words(struct request *request, int argc, char **argv)
{
	static char path[PATH_MAX + 2];
	int letter;
	while ((letter = getopt_long(argc, argv, "o:", long_options, NULL)) != -1) {
		if (letter == LIST) {
			suite_list();
			exit(EXIT_SOLVED);
		}
		if (read_option(request, letter) < 0)
			return -1;
	}
	if (optind == argc) {
		fputs(usage, stderr);
		return -1;
	}
	/* dlopen takes a name without a slash for one in the library path. */
	snprintf(path, sizeof(path), "%s%s", strchr(argv[optind], '/') ? "" : "./", argv[optind]);
	request->file = path;
	if (access(path, R_OK) < 0)
		return complain(argv[optind], strerror(errno));
	for (optind++; optind < argc; optind++) {
		if (request->board_count == REQUEST_BOARDS)
			return complain(argv[optind], "too many boards");
		request->boards[request->board_count++] = text_of(argv[optind]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static struct request request = {.seed = 1, .memory = 256 << 20};
	if (read_words(&request, argc, argv) < 0)
		return EXIT_USAGE;
	/* A worker has an empty environment. */
	clearenv();
	const struct page *page = suite_run(&request);
	if (!page) {
		complain("cannot start a process", strerror(errno));
		return EXIT_FAULT;
	}
	int broken =
		request.json ? report_json(stdout, request.file, page) : report_text(stdout, page);
	if (fflush(stdout) != 0)
		return EXIT_FAULT;
	return broken ? EXIT_NO_SOLUTION : EXIT_SOLVED;
}
