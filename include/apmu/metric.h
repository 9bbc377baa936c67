/* SPDX-License-Identifier: MIT */
/**
 * Metrics: formulas over a core's events, from spec/groups.
 *
 * A formula is stored as a short postfix program, so that the command and a freestanding driver evaluate the
 * same row. Freestanding (uses double arithmetic).
 */
#ifndef APMU_METRIC_H
#define APMU_METRIC_H

#include <apmu/core.h>

#ifdef __cplusplus
extern "C" {
#endif

#define APMU_METRIC_OPS    16
#define APMU_METRIC_CYCLES 0xFFFF /* operand of APMU_OP_EVENT: the cycle counter */

enum apmu_op {
	APMU_OP_END,
	APMU_OP_EVENT,
	APMU_OP_NUMBER,
	APMU_OP_ADD,
	APMU_OP_SUB,
	APMU_OP_MUL,
	APMU_OP_DIV
};

struct apmu_op_step {
	uint8_t op;     /* enum apmu_op */
	uint16_t value; /* EVENT: event number or APMU_METRIC_CYCLES; NUMBER: the number */
};

struct apmu_metric {
	const char *group;      /* "branch" */
	const char *group_text; /* "Branch prediction" */
	const char *name;       /* "branch-prediction-ratio" */
	const char *unit;       /* "%": printed times 100; "" for a plain ratio */
	const char *text;
	const char *formula;           /* as written; NULL in builds with APMU_NO_TEXT */
	const struct apmu_op_step *op; /* postfix, ends with APMU_OP_END */
};

/* The number of metrics of a core's event table, and the i-th of them; NULL beyond the last. */
size_t apmu_metric_count(const struct apmu_core *core);
const struct apmu_metric *apmu_metric_at(const struct apmu_core *core, size_t i);

/* AArch64 code compiled without floating-point registers (GCC's -mgeneral-regs-only, +nofp) has no double:
 * there metrics can be listed and counted, but not evaluated. */
#if !defined(__aarch64__) || defined(__ARM_FP)
#define APMU_METRIC_DOUBLE 1
#else
#define APMU_METRIC_DOUBLE 0
#endif

#if APMU_METRIC_DOUBLE
/* Evaluates `metric`; `value(ctx, number)` gives the count of an event number or of APMU_METRIC_CYCLES. 0, or
 * APMU_EINVAL if it divides by zero: then *out is untouched. */
int apmu_metric_eval(const struct apmu_metric *metric, double (*value)(void *ctx, unsigned number), void *ctx,
		     double *out);
#endif

#ifdef __cplusplus
}
#endif

#endif
