/* SPDX-License-Identifier: MIT */
/* Evaluating metric formulas. */
#include <apmu/metric.h>

size_t apmu_metric_count(const struct apmu_core *core)
{
	return core->metrics;
}

const struct apmu_metric *apmu_metric_at(const struct apmu_core *core, size_t i)
{
	return i < core->metrics ? &core->metric[i] : NULL;
}

#if APMU_METRIC_DOUBLE

/* *a = *a op b; APMU_EINVAL if that divides by zero. */
static int apply(enum apmu_op op, double *a, double b)
{
	switch (op) {
	case APMU_OP_ADD: *a += b; return APMU_OK;
	case APMU_OP_SUB: *a -= b; return APMU_OK;
	case APMU_OP_MUL: *a *= b; return APMU_OK;
	default: break;
	}
	if (b >= 0 && b <= 0)
		return APMU_EINVAL;
	*a /= b;
	return APMU_OK;
}

int apmu_metric_eval(const struct apmu_metric *metric, double (*value)(void *ctx, unsigned number), void *ctx,
		     double *out)
{
	double stack[APMU_METRIC_OPS] = {0};
	size_t depth = 0;

	for (const struct apmu_op_step *step = metric->op; step->op != APMU_OP_END; step++) {
		if (step->op == APMU_OP_EVENT) {
			stack[depth++] = value(ctx, step->value);
		} else if (step->op == APMU_OP_NUMBER) {
			stack[depth++] = (double)step->value;
		} else {
			depth--;
			if (apply((enum apmu_op)step->op, &stack[depth - 1], stack[depth]))
				return APMU_EINVAL;
		}
	}
	*out = stack[0];
	return APMU_OK;
}

#endif
