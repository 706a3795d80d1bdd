/* SPDX-License-Identifier: MIT */
/* The laws that a plugin can try only itself: asked from many boards, an outcome for each law. */
#include "checker/checks.h"
#include "checker/random.h"
#include "worker/plain.h"

#include <inttypes.h>

enum { TRIALS = 120, LAWS = 16 };

/* What the plugin told of one law, all trials together. */
struct told {
	char name[PZ_NAME_MAX];
	uint64_t tried;
	bool broken;
	char reason[PAGE_NOTE];
	struct text board;
};

struct hearing {
	uint32_t count;
	struct told laws[LAWS];
};

static struct told *find(struct hearing *hearing, const char *name)
{
	for (uint32_t i = 0; i < hearing->count; i++)
		if (strcmp(hearing->laws[i].name, name) == 0)
			return &hearing->laws[i];
	if (hearing->count == LAWS)
		return NULL;
	plain_copy(hearing->laws[hearing->count].name, PZ_NAME_MAX,
		   (struct text){name, strnlen(name, PZ_NAME_MAX)});
	return &hearing->laws[hearing->count++];
}

static void hear(void *arg, const struct pz_law *law)
{
	struct told *told = law->name ? find(arg, law->name) : NULL;
	if (!told)
		return;
	told->tried += law->tried;
	if (!law->broken || told->broken)
		return;
	told->broken = true;
	plain_copy(told->reason, sizeof(told->reason),
		   (struct text){law->broken, strnlen(law->broken, PAGE_NOTE)});
	if (law->board.data && law->board.len <= PZ_BOARD_MAX)
		told->board = text_keep((struct text){law->board.data, law->board.len});
}

void check_domain(struct subject *s)
{
	static struct hearing hearing;
	uint64_t seed = s->request->seed;
	if (!s->host.plugin.self_test) {
		skipped(s, "the plugin has no self_test; PZ_PLUGIN of <puzzled/search/domain.h> "
			   "makes one");
		return;
	}
	subject_sample(s);
	for (uint32_t i = 0; i < TRIALS && !spent(s); i++) {
		struct pz_error why;
		subject_job(s, s->samples[i % s->sample_count]);
		if (call_check(s, &why))
			call_self_test(s, random_next(&seed), hear, &hearing);
	}
	if (hearing.count == 0)
		skipped(s, "self_test told nothing");
	for (uint32_t i = 0; i < hearing.count; i++) {
		const struct told *told = &hearing.laws[i];
		s->check = told->name;
		if (told->broken)
			broken(s, told->board, "%s", told->reason);
		else
			holds(s, "tried %" PRIu64 " times", told->tried);
	}
}
