/* SPDX-License-Identifier: MIT */
/**
 * Shared by the suite's files. A test is a row of one of the lists below; a list ends with an empty row.
 */
#ifndef APMU_TESTS_DRIVER_SUITE_CHECK_H
#define APMU_TESTS_DRIVER_SUITE_CHECK_H

#include "suite.h"

struct suite_test {
	const char *name;
	void (*run)(void);
};
extern const struct suite_test suite_count[];  /* suite.c: 64 bits, by interrupt and by polling */
extern const struct suite_test suite_sample[]; /* periods, lateness, jitter, throttling */
extern const struct suite_test suite_share[];  /* turns, regions, tasks, teams */
extern const struct suite_test suite_plan[];   /* pairs, filters, reserved counters, user access */
extern const struct suite_test suite_bad[];    /* refusals, failing accesses, accesses per call */
extern const struct suite_test suite_life[];   /* random lives */

void suite_equal(uint64_t got, uint64_t want, const char *what, unsigned line);
void suite_near(uint64_t got, uint64_t low, uint64_t high, const char *what, unsigned line);

#define CHECK(truth)        suite_equal(truth, true, #truth, __LINE__)
#define CHECK_EQ(got, want) suite_equal((uint64_t)(got), (uint64_t)(want), #got, __LINE__)
#define CHECK_NEAR(got, low, high) \
	suite_near((uint64_t)(got), (uint64_t)(low), (uint64_t)(high), #got, __LINE__)

extern struct apmu_dev_slot suite_slots[SUITE_SLOTS];
extern struct apmu_dev_config suite_config;

/* Sets the configuration for the rig; masks interrupts. */
void suite_describe(bool interrupt);
/* suite_describe(), then opens the driver. */
void suite_open(bool interrupt);
/* Wants for instructions and, if n is 2, cycles. */
void suite_wants(struct apmu_want *want, unsigned n);
/* suite_open(), then loads suite_wants(). */
void suite_load(bool interrupt, unsigned n);
/* A want's count; checks that nothing was lost. */
uint64_t suite_value(unsigned want);
/* Number of event counters. */
unsigned suite_counters(void);

/* Moves the counter of a want, stopped and without a flag, close to its wrap, since waiting for 2^32 events
 * takes too long; makes the driver believe that it was there all the time. */
void suite_near_the_wrap(unsigned want);

#endif
