/* SPDX-License-Identifier: MIT */
/* A32 guests that start in Secure state: Monitor and Hyp mode, and the way from any mode and world to any
 * other. */
#include "guest.h"

enum {
	UNDEFINED = 0x100,
	CALL = 0x140,
	HYP = 0x180,
	MONITOR = 0x200,
	HYP_TABLE = 0x400,
	MONITOR_TABLE = 0x420
};
enum { START = 0x4000, USER = 0x1D0, SUPERVISOR = 0x1D3, MONITOR_MODE = 0x1D6, HYP_MODE = 0x1DA };

/* What PL1 refuses: counted, skipped, no syndrome. */
static const uint32_t undefined[] = {
	0xE3A0CC07, /* mov r12, #0x700 */
	0xE59CA000, /* ldr r10, [r12] */
	0xE28AA001, /* add r10, r10, #1 */
	0xE58CA000, /* str r10, [r12] */
	0xE3A0A000, /* mov r10, #0 */
	0xE58CA008, /* str r10, [r12, #8] */
	0xE1B0F00E, /* movs pc, lr */
};
/* What Hyp mode gets: with HSR, and the level. */
static const uint32_t hyp[] = {
	0xE3A0CC07, 0xE59CA000, 0xE28AA001, 0xE58CA000, 0xEE95AF12, /* mrc p15, 4, r10, c5, c2, 0 */
	0xE58CA008, 0xE3A0A002,                                     /* mov r10, #2 */
	0xE58CA010,                                                 /* str r10, [r12, #16] */
	0xE10EA300,                                                 /* mrs r10, ELR_hyp */
	0xE28AA004,                                                 /* add r10, r10, #4 */
	0xE12EF30A,                                                 /* msr ELR_hyp, r10 */
	0xE160006E,                                                 /* eret */
};
/* User mode's way to the Monitor. */
static const uint32_t call[] = {
	0xE1A0B00E, /* mov r11, lr */
	0xE1600072, /* smc #2 */
};
/* The Monitor: r9 is SCR from here, r12 the mode, r11 where to unless it is 0. */
static const uint32_t monitor[] = {
	0xE35B0000, /* cmp r11, #0 */
	0x11A0E00B, /* movne lr, r11 */
	0xEE019F11, /* mcr p15, 0, r9, c1, c1, 0 */
	0xE16FF00C, /* msr spsr_cxsf, r12 */
	0xE1B0F00E, /* movs pc, lr */
};
/* r0: Monitor's vectors; r2: Hyp mode's; r9: SCR with NS; r10: without. */
static const uint32_t start[] = {
	0xEE0C0F30, /* mcr p15, 0, r0, c12, c0, 1 */
	0xF1020016, /* cps #0x16 */
	0xEE019F11, /* mcr p15, 0, r9, c1, c1, 0 */
	0xEE8C2F10, /* mcr p15, 4, r2, c12, c0, 0 */
	0xEE01AF11, /* mcr p15, 0, r10, c1, c1, 0 */
	0xF1020013, /* cps #0x13 */
};

static void at(struct guest *g, uint32_t address, const uint32_t *words, size_t n)
{
	g->here = address;
	while (n--)
		guest_word(g, *words++);
}
#define AT(g, address, words) at(g, address, words, sizeof(words) / sizeof(words)[0])

static void jump(struct guest *g, uint32_t from, uint32_t to)
{
	g->here = from;
	guest_word(g, 0xEA000000 | ((to - from - 8) >> 2 & 0xFFFFFF));
}

void guest_start_levels32(struct guest *g, bool has_hyp)
{
	guest_start(g, GUEST_A32);
	jump(g, 4, UNDEFINED);
	jump(g, 8, CALL);
	jump(g, HYP_TABLE + 0x04, HYP);
	jump(g, HYP_TABLE + 0x14, HYP);
	jump(g, MONITOR_TABLE + 0x08, MONITOR);
	AT(g, UNDEFINED, undefined);
	AT(g, CALL, call);
	AT(g, HYP, hyp);
	AT(g, MONITOR, monitor);
	jump(g, GUEST_CODE, START);
	g->here = START;
	guest_load(g, 0, MONITOR_TABLE);
	guest_load(g, 2, HYP_TABLE);
	guest_load(g, 9, GUEST_SCR32 | 1);
	guest_load(g, 10, GUEST_SCR32);
	for (size_t i = 0; i < sizeof start / sizeof *start; i++)
		guest_word(g, i == 3 && !has_hyp ? 0xE1A00000 : start[i]);
	guest_load(g, 1, GUEST_RESULTS);
}

void guest_go32(struct guest *g, struct apmu_mode from, struct apmu_mode to, uint64_t scr)
{
	static const uint32_t mode[4] = {USER, SUPERVISOR, HYP_MODE, MONITOR_MODE};

	if (to.el < 3) /* Monitor mode is Secure with either */
		scr = (scr & ~(uint64_t)1) | (to.security == APMU_NONSECURE);
	guest_load(g, 9, scr);
	guest_load(g, 11, 0);
	guest_load(g, 12, mode[to.el]);
	guest_word(g, from.el ? 0xE1600071 : 0xEF000001); /* smc #1, svc #1 */
}
