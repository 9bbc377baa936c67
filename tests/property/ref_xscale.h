/* SPDX-License-Identifier: MIT */
/**
 * The second model of the XScale PMU: slow, naive, one cycle at a time.
 *
 * What it is: the two-counter (XSC1) and the four-counter (XSC2) PMU as the manuals' tables read, one
 * variable per bit, written without reference to src/model. What it is not: fast, or driven by spec/. See
 * ref_arm11.h for how the two models are used.
 */
#ifndef APMU_TEST_REF_XSCALE_H
#define APMU_TEST_REF_XSCALE_H

#include <apmu/core.h>
#include <apmu/model.h>
#include <apmu/signal.h>
#include <apmu/types.h>

enum ref_xscale_kind { REF_XSC1, REF_XSC2 };

struct ref_xscale {
	enum ref_xscale_kind kind;
	bool d, e;
	uint8_t evt[4];
	bool flag_pmn[4], flag_ccnt;
	bool inten_pmn[4], inten_ccnt;
	uint32_t pmn[4], ccnt;
	uint8_t divider; /* 0..63 */
	/* errata switches */
	bool flag_loss;      /* A stepping of XSC1 */
	bool evt1_overcount; /* event 0x1 also takes FETCH_STALL_EXTRA */
	bool evt5_all;       /* event 0x5 counts every branch */
	struct apmu_mode mode;
	struct apmu_inputs in;
};

/* Power on in `mode`; the event 0x1 erratum on, the others off. */
void ref_xscale_init(struct ref_xscale *r, enum ref_xscale_kind kind, struct apmu_mode mode);
void ref_xscale_reset(struct ref_xscale *r);

/* Switches errata; those that the kind does not have stay off. */
void ref_xscale_errata(struct ref_xscale *r, uint32_t errata);

/* One core clock cycle in which signal s happened n[s] times; n[APMU_SIG_CYCLES] is 1. */
void ref_xscale_cycle(struct ref_xscale *r, const uint64_t n[APMU_SIGNALS]);

enum apmu_outcome ref_xscale_read(const struct ref_xscale *r, struct apmu_access at, uint64_t *value);
enum apmu_outcome ref_xscale_write(struct ref_xscale *r, struct apmu_access at, uint64_t value);

/* The one interrupt request. */
bool ref_xscale_line(const struct ref_xscale *r);

/* True if a count of this signal would change a counter. */
bool ref_xscale_wants(const struct ref_xscale *r, enum apmu_signal s);

#endif
