/* SPDX-License-Identifier: MIT */
/**
 * Places: the parts of a PMU's state that register fields show and change.
 *
 * spec/regs names a place by the words below (`overflow[c]`, `event[0]`, `reset.cycle`); the generator turns
 * them into these constants. Freestanding.
 */
#ifndef APMU_PLACE_H
#define APMU_PLACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum apmu_place_kind {
	APMU_PLACE_NONE,     /* no place: reserved bits */
	APMU_PLACE_COUNTER,  /* counter[i]: the count itself */
	APMU_PLACE_TYPE,     /* type[i] from bit `lsb`: event selector and filters; event[i] is lsb 0 */
	APMU_PLACE_SAVED,    /* saved[i]: the counter at the last capture (FEAT_PMUv3_SS) */
	APMU_PLACE_CNTEN,    /* cnten[i]: per-counter enable */
	APMU_PLACE_OVERFLOW, /* overflow[i]: overflow flag */
	APMU_PLACE_INTEN,    /* inten[i]: interrupt enable of the first line (IRQ) */
	APMU_PLACE_FIQEN,    /* fiqen[i]: interrupt enable of the second line (ARM1156 nPMUFIQ) */
	APMU_PLACE_UACR,     /* uacr[i]: EL0 may use the counter (PMUACR_EL1) */
	APMU_PLACE_WORD,     /* a control word: enum apmu_word, from bit `lsb` */
	APMU_PLACE_HPMN, /* hpmn: MDCR_EL2.HPMN, which with FEAT_PMUv3_EXTPMN reads as EPMN if it is larger */
	APMU_PLACE_CORE, /* a constant of the core's row: enum apmu_core_constant, from bit `lsb` */
	APMU_PLACE_SEEN, /* a value computed at each read: enum apmu_seen */
	APMU_PLACE_DO    /* an action that a write triggers: enum apmu_do */
};

/* Control words. */
enum apmu_word {
	APMU_WORD_ENABLE, /* E: the global enable; where counters are split into ranges, of the first range */
	APMU_WORD_DIVIDE, /* D: the cycle counter counts every 64th cycle */
	APMU_WORD_EXPORT, /* X: drive the event bus */
	APMU_WORD_USER,   /* ARM1176 SUNAVCR.V: User access is valid */
	APMU_WORD_SUIDEN, /* SDER: Secure User invasive debug */
	APMU_WORD_SUNIDEN,  /* SDER: Secure User non-invasive debug */
	APMU_WORD_DP,       /* PMCR.DP: the cycle counter stops where counting is prohibited */
	APMU_WORD_LC,       /* PMCR.LC: cycle counter overflow at bit 63 */
	APMU_WORD_LP,       /* PMCR.LP: event counter overflow at bit 63 */
	APMU_WORD_FZO,      /* PMCR.FZO: freeze on overflow */
	APMU_WORD_FZS,      /* PMCR.FZS: freeze on SPE stop */
	APMU_WORD_SEL,      /* PMSELR.SEL */
	APMU_WORD_USEREN,   /* PMUSERENR, each bit at its position in the register */
	APMU_WORD_MDCR_EL2, /* MDCR_EL2, HDCR */
	APMU_WORD_MDCR_EL3, /* MDCR_EL3, SDCR */
	APMU_WORD_HDFGRTR,
	APMU_WORD_HDFGWTR,
	APMU_WORD_HDFGRTR2,
	APMU_WORD_HDFGWTR2,
	APMU_WORD_PMECR,
	APMU_WORD_PMIAR,
	APMU_WORD_PMCCR,
	APMU_WORD_SLK,       /* the frame's software lock is locked */
	APMU_WORD_CLAIM,     /* claim tags of an Armv7 frame */
	APMU_WORD_NOCAPTURE, /* PMSSCR.NC */
	APMU_WORD_MPIDR,
	APMU_WORD_PMPCSR,
	APMU_WORD_PMVCIDSR,
	APMU_WORD_PMCCIDSR,
	APMU_WORDS
};

/* Constants of a core's row. */
enum apmu_core_constant {
	APMU_CORE_IMP,
	APMU_CORE_IDCODE,
	APMU_CORE_PMCEID0,
	APMU_CORE_PMCEID1,
	APMU_CORE_PMMIR,
	APMU_CORE_PMCFGR,
	APMU_CORE_PMDEVARCH,
	APMU_CORE_PMDEVID,
	APMU_CORE_PART,
	APMU_CORE_REVISION,
	APMU_CORE_CONSTANTS
};

/* Values that depend on who reads them. */
enum apmu_seen {
	APMU_SEEN_VISIBLE,   /* PMCR.N: event counters the reader may use */
	APMU_SEEN_COUNTERS,  /* PMCFGR.N: counters an external agent may use */
	APMU_SEEN_AUTHSTATUS /* PMAUTHSTATUS: the authentication inputs */
};

enum apmu_do {
	APMU_DO_RESET_CYCLE,        /* reset.cycle: cycle counter := 0 */
	APMU_DO_RESET_EVENTS,       /* reset.events: every event counter the writer may use := 0 */
	APMU_DO_SOFTWARE_INCREMENT, /* PMSWINC: bit k counts SW_INCR in counter k */
	APMU_DO_ZERO_INSTR,         /* PMZR */
	APMU_DO_ZERO_CYCLE,
	APMU_DO_ZERO_EVENTS,
	APMU_DO_CAPTURE, /* PMSSCR.SS: copy every counter to its saved value */
	APMU_DO_LOCK,    /* PMLAR: the key unlocks, anything else locks */
	APMU_DOS
};

#define APMU_EACH     0xFF /* index: bit k of the field is counter k */
#define APMU_THIS     0xFE /* index: the counter that the encoding names (PMEVCNTR<n>) */
#define APMU_SELECTED 0xFD /* index: the counter that PMSELR names */

struct apmu_place {
	uint8_t kind;  /* enum apmu_place_kind */
	uint8_t index; /* a counter's index, or one of the three values above; for the last four kinds, a
			  value of the enum named there */
	uint8_t lsb;   /* lowest bit of the place that the field shows */
};

#ifdef __cplusplus
}
#endif

#endif
