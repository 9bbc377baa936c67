/* SPDX-License-Identifier: MIT */
/*
 * The machine against the same program in plain libunicorn, in one run: a loop of loads and stores, an ALU
 * loop; then what a PMU register access and an interrupt of the PMU cost.
 */
#define _GNU_SOURCE /* clock_gettime */
#include <apmu/machine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unicorn/unicorn.h>

#define RAM   0x200000u
#define TURNS 2000000u
#define BEST  3 /* of so many runs */

static uint8_t ram[RAM];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A32. r0: data, r1: turns left. Ends in a branch to itself at `end`. */
struct program {
	const char *name;
	unsigned turn; /* instructions of a turn */
	uint32_t end;
	uint32_t word[16];
};

static const struct program load_store = {
	"loads and stores",
	10,
	0x3C,
	{0xE3A00601 /* mov r0, #0x100000 */, 0xE59F1030 /* ldr r1, [pc, #0x30] = 0x3C: a branch; patched */,
	 0xE5902004 /* ldr r2, [r0, #4] */, 0xE0822001 /* add r2, r2, r1 */,
	 0xE5802008 /* str r2, [r0, #8] */, 0xE590300C /* ldr r3, [r0, #12] */,
	 0xE0833002 /* add r3, r3, r2 */, 0xE5803010 /* str r3, [r0, #16] */,
	 0xE5904014 /* ldr r4, [r0, #20] */, 0xE5804018 /* str r4, [r0, #24] */,
	 0xE2511001 /* subs r1, r1, #1 */, 0x1AFFFFF5 /* bne to the first ldr */, 0xE1A00000, 0xE1A00000,
	 0xE1A00000, 0xEAFFFFFE}};
static const struct program alu = {"ALU only",
				   8,
				   0x3C,
				   {0xE3A00601, 0xE59F1030, 0xE0822001, 0xE0233002, 0xE0844003, 0xE2055001,
				    0xE1A06005, 0xE0867004, 0xE2511001, 0x1AFFFFF7, 0xE1A00000, 0xE1A00000,
				    0xE1A00000, 0xE1A00000, 0xE1A00000, 0xEAFFFFFE}};

/* The word that r1 is loaded from stands behind the program. */
static void image(const struct program *p, uint32_t *out)
{
	memcpy(out, p->word, sizeof p->word);
	out[1] = 0xE59F1034; /* ldr r1, [pc, #0x34]: 0x40 */
	out[16] = TURNS;
}

static double plain(const struct program *p)
{
	uint32_t words[17];
	uc_engine *uc;
	double start, time;

	image(p, words);
	memcpy(ram, words, sizeof words);
	if (uc_open(UC_ARCH_ARM, UC_MODE_ARM, &uc) || uc_ctl_set_cpu_model(uc, UC_CPU_ARM_1176) ||
	    uc_mem_map_ptr(uc, 0, RAM, UC_PROT_ALL, ram))
		exit(1);
	start = now();
	if (uc_emu_start(uc, 0, p->end, 0, 0))
		exit(1);
	time = now() - start;
	uc_close(uc);
	return time;
}

static struct apmu_machine *machine(uint32_t cpi, const void *code, size_t n)
{
	struct apmu_machine_config config = {.core = apmu_core_find("arm1176"), .aarch32 = true, .cpi = cpi};
	struct apmu_machine *m;
	char error[200];

	if (apmu_machine_new(&config, &m, error, sizeof error) ||
	    apmu_machine_load(m, code, n, 0, true, error, sizeof error)) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	return m;
}

static double timed(uint32_t cpi, const void *code, size_t n, uint64_t insns)
{
	struct apmu_machine *m = machine(cpi, code, n);
	struct apmu_stop stop;
	double start = now(), time;

	if (apmu_machine_run(m, insns, &stop) || stop.reason != APMU_STOP_LIMIT) {
		fprintf(stderr, "%s at 0x%llx\n", stop.what, (unsigned long long)stop.pc);
		exit(1);
	}
	time = now() - start;
	apmu_machine_free(m);
	return time;
}

static void compare(const struct program *p)
{
	uint64_t insns = (uint64_t)p->turn * TURNS;
	double best[3] = {1e9, 1e9, 1e9};
	uint32_t words[17];

	image(p, words);
	for (unsigned i = 0; i < BEST; i++) {
		double t[3] = {plain(p), timed(1, words, sizeof words, insns),
			       timed(0, words, sizeof words, insns)};

		for (unsigned k = 0; k < 3; k++)
			best[k] = t[k] < best[k] ? t[k] : best[k];
	}
	printf("%-20s plain Unicorn %6.1f MIPS; counts only (--cpi) %6.1f, ratio %.2f; caches, predictor, "
	       "timing %6.1f, "
	       "ratio %.2f\n",
	       p->name, (double)insns / best[0] * 1e-6, (double)insns / best[1] * 1e-6, best[0] / best[1],
	       (double)insns / best[2] * 1e-6, best[0] / best[2]);
}

static void accesses(void)
{
	enum { N = 16 };
	uint32_t words[2 * N + 1];
	const unsigned passes = 100000;
	double time;

	for (unsigned i = 0; i < N; i++) {
		words[2 * i] = 0xEE1F0F3C;     /* mrc p15, 0, r0, c15, c12, 1 */
		words[2 * i + 1] = 0xEE0F0F1C; /* mcr p15, 0, r0, c15, c12, 0 */
	}
	words[2 * N] = 0xEAFFFFFE - 2 * N; /* b to the start */
	time = timed(0, words, sizeof words, (2 * N + 1) * passes);
	printf("%-20s %.2f us, reads and writes in turn\n", "PMU access", time / (2.0 * N * passes) * 1e6);
}

static void interrupts(void)
{
	/* 0x00: b reset ... 0x18: irq handler: counter back to -8, flag cleared, return */
	static const uint32_t words[] = {0xEA000010 /* b 0x48 */,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0xE3E09007 /* mvn r9, #7 */,
					 0xEE0F9F5C /* mcr p15, 0, r9, c15, c12, 2 */,
					 0xEE0F8F1C /* mcr p15, 0, r8, c15, c12, 0 */,
					 0xE2866001 /* add r6, r6, #1 */,
					 0xE25EF004 /* subs pc, lr, #4 */,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0xE59F8018 /* ldr r8, [pc, #0x18] = 0x68 */,
					 0xE3E00007 /* mvn r0, #7 */,
					 0xEE0F0F5C /* mcr p15, 0, r0, c15, c12, 2 */,
					 0xEE0F8F1C /* mcr p15, 0, r8, c15, c12, 0 */,
					 0xE10F0000 /* mrs r0, cpsr */,
					 0xE3C00080 /* bic r0, r0, #0x80 */,
					 0xE121F000 /* msr cpsr_c, r0 */,
					 0xEAFFFFFE /* b . */,
					 0x00700111 /* PMNC: E, EN0, flag 0 cleared, event 7 */};
	struct apmu_machine *m = machine(0, words, sizeof words);
	const char *name;
	uint64_t taken = 0;
	struct apmu_stop stop;
	double start = now();

	while (taken < 100000 && apmu_machine_run(m, 100000, &stop) == 0 && stop.reason == APMU_STOP_LIMIT)
		apmu_machine_register(m, 6, &name, &taken);
	printf("%-20s %.2f s for %llu\n", "PMU interrupts", now() - start, (unsigned long long)taken);
	apmu_machine_free(m);
}

int main(void)
{
	compare(&load_store);
	compare(&alu);
	accesses();
	interrupts();
	return 0;
}
