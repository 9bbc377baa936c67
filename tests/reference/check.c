/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENDS = 400, RUNS = 1000 };

/* The worst errors of one kind so far, in percent, and their rows: [0] in order, [1] out of order. */
struct worst {
	double less[2], more[2];
	const char *less_row[2], *more_row[2];
};

unsigned long check_steps(unsigned long otherwise)
{
	const char *text = getenv("APMU_STEPS");
	return text ? strtoul(text, NULL, 0) : otherwise;
}

unsigned long check_seed(void)
{
	const char *text = getenv("APMU_SEED");
	return text ? strtoul(text, NULL, 0) : 1;
}

void check_make(const struct trial *t, struct apmu_uarch_params *p, struct program *program)
{
	struct dice d = {t->seed};
	*p = *t->row;
	kind_row(p, t->kind);
	*program = (struct program){0};
	t->kind->make(program, &d, p, t->runs);
}

double check_error(struct seen fast, struct seen slow)
{
	return ((double)fast.cycles / (double)slow.cycles - 1) * 100;
}

static void limits(const struct trial *t, double *less, double *more)
{
	unsigned window = t->row->rob != 0;
	*less = *more = 0;
	for (unsigned k = 0; k < bounds_n; k++)
		if (strcmp(bounds[k].kind, t->kind->name) == 0) {
			*less = bounds[k].less[window];
			*more = bounds[k].more[window];
		}
	for (unsigned k = 0; k < deviations_n; k++) {
		const struct deviation *v = &deviations[k];
		if (strcmp(v->kind, t->kind->name) != 0)
			continue;
		if (v->row ? strcmp(v->row, t->row->name) != 0 : v->window != (int)window)
			continue;
		*less = v->less > *less ? v->less : *less;
		*more = v->more > *more ? v->more : *more;
	}
}

bool check_allowed(const struct trial *t, struct seen fast, struct seen slow)
{
	double less, more, error = check_error(fast, slow), gap = (double)fast.cycles - (double)slow.cycles;
	limits(t, &less, &more);
	if (gap >= -ENDS && gap <= ENDS)
		return true;
	return error >= -less && error <= more;
}

uint64_t check_read_ahead(const struct apmu_uarch_params *p, const struct program *program)
{
	struct story s;
	uint64_t cycles = 0;
	story_tell(&s, p, program);
	for (size_t k = 0; k < s.fills; k++)
		for (size_t a = s.fill[k].first_ahead; a < s.fill[k].first_ahead + s.fill[k].aheads; a++)
			cycles += s.fill[a].level == 3 ? p->l3.fill : p->line_fill;
	story_close(&s);
	return cycles;
}

static bool breaks(const struct trial *t, const struct apmu_uarch_params *p, const struct program *program)
{
	return !check_allowed(t, fast_run(p, program), slow_run(p, program));
}

/* A copy of a one-block program without one of its instructions. */
static struct program without(const struct program *p, unsigned insn)
{
	struct program q = {0};
	const struct program_block *b = &p->block[0];
	struct apmu_insn left[PROGRAM_INSNS];
	size_t address = 0;
	for (unsigned i = 0, n = 0; i < b->n; i++)
		if (i != insn)
			left[n++] = b->insn[i];
	program_block(&q, b->addr, left, b->n - 1);
	for (size_t k = 0; k < p->runs; k++) {
		program_run(&q, 0);
		for (unsigned i = 0; i < b->n; i++) {
			if (!program_accesses(&b->insn[i]))
				continue;
			if (i != insn)
				program_touch(&q, p->address[address]);
			address++;
		}
	}
	return q;
}

/* Reduces a loop: leaves out each instruction without which the bound is still broken. */
static void shrink(const struct trial *t, const struct apmu_uarch_params *p, struct program *program)
{
	for (unsigned i = 0; program->blocks == 1 && i + 1 < program->block[0].n;) {
		struct program less = without(program, i);
		bool still = breaks(t, p, &less);
		if (still) {
			program_close(program);
			*program = less;
		} else {
			program_close(&less);
			i++;
		}
	}
}

static void report(const struct trial *t, struct apmu_uarch_params *p, struct program *program)
{
	struct seen fast = fast_run(p, program), slow = slow_run(p, program);
	printf("%s on %s, APMU_SEED=%" PRIu64 ": %" PRIu64 " cycles, the reference has %" PRIu64
	       " (%+.1f %%)\n",
	       t->kind->name, t->row->name, t->seed, fast.cycles, slow.cycles, check_error(fast, slow));
	shrink(t, p, program);
	fast = fast_run(p, program);
	slow = slow_run(p, program);
	printf("as small as it gets (%" PRIu64 " and %" PRIu64 " cycles; misses %" PRIu64 " and %" PRIu64
	       ", prefetched %" PRIu64 " and %" PRIu64 "):\n",
	       fast.cycles, slow.cycles, fast.misses, slow.misses, fast.prefetches, slow.prefetches);
	program_print(program);
}

static void note(struct worst *w, const struct trial *t, double error)
{
	unsigned window = t->row->rob != 0;
	if (error < -w->less[window]) {
		w->less[window] = -error;
		w->less_row[window] = t->row->name;
	}
	if (error > w->more[window]) {
		w->more[window] = error;
		w->more_row[window] = t->row->name;
	}
}

static void print_worst(const struct worst *worst)
{
	printf("%-12s%32s%32s\n", "worst", "in order", "out of order");
	for (unsigned k = 0; k < kinds_n; k++) {
		printf("%-12s", kinds[k].name);
		for (unsigned o = 0; o < 2; o++)
			printf(" -%-6.1f%-13s +%-6.1f%-13s", worst[k].less[o],
			       worst[k].less_row[o] ? worst[k].less_row[o] : "", worst[k].more[o],
			       worst[k].more_row[o] ? worst[k].more_row[o] : "");
		printf("\n");
	}
}

static bool try_one(const struct trial *t, struct worst *worst, unsigned long *blocks)
{
	struct apmu_uarch_params p;
	struct program program;
	check_make(t, &p, &program);
	struct seen fast = fast_run(&p, &program), slow = slow_run(&p, &program);
	bool allowed = check_allowed(t, fast, slow);
	*blocks += program.runs;
	note(worst, t, check_error(fast, slow));
	if (!allowed)
		report(t, &p, &program);
	program_close(&program);
	return allowed;
}

unsigned check_rows(unsigned long blocks)
{
	struct worst *worst = calloc(kinds_n, sizeof(*worst));
	unsigned broken = 0;
	uint64_t seed = check_seed();
	unsigned long all = 0, done;
	if (!worst)
		abort();
	for (done = 0; done < blocks * apmu_uarch_count() && broken < 5; seed++)
		for (unsigned k = 0; k < kinds_n; k++)
			for (size_t i = 0; i < apmu_uarch_count(); i++) {
				struct trial t = {apmu_uarch_at(i), &kinds[k], seed, RUNS};
				broken += !try_one(&t, &worst[k], &done);
			}
	all = done;
	print_worst(worst);
	printf("%lu blocks, seeds %lu to %" PRIu64 "\n", all, check_seed(), seed - 1);
	free(worst);
	return broken;
}
