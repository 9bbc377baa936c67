/* SPDX-License-Identifier: MIT */
/* What an access becomes in the guest, and what is looked at when it has run. */
#include "replay_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_ACCESS = 160 }; /* instructions, handler and all */

static bool wide(const struct replay *r, const struct try *t)
{
	return r->guest.isa == GUEST_A64 || t->at.view == APMU_VIEW_CP64;
}

static bool may_say(struct replay *r, const struct try *t)
{
	if (t->at.view == APMU_VIEW_MMIO)
		return replay_cannot(r, "the memory-mapped frame");
	if (t->at.from.el > 1 && !r->levels)
		return replay_cannot(r, "a level above EL1");
	if (t->at.from.debug_halted || t->at.from.debug_port)
		return replay_cannot(r, "Debug state");
	if (r->marks == MARKS)
		return replay_cannot(r, "too many accesses");
	return !r->levels || replay_there(r, t->at.from);
}

/* What only EL2 and EL3 have, looked at from where the line starts. */
static bool too_high(const struct replay *r, const struct try *t)
{
	unsigned n;
	const struct apmu_reg *reg = apmu_reg_at(r->core, t->at.view, t->at.encoding, &n);

	return !r->levels && reg &&
	       ((r->line.el > 1 && reg->min_el > 1) || (reg->secure && r->line.security != r->world));
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

/* To where an access is made from, and back to where the line is. */
static void approach(struct replay *r, struct apmu_mode from)
{
	if (r->levels)
		guest_go(&r->guest, r->line, from, r->scr);
	else
		move(&r->guest, r->user, from.el == 0);
}

static void leave(struct replay *r, struct apmu_mode from)
{
	if (r->levels)
		guest_go(&r->guest, from, r->line, r->scr);
	else
		move(&r->guest, from.el == 0, r->user);
}

/* A software increment counts, or does not, where it is made. */
static bool counts_there(const struct replay *r, const struct try *t)
{
	unsigned n;
	const struct apmu_reg *reg = apmu_reg_at(r->core, t->at.view, t->at.encoding, &n);

	return !r->levels || !t->write || t->at.from.el == r->line.el || !reg || !strstr(reg->name, "SWINC");
}

static bool plan(struct replay *r, const struct try *t)
{
	struct guest *g = &r->guest;

	if (!may_say(r, t))
		return false;
	if (!counts_there(r, t))
		return replay_cannot(r, "a software increment from a level that the core is not at");
	if (too_high(r, t))
		return replay_cannot(r, "a register of a level or world that the guest is not at");
	guest_load(g, t->rt,
		   t->write ? t->value : GUEST_POISON); /* a syndrome's value is not written: any is */
	if (wide(r, t) && g->isa != GUEST_A64)
		guest_load(g, t->rt2, t->write ? t->value >> 32 : GUEST_POISON);
	approach(r, t->at.from);
	if (!guest_access(g, t->at, t->write, t->rt, t->rt2))
		return replay_cannot(r, "another instruction set's view");
	leave(r, t->at.from);
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
	uint64_t class = peek(r, GUEST_SYNDROME, 4) >> 26, el = peek(r, GUEST_LEVEL, 4);

	if (peek(r, GUEST_REFUSED, 4) == r->refused)
		return WISH_DONE;
	if (r->levels && class != 0)
		return el == 3 ? WISH_TRAP3 : el == 2 ? WISH_TRAP2 : WISH_TRAP1;
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

/* Is that a level and world that a guest can be in? There is no Secure EL2 here. */
bool replay_there(struct replay *r, struct apmu_mode at)
{
	bool rme = r->core->features >> APMU_FEATURE_RME & 1, there;

	if (at.el == 3)
		there = at.security == (rme ? APMU_ROOT : APMU_SECURE);
	else
		there = at.security == APMU_NONSECURE || (at.security == APMU_SECURE && at.el < 2) ||
			(at.security == APMU_REALM && rme);
	if (at.el == 2 && !(r->core->features >> APMU_FEATURE_EL2 & 1))
		there = false;
	return there || replay_cannot(r, "a world that no guest can be in at this level");
}

bool replay_go(struct replay *r, struct apmu_mode to, const char *word)
{
	struct apmu_mode from = r->line;

	if (!r->running && !replay_there(r, to))
		return false;
	r->line = to;
	if (r->running)
		return run_to(r, r->mark[r->next++], word);
	if (r->marks == MARKS)
		return replay_cannot(r, "too many accesses");
	guest_go(&r->guest, from, to, r->scr);
	mark(r);
	return true;
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
	static const char *const name[] = {"done", "undefined", "trapped to EL1", "trapped to EL2",
					   "trapped to EL3"};
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
		.el = r->levels ? 3 : 0,
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
