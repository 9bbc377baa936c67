/* SPDX-License-Identifier: MIT */
#include "uarch/return_stack.h"

void apmu_uarch__return_push(struct apmu_uarch__return_stack *r, uint64_t address)
{
	if (r->entries == 0)
		return;
	r->address[r->top] = address;
	r->top = (uint8_t)(r->top + 1 == r->entries ? 0 : r->top + 1);
	if (r->depth < r->entries)
		r->depth++;
}

bool apmu_uarch__return_pop(struct apmu_uarch__return_stack *r, uint64_t *address)
{
	if (r->depth == 0)
		return false;
	r->depth--;
	r->top = (uint8_t)((r->top == 0 ? r->entries : r->top) - 1);
	*address = r->address[r->top];
	return true;
}
