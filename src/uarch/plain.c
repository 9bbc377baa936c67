/* SPDX-License-Identifier: MIT */
/* The functions of src/uarch/fast where that is left out. */
#include "uarch/plain.h"

#ifdef APMU_UARCH_PLAIN
#include "uarch/time_samples.h"

enum apmu_uarch__fast_path apmu_uarch__fast_path_of(const struct apmu_uarch *u)
{
	return u->window ? APMU_UARCH__FAST_WINDOW : APMU_UARCH__FAST_NONE;
}

void apmu_uarch__fast_access_init(struct apmu_uarch *u)
{
	(void)u; /* the fields stay 0: there are no fast paths */
}

void apmu_uarch_enter(struct apmu_uarch *u, const struct apmu_block *b)
{
	if (u->untimed.samples)
		apmu_uarch__enter_sampling(u, b);
	else
		apmu_uarch__enter_any(u, b);
}

void apmu_uarch_precount(struct apmu_uarch *u)
{
	(void)u; /* each access is counted when it is made */
}

void apmu_uarch_count_each(struct apmu_uarch *u)
{
	(void)u;
}

void apmu_uarch_load(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)
{
	apmu_uarch__fast_any(u, s, addr, false);
}

void apmu_uarch_store(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)
{
	apmu_uarch__fast_any(u, s, addr, true);
}

void apmu_uarch_load_each(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)
{
	apmu_uarch__fast_any(u, s, addr, false);
}

void apmu_uarch_store_each(struct apmu_uarch *u, const struct apmu_access_site *s, uint64_t addr)
{
	apmu_uarch__fast_any(u, s, addr, true);
}
#endif
