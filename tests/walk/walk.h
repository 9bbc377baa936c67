/* SPDX-License-Identifier: MIT */
/**
 * The exhaustive walk: every state that a toy core can reach, every operation in each of them.
 *
 * A toy is a real core's row with counters of two bits. Width is data, so the code under test is the
 * product's. The walk starts out of reset and goes breadth first. A state is packed into 64 bits, and each
 * packing is checked to be complete, so a bit that changes where the toy has none is found too. The claims
 * are the manuals' rules (AN195, DDI0301H, XSCALE, 80200), one function each, checked for every transition.
 *
 * Restrictions: selectors hold one of the toy's two events; mode and pins do not change; event and enable
 * patterns are those of the toy's alphabet. The divider also runs with D clear, where nothing shows its
 * phase: there the phase is not in the key, and each state is left with one of the 64 phases. A toy with
 * `divide` walks all 64, without events.
 */
#ifndef APMU_TEST_WALK_H
#define APMU_TEST_WALK_H

#include <apmu/model.h>

#define TOY_BITS 2u
#define TOY_MAX  3u /* the largest count */

/* Bits of PMNC that ARM11 and XSC1 have in the same place. Counter order: 0, 1, cycle. */
#define PMNC_E     0x001u
#define PMNC_P     0x002u
#define PMNC_C     0x004u
#define PMNC_D     0x008u
#define PMNC_INTEN 4  /* lowest of three bits */
#define PMNC_FLAG  8  /* lowest of three bits */
#define PMNC_FIQEN 28 /* lowest of three bits: ARM1156 */

enum step_kind {
	STEP_CYCLE,  /* one cycle with n[0] counts of signal[0] and n[1] of signal[1] */
	STEP_PMNC,   /* write `value` to the control register */
	STEP_COUNTER /* write `value` to counter `i` */
};
struct step {
	uint8_t kind; /* enum step_kind */
	uint8_t n[2];
	uint8_t i;
	uint32_t value;
};

struct toy {
	const char *name, *core;
	uint8_t event[2];    /* numbers that a selector may hold; the first is 0, as out of reset */
	uint8_t signal[2];   /* the signals that these events count */
	uint8_t evt_lsb[2];  /* selector of counters 0 and 1 in PMNC */
	uint32_t pmnc;       /* encodings */
	uint32_t counter[3]; /* 0, 1, cycle */
	uint8_t holdoff;     /* cycles */
	bool latched;        /* the line falls only with E set */
	bool fiq;            /* second line and its enables */
	bool divide;         /* walk D and its phase instead of events */
	uint32_t errata;
	void (*spoil)(struct apmu_core *core); /* breaks a rule on purpose; NULL: none */
};

struct walk {
	const struct toy *toy;
	struct apmu_core core;
	struct apmu_tally tally;
	struct apmu pmu;             /* takes the steps */
	struct apmu before;          /* the state that is being left */
	struct apmu_snapshot origin; /* out of reset: the state that keys do not hold */
	bool line[APMU_LINES], line_before[APMU_LINES];
	uint64_t *seen;  /* open hash of key + 1 */
	uint64_t *queue; /* keys in the order of discovery */
	size_t states;
	unsigned long transitions;
	const char *broken;
};

/* Visits all states. False, with `broken` set and the transition printed, if a claim fails. */
bool walk_all(struct walk *w, const struct toy *toy, const struct step *step, size_t steps);

/* Checks the transition from w->before by `step` to w->pmu; returns the claim that fails, NULL if all hold.
 */
const char *claim_broken(struct walk *w, const struct step *step);

/* True if reading every register of w->pmu changes nothing; checked once per state. */
bool reads_are_pure(const struct walk *w);

/* Index of a toy's counter in the model: 0, 1, the cycle counter. */
static inline unsigned index_of(unsigned i)
{
	return i == 2 ? APMU_CYCLE_COUNTER : i;
}

/* Three bits in the order 0, 1, cycle from one of the model's masks. */
static inline unsigned three(uint64_t mask)
{
	return (unsigned)((mask & 3) | (mask >> APMU_CYCLE_COUNTER & 1) << 2);
}

#endif
