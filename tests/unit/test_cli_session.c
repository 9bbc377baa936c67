/* SPDX-License-Identifier: MIT */
/* The command's PMUs: programmed through registers, counting a thread's totals to 64 bits. */
#include "cli/common/virtual_pmus.h"
#include "test.h"

#include <stdlib.h>

#define EVENTS "cycles,instructions,branches,branch-misses,cache-references,cache-misses,dTLB-load-misses"

/* A session that counts EVENTS at the same time, and the totals that feed it. */
struct desk {
	struct cli__cli cli;
	struct cli__rows rows;
	struct cli__wanted *wanted;
	struct cli__session *session;
	struct apmu_tally totals;
	size_t all[16];
};

static struct desk desk_of(const struct apmu_core *core, const char *events)
{
	struct desk d = {.cli = {.out = stdout, .err = stderr}};

	CHECK_EQ(cli__rows_parse(&d.cli, &d.rows, events), 0);
	for (size_t i = 0; i < d.rows.n; i++)
		d.rows.row[i].asked = false; /* an ARM1156 has no TLBs */
	d.wanted = cli__wanted_of(&d.cli, &d.rows, core, &core, 1);
	d.session = cli__session_new(core, d.wanted, d.rows.n, cli__session_pmus(core, d.wanted, d.rows.n));
	CHECK(d.session != NULL);
	for (size_t i = 0; i < d.rows.n; i++)
		d.all[i] = i;
	return d;
}

static void leave(struct desk *d)
{
	cli__session_free(d->session);
	free(d->wanted);
	cli__rows_free(&d->rows);
}

/* The count expected of row i: the sum of its signals' totals. */
static uint64_t expected(const struct desk *d, size_t i)
{
	const struct apmu_event *event = d->wanted[i].event;
	uint64_t sum = 0;

	if (d->wanted[i].absent)
		return 0;
	if (d->wanted[i].cycles)
		return d->totals.n[APMU_SIG_CYCLES];
	for (unsigned s = 0; event != NULL && s < event->signals; s++)
		sum += s + event->minus < event->signals ? d->totals.n[event->signal[s]]
							 : 0 - d->totals.n[event->signal[s]];
	return (int64_t)sum < 0 ? 0 : sum; /* a difference of signals, never negative in a real run */
}

static void check_all(const struct desk *d)
{
	for (size_t i = 0; i < d->rows.n; i++)
		CHECK_EQ(cli__session_count(d->session, i), expected(d, i));
}

static void gain(struct desk *d, uint64_t each)
{
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		d->totals.n[s] += each + s;
	cli__session_feed(d->session, &d->totals);
}

TEST(every_core_has_the_doors_that_counting_needs)
{
	CHECK(apmu_core_count() >= 5);
	for (size_t c = 0; c < apmu_core_count(); c++) {
		struct cli__pmu_fields fields;

		CHECK_EQ(cli__pmu_fields_find(&fields, apmu_core_at(c)), 0);
	}
}

TEST(the_start_delay_of_an_ARM11_eats_none_of_the_programs_counts)
{
	for (size_t c = 0; c < apmu_core_count(); c++) {
		struct desk d = desk_of(apmu_core_at(c), EVENTS);

		cli__session_load(d.session, d.all, d.rows.n);
		gain(&d, 1);
		check_all(&d);
		leave(&d);
	}
}

TEST(counts_beyond_what_a_32_bit_counter_holds_are_whole)
{
	for (size_t c = 0; c < apmu_core_count(); c++) {
		struct desk d = desk_of(apmu_core_at(c), EVENTS);

		cli__session_load(d.session, d.all, d.rows.n);
		gain(&d, 0x512345678u); /* at once: five wraps */
		check_all(&d);
		gain(&d, 0xFFFFFFFFu);
		gain(&d, 1);
		check_all(&d);
		leave(&d);
	}
}

/* Advances each signal by `way` in `parts` steps; writes the counts of the rows. */
static void go(const struct apmu_core *core, const char *events, const struct apmu_tally *way, unsigned parts,
	       uint64_t *count)
{
	struct desk d = desk_of(core, events);

	cli__session_load(d.session, d.all, d.rows.n);
	gain(&d, 7);
	for (unsigned k = 1; k <= parts; k++) {
		for (unsigned s = 0; s < APMU_SIGNALS; s++)
			d.totals.n[s] += way->n[s] / parts + (k == parts ? way->n[s] % parts : 0);
		cli__session_feed(d.session, &d.totals);
	}
	gain(&d, 0xF0000000u);
	for (size_t i = 0; i < d.rows.n; i++)
		count[i] = cli__session_count(d.session, i);
	leave(&d);
}

TEST(a_total_that_is_far_away_counts_as_if_it_had_been_walked_to)
{
	uint64_t seed = 1;

	for (size_t c = 0; c < apmu_core_count(); c++) {
		const struct apmu_core *core = apmu_core_at(c);
		const char *events = core->constant[APMU_CORE_PMCEID0] >> 0x1E & 1
					     ? "instructions,0x1e,branches,0x1e,cycles,cache-references"
					     : EVENTS;
		struct apmu_tally way;
		uint64_t near[16], far[16];
		for (unsigned s = 0; s < APMU_SIGNALS; s++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			way.n[s] = seed >> 27; /* 37 bits */
		}
		way.n[APMU_SIG_CYCLES] |= (uint64_t)1 << 36;
		go(core, events, &way, 1, far);
		go(core, events, &way, 16, near);
		for (size_t i = 0; i < 6; i++)
			if (far[i] != near[i])
				fail_msg("%s, row %zu of %s: %llu at once, %llu in steps", core->name, i,
					 events, (unsigned long long)far[i], (unsigned long long)near[i]);
	}
}

/* A total that would take a day if its cycles were fed one by one. */
TEST(a_total_near_2_to_the_63_is_fed_at_once)
{
	for (size_t c = 0; c < apmu_core_count(); c++) {
		struct desk d = desk_of(apmu_core_at(c), "instructions,branches,cycles");

		cli__session_load(d.session, d.all, d.rows.n);
		d.totals.n[APMU_SIG_INST] = 3000;
		d.totals.n[APMU_SIG_CYCLES] = 0x7123456789ABCDEFu;
		cli__session_feed(d.session, &d.totals);
		check_all(&d);
		gain(&d, 0x412345678u);
		check_all(&d);
		leave(&d);
	}
}

TEST(a_count_goes_on_where_it_was_after_the_event_left_its_counter)
{
	struct desk d = desk_of(apmu_core_at(0), "instructions,branches,cycles");
	const size_t first[] = {0, 2}, second[] = {1};

	cli__session_load(d.session, first, 2);
	gain(&d, 1000);
	cli__session_load(d.session, second, 1);
	gain(&d, 1000);
	CHECK_EQ(cli__session_count(d.session, 0), 1000 + APMU_SIG_INST);
	CHECK_EQ(cli__session_count(d.session, 1), 1000 + APMU_SIG_BR_EXEC);
	CHECK_EQ(cli__session_count(d.session, 2), 1000 + APMU_SIG_CYCLES);
	cli__session_load(d.session, first, 2);
	gain(&d, 10);
	CHECK_EQ(cli__session_count(d.session, 0), 1010 + 2 * APMU_SIG_INST);
	CHECK_EQ(cli__session_count(d.session, 1), 1000 + APMU_SIG_BR_EXEC);
	leave(&d);
}

TEST(an_event_that_no_core_defines_counts_nothing)
{
	struct desk d = desk_of(apmu_core_at(0), "0x08,instructions");

	cli__session_load(d.session, d.all, d.rows.n);
	gain(&d, 5000);
	CHECK(d.wanted[0].raw && d.wanted[0].event == NULL);
	CHECK_EQ(cli__session_count(d.session, 0), 0);
	CHECK_EQ(cli__session_count(d.session, 1), 5000 + APMU_SIG_INST);
	leave(&d);
}

TEST(a_field_changes_its_own_bits_and_acknowledges_no_flag)
{
	struct desk d = desk_of(apmu_core_at(0), "instructions,branches");
	const struct cli__pmu_fields *fields = &d.session->fields;
	struct apmu *pmu = &d.session->pmu[0];

	cli__session_load(d.session, d.all, d.rows.n);
	cli__pmu_field_write(pmu, fields, &fields->counter[0], 0xFFFFFFFF);
	d.session->tally.n[APMU_SIG_INST]++;
	apmu_advance(pmu);
	CHECK_EQ(cli__pmu_field_read(pmu, fields, &fields->overflow[0]), 1);
	cli__pmu_field_write(pmu, fields, &fields->type[1], 0x06); /* the same register */
	CHECK_EQ(cli__pmu_field_read(pmu, fields, &fields->overflow[0]), 1);
	CHECK_EQ(cli__pmu_field_read(pmu, fields, &fields->type[0]), 0x07);
	CHECK_EQ(cli__pmu_field_read(pmu, fields, &fields->enable), 1);
	cli__pmu_field_write(pmu, fields, &fields->overflow[0], 1);
	CHECK_EQ(cli__pmu_field_read(pmu, fields, &fields->overflow[0]), 0);
	leave(&d);
}
