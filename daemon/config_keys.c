/* SPDX-License-Identifier: MIT */
#include "daemon/config_keys.h"

#include "common/limits.h"
#include "common/log.h"
#include "common/reason.h"
#include "common/units.h"
#include "daemon/config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#define SECOND  ((int64_t)1000)
#define HOUR    (3600 * SECOND)
#define YEAR    (365 * 24 * HOUR)
#define KIB     ((int64_t)1024)
#define MIB     (1024 * KIB)
#define GIB     (1024 * MIB)
#define MILLION ((int64_t)1000 * 1000)

#define IN_DAEMON(field) .scope = CONFIG_DAEMON, .offset = offsetof(struct config, field)
#define IN_BOTH(field)   .scope = CONFIG_JOB, .offset = offsetof(struct config_job, field)
#define IN_PUZZLE(field) .scope = CONFIG_PUZZLE, .offset = offsetof(struct config_puzzle, field)

/* clang-format off */
const struct config_key config_keys[CONFIG_KEYS] = {
	{"socket", IN_DAEMON(socket), .type = CONFIG_SOCKET, .fixed = true, .text = PZ_RUN_DIR "/puzzled.sock",
	 .help = "the Unix socket that clients connect to"},
	{"socket_mode", IN_DAEMON(socket_mode), .type = CONFIG_MODE, .fixed = true, .number = 0660,
	 .help = "its permissions"},
	{"socket_group", IN_DAEMON(socket_group), .type = CONFIG_NAME, .fixed = true, .text = "",
	 .help = "its group; empty: the daemon's own"},
	{"plugin_dir", IN_DAEMON(plugin_dir), .type = CONFIG_PATH, .text = PZ_PLUGIN_DIR,
	 .help = "the folder that a relative plugin is looked for in"},
	{"table_dir", IN_DAEMON(table_dir), .type = CONFIG_PATH, .text = PZ_TABLE_DIR,
	 .help = "the folder of the tables that plugins build"},
	{"worker", IN_DAEMON(worker), .type = CONFIG_PATH, .text = PZ_WORKER,
	 .help = "the puzzled-worker program"},
	{"user", IN_DAEMON(user), .type = CONFIG_NAME, .text = "",
	 .help = "whom workers run as where the daemon is root; empty: root"},
	{"log_level", IN_DAEMON(log_level), .type = CONFIG_LEVEL, .number = LEVEL_INFO,
	 .help = "what is logged: error, warning, notice, info or debug, each with those before it"},
	{"drain_timeout", IN_DAEMON(drain_timeout), .type = CONFIG_DURATION, .number = DEFAULT_DRAIN_MS,
	 .max = 24 * HOUR, .help = "how long a stop waits for what still runs; 0s: not at all"},
	{"max_line", IN_DAEMON(max_line), .type = CONFIG_SIZE, .number = DEFAULT_MAX_LINE,
	 .min = KIB, .max = 64 * MIB, .help = "bytes of one request"},
	{"max_reply", IN_DAEMON(max_reply), .type = CONFIG_SIZE, .number = DEFAULT_MAX_REPLY,
	 .min = 64 * KIB, .max = 4 * GIB, .help = "bytes of replies owed to one session: past it, it is not read"},
	{"max_boards", IN_DAEMON(max_boards), .type = CONFIG_COUNT, .number = DEFAULT_MAX_BOARDS,
	 .min = 1, .max = MILLION, .help = "boards of one request"},
	{"max_sessions", IN_DAEMON(max_sessions), .type = CONFIG_COUNT, .number = DEFAULT_MAX_SESSIONS,
	 .min = 1, .max = 65536, .help = "sessions at a time"},
	{"max_queue", IN_DAEMON(max_queue), .type = CONFIG_COUNT, .number = DEFAULT_MAX_QUEUE,
	 .min = 1, .max = 10 * MILLION, .help = "boards that wait, of all sessions: past it, requests are answered busy"},
	{"max_session_jobs", IN_DAEMON(max_session_jobs), .type = CONFIG_COUNT, .number = DEFAULT_SESSION_JOBS,
	 .min = 1, .max = 65536, .help = "requests of one session in flight: past it, it is not read"},

	{"allow_users", IN_DAEMON(allow_users), .type = CONFIG_NAMES, .text = "",
	 .help = "users who may connect, beside the socket's mode; empty, as allow_groups: all"},
	{"allow_groups", IN_DAEMON(allow_groups), .type = CONFIG_NAMES, .text = "",
	 .help = "groups whose members may connect"},
	{"max_user_sessions", IN_DAEMON(max_user_sessions), .type = CONFIG_COUNT, .number = DEFAULT_USER_SESSIONS,
	 .min = 1, .max = 65536, .help = "sessions of one user: past it, a connection is answered quota"},
	{"max_user_jobs", IN_DAEMON(max_user_jobs), .type = CONFIG_COUNT, .number = DEFAULT_USER_JOBS,
	 .min = 1, .max = MILLION, .help = "requests of one user in flight: past it, they are answered quota"},
	{"max_user_crashes", IN_DAEMON(max_user_crashes), .type = CONFIG_COUNT, .number = DEFAULT_USER_CRASHES,
	 .min = 1, .max = MILLION, .help = "workers that one user's boards may crash in a minute: past it, they are answered quota"},
	{"build_tables", IN_DAEMON(build_tables), .type = CONFIG_BOOL, .number = 1,
	 .help = "whether tables that are missing are built by themselves"},

	{"timeout", IN_BOTH(timeout), .type = CONFIG_DURATION, .number = DEFAULT_TIMEOUT_MS,
	 .min = 1, .max = YEAR, .help = "how long a request may take; one may ask for less"},
	{"grace", IN_BOTH(grace), .type = CONFIG_DURATION, .number = DEFAULT_GRACE_MS,
	 .max = HOUR, .help = "how long a worker may take to stop before it is killed; 0s: no time"},
	{"open_timeout", IN_BOTH(open_timeout), .type = CONFIG_DURATION, .number = DEFAULT_OPEN_MS,
	 .min = 1, .max = HOUR, .help = "how long a worker may take to start"},
	{"memory", IN_BOTH(memory), .type = CONFIG_SIZE, .number = DEFAULT_MEMORY,
	 .min = MIB, .max = 1024 * GIB, .help = "bytes that a worker may use beyond its mapped tables"},
	{"workers", IN_BOTH(workers), .type = CONFIG_COUNT, .number = DEFAULT_WORKERS,
	 .min = 1, .max = LIMIT_WORKERS, .help = "workers of a puzzle at most; they are started on demand"},
	{"sandbox", IN_BOTH(sandbox), .type = CONFIG_BOOL, .number = 1,
	 .help = "whether plugins are kept from files, sockets and other processes"},

	{"plugin", IN_PUZZLE(plugin), .type = CONFIG_TEXT,
	 .help = "the shared object, relative to plugin_dir; required"},
	{"goal", IN_PUZZLE(goal), .type = CONFIG_TEXT,
	 .help = "the goal of requests that name none; without it, the plugin's own"},
};
/* clang-format on */

/* ---- the places ---- */

static bool is_string(const struct config_key *key)
{
	return key->type <= CONFIG_NAMES;
}

static char **string_at(const struct config_key *key, const void *base)
{
	return (char **)((char *)base + key->offset);
}

static int64_t number_at(const struct config_key *key, const void *base)
{
	const char *place = (const char *)base + key->offset;
	switch (key->type) {
	case CONFIG_SIZE:
		return (int64_t) * (const uint64_t *)place;
	case CONFIG_DURATION:
		return *(const int64_t *)place;
	default:
		return *(const uint32_t *)place;
	}
}

static void set_number(const struct config_key *key, void *base, int64_t number)
{
	char *place = (char *)base + key->offset;
	switch (key->type) {
	case CONFIG_SIZE:
		*(uint64_t *)place = (uint64_t)number;
		break;
	case CONFIG_DURATION:
		*(int64_t *)place = number;
		break;
	default:
		*(uint32_t *)place = (uint32_t)number;
		break;
	}
}

static int set_string(const struct config_key *key, void *base, const char *text)
{
	char *copy = strdup(text);
	if (!copy)
		return -1;
	free(*string_at(key, base));
	*string_at(key, base) = copy;
	return 0;
}

int config_key_set_default(const struct config_key *key, void *base)
{
	if (!is_string(key))
		set_number(key, base, key->number);
	else if (key->text)
		return set_string(key, base, key->text);
	return 0;
}

void config_key_copy(const struct config_key *key, void *to, const void *from)
{
	assert(!is_string(key));
	set_number(key, to, number_at(key, from));
}

bool config_key_equal(const struct config_key *key, const void *a, const void *b)
{
	if (!is_string(key))
		return number_at(key, a) == number_at(key, b);
	const char *one = *string_at(key, a), *other = *string_at(key, b);
	return one && other ? strcmp(one, other) == 0 : one == other;
}

void config_key_free(const struct config_key *key, void *base)
{
	if (!is_string(key))
		return;
	free(*string_at(key, base));
	*string_at(key, base) = NULL;
}

/* ---- from text ---- */

static int judge_string(const struct config_key *key, const char *text, char *reason, size_t cap)
{
	enum { SOCKET_PATH_MAX = sizeof(((struct sockaddr_un *)0)->sun_path) - 1 };
	static const char name_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					 "0123456789_.-";
	static const char names_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "0123456789_.- ,";
	size_t len = strlen(text);
	switch (key->type) {
	case CONFIG_NAMES:
		if (strspn(text, names_chars) < len)
			return reason_set(reason, cap,
					  "'%s' is no list of users or groups: names with spaces "
					  "or commas between",
					  text);
		return 0;
	case CONFIG_NAME:
		if (strspn(text, name_chars) < len)
			return reason_set(reason, cap, "'%s' is no name of a user or a group",
					  text);
		return 0;
	case CONFIG_SOCKET:
		if (len > SOCKET_PATH_MAX)
			return reason_set(reason, cap,
					  "a socket's path has at most %d bytes, not %zu",
					  SOCKET_PATH_MAX, len);
		/* fallthrough */
	case CONFIG_PATH:
		if (text[0] != '/')
			return reason_set(reason, cap, "'%s' is not an absolute path", text);
		return 0;
	default:
		return len ? 0 : reason_set(reason, cap, "it has no value");
	}
}

static int parse_number(const struct config_key *key, struct text text, int64_t *ret, char *reason,
			size_t cap)
{
	uint32_t mode;
	uint64_t size;
	enum log_level level;
	bool yes;
	switch (key->type) {
	case CONFIG_BOOL:
		if (units_bool(text, &yes, reason, cap) < 0)
			return -1;
		*ret = yes;
		return 0;
	case CONFIG_MODE:
		if (units_mode(text, &mode, reason, cap) < 0)
			return -1;
		*ret = mode;
		return 0;
	case CONFIG_LEVEL:
		if (!log_level_by_name(text, &level))
			return reason_set(reason, cap,
					  "'%s' is none of error, warning, notice, info and debug",
					  text.data);
		*ret = level;
		return 0;
	case CONFIG_SIZE:
		if (units_size(text, (uint64_t)key->min, (uint64_t)key->max, &size, reason, cap) <
		    0)
			return -1;
		*ret = (int64_t)size;
		return 0;
	case CONFIG_DURATION:
		return units_duration(text, key->min, key->max, ret, reason, cap);
	default:
		return units_number(text, key->min, key->max, ret, reason, cap);
	}
}

int config_key_set(const struct config_key *key, void *base, const char *text, char *reason,
		   size_t cap)
{
	if (is_string(key)) {
		if (judge_string(key, text, reason, cap) < 0)
			return -1;
		return set_string(key, base, text) < 0 ? reason_set(reason, cap, "no memory") : 0;
	}
	int64_t number;
	if (parse_number(key, text_of(text), &number, reason, cap) < 0)
		return -1;
	set_number(key, base, number);
	return 0;
}

/* ---- to text ---- */

static void print_number(const struct config_key *key, int64_t number, FILE *out)
{
	char text[UNITS_MAX];
	switch (key->type) {
	case CONFIG_BOOL:
		fputs(number ? "yes" : "no", out);
		break;
	case CONFIG_MODE:
		fprintf(out, "%04o", (unsigned)number);
		break;
	case CONFIG_LEVEL:
		fputs(log_level_name((enum log_level)number), out);
		break;
	case CONFIG_SIZE:
		fputs(units_print_size((uint64_t)number, text), out);
		break;
	case CONFIG_DURATION:
		fputs(units_print_duration(number, text), out);
		break;
	default:
		fprintf(out, "%" PRId64, number);
		break;
	}
}

void config_key_print(const struct config_key *key, const void *base, FILE *out)
{
	if (is_string(key) && !*string_at(key, base))
		return;
	fprintf(out, "%s = ", key->name);
	if (is_string(key))
		fputs(*string_at(key, base), out);
	else
		print_number(key, number_at(key, base), out);
	fputc('\n', out);
}

void config_keys_print(FILE *out)
{
	static const char *const scopes[] = {
		[CONFIG_DAEMON] = "daemon", [CONFIG_JOB] = "both", [CONFIG_PUZZLE] = "puzzle"};
	static const char *const types[] = {
		[CONFIG_PATH] = "path", [CONFIG_SOCKET] = "path",       [CONFIG_TEXT] = "text",
		[CONFIG_NAME] = "name", [CONFIG_NAMES] = "names",       [CONFIG_BOOL] = "boolean",
		[CONFIG_MODE] = "mode", [CONFIG_LEVEL] = "level",       [CONFIG_COUNT] = "number",
		[CONFIG_SIZE] = "size", [CONFIG_DURATION] = "duration",
	};
	for (size_t i = 0; i < CONFIG_KEYS; i++) {
		const struct config_key *key = &config_keys[i];
		fprintf(out, "%s\t%s\t%s\t", scopes[key->scope], key->name, types[key->type]);
		if (is_string(key))
			fputs(key->text && key->text[0] ? key->text : "-", out);
		else
			print_number(key, key->number, out);
		if (key->max) {
			fputc('\t', out);
			print_number(key, key->min, out);
			fputc('\t', out);
			print_number(key, key->max, out);
		} else {
			fputs("\t-\t-", out);
		}
		fprintf(out, "\t%s\t%s\n", key->fixed ? "restart" : "reload", key->help);
	}
}

/* ---- names ---- */

const struct config_key *config_key_find(const char *name)
{
	for (size_t i = 0; i < CONFIG_KEYS; i++)
		if (strcmp(config_keys[i].name, name) == 0)
			return &config_keys[i];
	return NULL;
}

/* Slips that turn `a` into `b`: the optimal string alignment distance.  Names longer than NAME are
 * like nothing. */
static size_t distance(const char *a, const char *b)
{
	enum { NAME = 32 };
	size_t table[NAME + 1][NAME + 1];
	size_t rows = strlen(a), columns = strlen(b);
	if (rows > NAME || columns > NAME)
		return SIZE_MAX;
	for (size_t i = 0; i <= rows; i++)
		for (size_t j = 0; j <= columns; j++) {
			if (!i || !j) {
				table[i][j] = i + j;
				continue;
			}
			size_t best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (table[i - 1][j] + 1 < best)
				best = table[i - 1][j] + 1;
			if (table[i][j - 1] + 1 < best)
				best = table[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    table[i - 2][j - 2] + 1 < best)
				best = table[i - 2][j - 2] + 1;
			table[i][j] = best;
		}
	return table[rows][columns];
}

enum { SLIPS = 2 }; /* past it, two names are not alike */

bool config_is_slip(const char *a, const char *b)
{
	return distance(a, b) <= SLIPS;
}

const char *config_key_nearest(const char *name)
{
	const char *nearest = NULL;
	size_t least = SLIPS + 1;
	for (size_t i = 0; i < CONFIG_KEYS; i++) {
		size_t slips = config_keys[i].scope == CONFIG_PUZZLE
				       ? SIZE_MAX
				       : distance(name, config_keys[i].name);
		if (slips < least) {
			least = slips;
			nearest = config_keys[i].name;
		}
	}
	return nearest;
}
