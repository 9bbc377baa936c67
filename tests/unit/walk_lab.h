/* SPDX-License-Identifier: MIT */
/* Physical memory for the walkers' tests: 64 KiB of tables at 0x80000000, nothing elsewhere. */
#ifndef TESTS_UNIT_WALK_LAB_H
#define TESTS_UNIT_WALK_LAB_H

#include "../test.h"
#include "board/walk.h"

#define TABLES      0x80000000u
#define TABLES_SIZE 0x10000u

struct walk_lab {
	uint8_t ram[TABLES_SIZE];
	unsigned reads;
};

static inline bool walk_lab_read(void *ctx, uint64_t address, void *to, size_t n)
{
	struct walk_lab *lab = ctx;

	lab->reads++;
	if (address < TABLES || address - TABLES > TABLES_SIZE - n)
		return false;
	memcpy(to, lab->ram + (address - TABLES), n);
	return true;
}

static inline void put32(struct walk_lab *lab, uint64_t at, uint32_t word)
{
	memcpy(lab->ram + (at - TABLES), &word, sizeof(word));
}

static inline void put64(struct walk_lab *lab, uint64_t at, uint64_t word)
{
	memcpy(lab->ram + (at - TABLES), &word, sizeof(word));
}

static const struct apmu_board__walk_how user_reads = {APMU_BOARD__WALK_READ, false, false, false};
static const struct apmu_board__walk_how user_writes = {APMU_BOARD__WALK_WRITE, false, false, false};
static const struct apmu_board__walk_how user_fetches = {APMU_BOARD__WALK_FETCH, false, false, false};
static const struct apmu_board__walk_how system_reads = {APMU_BOARD__WALK_READ, true, false, false};
static const struct apmu_board__walk_how system_writes = {APMU_BOARD__WALK_WRITE, true, false, false};
static const struct apmu_board__walk_how system_fetches = {APMU_BOARD__WALK_FETCH, true, false, false};

/* Checks the rights of a page, given as six letters: three for system, three for user, each of rwx or "-". */
#define RIGHTS(text, call)                                                                               \
	do {                                                                                             \
		char got[7] = "------";                                                                  \
		const struct apmu_board__walk_how hows[] = {system_reads, system_writes, system_fetches, \
							    user_reads,   user_writes,   user_fetches};  \
		for (unsigned nth = 0; nth < 6; nth++) {                                                 \
			struct apmu_board__walk_how how = hows[nth];                                     \
			struct apmu_board__walked end = (call);                                          \
			if (end.fault == APMU_BOARD__FAULT_NONE)                                         \
				got[nth] = "rwx"[nth % 3];                                               \
			else                                                                             \
				CHECK_EQ(end.fault, APMU_BOARD__FAULT_PERMISSION);                       \
		}                                                                                        \
		CHECK_STR(got, text);                                                                    \
	} while (0)

#endif
