/* SPDX-License-Identifier: MIT */
/* The PXA27x's interrupt controller: 40 inputs, each masked by ICMR and steered by ICLR to IRQ or FIQ (Intel
 * 280000, chapter 25). PXA25x and the XScale cores before it have the first six registers only. */
#include "base/bits.h"
#include "board/parts.h"

#include <string.h>

enum {
	ICIP = 0x00,
	ICMR = 0x04,
	ICLR = 0x08,
	ICFP = 0x0C,
	ICPR = 0x10,
	ICCR = 0x14,
	ICHP = 0x18,
	IPR0 = 0x1C, /* IPR0..IPR31 */
	ICIP2 = 0x9C,
	ICMR2 = 0xA0,
	ICLR2 = 0xA4,
	ICFP2 = 0xA8,
	ICPR2 = 0xAC,
	IPR32 = 0xB0, /* IPR32..IPR39 */
	END = 0xD0,
};

#define IPR_VALID   0x80000000u
#define IPR_INPUT   0x3Fu
#define ICHP_IRQ    0x80000000u
#define ICHP_FIQ    0x00008000u
#define NO_PRIORITY APMU_BOARD__PXA_INPUTS

static void reset(void *state)
{
	struct apmu_board__pxa *intc = state;
	uint64_t input = intc->input;

	memset(intc, 0, sizeof(*intc));
	intc->input = input;
}

static uint64_t irqs(const struct apmu_board__pxa *intc)
{
	return intc->input & intc->mask & ~intc->fiq;
}

static uint64_t fiqs(const struct apmu_board__pxa *intc)
{
	return intc->input & intc->mask & intc->fiq;
}

/* The pending input that is first in the priority registers; 0x3F for none. */
static uint32_t first(const struct apmu_board__pxa *intc, uint64_t pending)
{
	for (unsigned p = 0; p < APMU_BOARD__PXA_INPUTS; p++) {
		uint32_t input = intc->priority[p] & IPR_INPUT;

		if (intc->priority[p] & IPR_VALID && apmu_base__is_set(pending, input))
			return input;
	}
	return IPR_INPUT;
}

static uint32_t highest(const struct apmu_board__pxa *intc)
{
	uint32_t irq = first(intc, irqs(intc)), fiq = first(intc, fiqs(intc));

	return irq << 16 | fiq | (irq != IPR_INPUT ? ICHP_IRQ : 0) | (fiq != IPR_INPUT ? ICHP_FIQ : 0);
}

/* The priority register at an offset; NO_PRIORITY: none. */
static unsigned priority_at(uint32_t offset)
{
	if (offset >= IPR0 && offset < ICIP2)
		return (offset - IPR0) / 4;
	if (offset >= IPR32 && offset < END)
		return 32 + (offset - IPR32) / 4;
	return NO_PRIORITY;
}

static uint64_t read(void *state, uint32_t offset, unsigned size)
{
	const struct apmu_board__pxa *intc = state;
	unsigned p = priority_at(offset);

	(void)size;
	switch (offset) {
	case ICIP: return (uint32_t)irqs(intc);
	case ICMR: return (uint32_t)intc->mask;
	case ICLR: return (uint32_t)intc->fiq;
	case ICFP: return (uint32_t)fiqs(intc);
	case ICPR: return (uint32_t)intc->input;
	case ICCR: return intc->iccr;
	case ICHP: return highest(intc);
	case ICIP2: return irqs(intc) >> 32;
	case ICMR2: return intc->mask >> 32;
	case ICLR2: return intc->fiq >> 32;
	case ICFP2: return fiqs(intc) >> 32;
	case ICPR2: return intc->input >> 32;
	default: return p < NO_PRIORITY ? intc->priority[p] : 0;
	}
}

static void write(void *state, uint32_t offset, uint64_t value, unsigned size)
{
	struct apmu_board__pxa *intc = state;
	unsigned p = priority_at(offset);

	(void)size;
	switch (offset) {
	case ICMR: intc->mask = apmu_base__put(intc->mask, 31, 0, value); break;
	case ICLR: intc->fiq = apmu_base__put(intc->fiq, 31, 0, value); break;
	case ICCR: intc->iccr = value & 1; break;
	case ICMR2: intc->mask = apmu_base__put(intc->mask, APMU_BOARD__PXA_INPUTS - 1, 32, value); break;
	case ICLR2: intc->fiq = apmu_base__put(intc->fiq, APMU_BOARD__PXA_INPUTS - 1, 32, value); break;
	default:
		if (p < NO_PRIORITY)
			intc->priority[p] = (uint32_t)value & (IPR_VALID | IPR_INPUT);
	}
}

static void input(void *state, unsigned line, bool up)
{
	struct apmu_board__pxa *intc = state;

	if (line < APMU_BOARD__PXA_INPUTS)
		intc->input = apmu_base__with(intc->input, line, up);
}

static uint32_t lines(const void *state)
{
	const struct apmu_board__pxa *intc = state;

	return (uint32_t)(irqs(intc) != 0) | (uint32_t)(fiqs(intc) != 0) << 1;
}

bool apmu_board__pxa_cp6_offset(unsigned crn, uint32_t *offset)
{
	static const uint8_t at[] = {ICIP, ICMR, ICLR, ICFP, ICPR, ICHP, ICIP2, ICMR2, ICLR2, ICFP2, ICPR2};

	if (crn >= sizeof(at))
		return false;
	*offset = at[crn];
	return true;
}

const struct apmu_board__device_ops apmu_board__pxa_ops = {
	.name = "PXA interrupt controller",
	.reset = reset,
	.read = read,
	.write = write,
	.input = input,
	.lines = lines,
};
