/* SPDX-License-Identifier: MIT */
/* Claims that must hold for every transition of every state: the manuals' rules, one function each. */
#include "walk.h"

#include <string.h>

/* A transition, in the form that the claims use. */
struct go {
	struct walk *w;
	const struct toy *toy;
	const struct step *step;
	const struct apmu_state *from, *to;
};

static bool enabled(const struct apmu_state *s)
{
	return s->word[APMU_WORD_ENABLE] != 0;
}

/* True if the cycle is counted: E is set and the hold-off is over. */
static bool counted(const struct go *g)
{
	return g->step->kind == STEP_CYCLE && enabled(g->from) && g->from->holdoff == 0;
}

static unsigned written(const struct go *g, unsigned lsb)
{
	return g->step->kind == STEP_PMNC ? g->step->value >> lsb & 7 : 0;
}

/* Number by which the cycle increments counter i. */
static unsigned step_of(const struct go *g, unsigned i)
{
	if (!counted(g))
		return 0;
	if (i == 2)
		return !g->from->word[APMU_WORD_DIVIDE] || g->from->phase == 63;
	return g->step->n[g->from->type[i] == g->toy->event[1]];
}

static bool wraps(const struct go *g, unsigned i)
{
	return g->from->counter[index_of(i)] + step_of(g, i) > TOY_MAX;
}

static bool reset_by_write(const struct go *g, unsigned i)
{
	return g->step->kind == STEP_PMNC && (g->step->value & (i == 2 ? PMNC_C : PMNC_P)) != 0;
}

static bool e_off_stands_still(const struct go *g)
{
	return g->step->kind != STEP_CYCLE || enabled(g->from) || memcmp(g->from, g->to, sizeof *g->to) == 0;
}

static bool counters_step(const struct go *g)
{
	for (unsigned i = 0; i < 3; i++) {
		uint64_t want = (g->from->counter[index_of(i)] + step_of(g, i)) & TOY_MAX;

		if (reset_by_write(g, i))
			want = 0;
		if (g->step->kind == STEP_COUNTER && g->step->i == i)
			want = g->step->value;
		if (g->to->counter[index_of(i)] != want)
			return false;
	}
	return true;
}

static bool flags_rise_by_wraps(const struct go *g)
{
	unsigned risen = three(g->to->overflow & ~g->from->overflow);

	for (unsigned i = 0; i < 3; i++)
		if ((risen >> i & 1) && !wraps(g, i))
			return false;
	return true;
}

/* The last counter to wrap, in the order 0, 1, cycle: 0 if none. */
static unsigned last_wrap(const struct go *g)
{
	for (unsigned i = 3; i-- > 0;)
		if (wraps(g, i))
			return 1u << i;
	return 0;
}

static bool wraps_raise_flags(const struct go *g)
{
	if (g->toy->errata >> APMU_ERRATUM_FLAG_LOSS & 1)
		return !last_wrap(g) || three(g->to->overflow) == last_wrap(g);
	for (unsigned i = 0; i < 3; i++)
		if (wraps(g, i) && !(three(g->to->overflow) >> i & 1))
			return false;
	return true;
}

static bool flags_fall_by_ones(const struct go *g)
{
	unsigned kept = three(g->from->overflow) & ~written(g, PMNC_FLAG);

	if ((g->toy->errata >> APMU_ERRATUM_FLAG_LOSS & 1) && last_wrap(g))
		return true; /* the erratum; wraps_raise_flags() checks it exactly */
	return (three(g->to->overflow) & kept) == kept &&
	       (g->step->kind != STEP_PMNC || three(g->to->overflow) == kept);
}

static bool holdoff_is_short(const struct go *g)
{
	return g->to->holdoff <= g->toy->holdoff && (enabled(g->to) || g->to->holdoff == 0);
}

static bool holdoff_runs_down(const struct go *g)
{
	unsigned from = g->from->holdoff;

	return g->step->kind != STEP_CYCLE || g->to->holdoff == (from ? from - 1 : 0);
}

static bool holdoff_is_loaded_by_e_rising(const struct go *g)
{
	if (g->step->kind == STEP_CYCLE || !enabled(g->to))
		return true;
	return g->to->holdoff == (enabled(g->from) ? g->from->holdoff : g->toy->holdoff);
}

static bool phase_runs_while_counting(const struct go *g)
{
	unsigned want = g->from->phase;

	if (counted(g))
		want = (want + 1) % 64;
	if (reset_by_write(g, 2))
		want = 0;
	return g->to->phase == want;
}

static bool settings_are_what_was_written(const struct go *g)
{
	uint32_t v = g->step->value;

	if (g->step->kind != STEP_PMNC)
		return memcmp(g->from->type, g->to->type, sizeof g->to->type) == 0 &&
		       memcmp(g->from->word, g->to->word, sizeof g->to->word) == 0 &&
		       g->from->inten == g->to->inten && g->from->fiqen == g->to->fiqen;
	return g->to->type[0] == (v >> g->toy->evt_lsb[0] & 0xFF) &&
	       g->to->type[1] == (v >> g->toy->evt_lsb[1] & 0xFF) &&
	       g->to->word[APMU_WORD_ENABLE] == (v & PMNC_E) &&
	       g->to->word[APMU_WORD_DIVIDE] == (v & PMNC_D) / PMNC_D &&
	       three(g->to->inten) == (v >> PMNC_INTEN & 7) &&
	       three(g->to->fiqen) == (g->toy->fiq ? v >> PMNC_FIQEN & 7 : 0);
}

static bool pending(const struct apmu_state *s, unsigned line)
{
	return (s->overflow & (line == APMU_LINE_IRQ ? s->inten : s->fiqen)) != 0;
}

static bool lines_rise_with_flags(const struct go *g)
{
	for (unsigned line = 0; line <= APMU_LINE_FIQ; line++)
		if (pending(g->to, line) && !apmu_line_up(&g->w->pmu, line))
			return false;
	return true;
}

/* A line is up without a cause only on ARM11, only if it was up before, and only with E clear. */
static bool lines_fall(const struct go *g)
{
	for (unsigned line = 0; line <= APMU_LINE_FIQ; line++) {
		bool held = g->toy->latched && apmu_line_up(&g->w->before, line) && !enabled(g->to);

		if (!pending(g->to, line) && apmu_line_up(&g->w->pmu, line) != held)
			return false;
	}
	return true;
}

static bool lines_are_called_back(const struct go *g)
{
	for (unsigned line = 0; line <= APMU_LINE_FIQ; line++)
		if (g->w->line[line] != apmu_line_up(&g->w->pmu, line))
			return false;
	return true;
}

static uint64_t read(const struct apmu *pmu, uint32_t encoding)
{
	struct apmu_access at = {APMU_VIEW_CP, encoding, {.el = 1, .security = APMU_SECURE}};
	uint64_t value = UINT64_MAX;

	apmu_read(pmu, at, &value);
	return value;
}

static uint64_t pmnc_of(const struct toy *toy, const struct apmu_state *s)
{
	return s->type[0] << toy->evt_lsb[0] | s->type[1] << toy->evt_lsb[1] |
	       (uint64_t)three(s->fiqen) << PMNC_FIQEN | (uint64_t)three(s->overflow) << PMNC_FLAG |
	       (uint64_t)three(s->inten) << PMNC_INTEN | (s->word[APMU_WORD_DIVIDE] ? PMNC_D : 0) |
	       s->word[APMU_WORD_ENABLE];
}

static bool registers_show_the_state(const struct go *g)
{
	const struct apmu *pmu = &g->w->pmu;

	for (unsigned i = 0; i < 3; i++)
		if (read(pmu, g->toy->counter[i]) != g->to->counter[index_of(i)])
			return false;
	return read(pmu, g->toy->pmnc) == pmnc_of(g->toy, g->to);
}

/* apmu_until_overflow() for the cycle counter: exact, except that it may be less during the hold-off. */
static bool overflow_is_foreseen(const struct go *g)
{
	uint64_t far = apmu_until_overflow(&g->w->pmu, APMU_SIG_CYCLES);
	uint64_t left = TOY_MAX + 1 - g->to->counter[APMU_CYCLE_COUNTER];

	if (!enabled(g->to))
		return far == UINT64_MAX;
	if (g->to->word[APMU_WORD_DIVIDE])
		left = left * 64 - g->to->phase;
	return far >= 1 && far <= left + g->to->holdoff && (g->to->holdoff > 0 || far == left);
}

static bool cycles_are_wanted(const struct go *g)
{
	return apmu_wants_cycles(&g->w->pmu) == (g->to->holdoff > 0);
}

static const struct {
	bool (*holds)(const struct go *g);
	const char *text;
} claims[] = {
	{e_off_stands_still, "with E clear a cycle changes nothing"},
	{counters_step, "a counter steps by its event, modulo its width, and otherwise only by a write"},
	{flags_rise_by_wraps, "only a wrap sets a flag"},
	{wraps_raise_flags, "every wrap sets its flag"},
	{flags_fall_by_ones, "only a 1 written to it clears a flag"},
	{holdoff_is_short, "the hold-off is never longer than the core's, and none with E clear"},
	{holdoff_runs_down, "a cycle takes one off the hold-off"},
	{holdoff_is_loaded_by_e_rising, "E going up loads the hold-off, writing it again does not"},
	{phase_runs_while_counting, "the divider runs while cycles are counted, and C zeroes it"},
	{settings_are_what_was_written,
	 "selectors, enables, E and D change by a write of PMNC only, to what it says"},
	{lines_rise_with_flags, "a line is up while a flag meets its enable"},
	{lines_fall, "without that a line is down, unless ARM11 holds it while E is clear"},
	{lines_are_called_back, "the line as called back is the line as asked for"},
	{registers_show_the_state, "the registers read as the state is"},
	{overflow_is_foreseen, "apmu_until_overflow() knows the cycle counter's wrap"},
	{cycles_are_wanted, "single cycles are asked for in the hold-off, and only there"},
};

const char *claim_broken(struct walk *w, const struct step *step)
{
	struct go g = {w, w->toy, step, &w->before.s, &w->pmu.s};

	for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++)
		if (!claims[i].holds(&g))
			return claims[i].text;
	return NULL;
}

bool reads_are_pure(const struct walk *w)
{
	struct apmu copy;

	memcpy(&copy, &w->pmu, sizeof copy);
	read(&w->pmu, w->toy->pmnc);
	for (unsigned i = 0; i < 3; i++)
		read(&w->pmu, w->toy->counter[i]);
	return memcmp(&copy, &w->pmu, sizeof copy) == 0;
}
