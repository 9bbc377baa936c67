/* SPDX-License-Identifier: MIT */
/**
 * Tests that run anywhere: on the host over the model, and as firmware with real instructions and real
 * interrupts. They need no C library. The rig is what they run on: it has a PMU, work to count, and an
 * interrupt.
 */
#ifndef APMU_TESTS_DRIVER_SUITE_H
#define APMU_TESTS_DRIVER_SUITE_H

#include <apmu/driver.h>
#include <apmu/region.h>

#define SUITE_SLOTS 8
#define SUITE_LIVES 4 /* random ones, of each kind */

/* Instructions of one unit of rig_work(), and the most that a call of it, of the driver and of an interrupt
 * may add. */
#define RIG_UNIT  2u
#define RIG_SLACK 4000u
/* Instructions that may be missing: ARM11 counts nothing in the three cycles after a start. */
#define RIG_EARLY 8u

/* Provided by the rig. */
extern struct apmu_dev rig_dev;
void rig_config(struct apmu_dev_config *config); /* backend, core, el; the suite sets the rest */
void rig_work(uint32_t units);                   /* RIG_UNIT instructions each */
void rig_interrupts(bool on);
void rig_failed(const char *test, const char *what, unsigned line, uint64_t got, uint64_t want);

/* Samples of 20-odd periods: fewer where interrupts come late. */
extern unsigned suite_samples;

/* Runs all tests; returns how many checks failed. *checks: number of checks. */
unsigned suite_run(unsigned *checks);

#endif
