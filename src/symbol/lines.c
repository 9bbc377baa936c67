/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strnlen */
/* DWARF: source lines and inlined functions. Units are found by their own ranges, because not every compiler
 * writes .debug_aranges, and by these where the unit leaves code out. */
#include "symbol/reader.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static int by_low(const void *a, const void *b)
{
	const struct symbol__span *x = a;
	const struct symbol__span *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->high < y->high ? 1 : x->high > y->high ? -1 : 0;
}

void symbol__spans_sort(struct symbol__span *span, size_t n)
{
	uint64_t reach = 0;

	if (n)
		qsort(span, n, sizeof *span, by_low);
	for (size_t i = 0; i < n; i++) {
		reach = span[i].high > reach ? span[i].high : reach;
		span[i].reach = reach;
	}
}

const struct symbol__span *symbol__spans_at(const struct symbol__span *span, size_t n, uint64_t address)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;
		if (span[middle].low <= address)
			low = middle + 1;
		else
			n = middle;
	}
	for (size_t steps = 0; low > 0 && steps < 4096 && span[low - 1].reach > address; low--, steps++)
		if (address < span[low - 1].high)
			return &span[low - 1];
	return NULL;
}

/* Makes room for one more span, by doubling; NULL if the limit is reached or memory is out: the caller then
 * stops. */
static struct symbol__span *one_more(struct symbol__span **span, size_t *n)
{
	if (*n >= SYMBOL__READER_UNITS)
		return NULL;
	if ((*n & (*n - 1)) == 0) {
		struct symbol__span *more = realloc(*span, (*n ? 2 * *n : 1) * sizeof **span);
		if (more == NULL)
			return NULL;
		*span = more;
	}
	return &(*span)[(*n)++];
}

/* Adds the ranges of a DIE. */
static void add_ranges(struct symbol__span **span, size_t *n, Dwarf_Die *die, struct symbol__unit *unit)
{
	Dwarf_Addr base;
	Dwarf_Addr low;
	Dwarf_Addr high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		struct symbol__span *out = one_more(span, n);
		if (out == NULL)
			return;
		*out = (struct symbol__span){
			.low = low, .high = high, .die = dwarf_dieoffset(die), .unit = unit};
	}
}

static size_t count_units(Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	size_t n = 0;

	while (n < SYMBOL__READER_UNITS && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, NULL, NULL) == 0)
		n++;
	return n;
}

static int by_die(const void *offset, const void *unit)
{
	Dwarf_Off a = *(const Dwarf_Off *)offset;
	Dwarf_Off b = ((const struct symbol__unit *)unit)->die;

	return a < b ? -1 : a > b;
}

/* Adds what .debug_aranges has beyond the units' own ranges: a unit of strict DWARF 2 can state one range,
 * that of .text, although main() is in .text.startup. */
static void add_address_ranges(struct symbol__reader *reader)
{
	Dwarf_Aranges *range = NULL;
	size_t n = 0;
	size_t own = reader->spans;

	if (dwarf_getaranges(reader->dwarf, &range, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Addr low;
		Dwarf_Word bytes;
		Dwarf_Off die;
		if (dwarf_getarangeinfo(dwarf_onearange(range, i), &low, &bytes, &die) != 0 ||
		    low + bytes <= low || symbol__spans_at(reader->span, own, low))
			continue;
		struct symbol__unit *unit =
			bsearch(&die, reader->unit, reader->units, sizeof *reader->unit, by_die);
		if (unit == NULL)
			continue;
		struct symbol__span *out = one_more(&reader->span, &reader->spans);
		if (out == NULL)
			return;
		*out = (struct symbol__span){.low = low, .high = low + bytes, .die = die, .unit = unit};
	}
}

void symbol__reader_units(struct symbol__reader *reader)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type;

	reader->dwarf = dwfl_module_getdwarf(reader->module, &reader->dwarf_bias);
	if (reader->dwarf == NULL)
		return;
	size_t n = count_units(reader->dwarf);
	reader->unit = n ? calloc(n, sizeof *reader->unit) : NULL;
	if (reader->unit == NULL)
		return;
	while (reader->units < n &&
	       dwarf_get_units(reader->dwarf, unit, &unit, NULL, &type, &die, NULL) == 0) {
		if (type == DW_UT_type) /* has no code, and may be in a section of its own */
			continue;
		struct symbol__unit *out = &reader->unit[reader->units++];
		out->die = dwarf_dieoffset(&die);
		add_ranges(&reader->span, &reader->spans, &die, out);
	}
	symbol__spans_sort(reader->span, reader->spans);
	add_address_ranges(reader);
	symbol__spans_sort(reader->span, reader->spans);
}

/* True for a DIE without ranges that may contain functions with code. */
static bool contains_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

struct walk {
	struct symbol__unit *unit;
	unsigned depth;
	unsigned steps;
};

static void collect_functions(struct walk *walk, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (walk->depth >= SYMBOL__READER_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	walk->depth++;
	do {
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram)
			add_ranges(&walk->unit->function, &walk->unit->functions, &die, NULL);
		else if (contains_functions(tag))
			collect_functions(walk, &die);
	} while (++walk->steps < 64u * SYMBOL__READER_STEPS && dwarf_siblingof(&die, &die) == 0);
	walk->depth--;
}

static void read_unit(struct symbol__unit *unit, Dwarf_Die *die)
{
	struct walk walk = {.unit = unit};

	if (unit->read)
		return;
	unit->read = true;
	collect_functions(&walk, die);
	symbol__spans_sort(unit->function, unit->functions);
}

/* The scopes of one function that hold an address, outermost first. */
struct chain {
	Dwarf_Die die[SYMBOL__FRAMES];
	size_t n;
	unsigned steps;
};

/* Steps into the child of a scope that holds the address; false at the innermost one. Blocks count as scopes
 * here. */
static bool step_in(struct chain *chain, Dwarf_Die *scope, Dwarf_Addr address)
{
	Dwarf_Die die;

	if (dwarf_child(scope, &die) != 0)
		return false;
	do {
		int tag = dwarf_tag(&die);
		bool scoped = tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
			      tag == DW_TAG_subprogram || tag == DW_TAG_try_block ||
			      tag == DW_TAG_catch_block;
		if (!scoped || dwarf_haspc(&die, address) <= 0)
			continue;
		*scope = die;
		return true;
	} while (++chain->steps < SYMBOL__READER_STEPS && dwarf_siblingof(&die, &die) == 0);
	return false;
}

static void find_chain(struct chain *chain, Dwarf_Die *function, Dwarf_Addr address)
{
	Dwarf_Die scope = *function;

	chain->die[chain->n++] = *function;
	for (unsigned depth = 0; depth < 4 * SYMBOL__READER_DEPTH && step_in(chain, &scope, address);
	     depth++) {
		if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine)
			continue;
		if (chain->n == SYMBOL__FRAMES)
			return;
		chain->die[chain->n++] = scope;
	}
}

/* Returns the linkage name, which says the most and is demangled like a symbol's, else the plain name. */
static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		name = dwarf_formstring(&attribute);
	if (name == NULL)
		name = dwarf_diename(die);
	return name && strnlen(name, SYMBOL__READER_LONGEST) < SYMBOL__READER_LONGEST ? name : NULL;
}

/* Returns the DIE that holds a unit's functions: the unit itself, or with split DWARF the one in the .dwo
 * file, if that exists. */
static Dwarf_Die body_of(const Dwarf_Die *unit)
{
	Dwarf_Die split = {.addr = NULL};
	uint8_t type = 0;

	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) == 0 &&
	    type == DW_UT_skeleton && split.addr != NULL)
		return split;
	return *unit;
}

static uint32_t number_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute found;
	Dwarf_Word value = 0;

	if (dwarf_attr(die, attribute, &found) == NULL || dwarf_formudata(&found, &value) != 0 ||
	    value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

/* Gets the source position from which an inlined function was called. */
static void call_site(Dwarf_Die *unit, Dwarf_Die *body, Dwarf_Die *inlined, struct symbol__frame *out)
{
	Dwarf_Files *files = NULL;
	size_t n = 0;
	uint32_t file = number_of(inlined, DW_AT_call_file);

	out->line = number_of(inlined, DW_AT_call_line);
	if (dwarf_getsrcfiles(body, &files, &n) != 0 && dwarf_getsrcfiles(unit, &files, &n) != 0)
		return;
	if (file < n)
		out->file = dwarf_filesrc(files, file, NULL, NULL);
}

static void line_of(Dwarf_Die *unit, Dwarf_Addr address, struct symbol__frame *out)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number = 0;

	if (line == NULL)
		return;
	out->file = dwarf_linesrc(line, NULL, NULL);
	if (dwarf_lineno(line, &number) == 0 && number > 0)
		out->line = (uint32_t)number;
}

size_t symbol__reader_lines(struct symbol__reader *reader, uint64_t address, struct symbol__frame *out,
			    size_t max)
{
	Dwarf_Addr at = address + reader->bias - reader->dwarf_bias;
	const struct symbol__span *span = symbol__spans_at(reader->span, reader->spans, at);
	struct chain chain = {.n = 0};
	Dwarf_Die unit;
	Dwarf_Die body;
	Dwarf_Die function;

	if (span == NULL || max == 0 || dwarf_offdie(reader->dwarf, span->die, &unit) == NULL)
		return 0;
	body = body_of(&unit);
	read_unit(span->unit, &body);
	const struct symbol__span *code = symbol__spans_at(span->unit->function, span->unit->functions, at);
	if (code && dwarf_offdie(dwarf_cu_getdwarf(body.cu), code->die, &function))
		find_chain(&chain, &function, at);
	size_t n = chain.n == 0 ? 1 : chain.n < max ? chain.n : max;
	memset(out, 0, n * sizeof *out);
	line_of(&unit, at, &out[0]);
	for (size_t i = 0; i < n && chain.n; i++) {
		size_t scope = chain.n - 1 - i;
		out[i].function = name_of(&chain.die[scope]);
		out[i].start = code->low + reader->dwarf_bias - reader->bias;
		out[i].size = code->high - code->low;
		out[i].inlined = scope > 0;
		if (i > 0)
			call_site(&unit, &body, &chain.die[scope + 1], &out[i]);
	}
	return n;
}
