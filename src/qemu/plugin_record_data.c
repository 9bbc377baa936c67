/* SPDX-License-Identifier: MIT */
/* The access behind a sample: that of the instruction itself, or of the load that the instruction waits for.
 */
#include "qemu/plugin_record.h"

#include <string.h>

/* Returns the place for the access of the instruction that was the n-th to run. */
static struct apmu_qemu__data *data_of(struct apmu_qemu__sampler *s, uint32_t n)
{
	return &s->data[n % APMU_QEMU__DATA_KEPT];
}

void apmu_qemu__data_restart(struct apmu_qemu__sampler *s)
{
	memset(s->data, 0, sizeof(s->data));
	memset(s->loader, 0, sizeof(s->loader));
	s->tag = 0;
}

void apmu_qemu__data_fill(struct apmu_qemu__sampler *s, uint32_t n, struct profile__sample *sample)
{
	const struct apmu_qemu__data *d = data_of(s, n);

	if (!n || d->n != n)
		return;
	sample->has_data = true;
	sample->address = d->address;
	sample->store = d->store;
	sample->latency = d->report.cycles;
	sample->level = d->report.level;
	sample->tlb_miss = d->report.refill != 0;
	sample->walk = d->report.refill == 2;
}

uint32_t apmu_qemu__data_loader(const struct apmu_qemu__sampler *s)
{
	return s->watch.regs ? s->loader[__builtin_ctzll(s->watch.regs)] : 0;
}

/* Of an instruction's accesses the longest is kept. Stores take no time: of those it is the one that went to
 * the farthest level. */
static bool took_longer(const struct apmu_access_report *a, const struct apmu_access_report *b)
{
	return a->cycles > b->cycles || (a->cycles == b->cycles && a->level > b->level);
}

/* Returns the number of the instruction among those run, by which a sample will ask for it. */
static uint32_t number_of(const struct apmu_qemu__sampler *s, const struct apmu_qemu__watch *w)
{
	uint64_t last = s->thread->slot->tally.n[APMU_SIG_INST]; /* of the block, counted at entry */

	return (uint32_t)(last - (w->tb->n - 1 - w->index));
}

static void keep(struct apmu_qemu__sampler *s, uint32_t n, uint64_t vaddr, bool store,
		 const struct apmu_access_report *report)
{
	struct apmu_qemu__data *d = data_of(s, n);

	s->tag = n;
	if (d->n != n || took_longer(report, &d->report))
		*d = (struct apmu_qemu__data){n, vaddr, *report, store};
}

void apmu_qemu__data_claimed(struct apmu_qemu__sampler *s, const struct apmu_qemu__watch *w, uint64_t vaddr)
{
	static const struct apmu_access_report another = {.level = 5}; /* another core had the line */

	keep(s, number_of(s, w), vaddr, true, &another);
}

void apmu_qemu__data_access(struct apmu_qemu__sampler *s, const struct apmu_qemu__watch *w, uint64_t vaddr,
			    unsigned size, bool store)
{
	uint32_t n = number_of(s, w);
	struct apmu_access_report report;

	s->tag = n;
	apmu_uarch_access_report(s->thread->u, w->tb->block, w->index, vaddr, size, store, &report);
	keep(s, n, vaddr, store, &report);
	for (uint64_t regs = apmu_block_loads(w->tb->block, w->index); regs; regs &= regs - 1)
		s->loader[__builtin_ctzll(regs)] = n;
}
