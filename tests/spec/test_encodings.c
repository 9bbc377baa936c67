/* SPDX-License-Identifier: MIT */
/* Encodings and rights: which access reaches which register, and who may make it. */
#include "tables.h"

#include "test.h"

static const struct apmu_reg *listed(const struct apmu_core *core, enum apmu_view view, uint32_t encoding)
{
	EACH_REG(core, reg)
	for (unsigned i = 0; i < reg->encodings; i++)
		if (reg->at[i].view == view && reg->at[i].encoding == encoding)
			return reg;
	return NULL;
}

TEST(each_encoding_finds_its_register_and_belongs_to_no_other)
{
	EACH_PLAIN_CORE(core)
	EACH_REG(core, reg)
	{
		CHECK(reg->encodings >= 1);
		for (unsigned i = 0; i < reg->encodings; i++) {
			unsigned n = 0;
			enum apmu_view view = (enum apmu_view)reg->at[i].view;
			CHECK(apmu_reg_at(core, view, reg->at[i].encoding, &n) == reg);
			CHECK(listed(core, view, reg->at[i].encoding) == reg);
		}
	}
}

static void look_up(const struct apmu_core *core, enum apmu_view view, uint32_t encoding)
{
	unsigned n = 0;
	const struct apmu_reg *reg = apmu_reg_at(core, view, encoding, &n);

	if (reg != listed(core, view, encoding))
		fail_msg("%s: view %d, encoding 0x%x finds %s", core->name, (int)view, encoding,
			 reg ? reg->name : "nothing");
}

TEST(no_other_coprocessor_encoding_finds_a_register)
{
	EACH_PLAIN_CORE(core)
	for (unsigned crn = 0; crn < 16; crn++)
		for (unsigned crm = 0; crm < 16; crm++)
			for (unsigned rest = 0; rest < 64; rest++)
				for (unsigned cp = 14; cp < 16; cp++)
					look_up(core, APMU_VIEW_CP,
						apmu_cp(cp, rest >> 3, crn, crm, rest & 7));
}

TEST(an_encoding_of_one_view_is_none_of_another)
{
	EACH_PLAIN_CORE(core)
	EACH_REG(core, reg)
	for (unsigned i = 0; i < reg->encodings; i++)
		for (unsigned view = 0; view < APMU_VIEWS; view++)
			look_up(core, (enum apmu_view)view, reg->at[i].encoding);
}

TEST(random_encodings_find_what_the_rows_say)
{
	uint64_t seed = 2;

	EACH_PLAIN_CORE(core)
	for (unsigned round = 0; round < 20000; round++) {
		uint64_t r = random_next(&seed);
		look_up(core, (enum apmu_view)(r % APMU_VIEWS), (uint32_t)(r >> 8));
	}
}

/* The hash knows registers by view and encoding in one word: bits of the one must not pass for the other's.
 */
TEST(an_encoding_has_nothing_above_bit_27)
{
	EACH_CORE(core)
	EACH_REG(core, reg)
	for (unsigned i = 0; i < reg->encodings * 16; i++)
		for (unsigned view = 0; view < APMU_VIEWS; view++) {
			uint32_t encoding = reg->at[i / 16].encoding | (i % 16) << 28;
			unsigned n;

			if (i % 16)
				CHECK_ON(core, reg->name,
					 apmu_reg_at(core, (enum apmu_view)view, encoding, &n) == NULL, true);
		}
}

/* Whatever a host puts there: it must not lead outside the rights. */
TEST(an_exception_level_has_two_bits)
{
	EACH_CORE(core)
	EACH_REG(core, reg)
	for (unsigned el = 4; el < 256; el += 63) {
		struct bench b;
		struct apmu_access at = {.view = (enum apmu_view)reg->at[0].view,
					 .encoding = reg->at[0].encoding};
		uint64_t here = 0, there = 0;

		bench_start(&b, core);
		at.from.el = (uint8_t)(el & 3);
		enum apmu_outcome want = apmu_read(&b.pmu, at, &here);
		at.from.el = (uint8_t)el;
		CHECK_ON(core, reg->name, apmu_read(&b.pmu, at, &there), want);
		CHECK_ON(core, reg->name, there, here);
	}
}

TEST(an_unknown_encoding_is_undefined_and_changes_nothing)
{
	EACH_PLAIN_CORE(core)
	for (unsigned rest = 0; rest < 8 * 8 * 16; rest++) {
		struct bench b;
		uint64_t value = 77;
		struct apmu_access at = {.view = APMU_VIEW_CP, .from = {.el = 1, .security = APMU_SECURE}};
		at.encoding = apmu_cp(15, rest & 7, 15, rest >> 6, rest >> 3 & 7);
		if (listed(core, APMU_VIEW_CP, at.encoding))
			continue;
		bench_start(&b, core);
		struct apmu_state before = b.pmu.s;
		CHECK_ON(core, "read", apmu_read(&b.pmu, at, &value), APMU_UNDEFINED);
		CHECK_ON(core, "value", value, 77);
		CHECK_ON(core, "write", apmu_write(&b.pmu, at, UINT32_MAX), APMU_UNDEFINED);
		CHECK(!memcmp(&before, &b.pmu.s, sizeof before));
	}
}

/* What include/apmu/reg.h says of each right. Monitor mode is Secure whatever NS says (DDI0301H 3-138). */
static bool may(const struct bench *b, enum apmu_right right, struct apmu_mode from, bool write)
{
	bool secure = from.security == APMU_SECURE || from.el == 3;

	switch (right) {
	case APMU_RIGHT_RW: return true;
	case APMU_RIGHT_RO: return !write;
	case APMU_RIGHT_USER_VALID: return b->pmu.s.word[APMU_WORD_USER];
	case APMU_RIGHT_SECURE: return secure;
	case APMU_RIGHT_SECURE_LOCK: return secure && !(write && b->pmu.s.in.cp15sdisable);
	case APMU_RIGHT_NONE:
	case APMU_RIGHTS: break;
	}
	return false;
}

/* One register, one mode, read and write. */
static void try_access(struct bench *b, const struct apmu_reg *reg, struct apmu_access at)
{
	const struct apmu_core *core = b->pmu.core;
	enum apmu_right right = (enum apmu_right)reg->right[at.from.el];
	uint64_t value = UINT64_C(0x1122334455667788);
	struct apmu before = b->pmu;
	bool reads = may(b, right, at.from, false), writes = may(b, right, at.from, true);

	CHECK_ON(core, reg->name, apmu_read(&b->pmu, at, &value), reads ? APMU_DONE : APMU_UNDEFINED);
	CHECK(!memcmp(&before, &b->pmu, sizeof before)); /* reading is pure */
	CHECK(reads == (value != UINT64_C(0x1122334455667788)));
	CHECK_ON(core, reg->name, apmu_write(&b->pmu, at, 0), writes ? APMU_DONE : APMU_UNDEFINED);
	CHECK(writes || !memcmp(&before.s, &b->pmu.s, sizeof before.s)); /* an Undefined write does nothing */
}

static void try_modes(struct bench *b, const struct apmu_reg *reg, unsigned i)
{
	for (unsigned el = 0; el < 4; el++)
		for (unsigned security = APMU_NONSECURE; security <= APMU_ROOT; security++)
			for (unsigned halted = 0; halted < 2; halted++) {
				struct bench now = *b;
				struct apmu_access at = bench_access(reg, i);
				at.from = (struct apmu_mode){.el = (uint8_t)el,
							     .security = (uint8_t)security,
							     .debug_halted = halted != 0};
				now.pmu.lines.ctx = &now;
				now.pmu.tally = &now.tally;
				try_access(&now, reg, at);
			}
}

TEST(every_register_is_open_to_exactly_those_its_row_names_at_every_level_world_and_state)
{
	EACH_PLAIN_CORE(core)
	for (unsigned valid = 0; valid < 2; valid++)
		for (unsigned locked = 0; locked < 2; locked++) {
			struct bench b;
			bench_start(&b, core);
			b.pmu.s.word[APMU_WORD_USER] = valid;
			struct apmu_inputs in = b.pmu.s.in;
			in.cp15sdisable = locked;
			apmu_input(&b.pmu, in);
			EACH_REG(core, reg)
			for (unsigned i = 0; i < reg->encodings; i++)
				try_modes(&b, reg, i);
		}
}

/* The facts behind the rows, so that a row cannot be wrong on its own (DDI0211K 3.140, DDI0301H 3-138,
 * IXP2800). */
TEST(no_register_of_arm1136_arm1156_and_xscale_is_open_to_user_mode)
{
	EACH_PLAIN_CORE(core)
	{
		if (core->features & 1u << APMU_FEATURE_TRUSTZONE)
			continue;
		EACH_REG(core, reg)
		{
			struct bench b;
			uint64_t value = 0;
			struct apmu_access at = bench_access(reg, 0);
			at.from.el = 0;
			bench_start(&b, core);
			CHECK_ON(core, reg->name, apmu_read(&b.pmu, at, &value), APMU_UNDEFINED);
			CHECK_ON(core, reg->name, apmu_write(&b.pmu, at, 0), APMU_UNDEFINED);
		}
	}
}
