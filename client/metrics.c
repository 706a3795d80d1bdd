/* SPDX-License-Identifier: MIT */
/* puzzlectl metrics: the daemon's numbers for a monitoring system. */
#include "client/command.h"
#include "client/member.h"
#include "client/print.h"

static const char metrics_help[] =
	"Prints the daemon's counters as OpenMetrics text, for Prometheus and its kin.\n"
	"\n"
	"Example:\n"
	"  puzzlectl metrics > /var/lib/prometheus/node-exporter/puzzled.prom";

static void print_metrics(const json_t *result)
{
	const char *text = json_string_value(result);
	if (!text)
		text = text_at(result, "text");
	if (!text)
		text = text_at(result, "metrics");
	size_t len = text ? strlen(text) : 0;
	print_lines(stdout, text ? text : "");
	if (len > 0 && text[len - 1] != '\n')
		putchar('\n');
}

static int metrics_run(struct client *client, void *values, int argc, char **argv)
{
	(void)values, (void)argc, (void)argv;
	return command_ask(client, "metrics", json_object(), print_metrics);
}

const struct command command_metrics = {
	.name = "metrics",
	.arguments = "",
	.summary = "print the daemon's counters as OpenMetrics",
	.help = metrics_help,
	.most = 0,
	.daemon_only = true,
	.run = metrics_run,
};
