/* SPDX-License-Identifier: MIT */
/**
 * A hypervisor on AArch64 cores, board `virt`, with two guests at EL1. Each guest has memory of its own
 * behind stage 2 and counts on a PMU of its own: two counters (MDCR_EL2.HPMN) and the cycle counter, saved
 * and restored as the guests take turns. The first guest accesses its PMU directly, except for PMCR_EL0
 * (TPMCR); all accesses of the second one are trapped (TPM) and emulated. An overflow comes to each as a
 * virtual interrupt (HCR_EL2.VI), which it takes from an emulated interrupt controller: loads and stores that
 * stage 2 refuses. The host counts both guests on a counter of its own.
 *
 * With -DLISTS, board `virt-gicv3`: the overflow comes by a list register of a GICv3, as in KVM, which stands
 * for the physical interrupt; the guest ends both by its virtual CPU interface, without a trap.
 *
 * A guest's counts must not depend on whether the other one runs. tests/firmware/hyp_a64.sh says what each
 * line must be; tests/peer/firmware.sh runs it under QEMU.
 */
#include "rt.h"

#include <stddef.h>

#define READ(name)                                                           \
	({                                                                   \
		uint64_t value_;                                             \
		__asm__ volatile("mrs %0, " #name : "=r"(value_)::"memory"); \
		value_;                                                      \
	})
#define WRITE(name, value) __asm__ volatile("msr " #name ", %0\n\tisb" ::"r"((uint64_t)(value)) : "memory")

#define PMCR_E         1u
#define PMCR_P         2u
#define PMCR_C         4u
#define PMCR_N_AT      11
#define PMCR_N         (31u << PMCR_N_AT)
#define INST_RETIRED   0x08u
#define SHARE          2u /* number of a guest's counters */
#define OWN            (1u << 31 | 3u)
#define HOST           (1u << SHARE)
#define TPMCR          (1u << 5)
#define TPM            (1u << 6)
#define HPME           (1u << 7)
#define HCR            (1u << 31 | 1u << 4 | 1u) /* RW, IMO, VM */
#define HCR_VI         (1u << 7)
#define VTCR           0x80023560u /* 32 bits from level 1, 4 KiB, cacheable, 40 bits out */
#define SCTLR          0x30D01800u /* of EL1: only the instruction cache is on */
#define EL1H_MASKED    0x3C5u
#define TIMER_INTID    26u
#define SLICE          500u /* time slice, ticks of the generic timer */
#define TURNS          50000u
#define GICD_ISENABLER ((volatile uint32_t *)0x08000100)
#define GICD_ICENABLER ((volatile uint32_t *)0x08000180)
#define GICC_PAGE      0x08010000u
#define GICC_IAR       0x0Cu
#define GICC_EOIR      0x10u
#define SPURIOUS       1023u

#ifdef LISTS
#define CONTROLLER(at)  ((volatile uint32_t *)(0x08000000u + (at)))
#define GICD_CTLR       CONTROLLER(0)
#define GICR_WAKER      CONTROLLER(0xA0014)
#define GICR_IGROUPR0   CONTROLLER(0xB0080)
#define GICR_ISENABLER0 CONTROLLER(0xB0100)
#define GICR_ISACTIVER0 CONTROLLER(0xB0300)
#define GICR_ICACTIVER0 CONTROLLER(0xB0380)
#define ICC_PMR_EL1     s3_0_c4_c6_0
#define ICC_IAR1_EL1    s3_0_c12_c12_0
#define ICC_EOIR1_EL1   s3_0_c12_c12_1
#define ICC_CTLR_EL1    s3_0_c12_c12_4
#define ICC_IGRPEN1_EL1 s3_0_c12_c12_7
#define ICC_DIR_EL1     s3_0_c12_c11_1
#define ICC_SRE_EL2     s3_4_c12_c9_5
#define ICH_AP1R0_EL2   s3_4_c12_c9_0
#define ICH_HCR_EL2     s3_4_c12_c11_0
#define ICH_VMCR_EL2    s3_4_c12_c11_7
#define ICH_LR0_EL2     s3_4_c12_c12_0
#define EOI_MODE        2u
#define ICH_EN          1u
#define LR_STATE        ((uint64_t)3 << 62)
#define LR_PENDING      ((uint64_t)1 << 62 | (uint64_t)1 << 61 | (uint64_t)1 << 60 | 0x80ull << 48)
#define LR_PMU          (LR_PENDING | (uint64_t)RT_PMU_INTID << 32 | RT_PMU_INTID)
#endif

/* A guest's own memory: each guest has other memory at the same address. */
#define MEMORY 0x42000000u
#define BLOCK  0x200000u
struct page {
	uint64_t id, period, interrupts, counters, instructions, cycles, finished;
};
#define PAGE ((volatile struct page *)0x50000000)

extern char guest_vectors[];
uint64_t hyp_enter(uint64_t *x);
void guest_on_interrupt(void);

struct pmu {
	uint64_t control, enabled, interrupts, flags, select, type[SHARE], count[SHARE], filter, cycles;
};
struct guest {
	uint64_t x[31];
	uint64_t pc, state, sp, sp_el0, vectors, control, elr, spsr;
	struct pmu pmu;
	uint64_t traps, accesses, divide; /* MDCR_EL2 */
	volatile struct page *page;       /* at the host's address */
	uint64_t *tables;
	unsigned id;
	uint8_t pending, ended;
	uint64_t list, interface, active; /* ICH_LR0_EL2, ICH_VMCR_EL2, ICH_AP1R0_EL2 */
};

static __attribute__((aligned(4096))) uint64_t tables[2][2][512];
static uint64_t switches;

#ifdef LISTS
static void guest_controller_on(void)
{
	WRITE(ICC_PMR_EL1, 0xF0);
	WRITE(ICC_IGRPEN1_EL1, 1);
}

static uint32_t take(void)
{
	return (uint32_t)READ(ICC_IAR1_EL1);
}

static void guest_end(uint32_t intid)
{
	WRITE(ICC_EOIR1_EL1, intid);
}
#else
#define guest_controller_on rt_gic_on
#define take                rt_gic_take
#define guest_end           rt_gic_end
#endif

/* A guest counts an ISB, 50000 iterations of three instructions, and its interrupt handler. */
static __attribute__((noreturn)) void guest_main(void)
{
	uint64_t times = TURNS;

	WRITE(vbar_el1, guest_vectors);
	PAGE->counters = READ(pmcr_el0) >> PMCR_N_AT & 31;
	guest_controller_on();
	WRITE(pmcr_el0, PMCR_P | PMCR_C);
	WRITE(pmccfiltr_el0, 0);
	WRITE(pmevtyper0_el0, INST_RETIRED);
	WRITE(pmevtyper1_el0, INST_RETIRED);
	WRITE(pmevcntr0_el0, (uint32_t)-PAGE->period);
	WRITE(pmintenset_el1, 1);
	WRITE(pmcntenset_el0, OWN);
	__asm__ volatile("msr daifclr, #2");
	__asm__ volatile("msr pmcr_el0, %1\n\tisb\n"
			 "1:\tnop\n\tsubs %0, %0, #1\n\tb.ne 1b\n\t"
			 "msr pmcr_el0, xzr\n\tisb"
			 : "+r"(times)
			 : "r"((uint64_t)PMCR_E)
			 : "cc", "memory");
	__asm__ volatile("msr daifset, #2");
	PAGE->instructions = READ(pmevcntr1_el0);
	PAGE->cycles = READ(pmccntr_el0);
	PAGE->finished = PAGE->id;
	for (;;)
		__asm__ volatile("hvc #0" ::: "memory");
}

/* At EL1. */
void guest_on_interrupt(void)
{
	uint32_t id = take();

	if (id == RT_PMU_INTID && READ(pmovsclr_el0) & 1) {
		PAGE->interrupts++;
		WRITE(pmevcntr0_el0, (uint32_t)-PAGE->period);
		WRITE(pmovsclr_el0, 1);
	}
	guest_end(id);
}

static void save_pmu(struct pmu *p)
{
	p->control = READ(pmcr_el0) & PMCR_E;
	p->enabled = READ(pmcntenset_el0) & OWN;
	WRITE(pmcntenclr_el0, OWN);
	p->interrupts = READ(pmintenset_el1) & OWN;
	WRITE(pmintenclr_el1, OWN);
	p->flags = READ(pmovsclr_el0) & OWN;
	WRITE(pmovsclr_el0, OWN);
	p->select = READ(pmselr_el0);
	p->type[0] = READ(pmevtyper0_el0);
	p->type[1] = READ(pmevtyper1_el0);
	p->count[0] = READ(pmevcntr0_el0);
	p->count[1] = READ(pmevcntr1_el0);
	p->filter = READ(pmccfiltr_el0);
	p->cycles = READ(pmccntr_el0);
}

static void restore_pmu(const struct pmu *p)
{
	WRITE(pmselr_el0, p->select);
	WRITE(pmevtyper0_el0, p->type[0]);
	WRITE(pmevtyper1_el0, p->type[1]);
	WRITE(pmevcntr0_el0, p->count[0]);
	WRITE(pmevcntr1_el0, p->count[1]);
	WRITE(pmccfiltr_el0, p->filter);
	WRITE(pmccntr_el0, p->cycles);
	WRITE(pmovsset_el0, p->flags);
	WRITE(pmintenset_el1, p->interrupts);
	WRITE(pmcntenset_el0, p->enabled);
	WRITE(pmcr_el0, p->control);
}

#ifdef LISTS
/* The physical interrupt stays active until the guest has ended its virtual one. */
static void set_pending(struct guest *g, uint8_t pending)
{
	(void)g;
	if (pending)
		WRITE(ICH_LR0_EL2, LR_PMU);
	WRITE(hcr_el2, HCR);
}

/* The active state of the interrupt is saved and restored with the guest. */
static void load_controller(struct guest *g)
{
	WRITE(ICH_LR0_EL2, g->list);
	WRITE(ICH_VMCR_EL2, g->interface);
	WRITE(ICH_AP1R0_EL2, g->active);
	WRITE(ICH_HCR_EL2, ICH_EN);
	*(g->list & LR_STATE ? GICR_ISACTIVER0 : GICR_ICACTIVER0) = 1u << RT_PMU_INTID;
}

static void unload_controller(struct guest *g)
{
	g->list = READ(ICH_LR0_EL2);
	g->interface = READ(ICH_VMCR_EL2);
	g->active = READ(ICH_AP1R0_EL2);
	WRITE(ICH_HCR_EL2, 0);
	*GICR_ICACTIVER0 = 1u << RT_PMU_INTID;
}

static void controller_on(void)
{
	WRITE(ICC_SRE_EL2, READ(ICC_SRE_EL2) | 9);
	*GICR_WAKER = 0;
	*GICD_CTLR = 2;
	*GICR_IGROUPR0 = 1u << RT_PMU_INTID | 1u << TIMER_INTID;
	*GICR_ISENABLER0 = 1u << RT_PMU_INTID | 1u << TIMER_INTID;
	WRITE(ICC_CTLR_EL1, EOI_MODE);
	guest_controller_on();
}

/* The guest deactivates the PMU's interrupt. */
static void end(uint32_t intid)
{
	WRITE(ICC_EOIR1_EL1, intid);
	if (intid != RT_PMU_INTID)
		WRITE(ICC_DIR_EL1, intid);
}
#else
/* The PMU's line stays asserted until the guest has cleared its flag; the physical interrupt is disabled
 * until then. */
static void set_pending(struct guest *g, uint8_t pending)
{
	g->pending = pending;
	*(pending ? GICD_ICENABLER : GICD_ISENABLER) = 1u << RT_PMU_INTID;
	WRITE(hcr_el2, HCR | (pending ? HCR_VI : 0));
}

static void load_controller(struct guest *g)
{
	set_pending(g, g->pending);
}

static void unload_controller(struct guest *g)
{
	(void)g;
}

static void controller_on(void)
{
	rt_gic_on();
	*GICD_ISENABLER = 1u << TIMER_INTID;
}

#define end rt_gic_end
#endif

static void load(struct guest *g)
{
	WRITE(vttbr_el2, (uintptr_t)g->tables | (uint64_t)(g->id + 1) << 48);
	WRITE(elr_el2, g->pc);
	WRITE(spsr_el2, g->state);
	WRITE(sp_el1, g->sp);
	WRITE(sp_el0, g->sp_el0);
	WRITE(vbar_el1, g->vectors);
	WRITE(sctlr_el1, g->control);
	WRITE(elr_el1, g->elr);
	WRITE(spsr_el1, g->spsr);
	WRITE(mdcr_el2, g->divide);
	restore_pmu(&g->pmu);
	WRITE(hcr_el2, HCR);
	load_controller(g);
	WRITE(cnthp_tval_el2, SLICE);
	WRITE(cnthp_ctl_el2, 1);
}

static void unload(struct guest *g)
{
	WRITE(cnthp_ctl_el2, 0);
	save_pmu(&g->pmu);
	unload_controller(g);
	g->pc = READ(elr_el2);
	g->state = READ(spsr_el2);
	g->sp = READ(sp_el1);
	g->sp_el0 = READ(sp_el0);
	g->vectors = READ(vbar_el1);
	g->control = READ(sctlr_el1);
	g->elr = READ(elr_el1);
	g->spsr = READ(spsr_el1);
}

static void skip(void)
{
	WRITE(elr_el2, READ(elr_el2) + 4);
}

static uint64_t read_control(void)
{
	return (READ(pmcr_el0) & ~(uint64_t)PMCR_N) | SHARE << PMCR_N_AT;
}

/* PMCR_EL0.P at EL2 would also clear the host's counters. */
static void write_control(uint64_t value)
{
	if (value & PMCR_P) {
		WRITE(pmevcntr0_el0, 0);
		WRITE(pmevcntr1_el0, 0);
	}
	WRITE(pmcr_el0, value & (PMCR_E | PMCR_C));
}

/* Emulates a trapped access: ESR_EL2's ISS names the register, the direction and the general register. */
#define KEY(op0, op1, crn, crm, op2) ((op0) << 20 | (op2) << 17 | (op1) << 14 | (crn) << 10 | (crm) << 1)
#define ISS_KEY                      0x3FFC1Eu
#define MADE(name, mask, ...)                     \
	case KEY(__VA_ARGS__):                    \
		if (is_read)                      \
			*x = READ(name) & (mask); \
		else                              \
			WRITE(name, *x &(mask));  \
		break
#define ALL ~(uint64_t)0

static void access_pmu(struct guest *g, uint32_t iss)
{
	uint64_t zero = 0, *x = (iss >> 5 & 31) == 31 ? &zero : &g->x[iss >> 5 & 31];
	unsigned is_read = iss & 1;

	g->accesses++;
	switch (iss & ISS_KEY) {
		MADE(pmcntenset_el0, OWN, 3u, 3u, 9u, 12u, 1u);
		MADE(pmcntenclr_el0, OWN, 3u, 3u, 9u, 12u, 2u);
		MADE(pmovsclr_el0, OWN, 3u, 3u, 9u, 12u, 3u);
		MADE(pmccntr_el0, ALL, 3u, 3u, 9u, 13u, 0u);
		MADE(pmintenset_el1, OWN, 3u, 0u, 9u, 14u, 1u);
		MADE(pmevcntr0_el0, ALL, 3u, 3u, 14u, 8u, 0u);
		MADE(pmevcntr1_el0, ALL, 3u, 3u, 14u, 8u, 1u);
		MADE(pmevtyper0_el0, ALL, 3u, 3u, 14u, 12u, 0u);
		MADE(pmevtyper1_el0, ALL, 3u, 3u, 14u, 12u, 1u);
		MADE(pmccfiltr_el0, ALL, 3u, 3u, 14u, 15u, 7u);
	case KEY(3u, 3u, 9u, 12u, 0u):
		if (is_read)
			*x = read_control();
		else
			write_control(*x);
		break;
	default: g->ended = 2;
	}
	skip();
}

/* Emulates the interrupt controller, which stage 2 does not map: HPFAR_EL2 has the page, ESR_EL2 the
 * register. */
static void access_device(struct guest *g, uint32_t iss)
{
	uint64_t at = READ(hpfar_el2) >> 4 << 12 | (READ(far_el2) & 0xFFF);
	unsigned rt = iss >> 16 & 31, write = iss >> 6 & 1;

	g->traps++;
	if (!(iss >> 24 & 1) || at >> 17 != GICC_PAGE >> 17)
		g->ended = 3;
	else if (write && at == GICC_PAGE + GICC_EOIR)
		set_pending(g, 0);
	else if (!write && rt != 31)
		g->x[rt] = at != GICC_PAGE + GICC_IAR ? 0 : g->pending ? RT_PMU_INTID : SPURIOUS;
	skip();
}

static void on_exception(struct guest *g)
{
	uint32_t esr = (uint32_t)READ(esr_el2);

	switch (esr >> 26) {
	case 0x16: g->ended = esr & 0xFFFF ? 4 : 1; break;
	case 0x18: access_pmu(g, esr & 0x1FFFFFF); break;
	case 0x24: access_device(g, esr & 0x1FFFFFF); break;
	default: g->ended = 5;
	}
}

/* True if the guest's time slice is over. */
static unsigned on_interrupt(struct guest *g)
{
	uint32_t id = take();

	if (id == RT_PMU_INTID)
		set_pending(g, 1);
	if (id == TIMER_INTID)
		WRITE(cnthp_ctl_el2, 0);
	if (id < SPURIOUS)
		end(id);
	return id == TIMER_INTID;
}

/* Runs a guest until its time slice is over or it has ended. */
static void run(struct guest *g)
{
	unsigned over = 0;

	load(g);
	while (!g->ended && !over) {
		if (hyp_enter(g->x))
			over = on_interrupt(g);
		else
			on_exception(g);
	}
	unload(g);
	switches++;
}

static void clear(volatile void *at, size_t bytes)
{
	for (size_t i = 0; i < bytes / 8; i++)
		((volatile uint64_t *)at)[i] = 0;
}

static void create(struct guest *g, unsigned id, uint64_t divide, uint64_t period)
{
	uintptr_t memory = MEMORY + id * BLOCK;

	clear(g, sizeof *g);
	g->pc = (uintptr_t)guest_main;
	g->state = EL1H_MASKED;
	g->sp = (uintptr_t)PAGE + BLOCK;
	g->control = SCTLR;
	g->divide = divide;
	g->id = id;
	g->tables = tables[id][0];
	g->page = (volatile struct page *)memory;
	clear(g->page, sizeof *g->page);
	g->page->id = id + 1;
	g->page->period = period;
	tables[id][0][1] = (uintptr_t)tables[id][1] | 3;
	tables[id][1][1] = 0x40200000u | 0x77Du; /* the program: read-only */
	tables[id][1][128] = memory | 0x7FDu;
}

static void report(const char *instructions, const char *cycles, const char *interrupts,
		   const struct guest *g)
{
	rt_say(instructions, g->page->instructions);
	rt_say(cycles, g->page->cycles);
	rt_say(interrupts, g->page->interrupts);
}

static struct guest one, two;

static void create_both(void)
{
	create(&one, 0, HPME | TPMCR | SHARE, 1000);
	create(&two, 1, HPME | TPMCR | TPM | SHARE, 700);
}

static void together(void)
{
	create_both();
	switches = 0;
	while (!one.ended || !two.ended) {
		if (!one.ended)
			run(&one);
		if (!two.ended)
			run(&two);
	}
}

int main(void)
{
	rt_say("counters", READ(pmcr_el0) >> PMCR_N_AT & 31);
	WRITE(vtcr_el2, VTCR);
	controller_on();
	create_both();
	while (!one.ended)
		run(&one);
	while (!two.ended)
		run(&two);
	report("first-alone-instructions", "first-alone-cycles", "first-alone-interrupts", &one);
	report("second-alone-instructions", "second-alone-cycles", "second-alone-interrupts", &two);

	WRITE(pmevtyper2_el0, INST_RETIRED);
	WRITE(pmevcntr2_el0, 0);
	WRITE(pmcntenset_el0, HOST);
	together();
	WRITE(pmcntenclr_el0, HOST);
	report("first-instructions", "first-cycles", "first-interrupts", &one);
	report("second-instructions", "second-cycles", "second-interrupts", &two);
	rt_say("first-ended", one.ended);
	rt_say("second-ended", two.ended);
	rt_say("first-saw-counters", one.page->counters);
	rt_say("second-saw-counters", two.page->counters);
	rt_say("first-memory", one.page->finished);
	rt_say("second-memory", two.page->finished);
	rt_say("first-accesses-trapped", one.accesses);
	rt_say("second-accesses-trapped", two.accesses);
	rt_say("first-device-accesses", one.traps);
	rt_say("second-device-accesses", two.traps);
	rt_say("took-turns", switches > 20);
	uint64_t both = one.page->instructions + two.page->instructions, host = READ(pmevcntr2_el0);
	rt_say("host-counted", host > both && host < both + 200);
	return 0;
}
