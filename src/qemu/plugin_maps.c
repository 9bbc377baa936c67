/* SPDX-License-Identifier: MIT */
/*
 * The files whose code the program runs, and where they lie in its memory.
 *
 * QEMU itself maps the program and its interpreter: they are read from the process's own map at the first
 * instruction, without what was there when the plugin was loaded. Later mappings are the program's own mmap
 * calls. QEMU lets the program share its descriptors, so a descriptor names its file. Where the program
 * unmaps a file's code, or maps code of its own over it, a mapping without a file takes its place. Files that
 * it maps as data and makes executable later are those of the process's own map.
 */
#define _GNU_SOURCE /* mmap and open flags, strdup */
#include "qemu/plugin_record.h"

#include "profile/write.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAPS 4096 /* mappings remembered for children */
#define PAGE 4096 /* bytes; QEMU maps segments from the start of a page */
#define ANON "[anon]"

struct mapping {
	struct profile__map_block block;
	char *path;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t *own; /* start addresses of QEMU's own mappings, ascending */
static size_t owns;
static bool begun; /* the mappings that exist at the program's first instruction have been written */
static struct mapping map[MAPS];
static uint32_t maps;
static __thread struct mapping wanted
	__attribute__((tls_model("initial-exec"))); /* the mmap call under way */

static bool is_own(uint64_t start)
{
	for (size_t i = 0; i < owns; i++)
		if (own[i] == start)
			return true;
	return false;
}

/* A line of /proc/self/maps that names a file. */
struct line {
	uint64_t start, end, offset;
	char path[PATH_MAX];
};

/* Copies a file's name, in which the kernel writes a newline as \012 but a backslash as it is: a file that
 * exists by the text as it stands decides. */
static void take_path(char *out, const char *text)
{
	bool plain = !strstr(text, "\\012") || access(text, F_OK) == 0;

	while (*text) {
		bool end = !plain && strncmp(text, "\\012", 4) == 0;
		*out++ = end ? '\n' : *text;
		text += end ? 4 : 1;
	}
	*out = '\0';
}

static bool next_line(FILE *from, struct line *l)
{
	char text[PATH_MAX + 128];
	unsigned long start, end, offset;
	int at = 0;

	while (fgets(text, sizeof(text), from)) {
		text[strcspn(text, "\n")] = '\0';
		if (sscanf(text, "%lx-%lx %*s %lx %*s %*s %n", &start, &end, &offset, &at) != 3 ||
		    text[at] != '/')
			continue;
		l->start = start, l->end = end, l->offset = offset;
		if (strlen(text + at) >= sizeof(l->path))
			continue;
		take_path(l->path, text + at);
		return true;
	}
	return false;
}

void apmu_qemu__maps_start(void)
{
	FILE *from = fopen("/proc/self/maps", "re");
	struct line *l = malloc(sizeof(*l));

	while (from && l && next_line(from, l)) {
		uint64_t *larger = realloc(own, (owns + 1) * sizeof(*own));
		if (!larger)
			break;
		own = larger;
		own[owns++] = l->start;
	}
	free(l);
	if (from)
		fclose(from);
}

/* Finds the build-id among an ELF file's notes. */
static void read_build_id(Elf *elf, struct profile__map_block *out)
{
	size_t headers = 0, name, text;
	GElf_Phdr p;
	GElf_Nhdr n;

	elf_getphdrnum(elf, &headers);
	for (size_t i = 0; i < headers && i < 256; i++) {
		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_NOTE || p.p_filesz > 65536)
			continue;
		Elf_Data *d = elf_getdata_rawchunk(elf, (int64_t)p.p_offset, p.p_filesz, ELF_T_NHDR);
		for (size_t at = 0; d && (at = gelf_getnote(d, at, &n, &name, &text)) > 0;) {
			if (n.n_type != NT_GNU_BUILD_ID || n.n_namesz != 4 ||
			    n.n_descsz > sizeof(out->build_id) ||
			    memcmp((char *)d->d_buf + name, "GNU", 4) != 0)
				continue;
			out->build_id_size = n.n_descsz;
			memcpy(out->build_id, (char *)d->d_buf + text, n.n_descsz);
			return;
		}
	}
}

/* Reads the build-id of an open file. False if it is not a program or library of the guest's architecture.
 */
static bool read_open(int fd, struct profile__map_block *out)
{
	GElf_Ehdr head;
	bool ours = false;

	Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (elf && gelf_getehdr(elf, &head)) {
		ours = head.e_machine == (apmu_qemu__plugin.a64 ? EM_AARCH64 : EM_ARM);
		if (ours)
			read_build_id(elf, out);
	}
	elf_end(elf);
	return ours;
}

static bool read_file(const char *path, struct profile__map_block *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ours = fd >= 0 && read_open(fd, out);

	if (fd >= 0)
		close(fd);
	return ours;
}

/* Writes what was counted in code that the mapping will hide, as far as this thread can: other threads'
 * samples wait in their own buffers. Called with the lock held. */
static void settle(const struct profile__map_block *b)
{
	bool hides = maps == MAPS;

	for (uint32_t i = 0; i < maps && !hides; i++)
		hides = map[i].block.start < b->end && b->start < map[i].block.end;
	if (hides && apmu_qemu__self && apmu_qemu__self->sampler)
		apmu_qemu__sink_flush(apmu_qemu__self->sampler);
	if (hides)
		apmu_qemu__sink_counts(b->start, b->end - 1);
}

/* Called with the lock held. */
static void add(struct mapping m)
{
	m.block.pid = getpid();
	apmu_qemu__sink_map(&m.block, m.path);
	if (maps == MAPS)
		free(m.path);
	else
		map[maps++] = m;
}

static bool is_anon(const struct mapping *m)
{
	return strcmp(m->path, ANON) == 0;
}

/* True if the mapping hides a file's code. Called with the lock held. */
static bool hides_code(const struct profile__map_block *b)
{
	for (uint32_t i = maps; i-- > 0;) {
		const struct profile__map_block *old = &map[i].block;
		if (old->start < b->end && b->start < old->end)
			return !(is_anon(&map[i]) && old->start <= b->start && b->end <= old->end);
	}
	return false;
}

/* Adds a mapping, of memory without a file only if it hides a file's code. Takes the path. */
static void replace(struct mapping m)
{
	pthread_mutex_lock(&lock);
	if (is_anon(&m) && (maps == MAPS || !hides_code(&m.block))) {
		free(m.path);
	} else {
		settle(&m.block);
		add(m);
	}
	pthread_mutex_unlock(&lock);
}

/* Makes a mapping of what lies within the program's addresses `start` to `end`; false if that is no code. */
static bool take_line(const struct line *l, uint64_t start, uint64_t end, struct mapping *out)
{
	uint64_t base = apmu_qemu__guest_base(), last = l->end - base;
	uint64_t first = l->start - base < start ? start : l->start - base;

	*out = (struct mapping){.block = {.start = first,
					  .end = last < end ? last : end,
					  .offset = l->offset + (first - (l->start - base))}};
	if (is_own(l->start) || l->start < base || out->block.start >= out->block.end ||
	    (!apmu_qemu__plugin.a64 && last > (uint64_t)1 << 32) || !read_file(l->path, &out->block))
		return false;
	out->path = strdup(l->path);
	return out->path != NULL;
}

/* Adds the page of helpers that Linux gives programs of 32 bits (__kuser_cmpxchg and others). */
static void add_vectors(void)
{
	struct mapping m = {.block = {.start = 0xffff0000, .end = 0xffff1000, .offset = 0xffff0000},
			    .path = strdup("[vectors]")};

	if (apmu_qemu__plugin.a64 || !m.path)
		free(m.path);
	else
		add(m);
}

void apmu_qemu__maps_first(void)
{
	if (begun)
		return;
	pthread_mutex_lock(&lock);
	begun = true;
	FILE *from = fopen("/proc/self/maps", "re");
	struct line *l = malloc(sizeof(*l));
	struct mapping m;
	while (from && l && next_line(from, l))
		if (take_line(l, 0, UINT64_MAX, &m))
			add(m);
	free(l);
	if (from)
		fclose(from);
	add_vectors();
	pthread_mutex_unlock(&lock);
}

/* Returns the lowest host address at which the program's file is mapped; UINT64_MAX: it is not mapped. */
static uint64_t loaded_at(void)
{
	FILE *from = fopen("/proc/self/maps", "re");
	struct line *l = malloc(sizeof(*l));
	uint64_t lowest = UINT64_MAX;

	while (from && l && next_line(from, l))
		if (l->start < lowest && strcmp(l->path, apmu_qemu__plugin.share->program) == 0)
			lowest = l->start;
	free(l);
	if (from)
		fclose(from);
	return lowest;
}

uint64_t apmu_qemu__load_bias(void)
{
	const struct apmu_qemu__share *s = apmu_qemu__plugin.share;
	static uint64_t bias;
	static bool known;

	if (known || apmu_qemu__plugin.system)
		return bias;
	known = true;
	if (qemu_plugin_start_code) {
		bias = qemu_plugin_start_code() - s->program_code;
	} else {
		uint64_t at = loaded_at();
		if (at != UINT64_MAX)
			bias = at - apmu_qemu__guest_base() - (s->program_first & ~(uint64_t)(PAGE - 1));
	}
	return bias;
}

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

void apmu_qemu__maps_mmap(uint64_t length, uint64_t protection, uint64_t flags, uint64_t fd, uint64_t offset)
{
	char name[64], path[PATH_MAX];

	free(wanted.path);
	wanted = (struct mapping){.block = {.end = length, .offset = offset}};
	if (!(protection & PROT_EXEC) || length == 0)
		return;
	if (flags & MAP_ANONYMOUS) {
		wanted.path = strdup(ANON);
		return;
	}
	if (fd > INT_MAX)
		return;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", (int)fd);
	ssize_t n = readlink(name, path, sizeof(path) - 1);
	if (n <= 0 || path[0] != '/')
		return;
	path[n] = '\0';
	/* by the program's descriptor: none may be left for another one */
	bool ours = access(path, R_OK) == 0 && read_open((int)fd, &wanted.block);
	if (ours || profile__is_jitdump(path))
		wanted.path = strdup(path);
}

void apmu_qemu__maps_mmapped(int64_t result)
{
	struct mapping m = wanted;
	uint64_t start = apmu_qemu__plugin.a64 ? (uint64_t)result : (uint32_t)result;

	wanted.path = NULL;
	if (!m.path)
		return;
	if ((result < 0 && result >= -4095) || start + m.block.end < start) {
		free(m.path);
		return;
	}
	m.block.start = start;
	m.block.end = start + whole_pages(m.block.end);
	if (is_anon(&m))
		m.block.offset = start;
	replace(m);
}

void apmu_qemu__maps_munmap(uint64_t start, uint64_t length)
{
	uint64_t end = start + whole_pages(length);
	struct mapping m = {.block = {.start = start, .end = end, .offset = start}};

	if (start % PAGE != 0 || end <= start)
		return;
	m.path = strdup(ANON); /* what the program may put there */
	if (m.path)
		replace(m);
}

/* True if the file's code is known to be there. */
static bool is_known(const struct mapping *m)
{
	bool known = false;

	pthread_mutex_lock(&lock);
	for (uint32_t i = maps; i-- > 0;) {
		const struct profile__map_block *old = &map[i].block, *b = &m->block;
		if (old->start >= b->end || b->start >= old->end)
			continue;
		known = old->start <= b->start && b->end <= old->end &&
			old->offset - old->start == b->offset - b->start && strcmp(map[i].path, m->path) == 0;
		break;
	}
	pthread_mutex_unlock(&lock);
	return known;
}

void apmu_qemu__maps_mprotect(uint64_t start, uint64_t length, uint64_t protection)
{
	uint64_t end = start + whole_pages(length);
	struct mapping m;

	if (!(protection & PROT_EXEC) || start % PAGE != 0 || end <= start)
		return;
	FILE *from = fopen("/proc/self/maps", "re");
	struct line *l = malloc(sizeof(*l));
	while (from && l && next_line(from, l)) {
		if (!take_line(l, start, end, &m))
			continue;
		if (is_known(&m))
			free(m.path);
		else
			replace(m);
	}
	free(l);
	if (from)
		fclose(from);
}

void apmu_qemu__maps_executed(void)
{
	const struct profile__map_block all = {.end = UINT64_MAX, .pid = getpid()};

	apmu_qemu__sink_map(&all, PROFILE__UNMAPPED);
}

void apmu_qemu__maps_forked(void)
{
	pthread_mutex_init(&lock, NULL);
	for (uint32_t i = 0; i < maps; i++) {
		map[i].block.pid = getpid();
		apmu_qemu__sink_map(&map[i].block, map[i].path);
	}
}
