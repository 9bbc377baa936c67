/* SPDX-License-Identifier: MIT */
/* Loading a static Linux program: segments, the initial stack, and files that are not programs. */
#include "linux_house.h"

static struct house h;

/* The auxiliary vector's value for a key; all ones if it has none. */
static uint64_t auxiliary(uint64_t key)
{
	unsigned width = h.config.aarch64 ? 8 : 4;
	uint64_t at = h.begin.stack + width; /* past argc */

	for (unsigned ends = 0; ends < 2; at += width)
		ends += house_word(&h, at, width) == 0;
	for (; house_word(&h, at, width) != AT_NULL; at += 2 * width)
		if (house_word(&h, at, width) == key)
			return house_word(&h, at + width, width);
	return UINT64_MAX;
}

static const char *text(uint64_t at)
{
	return (const char *)house_byte(&h, at);
}

TEST(the_segment_is_in_memory_with_zeroes_behind)
{
	house_enter(&h, true);
	CHECK_EQ(h.begin.entry, 0x400080);
	CHECK_STR((char *)house_byte(&h, 0x400000 + offsetof(struct house_elf64, code)), "what runs");
	CHECK_EQ(house_word(&h, 0x401FF8, 8), 0);
	CHECK(house_byte(&h, 0x402000) == NULL);
	CHECK_EQ(h.page[0].protection, APMU_LINUX__READ | APMU_LINUX__EXECUTE);
	house_leave(&h);
}

TEST(the_stack_holds_arguments_environment_and_the_auxiliary_vector)
{
	for (int wide = 0; wide < 2; wide++) {
		unsigned w = wide ? 8 : 4;

		house_enter(&h, wide);
		uint64_t sp = h.begin.stack;
		CHECK_EQ(sp % 16, 0);
		CHECK_EQ(house_word(&h, sp, w), 2);
		CHECK_STR(text(house_word(&h, sp + w, w)), "prog");
		CHECK_STR(text(house_word(&h, sp + 2 * w, w)), "one");
		CHECK_EQ(house_word(&h, sp + 3 * w, w), 0);
		CHECK_STR(text(house_word(&h, sp + 4 * w, w)), "A=b");
		CHECK_EQ(house_word(&h, sp + 5 * w, w), 0);
		CHECK_EQ(auxiliary(AT_PAGESZ), 4096);
		CHECK_EQ(auxiliary(AT_ENTRY), h.begin.entry);
		CHECK_EQ(auxiliary(AT_PHDR),
			 (wide ? 0x400000 : 0x10000) + (wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)));
		CHECK_EQ(auxiliary(AT_PHNUM), 1);
		CHECK_EQ(auxiliary(AT_HWCAP), 3);
		CHECK_STR(text(auxiliary(AT_PLATFORM)), wide ? "aarch64" : "v7l");
		CHECK_STR(text(auxiliary(AT_EXECFN)), "prog");
		CHECK(house_byte(&h, auxiliary(AT_RANDOM) + 15) != NULL);
		house_leave(&h);
	}
}

TEST(aarch32_finds_the_kernels_helpers)
{
	house_enter(&h, false);
	CHECK_EQ(h.begin.entry & 1, 1); /* Thumb */
	CHECK_EQ(house_word(&h, 0xFFFF0FFC, 4), 3);
	CHECK_EQ(house_word(&h, 0xFFFF0FC0, 4), 0xE5923000);
	CHECK_EQ(house_call(&h, 0xF0005, 0x12345678, 0, 0, 0), 0);
	CHECK_EQ(h.tls, 0x12345678);
	CHECK_EQ(house_word(&h, 0xFFFF0FF0, 4), 0x12345678); /* ldr r0, [pc, #8] at 0xFE0 */
	house_leave(&h);
}

TEST(a_static_pie_is_moved)
{
	struct house_elf64 e = house_program64();

	e.header.e_type = ET_DYN;
	e.header.e_entry = 0x80;
	e.segment.p_vaddr = 0;
	house_prepare(&h, true);
	CHECK_EQ(house_load(&h, &e, sizeof(e)), 0);
	CHECK(h.begin.entry > 0x80);
	CHECK_EQ(auxiliary(AT_ENTRY), h.begin.entry);
	CHECK_EQ(auxiliary(AT_PHDR), h.begin.entry - 0x80 + sizeof(Elf64_Ehdr));
	house_leave(&h);
}

/* Checks that a damaged program is refused with this message. */
static void refused(struct house_elf64 e, size_t n, const char *why)
{
	house_prepare(&h, true);
	CHECK(house_load(&h, &e, n) < 0);
	if (!strstr(h.said, why))
		CHECK_STR(h.said, why);
	house_leave(&h);
}

TEST(damaged_programs_are_refused_with_a_reason)
{
	const struct house_elf64 good = house_program64();
	struct house_elf64 e = good;

	refused(good, 0, "not an ELF");
	refused(good, 20, "not an ELF");
	e.header.e_machine = EM_X86_64;
	refused(e, sizeof(e), "not an AArch64");
	e = good;
	e.header.e_ident[EI_DATA] = ELFDATA2MSB;
	e.header.e_type = 0x200;
	refused(e, sizeof(e), "big-endian");
	e = good;
	e.header.e_type = ET_REL;
	refused(e, sizeof(e), "not a program");
	e = good;
	e.header.e_phnum = 0;
	refused(e, sizeof(e), "no segments");
	e = good;
	e.segment.p_type = PT_INTERP;
	refused(e, sizeof(e), "-static");
	e = good;
	e.segment.p_offset = 8;
	refused(e, sizeof(e), "beyond its end");
	e = good;
	e.segment.p_filesz = UINT64_MAX;
	refused(e, sizeof(e), "beyond its end");
	e = good;
	e.segment.p_memsz = 8;
	refused(e, sizeof(e), "beyond its end");
	e = good;
	e.segment.p_memsz = UINT64_MAX;
	refused(e, sizeof(e), "nowhere");
	e = good;
	e.segment.p_vaddr = UINT64_MAX - 8;
	refused(e, sizeof(e), "nowhere");
	e = good;
	e.segment.p_vaddr = 0;
	refused(e, sizeof(e), "does not fit");
	e = good;
	e.segment.p_memsz = 0x10000000;
	refused(e, sizeof(e), "does not fit");
}

TEST(the_old_abi_is_refused)
{
	struct house_elf32 e = house_program32();

	e.header.e_flags = 0;
	house_prepare(&h, false);
	CHECK(house_load(&h, &e, sizeof(e)) < 0);
	CHECK(strstr(h.said, "OABI") != NULL);
	house_leave(&h);
}

TEST(too_many_arguments_are_refused)
{
	static const char *argv[40];
	static char longest[16384];
	struct house_elf64 e = house_program64();

	memset(longest, 'x', sizeof(longest) - 1);
	for (unsigned i = 0; i < 39; i++)
		argv[i] = longest;
	house_prepare(&h, true);
	h.config.argv = argv;
	CHECK_EQ(house_load(&h, &e, sizeof(e)), -E2BIG);
	house_leave(&h);
}
