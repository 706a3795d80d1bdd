/* SPDX-License-Identifier: MIT */
/* exports: which symbols the shared object shows, read from the file: nothing of it runs. */
#include "checker/checks.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) elf_header;
typedef ElfW(Shdr) elf_section;
typedef ElfW(Sym) elf_symbol;

/* What linkers and sanitizers add to every shared object. */
static bool is_customary(const char *name)
{
	static const char *const names[] = {"_init",  "_fini",       "_edata", "_end",
					    "_etext", "__bss_start", "__end__"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "__asan_", 7) == 0 || strncmp(name, "__odr_asan", 10) == 0 ||
	       strncmp(name, "__start_", 8) == 0 || strncmp(name, "__stop_", 7) == 0;
}

static bool is_exported(const elf_symbol *symbol)
{
	/* Binding and visibility are in the same bits in both classes. */
	unsigned bind = symbol->st_info >> 4, visibility = symbol->st_other & 3;
	return symbol->st_shndx != SHN_UNDEF && (bind == STB_GLOBAL || bind == STB_WEAK) &&
	       (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

/* Finds the table of dynamic symbols, wholly inside of the file's `size` bytes, or NULL. */
static const elf_section *find_symbols(const char *file, size_t size)
{
	const elf_header *elf = (const elf_header *)(const void *)file;
	if (size < sizeof(*elf) || memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0 ||
	    elf->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
	    elf->e_shoff > size || elf->e_shnum > (size - elf->e_shoff) / sizeof(elf_section))
		return NULL;
	const elf_section *sections = (const elf_section *)(const void *)(file + elf->e_shoff);
	for (unsigned i = 0; i < elf->e_shnum; i++) {
		if (sections[i].sh_type != SHT_DYNSYM)
			continue;
		const elf_section *table = &sections[i];
		if (table->sh_link >= elf->e_shnum || table->sh_offset > size ||
		    table->sh_size > size - table->sh_offset)
			return NULL;
		const elf_section *names = &sections[table->sh_link];
		if (names->sh_offset > size || names->sh_size > size - names->sh_offset ||
		    names->sh_size == 0 || file[names->sh_offset + names->sh_size - 1] != '\0')
			return NULL;
		return table;
	}
	return NULL;
}

/* Lists the exported symbols, pz_plugin apart, as far as there is room; returns whether pz_plugin
 * is there. */
static bool list_symbols(const char *file, const elf_section *table, char *others, size_t cap)
{
	const elf_section *sections =
		(const elf_section *)(const void *)(file + ((const elf_header *)(const void *)file)
								   ->e_shoff);
	const elf_section *names = &sections[table->sh_link];
	const elf_symbol *symbols = (const elf_symbol *)(const void *)(file + table->sh_offset);
	bool found = false;
	size_t len = 0;
	others[0] = '\0';
	for (size_t i = 0; i < table->sh_size / sizeof(elf_symbol); i++) {
		if (!is_exported(&symbols[i]) || symbols[i].st_name >= names->sh_size)
			continue;
		const char *name = file + names->sh_offset + symbols[i].st_name;
		if (strcmp(name, "pz_plugin") == 0)
			found = true;
		else if (!is_customary(name) && len < cap)
			len += (size_t)snprintf(others + len, cap - len, "%s%s", len ? ", " : "",
						name);
	}
	return found;
}

void check_exports(struct subject *s)
{
	const struct text none = {NULL, 0};
	struct stat info;
	char others[PAGE_NOTE / 2];
	int fd = open(s->request->file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) < 0 || info.st_size <= 0) {
		broken(s, none, "it cannot be read: %s", fd < 0 ? strerror(errno) : "it is empty");
		return;
	}
	char *file = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	const elf_section *table =
		file == MAP_FAILED ? NULL : find_symbols(file, (size_t)info.st_size);
	if (!table)
		broken(s, none, "it is no shared object of this machine");
	else if (!list_symbols(file, table, others, sizeof(others)))
		broken(s, none, "it does not export pz_plugin");
	else if (others[0])
		broken(s, none,
		       "beside pz_plugin it exports %s: make them static, or compile with "
		       "-fvisibility=hidden",
		       others);
	else
		holds(s, "pz_plugin alone");
}
