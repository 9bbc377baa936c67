/* SPDX-License-Identifier: MIT */
/**
 * A device on a board, seen from outside: registers, lines, time.
 *
 * A device is a row of functions over a plain struct, so a copy of the struct is a snapshot of the device. It
 * drives no line itself: after each read, write, input and advance board.c, and nothing else, asks for its
 * `lines`.
 *
 * The guest is hostile: offset and size may be anything. Where a device has no register, a read returns 0 and
 * a write is dropped.
 */
#ifndef APMU_BOARD_BUS_H
#define APMU_BOARD_BUS_H

#include <apmu/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Result of an access to a system register of a device. */
enum apmu_board__answer {
	APMU_BOARD__ANSWER_NOT_MINE, /* no register of this board: ask elsewhere */
	APMU_BOARD__ANSWER_DONE,
	APMU_BOARD__ANSWER_UNDEFINED,
	/* EC 0x18 (0x03, 0x04 from AArch32) to EL1: an access of EL0 that CNTKCTL forbids. */
	APMU_BOARD__ANSWER_TRAP_EL1,
	/* To EL2: an access that CNTHCTL_EL2 (checked by the machine) or ICH_HCR_EL2 keeps from EL1 and
	 * EL0. */
	APMU_BOARD__ANSWER_TRAP_EL2,
};

#define APMU_BOARD__NEVER UINT64_MAX /* a deadline that does not come */

struct apmu_board__device_ops {
	const char *name; /* "pl011", for the trace and for reports */

	/* False: 32-bit registers only, and the board sees to it that `offset` is a multiple of 4 and `size`
	 * 1, 2 or 4. True: any offset, size 1, 2, 4 or 8. */
	bool wide;

	/* Power-on state. What init set up (a version, a frequency) stays. */
	void (*reset)(void *state);

	/* offset: bytes from the device's base (and the window's bias). A read may change the device: for
	 * example it takes a byte from a FIFO, or acknowledges an interrupt. */
	uint64_t (*read)(void *state, uint32_t offset, unsigned size);
	void (*write)(void *state, uint32_t offset, uint64_t value, unsigned size);

	/* Sets the level of an input line; lines that the device does not have are ignored. May be NULL. */
	void (*input)(void *state, unsigned line, bool up);

	/* The levels of the device's output lines, bit i for line i. Pure. */
	uint32_t (*lines)(const void *state);

	/* Time: the modelled clock, in cycles of the core since reset; never runs backwards. `deadline` is
	 * the time at which the device's lines change by themselves if nobody touches it, APMU_BOARD__NEVER
	 * if they do not; it may lie in the past, and is then taken as now. Both may be NULL. */
	void (*advance)(void *state, uint64_t now);
	uint64_t (*deadline)(const void *state);
};

#endif
