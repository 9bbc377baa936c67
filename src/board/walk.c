/* SPDX-License-Identifier: MIT */
/* Chooses the walk, and encodes its result for the abort's registers. */
#include "board/walk_internal.h"

#define TTBCR_EAE 0x80000000u
#define FCSE_PID  0xFE000000u
#define FSR_LPAE  0x200u
#define FSR_WNR   0x800u
#define FSR_FS4   0x400u
#define ESR_WNR   0x40u
#define ESR_S1PTW 0x80u
#define ESR_IL    0x2000000u
#define EC_FETCH  0x20u /* from a lower level; plus 1: from the same level */
#define EC_DATA   0x24u
#define EC_AT     26

bool apmu_board__walk_is_lpae(const struct apmu_board__walk_a32 *regs)
{
	return regs->tables == APMU_BOARD__TABLES_V7_LPAE && regs->ttbcr & TTBCR_EAE;
}

struct apmu_board__walked apmu_board__walk_a32(const struct apmu_board__walk_a32 *regs,
					       const struct apmu_board__memory *physical, uint32_t address,
					       struct apmu_board__walk_how how)
{
	/* FCSE: the lowest 32 MiB are the running process's (DDI0100I B8); Armv7 cores read FCSEIDR as 0 */
	uint32_t modified = address & FCSE_PID ? address : address | (regs->fcseidr & FCSE_PID);

	if (!(regs->sctlr & APMU_BOARD__SCTLR_M))
		return apmu_board__walk_flat(modified);
	if (apmu_board__walk_is_lpae(regs))
		return apmu_board__walk_lpae(regs, physical, address, how);
	return apmu_board__walk_short(regs, physical, modified, how);
}

/* DDI0487 table of DFSC; the level is in the low two bits. */
uint32_t apmu_board__walk_fsc(const struct apmu_board__walked *walked)
{
	switch ((enum apmu_board__fault)walked->fault) {
	case APMU_BOARD__FAULT_NONE: break;
	case APMU_BOARD__FAULT_ADDRESS_SIZE: return 0x00u | walked->level;
	case APMU_BOARD__FAULT_TRANSLATION: return 0x04u | walked->level;
	case APMU_BOARD__FAULT_ACCESS_FLAG: return 0x08u | walked->level;
	case APMU_BOARD__FAULT_PERMISSION: return 0x0Cu | walked->level;
	case APMU_BOARD__FAULT_DOMAIN: return 0x3Cu | walked->level;
	case APMU_BOARD__FAULT_WALK: return 0x14u | walked->level;
	case APMU_BOARD__FAULT_ALIGNMENT: return 0x21;
	case APMU_BOARD__FAULT_EXTERNAL: return 0x10;
	}
	return 0;
}

/* DDI0406C table B3-23: FS, five bits, by fault and level. */
static uint32_t short_status(const struct apmu_board__walked *walked)
{
	bool second = walked->level == 2;

	switch ((enum apmu_board__fault)walked->fault) {
	case APMU_BOARD__FAULT_NONE:
	case APMU_BOARD__FAULT_ADDRESS_SIZE: break;
	case APMU_BOARD__FAULT_TRANSLATION: return second ? 0x07 : 0x05;
	case APMU_BOARD__FAULT_ACCESS_FLAG: return second ? 0x06 : 0x03;
	case APMU_BOARD__FAULT_PERMISSION: return second ? 0x0F : 0x0D;
	case APMU_BOARD__FAULT_DOMAIN: return second ? 0x0B : 0x09;
	case APMU_BOARD__FAULT_WALK: return second ? 0x0E : 0x0C;
	case APMU_BOARD__FAULT_ALIGNMENT: return 0x01;
	case APMU_BOARD__FAULT_EXTERNAL: return 0x08;
	}
	return 0;
}

uint32_t apmu_board__walk_fsr(const struct apmu_board__walk_a32 *regs,
			      const struct apmu_board__walked *walked, enum apmu_board__walk_kind kind)
{
	uint32_t wnr = kind == APMU_BOARD__WALK_WRITE && regs->tables != APMU_BOARD__TABLES_V5 ? FSR_WNR : 0;

	if (apmu_board__walk_is_lpae(regs))
		return apmu_board__walk_fsc(walked) | FSR_LPAE | wnr;
	uint32_t status = short_status(walked);
	return (status & 0xF) | (status & 0x10 ? FSR_FS4 : 0) | wnr |
	       (kind == APMU_BOARD__WALK_FETCH ? 0 : (uint32_t)walked->domain << 4);
}

uint32_t apmu_board__walk_esr(const struct apmu_board__walked *walked, enum apmu_board__walk_kind kind,
			      bool from_el0)
{
	uint32_t class = (kind == APMU_BOARD__WALK_FETCH ? EC_FETCH : EC_DATA) + (from_el0 ? 0 : 1);

	return class << EC_AT | ESR_IL | (kind == APMU_BOARD__WALK_WRITE ? ESR_WNR : 0) |
	       (walked->on_walk ? ESR_S1PTW : 0) | apmu_board__walk_fsc(walked);
}
