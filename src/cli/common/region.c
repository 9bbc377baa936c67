/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* PATH_MAX */
#include "cli/common/region.h"

#include "cli/common/suggest.h"
#include "symbol/symbol.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MARKS 64

/* Parses "mark:N". */
static bool mark_number(const char *text, uint64_t *out)
{
	return strncmp(text, "mark:", 5) == 0 && cli__number(text + 5, MARKS - 1, out);
}

static int find_marks(const struct cli__cli *cli, char *from, char *to, struct apmu_qemu__run_region *region)
{
	region->kind = APMU_QEMU__REGION_MARKS;
	if (mark_number(from, &region->begin) && mark_number(to ? to : from, &region->end))
		return 0;
	cli__message(cli,
		     "--region: a mark is mark:N, N from 0 to %d; if one end is a mark, the other is one too",
		     MARKS - 1);
	return CLI__EXIT_USAGE;
}

/* "requests,yes" and "requests,no" say if counting begins at the program's start; "requests" leaves that to
 * the requests. */
static int find_requests(const struct cli__cli *cli, const char *start, struct apmu_qemu__run_region *region)
{
	bool yes = start && strcmp(start, "yes") == 0;

	*region =
		(struct apmu_qemu__run_region){.kind = APMU_QEMU__REGION_REQUESTS, .begin = start ? yes : 2};
	if (start == NULL || yes || strcmp(start, "no") == 0)
		return 0;
	cli__message(cli, "--region requests,%s: yes or no says whether the program's start is counted",
		     start);
	return CLI__EXIT_USAGE;
}

static int unknown_symbol(const struct cli__cli *cli, struct symbol__symbols *symbols, const char *name,
			  const char *program)
{
	struct cli__nearest near = {.want = name};
	struct symbol__symbol symbol;
	const char *best;

	for (uint64_t i = 0; i < 100000 && symbol__symbols_name(symbols, i, &symbol); i++)
		if (symbol.function)
			cli__nearest_offer(&near, symbol.name);
	best = cli__nearest(&near);
	if (!symbol__symbols_about(symbols)->has_names)
		cli__message(cli, "--region: %s has no symbols; name addresses, or mark:N", program);
	else if (best != NULL)
		cli__message(cli, "--region: %s has no symbol '%s'; did you mean '%s'?", program, name, best);
	else
		cli__message(cli, "--region: %s has no symbol '%s'; a library's cannot be named", program,
			     name);
	return CLI__EXIT_USAGE;
}

static bool is_number(const char *name, uint64_t *out)
{
	return strncmp(name, "0x", 2) == 0 && cli__number(name, UINT64_MAX, out);
}

static int find_address(const struct cli__cli *cli, struct symbol__symbols *symbols, const char *name,
			const char *program, uint64_t *out)
{
	struct symbol__symbol symbol;

	if (is_number(name, out))
		return 0;
	if (!symbol__symbols_find(symbols, name, &symbol))
		return unknown_symbol(cli, symbols, name, program);
	*out = symbol.start;
	return 0;
}

static bool known(const struct apmu_qemu__run_region *region, uint64_t address, uint32_t n)
{
	bool found = n != 0 && region->begin == address;

	for (uint32_t i = 0; i + 1 < n && !found; i++)
		found = region->other[i] == address;
	return found;
}

/* Finds all functions whose names match a pattern. */
static int find_pattern(const struct cli__cli *cli, struct symbol__symbols *symbols, const char *pattern,
			const char *program, struct apmu_qemu__run_region *region)
{
	struct symbol__symbol symbol;
	uint32_t n = 0;

	for (uint64_t i = 0; symbol__symbols_name(symbols, i, &symbol); i++) {
		if (!symbol.function || fnmatch(pattern, symbol.name, 0) != 0 ||
		    known(region, symbol.start, n))
			continue;
		if (n == APMU_QEMU__REGION_FUNCTIONS) {
			cli__message(cli, "--region: more than %d functions of %s are '%s'",
				     APMU_QEMU__REGION_FUNCTIONS, program, pattern);
			return CLI__EXIT_USAGE;
		}
		*(n ? &region->other[n - 1] : &region->begin) = symbol.start;
		n++;
	}
	region->functions = n ? n - 1 : 0;
	if (n)
		return 0;
	cli__message(cli, "--region: %s has no function '%s'", program, pattern);
	return CLI__EXIT_USAGE;
}

static int find_addresses(const struct cli__cli *cli, struct symbol__symbols *symbols, const char *from,
			  const char *to, const char *program, struct apmu_qemu__run_region *region)
{
	const struct symbol__symbols_about *about = symbol__symbols_about(symbols);
	int bad = to == NULL && strpbrk(from, "*?")
			  ? find_pattern(cli, symbols, from, program, region)
			  : find_address(cli, symbols, from, program, &region->begin);

	if (bad == 0 && to != NULL)
		bad = find_address(cli, symbols, to, program, &region->end);
	region->kind = to != NULL ? APMU_QEMU__REGION_ADDRESSES : APMU_QEMU__REGION_FUNCTION;
	if (!about->is64) {
		for (uint32_t i = 0; i < region->functions; i++)
			region->other[i] &= ~(uint64_t)1;
		region->begin &= ~(uint64_t)1;
		region->end &= ~(uint64_t)1;
	}
	return bad;
}

static int find_in_program(const struct cli__cli *cli, const char *from, const char *to,
			   const struct apmu_qemu__run_options *options, struct apmu_qemu__run_region *region)
{
	const struct symbol__symbols_options names = {.sysroot = options->sysroot, .no_lines = true};
	char program[PATH_MAX], error[512] = "";
	struct symbol__symbols *symbols;
	uint16_t machine;

	if (apmu_qemu__run_find(options, program, sizeof program, &machine, error, sizeof error) != 0 ||
	    symbol__symbols_open(program, &names, &symbols, error, sizeof error) != 0) {
		cli__message(cli, "%s", error);
		return CLI__EXIT_FAILURE;
	}
	int bad = find_addresses(cli, symbols, from, to, program, region);
	symbol__symbols_close(symbols);
	return bad;
}

/* Finds a region of a whole system; without a symbol file it must be given by addresses. */
static int find_in_system(const struct cli__cli *cli, const char *from, const char *to, const char *kernel,
			  struct apmu_qemu__run_region *region)
{
	const struct symbol__symbols_options names = {.no_lines = true};
	struct symbol__symbols *symbols;
	char error[512] = "";

	region->kind = APMU_QEMU__REGION_ADDRESSES;
	if (to == NULL)
		cli__message(
			cli,
			"--region '%s': a whole system takes FROM,TO or mark:N, not a FUNCTION, because calls and returns cannot be followed across processes",
			from);
	else if (is_number(from, &region->begin) && is_number(to, &region->end))
		return 0;
	else if (kernel == NULL)
		cli__message(cli, "--region: symbols of a whole system are those of --kernel-symbols FILE, "
				  "or of an ELF file that -kernel names; else give 0x addresses");
	if (to == NULL || kernel == NULL)
		return CLI__EXIT_USAGE;
	if (symbol__symbols_open(kernel, &names, &symbols, error, sizeof error) != 0) {
		cli__message(cli, "--kernel-symbols: %s", error);
		return CLI__EXIT_FAILURE;
	}
	int bad = find_addresses(cli, symbols, from, to, kernel, region);
	symbol__symbols_close(symbols);
	return bad;
}

int cli__region_find(const struct cli__cli *cli, const char *spec,
		     const struct apmu_qemu__run_options *options, const char *kernel,
		     struct apmu_qemu__run_region *region)
{
	char *from = cli__copy(spec), *to = strchr(from, ',');
	int bad;

	*region = (struct apmu_qemu__run_region){0};
	if (to != NULL)
		*to++ = '\0';
	if (strncmp(from, "mark:", 5) == 0)
		bad = find_marks(cli, from, to, region);
	else if (strcmp(from, "requests") == 0 && !options->system)
		bad = find_requests(cli, to, region);
	else if (options->system)
		bad = find_in_system(cli, from, to, kernel, region);
	else
		bad = find_in_program(cli, from, to, options, region);
	free(from);
	return bad;
}

void cli__region_check(const struct cli__cli *cli, const char *spec, const struct apmu_qemu__run_result *run)
{
	if (spec != NULL && run->entered == 0)
		cli__message(cli, "the program never came to the region '%s': nothing was counted", spec);
}
