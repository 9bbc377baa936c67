/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sigaction */
/*
 * Guests that go wrong in every way that was thought of. Each run ends with a reason that fits, names it, and
 * leaves the host alive; what only hangs ends at its limit.
 */
#include "guest.h"
#include <apmu/machine.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { MOST_INSNS = 20000, WORDS = 12 };

#define OR_LIMIT (1u << APMU_STOP_LIMIT)
#define BAD      (1u << APMU_STOP_UNHANDLED | 1u << APMU_STOP_LOOP | 1u << APMU_STOP_ENGINE)
#define LOOP     (1u << APMU_STOP_LOOP)
#define EXIT     (1u << APMU_STOP_EXIT)
#define WAIT     (1u << APMU_STOP_WAIT)
#define ANY      (BAD | OR_LIMIT | WAIT | EXIT)

struct wild {
	const char *what, *core;
	enum guest_isa isa;
	bool vectors;  /* guest.h's handlers are there; else memory below the program is 0 */
	unsigned ends; /* bits: enum apmu_stop_reason */
	uint32_t word[WORDS];
};

/* clang-format off */
static const struct wild wild[] = {
	{"jumps out of RAM", "arm1176", GUEST_A32, true, BAD | OR_LIMIT,
		{0xE3A00206 /* mov r0, #0x60000000 */, 0xE12FFF10 /* bx r0 */}},
	{"jumps out of RAM, no vectors", "arm1176", GUEST_A32, false, BAD | OR_LIMIT, {0xE3A00206, 0xE12FFF10}},
	{"jumps to the top of memory", "xscale1", GUEST_A32, true, BAD | OR_LIMIT,
		{0xE3E00003 /* mvn r0, #3 */, 0xE12FFF10}},
	{"jumps out of RAM in A64", "cortex-a53", GUEST_A64, true, BAD | OR_LIMIT,
		{0xD2AC0000 /* mov x0, #0x60000000 */, 0xD61F0000 /* br x0 */}},
	{"jumps to an odd A64 address", "cortex-a53", GUEST_A64, true, BAD | OR_LIMIT,
		{0xD2820040 /* mov x0, #0x1002 */, 0xD61F0000}},
	{"jumps beyond 48 bits", "cortex-a72", GUEST_A64, true, BAD | OR_LIMIT,
		{0xD2FFFFC0 /* mov x0, #0xfffe << 48 */, 0xD61F0000}},
	{"loads from nowhere", "arm1136", GUEST_A32, true, BAD | OR_LIMIT, {0xE3A00206, 0xE5901000 /* ldr r1, [r0] */}},
	{"stores to nowhere in T32", "cortex-a15", GUEST_T32, true, BAD | OR_LIMIT,
		{0x20C0F04F /* mov.w r0, #0xc000c000 */, 0x00006001 /* str r1, [r0]; nop */}},
	{"stores to nowhere in A64", "cortex-a53", GUEST_A64, true, BAD | OR_LIMIT,
		{0xD2AC0000, 0xF9000001 /* str x1, [x0] */}},
	{"stack at nowhere", "cortex-a9", GUEST_A32, true, BAD | OR_LIMIT,
		{0xE3E0D00F /* mvn sp, #15 */, 0xE92D4FFF /* push {...} */}},
	{"stack at nowhere in A64", "cortex-a57", GUEST_A64, true, BAD | OR_LIMIT,
		{0x92800000 /* mov x0, #-1 */, 0x927CEC1F /* and sp, x0, #~15 */, 0xA9BF03E0 /* stp x0, x0, [sp, #-16]! */}},
	{"undefined in its own vector", "arm1176", GUEST_A32, false, LOOP,
		{0xE3A00004 /* mov r0, #4 */, 0xE59F1004 /* ldr r1, [pc, #4] */, 0xE5801000 /* str r1, [r0] */,
		 0xE7F000F0 /* udf */, 0xE7F000F0}},
	{"vectors at nowhere in A64", "cortex-a53", GUEST_A64, true, BAD,
		{0xD2AC0000, 0xD518C000 /* msr vbar_el1, x0 */, 0xD4000001 /* svc #0 */}},
	{"waits for what never comes", "arm1176", GUEST_A32, true, WAIT, {0xEE070F90 /* mcr p15, 0, r0, c7, c0, 4 */}},
	{"waits for what never comes, v7", "cortex-a15", GUEST_A32, true, WAIT, {0xE320F003 /* wfi */}},
	{"waits for what never comes, A64", "cortex-a53", GUEST_A64, true, WAIT, {0xD503207F /* wfi */}},
	{"MMU on, tables at nowhere", "arm1176", GUEST_A32, true, BAD | OR_LIMIT,
		{0xE3A00206, 0xEE020F10 /* TTBR0 */, 0xEE030F10 /* DACR */, 0xEE111F10 /* SCTLR */,
		 0xE3811001 /* orr r1, #1 */, 0xEE011F10}},
	{"MMU on, tables are the program", "cortex-a15", GUEST_A32, true, BAD | OR_LIMIT,
		{0xE3A00000, 0xEE020F10, 0xEE111F10, 0xE3811001, 0xEE011F10}},
	{"MMU on in A64, tables at nowhere", "cortex-a53", GUEST_A64, true, BAD | OR_LIMIT,
		{0xD2AC0000, 0xD5182000 /* ttbr0_el1 */, 0xD5182040 /* tcr_el1 */, 0xD5381001 /* x1 = sctlr_el1 */,
		 0xB2400021 /* orr x1, x1, #1 */, 0xD5181001 /* sctlr_el1 = x1 */, 0xD5033FDF /* isb */}},
	{"ERET to EL2", "cortex-a53", GUEST_A64, true, ANY,
		{0xD2807920 /* mov x0, #0x3c9 */, 0xD5184000 /* spsr_el1 */, 0xD5184020 /* elr_el1 */, 0xD69F03E0 /* eret */}},
	{"ERET to EL3", "cortex-a53", GUEST_A64, true, ANY, {0xD28079A0 /* 0x3cd */, 0xD5184000, 0xD5184020, 0xD69F03E0}},
	{"ERET to AArch32 User", "cortex-a53", GUEST_A64, true, ANY,
		{0xD2803A00 /* 0x1d0 */, 0xD5184000, 0xD5184020, 0xD69F03E0}},
	{"ERET to AArch32 Supervisor", "cortex-a72", GUEST_A64, true, ANY,
		{0xD2803A60 /* 0x1d3 */, 0xD5184000, 0xD5184020, 0xD69F03E0}},
	{"ERET to a mode that is none", "cortex-a57", GUEST_A64, true, ANY,
		{0x92800000, 0xD5184000, 0xD5184020, 0xD69F03E0}},
	{"ERET at EL0", "cortex-a53", GUEST_A64, true, ANY,
		{0xD2807800 /* 0x3c0 */, 0xD5184000, 0x10000060 /* adr x0, #12 */, 0xD5184020, 0xD69F03E0, 0xD69F03E0}},
	{"CPSR to Monitor mode", "arm1176", GUEST_A32, true, ANY, {0xE321F0D6, 0xE1B0F00E /* movs pc, lr */}},
	{"CPSR to Monitor mode without TrustZone", "arm1136", GUEST_A32, true, ANY, {0xE321F0D6, 0xE1B0F00E}},
	{"CPSR to Hyp mode", "cortex-a15", GUEST_A32, true, ANY, {0xE321F0DA, 0xE160006E /* eret */}},
	{"CPSR to a mode that is none", "cortex-a15", GUEST_A32, true, ANY, {0xE321F0D4, 0xE1B0F00E}},
	{"CPSR all ones", "xscale2", GUEST_A32, true, ANY, {0xE3E00000, 0xE129F000 /* msr cpsr_fc, r0 */, 0xE129F000}},
	{"SPSR of System mode", "cortex-a8", GUEST_A32, true, ANY, {0xE321F0DF, 0xE14F0000 /* mrs r0, spsr */, 0xE1B0F00E}},
	{"exception return to anything", "cortex-a7", GUEST_A32, true, ANY,
		{0xE3E00000, 0xE16FF000 /* msr spsr_cxsf, r0 */, 0xE1B0F00E}},
	{"RFE from nowhere", "cortex-a9", GUEST_A32, true, ANY, {0xE3A00206, 0xF8900A00 /* rfeia r0 */}},
	{"SRS to nowhere", "cortex-a9", GUEST_A32, true, ANY, {0xE3A0D206, 0xF96D0513 /* srsdb sp!, #19 */}},
	{"breakpoints", "cortex-a15", GUEST_A32, true, ANY, {0xE1200070 /* bkpt */, 0xE1200070}},
	{"a breakpoint in A64", "cortex-a53", GUEST_A64, true, ANY, {0xD4200000 /* brk #0 */}},
	{"HLT that is no semihosting", "cortex-a53", GUEST_A64, true, ANY, {0xD4400020 /* hlt #1 */}},
	{"semihosting with a wild block", "cortex-a53", GUEST_A64, true, ANY,
		{0xD2800060 /* mov x0, #3: SYS_WRITEC */, 0x92800001 /* x1 = -1 */, 0xD45E0000, 0xD28000A0 /* SYS_WRITE */, 0xD45E0000}},
	{"SMC and HVC of nothing", "cortex-a53", GUEST_A64, true, ANY, {0x92800000, 0xD4000003, 0xD4000002, 0xD4000003}},
	{"HVC in A32", "cortex-a15", GUEST_A32, true, ANY, {0xE1400070, 0xE1600070 /* smc #0 */}},
	{"big endian", "cortex-a9", GUEST_A32, true, ANY, {0xF1010200 /* setend be */, 0xE5910000 /* ldr r0, [r1] */, 0xF1010000}},
	{"an IT block round a system call", "cortex-a15", GUEST_T32, true, ANY,
		{0xDF00BF08 /* it eq; svceq #0 */, 0xBF08DF00, 0xE7FEDF00}},
	{"the end of RAM", "arm1136", GUEST_A32, true, BAD | OR_LIMIT,
		{0xE3A00302 /* mov r0, #0x08000000 */, 0xE2400004 /* sub #4 */, 0xE3A01001, 0xE12FFF10}},
};
/* ... that start at EL2 */
static const struct wild wild2[] = {
	{"ERET to stage 2 without tables", "cortex-a72", GUEST_A64, false, BAD,
		{0xD2B00001 /* x1 = RW */,
		 0xB2400021 /* orr x1, x1, #1: VM */, 0xD51C1101 /* hcr_el2 */, 0xD28078A0 /* 0x3c5 */, 0xD51C4000,
		 0xD51C4020, 0xD69F03E0}},
	{"Hyp mode to stage 2 without tables", "cortex-a15", GUEST_A32, false, BAD,
		{0xE3A00001 /* mov r0, #1: VM */, 0xEE810F11 /* hcr */, 0xE3A000D3, 0xE16FF000 /* msr spsr_cxsf, r0 */,
		 0xE12EF301 /* msr ELR_hyp, r1 */, 0xE160006E /* eret */}},
	{"Hyp mode to anything", "cortex-a7", GUEST_A32, false, ANY,
		{0xE3E00000, 0xEE810F11, 0xEE810F31 /* hdcr */, 0xE16FF000, 0xE12EF300, 0xE160006E}},
	{"Hyp vectors at nowhere", "cortex-a15", GUEST_A32, false, BAD,
		{0xE3A00206, 0xEE8C0F10 /* hvbar */, 0xE1400070 /* hvc #0 */}},
	{"HVC in Hyp mode that calls itself", "cortex-a17", GUEST_A32, false, BAD | OR_LIMIT,
		{0xE24F0010 /* r0 = pc - 16 */, 0xE3C0001F, 0xEE8C0F10, 0xE1A00000, 0xE1400070, 0xE1400070}},
	{"Hyp's MMU on, tables at nowhere", "cortex-a15", GUEST_A32, false, BAD | OR_LIMIT,
		{0xE3A00206, 0xE3A01000, 0xEC410F42 /* httbr */, 0xEE911F10 /* hsctlr */, 0xE3811001, 0xEE811F10}},
	{"SRS to Hyp's stack, RFE in Hyp mode", "cortex-a15", GUEST_A32, false, ANY,
		{0xF96D051A /* srsdb sp!, #0x1a */, 0xF8900A00 /* rfeia r0 */, 0xE8FD8000 /* ldm sp!, {pc}^ */}},
	{"timers of EL2", "cortex-a15", GUEST_A32, false, ANY,
		{0xE3E00000, 0xEE8E0F11 /* cnthctl */, 0xEE8E0F12, 0xEE8E0F32, 0xEC410F6E, 0xEC410F4E, 0xE320F003}},
	{"ERET to EL1 under TGE", "cortex-a57", GUEST_A64, false, ANY,
		{0xD2B10000 /* 0x88000000 */, 0xD51C1100, 0xD28078A0, 0xD51C4000, 0xD51C4020, 0xD69F03E0}},
	{"EL2's MMU on, tables at nowhere", "cortex-a53", GUEST_A64, false, BAD | OR_LIMIT,
		{0xD2AC0000, 0xD51C2000, 0xD51C2040, 0xD53C1001, 0xB2400021, 0xD51C1001, 0xD5033FDF}},
};
/* ... at EL3, or in Secure state */
static const struct wild wild3[] = {
	{"HVC and SMC with vectors at nowhere", "cortex-a53", GUEST_A64, false, BAD,
		{0xD2AC0000, 0xD51CC000 /* vbar_el2 */, 0xD51EC000 /* vbar_el3 */, 0xD4000003, 0xD4000002}},
	{"SMC that calls itself", "cortex-a53", GUEST_A64, false, BAD | OR_LIMIT,
		{0x10000000 /* adr x0, . */, 0x9274D000 /* and x0, x0, #~0xfff */, 0xD51EC000, 0xD4000003}},
	{"ERET to AArch32 from EL3", "cortex-a53", GUEST_A64, false, 1u << APMU_STOP_ENGINE,
		{0xD2803A00 /* 0x1d0 */, 0xD51E4000 /* spsr_el3 */, 0xD51E4020 /* elr_el3 */, 0xD69F03E0}},
	{"ERET to EL2 from Secure state", "cortex-a53", GUEST_A64, false, ANY,
		{0xD2807920 /* 0x3c9 */, 0xD51E4000, 0xD51E4020, 0xD69F03E0}},
	{"SCR_EL3, HCR_EL2 all ones", "generic-v9", GUEST_A64, false, ANY,
		{0x92800000, 0xD51E1100, 0xD51C1100, 0xD2807800, 0xD51E4000, 0x10000060, 0xD51E4020, 0xD69F03E0,
		 0xD4000001, 0xD4000001}},
	{"Monitor vectors at nowhere", "cortex-a15", GUEST_A32, false, BAD,
		{0xE3A00206, 0xEE0C0F30 /* mvbar */, 0xE1600070 /* smc #0 */}},
	{"Monitor mode to anything", "cortex-a9", GUEST_A32, true, ANY,
		{0xE321F0D6, 0xE3E00000, 0xEE010F11 /* scr */, 0xE16FF000, 0xE1B0F00E}},
};
/* clang-format on */

static struct apmu_stop run(const struct wild *w, uint8_t el)
{
	struct apmu_machine_config config = {.core = apmu_core_find(w->core), .cpi = 1, .el = el};
	static struct guest g;
	struct apmu_machine *m;
	struct apmu_stop stop = {0};
	char error[120] = "";

	guest_start(&g, w->isa);
	guest_prologue(&g);
	for (unsigned i = 0; i < WORDS; i++, g.here += 4)
		memcpy(g.byte + g.here, &w->word[i], 4);
	if (apmu_machine_new(&config, &m, error, sizeof error))
		fail_msg("%s: %s", w->what, error);
	if (w->vectors)
		CHECK_EQ(apmu_machine_load(m, g.byte, GUEST_CODE, 0, false, error, sizeof error), 0);
	CHECK_EQ(apmu_machine_load(m, g.byte + GUEST_CODE, g.here - GUEST_CODE, GUEST_CODE, true, error,
				   sizeof error),
		 0);
	CHECK_EQ(apmu_machine_run(m, MOST_INSNS, &stop), 0);
	apmu_machine_free(m);
	return stop;
}

/* How many ended otherwise than they may, or without a word. */
static unsigned bad_ends(const struct wild *w, size_t n, uint8_t el)
{
	unsigned bad = 0;

	for (; n--; w++) {
		struct apmu_stop stop = run(w, el);
		if (getenv("APMU_VERBOSE"))
			printf("%s: reason %d after %u, %s\n", w->what, stop.reason, (unsigned)stop.insns,
			       stop.what);
		bool fits = w->ends >> stop.reason & 1, said = stop.reason == APMU_STOP_LIMIT || *stop.what;
		if (!fits || !said)
			fprintf(stderr, "%s: ended for reason %d: '%s'\n", w->what, stop.reason, stop.what);
		bad += !fits || !said;
	}
	return bad;
}

TEST(wild_guests_end_with_a_report)
{
	CHECK_EQ(bad_ends(wild, sizeof wild / sizeof *wild, 1), 0);
}

TEST(wild_guests_from_higher_levels_do_too)
{
	CHECK_EQ(bad_ends(wild2, sizeof wild2 / sizeof *wild2, 2), 0);
	CHECK_EQ(bad_ends(wild3, sizeof wild3 / sizeof *wild3, 3), 0);
}

/* docs/machine.md, "Programs that are not trusted". */
TEST(words_that_make_libunicorn_abort_end_the_run)
{
	static const uint32_t ends[] = {0x6E560D25, 0x2EF9EB89, 0x0EF9F932, 0x5EF8F936, 0x7EF9F9F1};
	struct apmu_machine_config config = {.core = apmu_core_find("neoverse-n1"), .cpi = 1};
	struct sigaction before, after;
	char error[120];

	sigaction(SIGABRT, NULL, &before);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		uint32_t words[] = {0xD503201F /* nop */, 0x14000001 /* b to the next */, ends[i]};
		struct apmu_machine *m;
		struct apmu_stop stop;

		CHECK_EQ(apmu_machine_new(&config, &m, error, sizeof error), 0);
		CHECK_EQ(apmu_machine_load(m, words, sizeof words, GUEST_CODE, true, error, sizeof error), 0);
		for (unsigned again = 0; again < 2; again++) {
			CHECK_EQ(apmu_machine_run(m, 40, &stop), 0);
			CHECK_EQ(stop.reason, APMU_STOP_ENGINE);
			CHECK_EQ(stop.pc, GUEST_CODE + 8);
			CHECK_EQ(stop.insns, 2);
		}
		apmu_machine_free(m);
	}
	sigaction(SIGABRT, NULL, &after);
	CHECK(before.sa_handler == after.sa_handler);
}

/* Code that writes over what comes next, in the same block and in a block that has run already. */
TEST(code_that_changes_itself_runs_as_changed)
{
	/* r2 = 0xE3A05007 (mov r5, #7); stored over the mov r5, #1 behind; a second turn runs it again. */
	static const uint32_t words[] = {
		0xE3A03002, /*    mov r3, #2 */
		0xE59F2018, /* 1: ldr r2, [pc, #0x18] */
		0xE3530001, /*    cmp r3, #1 */
		0x058F2000, /*    streq r2, [pc, #0]: over the mov */
		0xEAFFFFFF, /*    b 2f: what is changed lies in another block */
		0xE3A05001, /* 2: mov r5, #1 */
		0xE2533001, /*    subs r3, r3, #1 */
		0x1AFFFFF8, /*    bne 1b */
		0xEAFFFFFE, /*    b . : the literal follows */
		0xE3A05007,
	};
	struct apmu_machine_config config = {.core = apmu_core_find("arm1176"), .cpi = 1};
	struct apmu_machine *m;
	struct apmu_stop stop;
	char error[120];
	const char *name;
	uint64_t value = 0;

	CHECK_EQ(apmu_machine_new(&config, &m, error, sizeof error), 0);
	CHECK_EQ(apmu_machine_load(m, words, sizeof words, GUEST_CODE, true, error, sizeof error), 0);
	CHECK_EQ(apmu_machine_run(m, 40, &stop), 0);
	for (unsigned i = 0; apmu_machine_register(m, i, &name, &value); i++)
		if (!strcmp(name, "r5"))
			break;
	CHECK_EQ(value, 7);
	apmu_machine_free(m);
}
