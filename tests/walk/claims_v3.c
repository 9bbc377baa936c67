/* SPDX-License-Identifier: MIT */
/* Claims that must hold for every transition of the toy PMUv3: the fact sheet's rules, one function each. */
#include "walk_v3.h"

/* pmuv3 4.1: each event counter is in range R1 or R2. */
static bool in_r1(const struct v3_view *v, unsigned i)
{
	return i == 2 || i < v->hpmn;
}

static bool enabled(const struct v3_view *v, unsigned i)
{
	return in_r1(v, i) ? v->e : v->hpme;
}

/* pmuv3 4.6: a freeze depends on the flags of the range's event counters, not on the cycle counter's. */
static bool frozen(const struct v3_view *v, bool r1)
{
	if (!(r1 ? v->fzo : v->hpmfzo))
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (in_r1(v, i) == r1 && (v->flags >> i & 1))
			return true;
	return false;
}

/* pmuv3 4.2; 4.5: a freeze stops the cycle counter only if DP is set. */
static bool counts(const struct v3_view *v, unsigned i)
{
	if (i == 2)
		return v->e && !(v->dp && frozen(v, true));
	return (v->on >> i & 1) && enabled(v, i) && !frozen(v, in_r1(v, i));
}

/* pmuv3 4.9: CHAIN counts if the even counter wraps and both counters are in one range. */
static bool chain_happens(const struct v3_go *g)
{
	return counts(&g->from, 0) && g->from.c[0] + g->step->inst > TOY3_MAX &&
	       in_r1(&g->from, 0) == in_r1(&g->from, 1);
}

static unsigned gain(const struct v3_go *g, unsigned i)
{
	if (g->step->kind != CYCLE || !counts(&g->from, i))
		return 0;
	if (i == 0)
		return g->step->inst;
	if (i == 2)
		return 1;
	return g->w->chained ? chain_happens(g) : g->step->fill;
}

static bool writes(const struct v3_go *g, uint32_t at)
{
	return g->step->kind == WRITE && g->step->at == at;
}

static bool counters_gain_what_they_count(const struct v3_go *g)
{
	for (unsigned i = 0; i < 3; i++) {
		unsigned want = (g->from.c[i] + gain(g, i)) & TOY3_MAX;

		if (writes(g, i == 2 ? PMCCNTR : PMEVCNTR0 + i))
			want = (unsigned)g->step->value;
		if (writes(g, PMCR) && (g->step->value & (i == 2 ? 4 : 2)))
			want = 0; /* 2.1: P from EL2 resets R1 and R2 */
		if (g->to.c[i] != want)
			return false;
	}
	return true;
}

static bool flags_rise_by_wraps_and_sets(const struct v3_go *g)
{
	unsigned want = g->from.flags;

	for (unsigned i = 0; i < 3; i++)
		if (g->from.c[i] + gain(g, i) > TOY3_MAX)
			want |= 1u << i;
	if (writes(g, PMOVSSET))
		want |= v3_three(g->step->value);
	if (writes(g, PMOVSCLR))
		want &= ~v3_three(g->step->value);
	return g->to.flags == want;
}

static bool a_frozen_range_stands_still(const struct v3_go *g)
{
	for (unsigned i = 0; i < 2; i++)
		if (g->step->kind == CYCLE && frozen(&g->from, in_r1(&g->from, i)) &&
		    g->to.c[i] != g->from.c[i])
			return false;
	return true;
}

static bool ranges_do_not_chain(const struct v3_go *g)
{
	return !g->w->chained || g->step->kind != CYCLE || g->from.hpmn != 1 || g->to.c[1] == g->from.c[1];
}

static bool settings_are_what_was_written(const struct v3_go *g)
{
	struct v3_view want = g->from;
	uint64_t v = g->step->value;

	if (writes(g, PMCR))
		want.e = v & 1, want.dp = v >> 5 & 1, want.fzo = v >> 9 & 1;
	if (writes(g, MDCR_EL2))
		want.hpme = v >> 7 & 1, want.hpmfzo = v >> 29 & 1, want.hpmn = v & 31;
	if (writes(g, PMCNTENSET))
		want.on |= v & 3;
	if (writes(g, PMCNTENCLR))
		want.on &= ~(unsigned)(v & 3);
	if (writes(g, PMINTENSET) || writes(g, PMINTENCLR))
		want.inten = writes(g, PMINTENSET);
	return want.on == g->to.on && want.inten == g->to.inten && want.e == g->to.e &&
	       want.fzo == g->to.fzo && want.dp == g->to.dp && want.hpme == g->to.hpme &&
	       want.hpmfzo == g->to.hpmfzo && want.hpmn == g->to.hpmn;
}

/* pmuv3 5.2: the line is a level of flags and interrupt enables; the counter enables do not matter. */
static bool line_is_flags_and_enables(const struct v3_go *g)
{
	bool want = false;

	for (unsigned i = 0; i < 3; i++)
		if (g->to.inten && (g->to.flags >> i & 1) && enabled(&g->to, i))
			want = true;
	return g->w->line == want && apmu_line_up(&g->w->pmu, APMU_LINE_IRQ) == want;
}

static const struct {
	bool (*holds)(const struct v3_go *g);
	const char *text;
} claims[] = {
	{counters_gain_what_they_count, "counters gain what they count"},
	{flags_rise_by_wraps_and_sets, "flags rise by wraps and sets, and fall by ones"},
	{a_frozen_range_stands_still, "a frozen range stands still"},
	{ranges_do_not_chain, "CHAIN does not cross the ranges"},
	{settings_are_what_was_written, "settings are what was written"},
	{line_is_flags_and_enables, "the line is flags and enables"},
};

const char *v3_broken(const struct v3_go *g)
{
	for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++)
		if (!claims[i].holds(g))
			return claims[i].text;
	return NULL;
}
