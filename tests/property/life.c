/* SPDX-License-Identifier: MIT */
#include "life.h"

#include <stdio.h>
#include <string.h>

static void on_line(void *ctx, enum apmu_line line, bool up)
{
	struct life *l = ctx;

	if (l->line[line] == up)
		life_fails(l, "the line callback is called on a change only", up, !up);
	l->line[line] = up;
}

bool life_fails(struct life *l, const char *claim, uint64_t got, uint64_t want)
{
	if (!l->broken) {
		l->broken = claim;
		snprintf(l->detail, sizeof l->detail, "model 0x%llX, expected 0x%llX",
			 (unsigned long long)got, (unsigned long long)want);
	}
	return false;
}

bool life_same(struct life *l, const char *claim, uint64_t got, uint64_t want)
{
	return got == want || life_fails(l, claim, got, want);
}

void life_start(struct life *l, const struct subject *subject, struct apmu_tally *tally)
{
	const struct apmu_core *core = apmu_core_find(subject->core);
	struct apmu_lines lines = {.line = on_line, .ctx = l};

	memset(l, 0, sizeof *l);
	l->subject = subject;
	l->tally = tally ? tally : &l->own;
	if (!core) {
		life_fails(l, "the core exists", 0, 1);
		return;
	}
	apmu_init(&l->pmu, core, l->tally, lines);
	struct apmu_mode mode = {.el = 1, .security = APMU_SECURE}; /* out of reset: Supervisor, Secure */
	apmu_enter(&l->pmu, mode);
	subject->family->init(&l->ref, subject->kind, mode);
}

void op_counts(const struct op *op, uint64_t n[APMU_SIGNALS])
{
	memset(n, 0, APMU_SIGNALS * sizeof *n);
	n[APMU_SIG_CYCLES] = 1;
	for (unsigned i = 0; i < op->signals; i++)
		n[op->signal[i]] += op->count[i];
}

void life_feed(struct apmu_tally *tally, const struct op *op)
{
	tally->n[APMU_SIG_CYCLES]++;
	for (unsigned i = 0; i < op->signals; i++)
		tally->n[op->signal[i]] += op->count[i];
}

/* Adds only the signals that apmu_wants() asks for, and cycles, as a host may. */
static void feed_wanted(struct life *l, const struct op *op)
{
	l->tally->n[APMU_SIG_CYCLES]++;
	for (unsigned i = 0; i < op->signals; i++)
		if (apmu_wants(&l->pmu, op->signal[i]))
			l->tally->n[op->signal[i]] += op->count[i];
}

/* apmu_export() takes the counts of a cycle, not totals. */
static bool bus_agrees(struct life *l, const struct apmu_tally *cycle)
{
	return life_same(l, "the event bus", apmu_export(&l->pmu, cycle),
			 l->subject->family->bus(&l->ref, cycle->n));
}

/* Compares the event bus for a cycle with more counts than signals can have: its positions must saturate. */
static bool full_bus_agrees(struct life *l)
{
	struct apmu_tally cycle;

	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		cycle.n[s] = (l->turn >> s % 16) & 7;
	return bus_agrees(l, &cycle);
}

static bool must_step(const struct life *l)
{
	const struct family *f = l->subject->family;

	return apmu_wants_cycles(&l->pmu) || (f->loses_flags && f->loses_flags(&l->ref));
}

/* True if the model can take `cycles` more such cycles, and the next one, at once without an overflow. */
static bool room_for(const struct life *l, const struct op *op, uint64_t cycles)
{
	if (apmu_until_overflow(&l->pmu, APMU_SIG_CYCLES) <= cycles + 1)
		return false;
	for (unsigned i = 0; i < op->signals; i++)
		if (apmu_until_overflow(&l->pmu, op->signal[i]) <= (cycles + 1) * op->count[i])
			return false;
	return true;
}

/* Hands over as many of the cycles at once as the header allows: all, or one at a time. */
static void do_cycles(struct life *l, const struct op *op)
{
	const struct family *f = l->subject->family;
	struct apmu_tally cycle;
	bool sparing = l->turn % 2 == 0;

	op_counts(op, cycle.n);
	if (f->bus)
		bus_agrees(l, &cycle);
	for (uint64_t i = 0; i < op->value; i++) {
		bool step = must_step(l) || (f->agrees && (!room_for(l, op, i) || l->turn % 4 < 2));

		if (step && f->agrees)
			apmu_advance(&l->pmu); /* so that a cycle that may overflow is taken alone */
		if (sparing)
			feed_wanted(l, op);
		else
			life_feed(l->tally, op);
		f->cycle(&l->ref, cycle.n);
		if (step)
			apmu_advance(&l->pmu);
	}
	apmu_advance(&l->pmu);
}

void life_take_cycle(struct life *l, const struct op *op)
{
	struct apmu_tally cycle;

	l->turn = op->turn;
	op_counts(op, cycle.n);
	bus_agrees(l, &cycle);
	l->subject->family->cycle(&l->ref, cycle.n);
	apmu_advance(&l->pmu);
}

static void do_late(struct life *l, const struct op *op)
{
	uint64_t n[APMU_SIGNALS];

	op_counts(op, n);
	life_feed(l->tally, op);
	l->subject->family->cycle(&l->ref, n);
	l->late = true;
}

static void do_write(struct life *l, const struct op *op)
{
	const struct family *f = l->subject->family;

	if (f->possible && !f->possible(&l->ref, op->at)) {
		apmu_advance(&l->pmu);
		return;
	}
	enum apmu_outcome want = f->write(&l->ref, op->at, op->value);

	life_same(l, "the outcome of a write", apmu_write(&l->pmu, op->at, op->value), want);
}

bool life_read_agrees(struct life *l, struct apmu_access at)
{
	uint64_t got = 0x5EED5EED5EED5EED, want = got;
	enum apmu_outcome wanted = l->subject->family->read(&l->ref, at, &want);
	enum apmu_outcome outcome = apmu_read(&l->pmu, at, &got);

	if (outcome == wanted && got == want)
		return true;
	if (life_same(l, "the outcome of a read", outcome, wanted))
		life_same(l, "the value read", got, want);
	size_t n = strlen(l->detail);
	snprintf(l->detail + n, sizeof l->detail - n,
		 " at view %d encoding 0x%X from el%u security %u halted %d", (int)at.view,
		 (unsigned)at.encoding, at.from.el, at.from.security, at.from.debug_halted);
	return false;
}

static void do_save(struct life *l)
{
	apmu_save(&l->pmu, &l->saved);
	l->saved_ref = l->ref;
	l->has_saved = true;
}

static void do_restore(struct life *l)
{
	if (!l->has_saved)
		return;
	life_same(l, "a snapshot of this core is taken back", (uint64_t)apmu_restore(&l->pmu, &l->saved),
		  APMU_OK);
	l->ref = l->saved_ref;
}

/* True for calls whose contract is to take what is pending: they are made with counts pending. */
static bool takes_pending(const struct op *op)
{
	return op->kind == OP_WRITE || op->kind == OP_ENTER || op->kind == OP_INPUT ||
	       op->kind == OP_ERRATA || op->kind == OP_RESET || op->kind == OP_MACHINE ||
	       op->kind == OP_CAPTURE;
}

/* A capture holds what is pending; a request that is refused may leave it pending. */
static void do_capture(struct life *l)
{
	bool done = apmu_capture(&l->pmu);

	life_same(l, "apmu_capture()", done, l->subject->family->capture(&l->ref));
	if (!done)
		apmu_advance(&l->pmu);
}

static void perform(struct life *l, const struct op *op)
{
	const struct family *f = l->subject->family;

	switch ((enum op_kind)op->kind) {
	case OP_CYCLES: do_cycles(l, op); break;
	case OP_LATE: do_late(l, op); break;
	case OP_WRITE: do_write(l, op); break;
	case OP_PROBE: life_read_agrees(l, op->at); break;
	case OP_ENTER: apmu_enter(&l->pmu, op->mode), f->enter(&l->ref, op->mode); break;
	case OP_INPUT: apmu_input(&l->pmu, op->in), f->input(&l->ref, op->in); break;
	case OP_ERRATA:
		apmu_errata(&l->pmu, (uint32_t)op->value), f->errata(&l->ref, (uint32_t)op->value);
		break;
	case OP_SAVE: do_save(l); break;
	case OP_RESTORE: do_restore(l); break;
	case OP_RESET: apmu_reset(&l->pmu), f->reset(&l->ref); break;
	case OP_MACHINE: apmu_machine_set(&l->pmu, &op->machine), f->machine(&l->ref, &op->machine); break;
	case OP_CAPTURE: do_capture(l); break;
	case OP_KINDS: break;
	}
}

/* Compares every register of the family from User and privileged modes in both security states; every second
 * time halted. */
static bool registers_agree(struct life *l)
{
	const struct family *f = l->subject->family;
	struct apmu before;
	bool all = true;

	memcpy(&before, &l->pmu, sizeof before);
	for (size_t e = 0; e < f->encodings && all; e++)
		for (unsigned m = 0; m < 4 && all; m++) {
			struct apmu_mode from = {
				.el = (uint8_t)(m & 1),
				.security = (uint8_t)(m >> 1),
				.debug_halted = l->turn & 1,
			};

			all = life_read_agrees(l, (struct apmu_access){APMU_VIEW_CP, f->encoding[e], from});
		}
	if (memcmp(&before, &l->pmu, sizeof before) != 0)
		return life_fails(l, "a read changes nothing", 1, 0);
	return all;
}

bool life_line_agrees(struct life *l, enum apmu_line line, bool want)
{
	static const char *const claim[APMU_LINES][2] = {
		{"apmu_line_up() of the IRQ line", "the IRQ line as called back"},
		{"apmu_line_up() of the FIQ line", "the FIQ line as called back"},
		{"apmu_line_up() of the profiling line", "the profiling line as called back"},
		{"apmu_line_up() of the trigger", "the trigger as called back"},
		{"apmu_line_up() of the debug request", "the debug request as called back"},
		{"apmu_line_up() of the branch record freeze", "the branch record freeze as called back"},
	};

	return life_same(l, claim[line][0], apmu_line_up(&l->pmu, line), want) &&
	       life_same(l, claim[line][1], l->line[line], want);
}

static bool lines_agree(struct life *l)
{
	const struct family *f = l->subject->family;

	return life_line_agrees(l, APMU_LINE_IRQ, f->line(&l->ref, APMU_LINE_IRQ)) &&
	       life_line_agrees(l, APMU_LINE_FIQ, f->line(&l->ref, APMU_LINE_FIQ));
}

/* apmu_wants_cycles() must be true while single cycles matter, and only then. */
static bool wants_agree(struct life *l)
{
	const struct family *f = l->subject->family;
	enum apmu_signal s = l->turn % APMU_SIGNALS;

	if (!f->holding(&l->ref) &&
	    !life_same(l, "apmu_wants()", apmu_wants(&l->pmu, s), f->wants(&l->ref, s)))
		return false;
	if (f->wants(&l->ref, s) && !apmu_wants(&l->pmu, s))
		return life_fails(l, "apmu_wants() during the hold-off", 0, 1);
	return life_same(l, "apmu_wants_cycles()", apmu_wants_cycles(&l->pmu),
			 f->holding(&l->ref) || f->exporting(&l->ref));
}

/* Number of flags set in a copy of the model after `n` more counts of the signal. */
static unsigned flags_after(const struct life *l, enum apmu_signal s, uint64_t n)
{
	struct apmu_tally more = *l->tally;
	struct apmu copy = l->pmu;

	more.n[s] += n;
	copy.tally = &more;
	copy.lines = (struct apmu_lines){0};
	copy.s.overflow = 0;
	apmu_advance(&copy);
	return (unsigned)__builtin_popcountll(copy.s.overflow);
}

/* One count fewer than apmu_until_overflow() sets no flag; exactly as many do, except during the hold-off. */
static bool overflow_agrees(struct life *l)
{
	enum apmu_signal s = l->turn / 8 % APMU_SIGNALS;
	uint64_t far = apmu_until_overflow(&l->pmu, s);
	const struct family *f = l->subject->family;

	if (far < 1)
		return life_fails(l, "apmu_until_overflow() is at least 1", far, 1);
	if (!f->holding(&l->ref) && !life_same(l, "apmu_until_overflow() has a distance for what counts",
					       far != UINT64_MAX, f->wants(&l->ref, s)))
		return false;
	if (far == UINT64_MAX)
		return true;
	if (flags_after(l, s, far - 1) != 0)
		return life_fails(l, "one fewer than apmu_until_overflow() overflows nothing", far, 0);
	if (!f->holding(&l->ref) && flags_after(l, s, far) == 0)
		return life_fails(l, "as many as apmu_until_overflow() overflow", far, 0);
	return true;
}

bool life_agrees(struct life *l)
{
	if (l->broken)
		return false;
	if (l->subject->family->agrees)
		return l->subject->family->agrees(l);
	return registers_agree(l) && lines_agree(l) && wants_agree(l) &&
	       (l->turn % 8 != 0 || (overflow_agrees(l) && full_bus_agrees(l)));
}

bool life_do(struct life *l, const struct op *op)
{
	if (l->broken)
		return false;
	l->turn = op->turn;
	if (l->late && !takes_pending(op))
		apmu_advance(&l->pmu);
	l->late = false;
	perform(l, op);
	if (l->late)
		return !l->broken; /* the model has not taken the counts yet */
	return life_agrees(l);
}
