/* SPDX-License-Identifier: MIT */
/* How much of each core's published list is produced. A share may rise, never fall. */
#include "tables.h"
#include "test.h"

/* Least share in percent of the events that a program can cause; 0 for a core that is not named. */
static const struct {
	const char *core;
	unsigned percent;
} least[] = {
	{"arm1136jf-s", 100}, {"arm1156t2-s", 100}, {"arm1176jzf-s", 100}, {"xscale1", 100},
	{"xscale2", 100},     {"cortex-a5", 100},   {"cortex-a7", 100},    {"cortex-a8", 92},
	{"cortex-a9", 93},    {"cortex-a15", 100},  {"cortex-a17", 92},    {"cortex-a32", 100},
	{"cortex-a34", 100},  {"cortex-a35", 100},  {"cortex-a53", 100},   {"cortex-a55", 95},
	{"cortex-a57", 100},  {"cortex-a65", 78},   {"cortex-a65ae", 78},  {"cortex-a72", 100},
	{"cortex-a73", 95},   {"cortex-a75", 95},   {"cortex-a76", 100},   {"cortex-a76ae", 100},
	{"cortex-a77", 100},  {"cortex-a78", 100},  {"cortex-a78ae", 100}, {"cortex-a78c", 100},
	{"cortex-a510", 95},  {"cortex-a520", 90},  {"cortex-a710", 95},   {"cortex-a715", 95},
	{"cortex-a720", 95},  {"cortex-r52", 85},   {"cortex-r82", 77},    {"cortex-x1", 100},
	{"cortex-x1c", 100},  {"cortex-x2", 95},    {"cortex-x3", 95},     {"cortex-x4", 89},
	{"neoverse-e1", 78},  {"neoverse-n1", 100}, {"neoverse-n2", 95},   {"neoverse-n3", 95},
	{"neoverse-v1", 96},  {"neoverse-v2", 95},  {"neoverse-v3", 90},   {"neoverse-v3ae", 90},
	{"kunpeng920", 93},   {"thunderx2", 72},    {"xgene", 85},         {"a64fx", 53},
	{"generic-v9", 63},
};

TEST(the_share_of_events_that_are_produced_does_not_fall)
{
	for (size_t i = 0; i < sizeof least / sizeof least[0]; i++) {
		const struct apmu_core *core = apmu_core_find(least[i].core);
		CHECK(core != NULL);
		struct apmu_event_share share = apmu_event_share(core);

		CHECK(share.produced <= share.causable && share.causable <= share.listed);
		CHECK_ON(core, "share", 100 * share.produced >= least[i].percent * share.causable, 1);
	}
}

/* An event that counts has signals or is the PMU's own; one that does not has none. */
TEST(marks_and_signals_agree)
{
	for (size_t c = 0; c < apmu_core_count(); c++) {
		const struct apmu_core *core = apmu_core_at(c);
		for (unsigned i = 0; i < core->events; i++) {
			const struct apmu_event *e = apmu_event_at(core, i);
			bool counts = e->produced != APMU_NOTHING;
			bool own = e->produced == APMU_EXACT && e->reason == APMU_REASON_PMU;

			CHECK_ON(core, e->name, counts, e->signals != 0 || own);
			CHECK_ON(core, e->name, e->produced == APMU_INJECTED && e->reason == APMU_REASON_NONE,
				 0);
			CHECK(e->reason == APMU_REASON_NONE || apmu_reason_row(e->reason)->text != NULL);
		}
	}
}

/* What is said to count has a source: a signal without one makes an event "not produced". */
TEST(no_event_counts_on_a_signal_without_a_source)
{
	for (size_t c = 0; c < apmu_core_count(); c++) {
		const struct apmu_core *core = apmu_core_at(c);
		for (unsigned i = 0; i < core->events; i++) {
			const struct apmu_event *e = apmu_event_at(core, i);
			for (unsigned s = 0; s < e->signals; s++)
				CHECK_ON(core, e->name, apmu_signal_row(e->signal[s])->unit[0] == '-', 0);
		}
	}
}
