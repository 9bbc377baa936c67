/* SPDX-License-Identifier: MIT */
/* The rows themselves: cores, registers and fields hang together, whatever a rule makes of them. */
#include "tables.h"

#include <apmu/uarch.h>

#include <ctype.h>

#include "test.h"

/* Copies a name the way a careless user types it. */
static const char *mangled(const char *name)
{
	static char out[128];
	size_t n = 0;

	for (; name[n] && n < sizeof out - 1; n++)
		out[n] = (char)(name[n] == '-' ? '_' : toupper((unsigned char)name[n]));
	out[n] = '\0';
	return out;
}

TEST(every_core_is_found_by_its_name_and_every_alias_in_any_case)
{
	CHECK(apmu_core_count() >= 5);
	EACH_CORE(core)
	{
		CHECK(apmu_core_find(core->name) == core);
		CHECK(apmu_core_find(mangled(core->name)) == core);
		for (const char *const *alias = core->alias; *alias; alias++) {
			CHECK(apmu_core_find(*alias) == core);
			CHECK(apmu_core_find(mangled(*alias)) == core);
		}
	}
}

TEST(core_names_are_lower_case_words_with_hyphens)
{
	EACH_CORE(core)
	for (const char *c = core->name; *c; c++)
		CHECK(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-');
}

TEST(the_product_names_that_people_know_find_their_core)
{
	static const char *const known[][2] = {
		{"arm1136", "arm1136jf-s"}, {"arm1156", "arm1156t2-s"}, {"arm1176", "arm1176jzf-s"},
		{"pxa255", "xscale1"},      {"80200", "xscale1"},       {"ixp2400", "xscale1"},
		{"ixp2800", "xscale1"},     {"80219", "xscale1"},       {"80321", "xscale1"},
		{"pxa250", "xscale1"},      {"pxa270", "xscale2"},      {"ixp425", "xscale2"},
		{"80331", "xscale2"},
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		const struct apmu_core *core = apmu_core_find(known[i][0]);
		CHECK(core != NULL);
		CHECK_STR(core->name, known[i][1]);
	}
}

TEST(what_is_no_core_is_not_found)
{
	static const char *const wrong[] = {"",           "arm", "arm11", "arm1136jf", "arm1136jf-s ",
					    "cortex-a99", "-"};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		CHECK(apmu_core_find(wrong[i]) == NULL);
	CHECK(apmu_core_at(apmu_core_count()) == NULL);
}

/* Main ID Registers of real parts: Linux, QEMU and the manuals. */
TEST(a_main_id_register_fits_one_core_only)
{
	static const struct {
		uint32_t midr;
		const char *core;
	} parts[] = {
		{0x4107B362, "arm1136jf-s"}, {0x4117B363, "arm1136jf-s"}, {0x410FB767, "arm1176jzf-s"},
		{0x69052000, "xscale1"},     {0x69052100, "xscale1"},     {0x69052D06, "xscale1"},
		{0x69052420, "xscale1"},     {0x69052E20, "xscale1"},     {0x69054110, "xscale2"},
		{0x69054010, "xscale2"},     {0x690541C0, "xscale2"},     {0x69054040, "xscale2"},
		{0x69054200, "xscale2"},
	};

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		unsigned fit = 0;
		EACH_CORE(core)
		if (core->midr_mask && ((parts[i].midr ^ core->midr) & core->midr_mask) == 0) {
			fit++;
			CHECK_STR(core->name, parts[i].core);
		}
		CHECK_EQ(fit, 1);
	}
}

/* DDI0487, MIDR_EL1.Architecture: 0 is no architecture; software looks here first (Linux,
 * cpu_architecture()). */
TEST(every_main_id_register_names_an_architecture)
{
	EACH_CORE(core)
	if (core->midr_mask)
		CHECK((core->midr >> 16 & 0xF) != 0);
}

/* The only known disagreement: Arm's event list of Cortex-A53 has BR_RETURN_RETIRED, its PMCEID0 (0x67FFBFFF)
 * not. So it is with every row that has this value. */
static bool disagrees(const struct apmu_core *core, unsigned number)
{
	return number == 0x0E && core->constant[APMU_CORE_PMCEID0] == 0x67FFBFFF;
}

/* DDI0487, PMCEID<n>: bit b of the low half is event 32n + b, of the high half 0x4000 more; 0x400D and 0x400F
 * are trace inputs and have none. */
TEST(pmceid_tells_of_the_common_events_that_the_list_has)
{
	EACH_CORE(core)
	for (unsigned b = 0; b < 128 && core->access_rule != APMU_ACCESS_PLAIN; b++) {
		unsigned word = b / 64, number = 32 * word + b % 32 + (b % 64 < 32 ? 0 : 0x4000u);
		bool told = core->constant[word ? APMU_CORE_PMCEID1 : APMU_CORE_PMCEID0] >> b % 64 & 1;
		bool there = apmu_event_find(core, number) != NULL;

		if (number == 0x400D || number == 0x400F || disagrees(core, number))
			continue;
		if (told != there)
			printf("%s: event 0x%04x\n", core->name, number);
		CHECK_EQ(told, there);
	}
}

TEST(every_core_names_things_that_exist)
{
	EACH_CORE(core)
	{
		CHECK(core->title && core->family && core->qemu && core->src);
		CHECK(apmu_uarch_find(core->uarch) != NULL);
		CHECK(apmu_event_find(core, core->off_event) != NULL);
		CHECK(core->counters >= 1 && core->counters <= APMU_MAX_EVENT_COUNTERS);
		CHECK_ON(core, "errata on, but not had", core->errata_on & ~core->errata, 0);
		CHECK(core->width == 32 || core->width == 64);
		CHECK(core->cycle_width == 32 || core->cycle_width == 64);
		CHECK(core->event_mask == 0xFF || core->event_mask == 0x3FF || core->event_mask == 0xFFFF);
	}
}

TEST(fields_cover_every_bit_once_from_the_top_down)
{
	EACH_CORE(core)
	EACH_REG(core, reg)
	{
		int next = reg->width - 1;
		EACH_FIELD(reg, f)
		{
			CHECK_ON(core, reg->name, f->hi, (unsigned)next);
			CHECK(f->lo <= f->hi);
			next = f->lo - 1;
		}
		CHECK_ON(core, reg->name, (unsigned)(next + 1), 0);
	}
}

TEST(a_register_is_found_by_its_name_in_any_case_and_names_are_unique)
{
	char lower[64];

	EACH_CORE(core)
	{
		EACH_REG(core, reg)
		{
			size_t n = 0;
			for (; reg->name[n]; n++)
				lower[n] = (char)tolower((unsigned char)reg->name[n]);
			lower[n] = '\0';
			CHECK(apmu_reg_find(core, reg->name) == reg);
			CHECK(apmu_reg_find(core, lower) == reg);
			if (reg->aka)
				CHECK(apmu_reg_find(core, reg->aka) == reg);
		}
		CHECK(apmu_reg_find(core, "NOTHING") == NULL);
		CHECK(apmu_reg_find(core, "") == NULL);
	}
}

TEST(a_field_is_found_by_both_its_names_in_any_case)
{
	EACH_CORE(core)
	EACH_REG(core, reg)
	{
		EACH_FIELD(reg, f)
		{
			if (!strcmp(f->name, "-"))
				continue;
			CHECK(apmu_reg_field(reg, f->name) == f);
			if (f->aka)
				CHECK(apmu_reg_field(reg, f->aka) == f);
		}
		CHECK(apmu_reg_field(reg, "nothing") == NULL);
	}
}

/* The two documents name one field differently: both names are accepted (AN195 table 1, DDI0211K
 * table 3.138). */
TEST(the_flags_of_arm11_answer_to_the_names_of_both_documents)
{
	const struct apmu_reg *pmnc = apmu_reg_find(apmu_core_find("arm1136"), "PMNC");
	static const struct {
		const char *trm, *note;
		unsigned bit;
	} same[] = {{"CCR", "OCC", 10}, {"CR1", "OC1", 9}, {"CR0", "OC0", 8}};

	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		CHECK(apmu_reg_field(pmnc, same[i].trm) == apmu_reg_field(pmnc, same[i].note));
		CHECK_EQ(apmu_reg_field(pmnc, same[i].trm)->lo, same[i].bit);
	}
	CHECK(apmu_reg_field(pmnc, "ccr") == apmu_reg_field(pmnc, "CCR"));
}

TEST(splitting_a_value_into_fields_and_putting_them_together_gives_the_value)
{
	struct apmu_field_value part[64];
	uint64_t seed = 1;

	EACH_CORE(core)
	EACH_REG(core, reg)
	for (unsigned round = 0; round < 200; round++) {
		uint64_t mask = UINT64_MAX >> (64 - reg->width);
		uint64_t value = random_next(&seed) & mask, whole = 0, other = random_next(&seed) & mask;
		size_t n = apmu_reg_decode(reg, core->features, value, part, 64);
		CHECK_ON(core, reg->name, n, reg->fields);
		for (size_t i = 0; i < n; i++) {
			CHECK(part[i].field == &reg->field[i]);
			CHECK(part[i].kind == kind_on(core, part[i].field));
			CHECK(part[i].value <= apmu_field_max(part[i].field));
			whole = apmu_field_put(part[i].field, whole, part[i].value);
			other = apmu_field_put(part[i].field, other, part[i].value);
		}
		CHECK_ON(core, reg->name, whole, value);
		CHECK_ON(core, reg->name, other, value); /* whatever stood there before */
	}
}

TEST(splitting_writes_no_more_than_there_is_room_for)
{
	EACH_CORE(core)
	EACH_REG(core, reg)
	for (size_t max = 0; max <= reg->fields; max++) {
		struct apmu_field_value part[64];
		memset(part, 0, sizeof part);
		CHECK_EQ(apmu_reg_decode(reg, core->features, UINT32_MAX, part, max), reg->fields);
		CHECK(part[max].field == NULL);
		CHECK(max == 0 || part[max - 1].field != NULL);
	}
}

TEST(a_field_takes_its_bits_and_no_others)
{
	EACH_CORE(core)
	EACH_REG(core, reg)
	EACH_FIELD(reg, f)
	{
		unsigned bits = f->hi - f->lo + 1u;
		CHECK_ON(core, f->name, apmu_field_max(f), UINT64_MAX >> (64 - bits));
		CHECK_ON(core, f->name, apmu_field_put(f, 0, UINT64_MAX), apmu_field_max(f) << f->lo);
		CHECK_ON(core, f->name, apmu_field_put(f, UINT64_MAX, 0), ~(apmu_field_max(f) << f->lo));
		CHECK_ON(core, f->name, apmu_field_put(f, 0, apmu_field_max(f) + 1), 0);
	}
}
