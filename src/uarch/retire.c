/* SPDX-License-Identifier: MIT */
#include "uarch/retire.h"

#include "uarch/pass.h"

#include <stdlib.h>

#define IDLE (1u << APMU_UARCH__STALL_KINDS)

/* The signals that counting time adds to, and the stalls that each counts (struct apmu_uarch__stall.why); 0:
 * all time. */
static const struct {
	uint16_t signal;
	uint32_t why;
} reported[] = {
	{APMU_SIG_CYCLES, 0},
	{APMU_SIG_DATA_STALL, 1u << APMU_UARCH__STALL_WINDOW},
	{APMU_SIG_LSU_FULL_STALL, 1u << APMU_UARCH__STALL_QUEUE},
	{APMU_SIG_STALL_BACK_MEM, 1u << APMU_UARCH__STALL_MEMORY},
	{APMU_SIG_STALL_BACK_L3, 1u << APMU_UARCH__STALL_L3},
	{APMU_SIG_STALL_BACK_L2, 1u << APMU_UARCH__STALL_L2},
	{APMU_SIG_STALL_BACK_TLB, 1u << APMU_UARCH__STALL_TABLES | 1u << APMU_UARCH__STALL_MAIN},
	{APMU_SIG_STALL_BACK_MAIN, 1u << APMU_UARCH__STALL_MAIN},
	{APMU_SIG_STALL_ST, 1u << APMU_UARCH__STALL_STORE},
	{APMU_SIG_STALL_BACK_QUEUE, 1u << APMU_UARCH__STALL_LOADS},
	{APMU_SIG_STALL_BARRIER, 1u << APMU_UARCH__STALL_BARRIER},
	{APMU_SIG_STALL_BACK_BOUND, 1u << APMU_UARCH__STALL_MEMORY | 1u << APMU_UARCH__STALL_L3 |
					    1u << APMU_UARCH__STALL_L2 | 1u << APMU_UARCH__STALL_TABLES |
					    1u << APMU_UARCH__STALL_MAIN | 1u << APMU_UARCH__STALL_STORE},
	{APMU_SIG_SLOT_BACK, IDLE},
};
#define REPORTED (sizeof(reported) / sizeof(reported[0]))

/* The counts to attribute, by signal. sum: all of them; given: those attributed so far; ticks: the time that
 * each of the two stands for. kinds: 1, CYCLES alone, if no dispatch stalls are wanted. */
enum { ALL, GONE };
struct shares {
	unsigned kinds;
	struct share {
		uint64_t sum, given, ticks[2];
	} of[REPORTED];
};

void apmu_uarch__retire_put(struct apmu_uarch__retire *r, uint64_t until, uint64_t addr, uint64_t number,
			    bool early)
{
	struct apmu_uarch__retiring *last = &r->retiring[(r->next - 1) % APMU_UARCH__RETIRING];

	if (until <= r->at || (r->next != r->oldest && until <= last->until))
		return;
	if (r->next - r->oldest == APMU_UARCH__RETIRING) { /* a block longer than any engine makes */
		last->until = until;
		return;
	}
	r->retiring[r->next++ % APMU_UARCH__RETIRING] =
		(struct apmu_uarch__retiring){until, addr, number, r->mark, early};
}

void apmu_uarch__retire_stall(struct apmu_uarch__retire *r, uint64_t from, uint64_t until, uint32_t why)
{
	if (r->stalls == APMU_UARCH__STALLS_KEPT) {
		r->stall[r->stalls - 1].until = until;
		r->stall[r->stalls - 1].why |= why;
		return;
	}
	r->stall[r->stalls++] = (struct apmu_uarch__stall){from, until, why};
}

/* Sets the mark of the instructions recorded by the fetch of the block that is left now. */
static void mark_early(struct apmu_uarch__retire *r)
{
	for (uint32_t i = r->next; i-- != r->oldest && r->retiring[i % APMU_UARCH__RETIRING].early;) {
		r->retiring[i % APMU_UARCH__RETIRING].early = false;
		r->retiring[i % APMU_UARCH__RETIRING].mark = r->mark;
	}
}

void apmu_uarch__retire_begin(struct apmu_uarch *u)
{
	struct apmu_uarch__window *w = u->window;
	struct apmu_uarch__retire *r = w->retire;

	r->on = true;
	r->mark = u->watch->mark;
	mark_early(r);
	apmu_uarch__memo_unpack(w);
	if (r->insts == u->n[APMU_SIG_INST] && r->at == w->counted)
		return; /* nothing has been run since apmu_uarch__retire_end() */
	r->at = w->counted;
	r->oldest = r->next = r->stalls = 0;
	r->last = 0;
	apmu_uarch__retire_put(r, w->retired * w->cycle, 0, r->run, false);
}

void apmu_uarch__retire_end(struct apmu_uarch *u)
{
	u->window->retire->on = false;
	u->window->retire->insts = u->n[APMU_SIG_INST];
}

static uint64_t overlap(const struct apmu_uarch__stall *s, uint64_t from, uint64_t until)
{
	uint64_t begin = s->from > from ? s->from : from, end = s->until < until ? s->until : until;

	return end > begin ? end - begin : 0;
}

/* Adds the ticks of each kind between `from` and `until` to ticks[which]. */
static void weigh(const struct apmu_uarch__retire *r, uint64_t from, uint64_t until, struct shares *of,
		  unsigned which)
{
	of->of[0].ticks[which] += until - from;
	for (unsigned s = 0; of->kinds > 1 && s < r->stalls; s++) {
		uint64_t common = overlap(&r->stall[s], from, until);
		for (unsigned k = 1; common && k < of->kinds; k++)
			of->of[k].ticks[which] += r->stall[s].why & reported[k].why ? common : 0;
	}
}

/* Counts the time up to the tick `until` and attributes it to the instruction `whose`. The last piece has the
 * rest. */
static void give(struct apmu_uarch *u, struct shares *s, uint64_t until, bool last,
		 const struct apmu_uarch__retiring *whose)
{
	struct apmu_uarch__retire *r = u->window->retire;

	weigh(r, r->at, until, s, GONE);
	r->at = until;
	for (unsigned k = 0; k < s->kinds; k++) {
		struct share *of = &s->of[k];
		uint64_t due = last             ? of->sum
			       : of->ticks[ALL] ? of->sum * of->ticks[GONE] / of->ticks[ALL]
						: 0;
		u->n[reported[k].signal] += due - of->given;
		of->given = due;
	}
	u->watch->behind = (int64_t)(r->run - whose->number);
	u->watch->regs = 0;
	u->watch->mark = whose->mark;
	apmu_watch_look(u->watch, APMU_WATCH_WAIT, whose->addr);
}

/* Counts the time, then moves what that added from the signals to s->of[].sum. */
static void count_piece(struct apmu_uarch *u, struct shares *s)
{
	struct apmu_uarch__retire *r = u->window->retire;

	s->kinds = u->stalls ? REPORTED : 1;
	for (unsigned k = 0; k < s->kinds; k++)
		s->of[k] = (struct share){.sum = u->n[reported[k].signal]};
	apmu_uarch__count_time(u);
	for (unsigned k = 0; k < s->kinds; k++) {
		uint64_t before = s->of[k].sum;
		s->of[k].sum = u->n[reported[k].signal] - before;
		u->n[reported[k].signal] = before;
	}
	weigh(r, r->at, u->window->counted, s, ALL);
}

static void forget_stalls(struct apmu_uarch__retire *r)
{
	unsigned left = 0;

	for (unsigned s = 0; s < r->stalls; s++)
		if (r->stall[s].until > r->at)
			r->stall[left++] = r->stall[s];
	r->stalls = left;
}

void apmu_uarch__retire_count(struct apmu_uarch *u, uint64_t next)
{
	struct apmu_uarch__retire *r = u->window->retire;
	struct shares s;
	count_piece(u, &s);
	uint64_t end = u->window->counted;
	const struct apmu_uarch__retiring coming = {end, next, r->run + 1, 0, true};

	while (r->oldest != r->next) {
		const struct apmu_uarch__retiring *head = &r->retiring[r->oldest % APMU_UARCH__RETIRING];
		if (head->until >= end)
			break;
		give(u, &s, head->until, false, head);
		r->oldest++;
	}
	give(u, &s, end, true,
	     r->oldest != r->next ? &r->retiring[r->oldest % APMU_UARCH__RETIRING] : &coming);
	forget_stalls(r);
}

/* Counts the time of the block before, which has been run. */
static void count_block(struct apmu_uarch *u, const struct apmu_block *before, const struct apmu_block *b,
			struct apmu_watch *watch)
{
	if (apmu_uarch__retiring(u->window)) {
		apmu_watch_look(watch, APMU_WATCH_BRANCH, before->branch);
		apmu_uarch__retire_count(u, b->addr);
	} else {
		apmu_uarch__count_time(u);
		apmu_watch_look(watch, APMU_WATCH_BRANCH, before->branch);
	}
}

void apmu_uarch__pass_watched(struct apmu_uarch *u, const struct apmu_block *before,
			      const struct apmu_block *b, struct apmu_watch *watch, uint32_t end)
{
	uint64_t begin = u->window->now;
	if (apmu_uarch__retiring(u->window))
		apmu_uarch__window_step(u, before, end);
	else
		apmu_uarch__pass(u, before, end);
	apmu_uarch__follow_path(u, before, begin, end);
	count_block(u, before, b, watch);
	apmu_uarch__fetch(u, before, b, watch);
	if (!apmu_uarch__retiring(u->window)) {
		apmu_uarch__count_time(u);
		return;
	}
	apmu_watch_look(watch, APMU_WATCH_FETCH, b->addr);
	apmu_uarch__retire_count(u, b->addr);
}

int apmu_uarch_watch_time(struct apmu_uarch *u)
{
	if (!u->window || u->window->retire)
		return APMU_OK;
	u->window->retire = calloc(1, sizeof(*u->window->retire));
	return u->window->retire ? APMU_OK : APMU_ENOMEM;
}
