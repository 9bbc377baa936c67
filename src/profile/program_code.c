/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "profile/program_code.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_SYMBOLS (1u << 24)

/* A symbol that may become a function. */
struct symbol {
	uint64_t address, size;
	uint64_t bound;   /* end of its section */
	const char *name; /* points into the file */
	size_t order;     /* position in the symbol table */
	bool local, function;
};

static int by_address(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int by_name(const void *left, const void *right)
{
	const struct symbol *a = *(const struct symbol *const *)left,
			    *b = *(const struct symbol *const *)right;
	int names = strcmp(a->name, b->name);

	return names ? names : by_address(a, b);
}

/* Returns the symbol table and its header; NULL: there is none. */
static Elf_Data *symbol_table(Elf *elf, GElf_Shdr *head)
{
	Elf_Scn *table = NULL;

	while ((table = elf_nextscn(elf, table)))
		if (gelf_getshdr(table, head) && head->sh_type == SHT_SYMTAB)
			return elf_getdata(table, NULL);
	return NULL;
}

/* Returns the symbols of code and data that have an address, as BOLT selects them. */
static struct symbol *symbols_of(Elf *elf, size_t *n, int *bad)
{
	struct symbol *all = NULL;
	GElf_Shdr head;
	Elf_Data *data = symbol_table(elf, &head);
	size_t count = data && head.sh_entsize ? data->d_size / head.sh_entsize : 0;
	if (count > MOST_SYMBOLS)
		count = MOST_SYMBOLS;
	*n = 0;
	if (!count)
		return NULL;
	if (!(all = calloc(count, sizeof(*all)))) {
		*bad = -ENOMEM;
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		GElf_Sym is;
		if (!gelf_getsym(data, (int)i, &is) || is.st_shndx == SHN_UNDEF ||
		    is.st_shndx >= SHN_LORESERVE)
			continue;
		unsigned type = GELF_ST_TYPE(is.st_info);
		const char *name = elf_strptr(elf, head.sh_link, is.st_name);
		bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
		if (!name || !*name || (*name == '$' && !function) || type == STT_FILE || type == STT_SECTION)
			continue;
		GElf_Shdr in;
		Elf_Scn *section = elf_getscn(elf, is.st_shndx);
		bool placed = section && gelf_getshdr(section, &in);
		all[(*n)++] = (struct symbol){.address = is.st_value,
					      .bound = placed ? in.sh_addr + in.sh_size : UINT64_MAX,
					      .size = is.st_size,
					      .name = name,
					      .order = i,
					      .local = GELF_ST_BIND(is.st_info) == STB_LOCAL,
					      .function = function};
	}
	qsort(all, *n, sizeof(*all), by_address);
	return all;
}

/* BOLT numbers local symbols of one name in the order of their addresses. */
static bool number_locals(const struct symbol *all, size_t n, uint32_t *number)
{
	const struct symbol **sorted = malloc((n + 1) * sizeof(*sorted));
	uint32_t last = 0;

	if (!sorted)
		return false;
	for (size_t i = 0; i < n; i++)
		sorted[i] = &all[i];
	qsort(sorted, n, sizeof(*sorted), by_name);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(sorted[i - 1]->name, sorted[i]->name) != 0)
			last = 0;
		number[sorted[i] - all] = sorted[i]->local ? ++last : 0;
	}
	free(sorted);
	return true;
}

static bool add_function(struct profile__program_code *code, const struct symbol *symbol, uint64_t next,
			 uint32_t number)
{
	struct profile__code_function *f = &code->function[code->functions];

	f->start = symbol->address & ~(code->profile->machine == EM_ARM ? 1ull : 0ull);
	f->end = symbol->size ? f->start + symbol->size : next < symbol->bound ? next : symbol->bound;
	if (number ? asprintf(&f->name, "%s/%u", symbol->name, number) < 0
		   : !(f->name = strdup(symbol->name)))
		return false;
	f->outer = code->functions;
	while (f->outer && code->function[f->outer - 1].end <= f->start)
		f->outer = code->function[f->outer - 1].outer;
	code->functions++;
	return true;
}

static int read_functions(struct profile__program_code *code, Elf *elf)
{
	size_t n;
	int bad = 0;
	struct symbol *all = symbols_of(elf, &n, &bad);
	uint32_t *number = calloc(n + 1, sizeof(*number));

	code->function = calloc(n + 1, sizeof(*code->function));
	if (bad == 0 && (!number || !code->function || !number_locals(all, n, number)))
		bad = -ENOMEM;
	for (size_t i = 0; bad == 0 && i < n; i++) {
		size_t next = i + 1;
		if (!all[i].function)
			continue;
		if (code->functions && code->function[code->functions - 1].start == (all[i].address & ~1ull))
			continue; /* another name of the same function */
		while (next < n && all[next].address == all[i].address)
			next++;
		if (!add_function(code, &all[i], next < n ? all[next].address : UINT64_MAX, number[i]))
			bad = -ENOMEM;
	}
	free(number);
	free(all);
	return bad;
}

static void read_segments(struct profile__program_code *code, Elf *elf)
{
	size_t n = 0;
	GElf_Phdr p;

	if (elf_getphdrnum(elf, &n) != 0)
		n = 0;
	for (size_t i = 0; i < n && code->segments < sizeof code->segment / sizeof code->segment[0]; i++)
		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD) {
			code->segment[code->segments].offset = p.p_offset;
			code->segment[code->segments].address = p.p_vaddr;
			code->segment[code->segments++].size = p.p_filesz;
		}
}

/* True if the file is the build that ran, by the build-id of its mapping; also if the mapping has none. */
static bool same_build(const struct profile__profile *profile, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;
	const struct profile__map *map = NULL;

	for (size_t i = 0; i < profile->maps && !map; i++)
		if (strcmp(profile->map[i].path, profile->program) == 0 && profile->map[i].build_id_size)
			map = &profile->map[i];
	while (map && (section = elf_nextscn(elf, section))) {
		Elf_Data *data = gelf_getshdr(section, &head) && head.sh_type == SHT_NOTE
					 ? elf_getdata(section, NULL)
					 : NULL;
		size_t at = 0, name, id, next;
		GElf_Nhdr note;
		while (data && (next = gelf_getnote(data, at, &note, &name, &id)) > 0) {
			const char *bytes = data->d_buf;
			if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			    memcmp(bytes + name, "GNU", 4) == 0)
				return note.n_descsz == map->build_id_size &&
				       memcmp(bytes + id, map->build_id, map->build_id_size) == 0;
			at = next;
		}
	}
	return map == NULL;
}

/* Opens a file that a recording names. A device may not even be opened: that can have an effect. */
static int open_file(const char *path)
{
	struct stat about;

	if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
		errno = ENOEXEC;
		return -1;
	}
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int profile__program_code_open(struct profile__program_code *code, const struct profile__profile *profile)
{
	int fd = open_file(profile->program), bad = 0;

	*code = (struct profile__program_code){.profile = profile};
	if (fd < 0)
		return -errno;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		bad = -ENOEXEC;
	else if (!same_build(profile, elf))
		bad = -ESTALE;
	if (bad == 0) {
		read_segments(code, elf);
		bad = read_functions(code, elf);
	}
	elf_end(elf);
	close(fd);
	return bad;
}

void profile__program_code_free(struct profile__program_code *code)
{
	for (size_t i = 0; i < code->functions; i++)
		free(code->function[i].name);
	free(code->function);
	code->function = NULL;
	code->functions = 0;
}

bool profile__map_executes(const struct profile__map *map)
{
	int fd = open_file(map->path);
	bool runs = false;
	size_t n = 0;
	GElf_Phdr p;

	if (fd < 0)
		return true;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool known = elf && elf_getphdrnum(elf, &n) == 0 && n != 0;
	for (size_t i = 0; known && i < n; i++)
		runs |= gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD && (p.p_flags & PF_X) &&
			p.p_offset < map->offset + (map->end - map->start) &&
			map->offset < p.p_offset + p.p_filesz;
	elf_end(elf);
	close(fd);
	return runs || !known;
}

bool profile__program_code_address(const struct profile__program_code *code, uint32_t thread, uint32_t when,
				   uint64_t pc, uint64_t *address)
{
	uint32_t at = profile__map_at(code->profile, thread, when, pc);
	const struct profile__map *map = at == PROFILE__NONE ? NULL : &code->profile->map[at];

	if (!map || strcmp(map->path, code->profile->program) != 0)
		return false;
	uint64_t offset = profile__offset(map, pc);
	for (size_t i = 0; i < code->segments; i++)
		if (offset - code->segment[i].offset < code->segment[i].size) {
			*address = offset - code->segment[i].offset + code->segment[i].address;
			return true;
		}
	return false;
}

const struct profile__code_function *profile__program_code_function(const struct profile__program_code *code,
								    uint64_t address)
{
	size_t low = 0, high = code->functions;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (code->function[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low && address >= code->function[low - 1].end)
		low = code->function[low - 1].outer;
	return low ? &code->function[low - 1] : NULL;
}
