/* SPDX-License-Identifier: MIT */
/* The actions of fields that act on a write, and the values of fields that are computed on a read. */
#include "model/model.h"

#define KEY      0xC5ACCE55u /* CoreSight software lock */
#define INVASIVE 0x33u       /* PMAUTHSTATUS.SID, NSID */
#define RLNID    14
#define RTNID    26

/* Counts one occurrence of counter i's event between cycles, and at once a CHAIN that it causes. */
static void count_now(struct apmu *pmu, unsigned i)
{
	uint64_t n = apmu_base__is_set(pmu->by_cycle, i) ? apmu_model__threshold(pmu, i, 1, 0) : 1,
		 waiting = pmu->chained;

	pmu->chained = 0;
	apmu_model__count(pmu, i, n);
	if (pmu->chained)
		apmu_model__count(pmu, i + 1, apmu_model__threshold(pmu, i + 1, 1, n));
	pmu->chained = waiting;
}

/* Counts one occurrence of an event that the PMU itself makes (SW_INCR, PMU_SNAPSHOT) in each of
 * `counters`. */
void apmu_model__occur(struct apmu *pmu, unsigned number, uint64_t counters)
{
	for (uint64_t run = counters & pmu->running & apmu_base__ones(pmu->core->counters); run;
	     run &= run - 1) {
		unsigned i = apmu_base__lowest(run);

		if ((pmu->s.type[i] & pmu->core->event_mask) == number)
			count_now(pmu, i);
	}
}

static void software_increment(struct apmu *pmu, uint64_t counters)
{
	uint64_t others = 0;

	for (unsigned i = 0; i < pmu->core->counters; i++)
		if (pmu->s.type[i] & pmu->core->event_mask)
			others |= apmu_base__bit(i);
	if (counters & others)
		apmu_model__note(pmu, APMU_NOTE_NOT_SOFTWARE, counters & others);
	apmu_model__occur(pmu, 0x00, counters);
}

void apmu_model__act(struct apmu *pmu, const struct apmu_model__access *access, enum apmu_do what,
		     uint64_t value)
{
	uint64_t reach = apmu_model__reach(pmu, access),
		 events = reach & apmu_base__ones(pmu->core->counters);

	switch (what) {
	case APMU_DO_RESET_CYCLE: apmu_model__restart_cycles(pmu); break;
	case APMU_DO_RESET_EVENTS: apmu_model__zero(pmu, events); break;
	case APMU_DO_SOFTWARE_INCREMENT: software_increment(pmu, value & events); break;
	case APMU_DO_ZERO_INSTR: apmu_model__zero(pmu, APMU_MODEL__I & reach); break;
	case APMU_DO_ZERO_CYCLE: apmu_model__zero(pmu, APMU_MODEL__C & reach); break;
	case APMU_DO_ZERO_EVENTS: apmu_model__zero(pmu, value & events); break;
	case APMU_DO_CAPTURE: apmu_capture(pmu); break;
	case APMU_DO_LOCK: pmu->s.word[APMU_WORD_SLK] = value != KEY; break;
	case APMU_DOS: break;
	}
}

/* PMAUTHSTATUS: two bits per world and kind of debug, 2 disabled, 3 enabled, 0 not implemented, as invasive
 * debug is in PMUv3 (DDI0487 I5.3). With FEAT_Debugv8p4 there is no non-invasive debug of its own (D24.3,
 * DBGAUTHSTATUS_EL1). */
static uint64_t authentication(const struct apmu *pmu)
{
	const struct apmu_inputs *in = &pmu->s.in;
	bool invasive = in->dbgen, secure = apmu_model__watches_world(pmu, true);
	uint64_t status = (2u | invasive) | (2u | apmu_model__watches_world(pmu, false)) << 2;

	if (apmu_model__has(pmu->core, APMU_FEATURE_EL3))
		status |= (2u | (invasive && in->spiden)) << 4 | (2u | secure) << 6;
	if (apmu_model__has(pmu->core, APMU_FEATURE_RME))
		status |= (2u | secure) << RLNID | (uint64_t)(2u | secure) << RTNID;
	return pmu->core->access_rule == APMU_ACCESS_V8 ? status & ~(uint64_t)INVASIVE : status;
}

static uint64_t counters(const struct apmu *pmu, const struct apmu_model__access *access)
{
	unsigned events =
		apmu_model__most_secure(pmu, access->from) ? pmu->core->counters : apmu_model__epmn(pmu);

	return events + apmu_model__has(pmu->core, APMU_FEATURE_ICNTR);
}

uint64_t apmu_model__seen(const struct apmu *pmu, const struct apmu_model__access *access,
			  enum apmu_seen what)
{
	switch (what) {
	case APMU_SEEN_VISIBLE:
		return access->external ? pmu->core->counters : apmu_model__accessible(pmu, access->from);
	case APMU_SEEN_COUNTERS: return counters(pmu, access);
	case APMU_SEEN_AUTHSTATUS: return authentication(pmu);
	}
	return 0;
}
