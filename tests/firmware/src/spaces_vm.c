/* SPDX-License-Identifier: MIT */
/*
 * TLB entries of two guests, by their VMIDs: a hypervisor at EL2 lets EL1 load from two pages, which stage 2
 * maps flat, and counts EL1's refills.
 */
#include "rt.h"

#define WRITE(name, value) __asm__ volatile("msr " #name ", %0\n\tisb" ::"r"((uint64_t)(value)) : "memory")
#define TLBI(what)         __asm__ volatile("tlbi " what "\n\tdsb sy\n\tisb" ::: "memory")
#define HCR                (1u << 31 | 1u)
#define VTCR               0x80023560u /* 32 bits from level 1, 4 KiB, cacheable, 40 bits out */
#define VS                 (1u << 19)
#define PAGES              0x48000000u
#define DTLB               0x5u
#define HPME               (1u << 7)

uint64_t hyp_enter(uint64_t *x);
void guest_on_interrupt(void);
extern char two_pages[];
static __attribute__((aligned(4096))) uint64_t table[512];

void guest_on_interrupt(void)
{
}

__asm__(".balign 64\ntwo_pages:\n"
	"1:\t.rept 2\n\tldr x12, [x0]\n\tadd x0, x0, #4096\n\t.endr\n\thvc #0\n\tb 1b\n");

static uint64_t in(uint64_t vmid)
{
	static uint64_t x[31];
	uint64_t n;

	x[0] = PAGES;
	WRITE(vttbr_el2, (uintptr_t)table | vmid << 48);
	WRITE(elr_el2, (uintptr_t)two_pages);
	WRITE(spsr_el2, 0x3C5);
	WRITE(pmevcntr0_el0, 0);
	WRITE(pmcntenset_el0, 1);
	hyp_enter(x);
	WRITE(pmcntenclr_el0, 1);
	__asm__ volatile("mrs %0, pmevcntr0_el0" : "=r"(n));
	return n;
}

static void say(const char *one, const char *two)
{
	rt_say(one, in(1));
	rt_say(two, in(2));
}

int main(void)
{
	uint64_t n = 0;

	table[0] = 0x4C5;
	table[1] = 0x40000000u | 0x7FDu;
	WRITE(vtcr_el2, VTCR);
	WRITE(hcr_el2, HCR);
	WRITE(sctlr_el1, 0x30D01800u);
	WRITE(pmevtyper0_el0, DTLB);
	WRITE(pmcr_el0, 1);
	say("first-of-1", "first-of-2");
	say("again-of-1", "again-of-2");
	for (uint32_t k = 0; k < 50; k++)
		n += in(1) + in(2);
	rt_say("ping-pong", n);
	(void)in(1);
	TLBI("vmalls12e1");
	say("by-guest-of-1", "by-guest-of-2");
	TLBI("alle2");
	say("by-host-of-1", "by-host-of-2");
	TLBI("alle1");
	say("by-all-of-1", "by-all-of-2");
	rt_say("eight-bits", in(0x102));
	WRITE(vtcr_el2, VTCR | VS);
	rt_say("sixteen-bits", in(0x102));
	return 0;
}
