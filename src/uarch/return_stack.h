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
	uint8_t top;     /* index that the next call is pushed to */
	uint8_t depth;   /* number of valid addresses */
};

static inline void apmu_uarch__return_push(struct apmu_uarch__return_stack *r, uint64_t address)
{
	if (r->entries == 0)
		return;
	r->address[r->top] = address;
	r->top = (uint8_t)(r->top + 1 == r->entries ? 0 : r->top + 1);
	r->depth = (uint8_t)(r->depth + (r->depth < r->entries));
}

/* Index of the address that was pushed last; the stack is not empty. */
static inline uint8_t apmu_uarch__return_last(const struct apmu_uarch__return_stack *r)
{
	return (uint8_t)((r->top == 0 ? r->entries : r->top) - 1);
}

/* Returns false if the stack is empty. */
static inline bool apmu_uarch__return_pop(struct apmu_uarch__return_stack *r, uint64_t *address)
{
	if (r->depth == 0)
		return false;
	r->depth--;
	r->top = apmu_uarch__return_last(r);
	*address = r->address[r->top];
	return true;
}

#endif
