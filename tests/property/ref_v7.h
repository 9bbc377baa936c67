/* SPDX-License-Identifier: MIT */
/**
 * The second model of the Armv7 PMU (PMUv1, PMUv2): slow, naive, one cycle at a time.
 *
 * What it is: Cortex-A5 to A17 as the sections of the Armv7 facts read, one function per section, written
 * without reference to src/model or spec/regs. The property tests compare the two.
 * What it is not: fast. It takes from a core's row what varies by core (counters, features, identification),
 * and from the public headers the enumerations: signals, views, modes, inputs, outcomes.
 *
 * A comment that starts with `choice:` marks a decision that the facts leave open.
 */
#ifndef APMU_TEST_REF_V7_H
#define APMU_TEST_REF_V7_H

#include <apmu/model.h>

#define V7_EVENTS 31

struct ref_v7 {
	/* of the core: armv7 1 */
	unsigned n;
	bool filter, el2, ceid; /* PMUv2; Virtualization; PMCEID0 and 1 are there */
	uint32_t imp, idcode, ceid0;
	bool has_lost_overflow;
	uint32_t inst; /* event number that counts instructions */
	/* PMCR */
	bool dp, x, d, e;
	/* bit n: counter n; bit 31: the cycle counter */
	uint32_t cnten, ovs, inten;
	uint32_t counter[V7_EVENTS], type[V7_EVENTS];
	uint32_t pmccnt, pmccfilt;
	uint8_t sel;
	bool en; /* PMUSERENR */
	/* HDCR */
	bool hpme, tpm, tpmcr;
	uint8_t hpmn;
	bool ns;              /* SCR.NS */
	bool suiden, suniden; /* SDER */
	bool slk;             /* the frame's software lock */
	uint8_t divider;      /* 0..63 */
	bool lost_overflow;   /* erratum of Cortex-A9 */
	struct apmu_mode mode;
	struct apmu_inputs in;
};

void ref_v7_init(struct ref_v7 *r, const struct apmu_core *core, struct apmu_mode mode);
void ref_v7_reset(struct ref_v7 *r);
void ref_v7_machine(struct ref_v7 *r, const struct apmu_machine_state *m);
void ref_v7_cycle(struct ref_v7 *r, const uint64_t n[APMU_SIGNALS]);
enum apmu_outcome ref_v7_read(const struct ref_v7 *r, struct apmu_access at, uint64_t *value);
enum apmu_outcome ref_v7_write(struct ref_v7 *r, struct apmu_access at, uint64_t value);
bool ref_v7_irq(const struct ref_v7 *r);

/* Between ref_v7.c (counting) and ref_v7_regs.c (registers). */
bool v7_nonsecure(struct apmu_mode m);
unsigned v7_hpmn(const struct ref_v7 *r);
void v7_write_hdcr(struct ref_v7 *r, uint64_t v);
void v7_software_increment(struct ref_v7 *r, uint32_t which);

#endif
