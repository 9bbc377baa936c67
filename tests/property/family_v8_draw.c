/* SPDX-License-Identifier: MIT */
/* Draws the operations of PMUv3 lives: accesses, values, machine states. */
#include "family_v8.h"

/* apmu_sysreg() as constants, since this is a static table. Of indexed registers it has a few. */
const uint32_t v8_a64[] = {
	0x339C0, 0x339C1, 0x339C2, 0x339C3, 0x339C4, 0x339C5, 0x339C6, 0x339C7, /* PMCR to PMCEID1 */
	0x339D0, 0x339D1, 0x339D2, 0x339D4, 0x339E0, 0x339E3, 0x33940, 0x33960, /* PMCCNTR to PMICFILTR */
	0x33EF7, 0x309E1, 0x309E2, 0x309E4, 0x309E5, 0x309E6, 0x309E7, 0x309D3, /* PMCCFILTR to PMSSCR */
	0x33E80, 0x33E81, 0x33E82, 0x33E83, 0x33E84, 0x33E85, 0x33E86, 0x33EB6, /* PMEVCNTR<n> */
	0x33EC0, 0x33EC1, 0x33EC2, 0x33EC3, 0x33EC4, 0x33EC5, 0x33EC6, 0x33EF6, /* PMEVTYPER<n> */
	0x20E80, 0x20E81, 0x20E83, 0x20EB6, 0x20EB7, 0x20EC0, 0x33EB7, 0x20EF0, /* PMEVCNTSVR<n>; nothing */
	0x34111, 0x36131, 0x34314, 0x34315, 0x34310, 0x34311,                   /* MDCR_EL2 to HDFGWTR2_EL2 */
};
const uint32_t v8_cp[] = {
	0xF09C0, 0xF09C1, 0xF09C2, 0xF09C3, 0xF09C4, 0xF09C5, 0xF09C6, 0xF09C7, /* PMCR to PMCEID1 */
	0xF09D0, 0xF09D1, 0xF09D2, 0xF09E0, 0xF09E1, 0xF09E2, 0xF09E3, 0xF09E4, /* PMCCNTR to PMCEID2 */
	0xF09E5, 0xF09E6, 0xF0EF7, 0xF4111, 0xF09D3, 0xF09D4, /* PMCEID3, PMMIR, PMCCFILTR, HDCR; nothing */
	0xF0E80, 0xF0E81, 0xF0E82, 0xF0E83, 0xF0E85, 0xF0E86, 0xF0EB6, 0xF0EB7, /* PMEVCNTR<n> */
	0xF0EC0, 0xF0EC1, 0xF0EC2, 0xF0EC3, 0xF0EC5, 0xF0EC6, 0xF0EF6,          /* PMEVTYPER<n> */
};
const uint16_t v8_frame[] = {
	0x000, 0x008, 0x010, 0x018, 0x020, 0x028, 0x0F0, 0x0F8, 0x100, 0x400, 0x408, 0x410, 0x418, 0x4F0,
	0x4F8, 0x500, 0x600, 0x608, 0x6F0, 0x6F8, 0x700, 0xC00, 0xC10, 0xC20, 0xC40, 0xC50, 0xC60, 0xC80,
	0xC90, 0xCA0, 0xCC0, 0xE00, 0xE10, 0xE30, 0xE40, 0xE58, 0x004, 0x00C, 0x014, 0x0F4, 0x0FC, 0x104,
	0x404, 0x40C, 0x478, 0x47C, 0x480, 0xA00, 0xA04, 0xA08, 0xA78, 0xA7C, 0xA80, 0xCA4, 0xE04, 0xE20,
	0xE24, 0xE28, 0xE2C, 0xFB0, 0xFB4, 0xC04, 0xC24, 0xC44, 0xC64, 0xC84, 0xCC4,
};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

const size_t v8_a64_n = COUNT(v8_a64), v8_cp_n = COUNT(v8_cp);

/* A 64-bit frame is accessed by whole registers only, a 32-bit frame by every word that 1.1 lists. */
#define FRAME64 36u

static const uint8_t selector[] = {0x08, 0x11, 0x11, 0x03, 0x21, 0x00, 0x00, 0x1E, 0x1E, 0x1E};

static bool has(const struct apmu_core *core, enum apmu_feature feature)
{
	return core->features >> feature & 1;
}

size_t v8_frame_n(const struct apmu_core *core)
{
	return has(core, APMU_FEATURE_EXT64) ? FRAME64 : COUNT(v8_frame);
}

/* A random exception level and security state that the core has. */
struct apmu_mode v8_any_place(struct rng *r, const struct apmu_core *core)
{
	struct apmu_mode m = {.el = (uint8_t)rng_below(r, 4)};
	bool rme = has(core, APMU_FEATURE_RME), sel2 = has(core, APMU_FEATURE_SEL2);

	m.security = (uint8_t)rng_below(r, rme ? 3 : 2);
	if (m.el == 2 && m.security == APMU_SECURE && !sel2)
		m.security = APMU_NONSECURE;
	if (m.el == 3)
		m.security = rme ? APMU_ROOT : APMU_SECURE;
	return m;
}

/* The view is one that the level can use: AArch32 if the level uses it, else AArch64. */
struct apmu_access v8_access_from(struct rng *r, const struct apmu_core *core, struct apmu_mode m,
				  uint8_t aarch32)
{
	struct apmu_access at = {.view = APMU_VIEW_A64, .from = m};

	if (rng_one_in(r, 5)) {
		at.view = APMU_VIEW_MMIO;
		at.encoding = v8_frame[rng_below(r, (unsigned)v8_frame_n(core))];
		at.from.debug_port = rng_one_in(r, 2);
	} else if (!(aarch32 >> m.el & 1)) {
		at.encoding = v8_a64[rng_below(r, COUNT(v8_a64))];
	} else if (rng_one_in(r, 16)) {
		at.view = APMU_VIEW_CP64;
		at.encoding = apmu_cp64(15, 0, 9);
	} else {
		at.view = APMU_VIEW_CP;
		at.encoding = v8_cp[rng_below(r, COUNT(v8_cp))];
	}
	return at;
}

static uint64_t any_count(struct rng *r)
{
	uint64_t count = likely_count(r, rng_next(r));

	switch (rng_below(r, 4)) {
	case 0: return count | 0xFFFFFFFF00000000;
	case 1: return count | rng_next(r) << 32;
	default: return count;
	}
}

/* A value for PMEVTYPER: an event of the list, few filters, now and then a threshold. */
static uint64_t any_type(struct rng *r)
{
	uint64_t any = rng_next(r), v = selector[rng_below(r, sizeof selector)];

	if (rng_one_in(r, 2))
		v |= 0x08000000; /* NSH: count at EL2 */
	if (rng_one_in(r, 3))
		v |= any & rng_next(r) & 0xFFF00000;
	if (rng_one_in(r, 12))
		v |= any & (uint64_t)7 << 56;
	if (rng_one_in(r, 3))
		v |= (any & (uint64_t)0xF0C << 52) | (uint64_t)rng_below(r, 4) << 32;
	return v;
}

static uint64_t any_mdcr_el3(struct rng *r)
{
	uint64_t any = rng_next(r), v = (any & 0x80) | (any & (uint64_t)1 << 44) | (any & 0x20000);

	if (rng_one_in(r, 3))
		v |= any & ((uint64_t)3 << 34 | 0x800000);
	if (rng_one_in(r, 4))
		v |= any & ((uint64_t)3 << 45 | 0x200004);
	if (rng_one_in(r, 6))
		v |= 0x40;
	v |= (uint64_t)(rng_one_in(r, 2) ? 1 : rng_below(r, 4)) << 40;
	return v | (uint64_t)(rng_one_in(r, 2) ? 1 : rng_below(r, 4)) << 30 | (any & 0x10000000);
}

static uint64_t any_mdcr_el2(struct rng *r)
{
	uint64_t any = rng_next(r), v = (any & 0x80) | (any & 0x24820000) | (any & (uint64_t)1 << 36);

	if (rng_one_in(r, 2))
		v &= 0xFF;
	if (rng_one_in(r, 6))
		v |= any & 0x60;
	v |= (uint64_t)(rng_one_in(r, 2) ? 1 : rng_below(r, 4)) << 40;
	v |= (uint64_t)(rng_one_in(r, 2) ? 1 : rng_below(r, 4)) << 30;
	return v | (rng_one_in(r, 6) ? any & 31 : rng_below(r, 9));
}

static uint64_t a64_value(struct rng *r, uint32_t e)
{
	uint64_t any = rng_next(r);

	if (e == 0x339C0)
		return rng_one_in(r, 3) ? any & 0x1000002FF : (any & 0x2E9 & rng_next(r)) | 1;
	if (e == 0x339D0 || e == 0x339D2 || e == 0x33940 || (e >= 0x33E80 && e < 0x33EC0))
		return any_count(r);
	if (e == 0x339D1 || e == 0x33960 || (e >= 0x33EC0 && e < 0x33F00))
		return any_type(r);
	if (e == 0x339C5)
		return rng_one_in(r, 5) ? 31 : rng_below(r, 8);
	if (e == 0x34111)
		return any_mdcr_el2(r);
	if (e == 0x36131)
		return any_mdcr_el3(r);
	if (e == 0x339E0)
		return any & 0x7F;
	return few_bits(r, any);
}

static uint64_t any_value(struct rng *r, struct apmu_access at)
{
	uint32_t e = at.encoding;

	if (at.view == APMU_VIEW_A64)
		return a64_value(r, e);
	if (at.view == APMU_VIEW_CP64)
		return any_count(r);
	if (at.view == APMU_VIEW_CP)
		return a64_value(r, e == 0xF4111 ? 0x34111 : (e & 0xFFF) | 0x33000) & 0xFFFFFFFF;
	if (e == 0xE04 || e == 0xE10)
		return a64_value(r, 0x339C0);
	if (e < 0x200)
		return any_count(r);
	if ((e >= 0x400 && e < 0x600))
		return any_type(r);
	if (e >= 0xA00 && e < 0xB00)
		return any_type(r) >> 32;
	if (e == 0xFB0)
		return rng_one_in(r, 3) ? rng_next(r) : 0xC5ACCE55;
	if (e == 0xE58)
		return (rng_next(r) & 0x180) | (rng_one_in(r, 2) ? 31 : rng_below(r, 10));
	return few_bits(r, rng_next(r));
}

/* A random set of levels that use AArch32: below such a level, all levels do. */
static uint8_t any_aarch32(struct rng *r, const struct apmu_core *core)
{
	static const uint8_t upto[] = {0, 1, 3, 7, 0xF};

	if (!has(core, APMU_FEATURE_EL3_A64))
		return 0xF;
	if (!has(core, APMU_FEATURE_AA32))
		return 0;
	return upto[rng_below(r, has(core, APMU_FEATURE_AA32EL1) ? 4 : 2)];
}

static void draw_machine(struct op *op, struct rng *r, const struct apmu_core *core)
{
	struct apmu_machine_state *m = &op->machine;
	uint64_t any = rng_next(r), one = 1;

	m->mdcr_el2 = any_mdcr_el2(r);
	m->mdcr_el3 = any_mdcr_el3(r);
	m->hcr_el2 = (rng_one_in(r, 3) ? any & one << 27 : 0) | (any & one << 34);
	m->scr_el3 = (any & (1 | one << 18)) | (rng_one_in(r, 3) ? any & one << 27 : 0) | (any & one << 59);
	m->hstr_el2 = rng_one_in(r, 6) ? any & one << 9 : 0;
	m->hdfgrtr_el2 = few_bits(r, rng_next(r));
	m->hdfgwtr_el2 = few_bits(r, rng_next(r));
	m->hdfgrtr2_el2 = ~few_bits(r, rng_next(r));
	m->hdfgwtr2_el2 = ~few_bits(r, rng_next(r));
	m->sder = any >> 40 & 3;
	m->aarch32 = any_aarch32(r, core);
	if (m->aarch32 >> 2 & 1)
		m->hcr_el2 &= ~(one << 34); /* HCR has no E2H */
	m->streaming = rng_one_in(r, 3);
	m->profiling_masked = rng_one_in(r, 3);
	m->spe_stopped = rng_one_in(r, 3);
	m->edscr_sdd = rng_one_in(r, 3);
	m->os_lock = rng_one_in(r, 6);
	m->double_lock = rng_one_in(r, 12);
	m->powered_off = rng_one_in(r, 12);
	m->edecr_pme = rng_one_in(r, 3);
	m->brbe_fzp1 = rng_one_in(r, 3);
	m->brbe_fzp2 = rng_one_in(r, 3);
}

static void draw_event(struct op *op, struct rng *r, const struct apmu_core *core, unsigned p)
{
	if (p < 180) {
		op->kind = OP_ENTER;
		op->mode = v8_any_place(r, core);
		op->mode.debug_halted = rng_one_in(r, 12);
	} else if (p < 183) {
		op->kind = OP_INPUT;
		op->in = draw_pins(r);
	} else if (p < 191) {
		op->kind = OP_MACHINE;
		draw_machine(op, r, core);
	} else if (p < 194) {
		op->kind = OP_CAPTURE;
	} else if (p < 199) {
		op->kind = p < 197 ? OP_SAVE : OP_RESTORE;
	} else if (rng_one_in(r, 2)) {
		op->kind = OP_RESET;
	} else {
		op->kind = OP_ERRATA; /* no erratum switch applies to PMUv3 */
		op->value = 15;
	}
}

/* The view of a write is possible in some state of the levels; most writes come from a level that may make
 * them. */
void v8_draw(struct op *op, struct rng *r, const struct subject *subject)
{
	const struct apmu_core *core = apmu_core_find(subject->core);
	unsigned p = rng_below(r, 200);

	op->turn = (uint32_t)rng_next(r);
	if (p < 70) {
		op->kind = p < 62 ? OP_CYCLES : OP_LATE;
		draw_hot_cycles(op, r, subject->family);
	} else if (p < 165) {
		struct apmu_mode m = v8_any_place(r, core);

		if (rng_one_in(r, 2))
			m.el = 2, m.security = APMU_NONSECURE;
		if (rng_one_in(r, 12))
			m.debug_halted = true;
		op->kind = OP_WRITE;
		op->at = v8_access_from(r, core, m, any_aarch32(r, core));
		op->value = any_value(r, op->at);
	} else {
		draw_event(op, r, core, p);
	}
}
