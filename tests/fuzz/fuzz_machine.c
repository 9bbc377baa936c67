/* SPDX-License-Identifier: MIT */
/**
 * Can a guest break the machine? Bytes become a program: raw instruction words, accesses to PMU and other
 * system registers, loads and stores all over the board, jumps to anywhere, self-modifying code; with or
 * without vectors, on a core and board that the input names.
 *
 * What must hold: the run ends within its limits with a reason that exists, twice in the same way.
 */
#include "fuzz_machine.h"
#include "../machine/guest.h"
#include "bytes.h"
#include <apmu/machine.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_INSNS = 3000, RAM = 1 << 20, TRANSLATIONS = 16 };

static const char *const cores[] = {"arm1136", "arm1156", "arm1176",     "xscale1",   "xscale2", "a7",
				    "a8",      "a9",      "a15",         "a53",       "a57",     "a72",
				    "a53",     "a53",     "neoverse-n1", "generic-v9"};
static const char *const boards[] = {"bare", "virt", "versatile", "pxa", "virt-gicv3"};
static const uint32_t places[] = {0x00000000, 0x00080000, 0x000FFFFC, 0x08000000, 0x08010000, 0x080A0000,
				  0x09000000, 0x10140000, 0x101F1000, 0x40000000, 0x40080000, 0x40100000,
				  0x40D00000, 0x7FFFFFFC, 0xA0000000, 0xFFFFFFF0};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static uint64_t address(struct bytes *b)
{
	return places[byte(b) % COUNT(places)] + (uint64_t)(int16_t)word(b, 2);
}

/* Mostly a register of the PMU, else any. */
static struct apmu_access some_register(struct bytes *b, const struct apmu_core *core, enum guest_isa isa)
{
	struct apmu_access at = {.view = isa == GUEST_A64 ? APMU_VIEW_A64 : APMU_VIEW_CP};
	const struct apmu_reg *reg = apmu_reg_nth(core, byte(b) % apmu_reg_count(core));

	for (unsigned i = 0; i < reg->encodings; i++)
		if (reg->at[i].view == at.view)
			at.encoding = apmu_encoding_for(&reg->at[i], byte(b) % 31);
	if (byte(b) < 64 || !at.encoding)
		at.encoding = isa == GUEST_A64 ? apmu_sysreg(2 + (byte(b) & 1), byte(b) & 7, byte(b) & 15,
							     byte(b) & 15, byte(b) & 7)
					       : apmu_cp(14 + (byte(b) & 1), byte(b) & 7, byte(b) & 15,
							 byte(b) & 15, byte(b) & 7);
	return at;
}

/* Of three registers: bit n stands for U:a:opcode n. */
static bool exists_of_three(uint32_t word)
{
	const uint32_t exist = 0x75FDC7DF;

	return exist >> ((word >> 11 & 7) | (word >> 23 & 1) << 3 | (word >> 29 & 1) << 4) & 1;
}

/* Of two: bit n of one of the words, by scalar and U, stands for a:opcode n. */
static bool exists_of_two(uint32_t word)
{
	static const uint64_t exist[2][2] = {{0x2F00F0003F000000, 0xAE00B0003F000000},
					     {0xAF0070003F000000, 0x2E00B0003F000000}};

	return exist[word >> 28 & 1][word >> 29 & 1] >> ((word >> 12 & 31) | (word >> 23 & 1) << 5) & 1;
}

/* A64's half-precision vector operations that do not exist end the process inside libunicorn
 * (docs/machine.md, "Programs that are not trusted"): nothing could be learnt from another one. */
static bool ends_the_library(uint32_t word)
{
	if ((word & 0x9F60C400) == 0x0E400400)
		return !exists_of_three(word);
	return (word & 0x8F7E0C00) == 0x0E780800 && !exists_of_two(word);
}

static bool machine_is_a64; /* whatever is written may come to be executed as A64 */

static void raw(struct guest *g, uint32_t word)
{
	if (machine_is_a64 && ends_the_library(word))
		return;
	for (unsigned i = 0; i < 4 && g->here < GUEST_SIZE; i++)
		g->byte[g->here++] = (uint8_t)(word >> 8 * i);
}

/* PC := r0: bx r0, br x0 */
static void jump(struct guest *g)
{
	static const uint32_t to_r0[GUEST_ISAS] = {0xE12FFF10, 0x46C04700, 0xD61F0000};

	raw(g, to_r0[g->isa]);
}

/* r1 is the address; what is stored is r8. */
static void memory(struct guest *g, struct bytes *b)
{
	guest_load(g, 1, address(b));
	guest_data_access(g, byte(b) & 1);
}

/* What programs with EL2 and EL3 have: calls, returns to anywhere, the registers of these levels. */
static void high_operation(struct guest *g, struct bytes *b)
{
	static const uint32_t msr[] = {
		0xD51C1100, /* hcr_el2, x0 */ 0xD51E1100, /* scr_el3 */ 0xD51C1000,   /* sctlr_el2 */
		0xD51E1000, /* sctlr_el3 */ 0xD51C2000,   /* ttbr0_el2 */ 0xD51E2000, /* ttbr0_el3 */
		0xD51C2040, /* tcr_el2 */ 0xD51E2040,     /* tcr_el3 */ 0xD51CC000,   /* vbar_el2 */
		0xD51EC000, /* vbar_el3 */ 0xD51C1120,    /* mdcr_el2 */ 0xD51E1320,  /* mdcr_el3 */
		0xD51C1140, /* cptr_el2 */ 0xD51C2100,    /* vttbr_el2 */ 0xD51C2140, /* vtcr_el2 */
	};
	static const uint32_t level[] = {0xD5180000, 0xD51C0000, 0xD51E0000};
	unsigned el = byte(b) % 3;

	switch (byte(b) % 3) {
	case 0: raw(g, byte(b) & 1 ? 0xD4000002 : 0xD4000003); break; /* hvc, smc */
	case 1:
		guest_load(g, 0, byte(b) & 1 ? address(b) : word(b, 8));
		raw(g, msr[byte(b) % COUNT(msr)]);
		break;
	default:
		guest_load(g, 0, (word(b, 1) & 0x1F) | 0x3C0);
		raw(g, level[el] | 0x4000); /* spsr, x0 */
		raw(g, 0x10000060);         /* adr x0, #12 */
		raw(g, level[el] | 0x4020); /* elr, x0 */
		raw(g, 0xD69F03E0);         /* eret */
	}
}

/* User mode; of A64 now and then AArch32's: what is behind is words of another instruction set. */
static void to_user(struct guest *g, unsigned how)
{
	if (g->isa != GUEST_A64 || how % 4 != 3) {
		guest_to_user(g);
		return;
	}
	guest_load(g, 0, 0x10 | (how & 4) << 3 | (how == 19 ? 1u << 20 : 0)); /* T; IL */
	raw(g, 0xD5184000);                                                   /* msr spsr_el1, x0 */
	raw(g, 0x10000060);                                                   /* adr x0, #12 */
	raw(g, 0xD5184020);                                                   /* msr elr_el1, x0 */
	raw(g, 0xD69F03E0);                                                   /* eret */
	g->isa = how & 4 ? GUEST_T32 : GUEST_A32;
}

/* The same of Monitor and Hyp mode, in A32. */
static void high_operation32(struct guest *g, struct bytes *b)
{
	static const uint32_t call[] = {
		0xE1400070, /* hvc #0 */ 0xE1600070,   /* smc #0 */
		0xE160006E, /* eret */ 0xF1020016,     /* cps #0x16 */
		0xF8900A00, /* rfeia r0 */ 0xF96D051A, /* srsdb sp!, #0x1a */
		0xE320F003, /* wfi */ 0xE320F002,      /* wfe */
	};
	static const uint32_t mcr[] = {
		0xEE810F11,
		/* hcr */ 0xEE810F31,
		/* hdcr */ 0xEE810F51,
		/* hcptr */ 0xEE810F71, /* hstr */
		0xEE810F10,
		/* hsctlr */ 0xEE820F50,
		/* htcr */ 0xEE820F51, /* vtcr */
		0xEC410F42,
		/* httbr */ 0xEC410F62,
		/* vttbr */ 0xEE8C0F10, /* hvbar */
		0xEE0C0F30,
		/* mvbar */ 0xEE010F11,
		/* scr */ 0xEE8E0F11, /* cnthctl */
		0xEE8E0F12,
		/* cnthp_tval */ 0xEE8E0F32,
		/* cnthp_ctl */ 0xEC410F6E, /* cnthp_cval */
		0xEC410F4E,
		/* cntvoff */ 0xEE880F17,
		/* tlbiallh */ 0xEE070F18, /* ats1cpr */
		0xEE870F18,
		/* ats1hr */ 0xEE070F98, /* ats12nsopr */
		0xE16EF300,
		/* msr SPSR_hyp */ 0xE123F300,
		/* SP_svc */ 0xE16CF300, /* SPSR_mon */
		0xE121F000,              /* cpsr_c */
	};

	switch (byte(b) % 3) {
	case 0: raw(g, call[byte(b) % COUNT(call)]); break;
	case 1:
		guest_load(g, 0, byte(b) & 1 ? address(b) : word(b, 4));
		guest_load(g, 1, byte(b) & 7);
		raw(g, mcr[byte(b) % COUNT(mcr)]);
		break;
	default:
		guest_load(g, 0, (word(b, 1) & 0x3F) | 0x1C0);
		raw(g, 0xE16FF000);                            /* msr spsr_cxsf, r0 */
		raw(g, 0xE28FE008);                            /* add lr, pc, #8 */
		raw(g, 0xE28F0004);                            /* add r0, pc, #4 */
		raw(g, 0xE12EF300);                            /* msr ELR_hyp, r0 */
		raw(g, byte(b) & 1 ? 0xE1B0F00E : 0xE160006E); /* movs pc, lr; eret */
	}
}

static void operation(struct guest *g, struct bytes *b, const struct apmu_core *core, bool high)
{
	unsigned from = byte(b), what = from % (high ? 16u : 12u);

	if (what > 11) {
		(machine_is_a64 ? high_operation : high_operation32)(g, b);
		return;
	}
	switch (what) {
	case 0:
	case 1:
	case 2: raw(g, (uint32_t)word(b, 4)); break;
	case 3:
	case 4: guest_access(g, some_register(b, core, g->isa), true, byte(b) & 7, 2); break;
	case 5: guest_access(g, some_register(b, core, g->isa), false, byte(b) & 7, 2); break;
	case 6: guest_load(g, byte(b) % 8, byte(b) & 1 ? address(b) : word(b, 8)); break;
	case 7: memory(g, b); break;
	case 8: guest_interrupts(g, byte(b) & 1); break;
	case 9: to_user(g, from / 12u); break;
	case 10: guest_to_privileged(g); break;
	default: guest_load(g, 0, address(b) & ~(uint64_t)(byte(b) & 3)); jump(g);
	}
}

static struct apmu_stop run(const struct apmu_machine_config *config, const struct guest *g, bool vectors)
{
	struct apmu_machine *m;
	struct apmu_stop stop = {.reason = APMU_STOP_REASONS};
	char error[160];
	uint64_t base = strcmp(config->board, "virt") && strcmp(config->board, "virt-gicv3") ? 0 : 0x40000000;

	if (apmu_machine_new(config, &m, error, sizeof error))
		return stop;
	if ((!vectors || apmu_machine_load(m, g->byte, GUEST_CODE, base, false, error, sizeof error) == 0) &&
	    apmu_machine_load(m, g->byte + GUEST_CODE, g->here - GUEST_CODE, base + GUEST_CODE, true, error,
			      sizeof error) == 0) {
		apmu_machine_until(m, 1000000);
		MUST(apmu_machine_run(m, MOST_INSNS, &stop) == 0);
		MUST(stop.reason < APMU_STOP_REASONS && stop.insns <= MOST_INSNS);
	}
	apmu_machine_free(m);
	return stop;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = {data, size};
	/* Programs may still come upon words that end libunicorn, as data or built at run time: the run ends.
	 */
	struct apmu_machine_config config = {.ram = RAM, .folder = -1};
	static struct guest g;

	config.core = apmu_core_find(cores[byte(&b) % COUNT(cores)]);
	config.board = boards[byte(&b) % COUNT(boards)];
	uint8_t how = byte(&b);
	config.cpi = how & 1;
	config.skid = how >> 1 & 3;
	config.pmu_to_fiq = how >> 3 & 1;
	bool a64 = config.core->features >> APMU_FEATURE_A64 & 1;
	machine_is_a64 = a64;
	bool high = how >> 5 == 6, high32 = high && !a64 && config.core->access_rule == APMU_ACCESS_V7;
	if (high)
		config.el = how & 4 && config.core->features >> APMU_FEATURE_EL2 & 1 ? 2 : 3;
	if (high32) {
		config.board = "bare";
		guest_start_levels32(&g, config.core->features >> APMU_FEATURE_EL2 & 1);
		if (config.el == 2)
			g.here = GUEST_CODE;
	} else if (high && a64) {
		config.board = "bare";
		guest_start_levels(&g);
	} else {
		guest_start(&g, a64 ? GUEST_A64 : how & 16 ? GUEST_T32 : GUEST_A32);
	}
	if (!a64) {
		uint32_t here = g.here;
		g.here = 0x10;
		raw(&g,
		    0xE25EF004); /* data abort: subs pc, lr, #4; A64's handler steps over whatever it was */
		g.here = here;
	}
	if (!high32 && !(high && a64))
		guest_prologue(&g);
	while (b.left && !g.full)
		operation(&g, &b, config.core, high && (a64 || high32));
	bool vectors = how >> 5 != 7;
	struct apmu_stop first = run(&config, &g, vectors), second;
	config.translations = TRANSLATIONS; /* the emulator begins anew again and again */
	second = run(&config, &g, vectors);
	MUST(first.reason == second.reason && first.pc == second.pc && first.insns == second.insns &&
	     first.cycles == second.cycles);
	return 0;
}
