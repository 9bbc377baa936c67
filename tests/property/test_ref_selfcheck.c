/* SPDX-License-Identifier: MIT */
/* The naive models against examples worked out by hand from the manuals; this file does not use the product.
 */
#include "ref_arm11.h"
#include "ref_xscale.h"
#include "test.h"

static const struct apmu_mode user, privileged = {.el = 1}, secure = {.el = 1, .security = APMU_SECURE},
				    secure_user = {.el = 0, .security = APMU_SECURE};

static struct apmu_access c15(unsigned opc2)
{
	return (struct apmu_access){APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, opc2), secure};
}

static struct apmu_access c14(unsigned crn, unsigned crm)
{
	return (struct apmu_access){APMU_VIEW_CP, apmu_cp(14, 0, crn, crm, 0), privileged};
}

static struct ref_arm11 arm11(enum ref_arm11_kind kind)
{
	struct ref_arm11 r;

	ref_arm11_init(&r, kind, privileged);
	return r;
}

static struct ref_xscale xscale(enum ref_xscale_kind kind)
{
	struct ref_xscale r;

	ref_xscale_init(&r, kind, privileged);
	return r;
}

static uint32_t get(const struct ref_arm11 *r, unsigned opc2)
{
	uint64_t value = 0;

	CHECK_EQ(ref_arm11_read(r, c15(opc2), &value), APMU_DONE);
	return (uint32_t)value;
}

static void put(struct ref_arm11 *r, unsigned opc2, uint32_t value)
{
	CHECK_EQ(ref_arm11_write(r, c15(opc2), value), APMU_DONE);
}

static uint32_t xget(const struct ref_xscale *r, unsigned crn, unsigned crm)
{
	uint64_t value = 0;

	CHECK_EQ(ref_xscale_read(r, c14(crn, crm), &value), APMU_DONE);
	return (uint32_t)value;
}

static void xput(struct ref_xscale *r, unsigned crn, unsigned crm, uint32_t value)
{
	CHECK_EQ(ref_xscale_write(r, c14(crn, crm), value), APMU_DONE);
}

/* Runs `cycles` cycles, each with `n` counts of `s`. */
static void run(struct ref_arm11 *r, unsigned cycles, enum apmu_signal s, uint64_t n)
{
	uint64_t count[APMU_SIGNALS] = {0};

	count[s] = n;
	count[APMU_SIG_CYCLES] = 1;
	while (cycles-- > 0)
		ref_arm11_cycle(r, count);
}

static void xrun(struct ref_xscale *r, unsigned cycles, enum apmu_signal s, uint64_t n)
{
	uint64_t count[APMU_SIGNALS] = {0};

	count[s] = n;
	count[APMU_SIG_CYCLES] = 1;
	while (cycles-- > 0)
		ref_xscale_cycle(r, count);
}

TEST(arm11_counts_from_the_fourth_cycle_after_enabling) /* 1136 TRM, PMNC */
{
	struct ref_arm11 r = arm11(REF_ARM1136);

	put(&r, 0, 0x07 << 20 | 0xFFu << 12 | 1);
	run(&r, 3, APMU_SIG_INST, 1);
	CHECK_EQ(get(&r, 1) + get(&r, 2) + get(&r, 3), 0);
	run(&r, 1, APMU_SIG_INST, 2);
	CHECK_EQ(get(&r, 1), 1);
	CHECK_EQ(get(&r, 2), 2); /* EvtCount0, bits 27:20, is PMN0's */
	CHECK_EQ(get(&r, 3), 1);
}

TEST(arm11_writing_E_again_does_not_restart_the_holdoff)
{
	struct ref_arm11 r = arm11(REF_ARM1136);

	put(&r, 0, 1);
	run(&r, 2, APMU_SIG_INST, 0);
	put(&r, 0, 1);
	run(&r, 2, APMU_SIG_INST, 0);
	CHECK_EQ(get(&r, 1), 1);
}

TEST(arm11_overflows_after_n_events_from_minus_n) /* AN195 1 */
{
	struct ref_arm11 r = arm11(REF_ARM1136);

	put(&r, 2, 0u - 1000);
	put(&r, 0, 0x0B << 20 | 1 << 4 | 1);
	run(&r, 3, APMU_SIG_CYCLES, 1);
	run(&r, 999, APMU_SIG_L1D_MISS, 1);
	CHECK_EQ(get(&r, 2), 0xFFFFFFFFu);
	CHECK(!r.irq);
	run(&r, 1, APMU_SIG_L1D_MISS, 1);
	CHECK_EQ(get(&r, 2), 0);
	CHECK_EQ(get(&r, 0) >> 8 & 7, 1);
	CHECK(r.irq);
}

TEST(arm11_a_step_of_two_carries_from_all_ones_to_one)
{
	struct ref_arm11 r = arm11(REF_ARM1176);

	put(&r, 3, 0xFFFFFFFFu);
	put(&r, 0, 0x22 << 12 | 1);
	run(&r, 3, APMU_SIG_CYCLES, 1);
	uint64_t both[APMU_SIGNALS] = {
		[APMU_SIG_CYCLES] = 1, [APMU_SIG_ETMEXTOUT0] = 1, [APMU_SIG_ETMEXTOUT1] = 1};
	ref_arm11_cycle(&r, both);
	CHECK_EQ(get(&r, 3), 1);
	CHECK_EQ(get(&r, 0) >> 8 & 7, 2);
}

TEST(arm11_divider_counts_every_64th_cycle_but_not_for_event_0xFF)
{
	struct ref_arm11 r = arm11(REF_ARM1136);

	put(&r, 0, 0xFF << 20 | 1 << 3 | 1);
	run(&r, 3 + 63, APMU_SIG_CYCLES, 1);
	CHECK_EQ(get(&r, 1), 0);
	run(&r, 1, APMU_SIG_CYCLES, 1);
	CHECK_EQ(get(&r, 1), 1);
	CHECK_EQ(get(&r, 2), 64);
	run(&r, 32, APMU_SIG_CYCLES, 1);
	put(&r, 0, 1 << 3 | 1 << 2 | 1); /* C: phase back to 0 */
	run(&r, 63, APMU_SIG_CYCLES, 1);
	CHECK_EQ(get(&r, 1), 0);
	run(&r, 1, APMU_SIG_CYCLES, 1);
	CHECK_EQ(get(&r, 1), 1);
}

TEST(arm11_line_falls_only_with_E_set) /* AN195, PMNC bit 0 */
{
	struct ref_arm11 r = arm11(REF_ARM1136);

	put(&r, 1, 0xFFFFFFFFu);
	put(&r, 0, 1 << 6 | 1);
	run(&r, 4, APMU_SIG_CYCLES, 1);
	CHECK(r.irq);
	put(&r, 0, 1 << 10 | 1 << 6);
	CHECK_EQ(get(&r, 0), 1 << 6);
	CHECK(r.irq);
	put(&r, 0, 1 << 6 | 1);
	CHECK(!r.irq);
}

TEST(arm1156_has_a_second_line_and_the_others_have_not)
{
	static const enum ref_arm11_kind kinds[] = {REF_ARM1136, REF_ARM1156, REF_ARM1176};

	for (size_t k = 0; k < 3; k++) {
		struct ref_arm11 r = arm11(kinds[k]);

		put(&r, 1, 0xFFFFFFFFu);
		put(&r, 0, 0xFFFFFFFFu); /* W1C of clear flags, C: counter is 0 again */
		CHECK_EQ(get(&r, 0), kinds[k] == REF_ARM1156 ? 0x7FFFF879u : 0x0FFFF879u);
		put(&r, 1, 0xFFFFFFFFu);
		put(&r, 0, 1u << 30 | 1);
		run(&r, 4, APMU_SIG_CYCLES, 1);
		CHECK(!r.irq);
		CHECK_EQ(r.fiq, kinds[k] == REF_ARM1156);
	}
}

TEST(arm11_user_access_is_undefined_except_on_1176_with_V)
{
	struct ref_arm11 r = arm11(REF_ARM1136);
	struct apmu_access at = c15(0), v = {APMU_VIEW_CP, apmu_cp(15, 0, 15, 9, 0), secure};
	uint64_t value = 77;

	at.from = user;
	CHECK_EQ(ref_arm11_read(&r, at, &value), APMU_UNDEFINED);
	CHECK_EQ(ref_arm11_read(&r, v, &value), APMU_UNDEFINED);
	CHECK_EQ(value, 77);
	r = arm11(REF_ARM1176);
	CHECK_EQ(ref_arm11_read(&r, at, &value), APMU_UNDEFINED);
	v.from = privileged;
	CHECK_EQ(ref_arm11_write(&r, v, 1), APMU_UNDEFINED);
	v.from = secure;
	r.in.cp15sdisable = true;
	CHECK_EQ(ref_arm11_write(&r, v, 1), APMU_UNDEFINED);
	CHECK_EQ(ref_arm11_read(&r, v, &value), APMU_DONE);
	CHECK_EQ(value, 0);
	r.in.cp15sdisable = false;
	CHECK_EQ(ref_arm11_write(&r, v, 1), APMU_DONE);
	CHECK_EQ(ref_arm11_write(&r, at, 0x800), APMU_DONE);
	CHECK_EQ(get(&r, 0), 0x800);
}

/* Runs one cycle of a counting ARM1176 in a mode; returns 1 if it is counted. */
static unsigned counts_in(struct ref_arm11 *r, struct apmu_mode mode)
{
	uint32_t before = r->ccnt;

	r->mode = mode;
	run(r, 1, APMU_SIG_CYCLES, 1);
	return r->ccnt - before;
}

TEST(arm1176_counts_only_where_noninvasive_debug_is_permitted)
{
	struct ref_arm11 r = arm11(REF_ARM1176);
	struct apmu_access sder = {APMU_VIEW_CP, apmu_cp(15, 0, 1, 1, 1), secure};

	put(&r, 0, 1);
	run(&r, 3, APMU_SIG_CYCLES, 1);
	CHECK_EQ(counts_in(&r, secure), 1);
	CHECK_EQ(counts_in(&r, (struct apmu_mode){.el = 1, .debug_halted = true}), 0);
	r.in.spiden = r.in.spniden = false;
	CHECK_EQ(counts_in(&r, secure), 0);
	CHECK_EQ(counts_in(&r, secure_user), 0);
	CHECK_EQ(counts_in(&r, user), 1);
	CHECK_EQ(ref_arm11_write(&r, sder, 2), APMU_DONE);
	CHECK_EQ(counts_in(&r, secure_user), 1);
	CHECK_EQ(counts_in(&r, secure), 0);
	r.in.dbgen = r.in.niden = false;
	CHECK_EQ(counts_in(&r, user), 0);
}

TEST(arm11_bus_carries_each_event_at_its_position)
{
	struct ref_arm11 r = arm11(REF_ARM1136), m = arm11(REF_ARM1156);
	uint64_t n[APMU_SIGNALS] = {[APMU_SIG_CYCLES] = 1,
				    [APMU_SIG_BR_EXEC] = 2,
				    [APMU_SIG_INST] = 1,
				    [APMU_SIG_TLB_WALK] = 1,
				    [APMU_SIG_WBUF_DRAIN] = 1};

	CHECK_EQ(ref_arm11_bus(&r, n), 0);
	put(&r, 0, 1 << 11);
	put(&m, 0, 1 << 11);
	CHECK_EQ(ref_arm11_bus(&r, n), 2 << 5 | 1 << 8 | 1 << 16 | 1 << 19);
	CHECK_EQ(ref_arm11_bus(&m, n), 2 << 5 | 1 << 8 | 1 << 19);
	r.mode.debug_halted = true;
	CHECK_EQ(ref_arm11_bus(&r, n), 0);
}

TEST(xsc1_has_the_event_fields_the_other_way_round)
{
	struct ref_xscale r = xscale(REF_XSC1);

	xput(&r, 0, 0, 0x0B << 20 | 0x0A << 12 | 1);
	xrun(&r, 5, APMU_SIG_L1D_MISS, 1);
	xrun(&r, 2, APMU_SIG_L1D_ACCESS, 1);
	CHECK_EQ(xget(&r, 1, 0), 7); /* no hold-off */
	CHECK_EQ(xget(&r, 2, 0), 2);
	CHECK_EQ(xget(&r, 3, 0), 5);
}

TEST(xsc1_pmnc_keeps_the_bits_that_linux_writes)
{
	struct ref_xscale r = xscale(REF_XSC1);

	xput(&r, 0, 0, 0xFFFFFFFFu);
	CHECK_EQ(xget(&r, 0, 0), 0x0FFFF079u);
	CHECK_EQ(0x0FFFF079u & ~0x0FFFF77Fu, 0); /* Linux's write mask */
}

TEST(xsc1_line_ignores_E)
{
	struct ref_xscale r = xscale(REF_XSC1);

	xput(&r, 1, 0, 0xFFFFFFFFu);
	xput(&r, 0, 0, 1 << 6 | 1);
	xrun(&r, 1, APMU_SIG_CYCLES, 1);
	CHECK(ref_xscale_line(&r));
	xput(&r, 0, 0, 1 << 6);
	CHECK(ref_xscale_line(&r));
	xput(&r, 0, 0, 1 << 10 | 1 << 6);
	CHECK(!ref_xscale_line(&r));
}

TEST(xsc1_a_stepping_forgets_the_earlier_flag)
{
	struct ref_xscale r = xscale(REF_XSC1);

	ref_xscale_errata(&r, 1u << APMU_ERRATUM_FLAG_LOSS);
	xput(&r, 2, 0, 0xFFFFFFFFu);
	xput(&r, 1, 0, 0xFFFFFFFEu);
	xput(&r, 0, 0, 0x07 << 12 | 1);
	xrun(&r, 1, APMU_SIG_INST, 1);
	CHECK_EQ(xget(&r, 0, 0) >> 8 & 7, 1);
	xrun(&r, 1, APMU_SIG_CYCLES, 1);
	CHECK_EQ(xget(&r, 0, 0) >> 8 & 7, 4);
}

TEST(xsc2_flags_and_enables_start_at_the_cycle_counter)
{
	struct ref_xscale r = xscale(REF_XSC2);

	CHECK_EQ(xget(&r, 0, 1), 0x14000000u);
	xput(&r, 8, 1, 0xFFFF0CFFu); /* PMN1: half lines written back */
	xput(&r, 1, 2, 0xFFFFFFFFu);
	xput(&r, 4, 1, 1 << 2);
	xput(&r, 0, 1, 1);
	xrun(&r, 1, APMU_SIG_L1D_WB_HALF, 1);
	CHECK_EQ(xget(&r, 5, 1), 1 << 2);
	CHECK(ref_xscale_line(&r));
	xput(&r, 0, 1, 0);
	CHECK(ref_xscale_line(&r)); /* clearing E does not deassert */
	xput(&r, 4, 1, 0);
	CHECK(!ref_xscale_line(&r)); /* clearing INTEN does */
	CHECK_EQ(xget(&r, 0, 2), 0); /* 0xFF counts nothing here */
	CHECK_EQ(xget(&r, 5, 1), 1 << 2);
}

TEST(xscale_event_1_overcounts_while_the_erratum_is_on)
{
	struct ref_xscale r = xscale(REF_XSC2);

	xput(&r, 8, 1, 0xFFFFFF01u);
	xput(&r, 0, 1, 1);
	xrun(&r, 4, APMU_SIG_FETCH_STALL_EXTRA, 1);
	ref_xscale_errata(&r, 0);
	xrun(&r, 4, APMU_SIG_FETCH_STALL_EXTRA, 1);
	xrun(&r, 2, APMU_SIG_FETCH_STALL, 1);
	CHECK_EQ(xget(&r, 0, 2), 6);
}

TEST(xscale_encodings_of_the_other_kind_and_user_mode_are_undefined)
{
	struct ref_xscale one = xscale(REF_XSC1), two = xscale(REF_XSC2);
	struct apmu_access at = c14(0, 0);
	uint64_t value;

	CHECK_EQ(ref_xscale_read(&one, c14(0, 1), &value), APMU_UNDEFINED);
	CHECK_EQ(ref_xscale_read(&two, c14(0, 0), &value), APMU_UNDEFINED);
	at.from = user;
	CHECK_EQ(ref_xscale_read(&one, at, &value), APMU_UNDEFINED);
}
