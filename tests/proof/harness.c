/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <apmu/model.h>

#include "proof.h"

#define SELECTOR 0xFFu /* bits of an event selector */
#define PHASES   64u   /* of the divider */

static struct apmu pmu;
static struct apmu_tally tally;

static struct apmu_mode any_mode(void)
{
	return (struct apmu_mode){
		.el = (uint8_t)proof_between(0, 3),
		.security = (uint8_t)proof_between(0, 3),
		.debug_halted = proof_bool(),
		.debug_port = proof_bool(),
	};
}

static struct apmu_inputs any_inputs(void)
{
	return (struct apmu_inputs){
		.dbgen = proof_bool(),
		.niden = proof_bool(),
		.spiden = proof_bool(),
		.spniden = proof_bool(),
		.cp15sdisable = proof_bool(),
		.export_heard = proof_bool(),
	};
}

/* Totals are whatever they are: they may even go backwards, which no source does. */
static void any_tally(void)
{
	for (unsigned i = 0; i < APMU_SIGNALS; i++)
		tally.n[i] = proof_between(0, UINT64_MAX);
}

static void any_counters(struct apmu_state *s, const struct proof_subject *subject)
{
	for (unsigned i = 0; i < subject->core->counters; i++) {
		s->counter[i] = proof_bits(UINT32_MAX);
		s->type[i] = proof_bits(SELECTOR);
	}
	s->counter[APMU_CYCLE_COUNTER] = proof_bits(UINT32_MAX);
	s->overflow = proof_bits(subject->counters);
	s->inten = proof_bits(subject->counters);
	s->fiqen = proof_bits(subject->fiq);
}

/* Any state that apmu_restore() takes for this core: what its registers show, and no more. */
static void any_state(struct apmu_state *s, const struct proof_subject *subject)
{
	any_counters(s, subject);
	for (unsigned w = 0; w < APMU_WORDS; w++)
		if (subject->words >> w & 1)
			s->word[w] = proof_bits(1);
	s->errata = (uint32_t)proof_bits(subject->core->errata);
	s->phase = (uint8_t)proof_between(0, PHASES - 1);
	s->holdoff = (uint8_t)proof_between(0, subject->core->holdoff);
	s->latch = (uint8_t)proof_bits(subject->lines);
	s->aarch32 = (uint8_t)proof_between(0, 15);
	s->streaming = proof_bool();
	s->profiling_masked = proof_bool();
	s->spe_stopped = proof_bool();
	s->edscr_sdd = proof_bool();
	s->os_lock = proof_bool();
	s->double_lock = proof_bool();
	s->powered_off = proof_bool();
	s->edecr_pme = proof_bool();
	s->brbe_fzp1 = proof_bool();
	s->brbe_fzp2 = proof_bool();
	s->mode = any_mode();
	s->in = any_inputs();
}

/* What holds of every state: the same that apmu_restore() asks for. */
static void claim_state(const struct proof_subject *subject)
{
	for (unsigned i = 0; i < subject->core->counters; i++) {
		proof_claim(pmu.s.counter[i] <= UINT32_MAX);
		proof_claim(pmu.s.type[i] <= SELECTOR);
	}
	proof_claim(pmu.s.counter[APMU_CYCLE_COUNTER] <= UINT32_MAX);
	proof_claim((pmu.s.overflow & ~subject->counters) == 0);
	proof_claim((pmu.s.inten & ~subject->counters) == 0);
	proof_claim((pmu.s.fiqen & ~subject->fiq) == 0);
	for (unsigned w = 0; w < APMU_WORDS; w++)
		proof_claim(pmu.s.word[w] <= (subject->words >> w & 1));
	proof_claim(pmu.s.phase < PHASES);
	proof_claim(pmu.s.holdoff <= subject->core->holdoff);
	proof_claim((pmu.s.latch & ~subject->lines) == 0);
	proof_claim((pmu.running & ~subject->counters) == 0);
}

static uint32_t any_encoding(const struct proof_subject *subject, unsigned piece)
{
	uint32_t low = subject->first[piece], high = UINT32_MAX;

	if (proof_has_piece(subject, piece + 1))
		high = subject->first[piece + 1] - 1;
	return (uint32_t)proof_between(low, high);
}

static struct apmu_access any_access(const struct proof_subject *subject, unsigned piece)
{
	return (struct apmu_access){
		.view = (enum apmu_view)proof_between(0, APMU_VIEWS - 1),
		.encoding = any_encoding(subject, piece),
		.from = any_mode(),
	};
}

static void write_any(const struct proof_subject *subject, unsigned piece)
{
	enum apmu_outcome outcome =
		apmu_write(&pmu, any_access(subject, piece), proof_between(0, UINT64_MAX));

	proof_claim(outcome == APMU_DONE || outcome == APMU_UNDEFINED);
}

static void read_any(const struct proof_subject *subject, unsigned piece)
{
	uint64_t value = 0;
	enum apmu_outcome outcome = apmu_read(&pmu, any_access(subject, piece), &value);

	proof_claim(outcome == APMU_DONE || outcome == APMU_UNDEFINED);
	proof_claim(value <= UINT32_MAX);
}

static void ask(void)
{
	enum apmu_signal signal = (enum apmu_signal)proof_between(0, APMU_SIGNALS - 1);

	proof_claim(apmu_until_overflow(&pmu, signal) >= 1);
	if (apmu_wants(&pmu, signal))
		proof_claim(pmu.running != 0);
	apmu_export(&pmu, &tally);
}

static void take_step(const struct proof_subject *subject, enum proof_step step, unsigned piece)
{
	switch (step) {
	case PROOF_WRITE: write_any(subject, piece); break;
	case PROOF_READ: read_any(subject, piece); break;
	case PROOF_ENTER: apmu_enter(&pmu, any_mode()); break;
	case PROOF_INPUT: apmu_input(&pmu, any_inputs()); break;
	case PROOF_ASK: ask(); break;
	case PROOF_RESET: apmu_reset(&pmu); break;
	case PROOF_STEPS: break;
	}
}

static void hear_line(void *ctx, enum apmu_line line, bool up)
{
	const struct proof_subject *subject = ctx;

	(void)up;
	proof_claim(line < APMU_LINES && (subject->lines >> line & 1));
}

static void hear_note(void *ctx, enum apmu_note note, uint64_t detail)
{
	(void)ctx;
	(void)detail;
	proof_claim(note < APMU_NOTES);
}

void proof_life(const struct proof_subject *subject, enum proof_step step, unsigned piece)
{
	struct apmu_snapshot from;

	any_tally();
	apmu_init(&pmu, subject->core, &tally,
		  (struct apmu_lines){.line = hear_line, .note = hear_note, .ctx = (void *)subject});
	apmu_save(&pmu, &from);
	any_state(&from.state, subject);
	proof_claim(apmu_restore(&pmu, &from) == APMU_OK);
	claim_state(subject);
	any_tally();
	apmu_advance(&pmu);
	claim_state(subject);
	take_step(subject, step, piece);
	claim_state(subject);
	any_tally();
	apmu_advance(&pmu);
	claim_state(subject);
}
