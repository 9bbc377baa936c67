/* SPDX-License-Identifier: MIT */
/* Shared between the GIC's files: gic.c decides, the others hold registers. */
#ifndef APMU_BOARD_GIC_INTERNAL_H
#define APMU_BOARD_GIC_INTERNAL_H

#include "base/bits.h"
#include "board/gic.h"

#define APMU_BOARD__GIC_PRIORITY_MASK 0xF8u
#define APMU_BOARD__GIC_IDLE_PRIORITY 0xFFu
#define APMU_BOARD__GIC_CTLR_CBPR_V2  0x10u
#define APMU_BOARD__GIC_CTLR_FIQEN    0x08u
#define APMU_BOARD__GIC_CTLR_ACKCTL   0x04u
#define APMU_BOARD__GIC_CTLR_EOIMODE2 0x200u
#define APMU_BOARD__GIC_CTLR_CBPR_V3  0x1u
#define APMU_BOARD__GIC_CTLR_EOIMODE3 0x2u
#define APMU_BOARD__GIC_BPR_LEAST     2u /* with 5 bits of priority: bits 7:3 are group priority */

static inline bool apmu_board__gic_bit(const uint32_t *word, unsigned intid)
{
	return apmu_base__is_set(word[intid / 32], intid % 32);
}

static inline void apmu_board__gic_set(uint32_t *word, unsigned intid, bool on)
{
	word[intid / 32] = (uint32_t)apmu_base__with(word[intid / 32], intid % 32, on);
}

static inline unsigned apmu_board__gic_group(const struct apmu_board__gic *gic, unsigned intid)
{
	return apmu_board__gic_bit(gic->group, intid);
}

/* The pending and enabled interrupt of the highest priority whose group is enabled too, or SPURIOUS. */
unsigned apmu_board__gic_best(const struct apmu_board__gic *gic);
/* True if the interrupt may be signalled: its priority is higher than the mask and the running priority. */
bool apmu_board__gic_preempts(const struct apmu_board__gic *gic, unsigned intid);
unsigned apmu_board__gic_running(const struct apmu_board__gic *gic); /* priority; IDLE_PRIORITY: none */
unsigned apmu_board__gic_acknowledge(struct apmu_board__gic *gic, unsigned intid);
void apmu_board__gic_drop(struct apmu_board__gic *gic, unsigned group);
void apmu_board__gic_drop_any(struct apmu_board__gic *gic);
void apmu_board__gic_deactivate(struct apmu_board__gic *gic, unsigned intid);
void apmu_board__gic_sgi(struct apmu_board__gic *gic, unsigned intid);

uint32_t apmu_board__gic_pending(const struct apmu_board__gic *gic, unsigned word);

/* Registers of version 3's CPU interface. */
enum apmu_board__icc {
	APMU_BOARD__ICC_PMR,
	APMU_BOARD__ICC_IAR,
	APMU_BOARD__ICC_EOIR,
	APMU_BOARD__ICC_HPPIR,
	APMU_BOARD__ICC_BPR,
	APMU_BOARD__ICC_APR,
	APMU_BOARD__ICC_APR_REST,
	APMU_BOARD__ICC_DIR,
	APMU_BOARD__ICC_RPR,
	APMU_BOARD__ICC_SGI,
	APMU_BOARD__ICC_SGI_OTHER,
	APMU_BOARD__ICC_CTLR,
	APMU_BOARD__ICC_SRE,
	APMU_BOARD__ICC_IGRPEN,
};

/* gic_virtual.c. _guest(): a guest's access in place of the physical interface's. _hyp(): an access to EL2's
 * own registers. _virtual_lines(): bit 0 virtual IRQ, bit 1 virtual FIQ. _maintains(): the maintenance
 * interrupt is up. */
enum apmu_board__answer apmu_board__gic_guest(struct apmu_board__gic *gic, enum apmu_board__icc what,
					      unsigned group, bool write, uint64_t *value);
enum apmu_board__answer apmu_board__gic_hyp(struct apmu_board__gic *gic, struct apmu_access at, bool write,
					    uint64_t *value);
uint32_t apmu_board__gic_virtual_lines(const struct apmu_board__gic *gic);
bool apmu_board__gic_maintains(const struct apmu_board__gic *gic);
void apmu_board__gic_virtual_reset(struct apmu_board__gic *gic);

uint64_t apmu_board__gic_dist_read(struct apmu_board__gic *gic, uint32_t offset, unsigned size);
void apmu_board__gic_dist_write(struct apmu_board__gic *gic, uint32_t offset, uint64_t value, unsigned size);
uint64_t apmu_board__gic_redist_read(struct apmu_board__gic *gic, uint32_t offset, unsigned size);
void apmu_board__gic_redist_write(struct apmu_board__gic *gic, uint32_t offset, uint64_t value,
				  unsigned size);
uint32_t apmu_board__gic_cpu_read(struct apmu_board__gic *gic, uint32_t offset);
void apmu_board__gic_cpu_write(struct apmu_board__gic *gic, uint32_t offset, uint32_t word);

#endif
