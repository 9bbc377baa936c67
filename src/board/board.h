/* SPDX-License-Identifier: MIT */
/**
 * Boards: a memory map, devices and wires, as rows. Everything of a bare-metal machine but its CPU.
 *
 * One struct holds every device that any board has; the row says which of them a board has, where they are,
 * and which line leads to which. The guest acts through read, write and sysreg, the world outside through
 * pmu, receive and advance; lines and deadline return what comes of that. After each of those calls the wires
 * are settled: lines() is up to date. `s` is plain data: a copy of it is a snapshot, but for the bytes of the
 * flash and of drives, to which it points.
 *
 * Time is the modelled clock, in cycles of the core since reset.
 */
#ifndef APMU_BOARD_BOARD_H
#define APMU_BOARD_BOARD_H

#include "board/bus.h"
#include "board/gic.h"
#include "board/parts.h"
#include "board/timer.h"
#include "board/virtio.h"

enum apmu_board__part {
	APMU_BOARD__PART_NONE,
	APMU_BOARD__PART_UART,      /* PL011 */
	APMU_BOARD__PART_UART16,    /* a 16550 as on the PXA */
	APMU_BOARD__PART_PL190,     /* vectored interrupt controller */
	APMU_BOARD__PART_PXA,       /* PXA27x interrupt controller */
	APMU_BOARD__PART_GIC,       /* version 2 or 3, by the row */
	APMU_BOARD__PART_GTIMER,    /* generic timer: CNTV, CNTP */
	APMU_BOARD__PART_VIRTIO,    /* 32 transports; the configuration has the devices */
	APMU_BOARD__PART_RTC,       /* PL031 */
	APMU_BOARD__PART_NOR_FLASH, /* only if the board's flash is there */
	APMU_BOARD__PART_DEVICES,   /* number of devices; the others are ends of wires only */
	APMU_BOARD__PART_PMU = APMU_BOARD__PART_DEVICES, /* source; line 0 PMUIRQ, 1 PMUFIQ */
	APMU_BOARD__PART_CPU,                            /* sink: enum apmu_board__cpu_line */
};

enum apmu_board__cpu_line {
	APMU_BOARD__CPU_IRQ,
	APMU_BOARD__CPU_FIQ,
	APMU_BOARD__CPU_VIRTUAL_IRQ, /* for a guest, by the GIC's list registers */
	APMU_BOARD__CPU_VIRTUAL_FIQ,
	APMU_BOARD__CPU_LINES
};

struct apmu_board__window {
	uint64_t base;
	uint32_t size;
	uint32_t bias; /* added to the offset, since the frames of a GIC are one device */
	uint8_t part;
};

struct apmu_board__wire {
	uint8_t from, from_line, to, to_line; /* `from`, `to`: enum apmu_board__part */
#define APMU_BOARD__EACH_LINE 0xFF            /* value of from_line: 32 wires, line n to line to_line + n */
};

struct apmu_board__ram {
	uint64_t base, size; /* size 0: no such range */
};

#define APMU_BOARD__WINDOWS 6
#define APMU_BOARD__WIRES   11
#define APMU_BOARD__RAMS    2

struct apmu_board__row {
	const char *name, *what;
	struct apmu_board__ram ram[APMU_BOARD__RAMS]; /* [0] is what --ram resizes and where images go */
	uint64_t ram_most;                            /* the largest ram[0].size */
	struct apmu_board__ram flash;                 /* where firmware goes; mapped as RAM */
	struct apmu_board__window window[APMU_BOARD__WINDOWS];
	struct apmu_board__wire wire[APMU_BOARD__WIRES];
	uint64_t load;         /* default address of a raw image */
	uint32_t machine_type; /* r1 of the Arm boot protocol; ~0 where there is only the device tree */
	uint8_t gic;           /* version of the GIC: 2 or 3; 0: none */
	bool device_tree;      /* apmu_board__fdt_virt() describes it */
	bool psci;
};

/* Rows. _find(): by name; NULL: unknown. _nth(): from 0 on; NULL after the last. */
const struct apmu_board__row *apmu_board__find(const char *name);
const struct apmu_board__row *apmu_board__nth(size_t i);

struct apmu_board__state {
	struct apmu_board__pl011 uart;
	struct apmu_board__uart16 uart16;
	struct apmu_board__pl190 pl190;
	struct apmu_board__pxa pxa;
	struct apmu_board__gic gic;
	struct apmu_board__gtimer gtimer;
	struct apmu_board__virtio virtio;
	struct apmu_board__pl031 rtc;
	struct apmu_board__nor_flash nor_flash;
	uint64_t now, next; /* `next`: when a line may change by itself */
	uint32_t each;      /* levels of the 32 wires of EACH_LINE */
	uint8_t pmu;        /* levels of the PMU's lines */
	uint8_t cpu;        /* levels of the CPU's inputs: bits by enum apmu_board__cpu_line */
};

struct apmu_board__board {
	struct apmu_board__state s;
	const struct apmu_board__row *row;
	void (*transmit)(void *ctx, uint8_t byte);
	void *ctx;
	bool pmu_to_fiq, generic_timer;
};

/* How the board is made; zero members mean the default. */
struct apmu_board__config {
	void (*transmit)(void *ctx, uint8_t byte); /* a byte leaves a UART; NULL: it is lost */
	void *ctx;
	uint64_t core_hz;    /* cycles of the core per second of modelled time, at most 8 GHz; 0: 1 GHz */
	uint64_t counter_hz; /* CNTFRQ, at most 1 GHz; 0: 62.5 MHz, as QEMU's virt has it */
	uint8_t *nor_flash;  /* APMU_BOARD__NOR_FLASH_SIZE bytes; NULL: the board has no flash */
	const struct apmu_board__virtio_config
		*virtio; /* `virtios` of them, on boards that have transports */
	size_t virtios;
	struct apmu_board__memory memory;          /* physical, for virtio devices */
	void (*warn)(void *ctx, const char *line); /* a guest's rings are wrong; NULL: no warning */
	bool pmu_to_fiq;       /* if the PMU's line is wired to the CPU itself: to FIQ, not IRQ */
	bool no_generic_timer; /* the core has none (before Cortex-A7 and A15): its registers are NOT_MINE */
};

void apmu_board__init(struct apmu_board__board *board, const struct apmu_board__row *row,
		      const struct apmu_board__config *config);
void apmu_board__reset(struct apmu_board__board *board); /* as at power-on; time goes on */

/* The guest reads or writes a physical address: 1, 2, 4 or 8 bytes. False: no device is there (a bus error),
 * and *value is untouched. An access of 8 bytes to a 32-bit register is two accesses of 4 bytes. */
bool apmu_board__read(struct apmu_board__board *board, uint64_t address, unsigned size, uint64_t *value);
bool apmu_board__write(struct apmu_board__board *board, uint64_t address, unsigned size, uint64_t value);

/* Accesses a system register of the board's devices, in any view (MRS/MSR, MRC/MCR, MRRC/MCRR): of the
 * generic timer, of the GICv3's CPU interface, of coprocessor 6 of a PXA. */
enum apmu_board__answer apmu_board__sysreg_read(struct apmu_board__board *board, struct apmu_access at,
						uint64_t *value);
enum apmu_board__answer apmu_board__sysreg_write(struct apmu_board__board *board, struct apmu_access at,
						 uint64_t value);

/* Acts of the world outside. */
void apmu_board__pmu(struct apmu_board__board *board, unsigned line, bool up); /* the PMU's request */
size_t apmu_board__receive(struct apmu_board__board *board, const uint8_t *bytes,
			   size_t n); /* bytes for the UART; returns how many fit */
void apmu_board__advance(struct apmu_board__board *board, uint64_t now); /* `now` never falls */

/* Levels at the CPU: bits by enum apmu_board__cpu_line. Pure, cheap. */
static inline unsigned apmu_board__lines(const struct apmu_board__board *board)
{
	return board->s.cpu;
}

/* The time at which lines may change without any access; APMU_BOARD__NEVER: they do not. For WFI, and for how
 * far the machine may run without a look at the board. */
static inline uint64_t apmu_board__deadline(const struct apmu_board__board *board)
{
	return board->s.next;
}

/* "GICv2 CPU interface" or the like at an address; NULL: nothing there. For reports. */
const char *apmu_board__name_at(const struct apmu_board__board *board, uint64_t address);

#endif
