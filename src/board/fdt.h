/* SPDX-License-Identifier: MIT */
/**
 * The device tree of the `virt` boards, built with libfdt as Linux's bindings require: one core, PMU, GIC,
 * generic timer, PSCI, PL011, memory, /chosen. Addresses and interrupts come from the board's row.
 */
#ifndef APMU_BOARD_FDT_H
#define APMU_BOARD_FDT_H

#include "board/board.h"

struct apmu_board__fdt_config {
	const struct apmu_board__row *row; /* one with device_tree */
	uint64_t ram_size;                 /* 0: the row's */
	const char *cpu;                   /* "arm,cortex-a53" */
	const char *pmu;                   /* "arm,cortex-a53-pmu"; NULL: no PMU */
	const char *pmu_class;             /* a second, more general name: "arm,armv8-pmuv3"; NULL: none */
	const char *bootargs;              /* NULL: none */
	bool smc;                          /* PSCI's conduit: SMC, not HVC */
	bool aarch64;
	bool flash;                  /* the board's flash is there */
	uint32_t virtio;             /* transports that have a device: bit n */
	uint64_t initrd, initrd_end; /* equal: none */
};

/* Writes the tree to `to`. Returns its size in bytes, or a negative error: -ENOSPC if it does not fit,
 * -EINVAL if the board has no tree. */
int apmu_board__fdt_virt(const struct apmu_board__fdt_config *config, void *to, size_t room);

#endif
