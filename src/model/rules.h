/* SPDX-License-Identifier: MIT */
/**
 * The rules of a family of PMUs, as one table that a core's row names. A program that links one core links
 * only its family's rules: that is the purpose of the table. Each rule is described in the file that
 * implements it.
 *
 * apmu_model__rules_plain: ARM11 and XScale. apmu_model__rules_ranged: Armv7 and PMUv3, whose counters are
 * split into ranges for the levels. A NULL member: the family has no such rule.
 */
#ifndef APMU_MODEL_RULES_H
#define APMU_MODEL_RULES_H

#include <apmu/model.h>

struct apmu_model__access;

struct apmu_model__rules {
	int (*judge)(const struct apmu *pmu,
		     const struct apmu_model__access *access); /* an outcome, or APMU_MODEL__RAZ_WI */
	uint64_t (*mask)(const struct apmu *pmu,
			 const struct apmu_model__access *access); /* NULL: every counter */
	void (*split)(struct apmu *pmu);                           /* computes `range` */
	void (*take_threads)(struct apmu *pmu);  /* counts what other threads of the core have gained */
	void (*watch_threads)(struct apmu *pmu); /* derives which counters count them */
	uint64_t (*threads_gained)(const struct apmu *pmu, unsigned i);
	uint8_t (*open)(const struct apmu *pmu); /* computes apmu.open */
	void (*act)(struct apmu *pmu, const struct apmu_model__access *access, enum apmu_do what,
		    uint64_t value);
	uint64_t (*seen)(const struct apmu *pmu, const struct apmu_model__access *access,
			 enum apmu_seen what);
	void (*lint)(const struct apmu *pmu, const struct apmu_model__access *access, uint64_t value);
	void (*reset)(struct apmu *pmu); /* sets what reset does not leave 0 */
	/* How many of the 64-bit words that struct apmu_state begins with a rule may look at. */
	size_t words;
	void (*mirrored)(const struct apmu *pmu, struct apmu_state *most); /* adds what a host may mirror */
	bool (*fixed)(const struct apmu *pmu, const struct apmu_state *s); /* are fixed bits as reset? */
	uint64_t (*hpmn)(const struct apmu *pmu);                          /* MDCR_EL2.HPMN as it reads */
	uint64_t (*globally_enabled)(const struct apmu *pmu, bool e);      /* `e`: PMCR.E or PMNC.E */
	uint64_t (*permitted)(const struct apmu *pmu);
	bool (*exports)(const struct apmu *pmu); /* may events be exported? NULL: X alone decides */
	bool (*filters)(const struct apmu *pmu, unsigned i);
	void (*refilter)(struct apmu *pmu); /* derives `filtered` of all counters from the mode */
	uint64_t (*thresholds)(const struct apmu *pmu);
	void (*take_by_cycle)(struct apmu *pmu);
	unsigned (*overflow_bit)(const struct apmu *pmu, unsigned i);
	bool (*long_cycle)(const struct apmu *pmu);
	bool (*unseen)(const struct apmu *pmu, unsigned i, uint64_t n); /* a wrap that raises no flag */
	void (*wrapped)(struct apmu *pmu, unsigned i, uint64_t times);
	bool (*interrupts)(const struct apmu *pmu);
	unsigned (*profiling)(const struct apmu *pmu);
	uint8_t (*other_lines)(const struct apmu *pmu,
			       bool pending); /* bit l: line l, for those after PROFILING */
};

extern const struct apmu_model__rules apmu_model__rules_plain, apmu_model__rules_ranged;

#endif
