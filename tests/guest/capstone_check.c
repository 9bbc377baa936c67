/* SPDX-License-Identifier: MIT */
/*
 * Compares src/isa/classify.c with Capstone on the code of whole binaries: which instructions are branches,
 * which access memory.
 *
 *   capstone_check FILE|a32|t32|a64...     Arm or AArch64 ELF files with symbols ($a, $t, $d, $x tell code
 * from data), or random words of an instruction set
 *
 * Prints each mnemonic on which the two differ (once, with a word and how often), then a line of totals.
 * Exits with 1 if a difference is not in the list of Capstone's errors and differences of definition.
 */
#include "isa/classify.h"

#include <capstone/capstone.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Mnemonics on which the two may differ, and why. */
static const struct {
	const char *mnemonic, *why;
} allowed[] = {
	{"pld", "a preload is no access"},
	{"pli", "the same"},
	{"prfm", "the same"},
	{"prfum", "the same"},
	{"rfe", "a return that Capstone has in no group"},
	{"ldc2", "Capstone has the address as an immediate"},
	{"stc2", "the same"},
};

struct tally {
	unsigned long seen, undecoded_here, undecoded_there, differ;
};

static struct difference {
	char text[32];
	const char *what;
	uint32_t word;
	unsigned long n;
} differences[256];
static size_t kinds;

static bool is_allowed(const char *mnemonic)
{
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		size_t n = strlen(allowed[i].mnemonic);
		/* A32 and T32 mnemonics end in a condition or a width. */
		if (strncmp(mnemonic, allowed[i].mnemonic, n) == 0 && strlen(mnemonic) <= n + 2)
			return true;
	}
	return false;
}

static void differ(const cs_insn *there, const char *what, uint32_t word)
{
	for (size_t i = 0; i < kinds; i++)
		if (strcmp(differences[i].text, there->mnemonic) == 0 && differences[i].what == what) {
			differences[i].n++;
			return;
		}
	if (kinds == sizeof(differences) / sizeof(differences[0]))
		return;
	struct difference *d = &differences[kinds++];
	snprintf(d->text, sizeof(d->text), "%.31s", there->mnemonic);
	d->what = what;
	d->word = word;
	d->n = 1;
}

static bool arm_branches(csh handle, const cs_insn *there)
{
	const cs_arm *arm = &there->detail->arm;
	uint8_t r = 0, w = 0;
	cs_regs all_reads, all_writes;

	if (cs_insn_group(handle, there, CS_GRP_JUMP) || cs_insn_group(handle, there, CS_GRP_CALL) ||
	    cs_insn_group(handle, there, CS_GRP_RET))
		return true;
	if (cs_regs_access(handle, there, all_reads, &r, all_writes, &w) == CS_ERR_OK)
		for (unsigned i = 0; i < w; i++)
			if (all_writes[i] == ARM_REG_PC)
				return true;
	for (unsigned i = 0; i < arm->op_count; i++)
		if (arm->operands[i].type == ARM_OP_REG && arm->operands[i].reg == ARM_REG_PC &&
		    (arm->operands[i].access & CS_AC_WRITE))
			return true;
	return false;
}

/* LDM and STM have no memory operand in Capstone, so they are recognised by name. */
static bool arm_accesses(const cs_insn *there)
{
	static const char *const names[] = {"ldm",  "stm", "push", "pop", "vldm", "vstm", "vpush",
					    "vpop", "srs", "rfe",  "tbb", "tbh",  "fldm", "fstm"};
	const cs_arm *arm = &there->detail->arm;

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(there->mnemonic, names[i], strlen(names[i])) == 0)
			return true;
	for (unsigned i = 0; i < arm->op_count; i++)
		if (arm->operands[i].type == ARM_OP_MEM)
			return true;
	return false;
}

static bool a64_branches(csh handle, const cs_insn *there)
{
	return cs_insn_group(handle, there, CS_GRP_JUMP) || cs_insn_group(handle, there, CS_GRP_CALL) ||
	       cs_insn_group(handle, there, CS_GRP_RET) || there->id == ARM64_INS_BL ||
	       there->id == ARM64_INS_BLR || there->id == ARM64_INS_RET || there->id == ARM64_INS_BR;
}

/* A literal load has an immediate in Capstone, so it is recognised by name. */
static bool a64_accesses(const cs_insn *there)
{
	const cs_arm64 *a = &there->detail->arm64;

	if (there->id == ARM64_INS_LDR || there->id == ARM64_INS_LDRSW)
		return true;
	for (unsigned i = 0; i < a->op_count; i++)
		if (a->operands[i].type == ARM64_OP_MEM)
			return true;
	return false;
}

static void compare(csh handle, enum apmu_isa__isa isa, const cs_insn *there, const struct apmu_insn *here,
		    uint32_t word, struct tally *t)
{
	bool a64 = isa == APMU_ISA__A64;
	bool branches = a64 ? a64_branches(handle, there) : arm_branches(handle, there);
	bool accesses = a64 ? a64_accesses(there) : arm_accesses(there);
	bool memory =
		here->cls == APMU_CLASS_LOAD || here->cls == APMU_CLASS_STORE || here->cls == APMU_CLASS_SWAP;

	if (branches != (here->branch != APMU_BRANCH_NONE))
		differ(there, branches ? "branch there, not here" : "branch here, not there", word),
			t->differ++;
	if (accesses != memory)
		differ(there, accesses ? "memory there, not here" : "memory here, not there", word),
			t->differ++;
}

static unsigned one(csh handle, enum apmu_isa__isa isa, const uint8_t *code, size_t left, uint64_t addr,
		    struct tally *t)
{
	struct apmu_isa__stream stream = {.isa = (uint8_t)isa};
	struct apmu_insn here;
	cs_insn *there = NULL;
	unsigned size = isa == APMU_ISA__T32 ? apmu_isa__thumb_size((uint16_t)(code[0] | code[1] << 8)) : 4;

	if (size > left)
		return (unsigned)left;
	uint32_t word = apmu_isa__opcode(isa, code, size);
	bool known = apmu_isa__classify(&stream, addr, word, size, &here);
	bool decoded = cs_disasm(handle, code, size, addr, 1, &there) == 1;
	t->seen++;
	if (known && decoded)
		compare(handle, isa, there, &here, word, t);
	if (!known && decoded)
		differ(there, "unknown here", word), t->undecoded_here++;
	t->undecoded_there += known && !decoded;
	if (there)
		cs_free(there, 1);
	return size;
}

static bool open_capstone(enum apmu_isa__isa isa, csh *handle)
{
	cs_arch arch = isa == APMU_ISA__A64 ? CS_ARCH_ARM64 : CS_ARCH_ARM;
	cs_mode mode = isa == APMU_ISA__T32 ? CS_MODE_THUMB : CS_MODE_ARM;

	return cs_open(arch, mode, handle) == CS_ERR_OK &&
	       cs_option(*handle, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK;
}

/* Compares a stretch of code of one instruction set. */
static void run(enum apmu_isa__isa isa, const uint8_t *code, size_t size, uint64_t addr, struct tally *t)
{
	csh handle;

	if (!open_capstone(isa, &handle))
		exit(2);
	for (size_t at = 0; at + 2 <= size;)
		at += one(handle, isa, code + at, size - at, addr + at, t);
	cs_close(&handle);
}

struct mapping {
	uint64_t addr;
	char kind; /* 'a', 't', 'd', 'x' */
};

static int by_addr(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static size_t mappings(Elf *elf, struct mapping *out, size_t room)
{
	size_t n = 0;

	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		GElf_Sym symbol;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
			if (name && name[0] == '$' && name[1] && strchr("atdx", name[1]) && n < room)
				out[n++] = (struct mapping){symbol.st_value, name[1]};
		}
	}
	qsort(out, n, sizeof(*out), by_addr);
	return n;
}

static void text_section(const GElf_Shdr *header, const uint8_t *bytes, const struct mapping *map, size_t n,
			 struct tally *t)
{
	uint64_t end = header->sh_addr + header->sh_size;

	for (size_t i = 0; i < n; i++) {
		uint64_t to = i + 1 < n && map[i + 1].addr < end ? map[i + 1].addr : end;
		if (map[i].addr < header->sh_addr || map[i].addr >= end || map[i].kind == 'd')
			continue;
		enum apmu_isa__isa isa = map[i].kind == 'x'   ? APMU_ISA__A64
					 : map[i].kind == 't' ? APMU_ISA__T32
							      : APMU_ISA__A32;
		run(isa, bytes + (map[i].addr - header->sh_addr), (size_t)(to - map[i].addr), map[i].addr, t);
	}
}

static void file(const char *path, struct tally *t)
{
	static struct mapping map[200000];
	int fd = open(path, O_RDONLY);
	Elf *elf = fd < 0 || elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ, NULL);

	if (!elf) {
		fprintf(stderr, "capstone_check: %s\n", path);
		exit(2);
	}
	size_t n = mappings(elf, map, sizeof(map) / sizeof(map[0]));
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		Elf_Data *data = elf_getdata(section, NULL);
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_PROGBITS &&
		    (header.sh_flags & SHF_EXECINSTR) && data)
			text_section(&header, data->d_buf, map, n, t);
	}
	elf_end(elf);
	close(fd);
}

/* True if the PC is an operand or in a list: UNPREDICTABLE for most instructions, but Capstone decodes them.
 */
static bool names_pc(enum apmu_isa__isa isa, uint32_t w)
{
	if (isa == APMU_ISA__A64)
		return false;
	if (isa == APMU_ISA__T32)
		w = w >> 16 | w << 16;
	return (w >> 16 & 15) == 15 || (w >> 12 & 15) == 15 || (w >> 8 & 15) == 15 || (w & 15) == 15 ||
	       (w & 0x8000);
}

/* Compares random words, the same ones each time (xorshift64*, Vigna 2016). */
static void random_words(enum apmu_isa__isa isa, unsigned long n, struct tally *t)
{
	uint64_t seed = 88172645463325252u;
	csh handle;

	if (!open_capstone(isa, &handle))
		exit(2);
	for (unsigned long i = 0; i < n; i++) {
		seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
		uint32_t word = (uint32_t)(seed * 2685821657736338717u >> 32);
		if (names_pc(isa, word))
			continue;
		uint8_t code[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
				   (uint8_t)(word >> 24)};
		one(handle, isa, code, sizeof(code), 0x10000, t);
	}
	cs_close(&handle);
}

static void input(const char *name, struct tally *t)
{
	if (strcmp(name, "a32") == 0)
		random_words(APMU_ISA__A32, 2000000, t);
	else if (strcmp(name, "t32") == 0)
		random_words(APMU_ISA__T32, 4000000, t);
	else if (strcmp(name, "a64") == 0)
		random_words(APMU_ISA__A64, 2000000, t);
	else
		file(name, t);
}

int main(int argc, char **argv)
{
	struct tally t = {0};
	int bad = 0;

	for (int i = 1; i < argc; i++)
		input(argv[i], &t);
	for (size_t i = 0; i < kinds; i++) {
		bool fine = is_allowed(differences[i].text);
		printf("%-8s %08x %6lu times: %s%s\n", differences[i].text, (unsigned)differences[i].word,
		       differences[i].n, differences[i].what, fine ? " (listed)" : "");
		bad |= !fine;
	}
	printf("%lu instructions, %lu unknown here, %lu unknown to Capstone alone\n", t.seen,
	       t.undecoded_here, t.undecoded_there);
	return bad || t.seen == 0;
}
