/* SPDX-License-Identifier: MIT */
/* Visits all states of a toy PMUv3. walk_v3.h says what the walk covers. */
#include "test.h"
#include "walk_v3.h"

#include <stdlib.h>
#include <string.h>

#define KEYS (1u << 19)

static uint64_t mask_of(unsigned bits)
{
	return (bits & 3) | (uint64_t)(bits >> 2) << 31;
}

static struct v3_view view_of(const struct apmu_state *s)
{
	uint64_t mdcr = s->word[APMU_WORD_MDCR_EL2];

	return (struct v3_view){
		.c = {(unsigned)s->counter[0], (unsigned)s->counter[1],
		      (unsigned)s->counter[APMU_CYCLE_COUNTER]},
		.flags = v3_three(s->overflow),
		.on = (unsigned)s->cnten & 3,
		.inten = s->inten != 0,
		.e = s->word[APMU_WORD_ENABLE],
		.fzo = s->word[APMU_WORD_FZO],
		.dp = s->word[APMU_WORD_DP],
		.hpme = mdcr >> 7 & 1,
		.hpmfzo = mdcr >> 29 & 1,
		.hpmn = mdcr & 31,
	};
}

static uint32_t pack(const struct v3_view *v)
{
	uint32_t key = v->hpmn;

	for (unsigned i = 0; i < 3; i++)
		key = key << 2 | v->c[i];
	key = key << 3 | v->flags;
	key = key << 2 | v->on;
	return key << 6 | (uint32_t)v->inten << 5 | (uint32_t)v->e << 4 | (uint32_t)v->fzo << 3 |
	       (uint32_t)v->dp << 2 | (uint32_t)v->hpme << 1 | v->hpmfzo;
}

static struct v3_view unpack(uint32_t key)
{
	return (struct v3_view){
		.hpmfzo = key & 1,
		.hpme = key >> 1 & 1,
		.dp = key >> 2 & 1,
		.fzo = key >> 3 & 1,
		.e = key >> 4 & 1,
		.inten = key >> 5 & 1,
		.on = key >> 6 & 3,
		.flags = key >> 8 & 7,
		.c = {key >> 15 & 3, key >> 13 & 3, key >> 11 & 3},
		.hpmn = key >> 17,
	};
}

static struct apmu_state state_of(const struct v3_walk *w, uint32_t key)
{
	struct apmu_state s = w->origin.state;
	struct v3_view v = unpack(key);

	s.counter[0] = v.c[0];
	s.counter[1] = v.c[1];
	s.counter[APMU_CYCLE_COUNTER] = v.c[2];
	s.overflow = mask_of(v.flags);
	s.cnten = v.on | C31;
	s.inten = v.inten ? 3 | C31 : 0;
	s.word[APMU_WORD_ENABLE] = v.e;
	s.word[APMU_WORD_FZO] = v.fzo;
	s.word[APMU_WORD_DP] = v.dp;
	s.word[APMU_WORD_MDCR_EL2] = (uint64_t)v.hpmfzo << 29 | (uint64_t)v.hpme << 7 | v.hpmn;
	return s;
}

static void on_line(void *ctx, enum apmu_line line, bool up)
{
	struct v3_walk *w = ctx;

	if (line == APMU_LINE_IRQ)
		w->line = up;
}

static struct apmu_access el2(uint32_t at)
{
	return (struct apmu_access){APMU_VIEW_A64, at, {.el = 2, .security = APMU_NONSECURE}};
}

static void print_view(const char *when, const struct v3_view *v)
{
	printf("  %s: counters %u %u %u, flags %u, cnten %u, inten %d, E %d, FZO %d, DP %d, HPME %d, HPMFZO "
	       "%d, HPMN %u\n",
	       when, v->c[0], v->c[1], v->c[2], v->flags, v->on, v->inten, v->e, v->fzo, v->dp, v->hpme,
	       v->hpmfzo, v->hpmn);
}

static bool broken(const struct v3_go *g, const char *text)
{
	printf("%s\n", text);
	print_view("from", &g->from);
	if (g->step->kind == CYCLE)
		printf("  a cycle with %u INST and %u L1D_FILL\n", g->step->inst, g->step->fill);
	else
		printf("  0x%X := 0x%llX\n", (unsigned)g->step->at, (unsigned long long)g->step->value);
	print_view("to", &g->to);
	return false;
}

static void discover(struct v3_walk *w, uint32_t key)
{
	if (w->seen[key])
		return;
	w->seen[key] = 1;
	w->queue[w->states++] = key;
}

/* True if the key holds all state but the divider's phase and the latch, which nothing here shows. */
static bool packs(const struct v3_walk *w, uint32_t key)
{
	struct apmu_state again = state_of(w, key);

	again.phase = w->pmu.s.phase;
	again.latch = w->pmu.s.latch;
	return memcmp(&again, &w->pmu.s, sizeof again) == 0;
}

static bool take(struct v3_walk *w, const struct apmu *before, const struct v3_step *step)
{
	struct v3_go g = {.w = w, .step = step, .from = view_of(&before->s)};
	bool line = w->line;

	w->pmu = *before;
	w->tally = (struct apmu_tally){0};
	if (step->kind == CYCLE) {
		w->tally.n[APMU_SIG_CYCLES] = 1;
		w->tally.n[APMU_SIG_INST] = step->inst;
		w->tally.n[APMU_SIG_L1D_FILL] = step->fill;
		apmu_advance(&w->pmu);
	} else if (apmu_write(&w->pmu, el2(step->at), step->value) != APMU_DONE) {
		return broken(&g, "EL2 may write");
	}
	w->transitions++;
	g.to = view_of(&w->pmu.s);
	if (v3_broken(&g))
		return broken(&g, v3_broken(&g));
	if (g.to.hpmn > 2 || !packs(w, pack(&g.to)))
		return broken(&g, "nothing moves but what the toy has");
	discover(w, pack(&g.to));
	w->line = line;
	return true;
}

static bool visit(struct v3_walk *w, uint32_t key)
{
	struct apmu_snapshot snap = w->origin;
	struct apmu before;

	snap.state = state_of(w, key);
	if (apmu_restore(&w->pmu, &snap) != APMU_OK) {
		printf("a state that was reached can be restored\n");
		return false;
	}
	before = w->pmu;
	w->line = apmu_line_up(&w->pmu, APMU_LINE_IRQ);
	for (size_t i = 0; i < w->steps; i++)
		if (!take(w, &before, &w->step[i]))
			return false;
	w->pmu = before;
	w->tally = (struct apmu_tally){0};
	return true;
}

static void add(struct v3_walk *w, struct v3_step step)
{
	w->step[w->steps++] = step;
}

static void add_write(struct v3_walk *w, uint32_t at, uint64_t value)
{
	add(w, (struct v3_step){.kind = WRITE, .at = at, .value = value});
}

static void add_steps(struct v3_walk *w)
{
	for (unsigned inst = 0; inst <= 2; inst++)
		for (unsigned fill = 0; fill <= (w->chained ? 0 : 1); fill++)
			add(w, (struct v3_step){.kind = CYCLE, .inst = inst, .fill = fill});
	for (unsigned i = 0; i < 2; i++) {
		add_write(w, PMEVCNTR0 + i, 0);
		add_write(w, PMEVCNTR0 + i, TOY3_MAX);
		add_write(w, PMCNTENSET, 1u << i);
		add_write(w, PMCNTENCLR, 1u << i);
		add_write(w, PMOVSSET, 1u << i);
		add_write(w, PMOVSCLR, 1u << i);
	}
	add_write(w, PMCCNTR, TOY3_MAX);
	add_write(w, PMOVSSET, C31);
	add_write(w, PMOVSCLR, C31);
	add_write(w, PMINTENSET, C31 | 3);
	add_write(w, PMINTENCLR, C31 | 3);
	for (unsigned v = 0; v < 8; v++)
		add_write(w, PMCR, (v & 1) | (v & 2) << 4 | (uint64_t)(v & 4) << 7);
	add_write(w, PMCR, 0x1 | 2);
	add_write(w, PMCR, 0x1 | 4);
	for (unsigned v = 0; v < 12; v++)
		add_write(w, MDCR_EL2, (uint64_t)(v & 1) << 7 | (uint64_t)(v & 2) << 28 | v / 4);
}

static bool start(struct v3_walk *w, bool chained, void (*spoil)(struct apmu_core *core))
{
	memset(w, 0, sizeof *w);
	w->core = *apmu_core_find("generic-v9");
	w->core.counters = 2;
	w->core.width = w->core.cycle_width = 2;
	if (chained)
		w->core.features &= ~((uint64_t)1 << APMU_FEATURE_P5);
	if (spoil)
		spoil(&w->core);
	w->chained = chained;
	apmu_init(&w->pmu, &w->core, &w->tally, (struct apmu_lines){.line = on_line, .ctx = w});
	apmu_enter(&w->pmu, (struct apmu_mode){.el = 1, .security = APMU_NONSECURE});
	apmu_write(&w->pmu, el2(PMEVTYPER0), 0x08);
	apmu_write(&w->pmu, el2(PMEVTYPER0 + 1), chained ? 0x1E : 0x03);
	apmu_write(&w->pmu, el2(PMCNTENSET), C31);
	apmu_save(&w->pmu, &w->origin);
	w->seen = calloc(KEYS, 1);
	w->queue = calloc(KEYS, sizeof *w->queue);
	add_steps(w);
	return w->seen && w->queue;
}

static bool walk(bool chained, void (*spoil)(struct apmu_core *core))
{
	static struct v3_walk w;
	bool held = start(&w, chained, spoil);

	if (held) {
		struct v3_view v = view_of(&w.pmu.s);

		discover(&w, pack(&v));
	}
	for (size_t head = 0; held && head < w.states; head++)
		held = visit(&w, w.queue[head]);
	printf("toy PMUv3%s: %zu states, %lu transitions\n", chained ? ", chained" : "", w.states,
	       w.transitions);
	free(w.seen);
	free(w.queue);
	return held && w.states > 1;
}

TEST(every_state_of_a_chained_toy_pmuv3_keeps_the_rules)
{
	CHECK(walk(true, NULL));
}

TEST(every_state_of_a_toy_pmuv3_with_two_events_keeps_the_rules)
{
	CHECK(walk(false, NULL));
}

/* Breaks a rule on purpose: a walk that cannot fail proves nothing. */
static void wide_counters(struct apmu_core *core)
{
	core->width = 3;
}

static void no_freeze(struct apmu_core *core)
{
	core->features &= ~((uint64_t)1 << APMU_FEATURE_P7);
}

static void plain_line(struct apmu_core *core)
{
	core->line_rule = APMU_LINE_PLAIN;
}

static void one_enable(struct apmu_core *core)
{
	core->enable_rule = APMU_ENABLE_ALL;
}

TEST(a_toy_with_one_rule_wrong_is_found_out)
{
	printf("the next four toys are wrong on purpose:\n");
	CHECK(!walk(true, wide_counters));
	CHECK(!walk(true, no_freeze));
	CHECK(!walk(true, plain_line));
	CHECK(!walk(true, one_enable));
}
