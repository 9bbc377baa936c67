/* SPDX-License-Identifier: MIT */
/* Finds out if a file is a program that this engine runs. Any file may be given, so nothing in it is trusted;
 * libelf reads it. */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "isa/elf_probe.h"
#include "base/error_line.h"
#include "isa/attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	uint16_t machine;
	const char *name;
} machines[] = {
	{EM_386, "x86 (32-bit)"}, {EM_X86_64, "x86-64"},    {EM_ARM, "Arm (32-bit)"}, {EM_AARCH64, "AArch64"},
	{EM_MIPS, "MIPS"},        {EM_PPC, "PowerPC"},      {EM_PPC64, "PowerPC 64"}, {EM_S390, "IBM Z"},
	{EM_SPARC, "SPARC"},      {EM_SPARCV9, "SPARC V9"}, {EM_RISCV, "RISC-V"},     {EM_68K, "m68k"},
	{EM_SH, "SuperH"},        {EM_IA_64, "Itanium"},    {EM_ALPHA, "Alpha"},
};

const char *apmu_isa__elf_machine(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return "another machine";
}

/* Reads the interpreter's name; a name that is cut off by the end of the file, or too long, is truncated. */
static void read_interp(int fd, const GElf_Phdr *header, struct apmu_isa__elf *out)
{
	size_t room = sizeof(out->interp) - 1;
	size_t want = header->p_filesz < room ? (size_t)header->p_filesz : room;
	ssize_t got =
		header->p_offset <= INT64_MAX ? pread(fd, out->interp, want, (off_t)header->p_offset) : -1;

	out->interp[got > 0 ? got : 0] = '\0';
}

/* True for the note of programs for an operating system with its own ABI: nearly always Linux. */
static bool has_abi_tag(Elf *elf, const GElf_Phdr *header)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)header->p_offset, header->p_filesz, ELF_T_NHDR);
	GElf_Nhdr note;
	size_t at = 0, name, text;

	while (data && (at = gelf_getnote(data, at, &note, &name, &text)) > 0)
		if (note.n_type == NT_GNU_ABI_TAG && note.n_namesz == sizeof "GNU" &&
		    memcmp((const char *)data->d_buf + name, "GNU", sizeof "GNU") == 0)
			return true;
	return false;
}

/* True if the file ends before the segment does. One without bytes in the file may lie behind its end. */
static bool is_cut(int fd, const GElf_Phdr *header)
{
	struct stat about;

	return header->p_filesz && fstat(fd, &about) == 0 &&
	       (header->p_offset > (uint64_t)about.st_size ||
		header->p_filesz > (uint64_t)about.st_size - header->p_offset);
}

#define NOTES      64   /* notes looked at; libelf keeps each in memory */
#define NOTE_BYTES 4096 /* of a longer one nothing is read */

/* False if a segment to load, or the table of segments (`said` entries), is not whole in the file. */
static bool read_segments(int fd, Elf *elf, size_t said, struct apmu_isa__elf *out)
{
	bool whole = true;
	size_t n = 0, notes = 0;

	out->first = out->code = UINT64_MAX;
	if (elf_getphdrnum(elf, &n) != 0)
		return said == 0;
	if (n < said && said != PN_XNUM) /* libelf leaves out what the file has no room for */
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr header;
		if (!gelf_getphdr(elf, (int)i, &header))
			continue;
		if (header.p_type == PT_NOTE && header.p_filesz <= NOTE_BYTES && notes++ < NOTES)
			out->for_linux |= has_abi_tag(elf, &header);
		if (header.p_type == PT_LOAD && is_cut(fd, &header))
			whole = false;
		if (header.p_type == PT_LOAD && header.p_vaddr < out->first)
			out->first = header.p_vaddr;
		if (header.p_type == PT_LOAD && (header.p_flags & PF_X) && header.p_vaddr < out->code)
			out->code = header.p_vaddr;
		if (header.p_type != PT_INTERP || out->dynamic)
			continue;
		out->dynamic = out->for_linux = true;
		read_interp(fd, &header, out);
	}
	return whole;
}

static int read_elf(int fd, Elf *elf, const char *path, struct apmu_isa__elf *out, char *error, size_t size)
{
	GElf_Ehdr header;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return apmu_base__say(error, size, -ENOEXEC, "%s: not an ELF program", path);
	out->machine = header.e_machine;
	out->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	out->hard_float = header.e_machine == EM_ARM && (header.e_flags & EF_ARM_ABI_FLOAT_HARD);
	if (header.e_machine != EM_ARM && header.e_machine != EM_AARCH64)
		return apmu_base__say(error, size, -ENOEXEC, "%s: a program for %s, not for Arm or AArch64",
				      path, apmu_isa__elf_machine(header.e_machine));
	if (out->big_endian)
		return apmu_base__say(error, size, -ENOEXEC,
				      "%s: a big-endian program; only little-endian ones can run", path);
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return apmu_base__say(error, size, -ENOEXEC, "%s: an ELF file, but not a program", path);
	if (!read_segments(fd, elf, header.e_phnum, out))
		return apmu_base__say(error, size, -ENOEXEC,
				      "%s: cut off: the file ends before the program does", path);
	out->arch = header.e_machine == EM_ARM ? apmu_isa__attributes_arch(elf) : 0;
	out->static_pie = header.e_type == ET_DYN && !out->dynamic;
	return 0;
}

static int refuse_file(int fd, const char *path, char *error, size_t size)
{
	struct stat about;

	if (fstat(fd, &about) != 0)
		return apmu_base__say(error, size, -errno, "%s: %s", path, strerror(errno));
	if (S_ISDIR(about.st_mode))
		return apmu_base__say(error, size, -EISDIR, "%s: is a directory", path);
	if (!S_ISREG(about.st_mode))
		return apmu_base__say(error, size, -EACCES, "%s: not a regular file", path);
	return 0;
}

int apmu_isa__elf_probe(const char *path, struct apmu_isa__elf *out, char *error, size_t size)
{
	*out = (struct apmu_isa__elf){0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return apmu_base__say(error, size, -errno, "%s: %s", path,
				      errno == ENOENT ? "no such program" : strerror(errno));
	int code = refuse_file(fd, path, error, size);
	Elf *elf = NULL;
	if (code == 0 && elf_version(EV_CURRENT) != EV_NONE)
		elf = elf_begin(fd, ELF_C_READ, NULL);
	if (code == 0)
		code = elf ? read_elf(fd, elf, path, out, error, size)
			   : apmu_base__say(error, size, -ENOEXEC, "%s: not an ELF program", path);
	if (elf)
		elf_end(elf);
	close(fd);
	return code;
}
