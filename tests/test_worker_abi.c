/* SPDX-License-Identifier: MIT */
/* Plugins of one ABI and another size: built for a header that was shorter, or is longer. */
#include "tests/cmocka_first.h"

#include "tests/worker_peer.h"
#include "worker/host.h"

/* A member that was appended may not lie in what was padding at the end of the struct before. */
_Static_assert(offsetof(struct pz_plugin, self_test) % 8 == 0, "appended at a multiple of 8");

static void load(struct host *ret, const char *plugin)
{
	struct error error = {0};
	if (host_load(ret, peer_plugin(plugin), &error) < 0)
		fail_msg("%s", error.reason);
}

static void serves(const char *plugin)
{
	static const char *const boards[] = {"3", NULL};
	struct peer peer;
	struct wire_result result;
	peer_open(&peer, plugin);
	const struct wire_job job = peer_job(WIRE_SOLVE);
	peer_results(&peer, peer_send_job(&peer, &job, boards), 1, &result);
	assert_int_equal(result.status, WIRE_SOLVED);
	assert_int_equal(result.length, 3);
	peer_end(&peer);
}

static void a_plugin_of_the_previous_size_is_loaded_and_serves(void **state)
{
	static struct host host;
	(void)state;
	load(&host, "previous");
	assert_int_equal(host.plugin.size, offsetof(struct pz_plugin, self_test));
	assert_int_equal(host.plugin.board_max, 24);
	assert_null(host.plugin.self_test);
	serves("previous");
}

static void a_plugin_of_a_later_size_is_loaded_and_serves(void **state)
{
	static struct host host;
	(void)state;
	load(&host, "next");
	assert_true(host.plugin.size > sizeof(struct pz_plugin));
	assert_null(host.plugin.self_test);
	assert_int_equal(host.metadata.notations, 1);
	serves("next");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plugin_of_the_previous_size_is_loaded_and_serves),
		cmocka_unit_test(a_plugin_of_a_later_size_is_loaded_and_serves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
