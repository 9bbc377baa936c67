/* SPDX-License-Identifier: MIT */
/**
 * The internal interface of the model's files. Each file owns one question:
 *
 *   access.c     register accesses from the look-up to their effects
 *   plain.c, ranged.c   the rules of ARM11 and XScale; those of Armv7 and PMUv3
 *   trap.c       may an access be made, and where does it trap? Armv7 and PMUv3, in the manual's order
 *   frame.c      may an external agent make an access?
 *   mask.c       which counters may an access read and change?
 *   field.c      what does a field read, what does a write of it do?
 *   do.c         the actions of fields that act
 *   range.c      which counters belong to EL1, EL2 and an external agent?
 *   enable.c     which ranges of counters are enabled?
 *   filter.c     does a counter's filter exclude the present mode?
 *   permit.c     which counters may count in the present state? Prohibited, frozen, halted
 *   count.c      what has each counter gained since it was last taken?
 *   threshold.c  thresholds, edges and links (FEAT_PMUv3_TH)
 *   overflow.c, wrap.c   what does a wrap do?
 *   settle.c     which counters run, which lines are asserted? The only caller of the line callback
 *   threads.c    counters that count other threads of the core (PMEVTYPER.MT)
 *   profiling.c  interrupt or exception? (FEAT_EBEP)
 *   sample.c     the PC sample registers
 *   capture.c    snapshots of counters (FEAT_PMUv3_SS)
 *   lifecycle.c, snapshot.c   initialisation, reset, saving and restoring
 *   machine.c    reset values, and the state outside an Armv7 or PMUv3 PMU
 *   lint.c, lint_ranged.c   which writes does the manual forbid?
 */
#ifndef APMU_MODEL_INTERNAL_H
#define APMU_MODEL_INTERNAL_H

#include <apmu/model.h>

#include "base/bits.h"
#include "model/rules.h"
#include "spec/locate.h"

/* True if built for size: without the fast paths. */
#ifdef __OPTIMIZE_SIZE__
#define SMALL true
#else
#define SMALL false
#endif

/* For rare functions: keeps the path of frequent ones free of spills. */
#ifdef __GNUC__
#define APMU_MODEL__APART __attribute__((noinline))
#else
#define APMU_MODEL__APART
#endif

/* One register access, as the model's functions pass it on. */
struct apmu_model__access {
	struct apmu_spec__hit hit;
	struct apmu_mode from;
	bool write, a32, external;
};

/* Bit numbers in registers outside the PMU. */
enum {
	APMU_MODEL__SCR_NS = 0,      /* SCR, SCR_EL3 */
	APMU_MODEL__MDCR_ENPM2 = 7,  /* MDCR_EL3 */
	APMU_MODEL__HCR_TGE = 27,    /* HCR, HCR_EL2 */
	APMU_MODEL__SCR_FGTEN2 = 59, /* SCR_EL3 */
};

/* An outcome of the checks of an access, beyond the architecture's. */
enum { APMU_MODEL__RAZ_WI = 0x100 }; /* reads 0, ignores writes */

static inline bool apmu_model__has(const struct apmu_core *core, enum apmu_feature feature)
{
	return core->features >> feature & 1;
}

static inline bool apmu_model__word_bit(const struct apmu *pmu, enum apmu_word word, unsigned bit)
{
	return pmu->s.word[word] >> bit & 1;
}

/* True if level `el` uses AArch32. */
static inline bool apmu_model__a32(const struct apmu *pmu, unsigned el)
{
	return pmu->s.aarch32 >> el & 1;
}

#define APMU_MODEL__C apmu_base__bit(APMU_CYCLE_COUNTER)
#define APMU_MODEL__I apmu_base__bit(APMU_INSTR_COUNTER)

/* The counters that exist. */
static inline uint64_t apmu_model__counters(const struct apmu_core *core)
{
	return apmu_base__ones(core->counters) | APMU_MODEL__C |
	       (apmu_model__has(core, APMU_FEATURE_ICNTR) ? APMU_MODEL__I : 0);
}

/* Ones in all bits of counter i. */
static inline uint64_t apmu_model__counter_mask(const struct apmu_core *core, unsigned i)
{
	return apmu_base__ones(i < APMU_CYCLE_COUNTER    ? core->width
			       : i == APMU_CYCLE_COUNTER ? core->cycle_width
							 : 64);
}

/* Secure state; EL3 and Monitor mode belong to it whatever NS says (DDI0301H 3-138, DDI0406C B1.5.1). */
static inline bool apmu_model__is_secure(struct apmu_mode mode)
{
	return mode.security == APMU_SECURE || mode.el == 3;
}

/* True if non-invasive debug is enabled, and permitted in this Security state. `user`: SDER permits it for
 * Secure User. */
static inline bool apmu_model__non_invasive_debug(const struct apmu_state *s, bool secure, bool user)
{
	if (!s->in.dbgen && !s->in.niden)
		return false;
	return !secure || s->in.spiden || s->in.spniden || (s->mode.el == 0 && user);
}

/* True if non-invasive debug of the Non-secure world, or of Secure state, is enabled. With FEAT_Debugv8p4 the
 * first always is, and the second is as invasive debug (DDI0487 J1.3, ExternalNoninvasiveDebugEnabled). */
static inline bool apmu_model__watches_world(const struct apmu *pmu, bool secure)
{
	const struct apmu_inputs *in = &pmu->s.in;

	if (apmu_model__has(pmu->core, APMU_FEATURE_DEBUGV8P4))
		return !secure || (in->dbgen && in->spiden);
	return (in->dbgen || in->niden) && (!secure || in->spiden || in->spniden);
}

/* The counters that an access may read or, on a write, change. */
static inline uint64_t apmu_model__reach(const struct apmu *pmu, const struct apmu_model__access *access)
{
	return pmu->core->rules->mask ? pmu->core->rules->mask(pmu, access) : ~(uint64_t)0;
}

bool apmu_model__look_up(const struct apmu *pmu, struct apmu_access at, bool write,
			 struct apmu_model__access *access);

/* trap.c, frame.c: an enum apmu_outcome, or APMU_MODEL__RAZ_WI */
int apmu_model__trap(const struct apmu *pmu, const struct apmu_model__access *access);
int apmu_model__user(const struct apmu *pmu, const struct apmu_model__access *access);
uint8_t apmu_model__open(const struct apmu *pmu);
int apmu_model__frame(const struct apmu *pmu, const struct apmu_model__access *access);
unsigned apmu_model__index(const struct apmu *pmu, const struct apmu_model__access *access, unsigned index);

/* mask.c */
uint64_t apmu_model__mask(const struct apmu *pmu, const struct apmu_model__access *access);
bool apmu_model__user_per_counter(const struct apmu *pmu, const struct apmu_model__access *access);
bool apmu_model__most_secure(const struct apmu *pmu, struct apmu_mode from);

/* field.c, do.c */
uint64_t apmu_model__fields_read(const struct apmu *pmu, const struct apmu_model__access *access);
/* The effect of a write, in ascending order: none; a value that nothing is derived from; a change of which
 * counters are on or which flags request an interrupt; a change from which everything has to be derived
 * again. */
enum apmu_model__work { APMU_MODEL__IDLE, APMU_MODEL__STORED, APMU_MODEL__SWITCHED, APMU_MODEL__UNSETTLED };
enum apmu_model__work apmu_model__fields_write(struct apmu *pmu, const struct apmu_model__access *access,
					       uint64_t value);
enum apmu_kind apmu_model__step_kind(const struct apmu *pmu, const struct apmu_step *step);
uint64_t *apmu_model__word_of(struct apmu_state *s, const struct apmu_step *step, unsigned i);
uint64_t apmu_model__to_place(const struct apmu_step *step, uint64_t bits);
uint64_t apmu_model__existing(const struct apmu *pmu, const struct apmu_step *step, unsigned i);
void apmu_model__act(struct apmu *pmu, const struct apmu_model__access *access, enum apmu_do what,
		     uint64_t value);
void apmu_model__restart_cycles(struct apmu *pmu);
void apmu_model__zero(struct apmu *pmu, uint64_t counters);
uint64_t apmu_model__seen(const struct apmu *pmu, const struct apmu_model__access *access,
			  enum apmu_seen what);

/* range.c */
enum apmu_model__range { APMU_MODEL__R1, APMU_MODEL__R2, APMU_MODEL__R3, APMU_MODEL__RANGES };
unsigned apmu_model__epmn(const struct apmu *pmu);
unsigned apmu_model__hpmn(const struct apmu *pmu);
uint64_t apmu_model__hpmn_read(const struct apmu *pmu);
void apmu_model__split(struct apmu *pmu);
static inline uint64_t apmu_model__range(const struct apmu *pmu, enum apmu_model__range range)
{
	return pmu->range[range];
}
enum apmu_model__range apmu_model__range_of(const struct apmu *pmu, unsigned i);
bool apmu_model__el2_enabled(const struct apmu *pmu, struct apmu_mode in);
bool apmu_model__in_host(const struct apmu *pmu, struct apmu_mode in);
unsigned apmu_model__accessible(const struct apmu *pmu, struct apmu_mode from);

/* enable.c, filter.c, permit.c */
uint64_t apmu_model__ranges_enabled(const struct apmu *pmu, bool e);
bool apmu_model__filters(const struct apmu *pmu, unsigned i);
void apmu_model__refilter(struct apmu *pmu);
uint64_t apmu_model__permitted(const struct apmu *pmu);
bool apmu_model__exports(const struct apmu *pmu);

/* count.c, threshold.c, overflow.c */
void apmu_model__take(struct apmu *pmu, unsigned i);
void apmu_model__rebase(struct apmu *pmu, uint64_t counters);
void apmu_model__resolve(struct apmu *pmu, unsigned i);
void apmu_model__select(struct apmu *pmu, unsigned i);
void apmu_model__occur(struct apmu *pmu, unsigned number, uint64_t counters);
uint64_t apmu_model__thresholds(const struct apmu *pmu);
uint64_t apmu_model__threshold(struct apmu *pmu, unsigned i, uint64_t n, uint64_t linked);
void apmu_model__take_by_cycle(struct apmu *pmu);
uint64_t apmu_model__gained(const struct apmu *pmu, unsigned i);

void apmu_model__count(struct apmu *pmu, unsigned i, uint64_t n);
unsigned apmu_model__overflow_bit(const struct apmu *pmu, unsigned i);
bool apmu_model__unseen(const struct apmu *pmu, unsigned i, uint64_t n);
void apmu_model__chain(struct apmu *pmu, unsigned i, uint64_t times);
bool apmu_model__long_cycle(const struct apmu *pmu);

/* profiling.c, capture.c */
bool apmu_model__interrupts(const struct apmu *pmu);
bool apmu_model__excepts(const struct apmu *pmu);
uint8_t apmu_model__other_lines(const struct apmu *pmu, bool pending);
uint64_t apmu_model__asynchronous(const struct apmu *pmu, uint64_t flags);

/* threads.c */
void apmu_model__take_threads(struct apmu *pmu);
void apmu_model__watch_threads(struct apmu *pmu);
uint64_t apmu_model__threads_gained(const struct apmu *pmu, unsigned i);
uint64_t apmu_model__total(const struct apmu *pmu, const struct apmu_tally *tally, unsigned i);

/* settle.c, lifecycle.c, lint.c */
uint64_t apmu_model__pending(const struct apmu *pmu);
void apmu_model__derive(struct apmu *pmu);
void apmu_model__announce(struct apmu *pmu, uint8_t was);
void apmu_model__settle(struct apmu *pmu);
void apmu_model__switch(struct apmu *pmu);
void apmu_model__begin(struct apmu *pmu, uint8_t was);
void apmu_model__change(struct apmu *pmu);
void apmu_model__note(const struct apmu *pmu, enum apmu_note note, uint64_t detail);
void apmu_model__lint(const struct apmu *pmu, const struct apmu_model__access *access, uint64_t value);
void apmu_model__lint_ranged(const struct apmu *pmu, const struct apmu_model__access *access, uint64_t value);
void apmu_model__reset_words(struct apmu *pmu);
void apmu_model__mirrored(const struct apmu *pmu, struct apmu_state *most);
bool apmu_model__fixed(const struct apmu *pmu, const struct apmu_state *s);

#endif
