/* SPDX-License-Identifier: MIT */
/**
 * A guest that makes random accesses to its PMU, in any mode, with its interrupt on and off; and a naive
 * reference (tests/property/ref_*.c) that is told what each instruction added and made.
 *
 * The first run is looked at after each instruction: the reference takes the same events, and every read,
 * every outcome, every line must be the same on both sides. The second run is left alone, so that the machine
 * batches as it likes; its reads and interrupts must be those of the first, at the same instructions.
 */
#ifndef APMU_TEST_TORTURE_H
#define APMU_TEST_TORTURE_H

#include "../property/family.h"
#include "guest.h"

enum { TORTURE_WHY = 200 };

struct torture_case {
	const char *core;
	const struct family *family;
	unsigned kind; /* of the reference, for families arm11 and xscale */
	enum guest_isa isa;
};

struct torture_totals {
	unsigned long insns, reads, writes, refused, interrupts;
};

/* One life with a seed. False, and a reason in `why`, if the two disagree. Adds to *totals. */
bool torture_run(const struct torture_case *c, uint64_t seed, unsigned operations,
		 struct torture_totals *totals, char why[TORTURE_WHY]);

/* The program alone. False if it does not fit. */
bool torture_program(const struct torture_case *c, uint64_t seed, unsigned operations, struct guest *g);

#endif
