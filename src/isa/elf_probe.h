/* SPDX-License-Identifier: MIT */
/** What an ELF file is: machine, interpreter, floating-point convention. Any file may be given. */
#ifndef APMU_ISA_ELF_PROBE_H
#define APMU_ISA_ELF_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What file is it? For clear errors before anything starts. 0, or a negative errno value with one line in
 * `error` for what is no little-endian Arm or AArch64 program. */
struct apmu_isa__elf {
	uint16_t machine; /* EM_ARM 40, EM_AARCH64 183 */
	bool dynamic;     /* has an interpreter */
	bool big_endian;
	bool static_pie;
	bool for_linux;  /* has an interpreter, or a note that says so (NT_GNU_ABI_TAG) */
	bool hard_float; /* AArch32, VFP arguments */
	uint8_t arch; /* AArch32: Tag_CPU_arch of its build attributes; 0: they do not say, or before Armv4 */
	uint64_t first;   /* lowest address of its loadable segments, UINT64_MAX if it has none; */
	uint64_t code;    /* of those that are executable */
	char interp[256]; /* the interpreter's path; empty: none */
};
const char *apmu_isa__elf_machine(uint16_t machine); /* "AArch64" */
int apmu_isa__elf_probe(const char *path, struct apmu_isa__elf *out, char *error, size_t size);

#endif
