/* SPDX-License-Identifier: MIT */
/* Detection: the architecture's registers decide, the core's name only refines; refusals have clear codes. */
#include "bench.h"
#include "test.h"

static struct bench b;

/* A fake PMU: the test sets its ID register, PMCR.N and faults. */
static struct {
	int fault;
	uint64_t version, n, user;
	unsigned touched; /* accesses, except to ID registers and PMUSERENR */
	unsigned ids;     /* reads of ID registers */
} fake;

static int fake_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	(void)ctx;
	(void)n;
	*value = 0;
	switch (reg) {
	case APMU_DEV_MIDR:
		fake.ids++;
		*value = 0x4100FFF0;
		return 0;
	case APMU_DEV_VERSION:
		fake.ids++;
		*value = fake.version;
		return 0;
	case APMU_DEV_USER: *value = fake.user; return 0;
	case APMU_DEV_INSTR: fake.ids++; return APMU_EOPNOTSUPP;
	case APMU_DEV_LOCK:
	case APMU_DEV_HPMN: return APMU_EOPNOTSUPP;
	case APMU_DEV_CONTROL: *value = fake.n << 11; break;
	default: break;
	}
	fake.touched++;
	return fake.fault;
}

static int fake_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	(void)ctx;
	(void)reg;
	(void)n;
	(void)value;
	fake.touched++;
	return fake.fault;
}

static const struct apmu_backend fake_backend = {.name = "fake",
						 .family = &apmu_family_ranged,
						 .read = fake_read,
						 .write = fake_write,
						 .traits = APMU_DEV_TRAIT_V8 | APMU_DEV_TRAIT_WIDE_CYCLE};

static int open_fake(uint8_t el, uint8_t *why)
{
	b.config =
		(struct apmu_dev_config){.backend = &fake_backend, .slots = b.slots, .slots_n = 4, .el = el};
	fake.touched = fake.ids = 0;
	return apmu_dev_open(&b.dev, &b.config, why);
}

TEST(no_PMU_is_an_answer)
{
	uint8_t why;

	fake.fault = 0;
	fake.version = 0;
	CHECK_EQ(open_fake(1, &why), APMU_ENODEV);
	CHECK_EQ(why, APMU_WHY_NO_PMU);
	fake.version = 15; /* implementation defined */
	CHECK_EQ(open_fake(1, &why), APMU_ENODEV);
	CHECK_EQ(fake.touched, 0);
}

TEST(faults_are_told_apart)
{
	static const struct {
		int fault;
		enum apmu_why why;
	} faults[] = {
		{APMU_EPERM, APMU_WHY_UNDEFINED}, {APMU_EACCES, APMU_WHY_TRAPPED}, {APMU_EIO, APMU_WHY_BUS}};

	fake.version = 4;
	for (size_t i = 0; i < 3; i++) {
		uint8_t why;

		fake.fault = faults[i].fault;
		CHECK_EQ(open_fake(1, &why), faults[i].fault);
		CHECK_EQ(why, faults[i].why);
	}
	fake.fault = 0;
}

TEST(user_mode_asks_before_it_touches)
{
	uint8_t why;

	fake.user = 0xE; /* everything but EN */
	CHECK_EQ(open_fake(0, &why), APMU_EACCES);
	CHECK_EQ(why, APMU_WHY_USER_CLOSED);
	CHECK_EQ(fake.touched, 0);
	fake.user = 0x11; /* UEN closes PMCR, whatever EN says */
	CHECK_EQ(open_fake(0, &why), APMU_EACCES);
	CHECK_EQ(why, APMU_WHY_USER_CLOSED);
	CHECK_EQ(fake.touched, 0);
	fake.user = 1;
	fake.n = 6;
	CHECK_EQ(open_fake(0, &why), 0);
	CHECK_EQ(fake.ids, 0);     /* Undefined at EL0 */
	b.config.interrupt = true; /* the enables are not for EL0 */
	CHECK_EQ(apmu_dev_open(&b.dev, &b.config, &why), APMU_EINVAL);
	CHECK_EQ(why, APMU_WHY_CONFIG);
}

TEST(an_impossible_configuration_has_a_reason)
{
	uint8_t why = APMU_WHY_NOT;

	CHECK_EQ(open_fake(4, &why), APMU_EINVAL);
	CHECK_EQ(why, APMU_WHY_CONFIG);
	CHECK_STR(apmu_why_text(why),
		  "the configuration is impossible: level above 3, interrupt at EL0, or no slots");
	CHECK_EQ(open_fake(4, NULL), APMU_EINVAL);
	b.config.el = 1;
	b.config.slots = NULL;
	why = APMU_WHY_NOT;
	CHECK_EQ(apmu_dev_open(&b.dev, &b.config, &why), APMU_EINVAL);
	CHECK_EQ(why, APMU_WHY_CONFIG);
}

TEST(a_PMU_with_the_cycle_counter_alone_works_and_says_so)
{
	struct apmu_want want[2];
	struct apmu_refusal refusal;
	uint8_t why;

	fake.version = 1;
	fake.n = 0;
	CHECK_EQ(open_fake(1, &why), 0);
	CHECK_EQ(why, APMU_WHY_NO_COUNTERS);
	CHECK_EQ(b.dev.has.wide, 0); /* its PMCR does not keep LC */
	CHECK_EQ(apmu_want_parse(&b.dev, "cycles", &want[0]), 0);
	CHECK_EQ(apmu_want_parse(&b.dev, "0x11", &want[1]), 0);
	want[1].flags |= APMU_WANT_RAW;
	CHECK_EQ(apmu_dev_use(&b.dev, want, 1, 0, &refusal), 0);
	CHECK_EQ(apmu_dev_use(&b.dev, want, 2, 0, &refusal), APMU_ENOSPC);
	CHECK_EQ(refusal.want, 1);
	CHECK_EQ(refusal.why, APMU_WHY_NO_COUNTERS);
}

TEST(a_new_core_counts_architected_events_that_it_says_it_has)
{
	struct apmu_want want;
	struct apmu_refusal refusal;
	struct apmu_plan plan;

	/* Neoverse N2's registers under a MIDR that no row has; names from the generic row. */
	bench_make(&b, apmu_core_find("neoverse-n2"));
	b.config.core = apmu_core_find("generic-v9");
	CHECK_EQ(bench_open(&b), 0);
	CHECK(!b.dev.has.known);
	CHECK_EQ(b.dev.has.version, 6);
	CHECK_EQ(bench_use(&b, 0, "INST_RETIRED", "cycles", NULL), 0);
	apmu_dev_start(&b.dev);
	bench_work(&b, 3);
	CHECK_EQ(bench_value(&b, 0), 30);
	/* PMCEID decides: 0x06 LD_RETIRED is not N2's, though the row has it. */
	CHECK_EQ(apmu_want_parse(&b.dev, "LD_RETIRED", &want), 0);
	CHECK_EQ(apmu_dev_plan(&b.dev, &want, 1, 0, &plan, &refusal), APMU_ENOENT);
	CHECK_EQ(refusal.why, APMU_WHY_NO_EVENT);
	/* Only the core's own row gives a meaning to numbers beyond the common events. */
	CHECK_EQ(apmu_want_parse(&b.dev, "L1D_CACHE_RD", &want), APMU_ENOENT);
	CHECK_EQ(apmu_want_parse(&b.dev, "0x40", &want), 0);
	CHECK_EQ(apmu_dev_plan(&b.dev, &want, 1, 0, &plan, &refusal), 0);
	/* 0x4000 on are in the upper half: N2 has L1I_CACHE_LMISS, and no 0x4008. */
	CHECK_EQ(apmu_want_parse(&b.dev, "0x4006", &want), 0);
	CHECK_EQ(apmu_dev_plan(&b.dev, &want, 1, 0, &plan, &refusal), 0);
	CHECK_EQ(apmu_want_parse(&b.dev, "0x4008", &want), 0);
	CHECK_EQ(apmu_dev_plan(&b.dev, &want, 1, 0, &plan, &refusal), APMU_ENOENT);
}

TEST(a_core_without_any_row_counts_by_number)
{
	bench_make(&b, apmu_core_find("cortex-a76"));
	b.config.core = NULL;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, "0x08", "cycles", NULL), 0);
	apmu_dev_start(&b.dev);
	bench_work(&b, 3);
	CHECK_EQ(bench_value(&b, 0), 30);
	CHECK_EQ(bench_value(&b, 1), 60);
	/* PMCEID has no 0x07, between 0x05 and 0x08, and no 0x3F; it does not tell about 0x40. */
	CHECK_EQ(bench_use(&b, 0, "0x05", "0x40", NULL), 0);
	CHECK_EQ(bench_use(&b, 0, "0x07", NULL), APMU_ENOENT);
	CHECK_EQ(bench_use(&b, 0, "0x3F", NULL), APMU_ENOENT);
}

/* Reads for a PMU on which a read of PMCEID is an Undefined instruction. */
static int without_ceid(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	(void)ctx;
	CHECK(reg != APMU_DEV_CEID);
	return b.real->read(b.inner, reg, n, value);
}

TEST(what_the_registers_do_not_say_is_known_from_the_version_or_the_row)
{
	bench_make(&b, apmu_core_find("thunderx2")); /* PMUv3p1: 16-bit numbers, though PMCEID has none */
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(b.dev.has.event_mask, 0xFFFF);
	bench_make(&b, apmu_core_find("cortex-a57"));
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(b.dev.has.event_mask, 0x3FF);
	bench_make(&b, apmu_core_find("cortex-a8"));
	b.spy.read = without_ceid;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(b.dev.has.holdoff, 0);
	bench_make(&b, apmu_core_find("arm1176"));
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(b.dev.has.holdoff, 3); /* DDI0301H 3-137 */
}

TEST(a_hypervisor_leaves_its_guest_fewer_counters)
{
	bench_make(&b, apmu_core_find("cortex-a15"));
	b.pmu.s.word[APMU_WORD_MDCR_EL2] = 4; /* HPMN */
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(b.dev.has.counters, 0x8000000Fu);
	b.port.from.el = 2;
	b.config.el = 2; /* EL2 sees all counters, but PMCR.E starts four of them */
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(b.dev.has.counters, 0x8000000Fu);
}

TEST(a_hypervisor_that_keeps_all_counters_leaves_the_cycle_counter)
{
	uint8_t why;

	for (uint8_t el = 2; el <= 3; el++) {
		bench_make(&b, apmu_core_find("generic-v9"));
		b.pmu.s.word[APMU_WORD_MDCR_EL2] = 0; /* FEAT_HPMN0 */
		b.port.from = (struct apmu_mode){.el = el, .security = el == 3 ? APMU_ROOT : APMU_NONSECURE};
		b.config.el = el;
		CHECK_EQ(apmu_dev_open(&b.dev, &b.config, &why), 0);
		CHECK_EQ(why, APMU_WHY_NO_COUNTERS);
		CHECK_EQ(b.dev.has.counters, 0x180000000u);
	}
}

TEST(a_trap_of_the_hypervisor_is_named)
{
	uint8_t why;

	bench_make(&b, apmu_core_find("cortex-a53"));
	b.pmu.s.word[APMU_WORD_MDCR_EL2] |= 1u << 6; /* TPM */
	CHECK_EQ(apmu_dev_open(&b.dev, &b.config, &why), APMU_EACCES);
	CHECK_EQ(why, APMU_WHY_TRAPPED);
}

TEST(an_ARM1136_is_Undefined_in_User_mode)
{
	uint8_t why;

	bench_make(&b, apmu_core_find("arm1136"));
	b.port.from.el = 0;
	b.config.el = 0;
	b.config.interrupt = false;
	CHECK_EQ(apmu_dev_open(&b.dev, &b.config, &why), APMU_EPERM);
	CHECK_EQ(why, APMU_WHY_UNDEFINED);
}

TEST(a_MIDR_finds_its_row)
{
	const struct apmu_core *rows[] = {&apmu_core_cortex_a8, &apmu_core_cortex_a9,
					  &apmu_core_arm1176jzf_s};

	CHECK(apmu_core_identify(rows, 3, 0x413FC090) == &apmu_core_cortex_a9);
	CHECK(apmu_core_identify(rows, 3, 0x410FB767) == &apmu_core_arm1176jzf_s); /* as QEMU's */
	CHECK(!apmu_core_identify(rows, 3, 0x410FD034));
}

TEST(close_puts_back_what_was_programmed)
{
	bench_make(&b, apmu_core_find("cortex-a15"));
	b.pmu.s.word[APMU_WORD_DIVIDE] = 1;
	b.pmu.s.cnten = 0x80000002u;
	b.pmu.s.inten = 0x2;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, "0x08", NULL), 0);
	apmu_dev_start(&b.dev);
	CHECK_EQ(b.pmu.s.word[APMU_WORD_DIVIDE], 0);
	CHECK_EQ(apmu_dev_close(&b.dev), 0);
	CHECK_EQ(b.pmu.s.word[APMU_WORD_DIVIDE], 1);
	CHECK_EQ(b.pmu.s.cnten, 0x80000002u);
	CHECK_EQ(b.pmu.s.inten, 0x2);
	CHECK_EQ(apmu_dev_start(&b.dev), APMU_EINVAL);
}

TEST(close_leaves_counters_stopped_that_ran_before)
{
	static const char *const cores[] = {"arm1136", "xscale1", "xscale2", "cortex-a15", "cortex-a53"};

	for (size_t c = 0; c < sizeof(cores) / sizeof(cores[0]); c++) {
		bench_make(&b, apmu_core_find(cores[c]));
		CHECK_EQ(b.real->write(b.inner, APMU_DEV_CONTROL, 0, 9), 0); /* D, E */
		CHECK_EQ(bench_open(&b), 0);
		CHECK_EQ(bench_use(&b, 0, "cycles", NULL), 0);
		apmu_dev_start(&b.dev);
		CHECK_EQ(b.pmu.s.word[APMU_WORD_DIVIDE], 0);
		CHECK_EQ(apmu_dev_close(&b.dev), 0);
		CHECK_EQ(b.pmu.s.word[APMU_WORD_ENABLE], 0);
		CHECK_EQ(b.pmu.s.word[APMU_WORD_DIVIDE], 1);
	}
}

TEST(a_request_from_before_goes_with_its_enable_when_the_driver_opens)
{
	bench_make(&b, apmu_core_find("cortex-a15"));
	b.masked = true;
	CHECK_EQ(b.real->write(b.inner, APMU_DEV_COUNTER, 0, 0xFFFFFFFF), 0);
	CHECK_EQ(b.real->write(b.inner, APMU_DEV_TYPE, 0, 0x08), 0);
	CHECK_EQ(b.real->write(b.inner, APMU_DEV_INTEN_SET, 0, 1), 0);
	CHECK_EQ(b.real->write(b.inner, APMU_DEV_ENABLE_SET, 0, 1), 0);
	CHECK_EQ(b.real->write(b.inner, APMU_DEV_CONTROL, 0, 1), 0);
	bench_work(&b, 1);
	CHECK(b.line);
	CHECK_EQ(bench_open(&b), 0);
	CHECK(!b.line);
	CHECK_EQ(b.pmu.s.cnten | b.pmu.s.inten, 0);
	CHECK_EQ(b.pmu.s.overflow, 1);
}

TEST(close_takes_back_the_interrupt_enable_of_a_counter_that_was_on)
{
	static const char *const cores[] = {"cortex-a15", "cortex-a53"};

	for (size_t c = 0; c < sizeof(cores) / sizeof(cores[0]); c++) {
		bench_make(&b, apmu_core_find(cores[c]));
		b.pmu.s.cnten = 0x80000001u;
		b.pmu.s.inten = 0x80000000u;
		CHECK_EQ(bench_open(&b), 0);
		CHECK_EQ(bench_use(&b, 0, "0x08", NULL), 0);
		CHECK_EQ(b.pmu.s.inten, 1);
		CHECK_EQ(apmu_dev_close(&b.dev), 0);
		CHECK_EQ(b.pmu.s.cnten, 0x80000001u);
		CHECK_EQ(b.pmu.s.inten, 0x80000000u);
	}
}

TEST(user_access_is_switched_and_asked)
{
	bench_make(&b, apmu_core_find("cortex-a53"));
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(apmu_dev_user_now(&b.dev), 0);
	CHECK_EQ(apmu_dev_user(&b.dev, APMU_USER_CYCLES | APMU_USER_COUNTERS), 0);
	CHECK_EQ(b.pmu.s.word[APMU_WORD_USEREN], 0xC);
	CHECK_EQ(apmu_dev_user_now(&b.dev), APMU_USER_CYCLES | APMU_USER_COUNTERS);
	b.config.el = 0;
	bench_accesses(&b);
	CHECK_EQ(apmu_dev_user(&b.dev, APMU_USER_ALL), APMU_EPERM);
	CHECK_EQ(bench_accesses(&b), 0);

	bench_make(&b, apmu_core_find("generic-v9")); /* UEN */
	CHECK_EQ(bench_open(&b), 0);
	b.pmu.s.word[APMU_WORD_USEREN] = 0x1D;
	CHECK_EQ(apmu_dev_user_now(&b.dev), APMU_USER_CYCLES | APMU_USER_COUNTERS);

	bench_make(&b, apmu_core_find("cortex-a9")); /* Armv7 has EN alone */
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(apmu_dev_user(&b.dev, APMU_USER_CYCLES), APMU_EOPNOTSUPP);
	CHECK_EQ(apmu_dev_user(&b.dev, APMU_USER_ALL), 0);
	CHECK_EQ(b.pmu.s.word[APMU_WORD_USEREN], 1);
	CHECK_EQ(apmu_dev_user_now(&b.dev), APMU_USER_ALL);

	bench_make(&b, apmu_core_find("arm1176")); /* SUNAVCR.V, Secure only */
	b.port.from.security = APMU_SECURE;
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(apmu_dev_user(&b.dev, APMU_USER_ALL), 0);
	CHECK_EQ(b.pmu.s.word[APMU_WORD_USER], 1);

	bench_make(&b, apmu_core_find("arm1136")); /* nothing opens it */
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(apmu_dev_user(&b.dev, APMU_USER_ALL), APMU_EOPNOTSUPP);
	CHECK_EQ(apmu_dev_user_now(&b.dev), 0);
}
