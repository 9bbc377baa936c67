/* SPDX-License-Identifier: MIT */
/**
 * Address translation by a walk of the guest's own tables: the physical address of a virtual one, or the
 * fault that an access would take. Pure; memory is read through a callback at physical addresses.
 *
 * Memory types: C, B and XScale's X (XSCALE 3.2), TEX, C, B and their remapping (DDI0406C B3.8), MAIR.
 *
 * Formats: Armv5 with XScale's extensions (DDI0100I B4; subpages, fine tables, tiny pages, extended small
 * pages, supersections), Armv6 and Armv7 short descriptors (DDI0406C B3.5), LPAE (B3.6), AArch64 with 4, 16
 * and 64 KiB granules (DDI0487 D8). A walk of one stage reads at most four descriptors, so hostile tables
 * end.
 *
 * Stage 2 translates the addresses of stage 1's descriptors and stage 1's result (DDI0487 D8.2).
 *
 * Inaccuracies. No TLB (a stale entry of the engine's own TLB may differ from the tables). XN of stage 2 is
 * one bit. Hardware updates of access flag and dirty state (HA, HD), HPD and 52-bit addresses are not
 * modelled. Domains 10 (reserved) fault as 00. Reserved AP values forbid everything.
 */
#ifndef APMU_BOARD_WALK_H
#define APMU_BOARD_WALK_H

#include "board/memory.h"

#include <apmu/uarch.h>

enum apmu_board__walk_kind { APMU_BOARD__WALK_READ, APMU_BOARD__WALK_WRITE, APMU_BOARD__WALK_FETCH };

/* The access to translate. */
struct apmu_board__walk_how {
	uint8_t kind;    /* enum apmu_board__walk_kind */
	bool privileged; /* PL1 or EL1; false: User, EL0 */
	bool single;     /* a regime of one level (EL2, EL3): EL0 has no rights, and no PXN exists */
	bool pan;        /* PSTATE.PAN: data accesses of EL1 to what EL0 may reach fault */
};

enum apmu_board__fault {
	APMU_BOARD__FAULT_NONE,
	APMU_BOARD__FAULT_TRANSLATION,
	APMU_BOARD__FAULT_ACCESS_FLAG,
	APMU_BOARD__FAULT_DOMAIN,
	APMU_BOARD__FAULT_PERMISSION,
	APMU_BOARD__FAULT_ADDRESS_SIZE,
	/* A table lies where there is no memory: synchronous external abort on the walk. */
	APMU_BOARD__FAULT_WALK,
	/* not set by a walk; for the encodings below: */
	APMU_BOARD__FAULT_ALIGNMENT,
	APMU_BOARD__FAULT_EXTERNAL, /* the access itself met no memory and no device */
};

struct apmu_board__walked {
	uint8_t fault;  /* enum apmu_board__fault */
	uint8_t level;  /* of the leaf or the fault: 1 or 2 with short descriptors, else 0 to 3 */
	uint8_t domain; /* short descriptors; as DFSR gives it */
	uint8_t memory; /* enum apmu_memory, inner attributes; valid without a fault, unless `flat` */
	bool shareable; /* short descriptors and MPU regions: the memory is shareable */
	/* Normal memory whose inner policy is Write-Through; by MAIR: cacheable, but not Write-Back both
	 * inner and outer. */
	bool through;
	bool local;        /* nG: of one ASID only */
	bool flat;         /* the MMU is off */
	bool stage2;       /* the fault is of stage 2 */
	bool on_walk;      /* the fault of stage 2 is at a descriptor of stage 1 */
	uint64_t physical; /* without a fault; with a fault of stage 2: the intermediate physical address */
	/* Bytes round the address, aligned, for which the answer holds: the page or its subpage; for a
	 * supersection or a large page if its sixteen entries are equal, as they must be. */
	uint64_t size;
};

enum apmu_board__tables {
	APMU_BOARD__TABLES_V5,      /* also Armv6 with SCTLR.XP 0 */
	APMU_BOARD__TABLES_V6,      /* SCTLR.XP chooses: Armv6 or V5 */
	APMU_BOARD__TABLES_V7,      /* without the Large Physical Address Extension: Cortex-A5, A8, A9 */
	APMU_BOARD__TABLES_V7_LPAE, /* TTBCR.EAE chooses; PXN in short descriptors too */
};

struct apmu_board__walk_a32 {
	uint32_t sctlr, ttbcr, dacr, fcseidr; /* 0: a register that the core does not have */
	uint64_t ttbr0, ttbr1;
	uint32_t prrr, nmrr; /* with SCTLR.TRE; MAIR0 and MAIR1 with TTBCR.EAE */
	uint8_t tables;      /* enum apmu_board__tables */
};

struct apmu_board__walk_a64 {
	uint64_t sctlr, tcr, ttbr0, ttbr1, mair; /* of EL1; or of EL2, EL3, with `tcr` as EL1's */
};

/* Registers of stage 2, of an EL2 in AArch64 or AArch32. */
struct apmu_board__walk_stage2 {
	uint64_t vttbr, vtcr;
	uint8_t physical_bits; /* bits of the core's physical addresses */
	bool aarch32;
	bool protects_walk;     /* HCR_EL2.PTW: no tables of stage 1 in Device memory */
	bool default_cacheable; /* HCR_EL2.DC: what stage 1 does not translate is Write-Back memory */
	bool uncached_data, uncached_code; /* HCR_EL2.CD, ID */
};

struct apmu_board__walked apmu_board__walk_a32(const struct apmu_board__walk_a32 *regs,
					       const struct apmu_board__memory *physical, uint32_t address,
					       struct apmu_board__walk_how how);
struct apmu_board__walked apmu_board__walk_a64(const struct apmu_board__walk_a64 *regs,
					       const struct apmu_board__memory *physical, uint64_t address,
					       struct apmu_board__walk_how how);
struct apmu_board__walked apmu_board__walk_stage2(const struct apmu_board__walk_stage2 *regs,
						  const struct apmu_board__memory *physical, uint64_t address,
						  struct apmu_board__walk_how how);
/* Registers of stage 1, for a walk of both stages: one of the two is not NULL. */
struct apmu_board__walk_stage1 {
	const struct apmu_board__walk_a64 *a64;
	const struct apmu_board__walk_a32 *a32;
};
struct apmu_board__walked apmu_board__walk_both(struct apmu_board__walk_stage1 one,
						const struct apmu_board__walk_stage2 *two,
						const struct apmu_board__memory *physical, uint64_t address,
						struct apmu_board__walk_how how);

/* Sets the memory type, `shareable` and `through` by TEX, C, B and S of a short descriptor or of an MPU's
 * region. DDI0406C table B3-10. */
void apmu_board__walk_type(struct apmu_board__walked *walked, unsigned tex, unsigned cb, bool s);

/* Encodes a fault for the abort's registers. */
uint32_t apmu_board__walk_fsc(
	const struct apmu_board__walked *walked); /* six bits: LPAE's STATUS, ESR's DFSC and IFSC */
bool apmu_board__walk_is_lpae(const struct apmu_board__walk_a32 *regs);
/* DFSR for data; IFSR for a fetch, which has neither domain nor WnR. */
uint32_t apmu_board__walk_fsr(const struct apmu_board__walk_a32 *regs,
			      const struct apmu_board__walked *walked, enum apmu_board__walk_kind kind);
/* ESR of an Instruction or Data Abort, EC and IL included; `from_el0`: taken from a lower level. */
uint32_t apmu_board__walk_esr(const struct apmu_board__walked *walked, enum apmu_board__walk_kind kind,
			      bool from_el0);

#endif
