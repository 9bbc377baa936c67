/* SPDX-License-Identifier: MIT */
/* Checks that the parameters of a machine fit together; tools/specgen_uarch.py checks the rows by the same
 * rules, and that a misprediction stalls no longer than it costs. */
#include "uarch/block.h"
#include "uarch/param_table.h"
#include "uarch/window.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool power_of_two(uint64_t n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/* True if the entries are ways times sets, and the sets a power of two: the shape of every table. Ranges are
 * checked by key. */
static bool fits_sets(uint64_t entries, unsigned ways)
{
	return entries == 0 || (entries % ways == 0 && power_of_two(entries / ways));
}

static bool cache_fits(uint32_t size, unsigned ways, unsigned line)
{
	return power_of_two(line) && size % line == 0 && fits_sets(size / line, ways);
}

static bool tree(unsigned replace, unsigned ways)
{
	return replace != APMU_REPLACE_PLRU || power_of_two(ways);
}

_Static_assert((int)APMU_CLASSES == (int)APMU_GROUP_FIRST, "spec/uarch/groups.txt goes on after the classes");
_Static_assert(APMU_OPERATION_LAST - APMU_OPERATION_FIRST < 127, "operations have a bit each");

/* A rule that the parameters break: its kind, the unit or parameter that breaks it, and the message. */
enum fault_kind { OTHER, BAD_SIZE, BAD_ENTRIES, NOT_POWER, BAD_LINE };
struct fault {
	enum fault_kind kind;
	const char *unit, *why; /* why NULL: no fault */
};
#define FAULT(kind, unit, text) ((struct fault){kind, unit, unit ": " text})
static const struct fault none;

static struct fault bad_cache(const struct apmu_uarch_params *p)
{
	if (!cache_fits(p->l1i.size, p->l1i.ways, p->l1i.line))
		return FAULT(BAD_SIZE, "l1i", "size is not ways x line x a power of two of sets");
	if (!cache_fits(p->l1d.size, p->l1d.ways, p->l1d.line))
		return FAULT(BAD_SIZE, "l1d", "size is not ways x line x a power of two of sets");
	if (!cache_fits(p->mini.size, p->mini.ways, p->mini.line))
		return FAULT(BAD_SIZE, "mini", "size is not ways x line x a power of two of sets");
	if (!cache_fits(p->l2.size, p->l2.ways, p->l2.line))
		return FAULT(BAD_SIZE, "l2", "size is not ways x line x a power of two of sets");
	if (!cache_fits(p->l3.size, p->l3.ways, p->l3.line))
		return FAULT(BAD_SIZE, "l3", "size is not ways x line x a power of two of sets");
	return none;
}

static struct fault bad_tlb(const struct apmu_uarch_params *p)
{
	if (!fits_sets(p->itlb.entries, p->itlb.ways))
		return FAULT(BAD_ENTRIES, "itlb", "entries are not ways x a power of two of sets");
	if (!fits_sets(p->dtlb.entries, p->dtlb.ways))
		return FAULT(BAD_ENTRIES, "dtlb", "entries are not ways x a power of two of sets");
	if (!fits_sets(p->tlb.entries, p->tlb.ways))
		return FAULT(BAD_ENTRIES, "tlb", "entries are not ways x a power of two of sets");
	return none;
}

static struct fault bad_mop(const struct apmu_uarch_params *p)
{
	uint32_t pieces = p->mop.entries / APMU_UARCH__MOP_PIECE;
	return p->mop.entries % APMU_UARCH__MOP_PIECE || !fits_sets(pieces, p->mop.ways)
		       ? FAULT(OTHER, "mop.entries", "not 8 x mop.ways x a power of two of sets")
		       : none;
}

static struct fault bad_tree(const struct apmu_uarch_params *p)
{
	if (!tree(p->l1i.replace, p->l1i.ways))
		return FAULT(OTHER, "l1i", "plru needs a power of two of ways");
	if (!tree(p->l1d.replace, p->l1d.ways))
		return FAULT(OTHER, "l1d", "plru needs a power of two of ways");
	if (!tree(p->mini.replace, p->mini.ways))
		return FAULT(OTHER, "mini", "plru needs a power of two of ways");
	if (!tree(p->l2.replace, p->l2.ways))
		return FAULT(OTHER, "l2", "plru needs a power of two of ways");
	if (!tree(p->l3.replace, p->l3.ways))
		return FAULT(OTHER, "l3", "plru needs a power of two of ways");
	if (!tree(p->itlb.replace, p->itlb.ways))
		return FAULT(OTHER, "itlb", "plru needs a power of two of ways");
	if (!tree(p->dtlb.replace, p->dtlb.ways))
		return FAULT(OTHER, "dtlb", "plru needs a power of two of ways");
	return tree(p->tlb.replace, p->tlb.ways) ? none
						 : FAULT(OTHER, "tlb", "plru needs a power of two of ways");
}

/* A line of a level holds whole lines of the caches above it; an exclusive level exchanges lines with L1
 * data. */
static struct fault bad_levels(const struct apmu_uarch_params *p)
{
	unsigned above = p->l1i.line > p->l1d.line ? p->l1i.line : p->l1d.line;
	unsigned l2 = p->l2.size ? p->l2.line : above;
	if (p->mini.size && p->mini.line != p->l1d.line)
		return FAULT(BAD_LINE, "mini", "its line is not that of l1d");
	if (l2 < above)
		return FAULT(BAD_LINE, "l2", "its line is shorter than one of L1");
	if (p->l3.size && p->l3.line < l2)
		return FAULT(BAD_LINE, "l3", "its line is shorter than one above it");
	if (p->l2.size && p->l2.inclusion == APMU_EXCLUSIVE && p->l2.line != p->l1d.line)
		return FAULT(BAD_LINE, "l2", "exclusive, and its line is not that of l1d");
	if (p->l3.size && p->l3.inclusion == APMU_EXCLUSIVE && p->l3.line != p->l1d.line)
		return FAULT(BAD_LINE, "l3", "exclusive, and its line is not that of l1d");
	if (p->l2.size && p->l2.latency == 0)
		return FAULT(OTHER, "l2", "a cache without a latency: set l2.latency too");
	if (p->l3.size && p->l3.latency == 0)
		return FAULT(OTHER, "l3", "a cache without a latency: set l3.latency too");
	return p->shared == 1 ? FAULT(OTHER, "shared", "is 0, 2 or 3; the first level is each thread's own")
			      : none;
}

/* Tables that are indexed by address bits. */
static struct fault bad_table(const struct apmu_uarch_params *p)
{
	if (!power_of_two(p->page))
		return FAULT(NOT_POWER, "page", "not a power of two");
	unsigned next = p->micro_btb ? p->micro_taken : p->taken; /* the level behind the nano BTB */
	if (p->nano_btb && (p->nano_taken > next || next > p->taken))
		return FAULT(OTHER, "nano_btb", "a level nearer than another costs more");
	if (p->nano_btb > 1 && p->rob == 0)
		return FAULT(OTHER, "nano_btb", "in order it holds one branch");
	if (p->btb && !power_of_two(p->btb))
		return FAULT(NOT_POWER, "btb", "not a power of two");
	if (!power_of_two(p->counters))
		return FAULT(NOT_POWER, "counters", "not a power of two");
	if (!power_of_two(p->locals))
		return FAULT(NOT_POWER, "locals", "not a power of two");
	if (!power_of_two(p->tage_entries))
		return FAULT(NOT_POWER, "tage_entries", "not a power of two");
	if (p->loops && !power_of_two(p->loops))
		return FAULT(NOT_POWER, "loops", "not a power of two");
	if (p->targets && !power_of_two(p->targets))
		return FAULT(NOT_POWER, "targets", "not a power of two");
	if (p->fetch_bytes && !power_of_two(p->fetch_bytes))
		return FAULT(NOT_POWER, "fetch_bytes", "not a power of two");
	return p->fetch_bytes > p->l1i.line ? FAULT(OTHER, "fetch_bytes", "more than a line (l1i.line)")
					    : none;
}

/* A group within another has no more pipes than that one, and no group is within itself. */
static bool within_fits(const struct apmu_uarch_params *p)
{
	for (unsigned k = 1; k < APMU_UNITS; k++) {
		unsigned steps = 0;
		for (unsigned in = k, group = p->within[in]; group; in = group, group = p->within[in])
			if (++steps == APMU_UNITS || p->pipes[in] > p->pipes[group])
				return false;
	}
	return true;
}

/* Two schedulers at most feed a group that has none of its own. */
static bool two_feed(const struct apmu_uarch_params *p)
{
	for (unsigned unit = 1; unit < APMU_UNITS; unit++) {
		unsigned feed = 0;
		for (unsigned k = 1; k < APMU_UNITS; k++)
			feed += p->within[k] == unit && p->schedulers[k];
		if (feed > 2 && !apmu_uarch__scheduled_group(p, unit))
			return false;
	}
	return true;
}

static struct fault bad_pipeline(const struct apmu_uarch_params *p)
{
	if (!within_fits(p))
		return FAULT(OTHER, "within", "some of another group's pipes, which are as many or more");
	if (!two_feed(p))
		return FAULT(OTHER, "schedulers",
			     "of more than two groups within one that has none of its own");
	if (p->within[p->queue_per_pipe])
		return FAULT(OTHER, "queue_per_pipe", "a group that is within another");
	if (p->misses + p->store_buffer > 32)
		return FAULT(OTHER, "misses, store_buffer", "more than 32 together");
	if (p->forward_fail && p->forward_fail < p->forward)
		return FAULT(OTHER, "forward_fail", "less than forward");
	if (p->folding && p->rob)
		return FAULT(OTHER, "folding", "only in order; with a reorder window (rob) it is 0");
	return none;
}

static struct fault first_fault(const struct apmu_uarch_params *p)
{
	static struct fault (*const rules[])(const struct apmu_uarch_params *) = {
		bad_cache, bad_tlb, bad_mop, bad_tree, bad_levels, bad_table, bad_pipeline};
	struct fault fault = none;
	if (!p->name || apmu_uarch__param_outside(p) < APMU_UARCH__MOST_PARAMS)
		return (struct fault){OTHER, "", "a parameter is outside its range"};
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && !fault.why; i++)
		fault = rules[i](p);
	return fault;
}

const char *apmu_uarch_check(const struct apmu_uarch_params *p)
{
	return first_fault(p).why;
}

static uint64_t value_of(const struct apmu_uarch_params *p, const char *key)
{
	size_t i = apmu_uarch__param_index(key);
	return i < APMU_UARCH__MOST_PARAMS ? apmu_uarch__param_value(p, i) : 0;
}

static uint64_t of_unit(const struct apmu_uarch_params *p, const char *unit, const char *parameter)
{
	char key[32];
	snprintf(key, sizeof(key), "%s.%s", unit, parameter);
	return value_of(p, key);
}

/* Prints the next value below that would do, and the next above. */
static void nearest(uint64_t is, uint64_t set, const char *what, char *out, size_t size)
{
	uint64_t low = set;
	while (low * 2 < is)
		low *= 2;
	if (is < set)
		snprintf(out, size, "; %" PRIu64 "%s would do", set, what);
	else
		snprintf(out, size, "; %" PRIu64 " or %" PRIu64 "%s would do", low, low * 2, what);
}

static void outside_range(const struct apmu_uarch_param *f, char *out, size_t size)
{
	char right[200];
	apmu_uarch_range(f->key, right, sizeof(right));
	snprintf(out, size, "%s is %s, which is not %s", f->key, f->value, right);
}

/* Prints the message with the values that break the rule, and those that would do. */
static void detail(const struct apmu_uarch_params *p, struct fault fault, char *out, size_t size)
{
	uint64_t ways = of_unit(p, fault.unit, "ways"), line = of_unit(p, fault.unit, "line"), is;
	char right[80] = "";

	switch (fault.kind) {
	case BAD_SIZE:
		is = of_unit(p, fault.unit, "size");
		nearest(is, ways * line, "", right, sizeof(right));
		snprintf(out, size, "%s: %" PRIu64 " in %" PRIu64 " ways of %" PRIu64 " bytes a line%s",
			 fault.why, is, ways, line,
			 power_of_two(line) ? right : ", which is not a power of two");
		break;
	case BAD_ENTRIES:
		is = of_unit(p, fault.unit, "entries");
		nearest(is, ways, "", right, sizeof(right));
		snprintf(out, size, "%s: %" PRIu64 " in %" PRIu64 " ways%s", fault.why, is, ways, right);
		break;
	case NOT_POWER:
		is = value_of(p, fault.unit);
		nearest(is, 1, "", right, sizeof(right));
		snprintf(out, size, "%s: %" PRIu64 "%s", fault.why, is, right);
		break;
	case BAD_LINE:
		snprintf(out, size, "%s: %" PRIu64 " bytes; l1i has %u, l1d %u, l2 %u", fault.why, line,
			 p->l1i.line, p->l1d.line, p->l2.line);
		break;
	case OTHER: snprintf(out, size, "%s", fault.why); break;
	}
}

bool apmu_uarch_explain(const struct apmu_uarch_params *p, char *out, size_t size)
{
	struct fault fault = first_fault(p);
	size_t outside = p->name ? apmu_uarch__param_outside(p) : APMU_UARCH__MOST_PARAMS;
	struct apmu_uarch_param f;

	if (!fault.why)
		return false;
	if (outside < APMU_UARCH__MOST_PARAMS && apmu_uarch_param(p, outside, &f))
		outside_range(&f, out, size);
	else
		detail(p, fault, out, size);
	return true;
}
