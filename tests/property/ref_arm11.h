/* SPDX-License-Identifier: MIT */
/**
 * The second model of the ARM11 PMU: slow, naive, one cycle at a time.
 *
 * What it is: ARM1136JF-S, ARM1156T2-S and ARM1176JZF-S as their manuals' tables read, one variable per bit,
 * written without reference to src/model. The property tests compare the two.
 * What it is not: fast, or driven by spec/. It shares with the product only the enumerations of the public
 * headers: signals, views, modes, inputs, outcomes.
 *
 * A comment that starts with `choice:` marks where the manuals are silent and this model had to decide.
 */
#ifndef APMU_TEST_REF_ARM11_H
#define APMU_TEST_REF_ARM11_H

#include <apmu/model.h>
#include <apmu/signal.h>
#include <apmu/types.h>

enum ref_arm11_kind { REF_ARM1136, REF_ARM1156, REF_ARM1176 };

struct ref_arm11 {
	enum ref_arm11_kind kind;
	/* PMNC, from the top bit down */
	bool fcc, fc1, fc0; /* ARM1156 only */
	uint8_t evt0, evt1;
	bool x;
	bool ccr, cr1, cr0; /* overflow flags */
	bool ecc, ec1, ec0;
	bool d;
	bool e;
	/* counters */
	uint32_t ccnt, pmn0, pmn1;
	/* state that no register shows */
	uint8_t divider; /* 0..63 */
	uint8_t holdoff; /* cycles until counting starts */
	bool irq, fiq;   /* the request latches */
	/* ARM1176 */
	bool v;               /* SUNAVCR */
	bool suiden, suniden; /* SDER */
	/* the core around the PMU */
	struct apmu_mode mode;
	struct apmu_inputs in;
};

/* Power on in `mode`: every bit 0, every authentication input high, CP15SDISABLE low. */
void ref_arm11_init(struct ref_arm11 *r, enum ref_arm11_kind kind, struct apmu_mode mode);
void ref_arm11_reset(struct ref_arm11 *r);

/* One core clock cycle in which signal s happened n[s] times; n[APMU_SIG_CYCLES] is 1. */
void ref_arm11_cycle(struct ref_arm11 *r, const uint64_t n[APMU_SIGNALS]);

enum apmu_outcome ref_arm11_read(const struct ref_arm11 *r, struct apmu_access at, uint64_t *value);
enum apmu_outcome ref_arm11_write(struct ref_arm11 *r, struct apmu_access at, uint64_t value);

/* The event bus for one cycle's counts. */
uint64_t ref_arm11_bus(const struct ref_arm11 *r, const uint64_t n[APMU_SIGNALS]);

/* True if a count of this signal would change a counter once the hold-off is over. */
bool ref_arm11_wants(const struct ref_arm11 *r, enum apmu_signal s);

#endif
