/* SPDX-License-Identifier: MIT */
/**
 * The runtime that the firmwares of this folder share: start-up, vectors, a console, an interrupt, User mode.
 *
 * Freestanding; one CPU; nothing is re-entrant. The console is semihosting, or the PL011 at RT_UART.
 */
#ifndef RT_H
#define RT_H

#include <stdint.h>

/* The program's main function. Returning ends the run with the returned status. */
int main(void);

/* Print a text; print "name value" and a line end, decimal. Privileged code only. */
void rt_put(const char *text);
void rt_say(const char *name, uint64_t value);
_Noreturn void rt_exit(int status);

/* The function that an IRQ calls, with interrupts masked; NULL (as at start): the run ends with status 90. */
extern void (*volatile rt_irq)(void);
void rt_irq_on(void);
void rt_irq_off(void);

/* Number of Undefined instructions, which are skipped; on A64, also of accesses that trap to EL1. */
extern volatile uint32_t rt_undefined;

/* Runs `code` in User mode or at EL0 on a stack of its own; its return comes back through one SVC. */
void rt_user(void (*code)(void));

/* Enters User mode or EL0 at `address` with `argument` in r0; returns at the SVC there. */
void rt_enter(uintptr_t address, uintptr_t argument);

/* GICv2 of board `virt`: enables the PMU's private interrupt; acknowledges the pending one; ends it. */
#define RT_PMU_INTID 23u
void rt_gic_on(void);
uint32_t rt_gic_take(void);
void rt_gic_end(uint32_t intid);

/* Memory that was never accessed, not even to clear it: RT_LINES lines of RT_LINE bytes. */
#define RT_LINES 512
#define RT_LINE  64
extern uint32_t rt_memory[RT_LINES * RT_LINE / 4];

#endif
