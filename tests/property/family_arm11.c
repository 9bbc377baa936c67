/* SPDX-License-Identifier: MIT */
/* The ARM11 family: how its random operations are drawn, and its reference behind pointers. */
#include "family.h"
#include "ref_arm11.h"

_Static_assert(sizeof(struct ref_arm11) <= LIFE_REF_SIZE, "the reference fits its box");

/* apmu_cp(15, 0, crn, crm, opc2) as constants, since this is a static table. PMNC must be first. */
static const uint32_t encoding[] = {
	0xF0FC0, 0xF0FC1, 0xF0FC2, 0xF0FC3, /* PMNC, CCNT, PMN0, PMN1 */
	0xF0F90, 0xF0111,                   /* ARM1176: SUNAVCR, SDER */
};
static const uint8_t selector[] = {0x07, 0x05, 0x0D, 0x22, 0xFF, 0x20, 0x24,
				   0x25, 0x36, 0x01, 0x03, 0x13, 0x08};
static const uint8_t hot[] = {APMU_SIG_INST,       APMU_SIG_BR_EXEC, APMU_SIG_PC_CHANGE,  APMU_SIG_ETMEXTOUT0,
			      APMU_SIG_ETMEXTOUT1, APMU_SIG_RETURN,  APMU_SIG_FETCH_STALL};

/* A value for PMNC: E mostly set, events mostly likely ones, acknowledgements and resets now and then. */
static uint64_t likely_pmnc(struct rng *r, uint64_t value)
{
	if (!rng_one_in(r, 4))
		value = likely_byte(r, value, 20, selector, sizeof selector);
	if (!rng_one_in(r, 4))
		value = likely_byte(r, value, 12, selector, sizeof selector);
	if (!rng_one_in(r, 4))
		value |= 1;
	if (!rng_one_in(r, 3))
		value &= ~(uint64_t)0x700;
	if (!rng_one_in(r, 3))
		value &= ~(uint64_t)0x006;
	if (!rng_one_in(r, 3))
		value &= ~(uint64_t)0x008;
	return rng_one_in(r, 8) ? value : value & 0xFFFFFFFF;
}

static uint64_t value(struct rng *r, uint32_t at, uint64_t any)
{
	if (at == encoding[0])
		return likely_pmnc(r, any);
	if (at == encoding[4] || at == encoding[5])
		return rng_one_in(r, 8) ? any : any & 3;
	return likely_count(r, any);
}

static void init(void *ref, unsigned kind, struct apmu_mode mode)
{
	ref_arm11_init(ref, (enum ref_arm11_kind)kind, mode);
}

FAMILY_VERBS(arm11)

static void errata(void *ref, uint32_t set)
{
	(void)ref; /* no erratum switch applies to ARM11 */
	(void)set;
}

static bool line(const void *ref, enum apmu_line which)
{
	const struct ref_arm11 *r = ref;

	return which == APMU_LINE_IRQ ? r->irq : r->fiq;
}

static uint64_t bus(const void *ref, const uint64_t n[APMU_SIGNALS])
{
	return ref_arm11_bus(ref, n);
}

static bool wants(const void *ref, enum apmu_signal s)
{
	return ref_arm11_wants(ref, s);
}

static bool holding(const void *ref)
{
	const struct ref_arm11 *r = ref;

	return r->e && r->holdoff > 0;
}

static bool exporting(const void *ref)
{
	const struct ref_arm11 *r = ref;

	return r->x && r->in.export_heard;
}

static bool loses_flags(const void *ref)
{
	(void)ref;
	return false;
}

const struct family family_arm11 = {
	.encoding = encoding,
	.encodings = sizeof encoding / sizeof encoding[0],
	.selector = selector,
	.selectors = sizeof selector,
	.hot = hot,
	.hots = sizeof hot,
	.value = value,
	.init = init,
	.reset = reset,
	.cycle = cycle,
	.read = read,
	.write = write,
	.enter = enter,
	.input = input,
	.errata = errata,
	.line = line,
	.bus = bus,
	.wants = wants,
	.holding = holding,
	.exporting = exporting,
	.loses_flags = loses_flags,
};
