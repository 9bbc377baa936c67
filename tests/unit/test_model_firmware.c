/* SPDX-License-Identifier: MIT */
/* Setup for hosts without firmware, and the texts for a PMU's answers. */
#include <apmu/model.h>

#include "test.h"

#include <string.h>

static struct apmu_tally tally;
static struct apmu pmu;

static enum apmu_outcome read_at(unsigned el, uint32_t encoding)
{
	struct apmu_access at = {APMU_VIEW_A64, encoding, {.el = (uint8_t)el, .security = APMU_NONSECURE}};
	uint64_t value;

	return apmu_read(&pmu, at, &value);
}

TEST(out_of_reset_the_instruction_counter_traps_and_firmware_opens_it)
{
	uint32_t pmicntr = apmu_sysreg(3, 3, 9, 4, 0); /* PMICNTR_EL0 */

	apmu_init(&pmu, apmu_core_find("generic-v9"), &tally, (struct apmu_lines){0});
	CHECK(read_at(1, pmicntr) != APMU_DONE);
	apmu_firmware(&pmu, 1, false);
	CHECK_EQ(read_at(1, pmicntr), APMU_DONE);
	CHECK_EQ(pmu.s.mode.el, 1);
	CHECK_EQ(pmu.s.word[APMU_WORD_HDFGRTR2], ~(uint64_t)0);
	apmu_init(&pmu, apmu_core_find("generic-v9"), &tally, (struct apmu_lines){0});
	apmu_firmware(&pmu, 2, false);
	CHECK_EQ(read_at(2, pmicntr), APMU_DONE);
	CHECK_EQ(pmu.s.word[APMU_WORD_HDFGRTR2], 0); /* the hypervisor's own */
}

TEST(a_program_counts_after_it_on_every_core)
{
	for (size_t i = 0; i < apmu_core_count(); i++) {
		const struct apmu_core *core = apmu_core_at(i);
		bool aarch32 = core->access_rule != APMU_ACCESS_V8;

		apmu_init(&pmu, core, &tally, (struct apmu_lines){0});
		apmu_firmware(&pmu, 1, aarch32);
		CHECK_EQ(pmu.s.mode.el, 1);
		CHECK_EQ(pmu.s.mode.security, APMU_NONSECURE);
	}
}

TEST(an_Armv7_core_reaches_the_registers_of_Hyp_mode_after_it) /* SCR.NS: ARMV7SHEET 3.4 */
{
	struct apmu_access hdcr = {APMU_VIEW_CP, apmu_cp(15, 4, 1, 1, 1), {.el = 3, .security = APMU_SECURE}};

	apmu_init(&pmu, apmu_core_find("cortex-a15"), &tally, (struct apmu_lines){0});
	CHECK_EQ(pmu.s.mode.el, 1);
	CHECK_EQ(pmu.s.mode.security, APMU_SECURE);
	CHECK_EQ(apmu_may(&pmu, hdcr, true), APMU_UNDEFINED);
	apmu_firmware(&pmu, 2, true);
	CHECK_EQ(apmu_may(&pmu, hdcr, true), APMU_DONE);
	CHECK_EQ(pmu.s.mode.el, 2);
}

TEST(every_word_is_there)
{
	for (unsigned i = 0; i <= APMU_TRAP_EL3; i++)
		CHECK(strcmp(apmu_outcome_text((enum apmu_outcome)i), "unknown") != 0);
	for (unsigned i = 0; i < APMU_LINES; i++)
		CHECK(strcmp(apmu_line_text((enum apmu_line)i), "unknown") != 0);
	for (unsigned i = 0; i < APMU_NOTES; i++)
		CHECK(strcmp(apmu_note_text((enum apmu_note)i), "unknown") != 0);
	CHECK_STR(apmu_outcome_text((enum apmu_outcome)99), "unknown");
	CHECK_STR(apmu_line_text(APMU_LINES), "unknown");
	CHECK_STR(apmu_note_text(APMU_NOTES), "unknown");
}
