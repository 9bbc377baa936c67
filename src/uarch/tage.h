/* SPDX-License-Identifier: MIT */
/**
 * Seznec and Michaud's TAGE: counters by address, and tables of tagged entries, each indexed by the
 * address and a longer piece of global history. The longest history that has the branch predicts; the next
 * longest is the alternate that its usefulness is measured against.
 *
 * An entry has 16 bits: a tag of eleven, then its state, two bits of usefulness and three of counter. A
 * counter by address is a state without a tag: its usefulness counts its mispredictions, and its counter has
 * four values. The next state comes from a table. A branch that its counter mispredicted at most once is not
 * searched in the tables: they have no entry for it.
 *
 * Left out: the chooser of the alternate for new entries, and more than 64 branches of history.
 */
#ifndef APMU_UARCH_TAGE_H
#define APMU_UARCH_TAGE_H

#include <apmu/uarch.h>

#define APMU_UARCH__TAGE_TABLES 8  /* the most tables */
#define APMU_UARCH__TAGE_USUAL  3u /* the number in all rows: apmu_uarch__tage_usual() */

/* The first state of a counter by address, between the outcomes. */
#define APMU_UARCH__TAGE_FIRST 2u
/* Parts of a state: all its bits; the bit of its prediction; from this value on, more than one misprediction.
 */
#define APMU_UARCH__TAGE_STATE 0x1Fu
#define APMU_UARCH__TAGE_TAKEN 0x04u
#define APMU_UARCH__TAGE_WRONG 0x10u
/* Bits added to a state to index next[]. */
#define APMU_UARCH__TAGE_WENT      0x20u /* the branch was taken */
#define APMU_UARCH__TAGE_ALTERNATE 0x40u /* the alternate predicted taken */
#define APMU_UARCH__TAGE_BASE      0x80u /* the state is a counter by address */

struct apmu_uarch__tage {
	uint16_t *entry;                        /* [tables << shift], the shortest history first */
	uint8_t *counter;                       /* [counter_mask + 1] states, by address */
	uint64_t mask, counter_mask;            /* entries of a table, counters by address; each less one */
	uint64_t history;                       /* global history, the last branch in bit 0 */
	uint64_t seen[APMU_UARCH__TAGE_TABLES]; /* mask of the history bits that index each table */
	uint8_t tables, shift;                  /* shift: log2 of a table's entries */
	uint8_t next[256];
};

/* Returns 0 or APMU_ENOMEM. */
int apmu_uarch__tage_init(struct apmu_uarch__tage *t, const struct apmu_uarch_params *p);
void apmu_uarch__tage_free(struct apmu_uarch__tage *t);

/* After a misprediction: allocates an entry for the branch in a table from `from` on. */
void apmu_uarch__tage_allocate(struct apmu_uarch__tage *t, unsigned from, uint64_t pc, bool outcome);

/* Predicts the branch, then learns its outcome; the caller updates the history. */
bool apmu_uarch__tage_any(struct apmu_uarch__tage *t, uint64_t pc, bool outcome);

/* The index of an entry is in bits 32 and up, its tag in bits 53 and up. */
static inline uint64_t apmu_uarch__tage_hash(const struct apmu_uarch__tage *t, unsigned k, uint64_t by_pc)
{
	return (t->history & t->seen[k]) * 0x9E3779B97F4A7C15u ^ by_pc;
}

static inline uint64_t apmu_uarch__tage_by_pc(uint64_t pc)
{
	return pc * 0xC2B2AE3D27D4EB4Fu;
}

static inline unsigned apmu_uarch__tage_tag(uint64_t hash)
{
	return (unsigned)(hash >> 48) & ~APMU_UARCH__TAGE_STATE;
}

static inline uint16_t *apmu_uarch__tage_place(const struct apmu_uarch__tage *t, unsigned k, uint64_t hash)
{
	return &t->entry[((size_t)k << t->shift) + (hash >> 32 & t->mask)];
}

/* The result of a search: the state that predicts, the state of the alternate, and the entry of the former.
 */
struct apmu_uarch__tage_found {
	unsigned state, other;
	unsigned from; /* the table after that entry's */
	uint16_t *entry;
};

/* Searches table k; called in the order of history length. */
static inline __attribute__((always_inline)) void apmu_uarch__tage_look(const struct apmu_uarch__tage *t,
									unsigned k, uint64_t by_pc,
									struct apmu_uarch__tage_found *f)
{
	uint64_t hash = apmu_uarch__tage_hash(t, k, by_pc);
	uint16_t *here = apmu_uarch__tage_place(t, k, hash);
	unsigned state = *here ^ apmu_uarch__tage_tag(hash);

	if (state <= APMU_UARCH__TAGE_STATE)
		*f = (struct apmu_uarch__tage_found){state, f->state, k + 1, here};
}

static inline __attribute__((always_inline)) bool
apmu_uarch__tage_learn(struct apmu_uarch__tage *t, uint64_t pc, bool outcome,
		       const struct apmu_uarch__tage_found *f)
{
	bool taken = f->state & APMU_UARCH__TAGE_TAKEN;
	unsigned went = outcome ? APMU_UARCH__TAGE_WENT : 0;
	unsigned alternate = f->other & APMU_UARCH__TAGE_TAKEN ? APMU_UARCH__TAGE_ALTERNATE : 0;

	if (f->from)
		*f->entry = (uint16_t)(*f->entry ^ f->state ^ t->next[f->state | went | alternate]);
	else
		t->counter[pc & t->counter_mask] = t->next[f->state | went | APMU_UARCH__TAGE_BASE];
	if (taken != outcome)
		apmu_uarch__tage_allocate(t, f->from, pc, outcome);
	return taken;
}

/* If the branch's counter by address was wrong at most once, it predicts and is updated. False: the tables
 * have to be searched. */
static inline bool apmu_uarch__tage_plain(struct apmu_uarch__tage *t, uint64_t pc, bool outcome,
					  unsigned *state)
{
	uint8_t *counter = &t->counter[pc & t->counter_mask];

	*state = *counter;
	if (*state >= APMU_UARCH__TAGE_WRONG)
		return false;
	*counter = t->next[*state | (outcome ? APMU_UARCH__TAGE_WENT : 0) | APMU_UARCH__TAGE_BASE];
	return true;
}

/* apmu_uarch__tage_any(), inline for the usual number of tables. Searches all of them: the host predicts
 * better when each table has its own branch, and stopping early would save little. */
static inline __attribute__((always_inline)) bool apmu_uarch__tage_usual(struct apmu_uarch__tage *t,
									 uint64_t pc, bool outcome)
{
	uint64_t by_pc = apmu_uarch__tage_by_pc(pc);
	struct apmu_uarch__tage_found f = {0};

	if (apmu_uarch__tage_plain(t, pc, outcome, &f.state))
		return f.state & APMU_UARCH__TAGE_TAKEN;
	f.other = f.state;
	apmu_uarch__tage_look(t, 0, by_pc, &f);
	apmu_uarch__tage_look(t, 1, by_pc, &f);
	apmu_uarch__tage_look(t, 2, by_pc, &f);
	return apmu_uarch__tage_learn(t, pc, outcome, &f);
}
_Static_assert(APMU_UARCH__TAGE_USUAL == 3, "apmu_uarch__tage_usual() looks at three tables");

#endif
