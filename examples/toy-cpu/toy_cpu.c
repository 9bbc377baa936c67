/* SPDX-License-Identifier: MIT */
/**
 * A CPU that is not Arm, with an Arm PMU on its bus.
 *
 * The toy has an accumulator, an index register, eight instructions and a direct-mapped cache. The
 * memory-mapped frame of a Cortex-A53's PMU is at 0x8000 of its address space, and the PMU's interrupt
 * request is its interrupt. It shows what unicorn_host.c leaves out: batching. Most instructions do not call
 * the PMU, which advances only when an overflow may be due or the guest accesses it. docs/embedding.md has
 * the rules.
 */
#include <apmu/model.h>

#include <stdio.h>

#define FRAME       0x8000u
#define PMEVCNTR0   (FRAME + 0x000)
#define PMEVTYPER0  (FRAME + 0x400)
#define PMCNTENSET  (FRAME + 0xC00)
#define PMINTENSET  (FRAME + 0xC40)
#define PMOVSCLR    (FRAME + 0xC80)
#define PMCR        (FRAME + 0xE04)
#define PMLAR       (FRAME + 0xFB0)
#define REFILLS     0x03 /* event L1D_CACHE_REFILL */
#define PERIOD      50u
#define COUNT       0x4000u /* address of the handler's count */
#define SAVED       0x4004u /* where the handler saves the accumulator */
#define LINES       16u
#define MISS_CYCLES 10u
#define VECTOR      20u

enum op { LI, LD, LDX, ST, ADD, NEXT, RFI, HALT };

struct insn {
	enum op op;
	uint32_t arg;
};

/* clang-format off */
static const struct insn program[] = {
	{LI, 0xC5ACCE55}, {ST, PMLAR},                  /* unlock */
	{LI, REFILLS}, {ST, PMEVTYPER0},
	{LI, -PERIOD}, {ST, PMEVCNTR0},
	{LI, 1}, {ST, PMINTENSET}, {ST, PMCNTENSET}, {ST, PMCR},
	{LDX, 0}, {ADD, 1}, {NEXT, 10},                 /* read 16 KiB, four bytes at a time; NEXT: x += 4, branch */
	{LD, PMEVCNTR0}, {ST, SAVED + 4}, {HALT, 0},
	[VECTOR] =
	{ST, SAVED}, {LD, COUNT}, {ADD, 1}, {ST, COUNT},
	{LI, -PERIOD}, {ST, PMEVCNTR0},
	{LI, 1}, {ST, PMOVSCLR},                        /* clearing the flag deasserts the request */
	{LD, SAVED}, {RFI, 0},
};
/* clang-format on */

struct toy {
	uint32_t acc, x, pc, back, ram[0x2000], tag[LINES];
	bool in_handler;
	struct apmu_tally tally;
	struct apmu pmu;
	uint64_t safe;     /* instructions that may still run before the PMU must advance */
	unsigned advances; /* number of advances */
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Advances the PMU, then finds how many instructions can run before any overflow. An instruction makes at
 * most one instruction event, one refill and eleven cycles. Of each signal the PMU may be given one less than
 * until_overflow() at once. */
static void look(struct toy *t)
{
	apmu_advance(&t->pmu);
	t->advances++;
	t->safe = least((apmu_until_overflow(&t->pmu, APMU_SIG_CYCLES) - 1) / (1 + MISS_CYCLES),
			least(apmu_until_overflow(&t->pmu, APMU_SIG_INST),
			      apmu_until_overflow(&t->pmu, APMU_SIG_L1D_FILL)) -
				1);
}

static struct apmu_access frame(uint32_t address)
{
	return (struct apmu_access){APMU_VIEW_MMIO, address - FRAME, {.el = 1}};
}

static void cache(struct toy *t, uint32_t address)
{
	uint32_t line = address / 64 + 1, *tag = &t->tag[address / 64 % LINES];

	t->tally.n[APMU_SIG_L1D_ACCESS]++;
	if (*tag != line) {
		*tag = line;
		t->tally.n[APMU_SIG_L1D_MISS]++;
		t->tally.n[APMU_SIG_L1D_FILL]++;
		t->tally.n[APMU_SIG_CYCLES] += MISS_CYCLES;
	}
}

static uint32_t load(struct toy *t, uint32_t address)
{
	uint64_t value = 0; /* a bus error reads 0 here */

	if (address < FRAME) {
		cache(t, address);
		return t->ram[address / 4];
	}
	look(t); /* a read is as of the last advance */
	(void)apmu_read(&t->pmu, frame(address), &value);
	return (uint32_t)value;
}

static void store(struct toy *t, uint32_t address, uint32_t value)
{
	if (address < FRAME) {
		cache(t, address);
		t->ram[address / 4] = value;
		return;
	}
	(void)apmu_write(&t->pmu, frame(address), value); /* advances first, by itself */
	look(t);                                          /* the write may have changed `safe` */
}

static void execute(struct toy *t, struct insn i)
{
	t->pc++;
	t->tally.n[APMU_SIG_INST]++;
	t->tally.n[APMU_SIG_CYCLES]++;
	switch (i.op) {
	case LI: t->acc = i.arg; break;
	case LD: t->acc = load(t, i.arg); break;
	case LDX: t->acc = load(t, t->x + i.arg); break;
	case ST: store(t, i.arg, t->acc); break;
	case ADD: t->acc += i.arg; break;
	case NEXT:
		t->x += 4;
		t->pc = t->x < 0x4000 ? i.arg : t->pc;
		break;
	case RFI:
		t->pc = t->back;
		t->in_handler = false;
		break;
	case HALT: t->pc--; break;
	}
}

int main(void)
{
	static struct toy t;
	unsigned instructions = 0;

	apmu_init(&t.pmu, apmu_core_find("cortex-a53"), &t.tally, (struct apmu_lines){0});
	apmu_enter(&t.pmu, (struct apmu_mode){.el = 1}); /* the toy has one mode: Non-secure EL1 */
	look(&t);
	for (; program[t.pc].op != HALT; instructions++) {
		execute(&t, program[t.pc]);
		if (t.safe-- == 0)
			look(&t);
		if (apmu_line_up(&t.pmu, APMU_LINE_IRQ) && !t.in_handler) {
			t.back = t.pc;
			t.pc = VECTOR;
			t.in_handler = true;
		}
	}
	printf("%u interrupts, %u refills since the last, %u instructions\n", t.ram[COUNT / 4],
	       t.ram[(SAVED + 4) / 4] + PERIOD, instructions);
	printf("the PMU looked %s\n",
	       t.advances * 10 < instructions ? "less than once in ten instructions" : "often");
	return 0;
}
