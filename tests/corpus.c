/* SPDX-License-Identifier: MIT */
#include "tests/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *path, const char *why)
{
	printf("Bail out! %s: %s\n", path, why);
	exit(99);
}

static void *need(void *memory)
{
	if (!memory)
		give_up("corpus", "no memory");
	return memory;
}

static void read_content(struct corpus_file *file)
{
	enum { CONTENT_MAX = 4 * 1024 * 1024 };
	char *content = need(malloc(CONTENT_MAX));
	FILE *stream = fopen(file->path, "rb");
	if (!stream)
		give_up(file->path, strerror(errno));
	size_t len = fread(content, 1, CONTENT_MAX, stream);
	if (len == CONTENT_MAX || ferror(stream))
		give_up(file->path, "cannot be read whole");
	fclose(stream);
	file->content = (struct text){need(realloc(content, len + 1)), len};
}

static void read_wants(struct corpus_file *file)
{
	static const char mark[] = "; want: ";
	const char *at = file->content.data, *end = at + file->content.len;
	if (end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
		at += 3;
	while ((size_t)(end - at) > strlen(mark) && memcmp(at, mark, strlen(mark)) == 0) {
		at += strlen(mark);
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		if (!newline || file->want_count == CORPUS_WANTS)
			give_up(file->path, "its expectations cannot be read");
		file->wants[file->want_count++] = need(strndup(at, (size_t)(newline - at)));
		at = newline + 1;
	}
	if (!file->good && file->want_count != 1)
		give_up(file->path, "a file that is refused has one expectation: the sentence");
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

size_t corpus_tests(const char *folder, CMUnitTestFunction test, struct CMUnitTest *ret, size_t cap)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_visible, alphasort);
	if (count <= 0 || (size_t)count > cap)
		give_up(folder, "no files, or too many");
	for (int i = 0; i < count; i++) {
		struct corpus_file *file = need(calloc(1, sizeof(*file)));
		file->name = need(strdup(entries[i]->d_name));
		file->path = need(malloc(strlen(folder) + 1 + strlen(file->name) + 1));
		sprintf(file->path, "%s/%s", folder, file->name);
		file->good = strncmp(file->name, "y_", 2) == 0;
		if (!file->good && strncmp(file->name, "n_", 2) != 0)
			give_up(file->path, "neither y_ nor n_");
		read_content(file);
		read_wants(file);
		ret[i] = (struct CMUnitTest){
			.name = file->name, .test_func = test, .initial_state = file};
		free(entries[i]);
	}
	free(entries);
	return (size_t)count;
}
