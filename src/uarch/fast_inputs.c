/* SPDX-License-Identifier: MIT */
/* Precomputed inputs of the fast paths, and the choice of the slow path's variant. */
#include "uarch/machine.h"

static uint32_t variant_of(const struct apmu_uarch *u)
{
	uint32_t variant = u->units & APMU_UARCH__TIME ? APMU_UARCH__VARIANT_TIME : 0;
	variant |= u->variant & APMU_UARCH__VARIANT_FILLS_ONLY;
	variant |= u->window ? APMU_UARCH__VARIANT_WINDOW : 0;
	variant |= u->units & APMU_UARCH__DTLB ? APMU_UARCH__VARIANT_DTLB : 0;
	variant |= u->units & APMU_UARCH__LOWER ? APMU_UARCH__VARIANT_LOWER : 0;
	variant |= u->levels ? APMU_UARCH__VARIANT_LEVELS : 0;
	variant |= u->peer ? APMU_UARCH__VARIANT_PEERS : 0;
	variant |= u->p.prefetch.streams ? APMU_UARCH__VARIANT_STREAMS : 0;
	variant |= u->p.read_allocate ? APMU_UARCH__VARIANT_RUNS : 0;
	return variant |
	       ((u->units & APMU_UARCH__L1D) && !u->windows ? APMU_UARCH__VARIANT_UNCONDITIONAL : 0);
}

void apmu_uarch__fast_init(struct apmu_uarch *u)
{
	struct apmu_uarch__fast_inputs *d = &u->data;

	u->variant = variant_of(u);
	u->page_lines = (uint8_t)(u->itlb.shift - u->l1i.shift);
	u->no_itlb = !(u->units & APMU_UARCH__ITLB);
	u->no_fetch = u->no_itlb && !(u->units & APMU_UARCH__FETCH);
	u->plain_fetch = !u->l1i.ordered && (u->no_itlb || !u->itlb.ordered);
	*d = (struct apmu_uarch__fast_inputs){.line = u->l1d.hint};
	d->line_mask = u->l1d.hint_mask;
	d->line_shift = u->l1d.shift;
	d->page_shift = u->dtlb.shift;
	d->per_register = u->p.access_rule == APMU_ACCESS_PER_REGISTER;
	d->unconditional = (u->units & APMU_UARCH__L1D) && !u->windows && u->p.l1d.write == APMU_WRITE_BACK;
	d->plain = d->unconditional && !u->vectors && u->p.l1d.line >= 16;
	d->ordered = u->l1d.ordered;
	d->no_dtlb = !(u->units & APMU_UARCH__DTLB);
	d->orders_pages = u->dtlb.ordered && !d->no_dtlb && d->ordered && d->unconditional;
	bool last = u->dtlb.ordered && !d->orders_pages;
	d->page = last ? &u->dpage : u->dtlb.hint;
	d->page_mask = last ? 0 : u->dtlb.hint_mask;
	d->whole = u->p.l1d.dirty_per_line == 1 ? 3 : 0;
	d->half = u->p.l1d.line / 2;
	d->widest = d->half < 16 ? 8 : 16;
	u->buffer_shows =
		u->direction.kind == APMU_DIRECTION_BTB || (u->untimed.samples && u->direction.usual) ||
		((u->units & APMU_UARCH__TIME) && (u->p.taken != u->p.static_taken || u->p.folding));
	u->shadows = u->p.branch_shadow && (u->units & APMU_UARCH__FETCH);
	u->fast_path = apmu_uarch__fast_path_of(u);
	apmu_uarch__fast_access_init(u);
}
