/* SPDX-License-Identifier: MIT */
/* Attempted accesses: how they end, and the syndrome of their exception. */
#include "vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 256 };

/* A parsed attempt. */
struct attempt {
	struct apmu_access at;
	uint64_t value; /* written */
	bool write;
	unsigned rt, rt2, cond;
};

static const char *outcome_name(enum apmu_outcome outcome)
{
	static const char *const name[] = {"done", "undefined", "trapped to EL1", "trapped to EL2",
					   "trapped to EL3"};

	return name[outcome];
}

/* "rt=3", "rt2=4", "cond=0": the instruction's other operands. */
static bool operand(struct attempt *a, const char *word)
{
	const struct {
		const char *name;
		unsigned *to;
	} operands[] = {{"rt=", &a->rt}, {"rt2=", &a->rt2}, {"cond=", &a->cond}};
	uint64_t value;

	for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++) {
		size_t n = strlen(operands[i].name);
		if (strncmp(word, operands[i].name, n) || !vec_number(word + n, &value))
			continue;
		*operands[i].to = (unsigned)value;
		return true;
	}
	return false;
}

/* Parses what follows the register: "from MODE..." and operands. */
static bool rest(struct vec_bench *b, struct attempt *a, char *words)
{
	bool from = false;

	for (char *part; (part = vec_part(&words, " -")) != NULL;) {
		if (!strcmp(part, "from"))
			from = true;
		else if (!operand(a, part) && !(from && vec_mode(b->pmu.core, part, &a->at.from)))
			return vec_fail(b, "'%s': no such mode or operand", part);
	}
	return true;
}

/* "read|write REG[=value] [from MODE...] [rt=n]" */
static bool parse(struct vec_bench *b, const char *text, struct attempt *a)
{
	char parts[WORD], *words = parts;

	*a = (struct attempt){.value = 0xFFFFFFFF, .cond = 14};
	snprintf(parts, sizeof parts, "%s", text);
	char *verb = vec_part(&words, " "), *reg = vec_part(&words, " ");
	a->write = verb && !strcmp(verb, "write");
	if (!reg || (!a->write && strcmp(verb, "read")))
		return vec_fail(b, "'%s': read or write, then a register", text);
	char *equals = strchr(reg, '=');
	if (equals)
		*equals++ = '\0';
	if (equals && !vec_number(equals, &a->value))
		return vec_fail(b, "'%s': no number", text);
	return vec_access(b, reg, b->mode, &a->at) && rest(b, a, words);
}

/* Makes the access. A read that is not done must leave the reader's register unchanged. */
static bool make(struct vec_bench *b, struct attempt *a, enum apmu_outcome *end)
{
	uint64_t value = a->value;

	if (a->write) {
		*end = apmu_write(&b->pmu, a->at, value);
		return true;
	}
	*end = apmu_read(&b->pmu, a->at, &value);
	return *end == APMU_DONE || value == a->value ||
	       vec_fail(b, "a read that was not done gave 0x%" PRIx64, value);
}

static bool ends_in(struct vec_bench *b, const char *text, enum apmu_outcome want)
{
	struct attempt a;
	enum apmu_outcome got;

	if (!parse(b, text, &a) || !make(b, &a, &got))
		return false;
	return got == want || vec_fail(b, "%s is %s, not %s", text, outcome_name(got), outcome_name(want));
}

bool vec_outcome(struct vec_bench *b, const char *word, bool *ok)
{
	static const struct {
		const char *name;
		enum apmu_outcome outcome;
	} outcomes[] = {
		{"UNDEF", APMU_UNDEFINED}, {"DONE", APMU_DONE},      {"TRAP1", APMU_TRAP_EL1},
		{"TRAP2", APMU_TRAP_EL2},  {"TRAP3", APMU_TRAP_EL3},
	};
	char inside[WORD];

	for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
		if (!vec_inside(word, outcomes[i].name, inside, sizeof inside))
			continue;
		*ok = ends_in(b, inside, outcomes[i].outcome);
		return true;
	}
	return false;
}

bool vec_syndrome(struct vec_bench *b, const char *text, uint64_t want)
{
	struct attempt a;
	enum apmu_outcome end;

	if (!parse(b, text, &a) || !make(b, &a, &end))
		return false;
	if (end == APMU_DONE)
		return vec_fail(b, "%s is done: no exception", text);
	uint32_t got = apmu_syndrome(&b->pmu, a.at, end, a.write, a.rt, a.rt2, a.cond);
	return got == want || vec_fail(b, "%s: the syndrome is 0x%08X", text, got);
}
