/* SPDX-License-Identifier: MIT */
/**
 * The return stack: a ring of return addresses. A call beyond its depth overwrites the oldest (DDI0301H 5.3);
 * an empty stack predicts nothing (DDI0301H table 16-11, "Empty return stack").
 */
#ifndef APMU_UARCH_RETURN_STACK_H
#define APMU_UARCH_RETURN_STACK_H

#include <stdbool.h>
#include <stdint.h>

#define APMU_UARCH__RETURN_STACK_MAX 64

struct apmu_uarch__return_stack {
	uint64_t address[APMU_UARCH__RETURN_STACK_MAX];
	uint8_t entries; /* ring size; 0: absent */
	uint8_t top;     /* where the next call is pushed */
	uint8_t depth;   /* valid addresses */
};

void apmu_uarch__return_push(struct apmu_uarch__return_stack *r, uint64_t address);

/* False when empty. */
bool apmu_uarch__return_pop(struct apmu_uarch__return_stack *r, uint64_t *address);

#endif
