/* SPDX-License-Identifier: MIT */
/* Files of tables: which are mapped, and which are not trusted. */
#include "config.h"

#include "tests/cmocka_first.h"

#include "worker/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 10000 };

static char folder[64];
static char path[TABLE_PATH_MAX];
static char content[SIZE];
static const struct table_key key = {"plugin", "table-1", 3, SIZE};

static struct table_header sound_header(void)
{
	return (struct table_header){
		.magic = TABLE_MAGIC,
		.format = TABLE_FORMAT,
		.version = 3,
		.size = SIZE,
		.checksum = table_checksum(content, SIZE),
		.plugin = "plugin",
		.name = "table-1",
	};
}

/* Writes a file of a header and `size` bytes of content. */
static void write_file(const struct table_header *header, size_t size)
{
	char page[TABLE_HEADER] = {0};
	memcpy(page, header, sizeof(*header));
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(page, 1, sizeof(page), file), sizeof(page));
	assert_int_equal(fwrite(content, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static int map(const void **ret)
{
	return table_map(text_of(folder), &key, ret);
}

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "tables-XXXXXX");
	if (!mkdtemp(folder) || table_path(path, sizeof(path), text_of(folder), &key) < 0)
		return -1;
	for (size_t i = 0; i < SIZE; i++)
		content[i] = (char)(i * 7);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static void a_sound_table_is_mapped_at_a_page(void **state)
{
	const struct table_header header = sound_header();
	const void *mapped = NULL;
	(void)state;
	write_file(&header, SIZE);
	assert_int_equal(map(&mapped), 0);
	assert_int_equal((uintptr_t)mapped % TABLE_HEADER, 0);
	assert_memory_equal(mapped, content, SIZE);
	assert_int_equal(table_checksum(mapped, SIZE), header.checksum);
}

static void no_file_and_no_folder_are_no_table(void **state)
{
	const void *mapped;
	(void)state;
	unlink(path);
	assert_int_equal(map(&mapped), -ENOENT);
	assert_int_equal(table_map((struct text){NULL, 0}, &key, &mapped), -ENOENT);
}

static void another_version_size_or_format_is_stale(void **state)
{
	const void *mapped;
	struct table_header header = sound_header();
	(void)state;
	header.version++;
	write_file(&header, SIZE);
	assert_int_equal(map(&mapped), -ESTALE);
	header = sound_header();
	header.size--;
	write_file(&header, SIZE - 1);
	assert_int_equal(map(&mapped), -ESTALE);
	header = sound_header();
	header.format++;
	write_file(&header, SIZE);
	assert_int_equal(map(&mapped), -ESTALE);
}

static void what_is_cut_short_or_too_long_or_no_table_is_damaged(void **state)
{
	const void *mapped;
	struct table_header header = sound_header();
	(void)state;
	write_file(&header, SIZE - 1);
	assert_int_equal(map(&mapped), -EBADMSG);
	write_file(&header, 0);
	assert_int_equal(truncate(path, TABLE_HEADER - 1), 0);
	assert_int_equal(map(&mapped), -EBADMSG);
	assert_int_equal(truncate(path, 10), 0);
	assert_int_equal(map(&mapped), -EBADMSG);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(map(&mapped), -EBADMSG);
	write_file(&header, SIZE);
	assert_int_equal(truncate(path, TABLE_HEADER + SIZE + 1), 0);
	assert_int_equal(map(&mapped), -EBADMSG);
	header.magic = 0;
	write_file(&header, SIZE);
	assert_int_equal(map(&mapped), -EBADMSG);
	header = sound_header();
	header.name[0] = 'x';
	write_file(&header, SIZE);
	assert_int_equal(map(&mapped), -EBADMSG);
	header = sound_header();
	strcpy(header.plugin, "another");
	write_file(&header, SIZE);
	assert_int_equal(map(&mapped), -EBADMSG);
}

static void only_a_regular_file_is_opened(void **state)
{
	const void *mapped;
	(void)state;
	unlink(path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_int_equal(map(&mapped), -ELOOP);
	unlink(path);
	/* Opening a pipe that nobody writes to would wait for ever. */
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(map(&mapped), -EBADMSG);
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(map(&mapped), -EBADMSG);
	rmdir(path);
}

static void a_tables_name_is_part_of_a_file_name_and_no_path(void **state)
{
	(void)state;
	assert_true(table_is_name("distance-3"));
	assert_false(table_is_name(NULL));
	assert_false(table_is_name(""));
	assert_false(table_is_name("../x"));
	assert_false(table_is_name("a.b"));
	assert_false(table_is_name("A"));
	assert_true(table_is_name("a-name-of-thirty-one-characters"));
	assert_false(table_is_name("a-name-of-thirty-two-characters-"));
}

static void the_checksum_is_the_published_one(void **state)
{
	(void)state;
	/* FNV-1a's own test vectors. */
	assert_true(table_checksum("", 0) == UINT64_C(0xcbf29ce484222325));
	assert_true(table_checksum("a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(table_checksum("foobar", 6) == UINT64_C(0x85944171f73967e8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_table_is_mapped_at_a_page),
		cmocka_unit_test(no_file_and_no_folder_are_no_table),
		cmocka_unit_test(another_version_size_or_format_is_stale),
		cmocka_unit_test(what_is_cut_short_or_too_long_or_no_table_is_damaged),
		cmocka_unit_test(only_a_regular_file_is_opened),
		cmocka_unit_test(a_tables_name_is_part_of_a_file_name_and_no_path),
		cmocka_unit_test(the_checksum_is_the_published_one),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
