/* SPDX-License-Identifier: MIT */
/* Shared between the walker's files. */
#ifndef APMU_BOARD_WALK_INTERNAL_H
#define APMU_BOARD_WALK_INTERNAL_H

#include "base/bits.h"
#include "board/walk.h"

#define APMU_BOARD__SCTLR_M    0x1u
#define APMU_BOARD__SCTLR_S    0x100u
#define APMU_BOARD__SCTLR_R    0x200u
#define APMU_BOARD__SCTLR_WXN  0x80000u
#define APMU_BOARD__SCTLR_UWXN 0x100000u
#define APMU_BOARD__SCTLR_XP   0x800000u
#define APMU_BOARD__SCTLR_AFE  0x20000000u
#define APMU_BOARD__SCTLR_TRE  0x10000000u

/* Rights that a leaf gives one privilege level. */
struct apmu_board__may {
	bool read, write;
};

static inline struct apmu_board__walked apmu_board__walk_fault(enum apmu_board__fault fault, unsigned level,
							       unsigned domain)
{
	return (struct apmu_board__walked){
		.fault = (uint8_t)fault, .level = (uint8_t)level, .domain = (uint8_t)domain};
}

static inline struct apmu_board__walked apmu_board__walk_leaf(unsigned level, unsigned domain, uint64_t base,
							      uint64_t address, uint64_t size)
{
	return (struct apmu_board__walked){
		.level = (uint8_t)level,
		.domain = (uint8_t)domain,
		.physical = (base & ~(size - 1)) | (address & (size - 1)),
		.size = size,
	};
}

static inline struct apmu_board__walked apmu_board__walk_flat(uint64_t address)
{
	return (struct apmu_board__walked){.flat = true, .physical = address, .size = 4096};
}

/* Memory type by a byte of MAIR: DDI0406C B4.1.104, DDI0487 D24.2.113. */
static inline uint8_t apmu_board__mair_memory(unsigned attributes)
{
	if (attributes == 0)
		return APMU_MEMORY_ORDERED;
	if (attributes < 0x10)
		return APMU_MEMORY_DEVICE;
	return (attributes & 0xF) == 4 ? APMU_MEMORY_UNCACHED : APMU_MEMORY_CACHED;
}

/* True for cacheable memory that is not Write-Back both by its inner and by its outer attributes. */
static inline bool apmu_board__mair_through(unsigned attributes)
{
	unsigned outer = attributes >> 4;

	return apmu_board__mair_memory(attributes) == APMU_MEMORY_CACHED &&
	       (!(attributes & 4) || !(outer & 4) || outer == 4);
}

struct apmu_board__walked apmu_board__walk_short(const struct apmu_board__walk_a32 *regs,
						 const struct apmu_board__memory *physical, uint32_t address,
						 struct apmu_board__walk_how how);
struct apmu_board__walked apmu_board__walk_lpae(const struct apmu_board__walk_a32 *regs,
						const struct apmu_board__memory *physical, uint32_t address,
						struct apmu_board__walk_how how);

#endif
