/* SPDX-License-Identifier: MIT */
/* Clients that ask for more than is good, and come in crowds. */
#include <config.h>

#include "tests/e2e/harness.h"

#include <string.h>

/* Every other board is none, so that no two others can go together; and each has a long goal and options. */
static void put_odd_boards(struct buf *line, int boards)
{
	char text[257];
	memset(text, 'x', 256);
	text[256] = '\0';
	buf_put_string(line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{"
			     "\"puzzle\":\"count\",\"boards\":[");
	for (int i = 0; i < boards; i++)
		buf_printf(line, "%s\"7\",null", i ? "," : "");
	buf_put_string(line, "],\"goal\":\"");
	for (int i = 0; i < 16; i++)
		buf_put_string(line, text);
	buf_put_string(line, "\"");
	for (int i = 0; i < 16; i++)
		buf_printf(line, ",\"option%d\":\"%s\"", i, text);
	buf_put_string(line, "}}\n");
}

static void test_a_long_goal_is_not_kept_for_each_board(void **state)
{
	enum { BOARDS = 5000, MOST_KIB = 40 * 1024 };
	struct site *site = *state;
	struct client client, other;
	struct buf line = {0};
	site_run(site, "max_reply = 1G\n[puzzle:count]\nplugin = @/tests/plugins/good.so\n");
	client_open(&other, site);
	json_decref(
		client_ask(&other, "\"method\":\"describe\",\"params\":{\"puzzle\":\"count\"}"));
	long before = site_rss_kib(site), most = 0;
	client_open(&client, site);
	put_odd_boards(&line, BOARDS);
	client_send_bytes(&client, buf_text(&line).data, buf_len(&line));
	json_t *reply = client_next(&client);
	most = site_rss_kib(site);
	const json_t *all = json_object_get(reply, "result");
	assert_int_equal(json_array_size(all), 2 * BOARDS);
	for (size_t i = 0; i < 2 * BOARDS; i++)
		assert_non_null(json_object_get(json_array_get(all, i), "error"));
	json_decref(reply);
	client_close(&client);
	client_close(&other);
#ifndef PZ_SANITIZED
	assert_in_range(most, 1, before + MOST_KIB);
#else
	(void)before, (void)most;
#endif
	buf_free(&line);
	site_stop(site);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON_SITE(test) cmocka_unit_test_setup_teardown(test, site_open, site_close)
		ON_SITE(test_a_long_goal_is_not_kept_for_each_board),
	};
	return cmocka_run_group_tests_name("storms", tests, NULL, NULL);
}
