/* SPDX-License-Identifier: MIT */
/**
 * A bench for tests of the model: a PMU with a tally, its lines and its notes, and the PMNC bits by name.
 *
 * The bits are copied from the manuals by hand, on purpose not from the generated rows: a wrong row must fail
 * a test.
 */
#ifndef APMU_TEST_MODEL_BENCH_H
#define APMU_TEST_MODEL_BENCH_H

#include <apmu/model.h>

/* PMNC of ARM11 (AN195 table 1) and of the two-counter XScale (80200 12), where they agree. */
enum pmnc {
	E = 1 << 0,
	P = 1 << 1,
	C = 1 << 2,
	D = 1 << 3,
	EC0 = 1 << 4,
	EC1 = 1 << 5,
	ECC = 1 << 6,
	OC0 = 1 << 8,
	OC1 = 1 << 9,
	OCC = 1 << 10,
	X = 1 << 11,   /* ARM11 */
	FC0 = 1 << 28, /* ARM1156 */
	FC1 = 1 << 29,
	FCC = 1 << 30
};

/* The selector of each counter: ARM11 and XScale have the two fields in opposite order. */
#define ARM11_EVENT0(number)  ((uint32_t)(number) << 20)
#define ARM11_EVENT1(number)  ((uint32_t)(number) << 12)
#define XSCALE_EVENT0(number) ((uint32_t)(number) << 12)
#define XSCALE_EVENT1(number) ((uint32_t)(number) << 20)

struct bench {
	struct apmu pmu;
	struct apmu_tally tally;
	bool irq, fiq;               /* line levels, as last reported to the callback */
	unsigned calls;              /* number of calls of the line callback */
	unsigned notes[APMU_NOTES];  /* number of notes of each kind */
	uint64_t detail[APMU_NOTES]; /* detail of the last note of each kind */
};

/* Starts a core out of reset, privileged and Secure. The bench must keep its address afterwards. */
void bench_start(struct bench *b, const char *core);

/* Register accesses by name; they must be allowed. */
void poke(struct bench *b, const char *reg, uint64_t value);
uint64_t peek(struct bench *b, const char *reg);

/* Adds n to a signal in the current cycle; the PMU does not take it yet. */
void happen(struct bench *b, enum apmu_signal signal, uint64_t n);

/* Lets cycles pass, then makes the PMU take what is pending. */
void run(struct bench *b, uint64_t cycles);

/* Starts counting by a write of PMNC and lets the start delay pass. */
void start(struct bench *b, uint32_t pmnc);

#endif
