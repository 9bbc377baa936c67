/* SPDX-License-Identifier: MIT */
/* What an access becomes in the guest, and what is looked at when it has run. */
#include "replay_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_ACCESS = 64 }; /* instructions, handler and all */

static bool wide(const struct replay *r, const struct try *t)
{
	return r->guest.isa == GUEST_A64 || t->at.view == APMU_VIEW_CP64;
}

static bool may_say(struct replay *r, const struct try *t)
{
	if (t->at.view == APMU_VIEW_MMIO)
		return replay_cannot(r, "the memory-mapped frame");
	if (t->at.from.el > 1)
		return replay_cannot(r, "a level above EL1");
	if (t->at.from.debug_halted || t->at.from.debug_port)
		return replay_cannot(r, "Debug state");
	if (r->marks == MARKS)
		return replay_cannot(r, "too many accesses");
	return true;
}

/* What only EL2 and EL3 have, looked at from where the line starts. */
static bool too_high(const struct replay *r, const struct try *t)
{
	unsigned n;
	const struct apmu_reg *reg = apmu_reg_at(r->core, t->at.view, t->at.encoding, &n);

	return reg && ((r->line.el > 1 && reg->min_el > 1) || (reg->secure && r->line.security != r->world));
}

static void move(struct guest *g, bool from, bool to)
{
	if (to && !from)
		guest_to_user(g);
	else if (from && !to)
		guest_to_privileged(g);
}

/* Where a run of the guest ends. */
static void mark(struct replay *r)
{
	r->mark[r->marks++] = r->guest.here;
	guest_nop(&r->guest);
}

static bool plan(struct replay *r, const struct try *t)
{
	struct guest *g = &r->guest;
	bool user = t->at.from.el == 0;

	if (!may_say(r, t))
		return false;
	if (too_high(r, t))
		return replay_cannot(r, "a register of a level or world that the guest is not at");
	guest_load(g, t->rt,
		   t->write ? t->value : GUEST_POISON); /* a syndrome's value is not written: any is */
	if (wide(r, t) && g->isa != GUEST_A64)
		guest_load(g, t->rt2, t->write ? t->value >> 32 : GUEST_POISON);
	move(g, r->user, user);
	if (!guest_access(g, t->at, t->write, t->rt, t->rt2))
		return replay_cannot(r, "another instruction set's view");
	move(g, user, r->user);
	if (!t->write) {
		guest_store_result(g, t->rt);
		if (wide(r, t) && g->isa != GUEST_A64)
			guest_store_result(g, t->rt2);
	}
	mark(r);
	return true;
}

static uint64_t peek(const struct replay *r, uint32_t address, size_t n)
{
	uint64_t value = 0;

	apmu_machine_peek(r->machine, address, &value, n, true);
	return value;
}

/* What the read gave; steps over it. */
static uint64_t result(struct replay *r, const struct try *t)
{
	size_t n = r->guest.isa == GUEST_A64 || wide(r, t) ? 8 : 4;
	uint64_t value = peek(r, GUEST_RESULTS + r->results, n);

	r->results += (unsigned)n;
	return value;
}

static uint64_t poison(const struct replay *r, const struct try *t)
{
	bool both = wide(r, t) && r->guest.isa != GUEST_A64;

	return both ? (uint64_t)GUEST_POISON << 32 | GUEST_POISON : GUEST_POISON;
}

/* How the access ended, as the guest's own handler saw it. */
static enum wish ended(const struct replay *r)
{
	uint64_t class = peek(r, GUEST_SYNDROME, 4) >> 26;

	if (peek(r, GUEST_REFUSED, 4) == r->refused)
		return WISH_DONE;
	return r->guest.isa == GUEST_A64 && class != 0 ? WISH_TRAP1 : WISH_UNDEFINED;
}

static bool run_to(struct replay *r, uint32_t mark, const char *word)
{
	struct apmu_stop stop;

	for (unsigned i = 0; i < LONGEST_ACCESS; i++) {
		if (apmu_machine_pc(r->machine) == mark)
			return true;
		if (apmu_machine_run(r->machine, 1, &stop) || stop.reason != APMU_STOP_LIMIT)
			return replay_differs(r, "%s: the guest ended: %.120s", word, stop.what);
	}
	return replay_differs(r, "%s: the guest is lost at 0x%" PRIx64, word, apmu_machine_pc(r->machine));
}

bool replay_move(struct replay *r, bool user, const char *word)
{
	bool from = r->user;

	r->user = user;
	if (r->running)
		return run_to(r, r->mark[r->next++], word);
	if (r->marks == MARKS)
		return replay_cannot(r, "too many accesses");
	move(&r->guest, from, user);
	mark(r);
	return true;
}

static bool same_value(struct replay *r, const struct try *t, uint64_t got, const char *word)
{
	return (got & t->mask) == t->value ||
	       replay_differs(r, "%s: the guest read 0x%" PRIx64, word, got & t->mask);
}

static bool run(struct replay *r, const struct try *t, const char *word)
{
	static const char *const name[] = {"done", "undefined", "trapped to EL1"};
	enum wish want = t->wish == WISH_VALUE ? WISH_DONE : t->wish, got;
	uint64_t value = 0;

	r->refused = (uint32_t)peek(r, GUEST_REFUSED, 4);
	if (!run_to(r, r->mark[r->next++], word))
		return false;
	got = ended(r);
	if (!t->write)
		value = result(r, t);
	if (t->wish == WISH_SYNDROME) {
		uint64_t esr = peek(r, GUEST_SYNDROME, 4);
		return (got != WISH_DONE && esr == t->value) ||
		       replay_differs(r, "%s: ESR_EL1 was 0x%" PRIx64, word, esr);
	}
	if (got != want)
		return replay_differs(r, "%s: %s, not %s", word, name[got], name[want]);
	if (!t->write && got != WISH_DONE && value != poison(r, t))
		return replay_differs(r, "%s: refused, but it gave 0x%" PRIx64, word, value);
	return t->wish != WISH_VALUE || same_value(r, t, value, word);
}

bool replay_try(struct replay *r, const struct try *t, const char *word)
{
	return r->running ? run(r, t, word) : plan(r, t);
}

static void on_note(void *ctx, enum apmu_note note, uint64_t detail, uint64_t pc)
{
	struct replay *r = ctx;

	(void)detail, (void)pc;
	r->notes[note]++;
}

bool replay_open(struct replay *r)
{
	struct apmu_machine_config config = {
		.core = r->core,
		.cpi = 1,
		.silent = true,
		.observer = {.note = on_note, .ctx = r},
	};
	char error[160] = "";
	const uint8_t *bytes = r->guest.byte;

	guest_stop_here(&r->guest);
	if (r->guest.full)
		return replay_cannot(r, "too long a program");
	if (apmu_machine_new(&config, &r->machine, error, sizeof error) ||
	    apmu_machine_load(r->machine, bytes, GUEST_CODE, 0, false, error, sizeof error) ||
	    apmu_machine_load(r->machine, bytes + GUEST_CODE, r->guest.here - GUEST_CODE, GUEST_CODE, true,
			      error, sizeof error))
		return replay_differs(r, "no machine: %s", error);
	return true;
}
