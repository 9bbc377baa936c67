/* SPDX-License-Identifier: MIT */
/**
 * Types that every part of apmu shares: where an access comes from, its architectural outcome, and the errors
 * of the host.
 *
 * Freestanding. Nothing here allocates, prints or keeps state.
 */
#ifndef APMU_TYPES_H
#define APMU_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of event counters of any Arm PMU (PMCR.N is five bits; index 31 is the cycle
 * counter). */
#define APMU_MAX_EVENT_COUNTERS 31
#define APMU_CYCLE_COUNTER      31 /* index of the cycle counter in every mask and array */
#define APMU_INSTR_COUNTER      32 /* index of PMICNTR (FEAT_PMUv3_ICNTR) */
#define APMU_COUNTERS           33 /* length of an array with one element per counter */

/* The interface through which an access reaches a register. */
enum apmu_view {
	APMU_VIEW_CP,     /* AArch32 MRC/MCR; encoding by apmu_cp() */
	APMU_VIEW_CP64,   /* AArch32 MRRC/MCRR; encoding by apmu_cp64() */
	APMU_VIEW_A64,    /* AArch64 MRS/MSR; encoding by apmu_sysreg() */
	APMU_VIEW_MMIO,   /* the memory-mapped frame; encoding is the byte offset */
	APMU_VIEW_MMIO64, /* the frame's 64-bit programmers' model, in register rows only: accesses say
			     APMU_VIEW_MMIO */
	APMU_VIEWS
};

enum apmu_security { APMU_NONSECURE, APMU_SECURE, APMU_REALM, APMU_ROOT };

/* Where an access or an event comes from. el 0 is User/PL0; el 1 is every privileged mode of a core without
 * Virtualization (ARM11, XScale); 2 is Hyp/EL2; 3 is Monitor/EL3. All zero: Non-secure User mode. */
struct apmu_mode {
	uint8_t el;
	uint8_t security; /* enum apmu_security */
	bool debug_halted;
	bool debug_port; /* a frame access from the debug port, to which the software lock does not apply */
};

/* One access to a PMU register. */
struct apmu_access {
	enum apmu_view view;
	uint32_t encoding;
	struct apmu_mode from;
};

/* The architectural outcome of an access, as the guest sees it. Not an error of the host. */
enum apmu_outcome {
	APMU_DONE,
	APMU_UNDEFINED, /* Undefined Instruction exception; for MMIO: a bus error */
	APMU_TRAP_EL1,
	APMU_TRAP_EL2,
	APMU_TRAP_EL3
};

/* Host failures: 0 or one of these values, each a negative errno value. */
enum apmu_error {
	APMU_OK = 0,
	APMU_EPERM = -1,       /* the access is Undefined at this level */
	APMU_ENOENT = -2,      /* no such core, event, register or field */
	APMU_EIO = -5,         /* the bus or the kernel refused */
	APMU_E2BIG = -7,       /* does not fit */
	APMU_ENOMEM = -12,     /* host memory */
	APMU_EACCES = -13,     /* the access traps to a higher level */
	APMU_EBUSY = -16,      /* not possible while it is in use */
	APMU_ENODEV = -19,     /* no PMU there */
	APMU_EINVAL = -22,     /* a value outside its range */
	APMU_ENOSPC = -28,     /* more events than counters */
	APMU_ERANGE = -34,     /* beyond what a counter holds */
	APMU_EILSEQ = -84,     /* a snapshot of another version or core */
	APMU_EOPNOTSUPP = -95, /* this PMU cannot do it */
};

/* Returns the code's name and meaning, as in "APMU_ENOSPC: more events than counters"; never NULL. */
const char *apmu_strerror(int code);

/* MRC/MCR coprocessor, opc1, CRn, CRm, opc2 as one number. */
static inline uint32_t apmu_cp(unsigned cp, unsigned opc1, unsigned crn, unsigned crm, unsigned opc2)
{
	return (uint32_t)(cp << 16 | opc1 << 12 | crn << 8 | crm << 4 | opc2);
}

/* MRRC/MCRR coprocessor, opc1, CRm as one number. */
static inline uint32_t apmu_cp64(unsigned cp, unsigned opc1, unsigned crm)
{
	return (uint32_t)(cp << 16 | opc1 << 12 | crm << 4);
}

/* MRS/MSR op0, op1, CRn, CRm, op2 as one number. */
static inline uint32_t apmu_sysreg(unsigned op0, unsigned op1, unsigned crn, unsigned crm, unsigned op2)
{
	return (uint32_t)(op0 << 16 | op1 << 12 | crn << 8 | crm << 4 | op2);
}

/* Encodes a 32-bit access in a frame with the 64-bit programmers' model: to a 32-bit register, or to the half
 * of a 64-bit register that lies at the offset. A plain offset is an access of the register's full width. */
#define APMU_FRAME_WORD 0x10000u
static inline uint32_t apmu_frame_word(unsigned offset)
{
	return (uint32_t)offset | APMU_FRAME_WORD;
}

#ifdef __cplusplus
}
#endif

#endif
