/* SPDX-License-Identifier: MIT */
/* The boards: memory maps and wires. */
#include "board/board.h"

#include <string.h>

#define MIB(n) ((uint64_t)(n) << 20)
#define GIB(n) ((uint64_t)(n) << 30)

#define VIRT_UART_INTID   33 /* SPI 1 */
#define VIRT_VIRTIO_INTID 48 /* SPI 16, the first of 32 */
#define NO_MACHINE_TYPE   UINT32_MAX

#define UART(base)                                     \
	{                                              \
		base, 0x1000, 0, APMU_BOARD__PART_UART \
	}
#define WIRE(from, from_line, to, to_line)                                         \
	{                                                                          \
		APMU_BOARD__PART_##from, from_line, APMU_BOARD__PART_##to, to_line \
	}
#define TO_CPU(controller) \
	WIRE(controller, 0, CPU, APMU_BOARD__CPU_IRQ), WIRE(controller, 1, CPU, APMU_BOARD__CPU_FIQ)

/* Addresses and INTIDs are those of QEMU's virt, whose programs run here. */
#define VIRT_MEMORY \
	.ram = {{0x40000000, MIB(128)}}, .ram_most = GIB(255), .flash = {0, MIB(64)}, .load = 0x40000000
#define VIRT_TRANSPORTS                                                                                     \
	{                                                                                                   \
		0x0A000000, APMU_BOARD__VIRTIO_SLOTS *APMU_BOARD__VIRTIO_STRIDE, 0, APMU_BOARD__PART_VIRTIO \
	}
/* Only with flash: its second bank and the clock, which EDK2 needs. */
#define VIRT_FIRMWARE                                                                 \
	{0x09010000, 0x1000, 0, APMU_BOARD__PART_RTC},                                \
	{                                                                             \
		0x04000000, APMU_BOARD__NOR_FLASH_SIZE, 0, APMU_BOARD__PART_NOR_FLASH \
	}
#define VIRT_WIRES                                                                                         \
	.wire = {                                                                                          \
		WIRE(UART, 0, GIC, VIRT_UART_INTID),                                                       \
		{APMU_BOARD__PART_VIRTIO, APMU_BOARD__EACH_LINE, APMU_BOARD__PART_GIC, VIRT_VIRTIO_INTID}, \
		WIRE(PMU, 0, GIC, APMU_BOARD__INTID_PMU),                                                  \
		WIRE(GTIMER, APMU_BOARD__TIMER_VIRTUAL, GIC, APMU_BOARD__INTID_VIRTUAL),                   \
		WIRE(GTIMER, APMU_BOARD__TIMER_PHYSICAL, GIC, APMU_BOARD__INTID_PHYSICAL),                 \
		WIRE(GTIMER, APMU_BOARD__TIMER_HYP, GIC, APMU_BOARD__INTID_HYP),                           \
		WIRE(GTIMER, APMU_BOARD__TIMER_HYP_VIRTUAL, GIC, APMU_BOARD__INTID_HYP_VIRTUAL),           \
		TO_CPU(GIC),                                                                               \
		WIRE(GIC, 2, CPU, APMU_BOARD__CPU_VIRTUAL_IRQ),                                            \
		WIRE(GIC, 3, CPU, APMU_BOARD__CPU_VIRTUAL_FIQ),                                            \
	}
#define VIRT_REST .machine_type = NO_MACHINE_TYPE, .device_tree = true, .psci = true

static const struct apmu_board__row rows[] = {
	{
		.name = "bare",
		.what = "memory, a PL011 and the PMU's line at the CPU",
		.ram = {{0, MIB(128)}, {0x40000000, MIB(128)}},
		.ram_most = MIB(128),
		.load = 0x8000,
		.machine_type = NO_MACHINE_TYPE,
		.window = {UART(0x09000000)},
		.wire =
			{
				WIRE(PMU, 0, CPU, APMU_BOARD__CPU_IRQ),
				WIRE(PMU, 1, CPU, APMU_BOARD__CPU_FIQ),
				WIRE(GTIMER, APMU_BOARD__TIMER_VIRTUAL, CPU, APMU_BOARD__CPU_IRQ),
				WIRE(UART, 0, CPU, APMU_BOARD__CPU_IRQ),
			},
	},
	{
		.name = "virt",
		.what = "QEMU's virt with GICv2, generic timer, PL011, PSCI",
		VIRT_MEMORY,
		.window =
			{
				UART(0x09000000),
				{0x08000000, 0x10000, 0, APMU_BOARD__PART_GIC},
				{0x08010000, 0x10000, APMU_BOARD__GIC_CPU_BIAS, APMU_BOARD__PART_GIC},
				VIRT_TRANSPORTS,
				VIRT_FIRMWARE,
			},
		VIRT_WIRES,
		.gic = 2,
		VIRT_REST,
	},
	{
		.name = "virt-gicv3",
		.what = "QEMU's virt with GICv3, generic timer, PL011, PSCI",
		VIRT_MEMORY,
		.window =
			{
				UART(0x09000000),
				{0x08000000, 0x10000, 0, APMU_BOARD__PART_GIC},
				{0x080A0000, APMU_BOARD__GIC_REDIST_SIZE, APMU_BOARD__GIC_REDIST_BIAS,
				 APMU_BOARD__PART_GIC},
				VIRT_TRANSPORTS,
				VIRT_FIRMWARE,
			},
		VIRT_WIRES,
		.gic = 3,
		VIRT_REST,
	},
	{
		.name = "versatile",
		.what = "Versatile/PB's PL190 and first PL011; the PMU is VIC input 20",
		.ram = {{0, MIB(128)}},
		.ram_most = MIB(256),
		.load = 0x10000,
		.machine_type = 387,
		.window = {UART(0x101F1000), {0x10140000, 0x1000, 0, APMU_BOARD__PART_PL190}},
		.wire =
			{
				WIRE(UART, 0, PL190, 12),
				WIRE(PMU, 0, PL190, 20),
				WIRE(PMU, 1, CPU, APMU_BOARD__CPU_FIQ),
				TO_CPU(PL190),
			},
	},
	{
		.name = "pxa",
		.what = "a PXA27x's interrupt controller and FFUART; the PMU is input 12",
		.ram = {{0xA0000000, MIB(64)}, {0, MIB(16)}},
		.ram_most = MIB(256),
		.load = 0xA0008000,
		.machine_type = 303,
		.window =
			{
				{0x40100000, 0x1000, 0, APMU_BOARD__PART_UART16},
				{0x40D00000, 0x1000, 0, APMU_BOARD__PART_PXA},
			},
		.wire =
			{
				WIRE(UART16, 0, PXA, 22),
				WIRE(PMU, 0, PXA, 12),
				TO_CPU(PXA),
			},
	},
	{
		/* the wire is there for the generic timer's registers: at EL0 all interrupts stay masked */
		.name = "linux",
		.what = "no devices: what --linux runs on",
		.machine_type = NO_MACHINE_TYPE,
		.wire = {WIRE(GTIMER, APMU_BOARD__TIMER_VIRTUAL, CPU, APMU_BOARD__CPU_IRQ)},
	},
};

const struct apmu_board__row *apmu_board__nth(size_t i)
{
	return i < sizeof(rows) / sizeof(rows[0]) ? &rows[i] : NULL;
}

const struct apmu_board__row *apmu_board__find(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}
