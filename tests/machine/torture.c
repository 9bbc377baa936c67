/* SPDX-License-Identifier: MIT */
#include "torture.h"
#include "../property/ref_v7.h"
#include "../property/ref_v8.h"
#include <apmu/machine.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSNS = 400000, MOST_EVENTS = 20000 };

/* What the guest saw, and when: the same in both runs. */
struct event {
	uint64_t insns, pc, value;
	uint8_t what; /* enum apmu_outcome of an access; INTERRUPT */
};
enum { INTERRUPT = 16 };

struct torture {
	const struct torture_case *c;
	struct apmu_machine *machine;
	union ref_box ref;
	struct apmu_mode mode;         /* the reference's */
	struct apmu_seen_access write; /* takes effect once its instruction has been counted */
	bool writing, second;
	bool timed; /* the core's timing model gives cycles: the reference, which counts by one, is left out
		     */
	uint64_t cycle;
	struct apmu_tally seen; /* what the steps added up to */
	struct event *event;
	size_t events, at;
	struct torture_totals *totals;
	bool broken;
	char *why;
};

static void fails(struct torture *t, uint64_t pc, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void fails(struct torture *t, uint64_t pc, const char *format, ...)
{
	char text[TORTURE_WHY - 40];
	va_list args;

	if (t->broken)
		return;
	t->broken = true;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	snprintf(t->why, TORTURE_WHY, "%s, at 0x%" PRIx64, text, pc);
	apmu_machine_stop(t->machine);
}

/* First run: noted. Second run: must be as noted. */
static void note(struct torture *t, struct event e)
{
	const struct event *was = &t->event[t->at];

	if (!t->second) {
		if (t->events < MOST_EVENTS)
			t->event[t->events++] = e;
		return;
	}
	if (t->at >= t->events)
		return;
	t->at++;
	if (was->insns != e.insns || was->pc != e.pc || was->value != e.value || was->what != e.what)
		fails(t, e.pc,
		      "left alone: %u after %" PRIu64 " instructions gives 0x%" PRIx64
		      ", looked at: %u after %" PRIu64 " gives 0x%" PRIx64,
		      e.what, e.insns, e.value, was->what, was->insns, was->value);
}

static bool reference_line(const struct torture *t)
{
	const struct apmu_core *core = apmu_machine_pmu(t->machine)->core;

	if (t->c->family->line)
		return t->c->family->line(&t->ref, APMU_LINE_IRQ);
	return core->access_rule == APMU_ACCESS_V7 ? ref_v7_irq((const void *)&t->ref)
						   : ref_v8_irq((const void *)&t->ref);
}

static void enter(struct torture *t)
{
	struct apmu_mode now = apmu_machine_pmu(t->machine)->s.mode;

	if (now.el == t->mode.el && now.security == t->mode.security)
		return;
	t->mode = now;
	t->c->family->enter(&t->ref, now);
}

/* A read sees its own instruction's fetch, and the branch that led there, which are counted with it. Is
 * `value` what the reference would show if these events, but no cycle, had come? */
static bool fetched(const struct torture *t, struct apmu_access at, uint64_t value)
{
	union ref_box early = t->ref;
	const struct apmu_tally *now = apmu_machine_tally(t->machine);
	uint64_t n[APMU_SIGNALS], want = 0, any = 0;

	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		any |= n[s] = now->n[s] - t->seen.n[s];
	if (!any)
		return false;
	t->c->family->cycle(&early, n);
	return t->c->family->read(&early, at, &want) == APMU_DONE && want == value;
}

static void make_write(struct torture *t)
{
	enum apmu_outcome outcome = t->c->family->write(&t->ref, t->write.at, t->write.value);

	t->writing = false;
	if (outcome != t->write.outcome)
		fails(t, t->write.pc, "write of 0x%X from EL%u: outcome %d, the reference: %d",
		      (unsigned)t->write.at.encoding, t->write.at.from.el, t->write.outcome, outcome);
}

static void on_access(void *ctx, const struct apmu_seen_access *seen)
{
	struct torture *t = ctx;
	struct apmu_access at = seen->at;
	uint64_t want = 0;
	bool done = seen->outcome == APMU_DONE;

	note(t, (struct event){seen->insns, seen->pc, seen->value, (uint8_t)seen->outcome});
	if (t->second || t->timed)
		return;
	t->totals->reads += !seen->write && done;
	t->totals->writes += seen->write && done;
	t->totals->refused += !done;
	at.from = t->mode;
	if (seen->write) {
		t->write = *seen;
		t->write.at = at;
		t->writing = true;
		if (!done) /* then its instruction is not counted: no step follows */
			make_write(t);
		return;
	}
	enum apmu_outcome outcome = t->c->family->read(&t->ref, at, &want);
	if (outcome != seen->outcome || (done && want != seen->value && !fetched(t, at, seen->value)))
		fails(t, seen->pc,
		      "read of 0x%X from EL%u: outcome %d, 0x%" PRIx64 "; the reference: %d, 0x%" PRIx64,
		      (unsigned)at.encoding, at.from.el, seen->outcome, seen->value, outcome, want);
}

static void on_step(void *ctx, uint64_t pc, uint64_t cycle, const struct apmu_tally *gained)
{
	struct torture *t = ctx;
	uint64_t n[APMU_SIGNALS];

	if (cycle == t->cycle || t->timed)
		return; /* before the first instruction */
	if (cycle != t->cycle + 1)
		fails(t, pc, "an instruction of %" PRIu64 " cycles", cycle - t->cycle);
	t->cycle = cycle;
	memcpy(n, gained->n, sizeof n);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		t->seen.n[s] += n[s];
	n[APMU_SIG_CYCLES] = 1; /* whether or not the machine's counters want it */
	t->c->family->cycle(&t->ref, n);
	if (t->writing)
		make_write(t);
	enter(t);
	if (apmu_line_up(apmu_machine_pmu(t->machine), APMU_LINE_IRQ) != reference_line(t))
		fails(t, pc, "the line is %d, the reference's %d", !reference_line(t), reference_line(t));
}

static void on_exception(void *ctx, const struct apmu_seen_exception *seen)
{
	struct torture *t = ctx;

	if (seen->what == APMU_EXCEPTION_IRQ) {
		note(t, (struct event){seen->insns, seen->from, seen->vector, INTERRUPT});
		if (!t->second && !t->timed && !reference_line(t))
			fails(t, seen->from, "an interrupt that the reference does not ask for");
		t->totals->interrupts += !t->second;
	}
	/* The step of an SVC comes after it, and counts where the SVC was. */
	if (!t->second && !t->timed && seen->what != APMU_EXCEPTION_SVC)
		enter(t);
}

static bool open(struct torture *t, const struct guest *g, char *error, size_t size)
{
	struct apmu_machine_config config = {
		.core = apmu_core_find(t->c->core),
		.cpi = !t->timed,
		.observer = {.access = on_access, .exception = on_exception, .ctx = t},
	};

	if (!t->second)
		config.observer.step = on_step;
	return !apmu_machine_new(&config, &t->machine, error, size) &&
	       !apmu_machine_load(t->machine, g->byte, GUEST_CODE, 0, false, error, size) &&
	       !apmu_machine_load(t->machine, g->byte + GUEST_CODE, g->here - GUEST_CODE, GUEST_CODE, true,
				  error, size);
}

/* The reference starts as the machine does. */
static void start_reference(struct torture *t)
{
	const struct apmu *pmu = apmu_machine_pmu(t->machine);
	struct apmu_machine_state state;
	unsigned kind = t->c->kind;

	if (t->c->family->draw)
		for (kind = 0; apmu_core_at(kind) != pmu->core;)
			kind++;
	t->mode = pmu->s.mode;
	t->c->family->init(&t->ref, kind, t->mode);
	apmu_machine_get(pmu, &state);
	if (t->c->family->machine)
		t->c->family->machine(&t->ref, &state);
}

static void run(struct torture *t, const struct guest *g)
{
	struct apmu_stop stop = {0};
	char error[120] = "";

	if (!open(t, g, error, sizeof error)) {
		t->broken = true;
		snprintf(t->why, TORTURE_WHY, "no machine: %s", error);
		return;
	}
	if (!t->second && !t->timed)
		start_reference(t);
	apmu_machine_run(t->machine, MOST_INSNS, &stop);
	if (!t->broken && stop.reason != APMU_STOP_EXIT)
		fails(t, stop.pc, "it ended: %d, %.120s", stop.reason, stop.what);
	if (!t->second)
		t->totals->insns += stop.insns;
	apmu_machine_free(t->machine);
}

/* Looked at, then left alone. */
static bool run_both(struct torture *t, const struct guest *g)
{
	t->events = t->at = 0;
	t->second = false;
	run(t, g);
	t->second = true;
	if (!t->broken)
		run(t, g);
	if (!t->broken && t->at != t->events) {
		t->broken = true;
		snprintf(t->why, TORTURE_WHY, "left alone: %zu events, looked at: %zu", t->at, t->events);
	}
	return !t->broken;
}

bool torture_run(const struct torture_case *c, uint64_t seed, unsigned operations,
		 struct torture_totals *totals, char why[TORTURE_WHY])
{
	static struct guest g;
	static struct event events[MOST_EVENTS];
	struct torture t = {.c = c, .event = events, .totals = totals, .why = why};

	if (!torture_program(c, seed, operations, &g)) {
		snprintf(why, TORTURE_WHY, "the program does not fit");
		return false;
	}
	if (!run_both(&t, &g))
		return false;
	t.timed = true;
	return run_both(&t, &g);
}
