/* SPDX-License-Identifier: MIT */
/**
 * The small devices: two UARTs, two interrupt controllers, a flash bank, a clock. State as plain data; the
 * functions are in the ops.
 *
 * Inaccuracies. A byte written to a UART is sent at once, at no baud rate, even if the unit is disabled; a
 * received byte is there at once and its time-out with it. The PL190's protection bit is kept and not obeyed.
 * The PXA's ICCR.DIM is kept and not obeyed: an idle core is woken by a line, masked as for a running core.
 */
#ifndef APMU_BOARD_PARTS_H
#define APMU_BOARD_PARTS_H

#include "board/bus.h"

/* Bytes on their way from the world to a UART and back. The board empties `sent` after each write. */
#define APMU_BOARD__FIFO_DEPTH 16
struct apmu_board__uart_bytes {
	uint8_t waiting[APMU_BOARD__FIFO_DEPTH];
	uint8_t first, count; /* of `waiting`: the index of the oldest byte, the number of bytes */
	uint8_t sent[2];      /* an access writes two registers at most */
	uint8_t sent_n;
};

/* PrimeCell UART, DDI0183. Line 0: UARTINTR. */
struct apmu_board__pl011 {
	struct apmu_board__uart_bytes bytes;
	uint32_t cr, lcr_h, ibrd, fbrd, ifls, ilpr, dmacr, imsc, ris;
	bool overrun;
};
extern const struct apmu_board__device_ops apmu_board__pl011_ops;
size_t apmu_board__pl011_room(const struct apmu_board__pl011 *uart);
void apmu_board__pl011_receive(struct apmu_board__pl011 *uart,
			       uint8_t byte); /* overrun when there is no room */

/* The PXA's 16550, registers 4 bytes apart. Line 0: interrupt, gated by MCR.OUT2. */
struct apmu_board__uart16 {
	struct apmu_board__uart_bytes bytes;
	uint8_t ier, lcr, mcr, spr, dll, dlh, isr;
	bool fifo, thre, overrun; /* thre: the transmitter-empty interrupt is pending */
};
extern const struct apmu_board__device_ops apmu_board__uart16_ops;
size_t apmu_board__uart16_room(const struct apmu_board__uart16 *uart);
void apmu_board__uart16_receive(struct apmu_board__uart16 *uart, uint8_t byte);

/* PrimeCell Vectored Interrupt Controller, DDI0181. Inputs 0..31. Line 0: IRQ, line 1: FIQ. */
#define APMU_BOARD__PL190_VECTORS 16
struct apmu_board__pl190 {
	uint32_t input, soft, enable, select;
	uint32_t vector[APMU_BOARD__PL190_VECTORS], control[APMU_BOARD__PL190_VECTORS], plain_vector;
	uint32_t serviced; /* bit p: a handler of priority p is active; 16: not vectored */
	bool protection;
};
extern const struct apmu_board__device_ops apmu_board__pl190_ops;

/* The XScale interrupt controller as the PXA27x has it (Intel 280000, chapter 25). Inputs 0..39. Line 0:
 * IRQ, line 1: FIQ. Also reached as coprocessor 6. */
#define APMU_BOARD__PXA_INPUTS 40
struct apmu_board__pxa {
	uint64_t input, mask, fiq; /* ICPR, ICMR, ICLR with their second halves above bit 31 */
	uint32_t iccr;
	uint32_t priority[APMU_BOARD__PXA_INPUTS]; /* IPRn: bit 31 valid, 5:0 the input of priority n */
};
extern const struct apmu_board__device_ops apmu_board__pxa_ops;
#define APMU_BOARD__PXA_COPROCESSOR 6                            /* CRn 0..10 */
bool apmu_board__pxa_cp6_offset(unsigned crn, uint32_t *offset); /* offset of the register in memory */

/* The second flash bank of virt, for variables of firmware. The machine owns its bytes. */
#define APMU_BOARD__NOR_FLASH_SIZE  0x100000u
#define APMU_BOARD__NOR_FLASH_BLOCK 0x40000u
struct apmu_board__nor_flash {
	uint8_t *bytes; /* NULL: not there */
	uint32_t left;  /* words of a buffer still to come */
	uint8_t shows, command, status;
	bool counted;
};
extern const struct apmu_board__device_ops apmu_board__nor_flash_ops;

/* PrimeCell Real Time Clock, DDI0224. */
struct apmu_board__pl031 {
	uint64_t now, hz;
	uint32_t ahead, load, match, imsc;
};
extern const struct apmu_board__device_ops apmu_board__pl031_ops;

#endif
