/* SPDX-License-Identifier: MIT */
#include "worker/services.h"

#include "worker/plain.h"
#include "worker/sandbox.h"
#include "worker/tables.h"

#include <errno.h>
#include <stdio.h>

enum { LOG_LINE = LIMIT_STDERR_LINE };

static void report(struct services *services, uint64_t now, uint64_t nodes, uint64_t bound)
{
	struct channel *channel = services->channel;
	services->reported = now;
	wire_put_progress(channel_frame(channel),
			  &(struct wire_progress){
				  .job = channel->job,
				  .nodes = nodes,
				  .bound = bound,
				  .elapsed_us = (now - services->began) / NS_PER_US,
				  .board = services->board,
			  });
	channel_sent(channel, true);
}

/* Called by searches every few thousand nodes: all but one call in a millisecond only read the
 * clock. */
static bool host_poll(const struct pz_host *host, uint64_t nodes, uint64_t bound)
{
	struct services *services = host->data;
	struct channel *channel = services->channel;
	if (channel->stop)
		return true;
	uint64_t now = clock_ns();
	if (now - channel->looked < CHANNEL_LOOK_NS)
		return false;
	channel_look(channel, now);
	if (services->report && (channel->job || services->building) &&
	    now - services->reported >= (uint64_t)PROGRESS_MS * NS_PER_MS)
		report(services, now, nodes, bound);
	return channel->stop;
}

static void put_log(struct services *services, enum pz_level level, struct text text)
{
	char line[LOG_LINE];
	if ((unsigned)level < PZ_ERROR || (unsigned)level > PZ_DEBUG)
		level = PZ_INFO;
	size_t len = plain_copy(line, sizeof(line), text);
	wire_put_log(channel_frame(services->channel), (uint32_t)level, (struct text){line, len});
	/* What is said before the first job would be lost with a plugin that dies in `open`. */
	channel_sent(services->channel, services->opening);
}

static void host_log(const struct pz_host *host, enum pz_level level, const char *text)
{
	if (text)
		put_log(host->data, level, (struct text){text, strnlen(text, LOG_LINE + 1)});
}

static const void *host_table(const struct pz_host *host, const char *name, uint32_t version,
			      size_t size)
{
	struct services *services = host->data;
	const struct table_key key = {services->plugin, name, version, size};
	const void *content;
	char line[LOG_LINE];
	if (!table_is_name(name))
		return NULL;
	content = shelf_find(&services->shelf, &key);
	if (content || !services->opening)
		return content;
	/* It is not there, or no good: say which. */
	sandbox_allow(TABLE_HEADER + (uint64_t)size);
	int rc = table_map(services->table_dir, &key, &content);
	if (rc == 0)
		return content;
	if (rc != -ENOENT) {
		int len = snprintf(line, sizeof(line), "the table \"%s\" is not used: %s", name,
				   rc == -ESTALE    ? "it is of another version"
				   : rc == -EBADMSG ? "its file is damaged"
						    : strerror(-rc));
		put_log(services, PZ_WARNING, (struct text){line, (size_t)len});
	}
	return NULL;
}

void services_init(struct services *services, struct channel *channel)
{
	*services = (struct services){
		.host = {.size = sizeof(services->host),
			 .data = services,
			 .poll = host_poll,
			 .log = host_log,
			 .table = host_table},
		.channel = channel,
	};
}
