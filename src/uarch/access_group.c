/* SPDX-License-Identifier: MIT */
#include "uarch/access_group.h"
#include "uarch/fast.h"

static void add(struct apmu_uarch__group *g, const struct apmu_uarch__group_member *m)
{
	int32_t high = m->offset + m->accesses * m->site.size - 1;

	g->low = m->offset < g->low ? m->offset : g->low;
	g->high = high > g->high ? high : g->high;
	if (m->store) {
		g->stored[0] = g->stores && g->stored[0] < m->offset ? g->stored[0] : m->offset;
		g->stored[1] = g->stores && g->stored[1] > high ? g->stored[1] : high;
		g->stores = true;
	}
	g->splits |= m->site.size > m->unit;
	g->unconditional &= m->site.unconditional;
	if (m->unit > g->align) {
		g->align = (uint8_t)(m->unit - 1);
		g->phase = (uint8_t)(0 - (unsigned)m->offset) & g->align;
	}
	if (!m->site.unconditional) {
		g->instructions[m->store] = (uint16_t)(g->instructions[m->store] + 1);
		g->registers[m->store] =
			(uint16_t)(g->registers[m->store] + m->accesses * (m->site.size / m->unit));
	}
	g->last = m->site.index;
}

void apmu_uarch__group_make(struct apmu_uarch__group *g, struct apmu_uarch__group_member *member,
			    unsigned members, unsigned anchor)
{
	int32_t from = member[anchor].offset;

	*g = (struct apmu_uarch__group){
		.member = member, .members = (uint16_t)members, .unconditional = true};
	for (unsigned i = 0; i < members; i++) {
		member[i].offset -= from;
		add(g, &member[i]);
	}
}

bool apmu_uarch__takes_groups(const struct apmu_uarch *u, bool unconditional)
{
	return u->ahead && (!u->recent || u->untimed.samples) && (unconditional || u->data.plain);
}

static void tell(struct apmu_uarch *u, const struct apmu_uarch__group_member *m, uint64_t addr)
{
	if (u->recent && m->site.unconditional)
		(m->store ? apmu_uarch__fast_store_forward : apmu_uarch__fast_load_forward)(u, &m->site,
											    addr);
	else if (u->recent)
		apmu_uarch__fast_some_forward(u, &m->site, addr, m->site.size, m->store);
	else if (m->site.unconditional)
		apmu_uarch__fast_one(u, &m->site, addr, m->store, false);
	else
		apmu_uarch_access(u, m->site.block, m->site.index, addr, m->site.size, m->store);
}

void apmu_uarch__group_each(struct apmu_uarch *u, const struct apmu_uarch__group *g, uint64_t anchor)
{
	for (unsigned i = 0; i < g->members; i++) {
		const struct apmu_uarch__group_member *m = &g->member[i];
		uint64_t addr = anchor + (uint64_t)(int64_t)m->offset;
		for (unsigned k = 0; k < m->accesses; k++)
			tell(u, m, addr + (uint64_t)k * m->site.size);
	}
}
