/* SPDX-License-Identifier: MIT */
/* Loads a static program (libelf reads it, nothing in it is trusted) and builds its first stack. */
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_MASK   ((uint64_t)APMU_LINUX__PAGE - 1)
#define STACK_TOP   0x80000000u
#define STACK_SIZE  ((uint64_t)8 << 20)
#define PIE_BASE    0x00400000u
#define SEGMENTS    64u
#define STRINGS     ((uint64_t)256 << 10) /* bytes of arguments and environment together */
#define KUSER       0xFFFF0000u
#define CLOCK_TICKS 100u

struct loading {
	struct apmu_linux__linux *p;
	Elf *elf;
	const uint8_t *file;
	size_t n;
	GElf_Ehdr header;
	uint64_t bias, end, headers; /* end: of the last segment; headers: AT_PHDR, or 0 */
	char *error;
	size_t size;
};

static int fail(const struct loading *l, int code, const char *text)
{
	snprintf(l->error, l->size, "%s", text);
	return code;
}

/* AArch32's kernel helpers, for programs of Armv5. With one thread nothing can interrupt them. 0xFA0: memory
 * barrier; 0xFC0: compare and exchange; 0xFE0: thread pointer; 0xFFC: how many helpers there are. 0xF00 is
 * APMU_LINUX__TRAMPOLINE. */
static const struct {
	uint16_t at;
	uint32_t word;
} kuser[] = {
	{0xFA0, 0xE12FFF1E}, /* bx lr */
	{0xFC0, 0xE5923000},
	{0xFC4, 0xE0533000}, /* ldr r3, [r2]; subs r3, r3, r0 */
	{0xFC8, 0x05821000},
	{0xFCC, 0xE2730000}, /* streq r1, [r2]; rsbs r0, r3, #0 */
	{0xFD0, 0xE12FFF1E}, /* bx lr */
	{0xFE0, 0xE59F0008},
	{0xFE4, 0xE12FFF1E}, /* ldr r0, [pc, #8]; bx lr */
	{0xF00, 0xE3A070AD},
	{0xF04, 0xEF000000}, /* a handler returns here: mov r7, #173 (rt_sigreturn); svc #0 */
	{0xF10, 0xE3A07077},
	{0xF14, 0xEF000000}, /* mov r7, #119 (sigreturn); svc #0 */
	{0xFFC, 3},
};

static int map_helpers(struct loading *l)
{
	const struct apmu_linux__machine *machine = &l->p->config.machine;
	int code;

	if (l->p->config.aarch64)
		return 0;
	code = machine->map(machine->ctx, KUSER, APMU_LINUX__PAGE, APMU_LINUX__READ | APMU_LINUX__EXECUTE);
	for (size_t i = 0; code == 0 && i < sizeof(kuser) / sizeof(kuser[0]); i++)
		if (!apmu_linux__put(l->p, KUSER + kuser[i].at, &kuser[i].word, 4))
			code = -EFAULT;
	return code ? fail(l, code, "no memory for the kernel's helper page") : 0;
}

static int check_header(struct loading *l)
{
	bool wide = l->p->config.aarch64;

	if (!l->elf || elf_kind(l->elf) != ELF_K_ELF || !gelf_getehdr(l->elf, &l->header))
		return fail(l, -ENOEXEC, "not an ELF program");
	if (l->header.e_ident[EI_DATA] != ELFDATA2LSB)
		return fail(l, -ENOEXEC, "a big-endian program; only little-endian ones can run");
	if (l->header.e_machine != (wide ? EM_AARCH64 : EM_ARM) ||
	    l->header.e_ident[EI_CLASS] != (wide ? ELFCLASS64 : ELFCLASS32))
		return fail(l, -ENOEXEC, wide ? "not an AArch64 program" : "not a 32-bit Arm program");
	if (!wide && l->header.e_flags >> 24 == 0)
		return fail(l, -ENOEXEC, "a program of the old ABI (OABI); only EABI programs can run");
	if (l->header.e_type != ET_EXEC && l->header.e_type != ET_DYN)
		return fail(l, -ENOEXEC, "an ELF file, but not a program");
	l->bias = l->header.e_type == ET_DYN ? PIE_BASE : 0;
	return 0;
}

static unsigned protection(uint32_t flags)
{
	return (flags & PF_R ? APMU_LINUX__READ : 0u) | (flags & PF_W ? APMU_LINUX__WRITE : 0u) |
	       (flags & PF_X ? APMU_LINUX__EXECUTE : 0u);
}

/* Maps a segment. If it begins in the page where the one before ended, that page is mapped already. */
static int map_segment(struct loading *l, uint64_t from, uint64_t to, unsigned rights)
{
	uint64_t base = from & ~PAGE_MASK, end = (to + PAGE_MASK) & ~PAGE_MASK;

	if (base < l->end)
		base = l->end;
	if (end <= base)
		return 0;
	int code = apmu_linux__map(l->p, base, end - base, rights);
	if (code == 0)
		l->end = end;
	return code ? fail(l, code, "a segment does not fit into the address space") : 0;
}

static int load_segment(struct loading *l, const GElf_Phdr *segment)
{
	uint64_t at = segment->p_vaddr + l->bias;
	bool blank = segment->p_filesz == 0; /* nothing of it is in the file, so its offset does not matter */

	if (segment->p_filesz > segment->p_memsz ||
	    (!blank && (segment->p_offset > l->n || segment->p_filesz > l->n - segment->p_offset)))
		return fail(l, -ENOEXEC, "the file is damaged: a segment reaches beyond its end");
	if (segment->p_memsz > UINT32_MAX || at > UINT64_MAX / 2 ||
	    (at & ~PAGE_MASK) + APMU_LINUX__PAGE < l->end)
		return fail(l, -ENOEXEC, "the file is damaged: its segments overlap or stand nowhere");
	if (segment->p_memsz == 0)
		return 0;
	int code = map_segment(l, at, at + segment->p_memsz, protection(segment->p_flags));
	if (code != 0)
		return code;
	if (!blank && !apmu_linux__put(l->p, at, l->file + segment->p_offset, (size_t)segment->p_filesz))
		return fail(l, -EFAULT, "a segment cannot be written to memory");
	if (l->header.e_phoff >= segment->p_offset &&
	    l->header.e_phoff < segment->p_offset + segment->p_filesz)
		l->headers = at + l->header.e_phoff - segment->p_offset;
	return 0;
}

static int load_segments(struct loading *l)
{
	size_t n = 0;

	if (elf_getphdrnum(l->elf, &n) != 0 || n == 0 || n > SEGMENTS)
		return fail(l, -ENOEXEC, "the file has no segments to load, or too many");
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(l->elf, (int)i, &segment))
			return fail(l, -ENOEXEC, "the file is damaged: its program headers are cut short");
		if (segment.p_type == PT_INTERP)
			return fail(l, -ENOEXEC,
				    "dynamically linked; only static programs run here (link with -static)");
		int code = segment.p_type == PT_LOAD ? load_segment(l, &segment) : 0;
		if (code != 0)
			return code;
	}
	if (l->end == 0)
		return fail(l, -ENOEXEC, "the file has no segments to load, or too many");
	l->p->brk_start = l->p->brk = l->end;
	return 0;
}

/* The stack under construction, from the top down. */
struct stack {
	struct apmu_linux__linux *p;
	uint64_t at;
	bool failed;
};

static uint64_t push(struct stack *s, const void *bytes, size_t n)
{
	s->at -= n;
	if (s->at < STACK_TOP - STRINGS || !apmu_linux__put(s->p, s->at, bytes, n))
		s->failed = true;
	return s->at;
}

static size_t count(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

/* The words that the program finds at its stack pointer, in ascending order. */
struct vector {
	uint64_t *word;
	size_t n;
};

static void add(struct vector *v, uint64_t word)
{
	v->word[v->n++] = word;
}

static void add_pair(struct vector *v, uint64_t key, uint64_t value)
{
	add(v, key);
	add(v, value);
}

static void add_strings(struct vector *v, struct stack *s, const char *const *list)
{
	for (size_t i = 0; list && list[i] && !s->failed; i++)
		add(v, push(s, list[i], strlen(list[i]) + 1));
	add(v, 0);
}

static void add_auxiliary(struct vector *v, struct stack *s, const struct loading *l, uint64_t name)
{
	const struct apmu_linux__config *config = &l->p->config;
	uint64_t random[2] = {apmu_linux__random(l->p), apmu_linux__random(l->p)};

	if (l->headers)
		add_pair(v, AT_PHDR, l->headers);
	add_pair(v, AT_PHENT, l->header.e_phentsize);
	add_pair(v, AT_PHNUM, l->header.e_phnum);
	add_pair(v, AT_PAGESZ, APMU_LINUX__PAGE);
	add_pair(v, AT_BASE, 0);
	add_pair(v, AT_FLAGS, 0);
	add_pair(v, AT_ENTRY, l->header.e_entry + l->bias);
	add_pair(v, AT_UID, APMU_LINUX__PID);
	add_pair(v, AT_EUID, APMU_LINUX__PID);
	add_pair(v, AT_GID, APMU_LINUX__PID);
	add_pair(v, AT_EGID, APMU_LINUX__PID);
	add_pair(v, AT_SECURE, 0);
	add_pair(v, AT_CLKTCK, CLOCK_TICKS);
	add_pair(v, AT_HWCAP, config->hwcap);
	add_pair(v, AT_HWCAP2, config->hwcap2);
	add_pair(v, AT_PLATFORM, push(s, config->platform, strlen(config->platform) + 1));
	add_pair(v, AT_RANDOM, push(s, random, sizeof(random)));
	add_pair(v, AT_EXECFN, name);
	add_pair(v, AT_NULL, 0);
}

#define AUXILIARY_WORDS 40u

static uint64_t place(struct stack *s, const struct vector *v)
{
	unsigned width = apmu_linux__width(s->p);

	s->at = (s->at - v->n * width) & ~(uint64_t)15;
	if (s->at < STACK_TOP - 2 * STRINGS)
		s->failed = true;
	for (size_t i = 0; i < v->n && !s->failed; i++)
		s->failed = !apmu_linux__put(s->p, s->at + i * width, &v->word[i], width);
	return s->at;
}

static int build_stack(struct loading *l, uint64_t *stack)
{
	const struct apmu_linux__config *config = &l->p->config;
	struct stack s = {.p = l->p, .at = STACK_TOP - 16};
	size_t arguments = count(config->argv);
	int code = apmu_linux__map(l->p, STACK_TOP - STACK_SIZE, STACK_SIZE,
				   APMU_LINUX__READ | APMU_LINUX__WRITE);

	if (code != 0)
		return fail(l, code, "no memory for the stack");
	if (arguments == 0)
		return fail(l, -EINVAL, "the program has no name (argv[0])");
	struct vector v = {calloc(arguments + count(config->envp) + 3 + AUXILIARY_WORDS, sizeof(uint64_t)),
			   0};
	if (!v.word)
		return fail(l, -ENOMEM, "out of memory");
	add(&v, arguments);
	add_strings(&v, &s, config->argv);
	add_strings(&v, &s, config->envp);
	add_auxiliary(&v, &s, l, v.word[1]);
	*stack = place(&s, &v);
	free(v.word);
	return s.failed ? fail(l, -E2BIG, "arguments and environment are longer than 256 KiB") : 0;
}

static int start(struct loading *l, struct apmu_linux__begin *begin)
{
	int code = check_header(l);

	if (code == 0)
		code = load_segments(l);
	if (code == 0)
		code = map_helpers(l);
	if (code == 0)
		code = build_stack(l, &begin->stack);
	begin->entry = l->header.e_entry + l->bias;
	return code;
}

int apmu_linux__start(struct apmu_linux__linux *process, const struct apmu_linux__config *config,
		      const void *elf, size_t n, struct apmu_linux__begin *begin, char *error, size_t size)
{
	struct loading l = {.p = process, .file = elf, .n = n, .error = error, .size = size};
	char *copy = n ? malloc(n) : NULL; /* libelf needs a copy that it may write to */

	memset(process, 0, sizeof(*process));
	process->config = *config;
	process->random = config->seed ? config->seed : 1;
	for (unsigned fd = 0; fd < APMU_LINUX__FILES; fd++)
		process->open[fd] = (struct apmu_linux__open){
			.kind = fd < 3 ? (uint8_t)(APMU_LINUX__STDIN + fd) : APMU_LINUX__CLOSED,
			.flags = 2,
			.host = -1};
	if (!copy)
		return fail(&l, n ? -ENOMEM : -ENOEXEC, n ? "out of memory" : "not an ELF program");
	memcpy(copy, elf, n);
	if (elf_version(EV_CURRENT) != EV_NONE)
		l.elf = elf_memory(copy, n);
	int code = start(&l, begin);
	if (l.elf)
		elf_end(l.elf);
	free(copy);
	return code;
}
