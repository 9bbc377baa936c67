/* SPDX-License-Identifier: MIT */
/*
 * The machine against the same program in plain libunicorn: a loop of loads and stores, an ALU loop, with the
 * core's caches on and as they are out of reset, off; then what a PMU register access and an interrupt of the
 * PMU cost.
 *
 * The host's speed changes from one tenth of a second to the next. So a ratio is taken of two runs made one
 * right after the other, each a fraction of a second, and the median of many such ratios is what is printed,
 * with the quarters below and above which a quarter of them lie.
 */
#define _GNU_SOURCE /* clock_gettime */
#include <apmu/machine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unicorn/unicorn.h>

#define RAM    0x200000u
#define ROUNDS 21u

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
	uint32_t turns;
	unsigned turn; /* instructions of a turn */
	uint32_t end;
	uint32_t word[16];
};

static const struct program load_store = {
	"loads and stores",
	500000,
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
				   4000000,
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
	out[16] = p->turns;
}

static void nothing(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
	(void)uc;
	(void)address;
	(void)size;
	(void)user;
}

/* Plain libunicorn; with a hook on each instruction that does nothing, if asked for. */
static double plain(const struct program *p, bool hooked)
{
	uint32_t words[17];
	uc_engine *uc;
	uc_hook handle;
	double start, time;

	image(p, words);
	memcpy(ram, words, sizeof words);
	if (uc_open(UC_ARCH_ARM, UC_MODE_ARM, &uc) || uc_ctl_set_cpu_model(uc, UC_CPU_ARM_1176) ||
	    uc_mem_map_ptr(uc, 0, RAM, UC_PROT_ALL, ram))
		exit(1);
	if (hooked &&
	    uc_hook_add(uc, &handle, UC_HOOK_CODE, (void *)(uintptr_t)(void (*)(void))nothing, NULL, 1, 0))
		exit(1);
	start = now();
	if (uc_emu_start(uc, 0, p->end, 0, 0))
		exit(1);
	time = now() - start;
	uc_close(uc);
	return time;
}

static struct apmu_machine *machine(uint32_t cpi, bool warm, const void *code, size_t n)
{
	struct apmu_machine_config config = {
		.core = apmu_core_find("arm1176"), .aarch32 = true, .cpi = cpi, .warm = warm};
	struct apmu_machine *m;
	char error[200];

	if (apmu_machine_new(&config, &m, error, sizeof error) ||
	    apmu_machine_load(m, code, n, 0, true, error, sizeof error)) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	return m;
}

static double timed(uint32_t cpi, bool warm, const void *code, size_t n, uint64_t insns)
{
	struct apmu_machine *m = machine(cpi, warm, code, n);
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

enum way { HOOK, COUNTS, WARM, COLD, WAYS };
static const char *const way_name[WAYS] = {"a hook that does nothing", "counts only (--cpi)",
					   "caches, predictor, timing", "the same, out of reset"};

static double run_way(const struct program *p, enum way way)
{
	uint32_t words[17];

	image(p, words);
	if (way == HOOK)
		return plain(p, true);
	return timed(way == COUNTS, way == WARM, words, sizeof words, (uint64_t)p->turn * p->turns);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void compare_way(const struct program *p, enum way way)
{
	double ratio[ROUNDS], mips[ROUNDS], insns = (double)p->turn * p->turns * 1e-6;

	for (unsigned i = 0; i < ROUNDS; i++) { /* who goes first takes turns */
		double first = i % 2 ? run_way(p, way) : plain(p, false);
		double second = i % 2 ? plain(p, false) : run_way(p, way);

		ratio[i] = i % 2 ? second / first : first / second;
		mips[i] = insns / (i % 2 ? first : second);
	}
	qsort(ratio, ROUNDS, sizeof *ratio, by_size);
	qsort(mips, ROUNDS, sizeof *mips, by_size);
	printf("  %-28s %7.1f MIPS, of plain Unicorn %.2f (%.2f to %.2f)\n", way_name[way], mips[ROUNDS / 2],
	       ratio[ROUNDS / 2], ratio[ROUNDS / 4], ratio[ROUNDS - 1 - ROUNDS / 4]);
}

static void compare(const struct program *p)
{
	printf("%s\n", p->name);
	for (unsigned way = 0; way < WAYS; way++)
		compare_way(p, (enum way)way);
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
	time = timed(0, false, words, sizeof words, (2 * N + 1) * passes);
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
	struct apmu_machine *m = machine(0, false, words, sizeof words);
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
