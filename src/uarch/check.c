/* SPDX-License-Identifier: MIT */
/* Do the figures of a machine fit together? tools/specgen_uarch.py asks the same of rows. */
#include "uarch/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool power_of_two(uint64_t n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/* Sets x ways, sets a power of two: the shape of every table. Ranges are the keys' business. */
static bool shape(uint64_t entries, unsigned ways)
{
	return entries == 0 || (entries % ways == 0 && power_of_two(entries / ways));
}

static bool cache_fits(uint32_t size, unsigned ways, unsigned line)
{
	return power_of_two(line) && size % line == 0 && shape(size / line, ways);
}

static bool tree(unsigned replace, unsigned ways)
{
	return replace != APMU_REPLACE_PLRU || power_of_two(ways);
}

static const char *odd_cache(const struct apmu_uarch_params *p)
{
	if (!cache_fits(p->l1i.size, p->l1i.ways, p->l1i.line))
		return "l1i: size is not ways x line x a power of two of sets";
	if (!cache_fits(p->l1d.size, p->l1d.ways, p->l1d.line))
		return "l1d: size is not ways x line x a power of two of sets";
	if (!cache_fits(p->mini.size, p->mini.ways, p->mini.line))
		return "mini: size is not ways x line x a power of two of sets";
	if (!cache_fits(p->l2.size, p->l2.ways, p->l2.line))
		return "l2: size is not ways x line x a power of two of sets";
	if (!cache_fits(p->l3.size, p->l3.ways, p->l3.line))
		return "l3: size is not ways x line x a power of two of sets";
	return NULL;
}

static const char *odd_tlb(const struct apmu_uarch_params *p)
{
	if (!shape(p->itlb.entries, p->itlb.ways))
		return "itlb: entries are not ways x a power of two of sets";
	if (!shape(p->dtlb.entries, p->dtlb.ways))
		return "dtlb: entries are not ways x a power of two of sets";
	if (!shape(p->tlb.entries, p->tlb.ways))
		return "tlb: entries are not ways x a power of two of sets";
	return NULL;
}

static const char *odd_tree(const struct apmu_uarch_params *p)
{
	if (!tree(p->l1i.replace, p->l1i.ways))
		return "l1i: plru needs a power of two of ways";
	if (!tree(p->l1d.replace, p->l1d.ways))
		return "l1d: plru needs a power of two of ways";
	if (!tree(p->mini.replace, p->mini.ways))
		return "mini: plru needs a power of two of ways";
	if (!tree(p->l2.replace, p->l2.ways))
		return "l2: plru needs a power of two of ways";
	if (!tree(p->l3.replace, p->l3.ways))
		return "l3: plru needs a power of two of ways";
	if (!tree(p->itlb.replace, p->itlb.ways))
		return "itlb: plru needs a power of two of ways";
	if (!tree(p->dtlb.replace, p->dtlb.ways))
		return "dtlb: plru needs a power of two of ways";
	return tree(p->tlb.replace, p->tlb.ways) ? NULL : "tlb: plru needs a power of two of ways";
}

/* Lines of a level hold whole lines of the caches above it; exclusive ones change places with them. */
static const char *odd_levels(const struct apmu_uarch_params *p)
{
	unsigned above = p->l1i.line > p->l1d.line ? p->l1i.line : p->l1d.line;
	unsigned l2 = p->l2.size ? p->l2.line : above;
	if (p->mini.size && p->mini.line != p->l1d.line)
		return "mini: its line is not that of l1d";
	if (l2 < above)
		return "l2: its line is shorter than one of L1";
	if (p->l3.size && p->l3.line < l2)
		return "l3: its line is shorter than one above it";
	if (p->l2.size && p->l2.inclusion == APMU_EXCLUSIVE && p->l2.line != p->l1d.line)
		return "l2: exclusive, and its line is not that of l1d";
	if (p->l3.size && p->l3.inclusion == APMU_EXCLUSIVE && p->l3.line != p->l1d.line)
		return "l3: exclusive, and its line is not that of l1d";
	if (p->l2.size && p->l2.latency == 0)
		return "l2: a cache without a latency: set l2.latency too";
	if (p->l3.size && p->l3.latency == 0)
		return "l3: a cache without a latency: set l3.latency too";
	return p->shared == 1 ? "shared: is 0, 2 or 3; the first level is each thread's own" : NULL;
}

/* Tables that are indexed by address bits. */
static const char *odd_table(const struct apmu_uarch_params *p)
{
	if (!power_of_two(p->page))
		return "page: not a power of two";
	if (p->btb && !power_of_two(p->btb))
		return "btb: not a power of two";
	if (!power_of_two(p->counters))
		return "counters: not a power of two";
	if (!power_of_two(p->locals))
		return "locals: not a power of two";
	if (!power_of_two(p->tage_entries))
		return "tage_entries: not a power of two";
	if (p->loops && !power_of_two(p->loops))
		return "loops: not a power of two";
	if (p->targets && !power_of_two(p->targets))
		return "targets: not a power of two";
	if (p->fetch_bytes && !power_of_two(p->fetch_bytes))
		return "fetch_bytes: not a power of two";
	return p->fetch_bytes > p->l1i.line ? "fetch_bytes: more than a line (l1i.line)" : NULL;
}

static bool stall_fits(const struct apmu_uarch_params *p)
{
	unsigned stall = p->stall_on_mispredict;
	return stall <= p->mispredict && stall <= p->return_wrong && stall <= p->indirect &&
	       stall <= p->load_pc;
}

static const char *odd_pipeline(const struct apmu_uarch_params *p)
{
	if (p->misses + p->store_buffer > 32)
		return "misses, store_buffer: more than 32 together";
	if (p->forward_fail && p->forward_fail < p->forward)
		return "forward_fail: less than forward";
	if (p->folding && p->rob)
		return "folding: only in order; with a reorder window (rob) it is 0";
	if (!stall_fits(p))
		return "stall_on_mispredict: more than a flush costs: mispredict, return_wrong, indirect or "
		       "load_pc";
	return NULL;
}

const char *apmu_uarch_check(const struct apmu_uarch_params *p)
{
	static const char *(*const odd[])(const struct apmu_uarch_params *) = {
		odd_cache, odd_tlb, odd_tree, odd_levels, odd_table, odd_pipeline};
	const char *why = NULL;
	if (!p->name || apmu__figure_outside(p) < APMU__MOST_FIGURES)
		return "a figure is outside its range";
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]) && !why; i++)
		why = odd[i](p);
	return why;
}

static uint64_t value_of(const struct apmu_uarch_params *p, const char *key)
{
	size_t i = apmu__figure_index(key);
	return i < APMU__MOST_FIGURES ? apmu__figure_value(p, i) : 0;
}

/* Of the unit that the sentence begins with. */
static uint64_t of_unit(const struct apmu_uarch_params *p, const char *why, const char *figure)
{
	char key[32];
	snprintf(key, sizeof(key), "%.*s.%s", (int)strcspn(why, ":"), why, figure);
	return value_of(p, key);
}

/* The next size below that would do, and the next above. */
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

bool apmu_uarch_explain(const struct apmu_uarch_params *p, char *out, size_t size)
{
	const char *why = apmu_uarch_check(p);
	uint64_t ways, line, is;
	char right[80], key[32];
	if (!why)
		return false;
	snprintf(out, size, "%s", why);
	size_t outside = p->name ? apmu__figure_outside(p) : APMU__MOST_FIGURES;
	struct apmu_figure f;
	if (outside < APMU__MOST_FIGURES && apmu_uarch_figure(p, outside, &f)) {
		apmu_uarch_range(f.key, right, sizeof(right));
		snprintf(out, size, "%s is %s, which is not %s", f.key, f.value, right);
	} else if (strstr(why, ": size is not")) {
		ways = of_unit(p, why, "ways"), line = of_unit(p, why, "line"), is = of_unit(p, why, "size");
		nearest(is, ways * line, "", right, sizeof(right));
		snprintf(out, size, "%s: %" PRIu64 " in %" PRIu64 " ways of %" PRIu64 " bytes a line%s", why,
			 is, ways, line, power_of_two(line) ? right : ", which is not a power of two");
	} else if (strstr(why, ": entries are not")) {
		ways = of_unit(p, why, "ways"), is = of_unit(p, why, "entries");
		nearest(is, ways, "", right, sizeof(right));
		snprintf(out, size, "%s: %" PRIu64 " in %" PRIu64 " ways%s", why, is, ways, right);
	} else if (strstr(why, ": not a power of two")) {
		snprintf(key, sizeof(key), "%.*s", (int)strcspn(why, ":"), why);
		is = value_of(p, key);
		nearest(is, 1, "", right, sizeof(right));
		snprintf(out, size, "%s: %" PRIu64 "%s", why, is, right);
	} else if (strstr(why, " its line is ")) {
		is = of_unit(p, why, "line");
		snprintf(out, size, "%s: %" PRIu64 " bytes; l1i has %u, l1d %u, l2 %u", why, is, p->l1i.line,
			 p->l1d.line, p->l2.line);
	}
	return true;
}
