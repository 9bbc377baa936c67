/* SPDX-License-Identifier: MIT */
#include "vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 256 };

static bool look_line(struct vec_bench *b, const char *name, enum apmu_line line, uint64_t want)
{
	bool up = apmu_line_up(&b->pmu, line);

	if (up != b->line[line])
		return vec_fail(b, "%s is %d, but the callback said %d", name, up, b->line[line]);
	if (b->line_twice)
		return vec_fail(b, "a line was called without a change");
	return up == (want != 0) || vec_fail(b, "%s is %d", name, up);
}

/* Checks the exception level that a PMU Profiling exception would be taken to now; 0: none. */
static bool look_target(struct vec_bench *b, uint64_t want)
{
	unsigned got = apmu_profiling(&b->pmu);

	return got == want || vec_fail(b, "the profiling exception's target is %u", got);
}

/* "bus(INST*2 TLB_WALK)=0x10200": what the event bus shows in a cycle with these signals. */
static bool look_bus(struct vec_bench *b, const char *inside, uint64_t want)
{
	struct apmu_tally cycle = {{0}};
	char word[WORD];

	while (vec_word(&inside, word, sizeof word)) {
		uint64_t n = 1;
		char *star = strchr(word, '*');
		if (star)
			*star++ = '\0';
		unsigned signal = vec_signal(b->pmu.core, word);
		if (signal == APMU_SIGNALS || (star && !vec_number(star, &n)))
			return vec_fail(b, "'%s': no signal", word);
		cycle.n[signal] += n;
	}
	uint64_t got = apmu_export(&b->pmu, &cycle);
	return got == want || vec_fail(b, "the bus shows 0x%" PRIx64, got);
}

/* "PMNC=5", "PMNC&0x700=0x100", either with "@user". */
static bool look_register(struct vec_bench *b, char *name, uint64_t want)
{
	uint64_t got = UINT64_MAX, mask = UINT64_MAX; /* a read must overwrite `got` */
	struct apmu_access at;
	char *and = strchr(name, '&');

	if (and) {
		*and++ = '\0';
		if (!vec_number(and, &mask))
			return vec_fail(b, "'%s': no number", and);
	}
	if (!vec_access(b, name, vec_observer(b->pmu.core), &at))
		return false;
	if (apmu_read(&b->pmu, at, &got) != APMU_DONE)
		return vec_fail(b, "%s cannot be read", name);
	return (got & mask) == want || vec_fail(b, "%s is 0x%" PRIx64, name, got & mask);
}

static bool look_note(struct vec_bench *b, const char *kind, uint64_t want)
{
	static const char *const name[APMU_NOTES] = {
		[APMU_NOTE_RESERVED_BITS] = "reserved-bits",
		[APMU_NOTE_RESERVED_EVENT] = "reserved-event",
		[APMU_NOTE_SELECT_WHILE_ON] = "select-while-on",
		[APMU_NOTE_EXPORT_UNHEARD] = "export-unheard",
		[APMU_NOTE_ABSENT_COUNTER] = "absent-counter",
		[APMU_NOTE_HPMN_RANGE] = "hpmn-range",
		[APMU_NOTE_NOT_SOFTWARE] = "not-software",
	};

	for (unsigned i = 0; i < APMU_NOTES; i++) {
		if (strcmp(kind, name[i]))
			continue;
		if (b->way == VEC_SNAPSHOTS) /* the resets in between may call the callback again */
			return true;
		return b->notes[i] == want || vec_fail(b, "%u notes of %s", b->notes[i], kind);
	}
	return vec_fail(b, "'%s': no such note", kind);
}

/* "name=value", split into name and value. */
static bool look_value(struct vec_bench *b, char *name, uint64_t want)
{
	static const char *const lines[APMU_LINES] = {"irq", "fiq", "profiling", "trigger", "debug", "brbe"};
	char inside[WORD];

	if (vec_inside(name, "ESR", inside, sizeof inside))
		return vec_syndrome(b, inside, want);
	for (unsigned line = 0; line < APMU_LINES; line++)
		if (!strcmp(name, lines[line]))
			return look_line(b, name, (enum apmu_line)line, want);
	if (!strcmp(name, "target"))
		return look_target(b, want);
	if (vec_inside(name, "bus", inside, sizeof inside))
		return look_bus(b, inside, want);
	if (vec_inside(name, "note", inside, sizeof inside))
		return look_note(b, inside, want);
	return look_register(b, name, want);
}

bool vec_look(struct vec_bench *b, const char *word)
{
	char name[WORD];
	uint64_t want;
	bool ok;

	if (vec_outcome(b, word, &ok))
		return ok;
	snprintf(name, sizeof name, "%s", word);
	char *equals = strrchr(name, '=');
	if (!equals)
		return vec_fail(b, "'%s': no such word", word);
	*equals++ = '\0';
	if (!vec_number(equals, &want))
		return vec_fail(b, "'%s': no number", word);
	return look_value(b, name, want) || vec_fail(b, "not %s", word);
}
