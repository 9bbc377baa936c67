/* SPDX-License-Identifier: MIT */
/**
 * Seznec and Michaud's TAGE: counters by address, and tables of entries with a tag, each indexed by the
 * address and a longer piece of global history. The longest history that has the branch predicts, the next
 * one is the alternate that it is weighed against.
 *
 * An entry has 16 bits: eleven of tag, then its state, two of usefulness and three of counter. A counter by
 * address is a state alone: its usefulness is how often it was wrong, and its counter has four values. What
 * becomes of a state is looked up. A branch that its counter got wrong at most once is not looked for in the
 * tables: nothing was put there for it.
 *
 * Left out: the chooser of the alternate for new entries, and more than 64 branches of history.
 */
#ifndef APMU_UARCH_TAGE_H
#define APMU_UARCH_TAGE_H

#include <apmu/uarch.h>

#define APMU__TAGE_TABLES 8  /* the most */
#define APMU__TAGE_USUAL  3u /* as many as the rows have: apmu__tage_usual() */

/* A state: of a counter by address, between the outcomes; */
#define APMU__TAGE_FIRST 2u
/* its bits; that of its prediction; from here on it was wrong more than once. */
#define APMU__TAGE_STATE 0x1Fu
#define APMU__TAGE_TAKEN 0x04u
#define APMU__TAGE_WRONG 0x10u
/* What becomes of it: added to the state as index of next[]. */
#define APMU__TAGE_WENT      0x20u /* the branch went */
#define APMU__TAGE_ALTERNATE 0x40u /* the alternate said so */
#define APMU__TAGE_BASE      0x80u /* it is a counter by address */

struct apmu__tage {
	uint16_t *entry;                  /* [tables << shift], the shortest history first */
	uint8_t *counter;                 /* by address: states */
	uint64_t mask, counter_mask;      /* entries of a table, counters; less one */
	uint64_t history;                 /* the last branch in bit 0 */
	uint64_t seen[APMU__TAGE_TABLES]; /* what of it each table is indexed with */
	uint8_t tables, shift;            /* shift: the logarithm of a table's entries */
	uint8_t next[256];
};

/* 0 or APMU_ENOMEM. */
int apmu__tage_init(struct apmu__tage *t, const struct apmu_uarch_params *p);
void apmu__tage_free(struct apmu__tage *t);

/* A prediction was wrong: an entry for the branch in a table from `from` on. */
void apmu__tage_allocate(struct apmu__tage *t, unsigned from, uint64_t pc, bool outcome);

/* Predicts the branch, then learns; history is the caller's. */
bool apmu__tage_any(struct apmu__tage *t, uint64_t pc, bool outcome);

/* The index of an entry is in bits 32 and up, its tag in bits 53 and up. */
static inline uint64_t apmu__tage_hash(const struct apmu__tage *t, unsigned k, uint64_t by_pc)
{
	return (t->history & t->seen[k]) * 0x9E3779B97F4A7C15u ^ by_pc;
}

static inline uint64_t apmu__tage_by_pc(uint64_t pc)
{
	return pc * 0xC2B2AE3D27D4EB4Fu;
}

static inline unsigned apmu__tage_tag(uint64_t hash)
{
	return (unsigned)(hash >> 48) & ~APMU__TAGE_STATE;
}

static inline uint16_t *apmu__tage_place(const struct apmu__tage *t, unsigned k, uint64_t hash)
{
	return &t->entry[((size_t)k << t->shift) + (hash >> 32 & t->mask)];
}

/* What has been found: the state that predicts, the alternate's, the former's entry. */
struct apmu__tage_found {
	unsigned state, other;
	unsigned from; /* the table after it */
	uint16_t *entry;
};

/* Table k, after those of shorter history. */
static inline __attribute__((always_inline)) void apmu__tage_look(const struct apmu__tage *t, unsigned k,
								  uint64_t by_pc, struct apmu__tage_found *f)
{
	uint64_t hash = apmu__tage_hash(t, k, by_pc);
	uint16_t *here = apmu__tage_place(t, k, hash);
	unsigned state = *here ^ apmu__tage_tag(hash);

	if (state <= APMU__TAGE_STATE)
		*f = (struct apmu__tage_found){state, f->state, k + 1, here};
}

static inline __attribute__((always_inline)) bool
apmu__tage_learn(struct apmu__tage *t, uint64_t pc, bool outcome, const struct apmu__tage_found *f)
{
	bool taken = f->state & APMU__TAGE_TAKEN;
	unsigned went = outcome ? APMU__TAGE_WENT : 0;
	unsigned alternate = f->other & APMU__TAGE_TAKEN ? APMU__TAGE_ALTERNATE : 0;

	if (f->from)
		*f->entry = (uint16_t)(*f->entry ^ f->state ^ t->next[f->state | went | alternate]);
	else
		t->counter[pc & t->counter_mask] = t->next[f->state | went | APMU__TAGE_BASE];
	if (taken != outcome)
		apmu__tage_allocate(t, f->from, pc, outcome);
	return taken;
}

/* Has its counter been wrong at most once? Then that predicts, and learns. */
static inline bool apmu__tage_plain(struct apmu__tage *t, uint64_t pc, bool outcome, unsigned *state)
{
	uint8_t *counter = &t->counter[pc & t->counter_mask];

	*state = *counter;
	if (*state >= APMU__TAGE_WRONG)
		return false;
	*counter = t->next[*state | (outcome ? APMU__TAGE_WENT : 0) | APMU__TAGE_BASE];
	return true;
}

/* apmu__tage_any() in line, for the usual number of tables. All are looked at: whether a table has the branch
 * the host foresees better when each has a jump of its own, and little is saved by stopping. */
static inline __attribute__((always_inline)) bool apmu__tage_usual(struct apmu__tage *t, uint64_t pc,
								   bool outcome)
{
	uint64_t by_pc = apmu__tage_by_pc(pc);
	struct apmu__tage_found f = {0};

	if (apmu__tage_plain(t, pc, outcome, &f.state))
		return f.state & APMU__TAGE_TAKEN;
	f.other = f.state;
	apmu__tage_look(t, 0, by_pc, &f);
	apmu__tage_look(t, 1, by_pc, &f);
	apmu__tage_look(t, 2, by_pc, &f);
	return apmu__tage_learn(t, pc, outcome, &f);
}
_Static_assert(APMU__TAGE_USUAL == 3, "apmu__tage_usual() looks at three tables");

#endif
