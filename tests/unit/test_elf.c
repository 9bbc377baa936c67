/* SPDX-License-Identifier: MIT */
/* The ELF probe on valid and hostile files. */
#define _GNU_SOURCE /* mkstemp */
#include "../test.h"
#include "qemu/run.h"

#include <elf.h>
#include <stdlib.h>
#include <unistd.h>

#define INTERP "/lib/ld-linux.so.3"

/* The smallest dynamic Arm program: header, two program headers, the interpreter's name. */
struct program {
	Elf32_Ehdr header;
	Elf32_Phdr segment[2];
	char interp[sizeof(INTERP)];
};

static struct program program(void)
{
	struct program p = {.interp = INTERP};

	memcpy(p.header.e_ident, ELFMAG, SELFMAG);
	p.header.e_ident[EI_CLASS] = ELFCLASS32;
	p.header.e_ident[EI_DATA] = ELFDATA2LSB;
	p.header.e_ident[EI_VERSION] = EV_CURRENT;
	p.header.e_type = ET_EXEC;
	p.header.e_machine = EM_ARM;
	p.header.e_version = EV_CURRENT;
	p.header.e_phoff = sizeof(p.header);
	p.header.e_ehsize = sizeof(p.header);
	p.header.e_phentsize = sizeof(p.segment[0]);
	p.header.e_phnum = 2;
	p.segment[0] = (Elf32_Phdr){.p_type = PT_LOAD, .p_filesz = sizeof(p), .p_memsz = sizeof(p)};
	p.segment[1] = (Elf32_Phdr){.p_type = PT_INTERP, .p_offset = offsetof(struct program, interp)};
	p.segment[1].p_filesz = p.segment[1].p_memsz = sizeof(p.interp);
	return p;
}

struct probe {
	int code;
	struct apmu_isa__elf elf;
	char error[256];
};

/* Probes a file with the given bytes. */
static struct probe probe(const void *bytes, size_t size)
{
	struct probe result = {.error = ""};
	char path[] = "/tmp/apmu-test-elf-XXXXXX";
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	CHECK_EQ(write(fd, bytes, size), size);
	close(fd);
	result.code = apmu_isa__elf_probe(path, &result.elf, result.error, sizeof(result.error));
	unlink(path);
	return result;
}

TEST(a_dynamic_arm_program_names_its_interpreter)
{
	struct program p = program();
	struct probe got = probe(&p, sizeof(p));

	CHECK_EQ(got.code, 0);
	CHECK_EQ(got.elf.machine, EM_ARM);
	CHECK(got.elf.dynamic);
	CHECK(!got.elf.static_pie);
	CHECK(!got.elf.hard_float);
	CHECK_STR(got.elf.interp, INTERP);
}

TEST(a_static_pie_has_no_interpreter)
{
	struct program p = program();

	p.header.e_type = ET_DYN;
	p.header.e_phnum = 1;
	p.header.e_flags = EF_ARM_ABI_FLOAT_HARD;
	struct probe got = probe(&p, sizeof(p));
	CHECK_EQ(got.code, 0);
	CHECK(got.elf.static_pie);
	CHECK(!got.elf.dynamic);
	CHECK(got.elf.hard_float);
}

TEST(the_lowest_segment_and_the_lowest_that_holds_code_are_told)
{
	struct program p = program();

	CHECK_EQ(probe(&p, sizeof(p)).elf.first, 0);
	CHECK_EQ(probe(&p, sizeof(p)).elf.code, UINT64_MAX);
	p.segment[0].p_vaddr = 0x9000;
	p.segment[0].p_flags = PF_R | PF_X;
	p.segment[1].p_type = PT_LOAD;
	p.segment[1].p_vaddr = 0x8000;
	CHECK_EQ(probe(&p, sizeof(p)).elf.first, 0x8000);
	CHECK_EQ(probe(&p, sizeof(p)).elf.code, 0x9000);
	p.segment[1].p_flags = PF_X;
	CHECK_EQ(probe(&p, sizeof(p)).elf.code, 0x8000);
}

/* Probes a static program whose one note has a type and an owner. */
static struct probe probe_note(unsigned type, const char *owner)
{
	struct {
		struct program p;
		Elf32_Nhdr note;
		char owner[4];
		uint32_t text[4];
	} file = {.p = program(), .note = {.n_namesz = 4, .n_descsz = 16, .n_type = type}};

	memcpy(file.owner, owner, 4);
	file.p.segment[1] = (Elf32_Phdr){.p_type = PT_NOTE,
					 .p_offset = (uint32_t)((char *)&file.note - (char *)&file),
					 .p_filesz = sizeof(file.note) + 20};
	return probe(&file, sizeof(file));
}

TEST(a_static_program_is_for_Linux_if_a_note_names_its_ABI)
{
	CHECK_EQ(probe_note(NT_GNU_ABI_TAG, "GNU").code, 0);
	CHECK(probe_note(NT_GNU_ABI_TAG, "GNU").elf.for_linux);
	CHECK(!probe_note(NT_GNU_BUILD_ID, "GNU").elf.for_linux);
	CHECK(!probe_note(NT_GNU_ABI_TAG, "BSD").elf.for_linux);
}

TEST(other_machines_are_named)
{
	struct program p = program();

	p.header.e_machine = EM_MIPS;
	struct probe got = probe(&p, sizeof(p));
	CHECK(got.code < 0);
	CHECK(strstr(got.error, "a program for MIPS") != NULL);
	p.header.e_machine = 0x7777;
	got = probe(&p, sizeof(p));
	CHECK(strstr(got.error, "another machine") != NULL);
}

TEST(big_endian_is_refused_by_name)
{
	struct program p = program();

	p.header.e_ident[EI_DATA] = ELFDATA2MSB;
	p.header.e_machine = EM_ARM << 8;
	struct probe got = probe(&p, sizeof(p));
	CHECK(got.code < 0);
	CHECK(strstr(got.error, "big-endian") != NULL);
}

TEST(objects_and_texts_are_no_programs)
{
	struct program p = program();

	p.header.e_type = ET_REL;
	CHECK(strstr(probe(&p, sizeof(p)).error, "not a program") != NULL);
	CHECK(strstr(probe("#!/bin/sh\n", 10).error, "not an ELF") != NULL);
	CHECK(strstr(probe("", 0).error, "not an ELF") != NULL);
	CHECK(strstr(probe(&p, 20).error, "not an ELF") != NULL);
}

TEST(a_program_that_is_cut_off_is_said_to_be)
{
	struct program p = program();

	for (size_t n = sizeof(p.header); n < sizeof(p); n++)
		CHECK(strstr(probe(&p, n).error, "cut off") != NULL);
	CHECK_EQ(probe(&p, sizeof(p)).code, 0);
}

/* The interpreter's name may lie outside the file, be longer than the buffer, or have no terminator. */
TEST(a_hostile_interpreter_stays_within_its_room)
{
	struct program p = program();

	p.segment[1].p_offset = 0xFFFFFFF0;
	struct probe got = probe(&p, sizeof(p));
	CHECK_STR(got.elf.interp, "");
	p = program();
	p.segment[1].p_filesz = 0xFFFFFFFF;
	p.segment[1].p_offset = 0;
	got = probe(&p, sizeof(p));
	CHECK(memchr(got.elf.interp, '\0', sizeof(got.elf.interp)) != NULL);
}

/* 4000 files, each with up to four bytes changed or its end cut off: each gets a verdict, and a refusal has a
 * message. Sanitizers watch. */
TEST(no_damaged_file_goes_without_a_verdict)
{
	uint32_t seed = 2463534242u;

	for (unsigned round = 0; round < 4000; round++) {
		struct program p = program();
		uint8_t *bytes = (uint8_t *)&p;
		for (unsigned i = 0; i < 1 + round % 4; i++) {
			seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
			bytes[seed % sizeof(p)] = (uint8_t)(seed >> 24);
		}
		struct probe got = probe(&p, round % 8 ? sizeof(p) : seed % sizeof(p));
		CHECK(got.code <= 0);
		CHECK(got.code == 0 || got.error[0] != '\0');
	}
}
