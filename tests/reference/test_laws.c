/* SPDX-License-Identifier: MIT */
/*
 * Laws that hold for the cycles of every core: checked for random programs on every row, with the fast model.
 * The reference's story (story.h) gives the cycles of a program in which nothing overlaps. APMU_SEED,
 * APMU_STEPS: see check.h.
 */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "test.h"

enum { RUNS = 250, BLOCKS = 26000 }; /* block runs per program; blocks per row */

struct case_of {
	struct apmu_uarch_params p;
	struct program program;
	const char *kind;
	uint64_t seed;
};

static uint64_t cycles(const struct apmu_uarch_params *p, const struct program *program)
{
	return fast_run(p, program).cycles;
}

/* Cycles of a fill and its victims, if nothing overlaps. */
static uint64_t alone(const struct apmu_uarch_params *p, const struct fill *f)
{
	uint64_t latency = f->level == 2 ? p->l2.latency : f->level == 3 ? p->l3.latency : p->memory;
	uint64_t fill = f->level == 2 ? p->l2.fill : f->level == 3 ? p->l3.fill : p->line_fill;
	uint64_t write = p->line_write ? p->line_write : p->line_fill;
	return latency + fill + f->out[2] * (uint64_t)p->l2.fill + f->out[3] * (uint64_t)p->l3.fill +
	       f->out[4] * write;
}

/* The most cycles that an instruction takes if its lines are in L1. */
static uint64_t longest(const struct apmu_uarch_params *p, const struct event *e)
{
	const struct apmu_insn *x = e->insn;
	uint64_t result = 1, issue = p->issue[x->cls] + (uint64_t)p->multiple_issue + p->shift_reg +
				     p->unaligned_extra + 20;
	for (unsigned r = 0; r < 64; r++)
		if (x->writes & clock_bit(r) && clock_result(p, x, r) > result)
			result = clock_result(p, x, r);
	uint64_t early = (uint64_t)p->shift_extra + p->address_extra;
	uint64_t forward = p->forward > p->forward_fail ? p->forward : p->forward_fail;
	uint64_t memory =
		program_accesses(x) ? forward + e->translation + (e->outside ? p->write_drain : 0u) : 0;
	return issue + result + early + memory + clock_branch(p, e) +
	       e->spills * (uint64_t)(p->line_write + p->line_fill);
}

static uint64_t without_overlap(const struct apmu_uarch_params *p, const struct program *program)
{
	struct story s;
	uint64_t sum = 0;
	story_tell(&s, p, program);
	for (size_t k = 0; k < s.events; k++)
		sum += longest(p, &s.event[k]);
	for (size_t k = 0; k < s.fills; k++)
		sum += alone(p, &s.fill[k]) + (story_runs_ahead(p) ? p->run_ahead.fill : 0u);
	story_close(&s);
	return sum;
}

static uint64_t instructions(const struct program *program)
{
	uint64_t n = 0;
	for (size_t k = 0; k < program->runs; k++)
		n += program->block[program->run[k]].n;
	return n;
}

/* Checks `law` for programs of every kind (or of the kinds whose name contains `only`) on every row. Returns
 * the number of violations. */
static unsigned each(bool (*law)(const struct case_of *c, struct dice *d), const char *only)
{
	unsigned broken = 0;
	struct dice d = {check_seed()};
	unsigned long programs = check_steps(BLOCKS) / (RUNS * kinds_n) + 1;
	for (unsigned long n = 0; n < programs; n++)
		for (unsigned k = 0; k < kinds_n; k++)
			for (size_t i = 0; i < apmu_uarch_count(); i++) {
				struct case_of c = {.kind = kinds[k].name, .seed = check_seed() * 1000 + n};
				const struct trial t = {apmu_uarch_at(i), &kinds[k], c.seed, RUNS};
				if (only && !strstr(kinds[k].name, only))
					continue;
				check_make(&t, &c.p, &c.program);
				if (!law(&c, &d)) {
					broken++;
					printf("%s on %s, seed %" PRIu64 "\n", c.kind, c.p.name, c.seed);
				}
				program_close(&c.program);
			}
	return broken;
}

static bool not_wider_than_wide(const struct case_of *c, struct dice *d)
{
	uint64_t n = instructions(&c->program);
	(void)d;
	if (c->p.folding) /* a folded branch takes no slot */
		n -= c->program.runs;
	return cycles(&c->p, &c->program) * c->p.width + c->p.width >= n;
}

static bool no_longer_than_without_overlap(const struct case_of *c, struct dice *d)
{
	uint64_t now = cycles(&c->p, &c->program), most = without_overlap(&c->p, &c->program);
	(void)d;
	if (now > most)
		printf("%" PRIu64 " cycles, without overlap %" PRIu64 ": ", now, most);
	return now <= most;
}

/* Checks the engine's own bound, which does not know what hits: on the totals, and while it runs. */
static bool the_engine_sees_no_breach(const struct case_of *c, struct dice *d)
{
	struct seen seen = fast_run(&c->p, &c->program);
	(void)d;
	if (seen.cycles > seen.most || seen.violation)
		printf("%" PRIu64 " cycles, at most %" PRIu64 ": ", seen.cycles, seen.most);
	return seen.cycles <= seen.most && !seen.violation;
}

static bool change(struct apmu_uarch_params *p, const char *key, unsigned percent, unsigned plus)
{
	struct apmu_uarch_params changed = *p;
	struct apmu_uarch_param f;
	char value[24];
	for (size_t i = 0; apmu_uarch_param(p, i, &f); i++) {
		if (strcmp(f.key, key) != 0)
			continue;
		unsigned long now = strtoul(f.value, NULL, 10);
		if (now == 0)
			return false;
		snprintf(value, sizeof value, "%lu", now + now * percent / 100 + plus);
		if (apmu_uarch_set(&changed, key, value) != APMU_OK || apmu_uarch_check(&changed))
			return false;
		*p = changed;
		return true;
	}
	return false;
}

/* Tolerance in cycles: 2 % for scheduling anomalies and 300 for the ends of programs of a few thousand
 * cycles. Loads of loaded addresses get 8 %, because the rest of a bus gap in front of a read that fills it
 * is lost. If there is a prefetcher, one memory access more: single cycles decide if a prefetch finds a queue
 * entry. */
static uint64_t allowed(const struct case_of *c, uint64_t cycles)
{
	uint64_t trip = c->p.prefetch.streams ? (uint64_t)c->p.memory + c->p.line_fill : 0;
	return cycles / (strcmp(c->kind, "gather") == 0 ? 12 : 50) + 300 + trip;
}

static bool not_faster(const struct case_of *c, uint64_t now, uint64_t before)
{
	return now + allowed(c, now) >= before;
}

/* For a core that got faster although a part was made worse: true if the reference gains as much. It is then
 * an anomaly of the core's rules, not a fault of the model. */
static bool the_reference_too(const struct case_of *c, const struct apmu_uarch_params *better,
			      const struct apmu_uarch_params *worse, uint64_t gain)
{
	uint64_t before = slow_run(better, &c->program).cycles, now = slow_run(worse, &c->program).cycles;
	return now + gain <= before + allowed(c, now);
}

static bool longer_is_not_faster(const struct case_of *c, struct dice *d)
{
	static const char *const keys[] = {"memory",        "l2.latency", "l3.latency",  "line_fill",
					   "l2.fill",       "line_write", "result.load", "result.mul",
					   "mispredict",    "walk",       "write_drain", "forward",
					   "run_ahead.fill"};
	struct apmu_uarch_params p = c->p;
	const char *key = keys[dice_below(d, sizeof keys / sizeof keys[0])];
	uint64_t before = cycles(&p, &c->program);
	if (!change(&p, key, 20, 1))
		return true;
	uint64_t now = cycles(&p, &c->program);
	if (not_faster(c, now, before) || the_reference_too(c, &c->p, &p, before - now))
		return true;
	printf("%s longer: %" PRIu64 " cycles after %" PRIu64 ": ", key, now, before);
	return false;
}

static bool more_room_is_not_slower(const struct case_of *c, struct dice *d)
{
	static const char *const keys[] = {"misses",           "rob",
					   "load_queue",       "store_queue",
					   "store_buffer",     "write_buffer",
					   "pipes.1",          "pipes.2",
					   "pipes.3",          "width",
					   "prefetch.flights", "flag_registers",
					   "run_ahead.queue",  "run_ahead.refills",
					   "run_ahead.rate"};
	struct apmu_uarch_params p = c->p;
	const char *key = keys[dice_below(d, sizeof keys / sizeof keys[0])];
	uint64_t before = cycles(&p, &c->program);
	if (!change(&p, key, 25, 1))
		return true;
	uint64_t now = cycles(&p, &c->program);
	if (not_faster(c, before, now) || the_reference_too(c, &p, &c->p, now - before))
		return true;
	printf("%s larger: %" PRIu64 " cycles after %" PRIu64 ": ", key, now, before);
	return false;
}

/* Cycles for which the busiest path moves the story's lines. */
static uint64_t busiest(const struct apmu_uarch_params *p, const struct program *program)
{
	uint64_t busy[5] = {0}, most = 0;
	struct story s;
	story_tell(&s, p, program);
	for (size_t k = 0; k < s.fills; k++) {
		const struct fill *f = &s.fill[k];
		busy[f->level] += f->level == 2 ? p->l2.fill : f->level == 3 ? p->l3.fill : p->line_fill;
		busy[2] += f->out[2] * (uint64_t)p->l2.fill;
		busy[3] += f->out[3] * (uint64_t)p->l3.fill;
		busy[4] += f->out[4] * (uint64_t)(p->line_write ? p->line_write : p->line_fill);
	}
	story_close(&s);
	for (unsigned k = 2; k < 5; k++)
		most = busy[k] > most ? busy[k] : most;
	return most;
}

static bool prefetching_is_not_slower_than_the_bus(const struct case_of *c, struct dice *d)
{
	struct apmu_uarch_params off = c->p;
	(void)d;
	if (!c->p.prefetch.streams || apmu_uarch_set(&off, "prefetch.streams", "0") != APMU_OK)
		return true;
	uint64_t with = cycles(&c->p, &c->program), without = cycles(&off, &c->program);
	uint64_t bus = busiest(&c->p, &c->program), allowed = without > bus ? without : bus;
	if (not_faster(c, allowed, with))
		return true;
	printf("%" PRIu64 " cycles with the prefetcher, %" PRIu64 " without, %" PRIu64 " of the bus: ", with,
	       without, bus);
	return false;
}

/* Lines that arrive one by one take no longer if they are requested earlier. */
static bool prediction_ahead_is_not_slower(const struct case_of *c, struct dice *d)
{
	struct apmu_uarch_params ahead = c->p, off = c->p;
	(void)d;
	if (!story_runs_ahead(&c->p) || apmu_uarch_set(&ahead, "run_ahead.fill", "0") != APMU_OK ||
	    apmu_uarch_set(&off, "run_ahead.queue", "0") != APMU_OK)
		return true;
	uint64_t with = cycles(&ahead, &c->program), without = cycles(&off, &c->program);
	if (not_faster(c, without, with) || the_reference_too(c, &ahead, &off, with - without))
		return true;
	printf("%" PRIu64 " cycles with a queue, %" PRIu64 " without: ", with, without);
	return false;
}

static bool code_comes_no_faster_than_it_may(const struct case_of *c, struct dice *d)
{
	struct story s;
	uint64_t lines = 0, now = cycles(&c->p, &c->program);
	(void)d;
	if (!story_runs_ahead(&c->p))
		return true;
	story_tell(&s, &c->p, &c->program);
	for (size_t k = 0; k < s.events; k++)
		lines += s.event[k].codes;
	story_close(&s);
	return now + c->p.run_ahead.fill >= lines * c->p.run_ahead.fill;
}

static bool a_next_line_is_not_slower(const struct case_of *c, struct dice *d)
{
	struct apmu_uarch_params on = c->p, off = c->p;
	(void)d;
	if (c->p.run_ahead.queue || apmu_uarch_set(&on, "code_next", "1") != APMU_OK ||
	    apmu_uarch_set(&off, "code_next", "0") != APMU_OK)
		return true;
	uint64_t with = cycles(&on, &c->program), without = cycles(&off, &c->program);
	if (not_faster(c, without, with) || the_reference_too(c, &on, &off, with - without))
		return true;
	printf("%" PRIu64 " cycles with code_next, %" PRIu64 " without: ", with, without);
	return false;
}

/* A line that nobody needs holds its path, no more. */
static bool l2_that_reads_code_is_not_slower_than_the_paths(const struct case_of *c, struct dice *d)
{
	struct apmu_uarch_params off = c->p;
	(void)d;
	if (!c->p.code_ahead || apmu_uarch_set(&off, "code_ahead", "0") != APMU_OK)
		return true;
	uint64_t with = cycles(&c->p, &c->program), without = cycles(&off, &c->program);
	uint64_t paths = check_read_ahead(&c->p, &c->program);
	if (not_faster(c, without + paths, with))
		return true;
	printf("%" PRIu64 " cycles with code read ahead, %" PRIu64 " without, %" PRIu64 " of the paths: ",
	       with, without, paths);
	return false;
}

TEST(no_core_issues_more_than_it_is_wide)
{
	CHECK_EQ(each(not_wider_than_wide, NULL), 0);
}

TEST(no_program_takes_longer_than_with_nothing_overlapped)
{
	CHECK_EQ(each(no_longer_than_without_overlap, NULL), 0);
}

TEST(no_program_breaks_the_bound_that_the_engine_checks)
{
	CHECK_EQ(each(the_engine_sees_no_breach, NULL), 0);
}

TEST(a_longer_latency_makes_no_program_faster)
{
	CHECK_EQ(each(longer_is_not_faster, NULL), 0);
}

TEST(more_room_makes_no_program_slower)
{
	CHECK_EQ(each(more_room_is_not_slower, NULL), 0);
}

TEST(the_prefetcher_makes_no_walk_slower_than_the_bus_allows)
{
	CHECK_EQ(each(prefetching_is_not_slower_than_the_bus, "ahead"), 0);
}

TEST(prediction_that_runs_ahead_makes_no_program_slower)
{
	CHECK_EQ(each(prediction_ahead_is_not_slower, NULL), 0);
}

TEST(no_code_comes_faster_than_it_may_arrive)
{
	CHECK_EQ(each(code_comes_no_faster_than_it_may, NULL), 0);
}

TEST(a_code_line_that_brings_the_next_one_makes_no_program_slower)
{
	CHECK_EQ(each(a_next_line_is_not_slower, NULL), 0);
}

TEST(an_l2_that_reads_code_ahead_makes_no_program_slower_than_the_paths_allow)
{
	CHECK_EQ(each(l2_that_reads_code_is_not_slower_than_the_paths, NULL), 0);
}
