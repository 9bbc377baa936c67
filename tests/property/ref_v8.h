/* SPDX-License-Identifier: MIT */
/**
 * The second model of PMUv3: slow, naive, one cycle at a time.
 *
 * What it is: the sections of the PMUv3 facts, one function per section, from the base version to PMUv3p9
 * with TH, EDGE, TH2, ICNTR, SS, EBEP, HPMN0, SEL2, RME, FGT, FGT2, EXTPMN and the freeze by SPE; AArch64,
 * AArch32 and the frame on one state. Written without reference to src/model or spec/regs. What it is not:
 * fast, or complete. MT counts like any thread's counter and PSTATE.PPEND of SEBEP does not exist, as in the
 * model; PC sampling, the frame's identification, SDCR and SDER as registers, the event PMU_SNAPSHOT, the
 * event bus and FEAT_SPMU have other tests.
 *
 * It takes from a core's row what varies by core (counters, features, identification) and from the public
 * headers the enumerations. A comment that starts with `choice:` marks a decision that the facts leave open.
 *
 *     ref_v8_init.c   1.4, 2       implemented bits, reset, the machine
 *     ref_v8_where.c  1.1 to 1.3   the register of an encoding
 *     ref_v8_check.c  3.1 to 3.9   the right to access it, and how an access is refused
 *     ref_v8_regs.c   2, 3.5       effects of reads and writes
 *     ref_v8_count.c  4            effects of a cycle
 *     ref_v8_lines.c  2.18, 5      captures and interrupt lines
 */
#ifndef APMU_TEST_REF_V8_H
#define APMU_TEST_REF_V8_H

#include <apmu/model.h>

#define V8_C  ((uint64_t)1 << 31) /* the cycle counter's bit */
#define V8_F0 ((uint64_t)1 << 32) /* the instruction counter's bit */

struct ref_v8_features {
	bool el2, el3, el3_a64, aa32, aa32el1, aa32el3;
	bool p1, p4, p5, p7, p8, p9;
	bool th, edge, th2, sme, icntr, ss, ebep, sebep, mtpmu, hpmn0, sel2, rme, fgt, fgt2, vhe;
	bool ext32, ext64, extpmn, spe12, dpfzs, export, debugv8p2, debugv8p4;
};

struct ref_v8 {
	struct ref_v8_features f;
	unsigned n;       /* event counters */
	unsigned thwidth; /* bits of a threshold */
	uint8_t slots;    /* 2.14: the product's */
	uint64_t imp, idcode, ceid0, ceid1;
	bool br_retired; /* event 0x21 is one of the core's */
	/* PMCR_EL0 */
	bool e, d, x, dp, lc, lp, fzo, fzs;
	/* bit i: counter i, 31 cycles, 32 instructions */
	uint64_t cnten, ovs, inten, uacr;
	uint64_t counter[APMU_COUNTERS], type[APMU_COUNTERS], saved[APMU_COUNTERS];
	bool cp[APMU_COUNTERS]; /* 4.8: Ct of the cycle before */
	uint8_t sel, useren;
	uint64_t mdcr_el2, mdcr_el3;
	uint64_t hdfgrtr, hdfgwtr, hdfgrtr2, hdfgwtr2;
	uint64_t hcr, scr, hstr, sder;
	uint64_t pmecr, pmiar;
	bool nc;         /* PMSSCR.NC */
	uint8_t epmn;    /* PMCCR */
	bool epme, oslo; /* PMCCR */
	bool slk;        /* the frame's software lock */
	uint8_t phase;   /* 0..63: cycles into the divide-by-64 */
	uint8_t aarch32; /* bit e: ELe uses AArch32 */
	bool streaming, profiling_masked, spe_stopped, edscr_sdd, os_lock, double_lock, powered_off;
	bool edecr_pme, brbe_fzp1, brbe_fzp2;
	struct apmu_mode mode;
	struct apmu_inputs in;
};

enum v8_reg {
	V8_NOTHING,
	V8_PMCR,
	V8_CNTENSET,
	V8_CNTENCLR,
	V8_OVSCLR,
	V8_OVSSET,
	V8_INTENSET,
	V8_INTENCLR,
	V8_SWINC,
	V8_SELR,
	V8_CEID0,
	V8_CEID1,
	V8_CCNTR,
	V8_XEVTYPER,
	V8_XEVCNTR,
	V8_ZR,
	V8_USERENR,
	V8_ICNTR,
	V8_ICFILTR,
	V8_EVCNTR,
	V8_EVTYPER,
	V8_CCFILTR,
	V8_UACR,
	V8_ECR,
	V8_MIR,
	V8_IAR,
	V8_SSCR,
	V8_EVCNTSVR,
	V8_CCNTSVR,
	V8_ICNTSVR,
	V8_MDCR_EL2,
	V8_MDCR_EL3,
	V8_HDFGRTR,
	V8_HDFGWTR,
	V8_HDFGRTR2,
	V8_HDFGWTR2,
	V8_HDCR,
	V8_SDCR,
	V8_SDER,
	V8_CNTEN, /* of the 64-bit frame: a write replaces */
	V8_INTEN,
	V8_OVS,
	V8_CFGR,
	V8_CCR,
	V8_LAR,
	V8_LSR
};

/* The target of an access: a register, a counter, and the half that the view shows (0: the whole register).
 */
struct v8_hit {
	enum v8_reg reg;
	unsigned i;
	enum { V8_ALL, V8_LOW, V8_HIGH } half;
};

void ref_v8_init(struct ref_v8 *r, const struct apmu_core *core, struct apmu_mode mode);
void ref_v8_reset(struct ref_v8 *r);
void ref_v8_machine(struct ref_v8 *r, const struct apmu_machine_state *m);
void ref_v8_cycle(struct ref_v8 *r, const uint64_t n[APMU_SIGNALS]);
bool ref_v8_capture(struct ref_v8 *r);
enum apmu_outcome ref_v8_read(const struct ref_v8 *r, struct apmu_access at, uint64_t *value);
enum apmu_outcome ref_v8_write(struct ref_v8 *r, struct apmu_access at, uint64_t value);
bool ref_v8_irq(const struct ref_v8 *r);
bool ref_v8_trigger(const struct ref_v8 *r);
bool ref_v8_branch_freeze(const struct ref_v8 *r);
unsigned ref_v8_profiling(const struct ref_v8 *r);
uint32_t ref_v8_syndrome(const struct ref_v8 *r, struct apmu_access at, enum apmu_outcome outcome, bool write,
			 unsigned rt, unsigned rt2, unsigned cond);

/* Functions that the ref_v8_*.c files share. */
unsigned v8_range(const struct ref_v8 *r, unsigned i); /* 1, 2 or 3 */
struct v8_hit v8_where(const struct ref_v8 *r, struct apmu_access at);
enum apmu_outcome v8_check(const struct ref_v8 *r, struct v8_hit hit, struct apmu_access at, bool write);
bool v8_frame_refuses(const struct ref_v8 *r, enum v8_reg reg, struct apmu_access at);
bool v8_most_secure(const struct ref_v8 *r, struct apmu_mode m);
bool v8_el2_enabled(const struct ref_v8 *r, struct apmu_mode m);
bool v8_in_host(const struct ref_v8 *r, struct apmu_mode m);
bool v8_uen(const struct ref_v8 *r, struct apmu_mode m);
unsigned v8_epmn(const struct ref_v8 *r);
unsigned v8_hpmn(const struct ref_v8 *r);
unsigned v8_accessible(const struct ref_v8 *r, struct apmu_access at);
bool v8_counts(const struct ref_v8 *r, unsigned i);
unsigned v8_pmee(const struct ref_v8 *r, unsigned *level);
bool v8_exception_enabled(const struct ref_v8 *r);
bool v8_enabled(const struct ref_v8 *r, unsigned i);
uint64_t v8_mdcr_el2_bits(const struct ref_v8 *r);
uint64_t v8_mdcr_el3_bits(const struct ref_v8 *r);
uint64_t v8_type_bits(const struct ref_v8 *r, unsigned i);
void v8_software_increment(struct ref_v8 *r, uint64_t which);

#endif
