/* SPDX-License-Identifier: MIT */
/** The properties of an ELF file: machine, interpreter, floating-point convention. Any file may be given. */
#ifndef APMU_ISA_ELF_PROBE_H
#define APMU_ISA_ELF_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Probes a file, for clear errors before anything starts. Returns 0, or a negative errno value, with one line
 * in `error`, for a file that is no little-endian Arm or AArch64 program. */
struct apmu_isa__elf {
	uint16_t machine; /* EM_ARM 40, EM_AARCH64 183 */
	bool dynamic;     /* has an interpreter */
	bool big_endian;
	bool static_pie;
	bool for_linux;   /* has an interpreter, or a note with its operating system (NT_GNU_ABI_TAG) */
	bool hard_float;  /* AArch32, VFP arguments */
	uint8_t arch;     /* AArch32: Tag_CPU_arch of its build attributes; 0: not given, or before Armv4 */
	uint64_t first;   /* lowest address of its loadable segments; UINT64_MAX: it has none */
	uint64_t code;    /* lowest address of its executable segments; UINT64_MAX: it has none */
	char interp[256]; /* the interpreter's path; empty: none */
};
const char *apmu_isa__elf_machine(uint16_t machine); /* "AArch64" */
int apmu_isa__elf_probe(const char *path, struct apmu_isa__elf *out, char *error, size_t size);

#endif
