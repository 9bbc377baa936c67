/* SPDX-License-Identifier: MIT */
/* The self-test inside a machine: QEMU's `virt` board. boot_a64.S and boot_a32.S bring it to Non-secure EL1
 * and hold the vectors; a refused access leaves its mark in peer_fault and is skipped. */
#include "run.h"

#define UART_DATA     (*(volatile uint32_t *)0x09000000) /* PL011 UARTDR */
#define GICD_ISPENDR  (*(volatile uint32_t *)0x08000200) /* interrupts 0 to 31 */
#define PMU_INTERRUPT 23                                 /* PPI 7 of the board */

/* boot_*.S */
extern volatile uint32_t peer_fault; /* enum peer_end of the last refused access; 0: none */
void peer_hypercall(uintptr_t value);
void peer_at_el0(void (*call)(void));
void peer_main(void);

#define TEXT(x) #x
#ifdef __aarch64__
#define GET(op0, op1, n, m, op2, value)                                                              \
	__asm__ volatile("mrs %0, S" TEXT(op0) "_" TEXT(op1) "_C" TEXT(n) "_C" TEXT(m) "_" TEXT(op2) \
			 : "=r"(value)::"memory")
#define PUT(op0, op1, n, m, op2, value)                                                      \
	__asm__ volatile("msr S" TEXT(op0) "_" TEXT(op1) "_C" TEXT(n) "_C" TEXT(m) "_" TEXT( \
				 op2) ", %0"                                                 \
				      "\n\tisb" ::"r"(value)                                 \
			 : "memory")
#define REG_GET(op0, op1, n, m, op2, p1, cn, cm, p2, value) GET(op0, op1, n, m, op2, value)
#define REG_PUT(op0, op1, n, m, op2, p1, cn, cm, p2, value) PUT(op0, op1, n, m, op2, value)
#else
#define REG_GET(op0, op1, n, m, op2, p1, cn, cm, p2, value)                                   \
	__asm__ volatile("mrc p15, " TEXT(p1) ", %0, c" TEXT(cn) ", c" TEXT(cm) ", " TEXT(p2) \
			 : "=r"(value)::"memory")
#define REG_PUT(op0, op1, n, m, op2, p1, cn, cm, p2, value)                                                 \
	__asm__ volatile(                                                                                   \
		"mcr p15, " TEXT(p1) ", %0, c" TEXT(cn) ", c" TEXT(cm) ", " TEXT(p2) "\n\tisb" ::"r"(value) \
		: "memory")
#endif

/* The access that touch() makes; in memory, as EL0 shares nothing else with EL1. */
static struct {
	enum peer_reg reg;
	bool write;
	uintptr_t value;
} wanted;

static void touch(void)
{
	uintptr_t value = wanted.value;

	switch (wanted.reg) {
#define REG(name, op0, op1, crn, crm, op2, p1, n, m, p2)                       \
	case PEER_##name:                                                      \
		if (wanted.write)                                              \
			REG_PUT(op0, op1, crn, crm, op2, p1, n, m, p2, value); \
		else                                                           \
			REG_GET(op0, op1, crn, crm, op2, p1, n, m, p2, value); \
		break;
#include "registers.tbl"
#undef REG
	case PEER_REGS: break;
	}
	wanted.value = value;
}

static enum peer_end make(enum peer_reg reg, bool user, bool write, uint64_t value)
{
	wanted.reg = reg;
	wanted.write = write;
	wanted.value = (uintptr_t)value;
	peer_fault = PEER_DONE;
	if (user)
		peer_at_el0(touch);
	else
		touch();
	return (enum peer_end)peer_fault;
}

enum peer_end peer_read(enum peer_reg reg, bool user, uint64_t *value)
{
	enum peer_end end = make(reg, user, false, 0);

	*value = wanted.value;
	return end;
}

enum peer_end peer_write(enum peer_reg reg, bool user, uint64_t value)
{
	return make(reg, user, true, value);
}

void peer_hyp(uint64_t mdcr)
{
	peer_hypercall((uintptr_t)mdcr);
}

bool peer_line(void)
{
	return GICD_ISPENDR >> PMU_INTERRUPT & 1;
}

void peer_put(const char *text)
{
	while (*text)
		UART_DATA = (unsigned char)*text++;
}

void peer_main(void)
{
	peer_run();
}
