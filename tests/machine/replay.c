/* SPDX-License-Identifier: MIT */
#include "machine/models.h"
#include "replay_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 256 };

bool replay_cannot(struct replay *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(r->why, sizeof r->why, format, args);
	va_end(args);
	r->cannot = true;
	return false;
}

bool replay_differs(struct replay *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(r->why, sizeof r->why, format, args);
	va_end(args);
	return false;
}

static void settle(struct replay *r)
{
	if (r->running)
		apmu_machine_settle(r->machine);
}

static void happen(struct replay *r, unsigned signal, uint64_t n)
{
	apmu_signal_add(r->words.named, signal);
	if (r->running)
		apmu_machine_add(r->machine, (enum apmu_signal)signal, n);
}

/* "INST", "INST*3", "others*1". */
static bool signal_word(struct replay *r, const char *word)
{
	char name[WORD];
	uint64_t n = 1;

	snprintf(name, sizeof name, "%s", word);
	char *star = strchr(name, '*');
	if (star) {
		*star++ = '\0';
		vec_number(star, &n);
	}
	if (!r->levels && (r->line.el > 1 || (r->filtered && r->line.security != r->world)))
		return replay_cannot(r, "counts at a level or in a world that the guest is not in");
	if (strcmp(name, "others") != 0) {
		happen(r, vec_signal(r->core, name), n);
		return true;
	}
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (!apmu_signal_in(r->words.named, s))
			happen(r, s, n);
	return true;
}

static bool each(struct replay *r, const char *words);

/* "(words)*n" */
static bool group(struct replay *r, const char *word)
{
	char inside[WORD];
	uint64_t n = 1;
	const char *close = strrchr(word, ')');

	if (close[1])
		vec_number(close + 2, &n);
	snprintf(inside, sizeof inside, "%.*s", (int)(close - word - 1), word + 1);
	for (uint64_t i = 0; i < n; i++) {
		if (!each(r, inside))
			return false;
		settle(r);
		memset(r->words.named, 0, sizeof r->words.named);
	}
	return true;
}

/* A world that the word does not name is the line's; the guest's own stands for it. */
bool replay_access(struct replay *r, const char *name, struct apmu_access *at)
{
	*r->words.why = '\0';
	if (!vec_access(&r->words, name, r->words.mode, at))
		return replay_cannot(r, "%.200s", r->words.why);
	return replay_world(r, at);
}

bool replay_world(struct replay *r, struct apmu_access *at)
{
	if (r->levels)
		return true;
	if (at->from.security != r->line.security && at->from.security != r->world)
		return replay_cannot(r, "another world");
	at->from.security = r->world;
	return true;
}

/* A filter with bits that tell worlds or EL3 apart, as far as a vector can mean it. */
static void note_filter(struct replay *r, const struct try *t)
{
	unsigned n;
	const struct apmu_reg *reg = apmu_reg_at(r->core, t->at.view, t->at.encoding, &n);

	r->filtered |= reg && strstr(reg->name, "TYPER") && t->value >> 26;
}

/* "PMNC=5", "PMNC@user=5" */
static bool assign(struct replay *r, const char *word)
{
	struct try t = {.write = true, .mask = UINT64_MAX, .rt2 = 2, .wish = WISH_DONE};
	char name[WORD];
	bool ok;

	snprintf(name, sizeof name, "%s", word);
	char *equals = strrchr(name, '=');
	if (!equals)
		return replay_cannot(r, "%.100s", word);
	*equals++ = '\0';
	vec_number(equals, &t.value);
	if (r->levels && replay_host(r, name, &t, &ok))
		return ok;
	if (islower((unsigned char)*name) && !strchr(name, '('))
		return replay_cannot(r, "host state or a pin: %.40s", name);
	if (!replay_access(r, name, &t.at))
		return false;
	note_filter(r, &t);
	return replay_try(r, &t, word);
}

static bool line_is(struct replay *r, enum apmu_line line, const char *word, uint64_t want)
{
	return !r->running || apmu_line_up(apmu_machine_pmu(r->machine), line) == (want != 0) ||
	       replay_differs(r, "not %s", word);
}

static bool bus_is(struct replay *r, char *inside, const char *text, uint64_t want)
{
	struct apmu_tally cycle = {{0}};
	const char *rest = inside;
	char word[WORD];

	while (vec_word(&rest, word, sizeof word)) {
		uint64_t n = 1;
		char *star = strchr(word, '*');
		if (star) {
			*star++ = '\0';
			vec_number(star, &n);
		}
		cycle.n[vec_signal(r->core, word)] += n;
	}
	return !r->running || apmu_export(apmu_machine_pmu(r->machine), &cycle) == want ||
	       replay_differs(r, "not %s", text);
}

static bool note_is(struct replay *r, const char *kind, const char *word, uint64_t want)
{
	static const char *const name[APMU_NOTES] = {"reserved-bits",  "reserved-event", "select-while-on",
						     "export-unheard", "absent-counter", "hpmn-range",
						     "not-software"};

	for (unsigned i = 0; r->running && i < APMU_NOTES; i++)
		if (!strcmp(kind, name[i]) && r->notes[i] != want)
			return replay_differs(r, "%s: %u notes", word, r->notes[i]);
	return true;
}

/* "PMNC=5", "PMNC&0x700=0x100", either with "@user" */
static bool register_is(struct replay *r, char *name, const char *word, uint64_t want)
{
	struct try t = {.value = want, .mask = UINT64_MAX, .rt2 = 2, .wish = WISH_VALUE};
	struct apmu_mode mode = r->words.mode;
	char *and = strchr(name, '&');

	if (and) {
		*and++ = '\0';
		vec_number(and, &t.mask);
	}
	if (r->levels)
		r->words.mode = vec_observer(r->core);
	else
		r->words.mode.el = 1; /* the observer is privileged, whatever the core's mode */
	bool ok = replay_access(r, name, &t.at) && replay_try(r, &t, word);
	r->words.mode = mode;
	return ok;
}

static bool look(struct replay *r, const char *word)
{
	char name[WORD], inside[WORD];
	uint64_t want = 0;
	bool ok;

	if (replay_outcome(r, word, &ok))
		return ok;
	snprintf(name, sizeof name, "%s", word);
	char *equals = strrchr(name, '=');
	*equals++ = '\0';
	vec_number(equals, &want);
	if (!strcmp(name, "irq"))
		return line_is(r, APMU_LINE_IRQ, word, want);
	if (!strcmp(name, "fiq"))
		return line_is(r, APMU_LINE_FIQ, word, want);
	if (!strcmp(name, "profiling"))
		return line_is(r, APMU_LINE_PROFILING, word, want);
	if (!strcmp(name, "target"))
		return !r->running || apmu_profiling(apmu_machine_pmu(r->machine)) == want ||
		       replay_differs(r, "not %s", word);
	if (vec_inside(name, "ESR", inside, sizeof inside))
		return replay_syndrome(r, inside, word, want);
	if (vec_inside(name, "bus", inside, sizeof inside))
		return bus_is(r, inside, word, want);
	if (vec_inside(name, "note", inside, sizeof inside))
		return note_is(r, inside, word, want);
	return register_is(r, name, word, want);
}

static bool mode_word(struct replay *r, struct apmu_mode to, const char *word)
{
	bool moves = (to.el == 0) != r->user;

	if (r->levels && !to.debug_halted) {
		r->words.mode = to;
		return replay_go(r, to, word);
	}
	if (to.el > 1 || to.debug_halted)
		return replay_cannot(r, "a level that the guest is not at");
	if (to.security != r->line.security && to.security != r->world)
		return replay_cannot(r, "another world");
	r->line = r->words.mode = to;
	return !moves || replay_move(r, to.el == 0, word);
}

static bool is_signal(const struct replay *r, const char *word)
{
	struct apmu_mode mode = {0};

	return isalpha((unsigned char)*word) && !strpbrk(word, "=(") && strcmp(word, "reset") != 0 &&
	       !vec_mode(r->core, word, &mode);
}

static bool act(struct replay *r, const char *word)
{
	struct apmu_mode mode = r->words.mode;
	bool ok;

	if (*word == ';') {
		settle(r);
		return true;
	}
	if (!strcmp(word, "reset"))
		return replay_cannot(r, "a reset");
	if (*word == '+' || *word == '-')
		return replay_cannot(r, "an erratum's switch");
	if (*word == '?') {
		settle(r);
		return look(r, word + 1);
	}
	if (replay_outcome(r, word, &ok))
		return ok;
	return vec_mode(r->core, word, &mode) ? mode_word(r, mode, word) : assign(r, word);
}

static bool each(struct replay *r, const char *words)
{
	char word[WORD];

	while (vec_word(&words, word, sizeof word)) {
		bool ok;
		if (*word == '(') {
			ok = group(r, word);
		} else if (is_signal(r, word)) {
			ok = signal_word(r, word);
		} else {
			ok = act(r, word);
			memset(r->words.named, 0, sizeof r->words.named);
		}
		if (!ok)
			return false;
	}
	return true;
}

static bool each_look(struct replay *r, const char *words)
{
	char word[WORD];

	settle(r);
	while (vec_word(&words, word, sizeof word))
		if (*word != ';' && !look(r, word))
			return false;
	return true;
}

static bool whole_line(struct replay *r, const struct vec *v)
{
	/* Where the machine is: Non-secure EL1 from Armv7 on; before that there is one privileged state. */
	r->world = r->core->access_rule == APMU_ACCESS_PLAIN ? APMU_SECURE : APMU_NONSECURE;
	r->line = vec_observer(r->core);
	r->words.mode = r->levels ? r->line : (struct apmu_mode){.el = 1, .security = r->line.security};
	r->scr = r->guest.isa == GUEST_A64 ? GUEST_SCR : GUEST_SCR32;
	r->user = r->filtered = false;
	memset(r->words.named, 0, sizeof r->words.named);
	return each(r, v->setup) && each(r, v->happens) && each_look(r, v->expect);
}

bool replay_has(const struct apmu_core *core, enum guest_isa isa)
{
	bool a64 = core->features >> APMU_FEATURE_A64 & 1;

	if (a64 || isa == GUEST_A64)
		return a64 && isa == GUEST_A64;
	/* Thumb-2 came with ARM1156 and Armv7: 32-bit coprocessor instructions in T32. */
	return isa == GUEST_A32 || apmu_machine__cpu_model(core->unicorn32)->thumb2;
}

static bool has(const struct apmu_core *core, enum apmu_feature feature)
{
	return core->features >> feature & 1;
}

bool replay_has_levels(const struct apmu_core *core)
{
	if (!has(core, APMU_FEATURE_A64))
		return core->access_rule == APMU_ACCESS_V7 && has(core, APMU_FEATURE_EL3);
	return has(core, APMU_FEATURE_EL2) && has(core, APMU_FEATURE_EL3);
}

static enum replay_end run_line(const struct vec *v, const struct apmu_core *core, enum guest_isa isa,
				bool levels, char why[VEC_WHY])
{
	static struct replay r;

	memset(&r, 0, sizeof r);
	r.core = core;
	r.words.pmu.core = core;
	r.levels = levels;
	if (levels && !has(core, APMU_FEATURE_A64)) {
		guest_start_levels32(&r.guest, has(core, APMU_FEATURE_EL2));
	} else if (levels) {
		guest_start_levels(&r.guest);
	} else {
		guest_start(&r.guest, isa);
		guest_prologue(&r.guest);
	}
	bool ok = whole_line(&r, v) && replay_open(&r);
	if (ok) {
		r.running = true;
		ok = whole_line(&r, v);
	}
	apmu_machine_free(r.machine);
	snprintf(why, VEC_WHY, "%s", r.why);
	return ok ? REPLAY_SAME : r.cannot ? REPLAY_CANNOT : REPLAY_DIFFERS;
}

enum replay_end replay_run(const struct vec *v, const struct apmu_core *core, enum guest_isa isa,
			   char why[VEC_WHY])
{
	return run_line(v, core, isa, false, why);
}

enum replay_end replay_run_levels(const struct vec *v, const struct apmu_core *core, char why[VEC_WHY])
{
	return run_line(v, core, GUEST_A64, true, why);
}
