/* SPDX-License-Identifier: MIT */
/**
 * The rules of a family of PMUs, as one table that a core's row names. A program that links one core links
 * its family's rules alone: that is what the table is for. What a rule says stands in the file that owns the
 * question.
 *
 * apmu_model__rules_plain: ARM11 and XScale. apmu_model__rules_ranged: Armv7 and PMUv3, whose counters are
 * split between levels. A NULL member: the family has no such thing.
 */
#ifndef APMU_MODEL_RULES_H
#define APMU_MODEL_RULES_H

#include <apmu/model.h>

struct apmu_model__look;

struct apmu_model__rules {
	int (*judge)(const struct apmu *pmu,
		     const struct apmu_model__look *look); /* an outcome, or APMU_MODEL__BLANK */
	uint64_t (*mask)(const struct apmu *pmu,
			 const struct apmu_model__look *look); /* NULL: every counter */
	void (*split)(struct apmu *pmu);                       /* works out `range` */
	void (*take_threads)(struct apmu *pmu);  /* what other threads of the core have gained */
	void (*watch_threads)(struct apmu *pmu); /* which counters count them, and where */
	uint64_t (*threads_gained)(const struct apmu *pmu, unsigned i);
	uint8_t (*open)(const struct apmu *pmu); /* bit g: nothing traps what is behind enum apmu_gate g */
	void (*act)(struct apmu *pmu, const struct apmu_model__look *look, enum apmu_do what, uint64_t value);
	uint64_t (*seen)(const struct apmu *pmu, const struct apmu_model__look *look, enum apmu_seen what);
	void (*lint)(const struct apmu *pmu, const struct apmu_model__look *look, uint64_t value);
	void (*reset)(struct apmu *pmu);                                   /* what reset does not leave 0 */
	void (*mirrored)(const struct apmu *pmu, struct apmu_state *most); /* adds what a host may mirror */
	uint64_t (*hpmn)(const struct apmu *pmu);                          /* MDCR_EL2.HPMN as it reads */
	uint64_t (*globally_enabled)(const struct apmu *pmu, bool e);      /* were PMCR.E, PMNC.E so */
	uint64_t (*permitted)(const struct apmu *pmu);
	bool (*exports)(const struct apmu *pmu); /* may events go out? NULL: X alone decides */
	bool (*filters)(const struct apmu *pmu, unsigned i);
	void (*refilter)(struct apmu *pmu); /* the filters of all, as the mode is now */
	uint64_t (*thresholds)(const struct apmu *pmu);
	void (*take_by_cycle)(struct apmu *pmu);
	unsigned (*overflow_bit)(const struct apmu *pmu, unsigned i);
	bool (*long_cycle)(const struct apmu *pmu);
	bool (*unseen)(const struct apmu *pmu, unsigned i, uint64_t n); /* a wrap that raises no flag */
	void (*wrapped)(struct apmu *pmu, unsigned i, uint64_t times);
	bool (*interrupts)(const struct apmu *pmu);
	unsigned (*profiling)(const struct apmu *pmu);
	uint8_t (*others)(const struct apmu *pmu,
			  bool pending); /* bit l: line l, of those beyond PROFILING */
};

extern const struct apmu_model__rules apmu_model__rules_plain, apmu_model__rules_ranged;

#endif
