/* SPDX-License-Identifier: MIT */
/*
 * In order, what outlasts its block: results (out[] of struct apmu_uarch__live) and busy pipes.
 * The next block stalls at its begin for what it needs before its first access. What it needs later, or
 * leaves to a later block, becomes a pending of struct apmu_uarch__memory, like a late load.
 */
#include "uarch/machine.h"
#include "uarch/timing.h"

#include <string.h>

static void use(struct apmu_block *b, unsigned what, int64_t at, bool address)
{
	at = at < -INT8_MAX ? -INT8_MAX : at < APMU_UARCH__NEEDED_FAR ? at : APMU_UARCH__NEEDED_FAR;
	if (at >= b->live->needs[what])
		return;
	b->live->needs[what] = (int8_t)at;
	if (what >= 32)
		return;
	uint32_t bit = (uint32_t)1 << what;
	b->live->addresses = address ? b->live->addresses | bit : b->live->addresses & ~bit;
}

/* Cycles that the block waits less for a register because it reaches an address sooner. */
static int forwarded(const struct apmu_block *b, const struct apmu_uarch__live_out *h)
{
	return h->what < 32 && b->live->addresses >> h->what & 1 ? h->forwards : 0;
}

/*
 * One AND of two words tells at each block boundary if the next block may have to wait: late_any of the block
 * before, early_any of the next. Bit r of the low half: general register r is two cycles late or more; it is
 * needed within four cycles. Bit r of the high half: general register r is at most one cycle late; it is
 * needed at once. Or: vector register r is late; it is needed within four cycles. The load/store unit shares
 * one of these bits, all groups of pipes share another.
 */
#define PORT_BIT ((uint64_t)1 << 47)
#define UNIT_BIT ((uint64_t)1 << 46)

static uint64_t bit_of(unsigned what)
{
	if (what < APMU_UARCH__UNIT)
		return (uint64_t)1 << what;
	return what == APMU_UARCH__PORT ? PORT_BIT : UNIT_BIT;
}

static uint64_t early_bits(unsigned r, int64_t at)
{
	if (at >= APMU_UARCH__LONG)
		return 0;
	if (r >= 32)
		return bit_of(r);
	return (uint64_t)1 << r | (uint64_t)(at <= 0) << (r + 32);
}

static uint64_t late_bits(unsigned r, int late)
{
	if (late > APMU_UARCH__LONG)
		return UINT64_MAX;
	if (r >= 32)
		return r == APMU_UARCH__PORT || late > 0 ? bit_of(r) : 0;
	return (uint64_t)1 << (late > 1 ? r : r + 32);
}

void apmu_uarch__carry_in(const struct apmu_uarch_params *p, struct apmu_block *b)
{
	memset(b->live->needs, APMU_UARCH__NEVER_NEEDED, sizeof(b->live->needs));
	b->live->addresses = 0;
	b->accesses = APMU_UARCH__NO_USE;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct apmu_uarch__step *s = &b->step[i];
		const struct apmu_uarch__schedule *t = &b->schedule[i];
		for (uint64_t set = s->reads & ~b->written; set; set &= set - 1) {
			unsigned r = (unsigned)__builtin_ctzll(set);
			int64_t at = (int64_t)t->issue - apmu_uarch__early_of(t, r);
			use(b, r, at, apmu_uarch__address_regs(s->cls, t->early_reads) >> r & 1);
			b->early_any |= early_bits(r, at - (p->folding ? 1 : 0));
		}
		if (t->unit) {
			use(b, APMU_UARCH__UNIT + t->unit, t->issue, false);
			b->early_any |= early_bits(APMU_UARCH__UNIT + t->unit, t->issue);
		}
		if (apmu_uarch__uses_memory(s->cls)) {
			use(b, APMU_UARCH__PORT, t->issue, false);
			b->early_any |= early_bits(APMU_UARCH__PORT, t->issue);
			b->accesses = t->issue < b->accesses ? t->issue : b->accesses;
		}
		b->written |= s->writes;
	}
	if (!b->early_any) /* a long result sets all bits of late_any and needs one here */
		b->early_any = (uint64_t)1 << 63;
}

void apmu_uarch__carry_out(struct apmu_block *b, unsigned early)
{
	for (unsigned k = 0; k < b->outs; k++)
		if (b->live->out[k].late > 0 || early)
			b->late_any |= late_bits(b->live->out[k].what, b->live->out[k].late);
}

int apmu_uarch__early_of(const struct apmu_uarch__schedule *t, unsigned r)
{
	return t->early_reads >> r & 1 ? t->early : t->other;
}

uint64_t apmu_uarch__lasting(const struct apmu_block *b, uint32_t i, uint64_t cycles)
{
	for (uint32_t j = i + 1; b->absorbs && j < b->n && cycles; j++) {
		uint32_t stalled = b->schedule[j].stalls - b->schedule[j - 1].stalls;
		if (stalled && b->schedule[j].from < i)
			cycles -= stalled < cycles ? stalled : cycles;
	}
	return cycles;
}

static bool waits_for(const struct apmu_block *b, uint32_t i, unsigned what)
{
	if (what < APMU_UARCH__UNIT)
		return b->step[i].reads >> what & 1;
	return what == APMU_UARCH__PORT ? apmu_uarch__uses_memory(b->step[i].cls)
					: b->schedule[i].unit == what - APMU_UARCH__UNIT;
}

/* The first instruction that waits for `what`. */
static uint32_t first_for(const struct apmu_block *b, unsigned what)
{
	uint32_t i = 0;
	while (i < b->n && !waits_for(b, i, what))
		i++;
	return i;
}

bool apmu_uarch__adopt_result(const struct apmu_block *b, struct apmu_uarch__pending *p)
{
	bool known = b->live->needs[p->what] != APMU_UARCH__NEVER_NEEDED;
	p->by = (uint16_t)b->n;
	p->user = APMU_UARCH__NO_USE;
	if (!known)
		return p->what >= APMU_UARCH__UNIT || !(b->written >> p->what & 1);
	uint32_t i = first_for(b, p->what);
	int early = p->what < APMU_UARCH__UNIT ? apmu_uarch__early_of(&b->schedule[i], p->what) : 0;
	p->by = (uint16_t)i;
	p->user = i;
	p->first_use = b->schedule[i].issue;
	p->ready = (uint64_t)((int64_t)p->ready + early);
	return true;
}

void apmu_uarch__hold(struct apmu_uarch__memory *m, const struct apmu_block *b, uint32_t user,
		      uint64_t cycles)
{
	for (unsigned k = 0; k < b->longs; k++)
		m->held[k] += b->live->out[k].from < user ? (uint32_t)cycles : 0;
}

static void put_off(struct apmu_uarch__memory *m, unsigned what, uint64_t ready)
{
	if (m->pendings == APMU_UARCH__PENDING)
		return;
	bool result = what < APMU_UARCH__UNIT;
	m->pending[m->pendings++] =
		(struct apmu_uarch__pending){.ready = ready,
					     .user = APMU_UARCH__NO_USE,
					     .what = (uint8_t)what,
					     .why = result ? APMU_UARCH__FOR_RESULT : APMU_UARCH__FOR_UNIT};
}

/* True if the block waits at its begin. It does not for a long wait of an instruction behind an access, nor
 * for pipes. */
static bool at_once(const struct apmu_block *b, unsigned what, int64_t late, int64_t needed)
{
	if (what >= APMU_UARCH__UNIT || needed >= APMU_UARCH__NEEDED_FAR)
		return false;
	return late - needed <= APMU_UARCH__LONG || needed <= (int64_t)b->accesses;
}

/* Cycles that the block waits at its begin for a long result. */
static int64_t long_wait(struct apmu_uarch *u, const struct apmu_block *b, unsigned what, int64_t late,
			 uint64_t end, int64_t gap)
{
	int64_t needed = b->live->needs[what], wait = late - needed - gap;
	bool never = needed == APMU_UARCH__NEVER_NEEDED;
	if (never ? late <= (int64_t)b->cycles + gap : wait <= 0)
		return 0;
	if (at_once(b, what, late, needed))
		return wait;
	if (!never || what >= APMU_UARCH__UNIT || !(b->written >> what & 1))
		put_off(&u->memory, what, end + (uint64_t)late);
	return 0;
}

/* Cycles that the block waits at its begin for the k-th thing that the block before left. */
static int64_t wait_of(struct apmu_uarch *u, const struct apmu_block *before, const struct apmu_block *b,
		       unsigned k, uint64_t end, int64_t gap)
{
	struct apmu_uarch__memory *m = &u->memory;
	const struct apmu_uarch__live_out *h = &before->live->out[k];
	if (k >= before->longs)
		return h->late - b->live->needs[h->what] - forwarded(b, h) - gap;
	int64_t late = h->late - forwarded(b, h) - (int64_t)m->held[k];
	m->held[k] = 0;
	return late > 0 ? long_wait(u, b, h->what, late, end, gap) : 0;
}

struct apmu_uarch__carried apmu_uarch__carry(struct apmu_uarch *u, const struct apmu_block *before,
					     const struct apmu_block *b, uint64_t end, int64_t gap)
{
	struct apmu_uarch__carried c = {0};
	for (unsigned k = 0; k < before->outs; k++) {
		unsigned what = before->live->out[k].what;
		int64_t wait = wait_of(u, before, b, k, end, gap);
		if (wait <= (int64_t)c.operand)
			continue;
		uint32_t lasts = (uint32_t)apmu_uarch__lasting(b, first_for(b, what), (uint64_t)wait);
		c.cycles = lasts > c.cycles ? lasts : c.cycles;
		if (what >= APMU_UARCH__UNIT || lasts <= c.operand)
			continue;
		c.operand = lasts;
		c.what = what;
	}
	return c;
}

enum apmu_signal apmu_uarch__interlock(const struct apmu_block *b, uint32_t i, unsigned r)
{
	if (apmu_uarch__is_vector(r, b->halves))
		return APMU_SIG_STALL_DEP_SIMD;
	bool address =
		i < b->n && (apmu_uarch__address_regs(b->step[i].cls, b->schedule[i].early_reads) >> r & 1);
	return address ? APMU_SIG_STALL_DEP_AGU : APMU_SIG_STALL_DEP_OTHER;
}

void apmu_uarch__count_carried(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_uarch__carried c)
{
	if (u->entry_counts & APMU_UARCH__ENTRY_COUNTS) {
		u->n[APMU_SIG_DATA_STALL] += c.operand;
		u->n[apmu_uarch__interlock(b, first_for(b, c.what), c.what)] += c.operand;
	}
	apmu_uarch__idle(u, (int64_t)c.cycles, APMU_SIG_SLOT_BACK);
}

uint32_t apmu_uarch__carrier(const struct apmu_block *before, const struct apmu_block *b)
{
	int worst = INT16_MIN;
	unsigned what = 0;
	for (unsigned k = 0; k < before->outs; k++) {
		const struct apmu_uarch__live_out *h = &before->live->out[k];
		int wait = h->late - b->live->needs[h->what] - forwarded(b, h);
		if (h->what < APMU_UARCH__UNIT && b->live->needs[h->what] < APMU_UARCH__NEEDED_FAR &&
		    wait > worst) {
			worst = wait;
			what = h->what;
		}
	}
	uint32_t i = worst > INT16_MIN ? first_for(b, what) : 0;
	return i < b->n ? i : 0;
}
