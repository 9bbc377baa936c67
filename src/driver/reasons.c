/* SPDX-License-Identifier: MIT */
/* Texts of enum apmu_why. */
#include "driver/device.h"

static const char *const text[APMU_WHYS] = {
	[APMU_WHY_NOT] = "not refused",
	[APMU_WHY_NO_PMU] = "the ID register names no PMU that the driver knows",
	[APMU_WHY_UNDEFINED] = "PMU registers are Undefined at this exception level",
	[APMU_WHY_USER_CLOSED] =
		"user access is closed: the enable bit (PMUSERENR.EN, SUNAVCR.V) is 0, or PMUSERENR.UEN is 1",
	[APMU_WHY_TRAPPED] = "a higher exception level traps PMU accesses",
	[APMU_WHY_BUS] = "bus error: core powered off, OS Lock locked, or external access not allowed",
	[APMU_WHY_NOT_A_PMU] = "the ID registers of this frame are not those of a PMU",
	[APMU_WHY_NO_COUNTERS] = "there are no event counters, at most the cycle counter",
	[APMU_WHY_TOO_MANY] = "more events than counters",
	[APMU_WHY_GROUP] = "the group needs more counters than there are",
	[APMU_WHY_NO_EVENT] = "this core does not have the event",
	[APMU_WHY_EVENT_RANGE] = "the event number does not fit the selector",
	[APMU_WHY_NO_COUNTER] = "the counter does not exist, is reserved, or cannot count this",
	[APMU_WHY_COUNTER_TWICE] = "two requests ask for the same counter",
	[APMU_WHY_NO_FILTER] = "this PMU has no filters",
	[APMU_WHY_NO_WORLD] = "this PMU's filters cannot separate these worlds",
	[APMU_WHY_NO_LEVEL] = "this PMU's filters cannot separate these levels",
	[APMU_WHY_NO_LONG] = "no 64-bit counter, and no free pair to chain",
	[APMU_WHY_NO_INTERRUPT] = "sampling needs config.interrupt",
	[APMU_WHY_PERIOD] = "jitter without a period, or a period beyond the counter",
	[APMU_WHY_SLOTS] = "more requests than slots",
	[APMU_WHY_NO_CYCLES] = "the cycle counter is taken or cannot count this, and no event counts cycles",
	[APMU_WHY_NO_TURNS] = "more events than counters, and config.turns is NULL",
	[APMU_WHY_CONFIG] = "the configuration is impossible: level above 3, interrupt at EL0, or no slots",
	[APMU_WHY_LOAD] = "the registers, or the kernel, refused the plan while it was programmed",
	[APMU_WHY_CYCLES_TAKEN] = "the driver needs the cycle counter itself",
};

const char *apmu_why_text(unsigned why)
{
	return why < APMU_WHYS ? text[why] : "unknown reason";
}
