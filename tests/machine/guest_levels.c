/* SPDX-License-Identifier: MIT */
/* A64 guests that have EL2 and EL3: their vectors, and the way from any level and world to any other. */
#include "guest.h"

enum { VECTORS = 0x2000, VECTOR_TABLE = 0x800, HANDLERS = 0x3800, HANDLER = 0x80, START = 0x4000 };
enum { SCR_NS = 1, CALL_SVC = 0x15, CALL_SMC = 0x17 };
#define SCR_NSE ((uint64_t)1 << 62)

/* op1 of the level's own registers, where the instruction has it. */
static uint32_t own(unsigned el)
{
	return (el == 3 ? 6u : el == 2 ? 4u : 0) << 16;
}

/* Calls go on to EL3, whose handler changes level and world: x14 is SPSR_EL3 then, x15 SCR_EL3, x10 ELR_EL3.
 * All else is noted and skipped. */
static void handler(struct guest *g, unsigned el)
{
	uint32_t call = el == 3 ? CALL_SMC : CALL_SVC;

	g->here = HANDLERS + HANDLER * (el - 1);
	guest_word(g, 0xD5385209 | own(el)); /* mrs x9, esr */
	guest_word(g, 0xD538402A | own(el)); /* mrs x10, elr */
	guest_word(g, 0xD35AFD2B);           /* lsr x11, x9, #26 */
	guest_word(g, 0xF100017F | call << 10);
	guest_word(g, 0x54000160);           /* b.eq call */
	guest_word(g, 0x9100114A);           /* add x10, x10, #4 */
	guest_word(g, 0xD518402A | own(el)); /* msr elr, x10 */
	guest_word(g, 0xD280E00C);           /* mov x12, #0x700 */
	guest_word(g, 0xF9000589);           /* str x9, [x12, #8] */
	guest_word(g, 0xD2800009 | el << 5); /* mov x9, #el */
	guest_word(g, 0xF9000989);           /* str x9, [x12, #16] */
	guest_word(g, 0xB9400189);           /* ldr w9, [x12] */
	guest_word(g, 0x11000529);           /* add w9, w9, #1 */
	guest_word(g, 0xB9000189);           /* str w9, [x12] */
	guest_word(g, 0xD69F03E0);           /* eret */
	if (el < 3) {
		guest_word(g, 0xAA0A03EC); /* call: mov x12, x10 */
		guest_word(g, 0xD4000023); /* smc #1 */
	} else {
		guest_word(g, 0xF240013F); /* call: tst x9, #1 */
		guest_word(g, 0x9A8A118A); /* csel x10, x12, x10, ne */
		guest_word(g, 0xD51E400E); /* msr spsr_el3, x14 */
		guest_word(g, 0xD51E110F); /* msr scr_el3, x15 */
		guest_word(g, 0xD51E402A); /* msr elr_el3, x10 */
		guest_word(g, 0xD69F03E0); /* eret */
	}
}

static void vectors(struct guest *g, unsigned el)
{
	uint32_t table = VECTORS + VECTOR_TABLE * (el - 1), to = HANDLERS + HANDLER * (el - 1);

	for (uint32_t i = 0; i < 16; i++) {
		uint32_t from = table + 0x80 * i;

		g->here = from;
		guest_word(g, 0x14000000 | (((i % 4 ? from : to) - from) >> 2 & 0x3FFFFFF));
	}
}

void guest_start_levels(struct guest *g)
{
	guest_start(g, GUEST_A64);
	g->here = GUEST_CODE;
	guest_word(g, 0x14000000 | (START - GUEST_CODE) >> 2);
	for (unsigned el = 1; el <= 3; el++) {
		vectors(g, el);
		handler(g, el);
	}
	g->here = START;
	for (unsigned el = 1; el <= 3; el++) {
		guest_load(g, 9, (uint64_t)VECTORS + VECTOR_TABLE * (el - 1));
		guest_word(g, 0xD518C009 | own(el)); /* msr vbar, x9 */
	}
	guest_load(g, 9, GUEST_HCR);
	guest_word(g, 0xD51C1109); /* msr hcr_el2, x9 */
	guest_load(g, 9, GUEST_SCR);
	guest_word(g, 0xD51E1109); /* msr scr_el3, x9 */
	guest_load(g, 1, GUEST_RESULTS);
}

void guest_go(struct guest *g, struct apmu_mode from, struct apmu_mode to, uint64_t scr)
{
	if (g->isa != GUEST_A64) {
		guest_go32(g, from, to, scr);
		return;
	}
	scr &= ~(SCR_NSE | SCR_NS);
	if (to.security == APMU_NONSECURE || to.security == APMU_REALM)
		scr |= SCR_NS;
	if (to.security == APMU_REALM)
		scr |= SCR_NSE;
	guest_load(g, 14, 0x3C0 | (to.el ? (uint64_t)to.el << 2 | 1 : 0));
	guest_load(g, 15, scr);
	guest_word(g, from.el ? 0xD4000003 : 0xD4000001); /* smc #0, svc #0 */
}
