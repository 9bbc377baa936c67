/* SPDX-License-Identifier: MIT */
/*
 * Tallies, overflows and deadlines: decides when the PMU and the board must be looked at.
 *
 * The event sources add to `raw` as instructions are counted. The PMU watches `tally`, a copy made at each
 * look, so it never sees half of an instruction that faults. `watch` says how far each signal may run before
 * a counter can overflow.
 */
#include "base/bits.h"
#include "machine/counting.h"
#include "machine/emulator.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"
#include "machine/registers.h"
#include "machine/translation.h"

#include <stdio.h>
#include <string.h>

#define SLEEPS 10000

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t later(uint64_t a, uint64_t by)
{
	return a + by < a ? UINT64_MAX : a + by;
}

static void on_line(void *ctx, enum apmu_line line, bool up)
{
	struct apmu_machine *m = ctx;
	const struct apmu_observer *o = &m->config.observer;

	if (o->line)
		o->line(o->ctx, line, up, apmu_machine__now(m));
	if (line >= APMU_LINE_PROFILING)
		return;
	if (up && m->config.skid && line == APMU_LINE_IRQ) {
		m->late = true;
		m->late_until = m->insns + m->config.skid;
		return;
	}
	m->late = m->late && line != APMU_LINE_IRQ;
	apmu_board__pmu(&m->board, line == APMU_LINE_FIQ, up);
}

static void on_note(void *ctx, enum apmu_note note, uint64_t detail)
{
	struct apmu_machine *m = ctx;
	const struct apmu_observer *o = &m->config.observer;

	if (o->note)
		o->note(o->ctx, note, detail, m->current ? m->current->address : 0);
}

/* True if the machine counts the signal itself, without event sources. */
static bool own_signal(unsigned s)
{
	return s == APMU_SIG_CYCLES || s == APMU_SIG_INST || s == APMU_SIG_IRQ_DISABLED ||
	       s == APMU_SIG_FIQ_DISABLED;
}

/* With a fixed number of cycles per instruction nothing stalls, and slots have no meaning: takes out what the
 * timing model counts by a clock of its own, which other counts may need. */
static void leave_out_time(struct apmu_tally *tally)
{
	for (unsigned s = 0; s < APMU_SIGNALS; s++) {
		unsigned kind = apmu_signal_row(s)->kind;

		if ((kind == APMU_KIND_TIME || kind == APMU_KIND_SLOTS) && !own_signal(s))
			tally->n[s] = 0;
	}
}

/* Signals of every event that the guest could select. */
static void all_signals(const struct apmu_machine *m, uint64_t wanted[APMU_SIGNAL_WORDS])
{
	memcpy(wanted, m->config.wanted, sizeof m->config.wanted);
	for (size_t i = 0; i < m->core->events; i++) {
		const struct apmu_event *event = apmu_event_at(m->core, i);

		for (unsigned k = 0; k < event->signals; k++)
			apmu_signal_add(wanted, event->signal[k]);
		if (event->erratum != 0xFF)
			apmu_signal_add(wanted, event->extra);
	}
	if (!m->config.cpi)
		apmu_signal_add(wanted, APMU_SIG_CYCLES);
}

/* Starts the event sources, cold. The new m->maps takes instructions decoded so far, which have no runs, off
 * the fast path. */
static bool start_sources(struct apmu_machine *m)
{
	all_signals(m, m->wanted);
	m->uarch = apmu_uarch_new(&m->params, &m->raw, m->wanted);
	m->operations = apmu_uarch_needs_operations(m->wanted);
	m->modelled = m->uarch && !apmu_machine__spaces_init(m) && apmu_machine__hook_accesses(m);
	m->retranslate_all = m->uc != NULL;
	m->maps++;
	apmu_machine__set_key(m);
	apmu_machine__controls_look(m);
	return m->modelled;
}

static int choose_params(struct apmu_machine *m, char *error, size_t size)
{
	const struct apmu_uarch_params *row =
		m->config.uarch ? m->config.uarch : apmu_uarch_find(m->core->uarch);

	if (!row) {
		snprintf(error, size, "%s has no event sources ('%s')", m->core->name, m->core->uarch);
		return APMU_ENOENT;
	}
	m->params = *row;
	return apmu_uarch_explain(&m->params, error, size) ? APMU_EINVAL : 0;
}

int apmu_machine__clock_init(struct apmu_machine *m, char *error, size_t size)
{
	int code = choose_params(m, error, size);
	bool sources = !m->config.cpi;

	if (!code)
		code = apmu_machine__regions_init(m, error, size);
	if (code)
		return code;
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		sources |= apmu_signal_in(m->config.wanted, s) && !own_signal(s);
	m->mode = (struct apmu_mode){.el = 1, .security = APMU_NONSECURE};
	apmu_init(&m->pmu, m->core, &m->tally, (struct apmu_lines){on_line, on_note, m});
	if (sources && !start_sources(m)) {
		snprintf(error, size, "no memory for the event sources");
		return APMU_ENOMEM;
	}
	return 0;
}

void apmu_machine__clock_free(struct apmu_machine *m)
{
	apmu_uarch_free(m->uarch);
}

/* Counts the cycles from the last call up to `now` for the interrupts that were masked in them. */
static void masked_until(struct apmu_machine *m, uint64_t now)
{
	uint64_t passed = now - m->masked_at;

	m->masked_at = now;
	if (m->state & CPSR_I)
		m->raw.n[APMU_SIG_IRQ_DISABLED] += passed;
	if (m->state & CPSR_F)
		m->raw.n[APMU_SIG_FIQ_DISABLED] += passed;
}

void apmu_machine__count_masked(struct apmu_machine *m)
{
	masked_until(m, apmu_machine__executed(m));
}

void apmu_machine__sync(struct apmu_machine *m, bool without)
{
	uint64_t own = m->config.cpi ? m->config.cpi : m->own; /* cycles of the instruction being executed */

	if (m->counts_masked)
		masked_until(m, apmu_machine__executed(m) - (without ? own : 0));
	if (m->config.silent) {
		m->tally = m->added;
		return;
	}
	m->tally = m->raw;
	if (apmu_machine__in_run(m))
		apmu_uarch_as_of(m->uarch, m->run->block, m->step + 1, &m->tally);
	if (m->config.cpi && m->uarch)
		leave_out_time(&m->tally);
	m->tally.n[APMU_SIG_INST] = m->insns;
	m->tally.n[APMU_SIG_CYCLES] = apmu_machine__executed(m) + (m->core->wfi_runs ? m->slept : 0);
	for (unsigned s = 0; m->has_added && s < APMU_SIGNALS; s++)
		m->tally.n[s] += m->added.n[s];
	if (!without)
		return;
	m->tally.n[APMU_SIG_INST]--;
	m->tally.n[APMU_SIG_CYCLES] -= own;
}

void apmu_machine_add(struct apmu_machine *m, enum apmu_signal signal, uint64_t n)
{
	m->added.n[signal] += n;
	m->has_added = true;
	apmu_machine__look_now(m);
	if (signal == APMU_SIG_CYCLES || signal == APMU_SIG_INST)
		m->look_each = true; /* until the PMU is next looked at */
}

/* Sets the signals of an event that counts cycles to what they are `cycles` cycles after `was`. */
static void tell_cycles(struct apmu_tally *now, const struct apmu_tally *was, const struct apmu_tally *whole,
			const struct apmu_event *event, uint64_t cycles)
{
	for (unsigned k = 0; event && event->per_cycle && k < event->signals; k++) {
		unsigned s = event->signal[k];

		now->n[s] = was->n[s] + least(whole->n[s] - was->n[s], cycles);
	}
}

/* Advances the PMU one cycle at a time, for thresholds, the hold-off and the event bus. An instruction's
 * events happen in its first cycle; of what holds for cycles (stalls, masked interrupts) each cycle has one.
 */
static void advance_by_cycle(struct apmu_machine *m, const struct apmu_tally *was)
{
	uint64_t first = was->n[APMU_SIG_CYCLES], last = m->tally.n[APMU_SIG_CYCLES];
	struct apmu_tally whole = m->tally;

	for (uint64_t cycle = first + 1; cycle < last; cycle++) {
		for (uint64_t run = m->pmu.running & UINT32_MAX >> 1; run; run &= run - 1)
			tell_cycles(&m->tally, was, &whole, m->pmu.event[apmu_base__lowest(run)],
				    cycle - first);
		m->tally.n[APMU_SIG_CYCLES] = cycle;
		apmu_advance(&m->pmu);
		if (!apmu_wants_cycles(&m->pmu))
			break;
	}
	m->tally = whole;
	apmu_advance(&m->pmu);
}

/* Syncs, and advances by cycle if the PMU wants that. */
void apmu_machine__advance(struct apmu_machine *m, bool without)
{
	if (!apmu_wants_cycles(&m->pmu)) {
		apmu_machine__sync(m, without);
		return;
	}
	struct apmu_tally was = m->tally;
	apmu_machine__sync(m, without);
	advance_by_cycle(m, &was);
}

void apmu_machine__catch_up(struct apmu_machine *m)
{
	apmu_machine__advance(m, false);
	apmu_advance(&m->pmu);
	apmu_machine__rewatch(m);
}

/* Tells the observer of an instruction once, when all that the instruction did is in the tally. */
static void tell_step(struct apmu_machine *m)
{
	const struct apmu_observer *o = &m->config.observer;
	struct apmu_tally gained;

	if (!o->step || m->stepped_insns == m->insns)
		return;
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		gained.n[s] = m->tally.n[s] - m->stepped.n[s];
	m->stepped = m->tally;
	m->stepped_insns = m->insns;
	o->step(o->ctx, m->last, apmu_machine__now(m), &gained);
}

/* Requests a look at the PMU when `s` has come `left` further. */
static void watch_signal(struct apmu_machine *m, const uint64_t *total, unsigned s, uint64_t left)
{
	if (s == APMU_SIG_INST)
		m->look_insns = least(m->look_insns, later(m->insns, left));
	else if (s == APMU_SIG_CYCLES)
		m->look_cycles = least(m->look_cycles, later(apmu_machine__executed(m), left));
	else if (m->watches < APMU_MACHINE__WATCHES)
		m->watch[m->watches++] = (struct apmu_machine__watch){later(total[s], left), (uint16_t)s};
	else
		m->look_each = true;
}

/* Watches the signals of a counter. A counter of several signals may overflow by their sum, so each is
 * watched for its share. */
static void watch_counter(struct apmu_machine *m, const uint64_t *total, const struct apmu_limit *limit)
{
	for (unsigned k = 0; k < limit->signals; k++)
		watch_signal(m, total, limit->signal[k],
			     limit->left > limit->signals ? limit->left / limit->signals : 1);
}

static void limits(struct apmu_machine *m)
{
	uint64_t deadline = apmu_board__deadline(&m->board);
	uint64_t cycle = least(deadline, m->stop_cycle);

	m->look_insns = least(m->stop_insns, m->late ? m->late_until : UINT64_MAX);
	m->look_cycles = cycle == UINT64_MAX ? cycle : cycle > m->slept ? cycle - m->slept : 0;
}

/* True if a counter counts a signal that only the event sources know. */
static bool needs_sources(const struct apmu_limit *limit)
{
	for (unsigned k = 0; k < limit->signals; k++)
		if (!own_signal(limit->signal[k]))
			return true;
	return false;
}

/* Starts the event sources once the guest counts a signal that only they know. */
static void start_if_needed(struct apmu_machine *m, const struct apmu_limit *limit, unsigned n)
{
	for (unsigned i = 0; i < n && !m->modelled; i++)
		if (needs_sources(&limit[i]) && !start_sources(m))
			return;
}

/* With a fixed number of cycles per instruction, the number of instructions alone tells when to look. */
static void by_insns(struct apmu_machine *m)
{
	uint64_t cycles = m->look_cycles, cpi = m->config.cpi;

	m->look_cycles = UINT64_MAX;
	if (cycles != UINT64_MAX)
		m->look_insns = least(m->look_insns, cycles / cpi + (cycles % cpi != 0));
}

void apmu_machine__rewatch(struct apmu_machine *m)
{
	bool masked = apmu_wants(&m->pmu, APMU_SIG_IRQ_DISABLED) ||
		      apmu_wants(&m->pmu, APMU_SIG_FIQ_DISABLED) ||
		      apmu_signal_in(m->config.wanted, APMU_SIG_IRQ_DISABLED) ||
		      apmu_signal_in(m->config.wanted, APMU_SIG_FIQ_DISABLED);
	struct apmu_limit limit[APMU_COUNTERS];
	unsigned n = apmu_limits(&m->pmu, limit);
	struct apmu_tally exact;

	start_if_needed(m, limit, n);
	if (masked && !m->counts_masked)
		m->masked_at = apmu_machine__executed(m);
	m->counts_masked = masked;
	m->look_each = m->config.observer.step || apmu_wants_cycles(&m->pmu) || masked;
	m->watches = 0;
	m->plain_until = 0;
	limits(m);
	if (apmu_machine__in_run(m)) {
		exact = m->raw;
		apmu_uarch_as_of(m->uarch, m->run->block, m->step + 1, &exact);
	}
	for (unsigned i = 0; i < n; i++)
		watch_counter(m, apmu_machine__in_run(m) ? exact.n : m->raw.n, &limit[i]);
	if (m->config.cpi)
		by_insns(m);
	if (m->look_each || m->ended)
		apmu_machine__look_now(m);
}

/* Does what is due before an instruction: overflows, the board's deadline, the end of the skid, the limits of
 * the run. */
void apmu_machine__look(struct apmu_machine *m)
{
	uint64_t now;

	if (!m->look_each && m->insns < m->look_insns && apmu_machine__executed(m) < m->look_cycles &&
	    !apmu_machine__watch_hit(m))
		return;
	apmu_machine__catch_up(m);
	tell_step(m);
	if (m->late && m->insns >= m->late_until) {
		m->late = false;
		apmu_board__pmu(&m->board, 0, true);
	}
	now = apmu_machine__now(m);
	if (apmu_board__deadline(&m->board) <= now) {
		apmu_board__advance(&m->board, now);
		apmu_machine__rewatch(m);
	}
	if (m->asked)
		apmu_machine__end(m, APMU_STOP_ASKED, apmu_machine__pc(m), "asked to");
	else if (m->insns >= m->stop_insns)
		apmu_machine__end(m, APMU_STOP_LIMIT, apmu_machine__pc(m),
				  "the limit of instructions is reached");
	else if (now >= m->stop_cycle)
		apmu_machine__end(m, APMU_STOP_TIME, apmu_machine__pc(m),
				  "the limit of modelled time is reached");
}

/* The time at which something can change while nothing runs: the board, the time limit, the PMU if its clock
 * runs. */
static uint64_t next_change(const struct apmu_machine *m, uint64_t now)
{
	uint64_t next = least(apmu_board__deadline(&m->board), m->stop_cycle);

	if (!m->core->wfi_runs || apmu_line_up(&m->pmu, APMU_LINE_IRQ))
		return next;
	return least(next, later(now, apmu_until_overflow(&m->pmu, APMU_SIG_CYCLES)));
}

/* True if something wakes the core: a physical interrupt, or a virtual one where it can be taken. */
static bool is_woken(const struct apmu_machine *m)
{
	unsigned physical = 1u << APMU_BOARD__CPU_IRQ | 1u << APMU_BOARD__CPU_FIQ;

	return ((apmu_board__lines(&m->board) & physical) | m->virtual_lines |
		apmu_machine__listed_lines(m)) != 0;
}

/* WFI: advances modelled time to the next thing that can raise a line, SLEEPS times at most: a counter may
 * overflow again and again with its interrupt off. */
bool apmu_machine__sleep(struct apmu_machine *m)
{
	for (unsigned tries = 0; tries < SLEEPS && !is_woken(m); tries++) {
		uint64_t now = apmu_machine__now(m), next = next_change(m, now);

		if (m->late) {
			m->late = false;
			apmu_board__pmu(&m->board, 0, true);
			continue;
		}
		if (next == UINT64_MAX)
			return false;
		m->slept += next > now ? next - now : 0;
		apmu_board__advance(&m->board, apmu_machine__now(m));
		apmu_machine__catch_up(m);
		if (apmu_machine__now(m) >= m->stop_cycle)
			return true;
	}
	apmu_machine__rewatch(m);
	return is_woken(m);
}
