/* SPDX-License-Identifier: MIT */
/**
 * The CPU models that libunicorn has, by the names in cores' rows, and their properties that the machine must
 * know to enter exceptions as the architecture does.
 */
#ifndef APMU_MACHINE_MODELS_H
#define APMU_MACHINE_MODELS_H

#include <stdbool.h>
#include <stdint.h>

struct apmu_machine__cpu_model {
	const char *name; /* as the rows of spec/cores have it: UC_CPU_... without UC_CPU_ */
	int id;           /* for uc_ctl_set_cpu_model() */
	bool a64;         /* an AArch64 CPU, which runs AArch32 at EL0 only; else an AArch32 CPU */
	uint8_t version;  /* of the architecture: 5 to 8 */
	bool vector_base; /* has VBAR (Security Extensions) */
	bool mmu;         /* has page tables; false: an MPU */
	bool thumb2;      /* 32-bit T32 instructions and IT */
	bool sve;         /* has SVE, but no vector length: sve.c */
	bool lpae;        /* AArch32: TTBR0 and TTBR1 have 64 bits */
};

/* NULL for an unknown name, or for NULL. */
const struct apmu_machine__cpu_model *apmu_machine__cpu_model(const char *name);

#endif
