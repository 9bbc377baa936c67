/* SPDX-License-Identifier: MIT */
/**
 * A hostile program writes what it likes into the memory and the file of marks that its QEMU shares with the
 * command. What must hold: stat and record end with one of their statuses, and what record wrote can be
 * reported.
 *
 * The first byte chooses the command, the second whether the program ends with 0; the rest are writes. In
 * place of QEMU's process is apmu_qemu__process() of this file; tests/fuzz/share.sh puts a plugin and a QEMU
 * of the right names beside this program.
 */
#define _GNU_SOURCE /* memfd_create */
#include "bytes.h"
#include "cli/cli.h"
#include "qemu/launch.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS = 16, MOST = 255, ENDS = 7 };
enum { TOP, RECORD, METER, SLOT, BLOCK_COUNTER, BUFFER, CELLS, EDGES, MARKS, THREAD, KINDS };

/* PROGRAM and FILE are descriptors' names. */
static const char *const commands[][WORDS] = {
	{"stat", "-c", "cortex-a53", "PROGRAM"},
	{"stat", "-c", "neoverse-n1", "-j", "--per-thread", "--follow", "-e", "cycles,instructions",
	 "PROGRAM"},
	{"stat", "-c", "cortex-a53", "-I", "1000", "-e", "branches,cycles", "PROGRAM"},
	{"stat", "-c", "cortex-a72", "--as-hardware", "-M", "branch", "PROGRAM"},
	{"record", "--core", "cortex-a53", "-e", "cycles", "-g", "-o", "FILE", "PROGRAM"},
	{"record", "--core", "cortex-a53", "--exact", "-e", "instructions,branches", "-o", "FILE", "PROGRAM"},
	{"record", "--core", "neoverse-n1", "-b", "-e", "branches", "-o", "FILE", "PROGRAM"},
	{"record", "--core", "cortex-a72", "-d", "-e", "cache-misses", "-o", "FILE", "PROGRAM"},
};
static struct bytes input;
static bool recording, exact, branches;

/* Where a kind of thing lies in the mapping, and how large it is; NULL: not in this run's. What is counted
 * counts it. */
static uint8_t *place(struct apmu_qemu__share *s, unsigned kind, uint32_t index, size_t *size)
{
	switch (kind) {
	case TOP: *size = offsetof(struct apmu_qemu__share, slot); return (uint8_t *)s;
	case RECORD: *size = sizeof s->record; return (uint8_t *)&s->record;
	case METER: *size = sizeof s->meter; return (uint8_t *)&s->meter;
	case SLOT: *size = sizeof s->slot[0]; return (uint8_t *)&s->slot[index];
	case BLOCK_COUNTER:
		*size = sizeof s->block_counter[0];
		atomic_store(&s->block_counters, index + 1);
		return (uint8_t *)&s->block_counter[index];
	case BUFFER: *size = sizeof s->buffer[0]; return recording ? (uint8_t *)&s->buffer[index] : NULL;
	case CELLS:
		*size = APMU_QEMU__CELLS_PAGE;
		atomic_store(&s->record.cell_pages, index % 8 + 1);
		return exact ? (uint8_t *)apmu_qemu__share_cells(s, index % 8) : NULL;
	case EDGES:
		*size = APMU_QEMU__EDGES_PAGE;
		atomic_store(&s->record.edge_pages, index % 8 + 1);
		return branches ? (uint8_t *)apmu_qemu__share_edges(s, exact, index % 8) : NULL;
	default: return NULL;
	}
}

/* What a thread that lives has filled in at least. */
static void begin_thread(struct apmu_qemu__share *s, uint32_t index)
{
	struct apmu_qemu__slot *slot = &s->slot[index];

	atomic_store(&slot->used, 1);
	slot->pid = slot->tid = (int32_t)index + 1;
	slot->serial = index;
	if (atomic_load(&s->serial) <= index)
		atomic_store(&s->serial, index + 1);
}

/* Whole marks; a byte at their end may be torn off. */
static void write_mark(int marks, uint32_t index, uint32_t offset, const uint8_t *data, size_t n)
{
	off_t at = (off_t)(index * sizeof(struct apmu_qemu__snapshot));

	MUST(ftruncate(marks, at + (off_t)sizeof(struct apmu_qemu__snapshot) - offset % 2) == 0);
	MUST(pwrite(marks, data, n, at + (off_t)offset) == (ssize_t)n);
}

static void write_one(struct apmu_qemu__share *s, int marks)
{
	uint8_t kind = byte(&input) % KINDS;
	uint32_t index = (uint32_t)word(&input, 1), offset = (uint32_t)word(&input, 2);
	size_t size = 0, n = byte(&input);
	uint8_t data[MOST], *at = place(s, kind, index, &size);

	for (size_t i = 0; i < n; i++)
		data[i] = byte(&input);
	if (kind == THREAD)
		begin_thread(s, index);
	else if (kind == MARKS)
		write_mark(marks, index % 8, offset % 512, data, n);
	else if (at && offset % size + n <= size)
		memcpy(at + offset % size, data, n);
}

int apmu_qemu__process(const char **line, int memory, const struct apmu_qemu__run_options *options,
		       const struct apmu_qemu__share *share, int *status, int *ended_by)
{
	struct apmu_qemu__share *s = (struct apmu_qemu__share *)(uintptr_t)share;
	int marks = s->marks.descriptor;

	(void)line, (void)memory;
	recording = options->record;
	exact = recording && options->record->exact;
	branches = recording && options->record->branches;
	atomic_store(&s->started, 1);
	*status = byte(&input) % 2 ? ENDS << 8 : 0;
	*ended_by = 0;
	while (input.left)
		write_one(s, marks);
	return 0;
}

/* The least that is taken for a program. */
static int make_program(void)
{
	Elf64_Ehdr head = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_AARCH64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof head,
		.e_phoff = sizeof head,
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1};
	Elf64_Phdr segment = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_memsz = 4096, .p_vaddr = 0x400000};
	int fd = memfd_create("program", 0);

	MUST(write(fd, &head, sizeof head) == sizeof head &&
	     write(fd, &segment, sizeof segment) == sizeof segment);
	return fd;
}

static int run(const char *const *words, const char *program, const char *file)
{
	static FILE *nowhere;
	char *argv[WORDS + 2] = {cli__copy("apmu")}, *mine[WORDS + 2]; /* the command may permute argv */
	int argc = 1;

	if (!nowhere)
		nowhere = fopen(getenv("APMU_FUZZ_SAY") ? "/dev/stderr" : "/dev/null", "w");
	for (; argc <= WORDS && words[argc - 1]; argc++) {
		const char *word = words[argc - 1];
		argv[argc] = cli__copy(strcmp(word, "FILE") == 0      ? file
				       : strcmp(word, "PROGRAM") == 0 ? program
								      : word);
	}
	memcpy(mine, argv, sizeof mine);
	int code = cli__cli(argc, argv, nowhere, nowhere);
	for (int i = 0; i < argc; i++)
		free(mine[i]);
	return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const report[] = {"report", "-i", "FILE", NULL};
	static int fd_program = -1;
	char program[32], file[32];

	if (fd_program < 0)
		fd_program = make_program();
	int fd = memfd_create("recording", 0);
	input = (struct bytes){data, size};
	const char *const *words = commands[byte(&input) % (sizeof commands / sizeof *commands)];
	snprintf(program, sizeof program, "/proc/self/fd/%d", fd_program);
	snprintf(file, sizeof file, "/proc/self/fd/%d", fd);
	int code = run(words, program, file);
	MUST(code == 0 || code == 1 || code == ENDS);
	MUST(input.left == 0);
	if (strcmp(words[0], "record") == 0)
		MUST(run(report, program, file) <= 1);
	close(fd);
	return 0;
}
