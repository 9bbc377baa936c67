/* SPDX-License-Identifier: MIT */
#include "rt.h"

#include <stddef.h>

void (*volatile rt_irq)(void);
volatile uint32_t rt_undefined;
__attribute__((section(".noinit"), aligned(RT_LINE))) uint32_t rt_memory[RT_LINES * RT_LINE / 4];

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20 };
#define APPLICATION_EXIT 0x20026u

uintptr_t rt_semihost(uintptr_t operation, const void *argument);
_Noreturn void rt_stuck(int status);

#ifdef RT_UART
#define UART_DATA  ((volatile uint32_t *)RT_UART)
#define UART_FLAGS ((volatile uint32_t *)(RT_UART + 0x18))
#define UART_FULL  (1u << 5)

void rt_put(const char *text)
{
	for (; *text; text++) {
		while (*UART_FLAGS & UART_FULL)
			;
		*UART_DATA = (unsigned char)*text;
	}
}
#else
void rt_put(const char *text)
{
	rt_semihost(SYS_WRITE0, text);
}
#endif

void rt_say(const char *name, uint64_t value)
{
	char digits[24], *at = digits + sizeof digits;

	*--at = '\0';
	*--at = '\n';
	do
		*--at = (char)('0' + value % 10);
	while (value /= 10);
	*--at = ' ';
	rt_put(name);
	rt_put(at);
}

_Noreturn void rt_exit(int status)
{
	uintptr_t block[2] = {APPLICATION_EXIT, (uintptr_t)status};

	for (;;)
		rt_semihost(SYS_EXIT_EXTENDED, block);
}

/* Called from the vectors for an exception that no program of this folder expects. */
_Noreturn void rt_stuck(int status)
{
	rt_put("unexpected exception\n");
	rt_exit(status);
}

#define GICD 0x08000000u
#define GICC 0x08010000u

static volatile uint32_t *at(uintptr_t address)
{
	return (volatile uint32_t *)address;
}

void rt_gic_on(void)
{
	*at(GICD + 0x000) = 1;                  /* GICD_CTLR */
	*at(GICD + 0x100) = 1u << RT_PMU_INTID; /* GICD_ISENABLER0 */
	*at(GICC + 0x004) = 0xF0;               /* GICC_PMR */
	*at(GICC + 0x000) = 1;                  /* GICC_CTLR */
}

uint32_t rt_gic_take(void)
{
	return *at(GICC + 0x00C) & 0x3FF; /* GICC_IAR */
}

void rt_gic_end(uint32_t intid)
{
	*at(GICC + 0x010) = intid; /* GICC_EOIR */
}
