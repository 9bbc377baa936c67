/* SPDX-License-Identifier: MIT */
/* Event tables, and that each number counts what its row says: on every counter, every number there can be.
 */
#include "tables.h"

#include <stdlib.h>

#include "test.h"

/* Loop over the events of a core. */
#define EACH_EVENT(core, e) \
	for (const struct apmu_event *e = (core)->event; e < (core)->event + (core)->events; e++)

TEST(events_are_sorted_by_number_and_unique)
{
	EACH_PLAIN_CORE(core)
	for (unsigned i = 0; i < core->events; i++) {
		const struct apmu_event *e = apmu_event_at(core, i);
		CHECK(i == 0 || e[-1].number < e->number);
		CHECK(e->number <= core->event_mask);
		CHECK(apmu_event_find(core, e->number) == e);
	}
}

TEST(numbers_without_a_row_are_not_found)
{
	EACH_PLAIN_CORE(core)
	{
		unsigned found = 0;
		for (unsigned number = 0; number <= 0xFFFF; number++)
			found += apmu_event_find(core, number) != NULL;
		CHECK_ON(core, "events found", found, core->events);
	}
}

TEST(every_event_has_signals_that_exist_and_a_step_that_fits)
{
	EACH_PLAIN_CORE(core)
	EACH_EVENT(core, e)
	{
		unsigned most = 0;
		CHECK(e->name && *e->name && e->text && *e->text);
		CHECK(e->signals <= APMU_EVENT_SIGNALS);
		for (unsigned i = 0; i < e->signals; i++) {
			CHECK(e->signal[i] < APMU_SIGNALS);
			most += apmu_signal_row(e->signal[i])->step;
		}
		CHECK_ON(core, e->name, e->step <= most, 1);
		CHECK_ON(core, e->name, e->signals == 0, e->step == 0);
		CHECK_ON(core, e->name, e->produced == APMU_NOTHING, e->step == 0);
		if (e->erratum != 0xFF) {
			CHECK(core->errata >> e->erratum & 1);
			CHECK(e->extra < APMU_SIGNALS);
		}
	}
}

TEST(event_bus_positions_do_not_overlap)
{
	EACH_PLAIN_CORE(core)
	{
		uint64_t taken = 0;
		EACH_EVENT(core, e)
		{
			if (e->bus == APMU_NO_BUS)
				continue;
			CHECK(e->bus_bits == 1 || e->bus_bits == 2);
			CHECK(e->bus + e->bus_bits <= 20); /* EVNTBUS[19:0], DDI0211K table 3.141 */
			uint64_t bits = ((UINT64_C(1) << e->bus_bits) - 1) << e->bus;
			CHECK_ON(core, e->name, taken & bits, 0);
			CHECK_ON(core, e->name, e->step <= (1u << e->bus_bits) - 1, 1);
			taken |= bits;
		}
	}
}

/* With X set the bus shows each event's own count at its own place, and nothing without X (AN195 1). */
TEST(the_event_bus_shows_each_event_at_its_position)
{
	EACH_PLAIN_CORE(core)
	{
		struct bench b;
		const struct apmu_reg *reg = NULL;
		if (!bench_field(core, APMU_PLACE_WORD, APMU_WORD_EXPORT, &reg))
			continue;
		for (unsigned x = 0; x < 2; x++) {
			bench_start(&b, core);
			bench_put(&b, APMU_PLACE_WORD, APMU_WORD_EXPORT, x);
			EACH_EVENT(core, e)
			for (unsigned n = 1; e->bus != APMU_NO_BUS && n <= e->step; n++) {
				struct apmu_tally cycle = {{0}};
				cycle.n[e->signal[0]] = n;
				CHECK_ON(core, e->name, apmu_export(&b.pmu, &cycle),
					 x ? (uint64_t)n << e->bus : 0);
			}
		}
	}
}

static void check_name(const struct apmu_core *core, const char *name, const struct apmu_event *want)
{
	const struct apmu_event *got = NULL;
	bool cycles = false;

	CHECK_ON(core, name, apmu_event_name(core, name, &got, &cycles), 0);
	CHECK_ON(core, name, got == want, 1);
}

TEST(every_event_and_every_alias_is_found_by_name)
{
	EACH_PLAIN_CORE(core)
	{
		EACH_EVENT(core, e)
		check_name(core, e->name, e);
		for (unsigned i = 0; i < core->aliases; i++) {
			const struct apmu_event_alias *a = &core->event_alias[i];
			if (!a->cycle_counter)
				check_name(core, a->name, apmu_event_find(core, a->number));
		}
	}
}

TEST(event_names_and_aliases_are_unique_in_a_core)
{
	EACH_PLAIN_CORE(core)
	{
		const char *name[1024];
		size_t n = 0;
		EACH_EVENT(core, e)
		name[n++] = e->name;
		for (unsigned i = 0; i < core->aliases; i++)
			name[n++] = core->event_alias[i].name;
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < i; j++)
				if (!strcmp(name[i], name[j]))
					fail_msg("%s: %s twice", core->name, name[i]);
	}
}

TEST(names_are_found_in_any_case_and_with_either_dash)
{
	const struct apmu_core *core = apmu_core_find("arm1136");
	const struct apmu_event *branches = apmu_event_find(core, 0x06);
	static const char *const same[] = {"BR_MISPREDICT", "br_mispredict", "Br-Mispredict", "branch-misses",
					   "BRANCH_MISSES"};

	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
		check_name(core, same[i], branches);
}

/* perf's words, on every core; those of the MMU only where there is one. */
TEST(perfs_generic_names_mean_something_on_every_core)
{
	static const char *const generic[] = {"instructions",
					      "branches",
					      "branch-instructions",
					      "branch-misses",
					      "cache-references",
					      "cache-misses",
					      "L1-dcache-load-misses",
					      "L1-icache-load-misses",
					      "stalled-cycles-frontend",
					      "stalled-cycles-backend"};

	EACH_PLAIN_CORE(core)
	for (size_t i = 0; i < sizeof generic / sizeof generic[0]; i++) {
		const struct apmu_event *e = NULL;
		bool cycles = true;
		CHECK_ON(core, generic[i], apmu_event_name(core, generic[i], &e, &cycles), 0);
		CHECK_ON(core, generic[i], e && e->signals && !cycles, 1);
	}
}

TEST(the_generic_names_mean_the_numbers_that_the_manuals_give)
{
	static const struct {
		const char *core, *name;
		unsigned number;
	} known[] = {
		{"arm1136", "instructions", 0x07},     {"arm1136", "branches", 0x05},
		{"arm1136", "branch-misses", 0x06},    {"arm1136", "cache-misses", 0x0B},
		{"arm1156", "instructions", 0x07},     {"arm1176", "instructions", 0x07},
		{"arm1176", "cache-references", 0x0A}, {"xscale1", "instructions", 0x07},
		{"xscale1", "branches", 0x05},         {"xscale1", "branch-misses", 0x06},
		{"xscale2", "cache-misses", 0x0B},     {"xscale2", "cache-references", 0x0A},
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		const struct apmu_core *core = apmu_core_find(known[i].core);
		check_name(core, known[i].name, apmu_event_find(core, known[i].number));
	}
}

TEST(cycles_means_the_cycle_counter_itself)
{
	EACH_PLAIN_CORE(core)
	{
		const struct apmu_event *e = NULL;
		bool cycles = false;
		CHECK_ON(core, "cycles", apmu_event_name(core, "cycles", &e, &cycles), 0);
		CHECK_ON(core, "cycles", cycles, 1);
	}
}

TEST(what_is_no_event_is_refused)
{
	static const char *const wrong[] = {"", "nothing", "INST", "0x07", "cycle", "L1-dcache"};

	EACH_PLAIN_CORE(core)
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		const struct apmu_event *e = NULL;
		bool cycles = false;
		CHECK_EQ(apmu_event_name(core, wrong[i], &e, &cycles), APMU_ENOENT);
	}
}

/* How much of signal `s` happens in the tests below: different for each, so that a sum tells its parts. */
static uint64_t dose(unsigned s)
{
	return 1000 + (uint64_t)s * s * s;
}

static uint64_t expected_count(const struct bench *b, const struct apmu_event *e)
{
	uint64_t count = 0, less = 0;

	for (unsigned i = 0; e && i < e->signals; i++)
		*(i + e->minus < e->signals ? &count : &less) += dose(e->signal[i]);
	count = count > less ? count - less : 0;
	if (e && e->erratum != 0xFF && (b->pmu.s.errata >> e->erratum & 1))
		count += dose(e->extra);
	return count;
}

static void count_one(const struct apmu_core *core, uint32_t errata, unsigned counter, unsigned number)
{
	struct bench b;
	char what[64];

	bench_start(&b, core);
	apmu_errata(&b.pmu, errata);
	bench_count(&b, counter, number);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		b.tally.n[s] += dose(s);
	apmu_advance(&b.pmu);
	snprintf(what, sizeof what, "event 0x%02x on counter %u", number, counter);
	CHECK_ON(core, what, bench_get(&b, APMU_PLACE_COUNTER, counter),
		 expected_count(&b, apmu_event_find(core, number)));
}

TEST(every_number_on_every_counter_counts_its_signals_and_nothing_else)
{
	EACH_PLAIN_CORE(core)
	for (unsigned counter = 0; counter < core->counters; counter++)
		for (unsigned number = 0; number <= core->event_mask; number++)
			count_one(core, core->errata_on, counter, number);
}

TEST(with_every_erratum_on_or_off_too)
{
	EACH_PLAIN_CORE(core)
	for (unsigned number = 0; number <= core->event_mask; number++) {
		count_one(core, 0, 0, number);
		count_one(core, UINT32_MAX, 0, number); /* those the core does not have are dropped */
	}
}

TEST(a_reserved_number_is_noted_once_when_it_is_selected)
{
	EACH_PLAIN_CORE(core)
	for (unsigned number = 0; number <= core->event_mask; number++) {
		struct bench b;
		bool reserved = !apmu_event_find(core, number);
		bench_start(&b, core);
		bench_put(&b, APMU_PLACE_TYPE, 0, number);
		CHECK_ON(core, "notes", b.notes[APMU_NOTE_RESERVED_EVENT], reserved);
		if (reserved)
			CHECK_ON(core, "number", b.detail[APMU_NOTE_RESERVED_EVENT], number);
		b.tally.n[APMU_SIG_INST] += 100;
		apmu_advance(&b.pmu);
		CHECK_ON(core, "notes later", b.notes[APMU_NOTE_RESERVED_EVENT], reserved);
	}
}

TEST(wanted_signals_are_those_of_the_selected_events_and_the_cycles)
{
	EACH_PLAIN_CORE(core)
	EACH_EVENT(core, e)
	{
		struct bench b;
		bench_start(&b, core);
		apmu_errata(&b.pmu, 0);
		for (unsigned i = 0; i < core->counters; i++)
			bench_put(&b, APMU_PLACE_TYPE, i, e->number);
		bench_put(&b, APMU_PLACE_WORD, APMU_WORD_ENABLE, 1);
		for (unsigned s = 0; s < APMU_SIGNALS; s++) {
			bool wanted = s == APMU_SIG_CYCLES;
			for (unsigned i = 0; i < e->signals; i++)
				wanted |= e->signal[i] == s;
			CHECK_ON(core, apmu_signal_row(s)->name, apmu_wants(&b.pmu, (enum apmu_signal)s),
				 wanted);
		}
	}
}

TEST(every_signal_has_a_row_and_there_are_no_more)
{
	for (unsigned s = 0; s < APMU_SIGNALS; s++) {
		const struct apmu_signal_row *row = apmu_signal_row(s);
		CHECK(row && row->name && row->unit && row->text && row->step >= 1);
		for (unsigned t = 0; t < s; t++)
			CHECK(strcmp(row->name, apmu_signal_row(t)->name) != 0);
	}
	CHECK(apmu_signal_row(APMU_SIGNALS) == NULL);
}

/* Linux 6.12: arch/arm/kernel/perf_event_v6.c, _v7.c, _xscale.c, drivers/perf/arm_pmuv3.c. -1: not mapped. */
TEST(generic_names_mean_what_linux_counts_for_them_on_each_core)
{
	static const struct {
		const char *core, *name;
		int number;
	} rows[] = {
		{"arm1136jf-s", "stalled-cycles-backend", 0x11},
		{"arm1176jzf-s", "L1-dcache-stores", 0x0A},
		{"arm1136jf-s", "LLC-loads", -1},
		{"xscale1", "stalled-cycles-frontend", 0x01},
		{"xscale2", "iTLB-store-misses", 0x03},
		{"cortex-a8", "LLC-loads", 0x43},
		{"cortex-a8", "L1-icache-loads", 0x50},
		{"cortex-a9", "instructions", 0x68},
		{"cortex-a9", "stalled-cycles-backend", 0x66},
		{"cortex-a9", "L1-icache-loads", -1},
		{"cortex-a5", "L1-dcache-prefetches", 0xC2},
		{"cortex-a7", "LLC-store-misses", 0x17},
		{"cortex-a15", "branches", 0x76},
		{"cortex-a15", "dTLB-store-misses", 0x4D},
		{"cortex-a17", "dTLB-prefetch-misses", 0xE7},
		{"cortex-a53", "branches", 0x0C},
		{"cortex-a53", "node-stores", 0x61},
		{"cortex-a53", "LLC-loads", -1},
		{"cortex-a57", "L1-dcache-loads", 0x04},
		{"cortex-a57", "L1-dcache-store-misses", 0x43},
		{"cortex-a55", "branch-misses", 0x10},
		{"cortex-a55", "branches", 0x21},
		{"cortex-a72", "dTLB-store-misses", 0x4D},
		{"cortex-a73", "L1-dcache-stores", 0x41},
		{"thunderx2", "dTLB-stores", 0x4F},
		{"neoverse-n1", "LLC-load-misses", 0x37},
		{"neoverse-n1", "dTLB-loads", 0x25},
		{"neoverse-v1", "branch-loads", 0x12},
		{"neoverse-n1", "L1-dcache-stores", -1},
		{"cortex-x2", "stalled-cycles-backend", 0x24},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct apmu_core *core = apmu_core_find(rows[i].core);
		const struct apmu_event *event;
		bool cycles;
		int bad = apmu_event_name(core, rows[i].name, &event, &cycles);

		CHECK_ON(core, rows[i].name, bad ? -1 : (int)event->number, rows[i].number);
	}
}

TEST(external_memory_requests_are_transactions_on_each_core_that_has_the_event)
{
	EACH_PLAIN_CORE(core)
	EACH_EVENT(core, e)
	{
		if (strcmp(e->name, "EXT_MEM_REQ") != 0)
			continue;
		CHECK_ON(core, e->name, e->signals, 2);
		CHECK_ON(core, e->name, e->signal[0], APMU_SIG_BUS_REQ_RD);
		CHECK_ON(core, e->name, e->signal[1], APMU_SIG_BUS_REQ_WR);
	}
}

TEST(names_of_libpfm4_find_the_event_with_its_number)
{
	static const struct {
		const char *core, *name;
		unsigned number;
	} rows[] = {
		{"cortex-a15", "BRANCH_MISPRED", 0x10},         {"cortex-a57", "L1D_READ_ACCESS", 0x40},
		{"cortex-a7", "DATA_WRITE_STALL", 0xC9},        {"cortex-a8", "PC_BRANCH_MIS_USED", 0x12},
		{"cortex-a9", "DCACHE_REFILL", 0x03},           {"cortex-a53", "BRANCH_SPEC_EXEC_IND", 0x7A},
		{"neoverse-n1", "UNALIGNED_LDST_ACCESS", 0x6A}, {"neoverse-v2", "L2_TLB_REQ", 0x2F},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct apmu_core *core = apmu_core_find(rows[i].core);
		const struct apmu_event *event;
		bool cycles;

		CHECK_ON(core, rows[i].name, apmu_event_name(core, rows[i].name, &event, &cycles), 0);
		CHECK_ON(core, rows[i].name, event ? event->number : 0xFFFF, rows[i].number);
	}
}
