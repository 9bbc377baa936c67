/* SPDX-License-Identifier: MIT */
/*
 * Events that `record --cpi-stack` adds for the page and the CPI stack, and `record --transfers` for `apmu
 * c2c`. All but one are the model's own signals, not events of the core's PMU, so every core has them.
 */
#include "cli/common/run_event.h"
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
	const char *event;      /* in place of `signal`: an event that every core has, as `stat` counts it */
};

/* "back" is all stalls of the back end; the parts that follow it are contained in it. */
static const struct part parts[] = {
	{.label = "instructions", .signal = {APMU_SIG_INST}, .signals = 1},
	{.label = "mispredictions",
	 .name = "branch",
	 .signal = {APMU_SIG_BR_MIS_PRED},
	 .signals = 1,
	 .penalty = true},
	{.label = "l1d-misses", .event = "cache-misses"},
	{.label = "l1i-misses", .signal = {APMU_SIG_L1I_MISS}, .signals = 1},
	{.label = "tlb-walks", .signal = {APMU_SIG_TLB_WALK}, .signals = 1},
	{.label = "stall-front-end",
	 .name = "front",
	 .signal = {APMU_SIG_FETCH_STALL, APMU_SIG_STALL_FETCH_TLB, APMU_SIG_STALL_FETCH_OTHER},
	 .signals = 3,
	 .minus = 2},
	{.label = "stall-itlb", .name = "itlb", .signal = {APMU_SIG_STALL_FETCH_TLB}, .signals = 1},
	{.label = "stall-back-end",
	 .name = "back",
	 .signal = {APMU_SIG_DATA_STALL, APMU_SIG_LSU_FULL_STALL},
	 .signals = 2},
	{.label = "stall-l2", .name = "l2", .signal = {APMU_SIG_STALL_BACK_L2}, .signals = 1},
	{.label = "stall-l3", .name = "l3", .signal = {APMU_SIG_STALL_BACK_L3}, .signals = 1},
	{.label = "stall-memory", .name = "memory", .signal = {APMU_SIG_STALL_BACK_MEM}, .signals = 1},
	{.label = "stall-tlb", .name = "tlb", .signal = {APMU_SIG_STALL_BACK_TLB}, .signals = 1},
	{.label = "stall-store", .name = "store", .signal = {APMU_SIG_STALL_ST}, .signals = 1},
	{.label = "transfers",
	 .signal = {APMU_SIG_PEER_FILL, APMU_SIG_PEER_UPGRADE, APMU_SIG_PEER_FILL_AHEAD},
	 .signals = 3,
	 .minus = 1, /* of lines that come ahead the sample's access says nothing */
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

/* The signals of a part, on the core. */
static struct apmu_qemu__run_event signals_of(const struct part *part, const struct apmu_core *core)
{
	struct apmu_qemu__run_event run = {.signals = part->signals, .minus = part->minus};
	struct cli__wanted wanted = {0};

	memcpy(run.signal, part->signal, sizeof part->signal);
	if (part->event && apmu_event_name(core, part->event, &wanted.event, &wanted.cycles) == 0)
		cli__wanted_run_event(core, &wanted, &run);
	return run;
}

size_t cli__record_more(const struct cli__record_options *o, struct apmu_qemu__run_event *run,
			struct profile__event *about)
{
	size_t n = 0;

	for (size_t i = 0; i < PARTS; i++) {
		const struct part *part = &parts[i];
		if (!adds(o, part))
			continue;
		run[n] = signals_of(part, o->core);
		run[n].period = o->period;
		run[n].frequency = o->frequency;
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
