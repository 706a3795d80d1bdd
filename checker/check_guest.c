/* SPDX-License-Identifier: MIT */
/* The plugin as a guest of its host: whether it stops when told, keeps to its memory, and leaves
 * things alone. */
#include "config.h"

#include "checker/answers.h"
#include "checker/checks.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

static const struct text nowhere = {NULL, 0};

/* ---- poll ---- */

#ifdef PZ_SANITIZED
enum { SLOWER = 8 };
#else
enum { SLOWER = 1 };
#endif

enum { POLL_MS = 50 * SLOWER, LONG_MS = 150, POLL_BOARDS = 6 };

/* Solves with poll saying stop after `stop_ms`; whether the plugin asked often enough and let
 * go. */
static bool poll_stands(struct subject *s, struct text board, uint32_t way, uint32_t stop_ms,
			uint32_t *stopped)
{
	const struct polling *polling = &s->polling;
	struct answer answer;
	char name[80];
	answer_get(s, board, way, -1, -1, stop_ms, &answer);
	way_name(s, way, name);
	*stopped += polling->stopped;
	if (polling->longest > POLL_MS * MS)
		broken(s, board,
		       "%s went %" PRIu64 " ms of processor time without a poll; "
		       "%d ms is the most",
		       name, polling->longest / MS, POLL_MS);
	else if (polling->stopped && polling->last - polling->told > POLL_MS * MS)
		broken(s, board,
		       "%s took %" PRIu64
		       " ms of processor time to stop when told; %d ms is the most",
		       name, (polling->last - polling->told) / MS, POLL_MS);
	else if (answer.status == WIRE_STOPPED && !polling->stopped)
		broken(s, board, "%s stopped without being told to", name);
	else
		return true;
	return false;
}

/* The board on which this way of solving has the most to do, by what is known: unsolved is most. */
static uint32_t hardest(const struct answers *answers, uint32_t way, uint64_t below, uint64_t *ret)
{
	uint32_t found = 0;
	*ret = 0;
	for (uint32_t i = 0; i < answers->samples; i++) {
		const struct answer *answer = &answers->of[i * answers->ways + way];
		uint64_t work = !answer->asked                   ? UINT64_MAX - 1 - i
				: answer->status == WIRE_STOPPED ? UINT64_MAX - 1000 - i
								 : answer->generated;
		if (work >= below || work < *ret)
			continue;
		*ret = work;
		found = i;
	}
	return found;
}

void check_poll(struct subject *s)
{
	const struct answers *answers = answers_of(s);
	uint32_t stopped = 0, asked = 0;
	for (uint32_t way = 0; answers && way < answers->ways; way++) {
		uint64_t work = UINT64_MAX;
		for (uint32_t i = 0; i < POLL_BOARDS && work > 0; i++) {
			struct text board = s->samples[hardest(answers, way, work, &work)];
			/* One search as it goes, one to be stopped at once. */
			if (!poll_stands(s, board, way, i == 0 ? LONG_MS : 0, &stopped))
				return;
			asked++;
		}
	}
	if (answers && stopped > 0)
		holds(s, "%u searches of %u were stopped, each within %d ms", stopped, asked,
		      POLL_MS);
	else if (answers)
		holds(s, "no search of %u went on long enough to be stopped", asked);
}

/* ---- memory ---- */

static uint64_t size_before; /* bytes of this process before there was a plugin */

/* A line of /proc/self/status in bytes, "VmPeak:" say, or 0. */
static uint64_t status_bytes(const char *key)
{
	char line[128];
	uint64_t kib = 0;
	FILE *file = fopen("/proc/self/status", "re");
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, key, strlen(key)) == 0)
			kib = strtoull(line + strlen(key), NULL, 10);
	if (file)
		fclose(file);
	return kib * 1024;
}

#ifdef PZ_SANITIZED

void check_memory(struct subject *s)
{
	skipped(s, "this checker is built with AddressSanitizer, whose memory is not the plugin's");
}

#else

enum {
	SMALL = 4 << 20,               /* bytes that a search gets */
	SLACK = SMALL / 4 + (2 << 20), /* what malloc and the checker lose */
	WALL = 256 << 20,              /* where the plugin runs into a wall instead */
	MEMORY_BOARDS = 4,
	MEMORY_MS = 150,
	LEAK = 16 << 10, /* bytes that may stay: what the checker itself keeps */
	LEAK_MS = 20
};

/* Takes up what `open` had and freed again, so that the peak counts from here. */
static void level_peak(void)
{
	uint64_t peak = status_bytes("VmPeak:"), now = status_bytes("VmSize:");
	if (peak > now)
		(void)mmap(NULL, peak - now, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			   -1, 0);
}

/* Bytes that are in use, of all that malloc has given. */
static uint64_t in_use(void)
{
	struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

/*
 * Solves the same again, and again: what is in use after the second time and not after the first is
 * left behind each time.  The first may fill in what a plugin keeps.
 */
static bool nothing_is_left(struct subject *s, struct text board, uint32_t way)
{
	uint64_t used[2] = {0, 0};
	struct answer answer;
	char name[80];
	for (int i = 0; i < 2; i++) {
		answer_get(s, board, way, -1, -1, LEAK_MS, &answer);
		used[i] = in_use();
	}
	if (used[1] <= used[0] + LEAK)
		return true;
	broken(s, board, "%s leaves %" PRIu64 " bytes behind each time", way_name(s, way, name),
	       used[1] - used[0]);
	return false;
}

static bool memory_stands(struct subject *s, struct text board, uint32_t way, uint32_t *limited)
{
	struct wire_result result;
	char name[80];
	way_name(s, way, name);
	level_peak();
	uint64_t before = status_bytes("VmPeak:");
	struct pz_job *job = subject_job(s, board);
	job->algorithm = way / heuristic_count(s);
	job->heuristic = way % heuristic_count(s);
	job->memory = SMALL;
	call_solve(s, MEMORY_MS, &result);
	uint64_t taken = status_bytes("VmPeak:") - before;
	*limited += result.error == ERR_MEMORY_LIMIT;
	if (taken > SMALL + SLACK)
		broken(s, board, "%s takes %" PRIu64 " KiB where job.memory allows %d KiB", name,
		       taken / 1024, SMALL / 1024);
	else if (result.memory > SMALL)
		broken(s, board,
		       "%s says that it used %" PRIu64 " KiB where job.memory allows %d KiB", name,
		       result.memory / 1024, SMALL / 1024);
	else
		return true;
	return false;
}

void check_memory(struct subject *s)
{
	uint32_t limited = 0, asked = 0;
	struct rlimit limit;
	uint64_t opened = status_bytes("VmSize:") - size_before;
	if (!s->request->tables && opened > s->request->memory) {
		broken(s, nowhere, "open takes %" PRIu64 " MiB where a worker has %" PRIu64,
		       opened >> 20, s->request->memory >> 20);
		return;
	}
	subject_sample(s);
	/* So that what is counted is what was asked for, not what malloc keeps of it in its
	 * heap. */
	(void)mallopt(M_MMAP_THRESHOLD, 64 << 10);
	/* A plugin that takes all it can get must not take the machine's. */
	if (getrlimit(RLIMIT_AS, &limit) == 0) {
		limit.rlim_cur = status_bytes("VmSize:") + WALL;
		setrlimit(RLIMIT_AS, &limit);
	}
	for (uint32_t way = 0; way < ways_of(s); way++) {
		for (uint32_t i = 0; i < MEMORY_BOARDS && i < s->sample_count; i++) {
			if (!memory_stands(s, s->samples[i], way, &limited) ||
			    !nothing_is_left(s, s->samples[i], way))
				return;
			asked++;
		}
	}
	holds(s, "%u searches within %d MiB, of which %u answered that they need more", asked,
	      SMALL >> 20, limited);
}

#endif

/* ---- descriptors, close ---- */

enum { DESCRIPTORS = 64 };

/* What each descriptor is; zero where there is none. */
static struct stat opened[DESCRIPTORS];

static void look(struct stat *ret)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (fstat(fd, &ret[fd]) < 0)
			memset(&ret[fd], 0, sizeof(ret[fd]));
}

void guest_note(void)
{
	look(opened);
	size_before = status_bytes("VmSize:");
}

void check_descriptors(struct subject *s)
{
	struct stat now[DESCRIPTORS];
	(void)answers_of(s);
	look(now);
	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		if (now[fd].st_ino == opened[fd].st_ino && now[fd].st_dev == opened[fd].st_dev)
			continue;
		broken(s, nowhere, "descriptor %d %s", fd,
		       !now[fd].st_ino      ? "was closed"
		       : !opened[fd].st_ino ? "was left open"
					    : "is another file than before");
		return;
	}
	holds(s, "all as they were");
}

void check_close(struct subject *s)
{
	if (!s->host.plugin.close) {
		skipped(s, "the plugin has no close");
		return;
	}
	call_close(s);
	holds(s, "it came back");
}
