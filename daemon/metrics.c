/* SPDX-License-Identifier: MIT */
/*
 * metrics: the counters as OpenMetrics text, version 1.0.0 of the specification: families in one
 * piece each, counters that end in _total, units in their names, `# EOF` at the end.
 */
#include <config.h>

#include "daemon/methods.h"
#include "daemon/params.h"
#include "daemon/pool.h"
#include "daemon/print.h"
#include "daemon/server.h"
#include "daemon/session.h"

#include <inttypes.h>

/* Buckets of the histogram: powers of four from 64 us to 67 s. */
enum { FIRST_OCTAVE = 6, LAST_OCTAVE = 26, OCTAVE_STEP = 2 };

static void family(struct buf *out, const char *name, const char *type, const char *unit,
		   const char *help)
{
	buf_printf(out, "# TYPE %s %s\n", name, type);
	if (unit)
		buf_printf(out, "# UNIT %s %s\n", name, unit);
	buf_printf(out, "# HELP %s %s\n", name, help);
}

#define EACH_POOL(pool, server) TAILQ_FOREACH (pool, &(server)->pools, link)

/* Names of puzzles, tables and kinds consist of letters, digits and - _: no label needs an
 * escape. */
static void gauge(struct buf *out, const char *name, const struct pool *pool, uint64_t value)
{
	buf_printf(out, "%s{puzzle=\"%s\"} %" PRIu64 "\n", name, pool->config->name, value);
}

static void put_server(struct buf *out, const struct server *server)
{
	family(out, "puzzled_build", "info", NULL, "The daemon's version.");
	buf_printf(out, "puzzled_build_info{version=\"%s\"} 1\n", PACKAGE_VERSION);
	family(out, "puzzled_uptime_seconds", "gauge", "seconds", "Time since the start.");
	buf_printf(out, "puzzled_uptime_seconds %.3f\n",
		   (double)(loop_now_us() - server->started_us) / 1e6);
	family(out, "puzzled_sessions", "gauge", NULL, "Open connections.");
	buf_printf(out, "puzzled_sessions %u\n", server->sessions_open);
	family(out, "puzzled_sessions_opened", "counter", NULL, "Connections since the start.");
	buf_printf(out, "puzzled_sessions_opened_total %" PRIu64 "\n", server->session_count);
	family(out, "puzzled_reloads", "counter", NULL,
	       "Reloads of the configuration, good and bad.");
	buf_printf(out, "puzzled_reloads_total %" PRIu64 "\n", server->reload.ended);
}

static void put_pools(struct buf *out, const struct server *server)
{
	const struct pool *pool;
	const struct worker *worker;
	family(out, "puzzled_puzzle_ready", "gauge", NULL, "Whether the puzzle is served.");
	EACH_POOL(pool, server)
	gauge(out, "puzzled_puzzle_ready", pool, pool->state == POOL_READY);
	family(out, "puzzled_workers", "gauge", NULL, "Worker processes.");
	EACH_POOL(pool, server)
	gauge(out, "puzzled_workers", pool, pool->worker_count);
	family(out, "puzzled_workers_busy", "gauge", NULL, "Worker processes that have a job.");
	EACH_POOL(pool, server)
	{
		uint64_t busy = 0;
		TAILQ_FOREACH (worker, &pool->workers, link)
			busy += worker->held_count > 0;
		gauge(out, "puzzled_workers_busy", pool, busy);
	}
	family(out, "puzzled_worker_deaths", "counter", NULL,
	       "Workers that died without being asked to leave.");
	EACH_POOL(pool, server)
	gauge(out, "puzzled_worker_deaths_total", pool, pool->tally->deaths);
	family(out, "puzzled_queue_boards", "gauge", NULL, "Boards that wait for a worker.");
	EACH_POOL(pool, server)
	gauge(out, "puzzled_queue_boards", pool, pool->queue.boards);
	family(out, "puzzled_table_ready", "gauge", NULL, "Whether the table is in use.");
	EACH_POOL(pool, server)
	for (uint32_t i = 0; pool->puzzle && i < pool->puzzle->hello.table_count; i++) {
		const struct wire_table *table = &pool->puzzle->hello.tables[i];
		buf_printf(out, "puzzled_table_ready{puzzle=\"%s\",table=\"%.*s\"} %d\n",
			   pool->config->name, (int)table->name.len, table->name.data,
			   table->ready);
	}
}

static void put_boards(struct buf *out, const struct server *server)
{
	static const struct {
		enum wire_status status;
		const char *name;
	} statuses[] = {
		{WIRE_SOLVED, "solved"}, {WIRE_UNSOLVABLE, "unsolvable"}, {WIRE_LIMITED, "limit"}};
	const struct pool *pool;
	family(out, "puzzled_boards", "counter", NULL, "Boards that got a result, by its status.");
	EACH_POOL(pool, server)
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		buf_printf(out, "puzzled_boards_total{puzzle=\"%s\",status=\"%s\"} %" PRIu64 "\n",
			   pool->config->name, statuses[i].name,
			   pool->tally->boards[statuses[i].status]);
	family(out, "puzzled_errors", "counter", NULL, "Boards that got an error, by its kind.");
	EACH_POOL(pool, server)
	for (unsigned kind = ERR_NONE + 1; kind < ERR_KINDS; kind++)
		if (pool->tally->failed[kind])
			buf_printf(out,
				   "puzzled_errors_total{puzzle=\"%s\",kind=\"%s\"} %" PRIu64 "\n",
				   pool->config->name, error_info((enum error_kind)kind)->name,
				   pool->tally->failed[kind]);
}

static void put_times(struct buf *out, const struct server *server)
{
	static const char name[] = "puzzled_request_duration_seconds";
	const struct pool *pool;
	family(out, name, "histogram", "seconds", "Time from a request's receipt to its answer.");
	EACH_POOL(pool, server)
	{
		const struct tally *tally = pool->tally;
		for (unsigned octave = FIRST_OCTAVE; octave <= LAST_OCTAVE; octave += OCTAVE_STEP)
			buf_printf(out, "%s_bucket{puzzle=\"%s\",le=\"%.6f\"} %" PRIu64 "\n", name,
				   pool->config->name, (double)(UINT64_C(1) << octave) / 1e6,
				   tally_below(tally, octave));
		buf_printf(out, "%s_bucket{puzzle=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", name,
			   pool->config->name, tally->requests);
		buf_printf(out, "%s_count{puzzle=\"%s\"} %" PRIu64 "\n", name, pool->config->name,
			   tally->requests);
		buf_printf(out, "%s_sum{puzzle=\"%s\"} %.6f\n", name, pool->config->name,
			   (double)tally->total_us / 1e6);
	}
}

enum method_code method_metrics(struct session *session, struct rpc_call *call, struct buf *out,
				struct error *ret_error)
{
	struct params params;
	struct buf text = {0};
	if (params_read(call->params, 0, &params, ret_error) < 0)
		return METHOD_ERROR;
	put_server(&text, session->server);
	put_pools(&text, session->server);
	put_boards(&text, session->server);
	put_times(&text, session->server);
	buf_put_string(&text, "# EOF\n");
	buf_put_string(out, "\"result\":{");
	print_text_member(out, "content_type",
			  text_of("application/openmetrics-text; version=1.0.0; charset=utf-8"));
	print_text_member(out, "text", buf_text(&text));
	print_end(out, '}');
	out->failed |= text.failed;
	buf_free(&text);
	return METHOD_REPLIED;
}
