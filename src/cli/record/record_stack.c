/* SPDX-License-Identifier: MIT */
/*
 * Events that `record --cpi-stack` adds for the page and the CPI stack, and `record --transfers` for `apmu
 * c2c`. They are the model's own signals, not events of the core's PMU, so every core has them.
 */
#include "cli/record/record.h"

#include "profile/profile.h"

#include <string.h>

struct part {
	const char *label;
	const char *name; /* part of the CPI stack; NULL: none */
	uint16_t signal[APMU_GAUGE_SIGNALS];
	uint8_t signals, minus; /* the last `minus` are subtracted */
	bool penalty;           /* each occurrence costs a misprediction's cycles, not one */
	bool transfers;         /* --transfers adds it, not --cpi-stack */
};

/* "back" is all stalls of the back end; the parts that follow it are contained in it. */
static const struct part parts[] = {
	{"instructions", NULL, {APMU_SIG_INST}, 1, 0, false, false},
	{"mispredictions", "branch", {APMU_SIG_BR_MIS_PRED}, 1, 0, true, false},
	{"l1d-misses", NULL, {APMU_SIG_L1D_MISS}, 1, 0, false, false},
	{"l1i-misses", NULL, {APMU_SIG_L1I_MISS}, 1, 0, false, false},
	{"tlb-walks", NULL, {APMU_SIG_TLB_WALK}, 1, 0, false, false},
	{"stall-front-end",
	 "front",
	 {APMU_SIG_FETCH_STALL, APMU_SIG_STALL_FETCH_TLB, APMU_SIG_STALL_FETCH_OTHER},
	 3,
	 2,
	 false,
	 false},
	{"stall-itlb", "itlb", {APMU_SIG_STALL_FETCH_TLB}, 1, 0, false, false},
	{"stall-back-end", "back", {APMU_SIG_DATA_STALL, APMU_SIG_LSU_FULL_STALL}, 2, 0, false, false},
	{"stall-l2", "l2", {APMU_SIG_STALL_BACK_L2}, 1, 0, false, false},
	{"stall-l3", "l3", {APMU_SIG_STALL_BACK_L3}, 1, 0, false, false},
	{"stall-memory", "memory", {APMU_SIG_STALL_BACK_MEM}, 1, 0, false, false},
	{"stall-tlb", "tlb", {APMU_SIG_STALL_BACK_TLB}, 1, 0, false, false},
	{"stall-store", "store", {APMU_SIG_STALL_ST}, 1, 0, false, false},
	{.label = "transfers",
	 .signal = {APMU_SIG_PEER_FILL, APMU_SIG_PEER_UPGRADE},
	 .signals = 2,
	 .transfers = true},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

static bool has(const struct cli__record_options *o, const char *label)
{
	for (size_t i = 0; i < o->rows.n; i++)
		if (strcmp(o->rows.row[i].label, label) == 0)
			return true;
	return false;
}

static bool adds(const struct cli__record_options *o, const struct part *part)
{
	return (part->transfers ? o->transfers : o->stack) && !has(o, part->label);
}

size_t cli__record_more_size(const struct cli__record_options *o)
{
	size_t n = 0;

	for (size_t i = 0; i < PARTS; i++)
		n += adds(o, &parts[i]);
	return n;
}

size_t cli__record_more(const struct cli__record_options *o, struct apmu_qemu__run_event *run,
			struct profile__event *about)
{
	size_t n = 0;

	for (size_t i = 0; i < PARTS; i++) {
		const struct part *part = &parts[i];
		if (!adds(o, part))
			continue;
		run[n] = (struct apmu_qemu__run_event){.signals = part->signals,
						       .minus = part->minus,
						       .period = o->period,
						       .frequency = o->frequency};
		memcpy(run[n].signal, part->signal, sizeof part->signal);
		about[n] = (struct profile__event){
			.label = part->label,
			.name = part->label,
			.number = PROFILE__SIGNAL,
			.period = o->period,
			.frequency = o->frequency == APMU_QEMU__RUN_FALLS ? 0 : o->frequency,
			.part = part->name,
			.scale = part->penalty ? o->uarch.mispredict : 1,
			.aside = !part->transfers};
		n++;
	}
	return n;
}
