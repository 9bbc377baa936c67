/* SPDX-License-Identifier: MIT */
/* Parameters without effect: the unit they describe is disabled by another parameter. */
#include "uarch/param_table.h"
#include "uarch/timing.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct need {
	const char *key, *on; /* `key` has an effect only with some values of `on` */
	uint8_t with;         /* bit v: `on` = v is such a value; bit 7: 7 and above */
	uint8_t or_next;      /* 1: the next row is an alternative */
	const char *words;    /* the values, for messages; empty: any but 0 or small ones */
};

#include "uarch/gen/needs.inc"

static bool met(const struct apmu_uarch_params *params, const struct need *n)
{
	uint64_t value = apmu_uarch__param_value(params, apmu_uarch__param_index(n->on));
	return n->with >> (value < 7 ? value : 7) & 1;
}

static const char *explain(const struct apmu_uarch_params *params, const struct need *n, char *out,
			   size_t size)
{
	struct apmu_uarch_param is;
	apmu_uarch_param(params, apmu_uarch__param_index(n->on), &is);
	int used = snprintf(out, size, "%s has no effect where %s is %s: ", n->key, n->on, is.value);
	if (used < 0 || (size_t)used >= size)
		return n->on;
	if (n->words[0] == '\0')
		snprintf(out + used, size - (size_t)used, "set %s too", n->on);
	else
		snprintf(out + used, size - (size_t)used, "it needs %s = %s", n->on, n->words);
	return n->on;
}

/* True if an instruction of the group `unit` takes a pipe of `group`, which may be a larger one, or waits in
 * a scheduler of `group` within its own. */
static bool concerns(const struct apmu_uarch_params *params, unsigned unit, unsigned group, bool waits)
{
	unsigned steps = 0;

	if (waits && unit && group < APMU_UNITS && params->within[group] == unit)
		return true;
	while (unit && unit != group && ++steps < APMU_UNITS)
		unit = params->within[unit];
	return unit == group;
}

/* True if no instruction uses pipes or schedulers of this group. */
static bool unused(const struct apmu_uarch_params *params, unsigned group, bool waits)
{
	for (unsigned c = 0; c < APMU_CLASSES; c++)
		if (concerns(params, params->unit[c], group, waits))
			return false;
	for (unsigned g = APMU_GROUP_FIRST; g < APMU_GROUPS; g++) {
		unsigned unit = params->timing[g] >> APMU_TIMING_UNIT & 15; /* plus 1; 0: as the parent */
		if (unit && concerns(params, unit - 1, group, waits))
			return false;
	}
	return true;
}

/* True if some group of instructions holds a pipe for more than a cycle: then pipes matter even if one
 * instruction issues per cycle. */
static bool held_pipes(const struct apmu_uarch_params *params)
{
	const unsigned mask = (1u << (APMU_TIMING_UNIT - APMU_TIMING_BUSY)) - 1;
	for (unsigned g = APMU_GROUP_FIRST; g < APMU_GROUPS; g++)
		if ((params->timing[g] >> APMU_TIMING_BUSY & mask) >
		    APMU_UARCH__PARTS + 1) /* plus 1; 0: as the parent */
			return true;
	return false;
}

/* A parameter that is asked about: its key, and its index in its array. */
struct asked {
	const char *key;
	unsigned nth;
};

static const char *unused_group(const struct apmu_uarch_params *params, const struct asked *asked, bool waits,
				char *out, size_t size)
{
	if (!unused(params, asked->nth, waits))
		return NULL;
	snprintf(out, size, "%s has no effect: no class of instructions is of that group (unit.alu and kin)",
		 asked->key);
	return "unit.alu";
}

static const char *unused_pipes(const struct apmu_uarch_params *params, const struct asked *asked, char *out,
				size_t size)
{
	return unused_group(params, asked, false, out, size);
}

static const char *unused_schedulers(const struct apmu_uarch_params *params, const struct asked *asked,
				     char *out, size_t size)
{
	return unused_group(params, asked, true, out, size);
}

/* In order: how a class pairs, if all its instructions take several cycles to issue. */
static const char *never_pairs(const struct apmu_uarch_params *params, const struct asked *asked, char *out,
			       size_t size)
{
	struct apmu_uarch_param issue;
	if (params->rob || apmu_uarch__timing_short(params, asked->nth))
		return NULL;
	apmu_uarch_param(params, apmu_uarch__param_index("issue.unknown") + asked->nth, &issue);
	return explain(params, &(struct need){.key = asked->key, .on = issue.key, .words = "1"}, out, size);
}

/* In order: how wide a vector pipe is, if the vector unit has only one. */
static const char *never_two(const struct apmu_uarch_params *params, const struct asked *asked, char *out,
			     size_t size)
{
	struct apmu_uarch_param pipes = {.key = "unit.simd"};
	unsigned unit = params->unit[APMU_CLASS_SIMD];
	if (params->rob || apmu_uarch__timing_pipes(params))
		return NULL;
	if (unit)
		apmu_uarch_param(params, apmu_uarch__param_index("pipes.1") + unit - 1, &pipes);
	return explain(params,
		       &(struct need){.key = asked->key, .on = pipes.key, .words = unit ? "2 or more" : ""},
		       out, size);
}

/* In order: what holds for vectors that take two pipes, if no vector does. */
static const char *never_of_two(const struct apmu_uarch_params *params, const struct asked *asked, char *out,
				size_t size)
{
	if (params->vector_bytes == 8)
		return NULL;
	return explain(params, &(struct need){.key = asked->key, .on = "vector_bytes", .words = "8"}, out,
		       size);
}

typedef const char *idle_fn(const struct apmu_uarch_params *, const struct asked *, char *, size_t);

/* What else decides whether the members of an array, or one member, have an effect. */
struct rule {
	size_t begin, bytes, each; /* in struct apmu_uarch_params; each: bytes of a member */
	idle_fn *first, *last;     /* asked before and after the table of needs; NULL: nothing */
	bool held;                 /* held_pipes() overrides the table of needs */
};

#define MEMBER(m) offsetof(struct apmu_uarch_params, m), sizeof(((struct apmu_uarch_params *)0)->m)
#define ONE(m, ...)                                                                \
	{                                                                          \
		MEMBER(m), sizeof(((struct apmu_uarch_params *)0)->m), __VA_ARGS__ \
	}
#define ALL_OF(m, ...)                                                                \
	{                                                                             \
		MEMBER(m), sizeof(((struct apmu_uarch_params *)0)->m[0]), __VA_ARGS__ \
	}

static const struct rule rules[] = {
	ALL_OF(unit, NULL, NULL, true),
	ALL_OF(pipes, unused_pipes, NULL, true),
	ALL_OF(within, unused_schedulers, NULL, false),
	ALL_OF(schedulers, unused_schedulers, NULL, false),
	ALL_OF(pair, NULL, never_pairs, false),
	ONE(vector_elder, NULL, never_of_two, false),
	ONE(vector_access, NULL, never_of_two, false),
	ONE(vector_bytes, NULL, never_two, false),
};

/* The rule of the member at this offset; one that asks nothing if it has none. */
static const struct rule *rule_of(size_t member)
{
	static const struct rule none;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (member - rules[i].begin < rules[i].bytes)
			return &rules[i];
	return &none;
}

/* Tells which row of the table of needs is not met, and why. */
static const char *unmet(const struct apmu_uarch_params *params, const char *key, char *out, size_t size)
{
	for (size_t i = 0, first; i < sizeof(needs) / sizeof(needs[0]); i++) {
		for (first = i; needs[i].or_next && !met(params, &needs[i]); i++)
			;
		if (!strcmp(needs[i].key, key) && !met(params, &needs[i]))
			return explain(params, &needs[first], out, size);
		while (needs[i].or_next)
			i++;
	}
	return NULL;
}

const char *apmu_uarch_idle(const struct apmu_uarch_params *params, const char *key, char *out, size_t size)
{
	size_t i = apmu_uarch__param_index(key);
	if (i == APMU_UARCH__MOST_PARAMS)
		return NULL;
	size_t member = apmu_uarch__param_offset(i);
	const struct rule *rule = rule_of(member);
	struct asked asked = {.key = key};
	const char *on = NULL;
	if (rule->each)
		asked.nth = (unsigned)((member - rule->begin) / rule->each);
	if (rule->first)
		on = rule->first(params, &asked, out, size);
	if (!on && !(rule->held && held_pipes(params)))
		on = unmet(params, key, out, size);
	if (!on && rule->last)
		on = rule->last(params, &asked, out, size);
	return on;
}
