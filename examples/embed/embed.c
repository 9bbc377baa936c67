/* SPDX-License-Identifier: MIT */
/**
 * A small emulator with an ARM1136 PMU in it. The guest is one loop that reads words 64 bytes apart; the
 * event source is a toy: a direct-mapped cache of 128 lines of 32 bytes. The guest's driver counts
 * instructions and data cache misses and has an interrupt every 1,000 misses.
 */
#include <apmu/model.h>

#include <stdio.h>

#define PMNC   apmu_cp(15, 0, 15, 12, 0) /* MRC/MCR p15, 0, <Rt>, c15, c12, 0 */
#define PMN0   apmu_cp(15, 0, 15, 12, 2)
#define PMN1   apmu_cp(15, 0, 15, 12, 3)
#define EVENTS (0x07u << 20 | 0x0Bu << 12) /* PMN0: instructions; PMN1: data cache misses */
#define EC1    (1u << 5)                   /* interrupt on overflow of PMN1 */
#define OC1    (1u << 9)                   /* flag of PMN1; writing 1 clears */
#define E      1u
#define PERIOD 1000u

struct board {
	struct apmu_tally tally; /* the event source adds here */
	struct apmu pmu;         /* the PMU reads it */
	uint32_t tag[128];
	unsigned interrupts;
};

static void write_reg(struct board *b, uint32_t encoding, uint64_t value)
{
	apmu_write(&b->pmu, (struct apmu_access){APMU_VIEW_CP, encoding, {.el = 1}}, value);
}

static uint64_t read_reg(struct board *b, uint32_t encoding)
{
	uint64_t value = 0;

	apmu_read_now(&b->pmu, (struct apmu_access){APMU_VIEW_CP, encoding, {.el = 1}}, &value);
	return value;
}

/* The toy event source: LDR, ADD, BNE take four cycles, and forty more on a miss. */
static void one_iteration(struct board *b, uint32_t address)
{
	uint32_t line = address / 32;
	bool miss = b->tag[line % 128] != line;

	b->tag[line % 128] = line;
	b->tally.n[APMU_SIG_INST] += 3;
	b->tally.n[APMU_SIG_L1D_ACCESS] += 1;
	b->tally.n[APMU_SIG_L1D_MISS] += miss;
	b->tally.n[APMU_SIG_CYCLES] += miss ? 44 : 4;
}

/* The guest's handler: reloads the counter, then clears the flag with E set, as ARM11 needs. */
static void handle_interrupt(struct board *b)
{
	b->interrupts++;
	write_reg(b, PMN1, -(uint64_t)PERIOD & 0xFFFFFFFF);
	write_reg(b, PMNC, EVENTS | EC1 | OC1 | E);
}

int main(void)
{
	static struct board b;

	apmu_init(&b.pmu, apmu_core_find("arm1136"), &b.tally, (struct apmu_lines){0});
	write_reg(&b, PMN1, -(uint64_t)PERIOD & 0xFFFFFFFF);
	write_reg(&b, PMNC, EVENTS | EC1 | E);
	b.tally.n[APMU_SIG_CYCLES] += 3; /* counting starts three cycles after E */
	apmu_advance(&b.pmu);

	for (uint32_t i = 0; i < 10000; i++) {
		one_iteration(&b, i % 5 ? 0 : i * 64);
		apmu_advance(&b.pmu); /* or less often: see apmu_until_overflow() */
		if (apmu_line_up(&b.pmu, APMU_LINE_IRQ))
			handle_interrupt(&b);
	}
	printf("instructions %u\n", (unsigned)read_reg(&b, PMN0));
	printf("misses       %u\n", b.interrupts * PERIOD + (uint32_t)(read_reg(&b, PMN1) + PERIOD));
	printf("interrupts   %u\n", b.interrupts);
	return 0;
}
