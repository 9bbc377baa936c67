/* SPDX-License-Identifier: MIT */
/**
 * Places: the parts of a PMU's state that register fields are windows on.
 *
 * spec/regs names a place by the words below (`overflow[c]`, `event[0]`, `reset.cycle`); the
 * generator turns them into these constants. Freestanding.
 */
#ifndef APMU_PLACE_H
#define APMU_PLACE_H

#include <stdint.h>

enum apmu_place_kind {
	APMU_PLACE_NONE,     /* nothing: reserved bits */
	APMU_PLACE_COUNTER,  /* counter[i]: the count itself */
	APMU_PLACE_TYPE,     /* type[i] from bit `lsb`: event selector and filters; event[i] is lsb 0 */
	APMU_PLACE_CNTEN,    /* cnten[i]: per-counter enable */
	APMU_PLACE_OVERFLOW, /* overflow[i]: overflow flag */
	APMU_PLACE_INTEN,    /* inten[i]: interrupt enable of the first line (IRQ) */
	APMU_PLACE_FIQEN,    /* fiqen[i]: interrupt enable of the second line (ARM1156 nPMUFIQ) */
	APMU_PLACE_WORD,     /* a control word: enum apmu_word, from bit `lsb` */
	APMU_PLACE_DO        /* something that happens: enum apmu_do */
};

/* Control words. Each holds the field at bit 0 unless a `lsb` is given. */
enum apmu_word {
	APMU_WORD_ENABLE,  /* E: the global enable */
	APMU_WORD_DIVIDE,  /* D: the cycle counter counts every 64th cycle */
	APMU_WORD_EXPORT,  /* X: drive the event bus */
	APMU_WORD_USER,    /* ARM1176 SUNAVCR.V: User access is valid */
	APMU_WORD_SUIDEN,  /* ARM1176 SDER: Secure User invasive debug */
	APMU_WORD_SUNIDEN, /* ARM1176 SDER: Secure User non-invasive debug */
	APMU_WORDS
};

enum apmu_do {
	APMU_DO_RESET_CYCLE,  /* reset.cycle: cycle counter := 0 */
	APMU_DO_RESET_EVENTS, /* reset.events: every event counter := 0 */
	APMU_DOS
};

#define APMU_EACH 0xFF /* index: bit k of the field is counter k (with `index` counted from 0) */

struct apmu_place {
	uint8_t kind;  /* enum apmu_place_kind */
	uint8_t index; /* a counter's index or APMU_EACH; for WORD and DO their enum */
	uint8_t lsb;   /* lowest bit of the place that the field shows */
};

#endif
