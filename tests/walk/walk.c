/* SPDX-License-Identifier: MIT */
#include "walk.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY ((size_t)1 << 21) /* entries of the hash; a walk that fills half of it has gone wrong */

/* Appends `bits` bits to a key. */
static void put(uint64_t *key, unsigned bits, uint64_t value)
{
	*key = *key << bits | (value & ((1u << bits) - 1));
}

static uint64_t take(uint64_t *key, unsigned bits)
{
	uint64_t value = *key & ((1u << bits) - 1);

	*key >>= bits;
	return value;
}

static uint64_t pack(const struct walk *w, const struct apmu_state *s)
{
	uint64_t key = 0;

	for (unsigned i = 0; i < 3; i++)
		put(&key, TOY_BITS, s->counter[index_of(i)]);
	put(&key, 1, s->type[0] == w->toy->event[1]);
	put(&key, 1, s->type[1] == w->toy->event[1]);
	put(&key, 3, three(s->overflow));
	put(&key, 3, three(s->inten));
	put(&key, 3, three(s->fiqen));
	put(&key, 1, s->word[APMU_WORD_ENABLE]);
	put(&key, 1, s->word[APMU_WORD_DIVIDE]);
	put(&key, 2, s->latch);
	put(&key, 2, s->holdoff);
	put(&key, 6, w->toy->divide ? s->phase : 0);
	return key;
}

static uint64_t mask_of(uint64_t bits)
{
	return (bits & 3) | (bits >> 2) << APMU_CYCLE_COUNTER;
}

/* A divider phase derived from the key, for walks whose key has none: any phase will do. */
static uint8_t some_phase(uint64_t key)
{
	return (uint8_t)(key * 0x9E3779B97F4A7C15 >> 58);
}

static struct apmu_state unpack(const struct walk *w, uint64_t key)
{
	struct apmu_state s = w->origin.state;
	uint8_t phase = some_phase(key);

	s.phase = (uint8_t)take(&key, 6);
	if (!w->toy->divide)
		s.phase = phase;
	s.holdoff = (uint8_t)take(&key, 2);
	s.latch = (uint8_t)take(&key, 2);
	s.word[APMU_WORD_DIVIDE] = (uint32_t)take(&key, 1);
	s.word[APMU_WORD_ENABLE] = (uint32_t)take(&key, 1);
	s.fiqen = mask_of(take(&key, 3));
	s.inten = mask_of(take(&key, 3));
	s.overflow = mask_of(take(&key, 3));
	s.type[1] = w->toy->event[take(&key, 1)];
	s.type[0] = w->toy->event[take(&key, 1)];
	for (unsigned i = 3; i-- > 0;)
		s.counter[index_of(i)] = take(&key, TOY_BITS);
	return s;
}

/* True if the key holds the whole state. */
static bool packs(const struct walk *w, const struct apmu_state *s, uint64_t key)
{
	struct apmu_state again = unpack(w, key);

	if (!w->toy->divide)
		again.phase = s->phase;
	return memcmp(&again, s, offsetof(struct apmu_state, in) + sizeof s->in) == 0;
}

/* Queues a state that is seen for the first time. */
static bool discover(struct walk *w, uint64_t key)
{
	size_t at = (size_t)(key * 0x9E3779B97F4A7C15 >> 40) % CAPACITY;

	while (w->seen[at] != 0) {
		if (w->seen[at] == key + 1)
			return true;
		at = (at + 1) % CAPACITY;
	}
	if (w->states >= CAPACITY / 2)
		return false;
	w->seen[at] = key + 1;
	w->queue[w->states++] = key;
	return true;
}

static void on_line(void *ctx, enum apmu_line line, bool up)
{
	struct walk *w = ctx;

	if (w->line[line] == up)
		w->broken = "the line is called back on a change only";
	w->line[line] = up;
}

static struct apmu_access access_to(uint32_t encoding)
{
	return (struct apmu_access){APMU_VIEW_CP, encoding, {.el = 1, .security = APMU_SECURE}};
}

static void take_step(struct walk *w, const struct step *step)
{
	const struct toy *toy = w->toy;

	w->pmu = w->before;
	w->tally = (struct apmu_tally){0};
	memcpy(w->line, w->line_before, sizeof w->line);
	switch ((enum step_kind)step->kind) {
	case STEP_CYCLE:
		w->tally.n[APMU_SIG_CYCLES] = 1;
		w->tally.n[toy->signal[0]] = step->n[0];
		w->tally.n[toy->signal[1]] = step->n[1];
		apmu_advance(&w->pmu);
		break;
	case STEP_PMNC: apmu_write(&w->pmu, access_to(toy->pmnc), step->value); break;
	case STEP_COUNTER: apmu_write(&w->pmu, access_to(toy->counter[step->i]), step->value); break;
	}
	w->transitions++;
}

static void print_state(const char *when, const struct apmu_state *s)
{
	printf("  %s: counters %u %u %u, selectors 0x%02X 0x%02X, flags %u, inten %u, fiqen %u, E %u, D %u, "
	       "latch %u, "
	       "hold-off %u, phase %u\n",
	       when, (unsigned)s->counter[0], (unsigned)s->counter[1],
	       (unsigned)s->counter[APMU_CYCLE_COUNTER], (unsigned)s->type[0], (unsigned)s->type[1],
	       three(s->overflow), three(s->inten), three(s->fiqen), (unsigned)s->word[APMU_WORD_ENABLE],
	       (unsigned)s->word[APMU_WORD_DIVIDE], s->latch, s->holdoff, s->phase);
}

static void print_step(const struct step *step)
{
	switch ((enum step_kind)step->kind) {
	case STEP_CYCLE: printf("  a cycle with %u and %u events\n", step->n[0], step->n[1]); break;
	case STEP_PMNC: printf("  PMNC := 0x%08X\n", (unsigned)step->value); break;
	case STEP_COUNTER: printf("  counter %u := %u\n", step->i, (unsigned)step->value); break;
	}
}

/* Checks the claims, and that a toy can be in the state reached. */
static bool step_holds(struct walk *w, const struct step *step)
{
	uint64_t key;

	if (!w->broken)
		w->broken = claim_broken(w, step);
	key = pack(w, &w->pmu.s);
	if (!w->broken && !packs(w, &w->pmu.s, key))
		w->broken = "nothing moves but what the toy has";
	if (!w->broken && !discover(w, key))
		w->broken = "a toy has fewer states than this";
	if (!w->broken)
		return true;
	printf("%s: %s\n", w->toy->name, w->broken);
	print_state("from", &w->before.s);
	print_step(step);
	print_state("to", &w->pmu.s);
	return false;
}

/* Puts the PMU into a discovered state by apmu_restore(), and reads its registers. */
static bool enter_state(struct walk *w, uint64_t key)
{
	struct apmu_snapshot snap = w->origin;

	snap.state = unpack(w, key);
	if (apmu_restore(&w->pmu, &snap) != APMU_OK)
		w->broken = "a state that was reached can be restored";
	else if (!reads_are_pure(w))
		w->broken = "a read changes nothing";
	if (w->broken) {
		printf("%s: %s\n", w->toy->name, w->broken);
		print_state("state", &snap.state);
		return false;
	}
	w->before = w->pmu;
	memcpy(w->line_before, w->line, sizeof w->line);
	return true;
}

/* Visits breadth first: the queue grows while it is read. */
static bool visit_all(struct walk *w, const struct step *step, size_t steps)
{
	for (size_t head = 0; head < w->states; head++) {
		if (!enter_state(w, w->queue[head]))
			return false;
		for (size_t i = 0; i < steps; i++) {
			take_step(w, &step[i]);
			if (!step_holds(w, &step[i]))
				return false;
		}
		w->pmu = w->before; /* the lines are as before */
		w->tally = (struct apmu_tally){0};
		memcpy(w->line, w->line_before, sizeof w->line);
	}
	return true;
}

static bool start(struct walk *w, const struct toy *toy)
{
	struct apmu_lines lines = {.line = on_line, .ctx = w};
	const struct apmu_core *core = apmu_core_find(toy->core);

	memset(w, 0, sizeof *w);
	w->toy = toy;
	if (!core)
		return false;
	w->core = *core;
	w->core.width = TOY_BITS;
	w->core.cycle_width = TOY_BITS;
	if (toy->spoil)
		toy->spoil(&w->core);
	apmu_init(&w->pmu, &w->core, &w->tally, lines);
	apmu_enter(&w->pmu, (struct apmu_mode){.el = 1, .security = APMU_SECURE});
	apmu_errata(&w->pmu, toy->errata);
	apmu_save(&w->pmu, &w->origin);
	w->seen = calloc(CAPACITY, sizeof *w->seen);
	w->queue = calloc(CAPACITY, sizeof *w->queue);
	return w->seen && w->queue && discover(w, pack(w, &w->pmu.s));
}

bool walk_all(struct walk *w, const struct toy *toy, const struct step *step, size_t steps)
{
	bool done = start(w, toy) && visit_all(w, step, steps);

	free(w->seen);
	free(w->queue);
	return done;
}
