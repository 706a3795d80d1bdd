/* SPDX-License-Identifier: MIT */
#include "worker/moves.h"

#include "common/frame.h"
#include "common/wire.h"
#include "worker/plain.h"

#include <stdlib.h>

enum { NAMES_BYTES = 1024 * 1024 }; /* of all names in HELLO: what the wire takes */

/* The order of the sorted names: any total order does. */
static int compare(const void *a, const void *b)
{
	const struct text *x = &((const struct move_name *)a)->name;
	const struct text *y = &((const struct move_name *)b)->name;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->data, y->data, x->len);
}

/* The name of a move, not given where its id is not in use.  `room` has PZ_NAME_MAX bytes. */
static struct text ask(const struct pz_plugin *plugin, uint32_t notation, uint32_t id, char *room)
{
	const char *name = room;
	if (!plugin->move_name)
		name = plugin->move_names[id];
	else if (plugin->move_name(notation, id, room, PZ_NAME_MAX) < 0)
		name = NULL;
	return (struct text){name, name ? strnlen(name, PZ_NAME_MAX) : 0};
}

/* A name that a list with blanks between its names can hold. */
static bool is_word(struct text name)
{
	return name.len > 0 && name.len < PZ_NAME_MAX && plain_check(name, false) &&
	       !memchr(name.data, ' ', name.len);
}

static int collect(struct moves *moves, const struct pz_plugin *plugin, uint32_t notations,
		   struct error *error)
{
	char room[PZ_NAME_MAX];
	for (uint32_t notation = 0; notation < notations; notation++) {
		for (uint32_t id = 0; id < moves->count; id++) {
			room[0] = '\0';
			struct text name = ask(plugin, notation, id, room);
			if (name.data && !is_word(name))
				return error_set(
					error, ERR_PLUGIN_FAILED,
					"the plugin's name of move %u, %s, is no word of 1 to %d "
					"bytes",
					id, plain_quote(name).text, PZ_NAME_MAX - 1);
			put_text(&moves->names, name);
		}
	}
	if (moves->names.failed)
		return error_set(error, ERR_PLUGIN_FAILED,
				 "the plugin's names of moves take more than %d bytes",
				 NAMES_BYTES);
	return 0;
}

static int sort(struct moves *moves, uint32_t notations, struct error *error)
{
	struct text rest = buf_text(&moves->names);
	uint32_t used = 0;
	moves->sorted = calloc((size_t)moves->count * notations, sizeof(moves->sorted[0]));
	if (!moves->sorted)
		return error_set(error, ERR_PLUGIN_FAILED, "no memory for the names of the moves");
	for (uint32_t notation = 0; notation < notations; notation++) {
		uint32_t first = used;
		for (uint32_t id = 0; id < moves->count; id++) {
			struct text name = wire_name_next(&rest);
			if (name.data)
				moves->sorted[used++] = (struct move_name){name, (uint16_t)id};
		}
		moves->first[notation] = first;
		moves->first[notation + 1] = used;
		qsort(moves->sorted + first, used - first, sizeof(moves->sorted[0]), compare);
		for (uint32_t i = first + 1; i < used; i++)
			if (compare(&moves->sorted[i - 1], &moves->sorted[i]) == 0)
				return error_set(
					error, ERR_PLUGIN_FAILED,
					"the plugin gives the moves %u and %u one name, %s",
					moves->sorted[i - 1].id, moves->sorted[i].id,
					plain_quote(moves->sorted[i].name).text);
	}
	return 0;
}

int moves_collect(struct moves *ret, const struct pz_plugin *plugin, uint32_t notations,
		  struct error *error)
{
	*ret = (struct moves){.count = plugin->moves, .names.max = NAMES_BYTES};
	return collect(ret, plugin, notations, error) < 0 ? -1 : sort(ret, notations, error);
}

int moves_find(const struct moves *moves, uint32_t notation, struct text name)
{
	struct move_name key = {.name = name};
	if (!name.len)
		return -1;
	const struct move_name *first = moves->sorted + moves->first[notation];
	size_t count = moves->first[notation + 1] - moves->first[notation];
	const struct move_name *found = bsearch(&key, first, count, sizeof(key), compare);
	return found ? found->id : -1;
}
