/* SPDX-License-Identifier: MIT */
/* The model's notes when software does what a manual forbids: one note each, with its detail. */
#include "model_bench.h"

#include "test.h"

static unsigned all_notes(const struct bench *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < APMU_NOTES; i++)
		n += b->notes[i];
	return n;
}

TEST(ones_in_should_be_zero_bits_are_noted_with_the_bits) /* AN195 table 1, 80200 12, IXP42X 3.7 */
{
	static const struct {
		const char *core;
		uint32_t written, reserved;
	} write[] = {
		{"arm1136", 0xF0000081, 0xF0000080}, {"arm1176", 0xF0000081, 0xF0000080},
		{"arm1156", 0xF0000081, 0x80000080}, {"xscale1", 0xF0000881, 0xF0000880},
		{"xscale2", 0x00FFFFF1, 0x00FFFFF0},
	};

	for (size_t i = 0; i < sizeof write / sizeof write[0]; i++) {
		struct bench b;
		bench_start(&b, write[i].core);
		poke(&b, "PMNC", write[i].written);
		CHECK_EQ(b.notes[APMU_NOTE_RESERVED_BITS], 1);
		CHECK_EQ(b.detail[APMU_NOTE_RESERVED_BITS], write[i].reserved);
		CHECK_EQ(all_notes(&b), 1);
	}
}

TEST(a_reserved_event_is_noted_once_and_not_at_every_look) /* AN195 table 2: other values */
{
	struct bench b;

	bench_start(&b, "arm1136");
	start(&b, ARM11_EVENT0(0x08) | E);
	CHECK_EQ(b.notes[APMU_NOTE_RESERVED_EVENT], 1);
	CHECK_EQ(b.detail[APMU_NOTE_RESERVED_EVENT], 0x08);
	for (unsigned i = 0; i < 10; i++)
		run(&b, 10);
	CHECK_EQ(b.notes[APMU_NOTE_RESERVED_EVENT], 1);
	CHECK_EQ(peek(&b, "PMN0"), 0);
}

TEST(an_event_of_another_core_is_reserved_here) /* AN195 table 2 */
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMNC", ARM11_EVENT0(0x23)); /* ARM1176 only */
	CHECK_EQ(b.detail[APMU_NOTE_RESERVED_EVENT], 0x23);
	bench_start(&b, "arm1176");
	poke(&b, "PMNC", ARM11_EVENT0(0x23));
	CHECK_EQ(all_notes(&b), 0);
}

TEST(each_selector_with_a_reserved_event_is_noted)
{
	struct bench b;

	bench_start(&b, "xscale2");
	poke(&b, "EVTSEL", 0xFE07FD0B);
	CHECK_EQ(b.notes[APMU_NOTE_RESERVED_EVENT], 2);
}

TEST(changing_an_event_of_the_four_counter_xscale_while_it_counts_is_noted) /* IXP42X 3.7 */
{
	struct bench b;

	bench_start(&b, "xscale2");
	poke(&b, "EVTSEL", 0x0B0A0705);
	poke(&b, "PMNC", E);
	CHECK_EQ(all_notes(&b), 0);
	poke(&b, "EVTSEL", 0x0B0A0706);
	CHECK_EQ(b.notes[APMU_NOTE_SELECT_WHILE_ON], 1);
	CHECK_EQ(b.detail[APMU_NOTE_SELECT_WHILE_ON], 0x0B0A0706);
	CHECK_EQ(all_notes(&b), 1);
}

TEST(changing_an_event_in_pmnc_while_counting_is_nobodys_business) /* AN195 and 80200 do not forbid it */
{
	struct bench b;

	bench_start(&b, "arm1136");
	start(&b, ARM11_EVENT0(0x07) | E);
	poke(&b, "PMNC", ARM11_EVENT0(0x05) | E);
	CHECK_EQ(all_notes(&b), 0);
	bench_start(&b, "xscale1");
	start(&b, XSCALE_EVENT0(0x07) | E);
	poke(&b, "PMNC", XSCALE_EVENT0(0x05) | E);
	CHECK_EQ(all_notes(&b), 0);
}

TEST(a_software_increment_of_another_event_is_noted_with_the_counters_of_that) /* DDI0406 armv7 5 */
{
	struct bench b;

	bench_start(&b, "cortex-a9");
	poke(&b, "PMSELR", 1);
	poke(&b, "PMXEVTYPER", 0x04);
	poke(&b, "PMSWINC", 1);
	CHECK_EQ(all_notes(&b), 0);
	poke(&b, "PMSWINC", 3);
	CHECK_EQ(b.notes[APMU_NOTE_NOT_SOFTWARE], 1);
	CHECK_EQ(b.detail[APMU_NOTE_NOT_SOFTWARE], 2);
	CHECK_EQ(all_notes(&b), 1);
}

TEST(exporting_events_to_nobody_is_noted) /* DDI0211K PMNC: then X must be 0 */
{
	struct bench b;

	bench_start(&b, "arm1136");
	poke(&b, "PMNC", X);
	CHECK_EQ(b.notes[APMU_NOTE_EXPORT_UNHEARD], 1);
	CHECK_EQ(all_notes(&b), 1);
	bench_start(&b, "arm1136");
	struct apmu_inputs in = b.pmu.s.in;
	in.export_heard = true;
	apmu_input(&b.pmu, in);
	poke(&b, "PMNC", X);
	CHECK_EQ(all_notes(&b), 0);
	bench_start(&b, "neoverse-n1"); /* whose PMCR.X is RAZ/WI */
	poke(&b, "PMCR_EL0", X);
	CHECK_EQ(b.notes[APMU_NOTE_EXPORT_UNHEARD], 0);
}

TEST(careful_software_hears_nothing)
{
	struct bench b;

	bench_start(&b, "arm1176");
	poke(&b, "PMN0", 0xFFFFFF00);
	start(&b, ARM11_EVENT0(0x07) | ARM11_EVENT1(0x0B) | EC0 | C | E);
	happen(&b, APMU_SIG_INST, 0x100);
	run(&b, 100);
	poke(&b, "PMNC", peek(&b, "PMNC"));
	poke(&b, "PMNC", 0);
	CHECK_EQ(all_notes(&b), 0);
}
