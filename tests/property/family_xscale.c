/* SPDX-License-Identifier: MIT */
/* The XScale family: how its random operations are drawn, and its reference behind pointers. */
#include "family.h"
#include "ref_xscale.h"

_Static_assert(sizeof(struct ref_xscale) <= LIFE_REF_SIZE, "the reference fits its box");

enum { XSC1_PMNC = 0xE0000, XSC2_PMNC = 0xE0010, INTEN = 0xE0410, FLAG = 0xE0510, EVTSEL = 0xE0810 };

/* apmu_cp(14, 0, crn, crm, 0) as constants. Half of the writes use encodings of the other kind. */
static const uint32_t encoding[] = {
	XSC1_PMNC, 0xE0100, 0xE0200, 0xE0300,         /* XSC1: PMNC, CCNT, PMN0, PMN1 */
	XSC2_PMNC, 0xE0110, INTEN,   FLAG,    EVTSEL, /* XSC2: PMNC, CCNT, INTEN, FLAG, EVTSEL */
	0xE0020,   0xE0120, 0xE0220, 0xE0320,         /* XSC2: PMN0 to PMN3 */
};
static const uint8_t selector[] = {0x07, 0x01, 0x05, 0x0A, 0x0D, 0x10, 0xFF, 0x00, 0x0C, 0x06, 0x0E, 0x16};
static const uint8_t hot[] = {APMU_SIG_INST,      APMU_SIG_FETCH_STALL, APMU_SIG_FETCH_STALL_EXTRA,
			      APMU_SIG_BR_IMMED,  APMU_SIG_BR_OTHER,    APMU_SIG_L1D_ACCESS,
			      APMU_SIG_PC_CHANGE, APMU_SIG_BCU_REQUEST};

/* The bits D, C, P and E of both kinds: mostly counting, mostly without the divider and resets. */
static uint64_t likely_controls(struct rng *r, uint64_t value)
{
	if (!rng_one_in(r, 4))
		value |= 1;
	if (!rng_one_in(r, 3))
		value &= ~(uint64_t)0x006;
	if (!rng_one_in(r, 3))
		value &= ~(uint64_t)0x008;
	return rng_one_in(r, 8) ? value : value & 0xFFFFFFFF;
}

static uint64_t likely_xsc1_pmnc(struct rng *r, uint64_t value)
{
	if (!rng_one_in(r, 4))
		value = likely_byte(r, value, 20, selector, sizeof selector);
	if (!rng_one_in(r, 4))
		value = likely_byte(r, value, 12, selector, sizeof selector);
	if (!rng_one_in(r, 3))
		value &= ~(uint64_t)0x700;
	return likely_controls(r, value);
}

static uint64_t likely_evtsel(struct rng *r, uint64_t value)
{
	for (unsigned i = 0; i < 4; i++)
		if (!rng_one_in(r, 4))
			value = likely_byte(r, value, 8 * i, selector, sizeof selector);
	return value;
}

static uint64_t value(struct rng *r, uint32_t at, uint64_t any)
{
	switch (at) {
	case XSC1_PMNC: return likely_xsc1_pmnc(r, any);
	case XSC2_PMNC: return likely_controls(r, any);
	case EVTSEL: return likely_evtsel(r, any);
	case INTEN:
	case FLAG: return any;
	default: return likely_count(r, any);
	}
}

static void init(void *ref, unsigned kind, struct apmu_mode mode)
{
	ref_xscale_init(ref, (enum ref_xscale_kind)kind, mode);
}

FAMILY_VERBS(xscale)

static void errata(void *ref, uint32_t set)
{
	ref_xscale_errata(ref, set);
}

static bool line(const void *ref, enum apmu_line which)
{
	return which == APMU_LINE_IRQ && ref_xscale_line(ref);
}

/* XScale has no event bus. */
static uint64_t bus(const void *ref, const uint64_t n[APMU_SIGNALS])
{
	(void)ref;
	(void)n;
	return 0;
}

static bool wants(const void *ref, enum apmu_signal s)
{
	return ref_xscale_wants(ref, s);
}

static bool never(const void *ref)
{
	(void)ref;
	return false;
}

static bool loses_flags(const void *ref)
{
	const struct ref_xscale *r = ref;

	return r->flag_loss;
}

const struct family family_xscale = {
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
	.holding = never,
	.exporting = never,
	.loses_flags = loses_flags,
};
