/* SPDX-License-Identifier: MIT */
/* Parameters without effect: the unit they describe is disabled by another parameter. */
#include "uarch/param_table.h"
#include "uarch/timing.h"

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

/* True if the key belongs to a group of pipes that no instruction class uses. */
static bool unused_pipes(const struct apmu_uarch_params *params, const char *key)
{
	unsigned group = 0;
	bool pipes = strncmp(key, "pipes.", 6) == 0;
	if (sscanf(key, "pipes.%u", &group) != 1 && sscanf(key, "within.%u", &group) != 1 &&
	    sscanf(key, "schedulers.%u", &group) != 1)
		return false;
	for (unsigned c = 0; c < APMU_CLASSES; c++)
		if (concerns(params, params->unit[c], group, !pipes))
			return false;
	for (unsigned g = APMU_GROUP_FIRST; g < APMU_GROUPS; g++) {
		unsigned unit = params->timing[g] >> APMU_TIMING_UNIT & 15; /* plus 1; 0: as the parent */
		if (unit && concerns(params, unit - 1, group, !pipes))
			return false;
	}
	return true;
}

/* True if the key is about pipes, and some group of instructions holds one for more than a cycle: then pipes
 * matter even if one instruction issues per cycle. */
static bool held_pipes(const struct apmu_uarch_params *params, const char *key)
{
	const unsigned mask = (1u << (APMU_TIMING_UNIT - APMU_TIMING_BUSY)) - 1;
	if (strncmp(key, "unit.", 5) != 0 && strncmp(key, "pipes.", 6) != 0)
		return false;
	for (unsigned g = APMU_GROUP_FIRST; g < APMU_GROUPS; g++)
		if ((params->timing[g] >> APMU_TIMING_BUSY & mask) >
		    APMU_UARCH__PARTS + 1) /* plus 1; 0: as the parent */
			return true;
	return false;
}

/* In order: a `pair.` parameter of a class whose instructions all take several cycles to issue. */
static const char *never_pairs(const struct apmu_uarch_params *params, const char *key, char *out,
			       size_t size)
{
	size_t cls = apmu_uarch__param_index(key) - apmu_uarch__param_index("pair.unknown");
	struct apmu_uarch_param issue;
	if (strncmp(key, "pair.", 5) != 0 || params->rob || apmu_uarch__timing_short(params, (unsigned)cls))
		return NULL;
	apmu_uarch_param(params, apmu_uarch__param_index("issue.unknown") + cls, &issue);
	return explain(params, &(struct need){.key = key, .on = issue.key, .words = "1"}, out, size);
}

/* In order: vector_bytes, if the vector unit has only one pipe. */
static const char *never_two(const struct apmu_uarch_params *params, const char *key, char *out, size_t size)
{
	struct apmu_uarch_param pipes = {.key = "unit.simd"};
	unsigned unit = params->unit[APMU_CLASS_SIMD];
	if (strcmp(key, "vector_bytes") != 0 || params->rob || apmu_uarch__timing_pipes(params))
		return NULL;
	if (unit)
		apmu_uarch_param(params, apmu_uarch__param_index("pipes.1") + unit - 1, &pipes);
	return explain(params, &(struct need){.key = key, .on = pipes.key, .words = unit ? "2 or more" : ""},
		       out, size);
}

/* In order: the parameters of vectors that take two pipes, if no vector does. */
static const char *never_of_two(const struct apmu_uarch_params *params, const char *key, char *out,
				size_t size)
{
	if (params->vector_bytes == 8 ||
	    (strcmp(key, "vector_elder") != 0 && strcmp(key, "vector_access") != 0))
		return NULL;
	return explain(params, &(struct need){.key = key, .on = "vector_bytes", .words = "8"}, out, size);
}

const char *apmu_uarch_idle(const struct apmu_uarch_params *params, const char *key, char *out, size_t size)
{
	if (unused_pipes(params, key)) {
		snprintf(out, size,
			 "%s has no effect: no class of instructions is of that group (unit.alu and kin)",
			 key);
		return "unit.alu";
	}
	for (size_t i = 0, first; i < sizeof(needs) / sizeof(needs[0]); i++) {
		for (first = i; needs[i].or_next && !met(params, &needs[i]); i++)
			;
		if (!strcmp(needs[i].key, key) && !met(params, &needs[i]) && !held_pipes(params, key))
			return explain(params, &needs[first], out, size);
		while (needs[i].or_next)
			i++;
	}
	const char *on = never_pairs(params, key, out, size);
	on = on ? on : never_of_two(params, key, out, size);
	return on ? on : never_two(params, key, out, size);
}
