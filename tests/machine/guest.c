/* SPDX-License-Identifier: MIT */
#include "guest.h"

#include <string.h>

static void put(struct guest *g, uint32_t bits, unsigned bytes)
{
	if (g->here + bytes > GUEST_SIZE) {
		g->full = true;
		return;
	}
	for (unsigned i = 0; i < bytes; i++)
		g->byte[g->here++] = (uint8_t)(bits >> 8 * i);
}

/* An A32 or A64 instruction, or a literal. */
void guest_word(struct guest *g, uint32_t bits)
{
	put(g, bits, 4);
}
#define word guest_word

/* A T32 instruction: first halfword in bits 31:16 if there are two. */
static void thumb(struct guest *g, uint32_t bits)
{
	if (bits >> 16)
		put(g, bits >> 16, 2);
	put(g, bits & 0xFFFF, 2);
}

static void at(struct guest *g, uint32_t address, const uint32_t *words, size_t n)
{
	g->here = address;
	while (n--)
		word(g, *words++);
}

#define AT(g, address, words) at(g, address, words, sizeof(words) / sizeof(words)[0])

/* Undefined: LR is the next A32 instruction, or the middle of a 32-bit T32 one. */
static const uint32_t undefined32[] = {
	0xE14FA000, /* mrs r10, spsr */
	0xE31A0020, /* tst r10, #0x20 */
	0x128EE002, /* addne lr, lr, #2 */
	0xE3A0CC07, /* mov r12, #0x700 */
	0xE59CA000, /* ldr r10, [r12] */
	0xE28AA001, /* add r10, r10, #1 */
	0xE58CA000, /* str r10, [r12] */
	0xE1B0F00E, /* movs pc, lr */
};
/* SVC: back to where it came from, in Supervisor mode. */
static const uint32_t back32[] = {
	0xE14FC000, /* mrs r12, spsr */
	0xE3CCC01F, /* bic r12, r12, #0x1f */
	0xE38CC013, /* orr r12, r12, #0x13 */
	0xE16FF00C, /* msr spsr_cxsf, r12 */
	0xE1B0F00E, /* movs pc, lr */
};
/* A64, synchronous: SVC comes back at EL1, all else is counted and skipped. */
static const uint32_t synchronous64[] = {
	0xD5385209, /* mrs x9, esr_el1 */
	0xD538402A, /* mrs x10, elr_el1 */
	0xD35AFD2B, /* lsr x11, x9, #26 */
	0xF100557F, /* cmp x11, #0x15 */
	0x54000120, /* b.eq 1f */
	0x9100114A, /* add x10, x10, #4 */
	0xD518402A, /* msr elr_el1, x10 */
	0xD280E00C, /* mov x12, #0x700 */
	0xF9000589, /* str x9, [x12, #8] */
	0xB9400189, /* ldr w9, [x12] */
	0x11000529, /* add w9, w9, #1 */
	0xB9000189, /* str w9, [x12] */
	0xD69F03E0, /* eret */
	0xD61F0140, /* 1: br x10 */
};
enum { UNDEFINED32 = 0x100, BACK32 = 0x140, IRQ = 0x200, SYNCHRONOUS64 = 0x640, VECTORS64 = 0x800 };

static uint32_t branch32(uint32_t from, uint32_t to)
{
	return 0xEA000000 | ((to - from - 8) >> 2 & 0xFFFFFF);
}

static uint32_t branch64(uint32_t from, uint32_t to)
{
	return 0x14000000 | ((to - from) >> 2 & 0x3FFFFFF);
}

static void start32(struct guest *g)
{
	static const uint32_t to[8] = {GUEST_CODE, UNDEFINED32, BACK32, 0x0C, 0x10, 0x14, IRQ, IRQ};

	for (uint32_t i = 0; i < 8; i++)
		word(g, branch32(4 * i, to[i]));
	AT(g, UNDEFINED32, undefined32);
	AT(g, BACK32, back32);
}

static void start64(struct guest *g)
{
	AT(g, SYNCHRONOUS64, synchronous64);
	for (uint32_t i = 0; i < 16; i++) {
		static const uint32_t to[4] = {SYNCHRONOUS64, IRQ};
		uint32_t from = VECTORS64 + 0x80 * i;
		g->here = from;
		word(g, branch64(from, to[i % 4] ? to[i % 4] : from));
	}
}

void guest_start(struct guest *g, enum guest_isa isa)
{
	memset(g, 0, sizeof *g);
	g->isa = isa;
	if (isa == GUEST_A64)
		start64(g);
	else
		start32(g);
	g->here = GUEST_CODE;
}

void guest_prologue(struct guest *g)
{
	if (g->isa == GUEST_A64) {
		guest_load(g, 9, VECTORS64);
		word(g, 0xD518C009); /* msr vbar_el1, x9 */
	} else if (g->isa == GUEST_T32) {
		word(g, 0xE28FC001); /* add r12, pc, #1 */
		word(g, 0xE12FFF1C); /* bx r12 */
	}
	guest_load(g, 1, GUEST_RESULTS);
}

void guest_irq(struct guest *g)
{
	g->here = IRQ;
	if (g->isa == GUEST_T32)
		g->isa = GUEST_A32; /* what is interrupted may be T32, the handler is not */
	if (g->isa == GUEST_A32) {
		word(g, 0xE24EE004); /* sub lr, lr, #4 */
		guest_load(g, 9, GUEST_REFUSED + 0x40);
		word(g, 0xE8890005); /* stm r9, {r0, r2} */
	} else {
		guest_load(g, 12, GUEST_REFUSED + 0x40);
		word(g, 0xA9000980); /* stp x0, x2, [x12] */
	}
}

void guest_irq_end(struct guest *g)
{
	if (g->isa == GUEST_A32) {
		guest_load(g, 9, GUEST_REFUSED + 0x40);
		word(g, 0xE8990005); /* ldm r9, {r0, r2} */
		word(g, 0xE1B0F00E); /* movs pc, lr */
	} else {
		guest_load(g, 12, GUEST_REFUSED + 0x40);
		word(g, 0xA9400980); /* ldp x0, x2, [x12] */
		word(g, 0xD69F03E0); /* eret */
	}
	g->full |= g->here > (g->isa == GUEST_A64 ? (uint32_t)SYNCHRONOUS64 : GUEST_REFUSED);
	g->here = GUEST_CODE;
}

void guest_load(struct guest *g, unsigned reg, uint64_t value)
{
	uint32_t low = (uint32_t)value;

	switch (g->isa) {
	case GUEST_A32:
		word(g, 0xE59F0000 | reg << 12); /* ldr reg, [pc, #0] */
		word(g, 0xEA000000);             /* b over */
		word(g, low);
		break;
	case GUEST_T32:
		for (unsigned half = 0; half < 2; half++, low >>= 16) /* movw, movt */
			thumb(g, (half ? 0xF2C00000 : 0xF2400000) | (low >> 11 & 1) << 26 |
					 (low >> 12 & 15) << 16 | (low >> 8 & 7) << 12 | reg << 8 |
					 (low & 0xFF));
		break;
	default:
		for (uint32_t i = 0; i < 4; i++) /* movz, movk */
			word(g, (i ? 0xF2800000 : 0xD2800000) | i << 21 |
					(uint32_t)(value >> 16 * i & 0xFFFF) << 5 | reg);
	}
}

void guest_store_result(struct guest *g, unsigned reg)
{
	if (g->isa == GUEST_A32)
		word(g, 0xE4810004 | reg << 12); /* str reg, [r1], #4 */
	else if (g->isa == GUEST_T32)
		thumb(g, 0xF8410B04 | reg << 12);
	else
		word(g, 0xF8008420 | reg); /* str reg, [x1], #8 */
}

static uint32_t cp_bits(uint32_t e, bool write, unsigned rt)
{
	return (write ? 0xEE000010 : 0xEE100010) | (e >> 12 & 15) << 21 | (e >> 8 & 15) << 16 | rt << 12 |
	       (e >> 16 & 15) << 8 | (e & 7) << 5 | (e >> 4 & 15);
}

static uint32_t cp64_bits(uint32_t e, bool write, unsigned rt, unsigned rt2)
{
	return (write ? 0xEC400000 : 0xEC500000) | rt2 << 16 | rt << 12 | (e >> 16 & 15) << 8 |
	       (e >> 12 & 15) << 4 | (e >> 4 & 15);
}

static uint32_t sysreg_bits(uint32_t e, bool write, unsigned rt)
{
	return (write ? 0xD5000000 : 0xD5200000) | (e >> 16 & 3) << 19 | (e >> 12 & 7) << 16 |
	       (e & 0xFFF) << 5 | rt;
}

/* apmu_sysreg() holds CRn, CRm, op2 in four bits each; the instruction in four, four and three. */
static uint32_t packed(uint32_t e)
{
	return (e & ~0xFFFu) | (e >> 8 & 15) << 7 | (e >> 4 & 15) << 3 | (e & 7);
}

bool guest_access(struct guest *g, struct apmu_access access, bool write, unsigned rt, unsigned rt2)
{
	bool a64 = g->isa == GUEST_A64;

	if (access.view == APMU_VIEW_A64 && a64)
		word(g, sysreg_bits(packed(access.encoding), write, rt));
	else if (access.view == APMU_VIEW_CP && g->isa == GUEST_A32)
		word(g, cp_bits(access.encoding, write, rt));
	else if (access.view == APMU_VIEW_CP && g->isa == GUEST_T32)
		thumb(g, cp_bits(access.encoding, write, rt));
	else if (access.view == APMU_VIEW_CP64 && g->isa == GUEST_A32)
		word(g, cp64_bits(access.encoding, write, rt, rt2));
	else if (access.view == APMU_VIEW_CP64 && g->isa == GUEST_T32)
		thumb(g, cp64_bits(access.encoding, write, rt, rt2));
	else
		return false;
	return true;
}

void guest_to_user(struct guest *g)
{
	static const uint32_t a32[] = {
		0xE10FC000, /* mrs r12, cpsr */
		0xE3CCC01F, /* bic r12, r12, #0x1f */
		0xE38CC010, /* orr r12, r12, #0x10 */
		0xE16FF00C, /* msr spsr_cxsf, r12 */
		0xE28FE000, /* add lr, pc, #0: behind the next */
		0xE1B0F00E, /* movs pc, lr */
	};
	static const uint32_t t32[] = {
		0xF3EF8C00, /* mrs r12, cpsr */
		0xF02C0C1F, /* bic r12, r12, #0x1f */
		0xF04C0C30, /* orr r12, r12, #0x30: User, Thumb */
		0xF39C8F00, /* msr spsr_cxsf, r12 */
	};
	static const uint32_t a64[] = {
		0xD53B4229, /* mrs x9, daif */
		0xD50342DF, /* msr daifset, #2: an interrupt would overwrite what follows */
		0xD5184009, /* msr spsr_el1, x9: EL0t, masks as they are */
		0x1000006A, /* adr x10, #12 */
		0xD518402A, /* msr elr_el1, x10 */
		0xD69F03E0, /* eret */
	};

	if (g->isa == GUEST_A32) {
		AT(g, g->here, a32);
	} else if (g->isa == GUEST_T32) {
		for (unsigned i = 0; i < 4; i++)
			thumb(g, t32[i]);
		guest_load(g, 14, g->here + 8 + 4);
		thumb(g, 0xF3DE8F00); /* subs pc, lr, #0 */
	} else {
		AT(g, g->here, a64);
	}
}

void guest_to_privileged(struct guest *g)
{
	if (g->isa == GUEST_T32)
		thumb(g, 0xDF00);
	else
		word(g, g->isa == GUEST_A32 ? 0xEF000000 : 0xD4000001); /* svc #0 */
}

void guest_interrupts(struct guest *g, bool on)
{
	if (g->isa == GUEST_A64) {
		word(g, on ? 0xD50342FF : 0xD50342DF); /* msr daifclr or daifset, #2 */
	} else if (g->isa == GUEST_A32) {
		word(g, on ? 0xE321F053 : 0xE321F0D3); /* msr cpsr_c, Supervisor */
	} else {
		thumb(g, on ? 0xB662 : 0xB672); /* cpsie i, cpsid i */
	}
}

void guest_nop(struct guest *g)
{
	if (g->isa == GUEST_T32)
		thumb(g, 0x46C0); /* mov r8, r8 */
	else
		word(g, g->isa == GUEST_A32 ? 0xE1A08008 : 0xD503201F);
}

void guest_set_bit0(struct guest *g)
{
	if (g->isa == GUEST_T32)
		thumb(g, 0xF0400001);
	else
		word(g, g->isa == GUEST_A32 ? 0xE3800001 : 0xB2400000); /* orr r0, r0, #1 */
}

void guest_data_access(struct guest *g, bool store)
{
	static const uint32_t bits[GUEST_ISAS][2] = {
		{0xE5918000, 0xE5818000}, /* ldr r8, [r1]; str */
		{0xF8D18000, 0xF8C18000},
		{0xB9400028, 0xB9000028}, /* ldr w8, [x1]; str */
	};

	if (g->isa == GUEST_T32)
		thumb(g, bits[g->isa][store]);
	else
		word(g, bits[g->isa][store]);
}

void guest_loop(struct guest *g, unsigned times)
{
	guest_load(g, 7, times);
	guest_nop(g);
	if (g->isa == GUEST_A32) {
		word(g, 0xE2577001); /* subs r7, r7, #1 */
		word(g, 0x1AFFFFFC); /* bne -2 */
	} else if (g->isa == GUEST_T32) {
		thumb(g, 0x3F01); /* subs r7, #1 */
		thumb(g, 0xD1FC); /* bne -2 */
	} else {
		word(g, 0xF10004E7); /* subs x7, x7, #1 */
		word(g, 0x54FFFFC1); /* b.ne -2 */
	}
}

void guest_stop_here(struct guest *g)
{
	if (g->isa == GUEST_T32)
		thumb(g, 0xE7FE);
	else
		word(g, g->isa == GUEST_A32 ? 0xEAFFFFFE : 0x14000000);
}

void guest_exit(struct guest *g)
{
	enum { SYS_EXIT = 0x18, APPLICATION_EXIT = 0x20026, BLOCK = GUEST_REFUSED + 0x80 };

	guest_load(g, 1, g->isa == GUEST_A64 ? BLOCK : APPLICATION_EXIT);
	if (g->isa == GUEST_A64) {
		guest_load(g, 0, APPLICATION_EXIT);
		word(g, 0xA9007C20); /* stp x0, xzr, [x1] */
	}
	guest_load(g, 0, SYS_EXIT);
	if (g->isa == GUEST_T32)
		thumb(g, 0xDFAB); /* svc #0xab */
	else
		word(g, g->isa == GUEST_A32 ? 0xEF123456 : 0xD45E0000); /* svc #0x123456; hlt #0xf000 */
}
