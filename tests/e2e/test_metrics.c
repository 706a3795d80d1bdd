/* SPDX-License-Identifier: MIT */
/*
 * The text of `metrics`, read by the grammar of OpenMetrics 1.0.0: families in one piece each,
 * whose samples carry the suffixes of their type, units that end names, labels, numbers, cumulative
 * buckets, and the end.
 */
#include "tests/e2e/harness.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 80, FAMILIES = 64 };

struct reader {
	char family[NAME], type[NAME];
	char seen[FAMILIES][NAME];
	int families, samples;
	bool sampled; /* the family has samples: no more metadata may come */
	/* The running series of buckets. */
	char series[160];
	double le, count;
};

static void wrong(const char *line, const char *why)
{
	fail_msg("%s: %.200s", why, line);
}

static size_t name_len(const char *text)
{
	size_t len = 0;
	while (isalnum((unsigned char)text[len]) || text[len] == '_' || text[len] == ':')
		len++;
	return isdigit((unsigned char)text[0]) ? 0 : len;
}

static void read_metadata(struct reader *reader, const char *line)
{
	char kind[8], name[NAME], rest[256];
	if (sscanf(line, "# %7s %79s %255[^\n]", kind, name, rest) != 3)
		wrong(line, "no metadata");
	if (strcmp(kind, "TYPE") == 0) {
		for (int i = 0; i < reader->families; i++)
			if (strcmp(reader->seen[i], name) == 0)
				wrong(line, "a family in two pieces");
		assert_true(reader->families < FAMILIES);
		strcpy(reader->seen[reader->families++], name);
		strcpy(reader->family, name);
		snprintf(reader->type, sizeof(reader->type), "%.79s", rest);
		reader->sampled = false;
		reader->series[0] = '\0';
		static const char *const types[] = {"counter", "gauge", "histogram", "info"};
		for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
			if (strcmp(types[i], rest) == 0)
				return;
		wrong(line, "no type that is used here");
	}
	if (strcmp(name, reader->family) != 0 || reader->sampled)
		wrong(line, "metadata out of its place");
	if (strcmp(kind, "UNIT") == 0) {
		size_t len = strlen(name), unit = strlen(rest);
		if (unit >= len || strcmp(name + len - unit, rest) != 0 ||
		    name[len - unit - 1] != '_')
			wrong(line, "a unit that does not end the name");
	} else if (strcmp(kind, "HELP") != 0) {
		wrong(line, "unknown metadata");
	}
}

/* Walks over `{name="value",...}`; the value of le in *ret_le, the other labels in `series`. */
static const char *read_labels(const char *line, const char *at, double *ret_le, char *series,
			       size_t cap)
{
	series[0] = '\0';
	if (*at != '{')
		return at;
	at++;
	while (*at != '}') {
		size_t len = name_len(at);
		const char *name = at;
		at += len;
		if (!len || at[0] != '=' || at[1] != '"')
			wrong(line, "no label");
		const char *value = at += 2;
		while (*at && *at != '"')
			at += at[0] == '\\' && at[1] ? 2 : 1;
		if (*at != '"')
			wrong(line, "a label without an end");
		if (len == 2 && strncmp(name, "le", 2) == 0)
			*ret_le = strtod(value, NULL); /* +Inf too */
		else
			snprintf(series + strlen(series), cap - strlen(series), "%.*s,",
				 (int)(at - name), name);
		at++;
		if (*at == ',')
			at++;
		else if (*at != '}')
			wrong(line, "labels without a comma");
	}
	return at + 1;
}

static void check_bucket(struct reader *reader, const char *line, const char *series, double le,
			 double value)
{
	if (strcmp(reader->series, series) == 0 && !isinf(reader->le)) {
		if (le <= reader->le || value < reader->count)
			wrong(line, "buckets that do not rise");
	}
	snprintf(reader->series, sizeof(reader->series), "%s", series);
	reader->le = le;
	reader->count = value;
}

static void read_sample(struct reader *reader, const char *line)
{
	char series[160];
	double le = NAN;
	size_t len = name_len(line), family = strlen(reader->family);
	char *end;
	const char *suffix = line + family;
	if (len < family || strncmp(line, reader->family, family) != 0)
		wrong(line, "a sample outside its family");
	len -= family;
	const char *at = read_labels(line, suffix + len, &le, series, sizeof(series));
	if (*at != ' ')
		wrong(line, "no value");
	double value = strtod(at + 1, &end);
	if (end == at + 1 || *end != '\n')
		wrong(line, "no number");
#define SUFFIX(text) (len == strlen(text) && strncmp(suffix, text, len) == 0)
	if (strcmp(reader->type, "counter") == 0 ? !SUFFIX("_total")
	    : strcmp(reader->type, "info") == 0  ? !SUFFIX("_info") || value != 1
	    : strcmp(reader->type, "gauge") == 0 ? !SUFFIX("")
	    : SUFFIX("_bucket")                  ? isnan(le)
						 : !SUFFIX("_count") && !SUFFIX("_sum"))
		wrong(line, "a sample that its type does not have");
	if (SUFFIX("_bucket"))
		check_bucket(reader, line, series, le, value);
	if (SUFFIX("_count") &&
	    (strcmp(series, reader->series) != 0 || !isinf(reader->le) || value != reader->count))
		wrong(line, "a count that is not that of the last bucket");
	if (value < 0)
		wrong(line, "a negative number");
	reader->sampled = true;
	reader->samples++;
}

static void read_text(struct reader *reader, const char *text)
{
	while (strcmp(text, "# EOF\n") != 0) {
		const char *end = strchr(text, '\n');
		if (!end)
			wrong(text, "a last line that is not # EOF");
		if (text[0] == '#')
			read_metadata(reader, text);
		else
			read_sample(reader, text);
		text = end + 1;
	}
}

static void test_metrics_are_openmetrics(void **state)
{
	struct site *site = *state;
	struct client client;
	struct reader reader = {.samples = 0};
	site_run(site, "[puzzle:count]\nplugin = @/tests/plugins/good.so\n[puzzle:8puzzle]\nplugin "
		       "= 8puzzle.so\n");
	client_open(&client, site);
	for (int i = 1; i <= 20; i++) {
		client_solve(&client, i, "8puzzle", i % 2 ? "283104765" : "123456708");
		json_decref(client_next(&client));
	}
	client_solve(&client, 1, "8puzzle", "12345");
	assert_error(client_next(&client), 1, "invalid_board", "9");
	json_t *reply = client_ask(&client, "\"method\":\"metrics\"");
	const json_t *result = json_object_get(reply, "result");
	const char *text = json_string_value(json_object_get(result, "text"));
	assert_non_null(text);
	read_text(&reader, text);
	assert_true(reader.families >= 10 && reader.samples >= 30);
	static const char *const must[] = {
		"\npuzzled_boards_total{puzzle=\"8puzzle\",status=\"solved\"} 10\n",
		"\npuzzled_boards_total{puzzle=\"8puzzle\",status=\"unsolvable\"} 10\n",
		"\npuzzled_errors_total{puzzle=\"8puzzle\",kind=\"invalid_board\"} 1\n",
		"\npuzzled_request_duration_seconds_count{puzzle=\"8puzzle\"} 21\n",
		"\npuzzled_request_duration_seconds_count{puzzle=\"count\"} 0\n",
		"\npuzzled_puzzle_ready{puzzle=\"count\"} 1\n",
	};
	for (size_t i = 0; i < sizeof(must) / sizeof(must[0]); i++)
		if (!strstr(text, must[i]))
			fail_msg("no %s in %s", must[i], text);
	json_decref(reply);
	client_close(&client);
	site_stop(site);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_metrics_are_openmetrics, site_open,
						site_close),
	};
	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
