/* SPDX-License-Identifier: MIT */
/* A machine without a CPU for the small Linux: pages on the heap, a console, and helpers for system calls. */
#ifndef TESTS_UNIT_LINUX_HOUSE_H
#define TESTS_UNIT_LINUX_HOUSE_H

#include "../test.h"
#include "linux-user/linux.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#define PAGE  APMU_LINUX__PAGE
#define PAGES 4096

struct house {
	struct apmu_linux__linux p;
	struct apmu_linux__config config;
	struct apmu_linux__begin begin;
	struct {
		uint64_t at;
		uint8_t *bytes, protection;
	} page[PAGES];
	size_t pages;
	uint64_t tls, now;
	struct apmu_linux__cpu cpu;
	char out[512], err[64], said[160];
	const char *in;
};

static inline uint8_t *house_byte(struct house *h, uint64_t address)
{
	for (size_t i = 0; i < h->pages; i++)
		if (h->page[i].at == address / PAGE)
			return h->page[i].bytes + address % PAGE;
	return NULL;
}

static inline bool house_read(void *ctx, uint64_t address, void *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint8_t *byte = house_byte(ctx, address + i);
		if (!byte)
			return false;
		((uint8_t *)to)[i] = *byte;
	}
	return true;
}

static inline bool house_write(void *ctx, uint64_t address, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t *byte = house_byte(ctx, address + i);
		if (!byte)
			return false;
		*byte = ((const uint8_t *)from)[i];
	}
	return true;
}

static inline int house_map(void *ctx, uint64_t address, uint64_t size, unsigned protection)
{
	struct house *h = ctx;

	CHECK(size > 0 && size % PAGE == 0 && address % PAGE == 0);
	if (size / PAGE > PAGES - h->pages)
		return -ENOMEM;
	for (uint64_t at = 0; at < size; at += PAGE) {
		CHECK(house_byte(h, address + at) == NULL); /* nothing is mapped twice */
		h->page[h->pages].at = (address + at) / PAGE;
		h->page[h->pages].bytes = calloc(1, PAGE);
		h->page[h->pages++].protection = (uint8_t)protection;
	}
	return 0;
}

static inline void house_protect(void *ctx, uint64_t address, uint64_t size, unsigned protection)
{
	struct house *h = ctx;

	for (size_t i = 0; i < h->pages; i++)
		if (h->page[i].at * PAGE - address < size)
			h->page[i].protection = (uint8_t)protection;
}

static inline void house_unmap(void *ctx, uint64_t address, uint64_t size)
{
	struct house *h = ctx;
	size_t gone = 0;

	for (size_t i = 0; i < h->pages; i++) {
		while (i < h->pages && h->page[i].at * PAGE - address < size) {
			free(h->page[i].bytes);
			h->page[i] = h->page[--h->pages];
			gone++;
		}
	}
	CHECK_EQ(gone, size / PAGE); /* nothing is unmapped that is not there */
}

static inline void house_tls(void *ctx, uint64_t value)
{
	((struct house *)ctx)->tls = value;
}

static inline void house_get_cpu(void *ctx, struct apmu_linux__cpu *cpu)
{
	*cpu = ((const struct house *)ctx)->cpu;
}

static inline void house_set_cpu(void *ctx, const struct apmu_linux__cpu *cpu)
{
	((struct house *)ctx)->cpu = *cpu;
}

static inline void house_print(void *ctx, bool error, const void *bytes, size_t n)
{
	struct house *h = ctx;

	strncat(error ? h->err : h->out, bytes, n);
}

static inline size_t house_type(void *ctx, void *to, size_t n)
{
	struct house *h = ctx;
	size_t left = strlen(h->in);

	n = n < left ? n : left;
	memcpy(to, h->in, n);
	h->in += n;
	return n;
}

/* The smallest program: one segment of one page with 16 bytes in the file and 0x2000 in memory. */
struct house_elf64 {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	uint8_t code[16];
};

static inline struct house_elf64 house_program64(void)
{
	struct house_elf64 e = {.code = "what runs"};

	memcpy(e.header.e_ident, ELFMAG, SELFMAG);
	e.header.e_ident[EI_CLASS] = ELFCLASS64;
	e.header.e_ident[EI_DATA] = ELFDATA2LSB;
	e.header.e_ident[EI_VERSION] = EV_CURRENT;
	e.header.e_type = ET_EXEC;
	e.header.e_machine = EM_AARCH64;
	e.header.e_version = EV_CURRENT;
	e.header.e_entry = 0x400080;
	e.header.e_phoff = sizeof(e.header);
	e.header.e_ehsize = sizeof(e.header);
	e.header.e_phentsize = sizeof(e.segment);
	e.header.e_phnum = 1;
	e.segment = (Elf64_Phdr){.p_type = PT_LOAD,
				 .p_flags = PF_R | PF_X,
				 .p_vaddr = 0x400000,
				 .p_filesz = sizeof(e),
				 .p_memsz = 0x2000};
	return e;
}

struct house_elf32 {
	Elf32_Ehdr header;
	Elf32_Phdr segment;
	uint8_t code[16];
};

static inline struct house_elf32 house_program32(void)
{
	struct house_elf32 e = {.code = "what runs"};

	memcpy(e.header.e_ident, ELFMAG, SELFMAG);
	e.header.e_ident[EI_CLASS] = ELFCLASS32;
	e.header.e_ident[EI_DATA] = ELFDATA2LSB;
	e.header.e_ident[EI_VERSION] = EV_CURRENT;
	e.header.e_type = ET_EXEC;
	e.header.e_machine = EM_ARM;
	e.header.e_version = EV_CURRENT;
	e.header.e_flags = 0x05000200;
	e.header.e_entry = 0x10081;
	e.header.e_phoff = sizeof(e.header);
	e.header.e_ehsize = sizeof(e.header);
	e.header.e_phentsize = sizeof(e.segment);
	e.header.e_phnum = 1;
	e.segment = (Elf32_Phdr){.p_type = PT_LOAD,
				 .p_flags = PF_R | PF_X,
				 .p_vaddr = 0x10000,
				 .p_filesz = sizeof(e),
				 .p_memsz = 0x2000};
	return e;
}

static inline void house_prepare(struct house *h, bool aarch64)
{
	static const char *const argv[] = {"prog", "one", NULL};
	static const char *const envp[] = {"A=b", NULL};

	memset(h, 0, sizeof(*h));
	h->in = "";
	h->config = (struct apmu_linux__config){
		.machine = {.memory = {house_read, house_write, h},
			    .map = house_map,
			    .protect = house_protect,
			    .unmap = house_unmap,
			    .set_tls = house_tls,
			    .get_cpu = house_get_cpu,
			    .set_cpu = house_set_cpu,
			    .write = house_print,
			    .read = house_type,
			    .ctx = h},
		.aarch64 = aarch64,
		.argv = argv,
		.envp = envp,
		.uname = aarch64 ? "aarch64" : "armv7l",
		.platform = aarch64 ? "aarch64" : "v7l",
		.hwcap = 3,
		.core_hz = 1000000000,
		.epoch = 946684800,
		.seed = 42,
		.memory = 12 << 20,
		.folder = -1,
	};
}

static inline int house_load(struct house *h, const void *elf, size_t n)
{
	return apmu_linux__start(&h->p, &h->config, elf, n, &h->begin, h->said, sizeof(h->said));
}

/* Loads the smallest program. */
static inline void house_enter(struct house *h, bool aarch64)
{
	struct house_elf64 wide = house_program64();
	struct house_elf32 narrow = house_program32();

	house_prepare(h, aarch64);
	CHECK_EQ(aarch64 ? house_load(h, &wide, sizeof(wide)) : house_load(h, &narrow, sizeof(narrow)), 0);
}

static inline void house_leave(struct house *h)
{
	apmu_linux__close(&h->p);
	while (h->pages)
		free(h->page[--h->pages].bytes);
}

static inline struct apmu_linux__result house_svc(struct house *h, uint64_t number, uint64_t a, uint64_t b,
						  uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
	const uint64_t args[6] = {a, b, c, d, e, f};

	return apmu_linux__call(&h->p, number, args, h->now);
}

static inline int64_t house_call(struct house *h, uint64_t number, uint64_t a, uint64_t b, uint64_t c,
				 uint64_t d)
{
	struct apmu_linux__result r = house_svc(h, number, a, b, c, d, ~(uint64_t)0, 0);

	CHECK_EQ(r.end, APMU_LINUX__RETURN);
	return h->config.aarch64 ? (int64_t)r.value : (int32_t)(uint32_t)r.value;
}

static inline uint64_t house_word(struct house *h, uint64_t at, unsigned width)
{
	uint64_t value = 0;

	CHECK(house_read(h, at, &value, width));
	return value;
}

#endif
