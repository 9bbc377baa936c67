/* SPDX-License-Identifier: MIT */
#include "uarch/window.h"

#include "uarch/pass.h"

#include <stdlib.h>
#include <string.h>

/* Periods of apmu_uarch_estimate_stalls(). */
#define EXACT   (1u << 21) /* first cycles of a run, in which all stalls are counted */
#define STRETCH (1u << 15) /* cycles of a stretch; counting is on or off for whole stretches */
#define ONE_IN  64u        /* one in at most so many stretches counts */

static uint32_t chunks(uint32_t size)
{
	uint32_t n = 1;
	while (size && n <= size + 1)
		n *= 2;
	return n;
}

unsigned apmu_uarch__scheduled_group(const struct apmu_uarch_params *p, unsigned unit)
{
	while (unit && !p->schedulers[unit])
		unit = p->within[unit];
	return unit;
}

/* The one scheduler before all pipes; or that of the group; or that of the smallest larger group that has
 * one; or those of up to two groups within the group. */
struct apmu_uarch__schedulers apmu_uarch__schedulers_of(const struct apmu_uarch_params *p, unsigned unit)
{
	unsigned in = apmu_uarch__scheduled_group(p, unit), or_in = 0;
	if (p->scheduler || unit == 0)
		return (struct apmu_uarch__schedulers){unit != 0, unit != 0};
	for (unsigned k = 1; in == 0 && k < APMU_UNITS; k++)
		if (p->within[k] == unit && p->schedulers[k])
			in = k;
	for (unsigned k = in + 1; p->within[in] == unit && k < APMU_UNITS; k++)
		if (p->within[k] == unit && p->schedulers[k])
			or_in = k;
	return (struct apmu_uarch__schedulers){(uint8_t)in, (uint8_t)(or_in ? or_in : in)};
}

static void schedulers(struct apmu_uarch__window *w, const struct apmu_uarch_params *p)
{
	for (unsigned k = 1; k < APMU_UNITS; k++) {
		w->schedulers_of[k] = apmu_uarch__schedulers_of(p, k);
		struct apmu_uarch__schedulers both = w->schedulers_of[k];
		if (both.in != both.or_in) {
			w->scheduler[both.in].first = w->scheduler[both.or_in].first = both.in;
			w->scheduler[both.in].second = w->scheduler[both.or_in].second = both.or_in;
		}
		w->scheduler[k].size = p->scheduler ? (k == 1 ? p->scheduler : 0) : p->schedulers[k];
		w->scheduling |= w->scheduler[k].size != 0;
	}
}

struct apmu_uarch__window *apmu_uarch__window_new(const struct apmu_uarch_params *p)
{
	const uint32_t size[APMU_UARCH__QUEUES] = {p->rob, p->load_queue, p->store_queue, p->flag_registers};
	uint32_t all = chunks(size[0]) + chunks(size[1]) + chunks(size[2]) + chunks(size[3]);
	struct apmu_uarch__window *w = calloc(1, sizeof(*w) + all * sizeof(w->chunk[0]));
	if (!w)
		return NULL;
	for (unsigned q = 0; q < APMU_UARCH__QUEUES; q++) {
		all -= chunks(size[q]);
		w->queue[q] = (struct apmu_uarch__queue){
			.size = size[q], .mask = chunks(size[q]) - 1, .chunk = &w->chunk[all]};
		w->chunk[all].due = UINT64_MAX;
	}
	w->cycle = apmu_uarch__ticks_per_cycle(p);
	unsigned hit = p->result[APMU_CLASS_LOAD];
	w->forwards = p->forward != 0;
	w->forward = p->forward > hit ? p->forward - hit : 0;
	w->fail = p->forward_fail > hit ? p->forward_fail - hit : 0;
	w->fail = w->fail > w->forward ? w->fail : w->forward;
	w->fails_late = p->forward_retired;
	w->factor = p->alu_factor;
	w->mulh_flags = p->mulh_flags;
	w->flag_cycles = p->flag_cycles;
	w->gap = p->dispatch.taken ? w->cycle / p->dispatch.taken : 0;
	schedulers(w, p);
	w->scheduler_cycles = p->scheduler_cycles;
	w->by_room = p->scheduler_room;
	w->bound = p->scheduler_bound;
	w->ordered = p->ordered;
	w->breaks = p->dispatch.breaks;
	w->bubbles = w->gap && p->taken_ahead ? p->taken * w->cycle : 0;
	w->past = w->gap ? w->bubbles + w->cycle : 0;
	w->late_stores = APMU_UARCH__AGES;
	apmu_uarch__pipes_init(&w->pipes, p);
	w->run_ahead.queue = p->run_ahead.queue;
	w->turn = UINT64_MAX;
	w->scale = 1;
	w->inverse = (uint32_t)(((uint64_t)1 << APMU_UARCH__INVERSE) / w->cycle + 1);
	if (apmu_uarch__memo_init(w))
		return w;
	free(w);
	return NULL;
}

void apmu_uarch__window_free(struct apmu_uarch__window *w)
{
	if (!w)
		return;
	free(w->memo_memory);
	free(w->retire);
	free(w);
}

void apmu_uarch__window_starve(struct apmu_uarch *u, uint64_t cycles, enum apmu_signal why)
{
	struct apmu_uarch__window *w = u->window;
	apmu_uarch__memo_unpack(w);
	w->now += cycles * w->cycle;
	u->n[why] += cycles * u->p.width;
}

void apmu_uarch__window_hold(struct apmu_uarch *u, uint64_t cycles)
{
	apmu_uarch__memo_unpack(u->window);
	apmu_uarch__window_wait(u, apmu_uarch__dispatching(u->window) + cycles, APMU_UARCH__STALL_STORE);
}

void apmu_uarch__window_pass(struct apmu_uarch *u, const struct apmu_block *b, uint32_t end)
{
	if (apmu_uarch__memo_backs_off(u->window->memo))
		apmu_uarch__window_step(u, b, end);
	else
		apmu_uarch__memo_pass(u, b, end);
}

/* Adds the whole cycles of stalled[k], at most `most`, to the signals. Returns how many. */
static uint64_t count_wait(struct apmu_uarch *u, enum apmu_uarch__stall_kind k, uint64_t most)
{
	static const uint8_t signal[APMU_UARCH__STALL_KINDS] = {
		APMU_SIG_DATA_STALL,     APMU_SIG_LSU_FULL_STALL, APMU_SIG_STALL_BACK_MEM,
		APMU_SIG_STALL_BACK_L3,  APMU_SIG_STALL_BACK_L2,  APMU_SIG_STALL_BACK_TLB,
		APMU_SIG_STALL_BACK_TLB, APMU_SIG_STALL_ST,       APMU_SIG_STALL_BACK_QUEUE,
		APMU_SIG_STALL_BARRIER};
	struct apmu_uarch__window *w = u->window;
	uint64_t cycles = apmu_uarch__whole_cycles(w, w->stalled[k]);
	cycles = cycles < most ? cycles : most;
	u->n[signal[k]] += cycles * w->scale;
	w->stalled[k] -= cycles * w->cycle;
	if (k >= APMU_UARCH__STALL_MEMORY && k <= APMU_UARCH__STALL_STORE)
		u->n[APMU_SIG_STALL_BACK_BOUND] += cycles * w->scale;
	u->n[APMU_SIG_STALL_BACK_MAIN] += k == APMU_UARCH__STALL_MAIN ? cycles * w->scale : 0;
	return cycles;
}

/* Adds the stall cycles by cause, in total no more than the stalls that were counted. Those of barriers are
 * not limited, because they may have another cause too. */
static void count_causes(struct apmu_uarch *u)
{
	for (unsigned k = APMU_UARCH__STALL_L3; k <= APMU_UARCH__STALL_LOADS; k++)
		u->window->parted -= count_wait(u, (enum apmu_uarch__stall_kind)k, u->window->parted);
	count_wait(u, APMU_UARCH__STALL_BARRIER, UINT64_MAX);
}

void apmu_uarch__window_count_stalls(struct apmu_uarch *u)
{
	struct apmu_uarch__window *w = u->window;
	w->parted += count_wait(u, APMU_UARCH__STALL_WINDOW, UINT64_MAX) +
		     count_wait(u, APMU_UARCH__STALL_QUEUE, UINT64_MAX);
	w->parted -= count_wait(u, APMU_UARCH__STALL_MEMORY, w->parted);
	if (u->window->causes)
		count_causes(u);
	u->n[APMU_SIG_SLOT_BACK] += w->idle / APMU_UARCH__TICKS * w->scale;
	w->idle %= APMU_UARCH__TICKS;
}

/* The memo has states of its own for either case, because a transition remembers stalls only if they were
 * counted. A stretch that counts stands for the stretches before it that did not: at most 1/ONE_IN of the
 * run, so that few cycles of a short run are without an estimate when the run ends. */
void apmu_uarch__window_turn(struct apmu_uarch *u)
{
	struct apmu_uarch__window *w = u->window;

	apmu_uarch__memo_turn(w);
	memset(w->from, 0, sizeof(w->from));
	memset(w->stalled, 0, sizeof(w->stalled));
	w->idle = 0;
	u->stalls = !u->stalls;
	w->counts = u->stalls;
	w->causes = u->stalls && u->causes;
	if (u->stalls) {
		w->scale = 1 + w->off;
		w->turn = w->now + (uint64_t)w->cycle * STRETCH;
		return;
	}
	uint64_t so_far = w->now / w->cycle / STRETCH / ONE_IN;
	w->off = so_far < 1 ? 1 : so_far < ONE_IN - 1 ? (uint32_t)so_far : ONE_IN - 1;
	w->turn = w->now + (uint64_t)w->cycle * STRETCH * w->off;
}

void apmu_uarch_estimate_stalls(struct apmu_uarch *u)
{
	if (u->window && u->stalls)
		u->window->turn = (uint64_t)u->window->cycle * EXACT;
}
